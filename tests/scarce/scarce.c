/* scarce: preloaded, it lets one call of a kind fail, and all that follow if asked.
 *
 * SCARCE=malloc|write|read|fsync|rename, SCARCE_AT=N (from 1), SCARCE_ON=1: all from there on;
 * SCARCE_COUNT=FILE: write how many calls there were.  What happens before main() is not counted.
 * SCARCE_SPARED=NAME: allocations of the library with NAME in its path do not fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long calls;
static long at;
static int kind, on, begun;
static const char *spared;

/* Is this call of the kind the one? */
static int fails(int what)
{
    long call;

    if (!begun || what != kind)
        return 0;
    call = atomic_fetch_add(&calls, 1) + 1;
    return at && (call == at || (on && call > at));
}

/* The same, for what is called from there. */
static int fails_at(const void *caller)
{
    Dl_info info;

    return fails(1) &&
           !(spared && dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, spared));
}

#define NO_MEMORY fails_at(__builtin_return_address(0))

static void report(void)
{
    const char *path = getenv("SCARCE_COUNT");
    char text[32];
    int fd;

    begun = 0;
    if (!path)
        return;
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0) {
        snprintf(text, sizeof text, "%ld\n", (long)calls);
        dprintf(fd, "%s", text);
        close(fd);
    }
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*loader)(void), void *stack);

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    static const char *const words[] = {"malloc", "write", "read", "fsync", "rename"};
    const char *word = getenv("SCARCE"), *number = getenv("SCARCE_AT");

    for (int w = 0; word && w < 5; w++)
        if (strcmp(word, words[w]) == 0)
            kind = w + 1;
    at = number ? atol(number) : 0;
    on = getenv("SCARCE_ON") != NULL;
    spared = getenv("SCARCE_SPARED");
    atexit(report);
    begun = 1;
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*loader)(void), void *stack)
{
    __typeof__(&__libc_start_main) next =
        (__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");

    real_main = program;
    return next(counted_main, argc, argv, init, fini, loader, stack);
}

void *malloc(size_t size)
{
    return NO_MEMORY ? errno = ENOMEM, NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return NO_MEMORY ? errno = ENOMEM, NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return NO_MEMORY ? errno = ENOMEM, NULL : __libc_realloc(old, size);
}

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size)
{
    return fd > 2 && fails(2) ? errno = ENOSPC, -1 : NEXT(write)(fd, bytes, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return fails(3) ? errno = EIO, -1 : NEXT(read)(fd, bytes, size);
}

/* What read() is with _FORTIFY_SOURCE where the size of the buffer is known. */
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);

ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    return fails(3) ? errno = EIO, -1 : NEXT(__read_chk)(fd, bytes, size, room);
}

int fsync(int fd)
{
    return fails(4) ? errno = EIO, -1 : NEXT(fsync)(fd);
}

int rename(const char *from, const char *to)
{
    return fails(5) ? errno = EACCES, -1 : NEXT(rename)(from, to);
}
