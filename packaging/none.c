/* none.c - what a page (WebAssembly) or macOS does not have of Linux: it fails with an errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int none(void)
{
    errno = ENOSYS;
    return -1;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    (void)pid, (void)size, (void)set;
    return none();
}

int sched_getcpu(void)
{
    return none();
}

#ifdef __EMSCRIPTEN__
int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *how, char *const *argv, char *const *env)
{
    (void)pid, (void)file, (void)actions, (void)how, (void)argv, (void)env;
    return ENOSYS;
}
#else
int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
    (void)flags;
    return accept(fd, address, size);
}
#endif

int epoll_create1(int flags)
{
    (void)flags;
    return none();
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    (void)epoll, (void)operation, (void)fd, (void)event;
    return none();
}

int epoll_wait(int epoll, struct epoll_event *event, int room, int timeout)
{
    (void)epoll, (void)event, (void)room, (void)timeout;
    return none();
}

int prctl(int option, ...)
{
    (void)option;
    return none();
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid, (void)size, (void)set;
    return none();
}

int signalfd(int fd, const sigset_t *set, int flags)
{
    (void)fd, (void)set, (void)flags;
    return none();
}

int sigqueue(pid_t pid, int number, const union sigval value)
{
    (void)pid, (void)number, (void)value;
    return none();
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    return getentropy(bytes, size) ? -1 : (ssize_t)size;
}
