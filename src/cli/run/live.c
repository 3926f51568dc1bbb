/* live.c - the cursor rests below the table: what the terminal echoes does not break a line of it.
 *
 * Every line is shorter than the terminal is wide, so that it stays one; when the terminal becomes
 * narrower it folds the old ones, which is why they are kept.
 */
#define _GNU_SOURCE
#include "cli/run/live.h"

#include "cli/base/output.h"
#include "report/human.h"
#include "report/table.h"
#include "report/text_metrics.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR 10            /* characters */
#define LINES_AROUND 3    /* heading, rule, "and others" */
#define ROOM_FOR_SLOTS 72 /* columns of the terminal */
#define ROOM_FOR_BAR 56

enum { TASK, SLOTS, COUNT, TRY, RUNNING, ENDS, DONE };

static const struct cs_column columns[] = {
    [TASK] = {.key = "task", .kind = CS_COLUMN_WORD},
    [SLOTS] = {.key = "slots", .kind = CS_COLUMN_WORD},
    [COUNT] = {.key = "procs", .kind = CS_COLUMN_COUNT},
    [TRY] = {.key = "try", .kind = CS_COLUMN_COUNT},
    [RUNNING] = {.key = "running", .kind = CS_COLUMN_WORD},
    [ENDS] = {.key = "ends", .kind = CS_COLUMN_WORD},
    [DONE] = {.key = "done", .kind = CS_COLUMN_WORD},
};

bool cs_run_live_is_possible(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

bool cs_run_live_is_ours(void)
{
    return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static void measure(int *wide, int *high)
{
    struct winsize size = {0};

    *wide = 80;
    *high = 24;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size))
        return;
    *wide = size.ws_col ? size.ws_col : *wide;
    *high = size.ws_row ? size.ws_row : *high;
}

bool cs_run_live_is_resized(const struct cs_run_live *live)
{
    int wide, high;

    measure(&wide, &high);
    return wide != live->columns || high != live->rows;
}

/* Has it been stopped by ^S, or does nobody read it? */
static bool is_stuck(void)
{
    struct pollfd at = {.fd = STDERR_FILENO, .events = POLLOUT};

    return poll(&at, 1, 0) != 1 || !(at.revents & POLLOUT);
}

/* The line at *text, without its end; *text moves behind it.  False: there is none. */
static bool next_line(const char **text, struct cs_strbuf *line)
{
    size_t length = strcspn(*text, "\n");

    cs_strbuf_clear(line);
    if (!**text)
        return false;
    cs_strbuf_append(line, *text, length);
    *text += length + ((*text)[length] != '\0');
    return true;
}

/* Rows of the terminal that the old lines take, as wide as it is now. */
static int rows_drawn(const struct cs_run_live *live, int wide)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    const char *at = live->drawn.text;
    int rows = 0;

    while (next_line(&at, &line)) {
        int width = cs_text_columns(line.text);

        rows += width > wide ? (width + wide - 1) / wide : 1;
    }
    cs_strbuf_release(&line);
    return rows;
}

static void go_back(const struct cs_run_live *live, int wide, struct cs_strbuf *out)
{
    int rows = rows_drawn(live, wide);

    cs_strbuf_putc(out, '\r');
    if (rows)
        cs_strbuf_printf(out, "\033[%dA", rows);
}

static void put_bar(struct cs_strbuf *out, double share, bool shown, int wide)
{
    int full = (int)(share * BAR);

    for (int k = 0; wide >= ROOM_FOR_BAR && k < BAR; k++)
        cs_strbuf_putc(out, k < full ? '#' : '.');
    cs_strbuf_printf(out, "%s%s%.0f %%", wide >= ROOM_FOR_BAR ? " " : "", shown ? "" : "~",
                     100 * share);
}

/* As it shows, or by the time that it was expected to take. */
static void put_done(struct cs_strbuf *out, const struct cs_run_running *attempt, double spent,
                     int wide)
{
    if (attempt->shows && isfinite(attempt->progress))
        put_bar(out, fmin(fmax(attempt->progress, 0), 1), true, wide);
    else if (attempt->expected > 0 && !attempt->shows)
        put_bar(out, fmin(spent / attempt->expected, 1), false, wide);
}

/* By the plan, or as it is foreseen. */
static void put_ends(struct cs_strbuf *out, const struct cs_run_running *attempt, double now)
{
    const double end = attempt->end;

    if (attempt->stops) {
        cs_strbuf_puts(out, "is to stop");
    } else if (!isfinite(end)) {
        cs_strbuf_putc(out, '-');
    } else {
        cs_strbuf_puts(out, end >= now ? "in " : "late ");
        cs_human_duration(out, fabs(end - now) < 60 ? ceil(fabs(end - now)) : fabs(end - now));
    }
}

static void put_slots(struct cs_strbuf *out, const struct cs_run_running *attempt)
{
    for (int k = 0, first = 0; k < attempt->procs; k++) {
        if (k + 1 < attempt->procs && attempt->slot[k + 1] == attempt->slot[k] + 1)
            continue;
        cs_strbuf_printf(out, "%s%d", first ? "," : "", attempt->slot[first]);
        if (k > first)
            cs_strbuf_printf(out, "-%d", attempt->slot[k]);
        first = k + 1;
    }
}

static void add_word(struct cs_table *table, struct cs_strbuf *word)
{
    cs_table_text(table, word->length ? word->text : NULL);
    cs_strbuf_clear(word);
}

static void add_row(struct cs_table *table, const struct cs_run_running *attempt, double now,
                    int wide)
{
    const double spent = fmax(now - attempt->start, 0);
    struct cs_strbuf word = CS_STRBUF_INIT;

    cs_table_text(table, attempt->task);
    put_slots(&word, attempt);
    add_word(table, &word);
    cs_table_count(table, attempt->procs);
    cs_table_count(table, attempt->attempt);
    cs_human_duration(&word, spent < 60 ? floor(spent) : spent);
    add_word(table, &word);
    put_ends(&word, attempt, now);
    add_word(table, &word);
    put_done(&word, attempt, spent, wide);
    add_word(table, &word);
    cs_strbuf_release(&word);
}

static void put_table(struct cs_strbuf *out, const struct cs_run_look *run, double now, int shown,
                      int wide)
{
    struct cs_run_running attempt = {.size = sizeof attempt};
    struct cs_column these[sizeof columns / sizeof *columns];
    struct cs_table *table;

    memcpy(these, columns, sizeof columns);
    these[SLOTS].hidden = wide < ROOM_FOR_SLOTS;
    these[TRY].hidden = wide < ROOM_FOR_BAR;
    table = cs_table_create(these, sizeof these / sizeof *these);
    for (int a = 0; a < shown && !cs_run_look_running(run, a, &attempt); a++)
        add_row(table, &attempt, now, wide);
    cs_table_write(table, CS_TABLE_TEXT, wide - 1, out);
    cs_table_destroy(table);
}

/* Rows left for attempts below so many lines; the cursor has one of its own. */
static int room_for(int running, int head, int high)
{
    int room = high - 1 - head - (LINES_AROUND - 1);

    if (room >= running)
        return running;
    return room > 1 ? room - 1 : 0;
}

static int count_lines(const char *text)
{
    int lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void put_all(struct cs_strbuf *out, const struct cs_run_look *run,
                    const struct cs_run_state *state, const char *head, int wide, int high)
{
    int shown = room_for(state->running, count_lines(head), high);

    cs_strbuf_puts(out, head);
    if (shown)
        put_table(out, run, state->now, shown, wide);
    if (shown && shown < state->running)
        cs_strbuf_printf(out, "and %d more\n", state->running - shown);
}

/* No wider than the terminal, nor higher. */
static void cut(struct cs_strbuf *out, const char *text, int wide, int high)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    for (int k = 0; k < high - 1 && next_line(&text, &line); k++) {
        cs_text_elide_columns(out, line.text, wide > 1 ? wide - 1 : 1);
        cs_strbuf_putc(out, '\n');
    }
    cs_strbuf_release(&line);
}

/* Over what stands there, line by line, so that nothing flickers. */
static void show(struct cs_strbuf *out, const char *text)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    while (next_line(&text, &line)) {
        cs_strbuf_put_shown(out, line.text, line.length, false);
        cs_strbuf_puts(out, "\033[K\n");
    }
    cs_strbuf_puts(out, "\033[J");
    cs_output_draw(out->text);
    cs_strbuf_release(&line);
}

void cs_run_live_draw(struct cs_run_live *live, const struct cs_run_look *run,
                      const struct cs_run_state *state, const char *head)
{
    struct cs_strbuf all = CS_STRBUF_INIT, out = CS_STRBUF_INIT;

    if (is_stuck())
        return;
    if (live->wakes != state->wakes)
        cs_strbuf_clear(&live->drawn);
    live->wakes = state->wakes;
    measure(&live->columns, &live->rows);
    put_all(&all, run, state, head, live->columns, live->rows);
    go_back(live, live->columns, &out);
    cs_strbuf_clear(&live->drawn);
    cut(&live->drawn, all.text, live->columns, live->rows);
    show(&out, live->drawn.text);
    cs_strbuf_release(&all);
    cs_strbuf_release(&out);
}

void cs_run_live_wipe(struct cs_run_live *live)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    int wide, high;

    if (!live->drawn.length)
        return;
    measure(&wide, &high);
    go_back(live, wide, &out);
    cs_strbuf_puts(&out, "\033[J");
    cs_output_draw(out.text);
    cs_strbuf_clear(&live->drawn);
    cs_strbuf_release(&out);
}

void cs_run_live_release(struct cs_run_live *live)
{
    cs_strbuf_release(&live->drawn);
}
