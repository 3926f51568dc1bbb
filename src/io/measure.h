/* measure.h - measured times as profiles. */
#ifndef CS_IO_MEASURE_H
#define CS_IO_MEASURE_H

#include "base/arena.h"
#include "base/strbuf.h"

#include <cosched/workload.h>
#include <stdint.h>

struct cs_measure {
    int task, procs;
    double seconds;
    const uint32_t *other; /* digests of the columns that are not read; or NULL */
};

/* Make profile[task] a profile of points for every task that has a measure; its arrays are in the
 * arena. Of several times of a task on the same number of processors one counts, selected by the
 * options: the smallest is the usual choice, since noise only ever adds. All are kept. Sorts the
 * measures. */
void cs_measure_profiles(struct cs_measure *measure, size_t count,
                         const struct cs_workload_options *options, struct cs_profile *profile,
                         struct cs_arena *arena);

/* Appends the columns in which the runs from `first` to `end` differ. */
struct cs_measure_columns {
    void (*put)(const void *who, size_t first, size_t end, struct cs_strbuf *out);
    const void *who;
};

/* Append a line, beginning with the name of the file, for each task whose sorted measures cannot
 * all be right (spec/bag.md 12.3): a time that falls by more than twice what processors explain,
 * runs of one count that differ by more than a factor of 2.  `columns` may be NULL. */
void cs_measure_put_caveats(const struct cs_measure *measure, size_t count, const char *const *name,
                            const char *file, const struct cs_measure_columns *columns,
                            struct cs_strbuf *out);

#endif
