/* run_schedule.c - cosched run schedule: what ran, against what was planned. */
#include "run/story.h"
#include "study/rows.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/order.h"
#include "base/stats.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "io/schedule_json.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/picture.h"
#include "report/table.h"
#include "study/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "procs", .heading = "slots", .kind = CS_COLUMN_COUNT},
    {.key = "planned_start",
     .heading = "planned",
     .unit = "s",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "start", .heading = "started", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "planned_seconds",
     .heading = "planned",
     .unit = "s",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "seconds", .heading = "took", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "ratio", .kind = CS_COLUMN_DIGITS, .digits = 3},
    {.key = "tries", .kind = CS_COLUMN_COUNT},
    {.key = "state", .kind = CS_COLUMN_WORD},
};

/* No processors: none. */
struct span {
    double start, end;
    int procs;
};

struct scene {
    struct cs_run_story *story;
    struct cs_schedule *ran, *planned;
    struct span *plan, *well; /* by task: as planned, and as it ran to its good end */
};

/* From the first part to the end of the last, which counts for its slots. */
static void widen(struct span *span, double start, double end, int procs)
{
    span->start = span->procs ? fmin(span->start, start) : start;
    span->end = span->procs ? fmax(span->end, end) : end;
    span->procs = procs;
}

static int procs_of(const struct cs_bar *bar)
{
    int procs = 0;

    for (int k = 0; k < bar->intervals; k++)
        procs += bar->procs[k].last - bar->procs[k].first + 1;
    return procs;
}

static void index_plan(struct scene *s)
{
    const struct cs_bar *bar;
    size_t count;

    s->plan = CS_NEW_ARRAY(s->story->arena, struct span, s->story->setup.tasks);
    s->well = CS_NEW_ARRAY(s->story->arena, struct span, s->story->setup.tasks);
    bar = cs_schedule_bars(s->planned, &count);
    for (size_t b = 0; b < count; b++)
        widen(&s->plan[bar[b].task], bar[b].start, bar[b].end, procs_of(&bar[b]));
    for (int64_t a = 0; a < s->story->tales; a++) {
        const struct cs_run_tale *t = &s->story->tale[a];

        if (t->outcome == CS_RUN_OK ||
            (t->outcome && s->story->setup.task[t->task].settings->checkpoint))
            widen(&s->well[t->task], isnan(t->began) ? t->start : t->began, t->ended, t->procs);
    }
}

static void put_row(struct cs_table *table, const struct scene *s, int task)
{
    const struct cs_run_ledger *ledger = &s->story->run.ledger[task];
    const bool done = ledger->state == CS_RUN_DONE;
    const struct span *well = &s->well[task], *plan = &s->plan[task];
    double planned = plan->procs ? plan->end - plan->start : NAN;
    double took = done ? well->end - well->start : NAN;

    cs_table_text(table, s->story->setup.task[task].name);
    cs_table_count(table, s->story->setup.workload && well->procs
                              ? well->procs
                              : s->story->setup.task[task].procs);
    cs_table_number(table, plan->procs ? plan->start : NAN);
    cs_table_number(table, done ? well->start : NAN);
    cs_table_number(table, planned);
    cs_table_number(table, took);
    cs_table_number(table, took / planned);
    cs_table_count(table, ledger->tries);
    cs_table_text(table, cs_run_task_state_name((enum cs_run_task_state)ledger->state));
}

static void put_area(struct cs_strbuf *out, const char *word, double area, double all)
{
    if (!(area > 0))
        return;
    cs_strbuf_printf(out, ", %s ", word);
    cs_human_percent(out, area / all, 1);
}

/* Slot seconds by what was done in them; what was lost, by how attempts ended. */
static void put_losses(const struct scene *s, struct cs_strbuf *out)
{
    double area[CS_BAR_KIND_LAST + 1] = {0}, lost[CS_RUN_OUTCOME_LAST + 1] = {0}, all;
    const struct cs_bar *bar;
    size_t count;

    bar = cs_schedule_bars(s->ran, &count);
    for (size_t b = 0; b < count; b++)
        area[bar[b].kind] += (bar[b].end - bar[b].start) * procs_of(&bar[b]);
    for (int64_t a = 0; a < s->story->tales; a++) {
        const struct cs_run_tale *t = &s->story->tale[a];

        if (t->outcome && isfinite(t->began) && !s->story->setup.task[t->task].settings->checkpoint)
            lost[t->outcome] += (t->ended - t->began) * t->procs;
    }
    all = cs_schedule_makespan(s->ran) * s->story->slots;
    cs_strbuf_puts(out, "use of the slots    ");
    cs_human_percent(out, all > 0 ? area[CS_BAR_WORK] / all : NAN, 1);
    put_area(out, "verification", area[CS_BAR_VERIFY], all);
    put_area(out, "moves and restarts",
             area[CS_BAR_MOVE] + area[CS_BAR_RECOVERY] + area[CS_BAR_CHECKPOINT], all);
    for (int o = CS_RUN_CORRUPT; o <= CS_RUN_LOST; o++) {
        put_area(out, cs_run_outcome_name((enum cs_run_outcome)o), lost[o], all);
        area[CS_BAR_LOST] -= lost[o];
    }
    put_area(out, "not saved", area[CS_BAR_LOST] > 1e-9 * all ? area[CS_BAR_LOST] : 0, all);
    cs_strbuf_putc(out, '\n');
}

/* From a decision to its program. */
static void put_overhead(const struct scene *s, struct cs_strbuf *out)
{
    double *wait = CS_NEW_ARRAY(s->story->arena, double, s->story->tales);
    int count = 0;

    for (int64_t a = 0; a < s->story->tales; a++)
        if (isfinite(s->story->tale[a].began))
            wait[count++] = s->story->tale[a].began - s->story->tale[a].start;
    if (!count)
        return;
    cs_order_sort_doubles(wait, count, s->story->arena);
    cs_strbuf_puts(out, "decision to program ");
    cs_human_duration(out, cs_stats_quantile_sorted(wait, count, 0.5));
    cs_strbuf_puts(out, " in the median, 99 % within ");
    cs_human_duration(out, cs_stats_quantile_sorted(wait, count, 0.99));
    cs_strbuf_putc(out, '\n');
}

static void put_summary(const struct scene *s, struct cs_strbuf *out)
{
    double ran = cs_schedule_makespan(s->ran), planned = cs_schedule_makespan(s->planned);

    cs_strbuf_puts(out, "makespan            ");
    cs_human_duration(out, ran);
    cs_strbuf_puts(out, ", planned ");
    cs_human_duration(out, planned);
    if (planned > 0) {
        cs_strbuf_puts(out, ": ");
        cs_human_digits(out, ran / planned, 3);
        cs_strbuf_puts(out, " of it");
    }
    cs_strbuf_printf(out, "\ntasks               %d of %d done\n",
                     s->story->run.in_state[CS_RUN_DONE], s->story->setup.tasks);
    put_losses(s, out);
    put_overhead(s, out);
    cs_strbuf_putc(out, '\n');
}

static void show(const struct scene *s, int format)
{
    static const enum cs_table_format formats[] = {CS_TABLE_TEXT, CS_TABLE_JSON, CS_TABLE_CSV};
    struct cs_table *table = cs_table_create(columns, (int)(sizeof columns / sizeof *columns));
    struct cs_strbuf out = CS_STRBUF_INIT;

    for (int t = 0; t < s->story->setup.tasks; t++)
        put_row(table, s, t);
    if (format == CS_FORMAT_TABLE)
        put_summary(s, &out);
    cs_output_table(table, formats[format], 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

/* Whose attempts go on where those before ended. */
static void put_saves(struct cs_jsonw *w, const struct cs_run_setup *setup)
{
    bool some = false;

    for (int t = 0; t < setup->tasks; t++)
        some = some || setup->task[t].settings->checkpoint;
    if (!some)
        return;
    cs_jsonw_key(w, "saves");
    cs_jsonw_open_flat(w, '[');
    for (int t = 0; t < setup->tasks; t++)
        if (setup->task[t].settings->checkpoint)
            cs_jsonw_string(w, setup->task[t].name);
    cs_jsonw_close(w);
}

static void put_observed(struct cs_jsonw *w, const struct scene *s)
{
    time_t began = (time_t)s->story->began;
    char text[40] = "";
    struct tm parts;

    if (gmtime_r(&began, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cs_jsonw_key(w, "observed");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "run", s->story->id);
    cs_jsonw_put_string(w, "began", text);
    cs_jsonw_put_string(w, "engine", s->story->engine);
    cs_jsonw_key(w, "slots");
    cs_jsonw_open_flat(w, '[');
    for (int k = 0; k < s->story->slots; k++)
        cs_jsonw_string(w, s->story->host[k]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "failed");
    cs_jsonw_open_flat(w, '[');
    for (int t = 0; t < s->story->setup.tasks; t++)
        if (s->story->run.ledger[t].state != CS_RUN_DONE)
            cs_jsonw_string(w, s->story->setup.task[t].name);
    cs_jsonw_close(w);
    put_saves(w, &s->story->setup);
    cs_jsonw_close(w);
}

/* Were slots lost, and what was left planned again, in which tasks may become narrower? */
static bool was_planned_again(const struct scene *s)
{
    for (int64_t a = 0; s->story->setup.plan && a < s->story->tales; a++) {
        const struct cs_run_tale *t = &s->story->tale[a];

        if (t->procs != s->story->setup.task[t->task].procs)
            return true;
    }
    return false;
}

static void put_planned(struct cs_jsonw *w, const struct scene *s)
{
    const bool again = was_planned_again(s);

    cs_jsonw_key(w, "planned");
    cs_jsonw_open(w, '[');
    for (int t = 0; t < s->story->setup.tasks; t++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "start", s->plan[t].procs ? s->plan[t].start : NAN);
        cs_jsonw_put_double(w, "end", s->plan[t].procs ? s->plan[t].end : NAN);
        if (!again)
            cs_jsonw_put_int(w, "procs",
                             s->story->setup.workload ? s->plan[t].procs
                                                      : s->story->setup.task[t].procs);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static int save(const struct scene *s, const char *path, struct cs_error *err)
{
    const struct cs_run_setup *setup = &s->story->setup;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, s->ran, setup->plan ? setup->plan->policy : setup->policy);
    put_observed(&w, s);
    put_planned(&w, s);
    cs_schedule_json_put_tail(&w, s->ran, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_output_save(path, &text, err);
}

static int draw(const struct scene *s, const struct cs_arguments *args, const char *path,
                struct cs_error *err)
{
    struct cs_strbuf svg = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT;
    const char *title = cs_arguments_text(args, "title");
    struct cs_gantt_options options = {
        .title = title ? title : s->story->folder,
        .processor = "slot",
        .planned = s->planned,
        .style = cs_style(cs_arguments_given(args, "dark")),
    };
    int status;

    cs_strbuf_puts(&subtitle, "ran in ");
    cs_human_duration(&subtitle, cs_schedule_makespan(s->ran));
    cs_strbuf_puts(&subtitle, ", planned ");
    cs_human_duration(&subtitle, cs_schedule_makespan(s->planned));
    options.subtitle = subtitle.text;
    status = cs_gantt_svg(s->ran, &options, &svg, err);
    if (!status)
        status = cs_picture_write(path, svg.text, CS_PICTURE_DPI, err);
    cs_strbuf_release(&subtitle);
    cs_strbuf_release(&svg);
    return status;
}

/* What the file has already, when it is such a table. */
static int read_timings(const char *path, struct cs_strbuf *text, struct cs_error *err)
{
    static const char head[] = "app,procs,seconds\n";

    if (!strcmp(path, "-") || access(path, F_OK)) {
        cs_strbuf_puts(text, head);
        return 0;
    }
    if (cs_file_read(path, CS_FILE_LARGEST, text, err))
        return -1;
    if (!text->length)
        cs_strbuf_puts(text, head);
    if (strncmp(text->text, head, sizeof head - 1) != 0)
        return cs_error_set(err,
                            "%s: is there already and does not begin with %.17s; timings are "
                            "appended to such files only",
                            path, head);
    if (text->text[text->length - 1] != '\n')
        cs_strbuf_putc(text, '\n');
    return 0;
}

static int write_timings(const struct scene *s, const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = read_timings(path, &text, err);

    for (int64_t a = 0; a < s->story->tales; a++) {
        const struct cs_run_tale *t = &s->story->tale[a];

        if (t->outcome != CS_RUN_OK || isfinite(t->restart))
            continue;
        cs_csv_quote(&text, s->story->setup.task[t->task].name);
        cs_strbuf_printf(&text, ",%d,", t->procs);
        cs_strbuf_put_double(&text, t->ended - t->began);
        cs_strbuf_putc(&text, '\n');
    }
    if (!status)
        return cs_output_save(path, &text, err);
    cs_strbuf_release(&text);
    return -1;
}

static int make_all(struct scene *s, const struct cs_arguments *args, struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    const char *gantt = cs_arguments_text(args, "gantt");
    const char *timings = cs_arguments_text(args, "timings");

    s->planned = cs_run_story_planned(s->story, err);
    if (!s->planned)
        return -1;
    s->ran = cs_run_story_schedule(s->story);
    index_plan(s);
    if ((output && save(s, output, err)) || (gantt && draw(s, args, gantt, err)) ||
        (timings && write_timings(s, timings, err)))
        return -1;
    if (!output || strcmp(output, "-") != 0)
        show(s, cs_arguments_choice(args, "format"));
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    static const char *const files[] = {"output", "gantt", "timings", NULL};
    const char *gantt = cs_arguments_text(args, "gantt");
    struct scene s = {0};
    int status;

    if (gantt && cs_picture_check(gantt, err))
        return CS_EXIT_USAGE;
    if (cs_output_check_options(args, files, NULL, "", err))
        return -1;
    s.story = cs_run_story_read(cs_arguments_operand(args, 0), err);
    if (!s.story)
        return -1;
    status = make_all(&s, args, err);
    cs_schedule_destroy(s.ran);
    cs_schedule_destroy(s.planned);
    cs_run_story_destroy(s.story);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "RUN", .kind = CS_FIELD_PATH, .summary = "the folder of the run"},
    {0},
};

static const struct cs_field options[] = {
    CS_ROW_FORMAT("What comes out", 0),
    CS_ROW_WRITE("FILE.json",
                 "write what ran as JSON (cosched-schedule-1), which 'cosched check' judges and "
                 "'cosched report' shows",
                 0),
    CS_ROW_GANTT("draw what ran, with what was planned as outlines", 0),
    {.name = "timings",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "write, or append, app,procs,seconds of all attempts that ended well, for 'plan' "
                "and 'fit'"},
    CS_ROW_TITLE(0),
    CS_ROW_DARK(0),
    {0},
};

static const struct cs_example examples[] = {
    {"A picture of what ran beside what was planned:",
     "cosched run schedule run1 --gantt run1.svg"},
    {"Measured times for the next plan:",
     "cosched run schedule run1 --timings times.csv && cosched fit times.csv"},
    {"Is what ran valid?", "cosched run schedule run1 -o ran.json && cosched check ran.json"},
    {0},
};

const struct cs_command cs_command_run_schedule = {
    .words = "run schedule",
    .summary = "show what ran beside what was planned",
    .description =
        "The makespan, the use of the slots, what was lost and why, how long it took from a "
        "decision to its program; and for each task when it was planned to start, when it did, how "
        "long it was planned to take and how long it took. What was planned for a queue is what "
        "the same policy does when every attempt takes its time and none fails.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
