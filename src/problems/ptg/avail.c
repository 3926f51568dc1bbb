/* avail.c - the processors of a cluster by the date from which they are free.
 *
 * Source: spec/ptg.md 4, steps 1 and 3 of `place`: the m-th smallest date, and of the processors
 * that are free by then those that are free latest (best fit), ties to the lowest index.
 *
 * Idea: processors that become free at one date form a group, so a choice is a run of groups and a
 * part of the earliest of them.  Sets are intervals; a part is cut from the front of a set by
 * moving `head`, so that sets which places share with groups are never written.
 *
 * Invariants
 *   - dates of groups rise strictly; no group is empty; sets of two groups have no common
 *     processor.
 *   - a processor that was taken is in no group until it is added again.
 *   - a choice is valid until the next add or take, a gathered set until the next gather.
 *
 * Complexity, G groups, m processors wanted: a search by date O(log G), a choice at most m groups
 * (no group is empty), add and take O(G) for the array, gather O(I log I) for I intervals (up to
 * 16 by insertion, more by qsort; the 16 was not measured).
 */
#include "problems/ptg/avail.h"

#include "base/bug.h"

#include <stdlib.h>
#include <string.h>

void cs_ptg_avail_init(struct cs_ptg_avail *avail, int first, int procs, struct cs_arena *arena)
{
    struct cs_interval *all = CS_NEW(arena, struct cs_interval);

    *all = (struct cs_interval){first, first + procs - 1};
    *avail = (struct cs_ptg_avail){.procs = procs, .arena = arena};
    cs_ptg_avail_add(avail, 0, all, 1, procs);
}

void cs_ptg_avail_clear(struct cs_ptg_avail *avail)
{
    avail->groups = 0;
}

/* How many groups are free at `date`: those before the returned index. */
static int free_at(const struct cs_ptg_avail *avail, double date)
{
    int low = 0, high = avail->groups;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (avail->group[middle].date <= date)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct cs_interval interval_of(const struct cs_ptg_group *group, int at)
{
    struct cs_interval interval = group->set[at];

    if (at == 0)
        interval.first = group->head;
    return interval;
}

static int by_first(const void *a, const void *b)
{
    const struct cs_interval *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Sort intervals that do not overlap and join those that touch; returns how many are left. */
static int avail_tidy(struct cs_interval *set, int count)
{
    int left = 0;

    if (count > 16) {
        qsort(set, (size_t)count, sizeof *set, by_first);
    } else {
        for (int i = 1; i < count; i++) {
            struct cs_interval next = set[i];
            int at = i;

            for (; at > 0 && set[at - 1].first > next.first; at--)
                set[at] = set[at - 1];
            set[at] = next;
        }
    }
    for (int i = 0; i < count; i++) {
        if (left > 0 && set[left - 1].last + 1 == set[i].first)
            set[left - 1].last = set[i].last;
        else
            set[left++] = set[i];
    }
    return left;
}

/* Two groups of one date become one. */
static void avail_merge(struct cs_ptg_avail *avail, struct cs_ptg_group *group,
                        const struct cs_interval *set, int intervals, int procs)
{
    struct cs_interval *both =
        CS_NEW_ARRAY(avail->arena, struct cs_interval, group->intervals + intervals);

    for (int i = 0; i < group->intervals; i++)
        both[i] = interval_of(group, i);
    memcpy(both + group->intervals, set, (size_t)intervals * sizeof *set);
    group->intervals = avail_tidy(both, group->intervals + intervals);
    group->set = both;
    group->head = both[0].first;
    group->procs += procs;
}

static void avail_make_room(struct cs_ptg_avail *avail)
{
    int room = avail->room ? 2 * avail->room : 16;
    struct cs_ptg_group *more;

    if (avail->groups < avail->room)
        return;
    more = CS_NEW_ARRAY(avail->arena, struct cs_ptg_group, room);
    if (avail->groups > 0)
        memcpy(more, avail->group, (size_t)avail->groups * sizeof *more);
    avail->group = more;
    avail->room = room;
}

void cs_ptg_avail_add(struct cs_ptg_avail *avail, double date, const struct cs_interval *set,
                      int intervals, int procs)
{
    int at = free_at(avail, date);

    if (at > 0 && avail->group[at - 1].date == date) {
        avail_merge(avail, &avail->group[at - 1], set, intervals, procs);
        return;
    }
    avail_make_room(avail);
    memmove(avail->group + at + 1, avail->group + at,
            (size_t)(avail->groups - at) * sizeof *avail->group);
    avail->group[at] = (struct cs_ptg_group){date, procs, intervals, set, set[0].first};
    avail->groups++;
}

/* Take from group `top` backwards. */
static struct cs_ptg_choice avail_backwards(const struct cs_ptg_avail *avail, int procs, int top)
{
    struct cs_ptg_choice choice = {.procs = procs, .top = top, .bottom = top};
    int left = procs;

    while (left > avail->group[choice.bottom].procs)
        left -= avail->group[choice.bottom--].procs;
    choice.partial = left;
    choice.latest = avail->group[top].date;
    return choice;
}

struct cs_ptg_choice cs_ptg_avail_choose(const struct cs_ptg_avail *avail, int procs, double date)
{
    int top = free_at(avail, date) - 1, have = 0;
    struct cs_ptg_choice choice;

    CS_REQUIRE(procs >= 1 && procs <= avail->procs);
    for (int i = top; i >= 0 && have < procs; i--)
        have += avail->group[i].procs;
    if (have >= procs)
        return avail_backwards(avail, procs, top);
    while (have < procs)
        have += avail->group[++top].procs;
    choice = avail_backwards(avail, procs, top);
    choice.waits = true;
    return choice;
}

int cs_ptg_avail_rank(const struct cs_ptg_avail *avail, int procs, int *before)
{
    int at = 0;

    *before = 0;
    while (*before + avail->group[at].procs < procs)
        *before += avail->group[at++].procs;
    return at;
}

static void gather_room(struct cs_ptg_avail *avail, int needed)
{
    int room = avail->gathered_room ? avail->gathered_room : 64;

    if (needed <= avail->gathered_room)
        return;
    while (room < needed)
        room *= 2;
    avail->gathered = CS_NEW_ARRAY(avail->arena, struct cs_interval, room);
    avail->gathered_room = room;
}

/* The lowest `procs` processors of a group go to `to`; returns how many intervals that takes. */
static int avail_lowest(const struct cs_ptg_group *group, int procs, struct cs_interval *to)
{
    int count = 0;

    while (procs > 0) {
        struct cs_interval next = interval_of(group, count);

        if (next.last - next.first + 1 > procs)
            next.last = next.first + procs - 1;
        procs -= next.last - next.first + 1;
        to[count++] = next;
    }
    return count;
}

const struct cs_interval *cs_ptg_avail_gather(struct cs_ptg_avail *avail,
                                              const struct cs_ptg_choice *choice, int *intervals)
{
    int needed = 0, count = 0;

    for (int i = choice->bottom; i <= choice->top; i++)
        needed += avail->group[i].intervals;
    gather_room(avail, needed);
    for (int i = choice->bottom; i <= choice->top; i++) {
        const struct cs_ptg_group *group = &avail->group[i];

        count += avail_lowest(group, i == choice->bottom ? choice->partial : group->procs,
                              avail->gathered + count);
    }
    *intervals = avail_tidy(avail->gathered, count);
    return avail->gathered;
}

void cs_ptg_avail_take(struct cs_ptg_avail *avail, const struct cs_ptg_choice *choice)
{
    struct cs_ptg_group *group = &avail->group[choice->bottom];
    int first = choice->bottom, left = choice->partial;

    if (left < group->procs) {
        group->procs -= left;
        while (left > 0) {
            int size = group->set[0].last - group->head + 1;

            if (size > left) {
                group->head += left;
                break;
            }
            left -= size;
            group->set++;
            group->intervals--;
            group->head = group->set[0].first;
        }
        first++;
    }
    memmove(avail->group + first, avail->group + choice->top + 1,
            (size_t)(avail->groups - choice->top - 1) * sizeof *avail->group);
    avail->groups -= choice->top + 1 - first;
}
