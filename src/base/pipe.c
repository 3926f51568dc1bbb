/* pipe.c - a shell at one end of a pair of sockets, and a poll at the other. */
#include "base/pipe.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST ((size_t)1 << 26) /* bytes of an answer */
#define PIECE ((size_t)1 << 16)   /* bytes that are received at a time */
#define FAREWELL 2.0              /* seconds */
#define PACE 20                   /* milliseconds between questions whether to stop */

struct cs_pipe {
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
static void pipe_drop(struct cs_guarded *guarded)
{
    struct cs_pipe *pipe = (struct cs_pipe *)(void *)guarded;

    if (pipe->pid)
        process_end(pipe->pid);
    if (pipe->fd >= 0)
        close(pipe->fd);
    free(pipe);
}

/* ---- beginning ---- */

static int open_program(const char *command, struct cs_pipe *pipe)
{
    const char *const argv[] = {"sh", "-c", command, NULL};
    int end[2], code;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end))
        return errno;
    code = cs_child_spawn("/bin/sh", argv, (int[]){end[1], end[1], -1}, true, &pipe->pid);
    close(end[1]);
    if (code)
        close(end[0]);
    else
        pipe->fd = end[0];
    return code;
}

static int open_socket(const char *number, struct cs_pipe *pipe)
{
    pipe->fd = fcntl(atoi(number), F_DUPFD_CLOEXEC, 3);
    return pipe->fd < 0 ? errno : 0;
}

struct cs_pipe *cs_pipe_open(const char *command, struct cs_error *err)
{
    struct cs_pipe *pipe = cs_guard_resize(NULL, sizeof *pipe, pipe_drop);
    int code;

    pipe->fd = -1;
    pipe->pid = 0;
    pipe->in = (struct cs_strbuf)CS_STRBUF_INIT;
    pipe->used = 0;
    pipe->failed = false;
    cs_strbuf_room(&pipe->in, 1);
    code =
        strncmp(command, "fd:", 3) ? open_program(command, pipe) : open_socket(command + 3, pipe);
    if (!code)
        return pipe;
    cs_strbuf_release(&pipe->in);
    cs_guard_discard(&pipe->guarded);
    free(pipe);
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
static void report_end(struct cs_pipe *pipe, struct cs_error *err)
{
    const double end = cs_clock_now() + 1;
    int status = 0;
    pid_t done = 0;

    while (pipe->pid && (done = waitpid(pipe->pid, &status, WNOHANG)) == 0 && cs_clock_now() < end)
        poll(NULL, 0, 5);
    if (done > 0)
        pipe->pid = 0;
    if (done > 0 && WIFSIGNALED(status))
        cs_error_set(err, "it was ended by signal %d", WTERMSIG(status));
    else if (done > 0)
        cs_error_set(err, "it ended with status %d", WEXITSTATUS(status));
    else
        cs_error_set(err, "it answers no more");
}

static int pipe_fail(struct cs_pipe *pipe, struct cs_error *err)
{
    pipe->failed = true;
    if (!err->text[0])
        report_end(pipe, err);
    return -1;
}

/* Write as much as possible. -1: the reader has closed. */
static int pipe_push(struct cs_pipe *pipe, const struct cs_strbuf *text, size_t *said)
{
    const ssize_t count =
        send(pipe->fd, text->text + *said, text->length - *said, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (count >= 0)
        *said += (size_t)count;
    return count >= 0 || errno == EAGAIN || errno == EINTR ? 0 : -1;
}

/* Read the available bytes. -1: end of the stream. */
static int pipe_pull(struct cs_pipe *pipe)
{
    char *room = cs_strbuf_room(&pipe->in, PIECE);
    const ssize_t count = recv(pipe->fd, room, PIECE, MSG_DONTWAIT);

    if (count > 0)
        cs_strbuf_wrote(&pipe->in, (size_t)count);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) ? 0 : -1;
}

static int pipe_exchange(struct cs_pipe *pipe, const struct cs_strbuf *text, double seconds,
                         struct cs_error *err)
{
    const double end = cs_clock_now() + seconds;
    size_t said = 0;

    while (said < text->length || !memchr(pipe->in.text, '\n', pipe->in.length)) {
        struct pollfd both = {.fd = pipe->fd, .events = POLLIN};
        int some;

        if (said < text->length)
            both.events |= POLLOUT;
        some = poll(&both, 1, wait_until(end));
        if (some <= 0 && cs_watch_calls())
            return cs_watch_settle(-1, err);
        if (some == 0 && cs_clock_now() >= end)
            return cs_error_set(err, "it has not answered for %.15g s", seconds);
        if (some > 0 && both.revents & POLLOUT && pipe_push(pipe, text, &said))
            return -1;
        if (some > 0 && both.revents & (POLLIN | POLLHUP | POLLERR) && pipe_pull(pipe))
            return -1;
        if (pipe->in.length > LONGEST)
            return cs_error_set(err, "its answer has no end");
    }
    return 0;
}

/* Discard the last answer. */
static void pipe_discard(struct cs_pipe *pipe)
{
    memmove(pipe->in.text, pipe->in.text + pipe->used, pipe->in.length - pipe->used);
    pipe->in.length -= pipe->used;
    pipe->used = 0;
}

char *cs_pipe_ask(struct cs_pipe *pipe, struct cs_strbuf *text, double seconds,
                  struct cs_error *err)
{
    char *line;

    err->text[0] = '\0';
    if (pipe->used)
        pipe_discard(pipe);
    if (pipe->failed || pipe_exchange(pipe, text, seconds, err)) {
        pipe_fail(pipe, err);
        return NULL;
    }
    cs_strbuf_clear(text);
    line = memchr(pipe->in.text, '\n', pipe->in.length);
    *line = '\0';
    pipe->used = (size_t)(line - pipe->in.text) + 1;
    return pipe->in.text;
}

/* ---- ending ---- */

/* Further output is discarded, but is read so the program does not block. */
static void end_program(struct cs_pipe *pipe)
{
    const double end = cs_clock_now() + FAREWELL;
    struct pollfd from = {.fd = pipe->fd, .events = POLLIN};
    pid_t done;

    if (pipe->failed)
        kill(-pipe->pid, SIGKILL);
    while ((done = waitpid(pipe->pid, NULL, WNOHANG)) == 0 && cs_clock_now() < end) {
        cs_strbuf_clear(&pipe->in);
        poll(&from, from.fd >= 0 ? 1 : 0, 5);
        if (from.revents && pipe_pull(pipe))
            from.fd = -1;
        from.revents = 0;
    }
    if (done == 0)
        process_end(pipe->pid);
}

void cs_pipe_close(struct cs_pipe *pipe)
{
    if (!pipe)
        return;
    if (pipe->pid) {
        shutdown(pipe->fd, SHUT_WR);
        end_program(pipe);
    }
    close(pipe->fd);
    cs_strbuf_release(&pipe->in);
    cs_guard_discard(&pipe->guarded);
    free(pipe);
}
