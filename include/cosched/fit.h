/* fit.h - formulas from measured times.
 *
 * Two models of the time on p processors are fitted to the measured points of a task,
 *
 *     Amdahl                seq_time (f + (1 - f) / p)
 *     Amdahl plus overhead  seq_time (f + (1 - f) / p + overhead log2 p)
 *
 * with 0 <= f <= 1 and overhead >= 0, so that the sum of the squares of the relative errors
 * (model - measured) / measured is least.  Both are linear in seq_time f, seq_time (1 - f) and
 * seq_time overhead: non-negative least squares, solved exactly by trying every set of terms.
 *
 * Which of the two is better is asked of points that were left out: each in turn (at most
 * 200 of them, evenly spread) is predicted from all others.  A good fit of the points in
 * hand says little: the model with more terms always fits them at least as well.
 */
#ifndef COSCHED_FIT_H
#define COSCHED_FIT_H

#include <cosched/error.h>
#include <cosched/profile.h>
#include <cosched/workload.h>
#include <stdbool.h>

CS_BEGIN_DECLS

struct cs_fit_model {
    bool known;                /* there are enough points: 1 for Amdahl, 3 with overhead */
    struct cs_profile profile; /* kind AMDAHL or OVERHEAD */
    double rms;                /* root mean square relative error at the points */
    double worst;              /* the largest relative error in size ... */
    int worst_procs;           /* ... and where it is */
    double left_out;           /* root mean square relative error at points left out; NaN when
                                  there are too few: less than 3, with overhead less than 4 */
};

#define CS_FIT_WHY 160

struct cs_fit {
    int points;
    struct cs_fit_model amdahl, overhead;
    enum cs_profile_kind better; /* AMDAHL or OVERHEAD */
    char why[CS_FIT_WHY];        /* the reason in words; what is missing when points are few */
};

/* Fit both models to a measured profile (TABLE or POINTS).  -1 with err for a formula, a
 * profile without a finite time, or times that differ by more than double precision holds. */
CS_API int cs_fit_profile(const struct cs_profile *profile, struct cs_fit *fit,
                          struct cs_error *err);

enum cs_fit_use { CS_FIT_BETTER, CS_FIT_AMDAHL, CS_FIT_OVERHEAD };

/* A workload of the same tasks with formulas: the better one of each, or one kind for all
 * (with CS_FIT_OVERHEAD a task of fewer than 3 points still gets Amdahl).  fit[] receives
 * what was found for each task.  The caller destroys it; NULL with err on failure. */
CS_API struct cs_workload *cs_fit_workload(const struct cs_workload *measured, enum cs_fit_use use,
                                           struct cs_fit *fit, struct cs_error *err);

CS_END_DECLS

#endif
