/* arrivals.h - jobs that arrive over time, drawn from published models of the load of machines, and
 * sequences of jobs cut from a log (spec/science.md 9). */
#ifndef CS_QUEUE_ARRIVALS_H
#define CS_QUEUE_ARRIVALS_H

#include <cosched/error.h>

#include <stdint.h>

enum cs_lublin_model {
    CS_LUBLIN_ALL,   /* jobs without types */
    CS_LUBLIN_BATCH, /* batch jobs */
};

struct cs_lublin {
    enum cs_lublin_model model;
    int procs;         /* of the machine, at least 2 */
    double gap_factor; /* gaps between arrivals are multiplied by it; above 0 */
    int start_hour;    /* the hour of the day at date 0, 0 .. 23 */
    uint64_t seed, set;
};

struct cs_lublin_job {
    int64_t submit, seconds;
    int procs;
};

#define CS_LUBLIN_SLOTS 48 /* half hours of a day */

/* The weight of each half hour from midnight on; their mean is 1. */
void cs_lublin_weights(enum cs_lublin_model model, double weight[CS_LUBLIN_SLOTS]);

/* Jobs 0 .. count - 1; the first ones do not depend on the count. */
void cs_lublin_draw(const struct cs_lublin *how, int count, struct cs_lublin_job *job);

/* Requested times as users choose them: few round values, most jobs far below theirs. */
struct cs_estimates {
    int64_t largest; /* seconds, at least CS_ESTIMATES_LEAST */
    uint64_t seed, set;
};
#define CS_ESTIMATES_LEAST 3600
#define CS_ESTIMATES_BINS 600 /* room for the bins of any histogram */

struct cs_estimates_bin {
    int64_t seconds, jobs;
};

/* How many jobs of `count` request which time, by rising time; returns the number of bins. */
int cs_estimates_histogram(const struct cs_estimates *how, int count,
                           struct cs_estimates_bin bin[CS_ESTIMATES_BINS]);

/* An estimate for each job, not below its time; *cut: jobs whose time is longer than the largest,
 * which receive that.  -1 with err when too many jobs are long. */
int cs_estimates_assign(const struct cs_estimates *how, int count, const int64_t *seconds,
                        int64_t *estimate, int *cut, struct cs_error *err);

/* Average parallelism and sigma of each job for the speedups of Downey (model/profile.h). */
struct cs_downey_job {
    double parallelism, sigma;
};
void cs_downey_draw(uint64_t seed, uint64_t set, int procs, int count, struct cs_downey_job *job);

/* The first jobs of `count` sequences of `length` jobs out of `total`, as RLScheduler draws its
 * tests; -1 with err when total is less than 2 length + 2. */
int cs_sequences_draw(uint64_t seed, int64_t total, int64_t length, int count, int64_t *start,
                      struct cs_error *err);

#endif
