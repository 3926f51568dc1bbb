/* memory.c - documents in memory, a list for the process: paths are looked up where files are
 * opened. */
#include "base/memory.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/lock.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "memory:"
#define LONGEST_NUMBER 20

struct cs_memory_file {
    struct cs_memory_bytes content;
    struct cs_memory_file *previous, *next;
    char path[]; /* and the title */
};

static struct cs_lock lock = CS_LOCK_PROCESS;
static struct cs_memory_file *newest;
static unsigned long created;

static void file_link(struct cs_memory_file *file, size_t room, const char *name)
{
    cs_lock_take(&lock);
    cs_plain_print(file->path, room, PREFIX "%lu/%s", ++created, name);
    file->next = newest;
    if (newest)
        newest->previous = file;
    newest = file;
    cs_lock_give(&lock);
}

struct cs_memory_file *cs_memory_file_create(const char *name, const char *title, const void *bytes,
                                             size_t size, struct cs_error *err)
{
    CS_ASK(name && *name && !strchr(name, '/') && (bytes || !size), err, NULL);
    CS_GUARD(err, NULL);
    const size_t room = sizeof PREFIX + LONGEST_NUMBER + 1 + strlen(name);
    const size_t titled = strlen(title ? title : name) + 1;
    struct cs_memory_file *file = calloc(1, sizeof *file + room + titled);

    if (!file)
        cs_bug_no_memory(sizeof *file + room + titled);
    file->content = (struct cs_memory_bytes){
        size ? bytes : "", size, memcpy(file->path + room, title ? title : name, titled)};
    file_link(file, room, name);
    return file;
}

void cs_memory_file_destroy(struct cs_memory_file *file)
{
    if (!file)
        return;
    cs_lock_take(&lock);
    if (file->next)
        file->next->previous = file->previous;
    if (file->previous)
        file->previous->next = file->next;
    else
        newest = file->next;
    cs_lock_give(&lock);
    free(file);
}

const char *cs_memory_file_path(const struct cs_memory_file *file)
{
    return file ? file->path : NULL;
}

const struct cs_memory_bytes *cs_memory_find(const char *path)
{
    struct cs_memory_file *file;

    if (strncmp(path, PREFIX, sizeof PREFIX - 1) != 0)
        return NULL;
    cs_lock_take(&lock);
    for (file = newest; file && strcmp(file->path, path) != 0; file = file->next)
        continue;
    cs_lock_give(&lock);
    return file ? &file->content : NULL;
}
