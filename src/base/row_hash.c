/* row_hash.c - a value after the other, eight bytes at a time. */
#include "base/row_hash.h"

#include "base/mix.h"

#include <string.h>

enum kind { INTEGER = 1, REAL, TEXT, BLOB, NOTHING };

static uint64_t mix_bytes(uint64_t hash, const unsigned char *bytes, size_t size)
{
    hash = cs_mix_hash(hash ^ size);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;

        for (size_t b = at; b < size && b < at + 8; b++)
            word |= (uint64_t)bytes[b] << 8 * (b - at);
        hash = cs_mix_hash(hash ^ word);
    }
    return hash;
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
