/* slots.h - who holds which slot. */
#ifndef CS_RUN_SLOTS_H
#define CS_RUN_SLOTS_H

#include "base/arena.h"

#include <stdbool.h>

struct cs_run_slots {
    int count, free, up; /* free: up and held by nobody */
    int lowest;          /* no slot before it is free */
    bool *held, *down;   /* by slot */
};

void cs_run_slots_init(struct cs_run_slots *slots, int count, struct cs_arena *arena);

/* Take the lowest free ones, or those named; false, and nothing is taken, when they are not free.
 */
bool cs_run_slots_take(struct cs_run_slots *slots, int count, int *slot);
bool cs_run_slots_take_these(struct cs_run_slots *slots, int count, const int *slot);

void cs_run_slots_give(struct cs_run_slots *slots, int count, const int *slot);

void cs_run_slots_set(struct cs_run_slots *slots, int slot, bool down);

#endif
