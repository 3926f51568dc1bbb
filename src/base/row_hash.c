/* row_hash.c - a value after the other, eight bytes at a time. */
#include "base/row_hash.h"

#include "base/mix.h"

#include <string.h>

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
