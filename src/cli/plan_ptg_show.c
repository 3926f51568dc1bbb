/* plan_ptg_show.c - one strategy graph by graph, several side by side. */
#include "cli/ptg.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>

static double best_makespan(const struct cs_ptg_job *job)
{
    double best = INFINITY;

    for (int w = 0; w < job->ways; w++)
        best = fmin(best, job->way[w].plan->makespan);
    return best;
}

static double least_unfairness(const struct cs_ptg_job *job)
{
    double least = INFINITY;

    for (int w = 0; w < job->ways; w++)
        least = fmin(least, job->way[w].metrics->unfairness);
    return least;
}

/* How much longer than the shortest of the strategies compared. */
static double relative_makespan(const struct cs_ptg_job *job, const struct cs_ptg_way *way)
{
    double best = best_makespan(job);

    return best > 0 ? way->plan->makespan / best : 1;
}

/* How much longer with contention than planned. */
static double stretch(const struct cs_ptg_way *way)
{
    return way->plan->makespan > 0 ? way->replayed->makespan / way->plan->makespan : 1;
}

static const char *network_word(const struct cs_ptg_job *job)
{
    return job->options.network == CS_PTG_NETWORK_FAN ? "fan" : "plain";
}

/* One strategy, a row for each graph. */

static struct cs_table *graph_table(const struct cs_ptg_job *job, const struct cs_ptg_way *way)
{
    const struct cs_column columns[] = {
        {.key = "graph", .kind = CS_COLUMN_WORD},
        {.key = "tasks", .kind = CS_COLUMN_COUNT},
        {.key = "width", .kind = CS_COLUMN_COUNT},
        {.key = "work", .kind = CS_COLUMN_NUMBER, .hidden = true},
        {.key = "share", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "release", .kind = CS_COLUMN_SECONDS, .hidden = !job->release},
        {.key = "alone", .kind = CS_COLUMN_SECONDS},
        {.key = "shared", .kind = CS_COLUMN_SECONDS},
        {.key = "slowdown", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "contended",
         .heading = "with contention",
         .kind = CS_COLUMN_SECONDS,
         .hidden = !job->replay},
        {.key = "contended_slowdown",
         .heading = "slowdown then",
         .kind = CS_COLUMN_NUMBER,
         .digits = 3,
         .hidden = !job->replay},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int g = 0; g < job->list.graphs; g++) {
        const struct cs_graph *graph = job->list.graph[g];

        cs_table_text(table, job->label[g]);
        cs_table_count(table, graph->tasks);
        cs_table_count(table, graph->width);
        cs_table_number(table, graph->work);
        cs_table_number(table, way->plan->beta[g]);
        cs_table_number(table, job->release ? job->release[g] : 0);
        cs_table_number(table, way->metrics->own[g]);
        cs_table_number(table, way->metrics->shared[g]);
        cs_table_number(table, way->metrics->slowdown[g]);
        cs_table_number(table, way->contended ? way->contended->shared[g] : NAN);
        cs_table_number(table, way->contended ? way->contended->slowdown[g] : NAN);
    }
    return table;
}

/* Several strategies, a row for each. */

static const char *remark(const struct cs_ptg_job *job, const struct cs_ptg_way *way)
{
    bool shortest = way->plan->makespan <= best_makespan(job);
    bool fairest = way->metrics->unfairness <= least_unfairness(job);

    return shortest && fairest ? "shortest, fairest"
           : shortest          ? "shortest"
           : fairest           ? "fairest"
                               : "";
}

static void way_row(const struct cs_ptg_job *job, const struct cs_ptg_way *way,
                    struct cs_table *table)
{
    const struct cs_ptg_metrics *m = way->metrics;

    cs_table_text(table, way->name);
    cs_table_number(table, m->unfairness);
    cs_table_number(table, m->average_slowdown);
    cs_table_number(table, m->makespan);
    cs_table_number(table, relative_makespan(job, way));
    cs_table_number(table, cs_ptg_job_gap(job, m->makespan));
    cs_table_number(table, m->average_makespan);
    cs_table_number(table, way->contended ? way->contended->makespan : NAN);
    cs_table_number(table, way->contended ? way->contended->unfairness : NAN);
    cs_table_text(table, remark(job, way));
}

static struct cs_table *way_table(const struct cs_ptg_job *job)
{
    const struct cs_column columns[] = {
        {.key = "strategy", .kind = CS_COLUMN_WORD},
        {.key = "unfairness", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "average_slowdown",
         .heading = "average slowdown",
         .kind = CS_COLUMN_NUMBER,
         .digits = 3},
        {.key = "makespan", .kind = CS_COLUMN_SECONDS},
        {.key = "relative_makespan", .heading = "over best", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "gap", .heading = "above bound", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "average_makespan", .heading = "mean of graphs", .kind = CS_COLUMN_SECONDS},
        {.key = "contended_makespan",
         .heading = "with contention",
         .kind = CS_COLUMN_SECONDS,
         .hidden = !job->replay},
        {.key = "contended_unfairness",
         .heading = "unfairness then",
         .kind = CS_COLUMN_NUMBER,
         .digits = 3,
         .hidden = !job->replay},
        {.key = "remark", .heading = "", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int w = 0; w < job->ways; w++)
        way_row(job, &job->way[w], table);
    return table;
}

/* For people. */

static void put_head(const struct cs_ptg_job *job, struct cs_strbuf *out)
{
    static const char *const arrivals[] = {
        [CS_PTG_OFFLINE] = "",
        [CS_PTG_FIXED] = ", shares set once as each graph arrives",
        [CS_PTG_ARRIVAL] = ", shares set at every arrival",
        [CS_PTG_FULL] = ", shares set at every arrival and completion"};
    const struct cs_platform *p = job->platform;

    cs_human_units(out, job->list.graphs, "graph");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, cs_ptg_instance_tasks(job->instance), "task");
    cs_strbuf_printf(out,
                     " on %s: ", p->name[0] ? p->name : cs_arguments_text(job->args, "platform"));
    cs_human_units(out, p->procs, p->unit);
    cs_strbuf_puts(out, " in ");
    cs_human_units(out, p->clusters, "cluster");
    cs_strbuf_printf(out, "\nallocation %s, %s network%s\nlower bound on the makespan ",
                     job->options.procedure == CS_PTG_SCRAP ? "scrap" : "scrap-max",
                     network_word(job), arrivals[job->mode]);
    cs_human_duration(out, job->bounds.window);
    cs_strbuf_putc(out, '\n');
}

static void put_unfairness(const struct cs_ptg_metrics *m, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "unfairness ");
    cs_human_fixed(out, m->unfairness, 3);
    cs_strbuf_puts(out, ", average slowdown ");
    cs_human_fixed(out, m->average_slowdown, 3);
}

static void put_detail(const struct cs_ptg_job *job, const struct cs_ptg_way *way,
                       struct cs_strbuf *out)
{
    struct cs_table *table = graph_table(job, way);

    cs_strbuf_printf(out, "\n%s", way->name);
    if (way->plan->member)
        cs_strbuf_printf(out, " (%s, best of %d)", way->plan->member, way->plan->rounds);
    cs_strbuf_puts(out, ": makespan ");
    cs_human_duration(out, way->plan->makespan);
    if (job->bounds.window > 0) {
        cs_strbuf_puts(out, ", ");
        cs_human_percent(out, cs_ptg_job_gap(job, way->plan->makespan), 1);
        cs_strbuf_puts(out, " above the bound");
    }
    cs_strbuf_puts(out, "; mean of the graphs ");
    cs_human_duration(out, way->metrics->average_makespan);
    cs_strbuf_putc(out, '\n');
    put_unfairness(way->metrics, out);
    cs_strbuf_puts(out, " (1: as if alone)\n");
    if (way->replayed) {
        cs_strbuf_puts(out, "with contention: makespan ");
        cs_human_duration(out, way->replayed->makespan);
        cs_strbuf_puts(out, ", ");
        cs_human_fixed(out, stretch(way), 3);
        cs_strbuf_puts(out, " times the planned one; ");
        put_unfairness(way->contended, out);
        cs_strbuf_putc(out, '\n');
    }
    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void put_comparison(const struct cs_ptg_job *job, struct cs_strbuf *out)
{
    struct cs_table *table = way_table(job);

    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

/* For programs. */

static void json_metrics(const struct cs_ptg_metrics *m, struct cs_jsonw *w)
{
    cs_jsonw_put_double(w, "makespan", m->makespan);
    cs_jsonw_put_double(w, "average_makespan", m->average_makespan);
    cs_jsonw_put_double(w, "unfairness", m->unfairness);
    cs_jsonw_put_double(w, "average_slowdown", m->average_slowdown);
}

static void json_graph(const struct cs_ptg_job *job, const struct cs_ptg_way *way, int g,
                       struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "graph", job->label[g]);
    cs_jsonw_put_double(w, "share", way->plan->beta[g]);
    cs_jsonw_put_double(w, "alone", way->metrics->own[g]);
    cs_jsonw_put_double(w, "shared", way->metrics->shared[g]);
    cs_jsonw_put_double(w, "slowdown", way->metrics->slowdown[g]);
    if (way->contended) {
        cs_jsonw_put_double(w, "contended", way->contended->shared[g]);
        cs_jsonw_put_double(w, "contended_slowdown", way->contended->slowdown[g]);
    }
    cs_jsonw_close(w);
}

static void json_way(const struct cs_ptg_job *job, const struct cs_ptg_way *way, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "strategy", way->name);
    if (way->plan->member)
        cs_jsonw_put_string(w, "member", way->plan->member);
    json_metrics(way->metrics, w);
    cs_jsonw_put_double(w, "relative_makespan", relative_makespan(job, way));
    cs_jsonw_put_double(w, "gap", cs_ptg_job_gap(job, way->plan->makespan));
    cs_jsonw_put_int(w, "rounds", way->plan->rounds);
    cs_jsonw_put_int(w, "recomputations", way->plan->recomputations);
    cs_jsonw_put_int(w, "revoked", way->plan->revoked);
    if (way->contended) {
        cs_jsonw_key(w, "contention");
        cs_jsonw_open(w, '{');
        json_metrics(way->contended, w);
        cs_jsonw_put_double(w, "over_planned", stretch(way));
        cs_jsonw_close(w);
    }
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < job->list.graphs; g++)
        json_graph(job, way, g, w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void json_input(const struct cs_ptg_job *job, int g, struct cs_jsonw *w)
{
    const struct cs_graph *graph = job->list.graph[g];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", job->label[g]);
    cs_jsonw_put_int(w, "tasks", graph->tasks);
    cs_jsonw_put_int(w, "arcs", graph->arcs);
    cs_jsonw_put_int(w, "levels", graph->levels);
    cs_jsonw_put_int(w, "width", graph->width);
    cs_jsonw_put_double(w, "work", graph->work);
    cs_jsonw_put_double(w, "release", job->release ? job->release[g] : 0);
    cs_jsonw_close(w);
}

static void show_json(const struct cs_ptg_job *job, struct cs_strbuf *out)
{
    static const char *const modes[] = {[CS_PTG_OFFLINE] = NULL,
                                        [CS_PTG_FIXED] = "fixed",
                                        [CS_PTG_ARRIVAL] = "arrival",
                                        [CS_PTG_FULL] = "full"};
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "platform", job->platform->name);
    cs_jsonw_put_int(&w, "procs", job->platform->procs);
    cs_jsonw_put_string(&w, "allocation",
                        job->options.procedure == CS_PTG_SCRAP ? "scrap" : "scrap-max");
    cs_jsonw_put_string(&w, "network", network_word(job));
    cs_jsonw_put_string(&w, "online", modes[job->mode]);
    cs_jsonw_put_double(&w, "lower_bound", job->bounds.window);
    cs_jsonw_key(&w, "graphs");
    cs_jsonw_open(&w, '[');
    for (int g = 0; g < job->list.graphs; g++)
        json_input(job, g, &w);
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "results");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < job->ways; i++)
        json_way(job, &job->way[i], &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_plan_ptg_show(const struct cs_ptg_job *job, enum cs_format format, struct cs_strbuf *out)
{
    bool several = cs_ptg_job_several(job->args);
    struct cs_table *table;

    if (format == CS_FORMAT_JSON) {
        show_json(job, out);
    } else if (format == CS_FORMAT_CSV) {
        table = several ? way_table(job) : graph_table(job, &job->way[0]);
        cs_table_write(table, CS_TABLE_CSV, 0, out);
        cs_table_destroy(table);
    } else {
        put_head(job, out);
        if (several)
            put_comparison(job, out);
        else
            put_detail(job, &job->way[0], out);
    }
}
