/* batches.c - batch means of a stream: confidence interval of a mean of correlated values.
 *
 * Source: spec/replay.md 10.3 (confidence): the method of batch means.
 *
 * Idea: values go to batches of equal size by their place; when CS_QUEUE_BATCHES would not be
 * enough, neighbours are joined and the size doubles.  In the end batches are joined until at most
 * MOST are complete; their means give a Student interval and a lag-1 autocorrelation.
 *
 * Invariants: the size is a power of two times the first size; a join adds neighbours, so sums are
 * those of all values in the batch.
 *
 * Complexity: O(1) for each value (amortised), fixed memory.
 *
 * Constant                                         | found               | at half, at double
 * MOST: 40 batches in the end                      | spec/replay.md 10.3 | not measured
 * FEWEST: 40 values, fewer give no interval        | spec/replay.md 10.3 | not measured
 * CS_QUEUE_BATCHES: 80 batches while values arrive | spec/replay.md 10.3 | not measured
 */
#include "problems/queue/measures.h"

#include "base/stats.h"

#include <math.h>

#define MOST 40
#define FEWEST 40

static void batches_join(struct cs_queue_batches *b)
{
    for (int i = 0; i < CS_QUEUE_BATCHES / 2; i++) {
        b->sum[i] = b->sum[2 * i] + b->sum[2 * i + 1];
        b->full[i] = b->full[2 * i] + b->full[2 * i + 1];
    }
    for (int i = CS_QUEUE_BATCHES / 2; i < CS_QUEUE_BATCHES; i++) {
        b->sum[i] = 0;
        b->full[i] = 0;
    }
    b->size *= 2;
}

void cs_queue_batches_add(struct cs_queue_batches *b, int64_t place, double value)
{
    while (place / b->size >= CS_QUEUE_BATCHES)
        batches_join(b);
    b->sum[place / b->size] += value;
    b->full[place / b->size]++;
    b->count++;
}

/* The mean of neighbours' products of distances to the mean, over that of squares. */
static double batches_autocorrelation(const double *x, int n, double mean)
{
    double products = 0, squares = 0;

    for (int i = 0; i < n; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
        if (i + 1 < n)
            products += (x[i] - mean) * (x[i + 1] - mean);
    }
    return squares > 0 ? products / squares : 0;
}

struct cs_queue_confidence cs_queue_batches_finish(struct cs_queue_batches *b)
{
    struct cs_stats stats = {0};
    double mean[MOST];
    int n;

    if (b->count < FEWEST)
        return (struct cs_queue_confidence){0, 0, NAN, NAN};
    while (b->count / b->size > MOST)
        batches_join(b);
    n = (int)(b->count / b->size);
    for (int i = 0; i < n; i++) {
        mean[i] = b->sum[i] / (double)b->size;
        cs_stats_add(&stats, mean[i]);
    }
    return (struct cs_queue_confidence){
        .batch = b->size,
        .count = n,
        .half = n > 1
                    ? cs_stats_student(0.95, (uint64_t)n - 1) * sqrt(cs_stats_variance(&stats) / n)
                    : NAN,
        .related = batches_autocorrelation(mean, n, stats.mean),
    };
}
