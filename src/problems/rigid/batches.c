/* batches.c - batch means while values come: when there would be too many, neighbours are joined.
 */
#include "problems/rigid/measures.h"

#include "base/stats.h"

#include <math.h>

#define MOST 40
#define FEWEST 40

static void batches_join(struct cs_rigid_batches *b)
{
    for (int i = 0; i < CS_RIGID_BATCHES / 2; i++) {
        b->sum[i] = b->sum[2 * i] + b->sum[2 * i + 1];
        b->full[i] = b->full[2 * i] + b->full[2 * i + 1];
    }
    for (int i = CS_RIGID_BATCHES / 2; i < CS_RIGID_BATCHES; i++) {
        b->sum[i] = 0;
        b->full[i] = 0;
    }
    b->size *= 2;
}

void cs_rigid_batches_add(struct cs_rigid_batches *b, int64_t place, double value)
{
    while (place / b->size >= CS_RIGID_BATCHES)
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

struct cs_rigid_confidence cs_rigid_batches_finish(struct cs_rigid_batches *b)
{
    struct cs_stats stats = {0};
    double mean[MOST];
    int n;

    if (b->count < FEWEST)
        return (struct cs_rigid_confidence){0, 0, NAN, NAN};
    while (b->count / b->size > MOST)
        batches_join(b);
    n = (int)(b->count / b->size);
    for (int i = 0; i < n; i++) {
        mean[i] = b->sum[i] / (double)b->size;
        cs_stats_add(&stats, mean[i]);
    }
    return (struct cs_rigid_confidence){
        .batch = b->size,
        .count = n,
        .half = n > 1
                    ? cs_stats_student(0.95, (uint64_t)n - 1) * sqrt(cs_stats_variance(&stats) / n)
                    : NAN,
        .related = batches_autocorrelation(mean, n, stats.mean),
    };
}
