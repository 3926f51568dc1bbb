/* progress.c - a bar on standard error for runs that take long. */
#include "cli/base/progress.h"

#include "base/clock.h"
#include "base/strbuf.h"
#include "report/human.h"

#include <stdio.h>
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
static void put_rate(const struct cs_progress *bar, double elapsed, double done)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    double rate = done / elapsed;

    if (!bar->unit || elapsed < SOON || !(done > 0))
        return;
    cs_human_digits(&text, rate < 1 ? 60 * rate : rate, 3);
    fprintf(stderr, ", %s %s/%s", text.text, bar->unit, rate < 1 ? "min" : "s");
    cs_strbuf_release(&text);
}

static void put_time_left(double elapsed, double share)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (elapsed < SOON || !(share > 0))
        return;
    cs_human_duration(&text, elapsed * (1 - share) / share);
    fprintf(stderr, ", %s left", text.text);
    cs_strbuf_release(&text);
}

void cs_progress_show(struct cs_progress *bar, double done)
{
    double share = bar->total > 0 ? done / bar->total : 1, now = cs_clock_now();
    int full = (int)(share * WIDTH);

    if (!bar->terminal || now < bar->shown + PATIENCE)
        return;
    bar->shown = now;
    fprintf(stderr, "\r\033[K[%.*s%.*s] %3.0f %%", full, "##############################",
            WIDTH - full, "..............................", 100 * share);
    put_rate(bar, now - bar->began, done);
    put_time_left(now - bar->began, share);
}

void cs_progress_end(struct cs_progress *bar)
{
    if (bar->terminal)
        fputs("\r\033[K", stderr);
}
