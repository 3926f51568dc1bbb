/* step.h - one more task for one host: what a step of the choice weighs.
 *
 * spec/volatile.md 4.  Bounds are those of section 3.4: P+(S + q) is at most P+(S) and
 * P+(q), and a gap is at least 1.  They leave a margin far above rounding, so that no choice
 * depends on them.
 */
#ifndef CS_VOLATILE_STEP_H
#define CS_VOLATILE_STEP_H

#include "problems/volatile/estimate.h"
#include "problems/volatile/view.h"

/* The measure and the data that rank candidates. */
struct cs_volatile_gauge {
    struct cs_volatile_estimator *estimator;
    enum cs_volatile_measure choice;
    enum cs_volatile_estimate estimate;
    const struct cs_volatile_set *alone; /* by host */
    int64_t tau;                         /* now */
};

struct cs_volatile_candidate {
    int host, tasks, capacity, slots;
    int need, next; /* slots of transfers for its tasks and for one more */
    double single;  /* the expected time of `next` */
    double loss;    /* -log P+ of the host alone */
    double alive;   /* log P_ND for that time: it gets no better in a configuration */
    double bound;   /* its score in a step before, at most; it gets no better */
};

/* The configuration so far. */
struct cs_volatile_partial {
    int set;
    int64_t workload;
    double longest;   /* the largest expected time of transfers to one host */
    double sum;       /* slots of all transfers */
    double transfer;  /* Ecomm */
    double log_alive; /* log Pcomm, where probabilities are */
};

/* fmax of numbers, which is a call elsewhere. */
static inline double cs_volatile_larger(double a, double b)
{
    return a > b ? a : b;
}

#define CS_VOLATILE_MARGIN 1e-9
#define CS_VOLATILE_HUGE_LOSS 600.0 /* of log P: exp of it is still a number */

/* A value below this is worse than `limit`, by more than rounding. */
static inline double cs_volatile_cut_below(double limit)
{
    double size = fabs(limit);

    return limit - CS_VOLATILE_MARGIN * (size > 1 ? size : 1);
}

/* It has got a task: what would one more need? */
static inline void cs_volatile_lookahead(const struct cs_volatile_gauge *g,
                                         const struct cs_volatile_view *view,
                                         struct cs_volatile_candidate *k)
{
    k->need = k->next;
    if (k->tasks < k->capacity) {
        k->next = cs_volatile_need(view, k->host, k->tasks + 1);
        k->single = cs_volatile_single(g->estimator, g->estimate, k->host, k->next);
        if (g->choice != CS_VOLATILE_TIME && k->tasks == 0)
            k->alive = cs_volatile_single_alive(g->estimator, g->estimate, k->host, k->next);
    }
}

static inline struct cs_volatile_candidate
cs_volatile_candidate_of(const struct cs_volatile_gauge *g, const struct cs_volatile_view *view,
                         int host)
{
    struct cs_volatile_candidate k = {.host = host,
                                      .capacity = view->in->capacity[host],
                                      .slots = view->in->host[host].slots,
                                      .loss = g->alone[host].loss,
                                      .bound = INFINITY};

    cs_volatile_lookahead(g, view, &k);
    return k;
}

/* Work and transfers after giving the next task to this candidate; not yet the set. */
static inline void cs_volatile_extend(const struct cs_volatile_gauge *g,
                                      const struct cs_volatile_partial *before,
                                      const struct cs_volatile_candidate *k,
                                      struct cs_volatile_partial *after)
{
    int64_t work = (int64_t)(k->tasks + 1) * k->slots;

    after->workload = work > before->workload ? work : before->workload;
    after->longest = k->single > before->longest ? k->single : before->longest;
    after->sum = before->sum + (k->next - k->need);
    after->transfer = after->sum / g->estimator->transfers;
    if (after->longest > after->transfer)
        after->transfer = after->longest;
}

/* The score of a candidate is at most this: with the smaller P+ of the set so far (of that `loss`)
 * and of the host alone, with Pcomm as if the host were sent to alone, and with a gap of 1.  What
 * is below `cut` need not be close. */
static inline double cs_volatile_bound_of(const struct cs_volatile_gauge *g,
                                          const struct cs_volatile_partial *before, double loss,
                                          const struct cs_volatile_candidate *k,
                                          const struct cs_volatile_partial *after, double cut)
{
    double more = (double)(after->workload - 1), x = 0, log_p, time;

    if (more > 0)
        x = more * (k->loss > loss ? k->loss : loss);
    log_p = before->log_alive + (k->tasks ? 0 : k->alive) - x;
    if (g->choice == CS_VOLATILE_PROBABILITY || g->choice == CS_VOLATILE_RESTARTS)
        return log_p;
    time = after->transfer + more + 1;
    if (g->choice == CS_VOLATILE_TIME ? -time < cut : log_p < cut)
        return g->choice == CS_VOLATILE_TIME ? -time : log_p;
    if (g->estimate == CS_VOLATILE_PRINTED && x < CS_VOLATILE_HUGE_LOSS)
        time = cs_volatile_larger(time, after->transfer + (1 + more - x) * exp(x));
    if (g->choice == CS_VOLATILE_TIME)
        return -time;
    return log_p - log(g->choice == CS_VOLATILE_YIELD ? time + (double)g->tau : time);
}

#endif
