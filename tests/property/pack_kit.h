/* pack_kit.h - random instances of the pack problem, and slow answers to compare with. */
#ifndef CS_TESTS_PROPERTY_PACK_KIT_H
#define CS_TESTS_PROPERTY_PACK_KIT_H

#include "base/arena.h"
#include "problems/pack/policy.h"

/* A random instance of 1 .. max_tasks tasks on 1 .. max_procs processors: measured rows with noise,
 * formulas, flat, identical and perfectly parallel tasks, and some that need a minimum.  The seed
 * decides everything. */
struct pack_case {
    struct cs_arena *arena;
    struct cs_workload *workload;
    struct cs_pack_instance *instance;
};

struct pack_case pack_case_create(uint64_t seed, int max_tasks, int max_procs);
void pack_case_destroy(struct pack_case *pack_case);

/* The plan of a policy as a user writes it; the test fails when it cannot be made. */
struct cs_pack_plan *pack_case_plan(const struct pack_case *pack_case, const char *policy,
                                    uint64_t seed);

/* NULL when the plan is one (every task once, sizes, processors, costs, sum), else why not. */
const char *pack_plan_fault(const struct cs_pack_instance *in, const struct cs_pack_plan *plan);

/* The optimal cost by trying every partition (n <= 9), each pack by the program of Section 4.2. */
double pack_brute_force(const struct cs_pack_instance *in);

/* The optimal cost of one pack by the dynamic program c(i, q) of Section 4.2; +inf if none fits. */
double pack_one_pack_slowly(const struct cs_pack_instance *in, const int *task, int count);

#endif
