/* memory.h - documents in memory that are read like files.
 *
 *     struct cs_memory_file *times = cs_memory_file_create("times.csv", NULL, text, length, &err);
 *     const char *log[] = {cs_memory_file_path(times)};
 *
 * Every function that reads a file accepts the path of such a document, in this process only.
 */
#ifndef COSCHED_MEMORY_H
#define COSCHED_MEMORY_H

#include <cosched/error.h>
#include <stddef.h>

CS_BEGIN_DECLS

struct cs_memory_file;

/* A document of `size` bytes, plain or packed as a file may be, with a separate path until it is
 * destroyed. `name`, without a slash, is the end of that path; messages call the document `title`
 * (NULL: name). Both are copied; the bytes stay the caller's, and like the document must exist
 * until all that read it have returned. Any thread may do this at any time. NULL with err. */
CS_API struct cs_memory_file *cs_memory_file_create(const char *name, const char *title,
                                                    const void *bytes, size_t size,
                                                    struct cs_error *err);
CS_API void cs_memory_file_destroy(struct cs_memory_file *file); /* NULL is fine */

/* "memory:NUMBER/NAME", as long as the document exists. */
CS_API const char *cs_memory_file_path(const struct cs_memory_file *file);

CS_END_DECLS

#endif
