/* simulate.h - the driver of policies in virtual time, spec/volatile.md 2.
 *
 * Checkpoints are those of its Part III.3, warm spares those of III.5.
 *
 * In a slot: states are observed, hosts that are down lose program and data, a configuration with
 * one of them is aborted, the policy decides, and then there are either transfers or computation.
 * A stretch of slots in which only counters change is one step; the result is the same.
 *
 * A simulation owns its memory and uses it again for every run; deciders cache their results about
 * sets of hosts.
 */
#ifndef CS_VOLATILE_SIMULATE_H
#define CS_VOLATILE_SIMULATE_H

#include "problems/volatile/decide.h"
#include "problems/volatile/source.h"

struct cs_volatile_simulation;

/* Lives in the arena, as the instance and the decider must. */
struct cs_volatile_simulation *cs_volatile_simulation_create(const struct cs_volatile_instance *in,
                                                             struct cs_volatile_decider *decider,
                                                             enum cs_volatile_prefetch prefetch,
                                                             struct cs_arena *arena);

/* Slots from .. to - 1, all alike. */
struct cs_volatile_span {
    int64_t from, to;
    int iteration;         /* that is worked on */
    int64_t configuration; /* number of the running one, from 1; 0 when none runs */
    int64_t saves;         /* that were completed before `from` */
    const int *tasks;      /* by host: x; all 0 when none runs */
    /* By host: P program, D data, C computes, S saves, I enrolled but idle, p and d outside the
     * configuration, '.' nothing. */
    const char *act;
};

/* Called for every stretch in order.  The data behind the pointers is valid during the call. */
typedef void cs_volatile_watch_f(void *who, const struct cs_volatile_span *span);

enum cs_volatile_pace {
    CS_VOLATILE_SKIPPING, /* one step for each stretch */
    CS_VOLATILE_SLOTS,    /* slot by slot, with a decision in each, computed from scratch */
};

/* One run; `watch` may be NULL. */
void cs_volatile_simulation_run(struct cs_volatile_simulation *simulation,
                                struct cs_volatile_source *source, uint64_t seed,
                                enum cs_volatile_pace pace, cs_volatile_watch_f *watch, void *who,
                                struct cs_volatile_outcome *outcome);

#endif
