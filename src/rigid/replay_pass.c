/* replay_pass.c - who starts now: greedy and the two kinds of EASY.
 *
 * A pass leaves nobody behind who could start: after it, a job that was refused stays refused until
 * an attempt ends, because processors only get fewer, and a job that starts later ends later.  So
 * when one job arrives and nothing ends, only that job is looked at.
 */
#include "rigid/replay_state.h"

#include <math.h>

static const struct cs_rigid_replay_entry *head_of(struct cs_rigid_replay_state *s)
{
    struct cs_rigid_replay_place first = {0, 0};

    return cs_rigid_replay_list_at(&s->waiting, &first);
}

/* Start, in order from the place on, whoever stays below `extra` at `shadow` or ends by then. */
static void start_fitting(struct cs_rigid_replay_state *s, struct cs_rigid_replay_place place,
                          double shadow, int *extra)
{
    const struct cs_rigid_replay_entry *entry;

    for (;;) {
        int free[2] = {s->free, *extra < s->free ? *extra : s->free};
        const struct cs_rigid_replay_stairs stairs = {s->now, s->replay->verification, 2, &shadow,
                                                      free};

        if (s->free == 0)
            return;
        entry = cs_rigid_replay_list_first(&s->waiting, &place, &stairs);
        if (!entry)
            return;
        if ((s->now + entry->seconds) + s->replay->verification > shadow)
            *extra -= entry->procs;
        cs_rigid_replay_start(s, place);
    }
}

static void start_greedy(struct cs_rigid_replay_state *s)
{
    int extra = s->replay->machine;

    start_fitting(s, (struct cs_rigid_replay_place){0, 0}, INFINITY, &extra);
}

/* The head does not fit: when will it, by the estimates? */
static void find_shadow(struct cs_rigid_replay_state *s, int procs)
{
    const struct cs_rigid_replay_list *running = &s->running;
    struct cs_rigid_replay_place place = {0, 0};
    const struct cs_rigid_replay_entry *entry;
    int64_t free = s->free;

    if (s->shadow.known)
        return;
    while (free + running->procs[place.block] < procs)
        free += running->procs[place.block++];
    while (free < procs) {
        entry = cs_rigid_replay_list_at(running, &place);
        s->shadow.at = entry->key;
        free += entry->procs;
        place.at++;
    }
    while ((entry = cs_rigid_replay_list_at(running, &place)) && entry->key == s->shadow.at) {
        free += entry->procs;
        place.at++;
    }
    s->shadow.extra = (int)(free - procs);
    s->shadow.known = true;
}

/* Start those from the place on that do not delay the head.  The reservation stays as it is: who
 * ends by the shadow does not matter there, and the others are taken off `extra`. */
static void backfill(struct cs_rigid_replay_state *s, int head_procs,
                     struct cs_rigid_replay_place from)
{
    struct cs_rigid_replay_shadow shadow;

    find_shadow(s, head_procs);
    shadow = s->shadow;
    start_fitting(s, from, shadow.at, &shadow.extra);
    s->shadow = shadow;
}

static void pass_easy(struct cs_rigid_replay_state *s)
{
    const struct cs_rigid_replay_entry *head = head_of(s);

    if (head->procs <= s->free)
        start_greedy(s);
    else if (s->free > 0)
        backfill(s, head->procs, (struct cs_rigid_replay_place){0, 1});
}

static void pass_strict(struct cs_rigid_replay_state *s)
{
    const struct cs_rigid_replay_entry *head;

    while ((head = head_of(s)) && head->procs <= s->free)
        cs_rigid_replay_start(s, (struct cs_rigid_replay_place){0, 0});
    if (head && s->free > 0)
        backfill(s, head->procs, (struct cs_rigid_replay_place){0, 1});
}

/* One job arrived behind the head, which does not fit, and nothing ended. */
static void pass_arrival(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_entry *entry,
                         int head_procs)
{
    struct cs_rigid_replay_place place = cs_rigid_replay_list_find(&s->waiting, entry);
    bool stays;

    if (s->replay->policy == CS_RIGID_REPLAY_GREEDY) {
        cs_rigid_replay_start(s, place);
        return;
    }
    find_shadow(s, head_procs);
    stays = (s->now + entry->seconds) + s->replay->verification > s->shadow.at;
    if (!stays || entry->procs <= s->shadow.extra) {
        struct cs_rigid_replay_shadow shadow = s->shadow;

        if (stays)
            shadow.extra -= entry->procs;
        cs_rigid_replay_start(s, place);
        s->shadow = shadow;
    }
}

/* Policies of other files. */
static bool pass_elsewhere(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_news *news)
{
    switch (s->replay->policy) {
    case CS_RIGID_REPLAY_CONSERVATIVE:
        cs_rigid_replay_pass_conservative(s, news);
        return true;
    case CS_RIGID_REPLAY_ROUND:
        cs_rigid_replay_pass_round(s);
        return true;
    case CS_RIGID_REPLAY_SHELF:
    case CS_RIGID_REPLAY_SHELF_FILL:
        cs_rigid_replay_pass_shelf(s);
        return true;
    default:
        return false;
    }
}

void cs_rigid_replay_pass(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_news *news)
{
    const struct cs_rigid_replay_entry *head = head_of(s);

    if (!head || s->free == 0) {
        if (news->off_plan || news->before_plan)
            s->plan_known = false;
        return;
    }
    if (pass_elsewhere(s, news))
        return;
    if (news->ends == 0 && news->arrivals == 1 && head->number != news->arrival.number) {
        if (news->arrival.procs <= s->free)
            pass_arrival(s, &news->arrival, head->procs);
        return;
    }
    s->shadow.known = false;
    if (s->replay->policy == CS_RIGID_REPLAY_GREEDY)
        start_greedy(s);
    else if (s->replay->policy == CS_RIGID_REPLAY_EASY)
        pass_easy(s);
    else
        pass_strict(s);
}
