/* moldable.c - the view of moldable: plans and runs of a bag without barriers. */
#include "api/view.h"
#include "api/views/launch_show.h"
#include "api/views/moldable_sizes.h"
#include "model/profile.h"
#include "problem/problem.h"
#include "problems/moldable/bag/machine.h"
#include "problems/moldable/problem.h"
#include "report/human.h"

#include <math.h>
#include <string.h>

#define ROWS_FOR_PEOPLE 100
#define SUMMARY 20 /* columns of the names of its lines */

static const struct cs_moldable_case *moldable_case_of(const struct cs_study *study)
{
    return (const struct cs_moldable_case *)(const void *)study;
}

/* ---- heads ---- */

static void put_size(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_human_units(out, c->workload->count, "task");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, c->instance->bag.procs, c->study.options->unit);
    cs_strbuf_printf(out, " (%s)", cs_view_input(&c->study));
}

static void put_bound(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "lower bound on the makespan ");
    cs_human_duration(out, c->bound);
    cs_strbuf_putc(out, '\n');
}

/* Append the planned makespan: one, or one per policy if each has its own plan. */
static void put_planned(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "\nplanned makespan%s ", c->plans > 1 ? "s" : "");
    for (int p = 0; p < c->plans; p++) {
        cs_strbuf_puts(out, p ? ", " : "");
        cs_human_duration(out, c->plan[p]->makespan);
        if (c->plans > 1)
            cs_strbuf_printf(out, " (%s)", c->study.variant[p].word[0]);
    }
    cs_strbuf_puts(out, c->plans > 1 ? "\n" : ", ");
}

static void put_chance(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_human_units(out, c->study.runs, "scenario");
    if (c->options->sigma > 0) {
        cs_strbuf_puts(out, ", times uncertain with sigma ");
        cs_human_digits(out, c->options->sigma, 3);
    }
    if (c->options->qbar > 0) {
        cs_strbuf_puts(out, ", attempts fail with probability ");
        cs_human_digits(out, c->options->qbar, 3);
    }
    put_planned(c, out);
}

static void moldable_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_moldable_case *c = moldable_case_of(study);

    put_size(c, out);
    cs_strbuf_putc(out, '\n');
    if (!study->certain)
        put_chance(c, out);
    put_bound(c, out);
}

static void put_study(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_moldable_case *c = moldable_case_of(study);

    cs_jsonw_put_string(w, "input", study->options->input);
    cs_jsonw_put_int(w, "tasks", c->workload->count);
    cs_jsonw_put_int(w, "procs", c->instance->bag.procs);
    cs_jsonw_put_double(w, "lower_bound", c->bound);
    if (study->certain)
        return;
    cs_jsonw_put_double(w, "sigma", c->options->sigma);
    cs_jsonw_put_double(w, "qbar", c->options->qbar);
    if (c->plans == 1) {
        cs_jsonw_put_double(w, "planned_makespan", c->plan[0]->makespan);
        return;
    }
    cs_jsonw_key(w, "planned_makespans");
    cs_jsonw_open_flat(w, '[');
    for (int p = 0; p < c->plans; p++)
        cs_jsonw_double(w, c->plan[p]->makespan);
    cs_jsonw_close(w);
}

static void put_variant(const struct cs_study *study, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "policy %s", study->variant[0].word[0]);
}

/* Of a general bag. */
static void options_add_resources(const struct cs_study *study, struct cs_gantt_options *options)
{
    const struct cs_moldable_case *c = (const struct cs_moldable_case *)(const void *)study;
    struct cs_bag_amount *resource;

    if (!c->general)
        return;
    options->modes = &c->general->bag.data;
    options->resources = options->modes->resources;
    resource = CS_NEW_ARRAY(study->arena, struct cs_bag_amount, options->resources);
    for (int r = 0; r < options->resources; r++)
        resource[r] = (struct cs_bag_amount){options->modes->resource_name[r],
                                             (double)options->modes->capacity[r]};
    options->resource = resource;
}

static int moldable_draw(const struct cs_study *study, const struct cs_view_run *run,
                         struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_moldable_kept *kept =
        (const struct cs_moldable_kept *)(const void *)run->record;
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options;
    int status;

    cs_strbuf_printf(&subtitle, "%s \xc2\xb7 ", study->variant[run->variant].word[0]);
    cs_human_duration(&subtitle, kept->makespan);
    if (kept->plan && kept->plan->optimal) {
        cs_strbuf_puts(&subtitle, ", no plan is shorter");
    } else {
        cs_strbuf_puts(&subtitle, ", ");
        cs_human_percent(&subtitle, kept->makespan / kept->bound - 1, 1);
        cs_strbuf_puts(&subtitle, " above the bound");
    }
    options = cs_view_gantt(study, run, subtitle.text);
    options.processor = run->processor ? run->processor : study->options->unit;
    options_add_resources(study, &options);
    status = cs_gantt_svg(run->record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

/* ---- the plan ---- */

struct shown {
    const struct cs_moldable_case *of;
    const struct cs_moldable_plan *plan;
    const struct cs_moldable_seen *seen;
    int *order;
    int marked; /* times that were not measured for their count */
};

/* Of a general bag: the modes of its tasks. */
static const struct cs_modes *shown_modes(const struct shown *s)
{
    return &s->of->general->bag.data;
}

static int shown_mode(const struct shown *s, int task)
{
    return shown_modes(s)->first[task] + s->plan->choice[task];
}

static int64_t shown_use(const struct shown *s, int task, int resource)
{
    return cs_modes_use(shown_modes(s), shown_mode(s, task))[resource];
}

static enum cs_time_origin origin_of(const struct shown *s, int task)
{
    if (s->of->general)
        return cs_bag_general_origin(s->of->general, task, s->plan->choice[task]);
    return cs_moldable_instance_candidate(s->of->instance, task, s->plan->choice[task]).origin;
}

static bool is_marked(const struct shown *s, int task)
{
    enum cs_time_origin origin = origin_of(s, task);

    return origin == CS_ORIGIN_INTERPOLATED || origin == CS_ORIGIN_SCALED;
}

static struct shown moldable_inspect(const struct cs_study *study)
{
    struct shown s = {.of = moldable_case_of(study)};
    int n;

    s.plan = s.of->plan[0];
    s.seen = cs_study_outcome(study, 0, 0);
    n = s.plan->tasks;
    s.order = CS_NEW_ARRAY(study->arena, int, n);
    cs_moldable_sort_plan(&s.of->instance->bag, s.plan, s.order, study->arena);
    for (int i = 0; i < n; i++)
        s.marked += is_marked(&s, i);
    return s;
}

static void put_share(struct cs_strbuf *out, const char *name, double share)
{
    cs_view_put_name(out, SUMMARY, name);
    cs_human_percent(out, share, 1);
    cs_strbuf_putc(out, '\n');
}

static const char *general_word(const struct cs_bag_general *g, double bound)
{
    const double near = bound * (1 - 1e-9);

    for (int r = 0; r < g->bag.data.resources; r++)
        if (near > g->bag.critical && near <= g->bounds.area[r])
            return "the work over a resource";
    return near <= g->bag.critical    ? "the longest path, each task at its fastest"
           : near <= g->bounds.priced ? "the work over all resources"
           : near <= g->bounds.apart  ? "tasks that never run at the same time"
           : g->relaxed && near <= g->relaxation.bound ? "precedence, work and budgets together"
                                                       : "no shorter plan, by search";
}

static const char *bound_word(const struct cs_moldable_bounds *b, double bound)
{
    return bound > b->best          ? "widths and times do not fit together"
           : b->best == b->critical ? "the longest task at its fastest"
           : b->best == b->area     ? "the work over the processors"
           : b->best == b->knapsack ? "long tasks have to run together"
                                    : "wide tasks do not fit side by side";
}

static void put_gap(const struct shown *s, struct cs_strbuf *out)
{
    cs_view_put_name(out, SUMMARY, "gap");
    if (s->plan->optimal)
        cs_strbuf_puts(out, s->plan->makespan <= s->plan->bound * (1 + 1e-9)
                                ? "none: no plan on these counts and times is shorter (proven)"
                                : "none: no plan on these counts and times is shorter (proven to "
                                  "0.0001 %)");
    else
        cs_human_percent(out, s->seen->makespan / s->seen->bound - 1, 2);
    cs_strbuf_putc(out, '\n');
}

static void put_notes(const struct cs_moldable_plan *plan, struct cs_strbuf *out)
{
    for (int a = 0; a < CS_MOLDABLE_NOTES && plan->note[a].name; a++) {
        cs_view_put_name(out, SUMMARY, plan->note[a].name);
        if (plan->note[a].word)
            cs_strbuf_puts(out, plan->note[a].word);
        else
            cs_human_digits(out, plan->note[a].number, 9);
        cs_strbuf_putc(out, '\n');
    }
}

/* "node hours          0.78 of 0.84" */
static void put_hours(const struct shown *s, struct cs_strbuf *out)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "%s hours", s->of->study.options->unit);
    cs_view_put_name(out, SUMMARY, name.text);
    cs_human_digits(out, s->seen->hours, 6);
    cs_strbuf_puts(out, " of ");
    cs_human_digits(out, s->of->instance->bag.procs * s->seen->makespan / 3600, 6);
    cs_strbuf_putc(out, '\n');
    cs_strbuf_release(&name);
}

static void put_summary(const struct shown *s, struct cs_strbuf *out)
{
    put_size(s->of, out);
    cs_strbuf_puts(out, "\n\n");
    cs_view_put_name(out, SUMMARY, "policy");
    cs_strbuf_printf(out, "%s, in ", s->of->study.variant[0].word[0]);
    cs_human_duration(out, s->seen->seconds);
    cs_strbuf_putc(out, '\n');
    put_notes(s->plan, out);
    cs_view_put_seconds(out, SUMMARY, "makespan", s->seen->makespan);
    cs_view_put_seconds(out, SUMMARY, "lower bound", s->seen->bound);
    if (!s->plan->optimal) {
        cs_view_put_name(out, SUMMARY, "");
        cs_strbuf_printf(out, "(%s)\n",
                         s->of->general ? general_word(s->of->general, s->seen->bound)
                                        : bound_word(&s->of->bounds, s->seen->bound));
    }
    put_gap(s, out);
    cs_view_put_known(out, SUMMARY, &s->of->study, s->seen->makespan);
    put_share(out, "allocated", s->seen->held);
    put_share(out, "efficiency", s->seen->useful);
    put_hours(s, out);
}

static const struct cs_column for_people[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "launched on", .kind = CS_COLUMN_COUNT},
    {.key = "time", .kind = CS_COLUMN_SECONDS},
    {.key = "mark", .heading = "", .kind = CS_COLUMN_WORD},
    {.key = "starts at", .kind = CS_COLUMN_SECONDS},
    {.key = "ends at", .kind = CS_COLUMN_SECONDS},
};

static struct cs_table *people_table(const struct shown *s)
{
    struct cs_table *table = cs_table_create(for_people, sizeof for_people / sizeof *for_people);

    for (int p = 0; p < s->plan->tasks; p++) {
        int i = s->order[p];

        cs_table_text(table, s->of->workload->name[i]);
        cs_table_count(table, s->plan->procs[i]);
        cs_table_number(table, s->plan->end[i] - s->plan->start[i]);
        cs_table_text(table, is_marked(s, i) ? "~" : "");
        cs_table_number(table, s->plan->start[i]);
        cs_table_number(table, s->plan->end[i]);
    }
    return table;
}

/* ---- general bags ---- */

enum {
    SHOW_TASK,
    SHOW_MODE,
    SHOW_PROCS,
    SHOW_USE,
    SHOW_TIME,
    SHOW_MARK,
    SHOW_AFTER,
    SHOW_START,
    SHOW_END
};

#define SHOWN_MOST 40

/* The columns that are not empty for all tasks. */
struct shown_columns {
    struct cs_column column[SHOWN_MOST];
    int kind[SHOWN_MOST], resource[SHOWN_MOST], count;
};

static void columns_add(struct shown_columns *c, int kind, int resource, const char *key,
                        enum cs_column_kind shape)
{
    c->kind[c->count] = kind;
    c->resource[c->count] = resource;
    c->column[c->count++] =
        (struct cs_column){.key = key, .heading = !strcmp(key, "mark") ? "" : NULL, .kind = shape};
}

/* A label, or "gpu 2". */
static void put_mode(const struct shown *s, int task, struct cs_strbuf *out)
{
    const struct cs_modes *m = shown_modes(s);
    const char *label = m->label ? m->label[shown_mode(s, task)] : "";

    cs_strbuf_puts(out, label);
    for (int r = 1; r < m->resources && !*label; r++)
        if (cs_modes_numbered(m->resource_name[r]) && shown_use(s, task, r) > 0)
            cs_strbuf_printf(out, "%sgpu%s %lld", out->length ? ", " : "", m->resource_name[r] + 4,
                             (long long)shown_use(s, task, r));
}

static void put_after(const struct shown *s, int task, struct cs_strbuf *out)
{
    const struct cs_modes *m = shown_modes(s);

    for (int a = m->before_first[task]; a < m->before_first[task + 1]; a++)
        cs_strbuf_printf(out, "%s%s", a > m->before_first[task] ? ", " : "",
                         s->of->workload->name[m->before[a]]);
}

static bool any_mode(const struct shown *s)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    bool any;

    for (int i = 0; i < s->plan->tasks; i++)
        put_mode(s, i, &text);
    any = text.length > 0;
    cs_strbuf_release(&text);
    return any;
}

static bool any_use(const struct shown *s, int resource)
{
    for (int i = 0; i < s->plan->tasks; i++)
        if (shown_use(s, i, resource) > 0)
            return true;
    return false;
}

static struct shown_columns general_columns(const struct shown *s, bool people)
{
    const struct cs_modes *m = shown_modes(s);
    struct shown_columns c = {.count = 0};

    columns_add(&c, SHOW_TASK, 0, "task", CS_COLUMN_WORD);
    if (!people || any_mode(s))
        columns_add(&c, SHOW_MODE, 0, "mode", CS_COLUMN_WORD);
    columns_add(&c, SHOW_PROCS, 0, people ? "launched on" : "procs", CS_COLUMN_COUNT);
    for (int r = 1; r < m->resources && c.count < SHOWN_MOST - 6; r++)
        if (!people || any_use(s, r))
            columns_add(&c, SHOW_USE, r, m->resource_name[r],
                        people && !strcmp(m->resource_name[r], "memory") ? CS_COLUMN_WORD
                                                                         : CS_COLUMN_COUNT);
    columns_add(&c, SHOW_TIME, 0, people ? "time" : "seconds",
                people ? CS_COLUMN_SECONDS : CS_COLUMN_NUMBER);
    if (!people || s->marked)
        columns_add(&c, SHOW_MARK, 0, people ? "mark" : "origin", CS_COLUMN_WORD);
    if (!people || m->before_first[m->tasks] > 0)
        columns_add(&c, SHOW_AFTER, 0, "after", CS_COLUMN_WORD);
    columns_add(&c, SHOW_START, 0, people ? "starts at" : "start",
                people ? CS_COLUMN_SECONDS : CS_COLUMN_NUMBER);
    columns_add(&c, SHOW_END, 0, people ? "ends at" : "end",
                people ? CS_COLUMN_SECONDS : CS_COLUMN_NUMBER);
    return c;
}

static void general_cell(const struct shown *s, const struct shown_columns *c, int column, int task,
                         bool people, struct cs_table *table)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const int resource = c->resource[column];

    switch (c->kind[column]) {
    case SHOW_TASK:
        cs_strbuf_puts(&text, s->of->workload->name[task]);
        break;
    case SHOW_MODE:
        put_mode(s, task, &text);
        break;
    case SHOW_AFTER:
        put_after(s, task, &text);
        break;
    case SHOW_MARK:
        cs_strbuf_puts(&text, !people              ? cs_time_origin_name(origin_of(s, task))
                              : is_marked(s, task) ? "~"
                                                   : "");
        break;
    case SHOW_USE:
        if (shown_use(s, task, resource) > 0)
            cs_bag_put_amount(&text, people ? c->column[column].key : "",
                              shown_use(s, task, resource));
        break;
    default:
        break;
    }
    if (c->column[column].kind == CS_COLUMN_WORD)
        cs_table_text(table, text.text ? text.text : "");
    else if (c->column[column].kind == CS_COLUMN_COUNT)
        cs_table_count(table, c->kind[column] == SHOW_USE ? shown_use(s, task, resource)
                                                          : s->plan->procs[task]);
    else
        cs_table_number(table, c->kind[column] == SHOW_TIME
                                   ? s->plan->end[task] - s->plan->start[task]
                               : c->kind[column] == SHOW_START ? s->plan->start[task]
                                                               : s->plan->end[task]);
    cs_strbuf_release(&text);
}

static struct cs_table *general_table(const struct shown *s, bool people)
{
    const struct shown_columns c = general_columns(s, people);
    struct cs_table *table = cs_table_create(c.column, c.count);

    for (int p = 0; p < s->plan->tasks; p++)
        for (int column = 0; column < c.count; column++)
            general_cell(s, &c, column, s->order[p], people, table);
    return table;
}

/* "gpus 4: 83 % in use, peak 4" */
static void put_resources(const struct shown *s, struct cs_strbuf *out)
{
    const struct cs_modes *m = shown_modes(s);

    if (m->resources > 1 || m->budgets)
        cs_strbuf_putc(out, '\n');
    for (int r = 1; r < m->resources; r++) {
        cs_strbuf_printf(out, "%s ", m->resource_name[r]);
        cs_bag_put_amount(out, m->resource_name[r], m->capacity[r]);
        cs_strbuf_puts(out, ": ");
        cs_human_percent(out, cs_bag_general_use(s->of->general, s->plan, r), 0);
        cs_strbuf_puts(out, " in use, peak ");
        cs_bag_put_amount(out, m->resource_name[r],
                          cs_bag_general_peak(s->of->general, s->plan, r));
        cs_strbuf_putc(out, '\n');
    }
    for (int q = 0; q < m->budgets; q++)
        cs_strbuf_printf(out, "budget %s: %.15g of %.15g\n", m->budget_name[q],
                         cs_bag_general_spent(s->of->general, s->plan, q),
                         (double)m->budget[q] / 1000);
}

static void put_late(const struct shown *s, struct cs_strbuf *out)
{
    const double *due = shown_modes(s)->deadline;
    const char *comma = ": ";

    if (!(cs_bag_general_late(s->of->general, s->plan) > 0))
        return;
    cs_strbuf_puts(out, "late ");
    cs_human_duration(out, cs_bag_general_late(s->of->general, s->plan));
    for (int i = 0; i < s->plan->tasks; i++)
        if (s->plan->end[i] > due[i] * (1 + 1e-9)) {
            cs_strbuf_printf(out, "%s%s", comma, s->of->workload->name[i]);
            comma = ", ";
        }
    cs_strbuf_putc(out, '\n');
}

static void plan_text(const struct shown *s, const struct cs_show *how, struct cs_strbuf *out)
{
    struct cs_table *table;

    put_summary(s, out);
    if (s->plan->tasks > ROWS_FOR_PEOPLE) {
        cs_strbuf_printf(out,
                         "\n%d tasks are too many to show here: use --output, --gantt or "
                         "--format csv.\n",
                         s->plan->tasks);
    } else if (s->plan->tasks > 0) {
        table = s->of->general ? general_table(s, true) : people_table(s);
        cs_strbuf_putc(out, '\n');
        cs_view_put_table(table, how, out);
        cs_table_destroy(table);
    }
    if (s->of->general) {
        put_resources(s, out);
        put_late(s, out);
    }
    cs_view_put_origins(out, s->of->runs, s->marked);
    cs_moldable_put_advice(s->of, out);
}

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},      {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "seconds", .kind = CS_COLUMN_NUMBER}, {.key = "origin", .kind = CS_COLUMN_WORD},
    {.key = "start", .kind = CS_COLUMN_NUMBER},   {.key = "end", .kind = CS_COLUMN_NUMBER},
};

static void plan_csv(const struct shown *s, struct cs_strbuf *out)
{
    struct cs_table *table = s->of->general
                                 ? general_table(s, false)
                                 : cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int p = 0; p < s->plan->tasks && !s->of->general; p++) {
        int i = s->order[p];

        cs_table_text(table, s->of->workload->name[i]);
        cs_table_count(table, s->plan->procs[i]);
        cs_table_number(
            table, cs_moldable_instance_candidate(s->of->instance, i, s->plan->choice[i]).seconds);
        cs_table_text(table, cs_time_origin_name(origin_of(s, i)));
        cs_table_number(table, s->plan->start[i]);
        cs_table_number(table, s->plan->end[i]);
    }
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

static void show_plan(const struct cs_study *study, const struct cs_show *how,
                      struct cs_strbuf *out)
{
    struct shown s;

    if (moldable_case_of(study)->ranged) {
        cs_moldable_show_sizes(moldable_case_of(study), how, out);
        return;
    }
    s = moldable_inspect(study);
    if (how->format == CS_SHOW_CSV)
        plan_csv(&s, out);
    else
        plan_text(&s, how, out);
}

static bool has_sizes(const struct cs_study *study)
{
    return moldable_case_of(study)->ranged;
}

static int moldable_curve(const struct cs_study *study, struct cs_strbuf *svg, struct cs_error *err)
{
    return cs_moldable_draw_sizes(moldable_case_of(study), svg, err);
}

static void put_advice(const struct cs_study *study, struct cs_jsonw *w)
{
    cs_moldable_json_advice(moldable_case_of(study), w);
}

const struct cs_view cs_view_moldable = {
    .problem = &cs_problem_moldable,
    .head = moldable_put_head,
    .json = put_study,
    .variant = put_variant,
    .draw = moldable_draw,
    .plan = show_plan,
    .plan_is_schedule = true,
    .sizes = has_sizes,
    .advice = put_advice,
    .curve = moldable_curve,
};
