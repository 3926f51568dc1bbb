/* digest.c - SHA-256 by nettle; what is ours is how numbers become bytes. */
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/mix.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* A value after the other, eight bytes at a time. */

enum kind { INTEGER = 1, REAL, TEXT, BLOB, NOTHING };

/* The first byte is the lowest: one load, which compilers see in this form only. */
static uint64_t word_of(const unsigned char *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

static uint64_t mix_bytes(uint64_t hash, const unsigned char *bytes, size_t size)
{
    unsigned char rest[8] = {0};

    hash = cs_mix_hash(hash ^ size);
    for (; size >= 8; size -= 8, bytes += 8)
        hash = cs_mix_hash(hash ^ word_of(bytes));
    if (!size)
        return hash;
    memcpy(rest, bytes, size);
    return cs_mix_hash(hash ^ word_of(rest));
}

uint64_t cs_row_hash_integer(uint64_t hash, int64_t value)
{
    return cs_mix_hash(cs_mix_hash(hash ^ INTEGER) ^ (uint64_t)value);
}

uint64_t cs_row_hash_real(uint64_t hash, double value)
{
    uint64_t word = 0;

    if (value != 0)
        memcpy(&word, &value, sizeof word);
    return cs_mix_hash(cs_mix_hash(hash ^ REAL) ^ word);
}

uint64_t cs_row_hash_text(uint64_t hash, const void *bytes, size_t size)
{
    return mix_bytes(cs_mix_hash(hash ^ TEXT), bytes, size);
}

uint64_t cs_row_hash_blob(uint64_t hash, const void *bytes, size_t size)
{
    return mix_bytes(cs_mix_hash(hash ^ BLOB), bytes, size);
}

uint64_t cs_row_hash_nothing(uint64_t hash)
{
    return cs_mix_hash(hash ^ NOTHING);
}

#define CHUNK 8192

void cs_digest_init(struct cs_digest *digest)
{
    sha256_init(&digest->state);
}

void cs_digest_put_bytes(struct cs_digest *digest, const void *bytes, size_t size)
{
    sha256_update(&digest->state, size, bytes);
}

static void put_word(struct cs_digest *digest, uint64_t word)
{
    uint8_t bytes[8];

    for (int b = 0; b < 8; b++)
        bytes[b] = (uint8_t)(word >> 8 * b);
    cs_digest_put_bytes(digest, bytes, sizeof bytes);
}

void cs_digest_put_text(struct cs_digest *digest, const char *text)
{
    size_t length = strlen(text);

    put_word(digest, length);
    cs_digest_put_bytes(digest, text, length);
}

void cs_digest_put_integer(struct cs_digest *digest, int64_t value)
{
    put_word(digest, (uint64_t)value);
}

void cs_digest_put_double(struct cs_digest *digest, double value)
{
    uint64_t word = UINT64_C(0x7ff8000000000000);
    double same = value == 0 ? 0 : value;

    if (!isnan(value))
        memcpy(&word, &same, sizeof word);
    put_word(digest, word);
}

void cs_digest_finish(struct cs_digest *digest, char text[CS_DIGEST_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_digest(&digest->state, sizeof bytes, bytes);
    for (size_t b = 0; b < sizeof bytes; b++) {
        text[2 * b] = digits[bytes[b] >> 4];
        text[2 * b + 1] = digits[bytes[b] & 15];
    }
    text[2 * sizeof bytes] = 0;
}

static int put_stream(struct cs_digest *digest, int fd)
{
    char bytes[CHUNK];
    ssize_t got;

    while ((got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            cs_digest_put_bytes(digest, bytes, (size_t)got);
    return got < 0 ? -1 : 0;
}

static int digest_folder(const char *folder, char text[CS_DIGEST_TEXT], struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_digest digest;
    const char *const *file;
    int count = 0, status = cs_file_list(folder, arena, &file, &count, err);

    cs_digest_init(&digest);
    for (int f = 0; f < count && !status; f++) {
        cs_digest_put_text(&digest, file[f] + strlen(folder));
        status = cs_digest_file(file[f], text, err);
        cs_digest_put_text(&digest, text);
    }
    if (!status)
        cs_digest_finish(&digest, text);
    cs_arena_destroy(arena);
    return status;
}

int cs_digest_file(const char *path, char text[CS_DIGEST_TEXT], struct cs_error *err)
{
    const struct cs_memory_bytes *memory = cs_memory_find(path);
    struct cs_digest digest;
    int fd, status, code;

    cs_digest_init(&digest);
    if (memory) {
        cs_digest_put_bytes(&digest, memory->bytes, memory->size);
        cs_digest_finish(&digest, text);
        return 0;
    }
    if (cs_file_is_folder(path))
        return digest_folder(path, text, err);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be opened: %s", path,
                               strerror(errno));
    status = put_stream(&digest, fd);
    code = errno;
    close(fd);
    if (status)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be read: %s", path,
                               strerror(code));
    cs_digest_finish(&digest, text);
    return 0;
}
