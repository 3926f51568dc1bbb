/* row_hash.h - hashes of rows of tables: the values in their order, each with its kind.
 *
 * Against accidents, not against forgers: 64 bits, mixed. The kinds are numbered as SQLite numbers
 * its types, and these hashes are stored in files: they never change.
 */
#ifndef CS_BASE_ROW_HASH_H
#define CS_BASE_ROW_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of the values so far, and one more. */
uint64_t cs_row_hash_integer(uint64_t hash, int64_t value);
uint64_t cs_row_hash_real(uint64_t hash, double value); /* the two zeros are one */
uint64_t cs_row_hash_text(uint64_t hash, const void *bytes, size_t size);
uint64_t cs_row_hash_blob(uint64_t hash, const void *bytes, size_t size);
uint64_t cs_row_hash_nothing(uint64_t hash);

#endif
