/* operated_queue.h - waiting jobs in the order of the queue, and running jobs. */
#ifndef CS_CHECK_OPERATED_QUEUE_H
#define CS_CHECK_OPERATED_QUEUE_H

#include "base/arena.h"
#include "check/jobs.h"
#include "check/operated_state.h"

/* The allocation of a job: units of each pool of its partition, in their order. */
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

/* Discard the plan before this time. */
void cs_check_plan_discard(struct cs_check_plan *plan, double before);

/* Could the job run for its estimate from `start` on? The hold is its allocation; if it does not
 * fit, the rest is put on its first pool. */
bool cs_check_plan_fits(struct cs_check_plan *plan, const struct cs_check_operated_job *job,
                        double start, struct cs_check_hold *hold);

/* The earliest start from `from` on, and its allocation; INFINITY: none. */
double cs_check_plan_earliest(struct cs_check_plan *plan, const struct cs_check_operated_job *job,
                              double from, struct cs_check_hold *hold);

/* From `from` on, if the hold lasts so long, the job has it, or gives it back (sign -1, 1). */
void cs_check_plan_change(struct cs_check_plan *plan, const struct cs_check_operated_job *job,
                          const struct cs_check_hold *hold, double from, int sign);

struct cs_check_queue {
    const struct cs_check_operated_state *s;
    struct cs_check_plan plan;
    struct cs_check_hold *hold;   /* of each job; units NULL: none yet */
    int *place, *next, *previous; /* of each job; the last of both is the anchor */
    int arrived;                  /* jobs so far */
    int running, *run;            /* jobs, in any order */
    int spares, **spare;          /* unused units of holds */
    int64_t *user_jobs, *user_procs;
    bool *known; /* of each outage: it is in the plan */
    int *times;  /* of each job: how often its expected end was extended */
};

void cs_check_queue_init(struct cs_check_queue *q, const struct cs_check_operated_state *s);

/* Jobs that have arrived by then join the queue. */
void cs_check_queue_arrive(struct cs_check_queue *q, double now);

/* The next arrival; INFINITY: none. */
double cs_check_queue_next_arrival(const struct cs_check_queue *q);

/* The plan loses what is known by then to go away. */
void cs_check_queue_outages(struct cs_check_queue *q, double now);

/* The next time after `now` at which an outage begins, ends or is announced; INFINITY: none. */
double cs_check_queue_next_outage(const struct cs_check_queue *q, double now);

/* The job leaves the line and runs with its hold, which is in the plan. */
void cs_check_queue_start(struct cs_check_queue *q, int job);

/* Jobs that end by `now` release their allocation; true: one ended before its expected end. */
bool cs_check_queue_end(struct cs_check_queue *q, double now);
double cs_check_queue_next_end(const struct cs_check_queue *q);

/* Expected ends that come while the job runs are extended.  The next such end; INFINITY: none. */
void cs_check_queue_extend(struct cs_check_queue *q, double now);
double cs_check_queue_next_late(const struct cs_check_queue *q);

/* One more job of this one's user would be too many. */
bool cs_check_queue_over_limit(const struct cs_check_queue *q, int job);
void cs_check_queue_count(struct cs_check_queue *q, int job, int sign);

/* Room for what the job takes. */
struct cs_check_hold *cs_check_queue_hold(struct cs_check_queue *q, int job);

#endif
