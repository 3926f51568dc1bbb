/* work_told.c - how a run stands, for whoever watches it, and sentences about what went wrong. */
#include "run/work.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

/* ---- how it stands ---- */

int cs_run_look_state(const struct cs_run_look *look, struct cs_run_state *state)
{
    const struct cs_run *run;

    if (!look || !look->x || !state || state->size != sizeof *state)
        return -1;
    run = &look->x->run;
    *state = (struct cs_run_state){
        .size = sizeof *state,
        .tasks = look->x->setup.tasks,
        .done = run->in_state[CS_RUN_DONE],
        .running = run->count,
        .waiting = run->in_state[CS_RUN_WAITING] + run->in_state[CS_RUN_HELD],
        .failed = run->in_state[CS_RUN_BROKEN],
        .skipped = run->in_state[CS_RUN_SKIPPED],
        .slots = run->slots.up,
        .used = run->slots.up - run->slots.free,
        .stopping = run->stopping,
        .wakes = look->x->wakes,
        .now = cs_run_clock(look->x),
        .planned = look->forecast ? look->forecast->planned : NAN,
        .end = NAN,
    };
    if (look->forecast)
        state->end = cs_run_forecast_end(look->forecast, run, state->now);
    return 0;
}

int cs_run_look_running(const struct cs_run_look *look, int index, struct cs_run_running *running)
{
    const struct cs_run_attempt *attempt;
    const struct cs_run_checkpoint *checkpoint;
    const struct cs_run *run;
    double works;

    if (!look || !look->x || !running || running->size != sizeof *running || index < 0 ||
        index >= look->x->run.count)
        return -1;
    run = &look->x->run;
    attempt = run->running[index];
    checkpoint = look->x->setup.task[attempt->task].settings->checkpoint;
    *running = (struct cs_run_running){
        .size = sizeof *running,
        .task = look->x->setup.task[attempt->task].name,
        .attempt = attempt->try,
        .procs = attempt->count,
        .slot = attempt->slot,
        .start = attempt->start,
        .expected = attempt->expected,
        .end = attempt->start + attempt->expected,
        .stops = attempt->asked || attempt->stops,
        .shows = checkpoint && checkpoint->progress,
        .progress = attempt->progress,
    };
    if (run->decider->foresee)
        run->decider->foresee(run->state, attempt->task, &works, &running->end);
    return 0;
}

/* ---- what went wrong ---- */

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

/* Where what it said is, unless the settings say where. */
static void put_output(struct cs_strbuf *out, const struct cs_run_executor *x,
                       const struct cs_run_settings *settings, int64_t attempt)
{
    if (settings->out)
        return;
    cs_strbuf_puts(out, "; its output: ");
    cs_run_attempt_path(x->folder, attempt, "out", out);
    if (!settings->err)
        cs_strbuf_puts(out, " and .err");
}

static bool was_killed(const struct cs_run_event *event)
{
    return WIFSIGNALED(event->status) && WTERMSIG(event->status) == SIGKILL;
}

/* "task a: failed (status 3), for good after 3 tries; its output: ..."; nothing of what is tried
 * again. */
static void put_end(struct cs_strbuf *out, const struct cs_run_executor *x,
                    const struct cs_run_event *event)
{
    const struct cs_run_task *task = &x->setup.task[event->task];
    int tries = x->run.ledger[event->task].tries;

    if (event->outcome == CS_RUN_STOPPED && task->settings->checkpoint && was_killed(event)) {
        cs_strbuf_printf(out,
                         "task %s did not stop within its grace and was killed; it goes on from "
                         "what was saved",
                         task->name);
        return;
    }
    if (event->verdict != CS_RUN_GIVEN_UP && event->outcome != CS_RUN_LOST)
        return;
    cs_strbuf_printf(out, "task %s: %s", task->name, cs_run_outcome_name(event->outcome));
    put_reason(out, event);
    if (event->verdict == CS_RUN_GIVEN_UP) {
        cs_strbuf_printf(out, ", for good after %d %s", tries, tries == 1 ? "try" : "tries");
        if (event->outcome != CS_RUN_CANNOT_START)
            put_output(out, x, task->settings, event->attempt);
    }
}

static void say(void *who, const char *sentence)
{
    const struct cs_run_look *look = who;

    if (look->watch && look->watch->say)
        look->watch->say(look->watch->who, sentence);
}

static void end(void *who, const struct cs_run_executor *x, const struct cs_run_event *event,
                const struct cs_run_finish *finish)
{
    const struct cs_run_look *look = who;
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (look->forecast && event->verdict == CS_RUN_SUCCEEDED)
        cs_run_forecast_see(look->forecast, &x->setup.task[event->task],
                            finish->ended - finish->began);
    put_end(&text, x, event);
    if (text.length)
        say(who, text.text);
    cs_strbuf_release(&text);
}

static void tick(void *who, const struct cs_run_executor *x)
{
    const struct cs_run_look *look = who;

    (void)x;
    if (look->watch && look->watch->look)
        look->watch->look(look->watch->who, look);
}

static int stop(void *who)
{
    const struct cs_run_look *look = who;

    return look->watch->stop(look->watch->who);
}

struct cs_run_watcher cs_run_watcher_of(struct cs_run_look *look)
{
    return (struct cs_run_watcher){
        .who = look,
        .end = end,
        .tick = tick,
        .say = say,
        .stop = look->watch && look->watch->stop ? stop : NULL,
    };
}
