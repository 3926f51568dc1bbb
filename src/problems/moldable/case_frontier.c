/* case_frontier.c - plans of several sizes, and what limits a plan.
 *
 * Source: spec/bag.md 7.2 (efforts), 7.6 (limits), 7.7 (advice).
 * Invariants: candidates of a small machine are the first of those of a large one, so that a plan
 * keeps its choices.
 * Complexity: a plan for each size; at most 12 fast plans for the smallest machine of a plan.
 */
#include "base/heap.h"
#include "model/counts.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/case.h"

#include <string.h>

#define ENOUGH_PLANS 12
#define ENOUGH_TASKS 200 /* of general bags */
#define CLOSED_MOST 500  /* candidates of bags whose gap is closed, with so many conflicts */
#define CONFLICTS 2000
#define SAME 1e-12 /* rounding of sums */

/* ---- one size ---- */

struct sized {
    int procs;
    struct cs_moldable_plan *plan;
    struct sized *next;
};

struct sizing {
    struct cs_moldable_case *c;
    struct sized *first;     /* the plans so far */
    struct cs_error refused; /* why a size of a general bag has no plan, the last one */
    struct cs_arena *arena;
};

/* The limit that the largest bound names: the processors, or the longest task. */
static enum cs_bag_limit_kind bounds_limit(const struct cs_moldable_bounds *bounds)
{
    return bounds->best > bounds->critical * (1 + 1e-9) ? CS_LIMIT_RESOURCE : CS_LIMIT_CRITICAL;
}

static struct sized *sizing_find(const struct sizing *s, int procs)
{
    struct sized *at = s->first;

    while (at && at->procs != procs)
        at = at->next;
    return at;
}

/* A fast plan; of few tasks one whose gap is closed where that is quick. */
static int plan_quickly(const struct cs_moldable_instance *in,
                        const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                        struct cs_error *err)
{
    struct cs_arena *scratch;

    if (cs_moldable_effort_plan(in, CS_MOLDABLE_EFFORT_FAST, request, plan, err))
        return -1;
    if (plan->optimal || in->bag.first[in->bag.tasks] > CLOSED_MOST)
        return 0;
    scratch = cs_arena_create();
    cs_moldable_close(&in->bag, request, CONFLICTS, plan, scratch);
    cs_moldable_thrift(&in->bag, plan, scratch);
    cs_arena_destroy(scratch);
    return 0;
}

static int sizing_make(struct sizing *s, const struct cs_moldable_instance *in, bool thorough,
                       struct cs_moldable_plan *plan, struct cs_error *err)
{
    struct cs_moldable_case *c = s->c;
    struct cs_moldable_request request;

    cs_moldable_case_request(c, &request);
    if (c->call) {
        request.call = c->call[0];
        return cs_moldable_plan_make(in, &request, plan, err);
    }
    return c->options->plan_effort < 0 && !thorough
               ? plan_quickly(in, &request, plan, err)
               : cs_moldable_effort_plan(in, cs_moldable_case_effort(c), &request, plan, err);
}

static void sizing_keep(struct sizing *s, int procs, struct cs_moldable_plan *plan)
{
    struct sized *known = sizing_find(s, procs);

    if (!known) {
        known = CS_NEW(s->arena, struct sized);
        *known = (struct sized){procs, plan, s->first};
        s->first = known;
    } else if (plan->makespan < known->plan->makespan) {
        cs_moldable_plan_destroy(known->plan);
        known->plan = plan;
    } else {
        known->plan->bound = fmax(known->plan->bound, plan->bound);
        known->plan->optimal |= known->plan->makespan <= plan->bound;
        cs_moldable_plan_destroy(plan);
    }
}

static void sizing_read(const struct sizing *s, const struct cs_moldable_instance *in,
                        struct cs_frontier_row *row)
{
    const struct cs_moldable_plan *plan = sizing_find(s, row->procs)->plan;
    struct cs_moldable_bounds bounds;

    cs_moldable_bounds_compute(in, &bounds);
    row->made = plan->makespan;
    row->proven = fmin(fmax(bounds.best, plan->bound), plan->makespan);
    row->critical = bounds.critical;
    row->binding = bounds_limit(&bounds) == CS_LIMIT_CRITICAL ? "critical" : "procs";
    row->work = 0;
    for (int i = 0; i < in->bag.tasks; i++)
        row->work += cs_moldable_least_work(&in->bag, i);
}

static void row_refuse(struct cs_frontier_row *row)
{
    row->made = INFINITY;
    row->proven = row->critical = row->work = NAN; /* not of this size */
}

/* The conflicts of a fast plan of a general bag: of few tasks its gap is closed where that is
 * quick. */
static void general_hurry(const struct cs_moldable_case *c, struct cs_bag_general *g)
{
    const bool few = g->bag.data.first[g->bag.data.tasks] <= CLOSED_MOST;

    g->hurried = c->options->plan_effort < 0 && few ? CONFLICTS : 0;
}

static void general_read(const struct sizing *s, const struct cs_bag_general *g,
                         struct cs_frontier_row *row)
{
    const struct cs_moldable_plan *plan = sizing_find(s, row->procs)->plan;
    const struct cs_modes *m = &g->bag.data;
    const struct cs_bag_reached reached = {plan->makespan, fmax(plan->bound, g->cheap), &g->bounds,
                                           g->relaxed ? &g->relaxation : NULL};
    struct cs_bag_limit limit;
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_bag_limit_find(g->modes, &g->bag, &reached, &limit, g->arena);
    cs_bag_limit_put(&g->bag, &limit, &name);
    row->made = plan->makespan;
    row->proven = fmin(reached.bound, plan->makespan);
    row->critical = g->bag.critical;
    row->binding = cs_arena_strdup(s->c->study.arena, name.text);
    row->work = 0;
    for (int i = 0; i < m->tasks; i++) {
        double least = INFINITY;

        for (int k = m->first[i]; k < m->first[i + 1]; k++)
            least = fmin(least, (double)cs_bag_use(&g->bag, k)[0] * m->seconds[k]);
        row->work += least;
    }
    cs_strbuf_release(&name);
}

/* A size without a plan is a row; the reason is s->refused. */
static void sizing_plan_general(struct sizing *s, struct cs_frontier_row *row)
{
    struct cs_moldable_case *c = s->c;
    struct cs_arena *arena = cs_arena_create();
    struct cs_moldable_request request;
    struct cs_moldable_sized sized;
    struct cs_moldable_plan *plan;

    row_refuse(row);
    cs_moldable_case_request(c, &request);
    if (c->call)
        request.call = c->call[0];
    if (cs_moldable_case_size(c, row->procs, &sized, arena, &s->refused)) {
        cs_arena_destroy(arena);
        return;
    }
    general_hurry(c, &sized.general);
    plan = cs_moldable_plan_create(c->workload->count);
    if (cs_bag_general_plan(&sized.general,
                            c->options->plan_effort < 0 && !row->thorough
                                ? CS_MOLDABLE_EFFORT_FAST
                                : cs_moldable_case_effort(c),
                            &request, c->call, plan, &s->refused)) {
        cs_moldable_plan_destroy(plan);
    } else {
        sizing_keep(s, row->procs, plan);
        general_read(s, &sized.general, row);
    }
    cs_workload_destroy(sized.workload);
    cs_arena_destroy(arena);
}

/* Without a count for some task a size has no plan. */
static int sizing_plan(void *who, struct cs_frontier_row *row, struct cs_error *err)
{
    struct sizing *s = who;
    struct cs_error ignored = {0};
    struct cs_moldable_instance *in;
    struct cs_moldable_plan *plan;
    int status;

    if (s->c->general) {
        sizing_plan_general(s, row);
        return 0;
    }
    in = cs_moldable_case_instance(s->c, row->procs, &ignored);
    if (!in) {
        row_refuse(row);
        return 0;
    }
    plan = cs_moldable_plan_create(in->bag.tasks);
    status = sizing_make(s, in, row->thorough, plan, err);
    if (status) {
        cs_moldable_plan_destroy(plan);
    } else {
        sizing_keep(s, row->procs, plan);
        sizing_read(s, in, row);
    }
    cs_moldable_instance_destroy(in);
    return status;
}

/* ---- all sizes ---- */

/* The study becomes that of the answer: its machine, bounds and plan. */
static int frontier_choose(struct cs_moldable_case *c, const struct sizing *s, struct cs_error *err)
{
    const struct cs_frontier_row *row = &c->frontier.row[c->frontier.within];

    if (cs_moldable_case_resize(c, row->procs, err))
        return -1;
    cs_moldable_plan_copy(c->plan[0], sizing_find(s, row->planned)->plan);
    c->plan[0]->bound = fmax(c->plan[0]->bound, fmin(row->bound, c->plan[0]->makespan));
    c->plan[0]->optimal |= c->plan[0]->makespan <= c->plan[0]->bound;
    return 0;
}

int cs_moldable_case_frontier(struct cs_moldable_case *c, struct cs_error *err)
{
    struct sizing s = {.c = c, .arena = cs_arena_create()};
    const struct cs_frontier_request request = {
        .all = c->sizes,
        .within = c->within,
        .deadline = c->options->deadline,
        .uniform = c->call || c->options->plan_effort >= 0,
        .plan = sizing_plan,
        .who = &s,
    };
    int status = cs_frontier_find(&request, &c->frontier, c->study.arena, err);

    if (!status && c->frontier.within < 0)
        status = c->general ? cs_error_set(err, "%s: %s", c->options->study.input, s.refused.text)
                            : cs_error_set(err, "no size has a plan");
    if (!status)
        status = frontier_choose(c, &s, err);
    for (struct sized *at = s.first; at; at = at->next)
        cs_moldable_plan_destroy(at->plan);
    cs_arena_destroy(s.arena);
    return status;
}

/* ---- what limits a plan ---- */

/* The most processors that are held together. */
static int plan_peak(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_heap running;
    int *order = CS_NEW_ARRAY(scratch, int, plan->tasks), held = 0, peak = 0;

    cs_heap_init(&running, plan->tasks, scratch);
    cs_moldable_sort_plan(bag, plan, order, scratch);
    for (int p = 0; p < plan->tasks; p++) {
        const int i = order[p], last = plan->first[i] + plan->procs[i];

        while (running.count && cs_heap_top_key(&running) <= plan->start[i])
            held -= plan->procs[cs_heap_pop(&running)];
        held += plan->procs[i];
        if (bag->contiguous)
            held = last;
        peak = held > peak ? held : peak;
        cs_heap_push(&running, i, plan->end[i]);
    }
    cs_arena_destroy(scratch);
    return peak;
}

/* Has a fast plan of this size at most this makespan? */
static bool size_suffices(const struct cs_moldable_case *c, int procs, double makespan)
{
    struct cs_error ignored = {0};
    struct cs_moldable_instance *in = cs_moldable_case_instance(c, procs, &ignored);
    struct cs_moldable_request request;
    struct cs_moldable_plan *plan;
    struct cs_moldable_bounds bounds;
    bool suffices = false;

    if (!in)
        return false;
    cs_moldable_bounds_compute(in, &bounds);
    if (bounds.best <= makespan * (1 + SAME)) {
        plan = cs_moldable_plan_create(in->bag.tasks);
        cs_moldable_case_request(c, &request);
        suffices = !plan_quickly(in, &request, plan, &ignored) && plan->makespan <= makespan;
        cs_moldable_plan_destroy(plan);
    }
    cs_moldable_instance_destroy(in);
    return suffices;
}

/* The same of a general bag, and it is no later. */
static bool size_suffices_general(const struct cs_moldable_case *c, int procs,
                                  const struct cs_moldable_plan *plan)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_moldable_plan *trial = cs_moldable_plan_create(plan->tasks);
    struct cs_error ignored = {0};
    struct cs_moldable_request request;
    struct cs_moldable_sized sized;
    bool suffices = false;

    cs_moldable_case_request(c, &request);
    if (!cs_moldable_case_size(c, procs, &sized, arena, &ignored)) {
        general_hurry(c, &sized.general);
        suffices =
            sized.general.cheap <= plan->makespan * (1 + SAME) &&
            !cs_bag_general_plan(&sized.general, CS_MOLDABLE_EFFORT_FAST, &request, false, trial,
                                 &ignored) &&
            trial->makespan <= plan->makespan &&
            cs_bag_general_late(&sized.general, trial) <= cs_bag_general_late(c->general, plan);
        cs_workload_destroy(sized.workload);
    }
    cs_moldable_plan_destroy(trial);
    cs_arena_destroy(arena);
    return suffices;
}

/* The smallest machine that is found to have this makespan. */
static int plan_enough(const struct cs_moldable_case *c, const struct cs_moldable_plan *plan,
                       int most)
{
    int low = 0, high = most;

    for (int p = 0; p < ENOUGH_PLANS && high - low > 1; p++) {
        const int middle = low + (high - low) / 2;

        if (c->general ? size_suffices_general(c, middle, plan)
                       : size_suffices(c, middle, plan->makespan))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The task that reaches the critical bound. */
static int bag_longest(const struct cs_moldable_bag *bag)
{
    int longest = 0;

    for (int i = 1; i < bag->tasks; i++)
        if (cs_moldable_release(bag, i) + cs_moldable_fastest(bag, i) >
            cs_moldable_release(bag, longest) + cs_moldable_fastest(bag, longest))
            longest = i;
    return longest;
}

/* Twice the largest measured count of a task, if that is allowed and the fastest; 0. */
static int task_measure(const struct cs_moldable_case *c, int task)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    const struct cs_profile *profile = &c->workload->profile[task];
    const struct cs_task_limit *limit = c->workload->limit;
    const int fastest = bag->count[bag->first[task + 1] - 1];

    if (profile->kind != CS_PROFILE_POINTS || profile->procs[profile->count - 1] != fastest ||
        fastest > bag->procs / 2 || (limit && !cs_counts_permit(&limit[task], 2 * fastest)))
        return 0;
    return 2 * fastest;
}

static double save_processor(const struct cs_moldable_case *c)
{
    struct cs_error ignored = {0};
    struct cs_moldable_instance *in =
        cs_moldable_case_instance(c, c->instance->bag.procs + 1, &ignored);
    struct cs_moldable_bounds bounds = {.best = c->bounds.best};

    if (in)
        cs_moldable_bounds_compute(in, &bounds);
    cs_moldable_instance_destroy(in);
    return fmax(0, c->bounds.best - bounds.best);
}

static enum cs_bag_limit_kind plan_limit(const struct cs_moldable_case *c,
                                         const struct cs_moldable_plan *plan)
{
    if (plan->makespan <= c->bounds.critical * (1 + SAME))
        return CS_LIMIT_CRITICAL;
    if (plan->makespan > (1 + CS_LIMIT_GAP) * fmax(plan->bound, c->bounds.best))
        return CS_LIMIT_UNKNOWN;
    return bounds_limit(&c->bounds);
}

/* Of a general bag. */
static void explain_general(struct cs_moldable_case *c, const struct cs_moldable_plan *plan)
{
    const struct cs_bag_general *g = c->general;
    const struct cs_bag_reached reached = {plan->makespan, fmax(plan->bound, g->cheap), &g->bounds,
                                           g->relaxed ? &g->relaxation : NULL};

    cs_bag_limit_find(g->modes, &g->bag, &reached, &c->advice.general, c->study.arena);
    c->advice.limit = c->advice.general.kind;
    c->advice.enough = c->instance->bag.procs;
    if (g->bag.data.nodes <= 1 && !g->bag.data.windows)
        c->advice.enough = (int)cs_bag_general_peak(g, plan, 0);
    if (c->unsized && g->bag.data.nodes <= 1 && plan->tasks <= ENOUGH_TASKS)
        c->advice.enough = plan_enough(c, plan, c->advice.enough);
    if (c->advice.limit == CS_LIMIT_CRITICAL && c->advice.general.tasks == 1)
        c->advice.task = c->advice.general.task[0];
}

void cs_moldable_case_explain(struct cs_moldable_case *c, const struct cs_moldable_plan *plan)
{
    struct cs_moldable_advice *a = &c->advice;

    *a = (struct cs_moldable_advice){.task = -1};
    if (plan->tasks == 0 || isinf(plan->makespan))
        return;
    if (c->general) {
        explain_general(c, plan);
        return;
    }
    a->limit = plan_limit(c, plan);
    a->enough = plan_enough(c, plan, plan_peak(&c->instance->bag, plan));
    if (a->limit == CS_LIMIT_CRITICAL) {
        a->task = bag_longest(&c->instance->bag);
        a->measure =
            plan->makespan > c->bounds.critical * (1 + SAME) ? 0 : task_measure(c, a->task);
    } else if (a->limit == CS_LIMIT_RESOURCE) {
        a->saved = save_processor(c);
    }
}
