/* slots.h - who holds which slot. */
#ifndef CS_RUN_SLOTS_H
#define CS_RUN_SLOTS_H

#include "base/arena.h"

#include <stdbool.h>

#define CS_RUN_SLOTS_MOST 1000000 /* that a run grows to */

struct cs_run_slots {
    int count, free, up; /* free: up and held by nobody */
    int lowest;          /* no slot before it is free */
    int room;            /* of held and down */
    bool *held, *down;   /* by slot */
};

void cs_run_slots_init(struct cs_run_slots *slots, int count, struct cs_arena *arena);

/* Take the lowest free ones, or those named; false, and nothing is taken, when they are not free.
 */
bool cs_run_slots_take(struct cs_run_slots *slots, int count, int *slot);
bool cs_run_slots_take_these(struct cs_run_slots *slots, int count, const int *slot);

void cs_run_slots_give(struct cs_run_slots *slots, int count, const int *slot);

/* More slots, which are down at first. */
void cs_run_slots_grow(struct cs_run_slots *slots, int count, struct cs_arena *arena);

void cs_run_slots_set(struct cs_run_slots *slots, int slot, bool down);

#endif
