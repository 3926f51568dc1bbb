/* repack_search.c - which packs are packed again together.
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
#include "problems/pack/repack.h"

#include "problems/pack/pair.h"

#include <math.h>
#include <stdlib.h>

#define PURPOSE 1102   /* of the random stream: packs, and costs within them */
#define FEW_TASKS 320  /* all at a time; of more */
#define SHARE 0.85     /* this share, */
#define MOST_TASKS 850 /* or so many */
#define SPREAD 25      /* over the packs: how far, relative, chance moves the cost of each */
#define IDLE 2         /* times without a gain, when it is the whole plan */
#define LEVELS 4096    /* at most, for pairs with the other packs */
#define MARGIN 4e-3    /* relative: how much costlier the part may be before that */
#define LEAST_GAIN 1e-12

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
    const double ceiling = cs_pack_levels_ceiling(s->in, plan->total * (1 + MARGIN), arena);
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
        if (cs_pack_repack(&part.c, s->context, &s->rng, MARGIN, part.plan)) {
            repack_search_join(&part, plan, s->joined);
            pair_fresh(s, part.plan->packs, arena);
            better = s->joined->total < plan->total * (1 - LEAST_GAIN);
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
