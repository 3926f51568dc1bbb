/* run.c - cosched run: what is planned, or queued, is run for real. */
#define _GNU_SOURCE
#include "base/clock.h"
#include "base/strbuf.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "report/human.h"
#include "report/table.h"
#include "report/text_metrics.h"

#include <cosched/run.h>

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A table on a terminal, or one line that is rewritten; otherwise a line a minute.
 * Failures have separate lines. */

struct cs_run_live {
    struct cs_strbuf drawn; /* the text on the terminal: whole lines; begins as CS_STRBUF_INIT */
    int wakes;              /* of the state at that time */
    int columns, rows;      /* of the terminal */
};

/* How far it is: a table where there is a terminal for one, one line there, or nothing.  Elsewhere
 * a line a minute. */
enum cs_run_style { CS_RUN_AUTO, CS_RUN_LINE, CS_RUN_QUIET };

struct cs_run_viewer {
    enum cs_run_style style;
    bool terminal, drawn;
    double shown; /* when, on a clock that never goes back */
    struct cs_run_live live;
};

/* the cursor rests below the table: what the terminal echoes does not break a line of it.
 *
 * Every line is shorter than the terminal is wide, so that it stays one; when the terminal becomes
 * narrower it folds the old ones, which is why they are kept.
 */

#define BAR 10            /* characters */
#define LINES_AROUND 3    /* heading, rule, "and others" */
#define ROOM_FOR_SLOTS 72 /* columns of the terminal */
#define ROOM_FOR_BAR 56

enum { TASK, SLOTS, COUNT, TRY, RUNNING, ENDS, DONE };

static const struct cs_column watch_columns[] = {
    [TASK] = {.key = "task", .kind = CS_COLUMN_WORD},
    [SLOTS] = {.key = "slots", .kind = CS_COLUMN_WORD},
    [COUNT] = {.key = "procs", .kind = CS_COLUMN_COUNT},
    [TRY] = {.key = "try", .kind = CS_COLUMN_COUNT},
    [RUNNING] = {.key = "running", .kind = CS_COLUMN_WORD},
    [ENDS] = {.key = "ends", .kind = CS_COLUMN_WORD},
    [DONE] = {.key = "done", .kind = CS_COLUMN_WORD},
};

/* Can standard error show one, and is it this process's to draw on? */
static bool run_live_is_possible(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static bool run_live_is_ours(void)
{
    return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static void run_measure(int *wide, int *high)
{
    struct winsize size = {0};

    *wide = 80;
    *high = 24;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size))
        return;
    *wide = size.ws_col ? size.ws_col : *wide;
    *high = size.ws_row ? size.ws_row : *high;
}

/* Has the terminal got another size? */
static bool run_live_is_resized(const struct cs_run_live *live)
{
    int wide, high;

    run_measure(&wide, &high);
    return wide != live->columns || high != live->rows;
}

/* Is the output stopped by ^S, or not read? */
static bool is_stuck(void)
{
    struct pollfd at = {.fd = STDERR_FILENO, .events = POLLOUT};

    return poll(&at, 1, 0) != 1 || !(at.revents & POLLOUT);
}

/* The line at *text, without its end; *text is advanced past it. False at the end. */
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

static void run_put_table(struct cs_strbuf *out, const struct cs_run_view *run, double now,
                          int shown, int wide)
{
    struct cs_run_running attempt = {.size = sizeof attempt};
    struct cs_column these[sizeof watch_columns / sizeof *watch_columns];
    struct cs_table *table;

    memcpy(these, watch_columns, sizeof watch_columns);
    these[SLOTS].hidden = wide < ROOM_FOR_SLOTS;
    these[TRY].hidden = wide < ROOM_FOR_BAR;
    table = cs_table_create(these, sizeof these / sizeof *these);
    for (int a = 0; a < shown && !cs_run_view_running(run, a, &attempt); a++)
        add_row(table, &attempt, now, wide);
    cs_table_write(table, CS_TABLE_TEXT, wide - 1, out);
    cs_table_destroy(table);
}

/* Rows for attempts below `head` lines; the cursor has a separate one. */
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

static void put_all(struct cs_strbuf *out, const struct cs_run_view *run,
                    const struct cs_run_state *state, const char *head, int wide, int high)
{
    int shown = room_for(state->running, count_lines(head), high);

    cs_strbuf_puts(out, head);
    if (shown)
        run_put_table(out, run, state->now, shown, wide);
    if (shown && shown < state->running)
        cs_strbuf_printf(out, "and %d more\n", state->running - shown);
}

/* No wider than the terminal, nor higher. */
static void run_cut(struct cs_strbuf *out, const char *text, int wide, int high)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    for (int k = 0; k < high - 1 && next_line(&text, &line); k++) {
        cs_text_elide_columns(out, line.text, wide > 1 ? wide - 1 : 1);
        cs_strbuf_putc(out, '\n');
    }
    cs_strbuf_release(&line);
}

/* Overwrite the old text line by line, without flicker. */
static void watch_show(struct cs_strbuf *out, const char *text)
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

/* The lines of `head`, and what runs; as much as there is room for.  Nothing while the terminal
 * takes nothing. */
static void run_live_draw(struct cs_run_live *live, const struct cs_run_view *run,
                          const struct cs_run_state *state, const char *head)
{
    struct cs_strbuf all = CS_STRBUF_INIT, out = CS_STRBUF_INIT;

    if (is_stuck())
        return;
    if (live->wakes != state->wakes)
        cs_strbuf_clear(&live->drawn);
    live->wakes = state->wakes;
    run_measure(&live->columns, &live->rows);
    put_all(&all, run, state, head, live->columns, live->rows);
    go_back(live, live->columns, &out);
    cs_strbuf_clear(&live->drawn);
    run_cut(&live->drawn, all.text, live->columns, live->rows);
    watch_show(&out, live->drawn.text);
    cs_strbuf_release(&all);
    cs_strbuf_release(&out);
}

/* Erase the text. */
static void run_live_wipe(struct cs_run_live *live)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    int wide, high;

    if (!live->drawn.length)
        return;
    run_measure(&wide, &high);
    go_back(live, wide, &out);
    cs_strbuf_puts(&out, "\033[J");
    cs_output_draw(out.text);
    cs_strbuf_clear(&live->drawn);
    cs_strbuf_release(&out);
}

static void run_live_release(struct cs_run_live *live)
{
    cs_strbuf_release(&live->drawn);
}

#define OFTEN 0.2 /* seconds between two lines on a terminal */
#define SELDOM 60.0

static void run_wipe(struct cs_run_viewer *watch)
{
    if (watch->drawn)
        cs_output_draw("\r\033[K");
    watch->drawn = false;
    run_live_wipe(&watch->live);
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

static void draw_table(struct cs_run_viewer *watch, const struct cs_run_view *run,
                       const struct cs_run_state *state, struct cs_strbuf *text)
{
    cs_strbuf_putc(text, '\n');
    put_makespan(text, state);
    run_live_draw(&watch->live, run, state, text->text);
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
    if (watch->style == CS_RUN_QUIET || (watch->terminal && !run_live_is_ours()))
        return false;
    if (watch->live.drawn.length && run_live_is_resized(&watch->live))
        return true;
    return now >= watch->shown + (watch->terminal ? OFTEN : SELDOM);
}

static void run_inspect(void *who, const struct cs_run_view *run)
{
    struct cs_run_viewer *watch = who;
    struct cs_run_state state = {.size = sizeof state};
    struct cs_strbuf text = CS_STRBUF_INIT;
    double now = cs_clock_now();

    if (!is_time(watch, now) || cs_run_view_state(run, &state))
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

static void watch_say(void *who, const char *error_text)
{
    run_wipe(who);
    cs_output_error(error_text);
}

/* *watch is that of the library, for the viewer. */
static void run_viewer_init(struct cs_run_viewer *watch, enum cs_run_style style,
                            struct cs_run_watch *out)
{
    *watch = (struct cs_run_viewer){
        .style = style, .terminal = run_live_is_possible(), .live.drawn = CS_STRBUF_INIT};
    watch->shown = watch->terminal ? -1 : cs_clock_now();
    *out = (struct cs_run_watch){
        .size = sizeof *out,
        .show = run_inspect,
        .say = watch_say,
        .foresee = style != CS_RUN_QUIET,
        .plan = watch->terminal && style == CS_RUN_AUTO,
        .who = watch,
    };
}

/* The executor has ended. */
static void run_viewer_end(struct cs_run_viewer *watch, const struct cs_run_ended *ended)
{
    const int over = ended->done + ended->failed + ended->skipped;
    struct cs_strbuf folder = CS_STRBUF_INIT, text = CS_STRBUF_INIT;

    if (!ended->tasks)
        return;
    run_wipe(watch);
    run_live_release(&watch->live);
    cs_strbuf_put_shell(&folder, ended->folder);
    if (ended->ending == CS_RUN_ASKED_TO_STOP || ended->ending == CS_RUN_SIGNALLED)
        cs_strbuf_printf(&text,
                         "%d of %d tasks done, %d left; to continue: cosched run --resume "
                         "%s",
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

/* who would start when on which slots, and the words of each command. */

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "start", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "end", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "slots", .kind = CS_COLUMN_WORD},
    {.key = "cores", .kind = CS_COLUMN_WORD},
    {.key = "command", .kind = CS_COLUMN_WORD},
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* As a shell takes it. */
static void run_put_command(struct cs_table *table, const json_t *command)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const json_t *word;
    size_t w;

    json_array_foreach(command, w, word)
    {
        if (w)
            cs_strbuf_putc(&text, ' ');
        cs_strbuf_put_shell(&text, json_string_value(word));
    }
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static void run_show(const json_t *reported)
{
    struct cs_table *table = cs_table_create(columns, (int)COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    const json_t *start;
    size_t s;

    json_array_foreach(json_object_get(reported, "starts"), s, start)
    {
        cs_rows_put(table, columns, COLUMNS - 1, start);
        run_put_command(table, json_object_get(start, "command"));
    }
    cs_output_table(table, CS_TABLE_TEXT, 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static int run_save(const json_t *reported, const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_puts(&text, json_string_value(json_object_get(reported, "schedule")));
    return cs_output_save(path, &text, err);
}

static void run_say(void *who, const char *error_text)
{
    (void)who;
    cs_output_error(error_text);
}

/* The table to standard output, and the schedule to a file, or nowhere (NULL).  -1 with err. */
static int cli_dry_run(const char *input, const struct cs_run_options *options, const char *path,
                       struct cs_error *err)
{
    const struct cs_watch watch = {.size = sizeof watch, .warn = run_say};
    json_t *reported;
    int status;

    if (cs_output_check(path, err))
        return -1;
    reported = cs_rows_parse(cs_run_dry(input, options, &watch, err));
    if (!reported)
        return -1;
    run_show(reported);
    status = path ? run_save(reported, path, err) : 0;
    json_decref(reported);
    return status;
}

/* Everything after "--" is the command, one argument a word. */
static int command_at(const struct cs_arguments *args)
{
    for (int w = 0; w < args->words; w++)
        if (!strcmp(args->word[w], "--"))
            return w + 1;
    return args->words;
}

/* A resumed run keeps its settings. */
static int check_resume(const struct cs_arguments *args, struct cs_error *err)
{
    static const char *const begins[] = {"into",    "engine", "policy",      "priority",
                                         "barrier", "set",    "allow-group", NULL};

    if (args->operands)
        return cs_error_set(err, "--resume takes only the directory of the run");
    if (cs_arguments_has(args, "dry-run"))
        return cs_error_set(err, "--dry-run shows what a new run would do; of one that has begun: "
                                 "cosched run status");
    for (const char *const *name = begins; *name; name++)
        if (cs_arguments_has(args, *name))
            return cs_error_set(err, "--%s is for a new run; a resumed run keeps its settings",
                                *name);
    return 0;
}

static int check_line(const struct cs_arguments *args, struct cs_error *err)
{
    bool resumes = cs_arguments_has(args, "resume");
    int words = args->words - command_at(args), supplied = args->operands - words;

    if (resumes)
        return check_resume(args, err);
    if (supplied != 1)
        return cs_error_set(err, supplied > 1 ? "one INPUT is expected; the command goes after --"
                                              : "INPUT is missing: a plan, a list of jobs or a run "
                                                "file");
    if (!cs_arguments_has(args, "into") && !cs_arguments_has(args, "dry-run"))
        return cs_error_set(err, "--into RUN is missing: the folder for everything about the run");
    return 0;
}

static struct cs_run_options options_of(const struct cs_arguments *args)
{
    const int first = command_at(args);
    struct cs_run_options how;

    cs_run_defaults(&how);
    how.command = (const char *const *)args->word + first;
    how.words = args->words - first;
    how.set = cs_arguments_texts(args, "set", &how.settings);
    how.engine = cs_arguments_text(args, "engine");
    how.policy = cs_arguments_text(args, "policy");
    how.priority = cs_arguments_text(args, "priority");
    how.barrier = cs_arguments_has(args, "barrier");
    how.strict = cs_arguments_has(args, "strict");
    how.allow_group = cs_arguments_has(args, "allow-group");
    how.oversubscribe = cs_arguments_has(args, "oversubscribe");
    how.slots = cs_arguments_has(args, "slots") ? (int)cs_arguments_integer(args, "slots") : 0;
    how.durable = cs_arguments_has(args, "durable");
    how.margin = cs_arguments_real(args, "margin");
    how.poll = cs_arguments_real(args, "poll");
    how.signals = true;
    how.kill = cs_arguments_choice(args, "resume-with") == 1;
    how.retry_failed = cs_arguments_has(args, "retry-failed");
    how.declare_lost = cs_arguments_has(args, "assume-lost");
    return how;
}

static int exit_of(const struct cs_run_ended *ended)
{
    static const int status[] = {
        [CS_RUN_ALL_DONE] = CS_EXIT_DONE,
        [CS_RUN_SOME_FAILED] = CS_EXIT_FAILED,
        [CS_RUN_ASKED_TO_STOP] = CS_EXIT_STOPPED,
    };

    return ended->ending == CS_RUN_SIGNALLED ? CS_EXIT_SIGNAL + ended->signal
                                             : status[ended->ending];
}

/* The run that the command line starts or resumes. */
static int run_work(const struct cs_arguments *args, const struct cs_run_options *how,
                    struct cs_run_ended *ended, struct cs_error *err)
{
    struct cs_run_viewer viewer;
    struct cs_run_watch watch;
    int status;

    run_viewer_init(&viewer, (enum cs_run_style)cs_arguments_choice(args, "progress"), &watch);
    status = cs_arguments_has(args, "resume")
                 ? cs_run_resume(cs_arguments_text(args, "resume"), how, &watch, ended, err)
                 : cs_run_start(cs_arguments_operand(args, 0), cs_arguments_text(args, "into"), how,
                                &watch, ended, err);
    run_viewer_end(&viewer, ended);
    return status;
}

static int run_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_run_options how;
    struct cs_run_ended ended = {.ending = CS_RUN_ONLY_DRY};

    if (check_line(args, err))
        return CS_EXIT_USAGE;
    how = options_of(args);
    if (!cs_arguments_has(args, "dry-run") && run_work(args, &how, &ended, err))
        return -1;
    return ended.ending == CS_RUN_ONLY_DRY ? cli_dry_run(cs_arguments_operand(args, 0), &how,
                                                         cs_arguments_text(args, "output"), err)
                                           : exit_of(&ended);
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .optional = true,
     .kind = CS_PARAM_PATH,
     .summary = "a plan to follow (pack plan or schedule); jobs to queue (CSV with the columns "
                "name,procs,seconds); or a run file (cosched-run-1)"},
    {.name = "COMMAND",
     .optional = true,
     .repeats = true,
     .kind = CS_PARAM_TEXT,
     .summary = "after --: what each task runs, one argument a word; {name}, {procs} and others "
                "stand for values of the task"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "into",
     .kind = CS_PARAM_PATH,
     .argument = "RUN",
     .group = "Start or resume",
     .summary = "a new folder for everything about the run"},
    {.name = "resume",
     .kind = CS_PARAM_PATH,
     .argument = "RUN",
     .summary = "resume a run after a stop, a kill or a reboot; attempts that still run are "
                "adopted"},
    {.name = "resume-with",
     .needs = "resume",
     .kind = CS_PARAM_CHOICE,
     .choices = "adopt|kill",
     .default_text = "adopt",
     .summary = "what happens to what still runs"},
    {.name = "retry-failed",
     .needs = "resume",
     .kind = CS_PARAM_FLAG,
     .summary = "tasks that failed for good, and those that were skipped because of them, get new "
                "tries"},
    {.name = "assume-lost",
     .old = "declare-lost",
     .needs = "resume",
     .kind = CS_PARAM_FLAG,
     .summary = "treat attempts on unreachable hosts as lost"},
    {.name = "dry-run",
     .kind = CS_PARAM_FLAG,
     .summary = "only show the planned start, slots and command of each task; start nothing, "
                "write only --output"},
    {.name = "output",
     .letter = 'o',
     .old = "schedule",
     .needs = "dry-run",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "with --dry-run: write the schedule (cosched-schedule-1)"},
    {.name = "engine",
     .kind = CS_PARAM_CHOICE,
     .choices = "local|slurm|dry",
     .group = "How",
     .summary = "where: on this machine, as steps of the Slurm allocation that this is part of, or "
                "not at all; default: slurm for a plan in nodes, else local"},
    {.name = "slots",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "slots of this machine; default: one a core, for a plan as many as it has "
                "processors; with --resume how many there are from now on"},
    {.name = "oversubscribe",
     .kind = CS_PARAM_FLAG,
     .summary = "more slots than cores are fine: programs are not pinned, and times mean little"},
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .summary = "jobs: the policy of 'cosched list rigid' that starts them, except program "
                "(default: easy)"},
    {.name = "priority",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .summary = "jobs: who is looked at first; default: lpt"},
    {.name = "barrier",
     .kind = CS_PARAM_FLAG,
     .summary = "plans: a pack waits for all of the pack before"},
    CS_PARAM_STRICT_ROW,
    {.name = "set",
     .kind = CS_PARAM_TEXT,
     .argument = "KEY=JSON",
     .repeats = true,
     .summary = "a setting of all tasks, such as retries=0, timeout=\"3x\" or "
                "verify='[\"./check\",\"{out}\"]'"},
    {.name = "allow-group",
     .kind = CS_PARAM_FLAG,
     .summary = "a run file that others of its group may write to is fine"},
    {.name = "durable",
     .kind = CS_PARAM_FLAG,
     .summary = "also a power cut loses nothing; takes milliseconds a decision"},
    {.name = "margin",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "120",
     .low = 0,
     .high = 1e9,
     .summary = "after SIGTERM: time that running attempts get to end (seconds)"},
    {.name = "poll",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "1",
     .low = 0.01,
     .high = 1e6,
     .summary = "how often progress and saved state of applications that show them are looked at"},
    {.name = "progress",
     .kind = CS_PARAM_CHOICE,
     .choices = "auto|line|none",
     .default_text = "auto",
     .summary = "how far it is, on standard error: on a terminal a table of what runs, or one "
                "line; elsewhere a line a minute"},
    {0},
};

static const struct cs_example examples[] = {
    {"A plan of packs, with real programs:",
     "cosched plan pack apps.csv --procs 8 -o plan.json && cosched run plan.json --into run1 -- "
     "./bin/{name} --procs {procs}"},
    {"A queue of jobs under EASY backfilling, each tried three times:",
     "cosched run jobs.csv --policy easy --slots 8 --into run2 -- ./simulate --case {name}"},
    {"Show the plan without running it:",
     "cosched run jobs.csv --slots 8 --dry-run -- ./simulate {name}"},
    {"Applications that save their state, resized when one ends:",
     "cosched run examples/stencil/run.json --into run3"},
    {"Resume after a kill:", "cosched run --resume run2"},
    {0},
};

const struct cs_command cs_command_run = {
    .words = "run",
    .summary = "run a plan or a queue of jobs for real",
    .description =
        "A plan is followed: a task starts as soon as the earlier tasks on its processors and "
        "its dependencies have succeeded. Jobs are queued: a list policy, the same as in "
        "'simulate rigid', starts them. Applications that save their state are widened and "
        "narrowed while they run, by the policies of 'simulate malleable' (a run file, "
        "\"decide\": \"resize\"). A separate keeper process supervises each attempt, so the "
        "executor may be killed at any time: --resume continues, adopts running attempts, runs "
        "no attempt twice and loses no result.\n\n"
        "A task that fails is tried again (retries, 2 more times), also when its verification "
        "rejects the result (max_corrupt, 100) or its timeout expires. Leftover processes of a "
        "program are killed. Settings come from a run file or from --set.\n\n"
        "Ctrl-C: no further attempt starts and running attempts may end; again: they are "
        "stopped. No shell is involved unless a run file asks for one.\n\n"
        "Exit status: 0 if every task has succeeded, 3 if some have failed permanently, 4 if the "
        "run was stopped by 'run stop', 130 or 143 after a signal.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run_run,
};
