/* easy_general.c - EASY on any machine, with k reservations in each partition and an order for the
 * jobs behind them that may differ from the order of the queue.
 *
 * Source: spec/replay.md 7.3; `backfill=spt` with predictions is EASY++ (Tsafrir et al. 2007).
 *
 * Idea: in queue order each job takes the earliest slot while its partition has fewer than k
 * reservations (a slot that begins now is a start, which does not count).  The jobs left over are
 * candidates: in queue order or by `backfill` each starts if it fits now.
 *
 * Invariants: reservations live for one decision; candidates with equal keys keep the order of the
 * queue; limits of users are examined again before a candidate starts.
 *
 * Complexity: O(n) searches of the space; the insertion sort of c candidates O(c^2) at worst.
 */
#include "problems/rigid/general.h"
#include "problems/rigid/planner.h"

#include <math.h>
#include <string.h>

struct easy {
    struct cs_rigid_planner planner;
    double reservations;                     /* of each partition */
    const struct cs_rigid_urgency *backfill; /* NULL: the order of the queue */
    int *made;                               /* reservations, by partition */
    int room;
    int *candidate; /* places in the line */
    double *key;    /* by candidate */
};

static void *easy_general_create(const struct cs_rigid_instance *in, const double *param,
                                 struct cs_arena *arena, struct cs_error *err)
{
    struct easy *easy = CS_NEW(arena, struct easy);

    (void)err;
    cs_rigid_planner_init(&easy->planner, in, arena);
    easy->reservations = param[0];
    easy->backfill = cs_rigid_urgency_of_choice((int)param[1]);
    easy->made = CS_NEW_ARRAY(arena, int, in->site ? in->site->partitions : 1);
    return easy;
}

static void easy_general_make_room(struct easy *easy)
{
    if (easy->room >= easy->planner.waiting)
        return;
    easy->room = 2 * easy->planner.waiting;
    easy->candidate = CS_NEW_ARRAY(easy->planner.arena, int, easy->room);
    easy->key = CS_NEW_ARRAY(easy->planner.arena, double, easy->room);
}

/* Those at the front of their partitions; returns how many candidates are left. */
static int easy_general_reserve(struct easy *easy)
{
    struct cs_rigid_planner *p = &easy->planner;
    const struct cs_rigid_instance *in = p->in;
    int count = 0;

    memset(easy->made, 0, (size_t)(in->site ? in->site->partitions : 1) * sizeof *easy->made);
    for (int k = 0; k < p->waiting; k++) {
        int *made = &easy->made[in->site ? in->request[p->line[k]].partition : 0];

        if (!cs_rigid_planner_admits(p, p->line[k]))
            continue;
        if (*made >= easy->reservations)
            easy->candidate[count++] = k;
        else if (cs_rigid_planner_reserve(p, k) != p->now)
            ++*made;
    }
    return count;
}

static double key_of(const struct easy *easy, int ticket)
{
    const struct cs_rigid_instance *in = easy->planner.in;
    double arrival = in->site ? in->request[ticket].arrival : 0;
    const struct cs_rigid_urgent job = {
        .r = in->seconds[ticket],
        .q = in->procs[ticket],
        .w = easy->planner.now - arrival,
        .a = fmax(1, arrival - in->origin),
        .arrival = arrival,
    };

    return easy->backfill->key(&job);
}

/* By key, those with the same one in the order of the queue. */
static void sort_candidates(struct easy *easy, int count)
{
    for (int c = 0; c < count; c++) {
        int place = easy->candidate[c], at = c;
        double key = key_of(easy, easy->planner.line[place]);

        for (; at > 0 && easy->key[at - 1] > key; at--) {
            easy->key[at] = easy->key[at - 1];
            easy->candidate[at] = easy->candidate[at - 1];
        }
        easy->key[at] = key;
        easy->candidate[at] = place;
    }
}

static int easy_general_decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct easy *easy = state;
    struct cs_rigid_planner *p = &easy->planner;
    int count;

    if (!p->waiting)
        return 0;
    easy_general_make_room(easy);
    cs_rigid_planner_begin(p, view, start);
    count = easy_general_reserve(easy);
    if (easy->backfill)
        sort_candidates(easy, count);
    for (int c = 0; c < count; c++)
        if (cs_rigid_planner_admits(p, p->line[easy->candidate[c]]))
            cs_rigid_planner_try(p, easy->candidate[c], NULL);
    return cs_rigid_planner_end(p);
}

const struct cs_rigid_policy cs_rigid_easy_general = {
    .create = easy_general_create,
    .begin = cs_rigid_planner_fill,
    .arrived = cs_rigid_planner_add,
    .failed = cs_rigid_planner_add,
    .withdrawn = cs_rigid_planner_withdraw,
    .reranked = cs_rigid_planner_rerank,
    .decide = easy_general_decide,
};
