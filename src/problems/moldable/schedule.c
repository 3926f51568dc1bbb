/* schedule.c - attempts get processor numbers and become bars.
 *
 * Source: spec/moldable.md 9: one bar a task, with silent errors one an attempt, and 4.6.
 * Invariants: bars are in the order of the starts; attempts of a task are counted from 1.
 * Complexity: that of assign.c, and the processors held.
 */
#include "problems/moldable/schedule.h"

#include "base/guard.h"
#include "problems/moldable/assign.h"
#include "problems/moldable/policy.h"

/* Attempts as the tasks of a plan: each has its own count and time. */
static struct cs_moldable_plan *as_plan(const struct cs_moldable_bag *bag,
                                        const struct cs_moldable_outcome *o, int *order)
{
    struct cs_moldable_plan *plan = cs_moldable_plan_create(o->attempts);

    for (int a = 0; a < o->attempts; a++) {
        plan->procs[a] = cs_moldable_width(bag, o->attempt[a].task, o->attempt[a].choice);
        plan->start[a] = o->attempt[a].start;
        plan->end[a] = o->attempt[a].end;
        plan->first[a] = o->attempt[a].first;
        order[a] = a;
    }
    return plan;
}

struct cs_schedule *cs_moldable_run_schedule(const struct cs_moldable_instance *in,
                                             const struct cs_moldable_outcome *o)
{
    struct cs_schedule *schedule =
        cs_schedule_create("moldable", in->bag.procs, in->bag.tasks, in->workload->name);
    struct cs_arena *arena = cs_arena_create();
    int *order = CS_NEW_ARRAY(arena, int, o->attempts);
    int *tries = CS_NEW_ARRAY(arena, int, in->bag.tasks);
    struct cs_moldable_plan *plan = as_plan(&in->bag, o, order);
    struct cs_moldable_bag attempts = {
        .tasks = o->attempts, .procs = in->bag.procs, .contiguous = in->bag.contiguous};
    const struct cs_blocks_set *set = cs_moldable_assign(&attempts, plan, order, false, arena);

    for (int a = 0; a < o->attempts; a++) {
        const struct cs_moldable_attempt *at = &o->attempt[a];
        struct cs_bar bar = {.kind = at->lost || at->stopped ? CS_BAR_LOST : CS_BAR_WORK,
                             .task = at->task,
                             .attempt = ++tries[at->task],
                             .group = -1,
                             .start = at->start,
                             .end = at->end,
                             .intervals = set[a].count,
                             .procs = set[a].interval};

        cs_schedule_add(schedule, &bar, NULL);
    }
    cs_moldable_plan_destroy(plan);
    cs_arena_destroy(arena);
    return schedule;
}

struct cs_schedule *cs_moldable_schedule(const struct cs_moldable_instance *in,
                                         const struct cs_moldable_plan *plan)
{
    CS_ASK(in && plan && cs_moldable_plan_fits(in, plan), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    int n = in->bag.tasks, *order = CS_NEW_ARRAY(arena, int, n);
    struct cs_moldable_attempt *attempt = CS_NEW_ARRAY(arena, struct cs_moldable_attempt, n);
    struct cs_moldable_outcome o = {.attempts = n, .attempt = attempt};
    struct cs_schedule *schedule;

    if (cs_moldable_plan_crowded(&in->bag, plan, order, arena) >= 0) {
        cs_arena_destroy(arena);
        return NULL;
    }
    for (int p = 0; p < n; p++) {
        int i = order[p];

        attempt[p] = (struct cs_moldable_attempt){.task = i,
                                                  .choice = plan->choice[i],
                                                  .first = plan->first[i],
                                                  .start = plan->start[i],
                                                  .end = plan->end[i]};
    }
    schedule = cs_moldable_run_schedule(in, &o);
    cs_arena_destroy(arena);
    return schedule;
}
