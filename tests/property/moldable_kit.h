/* moldable_kit.h - random bags of the moldable problem, and slow answers to compare with. */
#ifndef CS_TESTS_PROPERTY_MOLDABLE_KIT_H
#define CS_TESTS_PROPERTY_MOLDABLE_KIT_H

#include "base/arena.h"
#include "problems/moldable/policy.h"

enum moldable_flavour {
    MOLDABLE_WHOLE = 1,      /* times are whole seconds */
    MOLDABLE_RELEASE = 2,    /* some tasks come later */
    MOLDABLE_NARROW = 4,     /* every task runs on one processor */
    MOLDABLE_CONTIGUOUS = 8, /* tasks hold consecutive processors */
};

struct moldable_case {
    struct cs_arena *arena;
    struct cs_workload *workload;
    struct cs_moldable_instance *instance;
};

/* A random bag of 1 .. max_tasks tasks on 1 .. max_procs processors, each measured on some counts:
 * noise that does not fall, Amdahl, flat, perfectly parallel, faster than that; some are the same.
 * The seed decides everything. */
struct moldable_case moldable_case_create(uint64_t seed, int max_tasks, int max_procs,
                                          int flavours);
void moldable_case_destroy(struct moldable_case *c);

/* The plan of a planner as a user writes it; the test fails when it cannot be made. */
struct cs_moldable_plan *moldable_case_plan(const struct moldable_case *c, const char *policy,
                                            uint64_t seed);

/* NULL when the plan is one, else why not. */
const char *moldable_plan_fault(const struct cs_moldable_instance *in,
                                const struct cs_moldable_plan *plan);

/* Each task in the order as early as it fits, by trying all instants.  The makespan. */
double moldable_earliest_slowly(const struct cs_moldable_bag *bag, const int *choice,
                                const int *order, double *start);

/* The least makespan by trying all counts in all orders (few tasks). */
double moldable_brute_force(const struct cs_moldable_bag *bag);

#endif
