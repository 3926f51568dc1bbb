/* mark.c - processes whose environment says which attempt they belong to.
 *
 * A process is held by a pidfd before it is looked at, so that the signal cannot reach another one
 * that has got its number since.
 */
#define _GNU_SOURCE
#include "base/plain.h"
#include "run/executor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 10.0
#define PAUSE 10000000 /* nanoseconds */

/* Does the environment have this text as one of its strings? */
static bool has_mark(int pid, const char *mark, struct cs_strbuf *bytes)
{
    const size_t size = strlen(mark) + 1;
    char path[64], piece[4096];
    ssize_t got;
    int fd;

    cs_plain_print(path, sizeof path, "/proc/%d/environ", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    cs_strbuf_clear(bytes);
    while ((got = read(fd, piece, sizeof piece)) > 0)
        cs_strbuf_append(bytes, piece, (size_t)got);
    close(fd);
    for (size_t at = 0; at + size <= bytes->length + 1; at += strlen(bytes->text + at) + 1)
        if (!strcmp(bytes->text + at, mark))
            return true;
    return false;
}

static bool is_mine(int pid)
{
    struct stat process;
    char path[64];

    cs_plain_print(path, sizeof path, "/proc/%d", pid);
    return !stat(path, &process) && process.st_uid == geteuid();
}

static bool has_name(int pid, const char *name)
{
    char path[64], found[32] = "";
    ssize_t got;
    int fd;

    cs_plain_print(path, sizeof path, "/proc/%d/comm", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    got = fd >= 0 ? read(fd, found, sizeof found - 1) : 0;
    if (fd >= 0)
        close(fd);
    return got > 1 && found[got - 1] == '\n' && (size_t)got - 1 == strlen(name) &&
           !memcmp(found, name, strlen(name));
}

/* Whoever has the mark, and the name unless that is NULL. */
struct wanted {
    const char *mark, *name;
    int number; /* the signal */
    bool *ran;  /* somebody had it who is no keeper; NULL: no matter */
};

static int signal_one(int pid, const struct wanted *wanted, struct cs_strbuf *bytes)
{
    int fd, killed = 0;

    if (!is_mine(pid))
        return 0;
    fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0 && errno != ENOSYS)
        return 0;
    if ((!wanted->name || has_name(pid, wanted->name)) && has_mark(pid, wanted->mark, bytes)) {
        if (wanted->ran && !has_name(pid, "keeper"))
            *wanted->ran = true;
        if (fd >= 0)
            syscall(SYS_pidfd_send_signal, fd, wanted->number, NULL, 0);
        else
            kill(pid, wanted->number);
        killed = 1;
    }
    if (fd >= 0)
        close(fd);
    return killed;
}

static int signal_all(const struct wanted *wanted)
{
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    int killed = 0;

    while (processes && (entry = readdir(processes))) {
        int pid = atoi(entry->d_name);

        if (pid > 1 && pid != getpid())
            killed += signal_one(pid, wanted, &bytes);
    }
    if (processes)
        closedir(processes);
    cs_strbuf_release(&bytes);
    return killed;
}

bool cs_run_mark_kill(const struct cs_run_executor *x, int64_t attempt)
{
    const struct timespec pause = {.tv_nsec = PAUSE};
    const double began = cs_run_ticks();
    char mark[128];
    bool ran = false;
    const struct wanted wanted = {mark, NULL, SIGKILL, &ran};

    cs_plain_print(mark, sizeof mark, "COSCHED_MARK=%s/%lld", x->id, (long long)attempt);
    for (int quiet = 0; quiet < 2 && cs_run_ticks() < began + PATIENCE; nanosleep(&pause, NULL))
        quiet = signal_all(&wanted) ? 0 : quiet + 1;
    return ran;
}

int cs_run_mark_signal(const struct cs_run_executor *x, int64_t attempt, const char *name,
                       int number)
{
    char mark[128];
    const struct wanted wanted = {mark, name, number, NULL};

    cs_plain_print(mark, sizeof mark, "COSCHED_MARK=%s/%lld", x->id, (long long)attempt);
    return signal_all(&wanted);
}
