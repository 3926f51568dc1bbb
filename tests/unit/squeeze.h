/* squeeze.h - bytes packed as gzip or xz, for tests of readers. */
#ifndef CS_TESTS_UNIT_SQUEEZE_H
#define CS_TESTS_UNIT_SQUEEZE_H

#include "base/strbuf.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Append the bytes as one gzip member. */
static inline void squeeze_gzip(struct cs_strbuf *out, const void *bytes, size_t size)
{
    const size_t room = size + size / 100 + 1000;
    unsigned char *to = malloc(room), *from = malloc(size + 1);
    z_stream z = {.next_in = from, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};

    memcpy(from, bytes, size);
    deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    cs_strbuf_append(out, (const char *)to, room - z.avail_out);
    deflateEnd(&z);
    free(from);
    free(to);
}

/* Append the bytes as one xz stream. */
static inline void squeeze_xz(struct cs_strbuf *out, const void *bytes, size_t size)
{
    const size_t room = lzma_stream_buffer_bound(size);
    unsigned char *to = malloc(room);
    size_t length = 0;

    lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, bytes, size, to, &length, room);
    cs_strbuf_append(out, (const char *)to, length);
    free(to);
}

#endif
