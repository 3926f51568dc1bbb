/* squeeze.h - bytes packed as gzip, xz or zstd, for tests of readers. */
#ifndef CS_TESTS_UNIT_SQUEEZE_H
#define CS_TESTS_UNIT_SQUEEZE_H

#include "base/strbuf.h"

#include <config.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#if CS_HAVE_ZSTD
#include <zstd.h>
#endif

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

#if CS_HAVE_ZSTD
/* Append the bytes as one zstd frame with a checksum. */
static inline void squeeze_zstd(struct cs_strbuf *out, const void *bytes, size_t size)
{
    const size_t room = ZSTD_compressBound(size);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    unsigned char *to = malloc(room);
    size_t length;

    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    length = ZSTD_compress2(context, to, room, bytes, size);
    cs_strbuf_append(out, (const char *)to, length);
    ZSTD_freeCCtx(context);
    free(to);
}
#endif

#endif
