/* checkpoint_request.c - request applications to save their state: by a signal, a file or a
 * command.
 *
 * The keeper counts the grace and kills (src/keeper/keeper.c, SIGRTMIN). A signal to one program of
 * an attempt finds it by its mark and name; if that has not started yet, it is tried again.
 */
#define _GNU_SOURCE
#include "run/executor.h"
#include "run/program.h"
#include "run/template.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_MOST 8000000 /* largest grace of a keeper (seconds) */

static const struct cs_run_checkpoint *checkpoint_of(const struct cs_run_executor *x,
                                                     const struct cs_run_attempt *attempt)
{
    return x->setup.task[attempt->task].settings->checkpoint;
}

struct cs_run_values cs_run_values_of(const struct cs_run_executor *x,
                                      const struct cs_run_attempt *attempt)
{
    return (struct cs_run_values){
        .setup = &x->setup,
        .folder = x->folder,
        .slot = x->slot,
        .task = attempt->task,
        .try = attempt->try,
        .count = attempt->count,
        .attempt = attempt->number,
        .held = attempt->slot,
        .restarts = attempt->restarts,
    };
}

void cs_run_report_keeper(const struct cs_run_attempt *attempt, int number, double grace)
{
    const int seconds = (int)fmin(ceil(grace), GRACE_MOST);
    const union sigval value = {.sival_int = number + 256 * seconds};
    siginfo_t info = {0};

    if (attempt->pidfd >= 0) {
        info.si_signo = SIGRTMIN;
        info.si_code = SI_QUEUE;
        info.si_pid = getpid();
        info.si_uid = getuid();
        info.si_value = value;
        syscall(SYS_pidfd_send_signal, attempt->pidfd, SIGRTMIN, &info, 0);
    } else if (cs_run_keeper_is_there(attempt)) {
        sigqueue(attempt->pid, SIGRTMIN, value);
    }
}

static void ask_say(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                    const struct cs_error *reported)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "task %s cannot be signalled to save its state: %s",
                     x->setup.task[attempt->task].name, reported->text);
    x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_release(&text);
}

/* A file by rename, so readers never see half of it. */
static int put_file(struct cs_run_values *values, const struct cs_run_ask *ask,
                    struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT, text = CS_STRBUF_INIT;
    int status = cs_run_values_path(values, ask->file, &path, err) ||
                         cs_run_values_expand(values, ask->text, &text, err) ||
                         cs_file_write(path.text, text.text, text.length, err)
                     ? -1
                     : 0;

    cs_strbuf_release(&path);
    cs_strbuf_release(&text);
    return status;
}

struct command {
    char **argv, **environment;
    volatile int code; /* why it could not be started; 0: it was */
};

/* In the memory of the executor, which waits (vfork): the intermediate process exits immediately,
 * so the command is reparented and leaves no zombie. */
static _Noreturn void start_and_end(struct command *c)
{
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;

    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    c->code = posix_spawn(&pid, c->argv[0], NULL, &attributes, c->argv, c->environment);
    posix_spawnattr_destroy(&attributes);
    _exit(0);
}

/* No handler of this process runs in the one that shares its memory. */
static int start_command(struct command *c)
{
    sigset_t all, before;
    pid_t child;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    child = vfork();
    if (child == 0)
        start_and_end(c);
    if (child < 0)
        c->code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return c->code;
}

/* Its end is not waited for. */
static int run_command(struct cs_run_executor *x, struct cs_run_values *values,
                       const struct cs_run_ask *ask, struct cs_error *err)
{
    struct cs_run_list argv = {.arena = x->scratch};
    struct cs_arena_mark mark = cs_arena_mark(x->scratch);
    int status = cs_run_values_list(values, &ask->command, &argv, err);

    if (!status)
        status = cs_run_program_resolve(&argv.text[0], x->setup.folder, x->scratch, err);
    if (!status) {
        struct command c = {.argv = argv.text, .environment = x->environment};

        if (start_command(&c))
            status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be started: %s",
                                     argv.text[0], strerror(c.code));
    }
    cs_arena_rewind(x->scratch, mark);
    return status;
}

/* 1 if the receiver does not exist yet. */
static int ask_by(struct cs_run_executor *x, struct cs_run_attempt *attempt,
                  const struct cs_run_ask *ask, bool stops, struct cs_error *err)
{
    struct cs_run_values values = cs_run_values_of(x, attempt);

    if (ask->to)
        return cs_run_mark_signal(x, attempt->number, ask->to, ask->signal) ? 0 : 1;
    if (ask->signal && cs_run_is_step(x, attempt->task))
        return x->engine->signal(x, attempt, ask->signal) ? 0 : 1;
    if (ask->signal && !stops)
        cs_run_signal_keeper(attempt, ask->signal);
    if (ask->file)
        return put_file(&values, ask, err);
    return ask->command.count ? run_command(x, &values, ask, err) : 0;
}

void cs_run_ask_to_stop_saved(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    const struct cs_run_checkpoint *c = checkpoint_of(x, attempt);
    const bool step = cs_run_is_step(x, attempt->task);
    const bool by_keeper = c->stop.signal && !c->stop.to && !step;
    struct cs_error reported = {0};
    int status;

    attempt->asked = true;
    if (attempt->sent || (!attempt->pid && attempt->pidfd < 0))
        return;
    status = ask_by(x, attempt, &c->stop, true, &reported);
    if (status < 0)
        ask_say(x, attempt, &reported);
    attempt->sent = status <= 0;
    if (step && !isfinite(attempt->kill_at))
        attempt->kill_at = cs_run_clock(x) + c->grace;
    cs_run_report_keeper(attempt, by_keeper ? c->stop.signal : 0, step ? c->grace + 30 : c->grace);
}

void cs_run_ask_to_save(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    struct cs_error reported = {0};

    if ((attempt->pid || attempt->pidfd >= 0) && !attempt->asked &&
        ask_by(x, attempt, &checkpoint_of(x, attempt)->save, false, &reported) < 0)
        ask_say(x, attempt, &reported);
}

void cs_run_ask_nobody(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    attempt->asked = true;
    attempt->sent = 3;
    if (cs_run_is_step(x, attempt->task))
        x->engine->signal(x, attempt, SIGKILL);
    cs_run_report_keeper(attempt, SIGKILL, 0);
}
