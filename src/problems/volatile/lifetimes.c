/* lifetimes.c - uptimes, frailty, co-failure and slot counts of a pool, as sums over runs.
 *
 * Source: spec/volatile.md III.2.
 * Idea: a run of up slots counts with its length whether it ended or was cut off; how many hosts
 * are up at a failure is found by merging sorted begins and ends, not slot by slot.
 * Invariants: the first run of a host and a run after an unknown slot have no known age and are no
 * uptime; co-failure is 0 when there is no pair to count, else in [0, 1]; frailty is positive.
 * Complexity: O(runs) for each function, O(runs log runs) for co-failure; never O(slots).
 *
 * Constants (values of III.2 and II.3; half and double: not measured):
 *   PRIOR     2.0   failures that draw a frailty towards 1
 *   SMOOTHING 0.01  count added to each of the three transitions out of up
 */
#include "problems/volatile/lifetimes.h"

#include "base/bug.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PRIOR 2.0 /* failures */
#define SMOOTHING 0.01

static const struct cs_fleet_host *host_of(const struct cs_volatile_history *h, int i)
{
    return &h->fleet->host[h->first + i];
}

/* A run cut to the history. */
struct piece {
    int64_t begin, end; /* of the run itself */
    int64_t from, to;   /* of it in the history */
    enum cs_fleet_state state;
};

static struct piece piece_of(const struct cs_volatile_history *h, const struct cs_fleet_host *host,
                             int64_t run)
{
    struct piece p = {.begin = cs_fleet_run_begin(host, run),
                      .end = host->run[run].end,
                      .state = host->run[run].state};

    p.from = p.begin > h->from ? p.begin : h->from;
    p.to = p.end < h->to ? p.end : h->to;
    return p;
}

/* The first run of a host that has a part in the history. */
static int64_t first_run(const struct cs_volatile_history *h, const struct cs_fleet_host *host)
{
    return cs_fleet_run_at(host, h->from);
}

static bool in_history(const struct cs_volatile_history *h, const struct cs_fleet_host *host,
                       int64_t run)
{
    return run < host->runs && cs_fleet_run_begin(host, run) < h->to;
}

/* Was it seen how the run ends? */
static bool lifetimes_ends(const struct cs_fleet_host *host, int64_t run)
{
    return run + 1 < host->runs && host->run[run + 1].state != CS_FLEET_UNKNOWN;
}

/* Does a run of the history begin a life there, as was seen? */
static bool begins_life(const struct cs_volatile_history *h, const struct cs_fleet_host *host,
                        int64_t run)
{
    return host->run[run].state == CS_FLEET_UP && run > 0 &&
           cs_fleet_run_begin(host, run) >= h->from && host->run[run - 1].state != CS_FLEET_UNKNOWN;
}

/* Up runs that have a part in the history, or those of them that are lives. */
static int64_t count_ups(const struct cs_volatile_history *h, bool lifetimes)
{
    int64_t count = 0;

    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++)
            count += lifetimes ? begins_life(h, host, r) : host->run[r].state == CS_FLEET_UP;
    }
    return count;
}

const struct cs_fleet_life *cs_volatile_lifetimes(const struct cs_volatile_history *h,
                                                  int64_t *count, struct cs_arena *arena)
{
    struct cs_fleet_life *life = CS_NEW_ARRAY(arena, struct cs_fleet_life, count_ups(h, true));

    *count = 0;
    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
            struct piece p = piece_of(h, host, r);

            if (begins_life(h, host, r))
                life[(*count)++] = (struct cs_fleet_life){
                    (double)(p.to - p.begin), p.end <= h->to && lifetimes_ends(host, r)};
        }
    }
    return life;
}

static int by_slot(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Slots at which hosts begin and end to be up, and of the ends those that are failures; sorted. */
struct moments {
    int64_t *begin, *end, *fall;
    int64_t begins, ends, falls;
};

static struct moments moments_of(const struct cs_volatile_history *h, struct cs_arena *scratch)
{
    int64_t ups = count_ups(h, false);
    struct moments m = {.begin = CS_NEW_ARRAY(scratch, int64_t, ups),
                        .end = CS_NEW_ARRAY(scratch, int64_t, ups),
                        .fall = CS_NEW_ARRAY(scratch, int64_t, ups)};

    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
            struct piece p = piece_of(h, host, r);

            if (p.state != CS_FLEET_UP)
                continue;
            m.begin[m.begins++] = p.from;
            m.end[m.ends++] = p.end;
            if (p.end < h->to && r + 1 < host->runs && host->run[r + 1].state == CS_FLEET_DOWN)
                m.fall[m.falls++] = p.end;
        }
    }
    qsort(m.begin, (size_t)m.begins, sizeof *m.begin, by_slot);
    qsort(m.end, (size_t)m.ends, sizeof *m.end, by_slot);
    qsort(m.fall, (size_t)m.falls, sizeof *m.fall, by_slot);
    return m;
}

double cs_volatile_co_failure(const struct cs_volatile_history *h)
{
    struct cs_arena *scratch = cs_arena_create();
    struct moments m = moments_of(h, scratch);
    double together = 0, possible = 0;

    for (int64_t i = 0, next, b = 0, e = 0; i < m.falls; i = next) {
        int64_t t = m.fall[i];
        double fell, up;

        for (next = i; next < m.falls && m.fall[next] == t;)
            next++;
        while (b < m.begins && m.begin[b] < t)
            b++;
        while (e < m.ends && m.end[e] < t)
            e++;
        fell = (double)(next - i);
        up = (double)(b - e);
        together += fell * (fell - 1);
        possible += fell * (up - 1);
    }
    cs_arena_destroy(scratch);
    return possible > 0 ? together / possible : 0;
}

double cs_volatile_frailty(const struct cs_volatile_history *h, int i,
                           const struct cs_volatile_survival *law)
{
    const struct cs_fleet_host *host = host_of(h, i);
    double failures = 0, hazard = 0;

    for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
        struct piece p = piece_of(h, host, r);

        if (p.state != CS_FLEET_UP)
            continue;
        hazard += cs_volatile_survival_log(law, (double)(p.from - p.begin)) -
                  cs_volatile_survival_log(law, (double)(p.to - p.begin));
        failures += p.end < h->to && lifetimes_ends(host, r);
    }
    return (failures + PRIOR) / (hazard + PRIOR);
}

struct cs_volatile_counters cs_volatile_counters(const struct cs_volatile_history *h)
{
    double moves[3] = {0}, down;
    struct cs_volatile_counters counters = {0};

    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
            struct piece p = piece_of(h, host, r);
            double slots = (double)(p.to - p.from);

            counters.known += p.state == CS_FLEET_UNKNOWN ? 0 : slots;
            if (p.state != CS_FLEET_UP)
                continue;
            counters.up += slots;
            moves[CS_FLEET_UP] += slots - 1;
            if (p.end < h->to && lifetimes_ends(host, r))
                moves[host->run[r + 1].state]++;
        }
    }
    down = moves[CS_FLEET_DOWN] + SMOOTHING;
    counters.leave = down / (moves[0] + moves[1] + moves[2] + 3 * SMOOTHING);
    return counters;
}
