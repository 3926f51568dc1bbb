/* fit_interval.h - how far the parameters of a fit may be from where they are. */
#ifndef CS_MODEL_FIT_INTERVAL_H
#define CS_MODEL_FIT_INTERVAL_H

#include "model/fit_solve.h"

#define CS_FIT_EXPONENT_LOW -0.9
#define CS_FIT_EXPONENT_HIGH 3.0

/* Intervals of all parameters of a model with these best weights; `error` may be what is left
 * of the counts (weights->error).  NaN without degrees of freedom. */
void cs_fit_intervals(const struct cs_fit_points *points, enum cs_fit_kind kind,
                      const struct cs_fit_weights *weights, double *scratch,
                      struct cs_fit_interval *interval);

#endif
