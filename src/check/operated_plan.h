/* operated_plan.h - what is free in every pool of a site over time, in plain steps. */
#ifndef CS_CHECK_OPERATED_PLAN_H
#define CS_CHECK_OPERATED_PLAN_H

#include "base/arena.h"
#include "check/jobs.h"

/* What a job takes: so many units of each pool of its partition, in their order. */
struct cs_check_hold {
    double start, end;
    int *units;
    int64_t *types; /* of a job that takes any type: of each pool, of each resource; or NULL */
};

/* From time[i] on, until the next step or for ever, free[i][r] is free; may be negative. */
struct cs_check_steps {
    int count, room;
    double *time;
    int64_t (*free)[CS_LOG_RESOURCES];
};

struct cs_check_plan {
    const struct cs_site *site;
    struct cs_arena *arena;
    struct cs_check_steps *pool;
    int spares, spare_room;
    int64_t **spare; /* types of holds that no job has any more */
};

void cs_check_plan_init(struct cs_check_plan *plan, const struct cs_site *site, double from,
                        struct cs_arena *arena);

/* What happened before is forgotten. */
void cs_check_plan_forget(struct cs_check_plan *plan, double before);

/* In [start, end) so many units of the group's first resource are away. */
void cs_check_plan_away(struct cs_check_plan *plan, const struct cs_site_outage *outage,
                        double start);

/* Could the job run for its estimate from `start` on?  The hold says what it would take; when it
 * does not fit, the rest is laid on its first pool. */
bool cs_check_plan_fits(struct cs_check_plan *plan, const struct cs_check_operated_job *job,
                        double start, struct cs_check_hold *hold);

/* The earliest start from `from` on, and what it takes; INFINITY: none. */
double cs_check_plan_earliest(struct cs_check_plan *plan, const struct cs_check_operated_job *job,
                              double from, struct cs_check_hold *hold);

/* The hold is over: its types may serve another one. */
void cs_check_plan_release(struct cs_check_plan *plan, struct cs_check_hold *hold);

/* From `from` on, if the hold lasts so long, the job has it, or gives it back (sign -1, 1). */
void cs_check_plan_change(struct cs_check_plan *plan, const struct cs_check_operated_job *job,
                          const struct cs_check_hold *hold, double from, int sign);

#endif
