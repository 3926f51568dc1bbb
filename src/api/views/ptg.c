/* ptg.c - the view of ptg: task graphs that share clusters. */
#include "api/view.h"
#include "problems/ptg/problem.h"
#include "report/human.h"

#include <math.h>

static const struct cs_ptg_case *ptg_case_of(const struct cs_study *study)
{
    return (const struct cs_ptg_case *)(const void *)study;
}

static double ptg_gap(const struct cs_ptg_case *c, double makespan)
{
    return c->bounds.window > 0 ? makespan / c->bounds.window - 1 : NAN;
}

/* The makespan with contention divided by the planned one; 1 if that is 0. */
static double ptg_stretch(const struct cs_ptg_variant *variant)
{
    return variant->plan->makespan > 0 ? variant->replayed->makespan / variant->plan->makespan : 1;
}

static const char *network_word(const struct cs_ptg_case *c)
{
    return c->options.network == CS_PTG_NETWORK_FAN ? "fan" : "plain";
}

static const char *platform_word(const struct cs_ptg_case *c)
{
    return c->settings->platform ? c->settings->platform : "one platform";
}

/* ---- one strategy, a row for each graph ---- */

static struct cs_table *graph_table(const struct cs_ptg_case *c,
                                    const struct cs_ptg_variant *variant)
{
    const struct cs_column columns[] = {
        {.key = "graph", .kind = CS_COLUMN_WORD},
        {.key = "tasks", .kind = CS_COLUMN_COUNT},
        {.key = "width", .kind = CS_COLUMN_COUNT},
        {.key = "work", .kind = CS_COLUMN_NUMBER, .hidden = true},
        {.key = "share", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "release", .kind = CS_COLUMN_SECONDS, .hidden = !c->supplied.release},
        {.key = "alone", .kind = CS_COLUMN_SECONDS},
        {.key = "shared", .kind = CS_COLUMN_SECONDS},
        {.key = "slowdown", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "contended",
         .heading = "with contention",
         .kind = CS_COLUMN_SECONDS,
         .hidden = !c->settings->replay},
        {.key = "contended_slowdown",
         .heading = "slowdown then",
         .kind = CS_COLUMN_NUMBER,
         .digits = 3,
         .hidden = !c->settings->replay},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int g = 0; g < c->supplied.list.graphs; g++) {
        const struct cs_graph *graph = c->supplied.list.graph[g];

        cs_table_text(table, c->label[g]);
        cs_table_count(table, graph->tasks);
        cs_table_count(table, graph->width);
        cs_table_number(table, graph->work);
        cs_table_number(table, variant->plan->beta[g]);
        cs_table_number(table, c->supplied.release ? c->supplied.release[g] : 0);
        cs_table_number(table, variant->metrics->own[g]);
        cs_table_number(table, variant->metrics->shared[g]);
        cs_table_number(table, variant->metrics->slowdown[g]);
        cs_table_number(table, variant->contended ? variant->contended->shared[g] : NAN);
        cs_table_number(table, variant->contended ? variant->contended->slowdown[g] : NAN);
    }
    return table;
}

/* ---- for people ---- */

static void ptg_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_ptg_case *c = ptg_case_of(study);
    static const char *const arrivals[] = {
        [CS_PTG_OFFLINE] = "",
        [CS_PTG_FIXED] = ", shares set once as each graph arrives",
        [CS_PTG_ARRIVAL] = ", shares set at every arrival",
        [CS_PTG_FULL] = ", shares set at every arrival and completion"};
    const struct cs_platform *p = c->supplied.platform[0];

    cs_human_units(out, c->supplied.list.graphs, "graph");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, cs_ptg_instance_tasks(c->supplied.instance[0]), "task");
    cs_strbuf_printf(out, " on %s: ", p->name[0] ? p->name : platform_word(c));
    cs_human_units(out, p->procs, p->unit);
    cs_strbuf_puts(out, " in ");
    cs_human_units(out, p->clusters, "cluster");
    cs_strbuf_printf(out, "\nallocation %s, %s network%s\nlower bound on the makespan ",
                     c->options.procedure == CS_PTG_SCRAP ? "scrap" : "scrap-max", network_word(c),
                     arrivals[c->mode]);
    cs_human_duration(out, c->bounds.window);
    cs_strbuf_putc(out, '\n');
}

static void put_unfairness(const struct cs_ptg_metrics *m, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "unfairness ");
    cs_human_fixed(out, m->unfairness, 3);
    cs_strbuf_puts(out, ", average slowdown ");
    cs_human_fixed(out, m->average_slowdown, 3);
}

static void put_detail(const struct cs_study *study, const struct cs_show *how,
                       struct cs_strbuf *out)
{
    const struct cs_ptg_case *c = ptg_case_of(study);
    const struct cs_ptg_variant *variant = &c->variant[0];
    struct cs_table *table = graph_table(c, variant);

    cs_strbuf_printf(out, "\n%s", study->variant[0].word[0]);
    if (variant->plan->member)
        cs_strbuf_printf(out, " (%s, best of %d)", variant->plan->member, variant->plan->rounds);
    cs_strbuf_puts(out, ": makespan ");
    cs_human_duration(out, variant->plan->makespan);
    if (c->bounds.window > 0) {
        cs_strbuf_puts(out, ", ");
        cs_human_percent(out, ptg_gap(c, variant->plan->makespan), 1);
        cs_strbuf_puts(out, " above the bound");
    }
    cs_strbuf_puts(out, "; mean of the graphs ");
    cs_human_duration(out, variant->metrics->average_makespan);
    cs_strbuf_putc(out, '\n');
    put_unfairness(variant->metrics, out);
    cs_strbuf_puts(out, " (1: as if alone)\n");
    if (variant->replayed) {
        cs_strbuf_puts(out, "with contention: makespan ");
        cs_human_duration(out, variant->replayed->makespan);
        cs_strbuf_puts(out, ", ");
        cs_human_fixed(out, ptg_stretch(variant), 3);
        cs_strbuf_puts(out, " times the planned one; ");
        put_unfairness(variant->contended, out);
        cs_strbuf_putc(out, '\n');
    }
    cs_strbuf_putc(out, '\n');
    cs_view_put_table(table, how, out);
    cs_table_destroy(table);
}

/* ---- for programs ---- */

static void json_metrics(const struct cs_ptg_metrics *m, struct cs_jsonw *w)
{
    cs_jsonw_put_double(w, "makespan", m->makespan);
    cs_jsonw_put_double(w, "average_makespan", m->average_makespan);
    cs_jsonw_put_double(w, "unfairness", m->unfairness);
    cs_jsonw_put_double(w, "average_slowdown", m->average_slowdown);
}

static void json_graph(const struct cs_ptg_case *c, const struct cs_ptg_variant *variant, int g,
                       struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "graph", c->label[g]);
    cs_jsonw_put_double(w, "share", variant->plan->beta[g]);
    cs_jsonw_put_double(w, "alone", variant->metrics->own[g]);
    cs_jsonw_put_double(w, "shared", variant->metrics->shared[g]);
    cs_jsonw_put_double(w, "slowdown", variant->metrics->slowdown[g]);
    if (variant->contended) {
        cs_jsonw_put_double(w, "contended", variant->contended->shared[g]);
        cs_jsonw_put_double(w, "contended_slowdown", variant->contended->slowdown[g]);
    }
    cs_jsonw_close(w);
}

static void put_more(const struct cs_study *study, int i, struct cs_jsonw *w)
{
    const struct cs_ptg_case *c = ptg_case_of(study);
    const struct cs_ptg_variant *variant = &c->variant[i];

    if (variant->plan->member)
        cs_jsonw_put_string(w, "member", variant->plan->member);
    cs_jsonw_put_int(w, "rounds", variant->plan->rounds);
    cs_jsonw_put_int(w, "recomputations", variant->plan->recomputations);
    cs_jsonw_put_int(w, "revoked", variant->plan->revoked);
    if (variant->contended) {
        cs_jsonw_key(w, "contention");
        cs_jsonw_open(w, '{');
        json_metrics(variant->contended, w);
        cs_jsonw_put_double(w, "over_planned", ptg_stretch(variant));
        cs_jsonw_close(w);
    }
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < c->supplied.list.graphs; g++)
        json_graph(c, variant, g, w);
    cs_jsonw_close(w);
}

static void json_input(const struct cs_ptg_case *c, int g, struct cs_jsonw *w)
{
    const struct cs_graph *graph = c->supplied.list.graph[g];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", c->label[g]);
    cs_jsonw_put_int(w, "tasks", graph->tasks);
    cs_jsonw_put_int(w, "arcs", graph->arcs);
    cs_jsonw_put_int(w, "levels", graph->levels);
    cs_jsonw_put_int(w, "width", graph->width);
    cs_jsonw_put_double(w, "work", graph->work);
    cs_jsonw_put_double(w, "release", c->supplied.release ? c->supplied.release[g] : 0);
    cs_jsonw_close(w);
}

static void ptg_put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    static const char *const modes[] = {[CS_PTG_OFFLINE] = NULL,
                                        [CS_PTG_FIXED] = "fixed",
                                        [CS_PTG_ARRIVAL] = "arrival",
                                        [CS_PTG_FULL] = "full"};
    const struct cs_ptg_case *c = ptg_case_of(study);

    cs_jsonw_put_string(w, "platform", c->supplied.platform[0]->name);
    cs_jsonw_put_int(w, "procs", c->supplied.platform[0]->procs);
    cs_jsonw_put_string(w, "allocation",
                        c->options.procedure == CS_PTG_SCRAP ? "scrap" : "scrap-max");
    cs_jsonw_put_string(w, "network", network_word(c));
    cs_jsonw_put_string(w, "online", modes[c->mode]);
    cs_jsonw_put_double(w, "lower_bound", c->bounds.window);
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < c->supplied.list.graphs; g++)
        json_input(c, g, w);
    cs_jsonw_close(w);
}

static void show_plan(const struct cs_study *study, const struct cs_show *how,
                      struct cs_strbuf *out)
{
    struct cs_table *table;

    if (how->format == CS_SHOW_TABLE) {
        ptg_put_head(study, out);
        put_detail(study, how, out);
        return;
    }
    table = graph_table(ptg_case_of(study), &ptg_case_of(study)->variant[0]);
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

/* ---- pictures ---- */

/* Append the strategy, the makespan, its gap to the bound and the unfairness. */
static void put_subtitle(const struct cs_ptg_case *c, int which, struct cs_strbuf *out)
{
    const struct cs_ptg_variant *variant = &c->variant[which];

    cs_strbuf_printf(out, "%s · ", c->study.variant[which].word[0]);
    cs_human_duration(out, variant->plan->makespan);
    if (c->bounds.window > 0) {
        cs_strbuf_puts(out, ", ");
        cs_human_percent(out, ptg_gap(c, variant->plan->makespan), 1);
        cs_strbuf_puts(out, " above the bound");
    }
    cs_strbuf_puts(out, " · unfairness ");
    cs_human_fixed(out, variant->metrics->unfairness, 3);
}

static int ptg_draw(const struct cs_study *study, const struct cs_view_run *run,
                    struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_ptg_case *c = ptg_case_of(study);
    const struct cs_ptg_plan *plan = c->variant[run->variant].plan;
    struct cs_strbuf subtitle = CS_STRBUF_INIT, name = CS_STRBUF_INIT;
    int *owner = CS_NEW_ARRAY(study->arena, int, cs_schedule_tasks(run->record->schedule));
    struct cs_gantt_options options;
    int status;

    for (int g = 0; g < plan->graphs; g++)
        for (int v = plan->first[g]; v < plan->first[g + 1]; v++)
            owner[v] = g;
    put_subtitle(c, run->variant, &subtitle);
    cs_human_units(&name, c->supplied.list.graphs, "graph");
    cs_strbuf_printf(&name, " on %s",
                     c->supplied.platform[0]->name[0] ? c->supplied.platform[0]->name
                                                      : "one platform");
    options = cs_view_gantt(study, run, subtitle.text);
    options.title = run->appearance.title ? run->appearance.title : name.text;
    options.group = "cluster";
    options.owners = c->supplied.list.graphs;
    options.owner_name = c->label;
    options.owner = owner;
    status = cs_gantt_svg(run->record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    cs_strbuf_release(&name);
    return status;
}

const struct cs_view cs_view_ptg = {
    .problem = &cs_problem_ptg,
    .head = ptg_put_head,
    .json = ptg_put_json,
    .more = put_more,
    .draw = ptg_draw,
    .plan = show_plan,
};
