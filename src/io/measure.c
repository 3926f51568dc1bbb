/* measure.c - measures sorted by (task, processors, seconds); those of one count are its runs. */
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

static bool same_point(const struct cs_measure *a, const struct cs_measure *b)
{
    return a->task == b->task && a->procs == b->procs;
}

/* The one of `count` rising times that counts. */
static double measure_choose(const struct cs_measure *run, size_t count,
                             enum cs_profile_times times)
{
    if (times == CS_TIMES_MIN)
        return run[0].seconds;
    if (times == CS_TIMES_MAX)
        return run[count - 1].seconds;
    return count % 2 ? run[count / 2].seconds
                     : run[count / 2 - 1].seconds / 2 + run[count / 2].seconds / 2;
}

/* Arrays of all tasks, filled from the front. */
struct filling {
    int *procs, *runs;
    double *seconds, *run;
    size_t points, measures;
};

static void begin_task(const struct filling *f, const struct cs_workload_options *options,
                       struct cs_profile *profile)
{
    *profile = (struct cs_profile){
        .kind = CS_PROFILE_POINTS,
        .fill = options->fill,
        .fewer = options->fewer,
        .times = options->times,
        .procs = f->procs + f->points,
        .seconds = f->seconds + f->points,
    };
}

static void add_point(struct filling *f, const struct cs_measure *run, size_t count,
                      struct cs_profile *profile)
{
    if (count > 1 && !profile->runs) {
        profile->runs = f->runs + f->points - profile->count;
        profile->run = f->run + f->measures - profile->count; /* one for each point so far */
    }
    f->procs[f->points] = run->procs;
    f->seconds[f->points] = measure_choose(run, count, profile->times);
    f->runs[f->points] = (int)count;
    for (size_t i = 0; i < count; i++)
        f->run[f->measures++] = run[i].seconds;
    f->points++;
    profile->count++;
}

void cs_measure_profiles(struct cs_measure *measure, size_t count,
                         const struct cs_workload_options *options, struct cs_profile *profile,
                         struct cs_arena *arena)
{
    struct filling f = {CS_NEW_ARRAY(arena, int, count),
                        CS_NEW_ARRAY(arena, int, count),
                        CS_NEW_ARRAY(arena, double, count),
                        CS_NEW_ARRAY(arena, double, count),
                        0,
                        0};
    size_t next;

    if (count)
        qsort(measure, count, sizeof *measure, compare);
    for (size_t i = 0; i < count; i = next) {
        struct cs_profile *p = &profile[measure[i].task];

        for (next = i + 1; next < count && same_point(&measure[i], &measure[next]);)
            next++;
        if (i == 0 || measure[i].task != measure[i - 1].task)
            begin_task(&f, options, p);
        add_point(&f, &measure[i], next - i, p);
    }
}
