/* moldable.c - calls of the problem moldable. */
#include "problems/moldable/moldable.h"
#include "calls.h"

static void end_instance(void *in)
{
    cs_moldable_instance_destroy(in);
}

static void end_plan(void *plan)
{
    cs_moldable_plan_destroy(plan);
}

static void end_schedule(void *s)
{
    cs_schedule_destroy(s);
}

static void instance_create(struct caller *c)
{
    const struct cs_moldable_options options = {.margin = real(c, 1, 2)};
    struct cs_moldable_instance *in = cs_moldable_instance_create(
        pick(c, WORKLOAD), few(c, 16), is_wild(c) ? NULL : &options, err_of(c));

    reported(c, !in);
    keep(c, MOLDABLE, in, end_instance);
}

static void instance_ask(struct caller *c)
{
    const struct cs_moldable_instance *in = pick(c, MOLDABLE);
    struct cs_moldable_bounds bounds;

    cs_moldable_instance_candidates(in, whole(c, 0, 3));
    cs_moldable_instance_candidate(in, whole(c, 0, 3), whole(c, 0, 1));
    cs_moldable_bounds_compute(in, is_wild(c) ? NULL : &bounds);
}

static void plan_create(struct caller *c)
{
    const int size[] = {4, 1, -1, 0, 100000, -2147483647};

    keep(c, MOLDABLE_PLAN, cs_moldable_plan_create(size[c->tame ? 0 : draw(c) % 6]), end_plan);
}

static void plan_make(struct caller *c)
{
    struct cs_moldable_request request = {.thrift = draw(c) & 1, .seed = draw(c)};
    int policies;
    const struct cs_policy *const *list = cs_moldable_policies(&policies);

    cs_moldable_policies(is_wild(c) ? NULL : &policies);
    cs_moldable_variants(is_wild(c) ? NULL : &policies);
    list = cs_moldable_policies(&policies);
    request.call.policy = whole(c, 0, policies - 1);
    if (request.call.policy >= 0 && request.call.policy < policies && !is_wild(c))
        cs_policy_parse(list[request.call.policy]->name, list, policies, &request.call, NULL);
    request.call.param[0] = is_wild(c) ? real(c, 0, 1) : request.call.param[0];
    reported(c, cs_moldable_plan_make(pick(c, MOLDABLE), is_wild(c) ? NULL : &request,
                                      pick(c, MOLDABLE_PLAN), err_of(c)) != 0);
}

static void plan_effort(struct caller *c)
{
    const struct cs_moldable_request request = {.seed = 1};

    reported(c, cs_moldable_effort_plan(pick(c, MOLDABLE), CS_MOLDABLE_EFFORT_FAST,
                                        is_wild(c) ? NULL : &request, pick(c, MOLDABLE_PLAN),
                                        err_of(c)) != 0);
    if (!c->tame)
        cs_moldable_effort_plan(pick(c, MOLDABLE), (enum cs_moldable_effort)99, &request,
                                pick(c, MOLDABLE_PLAN), err_of(c));
    cs_moldable_effort_name(whole(c, 0, 3));
}

static void plan_ask(struct caller *c)
{
    keep(c, SCHEDULE, cs_moldable_schedule(pick(c, MOLDABLE), pick(c, MOLDABLE_PLAN)),
         end_schedule);
}

static void world(struct caller *c)
{
    const struct cs_moldable_world world = {.sigma = real(c, 0, 1), .qbar = real(c, 0, 0.5)};
    const struct cs_moldable_instance *in = pick(c, MOLDABLE);
    double factor[8];
    int failures[8];

    reported(c, cs_moldable_world_check(is_wild(c) ? NULL : &world, err_of(c)) != 0);
    reported(c, cs_moldable_world_draw(in, is_wild(c) ? NULL : &world, draw(c), factor, failures,
                                       err_of(c)) != 0);
}

const struct call moldable_calls[] = {
    {"moldable_instance", instance_create},
    {"moldable_ask", instance_ask},
    {"moldable_plan", plan_create},
    {"moldable_make", plan_make},
    {"moldable_effort", plan_effort},
    {"moldable_schedule", plan_ask},
    {"moldable_world", world},
    {NULL, NULL},
};
