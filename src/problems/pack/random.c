/* random.c - the policies random-pack, random-proc and random-naive, the random heuristics of the
 * paper.
 *
 * Source: Aupy et al., Section 5; docs/spec/pack.md 5, random heuristics.
 *
 * random-pack draws the size of a pack, then its tasks; random-proc draws the processors of every
 * task and places the tasks by first fit decreasing (make_pack.c). Both end with Algorithm 1 in
 * each pack. random-naive draws an order and the processors of every task, and shares nothing
 * (docs/spec/science.md 6.3). They draw from splitmix64, as spec/pack.md fixes, so that other
 * programs can repeat them; several runs continue the same stream, and the first of the cheapest
 * wins.
 *
 * Invariants: the first run is always complete, also when patience has ended; a task never has
 * fewer than its minimum count of processors.
 * Complexity of a run, without Algorithm 1: O(n) for random-pack, O(n log n) for random-proc.
 * There is no tuned constant; `runs` is a parameter.
 */
#include "base/splitmix.h"
#include "problems/pack/policy.h"

typedef void draw_plan_f(const struct cs_pack_instance *in, struct cs_splitmix *random,
                         struct cs_pack_plan *plan, struct cs_arena *scratch);

/* Packs of 1 .. pack_size tasks; one whose minimum counts do not fit is split in drawing order. */
static void draw_packs(const struct cs_pack_instance *in, struct cs_splitmix *random,
                       struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int n = in->tasks->count, pos = 0;
    int *task = CS_NEW_ARRAY(scratch, int, n);

    for (int i = 0; i < n; i++)
        task[i] = i;
    while (pos < n) {
        int size = 1 + (int)cs_splitmix_below(random, (uint64_t)in->pack_size);
        int end = size < n - pos ? pos + size : n, free = in->tasks->procs;

        for (; pos < end; pos++) {
            int other = pos + (int)cs_splitmix_below(random, (uint64_t)(n - pos));
            int drawn = task[other], least = in->tasks->min_procs[drawn];

            task[other] = task[pos];
            task[pos] = drawn;
            if (least > free) {
                cs_pack_plan_close(plan, 0);
                free = in->tasks->procs;
            }
            free -= least;
            cs_pack_plan_add(plan, drawn, least);
        }
        cs_pack_plan_close(plan, 0);
    }
    cs_arena_rewind(scratch, mark);
}

static void draw_procs(const struct cs_pack_instance *in, struct cs_splitmix *random,
                       struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int n = in->tasks->count;
    int *procs = CS_NEW_ARRAY(scratch, int, n);

    for (int i = 0; i < n; i++) {
        int drawn = 1 + (int)cs_splitmix_below(random, (uint64_t)in->tasks->procs);

        procs[i] = drawn > in->tasks->min_procs[i] ? drawn : in->tasks->min_procs[i];
    }
    cs_pack_make(in, procs, NULL, plan, scratch);
    cs_arena_rewind(scratch, mark);
}

static void close_naive(const struct cs_pack_instance *in, struct cs_pack_plan *plan)
{
    double cost = 0;

    for (int a = plan->first[plan->packs]; a < plan->tasks; a++) {
        const double time = cs_pack_time(in, plan->task[a], plan->procs[a]);

        cost = time > cost ? time : cost;
    }
    cs_pack_plan_close(plan, cost);
}

/* Tasks in random order on random counts; a pack ends when the next task does not fit. */
static void draw_naive(const struct cs_pack_instance *in, struct cs_splitmix *random,
                       struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    const int n = in->tasks->count, p = in->tasks->procs;
    int *task = CS_NEW_ARRAY(scratch, int, n), used = 0, size = 0;

    for (int i = 0; i < n; i++)
        task[i] = i;
    for (int a = 0; a < n; a++) {
        const int other = a + (int)cs_splitmix_below(random, (uint64_t)(n - a));
        const int drawn = task[other], q = 1 + (int)cs_splitmix_below(random, (uint64_t)p);
        const int procs = q > in->tasks->min_procs[drawn] ? q : in->tasks->min_procs[drawn];

        task[other] = task[a];
        task[a] = drawn;
        if (size && (used + procs > p || size == in->pack_size)) {
            close_naive(in, plan);
            used = size = 0;
        }
        cs_pack_plan_add(plan, drawn, procs);
        used += procs;
        size++;
    }
    close_naive(in, plan);
    cs_arena_rewind(scratch, mark);
}

static int best_of_runs(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan, draw_plan_f *draw, bool share)
{
    struct cs_splitmix random = {context->seed};
    struct cs_pack_plan *now = cs_pack_plan_create(in->tasks->count);

    for (int run = 0; run < (int)context->param[0]; run++) {
        if (run > 0 && cs_pack_expired(context))
            break;
        cs_pack_plan_clear(now);
        draw(in, &random, now, context->scratch);
        if (share)
            cs_pack_plan_share(in, now, context->scratch);
        if (run == 0 || now->total < plan->total)
            cs_pack_plan_copy(plan, now);
    }
    cs_pack_plan_destroy(now);
    return 0;
}

static int plan_random_pack(const struct cs_pack_instance *in,
                            const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    return best_of_runs(in, context, plan, draw_packs, true);
}

static int plan_random_proc(const struct cs_pack_instance *in,
                            const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    return best_of_runs(in, context, plan, draw_procs, true);
}

static int plan_random_naive(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    return best_of_runs(in, context, plan, draw_naive, false);
}

#define PARAM_RUNS(fallback_)                                                                      \
    {                                                                                              \
        .name = "runs", .kind = CS_POLICY_PARAM_INTEGER, .default_text = fallback_, .low = 1,      \
        .high = 1000000, .summary = "how many plans are drawn; the cheapest is kept",              \
    }

static const struct cs_policy_param params[] = {PARAM_RUNS("9"), {0}};
static const struct cs_policy_param naive_params[] = {PARAM_RUNS("1"), {0}};

const struct cs_pack_policy cs_pack_policy_random_pack = {
    .info =
        {
            .name = "random-pack",
            .problem = "pack",
            .summary = "packs drawn at random, processors shared optimally",
            .source = "Aupy et al., Section 5: RANDOM-PACK",
            .params = params,
        },
    .plan = plan_random_pack,
};

const struct cs_pack_policy cs_pack_policy_random_proc = {
    .info =
        {
            .name = "random-proc",
            .problem = "pack",
            .summary = "processor counts drawn at random, then first fit decreasing",
            .source = "Aupy et al., Section 5: RANDOM-PROC",
            .params = params,
        },
    .plan = plan_random_proc,
};

const struct cs_pack_policy cs_pack_policy_random_naive = {
    .info =
        {
            .name = "random-naive",
            .problem = "pack",
            .summary = "order and processor counts drawn at random, and kept",
            .source = "Aupy et al., Section 5: the more naive heuristic",
            .params = naive_params,
        },
    .plan = plan_random_naive,
};
