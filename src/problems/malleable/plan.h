/* plan.h - what is known when processors may be moved, and what a policy wants (section 5 of the
 * paper).
 *
 * Members are the unfinished tasks that compute, and the one that has just failed; all others keep
 * their processors.  The expected finish of a member on k processors is
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

#include "base/tournament.h"
#include "problems/malleable/expected.h"
#include "problems/malleable/rows.h"

#include <stdint.h>

struct cs_malleable_running {
    /* The layout of what is left, from `start` on. */
    double seconds; /* of the whole task on these processors */
    struct cs_malleable_pieces pieces;
    double period; /* a piece and its checkpoint */
    /* The pattern layout instead; no segments: another layout. */
    struct cs_pattern_layout layout;
    double begun; /* the share that was left when it was laid out */
    double done;  /* its segments before `start`; -1: it is laid out again */
    double found; /* when a silent error is found; +inf: none is */
    /* The stretch: since <= down_end <= recovered <= move_end <= start. */
    int attempt;
    double since, down_end, recovered, move_end;
    /* The last redistribution, until `start` or a failure: the checkpoint made before it. */
    bool moved;
    int old_procs;
    double old_alpha;
    double unsaved; /* processor seconds of work that only the checkpoint of the move saves */
    /* The last failure: another one of the buddy before down_until would be fatal. */
    int failed_processor;
    double down_until;
};

/* Where a task is at `time` >= start. */
struct cs_malleable_progress {
    double periods; /* complete */
    double rest;    /* seconds since the last of them */
    double work;    /* of the rest, at most what is left of the piece */
    /* Of the pattern layout, without periods: */
    double saved;   /* seconds of work in segments that are complete */
    double segment; /* the present one */
    int chunks;     /* of it, verified */
    double partial; /* seconds of work that no verification has confirmed */
};

/* The place in the patterns; `work` moves with the task: all that is done of the segment, with
 * silent errors only verified chunks. */
struct cs_malleable_progress cs_malleable_pattern_progress(const struct cs_malleable_running *run,
                                                           double seconds);

static inline struct cs_malleable_progress
cs_malleable_progress(const struct cs_malleable_running *run, double start, double time)
{
    struct cs_malleable_progress p = {.rest = time - start};

    if (run->layout.pattern.segments)
        return cs_malleable_pattern_progress(run, p.rest);
    if (run->pieces.pieces > 0) {
        p.periods =
            cs_malleable_smaller(cs_malleable_whole(p.rest / run->period), run->pieces.pieces);
        p.rest -= p.periods * run->period;
    }
    p.work = cs_malleable_smaller(p.rest, p.periods < run->pieces.pieces ? run->pieces.work
                                                                         : run->pieces.last);
    return p;
}

/* Work of whole periods, in seconds. */
static inline double cs_malleable_periods_work(const struct cs_malleable_running *run,
                                               double periods)
{
    return periods > 0 ? periods * run->pieces.work : 0;
}

/* The share of the task that is left and protected, and that is left at all. */
static inline double cs_malleable_saved(const struct cs_malleable_running *run,
                                        const struct cs_malleable_progress *p, double alpha)
{
    return cs_malleable_larger(
        alpha - (cs_malleable_periods_work(run, p->periods) + p->saved) / run->seconds, 0);
}

static inline double cs_malleable_live(const struct cs_malleable_running *run,
                                       const struct cs_malleable_progress *p, double alpha)
{
    return cs_malleable_larger(
        alpha - (cs_malleable_periods_work(run, p->periods) + p->saved + p->work) / run->seconds,
        0);
}

struct cs_extpol;

struct cs_malleable_member {
    int task;
    int now, share;                  /* processors: present and planned */
    double alpha;                    /* work left, live; of the task that failed, saved */
    double base;                     /* seconds */
    double finish;                   /* expected, if nothing changes */
    struct cs_malleable_floor floor; /* of what is left */
};

/* Members are the rows (rows.h) whose expected[row] is above -INFINITY.  Most can neither
 * gain nor give, so that a member is only filled in when a policy meets it (cs_malleable_meet); the
 * others keep their processors. */
struct cs_malleable_plan {
    const struct cs_malleable_model *model;
    struct cs_malleable_rows *rows;
    const struct cs_malleable_state *state;     /* by task */
    const struct cs_malleable_running *running; /* by task */
    double time;
    double latest;                      /* the largest F if nothing changes; -INFINITY: no member */
    double *expected;                   /* by row: F(share), kept by policies */
    struct cs_malleable_member *member; /* by row, if met */
    uint64_t *met;                      /* bits, by row */
    int faulty;                         /* a member, or -1 */
    int free;                           /* processors without owner */
    struct cs_extpol *extpol;           /* the external policy of `program`, or NULL */
    uint64_t number;                    /* there */
    const int *decided;                 /* by task: known processors (optimum.h), or NULL */
    /* For policies. */
    double *floor;             /* by row */
    int *row;                  /* some rows, and room for one more */
    struct cs_tournament last; /* its numbers are `expected` */
    struct cs_tournament queue;
    struct cs_arena *scratch; /* rewound by the caller */
};

/* Room for so many tasks. */
void cs_malleable_plan_init(struct cs_malleable_plan *plan, int tasks, struct cs_arena *arena);

/* The members at `time` (spec/malleable.md 6): the tasks that compute, and the one that failed, or
 * -1; not those that end before that one is back.  At a wake, a task that has just begun to compute
 * takes part too. */
void cs_malleable_plan_gather(struct cs_malleable_plan *plan, double time, int faulty, bool wake);

void cs_malleable_plan_introduce(struct cs_malleable_plan *plan, int a);

static inline bool cs_malleable_is_met(const struct cs_malleable_plan *plan, int a)
{
    return plan->met[a / 64] >> (a % 64) & 1;
}

/* Member a. */
static inline struct cs_malleable_member *cs_malleable_meet(struct cs_malleable_plan *plan, int a)
{
    if (!cs_malleable_is_met(plan, a))
        cs_malleable_plan_introduce(plan, a);
    return &plan->member[a];
}

/* The first that was met, from row a on, or -1. */
static inline int cs_malleable_next_met(const struct cs_malleable_plan *plan, int a)
{
    const int words = plan->rows->count / 64 + 1;
    int word = a / 64;
    uint64_t bits = plan->met[word] >> (a % 64);

    if (bits)
        return a + __builtin_ctzll(bits);
    while (++word < words)
        if (plan->met[word])
            return 64 * word + __builtin_ctzll(plan->met[word]);
    return -1;
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

/* More processors for the member that is expected to end last, up to `most`.  The paper's loops
 * give it the smallest even q with F(share + q) < expected, and again, as long as it is the last:
 * as long as F is above `next`, the largest of the others.  Returns the k that this leads to (later
 * jumps may follow when F(k) = next), F(k) in *finish; 0 when there is no such q. */
int cs_malleable_gain(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                      double expected, double next, int most, double *finish);

/* Processors from 2 on (or the least it can run on) for all members, from theirs and the free
 * ones, so that the largest F is least: Algorithm 5. */
void cs_malleable_greedy(struct cs_malleable_plan *plan);

/* After the greedy: members get their present processors back if they then still meet the
 * largest F, those that need the fewest more processors first. */
void cs_malleable_disrupt_less(struct cs_malleable_plan *plan);

/* Can the largest F, counted from now, fall by more than this share at all, with the processors
 * of others and free ones, or with free ones only?  May answer yes when it cannot. */
bool cs_malleable_conceivable(struct cs_malleable_plan *plan, double share, bool only_free);

/* Would the largest F, counted from now, fall by more than this share? */
bool cs_malleable_worthwhile(const struct cs_malleable_plan *plan, double share);

#endif
