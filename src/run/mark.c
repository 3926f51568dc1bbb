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

/* Whoever has the mark of one of these attempts, and the name unless that is NULL. */
struct wanted {
    char mark[128];         /* in front of the number */
    const int64_t *attempt; /* rising */
    int attempts;
    const char *name;
    int number; /* the signal */
    bool *ran;  /* by attempt: somebody had it who is no keeper; NULL: no matter */
};

static struct wanted want(const struct cs_run_executor *x, const int64_t *attempt, int attempts)
{
    struct wanted w = {.attempt = attempt, .attempts = attempts, .number = SIGKILL};

    cs_plain_print(w.mark, sizeof w.mark, "COSCHED_MARK=%s/", x->mark);
    return w;
}

/* Which of the attempts a string of an environment names; -1: none. */
static int which(const struct wanted *w, const char *text)
{
    const size_t size = strlen(w->mark);
    int low = 0, high = w->attempts;
    int64_t number;
    char *end;

    if (strncmp(text, w->mark, size) != 0)
        return -1;
    number = strtoll(text + size, &end, 10);
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (w->attempt[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return end > text + size && !*end && low < w->attempts && w->attempt[low] == number ? low : -1;
}

/* The same of the environment of a process. */
static int find_mark(int pid, const struct wanted *wanted, struct cs_strbuf *bytes)
{
    char path[64], piece[4096];
    int found = -1;
    ssize_t got;
    int fd;

    cs_plain_print(path, sizeof path, "/proc/%d/environ", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    cs_strbuf_clear(bytes);
    while ((got = read(fd, piece, sizeof piece)) > 0)
        cs_strbuf_append(bytes, piece, (size_t)got);
    close(fd);
    for (size_t at = 0; found < 0 && at < bytes->length; at += strlen(bytes->text + at) + 1)
        found = which(wanted, bytes->text + at);
    return found;
}

const char *cs_run_mark_of(const struct cs_run_executor *x)
{
    char mark[100];
    struct stat folder = {0};

    stat(x->folder, &folder);
    cs_plain_print(mark, sizeof mark, "%s-%llx.%llx", x->id, (unsigned long long)folder.st_dev,
                   (unsigned long long)folder.st_ino);
    return cs_arena_strdup(x->arena, mark);
}

const char *cs_run_tag_of(const struct cs_run_executor *x)
{
    struct stat folder = {0};
    char tag[40];

    stat(x->folder, &folder);
    cs_plain_print(tag, sizeof tag, "%.8s-%llx", x->id, (unsigned long long)folder.st_ino);
    return cs_arena_strdup(x->arena, tag);
}

bool cs_run_mark_has(const struct cs_run_executor *x, int64_t attempt, int pid)
{
    const struct wanted wanted = want(x, &attempt, 1);
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    const bool has = find_mark(pid, &wanted, &bytes) >= 0;
    const int why = errno;

    cs_strbuf_release(&bytes);
    errno = why;
    return has;
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

static int signal_one(int pid, const struct wanted *wanted, struct cs_strbuf *bytes)
{
    int fd, found, killed = 0;

    if (!is_mine(pid))
        return 0;
    fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0 && errno != ENOSYS)
        return 0;
    if ((!wanted->name || has_name(pid, wanted->name)) &&
        (found = find_mark(pid, wanted, bytes)) >= 0) {
        if (wanted->ran && !has_name(pid, "keeper"))
            wanted->ran[found] = true;
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

void cs_run_mark_kill_all(const struct cs_run_executor *x, const int64_t *attempt, int count,
                          bool *ran)
{
    const struct timespec pause = {.tv_nsec = PAUSE};
    const double began = cs_run_ticks();
    struct wanted wanted = want(x, attempt, count);

    wanted.ran = ran;
    for (int quiet = 0; quiet < 2 && cs_run_ticks() < began + PATIENCE; nanosleep(&pause, NULL))
        quiet = signal_all(&wanted) ? 0 : quiet + 1;
}

bool cs_run_mark_kill(const struct cs_run_executor *x, int64_t attempt)
{
    bool ran = false;

    cs_run_mark_kill_all(x, &attempt, 1, &ran);
    return ran;
}

int cs_run_mark_signal(const struct cs_run_executor *x, int64_t attempt, const char *name,
                       int number)
{
    struct wanted wanted = want(x, &attempt, 1);

    wanted.name = name;
    wanted.number = number;
    return signal_all(&wanted);
}
