/* record: preloaded, it writes down every call that changes a file, in the order of the calls.
 *
 * Calls of all threads and processes are made one after the other: what stands before a call (is
 * the file there, where does it end) is what the call meets. RECORD=FILE: where to.  A call is one
 * struct entry and the bytes that it names: a path (opened, removed, a folder), two paths with a
 * zero between them (renamed), or what was written. tests/scarce/power.py plays them again up to
 * any point.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* both names of each call */
#undef _FORTIFY_SOURCE   /* whose open() is overloaded with clang and glibc 2.41 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct entry {
    char what[8]; /* open, write, size, sync, folder, rename, unlink */
    uint64_t file;
    int64_t number; /* where written, how long; opened: 1 new, 2 emptied */
    uint64_t length;
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int out = -2;

static int begun(void)
{
    const char *path = getenv("RECORD");

    if (out == -2)
        out = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
                                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
                   : -1;
    return out >= 0;
}

static void note(const char *what, uint64_t file, int64_t number, const void *bytes, size_t length)
{
    struct entry entry = {.file = file, .number = number, .length = length};
    struct iovec part[2] = {{&entry, sizeof entry}, {(void *)(uintptr_t)bytes, length}};

    memcpy(entry.what, what, strlen(what));
    if (begun() && syscall(SYS_writev, out, part, 2) != (long)(sizeof entry + length))
        abort();
}

static void hold(int kind)
{
    struct flock whole = {.l_type = (short)kind, .l_whence = SEEK_SET};

    if (begun())
        while (syscall(SYS_fcntl, out, F_SETLKW, &whole) && errno == EINTR)
            ;
}

static int regular(int fd, struct stat *what)
{
    return !fstat(fd, what) && S_ISREG(what->st_mode);
}

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))
#define LOCKED(type, call, then)                                                                   \
    do {                                                                                           \
        type result;                                                                               \
        int failure;                                                                               \
        pthread_mutex_lock(&lock);                                                                 \
        hold(F_WRLCK);                                                                             \
        result = (call);                                                                           \
        failure = errno;                                                                           \
        then;                                                                                      \
        hold(F_UNLCK);                                                                             \
        pthread_mutex_unlock(&lock);                                                               \
        errno = failure;                                                                           \
        return result;                                                                             \
    } while (0)

static void opened(int fd, const char *path, int flags, int was)
{
    struct stat what;

    if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY && regular(fd, &what))
        note("open", what.st_ino, was ? (flags & O_TRUNC ? 2 : 0) : 1, path, strlen(path));
}

#define MODE(flags)                                                                                \
    va_list rest;                                                                                  \
    mode_t mode = 0;                                                                               \
    int was;                                                                                       \
                                                                                                   \
    va_start(rest, flags);                                                                         \
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)                                       \
        mode = va_arg(rest, mode_t);                                                               \
    va_end(rest)

int open(const char *path, int flags, ...)
{
    MODE(flags);
    LOCKED(int, (was = !access(path, F_OK), NEXT(open)(path, flags, mode)),
           opened(result, path, flags, was));
}

int open64(const char *path, int flags, ...)
{
    MODE(flags);
    LOCKED(int, (was = !access(path, F_OK), NEXT(open64)(path, flags, mode)),
           opened(result, path, flags, was));
}

static void written(int fd, const void *bytes, ssize_t done, off_t at)
{
    struct stat what;

    if (done > 0 && regular(fd, &what))
        note("write", what.st_ino, at, bytes, (size_t)done);
}

static off_t position(int fd)
{
    struct stat what;

    return fcntl(fd, F_GETFL) & O_APPEND && !fstat(fd, &what) ? what.st_size
                                                              : lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    off_t at;

    LOCKED(ssize_t, (at = position(fd), NEXT(write)(fd, bytes, size)),
           written(fd, bytes, result, at));
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    LOCKED(ssize_t, NEXT(pwrite)(fd, bytes, size, at), written(fd, bytes, result, at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    LOCKED(ssize_t, NEXT(pwrite64)(fd, bytes, size, at), written(fd, bytes, result, at));
}

static void sized(int fd, int result, off_t length)
{
    struct stat what;

    if (!result && regular(fd, &what))
        note("size", what.st_ino, length, "", 0);
}

int ftruncate(int fd, off_t length)
{
    LOCKED(int, NEXT(ftruncate)(fd, length), sized(fd, result, length));
}

int ftruncate64(int fd, off64_t length)
{
    LOCKED(int, NEXT(ftruncate64)(fd, length), sized(fd, result, length));
}

static void synced(int fd, int result)
{
    struct stat what;
    char link[64], path[4096];
    ssize_t length;

    if (result || fstat(fd, &what))
        return;
    if (S_ISREG(what.st_mode))
        note("sync", what.st_ino, 0, "", 0);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (S_ISDIR(what.st_mode) && (length = readlink(link, path, sizeof path)) > 0)
        note("folder", what.st_ino, 0, path, (size_t)length);
}

int fsync(int fd)
{
    LOCKED(int, NEXT(fsync)(fd), synced(fd, result));
}

int fdatasync(int fd)
{
    LOCKED(int, NEXT(fdatasync)(fd), synced(fd, result));
}

static void renamed(const char *from, const char *to, int result)
{
    char both[8192];
    const int length = snprintf(both, sizeof both, "%s%c%s", from, 0, to);

    if (!result)
        note("rename", 0, 0, both, (size_t)length);
}

int rename(const char *from, const char *to)
{
    LOCKED(int, NEXT(rename)(from, to), renamed(from, to, result));
}

int unlink(const char *path)
{
    LOCKED(int, NEXT(unlink)(path), result ? (void)0 : note("unlink", 0, 0, path, strlen(path)));
}
