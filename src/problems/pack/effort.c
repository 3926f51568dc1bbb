/* effort.c - which policies an effort runs, and for how many tasks.
 *
 * Source: docs/spec/pack.md, Part II 7 (suggested defaults); src/problems/pack/pack.h for the
 * promise.
 *
 * Every effort runs pack-approx (where all its states would take too long, two of them) and one
 * row of steps below, from the row of the effort towards the first: the first one that the instance
 * is not too large for.  Searches start from pack-by-pack and contiguous, and contiguous runs with
 * pack-by-pack.
 *
 * Invariants: the answer is the cheapest plan that was made, an optimal one on ties; its bound is
 * the largest that a policy proved; the first policy always runs, also when patience has ended.
 *
 * constant      value   unit   found by                        half, double
 * FEW_TASKS        16   tasks  exact takes half a second       time grows as 3^tasks
 * TABLE_TASKS    4096   tasks  not recorded                    not measured; factor 3 stays
 * steps[].tasks  table  tasks  DEFAULT: well within a second   not measured; with a time limit ten
 *                                                              times as many
 * quick           512   tasks  tens of milliseconds            not measured
 */
#include "problems/pack/policy.h"

#include "base/guard.h"

#include <math.h>

#define FEW_TASKS 16     /* exact tries every subset of so many in half a second */
#define TABLE_TASKS 4096 /* more: pack-approx looks at two states */

/* Without a time limit up to so many tasks, and tasks times the most that share a pack; with one
 * ten times as many, since all of these stop when patience ends. */
struct step {
    const char *first, *second; /* policies as a user would write them */
    double tasks, pairs;
};

static const struct step steps[] = {
    {"pack-by-pack", NULL, INFINITY, INFINITY},
    {"pack-by-pack", "contiguous", 16384, 4e6},
    {"local-search", NULL, 4096, 4e6},
    {"pair-search", NULL, 4096, 4e6},
    {"pair-search", "pair-search:kicks=20", 128, 4096}, /* DEFAULT: well within a second */
    {"pair-search:orders=64", "pair-search:kicks=100", 1024, 1e6},
};

/* What DEFAULT runs for more tasks than its row is for: pair-search (tens of milliseconds), for
 * many tasks local-search. */
static const struct step quick = {"pair-search", NULL, 512, 1e4};
#define QUICK_SEARCH 3
#define QUICKEST_SEARCH 2

static int step_of(enum cs_pack_effort effort)
{
    return effort == CS_PACK_EFFORT_FAST ? 1 : effort == CS_PACK_EFFORT_DEFAULT ? 4 : 5;
}

static bool too_large(const struct cs_pack_instance *in, const struct step *step, bool timed)
{
    double n = in->tasks->count, size = fmin(in->pack_size, n), more = timed ? 10 : 1;

    return n > more * step->tasks || n * size > more * step->pairs;
}

/* The policies tried so far, and the best of them. */
struct trial {
    const struct cs_pack_instance *in;
    struct cs_pack_request request;
    struct cs_pack_plan *plan, *best;
    const char *chosen; /* NULL: nothing tried yet */
    double bound;       /* the largest that was proven */
    struct cs_error *err;
};

/* Run one policy; keep its plan if it is cheaper.  Nothing after the first when patience is out. */
static int effort_try(struct trial *trial, const char *text)
{
    struct cs_pack_request *request = &trial->request;
    struct cs_pack_plan *plan = trial->plan;
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (!text || (trial->chosen && request->expired && request->expired(request->who)))
        return 0;
    if (cs_policy_parse(text, list, count, &request->call, trial->err) ||
        cs_pack_plan_make(trial->in, request, plan, trial->err))
        return -1;
    trial->bound = fmax(trial->bound, plan->bound);
    if (!trial->chosen || plan->total < trial->best->total ||
        (plan->optimal && plan->total <= trial->best->total)) {
        trial->plan = trial->best;
        trial->best = plan;
        trial->chosen = list[request->call.policy]->name;
    }
    return 0;
}

static int run_steps(struct trial *trial, enum cs_pack_effort effort, const char **left_out)
{
    int wanted = step_of(effort), at = wanted;

    if (effort == CS_PACK_EFFORT_DEFAULT && too_large(trial->in, &steps[wanted], false))
        at = wanted = too_large(trial->in, &quick, false) ? QUICKEST_SEARCH : QUICK_SEARCH;
    while (at > 0 && too_large(trial->in, &steps[at], trial->request.expired != NULL))
        at--;
    if (at < wanted)
        *left_out = steps[at + 1].second ? steps[at + 1].second : steps[at + 1].first;
    if (effort_try(trial, trial->in->tasks->count > TABLE_TASKS ? "pack-approx:states=two"
                                                                : "pack-approx") ||
        effort_try(trial, steps[at].first) || effort_try(trial, steps[at].second))
        return -1;
    return effort == CS_PACK_EFFORT_EXACT ||
                   (effort != CS_PACK_EFFORT_FAST && trial->in->tasks->count <= FEW_TASKS)
               ? effort_try(trial, "exact")
               : 0;
}

static void effort_report(const struct trial *trial, const char *left_out,
                          struct cs_pack_plan *plan)
{
    cs_pack_plan_copy(plan, trial->best);
    plan->bound = fmin(trial->bound, plan->total);
    plan->optimal = plan->optimal || plan->bound == plan->total;
    cs_pack_plan_note(plan, "chosen", trial->chosen, 0);
    if (left_out)
        cs_pack_plan_note(plan, "too large for", left_out, 0);
}

int cs_pack_effort_plan(const struct cs_pack_instance *in, enum cs_pack_effort effort,
                        const struct cs_pack_request *request, struct cs_pack_plan *plan,
                        struct cs_error *err)
{
    CS_ASK(in && request && plan && effort <= CS_PACK_EFFORT_EXACT, err, -1);
    CS_GUARD(err, -1);
    struct trial trial = {.in = in, .request = *request, .err = err};
    const char *left_out = NULL;
    int status = 0;

    if (cs_pack_plan_check_room(in, plan, err))
        return -1;
    cs_pack_plan_clear(plan);
    if (in->tasks->count == 0) {
        plan->optimal = true;
        return 0;
    }
    trial.plan = cs_pack_plan_create(in->tasks->count);
    trial.best = cs_pack_plan_create(in->tasks->count);
    status = run_steps(&trial, effort, &left_out);
    if (!status)
        effort_report(&trial, left_out, plan);
    cs_pack_plan_destroy(trial.plan);
    cs_pack_plan_destroy(trial.best);
    return status;
}
