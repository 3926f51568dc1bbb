/* sketch.h - quantiles of very many numbers in little memory.
 *
 * Up to a number of values they are exact: the ceil(q n)-th smallest.  Beyond, positive values fall
 * into 128 buckets a factor of two (bucket floor(128 log2 v), whose value is its geometric middle,
 * within the extremes), which is wrong by less than 0.3 %; values of 0 or less stay as they are
 * counted, as 0.  What comes out does not depend on the order of what came in.
 */
#ifndef CS_BASE_SKETCH_H
#define CS_BASE_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

struct cs_sketch_bucket {
    int number;
    int64_t count;
};

/* Start with { .most = N }, end with release. */
struct cs_sketch {
    int64_t most; /* values that are kept one by one */
    int64_t count;
    double min, max;
    /* private */
    double *value;
    int64_t room, zeros;
    bool sorted, packed;
    struct cs_sketch_bucket *bucket;
    int buckets, bucket_room;
};

void cs_sketch_add(struct cs_sketch *sketch, double value);
void cs_sketch_release(struct cs_sketch *sketch);

/* NaN for no values. */
double cs_sketch_quantile(struct cs_sketch *sketch, double q);

/* The share of values that are at most `value`; NaN for no values. */
double cs_sketch_share(struct cs_sketch *sketch, double value);

/* Whether quantiles are approximate. */
bool cs_sketch_packed(const struct cs_sketch *sketch);

/* Numbers added up with what rounding took (Neumaier 1974).  Start with { 0 }. */
struct cs_neumaier {
    double sum, lost;
};

void cs_neumaier_add(struct cs_neumaier *sum, double value);
double cs_neumaier(const struct cs_neumaier *sum);

#endif
