/* memory.h - the documents in memory (cosched/memory.h), by their paths. */
#ifndef CS_BASE_MEMORY_H
#define CS_BASE_MEMORY_H

#include <cosched/memory.h>

struct cs_memory_bytes {
    const void *bytes;
    size_t size;
    const char *title;
};

/* NULL: `path` is not the path of a document in memory. */
const struct cs_memory_bytes *cs_memory_find(const char *path);

#endif
