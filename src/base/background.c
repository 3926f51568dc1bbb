/* background.c - a fork, and a pipe through which the result comes: its size first. */
#include "base/background.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The header before the bytes of the result or of the error message. */
struct head {
    int32_t failed, kind;
    uint64_t size;
};

static int background_get(int fd, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = read(fd, (char *)bytes + done, size - done);

        if (some == 0 || (some < 0 && errno != EINTR))
            return -1;
        done += some > 0 ? (size_t)some : 0;
    }
    return 0;
}

static int work_guarded(cs_background_work *work, void *who, struct cs_strbuf *out,
                        struct cs_error *err)
{
    CS_GUARD_INNER(err, -1);

    return work(who, out, err);
}

/* Suppress messages and core dumps of libraries that abort. */
static void be_silent(void)
{
    const struct rlimit none = {0, 0};
    sigset_t mask;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    signal(SIGABRT, SIG_DFL);
    signal(SIGTRAP, SIG_DFL);
    cs_thread_mask(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    setrlimit(RLIMIT_CORE, &none);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

static _Noreturn void be_child(cs_background_work *work, void *who, int fd)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct head head;
    const char *bytes;

    be_silent();
    head = (struct head){.failed = work_guarded(work, who, &out, &err) != 0, .kind = err.kind};
    bytes = head.failed ? err.text : out.text;
    head.size = head.failed ? strlen(err.text) : out.length;
    _exit(cs_file_put(fd, (const char *)&head, sizeof head) || cs_file_put(fd, bytes, head.size));
}

static int background_receive(int fd, const char *gone, struct cs_strbuf *out, struct cs_error *err)
{
    CS_GUARD_INNER(err, -1);
    struct cs_strbuf got = CS_STRBUF_INIT;
    struct head head;
    int status = background_get(fd, &head, sizeof head) ||
                         background_get(fd, cs_strbuf_room(&got, head.size), head.size)
                     ? -1
                     : 0;

    if (status) {
        cs_error_set(err, "%s", gone);
    } else {
        cs_strbuf_wrote(&got, head.size);
        status = head.failed ? cs_error_set_as(err, head.kind, "%s", got.text) : 0;
    }
    if (!status)
        cs_strbuf_append(out, got.text, got.length);
    cs_strbuf_release(&got);
    return status;
}

static int background_fail(const char *gone, struct cs_error *err)
{
    return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", gone, strerror(errno));
}

int cs_background_run(cs_background_work *work, void *who, const char *gone, struct cs_strbuf *out,
                      struct cs_error *err)
{
    int ends[2], status;
    pid_t child;

    if (pipe(ends))
        return background_fail(gone, err);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(work, who, ends[1]);
    }
    close(ends[1]);
    status = child < 0 ? background_fail(gone, err) : background_receive(ends[0], gone, out, err);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return status;
}
