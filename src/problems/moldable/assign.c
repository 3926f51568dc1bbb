/* assign.c - where any free processors will do, those that keep blocks whole.
 *
 * Source: spec/moldable.md 4.6, which takes the lowest numbers; model/blocks.h has the rule used
 * for schedules since 0.3. Idea: tasks by start; ends up to that start give their processors back,
 * then the task takes its own. Invariants: a valid plan always finds enough free processors.
 * Complexity: O(log tasks) for each interval of a task and for each task.
 */
#include "problems/moldable/assign.h"

#include "base/heap.h"

/* As the plan has it. */
static struct cs_blocks_set plan_block(const struct cs_moldable_plan *plan, int task,
                                       struct cs_arena *arena)
{
    struct cs_blocks_set set = {.interval = CS_NEW(arena, struct cs_interval), .count = 1};

    set.interval[0] =
        (struct cs_interval){plan->first[task], plan->first[task] + plan->procs[task] - 1};
    return set;
}

struct cs_blocks_set *cs_moldable_assign(const struct cs_moldable_bag *bag,
                                         const struct cs_moldable_plan *plan, const int *order,
                                         bool lowest, struct cs_arena *arena)
{
    struct cs_blocks_set *set = CS_NEW_ARRAY(arena, struct cs_blocks_set, bag->tasks);
    struct cs_blocks blocks;
    struct cs_heap running;

    cs_blocks_init(&blocks, bag->procs, arena);
    cs_heap_init(&running, bag->tasks, arena);
    for (int p = 0; p < bag->tasks; p++) {
        int task = order[p];

        if (bag->contiguous) {
            set[task] = plan_block(plan, task, arena);
            continue;
        }
        while (running.count && cs_heap_top_key(&running) <= plan->start[task]) {
            int done = cs_heap_pop(&running);

            cs_blocks_release_some(&blocks, set[done].interval, set[done].count);
        }
        if (lowest)
            cs_blocks_take_lowest(&blocks, plan->procs[task], plan->end[task], &set[task]);
        else
            cs_blocks_take(&blocks, plan->procs[task], plan->end[task], &set[task]);
        cs_heap_push(&running, task, plan->end[task]);
    }
    return set;
}
