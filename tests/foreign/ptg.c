/* ptg.c - calls of the problem ptg. */
#include "problems/ptg/ptg.h"
#include "calls.h"

static void end_instance(void *in)
{
    cs_ptg_instance_destroy(in);
}

static void end_plan(void *plan)
{
    cs_ptg_plan_destroy(plan);
}

static void end_metrics(void *m)
{
    cs_ptg_metrics_destroy(m);
}

static void end_graph(void *g)
{
    cs_graph_destroy(g);
}

static void end_schedule(void *s)
{
    cs_schedule_destroy(s);
}

/* The array of graphs has to live as long as the instance. */
static void instance_create(struct caller *c)
{
    static const struct cs_graph *graph[POOL + 1][2];
    const struct cs_graph **g = graph[c->closed ? POOL : c->objects[PTG] % POOL];
    double release[2] = {real(c, 0, 1), real(c, 0, 9)};
    struct cs_ptg_instance *in;

    if (c->objects[PTG] == POOL && !c->closed)
        return;
    g[0] = pick(c, GRAPH);
    g[1] = pick(c, GRAPH);
    if (!g[0] || !g[1])
        return;
    in = cs_ptg_instance_create(pick(c, PLATFORM), count(c, 2), is_wild(c) ? NULL : g,
                                is_wild(c) ? NULL : release, err_of(c));
    reported(c, !in);
    keep(c, PTG, in, end_instance);
}

static void instance_ask(struct caller *c)
{
    struct cs_ptg_instance *in = pick(c, PTG);
    struct cs_ptg_bounds bounds = {0};

    if (!c->tame)
        reported(c, cs_ptg_instance_limit(in, (enum cs_ptg_cores)whole(c, 0, 2), err_of(c)) != 0);
    cs_ptg_instance_graphs(in);
    cs_ptg_instance_tasks(in);
    cs_ptg_instance_graph(in, whole(c, 0, 1));
    cs_ptg_instance_release(in, whole(c, 0, 1));
    cs_ptg_instance_platform(in);
    cs_ptg_bounds_compute(in, is_wild(c) ? NULL : &bounds);
    cs_ptg_bounds_sharpen(in, is_wild(c) ? NULL : &bounds);
}

static struct cs_ptg_request request_of(struct caller *c, struct cs_ptg_options *options)
{
    struct cs_ptg_request request = {
        .options = options, .mode = c->tame ? CS_PTG_OFFLINE : (enum cs_ptg_mode)whole(c, 0, 3)};
    int policies;
    const struct cs_policy *const *list = cs_ptg_policies(&policies);

    cs_ptg_policies(is_wild(c) ? NULL : &policies);
    options->procedure = (enum cs_ptg_procedure)whole(c, 0, 1);
    options->gain = (enum cs_ptg_gain)whole(c, 0, 1);
    options->reference = (enum cs_ptg_reference_speed)whole(c, 0, 1);
    options->order = (enum cs_ptg_order)whole(c, 0, 0);
    options->network = (enum cs_ptg_network)whole(c, 0, 1);
    options->efficiency = real(c, 0, 1);
    request.call.policy = whole(c, 0, policies - 1);
    if (request.call.policy >= 0 && request.call.policy < policies && !is_wild(c))
        cs_policy_parse(list[request.call.policy]->name, list, policies, &request.call, NULL);
    return request;
}

static void plan_make(struct caller *c)
{
    struct cs_ptg_options options = CS_PTG_OPTIONS;
    const struct cs_ptg_request request = request_of(c, &options);
    double beta[2] = {real(c, 0.1, 1), real(c, 0.1, 1)}, own[2];
    struct cs_ptg_plan *plan =
        cs_ptg_plan_make(pick(c, PTG), is_wild(c) ? NULL : &request, err_of(c));

    reported(c, !plan);
    keep(c, PTG_PLAN, plan, end_plan);
    plan = cs_ptg_plan_with_shares(pick(c, PTG), is_wild(c) ? NULL : &options,
                                   is_wild(c) ? NULL : beta, err_of(c));
    reported(c, !plan);
    keep(c, PTG_PLAN, plan, end_plan);
    reported(c, cs_ptg_own(pick(c, PTG), &options, draw(c) & 1, is_wild(c) ? NULL : own,
                           err_of(c)) != 0);
    reported(c, cs_ptg_own_by(pick(c, PTG), is_wild(c) ? NULL : &request, draw(c) & 1, own,
                              err_of(c)) != 0);
}

static void plan_ask(struct caller *c)
{
    const struct cs_ptg_instance *in = pick(c, PTG);
    const struct cs_ptg_plan *plan = pick(c, PTG_PLAN);
    const double own[2] = {1, 2};

    keep(c, PTG_PLAN, cs_ptg_replay_fluid(in, plan), end_plan);
    keep(c, METRICS, cs_ptg_metrics_create(in, plan, is_wild(c) ? NULL : own), end_metrics);
    keep(c, SCHEDULE, cs_ptg_schedule(in, plan), end_schedule);
}

static void generate(struct caller *c)
{
    const struct cs_ptg_generator generator = {(enum cs_ptg_family)whole(c, 0, 2),
                                               (enum cs_ptg_cost)whole(c, 0, 3),
                                               3,
                                               real(c, 0, 1),
                                               real(c, 0, 1),
                                               real(c, 0, 1),
                                               whole(c, 1, 2),
                                               4,
                                               draw(c)};
    struct cs_graph *g = cs_ptg_generate(word(c, "g"), is_wild(c) ? NULL : &generator, err_of(c));
    struct cs_graph *two[2] = {NULL, NULL};

    reported(c, !g);
    keep(c, GRAPH, g, end_graph);
    if (reported(c, cs_ptg_generate_run(draw(c), (enum cs_ptg_family)whole(c, 0, 2), 2,
                                        whole(c, 0, 3), is_wild(c) ? NULL : two, err_of(c)) != 0)) {
        cs_graph_destroy(two[0]);
        cs_graph_destroy(two[1]);
    }
    cs_ptg_family_name(whole(c, 0, 2));
}

const struct call ptg_calls[] = {
    {"ptg_instance", instance_create}, {"ptg_ask", instance_ask},  {"ptg_make", plan_make},
    {"ptg_plan_ask", plan_ask},        {"ptg_generate", generate}, {NULL, NULL},
};
