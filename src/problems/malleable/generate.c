/* generate.c - the tasks of the paper's section 6.1.
 *
 * Source: the paper, section 6.1 and Equation (10); spec/malleable.md 2 and 11.
 *
 * Idea: sizes m are uniform in [size_low, size_high]; t1 = 2 m log2 m and an overhead of m log2
 * m seconds, C = c m, data m.
 *
 * Invariants: m > 1, so that times are positive; one number of the stream (seed, PURPOSE, set)
 * for each task, in task order, so that a longer list begins with the tasks of a shorter one.
 * Complexity: O(tasks).
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | tasks | 100 | tasks | the paper's default | not measured |
 * | size_low, size_high | 1.5e6, 2.5e6 | data units | the paper's default | not measured |
 * | sequential_fraction | 0.08 | ratio | the paper's default | not measured |
 * | checkpoint_factor | 1 | s per unit | the paper's default | at 0.01: see docs/papers.md |
 * | MOST_TASKS | 10^7 | tasks | limit of the input, our choice | not measured |
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/rng.h"
#include "model/workload.h"
#include "problems/malleable/malleable.h"

#include <math.h>

#define PURPOSE 1203 /* of the random stream: sizes of tasks */
#define MOST_TASKS 10000000

struct cs_malleable_generator cs_malleable_generator_paper(void)
{
    return (struct cs_malleable_generator){
        .tasks = 100,
        .size_low = 1.5e6,
        .size_high = 2.5e6,
        .sequential_fraction = 0.08,
        .checkpoint_factor = 1,
    };
}

static int generate_check(const struct cs_malleable_generator *r, struct cs_error *err)
{
    if (r->tasks < 1 || r->tasks > MOST_TASKS)
        return cs_error_set(err, "%d tasks are wanted, it must be 1 to %d", r->tasks, MOST_TASKS);
    if (!(r->size_low > 1 && isfinite(r->size_low)))
        return cs_error_set(err, "the smallest size is %g, it must be a number above 1",
                            r->size_low);
    if (!(r->size_high >= r->size_low && isfinite(r->size_high)))
        return cs_error_set(err, "the largest size is %g, it must be a number from %g on",
                            r->size_high, r->size_low);
    if (!(r->sequential_fraction >= 0 && r->sequential_fraction <= 1))
        return cs_error_set(err, "the sequential fraction is %g, it must be between 0 and 1",
                            r->sequential_fraction);
    if (!(r->checkpoint_factor >= 0 && isfinite(r->checkpoint_factor)))
        return cs_error_set(err, "the checkpoint factor is %g, it must be a number from 0 on",
                            r->checkpoint_factor);
    return 0;
}

static void set_source(struct cs_workload *workload, const struct cs_malleable_generator *r)
{
    char text[256];

    cs_plain_print(text, sizeof text,
                   "generate malleable: sizes %g to %g, f = %g, c = %g, seed %llu, set %llu",
                   r->size_low, r->size_high, r->sequential_fraction, r->checkpoint_factor,
                   (unsigned long long)r->seed, (unsigned long long)r->set);
    cs_workload_set_source(workload, text);
}

struct cs_workload *cs_malleable_generate(const struct cs_malleable_generator *r,
                                          struct cs_error *err)
{
    CS_ASK(r, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_workload *workload;
    struct cs_profile *profile;
    struct cs_arena *arena;
    double *size, *checkpoint;
    struct cs_rng rng;

    if (generate_check(r, err))
        return NULL;
    arena = cs_arena_create();
    profile = CS_NEW_ARRAY(arena, struct cs_profile, r->tasks);
    size = CS_NEW_ARRAY(arena, double, r->tasks);
    checkpoint = CS_NEW_ARRAY(arena, double, r->tasks);
    cs_rng_init(&rng, r->seed, PURPOSE, r->set);
    for (int i = 0; i < r->tasks; i++) {
        size[i] = r->size_low + (r->size_high - r->size_low) * cs_rng_uniform(&rng);
        checkpoint[i] = r->checkpoint_factor * size[i];
        profile[i] = (struct cs_profile){
            .kind = CS_PROFILE_COMMUNICATION,
            .seq_time = 2 * size[i] * log2(size[i]),
            .seq_fraction = r->sequential_fraction,
            .overhead = size[i] * log2(size[i]),
        };
    }
    workload = cs_workload_create(r->tasks, NULL, profile, NULL);
    cs_workload_set_state(workload, checkpoint, size);
    set_source(workload, r);
    cs_arena_destroy(arena);
    return workload;
}
