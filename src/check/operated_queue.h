/* operated_queue.h - who waits, in the order of the queue, and who runs. */
#ifndef CS_CHECK_OPERATED_QUEUE_H
#define CS_CHECK_OPERATED_QUEUE_H

#include "check/operated_plan.h"
#include "check/operated_state.h"

struct cs_check_queue {
    const struct cs_check_operated_state *s;
    struct cs_check_plan plan;
    struct cs_check_hold *hold;   /* of each job; units NULL: none yet */
    int *place, *next, *previous; /* of each job; the last of both is the anchor */
    int arrived;                  /* jobs so far */
    int running, *run;            /* jobs, in any order */
    int spares, **spare;          /* units of holds that nobody needs any more */
    int64_t *user_jobs, *user_procs;
    bool *known; /* of each outage: it is in the plan */
    int *times;  /* of each job: how often its expected end was extended */
};

void cs_check_queue_init(struct cs_check_queue *q, const struct cs_check_operated_state *s);

/* Everybody who has come by then joins the line. */
void cs_check_queue_arrive(struct cs_check_queue *q, double now);

/* When the next one comes; INFINITY: nobody. */
double cs_check_queue_next_arrival(const struct cs_check_queue *q);

/* The plan loses what is known by then to go away. */
void cs_check_queue_outages(struct cs_check_queue *q, double now);

/* The next time after `now` at which an outage begins, ends or is announced; INFINITY: none. */
double cs_check_queue_next_outage(const struct cs_check_queue *q, double now);

/* The job leaves the line and runs with its hold, which is in the plan. */
void cs_check_queue_start(struct cs_check_queue *q, int job);

/* What ends by `now` gives back what it has; true: something did so before it was expected to. */
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
