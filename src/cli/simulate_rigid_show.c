/* simulate_rigid_show.c - what the scenarios came to: one way in detail, several side by side. */
#include "cli/simulate_rigid_rows.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>

enum measure { MAKESPAN, RATIO, FAILURES, WASTE, UTILISATION, MEASURES };

static const struct cs_measure measures[] = {
    [MAKESPAN] = {"makespan", "makespan (s)", 1},
    [RATIO] = {"ratio", "makespan / bound", 1},
    [FAILURES] = {"failures", "failures", 1},
    [WASTE] = {"waste", "wasted processor hours", 3600},
    [UTILISATION] = {"utilisation", "utilisation", 1},
};

static double value_of(const struct cs_simulate_rigid *job, size_t run, int measure)
{
    const struct cs_rigid_outcome *o = &job->outcome[run];

    switch (measure) {
    case MAKESPAN:
        return o->makespan;
    case RATIO:
        return o->ratio;
    case FAILURES:
        return (double)o->failures;
    case WASTE:
        return o->waste;
    default:
        return o->utilisation;
    }
}

static const struct cs_simulate_rigid_view view = {measures, MEASURES, value_of};

static void put_head(const struct cs_simulate_rigid *job, struct cs_strbuf *out)
{
    cs_human_units(out, job->input->jobs, "job");
    if (job->input->sets > 1) {
        cs_strbuf_puts(out, " in ");
        cs_human_units(out, job->input->sets, "set");
    }
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, job->input->machine, cs_arguments_text(job->args, "unit"));
    cs_strbuf_printf(out, " (%s), ", job->path);
    cs_human_units(out, job->scenarios, "scenario");
    cs_strbuf_puts(out, job->input->sets > 1 ? " each, " : ", ");
    cs_simulate_rigid_put_law(job, out);
    cs_strbuf_putc(out, '\n');
}

void cs_simulate_rigid_put_skipped(const struct cs_simulate_rigid *job, struct cs_strbuf *out)
{
    const struct cs_joblog *log = job->input->log;
    const char *comma = ": ";

    if (!log)
        return;
    cs_strbuf_printf(out, "%s, ", job->input->kind);
    cs_human_units(out, log->lines, "line");
    cs_strbuf_puts(out, " of jobs");
    for (int rule = 0; rule < CS_JOBLOG_RULES; rule++)
        if (log->skipped[rule]) {
            cs_strbuf_printf(out, "%s%ld left out (%s)", comma, log->skipped[rule],
                             cs_joblog_rule_name((enum cs_joblog_rule)rule));
            comma = ", ";
        }
    cs_strbuf_putc(out, '\n');
}

/* One way, one set: every figure of every measure. */
static void put_detail(const struct cs_simulate_rigid_row *row, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "policy %s, priority %s\n\n", row->way->policy, row->way->priority_name);
    cs_sample_put(measures, MEASURES, row->sample, out);
}

static double best_ratio(const struct cs_simulate_rigid_row *row, int count)
{
    double best = INFINITY;

    for (int r = 0; r < count; r++)
        if (!*row[r].set)
            best = fmin(best, row[r].sample[RATIO].figure[CS_FIGURE_MEAN]);
    return best;
}

static void put_comparison(const struct cs_simulate_rigid *job,
                           const struct cs_simulate_rigid_row *row, int count,
                           struct cs_strbuf *out)
{
    static const struct cs_column columns[] = {
        {.key = "policy", .kind = CS_COLUMN_WORD},
        {.key = "priority", .kind = CS_COLUMN_WORD},
        {.key = "set", .kind = CS_COLUMN_WORD},
        {.key = "jobs", .kind = CS_COLUMN_COUNT},
        {.key = "makespan",
         .heading = "mean makespan",
         .unit = "s",
         .kind = CS_COLUMN_DIGITS,
         .digits = 6},
        {.key = "ratio",
         .heading = "over bound",
         .unit = "mean",
         .kind = CS_COLUMN_NUMBER,
         .digits = 4},
        {.key = "confidence",
         .heading = "±",
         .unit = "95 %",
         .kind = CS_COLUMN_NUMBER,
         .digits = 4},
        {.key = "q95",
         .heading = "over bound",
         .unit = "95 %",
         .kind = CS_COLUMN_NUMBER,
         .digits = 4},
        {.key = "max",
         .heading = "over bound",
         .unit = "max",
         .kind = CS_COLUMN_NUMBER,
         .digits = 4},
        {.key = "failures", .unit = "mean", .kind = CS_COLUMN_NUMBER, .digits = 1},
        {.key = "utilisation", .unit = "mean", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "remark", .heading = "", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    double best = best_ratio(row, count);

    for (int r = 0; r < count; r++) {
        cs_table_text(table, row[r].way->policy);
        cs_table_text(table, row[r].way->priority_name);
        cs_table_text(table, *row[r].set ? row[r].set : job->input->sets > 1 ? "all" : "");
        cs_table_count(table, row[r].jobs);
        cs_table_number(table, row[r].sample[MAKESPAN].figure[CS_FIGURE_MEAN]);
        cs_table_number(table, row[r].sample[RATIO].figure[CS_FIGURE_MEAN]);
        cs_table_number(table, row[r].sample[RATIO].figure[CS_FIGURE_CONFIDENCE]);
        cs_table_number(table, row[r].sample[RATIO].figure[CS_FIGURE_Q95]);
        cs_table_number(table, row[r].sample[RATIO].figure[CS_FIGURE_MAX]);
        cs_table_number(table, row[r].sample[FAILURES].figure[CS_FIGURE_MEAN]);
        cs_table_number(table, row[r].sample[UTILISATION].figure[CS_FIGURE_MEAN]);
        cs_table_text(table, job->ways > 1 && !*row[r].set &&
                                     row[r].sample[RATIO].figure[CS_FIGURE_MEAN] <= best
                                 ? "best"
                                 : "");
    }
    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void show_text(const struct cs_simulate_rigid *job, const struct cs_simulate_rigid_row *row,
                      int count, struct cs_strbuf *out)
{
    put_head(job, out);
    cs_simulate_rigid_put_skipped(job, out);
    if (count == 1)
        put_detail(row, out);
    else
        put_comparison(job, row, count, out);
}

void cs_simulate_rigid_json_skipped(const struct cs_joblog *log, struct cs_jsonw *w)
{
    if (!log)
        return;
    cs_jsonw_put_int(w, "lines", log->lines);
    cs_jsonw_key(w, "skipped");
    cs_jsonw_open(w, '{');
    for (int rule = 0; rule < CS_JOBLOG_RULES; rule++)
        cs_jsonw_put_int(w, cs_joblog_rule_name((enum cs_joblog_rule)rule), log->skipped[rule]);
    cs_jsonw_close(w);
}

static void show_json(const struct cs_simulate_rigid *job, const struct cs_simulate_rigid_row *row,
                      int count, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "input", job->path);
    cs_jsonw_put_string(&w, "kind", job->input->kind);
    cs_jsonw_put_int(&w, "procs", job->input->machine);
    cs_jsonw_put_int(&w, "jobs", job->input->jobs);
    cs_jsonw_put_int(&w, "sets", job->input->sets);
    cs_jsonw_put_int(&w, "scenarios", job->scenarios);
    cs_simulate_rigid_json_skipped(job->input->log, &w);
    cs_simulate_rigid_rows_json(job, &view, row, count, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_simulate_rigid_show(const struct cs_simulate_rigid *job, enum cs_format format,
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
