/* watch.c - a table on a terminal (live.c), or one line that is rewritten; elsewhere a line a
 * minute.  Failures have lines of their own. */
#include "cli/run/watch.h"

#include "base/clock.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define OFTEN 0.2 /* seconds between two lines on a terminal */
#define SELDOM 60.0

static void wipe(struct cs_run_viewer *watch)
{
    if (watch->drawn)
        cs_output_draw("\r\033[K");
    watch->drawn = false;
    cs_run_live_wipe(&watch->live);
    watch->shown = watch->terminal ? -1 : watch->shown;
}

static void put_state(struct cs_strbuf *out, const struct cs_run_state *state)
{
    cs_strbuf_printf(out, "%d of %d done, %d running on %d of %d slots", state->done, state->tasks,
                     state->running, state->used, state->slots);
    if (state->waiting)
        cs_strbuf_printf(out, ", %d waiting", state->waiting);
    if (state->failed)
        cs_strbuf_printf(out, ", %d failed", state->failed);
    if (state->skipped)
        cs_strbuf_printf(out, ", %d skipped", state->skipped);
}

/* Seconds without a fraction from ten on, so that lines do not jump. */
static void put_seconds(struct cs_strbuf *out, double seconds)
{
    cs_human_duration(out, seconds < 10 ? round(10 * seconds) / 10 : round(seconds));
}

static void put_times(struct cs_strbuf *out, const struct cs_run_state *state)
{
    cs_strbuf_puts(out, " \302\267 ");
    put_seconds(out, state->now);
    if (state->stopping) {
        cs_strbuf_puts(out, ", stopping");
    } else if (state->end > state->now) {
        cs_strbuf_puts(out, ", about ");
        put_seconds(out, state->end - state->now);
        cs_strbuf_puts(out, " more");
    }
}

/* "makespan: planned 1 h 50 min, now about 1 h 53 min (1.03 times)" */
static void put_makespan(struct cs_strbuf *out, const struct cs_run_state *state)
{
    if (!isfinite(state->planned) || state->stopping)
        return;
    cs_strbuf_puts(out, "makespan: planned ");
    put_seconds(out, state->planned);
    if (isfinite(state->end)) {
        cs_strbuf_puts(out, ", now about ");
        put_seconds(out, state->end);
    }
    if (isfinite(state->end) && state->planned > 0) {
        cs_strbuf_puts(out, " (");
        cs_human_fixed(out, state->end / state->planned, 2);
        cs_strbuf_puts(out, " times)");
    }
    cs_strbuf_putc(out, '\n');
}

static void draw_table(struct cs_run_viewer *watch, const struct cs_run_look *run,
                       const struct cs_run_state *state, struct cs_strbuf *text)
{
    cs_strbuf_putc(text, '\n');
    put_makespan(text, state);
    cs_run_live_draw(&watch->live, run, state, text->text);
}

static void draw_line(const char *text)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    cs_strbuf_puts(&line, "\r\033[K");
    cs_strbuf_put_shown(&line, text, strlen(text), false);
    cs_output_draw(line.text);
    cs_strbuf_release(&line);
}

static bool is_time(const struct cs_run_viewer *watch, double now)
{
    if (watch->style == CS_RUN_QUIET || (watch->terminal && !cs_run_live_is_ours()))
        return false;
    if (watch->live.drawn.length && cs_run_live_is_resized(&watch->live))
        return true;
    return now >= watch->shown + (watch->terminal ? OFTEN : SELDOM);
}

static void look(void *who, const struct cs_run_look *run)
{
    struct cs_run_viewer *watch = who;
    struct cs_run_state state = {.size = sizeof state};
    struct cs_strbuf text = CS_STRBUF_INIT;
    double now = cs_clock_now();

    if (!is_time(watch, now) || cs_run_look_state(run, &state))
        return;
    watch->shown = now;
    put_state(&text, &state);
    put_times(&text, &state);
    if (!watch->terminal)
        cs_output_error(text.text);
    else if (watch->style == CS_RUN_AUTO)
        draw_table(watch, run, &state, &text);
    else
        draw_line(text.text);
    watch->drawn = watch->terminal && watch->style == CS_RUN_LINE;
    cs_strbuf_release(&text);
}

static void say(void *who, const char *sentence)
{
    wipe(who);
    cs_output_error(sentence);
}

void cs_run_viewer_init(struct cs_run_viewer *watch, enum cs_run_style style,
                        struct cs_run_watch *out)
{
    *watch = (struct cs_run_viewer){
        .style = style, .terminal = cs_run_live_is_possible(), .live.drawn = CS_STRBUF_INIT};
    watch->shown = watch->terminal ? -1 : cs_clock_now();
    *out = (struct cs_run_watch){
        .size = sizeof *out,
        .look = look,
        .say = say,
        .foresee = style != CS_RUN_QUIET,
        .plan = watch->terminal && style == CS_RUN_AUTO,
        .who = watch,
    };
}

void cs_run_viewer_end(struct cs_run_viewer *watch, const struct cs_run_ended *ended)
{
    const int over = ended->done + ended->failed + ended->skipped;
    struct cs_strbuf folder = CS_STRBUF_INIT, text = CS_STRBUF_INIT;

    if (!ended->tasks)
        return;
    wipe(watch);
    cs_run_live_release(&watch->live);
    cs_strbuf_put_shell(&folder, ended->folder);
    if (ended->ending == CS_RUN_ASKED_TO_STOP || ended->ending == CS_RUN_SIGNALLED)
        cs_strbuf_printf(&text, "%d of %d tasks done, %d left; to go on: cosched run --resume %s",
                         ended->done, ended->tasks, ended->tasks - over, folder.text);
    else if (ended->ending == CS_RUN_SOME_FAILED)
        cs_strbuf_printf(&text,
                         "%d of %d tasks done, %d failed, %d skipped; see cosched run status %s",
                         ended->done, ended->tasks, ended->failed, ended->skipped, folder.text);
    if (text.length)
        cs_output_error(text.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&folder);
}
