/* talk.c - a shell at one end of a pair of sockets, and a poll at the other. */
#include "base/talk.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/thread.h"
#include "base/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST ((size_t)1 << 26) /* bytes of an answer */
#define PIECE ((size_t)1 << 16)   /* bytes that are received at a time */
#define FAREWELL 2.0              /* seconds */
#define PACE 20                   /* milliseconds between questions whether to stop */

extern char **environ;

struct cs_talk {
    struct cs_guarded guarded; /* first */
    int fd;
    pid_t pid;           /* 0: none of ours */
    struct cs_strbuf in; /* what came */
    size_t used;         /* of it, by the last answer */
    bool failed;
};

static void process_end(pid_t pid)
{
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Where memory runs out: what came is released on its own. */
static void talk_drop(struct cs_guarded *guarded)
{
    struct cs_talk *talk = (struct cs_talk *)(void *)guarded;

    if (talk->pid)
        process_end(talk->pid);
    if (talk->fd >= 0)
        close(talk->fd);
    free(talk);
}

/* ---- beginning ---- */

static int talk_start(const char *command, int fd, pid_t *pid)
{
    const char *const argv[] = {"sh", "-c", command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t mask;
    int code = posix_spawn_file_actions_init(&actions);

    if (code)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        cs_thread_mask(&mask);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setsigmask(&attributes, &mask);
        code = posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
        if (!code)
            code = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
        if (!code)
            code = posix_spawn(pid, "/bin/sh", &actions, &attributes,
                               (char *const *)(uintptr_t)argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static int open_program(const char *command, struct cs_talk *talk)
{
    int end[2], code;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end))
        return errno;
    code = talk_start(command, end[1], &talk->pid);
    close(end[1]);
    if (code)
        close(end[0]);
    else
        talk->fd = end[0];
    return code;
}

static int open_socket(const char *number, struct cs_talk *talk)
{
    talk->fd = fcntl(atoi(number), F_DUPFD_CLOEXEC, 3);
    return talk->fd < 0 ? errno : 0;
}

struct cs_talk *cs_talk_open(const char *command, struct cs_error *err)
{
    struct cs_talk *talk = cs_guard_resize(NULL, sizeof *talk, talk_drop);
    int code;

    talk->fd = -1;
    talk->pid = 0;
    talk->in = (struct cs_strbuf)CS_STRBUF_INIT;
    talk->used = 0;
    talk->failed = false;
    cs_strbuf_room(&talk->in, 1);
    code =
        strncmp(command, "fd:", 3) ? open_program(command, talk) : open_socket(command + 3, talk);
    if (!code)
        return talk;
    cs_strbuf_release(&talk->in);
    cs_guard_forget(&talk->guarded);
    free(talk);
    cs_error_set_as(err, CS_ERROR_SYSTEM, "\"%.200s\" cannot be started: %s", command,
                    strerror(code));
    return NULL;
}

/* ---- talking ---- */

static int wait_until(double end)
{
    const double left = ceil((end - cs_clock_now()) * 1000), most = cs_watch_here() ? PACE : 1e9;

    return (int)fmax(0, fmin(left, most));
}

/* Why nothing more comes. */
static void tell_end(struct cs_talk *talk, struct cs_error *err)
{
    const double end = cs_clock_now() + 1;
    int status = 0;
    pid_t done = 0;

    while (talk->pid && (done = waitpid(talk->pid, &status, WNOHANG)) == 0 && cs_clock_now() < end)
        poll(NULL, 0, 5);
    if (done > 0)
        talk->pid = 0;
    if (done > 0 && WIFSIGNALED(status))
        cs_error_set(err, "it was ended by signal %d", WTERMSIG(status));
    else if (done > 0)
        cs_error_set(err, "it ended with status %d", WEXITSTATUS(status));
    else
        cs_error_set(err, "it answers no more");
}

static int talk_fail(struct cs_talk *talk, struct cs_error *err)
{
    talk->failed = true;
    if (!err->text[0])
        tell_end(talk, err);
    return -1;
}

/* As much as goes.  -1: nobody is there. */
static int talk_push(struct cs_talk *talk, const struct cs_strbuf *text, size_t *said)
{
    const ssize_t count =
        send(talk->fd, text->text + *said, text->length - *said, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (count >= 0)
        *said += (size_t)count;
    return count >= 0 || errno == EAGAIN || errno == EINTR ? 0 : -1;
}

/* What is there.  -1: nothing will ever be. */
static int talk_pull(struct cs_talk *talk)
{
    char *room = cs_strbuf_room(&talk->in, PIECE);
    const ssize_t count = recv(talk->fd, room, PIECE, MSG_DONTWAIT);

    if (count > 0)
        cs_strbuf_wrote(&talk->in, (size_t)count);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) ? 0 : -1;
}

static int talk_exchange(struct cs_talk *talk, const struct cs_strbuf *text, double seconds,
                         struct cs_error *err)
{
    const double end = cs_clock_now() + seconds;
    size_t said = 0;

    while (said < text->length || !memchr(talk->in.text, '\n', talk->in.length)) {
        struct pollfd both = {.fd = talk->fd, .events = POLLIN};
        int some;

        if (said < text->length)
            both.events |= POLLOUT;
        some = poll(&both, 1, wait_until(end));
        if (some <= 0 && cs_watch_calls())
            return cs_watch_settle(-1, err);
        if (some == 0 && cs_clock_now() >= end)
            return cs_error_set(err, "it has not answered for %.15g s", seconds);
        if (some > 0 && both.revents & POLLOUT && talk_push(talk, text, &said))
            return -1;
        if (some > 0 && both.revents & (POLLIN | POLLHUP | POLLERR) && talk_pull(talk))
            return -1;
        if (talk->in.length > LONGEST)
            return cs_error_set(err, "its answer has no end");
    }
    return 0;
}

/* What the last answer used is gone. */
static void talk_forget(struct cs_talk *talk)
{
    memmove(talk->in.text, talk->in.text + talk->used, talk->in.length - talk->used);
    talk->in.length -= talk->used;
    talk->used = 0;
}

char *cs_talk_ask(struct cs_talk *talk, struct cs_strbuf *text, double seconds,
                  struct cs_error *err)
{
    char *line;

    err->text[0] = '\0';
    if (talk->used)
        talk_forget(talk);
    if (talk->failed || talk_exchange(talk, text, seconds, err)) {
        talk_fail(talk, err);
        return NULL;
    }
    cs_strbuf_clear(text);
    line = memchr(talk->in.text, '\n', talk->in.length);
    *line = '\0';
    talk->used = (size_t)(line - talk->in.text) + 1;
    return talk->in.text;
}

/* ---- ending ---- */

/* What it still says is of no interest, but must not keep it waiting. */
static void end_program(struct cs_talk *talk)
{
    const double end = cs_clock_now() + FAREWELL;
    struct pollfd from = {.fd = talk->fd, .events = POLLIN};
    pid_t done;

    if (talk->failed)
        kill(-talk->pid, SIGKILL);
    while ((done = waitpid(talk->pid, NULL, WNOHANG)) == 0 && cs_clock_now() < end) {
        cs_strbuf_clear(&talk->in);
        poll(&from, from.fd >= 0 ? 1 : 0, 5);
        if (from.revents && talk_pull(talk))
            from.fd = -1;
        from.revents = 0;
    }
    if (done == 0)
        process_end(talk->pid);
}

void cs_talk_close(struct cs_talk *talk)
{
    if (!talk)
        return;
    if (talk->pid) {
        shutdown(talk->fd, SHUT_WR);
        end_program(talk);
    }
    close(talk->fd);
    cs_strbuf_release(&talk->in);
    cs_guard_forget(&talk->guarded);
    free(talk);
}
