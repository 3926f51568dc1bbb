/* simulate_malleable_show.c - what the scenarios came to: one way in detail, several side by side.
 */
#include "cli/simulate_malleable.h"
#include "report/human.h"
#include "report/sample_rows.h"

#include <math.h>

enum {
    MAKESPAN,
    RATIO,
    STRUCK,
    FATAL,
    PLANS,
    MOVED,
    WORK,
    CHECKPOINT,
    LOST,
    DOWN,
    MOVE,
    IDLE,
    MEASURES,
};

#define HOUR 3600.0
#define DAY 86400.0

static const struct cs_measure measures[MEASURES] = {
    [MAKESPAN] = {"makespan", "makespan (s)", 1},
    [RATIO] = {"ratio", "makespan / bound", 1},
    [STRUCK] = {"struck", "failures that struck", 1},
    [FATAL] = {"fatal", "fatal in reality", 1},
    [PLANS] = {"plans", "redistributions", 1},
    [MOVED] = {"moved", "allocations changed", 1},
    [WORK] = {"work", "work (% of processor time)", 0.01},
    [CHECKPOINT] = {"checkpoint", "checkpoints (%)", 0.01},
    [LOST] = {"lost", "lost work (%)", 0.01},
    [DOWN] = {"down", "downtime, recovery (%)", 0.01},
    [MOVE] = {"move", "moves (%)", 0.01},
    [IDLE] = {"idle", "idle (%)", 0.01},
};

struct row {
    int way;
    struct cs_sample sample[MEASURES];
    double over_none, error; /* mean makespan over that without redistribution, and its standard
                                error; NaN where that was not run */
};

static const struct cs_malleable_outcome *outcomes(const struct cs_simulate_malleable *run, int way)
{
    return run->outcome + (size_t)way * (size_t)run->scenarios;
}

static double value_of(const struct cs_malleable_outcome *o, int procs, int measure)
{
    const struct cs_malleable_areas *a = &o->area;
    const double counts[] = {o->makespan,       o->makespan / o->lower_bound,
                             (double)o->struck, (double)o->fatal_in_reality,
                             (double)o->plans,  (double)o->moved};
    const double areas[] = {a->work, a->checkpoint, a->lost, a->down, a->move, a->idle};

    return measure < WORK ? counts[measure] : areas[measure - WORK] / (procs * o->makespan);
}

/* The way in which no processors move, or -1. */
static int find_none(const struct cs_simulate_malleable *run)
{
    for (int w = 0; w < run->ways; w++)
        if (run->way[w].on_end == CS_MALLEABLE_END_NONE &&
            run->way[w].on_failure == CS_MALLEABLE_FAILURE_NONE)
            return w;
    return -1;
}

static double mean_makespan(const struct cs_simulate_malleable *run, int way)
{
    double sum = 0;

    for (int s = 0; s < run->scenarios; s++)
        sum += outcomes(run, way)[s].makespan;
    return sum / run->scenarios;
}

/* Ratio of the means, with the standard error of a ratio of paired runs. */
static void compare_with_none(const struct cs_simulate_malleable *run, int none, struct row *row)
{
    double a = mean_makespan(run, row->way), b = mean_makespan(run, none), squares = 0;
    int n = run->scenarios;

    row->over_none = a / b;
    for (int s = 0; s < n; s++) {
        double rest =
            outcomes(run, row->way)[s].makespan - row->over_none * outcomes(run, none)[s].makespan;

        squares += rest * rest;
    }
    row->error = n > 1 ? sqrt(squares / (n - 1) / n) / b : NAN;
}

static struct row *fill_rows(const struct cs_simulate_malleable *run)
{
    struct cs_arena *arena = run->job.arena;
    struct row *row = CS_NEW_ARRAY(arena, struct row, run->ways);
    double *value = CS_NEW_ARRAY(arena, double, run->scenarios);
    int none = find_none(run);

    for (int w = 0; w < run->ways; w++) {
        row[w] = (struct row){.way = w, .over_none = NAN, .error = NAN};
        if (none >= 0)
            compare_with_none(run, none, &row[w]);
        for (int m = 0; m < MEASURES; m++) {
            for (int s = 0; s < run->scenarios; s++)
                value[s] = value_of(&outcomes(run, w)[s], run->job.platform.procs, m);
            row[w].sample[m] = cs_sample_make(value, run->scenarios);
        }
    }
    return row;
}

static void put_rules(const struct cs_malleable_rules *r, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, r->layout == CS_MALLEABLE_TAIL ? "tail layout" : "period ");
    if (r->layout == CS_MALLEABLE_YOUNG) {
        cs_human_digits(out, r->period_factor, 4);
        cs_strbuf_puts(out, " × Young's");
    }
    if (r->hysteresis > 0) {
        cs_strbuf_puts(out, ", hysteresis ");
        cs_human_percent(out, r->hysteresis, 1);
    }
    cs_strbuf_puts(out, r->minimal_disruption ? ", minimal disruption" : "");
    cs_strbuf_puts(out, r->wake ? ", wake events" : "");
}

static void put_head(const struct cs_simulate_malleable *run, struct cs_strbuf *out)
{
    cs_malleable_job_put(&run->job, out);
    cs_strbuf_puts(out, "\n");
    cs_human_units(out, run->scenarios, "scenario");
    if (run->job.kind)
        cs_strbuf_printf(out, " of %s (%s)", run->job.faults, run->job.kind);
    else if (!run->job.platform.fault_free)
        cs_strbuf_printf(out, " of %s failures", cs_malleable_law_name(run->job.source.law.law));
    if (!run->job.platform.fault_free) {
        cs_strbuf_puts(out, "; ");
        put_rules(&run->way[0], out);
    }
    cs_strbuf_puts(out, "\nlower bound on the makespan ");
    cs_human_duration(out, cs_malleable_lower_bound(run->job.instance));
    cs_strbuf_puts(out, "\n");
}

/* People read seconds, hours or days. */
static void put_detail(const struct cs_simulate_malleable *run, const struct row *row,
                       struct cs_strbuf *out)
{
    struct cs_measure shown[MEASURES];
    double bound = cs_malleable_lower_bound(run->job.instance);

    for (int m = 0; m < MEASURES; m++)
        shown[m] = measures[m];
    if (bound >= 2 * DAY)
        shown[MAKESPAN] = (struct cs_measure){"makespan", "makespan (days)", DAY};
    else if (bound >= 2 * HOUR)
        shown[MAKESPAN] = (struct cs_measure){"makespan", "makespan (hours)", HOUR};
    cs_strbuf_printf(out, "on end %s, on failure %s", cs_simulate_malleable_end(run, row->way),
                     cs_simulate_malleable_failure(run, row->way));
    if (cs_arguments_given(run->job.args, "tune")) {
        cs_strbuf_printf(out, ": the best of %d ways in ", CS_MALLEABLE_CANDIDATES);
        cs_human_units(out, cs_arguments_integer(run->job.args, "tune"), "other scenario");
    }
    cs_strbuf_puts(out, "\n\n");
    cs_sample_put(shown, MEASURES, row->sample, out);
}

static double mean_of(const struct row *row, int measure)
{
    return row->sample[measure].figure[CS_FIGURE_MEAN];
}

static void put_comparison(const struct cs_simulate_malleable *run, const struct row *row,
                           struct cs_strbuf *out)
{
    static const struct cs_column columns[] = {
        {.key = "on end", .kind = CS_COLUMN_WORD},
        {.key = "on failure", .kind = CS_COLUMN_WORD},
        {.key = "makespan", .heading = "mean makespan", .kind = CS_COLUMN_SECONDS},
        {.key = "ratio", .heading = "over bound", .kind = CS_COLUMN_NUMBER, .digits = 4},
        {.key = "confidence",
         .heading = "±",
         .unit = "95 %",
         .kind = CS_COLUMN_NUMBER,
         .digits = 4},
        {.key = "over_none", .heading = "over none", .kind = CS_COLUMN_NUMBER, .digits = 4},
        {.key = "error", .heading = "±", .unit = "s.e.", .kind = CS_COLUMN_NUMBER, .digits = 4},
        {.key = "struck", .kind = CS_COLUMN_NUMBER, .digits = 1},
        {.key = "fatal", .kind = CS_COLUMN_NUMBER, .digits = 2},
        {.key = "moved", .kind = CS_COLUMN_NUMBER, .digits = 1},
        {.key = "lost", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "idle", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "remark", .heading = "", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    double best = INFINITY;

    for (int w = 0; w < run->ways; w++)
        best = fmin(best, mean_of(&row[w], MAKESPAN));
    for (int w = 0; w < run->ways; w++) {
        cs_table_text(table, cs_simulate_malleable_end(run, w));
        cs_table_text(table, cs_simulate_malleable_failure(run, w));
        cs_table_number(table, mean_of(&row[w], MAKESPAN));
        cs_table_number(table, mean_of(&row[w], RATIO));
        cs_table_number(table, row[w].sample[RATIO].figure[CS_FIGURE_CONFIDENCE]);
        cs_table_number(table, row[w].over_none);
        cs_table_number(table, row[w].error);
        cs_table_number(table, mean_of(&row[w], STRUCK));
        cs_table_number(table, mean_of(&row[w], FATAL));
        cs_table_number(table, mean_of(&row[w], MOVED));
        cs_table_number(table, mean_of(&row[w], LOST));
        cs_table_number(table, mean_of(&row[w], IDLE));
        cs_table_text(table, mean_of(&row[w], MAKESPAN) <= best ? "best" : "");
    }
    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static struct cs_sample_rows lead(const struct cs_simulate_malleable *run, const struct row *row)
{
    static const struct cs_sample_lead leads[] = {
        {"on_end", CS_COLUMN_WORD, false},
        {"on_failure", CS_COLUMN_WORD, false},
        {"scenarios", CS_COLUMN_COUNT, true},
        {"over_none", CS_COLUMN_NUMBER, false},
        {"over_none_error", CS_COLUMN_NUMBER, false},
    };
    struct cs_sample_row *made = CS_NEW_ARRAY(run->job.arena, struct cs_sample_row, run->ways);

    for (int w = 0; w < run->ways; w++)
        made[w] = (struct cs_sample_row){
            .lead = {{.word = cs_simulate_malleable_end(run, w)},
                     {.word = cs_simulate_malleable_failure(run, w)},
                     {.number = run->scenarios},
                     {.number = row[w].over_none},
                     {.number = row[w].error}},
            .sample = row[w].sample,
        };
    return (struct cs_sample_rows){leads, measures, made, 5, MEASURES, run->ways};
}

static void show_json(const struct cs_simulate_malleable *run, const struct cs_sample_rows *rows,
                      struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_malleable_job_json(&run->job, &run->way[0], &w);
    cs_jsonw_put_bool(&w, "tuned", cs_arguments_given(run->job.args, "tune"));
    cs_jsonw_put_int(&w, "scenarios", run->scenarios);
    cs_sample_rows_json(rows, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_simulate_malleable_show(const struct cs_simulate_malleable *run, enum cs_format format,
                                struct cs_strbuf *out)
{
    const struct row *row = fill_rows(run);
    struct cs_sample_rows rows = lead(run, row);

    if (format == CS_FORMAT_CSV) {
        cs_sample_rows_csv(&rows, out);
    } else if (format == CS_FORMAT_JSON) {
        show_json(run, &rows, out);
    } else {
        put_head(run, out);
        if (run->ways == 1)
            put_detail(run, row, out);
        else
            put_comparison(run, row, out);
    }
}
