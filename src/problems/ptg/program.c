/* program - shares from an external program, over JSON lines (docs/policies.md).
 *
 * When the program fails, all graphs share alike so that the plan comes to its end;
 * cs_ptg_plan_make then returns the error.
 */
#include "model/extpol.h"
#include "problems/ptg/strategy.h"

#define FAIL(session, ...) cs_extpol_fail(session, __VA_ARGS__)

static void put_cluster(struct cs_jsonw *w, const struct cs_cluster *cluster)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", cluster->name);
    cs_jsonw_put_int(w, "procs", cluster->procs);
    cs_jsonw_put_double(w, "speed", cluster->speed);
    cs_jsonw_close(w);
}

static void ptg_put_machine(struct cs_jsonw *w, const void *who)
{
    const struct cs_ptg_scene *scene = who;

    cs_jsonw_key(w, "clusters");
    cs_jsonw_open_flat(w, '[');
    for (int c = 0; c < scene->platform->clusters; c++)
        put_cluster(w, &scene->platform->cluster[c]);
    cs_jsonw_close(w);
}

static void put_tasks(struct cs_jsonw *w, const struct cs_graph *graph)
{
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int v = 0; v < graph->tasks; v++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", graph->task[v].name);
        cs_jsonw_put_double(w, "flops", graph->task[v].flops);
        cs_jsonw_put_double(w, "alpha", graph->task[v].alpha);
        cs_jsonw_put_int(w, "level", graph->level[v]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_arcs(struct cs_jsonw *w, const struct cs_graph *graph)
{
    cs_jsonw_key(w, "arcs");
    cs_jsonw_open_flat(w, '[');
    for (int a = 0; a < graph->arcs; a++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "from", graph->arc[a].from);
        cs_jsonw_put_int(w, "to", graph->arc[a].to);
        cs_jsonw_put_double(w, "bytes", graph->arc[a].bytes);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_graph(struct cs_jsonw *w, const struct cs_ptg_scene *scene,
                      const struct cs_graph *graph)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", graph->name);
    cs_jsonw_put_double(w, "critical_path", cs_ptg_gamma_cp(scene, graph));
    cs_jsonw_put_int(w, "width", graph->width);
    cs_jsonw_put_double(w, "work", graph->work);
    put_tasks(w, graph);
    put_arcs(w, graph);
    cs_jsonw_close(w);
}

static void say_graphs(struct cs_extpol_session *session, const struct cs_ptg_scene *scene)
{
    struct cs_jsonw w = cs_extpol_event(session, "shares");

    cs_jsonw_key(&w, "graphs");
    cs_jsonw_open_flat(&w, '[');
    for (int g = 0; g < scene->graphs; g++)
        if (scene->graph[g])
            put_graph(&w, scene, scene->graph[g]);
        else
            cs_jsonw_null(&w);
    cs_jsonw_close(&w);
    cs_extpol_event_end(&w);
}

/* ---- what is answered ---- */

struct program {
    struct cs_extpol_session *session;
    const struct cs_ptg_scene *scene;
    double *beta;
};

static int program_take(void *who, const json_t *shares)
{
    const struct program *p = who;
    const size_t count = json_array_size(shares);

    if (count != (size_t)p->scene->graphs)
        return FAIL(p->session, "it answers with %zu shares, expected one for each of %d graphs",
                    count, p->scene->graphs);
    for (int g = 0; g < p->scene->graphs; g++) {
        const double share = json_number_value(json_array_get(shares, (size_t)g));

        if (!(share > 0 && share <= 1))
            return FAIL(p->session,
                        "the share of graph %d is %.15g, it must be above 0 and at most 1", g,
                        share);
        p->beta[g] = share;
    }
    return 0;
}

static int program_ask(struct cs_extpol_session *session, const struct cs_ptg_scene *scene,
                       double *beta)
{
    struct program p = {session, scene, beta};

    if (session->failed)
        return -1;
    cs_extpol_machine(session, "ptg", ptg_put_machine, scene);
    say_graphs(session, scene);
    return cs_extpol_ask_list(session, "shares", "{\"shares\": [SHARE, ...]}", program_take, &p);
}

static void program_shares(const struct cs_ptg_scene *scene, const double *param, double *beta)
{
    struct cs_extpol *extpol = cs_extpol_of(param, NULL);

    if (!extpol || program_ask(cs_extpol_session_of(extpol), scene, beta))
        for (int g = 0; g < scene->graphs; g++)
            beta[g] = 1.0 / scene->graphs;
}

const struct cs_ptg_strategy cs_ptg_strategy_program = {
    .info = CS_EXTPOL_INFO("ptg"),
    .shares = program_shares,
};
