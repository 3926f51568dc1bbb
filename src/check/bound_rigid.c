/* bound_rigid.c - provable bounds on jobs of fixed width.
 *
 * Jobs of one width are one entry, widest first. A weight of widths under which concurrent jobs
 * weigh at most 1 in all gives a bound, the weight of all of them times their time: by areas, where
 * wide jobs count as the whole machine and narrow ones not at all, and by rounded multiples. A job
 * and all jobs that cannot run concurrently with it are sequential: its time, and the bound of the
 * others.
 */
#include "check/bound.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

#define MOST_WIDTHS 20000
#define FOLDS 20

struct chain {
    double submit, seconds;
    int procs;
};

/* Jobs of each width: together, and the two longest of them. */
struct widths {
    int machine, count;
    int *procs,
        *rivals; /* rivals: number of the widest jobs that never run concurrently with this width */
    double *seconds, *longest, *second;
    double *weight; /* together with that of all that are wider */
};

static int by_submit_last_first(const void *a, const void *b)
{
    const struct chain *x = a, *y = b;

    return (x->submit < y->submit) - (x->submit > y->submit);
}

static int by_width_widest_first(const void *a, const void *b)
{
    const struct chain *x = a, *y = b;

    return (x->procs < y->procs) - (x->procs > y->procs);
}

static struct chain *chains_of(const struct cs_rigid_declared *jobs, int count,
                               const int64_t *failures, struct cs_arena *arena)
{
    struct chain *chain = CS_NEW_ARRAY(arena, struct chain, count);

    for (int j = 0; j < count; j++)
        chain[j] = (struct chain){
            .submit = jobs->submit ? jobs->submit[j] : 0,
            .seconds = (double)(failures[j] + 1) * (jobs->seconds[j] + jobs->verification),
            .procs = jobs->procs[j],
        };
    return chain;
}

/* By the longest and by areas of those that are submitted at or after any moment. */
static double bound_by_submission(struct chain *chain, int count, int procs)
{
    double area = 0, bound = 0;

    qsort(chain, (size_t)count, sizeof *chain, by_submit_last_first);
    for (int j = 0; j < count; j++) {
        area += chain[j].seconds * chain[j].procs;
        bound = fmax(bound, chain[j].submit + fmax(chain[j].seconds, area / procs));
    }
    return bound;
}

static void bound_rigid_add(struct widths *w, const struct chain *job)
{
    int at = w->count - 1;

    if (at < 0 || w->procs[at] != job->procs) {
        at = w->count++;
        w->procs[at] = job->procs;
    }
    w->seconds[at] += job->seconds;
    if (job->seconds > w->longest[at]) {
        w->second[at] = w->longest[at];
        w->longest[at] = job->seconds;
    } else if (job->seconds > w->second[at]) {
        w->second[at] = job->seconds;
    }
}

static struct widths widths_of(struct chain *chain, int count, int machine, struct cs_arena *arena)
{
    struct widths w = {
        .machine = machine,
        .procs = CS_NEW_ARRAY(arena, int, count),
        .rivals = CS_NEW_ARRAY(arena, int, count),
        .seconds = CS_NEW_ARRAY(arena, double, count),
        .longest = CS_NEW_ARRAY(arena, double, count),
        .second = CS_NEW_ARRAY(arena, double, count),
        .weight = CS_NEW_ARRAY(arena, double, count),
    };

    qsort(chain, (size_t)count, sizeof *chain, by_width_widest_first);
    for (int j = 0; j < count; j++)
        bound_rigid_add(&w, &chain[j]);
    for (int i = 0; i < w.count; i++)
        while (w.rivals[i] < w.count && w.procs[w.rivals[i]] > machine - w.procs[i])
            w.rivals[i]++;
    return w;
}

/* The longest of the rivals of the longest job of width i. */
static double longest_rival(const struct widths *w, int i)
{
    double longest = 0;

    for (int k = 0; k < w->rivals[i]; k++)
        longest = fmax(longest, k == i ? w->second[k] : w->longest[k]);
    return longest;
}

static double weight_by_area(int procs, int machine, int cut)
{
    return procs > machine - cut ? 1 : procs < cut ? 0 : (double)procs / machine;
}

static double weight_by_multiples(int procs, int machine, int fold)
{
    int64_t multiple = (int64_t)(fold + 1) * procs;

    return multiple % machine == 0 ? (double)procs / machine : (double)(multiple / machine) / fold;
}

/* By one weight: of all jobs, and of the longest of each width with its rivals. */
static double bound_by_weight(struct widths *w, double weigh(int procs, int machine, int parameter),
                              int parameter)
{
    double all = 0, bound;

    for (int k = 0; k < w->count; k++)
        w->weight[k] = all += weigh(w->procs[k], w->machine, parameter) * w->seconds[k];
    bound = all;
    for (int i = 0; i < w->count; i++) {
        double rivals = w->rivals[i] ? w->weight[w->rivals[i] - 1] : 0;

        if (i < w->rivals[i])
            rivals -= weigh(w->procs[i], w->machine, parameter) * w->longest[i];
        bound = fmax(bound, w->longest[i] + rivals);
    }
    return bound;
}

static double bound_by_widths(struct widths *w)
{
    double bound = 0;

    for (int i = 0; i < w->count; i++) {
        int narrow = w->procs[i], rest = w->machine - w->procs[i];
        int cut = narrow <= rest ? narrow : rest + 1;

        bound = fmax(bound, w->longest[i] + longest_rival(w, i));
        bound = fmax(bound, bound_by_weight(w, weight_by_area, cut));
    }
    for (int fold = 1; fold <= FOLDS; fold++)
        bound = fmax(bound, bound_by_weight(w, weight_by_multiples, fold));
    return bound;
}

/* A declared bound between the two known bounds was not found by either. */
static double bound_rigid_bound_of(double declared, struct chain *chain, int count, int procs,
                                   struct cs_arena *arena)
{
    double plain = bound_by_submission(chain, count, procs), strong;
    struct widths w;

    if (!(declared > plain * (1 + CS_CHECK_BOUND_SAME)))
        return plain;
    w = widths_of(chain, count, procs, arena);
    if (w.count > MOST_WIDTHS)
        return INFINITY;
    strong = fmax(plain, bound_by_widths(&w));
    return declared < strong * (1 - CS_CHECK_BOUND_SAME) ? plain : strong;
}

double cs_check_bound_rigid(const struct cs_rigid_declared *jobs, int count, int procs,
                            const int64_t *failures)
{
    struct cs_arena *arena = cs_arena_create();
    struct chain *chain = chains_of(jobs, count, failures, arena);
    double bound = bound_rigid_bound_of(jobs->lower_bound, chain, count, procs, arena);

    cs_arena_destroy(arena);
    return bound;
}
