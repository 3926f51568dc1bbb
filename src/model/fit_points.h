/* fit_points.h - what was measured of a task, as a fit takes it. */
#ifndef CS_MODEL_FIT_POINTS_H
#define CS_MODEL_FIT_POINTS_H

#include "base/arena.h"

#include <cosched/error.h>
#include <cosched/profile.h>

struct cs_fit_points {
    int count, runs; /* counts measured, measurements */
    int *procs;
    double *seconds; /* means of runs, in units of `unit` */
    double *weight;  /* of the square of the relative error at the mean: about the runs */
    double unit;     /* the largest mean */
    double within;   /* weighted squares of relative errors of runs from their means */
    double spread;   /* relative standard deviation of runs of one count; NaN: none was repeated */
};

/* -1 with err for a formula and for a profile without a finite time. */
int cs_fit_points_read(const struct cs_profile *profile, struct cs_fit_points *points,
                       struct cs_arena *arena, struct cs_error *err);

#endif
