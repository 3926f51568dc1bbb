/* watch.c - one line, rewritten on a terminal, else once a minute; failures have lines of their
 * own. */
#include "cli/run/watch.h"

#include "base/clock.h"
#include "cli/base/output.h"
#include "report/human.h"
#include "run/values.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OFTEN 0.2 /* seconds between two lines on a terminal */
#define SELDOM 60.0

static void wipe(struct cs_run_watch *watch)
{
    if (watch->drawn)
        fputs("\r\033[K", stderr);
    watch->drawn = false;
}

static void put_state(struct cs_strbuf *out, const struct cs_run_executor *x)
{
    const struct cs_run *run = &x->run;
    int gone = run->in_state[CS_RUN_BROKEN], skipped = run->in_state[CS_RUN_SKIPPED];

    cs_strbuf_printf(out, "%d of %d done, %d running on %d of %d slots", run->in_state[CS_RUN_DONE],
                     x->setup.tasks, run->count, run->slots.up - run->slots.free, run->slots.up);
    if (gone)
        cs_strbuf_printf(out, ", %d failed", gone);
    if (skipped)
        cs_strbuf_printf(out, ", %d skipped", skipped);
}

static void put_times(struct cs_strbuf *out, const struct cs_run_watch *watch,
                      const struct cs_run_executor *x)
{
    double spent = cs_run_clock(x), done = watch->area - watch->left;

    cs_strbuf_puts(out, " \302\267 ");
    cs_human_duration(out, spent);
    if (x->run.stopping) {
        cs_strbuf_puts(out, ", stopping");
    } else if (done > 0 && watch->left > 0) {
        cs_strbuf_puts(out, ", about ");
        cs_human_duration(out, spent * watch->left / done);
        cs_strbuf_puts(out, " more");
    }
}

static void tick(void *who, const struct cs_run_executor *x)
{
    struct cs_run_watch *watch = who;
    struct cs_strbuf line = CS_STRBUF_INIT;
    double now = cs_clock_now();

    if (watch->quiet || now < watch->shown + (watch->terminal ? OFTEN : SELDOM))
        return;
    watch->shown = now;
    put_state(&line, x);
    put_times(&line, watch, x);
    if (watch->terminal)
        fprintf(stderr, "\r\033[K%s", line.text);
    else
        fprintf(stderr, "cosched: %s\n", line.text);
    fflush(stderr);
    watch->drawn = watch->terminal;
    cs_strbuf_release(&line);
}

static void put_reason(struct cs_strbuf *out, const struct cs_run_event *event)
{
    if (event->detail)
        cs_strbuf_printf(out, " (%s)", event->detail);
    else if (event->outcome == CS_RUN_CORRUPT)
        cs_strbuf_puts(out, " (its verification failed)");
    else if (event->outcome == CS_RUN_FAILED && WIFSIGNALED(event->status))
        cs_strbuf_printf(out, " (signal %d)", WTERMSIG(event->status));
    else if (event->outcome == CS_RUN_FAILED)
        cs_strbuf_printf(out, " (status %d)", WEXITSTATUS(event->status));
}

static bool was_killed(const struct cs_run_event *event)
{
    return WIFSIGNALED(event->status) && WTERMSIG(event->status) == SIGKILL;
}

static void end(void *who, const struct cs_run_executor *x, const struct cs_run_event *event)
{
    struct cs_run_watch *watch = who;
    const struct cs_run_task *task = &x->setup.task[event->task];
    struct cs_strbuf line = CS_STRBUF_INIT;

    if (event->verdict == CS_RUN_SUCCEEDED || event->verdict == CS_RUN_GIVEN_UP)
        watch->left -= task->procs * task->expected;
    if (event->outcome == CS_RUN_STOPPED && task->settings->checkpoint && was_killed(event)) {
        wipe(watch);
        fprintf(stderr,
                "cosched: task %s did not stop within its grace and was killed; it goes on from "
                "what was saved\n",
                task->name);
        return;
    }
    if (event->verdict != CS_RUN_GIVEN_UP && event->outcome != CS_RUN_LOST)
        return;
    wipe(watch);
    cs_strbuf_printf(&line, "task %s: %s", task->name, cs_run_outcome_name(event->outcome));
    put_reason(&line, event);
    if (event->verdict == CS_RUN_GIVEN_UP) {
        cs_strbuf_printf(
            &line, ", for good after %d tries; its output: ", x->run.ledger[event->task].tries);
        cs_run_attempt_path(x->folder, event->attempt, "out", &line);
    }
    fprintf(stderr, "cosched: %s\n", line.text);
    cs_strbuf_release(&line);
}

static void say(void *who, const char *sentence)
{
    wipe(who);
    fprintf(stderr, "cosched: %s\n", sentence);
}

struct cs_run_watcher cs_run_watch_of(struct cs_run_watch *watch)
{
    return (struct cs_run_watcher){.who = watch, .end = end, .tick = tick, .say = say};
}

void cs_run_watch_begin(struct cs_run_watch *watch, const struct cs_run_executor *x)
{
    watch->terminal = isatty(STDERR_FILENO);
    watch->shown = watch->terminal ? -1 : cs_clock_now();
    for (int t = 0; t < x->setup.tasks; t++) {
        double area = x->setup.task[t].procs * x->setup.task[t].expected;
        int state = x->run.ledger[t].state;

        watch->area += area;
        if (state <= CS_RUN_RUNNING)
            watch->left += area;
    }
}

void cs_run_watch_end(struct cs_run_watch *watch, const struct cs_run_executor *x,
                      enum cs_run_ending ending)
{
    const struct cs_run *run = &x->run;
    int over =
        run->in_state[CS_RUN_DONE] + run->in_state[CS_RUN_BROKEN] + run->in_state[CS_RUN_SKIPPED];

    wipe(watch);
    if (ending == CS_RUN_ASKED_TO_STOP || ending == CS_RUN_SIGNALLED) {
        fprintf(stderr,
                "cosched: %d of %d tasks done, %d left; to go on: cosched run --resume %s\n",
                run->in_state[CS_RUN_DONE], x->setup.tasks, x->setup.tasks - over, x->folder);
    } else if (ending == CS_RUN_SOME_FAILED) {
        fprintf(stderr,
                "cosched: %d of %d tasks done, %d failed, %d skipped; see cosched run status "
                "%s\n",
                run->in_state[CS_RUN_DONE], x->setup.tasks, run->in_state[CS_RUN_BROKEN],
                run->in_state[CS_RUN_SKIPPED], x->folder);
    }
}
