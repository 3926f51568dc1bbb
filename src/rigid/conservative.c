/* conservative.c - a planned prefix of the ranks, cut by failures, grown on demand. */
#include "rigid/conservative.h"

#include <math.h>

void cs_rigid_conservative_init(struct cs_rigid_conservative *c, const struct cs_rigid_instance *in,
                                struct cs_rigid_queue *queue, struct cs_arena *arena)
{
    size_t n = (size_t)in->count;

    *c = (struct cs_rigid_conservative){.in = in, .queue = queue};
    cs_rigid_profile_init(&c->profile, in, arena);
    c->rank = CS_NEW_ARRAY(arena, int, n);
    c->start = CS_NEW_ARRAY(arena, double, n);
    c->failed = CS_NEW_ARRAY(arena, int, n);
    c->stairs.end = CS_NEW_ARRAY(arena, double, 4 * n + 4);
    c->stairs.free = CS_NEW_ARRAY(arena, int, 4 * n + 4);
}

void cs_rigid_conservative_begin(struct cs_rigid_conservative *c)
{
    c->fresh = true;
    c->next = c->planned = c->failures = 0;
    c->earliest = INFINITY;
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
    cs_rigid_profile_begin(&c->profile, view);
    for (int a = 0; a < starting; a++)
        cs_rigid_profile_take(&c->profile, start[a], view->now);
    for (int a = 0; a < c->planned; a++)
        cs_rigid_profile_take(&c->profile, c->rank[a], c->start[a]);
}

/* The reservations behind this rank are given up; it is the next to be planned.  Many are given up
 * faster by making the profile anew. */
static void cut(struct cs_rigid_conservative *c, int rank, const struct cs_rigid_view *view,
                const int *start, int starting)
{
    int kept = c->planned;

    c->next = rank;
    while (kept > 0 && c->rank[kept - 1] > rank)
        kept--;
    if (c->planned - kept > kept + starting + view->running / 4) {
        c->planned = kept;
        rebuild(c, view, start, starting);
        return;
    }
    for (; c->planned > kept; c->planned--)
        cs_rigid_profile_give_back(&c->profile, c->rank[c->planned - 1], c->start[c->planned - 1]);
}

/* Failed jobs of planned ranks start again at once, or cut the plan.  Returns how many start. */
static int start_failed(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                        int *start)
{
    int count = 0;

    for (int a = 0; a < c->failures && c->failed[a] < c->next; a++) {
        int k = c->failed[a];

        if (cs_rigid_profile_fits_now(&c->profile, k)) {
            cs_rigid_profile_reserve(&c->profile, k);
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

    if (c->earliest > now)
        return 0;
    for (int a = 0; a < c->planned; a++) {
        double at = c->start[a];

        if (at == now) {
            cs_rigid_queue_remove(c->queue, c->rank[a]);
            start[count++] = c->rank[a];
            continue;
        }
        earliest = at < earliest ? at : earliest;
        c->rank[kept] = c->rank[a];
        c->start[kept++] = at;
    }
    c->earliest = earliest;
    c->planned = kept;
    return count;
}

/* The lowest rank that is not planned and could start now, -1 for none. */
static int candidate(struct cs_rigid_conservative *c)
{
    const struct cs_rigid_profile *p = &c->profile;

    return cs_rigid_queue_first_under(c->queue, c->next, p->time + p->first, p->free + p->first,
                                      p->count - p->first, &c->stairs);
}

/* Plan rank k, which cannot start now.  Returns its start. */
static double plan(struct cs_rigid_conservative *c, int k)
{
    double at = cs_rigid_profile_reserve(&c->profile, k);

    c->rank[c->planned] = k;
    c->start[c->planned++] = at;
    c->earliest = at < c->earliest ? at : c->earliest;
    c->next = k + 1;
    return at;
}

/* Plan the ranks before the candidate, as long as it could start now.  Returns whether it can when
 * all are planned. */
static bool plan_before(struct cs_rigid_conservative *c, int candidate, double now)
{
    double end = cs_rigid_end(c->in, candidate, now);
    int k;

    while ((k = cs_rigid_queue_next(c->queue, c->next)) < candidate)
        if (plan(c, k) < end && !cs_rigid_profile_fits_now(&c->profile, candidate))
            return false;
    return true;
}

int cs_rigid_conservative_decide(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                                 int *start)
{
    int count, k;

    if (c->fresh)
        cs_rigid_profile_begin(&c->profile, view);
    else
        cs_rigid_profile_advance(&c->profile, view->now);
    c->fresh = false;
    count = start_failed(c, view, start);
    count += start_planned(c, view->now, start + count);
    while ((k = candidate(c)) >= 0)
        if (plan_before(c, k, view->now)) {
            cs_rigid_profile_reserve(&c->profile, k);
            cs_rigid_queue_remove(c->queue, k);
            c->next = k + 1;
            start[count++] = k;
        }
    return count;
}
