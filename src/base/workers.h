/* workers.h - independent runs, distributed over threads.
 *
 * Every thread has a worker, which owns what a run needs and uses it again for the next. The output
 * of a run depends on its number alone, so any number of threads gives the same bytes. The error of
 * the first run that has one, by number, is reported; runs after it may be missing.
 *
 *     const struct cs_workers share = {
 *         .runs = study->scenarios, .threads = study->threads,
 *         .size = sizeof(struct worker), .begin = begin, .run = run, .end = end, .job = &job};
 *     return cs_workers_run(&share, err);
 */
#ifndef CS_BASE_WORKERS_H
#define CS_BASE_WORKERS_H

#include <cosched/error.h>
#include <stddef.h>

struct cs_workers {
    long runs;   /* numbered from 0 */
    int threads; /* less than 1: one */
    int chunk;   /* runs that a thread takes at a time; 0: one */
    size_t size; /* bytes of a worker */
    const void *job;

    /* Prepare a worker, whose bytes are 0.  -1 with err; then it is not ended. */
    int (*begin)(void *worker, const void *job, struct cs_error *err);
    int (*run)(void *worker, long run, struct cs_error *err); /* -1 with err */
    void (*end)(void *worker);                                /* or NULL */

    /* How many runs are done, now and then and from one thread; or NULL. */
    void (*progress)(void *who, long done);
    void *who;
};

int cs_workers_run(const struct cs_workers *share, struct cs_error *err);

#endif
