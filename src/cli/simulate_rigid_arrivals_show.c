/* simulate_rigid_arrivals_show.c - what replays came to: one in words, many scenarios of one way in
 * ten figures for each measure, several ways or sets side by side. */
#include "cli/simulate_rigid_rows.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>

enum measure {
    MEAN_WAIT,
    MAX_WAIT,
    MEAN_SLOWDOWN,
    MAX_SLOWDOWN,
    MAKESPAN,
    RATIO,
    UTILISATION,
    THROUGHPUT,
    FAILURES,
    WASTE,
    QUEUE,
    MEASURES
};

static const struct cs_measure measures[MEASURES] = {
    [MEAN_WAIT] = {"mean_wait", "mean wait (s)", 1},
    [MAX_WAIT] = {"max_wait", "longest wait (s)", 1},
    [MEAN_SLOWDOWN] = {"mean_bounded_slowdown", "mean bounded slowdown", 1},
    [MAX_SLOWDOWN] = {"max_bounded_slowdown", "worst bounded slowdown", 1},
    [MAKESPAN] = {"makespan", "makespan (s)", 1},
    [RATIO] = {"ratio", "makespan / bound", 1},
    [UTILISATION] = {"utilisation", "utilisation", 1},
    [THROUGHPUT] = {"jobs_per_hour", "jobs an hour", 1},
    [FAILURES] = {"failures", "failures", 1},
    [WASTE] = {"waste", "wasted processor hours", 3600},
    [QUEUE] = {"largest_queue", "longest queue", 1},
};

static double value_of(const struct cs_simulate_rigid *job, size_t run, int measure)
{
    const struct cs_rigid_replay_outcome *o = &job->replayed[run];
    const struct cs_rigid_replay_result *r = &o->result;
    const double value[MEASURES] = {
        [MEAN_WAIT] = r->mean_wait,         [MAX_WAIT] = r->max_wait,
        [MEAN_SLOWDOWN] = r->mean_slowdown, [MAX_SLOWDOWN] = r->max_slowdown,
        [MAKESPAN] = r->makespan,           [RATIO] = o->ratio,
        [UTILISATION] = r->utilisation,     [THROUGHPUT] = r->throughput,
        [FAILURES] = (double)r->failures,   [WASTE] = r->waste,
        [QUEUE] = (double)r->largest_queue,
    };

    return value[measure];
}

static const struct cs_simulate_rigid_view view = {measures, MEASURES, value_of};

/* How the estimates of all sets came about. */
struct estimates {
    int requested, exceeded, unknown;
};

static struct estimates count_estimates(const struct cs_simulate_rigid *job)
{
    struct estimates sum = {0, 0, 0};

    for (int s = 0; s < job->input->sets; s++) {
        const struct cs_rigid_arrivals *a = job->arriving[s].arrivals;

        sum.requested += a->requested;
        sum.exceeded += a->exceeded;
        sum.unknown += a->unknown;
    }
    return sum;
}

static void put_estimates(const struct cs_simulate_rigid *job, struct cs_strbuf *out)
{
    struct estimates e = count_estimates(job);

    if (cs_arguments_choice(job->args, "estimates") == 1) {
        cs_strbuf_puts(out, "estimates: the running times, as --estimates exact asks\n");
        return;
    }
    if (e.requested + e.exceeded == 0) {
        cs_strbuf_puts(out, "estimates: the log has no requested times, the running times take "
                            "their place\n");
        return;
    }
    cs_strbuf_puts(out, "estimates: requested times; the running time for ");
    cs_human_units(out, e.exceeded, "job");
    cs_strbuf_puts(out, " that ran longer and ");
    cs_human_count(out, e.unknown);
    cs_strbuf_puts(out, " without a request\n");
}

static void put_head(const struct cs_simulate_rigid *job, struct cs_strbuf *out)
{
    cs_human_units(out, job->input->jobs, "job");
    cs_strbuf_puts(out, " as they were submitted");
    if (job->input->sets > 1) {
        cs_strbuf_puts(out, ", in ");
        cs_human_units(out, job->input->sets, "set");
        cs_strbuf_puts(out, " that each find the machine empty");
    }
    cs_strbuf_puts(out, ", on ");
    cs_human_units(out, job->input->machine, cs_arguments_text(job->args, "unit"));
    cs_strbuf_printf(out, " (%s), ", job->path);
    if (job->scenarios > 1) {
        cs_human_units(out, job->scenarios, "scenario");
        cs_strbuf_puts(out, job->input->sets > 1 ? " each, " : ", ");
    }
    cs_simulate_rigid_put_law(job, out);
    cs_strbuf_putc(out, '\n');
    cs_simulate_rigid_put_skipped(job, out);
    put_estimates(job, out);
}

static void put_figure(struct cs_strbuf *out, const struct cs_simulate_rigid_row *row,
                       enum measure m, int digits)
{
    cs_strbuf_printf(out, "%-24s", measures[m].name);
    cs_human_digits(out, row->sample[m].figure[CS_FIGURE_MEAN] / measures[m].unit, digits);
}

/* One run. */
static void put_words(const struct cs_simulate_rigid_row *row, struct cs_strbuf *out)
{
    for (int m = 0; m < MEASURES; m++) {
        put_figure(out, row, (enum measure)m, 7);
        if (m == MEAN_WAIT || m == MAX_WAIT || m == MAKESPAN) {
            cs_strbuf_puts(out, " = ");
            cs_human_duration(out, row->sample[m].figure[CS_FIGURE_MEAN]);
        }
        cs_strbuf_putc(out, '\n');
    }
}

enum { SET = 2, ROW_JOBS = 3, WAIT_CONFIDENCE = 5, LAST = 13, COLUMNS };

static const struct cs_column columns[COLUMNS] = {
    {.key = "policy", .kind = CS_COLUMN_WORD},
    {.key = "priority", .kind = CS_COLUMN_WORD},
    [SET] = {.key = "set", .kind = CS_COLUMN_WORD},
    [ROW_JOBS] = {.key = "jobs", .kind = CS_COLUMN_COUNT},
    {.key = "mean_wait", .heading = "mean wait", .kind = CS_COLUMN_SECONDS},
    [WAIT_CONFIDENCE] = {.key = "confidence",
                         .heading = "±",
                         .unit = "95 %",
                         .kind = CS_COLUMN_SECONDS},
    {.key = "max_wait", .heading = "longest wait", .kind = CS_COLUMN_SECONDS},
    {.key = "slowdown",
     .heading = "slowdown",
     .unit = "mean",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "utilisation", .heading = "used", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "makespan", .kind = CS_COLUMN_SECONDS},
    {.key = "ratio", .heading = "over bound", .kind = CS_COLUMN_NUMBER, .digits = 4},
    {.key = "jobs_per_hour",
     .heading = "jobs",
     .unit = "an hour",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "failures", .kind = CS_COLUMN_NUMBER, .digits = 1},
    [LAST] = {.key = "waste",
              .heading = "wasted",
              .unit = "processor h",
              .kind = CS_COLUMN_NUMBER,
              .digits = 1},
};

/* Those that would say the same in every row are not shown to people. */
static struct cs_table *make_table(const struct cs_simulate_rigid *job,
                                   const struct cs_simulate_rigid_row *row, int count)
{
    struct cs_column shown[COLUMNS];
    double failures = 0;

    for (int r = 0; r < count; r++)
        failures = fmax(failures, row[r].sample[FAILURES].figure[CS_FIGURE_MAX]);
    for (int c = 0; c < COLUMNS; c++)
        shown[c] = columns[c];
    shown[SET].hidden = shown[ROW_JOBS].hidden = job->input->sets == 1;
    shown[WAIT_CONFIDENCE].hidden = job->scenarios == 1;
    shown[LAST].hidden = shown[LAST - 1].hidden = failures <= 0;
    return cs_table_create(shown, COLUMNS);
}

static double mean_of(const struct cs_simulate_rigid_row *row, enum measure m)
{
    return row->sample[m].figure[CS_FIGURE_MEAN];
}

static void put_comparison(const struct cs_simulate_rigid *job,
                           const struct cs_simulate_rigid_row *row, int count,
                           struct cs_strbuf *out)
{
    struct cs_table *table = make_table(job, row, count);

    for (int r = 0; r < count; r++) {
        cs_table_text(table, row[r].way->policy);
        cs_table_text(table, row[r].way->priority_name);
        cs_table_text(table, *row[r].set ? row[r].set : "all");
        cs_table_count(table, row[r].jobs);
        cs_table_number(table, mean_of(&row[r], MEAN_WAIT));
        cs_table_number(table, row[r].sample[MEAN_WAIT].figure[CS_FIGURE_CONFIDENCE]);
        cs_table_number(table, row[r].sample[MAX_WAIT].figure[CS_FIGURE_MAX]);
        cs_table_number(table, mean_of(&row[r], MEAN_SLOWDOWN));
        cs_table_number(table, mean_of(&row[r], UTILISATION));
        cs_table_number(table, mean_of(&row[r], MAKESPAN));
        cs_table_number(table, mean_of(&row[r], RATIO));
        cs_table_number(table, mean_of(&row[r], THROUGHPUT));
        cs_table_number(table, mean_of(&row[r], FAILURES));
        cs_table_number(table, mean_of(&row[r], WASTE) / measures[WASTE].unit);
    }
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void put_best(const struct cs_simulate_rigid_row *row, int count, enum measure m,
                     const char *what, struct cs_strbuf *out)
{
    const struct cs_simulate_rigid_row *best = NULL;

    for (int r = 0; r < count; r++)
        if (!*row[r].set && (!best || mean_of(&row[r], m) < mean_of(best, m)))
            best = &row[r];
    cs_strbuf_printf(out, "%s: %s, %s\n", what, best->way->policy, best->way->priority_name);
}

static void show_text(const struct cs_simulate_rigid *job, const struct cs_simulate_rigid_row *row,
                      int count, struct cs_strbuf *out)
{
    put_head(job, out);
    if (count == 1)
        cs_strbuf_printf(out, "policy %s, priority %s\n", row->way->policy,
                         row->way->priority_name);
    cs_strbuf_putc(out, '\n');
    if (count == 1 && row->runs == 1) {
        put_words(row, out);
    } else if (count == 1) {
        cs_sample_put(measures, MEASURES, row->sample, out);
    } else {
        put_comparison(job, row, count, out);
        if (job->ways > 1) {
            cs_strbuf_putc(out, '\n');
            put_best(row, count, MEAN_WAIT, "best mean wait", out);
            put_best(row, count, MAX_WAIT, "best longest wait", out);
            put_best(row, count, MEAN_SLOWDOWN, "best mean bounded slowdown", out);
        }
    }
}

static void json_estimates(const struct cs_simulate_rigid *job, struct cs_jsonw *w)
{
    struct estimates e = count_estimates(job);

    cs_jsonw_key(w, "estimates");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "requested", e.requested);
    cs_jsonw_put_int(w, "exceeded", e.exceeded);
    cs_jsonw_put_int(w, "unknown", e.unknown);
    cs_jsonw_close(w);
}

static void show_json(const struct cs_simulate_rigid *job, const struct cs_simulate_rigid_row *row,
                      int count, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "input", job->path);
    cs_jsonw_put_string(&w, "kind", job->input->kind);
    cs_jsonw_put_bool(&w, "arrivals", true);
    cs_jsonw_put_int(&w, "procs", job->input->machine);
    cs_jsonw_put_int(&w, "jobs", job->input->jobs);
    cs_jsonw_put_int(&w, "sets", job->input->sets);
    cs_jsonw_put_int(&w, "scenarios", job->scenarios);
    cs_simulate_rigid_json_skipped(job->input->log, &w);
    json_estimates(job, &w);
    cs_simulate_rigid_rows_json(job, &view, row, count, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_simulate_rigid_arrivals_show(const struct cs_simulate_rigid *job, enum cs_format format,
                                     struct cs_strbuf *out)
{
    struct cs_simulate_rigid_row *row;
    int count = cs_simulate_rigid_rows(job, &view, &row);

    if (format == CS_FORMAT_CSV)
        cs_simulate_rigid_rows_csv(job, &view, row, count, out);
    else if (format == CS_FORMAT_JSON)
        show_json(job, row, count, out);
    else
        show_text(job, row, count, out);
}
