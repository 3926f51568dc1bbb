/* conservative.c - a planned prefix of the ranks, cut by failures, grown on demand. */
#include "rigid/conservative.h"

#include <math.h>
#include <string.h>

static void plan_init(struct cs_rigid_plan *plan, const struct cs_rigid_instance *in,
                      struct cs_arena *arena)
{
    cs_rigid_free_times_init(&plan->profile, in, arena);
    plan->rank = CS_NEW_ARRAY(arena, int, in->count);
    plan->start = CS_NEW_ARRAY(arena, double, in->count);
}

static void plan_copy(struct cs_rigid_plan *plan, const struct cs_rigid_plan *from)
{
    cs_rigid_free_times_copy(&plan->profile, &from->profile);
    plan->next = from->next;
    plan->planned = from->planned;
    plan->earliest = from->earliest;
    memcpy(plan->rank, from->rank, (size_t)from->planned * sizeof *plan->rank);
    memcpy(plan->start, from->start, (size_t)from->planned * sizeof *plan->start);
}

void cs_rigid_conservative_init(struct cs_rigid_conservative *c, const struct cs_rigid_instance *in,
                                struct cs_rigid_queue *queue, struct cs_arena *arena)
{
    *c = (struct cs_rigid_conservative){.in = in, .queue = queue, .first_starts = -1};
    plan_init(&c->plan, in, arena);
    plan_init(&c->first, in, arena);
    c->failed = CS_NEW_ARRAY(arena, int, in->count);
    c->first_start = CS_NEW_ARRAY(arena, int, in->count);
}

void cs_rigid_conservative_begin(struct cs_rigid_conservative *c)
{
    c->fresh = true;
    c->plan.next = c->plan.planned = c->failures = 0;
    c->plan.earliest = INFINITY;
}

/* Keep the failed ranks sorted: they are few. */
void cs_rigid_conservative_failed(struct cs_rigid_conservative *c, int rank)
{
    int at = c->failures++;

    for (; at > 0 && c->failed[at - 1] > rank; at--)
        c->failed[at] = c->failed[at - 1];
    c->failed[at] = rank;
}

/* The profile from nothing: what runs, what starts now, and the reservations that are kept. */
static void rebuild(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                    const int *start, int starting)
{
    cs_rigid_free_times_begin(&c->plan.profile, view);
    for (int a = 0; a < starting; a++)
        cs_rigid_free_times_take(&c->plan.profile, start[a], view->now);
    for (int a = 0; a < c->plan.planned; a++)
        cs_rigid_free_times_take(&c->plan.profile, c->plan.rank[a], c->plan.start[a]);
}

/* The reservations behind this rank are given up; it is the next to be planned.  Many are given up
 * faster by making the profile anew. */
static void cut(struct cs_rigid_conservative *c, int rank, const struct cs_rigid_view *view,
                const int *start, int starting)
{
    int kept = c->plan.planned;

    c->plan.next = rank;
    while (kept > 0 && c->plan.rank[kept - 1] > rank)
        kept--;
    if (c->plan.planned - kept > kept + starting + view->running / 4) {
        c->plan.planned = kept;
        rebuild(c, view, start, starting);
        return;
    }
    for (; c->plan.planned > kept; c->plan.planned--)
        cs_rigid_free_times_give_back(&c->plan.profile, c->plan.rank[c->plan.planned - 1],
                                      c->plan.start[c->plan.planned - 1]);
}

/* Failed jobs of planned ranks start again at once, or cut the plan.  Returns how many start. */
static int start_failed(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                        int *start)
{
    int count = 0;

    for (int a = 0; a < c->failures && c->failed[a] < c->plan.next; a++) {
        int k = c->failed[a];

        if (cs_rigid_free_times_fits_now(&c->plan.profile, k)) {
            cs_rigid_free_times_reserve(&c->plan.profile, k);
            cs_rigid_queue_remove(c->queue, k);
            start[count++] = k;
        } else {
            cut(c, k, view, start, count);
        }
    }
    c->failures = 0;
    return count;
}

/* The jobs whose reservations begin now. */
static int start_planned(struct cs_rigid_conservative *c, double now, int *start)
{
    double earliest = INFINITY;
    int kept = 0, count = 0;

    if (c->plan.earliest > now)
        return 0;
    for (int a = 0; a < c->plan.planned; a++) {
        double at = c->plan.start[a];

        if (at == now) {
            cs_rigid_queue_remove(c->queue, c->plan.rank[a]);
            start[count++] = c->plan.rank[a];
            continue;
        }
        earliest = at < earliest ? at : earliest;
        c->plan.rank[kept] = c->plan.rank[a];
        c->plan.start[kept++] = at;
    }
    c->plan.earliest = earliest;
    c->plan.planned = kept;
    return count;
}

/* Plan rank k, which cannot start now.  Returns its start. */
static double plan(struct cs_rigid_conservative *c, int k)
{
    double at = cs_rigid_free_times_reserve(&c->plan.profile, k);

    c->plan.rank[c->plan.planned] = k;
    c->plan.start[c->plan.planned++] = at;
    c->plan.earliest = at < c->plan.earliest ? at : c->plan.earliest;
    c->plan.next = k + 1;
    return at;
}

/* Plan the ranks before the candidate, as long as it could start now.  Returns whether it can when
 * all are planned. */
static bool plan_before(struct cs_rigid_conservative *c, int candidate, double now)
{
    double end = cs_rigid_end(c->in, candidate, now);
    int k;

    while ((k = cs_rigid_queue_next(c->queue, c->plan.next)) < candidate)
        if (plan(c, k) < end && !cs_rigid_free_times_fits_now(&c->plan.profile, candidate))
            return false;
    return true;
}

/* Everybody who is not planned and can start now. */
static int start_others(struct cs_rigid_conservative *c, double now, int *start)
{
    int count = 0, k;

    while ((k = cs_rigid_free_times_candidate(&c->plan.profile, c->queue, c->plan.next)) >= 0)
        if (plan_before(c, k, now)) {
            cs_rigid_free_times_reserve(&c->plan.profile, k);
            cs_rigid_queue_remove(c->queue, k);
            c->plan.next = k + 1;
            start[count++] = k;
        }
    return count;
}

/* The first decision of a scenario is that of every scenario. */
static int decide_first(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                        int *start)
{
    if (c->first_starts < 0) {
        cs_rigid_free_times_begin(&c->plan.profile, view);
        c->first_starts = start_others(c, view->now, c->first_start);
        plan_copy(&c->first, &c->plan);
    } else {
        plan_copy(&c->plan, &c->first);
        for (int a = 0; a < c->first_starts; a++)
            cs_rigid_queue_remove(c->queue, c->first_start[a]);
    }
    memcpy(start, c->first_start, (size_t)c->first_starts * sizeof *start);
    return c->first_starts;
}

int cs_rigid_conservative_decide(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                                 int *start)
{
    bool fresh = c->fresh;
    int count;

    c->fresh = false;
    if (fresh && !c->in->learns)
        return decide_first(c, view, start);
    if (fresh)
        cs_rigid_free_times_begin(&c->plan.profile, view);
    else
        cs_rigid_free_times_advance(&c->plan.profile, view->now);
    count = start_failed(c, view, start);
    count += start_planned(c, view->now, start + count);
    return count + start_others(c, view->now, start + count);
}
