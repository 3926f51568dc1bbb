/* loop.h - the loop of runs: variants x sets x scenarios on worker threads.
 *
 * Each thread has a worker, which owns the memory of a run and uses it again for the next one.  The
 * runs are numbered variant by variant, in it set by set, in it scenario by scenario; what a run
 * writes depends on its number alone, so any number of threads gives the same bytes.  The error of
 * the first run with one, by number, is the error of the loop; runs after it may be missing.  A
 * watch (base/watch.h) cancels the loop.
 */
#ifndef CS_PROBLEM_LOOP_H
#define CS_PROBLEM_LOOP_H

#include <cosched/error.h>
#include <stddef.h>

struct cs_loop_at {
    int variant, set;
    long scenario;
};

/* Called from one thread with the number of finished runs. */
struct cs_study_progress {
    void (*show)(void *who, double done);
    void *who;
};

struct cs_loop {
    int variants, sets; /* less than 1: one */
    long scenarios;     /* of each set */
    int threads;        /* less than 1: one */
    int chunk;          /* runs that a thread takes at a time; 0: one */
    const void *job;
    size_t worker; /* bytes; 0: the worker is the job, which no run changes */
    void *outcome; /* of run (variant * sets + set) * scenarios + scenario, `size` bytes each */
    size_t size;

    /* Prepare a worker, whose bytes are 0.  -1 with err; then it is not ended.  NULL: nothing. */
    int (*begin)(void *worker, const void *job, struct cs_error *err);
    /* Prepare it for the runs of another variant or set.  -1 with err; then it only ends.  NULL:
     * nothing. */
    int (*enter)(void *worker, int variant, int set, struct cs_error *err);
    int (*run)(void *worker, const struct cs_loop_at *at, void *outcome, struct cs_error *err);
    void (*end)(void *worker);                /* or NULL */
    const struct cs_study_progress *progress; /* or NULL */
    double weight;                            /* runs that the progress counts for each; 0: one */
};

int cs_loop_run(const struct cs_loop *loop, struct cs_error *err);

#endif
