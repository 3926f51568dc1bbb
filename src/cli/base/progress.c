/* progress.c - a bar on standard error for runs that take long. */
#include "cli/base/progress.h"

#include "base/clock.h"
#include "base/strbuf.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <unistd.h>

#define WIDTH 30
#define PATIENCE 0.2
#define SOON 2 /* seconds; a guess of the time left before that is worth little */

struct cs_progress cs_progress_begin(double total)
{
    double now = cs_clock_now();

    return (struct cs_progress){
        .total = total, .began = now, .shown = now, .terminal = isatty(STDERR_FILENO)};
}

/* ", 12.3 runs/s", or a minute when they are long. */
static void put_rate(struct cs_strbuf *out, const struct cs_progress *bar, double elapsed,
                     double done)
{
    double rate = done / elapsed;

    if (!bar->unit || elapsed < SOON || !(done > 0))
        return;
    cs_strbuf_puts(out, ", ");
    cs_human_digits(out, rate < 1 ? 60 * rate : rate, 3);
    cs_strbuf_printf(out, " %s/%s", bar->unit, rate < 1 ? "min" : "s");
}

static void put_time_left(struct cs_strbuf *out, double elapsed, double share)
{
    if (elapsed < SOON || !(share > 0))
        return;
    cs_strbuf_puts(out, ", ");
    cs_human_duration(out, elapsed * (1 - share) / share);
    cs_strbuf_puts(out, " left");
}

void cs_progress_show(struct cs_progress *bar, double done)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    double share = bar->total > 0 ? done / bar->total : 1, now = cs_clock_now();
    int full = (int)(share * WIDTH);

    if (!bar->terminal || now < bar->shown + PATIENCE)
        return;
    bar->shown = now;
    cs_strbuf_printf(&line, "\r\033[K[%.*s%.*s] %3.0f %%", full, "##############################",
                     WIDTH - full, "..............................", 100 * share);
    put_rate(&line, bar, now - bar->began, done);
    put_time_left(&line, now - bar->began, share);
    cs_output_draw(line.text);
    cs_strbuf_release(&line);
}

void cs_progress_end(struct cs_progress *bar)
{
    if (bar->terminal)
        cs_output_draw("\r\033[K");
}
