/* scales.h - conservative scales of the times and of the widths of a bag (Fekete, Schepers 2004).
 *
 * Values of the candidates are a scale of the times when those of tasks that fit one after the
 * other within lambda add up to no more than a most; they are one of the widths when those of tasks
 * that fit side by side do.  In a plan that ends by lambda the tasks have sum of c/P time +
 * t/lambda width <= both mosts: each processor, and each moment, gives no more.  Dual feasible
 * functions are scales for every bag; these are made for the tasks that there are, each of which
 * runs once.
 */
#ifndef CS_MOLDABLE_SCALES_H
#define CS_MOLDABLE_SCALES_H

#include "problems/moldable/bag.h"
#include "problems/moldable/lp.h"

/* A pair of scales, by candidate, and what the tasks take under it, of the most that they may. */
struct cs_moldable_scale_pair {
    double *time, *width;
    double most_time, most_width, taken;
};

struct cs_moldable_scales {
    const struct cs_moldable_bag *bag;
    const bool *open; /* candidates that are not, are in no plan */
    double lambda;
    int candidates;
    struct cs_moldable_scale_pair tried, best;
    double *take;  /* by candidate: under the pair that was examined last */
    double *value; /* by column; of the first ones by candidate: how much of the task runs so */
    double *layer; /* of patterns */
    int *pattern;  /* by task: a candidate, or -1 */
    struct cs_lp lp;
};

bool cs_moldable_scales_apply(const struct cs_moldable_bag *bag);
void cs_moldable_scales_init(struct cs_moldable_scales *scales, const struct cs_moldable_bag *bag,
                             double lambda, struct cs_arena *arena);

/* Looks for a pair under which the open candidates take too much, which is the best then: true.
 * Else the values are a plan of fractions of them, or an attempt at one. */
bool cs_moldable_scales_refute(struct cs_moldable_scales *scales, const bool *open);

/* Of open candidates those that under the best pair do not take too much on their own. */
void cs_moldable_scales_left(struct cs_moldable_scales *scales, const bool *open, bool *left);

#endif
