/* bound_moldable.h - can no plan of the moldable problem end before a moment?
 *
 * Arguments that need no certificate are tried in turn, then the pairs of the certificate, and for
 * a few tasks every plan.
 */
#ifndef CS_CHECK_BOUND_MOLDABLE_H
#define CS_CHECK_BOUND_MOLDABLE_H

#include "base/arena.h"
#include "model/schedule.h"

#include <stdbool.h>

/* The counts on which tasks may run, rising, and their times, falling, of task i from first[i] to
 * first[i + 1] - 1. */
struct cs_check_bag {
    int tasks, procs;
    int *first, *count;
    double *seconds;
    double *work; /* the least on this count and the wider ones */
    double *release;
    double *attempts; /* how often each task runs, one after the other */
    bool again;       /* is that more than once for any? */
};

/* False when there are too many counts. */
bool cs_check_bag_init(struct cs_check_bag *bag, const struct cs_workload *workload, int procs,
                       const struct cs_moldable_declared *said, struct cs_arena *arena);

/* By the pairs and scales of the certificate, in all its cases. */
bool cs_check_bag_certified(const struct cs_check_bag *bag, double seconds,
                            const struct cs_moldable_certificate *by, struct cs_arena *scratch);

/* By paths, areas, what runs in the middle, and pairs: true is a proof that no plan ends by then.
 */
bool cs_check_bag_too_short(const struct cs_check_bag *bag, double seconds,
                            const struct cs_moldable_certificate *by, struct cs_arena *scratch);

/* The arguments behind the declared bounds critical, area, knapsack and width. */
enum cs_check_simple {
    CS_CHECK_SIMPLE_PATH,
    CS_CHECK_SIMPLE_AREA,
    CS_CHECK_SIMPLE_MIDDLE,
    CS_CHECK_SIMPLE_WIDTH,
};

/* Is the bound the largest that follows from this argument alone? */
bool cs_check_bag_is_bound(const struct cs_check_bag *bag, enum cs_check_simple argument,
                           double bound, struct cs_arena *scratch);

/* False when there are too many counts for CS_CHECK_SIMPLE_MIDDLE. */
bool cs_check_bag_has_middle(const struct cs_check_bag *bag);

/* Is there a plan, of tasks that start in turn where they fit, that ends before? */
bool cs_check_bag_list(const struct cs_check_bag *bag, double seconds, struct cs_arena *scratch);

enum cs_check_search { CS_CHECK_SEARCH_NONE = 1, CS_CHECK_SEARCH_PLAN, CS_CHECK_SEARCH_GAVE_UP };

/* By enumeration of plans: no plan ends before, one does, or too many to enumerate. */
enum cs_check_search cs_check_bag_search(const struct cs_check_bag *bag, double seconds,
                                         struct cs_arena *scratch);

#endif
