/* store_lock.c - one process writes at a time.
 *
 * A file next to the store is locked, not the store itself: SQLite releases all locks of the
 * process on its own files when it unlocks them. The lock ends with the process; the leftover file
 * of a killed process has no effect.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/strbuf.h"
#include "campaign/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Next to the target of a link. */
static const char *find_path(const char *path, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    char real[PATH_MAX];
    const char *found;

    cs_strbuf_printf(&text, "%s-lock", realpath(path, real) ? real : path);
    found = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return found;
}

static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* A process that releases the lock also removes the file: the locked file must be the existing
 * one. */
static bool is_there(int fd, const char *path)
{
    struct stat mine, there;

    return !fstat(fd, &mine) && !stat(path, &there) && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

static int store_lock_refuse(const struct cs_store *store, int fd, struct cs_error *err)
{
    struct flock lock = whole_file();

    if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK)
        return cs_error_set(err, "%s: process %ld is writing it; one at a time can", store->path,
                            (long)lock.l_pid);
    return cs_error_set(err, "%s: another process is writing it; one at a time can", store->path);
}

int cs_store_lock(struct cs_store *store, struct cs_error *err)
{
    struct flock lock = whole_file();

    store->lock_path = find_path(store->path, store->arena);
    for (;;) {
        store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (store->lock < 0)
            return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be locked (%s): %s",
                                   store->path, store->lock_path, strerror(errno));
        if (fcntl(store->lock, F_SETLK, &lock)) {
            store_lock_refuse(store, store->lock, err);
            close(store->lock);
            store->lock = -1;
            return -1;
        }
        if (is_there(store->lock, store->lock_path))
            return 0;
        close(store->lock);
    }
}

void cs_store_unlock(struct cs_store *store)
{
    if (store->lock < 0)
        return;
    unlink(store->lock_path);
    close(store->lock);
    store->lock = -1;
}

bool cs_store_is_busy(const char *path)
{
    struct cs_arena *arena = cs_arena_create();
    struct flock lock = whole_file();
    int fd = open(find_path(path, arena), O_RDONLY | O_CLOEXEC);
    bool busy = fd >= 0 && !fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK;

    if (fd >= 0)
        close(fd);
    cs_arena_destroy(arena);
    return busy;
}
