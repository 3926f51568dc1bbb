/* source.h - the bytes of a file, decompressed while reading.
 *
 * A source reads a file, standard input ("-") or memory. When the first bytes are those of gzip, xz
 * or (in a build with libzstd) zstd, the bytes are decompressed; the name of the file does not
 * matter. Memory use does not grow with the file. Messages do not name the file: the caller
 * prefixes them with the file, and the line where it knows one.
 */
#ifndef CS_BASE_SOURCE_H
#define CS_BASE_SOURCE_H

#include <cosched/error.h>
#include <stddef.h>

struct cs_source;

/* `path` may be that of a document in memory (cosched/memory.h).  The caller closes it.  NULL, with
 * a message, when the file cannot be opened. */
struct cs_source *cs_source_open(const char *path, struct cs_error *err);

/* The bytes stay the caller's and must outlive the source. */
struct cs_source *cs_source_open_memory(const void *bytes, size_t size);

void cs_source_close(struct cs_source *source); /* NULL is fine */

/* Up to `size` more bytes, fewer only at the end and before an error; *got = 0 is the end. -1, now
 * and in all later calls, when reading fails or the compressed data are damaged, truncated, or
 * followed by other bytes; all bytes before the error have been returned by then. */
int cs_source_read(struct cs_source *source, void *to, size_t size, size_t *got,
                   struct cs_error *err);

/* A packed file may hold 8 MiB and 1,000 times its own size: more is a bomb, which cs_source_read()
 * rejects.  A JSON document of it (`text`, all of it) may take 64 MiB and 1,000 times that size as
 * a tree: -1, with a message, when it would take more.  What is not packed has neither limit. */
int cs_source_weigh(const struct cs_source *source, const char *text, size_t length,
                    struct cs_error *err);

/* How messages call this path: "standard input" for "-", the title of a document in memory, else
 * the path itself. */
const char *cs_source_name(const char *path);

#endif
