/* plan_pack_show.c - a plan for people, as CSV, and as the plan file. */
#include "base/plain.h"
#include "cli/plan_pack.h"
#include "io/schedule_json.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

#define ROWS_FOR_PEOPLE 100

static void put_line(struct cs_strbuf *out, const char *name)
{
    cs_strbuf_printf(out, "%-24s", name);
}

static void put_number(struct cs_strbuf *out, const char *name, double value, int digits)
{
    put_line(out, name);
    if (isnan(value))
        cs_strbuf_puts(out, "undefined");
    else if (fabs(value) < 0.01)
        cs_human_digits(out, value, digits);
    else
        cs_human_fixed(out, value, digits);
    cs_strbuf_putc(out, '\n');
}

/* "2,240.2 s (37 min 20 s)" */
static void put_seconds(struct cs_strbuf *out, const char *name, double seconds)
{
    put_line(out, name);
    cs_human_digits(out, seconds, 7);
    cs_strbuf_puts(out, " s");
    if (seconds >= 60) {
        cs_strbuf_puts(out, " (");
        cs_human_duration(out, seconds);
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
}

static void put_gap(struct cs_strbuf *out, const struct cs_plan_pack_result *r)
{
    put_line(out, "gap");
    if (r->plan->optimal)
        cs_strbuf_puts(out, "none: the plan is proven optimal");
    else
        cs_human_percent(out, r->declared->gap, 2);
    cs_strbuf_putc(out, '\n');
}

static void put_notes(struct cs_strbuf *out, const struct cs_pack_plan *plan)
{
    for (int i = 0; i < CS_PACK_NOTES && plan->note[i].name; i++) {
        if (!strcmp(plan->note[i].name, "chosen"))
            continue;
        put_line(out, plan->note[i].name);
        if (plan->note[i].word)
            cs_strbuf_puts(out, plan->note[i].word);
        else
            cs_human_digits(out, plan->note[i].number, 6);
        cs_strbuf_putc(out, '\n');
    }
}

static void put_summary(const struct cs_plan_pack *job, const struct cs_plan_pack_result *r,
                        struct cs_strbuf *out)
{
    cs_plan_pack_put_size(job, out);
    cs_strbuf_printf(out, " (%s)\n\n", job->input);
    put_line(out, "policy");
    cs_strbuf_puts(out, r->policy);
    if (!cs_arguments_text(job->args, "policy"))
        cs_strbuf_puts(out, " (the best that the effort tried)");
    cs_strbuf_puts(out, ", in ");
    cs_human_duration(out, r->seconds);
    cs_strbuf_putc(out, '\n');
    put_notes(out, r->plan);
    put_seconds(out, "cost", r->metrics.cost);
    put_line(out, "packs");
    cs_human_count(out, r->plan->packs);
    cs_strbuf_putc(out, '\n');
    put_number(out, "relative cost", r->metrics.relative_cost, 4);
    put_number(out, "packing ratio", r->metrics.packing_ratio, 4);
    put_number(out, "relative response time", r->metrics.relative_response_time, 4);
    put_seconds(out, "lower bound", r->declared->lower_bound);
    put_gap(out, r);
}

static const struct cs_column columns[] = {
    {.key = "pack", .kind = CS_COLUMN_COUNT},
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "start", .unit = "s", .kind = CS_COLUMN_NUMBER},
    {.key = "seconds", .kind = CS_COLUMN_NUMBER},
    {.key = "cost", .kind = CS_COLUMN_NUMBER},
};

static struct cs_table *csv_table(const struct cs_plan_pack_result *r)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(r->schedule, &bars);

    for (size_t i = 0; i < bars; i++) {
        cs_table_count(table, bar[i].group + 1);
        cs_table_text(table, cs_schedule_task_name(r->schedule, bar[i].task));
        cs_table_count(table, bar[i].procs->last - bar[i].procs->first + 1);
        cs_table_number(table, bar[i].start);
        cs_table_number(table, bar[i].end - bar[i].start);
        cs_table_number(table, r->plan->cost[bar[i].group]);
    }
    return table;
}

static const struct cs_column for_people[] = {
    {.key = "pack", .kind = CS_COLUMN_WORD},      {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "procs", .kind = CS_COLUMN_COUNT},    {.key = "time", .kind = CS_COLUMN_SECONDS},
    {.key = "starts at", .kind = CS_COLUMN_WORD}, {.key = "pack lasts", .kind = CS_COLUMN_WORD},
};

/* What belongs to the whole pack stands in the row of its first task. */
static void put_duration(struct cs_table *table, bool shown, double seconds)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (shown)
        cs_human_duration(&text, seconds);
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static struct cs_table *people_table(const struct cs_plan_pack_result *r)
{
    struct cs_table *table = cs_table_create(for_people, sizeof for_people / sizeof *for_people);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(r->schedule, &bars);

    for (size_t i = 0; i < bars; i++) {
        bool first = i == 0 || bar[i].group != bar[i - 1].group;
        char pack[16] = "";

        if (first)
            cs_plain_print(pack, sizeof pack, "%d", bar[i].group + 1);
        cs_table_text(table, pack);
        cs_table_text(table, cs_schedule_task_name(r->schedule, bar[i].task));
        cs_table_count(table, bar[i].procs->last - bar[i].procs->first + 1);
        cs_table_number(table, bar[i].end - bar[i].start);
        put_duration(table, first, bar[i].start);
        put_duration(table, first, r->plan->cost[bar[i].group]);
    }
    return table;
}

static void show_text(const struct cs_plan_pack *job, const struct cs_plan_pack_result *r,
                      struct cs_strbuf *out)
{
    struct cs_table *table;

    put_summary(job, r, out);
    if (r->plan->tasks > ROWS_FOR_PEOPLE) {
        cs_strbuf_printf(out,
                         "\n%d tasks are too many to show here: use --output, --gantt or "
                         "--format csv.\n",
                         r->plan->tasks);
        return;
    }
    if (r->plan->tasks == 0)
        return;
    table = people_table(r);
    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void put_extra(const struct cs_plan_pack *job, const struct cs_plan_pack_result *r,
                      struct cs_jsonw *w)
{
    cs_jsonw_put_bool(w, "optimal", r->plan->optimal);
    cs_jsonw_put_double(w, "packing_ratio_minimal", r->metrics.packing_ratio_minimal);
    cs_jsonw_put_double(w, "smith_response_time", r->metrics.smith_response_time);
    cs_jsonw_put_int(w, "seed", (int64_t)job->request.seed);
    cs_jsonw_key(w, "notes");
    cs_jsonw_open(w, '{');
    for (int i = 0; i < CS_PACK_NOTES && r->plan->note[i].name; i++)
        if (r->plan->note[i].word)
            cs_jsonw_put_string(w, r->plan->note[i].name, r->plan->note[i].word);
        else
            cs_jsonw_put_double(w, r->plan->note[i].name, r->plan->note[i].number);
    cs_jsonw_close(w);
}

static void show_json(const struct cs_plan_pack *job, const struct cs_plan_pack_result *r,
                      struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, r->schedule, r->policy);
    cs_arguments_put_command(job->args, "plan pack", &w);
    cs_schedule_json_put_pack(&w, r->schedule, r->declared);
    put_extra(job, r, &w);
    cs_schedule_json_put_tail(&w, r->schedule, job->workload);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_plan_pack_show(const struct cs_plan_pack *job, const struct cs_plan_pack_result *result,
                       enum cs_format format, struct cs_strbuf *out)
{
    struct cs_table *table;

    switch (format) {
    case CS_FORMAT_TABLE:
        show_text(job, result, out);
        break;
    case CS_FORMAT_JSON:
        show_json(job, result, out);
        break;
    case CS_FORMAT_CSV:
        table = csv_table(result);
        cs_table_write(table, CS_TABLE_CSV, 0, out);
        cs_table_destroy(table);
        break;
    }
}
