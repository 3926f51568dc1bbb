/* child.c - posix_spawn, and a poll over its two streams. */
#include "base/child.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct streams {
    int out[2], said[2];
    pid_t pid;
};

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static void close_all(struct streams *s)
{
    for (int e = 0; e < 2; e++) {
        close_end(&s->out[e]);
        close_end(&s->said[e]);
    }
}

static int open_pipe(int *ends)
{
    if (pipe(ends))
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

static int spawn_streams(posix_spawn_file_actions_t *actions, const int *fd)
{
    int code = 0;

    if (fd[0] < 0)
        code = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int stream = STDIN_FILENO; !code && stream <= STDERR_FILENO; stream++)
        if (fd[stream] >= 0)
            code = posix_spawn_file_actions_adddup2(actions, fd[stream], stream);
    return code;
}

int cs_child_spawn(const char *file, const char *const *argv, const int *fd, bool group, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t mask;
    int code = posix_spawn_file_actions_init(&actions);

    if (code)
        return code;
    cs_thread_mask(&mask);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | (group ? POSIX_SPAWN_SETPGROUP : 0));
    posix_spawnattr_setsigmask(&attributes, &mask);
    code = spawn_streams(&actions, fd);
    if (!code)
        code =
            posix_spawnp(pid, file, &actions, &attributes, (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Read the available bytes of a stream; it is closed at its end. */
static void child_take(struct pollfd *stream, struct cs_strbuf *to)
{
    char bytes[4096];
    ssize_t got;

    if (!stream->revents)
        return;
    got = read(stream->fd, bytes, sizeof bytes);
    if (got > 0)
        cs_strbuf_append(to, bytes, (size_t)got);
    else if (got == 0 || errno != EINTR)
        stream->fd = -1;
}

/* Milliseconds that poll may wait. */
static int left_until(double end)
{
    double left = ceil((end - cs_clock_now()) * 1000);

    return isinf(end) ? -1 : left < 0 ? 0 : left > 1e9 ? 1000000000 : (int)left;
}

/* To the end of both streams, or until that moment: false. */
static bool listen_to(const struct streams *s, double end, struct cs_strbuf *out,
                      struct cs_strbuf *said)
{
    struct pollfd stream[] = {{.fd = s->out[0], .events = POLLIN},
                              {.fd = s->said[0], .events = POLLIN}};

    while (stream[0].fd >= 0 || stream[1].fd >= 0) {
        int some = poll(stream, 2, left_until(end));

        if (some == 0)
            return false;
        if (some < 0)
            continue;
        child_take(&stream[0], out);
        child_take(&stream[1], said);
    }
    return true;
}

static int wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Where memory runs out the program is ended. */
static void child_release(void *thing)
{
    struct streams *s = thing;

    kill(s->pid, SIGKILL);
    wait_for(s->pid);
    close_all(s);
}

int cs_child_run_within(double seconds, const char *const *argv, struct cs_strbuf *out,
                        struct cs_strbuf *said, int *status, struct cs_error *err)
{
    struct streams s = {{-1, -1}, {-1, -1}, 0};
    int code = open_pipe(s.out) || open_pipe(s.said) ? errno : 0;
    CS_HOLD(held);

    if (!code)
        code = cs_child_spawn(argv[0], argv, (int[]){-1, s.out[1], s.said[1]}, false, &s.pid);
    if (!code) {
        close_end(&s.out[1]);
        close_end(&s.said[1]);
        cs_hold(&held, &s, child_release);
        if (!listen_to(&s, cs_clock_now() + seconds, out, said))
            kill(s.pid, SIGKILL);
        *status = wait_for(s.pid);
        cs_unhold(&held);
    }
    close_all(&s);
    return code ? cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be started: %s", argv[0],
                                  strerror(code))
                : 0;
}

int cs_child_run(const char *const *argv, struct cs_strbuf *out, struct cs_strbuf *said,
                 int *status, struct cs_error *err)
{
    return cs_child_run_within(INFINITY, argv, out, said, status, err);
}
