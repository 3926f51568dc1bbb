/* watch.c - a table on a terminal (live.c), or one line that is rewritten; elsewhere a line a
 * minute.  Failures have lines of their own. */
#include "cli/run/watch.h"

#include "base/clock.h"
#include "cli/base/output.h"
#include "report/human.h"
#include "run/values.h"

#include <math.h>
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
    cs_run_live_wipe(&watch->live);
    watch->shown = watch->terminal ? -1 : watch->shown;
}

static void put_state(struct cs_strbuf *out, const struct cs_run_executor *x)
{
    const struct cs_run *run = &x->run;
    int gone = run->in_state[CS_RUN_BROKEN], skipped = run->in_state[CS_RUN_SKIPPED];
    int waiting = run->in_state[CS_RUN_WAITING] + run->in_state[CS_RUN_HELD];

    cs_strbuf_printf(out, "%d of %d done, %d running on %d of %d slots", run->in_state[CS_RUN_DONE],
                     x->setup.tasks, run->count, run->slots.up - run->slots.free, run->slots.up);
    if (waiting)
        cs_strbuf_printf(out, ", %d waiting", waiting);
    if (gone)
        cs_strbuf_printf(out, ", %d failed", gone);
    if (skipped)
        cs_strbuf_printf(out, ", %d skipped", skipped);
}

/* Seconds without a fraction from ten on, so that lines do not jump. */
static void put_seconds(struct cs_strbuf *out, double seconds)
{
    cs_human_duration(out, seconds < 10 ? round(10 * seconds) / 10 : round(seconds));
}

static void put_times(struct cs_strbuf *out, const struct cs_run_watch *watch,
                      const struct cs_run_executor *x)
{
    double now = cs_run_clock(x), end = cs_run_forecast_end(watch->forecast, &x->run, now);

    cs_strbuf_puts(out, " \302\267 ");
    put_seconds(out, now);
    if (x->run.stopping) {
        cs_strbuf_puts(out, ", stopping");
    } else if (end > now) {
        cs_strbuf_puts(out, ", about ");
        put_seconds(out, end - now);
        cs_strbuf_puts(out, " more");
    }
}

/* "makespan: planned 1 h 50 min, now about 1 h 53 min (1.03 times)" */
static void put_makespan(struct cs_strbuf *out, const struct cs_run_watch *watch,
                         const struct cs_run_executor *x)
{
    double now = cs_run_clock(x), end = cs_run_forecast_end(watch->forecast, &x->run, now);
    double planned = watch->forecast->planned;

    if (!isfinite(planned) || x->run.stopping)
        return;
    cs_strbuf_puts(out, "makespan: planned ");
    put_seconds(out, planned);
    if (isfinite(end)) {
        cs_strbuf_puts(out, ", now about ");
        put_seconds(out, end);
    }
    if (isfinite(end) && planned > 0) {
        cs_strbuf_puts(out, " (");
        cs_human_fixed(out, end / planned, 2);
        cs_strbuf_puts(out, " times)");
    }
    cs_strbuf_putc(out, '\n');
}

static void draw_table(struct cs_run_watch *watch, const struct cs_run_executor *x,
                       struct cs_strbuf *text)
{
    cs_strbuf_putc(text, '\n');
    put_makespan(text, watch, x);
    cs_run_live_draw(&watch->live, x, text->text);
}

static bool is_time(const struct cs_run_watch *watch, double now)
{
    if (watch->style == CS_RUN_QUIET || (watch->terminal && !cs_run_live_is_ours()))
        return false;
    if (watch->live.drawn.length && cs_run_live_is_resized(&watch->live))
        return true;
    return now >= watch->shown + (watch->terminal ? OFTEN : SELDOM);
}

static void tick(void *who, const struct cs_run_executor *x)
{
    struct cs_run_watch *watch = who;
    struct cs_strbuf text = CS_STRBUF_INIT;
    double now = cs_clock_now();

    if (!is_time(watch, now))
        return;
    watch->shown = now;
    put_state(&text, x);
    put_times(&text, watch, x);
    if (!watch->terminal)
        fprintf(stderr, "cosched: %s\n", text.text);
    else if (watch->style == CS_RUN_AUTO)
        draw_table(watch, x, &text);
    else
        fprintf(stderr, "\r\033[K%s", text.text);
    fflush(stderr);
    watch->drawn = watch->terminal && watch->style == CS_RUN_LINE;
    cs_strbuf_release(&text);
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

static void end(void *who, const struct cs_run_executor *x, const struct cs_run_event *event,
                const struct cs_run_finish *finish)
{
    struct cs_run_watch *watch = who;
    const struct cs_run_task *task = &x->setup.task[event->task];
    struct cs_strbuf line = CS_STRBUF_INIT;
    int tries = x->run.ledger[event->task].tries;

    if (watch->forecast && event->verdict == CS_RUN_SUCCEEDED)
        cs_run_forecast_see(watch->forecast, task, finish->ended - finish->began);
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
        cs_strbuf_printf(&line, ", for good after %d %s", tries, tries == 1 ? "try" : "tries");
        if (event->outcome != CS_RUN_CANNOT_START)
            put_output(&line, x, task->settings, event->attempt);
    }
    fprintf(stderr, "cosched: %s\n", line.text);
    cs_strbuf_release(&line);
}

static void say(void *who, const char *sentence)
{
    wipe(who);
    fprintf(stderr, "cosched: %s\n", sentence);
}

void cs_run_watch_init(struct cs_run_watch *watch, enum cs_run_style style)
{
    *watch = (struct cs_run_watch){.style = style, .live.drawn = CS_STRBUF_INIT};
}

struct cs_run_watcher cs_run_watch_of(struct cs_run_watch *watch)
{
    return (struct cs_run_watcher){.who = watch, .end = end, .tick = tick, .say = say};
}

void cs_run_watch_begin(struct cs_run_watch *watch, const struct cs_run_executor *x)
{
    bool table;

    watch->terminal = cs_run_live_is_possible();
    watch->shown = watch->terminal ? -1 : cs_clock_now();
    table = watch->terminal && watch->style == CS_RUN_AUTO;
    if (watch->style != CS_RUN_QUIET)
        watch->forecast = cs_run_forecast_create(&x->setup, x->slots, table, x->arena);
}

void cs_run_watch_end(struct cs_run_watch *watch, const struct cs_run_executor *x,
                      enum cs_run_ending ending)
{
    const struct cs_run *run = &x->run;
    int over =
        run->in_state[CS_RUN_DONE] + run->in_state[CS_RUN_BROKEN] + run->in_state[CS_RUN_SKIPPED];

    wipe(watch);
    cs_run_live_release(&watch->live);
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
