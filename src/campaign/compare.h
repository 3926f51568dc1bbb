/* compare.h - the values of a parameter compared over the replicates of a campaign: tables of
 * paired differences and ranks, as JSON and as a critical-difference diagram (docs/spec/science.md,
 * 7).
 */
#ifndef CS_CAMPAIGN_COMPARE_H
#define CS_CAMPAIGN_COMPARE_H

#include "base/arena.h"
#include "base/json.h"
#include "base/strbuf.h"

#include <cosched/error.h>
#include <stdbool.h>

struct cs_compare_metric {
    const char *name;
    bool smaller; /* smaller is better */
    const double
        *number; /* [(condition * values + value) * replicates + replicate]; NaN: missing */
};

struct cs_compare {
    const char *by;
    int values, conditions, replicates, metrics;
    json_t *const *value;     /* of the parameter, in the order of the experiment */
    json_t *const *condition; /* objects: the other parameters that vary */
    const struct cs_compare_metric *metric;
    int reference; /* a value; -1: all pairs */
    double confidence;
    json_t *notes; /* texts; may be NULL */
};

/* Append the tables as JSON (docs/spec/science.md, 12.1). */
void cs_compare_put(const struct cs_compare *compare, struct cs_strbuf *out);

/* Append a value of a parameter as text. */
void cs_compare_put_value(const json_t *value, struct cs_strbuf *out);

/* Append the critical-difference diagram of a metric as SVG, 17 cm wide. -1 with err if it has no
 * ranks: with two values, or without a complete block. */
int cs_compare_draw(const struct cs_compare *compare, int metric, struct cs_strbuf *out,
                    struct cs_error *err);

#endif
