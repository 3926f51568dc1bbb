/* measure.h - measured times as profiles. */
#ifndef CS_IO_MEASURE_H
#define CS_IO_MEASURE_H

#include "base/arena.h"

#include <cosched/workload.h>
#include <stdint.h>

struct cs_measure {
    int task, procs;
    double seconds;
    const uint32_t *other; /* what the columns say that are not read, as digests; or NULL */
};

/* Make profile[task] a profile of points for every task that has a measure; its arrays are in
 * the arena.  Of several times of a task on the same number of processors one counts, which the
 * options say: the smallest is the usual choice, since noise only ever adds.  All are kept.  Sorts
 * the measures. */
void cs_measure_profiles(struct cs_measure *measure, size_t count,
                         const struct cs_workload_options *options, struct cs_profile *profile,
                         struct cs_arena *arena);

#endif
