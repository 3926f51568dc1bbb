/* profile.h - how long a moldable task takes on a number of processors.
 *
 * A profile is what somebody measured or modelled, before any repair:
 *
 *     TABLE     seconds[j - 1] for j = 1 .. count; +inf where it cannot run.
 *     POINTS    measured at procs[0] < procs[1] < ... < procs[count - 1] only, on some of them
 *               perhaps several times.
 *               Between two points the time follows the power law through both
 *               (a straight line on log-log paper): if the two satisfy Equations
 *               (1) and (2) of Aupy et al., so does every value between them.
 *               Beyond the last point the time stays; below the first see `fewer`.
 *     AMDAHL    seq_time * (seq_fraction + (1 - seq_fraction) / j).
 *     OVERHEAD  seq_time * (seq_fraction + (1 - seq_fraction) / j + overhead * log2 j).
 *     COMMUNICATION  seq_fraction * seq_time + ((1 - seq_fraction) * seq_time + overhead) / j, the
 *               overhead in seconds (Equation (10) of Benoit, Pottier, Robert).
 *     UNIVERSAL seq_time * (seq_fraction + (1 - seq_fraction) / j + overhead * (j - 1)): Gunther's
 *               universal scalability law, of a job of fixed size.
 *     POWER     seq_time * (seq_fraction + (1 - seq_fraction) / j + overhead * j ^ exponent).
 *
 * Times are in seconds, counts in processors.
 */
#ifndef COSCHED_PROFILE_H
#define COSCHED_PROFILE_H

#include <cosched/export.h>

CS_BEGIN_DECLS

enum cs_profile_kind {
    CS_PROFILE_TABLE = 1,
    CS_PROFILE_POINTS,
    CS_PROFILE_AMDAHL,
    CS_PROFILE_OVERHEAD,
    CS_PROFILE_COMMUNICATION,
    CS_PROFILE_UNIVERSAL,
    CS_PROFILE_POWER,
};

/* What holds between measured points: the power law, or the time at the next
 * smaller measured count (only what was really seen). */
enum cs_profile_fill { CS_FILL_POWER, CS_FILL_STEP };

/* What holds below the smallest measured count a: the task cannot run there
 * (it may not fit), or it takes a * t(a) / j, the largest time that Equation
 * (2) allows. */
enum cs_profile_fewer { CS_FEWER_REFUSE, CS_FEWER_SCALE };

/* Which of several times that were measured on one count is the count's. */
enum cs_profile_times { CS_TIMES_MIN, CS_TIMES_MEDIAN, CS_TIMES_MAX };

struct cs_profile {
    enum cs_profile_kind kind;
    enum cs_profile_fill fill;   /* POINTS */
    enum cs_profile_fewer fewer; /* POINTS */
    int count;                   /* TABLE, POINTS: entries below */
    const int *procs;            /* POINTS: strictly increasing, from 1 */
    const double *seconds;       /* TABLE, POINTS: positive; TABLE: +inf allowed */
    enum cs_profile_times times; /* POINTS: how seconds was chosen of the runs */
    const int *runs;             /* POINTS: how often each count was measured; NULL: once each */
    const double *run;           /* POINTS: all of those times, rising for each count; or NULL */
    double seq_time;             /* formulas: positive, finite */
    double seq_fraction;         /* formulas: 0 .. 1 */
    double overhead;             /* formulas but AMDAHL: not negative, finite */
    double exponent;             /* POWER: -1 .. 10 */
};

/* Where the time on a count comes from. */
enum cs_time_origin {
    CS_ORIGIN_MEASURED = 1, /* a row of timings, a point, an entry of a table */
    CS_ORIGIN_MODELLED,     /* a formula */
    CS_ORIGIN_INTERPOLATED, /* between two measured counts, by the power law */
    CS_ORIGIN_SCALED,       /* below the smallest measured count */
};

/* "measured", "modelled", "interpolated", "scaled". */
CS_API const char *cs_time_origin_name(enum cs_time_origin origin);

/* Of the time that cs_profile_time gives for a count. */
CS_API enum cs_time_origin cs_profile_origin(const struct cs_profile *profile, int procs);

/* The time on j >= 1 processors as the profile gives it, not repaired.  A TABLE
 * is padded with its last entry. */
CS_API double cs_profile_time(const struct cs_profile *profile, int procs);

CS_END_DECLS

#endif
