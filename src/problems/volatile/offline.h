/* offline.h - the off-line problem: all states are known, there are no transfers, a task takes the
 * same w slots on every host.
 *
 * With one task at a host (mu = 1), m hosts must be up together in w slots; with any number
 * (mu = infinity), k hosts in ceil(m / k) w slots, for some k.  As in section IV of the paper, only
 * slots in which a host is up count: its other states, reclaimed or down, do not matter here
 * (optimum.h is about the model in which they do).  The search is that of together.h: meant for
 * tens of hosts and thousands of slots.
 */
#ifndef CS_VOLATILE_OFFLINE_H
#define CS_VOLATILE_OFFLINE_H

#include <cosched/error.h>
#include <stdint.h>

struct cs_volatile_offline {
    int hosts;
    const char *const *trace; /* by host, all as long: 'u' when up */
    int tasks;                /* m, at least 1 */
    int slots;                /* w, at least 1 */
    int64_t patience;         /* words of 64 slots that the search looks at; 0: no limit */
};

#define CS_VOLATILE_OFFLINE_NEVER (-1)
#define CS_VOLATILE_OFFLINE_OPEN (-2)

/* The least number of slots from the beginning in which an iteration can end; NEVER when it cannot
 * in the traces, OPEN when patience ended before that was known. */
int64_t cs_volatile_offline_one(const struct cs_volatile_offline *problem);
int64_t cs_volatile_offline_any(const struct cs_volatile_offline *problem);

#endif
