/* effort.c - the planners and bounds that each effort combines.
 *
 * Source: spec/moldable.md 6.10; more bounds and other numbers of moves since (bench/README.md,
 * "Bags without barriers").
 * Idea: fast: ludwig-tiwari and 20 lists of sweep.  default: all quick planners, up to
 * TASKS_PROVED tasks a short search and a proof, then (not proved) the search; thrift; a better
 * bound where the plan does not meet the cheap ones.  high: SEEDS searches of TIMES as many
 * moves.  exact: up to TASKS_CLOSED tasks a short search and SOON conflicts, then (not proved)
 * default and both exact methods in turns.
 * Invariants: the number of moves depends on the bag and the effort, not on time or threads; of
 * several seeds the least makespan wins, ties to the smaller seed; plan->bound is proved for the
 * bag.
 * Complexity: moves = min(1e6, 15e6 / n, 6e9 / n^2), none above TASKS_SEARCHED: the second above
 * 15 tasks, the third above 400.  Measured: 0.67 to 0.79 s from 300 to 10,000 tasks
 * (bench/README.md).
 *
 *   constant        value  unit                how found; half, double
 *   MOVES_TASKS     15e6   moves times tasks   about a second; not measured
 *   MOVES_PAIRS     6e9    moves times tasks^2 5,000 tasks, with another start: 0.67 s instead of
 *                                              8.68 s (bench/README.md); not measured
 *   TASKS_SEARCHED  10000  tasks               spec/moldable.md 6.10; not measured
 *   TUREK_MOST      3e8    tasks times counts  not recorded; not measured
 *   TASKS_PROVED    10     tasks               spec/moldable.md 6.7; not measured
 *   TASKS_ONCE      20     tasks               above: three starts, gap 1.05 % instead of 1.99 % on
 *                                              six bags of 200 (bench/README.md); not measured
 *   NODES           1.3e6  partial plans       about a second; not measured
 *   TASKS_CLOSED    60     tasks               spec/bag.md 6.5 (b); not measured
 *   CONFLICTS       20,000 conflicts           spec/bag.md 6.5 (b); not measured
 *   TASKS_BRANCHED  12     tasks               not measured
 *   SOON            40000  conflicts           proves most bags of 15 tasks on powers of two, 0.02
 *                                              to 1.6 s (bench/README.md); not measured
 *   MODES_SOON      500    candidates          15 tasks with 40 each are not proven so; not
 *                                              measured
 *   TURNS, MORE     3, 10  turns, times        not measured
 *   SEEDS_FEW       4      seeds               one seed: 0.09 % above the best known instead of
 *                                              0.07 % (bench/README.md); not measured
 *   SEEDS, TIMES    8, 6   seeds, of the moves spec/moldable.md 6.10 has 8 and 10; not measured
 */
#include "base/bug.h"
#include "base/guard.h"
#include "base/workers.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/exact.h"

#include <limits.h>

#define MOVES_MOST 1000000LL
/* Moves of about a second: moves times tasks, or moves times tasks squared where events see many
 * that wait. */
#define MOVES_TASKS 15000000LL
#define MOVES_PAIRS 6000000000LL
#define TASKS_SEARCHED 10000
#define TUREK_MOST 3e8    /* above so many tasks times candidates that takes too long */
#define TASKS_PROVED 10   /* up to so many the default effort proves its plan */
#define TASKS_ONCE 20     /* above so many the search begins at three places */
#define NODES 1300000     /* about a second */
#define FEW_MOVES 20000   /* before that proof */
#define TASKS_CLOSED 60   /* up to so many the exact method closes the gap, */
#define CONFLICTS 20000   /* with so many conflicts */
#define TASKS_BRANCHED 12 /* above, branch and bound has one turn in the effort exact */
#define TURNS 3           /* of both exact methods in the effort exact, */
#define SOON 40000        /* conflicts of the effort exact before anything that takes longer */
#define MODES_SOON 500    /* up to so many candidates */
#define MORE 10           /* each so many times longer */
#define SEEDS_FEW 4       /* of the default effort up to so many, which share its moves */
#define SEEDS 8           /* of the high effort, each of */
#define TIMES 6           /* as many moves */

const char *cs_moldable_effort_name(int effort)
{
    static const char *const names[] = {"fast", "default", "high", "exact"};

    return effort >= 0 && effort < 4 ? names[effort] : NULL;
}

static long long moves_for(const struct cs_moldable_bag *bag)
{
    long long tasks = bag->tasks, moves = MOVES_TASKS / tasks;

    if (tasks > TASKS_SEARCHED)
        return 0;
    if (moves > MOVES_PAIRS / (tasks * tasks))
        moves = MOVES_PAIRS / (tasks * tasks);
    return moves < MOVES_MOST ? moves : MOVES_MOST;
}

static void start_fast(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                       struct cs_arena *scratch)
{
    cs_moldable_ludwig_tiwari(bag, plan, scratch);
    cs_moldable_sweep(bag, 4, 1, plan, scratch);
}

static void effort_start(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                         struct cs_arena *scratch)
{
    if (bag->tasks > TASKS_SEARCHED) {
        start_fast(bag, plan, scratch);
        return;
    }
    cs_moldable_ludwig_tiwari(bag, plan, scratch);
    if ((double)bag->tasks * bag->first[bag->tasks] <= TUREK_MOST)
        cs_moldable_turek_wolf_yu(bag, plan, scratch);
    cs_moldable_sweep(bag, 1, 3, plan, scratch);
    if (cs_moldable_shelves_apply(bag))
        cs_moldable_mounie_rapine_trystram(bag, plan, scratch);
}

/* Several seeds from one plan. */
struct seeds {
    const struct cs_moldable_bag *bag;
    const struct cs_moldable_request *request;
    long long moves;
    struct cs_moldable_plan *found[SEEDS];
    long long *done;
};

struct worker {
    const struct seeds *seeds;
    struct cs_arena *scratch;
};

static int effort_begin(void *worker, const void *job, struct cs_error *err)
{
    *(struct worker *)worker = (struct worker){job, cs_arena_create()};
    (void)err;
    return 0;
}

/* LIST of the least work that ends every task before the plan ends. */
static void start_below(const struct cs_moldable_bag *bag, double makespan,
                        struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks);
    struct cs_moldable_lister lister;

    cs_moldable_thrifty(bag, nextafter(makespan, 0), choice);
    cs_moldable_sort(bag, choice, CS_MOLDABLE_LPT, order, scratch);
    cs_moldable_lister_init(&lister, bag, scratch);
    cs_moldable_list(&lister, choice, order, INFINITY, start);
    cs_moldable_plan_set(bag, plan, choice, start, lister.first);
    cs_arena_rewind(scratch, mark);
}

/* From the plan; from a list in which the task that holds the plan up is wider, on its own; and
 * from such a list with the plan's makespan as the deadline. */
static long long search_thrice(const struct cs_moldable_bag *bag,
                               const struct cs_moldable_hunt *hunt, struct cs_moldable_plan *plan,
                               struct cs_arena *scratch)
{
    struct cs_moldable_plan *other = cs_moldable_plan_create(bag->tasks);
    struct cs_moldable_hunt third = *hunt;
    long long done;

    third.moves = hunt->moves / 3;
    done = cs_moldable_search(bag, &third, plan, scratch);
    start_below(bag, plan->makespan, other, scratch);
    done += cs_moldable_search(bag, &third, other, scratch);
    if (other->makespan < plan->makespan)
        cs_moldable_plan_copy(plan, other);
    start_below(bag, plan->makespan, other, scratch);
    third.from = other;
    third.moves = hunt->moves - 2 * third.moves;
    done += cs_moldable_search(bag, &third, plan, scratch);
    cs_moldable_plan_destroy(other);
    return done;
}

static int effort_hunt(void *worker, long run, struct cs_error *err)
{
    struct worker *w = worker;
    const struct cs_moldable_request *request = w->seeds->request;
    const struct cs_moldable_bag *bag = w->seeds->bag;
    struct cs_moldable_plan *found = w->seeds->found[run];
    long long *done = &w->seeds->done[run];
    const struct cs_moldable_hunt here = {.seed = request->seed + (uint64_t)run,
                                          .moves = w->seeds->moves,
                                          .expired = request->expired,
                                          .who = request->who};

    *done = bag->tasks <= TASKS_ONCE ? cs_moldable_search(bag, &here, found, w->scratch)
                                     : search_thrice(bag, &here, found, w->scratch);
    (void)err;
    return 0;
}

static void effort_end(void *worker)
{
    cs_arena_destroy(((struct worker *)worker)->scratch);
}

/* The best makespan wins, ties to the smaller seed. */
static void search_seeds(const struct cs_moldable_bag *bag,
                         const struct cs_moldable_request *request, int seeds, long long moves,
                         struct cs_moldable_plan *plan)
{
    long long done[SEEDS];
    struct seeds job = {.bag = bag, .request = request, .moves = moves, .done = done};
    const struct cs_workers share = {.runs = seeds,
                                     .threads = request->threads,
                                     .size = sizeof(struct worker),
                                     .job = &job,
                                     .begin = effort_begin,
                                     .run = effort_hunt,
                                     .end = effort_end};
    int best = 0;

    for (int s = 0; s < seeds; s++) {
        job.found[s] = cs_moldable_plan_create(bag->tasks);
        cs_moldable_plan_copy(job.found[s], plan);
    }
    cs_workers_run(&share, NULL);
    for (int s = 1; s < seeds; s++)
        best = job.found[s]->makespan < job.found[best]->makespan ? s : best;
    cs_moldable_plan_copy(plan, job.found[best]);
    cs_moldable_plan_note(plan, "seed", NULL, (double)(request->seed + (uint64_t)best));
    cs_moldable_plan_note(plan, "moves", NULL, (double)done[best]);
    cs_moldable_plan_note(plan, "moves granted", NULL, (double)moves);
    for (int s = 0; s < seeds; s++)
        cs_moldable_plan_destroy(job.found[s]);
}

static void prove_bag(const struct cs_moldable_bag *bag, const struct cs_moldable_request *request,
                      long long nodes, struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    const struct cs_moldable_proof proof = {nodes, request->expired, request->who};

    if (cs_moldable_exact_applies(bag))
        cs_moldable_prove(bag, &proof, plan, scratch);
}

/* The best plan on any processors is no longer than that on consecutive ones: its bound. */
static void prove_any(const struct cs_moldable_bag *bag, const struct cs_moldable_request *request,
                      long long nodes, struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    struct cs_moldable_plan *other = cs_moldable_plan_create(bag->tasks);
    struct cs_moldable_bag any = *bag;

    any.contiguous = false;
    cs_moldable_plan_clear(other);
    effort_start(&any, other, scratch);
    search_seeds(&any, request, 1, FEW_MOVES, other);
    prove_bag(&any, request, nodes, other, scratch);
    if (other->optimal)
        plan->bound = other->makespan;
    plan->optimal = other->optimal && plan->makespan <= other->makespan;
    cs_moldable_plan_destroy(other);
}

static void effort_prove(const struct cs_moldable_bag *bag,
                         const struct cs_moldable_request *request, long long nodes,
                         struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    if (!bag->contiguous)
        prove_bag(bag, request, nodes, plan, scratch);
    else if (!(plan->bound > 0))
        prove_any(bag, request, nodes, plan, scratch);
}

static double raise_bound(const struct cs_moldable_bag *bag, double low, double high,
                          struct cs_moldable_patience patience, struct cs_arena *scratch)
{
    low = cs_moldable_joint(bag, low, high, patience, scratch);
    return cs_moldable_cases(bag, low, high, patience, scratch);
}

/* The effort exact is over: a proof, or no more time. */
static bool effort_over(const struct cs_moldable_request *request,
                        const struct cs_moldable_plan *plan)
{
    return plan->optimal || (request->expired && request->expired(request->who));
}

/* So many tasks that branch and bound proves nothing: only conflicts do. */
static bool effort_learns(const struct cs_moldable_instance *in)
{
    return in->bag.tasks > TASKS_BRANCHED && in->bag.tasks <= TASKS_CLOSED && !in->bag.contiguous;
}

/* Both exact methods in turns, each time with MORE than the last; few tasks until one has proved
 * the plan. */
static void effort_finish(const struct cs_moldable_instance *in,
                          const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                          struct cs_arena *scratch)
{
    long long nodes = NODES, conflicts = CONFLICTS;

    for (int turn = 1; turn <= TURNS && !in->bag.contiguous; turn++) {
        nodes *= MORE;
        conflicts *= MORE;
        if (!effort_over(request, plan) && !effort_learns(in))
            effort_prove(&in->bag, request, nodes, plan, scratch);
        if (!effort_over(request, plan) && in->bag.tasks <= TASKS_CLOSED)
            cs_moldable_close(&in->bag, request, turn < TURNS ? conflicts : LLONG_MAX / 4, plan,
                              scratch);
    }
}

/* A plan that meets a bound is proved by it; one that does not is worth a better bound. */
static void effort_settle(const struct cs_moldable_instance *in, enum cs_moldable_effort effort,
                          const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                          struct cs_arena *scratch)
{
    const struct cs_moldable_patience patience = {request->expired, request->who};
    struct cs_moldable_bounds bounds;

    cs_moldable_bounds_compute(in, &bounds);
    plan->bound = plan->optimal ? plan->makespan : fmax(plan->bound, bounds.best);
    if (plan->makespan <= plan->bound * (1 + 1e-12))
        plan->optimal = true;
    else if (!plan->optimal && effort != CS_MOLDABLE_EFFORT_FAST)
        plan->bound = raise_bound(&in->bag, plan->bound, plan->makespan, patience, scratch);
    if (!plan->optimal && effort != CS_MOLDABLE_EFFORT_FAST && in->bag.tasks <= TASKS_CLOSED)
        cs_moldable_close(&in->bag, request, CONFLICTS, plan, scratch);
    if (effort == CS_MOLDABLE_EFFORT_EXACT)
        effort_finish(in, request, plan, scratch);
}

double cs_moldable_effort_bound(const struct cs_moldable_instance *in,
                                const struct cs_moldable_request *request,
                                const struct cs_moldable_plan *plan)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_moldable_plan *proved = cs_moldable_plan_create(in->bag.tasks);
    double bound;

    cs_moldable_plan_copy(proved, plan);
    if (in->bag.tasks > 0 && in->bag.tasks <= TASKS_PROVED)
        effort_prove(&in->bag, request, NODES, proved, scratch);
    effort_settle(in, CS_MOLDABLE_EFFORT_DEFAULT, request, proved, scratch);
    bound = proved->bound;
    cs_moldable_plan_destroy(proved);
    cs_arena_destroy(scratch);
    return bound;
}

/* A short search, and conflicts before anything that takes longer; true: the effort is over. */
static bool effort_closes_soon(const struct cs_moldable_bag *bag,
                               const struct cs_moldable_request *request,
                               struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    if (bag->contiguous || bag->tasks > TASKS_CLOSED || bag->first[bag->tasks] > MODES_SOON)
        return false;
    if (bag->tasks > TASKS_PROVED)
        search_seeds(bag, request, 1, FEW_MOVES, plan);
    cs_moldable_close(bag, request, SOON, plan, scratch);
    return effort_over(request, plan);
}

static void effort_run(const struct cs_moldable_instance *in, enum cs_moldable_effort effort,
                       const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                       struct cs_arena *scratch)
{
    const struct cs_moldable_bag *bag = &in->bag;
    long long moves = moves_for(bag);

    if (effort == CS_MOLDABLE_EFFORT_FAST) {
        start_fast(bag, plan, scratch);
        return;
    }
    effort_start(bag, plan, scratch);
    if (bag->tasks <= TASKS_PROVED) {
        search_seeds(bag, request, 1, FEW_MOVES, plan);
        effort_prove(bag, request, NODES, plan, scratch);
        if (plan->optimal)
            return;
    }
    if (effort == CS_MOLDABLE_EFFORT_EXACT && effort_closes_soon(bag, request, plan, scratch))
        return;
    if (effort == CS_MOLDABLE_EFFORT_HIGH)
        search_seeds(bag, request, SEEDS, TIMES * moves, plan);
    else if (bag->tasks <= TASKS_ONCE)
        search_seeds(bag, request, SEEDS_FEW, moves / SEEDS_FEW, plan);
    else if (moves > 0)
        search_seeds(bag, request, 1, moves, plan);
    if (effort == CS_MOLDABLE_EFFORT_EXACT && bag->tasks > TASKS_PROVED && !effort_learns(in))
        effort_prove(bag, request, bag->contiguous ? 150LL * NODES : NODES, plan, scratch);
}

int cs_moldable_effort_plan(const struct cs_moldable_instance *in, enum cs_moldable_effort effort,
                            const struct cs_moldable_request *request,
                            struct cs_moldable_plan *plan, struct cs_error *err)
{
    CS_ASK(in && request && plan && cs_moldable_effort_name((int)effort), err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *scratch = cs_arena_create();

    if (cs_moldable_plan_check_room(in, plan, err)) {
        cs_arena_destroy(scratch);
        return -1;
    }
    cs_moldable_plan_clear(plan);
    if (in->bag.tasks > 0) {
        effort_run(in, effort, request, plan, scratch);
        cs_moldable_thrift(&in->bag, plan, scratch);
    } else {
        plan->makespan = 0;
    }
    effort_settle(in, effort, request, plan, scratch);
    cs_arena_destroy(scratch);
    return 0;
}
