/* digest.h - the SHA-256 of inputs, by which runs with the same input are recognised.
 *
 * Numbers are hashed as eight bytes, least significant first, on any machine; both zeros have one
 * representation, and so have all NaNs. Texts are preceded by their length, so no two sequences of
 * calls of the same kinds give the same bytes.
 */
#ifndef CS_BASE_DIGEST_H
#define CS_BASE_DIGEST_H

#include <cosched/error.h>

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

/* Hashes of rows of tables: the values in their order, each with its kind.
 *
 * Against accidents, not against forgers: 64 bits, mixed. The kinds are numbered as SQLite numbers
 * its types, and these hashes are stored in files: they never change.
 */
/* The hash of the values so far, and one more. */
uint64_t cs_row_hash_integer(uint64_t hash, int64_t value);
uint64_t cs_row_hash_real(uint64_t hash, double value); /* the two zeros are one */
uint64_t cs_row_hash_text(uint64_t hash, const void *bytes, size_t size);
uint64_t cs_row_hash_blob(uint64_t hash, const void *bytes, size_t size);
uint64_t cs_row_hash_nothing(uint64_t hash);

/* Room for a digest in hexadecimal: 64 digits and the end of the text. */
#define CS_DIGEST_TEXT (2 * SHA256_DIGEST_SIZE + 1)

struct cs_digest {
    struct sha256_ctx state; /* private */
};

void cs_digest_init(struct cs_digest *digest);
void cs_digest_put_bytes(struct cs_digest *digest, const void *bytes, size_t size);
void cs_digest_put_text(struct cs_digest *digest, const char *text);
void cs_digest_put_integer(struct cs_digest *digest, int64_t value);
void cs_digest_put_double(struct cs_digest *digest, double value);

/* Write the digest of all that was put: lower case digits.  Ends the use of `digest`. */
void cs_digest_finish(struct cs_digest *digest, char text[CS_DIGEST_TEXT]);

/* The digest of the bytes of a file, without decompression, as printed by sha256sum; of a directory
 * that of the names and digests of its files (cs_file_list). -1 with err, which names the file. */
int cs_digest_file(const char *path, char text[CS_DIGEST_TEXT], struct cs_error *err);

#endif
