/* exact.c - the policy exact: an optimal plan, or the best one found in time with a proven gap.
 *
 * Source: docs/spec/pack.md 4 (closed form, matching, subsets), Part II 2.3 and 2.4 (branch and
 * price); docs/dev/decisions/linear-programs.md.
 *
 * One task in a pack: there is one plan.  At most two: matching.  Up to 16 tasks: dynamic
 * programming over all sets.  Else branch and price on the vector of pack costs, from the
 * plan of pair search; with many tasks parts of the plan are packed again meanwhile.
 *
 * Invariants: plan->bound is a lower bound on every plan and at most plan->total; `optimal` is set
 * only by a proof.  On two threads the packing runs concurrently with the bound; they
 * change different data.
 * Complexity: subsets below; branch and price is exponential and ends with patience.
 *
 * constant         value  unit      found by                     half, double
 * SUBSET_TASKS        16  tasks     half a second (effort.c)     time grows as 3^tasks
 * SUBSET_MAX          20  tasks     20 bytes for each of 2^n     memory grows as 2^tasks
 * KICKS               50  kicks     a second, some 100 tasks     not measured
 * MANY_TASKS         300  tasks     not recorded                 not measured
 * SOME_TASKS         128  tasks     not recorded                 not measured
 * TIMES                4  searches  not recorded                 not measured
 * FIRST_TIMES          2  searches  not recorded                 not measured
 * EARLY_TIMES         10  searches  not recorded                 not measured
 * TASKS_A_TIME        16  tasks     not recorded                 not measured
 * EARLY_NEAR        1e-2  relative  order of work by its worth   not measured
 * LATE_NEAR         5e-4  relative  order of work by its worth   not measured
 * LAST_NEAR         5e-5  relative  order of work by its worth   not measured
 */
#include "base/bug.h"
#include "base/workers.h"
#include "config.h"
#include "problems/pack/candidate.h"
#include "problems/pack/matching.h"
#include "problems/pack/pair.h"
#include "problems/pack/policy.h"
#include "problems/pack/repack.h"

#include <math.h>
#include <string.h>

/* f(S) = min of pc(P) + f(S \ P) over the packs P of S that hold its lowest task.
 *
 * pc(P), the optimal cost of one pack, is a candidate cost no less than that of P without its
 * highest task, so that it is found by bisection above it.  O(3^n + 2^n n log(np)) time,
 * 20 bytes for each of the 2^n sets.
 */

/* Beyond so many tasks 3^tasks steps take too long, and 2^tasks numbers too much memory. */
#define CS_PACK_SUBSET_MAX 20

#define POLL 0x3ff /* patience is polled once in so many sets */

typedef uint32_t set;

struct subsets {
    struct cs_pack_candidates c;
    const struct cs_policy_context *context;
    set count;
    int *cost;  /* pc by candidate; c.count where the set is no pack */
    double *f;  /* of the cheapest plan of the set */
    set *first; /* the pack of its lowest task in that plan */
};

static int exact_members(set s, int *task)
{
    int count = 0;

    for (int i = 0; s >> i; i++) {
        if (s >> i & 1)
            task[count++] = i;
    }
    return count;
}

static set exact_highest(set s)
{
    set bit = 1;

    while (s >> 1 >= bit)
        bit <<= 1;
    return bit;
}

static bool find_pack_costs(struct subsets *d)
{
    int task[CS_PACK_SUBSET_MAX];

    for (set s = 1; s < d->count; s++) {
        int count = exact_members(s, task), low = d->cost[s ^ exact_highest(s)];

        d->cost[s] =
            count <= d->c.limit ? cs_pack_candidates_fit(&d->c, task, count, low) : d->c.count;
        if ((s & POLL) == 0 && cs_pack_expired(d->context))
            return false;
    }
    return true;
}

static void find_best_plan(struct subsets *d, set s)
{
    set low = s & (~s + 1), rest = s ^ low, others = rest;

    d->f[s] = INFINITY;
    for (;; others = (others - 1) & rest) {
        set pack = others | low;
        int v = d->cost[pack];

        if (v < d->c.count && d->c.cost[v] + d->f[s ^ pack] < d->f[s]) {
            d->f[s] = d->c.cost[v] + d->f[s ^ pack];
            d->first[s] = pack;
        }
        if (!others)
            return;
    }
}

static void exact_make_plan(const struct subsets *d, struct cs_pack_plan *plan)
{
    int task[CS_PACK_SUBSET_MAX];

    cs_pack_plan_clear(plan);
    for (set s = d->count - 1; s; s ^= d->first[s]) {
        int count = exact_members(d->first[s], task);

        for (int a = 0; a < count; a++)
            cs_pack_plan_add(plan, task[a], d->c.in->tasks->min_procs[task[a]]);
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(d->c.in, plan, d->context->scratch);
    plan->optimal = true;
    plan->bound = plan->total;
}

/* The cheapest plan; at most CS_PACK_SUBSET_MAX tasks.  Returns false, with `plan` as it was,
 * when patience ended before. */
static bool pack_subset_plan(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    struct subsets d = {.context = context, .count = (set)1 << in->tasks->count};

    CS_REQUIRE(in->tasks->count <= CS_PACK_SUBSET_MAX);
    cs_pack_candidates_init(&d.c, in, INFINITY, context->scratch);
    d.cost = CS_NEW_ARRAY(context->scratch, int, d.count);
    d.f = CS_NEW_ARRAY(context->scratch, double, d.count);
    d.first = CS_NEW_ARRAY(context->scratch, set, d.count);
    if (!find_pack_costs(&d))
        return false;
    for (set s = 1; s < d.count; s++) {
        find_best_plan(&d, s);
        if ((s & POLL) == 0 && cs_pack_expired(context))
            return false;
    }
    exact_make_plan(&d, plan);
    return true;
}

#define SUBSET_TASKS 16
#define KICKS 50 /* of the start, a second for a few hundred tasks */
#define MANY_TASKS 300
#define SOME_TASKS 128  /* for more, packs are packed again by their linear program, */
#define TIMES 4         /* all of them so often; of many tasks */
#define FIRST_TIMES 2   /* most of them so often before the bound is made better, */
#define EARLY_TIMES 10  /* so often after that, */
#define TASKS_A_TIME 16 /* and again and again */
#define EARLY_NEAR 1e-2 /* relative: what is found soon, */
#define LATE_NEAR 5e-4  /* what is worth some seconds, */
#define LAST_NEAR 5e-5  /* and the last one, after or concurrently with the packing */

enum method { AUTO, SUBSET, MATCHING, BRANCH };

static void run_alone(const struct cs_pack_instance *in, struct cs_pack_plan *plan)
{
    for (int i = 0; i < in->tasks->count; i++) {
        cs_pack_plan_add(plan, i, in->tasks->procs);
        cs_pack_plan_close(plan, cs_pack_time(in, i, in->tasks->procs));
    }
    plan->optimal = true;
    plan->bound = plan->total;
    cs_pack_plan_note(plan, "method", "closed form", 0);
}

/* `again`: its packs may be packed again. */
static void exact_start(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        bool again, struct cs_pack_plan *plan)
{
    struct cs_pack_bounds bounds;

    cs_pack_pair_plan(in, context, 4, in->tasks->count > MANY_TASKS ? 0 : KICKS, plan);
    if (again && in->tasks->count > SOME_TASKS && in->tasks->count <= MANY_TASKS)
        cs_pack_repack_search(in, context, TIMES, plan);
    memset(plan->note, 0, sizeof plan->note);
    cs_pack_bounds_compute(in, &bounds);
    plan->bound = fmin(bounds.best, plan->total);
}

static int by_matching(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                       struct cs_pack_plan *plan)
{
    if (in->pack_size > 2 && in->tasks->count > 2)
        return cs_error_set(context->err,
                            "exact:method=matching is exact for at most two tasks in a pack; the "
                            "pack size is %d",
                            in->pack_size);
    if (cs_pack_matching_plan(in, context, plan))
        return -1;
    cs_pack_plan_note(plan, "method", "matching", 0);
    return 0;
}

static int by_subsets(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                      struct cs_pack_plan *plan)
{
    if (in->tasks->count > CS_PACK_SUBSET_MAX)
        return cs_error_set(context->err,
                            "exact:method=subset looks at all sets of tasks, of which there are "
                            "too many: it takes at most %d tasks, not %d",
                            CS_PACK_SUBSET_MAX, in->tasks->count);
    if (!pack_subset_plan(in, context, plan))
        exact_start(in, context, false, plan);
    cs_pack_plan_note(plan, "method", "subset", 0);
    return 0;
}

#if CS_HAVE_CBC

#include "problems/pack/branch.h"
#include "problems/pack/coin.h"

/* A cheaper plan that a search found becomes the plan, and its packs become columns. */
static void exact_adopt(struct cs_pack_colgen *g, const struct cs_pack_plan *found,
                        struct cs_pack_plan *plan)
{
    const double bound = plan->bound;

    if (found->total >= plan->total)
        return;
    cs_pack_plan_copy(plan, found);
    memset(plan->note, 0, sizeof plan->note);
    plan->bound = fmin(bound, plan->total);
    cs_pack_colgen_seed_plan(g, plan);
}

/* The data of the steps that take seconds for many tasks. */
struct late {
    const struct cs_policy_context *context;
    struct cs_pack_colgen *g;
    struct cs_pack_plan *found; /* by packing tasks again */
    double total;               /* of the plan that is known */
    enum cs_pack_colgen_end *end;
};

static void raise_bound(const struct late *late, double near)
{
    if (*late->end == CS_PACK_COLGEN_DONE)
        *late->end = cs_pack_colgen_near(late->g, near, late->total, late->context);
}

/* So many times; with other packs for every k. */
static void pack_again(const struct late *late, int k, int times)
{
    struct cs_policy_context context = *late->context;

    context.seed += (uint64_t)k;
    cs_pack_repack_search(late->g->c->in, &context, times, late->found);
}

static int begin_late(void *worker, const void *job, struct cs_error *err)
{
    (void)err;
    *(struct late *)worker = *(const struct late *)job;
    return 0;
}

static int run_late(void *worker, long run, struct cs_error *err)
{
    (void)err;
    if (run == 0) {
        raise_bound(worker, EARLY_NEAR);
        raise_bound(worker, LATE_NEAR);
        raise_bound(worker, LAST_NEAR);
    } else {
        pack_again(worker, 0, FIRST_TIMES);
        pack_again(worker, 1, EARLY_TIMES);
    }
    return 0;
}

/* The result is the same for any number of threads, but the order is that of the largest benefit
 * if patience ends. */
static int plan_and_bound(const struct late *late)
{
    const struct cs_workers share = {.runs = 2,
                                     .threads = 2,
                                     .size = sizeof *late,
                                     .job = late,
                                     .begin = begin_late,
                                     .run = run_late};

    if (late->context->threads > 1)
        return cs_workers_run(&share, late->context->err);
    raise_bound(late, EARLY_NEAR);
    pack_again(late, 0, FIRST_TIMES);
    raise_bound(late, LATE_NEAR);
    pack_again(late, 1, EARLY_TIMES);
    raise_bound(late, LAST_NEAR);
    return 0;
}

/* Where all of it takes more than seconds, shared prices come first; then the bound is made better
 * and most packs are packed again, and then the latter repeatedly. */
static int search_late(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                       struct cs_pack_colgen *g, struct cs_pack_plan *plan)
{
    enum cs_pack_colgen_end end = CS_PACK_COLGEN_DONE;
    struct late late = {context, g, NULL, plan->total, &end};
    int status;

    if (in->tasks->count <= MANY_TASKS)
        return 0;
    late.found = cs_pack_plan_create(in->tasks->count);
    cs_pack_plan_copy(late.found, plan);
    status = plan_and_bound(&late);
    if (!status && end == CS_PACK_COLGEN_DONE)
        pack_again(&late, 2, in->tasks->count / TASKS_A_TIME);
    if (!status)
        exact_adopt(g, late.found, plan);
    cs_pack_plan_destroy(late.found);
    return status;
}

static int exact_branch(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan, long *nodes)
{
    struct cs_pack_candidates candidates;
    struct cs_pack_branch_result result = {0};
    struct cs_pack_colgen g;
    double most;
    int status;

    most = cs_pack_colgen_most(in, plan, context->scratch);
    cs_pack_candidates_init(&candidates, in, most, context->scratch);
    cs_pack_colgen_init(&g, &candidates, plan->total);
    cs_pack_colgen_seed_plan(&g, plan);
    status = search_late(in, context, &g, plan);
    if (status) {
        cs_pack_colgen_release(&g);
        return status;
    }
    if (candidates.all) {
        cs_pack_branch_run(&g, context, plan, &result);
    } else {
        cs_pack_colgen_root(&g, plan->total, context);
        result.bound = g.bound;
    }
    cs_pack_colgen_release(&g);
    plan->optimal = result.closed;
    plan->bound = fmin(plan->total, fmax(plan->bound, result.bound));
    *nodes = result.nodes;
    return 0;
}

static int by_branching(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan)
{
    long nodes = 0;

    if (cs_pack_coin_load(context->err))
        return -1;
    exact_start(in, context, cs_pack_colgen_possible(in), plan);
    if (cs_pack_colgen_possible(in) && !cs_pack_expired(context) &&
        exact_branch(in, context, plan, &nodes))
        return -1;
    cs_pack_plan_note(plan, "method", "branch and price", 0);
    cs_pack_plan_note(plan, "nodes", NULL, (double)nodes);
    return 0;
}

#else

static int by_branching(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan)
{
    (void)plan;
    return cs_error_set_as(
        context->err, CS_ERROR_MISSING,
        "exact: branch and price for %d tasks needs CLP and CBC, which this build "
        "lacks: install coinor-libclp-dev and coinor-libcbc-dev and build again; "
        "without them exact plans at most %d tasks (%d with method=subset)",
        in->tasks->count, SUBSET_TASKS, CS_PACK_SUBSET_MAX);
}

#endif

static int plan_exact(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                      struct cs_pack_plan *plan)
{
    enum method method = (enum method)context->param[0];

    switch (method) {
    case SUBSET:
        return by_subsets(in, context, plan);
    case MATCHING:
        return by_matching(in, context, plan);
    case BRANCH:
        return by_branching(in, context, plan);
    case AUTO:
        break;
    }
    if (in->pack_size == 1 || in->tasks->count == 1) {
        run_alone(in, plan);
        return 0;
    }
    if (in->tasks->count <= SUBSET_TASKS)
        return by_subsets(in, context, plan);
    if (CS_HAVE_LEMON && in->pack_size == 2 && in->tasks->count <= CS_PACK_MATCHING_MAX)
        return by_matching(in, context, plan);
    return by_branching(in, context, plan);
}

static const struct cs_policy_param params[] = {
    {
        .name = "method",
        .kind = CS_POLICY_PARAM_CHOICE,
        .default_text = "auto",
        .choices = "auto|subset|matching|branch",
        .summary = "auto: matching for packs of two, all subsets for up to 16 tasks, else branch "
                   "and price",
    },
    {0},
};

const struct cs_pack_policy cs_pack_policy_exact = {
    .info =
        {
            .name = "exact",
            .problem = "pack",
            .summary = "an optimal plan, or the best found in time with its proven gap",
            .source = "column generation, branch and price on the vector of pack costs",
            .params = params,
            .exact = true,
        },
    .plan = plan_exact,
};
