/* pack.c - calls of the problem pack. */
#include "problems/pack/pack.h"
#include "calls.h"

static void end_instance(void *in)
{
    cs_pack_instance_destroy(in);
}

static void end_plan(void *plan)
{
    cs_pack_plan_destroy(plan);
}

static void end_schedule(void *s)
{
    cs_schedule_destroy(s);
}

static void end_workload(void *w)
{
    cs_workload_destroy(w);
}

static void instance_create(struct caller *c)
{
    struct cs_pack_instance *in =
        cs_pack_instance_create(pick(c, WORKLOAD), few(c, 16), whole(c, 1, 4), err_of(c));

    reported(c, !in);
    keep(c, PACK, in, end_instance);
    in = cs_pack_instance_create_measured(pick(c, WORKLOAD), few(c, 16), whole(c, 1, 4),
                                          real(c, 1, 2), err_of(c));
    reported(c, !in);
    keep(c, PACK, in, end_instance);
}

static void instance_ask(struct caller *c)
{
    const struct cs_pack_instance *in = pick(c, PACK);

    cs_pack_instance_procs(in);
    cs_pack_instance_pack_size(in);
    cs_pack_instance_time(in, whole(c, 0, 3), whole(c, 1, 16));
    cs_pack_instance_launched(in, whole(c, 0, 3), whole(c, 1, 16));
}

static void plan_create(struct caller *c)
{
    const int size[] = {4, 1, -1, 0, 100000, -2147483647};

    keep(c, PACK_PLAN, cs_pack_plan_create(size[c->tame ? 0 : draw(c) % 6]), end_plan);
}

static bool soon(const void *who)
{
    (void)who;
    return true;
}

static struct cs_pack_request request_of(struct caller *c)
{
    struct cs_pack_request request = {.threads = whole(c, 0, 2), .seed = draw(c), .expired = soon};
    int policies;
    const struct cs_policy *const *list = cs_pack_policies(&policies);

    cs_pack_policies(is_wild(c) ? NULL : &policies);
    request.call.policy = whole(c, 0, policies - 1);
    if (request.call.policy >= 0 && request.call.policy < policies && !is_wild(c))
        cs_policy_parse(list[request.call.policy]->name, list, policies, &request.call, NULL);
    else if (!c->tame)
        for (int p = 0; p < CS_POLICY_PARAM_MAX; p++)
            request.call.param[p] = real(c, -3, 3);
    if (request.threads > 4)
        request.threads = 4;
    return request;
}

static void plan_make(struct caller *c)
{
    const struct cs_pack_request request = request_of(c);

    reported(c, cs_pack_plan_make(pick(c, PACK), is_wild(c) ? NULL : &request, pick(c, PACK_PLAN),
                                  err_of(c)) != 0);
}

static void plan_effort(struct caller *c)
{
    const struct cs_pack_request request = {.seed = 1, .expired = soon};
    const struct cs_pack_instance *in = pick(c, PACK);

    /* a model of CLP that threw is left behind */
    reported(c, cs_pack_effort_plan(
                    in, c->starved ? CS_PACK_EFFORT_FAST : (enum cs_pack_effort)whole(c, 0, 3),
                    is_wild(c) ? NULL : &request, pick(c, PACK_PLAN), err_of(c)) != 0);
}

static void plan_ask(struct caller *c)
{
    const struct cs_pack_instance *in = pick(c, PACK);
    struct cs_pack_plan *plan = pick(c, PACK_PLAN);
    struct cs_pack_metrics metrics;
    struct cs_pack_bounds bounds;

    cs_pack_metrics_compute(in, plan, is_wild(c) ? NULL : &metrics);
    cs_pack_bounds_compute(in, is_wild(c) ? NULL : &bounds);
    keep(c, SCHEDULE, cs_pack_schedule(in, plan, (enum cs_pack_order)whole(c, 0, 2)), end_schedule);
    cs_pack_plan_trim(in, plan);
}

static void generate(struct caller *c)
{
    const int tasks = count(c, 5); /* 0 is 65 */
    const struct cs_pack_generator generator = {.tasks = tasks ? tasks : 1, .procs = few(c, 16)};
    struct cs_workload *w = cs_pack_generate(word(c, "random"), &generator, err_of(c));

    reported(c, !w);
    keep(c, WORKLOAD, w, end_workload);
    cs_pack_workload_at(whole(c, 0, 7));
}

const struct call pack_calls[] = {
    {"pack_instance", instance_create}, {"pack_ask", instance_ask},
    {"pack_plan", plan_create},         {"pack_make", plan_make},
    {"pack_effort", plan_effort},       {"pack_plan_ask", plan_ask},
    {"pack_generate", generate},        {NULL, NULL},
};
