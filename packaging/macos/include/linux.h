/* linux.h - what only Linux has, for macOS: declared here so that `run` compiles, and cs_run_start
 * and cs_run_resume refuse to use it. The functions are in packaging/none.c. Each file is compiled
 * with -include of this one. */
#ifndef CS_MACOS_LINUX_H
#define CS_MACOS_LINUX_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define st_mtim st_mtimespec
#define SOCK_CLOEXEC 0 /* base/pipe.c and base/child.c close what a program must not have */
#define SOCK_NONBLOCK 0
#define O_PATH 0
#define SO_PEERCRED 17
#define SIGRTMIN SIGUSR2
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#define AT_SECURE 23

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0x80000
#endif
#ifndef W_EXITCODE
#define W_EXITCODE(status, number) ((status) << 8 | (number))
#endif

struct ucred {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

struct epoll_event {
    uint32_t events;
    union {
        void *ptr;
        int fd;
        uint64_t u64;
    } data;
};

struct signalfd_siginfo {
    uint32_t ssi_signo;
    int32_t ssi_code;
    uint32_t ssi_pid;
    int32_t ssi_status;
    int32_t ssi_int;
    uint64_t ssi_ptr;
};

#define EPOLL_CLOEXEC 1
#define EPOLLIN 1u
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define SFD_NONBLOCK 1
#define SFD_CLOEXEC 2
#define PR_SET_PDEATHSIG 1
#define PR_SET_CHILD_SUBREAPER 36
#define SYS_pidfd_send_signal 424
#define SYS_pidfd_open 434

int epoll_create1(int flags);
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);
int epoll_wait(int epoll, struct epoll_event *event, int room, int timeout);
int prctl(int option, ...);
int signalfd(int fd, const sigset_t *set, int flags);
int sigqueue(pid_t pid, int number, union sigval value);
ssize_t getrandom(void *bytes, size_t size, unsigned flags);
int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);

typedef struct {
    unsigned long bit[16];
} cpu_set_t;

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set);
int sched_getcpu(void);

static inline unsigned long getauxval(unsigned long type)
{
    (void)type;
    return 0;
}

static inline long cs_macos_syscall(long number, ...)
{
    (void)number;
    errno = ENOSYS;
    return -1;
}
#define syscall cs_macos_syscall

#endif
