/* bound_moldable.c - arguments for lower bounds on plans of the moldable problem.
 *
 * Every argument proves that no plan ends by a given time. It then holds for earlier times: tasks
 * have fewer possible counts, and their work grows relative to the capacity.
 *
 *   path    A task is released, and takes its shortest time.
 *   area    Each task takes at least its least work among the counts that are quick enough.  The
 *           same holds when widths are replaced by a dual feasible function of them, a pair whose
 *           time is itself.
 *   middle  Tasks longer than half the time run together in the middle: counts fit, and work too.
 *   pairs   Widths and times both replaced, by what the certificate says (bound_moldable_pairs.c).
 *
 * Roundings are downwards, and sums must exceed their limit by more than the rounding error.
 */
#include "check/bound_moldable.h"

#include "check/bound.h"
#include "check/given.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define COUNTS_MOST 4e6 /* tasks times processors */
#define MIDDLE_MOST 1e8 /* counts times processors */
#define STEPS_MOST 64   /* of widths */
#define FAMILY 8        /* of widths */

bool cs_check_bag_exceeds(const struct cs_check_bag *bag, double sum, double most)
{
    return sum > most * (1 + 1e-11 + 4.0 * bag->tasks * DBL_EPSILON);
}

static double walltime_of(const struct cs_workload *workload, int task)
{
    double walltime = workload->limit ? workload->limit[task].walltime : 0;

    return walltime > 0 ? walltime : INFINITY;
}

/* A task that its walltime can stop takes no longer than that, once. */
static int add_counts(struct cs_check_bag *bag, const struct cs_workload *workload, int task,
                      double factor, int at)
{
    double least = INFINITY, walltime = walltime_of(workload, task);

    for (int j = 1; j <= bag->procs; j++) {
        double seconds = cs_check_allowed_time(workload, task, j) * factor;

        if (!(seconds < INFINITY && fmin(seconds, walltime) < least))
            continue;
        if (seconds > walltime)
            bag->attempts[task] = 1;
        bag->count[at] = j;
        bag->seconds[at++] = least = fmin(seconds, walltime);
    }
    least = INFINITY;
    for (int a = at; a-- > bag->first[task];)
        bag->work[a] = least = fmin(least, bag->count[a] * bag->seconds[a]);
    return at;
}

bool cs_check_bag_init(struct cs_check_bag *bag, const struct cs_workload *workload, int procs,
                       const struct cs_moldable_declared *said, struct cs_arena *arena)
{
    int n = workload->count, at = 0;
    size_t all = (size_t)n * (size_t)procs;

    if ((double)n * procs > COUNTS_MOST)
        return false;
    *bag = (struct cs_check_bag){
        .tasks = n,
        .procs = procs,
        .first = CS_NEW_ARRAY(arena, int, n + 1),
        .count = CS_NEW_ARRAY(arena, int, all),
        .seconds = CS_NEW_ARRAY(arena, double, all),
        .work = CS_NEW_ARRAY(arena, double, all),
        .release = CS_NEW_ARRAY(arena, double, n),
        .attempts = CS_NEW_ARRAY(arena, double, n),
    };
    for (int i = 0; i < n; i++) {
        bag->attempts[i] = said->failures ? said->failures[i] + 1.0 : 1;
        at = add_counts(bag, workload, i, said->factor ? said->factor[i] : 1, at);
        bag->first[i + 1] = at;
        bag->release[i] = workload->limit ? workload->limit[i].release : 0;
        bag->again |= bag->attempts[i] > 1;
    }
    return true;
}

int cs_check_bag_within(const struct cs_check_bag *bag, int task, double seconds)
{
    int low = bag->first[task], high = bag->first[task + 1];

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (bag->seconds[middle] <= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool path_too_long(const struct cs_check_bag *bag, double seconds)
{
    for (int i = 0; i < bag->tasks; i++)
        if (bag->first[i + 1] == bag->first[i] ||
            bag->release[i] + bag->attempts[i] * bag->seconds[bag->first[i + 1] - 1] > seconds)
            return true;
    return false;
}

static bool area_too_large(const struct cs_check_bag *bag, double seconds, const struct cs_dual *f,
                           double *wide)
{
    double sum = 0;

    for (int c = 0; c <= bag->procs; c++)
        wide[c] = cs_check_dual_of_width(f, c, bag->procs);
    for (int i = 0; i < bag->tasks; i++) {
        double least = INFINITY;

        for (int a = cs_check_bag_within(bag, i, seconds); a < bag->first[i + 1]; a++)
            least = fmin(least, wide[bag->count[a]] * bag->seconds[a]);
        sum += bag->attempts[i] * least;
    }
    return cs_check_bag_exceeds(bag, sum, seconds);
}

/* Steps that make a difference: at a count, and where the rest of the machine is one. */
static int find_steps(const struct cs_check_bag *bag, int *step, struct cs_arena *scratch)
{
    bool *is = CS_NEW_ARRAY(scratch, bool, (size_t)bag->procs + 2);
    int steps = 0;

    for (int a = 0; a < bag->first[bag->tasks]; a++)
        is[bag->count[a]] = true;
    for (int a = 1; a <= bag->procs / 2; a++)
        if (is[a] || is[bag->procs - a] || is[bag->procs - a + 1])
            step[steps++] = a;
    return steps;
}

static bool widths_too_large(const struct cs_check_bag *bag, double seconds,
                             struct cs_arena *scratch)
{
    double *wide = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    int *step = CS_NEW_ARRAY(scratch, int, (size_t)bag->procs / 2 + 1);
    int steps = find_steps(bag, step, scratch);
    int stride = steps > STEPS_MOST ? steps / STEPS_MOST + 1 : 1;

    for (int s = 0; s < steps; s += stride)
        if (area_too_large(bag, seconds, &(struct cs_dual){CS_DUAL_STEP, step[s]}, wide))
            return true;
    for (int k = 1; k <= FAMILY; k++)
        if (area_too_large(bag, seconds, &(struct cs_dual){CS_DUAL_FAMILY, k}, wide))
            return true;
    return false;
}

/* The least work of the tasks so far, by the processors that those of them may have that run
 * through the middle; one task more. */
static void add_to_middle(const struct cs_check_bag *bag, int task, double seconds,
                          const double *before, double *after)
{
    int half = cs_check_bag_within(bag, task, seconds / 2), end = bag->first[task + 1];
    double extpol = half < end ? bag->work[half] : INFINITY;

    for (int q = 0; q <= bag->procs; q++)
        after[q] = before[q] + extpol;
    for (int a = cs_check_bag_within(bag, task, seconds); a < half; a++) {
        int count = bag->count[a];
        double work = count * bag->seconds[a];

        if (work < extpol)
            for (int q = count; q <= bag->procs; q++)
                after[q] = fmin(after[q], before[q - count] + work);
    }
}

static bool middle_too_full(const struct cs_check_bag *bag, double seconds,
                            struct cs_arena *scratch)
{
    double *before = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    double *after = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);

    if (!cs_check_bag_has_middle(bag))
        return false;
    for (int i = 0; i < bag->tasks; i++) {
        double *swap = before;

        add_to_middle(bag, i, seconds, before, after);
        before = after;
        after = swap;
    }
    return cs_check_bag_exceeds(bag, before[bag->procs], seconds * bag->procs);
}

static bool work_too_large(const struct cs_check_bag *bag, double seconds, struct cs_arena *scratch)
{
    double *wide = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);

    return area_too_large(bag, seconds, &(struct cs_dual){CS_DUAL_ITSELF, 0}, wide);
}

bool cs_check_bag_has_middle(const struct cs_check_bag *bag)
{
    return (double)bag->first[bag->tasks] * bag->procs <= MIDDLE_MOST;
}

static bool bound_moldable_excludes(const struct cs_check_bag *bag, enum cs_check_simple argument,
                                    double seconds, struct cs_arena *scratch)
{
    switch (argument) {
    case CS_CHECK_SIMPLE_PATH:
        return path_too_long(bag, seconds);
    case CS_CHECK_SIMPLE_AREA:
        return work_too_large(bag, seconds, scratch);
    case CS_CHECK_SIMPLE_MIDDLE:
        return middle_too_full(bag, seconds, scratch);
    case CS_CHECK_SIMPLE_WIDTH:
        return widths_too_large(bag, seconds, scratch);
    }
    return false;
}

bool cs_check_bag_is_bound(const struct cs_check_bag *bag, enum cs_check_simple argument,
                           double bound, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    bool least = bound == 0 ||
                 bound_moldable_excludes(bag, argument, bound * (1 - CS_CHECK_BOUND_SAME), scratch);
    bool is = bound >= 0 && least &&
              !bound_moldable_excludes(bag, argument, bound * (1 + CS_CHECK_BOUND_SAME), scratch);

    cs_arena_rewind(scratch, mark);
    return is;
}

bool cs_check_bag_too_short(const struct cs_check_bag *bag, double seconds,
                            const struct cs_moldable_certificate *by, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    bool too_short = path_too_long(bag, seconds) || work_too_large(bag, seconds, scratch) ||
                     widths_too_large(bag, seconds, scratch);

    if (!too_short && !bag->again)
        too_short = cs_check_bag_certified(bag, seconds, by, scratch) ||
                    middle_too_full(bag, seconds, scratch);
    cs_arena_rewind(scratch, mark);
    return too_short;
}
