/* source.c - plain, gzip, xz or zstd, from a descriptor or from memory.
 *
 * `fetch` brings packed bytes into `in`, a window of the file; an unpacker moves bytes from there
 * to the caller.  Which unpacker is decided once, by the first bytes.
 */
#define ZLIB_CONST /* unpack from const bytes */
#include "base/source.h"
#include "base/guard.h"
#include "base/memory.h"

#include "base/bug.h"

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#if CS_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#define WINDOW ((size_t)64 << 10)
#define XZ_MEMORY ((uint64_t)128 << 20) /* xz -9 needs 65 MiB */
#define LARGEST_STEP ((size_t)1 << 30)

#define TIMES ((uint64_t)1000) /* deflate packs 1,032 to 1, schedules and logs 5 to 100 to 1 */
#define MOST_UNPACKED ((uint64_t)8 << 20)
#define MOST_TREE ((uint64_t)64 << 20)

enum kind { UNKNOWN, PLAIN, GZIP, XZ, ZSTD };

struct cs_source {
    struct cs_guarded guarded; /* first */
    int fd;                    /* -1: memory, and all of it is in the window from the start */
    enum kind kind;
    const unsigned char *in; /* bytes fetched and not yet used */
    size_t left;
    bool ended;    /* there is nothing more to fetch */
    bool complete; /* the packed data are at their end */
    bool failed;
    struct cs_error why; /* of the failure */
    z_stream gzip;
    lzma_stream xz;
    void *zstd;                 /* a ZSTD_DStream */
    bool zstd_within;           /* a frame */
    uint64_t size;              /* of the file or memory; 0: unknown */
    uint64_t fetched, unpacked; /* bytes so far */
    unsigned char window[];
};

const char *cs_source_name(const char *path)
{
    const struct cs_memory_bytes *memory = cs_memory_find(path);

    if (memory)
        return memory->title;
    return strcmp(path, "-") ? path : "standard input";
}

static void source_drop(struct cs_guarded *source)
{
    cs_source_close((struct cs_source *)(void *)source);
}

static uint64_t source_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct cs_source *source_create(int fd, size_t window)
{
    struct cs_source *s = calloc(1, sizeof *s + window);

    if (!s)
        cs_bug_no_memory(sizeof *s + window);
    s->fd = fd;
    s->in = s->window;
    cs_guard_keep(&s->guarded, source_drop);
    return s;
}

static struct cs_source *source_sized(struct cs_source *s, const struct stat *what)
{
    s->size = S_ISREG(what->st_mode) ? (uint64_t)what->st_size : 0;
    return s;
}

struct cs_source *cs_source_open(const char *path, struct cs_error *err)
{
    const struct cs_memory_bytes *memory = cs_memory_find(path);
    struct cs_source *s;
    struct stat what;

    if (memory)
        return cs_source_open_memory(memory->bytes, memory->size);
    s = source_create(STDIN_FILENO, WINDOW);
    if (!strcmp(path, "-"))
        return s;
    s->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        cs_error_set_as(err, CS_ERROR_SYSTEM, "cannot be opened: %s", strerror(errno));
    else if (fstat(s->fd, &what))
        return s;
    else if (!S_ISDIR(what.st_mode))
        return source_sized(s, &what);
    else
        cs_error_set(err, "is a directory, expected a file");
    cs_source_close(s);
    return NULL;
}

struct cs_source *cs_source_open_memory(const void *bytes, size_t size)
{
    struct cs_source *s = source_create(-1, 0);

    s->in = bytes;
    s->left = size;
    s->size = size;
    s->ended = true;
    return s;
}

static void source_take(struct cs_source *s, size_t count)
{
    s->in = count ? s->in + count : s->in;
    s->left -= count;
}

static int cut_off(const char *kind, struct cs_error *err)
{
    return cs_error_set(err, "the %s data end too early: the file is cut off", kind);
}

/* A word for what this build does not unpack. */
static int source_refuse(const char *kind, const char *more, struct cs_error *err)
{
    return cs_error_set_as(err, CS_ERROR_MISSING,
                           "is packed with %s, which this build does not read: %sunpack it", kind,
                           more);
}

#if CS_HAVE_ZSTD

static int start_zstd(struct cs_source *s, struct cs_error *err)
{
    (void)err;
    s->kind = ZSTD;
    s->zstd = ZSTD_createDStream();
    if (!s->zstd)
        cs_bug_no_memory(WINDOW);
    return 0;
}

static void end_zstd(struct cs_source *s)
{
    ZSTD_freeDStream(s->zstd);
}

/* Frames follow each other until the file ends. */
static int unpack_zstd(struct cs_source *s, unsigned char *to, size_t size, size_t *got,
                       struct cs_error *err)
{
    ZSTD_inBuffer in = {s->in, s->left, 0};
    ZSTD_outBuffer out = {to, size, 0};
    size_t status;

    if (!s->left && s->ended && !s->zstd_within) {
        s->complete = true;
        return 0;
    }
    status = ZSTD_decompressStream(s->zstd, &out, &in);
    source_take(s, in.pos);
    *got = out.pos;
    if (ZSTD_isError(status) && ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
        cs_bug_no_memory(WINDOW);
    if (ZSTD_isError(status))
        return cs_error_set(err, "the zstd data are damaged: %s", ZSTD_getErrorName(status));
    s->zstd_within = status != 0;
    if (s->zstd_within && !s->left && s->ended && !out.pos)
        return cut_off("zstd", err);
    return 0;
}

#else

static int start_zstd(struct cs_source *s, struct cs_error *err)
{
    (void)s;
    return source_refuse("zstd", "install libzstd-dev and build again, or ", err);
}

static void end_zstd(struct cs_source *s)
{
    (void)s;
}

static int unpack_zstd(struct cs_source *s, unsigned char *to, size_t size, size_t *got,
                       struct cs_error *err)
{
    (void)s;
    (void)to;
    (void)size;
    (void)got;
    return source_refuse("zstd", "", err);
}

#endif

void cs_source_close(struct cs_source *s)
{
    if (!s)
        return;
    if (s->kind == GZIP)
        inflateEnd(&s->gzip);
    if (s->kind == XZ)
        lzma_end(&s->xz);
    end_zstd(s);
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    cs_guard_discard(&s->guarded);
    free(s);
}

/* At least `want` unused bytes in the window, or all there are. */
static int source_fetch(struct cs_source *s, size_t want, struct cs_error *err)
{
    if (s->left < want && !s->ended && s->in != s->window) {
        memmove(s->window, s->in, s->left);
        s->in = s->window;
    }
    while (s->left < want && !s->ended) {
        const ssize_t got = read(s->fd, s->window + s->left, WINDOW - s->left);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cs_error_set_as(err, CS_ERROR_SYSTEM, "cannot be read: %s", strerror(errno));
        s->left += (size_t)got;
        s->fetched += (uint64_t)got;
        s->ended = got == 0;
    }
    return 0;
}

static size_t source_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void start_gzip(struct cs_source *s)
{
    if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
        cs_bug_no_memory(WINDOW);
}

static void start_xz(struct cs_source *s)
{
    if (lzma_stream_decoder(&s->xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
        cs_bug_no_memory(WINDOW);
}

static bool starts_with(const unsigned char *bytes, size_t length, const char *magic, size_t most)
{
    return length >= most && !memcmp(bytes, magic, most);
}

static enum kind source_kind_of(const unsigned char *bytes, size_t length)
{
    if (starts_with(bytes, length, "\x1f\x8b", 2))
        return GZIP;
    if (starts_with(bytes, length, "\xfd\x37zXZ\0", 6))
        return XZ;
    if (starts_with(bytes, length, "\x28\xb5\x2f\xfd", 4))
        return ZSTD;
    return PLAIN;
}

static int source_recognise(struct cs_source *s, struct cs_error *err)
{
    enum kind kind;

    if (source_fetch(s, 6, err))
        return -1;
    kind = source_kind_of(s->in, s->left);
    if (kind == ZSTD)
        return start_zstd(s, err);
    if (starts_with(s->in, s->left, "BZh", 3) && s->left > 3 && s->in[3] >= '1' && s->in[3] <= '9')
        return source_refuse("bzip2", "", err);
    if (starts_with(s->in, s->left, "\x04\x22\x4d\x18", 4))
        return source_refuse("lz4", "", err);
    s->kind = kind;
    if (kind == GZIP)
        start_gzip(s);
    else if (kind == XZ)
        start_xz(s);
    return 0;
}

/* After a member of a gzip file: another one, or the end. */
static int next_member(struct cs_source *s, struct cs_error *err)
{
    if (source_fetch(s, 2, err))
        return -1;
    if (!s->left)
        s->complete = true;
    else if (source_kind_of(s->in, s->left) != GZIP)
        return cs_error_set(err, "other bytes follow the end of the gzip data");
    else
        inflateReset(&s->gzip);
    return 0;
}

static int unpack_gzip(struct cs_source *s, unsigned char *to, size_t size, size_t *got,
                       struct cs_error *err)
{
    z_stream *z = &s->gzip;
    int status;

    z->next_in = s->in;
    z->avail_in = (uInt)source_smaller(s->left, LARGEST_STEP);
    z->next_out = to;
    z->avail_out = (uInt)size;
    status = inflate(z, Z_NO_FLUSH);
    source_take(s, (size_t)(z->next_in - s->in));
    *got = size - z->avail_out;
    if (status == Z_STREAM_END)
        return next_member(s, err);
    if (status == Z_MEM_ERROR)
        cs_bug_no_memory(WINDOW);
    if (status == Z_BUF_ERROR && !s->left && s->ended)
        return cut_off("gzip", err);
    if (status != Z_OK && status != Z_BUF_ERROR)
        return cs_error_set(err, "the gzip data are damaged%s%s", z->msg ? ": " : "",
                            z->msg ? z->msg : "");
    return 0;
}

static int unpack_xz(struct cs_source *s, unsigned char *to, size_t size, size_t *got,
                     struct cs_error *err)
{
    lzma_stream *x = &s->xz;
    lzma_ret status;

    x->next_in = s->in;
    x->avail_in = s->left;
    x->next_out = to;
    x->avail_out = size;
    status = lzma_code(x, s->ended ? LZMA_FINISH : LZMA_RUN);
    source_take(s, s->left - x->avail_in);
    *got = size - x->avail_out;
    if (status == LZMA_MEM_ERROR)
        cs_bug_no_memory(WINDOW);
    if (status == LZMA_MEMLIMIT_ERROR)
        return cs_error_set(err, "the xz data need more than %d MiB of memory to unpack",
                            (int)(XZ_MEMORY >> 20));
    if (status == LZMA_BUF_ERROR && s->ended)
        return cut_off("xz", err);
    s->complete = status == LZMA_STREAM_END;
    if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR)
        return cs_error_set(err, "the xz data are damaged");
    return 0;
}

static void copy_plain(struct cs_source *s, unsigned char *to, size_t size, size_t *got)
{
    *got = source_smaller(s->left, size);
    if (*got)
        memcpy(to, s->in, *got);
    source_take(s, *got);
    s->complete = !s->left && s->ended;
}

static uint64_t limit_of(const struct cs_source *s, uint64_t least)
{
    const uint64_t size = source_larger(s->size, s->fetched);

    return least + TIMES * (size < UINT64_MAX / TIMES / 2 ? size : UINT64_MAX / TIMES / 2);
}

static int source_too_large(const struct cs_source *s, const char *how, uint64_t least,
                            struct cs_error *err)
{
    return cs_error_set(err,
                        "%s %llu MiB, too much for a packed file of %llu bytes: unpack it first "
                        "if it can be trusted",
                        how, (unsigned long long)(limit_of(s, least) >> 20),
                        (unsigned long long)source_larger(s->size, s->fetched));
}

/* Some more bytes; none only at the end or when the unpacker wants more input. */
static int source_step(struct cs_source *s, unsigned char *to, size_t size, size_t *got,
                       struct cs_error *err)
{
    if (source_fetch(s, 1, err))
        return -1;
    if (s->kind == GZIP)
        return unpack_gzip(s, to, size, got, err);
    if (s->kind == XZ)
        return unpack_xz(s, to, size, got, err);
    if (s->kind == ZSTD)
        return unpack_zstd(s, to, size, got, err);
    copy_plain(s, to, size, got);
    return 0;
}

static int read_some(struct cs_source *s, unsigned char *to, size_t size, size_t *got,
                     struct cs_error *err)
{
    *got = 0;
    if (s->kind == UNKNOWN && source_recognise(s, err))
        return -1;
    while (*got < size && !s->complete) {
        size_t more = 0;
        const int status =
            source_step(s, to + *got, source_smaller(size - *got, LARGEST_STEP), &more, err);

        *got += more;
        s->unpacked += more;
        if (status)
            return -1;
        if (s->kind != PLAIN && s->unpacked > limit_of(s, MOST_UNPACKED))
            return source_too_large(s, "unpacks to more than", MOST_UNPACKED, err);
    }
    return 0;
}

/* About the bytes of the tree that jansson makes of it: blocks of a value, of an array, of an
 * object, of a member, and strings while they are read. */
static uint64_t tree_size(const char *text, size_t length)
{
    uint64_t size = 4 * (uint64_t)length;
    bool quoted = false;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted)
            i += text[i] == '\\';
        else if (text[i] == '[' || text[i] == '{')
            size += text[i] == '[' ? 140 : 260;
        else if (text[i] == ',' || text[i] == ':')
            size += text[i] == ',' ? 64 : 80;
    }
    return size;
}

static bool is_document(const char *text)
{
    text += strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
    text += strspn(text, " \t\r\n");
    return *text == '{' || *text == '[';
}

int cs_source_weigh(const struct cs_source *s, const char *text, size_t length,
                    struct cs_error *err)
{
    const bool packed = s->kind != PLAIN && s->kind != UNKNOWN;

    if (packed && source_kind_of((const unsigned char *)text, length) != PLAIN)
        return cs_error_set(err, "is packed twice: unpack it first");
    if (!packed || !is_document(text) || tree_size(text, length) <= limit_of(s, MOST_TREE))
        return 0;
    return source_too_large(s, "is JSON that takes more than", MOST_TREE, err);
}

int cs_source_read(struct cs_source *s, void *to, size_t size, size_t *got, struct cs_error *err)
{
    *got = 0;
    if (!s->failed && read_some(s, to, size, got, &s->why))
        s->failed = true;
    return s->failed && !*got ? cs_error_pass(err, &s->why) : 0;
}
