/* priority.c - priorities of batches: a fixed order of the jobs; each is a row of the table.
 *
 * Source: Benoit et al. 2021, Section 4.1 and Proposition 1 (ljf); spec/rigid.md 3; spec/rigid.md
 * II 2 for the orders beyond the paper (lert, t2p).
 *
 * Invariants:
 * - The order is total: equal keys keep the order of the jobs (stable sort, lower index first).
 * - A failed job returns with its rank; only `lert-learnt` changes ranks while jobs run (rate.c).
 * - Verification time is in no key.
 *
 * Complexity: O(n log n) for each order.  There are no tuned constants.
 *
 * Measured (spec/rigid.md II 2, q = 0.3, P = 10,000): R-LIST-1 with lert is 0.0115 below R-LIST-0
 * with la in normalised makespan; t2p with m = 1 has 1.0494 where lert has 1.0509.
 *
 * To add a priority: a key function and a row here; a row in urgency.c for replays of logs.
 */
#include "sched/priority.h"

#include "base/guard.h"
#include "base/order.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "sched/random_jobs.h"
#include "sched/rate.h"

#include <math.h>

#define PAPER "Benoit et al. 2021, Section 4.1"

typedef double key_f(const struct cs_sched_jobs *jobs, int j, const struct cs_sched_draw *draw);

static double by_time(const struct cs_sched_jobs *jobs, int j, const struct cs_sched_draw *draw)
{
    (void)draw;
    return jobs->seconds[j];
}

static double by_procs(const struct cs_sched_jobs *jobs, int j, const struct cs_sched_draw *draw)
{
    (void)draw;
    return jobs->procs[j];
}

static double by_area(const struct cs_sched_jobs *jobs, int j, const struct cs_sched_draw *draw)
{
    (void)draw;
    return jobs->procs[j] * jobs->seconds[j];
}

static double by_chance(const struct cs_sched_jobs *jobs, int j, const struct cs_sched_draw *draw)
{
    (void)jobs;
    return cs_sched_uniform(
        cs_sched_mix(draw->seed, CS_SCHED_STREAM_ORDER, draw->set, draw->scenario, (uint64_t)j));
}

/* The logarithm of t exp(lambda a), which overflows. */
static double by_expected_time(const struct cs_sched_jobs *jobs, int j,
                               const struct cs_sched_draw *draw)
{
    return log(jobs->seconds[j]) + draw->lambda * jobs->seconds[j] * jobs->procs[j];
}

static double by_time_squared(const struct cs_sched_jobs *jobs, int j,
                              const struct cs_sched_draw *draw)
{
    (void)draw;
    return jobs->seconds[j] * jobs->seconds[j] * jobs->procs[j];
}

static double by_place(const struct cs_sched_jobs *jobs, int j, const struct cs_sched_draw *draw)
{
    (void)jobs;
    (void)draw;
    return -j;
}

static bool is_large(const struct cs_sched_jobs *jobs, int j)
{
    return jobs->procs[j] >= jobs->machine + 1 - jobs->procs[j];
}

static const struct cs_sched_priority priorities[] = {
    {.name = "lpt",
     .summary = "longest time first",
     .source = PAPER,
     .key = by_time,
     .descending = true},
    {.name = "spt", .summary = "shortest time first", .source = PAPER, .key = by_time},
    {.name = "hpa",
     .summary = "most processors first",
     .source = PAPER,
     .key = by_procs,
     .descending = true},
    {.name = "lpa", .summary = "fewest processors first", .source = PAPER, .key = by_procs},
    {.name = "la",
     .summary = "largest area (time times processors) first",
     .source = PAPER,
     .key = by_area,
     .descending = true},
    {.name = "sa", .summary = "smallest area first", .source = PAPER, .key = by_area},
    {.name = "random",
     .summary = "a new random order for each scenario",
     .source = PAPER,
     .key = by_chance,
     .per_scenario = true},
    {.name = "ljf",
     .summary = "jobs of more than half the machine first, then the longest",
     .source = "Benoit et al. 2021, Proposition 1",
     .key = by_procs,
     .descending = true,
     .first_class = is_large,
     .rest_key = by_time},
    {.name = "ljf-given",
     .summary = "jobs of more than half the machine first, then in the order of the input",
     .source = "Benoit et al. 2021, Proposition 1",
     .key = by_procs,
     .descending = true,
     .first_class = is_large,
     .rest_key = by_place},
    {.name = "lert",
     .summary = "longest expected remaining time first: t exp(lambda a)",
     .source = "beyond the paper",
     .key = by_expected_time,
     .descending = true},
    {.name = "lert-learnt",
     .summary = "longest expected remaining time first, lambda estimated from the attempts that "
                "have ended",
     .source = "beyond the paper",
     .key = by_expected_time,
     .descending = true,
     .learns = true},
    {.name = "t2p",
     .summary = "largest time squared times processors first",
     .source = "beyond the paper",
     .key = by_time_squared,
     .descending = true},
};

#define PRIORITIES ((int)(sizeof priorities / sizeof *priorities))

const struct cs_sched_priority *cs_sched_priorities(int *count)
{
    *count = PRIORITIES;
    return priorities;
}

const struct cs_sched_priority *cs_sched_priority_find(const char *name, struct cs_error *err)
{
    CS_ASK(name, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int i = 0; i < PRIORITIES; i++)
        if (!cs_plain_compare(priorities[i].name, name))
            return &priorities[i];
    for (int i = 0; i < PRIORITIES; i++)
        cs_strbuf_printf(&names, "%s%s", i ? ", " : "", priorities[i].name);
    cs_error_set(err, "there is no priority \"%s\": choose one of %s", name, names.text);
    cs_strbuf_release(&names);
    return NULL;
}

/* Append the jobs of a class (all without `first_class`) sorted by key to order[from ..]. */
static int append_sorted(const struct cs_sched_priority *priority, bool first, key_f *key_of,
                         const struct cs_sched_jobs *jobs, const struct cs_sched_draw *draw,
                         int *order, int from, struct cs_arena *scratch)
{
    int *member = CS_NEW_ARRAY(scratch, int, jobs->count), count = 0;
    int *place = CS_NEW_ARRAY(scratch, int, jobs->count);
    double *key = CS_NEW_ARRAY(scratch, double, jobs->count);

    for (int j = 0; j < jobs->count; j++)
        if (!priority->first_class || priority->first_class(jobs, j) == first) {
            member[count] = j;
            key[count++] = key_of(jobs, j, draw);
        }
    (priority->descending ? cs_order_descending : cs_order_ascending)(key, count, place, scratch);
    for (int a = 0; a < count; a++)
        order[from + a] = member[place[a]];
    return from + count;
}

/* A priority that learns does not use the rate of the scenario. */
static struct cs_sched_draw priority_believe(const struct cs_sched_priority *priority,
                                             const struct cs_sched_jobs *jobs,
                                             const struct cs_sched_draw *draw)
{
    struct cs_sched_draw believed = *draw;

    if (priority->learns)
        believed.lambda = CS_SCHED_RATE_PRIOR / cs_sched_mean_area(jobs);
    return believed;
}

void cs_sched_priority_order(const struct cs_sched_priority *priority,
                             const struct cs_sched_jobs *jobs, const struct cs_sched_draw *draw,
                             int *order, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    const struct cs_sched_draw believed = priority_believe(priority, jobs, draw);
    int placed = append_sorted(priority, true, priority->key, jobs, &believed, order, 0, scratch);

    if (priority->first_class)
        append_sorted(priority, false, priority->rest_key, jobs, &believed, order, placed, scratch);
    cs_arena_rewind(scratch, mark);
}

struct cs_sched_instance *cs_sched_priority_instance(const struct cs_sched_priority *priority,
                                                     const struct cs_sched_jobs *jobs,
                                                     const struct cs_sched_draw *draw,
                                                     struct cs_arena *arena)
{
    int *order = CS_NEW_ARRAY(arena, int, jobs->count);
    struct cs_sched_instance *in;

    cs_sched_priority_order(priority, jobs, draw, order, arena);
    in = cs_sched_instance_create(jobs, order, arena);
    in->learns = priority->learns;
    return in;
}
