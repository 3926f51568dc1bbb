/* sets.c - jobs by submit time and id, cut by day or by number. */
#include "sched/sets.h"

#include "base/order.h"
#include "base/plain.h"
#include "base/zone.h"

#include <math.h>

/* A stable sort by id, then by submit time. */
static int *submit_order(const struct cs_joblog *log, struct cs_arena *arena)
{
    int n = log->count, *by_id = CS_NEW_ARRAY(arena, int, n), *order = CS_NEW_ARRAY(arena, int, n);
    int *sorted = CS_NEW_ARRAY(arena, int, n);
    double *key = CS_NEW_ARRAY(arena, double, n);

    for (int j = 0; j < n; j++)
        key[j] = (double)log->job[j].id;
    cs_order_ascending(key, n, by_id, arena);
    for (int a = 0; a < n; a++)
        key[a] = log->job[by_id[a]].submit;
    cs_order_ascending(key, n, order, arena);
    for (int a = 0; a < n; a++)
        sorted[a] = by_id[order[a]];
    return sorted;
}

static int64_t day_of(const struct cs_joblog *log, int job, int64_t offset)
{
    return cs_calendar_day(log->start + (int64_t)floor(log->job[job].submit) + offset);
}

struct cs_sched_set *cs_sched_sets_by_day(const struct cs_joblog *log, int64_t offset, int *sets,
                                          struct cs_arena *arena)
{
    const int *order = submit_order(log, arena);
    struct cs_sched_set *set = CS_NEW_ARRAY(arena, struct cs_sched_set, log->count);

    *sets = 0;
    for (int a = 0; a < log->count; a++) {
        int64_t day = day_of(log, order[a], offset);

        if (a == 0 || day != day_of(log, order[a - 1], offset)) {
            cs_calendar_date(day, set[*sets].name);
            set[(*sets)++].job = order + a;
        }
        set[*sets - 1].count++;
    }
    return set;
}

struct cs_sched_set *cs_sched_sets_by_count(const struct cs_joblog *log, int size, int *sets,
                                            struct cs_arena *arena)
{
    const int *order = submit_order(log, arena);
    int most = size > 0 ? size : log->count;
    struct cs_sched_set *set;

    *sets = log->count ? (log->count - 1) / most + 1 : 0;
    set = CS_NEW_ARRAY(arena, struct cs_sched_set, *sets);
    for (int s = 0; s < *sets; s++) {
        int left = log->count - s * most;

        cs_plain_print(set[s].name, sizeof set[s].name, "%d", s + 1);
        set[s].job = order + s * most;
        set[s].count = left < most ? left : most;
    }
    return set;
}

struct cs_sched_jobs cs_sched_set_jobs(const struct cs_joblog *log, const struct cs_sched_set *set,
                                       double verification, struct cs_arena *arena)
{
    double *seconds = CS_NEW_ARRAY(arena, double, set->count);
    int *procs = CS_NEW_ARRAY(arena, int, set->count);

    for (int j = 0; j < set->count; j++) {
        seconds[j] = log->job[set->job[j]].seconds;
        procs[j] = log->job[set->job[j]].procs;
    }
    return (struct cs_sched_jobs){set->count, log->machine, verification, seconds, procs};
}
