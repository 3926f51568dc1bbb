/* pack.c - the view of pack: applications in packs that run one after the other. */
#include "api/view.h"
#include "api/views/launch_show.h"
#include "base/plain.h"
#include "model/profile.h"
#include "problem/problem.h"
#include "problems/moldable/moldable.h"
#include "problems/pack/problem.h"
#include "report/human.h"

#include <math.h>
#include <string.h>

#define ROWS_FOR_PEOPLE 100
#define SUMMARY 24 /* columns of the names of its lines */

static const struct cs_pack_case *pack_case_of(const struct cs_study *study)
{
    return (const struct cs_pack_case *)(const void *)study;
}

/* ---- heads ---- */

/* "9 tasks on 32 nodes, at most 4 in a pack" */
static void put_size(const struct cs_pack_case *c, struct cs_strbuf *out)
{
    int procs = cs_pack_instance_procs(c->instance);
    int size = cs_pack_instance_pack_size(c->instance);

    cs_human_units(out, c->workload->count, "task");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, procs, c->study.options->unit);
    if (size < procs)
        cs_strbuf_printf(out, ", at most %d in a pack", size);
}

static void pack_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    put_size(pack_case_of(study), out);
    cs_strbuf_printf(out, " (%s); no plan costs less than ", cs_view_input(study));
    cs_human_digits(out, pack_case_of(study)->bound, 7);
    cs_strbuf_puts(out, " s\n");
}

static void pack_put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_pack_case *c = pack_case_of(study);

    cs_jsonw_put_string(w, "input", study->options->input);
    cs_jsonw_put_int(w, "tasks", c->workload->count);
    cs_jsonw_put_int(w, "procs", cs_pack_instance_procs(c->instance));
    cs_jsonw_put_int(w, "pack_size", cs_pack_instance_pack_size(c->instance));
    cs_jsonw_put_double(w, "lower_bound", c->bound);
}

/* Append the reason of each policy that made no plan, each on a separate line. */
static void put_reasons(const struct cs_study *study, struct cs_strbuf *out)
{
    for (int w = 0; w < study->variants; w++)
        if (!strcmp(study->remark[w], "see below"))
            cs_strbuf_printf(out, "\n%s\n", pack_case_of(study)->why[w].text);
}

/* ---- one plan ---- */

static void pack_put_number(struct cs_strbuf *out, const char *name, double value, int digits)
{
    cs_view_put_name(out, SUMMARY, name);
    if (isnan(value))
        cs_strbuf_puts(out, "undefined");
    else if (fabs(value) < 0.01)
        cs_human_digits(out, value, digits);
    else
        cs_human_fixed(out, value, digits);
    cs_strbuf_putc(out, '\n');
}

static void put_gap(struct cs_strbuf *out, const struct cs_pack_kept *r)
{
    cs_view_put_name(out, SUMMARY, "gap");
    if (r->plan->optimal)
        cs_strbuf_puts(out, "none: no packs on these counts and times cost less (proven)");
    else
        cs_human_percent(out, r->declared->gap, 2);
    cs_strbuf_putc(out, '\n');
}

/* "0.9505 held, 0.8712 used" */
static void put_packing(struct cs_strbuf *out, const struct cs_pack_metrics *metrics)
{
    cs_view_put_name(out, SUMMARY, "packing ratio");
    if (isnan(metrics->packing_ratio)) {
        cs_strbuf_puts(out, "undefined\n");
        return;
    }
    cs_human_fixed(out, metrics->packing_ratio, 4);
    cs_strbuf_puts(out, " held");
    if (metrics->packing_ratio_used != metrics->packing_ratio) {
        cs_strbuf_puts(out, ", ");
        cs_human_fixed(out, metrics->packing_ratio_used, 4);
        cs_strbuf_puts(out, " used");
    }
    cs_strbuf_putc(out, '\n');
}

static void put_notes(struct cs_strbuf *out, const struct cs_pack_plan *plan)
{
    for (int i = 0; i < CS_PACK_NOTES && plan->note[i].name; i++) {
        if (!strcmp(plan->note[i].name, "chosen"))
            continue;
        cs_view_put_name(out, SUMMARY, plan->note[i].name);
        if (plan->note[i].word)
            cs_strbuf_puts(out, plan->note[i].word);
        else
            cs_human_digits(out, plan->note[i].number, 6);
        cs_strbuf_putc(out, '\n');
    }
}

static void put_summary(const struct cs_pack_case *c, const struct cs_pack_kept *r,
                        struct cs_strbuf *out)
{
    const struct cs_pack_seen *seen = cs_study_outcome(&c->study, 0, 0);

    put_size(c, out);
    cs_strbuf_printf(out, " (%s)\n\n", cs_view_input(&c->study));
    cs_view_put_name(out, SUMMARY, "policy");
    cs_strbuf_puts(out, c->study.variant[0].word[0]);
    if (!c->call)
        cs_strbuf_puts(out, " (the best that the effort tried)");
    cs_strbuf_puts(out, ", in ");
    cs_human_duration(out, seen->milliseconds / 1000);
    cs_strbuf_putc(out, '\n');
    put_notes(out, r->plan);
    cs_view_put_seconds(out, SUMMARY, "cost", seen->metrics.cost);
    cs_view_put_name(out, SUMMARY, "packs");
    cs_human_count(out, r->plan->packs);
    cs_strbuf_putc(out, '\n');
    pack_put_number(out, "relative cost", seen->metrics.relative_cost, 4);
    put_packing(out, &seen->metrics);
    pack_put_number(out, "relative response time", seen->metrics.relative_response_time, 4);
    cs_view_put_seconds(out, SUMMARY, "lower bound", r->declared->lower_bound);
    put_gap(out, r);
    cs_view_put_known(out, SUMMARY, &c->study, seen->metrics.cost);
}

static const struct cs_column columns[] = {
    {.key = "pack", .kind = CS_COLUMN_COUNT},
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "launched", .kind = CS_COLUMN_COUNT},
    {.key = "origin", .kind = CS_COLUMN_WORD},
    {.key = "start", .unit = "s", .kind = CS_COLUMN_NUMBER},
    {.key = "seconds", .kind = CS_COLUMN_NUMBER},
    {.key = "cost", .kind = CS_COLUMN_NUMBER},
};

static int pack_held(const struct cs_bar *bar)
{
    return (int)(bar->procs->last - bar->procs->first + 1);
}

static int pack_launched(const struct cs_pack_case *c, const struct cs_bar *bar)
{
    return cs_pack_instance_launched(c->instance, bar->task, pack_held(bar));
}

static enum cs_time_origin pack_origin(const struct cs_pack_case *c, const struct cs_bar *bar)
{
    return cs_profile_origin(&c->workload->profile[bar->task], pack_launched(c, bar));
}

/* Was it not measured on that count? */
static bool is_estimated(const struct cs_pack_case *c, const struct cs_bar *bar)
{
    return pack_origin(c, bar) == CS_ORIGIN_INTERPOLATED || pack_origin(c, bar) == CS_ORIGIN_SCALED;
}

static struct cs_table *csv_table(const struct cs_pack_case *c, const struct cs_pack_kept *r)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(r->record.schedule, &bars);

    for (size_t i = 0; i < bars; i++) {
        cs_table_count(table, bar[i].group + 1);
        cs_table_text(table, cs_schedule_task_name(r->record.schedule, bar[i].task));
        cs_table_count(table, pack_held(&bar[i]));
        cs_table_count(table, pack_launched(c, &bar[i]));
        cs_table_text(table, cs_time_origin_name(pack_origin(c, &bar[i])));
        cs_table_number(table, bar[i].start);
        cs_table_number(table, bar[i].end - bar[i].start);
        cs_table_number(table, r->plan->cost[bar[i].group]);
    }
    return table;
}

static const struct cs_column for_people[] = {
    {.key = "pack", .kind = CS_COLUMN_WORD},
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "launched on", .kind = CS_COLUMN_COUNT},
    {.key = "holds", .kind = CS_COLUMN_COUNT},
    {.key = "time", .kind = CS_COLUMN_SECONDS},
    {.key = "origin", .heading = "", .kind = CS_COLUMN_WORD},
    {.key = "starts at", .kind = CS_COLUMN_WORD},
    {.key = "pack lasts", .kind = CS_COLUMN_WORD},
};

/* Values of a whole pack are shown in the row of its first task. */
static void put_duration(struct cs_table *table, bool shown, double seconds)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (shown)
        cs_human_duration(&text, seconds);
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static struct cs_table *people_table(const struct cs_pack_case *c, const struct cs_pack_kept *r)
{
    struct cs_table *table = cs_table_create(for_people, sizeof for_people / sizeof *for_people);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(r->record.schedule, &bars);

    for (size_t i = 0; i < bars; i++) {
        bool first = i == 0 || bar[i].group != bar[i - 1].group;
        char pack[16] = "";

        if (first)
            cs_plain_print(pack, sizeof pack, "%d", bar[i].group + 1);
        cs_table_text(table, pack);
        cs_table_text(table, cs_schedule_task_name(r->record.schedule, bar[i].task));
        cs_table_count(table, pack_launched(c, &bar[i]));
        cs_table_count(table, pack_held(&bar[i]));
        cs_table_number(table, cs_pack_instance_time(c->instance, bar[i].task, pack_held(&bar[i])));
        cs_table_text(table, is_estimated(c, &bar[i]) ? "~" : "");
        put_duration(table, first, bar[i].start);
        put_duration(table, first, r->plan->cost[bar[i].group]);
    }
    return table;
}

#define TASKS_SEARCHED 2000
#define MOVES_MOST 20000.0
#define MOVES_TASKS 2e6 /* moves times tasks: some tenths of a second */

/* Search less than the default effort, so that no long wait follows the plan. */
static int plan_freely(const struct cs_moldable_instance *in, struct cs_moldable_plan *plan)
{
    struct cs_moldable_request request = {.seed = 1, .thrift = true};
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    if (plan->tasks > TASKS_SEARCHED)
        return cs_moldable_effort_plan(in, CS_MOLDABLE_EFFORT_FAST, &request, plan, NULL);
    if (cs_policy_parse("search", list, count, &request.call, NULL))
        return -1;
    request.call.param[0] = floor(fmin(MOVES_MOST, MOVES_TASKS / plan->tasks));
    return cs_moldable_plan_make(in, &request, plan, NULL);
}

/* The makespan without barriers, on the same times; NaN if no such plan was found. */
static double without_barriers(const struct cs_pack_case *c)
{
    const struct cs_moldable_options options = {.margin = c->options->launch.margin};
    struct cs_moldable_instance *in = cs_moldable_instance_create(
        c->workload, cs_pack_instance_procs(c->instance), &options, NULL);
    struct cs_moldable_plan *plan = cs_moldable_plan_create(c->workload->count);
    double makespan = in && plan_freely(in, plan) == 0 ? plan->makespan : NAN;

    cs_moldable_plan_destroy(plan);
    cs_moldable_instance_destroy(in);
    return makespan;
}

/* Append the cost of barriers if it is at least a thousandth. */
static void put_barriers(const struct cs_pack_case *c, double cost, struct cs_strbuf *out)
{
    double makespan = without_barriers(c);

    if (!c->study.options->input || !(makespan < cost * 0.999))
        return;
    cs_strbuf_puts(out, "\nwithout barriers: ");
    cs_human_duration(out, makespan);
    cs_strbuf_puts(out, ", ");
    cs_human_percent(out, 1 - makespan / cost, 1);
    cs_strbuf_puts(out, " less: cosched plan moldable ");
    cs_strbuf_put_shell(out, c->study.options->input);
    cs_strbuf_printf(out, " --procs %d", cs_pack_instance_procs(c->instance));
    cs_view_put_launch(out, &c->options->launch);
    cs_view_put_unit(out, c->study.options->unit);
    cs_strbuf_putc(out, '\n');
}

/* Append the meaning of the mark, and the spread of repeated runs. */
static void put_marks(const struct cs_pack_case *c, const struct cs_pack_kept *r,
                      struct cs_strbuf *out)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(r->record.schedule, &bars);
    int marked = 0;

    for (size_t i = 0; i < bars; i++)
        marked += is_estimated(c, &bar[i]);
    cs_view_put_origins(out, c->runs, marked);
}

static void show_text(const struct cs_pack_case *c, const struct cs_pack_kept *r,
                      const struct cs_show *how, struct cs_strbuf *out)
{
    struct cs_table *table;

    put_summary(c, r, out);
    if (r->plan->tasks > ROWS_FOR_PEOPLE) {
        cs_strbuf_printf(out,
                         "\n%d tasks are too many to show here: use --output, --gantt or "
                         "--format csv.\n",
                         r->plan->tasks);
    } else if (r->plan->tasks > 0) {
        table = people_table(c, r);
        cs_strbuf_putc(out, '\n');
        cs_view_put_table(table, how, out);
        cs_table_destroy(table);
        put_marks(c, r, out);
    }
    if (r->plan->tasks > 0)
        put_barriers(c, r->plan->total, out);
}

static void show_plan(const struct cs_study *study, const struct cs_show *how,
                      struct cs_strbuf *out)
{
    struct cs_error err = {0};
    struct cs_kept *record = study->problem->record(study, 0, 0, &err);
    const struct cs_pack_kept *kept = (const struct cs_pack_kept *)(const void *)record;
    struct cs_table *table;

    if (how->format == CS_SHOW_TABLE) {
        show_text(pack_case_of(study), kept, how, out);
    } else {
        table = csv_table(pack_case_of(study), kept);
        cs_table_write(table, CS_TABLE_CSV, 0, out);
        cs_table_destroy(table);
    }
    study->problem->discard(record);
}

static int pack_draw(const struct cs_study *study, const struct cs_view_run *run,
                     struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_pack_case *c = pack_case_of(study);
    struct cs_gantt_options options;
    int *count = CS_NEW_ARRAY(study->arena, int, c->workload->count);
    bool *estimated = CS_NEW_ARRAY(study->arena, bool, c->workload->count);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(run->record->schedule, &bars);
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    int status;

    for (size_t i = 0; i < bars; i++) {
        count[bar[i].task] = pack_launched(c, &bar[i]);
        estimated[bar[i].task] = is_estimated(c, &bar[i]);
    }
    put_size(c, &subtitle);
    cs_strbuf_printf(&subtitle, " \xc2\xb7 %s \xc2\xb7 ", study->variant[run->variant].word[0]);
    cs_human_duration(&subtitle, c->plan[run->variant]->total);
    options = cs_view_gantt(study, run, subtitle.text);
    options.launched = count;
    options.estimated = estimated;
    status = cs_gantt_svg(run->record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

const struct cs_view cs_view_pack = {
    .problem = &cs_problem_pack,
    .head = pack_put_head,
    .json = pack_put_json,
    .draw = pack_draw,
    .plan = show_plan,
    .plan_is_schedule = true,
    .foot = put_reasons,
};
