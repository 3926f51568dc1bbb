/* bag.h - the rules of general bags (spec/bag.md 8), from the instance and the bars only. */
#ifndef CS_CHECK_BAG_H
#define CS_CHECK_BAG_H

#include "base/arena.h"
#include "check/report.h"
#include "model/modes.h"
#include "model/schedule.h"

/* In the order in which they are checked: each for all tasks before the next. */
enum cs_check_rule {
    CS_CHECK_RULE_NONE,
    CS_CHECK_RULE_ONCE,
    CS_CHECK_RULE_MODE,
    CS_CHECK_RULE_DURATION,
    CS_CHECK_RULE_RELEASE,
    CS_CHECK_RULE_PRECEDENCE,
    CS_CHECK_RULE_CAPACITY,
    CS_CHECK_RULE_UNITS,
    CS_CHECK_RULE_BUDGET,
    CS_CHECK_RULE_MAKESPAN,
    CS_CHECK_RULE_LATE,
};

/* "every task once", "mode", ...; "valid" for none. */
const char *cs_check_rule_name(enum cs_check_rule rule);

struct cs_check_general_bar {
    int task, mode; /* mode: among those of its task */
    double start, end;
    int intervals; /* of its processors; 0: without numbers */
    const struct cs_interval *procs;
    const char *uses; /* lines of model/bars.h; or NULL */
};

struct cs_check_general_plan {
    const struct cs_modes *modes;
    int procs; /* of the machine */
    int bars;
    const struct cs_check_general_bar *bar;
    double makespan, late; /* declared; NaN: not */
};

/* The first broken rule; its violations are added to the report. */
enum cs_check_rule cs_check_general_plan(const struct cs_check_general_plan *plan,
                                         struct cs_check_report *report);

/* The bound that a certificate proves (5.6); NaN: it proves none. */
double cs_check_general_certified(const struct cs_modes *modes, int procs,
                                  const struct cs_bag_certificate *by);

/* ---- parts of it ---- */

/* Does each node have its own: processors, and amounts of nodes? */
bool cs_check_of_nodes(const struct cs_modes *m, int resource);
int64_t cs_check_node_room(const struct cs_modes *m, int procs, int resource);

/* How many nodes amounts need at least. */
int cs_check_nodes_needed(const struct cs_modes *m, int procs, const int64_t *use);

/* By resource; INT64_MAX: not limited. */
int64_t *cs_check_capacities(const struct cs_modes *m, int procs, struct cs_arena *arena);

/* Why the mode is not allowed, in a few words; NULL. */
const char *cs_check_mode_fault(const struct cs_modes *m, int procs, const int64_t *capacity,
                                int task, int mode);

/* The data of an instance for its bounds. */
struct cs_check_bounds {
    const struct cs_modes *m;
    int procs;
    int64_t *capacity;
    bool *allowed;       /* by mode */
    double *fastest;     /* by task */
    double *head, *tail; /* by task */
    int *ranked;         /* predecessors first */
    double critical;
    struct cs_arena *arena;
};

struct cs_check_bounds cs_check_bounds_begin(const struct cs_modes *m, int procs,
                                             struct cs_arena *arena);

/* 5.3 with these prices. */
double cs_check_bounds_priced(const struct cs_check_bounds *b, const double *price);

/* The prices of what is free at a date; the next begin or end of a window after it. */
double cs_check_bounds_free(const struct cs_check_bounds *b, const double *price, double date);
double cs_check_window_next(const struct cs_check_bounds *b, double date);

double cs_check_bounds_certified(const struct cs_check_bounds *b,
                                 const struct cs_bag_certificate *by);

/* The schedule of a workload with modes. */
int cs_check_general_bag(const struct cs_schedule *schedule, const struct cs_workload *workload,
                         const struct cs_moldable_declared *said, struct cs_check_report *report);

#endif
