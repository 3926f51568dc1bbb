/* group.c - the cgroup (v2) of an attempt. */
#define _GNU_SOURCE
#include "keeper/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATH_ROOM 4400
#define REMOVES 50                 /* tries, a millisecond each */
#define INTO_CGROUP 0x200000000ULL /* CLONE_INTO_CGROUP, Linux 5.7 */

/* The arguments of clone3(2) up to the last needed field. */
struct clone_request {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
        set_tid_size, cgroup;
};

static int group_open(const char *path, const char *file, int flags)
{
    char name[PATH_ROOM];

    snprintf(name, sizeof name, "%s/%s", path, file);
    return open(name, flags | O_CLOEXEC);
}

/* 0, or the error number. */
static int group_write(const char *path, const char *file, const char *text)
{
    int fd = group_open(path, file, O_WRONLY), code = 0;

    if (fd < 0)
        return errno;
    if (write(fd, text, strlen(text)) < 0)
        code = errno;
    close(fd);
    return code;
}

/* The beginning of a small file; empty when it cannot be read. */
static void group_read(const char *path, const char *file, char *text, size_t size)
{
    int fd = group_open(path, file, O_RDONLY);
    ssize_t got = fd >= 0 ? read(fd, text, size - 1) : 0;

    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
}

int cs_group_make(const char *path)
{
    int fd;

    if (mkdir(path, 0700))
        return errno;
    fd = group_open(path, "cgroup.procs", O_WRONLY);
    if (fd >= 0) {
        close(fd);
        return 0;
    }
    rmdir(path);
    return ENOTSUP;
}

pid_t cs_group_fork(const char *path, unsigned long long flags)
{
    struct clone_request request = {.flags = flags | INTO_CGROUP, .exit_signal = SIGCHLD};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), code;
    long child;

    if (fd < 0)
        return -1;
    request.cgroup = (uint64_t)fd;
#ifdef SYS_clone3
    child = syscall(SYS_clone3, &request, sizeof request);
#else
    child = -1;
    errno = ENOSYS;
#endif
    if (child == 0)
        return 0;
    code = errno;
    close(fd);
    errno = code;
    return (pid_t)child;
}

int cs_group_enter(const char *path)
{
    return group_write(path, "cgroup.procs", "0");
}

bool cs_group_has_process(const char *path)
{
    char text[256];

    group_read(path, "cgroup.events", text, sizeof text);
    return strstr(text, "populated 1") != NULL;
}

/* Call it for every group directly below. */
static void group_each(const char *path, void visit(const char *path))
{
    DIR *entries = opendir(path);
    const struct dirent *entry;
    char name[PATH_ROOM];

    while (entries && (entry = readdir(entries)))
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.' &&
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name)
            visit(name);
    if (entries)
        closedir(entries);
}

/* One by one, and those of the groups below.  Frozen ones start no others meanwhile. */
static void group_kill_members(const char *path)
{
    int fd = group_open(path, "cgroup.procs", O_RDONLY);
    FILE *members = fd >= 0 ? fdopen(fd, "r") : NULL;
    int pid;

    while (members && fscanf(members, "%d", &pid) == 1)
        if (pid > 1)
            kill(pid, SIGKILL);
    if (members)
        fclose(members);
    else if (fd >= 0)
        close(fd);
    group_each(path, group_kill_members);
}

bool cs_group_kill(const char *path)
{
    if (!cs_group_has_process(path))
        return false;
    if (group_write(path, "cgroup.kill", "1")) {
        group_write(path, "cgroup.freeze", "1");
        group_kill_members(path);
        group_write(path, "cgroup.freeze", "0");
    }
    return true;
}

/* A process that has been waited for may be in its group for a moment longer. */
void cs_group_remove(const char *path)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    for (int k = 0; k < REMOVES && rmdir(path) && (errno == EBUSY || errno == ENOTEMPTY); k++) {
        group_each(path, cs_group_remove);
        if (k > 0)
            nanosleep(&pause, NULL);
    }
}

double cs_group_seconds(const char *path)
{
    static const char key[] = "usage_usec ";
    char text[512];
    const char *at;

    group_read(path, "cpu.stat", text, sizeof text);
    at = strstr(text, key);
    return at ? (double)strtoull(at + strlen(key), NULL, 10) * 1e-6 : -1;
}

/* FNV-1a of 64 bits; the second highest bit is set, so it differs from limits that users set. */
uint64_t cs_group_mark(const char *mark)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (const char *at = mark; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3U;
    return hash >> 2 | (uint64_t)1 << 61;
}
