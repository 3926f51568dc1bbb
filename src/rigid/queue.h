/* queue.h - waiting jobs by rank, and the first of them that fits.
 *
 * Up to CS_RIGID_QUEUE_BITS jobs: sets of bits, one for "at most the r-th smallest width" for every
 * r and one for "at most the k-th shortest time", so that a question is one AND for every 64 jobs.
 * More jobs, or ranks that change: a tree over the ranks that holds the least width and the least
 * time of those that wait.
 */
#ifndef CS_RIGID_QUEUE_H
#define CS_RIGID_QUEUE_H

#include "rigid/instance.h"

#include <stdbool.h>

#define CS_RIGID_QUEUE_BITS 512

struct cs_rigid_queue {
    const struct cs_rigid_instance *in;
    int waiting; /* how many */
    /* bits */
    int words, widths, times;
    uint64_t *wait;      /* words */
    const int *width;    /* widths, ascending, distinct */
    const double *time;  /* times, ascending, distinct */
    uint64_t *by_width;  /* widths + 1 rows of words: jobs of the r smallest widths */
    uint64_t *by_time;   /* times + 1 rows of words */
    int widest;          /* processors */
    const uint16_t *row; /* row[free], free <= widest: where the row begins in by_width; or NULL */
    double slices_per_second;
    const uint16_t *guess; /* of the row of by_time, by slice */
    /* tree */
    int leaves;
    int *least_procs;
    double *least_seconds;
    bool *moved; /* leaves, for new ranks */
};

/* Nobody waits. */
void cs_rigid_queue_init(struct cs_rigid_queue *queue, const struct cs_rigid_instance *in,
                         struct cs_arena *arena);

/* All jobs wait. */
void cs_rigid_queue_fill(struct cs_rigid_queue *queue);

void cs_rigid_queue_add(struct cs_rigid_queue *queue, int rank);
void cs_rigid_queue_remove(struct cs_rigid_queue *queue, int rank);
/* The instance's ranks have changed: what had rank k has rank[k].  For instances that learn. */
void cs_rigid_queue_rerank(struct cs_rigid_queue *queue, const int *rank);
bool cs_rigid_queue_has(const struct cs_rigid_queue *queue, int rank);

int cs_rigid_queue_next_in_tree(const struct cs_rigid_queue *queue, int from);

/* The lowest waiting rank from `from` on; -1 for none. */
static inline int cs_rigid_queue_next(const struct cs_rigid_queue *queue, int from)
{
    int w = from / 64;
    uint64_t bits;

    if (queue->leaves)
        return cs_rigid_queue_next_in_tree(queue, from);
    if (w >= queue->words)
        return -1;
    bits = queue->wait[w] & UINT64_MAX << (from % 64);
    while (!bits) {
        if (++w == queue->words)
            return -1;
        bits = queue->wait[w];
    }
    return 64 * w + __builtin_ctzll(bits);
}

/* Take out, in rank order, every job that fits in what is still free; ranks go to start[].  Returns
 * how many. */
int cs_rigid_queue_take_fitting(struct cs_rigid_queue *queue, int free, int *start);

/* The same behind a reservation at `shadow`: a job must end by then, started now, or fit in the
 * `extra` processors that the reservation leaves. */
int cs_rigid_queue_take_backfill(struct cs_rigid_queue *queue, double now, int free, double shadow,
                                 int extra, int *start);

/* The lowest waiting rank from `from` on that could run from now on when from time[s] on, until
 * time[s + 1], free[s] processors are free: `steps` of them, the first is now, the last is for
 * ever. -1 for none. */
int cs_rigid_queue_first_under(const struct cs_rigid_queue *queue, int from, const double *time,
                               const int *free, int steps);

#endif
