/* replay_order.c - the order of tasks on each processor, and copies of places, for replays.
 *
 * Source: spec/ptg.md III.5 (order on a processor: start, finish, graph, topological position).
 *
 * Invariant: a task follows each of its direct predecessors on processors once, for any number of
 * common processors, so that replays can count what a task waits for.
 *
 * Complexity: O(V log V) to sort, and O(1) for each processor of each task.
 */
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"

#include <stdlib.h>
#include <string.h>

struct key {
    double start, finish;
    int turn; /* place in the sequence of the instance */
};

static int by_start(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->finish != y->finish)
        return x->finish < y->finish ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

static void replay_order_follow(struct cs_ptg_next **then, int before, int task,
                                struct cs_arena *arena)
{
    struct cs_ptg_next *next = CS_NEW(arena, struct cs_ptg_next);

    *next = (struct cs_ptg_next){task, then[before]};
    then[before] = next;
}

struct cs_ptg_next **cs_ptg_replay_order(const struct cs_ptg_instance *in,
                                         const struct cs_ptg_plan *plan, struct cs_arena *arena)
{
    int tasks = in->tasks, procs = in->platform->procs;
    struct cs_ptg_next **then = CS_NEW_ARRAY(arena, struct cs_ptg_next *, tasks);
    struct key *key = CS_NEW_ARRAY(arena, struct key, tasks);
    int *last = CS_NEW_ARRAY(arena, int, procs), *seen = CS_NEW_ARRAY(arena, int, tasks);

    for (int i = 0; i < tasks; i++) {
        const struct cs_ptg_place *place = &plan->place[in->sequence[i]];

        key[i] = (struct key){place->start, place->finish, i};
        seen[i] = -1;
    }
    qsort(key, (size_t)tasks, sizeof *key, by_start);
    for (int p = 0; p < procs; p++)
        last[p] = -1;
    for (int i = 0; i < tasks; i++) {
        int v = in->sequence[key[i].turn];
        const struct cs_ptg_place *place = &plan->place[v];

        for (int s = 0; s < place->intervals; s++)
            for (int p = place->set[s].first; p <= place->set[s].last; p++) {
                if (last[p] >= 0 && seen[last[p]] != v) {
                    seen[last[p]] = v;
                    replay_order_follow(then, last[p], v, arena);
                }
                last[p] = v;
            }
    }
    return then;
}

struct cs_ptg_plan *cs_ptg_replay_copy(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_plan *old)
{
    struct cs_ptg_plan *plan = cs_ptg_plan_create(in);

    for (int v = 0; v < old->tasks; v++) {
        size_t intervals = (size_t)old->place[v].intervals;
        struct cs_interval *set = CS_NEW_ARRAY(plan->storage, struct cs_interval, intervals);

        memcpy(set, old->place[v].set, intervals * sizeof *set);
        plan->place[v] = old->place[v];
        plan->place[v].set = set;
        plan->allocation[v] = old->allocation[v];
        plan->bottom[v] = old->bottom[v];
    }
    memcpy(plan->beta, old->beta, (size_t)old->graphs * sizeof *plan->beta);
    plan->member = old->member ? cs_arena_strdup(plan->storage, old->member) : NULL;
    plan->rounds = old->rounds;
    plan->recomputations = old->recomputations;
    plan->revoked = old->revoked;
    return plan;
}
