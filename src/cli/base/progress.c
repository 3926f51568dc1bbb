/* progress.c - a bar on standard error for runs that take long. */
#define _XOPEN_SOURCE 700
#include "cli/base/progress.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* The handler is async-signal-safe. */

static volatile sig_atomic_t caught;

static void stop_note(int signal)
{
    static const char text[] =
        "\ncosched: finishing the current runs, then stopping (again: stop immediately)\n";

    const int code = errno;

    caught = signal;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        caught = signal;
    errno = code;
}

/* Ignored signals, as in the background of a script, stay ignored. */
static void catch_one(int signal)
{
    struct sigaction action = {.sa_handler = stop_note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    struct sigaction old;

    sigemptyset(&action.sa_mask);
    if (!sigaction(signal, NULL, &old) && old.sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

void cs_stop_catch(void)
{
    catch_one(SIGINT);
    catch_one(SIGTERM);
}

int cs_stop_signal(void)
{
    return caught;
}

bool cs_stop_asked(void *who)
{
    (void)who;
    return caught != 0;
}

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
