/* draft.h - a pack plan with every part open to change, for tests that break it. */
#ifndef CS_TESTS_UNIT_DRAFT_H
#define CS_TESTS_UNIT_DRAFT_H

#include "base/arena.h"
#include "check/check.h"

#define DRAFT_MOST 64

struct draft {
    struct cs_arena *arena;
    struct cs_workload *workload;
    int procs, pack_size, tasks;
    int bars;
    struct cs_bar bar[2 * DRAFT_MOST];
    struct cs_interval set[2 * DRAFT_MOST][4]; /* of the bars */
    struct cs_pack_declared declared;
    struct cs_pack_declared_pack pack[DRAFT_MOST];
    struct cs_pack_declared_task entry[2 * DRAFT_MOST]; /* of the packs, one after the other */
};

/* A random valid plan of 2 .. DRAFT_MOST tasks with profiles of all kinds, in random packs on
 * random processors, and what a file would say of it.  At least one pack has two tasks or
 * more, and there are at least two packs. */
void draft_make(struct draft *draft, unsigned long long seed);
void draft_release(struct draft *draft);

/* Run the packs in the opposite order, and list the bars in a random one. */
void draft_turn_around(struct draft *draft, unsigned long long seed);

struct cs_schedule *draft_schedule(const struct draft *draft);

/* What the checker says; the caller destroys it. */
struct cs_check_report *draft_check(const struct draft *draft);

#endif
