/* measure.c - measures sorted by (task, processors, seconds), the first of equals kept. */
#include "io/measure.h"

#include <stdbool.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct cs_measure *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->procs != y->procs)
        return x->procs < y->procs ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void cs_measure_profiles(struct cs_measure *measure, size_t count,
                         const struct cs_workload_options *options, struct cs_profile *profile,
                         struct cs_arena *arena)
{
    int *procs = CS_NEW_ARRAY(arena, int, count);
    double *seconds = CS_NEW_ARRAY(arena, double, count);
    size_t kept = 0;

    if (count)
        qsort(measure, count, sizeof *measure, compare);
    for (size_t i = 0; i < count; i++) {
        struct cs_profile *p = &profile[measure[i].task];
        bool first = i == 0 || measure[i].task != measure[i - 1].task;

        if (!first && measure[i].procs == measure[i - 1].procs)
            continue;
        if (first)
            *p = (struct cs_profile){
                .kind = CS_PROFILE_POINTS,
                .fill = options->fill,
                .fewer = options->fewer,
                .procs = procs + kept,
                .seconds = seconds + kept,
            };
        procs[kept] = measure[i].procs;
        seconds[kept++] = measure[i].seconds;
        p->count++;
    }
}
