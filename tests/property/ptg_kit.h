/* ptg_kit.h - random task graphs on random platforms. */
#ifndef CS_TESTS_PROPERTY_PTG_KIT_H
#define CS_TESTS_PROPERTY_PTG_KIT_H

#include "base/arena.h"
#include "base/splitmix.h"
#include "problems/ptg/instance.h"

#define PTG_KIT_GRAPHS 6

struct ptg_kit {
    struct cs_splitmix random;
    struct cs_platform *platform;
    struct cs_graph *graph[PTG_KIT_GRAPHS];
    int graphs;
    struct cs_ptg_instance *in;
    double release[PTG_KIT_GRAPHS];
};

/* 0 .. n - 1. */
int ptg_kit_below(struct ptg_kit *kit, int n);

/* Up to so many graphs of up to so many tasks, on up to four clusters; `late`: not all are released
 * at 0.  Work, alpha and data are often 0 and often alike, so that there are ties. */
void ptg_kit_init(struct ptg_kit *kit, uint64_t seed, int graphs, int tasks, bool late);
void ptg_kit_release(struct ptg_kit *kit);

/* The plan passes the checker with these transfers and is not below the bound, or the test fails.
 */
void ptg_kit_check(const struct ptg_kit *kit, const struct cs_ptg_plan *plan, bool fan);

/* To the byte. */
bool ptg_kit_same(const struct cs_ptg_plan *a, const struct cs_ptg_plan *b);

#endif
