/* moldable_sizes.c - how many processors to request: the sizes of a machine, and the closing line.
 */
#include "api/views/moldable_sizes.h"

#include "report/human.h"
#include "report/plot.h"

#include <math.h>
#include <string.h>

static const char *unit_of(const struct cs_moldable_case *c)
{
    return c->study.options->unit;
}

static void put_hours(struct cs_strbuf *out, double seconds)
{
    cs_human_digits(out, seconds / 3600, seconds < 36000 ? 3 : 4);
}

/* ---- the closing line ---- */

/* "46 nodes are enough for this makespan (22.8 node hours instead of 126.8)" */
static void put_enough(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const double makespan = c->plan[0]->makespan;

    cs_human_units(out, c->advice.enough, unit_of(c));
    cs_strbuf_puts(out, c->advice.enough == 1 ? " is" : " are");
    cs_strbuf_puts(out, " enough for this makespan (");
    put_hours(out, c->advice.enough * makespan);
    cs_strbuf_printf(out, " %s hours instead of ", unit_of(c));
    put_hours(out, c->instance->bag.procs * makespan);
    cs_strbuf_puts(out, ")");
}

/* The bound of the longest task is the largest one, and the makespan is above it. */
static void put_above(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const struct cs_moldable_seen *seen = cs_study_outcome(&c->study, 0, 0);

    cs_strbuf_printf(out, "%s and the %ss limit together: ", c->workload->name[c->advice.task],
                     unit_of(c));
    cs_human_percent(out, seen->held, 0);
    cs_strbuf_printf(out, " of the %ss are in use", unit_of(c));
}

static void put_critical(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    if (c->plan[0]->makespan > c->bounds.critical * (1 + 1e-12)) {
        put_above(c, out);
        return;
    }
    cs_strbuf_printf(out, "a shorter one needs a faster %s", c->workload->name[c->advice.task]);
    if (c->advice.measure)
        cs_strbuf_printf(out, ": measure it on %d", c->advice.measure);
}

/* " limit: 93 % of them are in use; one more would allow 2 min less" */
static void put_share(double use, double saved, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, " limit: ");
    cs_human_percent(out, use, 0);
    cs_strbuf_puts(out, " of them are in use");
    if (saved > 0) {
        cs_strbuf_puts(out, "; one more would allow ");
        cs_human_duration(out, saved);
        cs_strbuf_puts(out, " less");
    }
}

static void put_resource(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const struct cs_moldable_seen *seen = cs_study_outcome(&c->study, 0, 0);

    cs_strbuf_printf(out, "%ss", unit_of(c));
    put_share(seen->held, c->advice.saved, out);
}

static void put_unknown(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const struct cs_moldable_seen *seen = cs_study_outcome(&c->study, 0, 0);

    cs_strbuf_puts(out, "between plan and bound ");
    cs_human_percent(out, seen->makespan / seen->bound - 1, 0);
    if (!c->call && cs_moldable_case_effort(c) < CS_MOLDABLE_EFFORT_HIGH)
        cs_strbuf_puts(out, ": --effort high may find a shorter plan");
}

/* ---- general bags ---- */

static void put_tasks(const struct cs_moldable_case *c, const struct cs_bag_limit *limit,
                      struct cs_strbuf *out)
{
    for (int k = 0; k < limit->tasks; k++)
        cs_strbuf_printf(out, "%s%s",
                         !k                     ? ""
                         : k + 1 < limit->tasks ? ", "
                                                : " and ",
                         c->workload->name[limit->task[k]]);
}

/* The resource of which two tasks of a clique need more than there is; NULL: one precedes the
 * other. */
static const char *apart_resource(const struct cs_bag *bag, const struct cs_bag_limit *limit)
{
    const struct cs_modes *m = &bag->data;

    for (int r = 0; r < m->resources && limit->tasks > 1; r++) {
        int64_t sum = 0;

        for (int k = 0; k < 2; k++) {
            const int i = limit->task[k];
            int64_t least = cs_bag_use(bag, m->first[i])[r];

            for (int mode = m->first[i]; mode < m->first[i + 1]; mode++)
                least = cs_bag_use(bag, mode)[r] < least ? cs_bag_use(bag, mode)[r] : least;
            sum += least;
        }
        if (sum > m->capacity[r])
            return m->resource_name[r];
    }
    return NULL;
}

static void put_apart(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const char *resource = apart_resource(&c->general->bag, &c->advice.general);

    put_tasks(c, &c->advice.general, out);
    cs_strbuf_puts(out, " cannot run side by side");
    if (resource)
        cs_strbuf_printf(out, " (%s)", resource);
}

static void put_path(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    if (c->advice.general.tasks == 1) {
        put_critical(c, out);
        return;
    }
    cs_strbuf_puts(out, "a shorter one needs a faster task of the path ");
    put_tasks(c, &c->advice.general, out);
}

static void put_scarce(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const struct cs_bag_limit *limit = &c->advice.general;

    cs_strbuf_puts(out, c->general->bag.data.resource_name[limit->index]);
    put_share(cs_bag_general_use(c->general, c->plan[0], limit->index), limit->saved, out);
}

static void put_budget(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const struct cs_bag_limit *limit = &c->advice.general;
    const struct cs_modes *m = &c->general->bag.data;

    cs_strbuf_printf(out, "the budget %s limits", m->budget_name[limit->index]);
    if (limit->saved > 0) {
        cs_strbuf_printf(out, ": with %.4g more the bound falls by ",
                         (double)(m->budget[limit->index] / 10) / 1000);
        cs_human_duration(out, limit->saved);
    }
}

static void put_general(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    switch (c->advice.general.kind) {
    case CS_LIMIT_CRITICAL:
        put_path(c, out);
        return;
    case CS_LIMIT_RESOURCE:
        put_scarce(c, out);
        return;
    case CS_LIMIT_APART:
        put_apart(c, out);
        return;
    case CS_LIMIT_BUDGET:
        put_budget(c, out);
        return;
    case CS_LIMIT_CHAIN:
        cs_strbuf_puts(out, "work and precedence limit together: no plan is shorter than ");
        cs_human_duration(out, c->bounds.best);
        return;
    case CS_LIMIT_UNKNOWN:
        put_unknown(c, out);
        return;
    }
}

void cs_moldable_put_advice(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    if (c->plan[0]->tasks == 0 || !c->advice.enough)
        return;
    cs_strbuf_putc(out, '\n');
    if (c->advice.enough < c->instance->bag.procs) {
        put_enough(c, out);
        cs_strbuf_puts(out, "; ");
    }
    if (c->general)
        put_general(c, out);
    else if (c->advice.limit == CS_LIMIT_CRITICAL)
        put_critical(c, out);
    else if (c->advice.limit == CS_LIMIT_RESOURCE)
        put_resource(c, out);
    else
        put_unknown(c, out);
    cs_strbuf_putc(out, '\n');
}

void cs_moldable_json_advice(const struct cs_moldable_case *c, struct cs_jsonw *w)
{
    static const char *const limit[] = {"unknown", "critical", "procs"};
    const struct cs_moldable_advice *a = &c->advice;
    struct cs_strbuf name = CS_STRBUF_INIT;

    if (!a->enough) {
        cs_jsonw_null(w);
        return;
    }
    cs_jsonw_open_flat(w, '{');
    if (c->general)
        cs_bag_limit_put(&c->general->bag, &a->general, &name);
    cs_jsonw_put_string(w, "limit", c->general ? name.text : limit[a->limit]);
    cs_strbuf_release(&name);
    cs_jsonw_put_int(w, "enough", a->enough);
    cs_jsonw_put_string(w, "task", a->task < 0 ? NULL : c->workload->name[a->task]);
    cs_jsonw_put_string(w, "mode", NULL);
    cs_jsonw_key(w, "measure");
    if (a->measure)
        cs_jsonw_int(w, a->measure);
    else
        cs_jsonw_null(w);
    cs_jsonw_close(w);
}

/* ---- the sizes ---- */

static const struct cs_column columns[] = {
    {.key = "procs", .kind = CS_COLUMN_COUNT},      {.key = "makespan", .kind = CS_COLUMN_NUMBER},
    {.key = "bound", .kind = CS_COLUMN_NUMBER},     {.key = "gap", .kind = CS_COLUMN_NUMBER},
    {.key = "charged", .kind = CS_COLUMN_NUMBER},   {.key = "efficiency", .kind = CS_COLUMN_NUMBER},
    {.key = "frontier", .kind = CS_COLUMN_BOOLEAN}, {.key = "limit", .kind = CS_COLUMN_WORD},
};

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

static void sizes_csv(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int r = 0; r < c->frontier.rows; r++) {
        const struct cs_frontier_row *row = &c->frontier.row[r];

        cs_table_count(table, row->procs);
        cs_table_number(table, finite_or_nan(row->makespan));
        cs_table_number(table, finite_or_nan(row->bound));
        cs_table_number(table, cs_frontier_gap(row));
        cs_table_number(table, finite_or_nan(row->charged));
        cs_table_number(table, row->limit ? row->efficiency : NAN);
        cs_table_count(table, row->best);
        cs_table_text(table, row->limit);
    }
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

static void sizes_put_row(const struct cs_moldable_case *c, const struct cs_frontier_row *row,
                          struct cs_table *table)
{
    const char *limit = row->limit && !strcmp(row->limit, "procs") ? unit_of(c) : row->limit;
    struct cs_strbuf units = CS_STRBUF_INIT;

    cs_strbuf_printf(&units, "%s%s", limit ? limit : "", limit == unit_of(c) ? "s" : "");
    cs_table_count(table, row->procs);
    cs_table_number(table, finite_or_nan(row->makespan));
    cs_table_number(table, finite_or_nan(row->bound));
    cs_table_number(table, cs_frontier_gap(row));
    cs_table_number(table, finite_or_nan(row->charged / 3600));
    cs_table_number(table, row->limit ? row->efficiency : NAN);
    cs_table_text(table, row->best ? "*" : "");
    cs_table_text(table, units.text);
    cs_strbuf_release(&units);
}

static void sizes_put_table(const struct cs_moldable_case *c, const struct cs_show *how,
                            struct cs_strbuf *out)
{
    struct cs_strbuf units = CS_STRBUF_INIT, hours = CS_STRBUF_INIT;
    struct cs_table *table;

    cs_strbuf_printf(&units, "%ss", unit_of(c));
    cs_strbuf_printf(&hours, "%s hours", unit_of(c));
    const struct cs_column people[] = {
        {.key = "procs", .heading = units.text, .kind = CS_COLUMN_COUNT},
        {.key = "makespan", .kind = CS_COLUMN_SECONDS},
        {.key = "bound", .kind = CS_COLUMN_SECONDS},
        {.key = "gap", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "charged", .heading = hours.text, .kind = CS_COLUMN_DIGITS, .digits = 4},
        {.key = "efficiency", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "frontier", .kind = CS_COLUMN_WORD},
        {.key = "limit", .kind = CS_COLUMN_WORD},
    };

    table = cs_table_create(people, sizeof people / sizeof *people);
    for (int r = 0; r < c->frontier.rows; r++)
        sizes_put_row(c, &c->frontier.row[r], table);
    cs_view_put_table(table, how, out);
    cs_table_destroy(table);
    cs_strbuf_release(&units);
    cs_strbuf_release(&hours);
}

/* "46 nodes: 29 min 43 s, 22.8 node hours" */
static void put_answer(const struct cs_moldable_case *c, int answer, struct cs_strbuf *out)
{
    const struct cs_frontier_row *row = &c->frontier.row[answer];

    cs_human_units(out, row->procs, unit_of(c));
    cs_strbuf_puts(out, ": ");
    cs_human_duration(out, row->makespan);
    cs_strbuf_puts(out, ", ");
    put_hours(out, row->charged);
    cs_strbuf_printf(out, " %s hours", unit_of(c));
}

/* "; the same makespan as 256 nodes with 126.8 node hours" */
static void put_same(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const struct cs_frontier_row *last = &c->frontier.row[c->frontier.rows - 1];

    put_answer(c, c->frontier.same, out);
    cs_strbuf_puts(out, "; the least makespan");
    if (c->frontier.same < c->frontier.rows - 1) {
        cs_strbuf_puts(out, ", which ");
        cs_human_units(out, last->procs, unit_of(c));
        cs_strbuf_puts(out, " do not shorten with ");
        put_hours(out, last->charged);
    }
    cs_strbuf_putc(out, '\n');
}

static void put_deadline(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    const double deadline = c->options->deadline;

    if (isnan(deadline))
        return;
    if (c->frontier.deadline >= 0) {
        put_answer(c, c->frontier.deadline, out);
        cs_strbuf_printf(out, "; the fewest %s hours of the sizes that end within ", unit_of(c));
        cs_human_duration(out, deadline);
    } else {
        cs_strbuf_puts(out, "no size ends within ");
        cs_human_duration(out, deadline);
    }
    cs_strbuf_putc(out, '\n');
}

static void put_answers(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    put_answer(c, c->frontier.within, out);
    cs_strbuf_puts(out, "; the smallest size within ");
    cs_human_percent(out, c->within, c->within < 0.01 ? 2 : 0);
    cs_strbuf_puts(out, " of the least makespan\n");
    put_same(c, out);
    put_deadline(c, out);
}

static void sizes_text(const struct cs_moldable_case *c, const struct cs_show *how,
                       struct cs_strbuf *out)
{
    const struct cs_moldable_seen *seen = cs_study_outcome(&c->study, 0, 0);

    cs_human_units(out, c->workload->count, "task");
    cs_strbuf_printf(out, " on %d to ", c->sizes.size[0]);
    cs_human_units(out, c->sizes.size[c->sizes.count - 1], unit_of(c));
    cs_strbuf_printf(out, " (%s): ", cs_view_input(&c->study));
    cs_human_units(out, c->frontier.rows, "size");
    cs_strbuf_puts(out, " in ");
    cs_human_duration(out, seen->seconds);
    cs_strbuf_puts(out, "\n\n");
    sizes_put_table(c, how, out);
    cs_strbuf_putc(out, '\n');
    put_answers(c, out);
    cs_moldable_put_advice(c, out);
}

static void sizes_put_answer(const struct cs_moldable_case *c, int answer, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "procs");
    if (answer < 0)
        cs_jsonw_null(w);
    else
        cs_jsonw_int(w, c->frontier.row[answer].procs);
    cs_jsonw_close(w);
}

static void sizes_put_answers(const struct cs_moldable_case *c, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "answers");
    cs_jsonw_open(w, '{');
    cs_jsonw_key(w, "within");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "share", c->within);
    sizes_put_answer(c, c->frontier.within, w);
    cs_jsonw_key(w, "same_makespan");
    cs_jsonw_open_flat(w, '{');
    sizes_put_answer(c, c->frontier.same, w);
    cs_jsonw_key(w, "deadline");
    if (isnan(c->options->deadline)) {
        cs_jsonw_null(w);
    } else {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "seconds", c->options->deadline);
        sizes_put_answer(c, c->frontier.deadline, w);
    }
    cs_jsonw_close(w);
}

static void sizes_json_row(const struct cs_frontier_row *row, struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "procs", row->procs);
    cs_jsonw_put_double(w, "makespan", row->makespan);
    cs_jsonw_put_double(w, "bound", row->bound);
    cs_jsonw_put_double(w, "gap", cs_frontier_gap(row));
    cs_jsonw_put_double(w, "charged", row->charged);
    cs_jsonw_put_double(w, "efficiency", row->limit ? row->efficiency : NAN);
    cs_jsonw_put_bool(w, "frontier", row->best);
    cs_jsonw_put_string(w, "limit", row->limit);
    cs_jsonw_close(w);
}

static void sizes_json(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "format", "cosched-frontier-1");
    cs_jsonw_put_string(&w, "problem", "moldable");
    cs_jsonw_put_string(&w, "input", c->study.options->input);
    cs_jsonw_put_int(&w, "tasks", c->workload->count);
    cs_jsonw_put_string(&w, "unit", unit_of(c));
    cs_jsonw_key(&w, "rows");
    cs_jsonw_open(&w, '[');
    for (int r = 0; r < c->frontier.rows; r++)
        sizes_json_row(&c->frontier.row[r], &w);
    cs_jsonw_close(&w);
    sizes_put_answers(c, &w);
    cs_jsonw_key(&w, "advice");
    cs_moldable_json_advice(c, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_moldable_show_sizes(const struct cs_moldable_case *c, const struct cs_show *how,
                            struct cs_strbuf *out)
{
    if (how->format == CS_SHOW_CSV)
        sizes_csv(c, out);
    else if (how->format == CS_SHOW_JSON)
        sizes_json(c, out);
    else
        sizes_text(c, how, out);
}

/* ---- the chart ---- */

/* The sizes with a plan, or those on the frontier: hours charged, makespan, size. */
struct curve {
    double *x, *y, *size;
    int count;
};

static struct curve curve_of(const struct cs_moldable_case *c, bool best, double seconds)
{
    struct cs_arena *arena = c->study.arena;
    const int rows = c->frontier.rows;
    struct curve curve = {CS_NEW_ARRAY(arena, double, rows), CS_NEW_ARRAY(arena, double, rows),
                          CS_NEW_ARRAY(arena, double, rows), 0};

    for (int r = 0; r < rows; r++) {
        const struct cs_frontier_row *row = &c->frontier.row[r];

        if (isinf(row->makespan) || (best && !row->best))
            continue;
        curve.x[curve.count] = row->charged / 3600;
        curve.y[curve.count] = row->makespan / seconds;
        curve.size[curve.count++] = row->procs;
    }
    return curve;
}

int cs_moldable_draw_sizes(const struct cs_moldable_case *c, struct cs_strbuf *svg,
                           struct cs_error *err)
{
    const struct cs_study_options *o = c->study.options;
    const struct cs_time_unit unit = cs_time_unit(c->frontier.row[c->frontier.within].makespan);
    const struct curve all = curve_of(c, false, unit.seconds),
                       best = curve_of(c, true, unit.seconds);
    struct cs_strbuf hours = CS_STRBUF_INIT, points = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(&hours, "%s hours", o->unit);
    cs_strbuf_printf(&points, "frontier (%ss)", o->unit);
    const struct cs_plot_series series[] = {
        {.name = "all sizes", .count = all.count, .x = all.x, .y = all.y},
        {.name = points.text,
         .count = best.count,
         .x = best.x,
         .y = best.y,
         .label = best.size,
         .dots = true},
    };
    const struct cs_plot_panel panel = {
        .kind = CS_PLOT_LINES,
        .x = {.title = hours.text, .zero = true},
        .y = {.title = "makespan", .unit = unit.name, .zero = true},
        .series_count = 2,
        .series = series,
    };
    const struct cs_plot_figure figure = {
        .title = o->title ? o->title : cs_view_input(&c->study),
        .style = o->dark ? CS_STYLE_DARK : CS_STYLE_COLOR,
        .panel_count = 1,
        .panel = &panel,
    };

    status = cs_plot_svg(&figure, svg, err);
    cs_strbuf_release(&hours);
    cs_strbuf_release(&points);
    return status;
}
