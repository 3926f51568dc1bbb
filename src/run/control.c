/* control.c - one executor at a time, and the socket through which it receives requests to stop.
 *
 * The socket is reached through the descriptor of its folder, because names of sockets are short.
 */
#define _GNU_SOURCE
#include "base/clock.h"
#include "base/lock.h"
#include "base/plain.h"
#include "run/executor.h"

#include <cosched/run.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60 }; /* seconds until who does not answer is given up */

/* Locks are those of processes: closing any descriptor of the file gives one up, so a file whose
 * lock this process holds is not opened a second time.  The executors that hold one are in the
 * list, and in those of children made by fork(), to which the locks do not belong. */
static struct cs_lock door = CS_LOCK_PROCESS;
static struct cs_run_executor *holders;

static const struct cs_run_executor *find_holder(const char *path)
{
    const struct cs_run_executor *x = holders;
    struct stat file;

    if (stat(path, &file))
        return NULL;
    while (x && (x->process != getpid() || x->device != file.st_dev || x->file != file.st_ino))
        x = x->other;
    return x;
}

static int take_lock(struct cs_run_executor *x, struct cs_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[4200], who[128] = "";
    struct stat file;
    ssize_t size;

    cs_plain_print(path, sizeof path, "%s/lock", x->folder);
    if (find_holder(path))
        return cs_error_set(err, "%s: another thread of this process works on this run", x->folder);
    x->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (x->lock < 0)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be opened: %s", path,
                               strerror(errno));
    if (fcntl(x->lock, F_SETLK, &lock)) {
        size = pread(x->lock, who, sizeof who - 1, 0);
        who[size > 0 ? size : 0] = '\0';
        who[strcspn(who, "\n")] = '\0';
        return cs_error_set(err, "%s: another process works on this run (%s)", x->folder,
                            *who ? who : "unknown");
    }
    if (!fstat(x->lock, &file)) {
        x->device = file.st_dev;
        x->file = file.st_ino;
        x->process = getpid();
        x->other = holders;
        holders = x;
    }
    size = cs_plain_print(who, sizeof who, "host %s, process %d\n", x->host, (int)getpid());
    if (pwrite(x->lock, who, (size_t)size, 0) != size || ftruncate(x->lock, size))
        return 0; /* the lock counts, not what is in it */
    return 0;
}

int cs_run_lock(struct cs_run_executor *x, struct cs_error *err)
{
    int status;

    cs_lock_take(&door);
    status = take_lock(x, err);
    cs_lock_give(&door);
    return status;
}

void cs_run_unlock(struct cs_run_executor *x)
{
    cs_lock_take(&door);
    for (struct cs_run_executor **at = &holders; *at; at = &(*at)->other)
        if (*at == x) {
            *at = x->other;
            break;
        }
    if (x->lock >= 0)
        close(x->lock);
    x->lock = -1;
    cs_lock_give(&door);
}

static bool inspect_lock(const char *path, char *who, size_t size)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const struct cs_run_executor *x = find_holder(path);
    ssize_t length;
    bool held;
    int fd;

    if (x) {
        cs_plain_print(who, size, "host %s, process %d", x->host, (int)getpid());
        return true;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    held = !fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK;
    length = read(fd, who, size - 1);
    who[length > 0 ? length : 0] = '\0';
    who[strcspn(who, "\n")] = '\0';
    close(fd);
    return held;
}

bool cs_run_is_locked(const char *folder, char *who, size_t size)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    bool held;

    cs_strbuf_printf(&path, "%s/lock", folder);
    cs_lock_take(&door);
    held = inspect_lock(path.text, who, size);
    cs_lock_give(&door);
    cs_strbuf_release(&path);
    return held;
}

static int name_socket(const char *folder, struct sockaddr_un *name, int *descriptor)
{
    *descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    cs_plain_print(name->sun_path, sizeof name->sun_path, "/proc/self/fd/%d/control", *descriptor);
    return *descriptor < 0 ? -1 : 0;
}

int cs_run_open_control(struct cs_run_executor *x, struct cs_error *err)
{
    struct sockaddr_un name;
    int folder, status = -1;

    x->control = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (x->control < 0 || name_socket(x->folder, &name, &folder))
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: no socket can be made: %s", x->folder,
                               strerror(errno));
    unlinkat(folder, "control", 0);
    if (!bind(x->control, (const struct sockaddr *)&name, sizeof name) &&
        !fchmodat(folder, "control", 0600, 0) && !listen(x->control, 8))
        status = 0;
    else
        cs_error_set_as(err, CS_ERROR_SYSTEM, "%s/control: the socket cannot be made: %s",
                        x->folder, strerror(errno));
    close(folder);
    return status;
}

/* A word of the other side, or whether there was any; a stop of this process ends no patience. */
static bool control_receive(int from, time_t seconds, char *word, size_t size)
{
    const struct timeval patience = {.tv_sec = seconds};
    ssize_t got;

    if (setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience))
        return false;
    do
        got = recv(from, word, size - 1, 0);
    while (got < 0 && errno == EINTR);
    return got > 0;
}

void cs_run_hear_control(struct cs_run_executor *x)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    char word[16] = "";
    int from = accept4(x->control, NULL, NULL, SOCK_CLOEXEC);

    if (from < 0)
        return;
    if (!getsockopt(from, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
        (peer.uid == geteuid() || peer.uid == 0) && control_receive(from, 1, word, sizeof word) &&
        (!strcmp(word, "stop\n") || !strcmp(word, "now\n"))) {
        cs_run_add_request(x, *word == 'n' ? 2 : 1, "run stop");
        send(from, "ok\n", 3, MSG_NOSIGNAL);
    }
    close(from);
}

/* Send a request to the executor, and wait for the answer: 1 if it was received, 0 if there is no
 * executor, -1 if it cannot be sent. */
static int say_once(const char *folder, const char *word, struct cs_error *err)
{
    struct sockaddr_un name;
    char answer[16] = "";
    int descriptor, notified = 0, to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (to < 0 || name_socket(folder, &name, &descriptor)) {
        notified = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", folder, strerror(errno));
    } else {
        if (connect(to, (const struct sockaddr *)&name, sizeof name))
            notified =
                errno == EACCES
                    ? cs_error_set(err, "%s: no executor of this user works on this run", folder)
                    : 0;
        else
            notified = send(to, word, strlen(word), MSG_NOSIGNAL) > 0 &&
                       control_receive(to, 10, answer, sizeof answer);
        close(descriptor);
    }
    if (to >= 0)
        close(to);
    return notified;
}

/* On a busy machine an answer takes a while, and who has just started does not listen yet. */
int cs_run_stop(const char *folder, bool now, struct cs_error *err)
{
    CS_ASK(folder, err, -1);
    CS_GUARD(err, -1);
    const double until = cs_clock_now() + PATIENCE;
    char who[128] = "";
    int notified = say_once(folder, now ? "now\n" : "stop\n", err);

    while (notified == 0) {
        if (!cs_run_is_locked(folder, who, sizeof who))
            return cs_error_set(err, "%s: no executor works on this run", folder);
        if (cs_clock_now() >= until)
            return cs_error_set(err, "%s: who works on this run (%s) does not answer", folder, who);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        notified = say_once(folder, now ? "now\n" : "stop\n", err);
    }
    return notified < 0 ? -1 : 0;
}

int cs_run_check_owner(const char *path, bool group, struct cs_error *err)
{
    struct stat there;

    if (lstat(path, &there) && errno == ENOENT)
        return cs_error_set(err, "%s: it is not there", path);
    if (stat(path, &there))
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    if (there.st_uid != geteuid() && there.st_uid != 0)
        return cs_error_set(err, "%s: it belongs to another user, who could run anything as you",
                            path);
    if (there.st_mode & S_IWOTH)
        return cs_error_set(err,
                            "%s: all users may write to it, and so run any command as this user "
                            "(chmod o-w)",
                            path);
    if (there.st_mode & S_IWGRP && !group)
        return cs_error_set(err,
                            "%s: its group may write to it, and so run anything as you (chmod "
                            "g-w, or --allow-group)",
                            path);
    return 0;
}
