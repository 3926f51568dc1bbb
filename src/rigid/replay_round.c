/* replay_round.c - who starts now when the first m that wait have a reservation.
 *
 * A fresh round at every pass: in order, the first m get the earliest slot (one that begins now is
 * a start), the others start if they fit beside those.  Reservations of somebody who does not
 * start now only matter to those behind, so they are made only while one of those could start.
 */
#include "rigid/replay_state.h"

struct round {
    struct cs_rigid_replay_state *s;
    struct cs_rigid_replay_place place; /* nobody before it is still to be looked at */
    int left;                           /* reservations */
};

/* Reservations for those before the candidate; can it still start? */
static bool reserve_before(struct round *r, const struct cs_rigid_replay_entry *candidate)
{
    struct cs_rigid_replay_plan *plan = &r->s->plan;
    double end = (r->s->now + candidate->seconds) + r->s->replay->verification;
    const struct cs_rigid_replay_entry *entry;

    for (; r->left > 0 && (entry = cs_rigid_replay_list_at(&r->s->waiting, &r->place))->number !=
                              candidate->number;
         r->place.at++) {
        double start = cs_rigid_replay_plan_reserve(plan, entry->procs, entry->seconds);

        r->left--;
        if (start < end && !cs_rigid_replay_plan_fits(plan, candidate->procs, candidate->seconds)) {
            r->place.at++;
            return false;
        }
    }
    return true;
}

/* The candidate at this place starts; the next one comes to its place. */
static void start(struct round *r, struct cs_rigid_replay_place place,
                  const struct cs_rigid_replay_entry *candidate)
{
    cs_rigid_replay_plan_reserve(&r->s->plan, candidate->procs, candidate->seconds);
    if (r->left > 0)
        r->left--;
    cs_rigid_replay_start(r->s, place);
    r->place = place;
}

void cs_rigid_replay_pass_round(struct cs_rigid_replay_state *s)
{
    struct round r = {.s = s, .left = s->replay->reservations};

    cs_rigid_replay_plan_begin(&s->plan, s->now, s->free, &s->running);
    for (;;) {
        const struct cs_rigid_replay_stairs stairs = cs_rigid_replay_plan_stairs(&s->plan);
        struct cs_rigid_replay_place place = r.place;
        const struct cs_rigid_replay_entry *entry =
            cs_rigid_replay_list_first(&s->waiting, &place, &stairs);
        struct cs_rigid_replay_entry candidate;

        if (!entry)
            return;
        candidate = *entry;
        if (reserve_before(&r, &candidate))
            start(&r, place, &candidate);
    }
}
