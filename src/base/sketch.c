/* sketch.c - values, then buckets in ascending order. */
#include "base/sketch.h"

#include "base/guard.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int sketch_find(const struct cs_sketch *s, int number)
{
    int low = 0, high = s->buckets;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (s->bucket[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sketch_count(struct cs_sketch *s, double value)
{
    int number, at;

    if (!(value > 0)) {
        s->zeros++;
        return;
    }
    number = (int)floor(128 * log2(value));
    at = sketch_find(s, number);
    if (at == s->buckets || s->bucket[at].number != number) {
        CS_BLOCK_ROOM(s->bucket, s->buckets, s->bucket_room, 64);
        memmove(s->bucket + at + 1, s->bucket + at, (size_t)(s->buckets - at) * sizeof *s->bucket);
        s->bucket[at] = (struct cs_sketch_bucket){number, 0};
        s->buckets++;
    }
    s->bucket[at].count++;
}

static void sketch_pack(struct cs_sketch *s)
{
    for (int64_t i = 0; i < s->count; i++)
        sketch_count(s, s->value[i]);
    cs_block_free(s->value);
    s->value = NULL;
    s->packed = true;
}

void cs_sketch_add(struct cs_sketch *s, double value)
{
    s->min = s->count && s->min < value ? s->min : value;
    s->max = s->count && s->max > value ? s->max : value;
    if (!s->packed && s->count == s->most)
        sketch_pack(s);
    if (s->packed) {
        sketch_count(s, value);
    } else {
        CS_BLOCK_ROOM(s->value, s->count, s->room, 16);
        s->value[s->count] = value;
        s->sorted = false;
    }
    s->count++;
}

void cs_sketch_release(struct cs_sketch *s)
{
    cs_block_free(s->value);
    cs_block_free(s->bucket);
    *s = (struct cs_sketch){.most = s->most};
}

static int sketch_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void sketch_sort(struct cs_sketch *s)
{
    if (!s->sorted && s->value)
        qsort(s->value, (size_t)s->count, sizeof *s->value, sketch_ascending);
    s->sorted = true;
}

static double sketch_within(const struct cs_sketch *s, int number)
{
    return fmax(s->min, fmin(s->max, exp2((number + 0.5) / 128)));
}

double cs_sketch_quantile(struct cs_sketch *s, double q)
{
    int64_t rank = (int64_t)ceil(q * (double)s->count);

    if (s->count == 0)
        return NAN;
    rank = rank < 1 ? 1 : rank > s->count ? s->count : rank;
    if (!s->packed) {
        sketch_sort(s);
        return s->value[rank - 1];
    }
    if (rank == s->count)
        return s->max;
    rank -= s->zeros;
    for (int i = 0; i < s->buckets && rank > 0; i++) {
        rank -= s->bucket[i].count;
        if (rank <= 0)
            return sketch_within(s, s->bucket[i].number);
    }
    return fmax(s->min, 0);
}

double cs_sketch_share(struct cs_sketch *s, double value)
{
    int64_t below = 0, low = 0, high = s->count;

    if (s->count == 0)
        return NAN;
    if (s->packed) {
        below = value >= 0 ? s->zeros : 0;
        for (int i = 0; i < s->buckets && sketch_within(s, s->bucket[i].number) <= value; i++)
            below += s->bucket[i].count;
        return (double)below / (double)s->count;
    }
    sketch_sort(s);
    while (low < high) {
        const int64_t middle = (low + high) / 2;

        if (s->value[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low / (double)s->count;
}

bool cs_sketch_packed(const struct cs_sketch *s)
{
    return s->packed;
}

void cs_neumaier_add(struct cs_neumaier *s, double value)
{
    const double sum = s->sum + value;

    s->lost += fabs(s->sum) >= fabs(value) ? (s->sum - sum) + value : (value - sum) + s->sum;
    s->sum = sum;
}

double cs_neumaier(const struct cs_neumaier *s)
{
    return s->sum + s->lost;
}
