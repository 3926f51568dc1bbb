/* repack.c - rounds of pricing at central prices, and the dive.
 *
 * Source: column generation by bundle.h and a diving heuristic; measured in bench/README.md, "Packs
 * of many tasks, as measured".
 *
 * Invariants: a task with pack_of[i] >= 0 has no row any more; `cost` is the sum of the fixed
 * packs, so cost + bound estimates the end of the dive; `plan` is changed only if the new one costs
 * less than the margin allows. All draws come from `rng`.
 * Complexity: rows^3 / 6 multiplications for a Newton step, memory of rows^2; a dive has at most as
 * many fixings as packs.
 *
 * constant      value  unit      found by             half, double
 * MANY_ROUNDS      30  rounds    bench, six seeds     half: 0.17 to 0.2 % instead of 0.15 %
 * ROUNDS            6  rounds    bench, six seeds     4: 0.17 to 0.2 % instead of 0.15 %
 * SEVERAL         500  tasks     bench, six seeds     three packs at a time: 0.17 to 0.2 %
 * score   weight x cost          bench                weight alone: parts 1 to 3 % more expensive
 * HOPELESS       5e-4  relative  bench                1e-3, 2e-3 for parts of 320: time, no gain
 * FIRST_ROUNDS     40  rounds    not recorded         not measured
 * FIRST_NEAR     3e-4  relative  not recorded         not measured
 * NEAR           5e-4  relative  not recorded         not measured
 * MANY_TASKS      320  tasks     not recorded         not measured
 * MANY_NEAR      2e-4  relative  not recorded         not measured
 * MANY_STEPS        3  steps     not recorded         not measured
 * NEARLY          0.5  share     not recorded         not measured
 * SURE            0.8  weight    not recorded         not measured
 * MARGIN         1e-2  relative  not recorded         not measured
 */
#include "problems/pack/repack.h"
#include "problems/pack/bundle.h"
#include "problems/pack/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which packs are packed again together.
 *
 * Source: large neighbourhood search over repack.h; measured in bench/README.md, "Packs of many
 * tasks, as measured".
 *
 * One pack is drawn with a chance proportional to its cost; the packs nearest to it in cost, with
 * some noise, are the part that is packed again. Then pairs of its packs with all packs are divided
 * again (pair.h), and the plan is kept if it is cheaper.
 *
 * Invariants: the plan never gets more expensive; a part holds whole packs; all draws come from the
 * seed of the context.
 * Complexity: one repack of the part for each time, then pair search.
 *
 * constant     value  unit      found by               half, double
 * FEW_TASKS      320  tasks     bench, two seeds       160, 480 instead of 320 at a time: noise
 * SHARE         0.85  share     bench, six seeds       500, 700 of 1,000 tasks: some seeds better,
 *                                                      some worse; all: worse on four of six
 * MOST_TASKS     850  tasks     see SHARE              see SHARE
 * choice    near in cost        bench, five seeds      any packs: 720,900 to 723,300 s, near:
 *                                                      718,700 to 720,800 s (320 tasks at a time)
 * SPREAD          25  packs     not recorded           not measured
 * IDLE             2  times     not recorded           not measured
 * LEVELS        4096  levels    spec, Part II 2.2      not measured
 * MARGIN        4e-3  relative  not recorded           not measured
 */

#define PURPOSE 1102   /* of the random stream: packs, and costs within them */
#define FEW_TASKS 320  /* all at a time; of more */
#define SHARE 0.85     /* this share, */
#define MOST_TASKS 850 /* or so many */
#define SPREAD 25      /* over the packs: how far, relative, chance moves the cost of each */
#define IDLE 2         /* times without a gain, when it is the whole plan */
#define LEVELS 4096    /* at most, for pairs with the other packs */
#define REPACK_SEARCH_MARGIN 4e-3 /* relative: how much costlier the part may be before that */
#define REPACK_SEARCH_LEAST_GAIN 1e-12

/* Some packs of a plan, as a separate instance and plan. */
struct part {
    struct cs_moldable tasks;
    struct cs_pack_instance in;
    struct cs_pack_candidates c;
    struct cs_pack_plan *plan;
    int *task;   /* of the instance, for every task of the part */
    bool *drawn; /* of every pack */
};

struct ranked {
    double away;
    int pack;
};

static int repack_search_nearer(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->away != y->away)
        return x->away < y->away ? -1 : 1;
    return (x->pack > y->pack) - (x->pack < y->pack);
}

/* A pack, with a chance that is as large as its cost. */
static double draw_cost(const struct cs_pack_plan *plan, struct cs_rng *rng)
{
    double at = cs_rng_uniform(rng) * plan->total;
    int b = 0;

    while (b + 1 < plan->packs && at >= plan->cost[b])
        at -= plan->cost[b++];
    return plan->cost[b];
}

/* All packs, first those about as costly as one that is drawn. */
static const struct ranked *repack_search_rank(const struct cs_pack_plan *plan, struct cs_rng *rng,
                                               struct cs_arena *arena)
{
    const double cost = draw_cost(plan, rng);
    struct ranked *ranked = CS_NEW_ARRAY(arena, struct ranked, plan->packs);

    for (int b = 0; b < plan->packs; b++) {
        const double ratio = fmax(cost, plan->cost[b]) / fmin(cost, plan->cost[b]);

        ranked[b] = (struct ranked){ratio + SPREAD * cs_rng_uniform(rng) / plan->packs, b};
    }
    qsort(ranked, (size_t)plan->packs, sizeof *ranked, repack_search_nearer);
    return ranked;
}

static int tasks_at_a_time(int tasks)
{
    return tasks <= FEW_TASKS ? tasks : (int)fmin(SHARE * tasks, MOST_TASKS);
}

static struct cs_pack_plan *repack_search_draw(const struct cs_pack_plan *plan, struct cs_rng *rng,
                                               struct part *part, struct cs_arena *arena)
{
    const struct ranked *ranked = repack_search_rank(plan, rng, arena);
    const int most = tasks_at_a_time(plan->tasks);
    int count = 0;

    part->plan = cs_pack_plan_create(most);
    cs_pack_plan_clear(part->plan);
    part->task = CS_NEW_ARRAY(arena, int, most);
    part->drawn = CS_NEW_ARRAY(arena, bool, plan->packs);
    for (int k = 0; k < plan->packs; k++) {
        const int b = ranked[k].pack, first = plan->first[b], size = plan->first[b + 1] - first;

        if (count + size > most)
            continue;
        part->drawn[b] = true;
        for (int a = 0; a < size; a++) {
            part->task[count] = plan->task[first + a];
            cs_pack_plan_add(part->plan, count++, plan->procs[first + a]);
        }
        cs_pack_plan_close(part->plan, plan->cost[b]);
    }
    return part->plan;
}

/* The instance of its tasks. */
static void repack_search_settle(const struct cs_pack_instance *in, struct part *part,
                                 struct cs_arena *arena)
{
    const int n = part->plan->tasks, procs = in->tasks->procs;
    double *table = CS_NEW_ARRAY(arena, double, cs_arena_area((size_t)n, (size_t)procs));
    int *least = CS_NEW_ARRAY(arena, int, n);

    for (int i = 0; i < n; i++) {
        least[i] = in->tasks->min_procs[part->task[i]];
        for (int j = 1; j <= procs; j++)
            table[i * procs + j - 1] = cs_pack_time(in, part->task[i], j);
    }
    part->tasks = (struct cs_moldable){.count = n, .procs = procs, .table = table};
    part->tasks.min_procs = least;
    part->in = (struct cs_pack_instance){.tasks = &part->tasks, .pack_size = in->pack_size};
}

/* The packs that were not drawn, then those of the part. */
static void repack_search_join(const struct part *part, const struct cs_pack_plan *plan,
                               struct cs_pack_plan *joined)
{
    cs_pack_plan_clear(joined);
    for (int b = 0; b < plan->packs; b++) {
        if (part->drawn[b])
            continue;
        for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
            cs_pack_plan_add(joined, plan->task[a], plan->procs[a]);
        cs_pack_plan_close(joined, plan->cost[b]);
    }
    for (int b = 0; b < part->plan->packs; b++) {
        for (int a = part->plan->first[b]; a < part->plan->first[b + 1]; a++)
            cs_pack_plan_add(joined, part->task[part->plan->task[a]], part->plan->procs[a]);
        cs_pack_plan_close(joined, part->plan->cost[b]);
    }
}

struct search {
    const struct cs_pack_instance *in;
    const struct cs_policy_context *context;
    struct cs_rng rng;
    const struct cs_pack_levels *levels; /* NULL: too large for pairs of all packs */
    struct cs_pack_plan *joined, *paired;
};

static void search_init(struct search *s, const struct cs_pack_plan *plan, struct cs_arena *arena)
{
    const size_t rows = 2 * (size_t)plan->tasks + 1;
    const double ceiling =
        cs_pack_levels_ceiling(s->in, plan->total * (1 + REPACK_SEARCH_MARGIN), arena);
    int limit = cs_pack_levels_affordable(rows, LEVELS);

    if (limit)
        s->levels = cs_pack_levels_create(s->in, limit, ceiling, arena);
    s->joined = cs_pack_plan_create(plan->tasks);
    s->paired = cs_pack_plan_create(plan->tasks);
    cs_rng_init(&s->rng, s->context->seed, PURPOSE, 0);
}

/* Pairs of the last packs of the joined plan, `fresh` of them, with all. */
static void pair_fresh(struct search *s, int fresh, struct cs_arena *arena)
{
    struct cs_pack_loads *loads =
        s->levels ? cs_pack_loads_create(s->levels, s->in, s->joined, arena) : NULL;

    if (!loads)
        return;
    loads->clock = 1;
    for (int b = 0; b < s->joined->packs; b++) {
        if (b < s->joined->packs - fresh)
            loads->slot[b].tried = 1;
        else
            loads->slot[b].changed = 1;
    }
    cs_pack_pair_search(loads, s->context);
    cs_pack_loads_write(loads, s->in, s->paired);
    if (s->paired->total < s->joined->total)
        cs_pack_plan_copy(s->joined, s->paired);
}

/* True when the plan is cheaper now. */
static bool repack_some(struct search *s, struct cs_pack_plan *plan)
{
    struct cs_arena *arena = cs_arena_create();
    struct part part;
    bool better = false;

    if (repack_search_draw(plan, &s->rng, &part, arena)->packs > 1) {
        repack_search_settle(s->in, &part, arena);
        cs_pack_candidates_init(&part.c, &part.in, part.plan->total, arena);
        if (cs_pack_repack(&part.c, s->context, &s->rng, REPACK_SEARCH_MARGIN, part.plan)) {
            repack_search_join(&part, plan, s->joined);
            pair_fresh(s, part.plan->packs, arena);
            better = s->joined->total < plan->total * (1 - REPACK_SEARCH_LEAST_GAIN);
        }
    }
    if (better)
        cs_pack_plan_copy(plan, s->joined);
    cs_pack_plan_destroy(part.plan);
    cs_arena_destroy(arena);
    return better;
}

void cs_pack_repack_search(const struct cs_pack_instance *in,
                           const struct cs_policy_context *context, int times,
                           struct cs_pack_plan *plan)
{
    struct cs_arena *arena = cs_arena_create();
    struct search s = {.in = in, .context = context};
    const bool whole = plan->tasks <= FEW_TASKS;
    int idle = 0;

    search_init(&s, plan, arena);
    for (int k = 0; k < times && !cs_pack_expired(context); k++) {
        idle = repack_some(&s, plan) ? 0 : idle + 1;
        if (whole && idle == IDLE)
            break;
    }
    cs_pack_plan_destroy(s.joined);
    cs_pack_plan_destroy(s.paired);
    cs_arena_destroy(arena);
}

#define FIRST_ROUNDS 40
#define FIRST_NEAR 3e-4 /* relative: what is hoped for is near enough to dive */
#define ROUNDS 6        /* between two fixings */
#define NEAR 5e-4
#define MANY_TASKS 320 /* for more: */
#define MANY_ROUNDS 30 /* at first, which makes packs to choose from */
#define MANY_NEAR 2e-4 /* before other fixings */
#define MANY_STEPS 3   /* of Newton, a round */
#define SEVERAL 500    /* tasks: for so many each, another pack is fixed in the same step, */
#define NEARLY 0.5     /* whose score is this share of the best */
#define SURE 0.8       /* packs of such weight are fixed together */
#define HOPELESS 5e-4  /* relative: a dive over many that will cost so much more is left, */
#define MARGIN 1e-2    /* relative: how much costlier a dive may be to be improved by pairs */
#define LEAST_GAIN 1e-9

struct repack {
    const struct cs_policy_context *context;
    struct cs_arena *arena;
    const struct cs_pack_candidates *c;
    struct cs_pack_bundle bundle;
    int *task;           /* scratch: a pack */
    int *pack_of, packs; /* fixed: of every task, -1 while it has none */
    double cost;         /* of these packs */
    bool many;
};

/* The least share of the machine that the task takes, times its time: a lower bound of its cost. */
static double least_area(const struct cs_pack_instance *in, int i)
{
    double least = INFINITY;

    for (int j = 1; j <= in->tasks->procs; j++)
        least =
            fmin(least, cs_pack_time(in, i, j) * fmax(j, (double)in->tasks->procs / in->pack_size));
    return least / in->tasks->procs;
}

static int repack_rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void repack_seed(struct repack *r, const struct cs_pack_plan *plan)
{
    for (int i = 0; i < r->c->tasks; i++)
        cs_pack_bundle_seed(&r->bundle, &i, 1);
    for (int b = 0; b < plan->packs; b++) {
        const int count = plan->first[b + 1] - plan->first[b];

        memcpy(r->task, plan->task + plan->first[b], (size_t)count * sizeof *r->task);
        qsort(r->task, (size_t)count, sizeof *r->task, repack_rising);
        cs_pack_bundle_seed(&r->bundle, r->task, count);
    }
}

static void repack_init(struct repack *r, struct cs_rng *rng, const struct cs_pack_plan *plan)
{
    const int n = r->c->in->tasks->count;

    cs_pack_bundle_init(&r->bundle, r->c, NULL, 0, plan->total / 100, rng, r->arena);
    r->many = n > MANY_TASKS;
    if (r->many)
        r->bundle.master.steps = MANY_STEPS;
    r->task = CS_NEW_ARRAY(r->arena, int, n);
    r->pack_of = CS_NEW_ARRAY(r->arena, int, n);
    for (int i = 0; i < n; i++) {
        r->pack_of[i] = -1;
        r->bundle.master.price[i] = least_area(r->c->in, i) / r->bundle.master.scale;
    }
    cs_pack_bundle_begin(&r->bundle);
    repack_seed(r, plan);
}

/* The best prices stay.  False when patience ended. */
static bool repack_generate(struct repack *r, int rounds, double near)
{
    struct cs_pack_bundle *b = &r->bundle;

    cs_pack_bundle_begin(b);
    for (int k = 0; k < rounds && fabs(b->hope) > near; k++) {
        if (cs_pack_expired(r->context))
            return false;
        cs_pack_bundle_round(b);
    }
    memcpy(b->master.price, b->master.center, (size_t)b->master.rows * sizeof(double));
    return true;
}

static void repack_fix(struct repack *r, const struct cs_pack_inner *column)
{
    int count = 0;

    for (int e = 0; e < column->count; e++) {
        if (r->pack_of[column->task[e]] >= 0)
            continue;
        r->pack_of[column->task[e]] = r->packs;
        r->task[count++] = column->task[e];
    }
    if (count == 0)
        return;
    r->cost += r->c->cost[cs_pack_candidates_fit(r->c, r->task, count, 0)];
    r->packs++;
}

static bool is_free(const struct repack *r, const struct cs_pack_inner *column)
{
    for (int e = 0; e < column->count; e++) {
        if (r->pack_of[column->task[e]] >= 0)
            return false;
    }
    return true;
}

/* The pack of most weight x cost, more than `least`, that has no task of one that is fixed. */
static const struct cs_pack_inner *best_column(const struct repack *r, double least)
{
    const struct cs_pack_interior *l = &r->bundle.master;
    const struct cs_pack_inner *best = NULL;

    for (int a = 0; a < l->columns; a++) {
        const double score = l->column[a].weight * l->column[a].cost;

        if (score > least && is_free(r, &l->column[a])) {
            best = &l->column[a];
            least = score;
        }
    }
    return best;
}

/* That pack, while many tasks are left some that are nearly as good, and all that are as good as
 * sure. */
static bool fix_best(struct repack *r)
{
    struct cs_pack_interior *l = &r->bundle.master;
    const struct cs_pack_inner *best = best_column(r, 0);
    const double least = best ? best->weight * best->cost * NEARLY : 0;

    if (!best)
        return false;
    repack_fix(r, best);
    for (int k = l->rows / SEVERAL; k > 0 && (best = best_column(r, least)); k--)
        repack_fix(r, best);
    for (int a = 0; a < l->columns; a++) {
        if (l->column[a].weight >= SURE)
            repack_fix(r, &l->column[a]);
    }
    cs_pack_interior_cut(l, r->pack_of);
    return true;
}

/* The program, solved well enough to begin. */
static bool repack_begin(struct repack *r)
{
    return r->many ? repack_generate(r, MANY_ROUNDS, 0)
                   : repack_generate(r, FIRST_ROUNDS, FIRST_NEAR);
}

/* It will cost more than that. */
static bool is_dearer(const struct repack *r, double known)
{
    return r->cost + r->bundle.bound * r->bundle.master.scale > known;
}

/* When patience ends before the last fixing, the rest is fixed by what is known. */
static bool repack_dive(struct repack *r, double known)
{
    const struct cs_pack_interior *l = &r->bundle.master;
    bool patient = repack_begin(r);

    if (!patient || is_dearer(r, known * (1 - LEAST_GAIN)))
        return false;
    while (l->rows) {
        if ((r->many && patient && is_dearer(r, known * (1 + HOPELESS))) || !fix_best(r))
            return false;
        if (l->rows && patient)
            patient = repack_generate(r, ROUNDS, r->many ? MANY_NEAR : NEAR);
    }
    return true;
}

static void write_plan(const struct repack *r, struct cs_pack_plan *plan)
{
    cs_pack_plan_clear(plan);
    for (int b = 0; b < r->packs; b++) {
        for (int i = 0; i < r->c->tasks; i++) {
            if (r->pack_of[i] == b)
                cs_pack_plan_add(plan, i, r->c->in->tasks->min_procs[i]);
        }
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(r->c->in, plan, r->arena);
}

static void keep_cheaper(struct cs_pack_plan *plan, const struct cs_pack_plan *other)
{
    if (other->total < plan->total)
        cs_pack_plan_copy(plan, other);
}

/* Divide pairs of its packs again. */
static void repack_improve(const struct repack *r, double ceiling, struct cs_pack_plan *plan)
{
    const int levels =
        cs_pack_levels_affordable((size_t)plan->tasks + (size_t)plan->packs, CS_PACK_LEVELS_MAX);
    struct cs_pack_loads *loads;
    struct cs_pack_plan *other;

    if (!levels)
        return;
    loads = cs_pack_loads_create(cs_pack_levels_create(r->c->in, levels, ceiling, r->arena),
                                 r->c->in, plan, r->arena);
    if (!loads)
        return;
    other = cs_pack_plan_create(plan->tasks);
    cs_pack_pair_search(loads, r->context);
    cs_pack_loads_write(loads, r->c->in, other);
    keep_cheaper(plan, other);
    cs_pack_plan_destroy(other);
}

bool cs_pack_repack(const struct cs_pack_candidates *c, const struct cs_policy_context *context,
                    struct cs_rng *rng, double margin, struct cs_pack_plan *plan)
{
    struct repack r = {.c = c, .context = context, .arena = cs_arena_create()};
    struct cs_pack_plan *other = cs_pack_plan_create(c->tasks);
    bool changed = false;

    repack_init(&r, rng, plan);
    if (repack_dive(&r, plan->total)) {
        write_plan(&r, other);
        if (other->total < plan->total * (1 + MARGIN))
            repack_improve(&r, fmax(plan->total, other->total), other);
        changed = other->total < plan->total * (1 + margin);
        if (changed)
            cs_pack_plan_copy(plan, other);
    }
    cs_pack_plan_destroy(other);
    cs_arena_destroy(r.arena);
    return changed;
}
