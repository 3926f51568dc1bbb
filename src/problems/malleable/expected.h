/* expected.h - the formulas of the malleable problem: times, checkpoints, expected times.
 *
 * A model is an instance under rules with everything computed beforehand that does not depend on
 * the number of processors.  Policies plan with it; what really happens
 * follows from the layouts (simulate.c).
 *
 * With J = k sqrt(2 mtbf C) + C a period takes J / j seconds on j processors, so that lambda j tau
 * = J / mtbf and lambda j R = C / mtbf do not depend on j, and one expm1 is left for Equation (4):
 *
 *     tR = exp(C / mtbf) (1 / (lambda j) + D) (N expm1(J / mtbf) + expm1(lambda j last))
 *
 * Eq. (4) lets failures strike during recovery, while the simulation protects it: the difference is
 * of second order in C / mtbf.  Period and layout include the checkpoint in tau; a checkpoint at
 * the very end, when the work is a whole number of pieces, is kept.
 *
 * The rest of a layout is a small difference of large numbers: times and pieces are computed in the
 * order in which spec/malleable.md 3 writes them, so that it can be compared to 12 digits.
 */
#ifndef CS_MALLEABLE_EXPECTED_H
#define CS_MALLEABLE_EXPECTED_H

#include "model/pattern.h"
#include "problems/malleable/instance.h"

#include <math.h>

/* fmax, fmin and floor (of what is not negative) without a call; a NaN in x gives y. */
static inline double cs_malleable_larger(double x, double y)
{
    return x > y ? x : y;
}

static inline double cs_malleable_smaller(double x, double y)
{
    return x < y ? x : y;
}

static inline double cs_malleable_whole(double x)
{
    return x < 0x1p52 ? (double)(int64_t)x : x;
}

/* The constants of a task. */
struct cs_malleable_rate {
    double fixed, shared, overhead; /* t(j) = fixed + shared / j + overhead / j, unless measured */
    const struct cs_moldable *measured; /* or NULL */
    int least;                          /* processors, even, on which it can run at all; mostly 2 */
    double checkpoint, data;            /* C (0 when nothing fails), m */
    double recovery;                    /* R; the paper's is C */
    double again;                       /* exp(R / mtbf) */
    double period;                      /* expm1(J / mtbf) */
    /* Of the floor below. */
    double slope, deficit;
};

/* Of the pattern layout: what does not depend on the work left, kept for the next time. */
struct cs_malleable_form {
    int task, procs;
    struct cs_pattern_layout layout;
};

struct cs_malleable_model {
    const struct cs_malleable_instance *in;
    int tasks, usable;
    bool failing, tail;
    struct cs_malleable_form *form; /* of the pattern layout; or NULL */
    double lambda, downtime;        /* 0 when nothing fails */
    double mtbf, factor;            /* of processors; of Young's period */
    double kappa;
    struct cs_malleable_rate *rate; /* by task */
};

/* Lives in the arena, as the instance must.  The rules are right (cs_malleable_rules_check). */
struct cs_malleable_model *cs_malleable_model_create(const struct cs_malleable_instance *in,
                                                     const struct cs_malleable_rules *rules,
                                                     struct cs_arena *arena);

/* The costs of checkpoints and moves of a task (the C and m of the instance), from now on; also
 * where nothing fails. */
void cs_malleable_model_cost(struct cs_malleable_model *model,
                             const struct cs_malleable_rules *rules, int task, double checkpoint,
                             double data);

static inline double cs_malleable_rate_time(const struct cs_malleable_rate *rate, int j)
{
    return rate->measured ? cs_moldable_time(rate->measured, 0, j)
                          : rate->fixed + rate->shared / j + rate->overhead / j;
}

/* After a downtime the last checkpoint is read back. */
static inline double cs_malleable_rate_recovery(const struct cs_malleable_rate *rate, int j)
{
    return rate->recovery / j;
}

/* The patterns of so much of a task; only with the pattern layout. */
struct cs_pattern_layout cs_malleable_model_patterns(const struct cs_malleable_model *model,
                                                     int task, int j, double alpha);

/* How many equal pieces the tail layout makes of so many seconds of work. */
double cs_malleable_tail_pieces(double seconds, double checkpoint, double kappa);

static inline struct cs_malleable_pieces
cs_malleable_model_pieces(const struct cs_malleable_model *model, int task, int j, double alpha)
{
    const struct cs_malleable_rate *rate = &model->rate[task];
    const double work = alpha > 0 ? alpha * cs_malleable_rate_time(rate, j) : 0;
    struct cs_malleable_pieces p = {0, INFINITY, work};

    if (!model->failing || model->form)
        return p;
    if (model->tail) {
        const double k = cs_malleable_tail_pieces(work, rate->checkpoint / j, model->kappa);

        return (struct cs_malleable_pieces){k - 1, work / k, work / k};
    }
    p.work = model->factor * sqrt(2 * (model->mtbf / j) * (rate->checkpoint / j));
    p.pieces = cs_malleable_whole(work / p.work);
    p.last = cs_malleable_larger(work - p.pieces * p.work, 0);
    return p;
}

/* The third factor of Equation (4), for alpha > 0 when processors fail; +inf when it is not a
 * number. */
static inline double cs_malleable_model_sum(const struct cs_malleable_model *model, int task, int j,
                                            const struct cs_malleable_pieces *p)
{
    const struct cs_malleable_rate *rate = &model->rate[task];
    const double x = model->lambda * j;
    double sum = 0;

    if (!isfinite(p->last))
        return INFINITY;
    if (p->pieces > 0)
        sum =
            p->pieces * (model->tail ? expm1(x * (p->work + rate->checkpoint / j)) : rate->period);
    if (p->last > 0)
        sum += expm1(x * p->last);
    return sum;
}

/* All three factors. */
static inline double cs_malleable_model_product(const struct cs_malleable_model *model, int task,
                                                int j, double sum)
{
    const double again = model->rate[task].again;

    return sum > 0 ? again * (1 / (model->lambda * j) + model->downtime) * sum : 0;
}

/* Equation (4), raw. */
double cs_malleable_model_expected(const struct cs_malleable_model *model, int task, int j,
                                   double alpha);

/* A lower bound of the expected time on k processors: fixed + shared / k, where shared is not
 * negative; for measured times scale * t(k) + fixed.  It never rises with k.
 *
 * With u = lambda j w, which does not depend on j, N expm1(J / mtbf) + expm1(lambda j last) is at
 * least (expm1(J / mtbf) / u) lambda j W - h, where h is the largest distance between the chord
 * and the convex expm1 inside a piece; and by expm1(x) >= x at least lambda j W. */
struct cs_malleable_floor {
    double fixed, shared, scale;
    const struct cs_moldable *measured;
};

static inline struct cs_malleable_floor cs_malleable_floor_of(const struct cs_malleable_rate *rate,
                                                              double alpha)
{
    const double work = alpha * (rate->shared + rate->overhead);
    const double steep = rate->slope * work - rate->deficit;

    if (rate->measured)
        return (struct cs_malleable_floor){0, 0, rate->again * alpha, rate->measured};
    if (steep > rate->again * work)
        return (struct cs_malleable_floor){rate->slope * alpha * rate->fixed, steep, 0, NULL};
    return (struct cs_malleable_floor){rate->again * alpha * rate->fixed, rate->again * work, 0,
                                       NULL};
}

/* As long as a task computes on j processors without a change: no expected finish on fewer, moved
 * there at `time`, is below fixed + rise * time, for times up to `until`. */
struct cs_malleable_refusal {
    double fixed, rise, until;
};

/* It begins at `start` with alpha left.  Its checkpoints are not counted: as if all time was work,
 * which makes what is left less, and so the floor. */
struct cs_malleable_refusal cs_malleable_refuse_fewer(const struct cs_malleable_rate *rate, int j,
                                                      double alpha, double start);

/* Equation (9). */
static inline double cs_malleable_rate_move(const struct cs_malleable_rate *rate, int j, int k)
{
    const int both = j < k ? j : k, change = j < k ? k - j : j - k;

    if (j == k)
        return 0;
    return (double)(both > change ? both : change) / k * (rate->data / j);
}

#endif
