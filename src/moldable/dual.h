/* dual.h - dual feasible functions of the widths and times of a bag, in pairs.
 *
 * If sum of f(c) <= 1 for all tasks that may run together, and sum of g(t / lambda) <= 1 for all
 * that may run one after the other on a processor within lambda, then every plan of makespan
 * lambda has sum of f(c) g(t / lambda) <= 1 (Fekete, Schepers 2004: an instant gives each task its
 * f of a strip of width 1, and the tasks that pass a point of the strip follow each other).
 *
 * Times are shortened by 1e-12 and steps are taken late, so that rounding makes nothing larger.
 */
#ifndef CS_MOLDABLE_DUAL_H
#define CS_MOLDABLE_DUAL_H

#include "moldable/bag.h"

#include <cosched/schedule_file.h>

struct cs_moldable_duals {
    const struct cs_moldable_bag *bag;
    int widths;    /* functions of widths, that of each with each of the first times */
    int times;     /* functions of times; the first ones are the same for every makespan */
    int pairs;     /* a multiple of four */
    int steps;     /* where the others may step, */
    double *step;  /* sorted */
    double *wide;  /* by count and function */
    double *taken; /* by candidate and pair */
    struct cs_dual *of_time;
};

/* Up to `steps` functions of each of two kinds are made for each makespan. */
void cs_moldable_duals_init(struct cs_moldable_duals *duals, const struct cs_moldable_bag *bag,
                            int steps, struct cs_arena *arena);

/* What each candidate takes within lambda, by pair. */
void cs_moldable_duals_take(struct cs_moldable_duals *duals, double lambda);

struct cs_moldable_pair cs_moldable_duals_pair(const struct cs_moldable_duals *duals, int pair);

#endif
