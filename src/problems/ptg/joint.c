/* joint.c - joint, joint-level and joint-ready.
 *
 * Source: spec/ptg.md III.3.
 *
 * Idea: cluster and width of a task are chosen together by its earliest finish, holes included
 * (board.c), in one list of all tasks by rank (joint, joint-level) or as tasks become ready
 * (joint-ready).  A cap on the power of a task keeps a graph within its share; by level it is
 * divided in proportion to the work of the tasks.
 *
 * Invariants
 *   - the list is a topological order: the rank of a task is not below those of its successors, and
 *     equal ranks keep the topological order (rank.c).
 *   - joint with beta 1 has no cap; joint-level and joint-ready have one for every beta.
 *   - allocation[v] is the width of the place, bottom[v] the rank.
 *
 * Complexity: one choice of the board for each task; the order is O(V).  2 to 4 ms for 20 to 50
 * tasks in the reference (spec/ptg.md III.9).  The efficiency is a parameter (planners.c).
 */
#include "problems/ptg/joint.h"

#include "base/order.h"
#include "problems/ptg/board.h"
#include "problems/ptg/events.h"
#include "problems/ptg/rank.h"
#include "problems/ptg/run.h"

#include <math.h>
#include <string.h>

struct joint {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_joint *how;
    struct cs_ptg_plan *plan;
    struct cs_ptg_board board;
    double **level_work; /* by graph and level: flop */
    struct cs_arena *scratch;
};

static double **level_work(const struct cs_ptg_instance *in, struct cs_arena *arena)
{
    double **work = CS_NEW_ARRAY(arena, double *, in->graphs);

    for (int g = 0; g < in->graphs; g++) {
        const struct cs_graph *graph = in->graph[g];

        work[g] = CS_NEW_ARRAY(arena, double, graph->levels);
        for (int v = 0; v < graph->tasks; v++)
            work[g][graph->level[v]] += graph->task[v].flops;
    }
    return work;
}

/* The power that a task may use. */
static double cap_of(const struct joint *j, int number)
{
    int g = j->in->graph_of[number];
    double beta = j->plan->beta[g], power = beta * j->in->power, work;

    if (j->how->kind == CS_PTG_JOINT)
        return beta == 1 ? INFINITY : power;
    work = j->level_work[g][j->in->graph[g]->level[number - j->in->first[g]]];
    return work > 0 ? power * cs_ptg_task(j->in, number)->flops / work : power;
}

static void joint_place(struct joint *j, int number, double now)
{
    const struct cs_ptg_terms terms = {j->how->efficiency, cap_of(j, number)};

    cs_ptg_board_choose(&j->board, number, now, &terms);
    j->plan->allocation[number] = j->plan->place[number].procs;
}

/* Ranks, or what part each is of the largest of its graph. */
static const double *keys_of(struct joint *j)
{
    const double *rank = j->plan->bottom;
    double *key = CS_NEW_ARRAY(j->scratch, double, j->in->tasks);

    if (j->how->kind != CS_PTG_JOINT || j->how->key == CS_PTG_KEY_RANK)
        return rank;
    for (int g = 0; g < j->in->graphs; g++) {
        double largest = cs_ptg_rank_largest(j->in, rank, g);

        for (int v = j->in->first[g]; v < j->in->first[g + 1]; v++)
            key[v] = largest > 0 ? rank[v] / largest : 0;
    }
    return key;
}

static void place_in_order(struct joint *j)
{
    int *order = CS_NEW_ARRAY(j->scratch, int, j->in->tasks);

    cs_ptg_rank_order(j->in, keys_of(j), order, j->scratch);
    for (int i = 0; i < j->in->tasks; i++)
        joint_place(j, order[i], j->in->release[j->in->graph_of[order[i]]]);
}

static void place_when_ready(struct joint *j)
{
    struct cs_ptg_events events;

    cs_ptg_events_init(&events, j->in, j->scratch);
    while (events.heap.count > 0) {
        double now = cs_ptg_events_next(&events);

        cs_ptg_events_take(&events, now);
        cs_order_sort_descending(j->plan->bottom, events.ready, events.readies, j->scratch);
        for (int i = 0; i < events.readies; i++) {
            int v = events.ready[i];

            joint_place(j, v, now);
            cs_ptg_events_push(&events, v, j->plan->place[v].finish);
        }
    }
}

struct cs_ptg_plan *cs_ptg_joint_plan(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_joint *how, const double *beta)
{
    struct cs_arena *scratch = cs_arena_create();
    struct joint j = {
        .in = in,
        .how = how,
        .plan = cs_ptg_plan_create(in),
        .level_work = level_work(in, scratch),
        .scratch = scratch,
    };

    memcpy(j.plan->beta, beta, (size_t)in->graphs * sizeof *beta);
    cs_ptg_rank(in, how->efficiency, j.plan->bottom, scratch);
    cs_ptg_board_init(&j.board, in, how->fan, j.plan->place, j.plan->storage, scratch);
    if (how->kind == CS_PTG_JOINT_READY)
        place_when_ready(&j);
    else
        place_in_order(&j);
    cs_ptg_plan_finish(j.plan);
    cs_arena_destroy(scratch);
    return j.plan;
}
