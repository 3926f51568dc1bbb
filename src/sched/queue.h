/* queue.h - waiting jobs, the most urgent first, and the first of them that fits.
 *
 * A batch of up to CS_SCHED_QUEUE_BITS jobs: sets of bits, one for "at most the r-th smallest
 * width" for every r and one for "at most the k-th shortest time", so that a query is one AND
 * for every 64 jobs.  More jobs, or ranks that change: a tree over the ranks (queue.c).  Where
 * jobs arrive: a line (wait_queue.h).
 */
#ifndef CS_SCHED_QUEUE_H
#define CS_SCHED_QUEUE_H

#include "sched/wait_queue.h"

#include <stdbool.h>

#define CS_SCHED_TREE_BLOCK 8
#define CS_SCHED_TREE_CLASSES 16

struct cs_sched_tree_least {
    float seconds[CS_SCHED_TREE_CLASSES]; /* not above the least time; INFINITY if empty */
    int procs;                            /* INT_MAX if empty */
};

struct cs_sched_tree {
    const struct cs_sched_instance *in;
    int blocks;                             /* a power of two */
    uint16_t *waits;                        /* by block: bits of its ranks */
    float *seconds;                         /* by rank: not above the time */
    uint8_t *class;                         /* by rank */
    int class_least[CS_SCHED_TREE_CLASSES]; /* ascending: the least width of the class */
    struct cs_sched_tree_least *least;      /* least[blocks + b]: block b; least[1]: all */
};

static inline bool cs_sched_tree_has(const struct cs_sched_tree *tree, int rank)
{
    return tree->waits[rank / CS_SCHED_TREE_BLOCK] >> (rank % CS_SCHED_TREE_BLOCK) & 1;
}

#define CS_SCHED_QUEUE_BITS 512
#define CS_SCHED_QUEUE_SLICES 256 /* of the longest time, in the table of guesses */

enum cs_sched_queue_kind { CS_SCHED_QUEUE_OF_BITS, CS_SCHED_QUEUE_OF_TREE, CS_SCHED_QUEUE_OF_LINE };

struct cs_sched_queue {
    const struct cs_sched_instance *in;
    enum cs_sched_queue_kind kind;
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
    struct cs_sched_tree tree;
    bool *moved; /* by rank, for new ranks */
    /* line */
    struct cs_wait_queue line;
};

/* The queue is empty. */
void cs_sched_queue_init(struct cs_sched_queue *queue, const struct cs_sched_instance *in,
                         struct cs_arena *arena);

/* The state at the begin of a scenario: in a batch all jobs wait, where jobs arrive none. */
void cs_sched_queue_fill(struct cs_sched_queue *queue);

void cs_sched_queue_add(struct cs_sched_queue *queue, int ticket);
void cs_sched_queue_remove(struct cs_sched_queue *queue, int ticket);
bool cs_sched_queue_has(const struct cs_sched_queue *queue, int ticket);
/* The instance's ranks have changed: what had rank k has rank[k].  For instances that learn. */
void cs_sched_queue_rerank(struct cs_sched_queue *queue, const int *rank);

/* For policies whose state begins with a queue: their callbacks (policy.h). */
void cs_sched_queue_begin(void *state);
void cs_sched_queue_waits(void *state, int ticket); /* arrived, or failed */
void cs_sched_queue_withdrawn(void *state, int ticket);
void cs_sched_queue_reranked(void *state, const int *rank);

/* A cursor is { 0, 0 } at the most urgent job; `at` one more is behind that job, and stays
 * there when the job is removed. */
static inline struct cs_sched_cursor cs_sched_queue_find(const struct cs_sched_queue *queue,
                                                         const struct cs_sched_place *place)
{
    if (queue->kind == CS_SCHED_QUEUE_OF_LINE)
        return cs_wait_queue_find(&queue->line, place);
    return (struct cs_sched_cursor){0, (int)place->number};
}

int cs_sched_queue_at_elsewhere(const struct cs_sched_queue *queue, struct cs_sched_cursor *cursor);

/* The ticket of the first waiting job from the cursor on, which moves to it; -1 for none. */
static inline int cs_sched_queue_at(const struct cs_sched_queue *queue,
                                    struct cs_sched_cursor *cursor)
{
    int w = cursor->at / 64;
    uint64_t bits;

    if (queue->kind != CS_SCHED_QUEUE_OF_BITS)
        return cs_sched_queue_at_elsewhere(queue, cursor);
    if (w >= queue->words)
        return -1;
    bits = queue->wait[w] & UINT64_MAX << (cursor->at % 64);
    while (!bits) {
        if (++w == queue->words)
            return -1;
        bits = queue->wait[w];
    }
    return cursor->at = 64 * w + __builtin_ctzll(bits);
}

/* The most urgent; -1 for none. */
static inline int cs_sched_queue_head(const struct cs_sched_queue *queue)
{
    struct cs_sched_cursor first = {0, 0};

    return cs_sched_queue_at(queue, &first);
}

/* The job at the cursor leaves the queue. */
void cs_sched_queue_remove_at(struct cs_sched_queue *queue, struct cs_sched_cursor cursor);

bool cs_sched_queue_any_fits(const struct cs_sched_queue *queue, int free);

int cs_sched_queue_take_fitting_bits(struct cs_sched_queue *queue, int free, int *start);
int cs_sched_queue_take_fitting_elsewhere(struct cs_sched_queue *queue, int free, int *start);

/* Take out, in order, every job that fits in what is still free; tickets go to start[].  Returns
 * how many. */
static inline int cs_sched_queue_take_fitting(struct cs_sched_queue *queue, int free, int *start)
{
    return queue->row ? cs_sched_queue_take_fitting_bits(queue, free, start)
                      : cs_sched_queue_take_fitting_elsewhere(queue, free, start);
}

/* The same behind a reservation at `shadow`: a job must end by then, started now, or fit in the
 * `extra` processors that the reservation leaves. */
int cs_sched_queue_take_backfill(struct cs_sched_queue *queue, double now, int free, double shadow,
                                 int extra, int *start);

/* The first waiting job from the cursor on, which moves to it, that could run from now on if
 * free[s] processors are free from time[s] until time[s + 1]: `steps` of them, the first is now,
 * the last is for ever.  -1 for none.  For a queue of bits. */
int cs_sched_queue_first_under(const struct cs_sched_queue *queue, struct cs_sched_cursor *cursor,
                               const double *time, const int *free, int steps);

/* The same for a falling step function and any queue. */
int cs_sched_queue_first_below(const struct cs_sched_queue *queue, struct cs_sched_cursor *cursor,
                               const struct cs_sched_step_function *free_steps);

#endif
