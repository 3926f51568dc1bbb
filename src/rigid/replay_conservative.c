/* replay_conservative.c - who starts now when everybody has a reservation.
 *
 * A pass is a fresh round: all that wait get the earliest slot, in order.  Only who starts now can
 * be seen, so reservations are made in order only while somebody without one could start now.
 * They stay as they are, and are used again, as long as attempts end when they were expected to
 * and nobody comes before the last of them.
 */
#include "rigid/replay_state.h"

#include <string.h>

static void record(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_entry *entry,
                   double start)
{
    if (s->plans == s->plans_room) {
        struct cs_rigid_replay_planned *old = s->planned;

        s->plans_room = s->plans_room ? 2 * s->plans_room : 64;
        s->planned = CS_NEW_ARRAY(s->arena, struct cs_rigid_replay_planned, s->plans_room);
        if (s->plans)
            memcpy(s->planned, old, (size_t)s->plans * sizeof *old);
    }
    s->planned[s->plans++] = (struct cs_rigid_replay_planned){*entry, start};
}

static void passed(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_entry *entry)
{
    s->any_passed = true;
    s->last_passed = *entry;
}

/* The first that is not planned. */
static struct cs_rigid_replay_place next_to_plan(struct cs_rigid_replay_state *s)
{
    struct cs_rigid_replay_place place = {0, 0};
    const struct cs_rigid_replay_entry *entry;

    if (!s->any_passed)
        return place;
    place = cs_rigid_replay_list_find(&s->waiting, &s->last_passed);
    entry = cs_rigid_replay_list_at(&s->waiting, &place);
    if (entry && entry->number == s->last_passed.number)
        place.at++;
    return place;
}

/* Those whose slots begin now. */
static void start_planned(struct cs_rigid_replay_state *s)
{
    int kept = 0;

    for (int i = 0; i < s->plans; i++) {
        const struct cs_rigid_replay_planned *planned = &s->planned[i];

        if (planned->start == s->now)
            cs_rigid_replay_start(s, cs_rigid_replay_list_find(&s->waiting, &planned->entry));
        else
            s->planned[kept++] = *planned;
    }
    s->plans = kept;
}

/* Plan those before the candidate as long as it could start now; can it when all are? */
static bool plan_before(struct cs_rigid_replay_state *s,
                        const struct cs_rigid_replay_entry *candidate)
{
    double end = (s->now + candidate->seconds) + s->replay->verification;
    struct cs_rigid_replay_place place = next_to_plan(s);
    const struct cs_rigid_replay_entry *entry;

    for (; (entry = cs_rigid_replay_list_at(&s->waiting, &place))->number != candidate->number;
         place.at++) {
        double start = cs_rigid_replay_plan_reserve(&s->plan, entry->procs, entry->seconds);

        record(s, entry, start);
        passed(s, entry);
        if (start < end &&
            !cs_rigid_replay_plan_fits(&s->plan, candidate->procs, candidate->seconds))
            return false;
    }
    return true;
}

static void start_candidates(struct cs_rigid_replay_state *s)
{
    for (;;) {
        const struct cs_rigid_replay_stairs stairs = cs_rigid_replay_plan_stairs(&s->plan);
        struct cs_rigid_replay_place place = next_to_plan(s);
        const struct cs_rigid_replay_entry *entry =
            cs_rigid_replay_list_first(&s->waiting, &place, &stairs);
        struct cs_rigid_replay_entry candidate;

        if (!entry)
            return;
        candidate = *entry;
        if (!plan_before(s, &candidate))
            continue;
        cs_rigid_replay_plan_reserve(&s->plan, candidate.procs, candidate.seconds);
        passed(s, &candidate);
        cs_rigid_replay_start(s, cs_rigid_replay_list_find(&s->waiting, &candidate));
    }
}

void cs_rigid_replay_pass_conservative(struct cs_rigid_replay_state *s,
                                       const struct cs_rigid_replay_news *news)
{
    if (s->plan_known && !news->off_plan && !news->before_plan) {
        cs_rigid_replay_plan_advance(&s->plan, s->now);
        start_planned(s);
    } else {
        cs_rigid_replay_plan_begin(&s->plan, s->now, s->free, &s->running);
        s->plans = 0;
        s->any_passed = false;
        s->plan_known = true;
    }
    start_candidates(s);
}
