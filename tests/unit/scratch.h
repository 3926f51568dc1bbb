/* scratch.h - a directory of its own for a test, removed with all that is in it. */
#ifndef CS_TESTS_UNIT_SCRATCH_H
#define CS_TESTS_UNIT_SCRATCH_H

#include "base/strbuf.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new directory below $TMPDIR or /tmp; the name fits into 512 bytes, also with a file's. */
static inline char *scratch_create(char *folder)
{
    const char *above = getenv("TMPDIR");

    snprintf(folder, 400, "%s/cosched-test-XXXXXX", above && strlen(above) < 300 ? above : "/tmp");
    return mkdtemp(folder);
}

/* "FOLDER/NAME" in one of a few places that later calls use again. */
static inline const char *scratch_path(const char *folder, const char *name)
{
    static char path[4][1024];
    static unsigned next;
    char *at = path[next++ % 4];

    snprintf(at, sizeof path[0], "%s/%s", folder, name);
    return at;
}

static inline void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
}

/* The files in it, without "." and "..". */
static inline int scratch_count(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;

    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count - 2;
}

static inline void scratch_remove(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct cs_strbuf path = CS_STRBUF_INIT;

    while (dir && (entry = readdir(dir))) {
        struct stat what;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        cs_strbuf_clear(&path);
        cs_strbuf_printf(&path, "%s/%s", folder, entry->d_name);
        if (!lstat(path.text, &what) && S_ISDIR(what.st_mode))
            scratch_remove(path.text);
        else
            unlink(path.text);
    }
    if (dir)
        closedir(dir);
    cs_strbuf_release(&path);
    rmdir(folder);
}

#endif
