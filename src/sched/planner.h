/* planner.h - state shared by policies for any machine: the waiting jobs in order, the availability
 * profile, limits of users, and the jobs that start.
 *
 * A round: cs_sched_planner_begin, then the starts and reservations of the policy, then
 * cs_sched_planner_end, which removes the started jobs from the list.
 */
#ifndef CS_SCHED_PLANNER_H
#define CS_SCHED_PLANNER_H

#include "sched/availability.h"

struct cs_sched_planner {
    const struct cs_sched_instance *in;
    struct cs_arena *arena;
    struct cs_sched_availability space;
    int waiting, room; /* tickets that wait, and room for */
    int *line;         /* tickets, the most urgent first; -1: has started in this round */
    struct cs_sched_hold hold, *holds; /* without a site, of one ticket or by ticket */
    int tickets;                       /* room of holds */
    double now;
    int starts;
    int *start; /* of the caller */
};

void cs_sched_planner_init(struct cs_sched_planner *planner, const struct cs_sched_instance *in,
                           struct cs_arena *arena);

/* For the state of a policy that begins with a planner: the callbacks of policy.h.  In a batch all
 * wait in the beginning. */
void cs_sched_planner_fill(void *state);
void cs_sched_planner_add(void *state, int ticket);
void cs_sched_planner_withdraw(void *state, int ticket);
void cs_sched_planner_rerank(void *state, const int *rank);

/* Move the data stored for each of `count` tickets to its new rank. */
void cs_sched_planner_permute(struct cs_sched_planner *planner, const int *rank, int count,
                              void *of, size_t size);

void cs_sched_planner_begin(struct cs_sched_planner *planner, const struct cs_sched_view *view,
                            int *start);
int cs_sched_planner_end(struct cs_sched_planner *planner);

/* Would one more attempt of the job keep its user within the limits? */
bool cs_sched_planner_admits(const struct cs_sched_planner *planner, int ticket);

/* The resources that an attempt of the job takes, to be filled. */
struct cs_sched_hold *cs_sched_planner_hold(struct cs_sched_planner *planner, int ticket);

/* The job at this place of the line starts now, and takes its hold. */
void cs_sched_planner_start(struct cs_sched_planner *planner, int place);

/* It starts if it fits now, with what is taken and reserved so far.  Returns whether it does. */
bool cs_sched_planner_try(struct cs_sched_planner *planner, int place, const bool *closed);

/* Is a pool of the partition of the job closed?  Close them all.  `closed` is by pool. */
bool cs_sched_planner_any(const struct cs_sched_planner *planner, int ticket, const bool *closed);
void cs_sched_planner_close(const struct cs_sched_planner *planner, int ticket, bool *closed);

/* Its earliest start, which is reserved; if that is now it starts.  Returns when it is. */
double cs_sched_planner_reserve(struct cs_sched_planner *planner, int place);

#endif
