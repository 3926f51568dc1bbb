/* plan_pack_compare.c - every policy on one instance, side by side. */
#include "base/stats.h"
#include "cli/base/output.h"
#include "cli/plan_pack.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

/* Quick policies are timed again, so that the figure is worth printing. */
#define RUNS 9
#define QUICK 0.02

struct row {
    const struct cs_policy *policy;
    bool made;
    double cost, seconds, bound;
    int packs;
    bool optimal;
    struct cs_pack_metrics metrics;
    struct cs_error why; /* not made */
};

static int time_plan(struct cs_plan_pack *job, const char *name, struct cs_pack_plan *plan,
                     double *seconds, struct cs_error *err)
{
    double start;
    int status;

    if (cs_plan_pack_request(job, name, err))
        return -1;
    start = cs_clock_now();
    status = cs_pack_plan_make(job->instance, &job->request, plan, err);
    *seconds = cs_clock_now() - start;
    return status;
}

static void fill_row(struct cs_plan_pack *job, const struct cs_policy *policy,
                     struct cs_pack_plan *plan, struct row *row)
{
    double seconds[RUNS];
    int runs = 1;

    *row = (struct row){.policy = policy};
    if (time_plan(job, policy->name, plan, &seconds[0], &row->why))
        return;
    while (runs < RUNS && seconds[0] < QUICK &&
           !time_plan(job, policy->name, plan, &seconds[runs], &row->why))
        runs++;
    row->made = true;
    row->cost = plan->total;
    row->packs = plan->packs;
    row->optimal = plan->optimal;
    row->bound = plan->optimal ? plan->total : plan->bound;
    row->seconds = cs_stats_quantile(seconds, runs, 0.5, job->arena);
    cs_pack_metrics_compute(job->instance, plan, &row->metrics);
}

static const struct cs_column columns[] = {
    {.key = "policy", .kind = CS_COLUMN_WORD},
    {.key = "cost", .unit = "s", .kind = CS_COLUMN_DIGITS, .digits = 7},
    {.key = "gap", .kind = CS_COLUMN_FRACTION, .digits = 2},
    {.key = "packs", .kind = CS_COLUMN_COUNT},
    {.key = "relative_cost", .heading = "relative cost", .kind = CS_COLUMN_NUMBER, .digits = 4},
    {.key = "packing_ratio",
     .heading = "packing",
     .unit = "ratio",
     .kind = CS_COLUMN_NUMBER,
     .digits = 4},
    {.key = "relative_response_time",
     .heading = "response",
     .unit = "relative",
     .kind = CS_COLUMN_NUMBER,
     .digits = 4},
    {.key = "microseconds",
     .heading = "planned in",
     .unit = "µs",
     .kind = CS_COLUMN_NUMBER,
     .digits = 1},
    {.key = "remark", .heading = "", .kind = CS_COLUMN_WORD},
};

#define COLUMNS ((int)(sizeof columns / sizeof *columns))

static void put_row(struct cs_table *table, const struct row *row, double best, double bound)
{
    cs_table_text(table, row->policy->name);
    if (!row->made) {
        for (int c = 1; c < COLUMNS - 1; c++)
            cs_table_unknown(table);
        cs_table_text(table, row->policy->missing ? row->policy->missing : "see below");
        return;
    }
    cs_table_number(table, row->cost);
    cs_table_number(table, fmax(0, row->cost / bound - 1));
    cs_table_count(table, row->packs);
    cs_table_number(table, row->metrics.relative_cost);
    cs_table_number(table, row->metrics.packing_ratio);
    cs_table_number(table, row->metrics.relative_response_time);
    cs_table_number(table, 1e6 * row->seconds);
    cs_table_text(table, row->optimal ? "optimal" : row->cost <= best * (1 + 1e-12) ? "best" : "");
}

/* The reasons of the policies that made no plan, on lines of their own. */
static void put_reasons(const struct row *row, int count, struct cs_strbuf *out)
{
    for (int i = 0; i < count; i++)
        if (!row[i].made && !row[i].policy->missing)
            cs_strbuf_printf(out, "\n%s\n", row[i].why.text);
}

static void show(const struct cs_plan_pack *job, const struct row *row, int count)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    enum cs_format format = (enum cs_format)cs_arguments_choice(job->args, "format");
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    double best = INFINITY, bound = job->bound;

    for (int i = 0; i < count; i++)
        if (row[i].made) {
            best = fmin(best, row[i].cost);
            bound = fmax(bound, row[i].bound);
        }
    for (int i = 0; i < count; i++)
        put_row(table, &row[i], best, fmin(bound, best));
    if (format == CS_FORMAT_TABLE) {
        cs_plan_pack_put_size(job, &out);
        cs_strbuf_printf(&out, " (%s); no plan costs less than ", job->input);
        cs_human_digits(&out, fmin(bound, best), 7);
        cs_strbuf_puts(&out, " s\n\n");
    }
    cs_table_write(table, formats[format], 0, &out);
    if (format == CS_FORMAT_TABLE)
        put_reasons(row, count, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

int cs_plan_pack_compare(struct cs_plan_pack *job, struct cs_error *err)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(cs_pack_instance_tasks(job->instance));
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);
    struct row *row = CS_NEW_ARRAY(job->arena, struct row, count);

    (void)err;
    for (int i = 0; i < count; i++)
        fill_row(job, list[i], plan, &row[i]);
    show(job, row, count);
    cs_pack_plan_destroy(plan);
    return 0;
}
