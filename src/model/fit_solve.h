/* fit_solve.h - least squares of few terms whose weights are not negative.
 *
 * The terms of a model are 1, 1 / p and one that grows; however many counts there are, their
 * columns and the measured times are rotated into four rows once (Householder), which keeps all
 * lengths and angles: every problem after that is one of four rows. */
#ifndef CS_MODEL_FIT_SOLVE_H
#define CS_MODEL_FIT_SOLVE_H

#include "model/fit_points.h"

#include <cosched/fit.h>

#define CS_FIT_TERMS 3

struct cs_fit_rows {
    double term[CS_FIT_TERMS][4]; /* by term, then row */
    double right[4];
    int terms; /* 2 without one that grows */
};

struct cs_fit_weights {
    double term[CS_FIT_TERMS]; /* seq_time f, seq_time (1 - f), seq_time overhead */
    double exponent;
    double error; /* weighted squares of relative errors; +inf: no solution */
};

/* What grows with the count: 1 at one processor or 0, by the kind of model. */
double cs_fit_growth(enum cs_fit_kind kind, double exponent, int procs);

/* Point `skip` is left out (-1: none).  `scratch` holds 4 * count numbers. */
void cs_fit_rows_make(const struct cs_fit_points *points, enum cs_fit_kind kind, double exponent,
                      int skip, double *scratch, struct cs_fit_rows *rows);

/* The best weights of which some sequential time is left; the exponent is not set. */
struct cs_fit_weights cs_fit_rows_solve(const struct cs_fit_rows *rows);

/* The least error when one parameter (not the exponent) has a value: a lower limit of it when
 * no sequential time is left. */
double cs_fit_rows_constrained(const struct cs_fit_rows *rows, enum cs_fit_parameter_name parameter,
                               double value);

#endif
