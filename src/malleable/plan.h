/* plan.h - what is known when processors may be moved, and what a policy wants (section 5 of the
 * paper).
 *
 * Members are the unfinished tasks that compute, and the one that has just failed; all others keep
 * what they have.  The expected finish of a member on k processors is
 *
 *     F(now) = finish                                            no change costs nothing
 *     F(k)   = base + move(now, k) + C / k + tR(k, alpha)        for k != now
 *
 * where base is the time of the event, for the task that failed with downtime and recovery: data
 * can move only then.  `finish` is the expectation of the last start; it is not refreshed, so that
 * it still holds failures that did not happen.
 */
#ifndef CS_MALLEABLE_PLAN_H
#define CS_MALLEABLE_PLAN_H

#include "base/heap.h"
#include "malleable/running.h"

struct cs_malleable_member {
    int task;
    int now, share;  /* processors: present and planned */
    double alpha;    /* work left, live; of the task that failed, saved */
    double base;     /* seconds */
    double finish;   /* expected, if nothing changes */
    double expected; /* F(share), kept by policies */
    /* Not NULL: alpha is what was left at `start`, and cs_malleable_look has to be called first. */
    const struct cs_malleable_running *running;
    double start;
};

struct cs_malleable_plan {
    const struct cs_malleable_model *model;
    double time;
    int members;
    struct cs_malleable_member *member; /* by task */
    int faulty;                         /* a member, or -1 */
    int free;                           /* processors of nobody */
    struct cs_heap *heap;               /* for policies; ids up to the number of tasks */
    struct cs_arena *scratch;           /* for policies, rewound by the caller */
};

/* Before anything is asked that needs the alpha of a member; most members need none. */
static inline void cs_malleable_look(const struct cs_malleable_plan *plan,
                                     struct cs_malleable_member *m)
{
    if (m->running) {
        const struct cs_malleable_progress p =
            cs_malleable_progress(m->running, m->start, plan->time);

        m->alpha = cs_malleable_live(m->running, &p, m->alpha);
        m->running = NULL;
    }
}

static inline double cs_malleable_finish(const struct cs_malleable_plan *plan,
                                         const struct cs_malleable_member *m, int k)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];

    if (k == m->now)
        return m->finish;
    return m->base + cs_malleable_rate_move(rate, m->now, k) + rate->checkpoint / k +
           cs_malleable_model_expected(plan->model, m->task, k, m->alpha);
}

/* The smallest even k in low .. high with F(k) < limit, and F(k) in *finish; 0 for none.  Looks
 * only where a floor of F, which falls with k, does not forbid it. */
int cs_malleable_first(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                       int low, int high, double limit, double *finish);

/* True only if there is none, but not always then; costs next to nothing. */
bool cs_malleable_hopeless(const struct cs_malleable_plan *plan,
                           const struct cs_malleable_member *m, int low, int high, double limit);

/* The largest F if nothing changes. */
double cs_malleable_latest(const struct cs_malleable_plan *plan);

/* The smallest even k in share + 2 .. share + most with F(k) < expected, F(k) in *finish; 0 for
 * none.  Mostly it is the first of them; most is at least 2.  The paper tries them all and gives
 * two; the next tries then give the others. */
static inline int cs_malleable_gain(const struct cs_malleable_plan *plan,
                                    const struct cs_malleable_member *m, int most, double *finish)
{
    *finish = cs_malleable_finish(plan, m, m->share + 2);
    if (*finish < m->expected)
        return m->share + 2;
    return cs_malleable_first(plan, m, m->share + 4, m->share + most, m->expected, finish);
}

/* Processors from 2 on (or the least it can run on) for all members from all that they and nobody
 * hold, so that the largest F is least: Algorithm 5. */
void cs_malleable_greedy(struct cs_malleable_plan *plan);

/* Algorithm 3: free processors to the members that are expected to end last. */
void cs_malleable_local(struct cs_malleable_plan *plan);

/* After the greedy: members get back what they have now if they then still meet the largest
 * F, those that need the fewest more processors first. */
void cs_malleable_disrupt_less(struct cs_malleable_plan *plan);

/* Can the largest F, counted from now, fall by more than this share at all, with what others and
 * nobody hold or with free processors only?  May say yes when it cannot. */
bool cs_malleable_conceivable(const struct cs_malleable_plan *plan, double share, bool only_free);

/* Would the largest F, counted from now, fall by more than this share? */
bool cs_malleable_worthwhile(const struct cs_malleable_plan *plan, double share);

#endif
