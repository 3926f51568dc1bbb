/* source.h - the states of all hosts, as a list of changes that grows when it is read.
 *
 * Each host has its stream of random numbers, (seed, trial, host), so that the states of a host
 * depend on no other host, on no policy and on no thread.
 */
#ifndef CS_VOLATILE_SOURCE_H
#define CS_VOLATILE_SOURCE_H

#include "problems/volatile/holding.h"
#include "problems/volatile/instance.h"

/* Host change->what / 4 is in state change->what % 4 from this slot on. */
struct cs_volatile_change {
    uint32_t slot, what;
};

struct cs_volatile_source {
    int hosts;
    const unsigned char *first;        /* by host: the state in slot 0 */
    const int64_t *age;                /* by host: slots that it was up before; NULL: 0 */
    struct cs_volatile_change *change; /* by slot, then by host */
    size_t count, room;
    int64_t end;                         /* slots that there are */
    struct cs_volatile_process *process; /* private: what makes more; NULL for traces */
    struct cs_arena *arena;
};

/* The laws from which semi-Markov states are sampled: slow to make, reusable for any number of
 * trials and threads.  Lives in the arena, as the instance must.  NULL with err, see volatile.h. */
struct cs_volatile_laws;
struct cs_volatile_laws *cs_volatile_laws_create(const struct cs_volatile_instance *in,
                                                 enum cs_volatile_law law, double parameter,
                                                 struct cs_arena *arena, struct cs_error *err);
struct cs_volatile_source *cs_volatile_source_of_laws(const struct cs_volatile_laws *laws,
                                                      uint64_t seed, uint64_t trial);

/* Slots first .. to - 1 of a fleet, and then from .. first - 1; from <= first < to.  At most
 * CS_VOLATILE_CAP_MAX slots are examined. */
struct cs_volatile_source *cs_volatile_source_turned(const struct cs_volatile_instance *in,
                                                     const struct cs_fleet *fleet, int64_t from,
                                                     int64_t first, int64_t to);

/* The letters of a host in slots 0 .. slots - 1, at most `end`, as runs. */
struct cs_fleet_host cs_volatile_source_runs(struct cs_volatile_source *source, int host,
                                             int64_t slots, struct cs_arena *arena);

/* Makes changes until there is this one; false when nothing changes any more before `end`. */
bool cs_volatile_source_reach(struct cs_volatile_source *source, size_t at);

/* Change number `at`, or NULL behind the last. */
static inline const struct cs_volatile_change *
cs_volatile_source_change(struct cs_volatile_source *source, size_t at)
{
    return at < source->count || cs_volatile_source_reach(source, at) ? &source->change[at] : NULL;
}

/* The state of a host in a slot before `end`, for tests and pictures: O(changes). */
enum cs_volatile_state cs_volatile_source_state(struct cs_volatile_source *source, int host,
                                                int64_t slot);

/* The letters of a host in slots 0 .. slots - 1, at most `end`; lives in the arena. */
const char *cs_volatile_source_trace(struct cs_volatile_source *source, int host, int64_t slots,
                                     struct cs_arena *arena);

#endif
