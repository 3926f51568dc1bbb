/* bound.c - lower bounds of the makespan for known failures: the plain one L(f), and a strong one
 * that uses the widths of the jobs.
 *
 * Source: spec/rigid.md 7: L(f) = max(max T_j, sum T_j p_j / P) with T_j = (f_j + 1)(t_j + v),
 * whose sums are in the order of the input, so that no priority changes their rounding; II 3 (dual
 * feasible functions; exclusion).
 *
 * Idea of the strong bound: u(p) with sum u <= 1 for each set of jobs that fits on the machine
 * gives OPT >= sum u(p_j) T_j, T_j = (f_j + 1)(t_j + v).  Two families: jobs wider than P - cut
 * count as P and those narrower than cut as 0; and u(x) = floor((k + 1) x) / k for x = p / P (x
 * itself if (k + 1) x is whole).  Exclusion: while job i runs, no job wider than P - p_i runs, so
 * OPT >= T_i + bound of those jobs.  The result is the largest of all of these.
 *
 * Invariants:
 * - The result is never below L(f) of spec/rigid.md 7 (it starts from it) and not above the
 *   makespan of any valid schedule with these failures.
 * - Jobs are sorted by width, so the jobs wider than a limit are a suffix; job i itself is left
 *   out.
 * - Cuts tried: each width up to half of P, and P - width + 1 for each wider job.
 *
 * Complexity: O(n^2) for a suffix, O(n^3) in all.  Measured: 1 ms for n = 100 (spec/rigid.md II
 * 3).
 *
 * Constant                                | found        | at half, at double
 * FOLDS: k = 1 .. 20 of the second family | not recorded | not measured
 *
 * Measured (spec/rigid.md II 3): with both families and exclusion the optimum is 1.0135 times the
 * bound on 1,500 tiny instances, 1.215 times L(f); no change on the synthetic sets of the paper.
 */
#include "sched/bound.h"

#include "base/guard.h"
#include "base/order.h"

#include <math.h>
#include <stdbool.h>

#define FOLDS 20

double cs_sched_lower_bound(const struct cs_sched_jobs *jobs, const int64_t *failures,
                            bool without_verification)
{
    CS_ASK(jobs && failures && !cs_sched_jobs_check(jobs, NULL), NULL, NAN);
    return cs_sched_bound_of(jobs, failures, without_verification ? 0 : jobs->verification);
}

double cs_sched_bound_of(const struct cs_sched_jobs *jobs, const int64_t *failures,
                         double verification)
{
    double longest = 0, area = 0;

    for (int j = 0; j < jobs->count; j++) {
        double chain = (double)(failures[j] + 1) * (jobs->seconds[j] + verification);

        longest = fmax(longest, chain);
        area += chain * jobs->procs[j];
    }
    return fmax(longest, area / jobs->machine);
}

/* Jobs by rising width, with their total times. */
struct chains {
    int machine, count;
    int *procs;
    double *total;
};

static void sort_chains(const struct cs_sched_jobs *jobs, const int64_t *failures, struct chains *c,
                        struct cs_arena *scratch)
{
    int n = jobs->count, *order = CS_NEW_ARRAY(scratch, int, n);
    double *width = CS_NEW_ARRAY(scratch, double, n);

    *c = (struct chains){jobs->machine, n, CS_NEW_ARRAY(scratch, int, n),
                         CS_NEW_ARRAY(scratch, double, n)};
    for (int j = 0; j < n; j++)
        width[j] = jobs->procs[j];
    cs_order_ascending(width, n, order, scratch);
    for (int a = 0; a < n; a++) {
        int j = order[a];

        c->procs[a] = jobs->procs[j];
        c->total[a] = (double)(failures[j] + 1) * (jobs->seconds[j] + jobs->verification);
    }
}

/* Jobs wider than machine - cut count as the whole machine, those narrower than cut not at all;
 * jobs from[] on, without `skip`. */
static double cut_bound(const struct chains *c, int from, int skip, int cut)
{
    double sum = 0;

    for (int a = from; a < c->count; a++) {
        int p = c->procs[a];
        int counts = p > c->machine - cut ? c->machine : p < cut ? 0 : p;

        if (a != skip)
            sum += counts * c->total[a];
    }
    return sum / c->machine;
}

/* u(x) = x where (k + 1) x is whole, floor((k + 1) x) / k elsewhere, x = p / machine. */
static double fold_bound(const struct chains *c, int from, int skip, int k)
{
    double sum = 0;

    for (int a = from; a < c->count; a++) {
        int64_t scaled = (int64_t)(k + 1) * c->procs[a], whole = scaled / c->machine;
        bool exact = scaled % c->machine == 0;

        if (a != skip)
            sum += (exact ? (double)c->procs[a] / c->machine : (double)whole / k) * c->total[a];
    }
    return sum;
}

static double bound_strong_longest(const struct chains *c, int from, int skip)
{
    double most = 0;

    for (int a = from; a < c->count; a++)
        if (a != skip && c->total[a] > most)
            most = c->total[a];
    return most;
}

/* The best of all for the jobs from `from` on, without `skip` (-1: all of them). */
static double suffix_bound(const struct chains *c, int from, int skip)
{
    double best = fmax(bound_strong_longest(c, from, skip), cut_bound(c, from, skip, 0));

    for (int a = from; a < c->count && 2 * (int64_t)c->procs[a] <= c->machine; a++)
        if (a == from || c->procs[a] != c->procs[a - 1])
            best = fmax(best, cut_bound(c, from, skip, c->procs[a]));
    for (int a = c->count - 1; a >= from && 2 * (int64_t)c->procs[a] > c->machine; a--)
        best = fmax(best, cut_bound(c, from, skip, c->machine - c->procs[a] + 1));
    for (int k = 1; k <= FOLDS; k++)
        best = fmax(best, fold_bound(c, from, skip, k));
    return best;
}

/* The first job wider than `procs`. */
static int first_wider(const struct chains *c, int procs)
{
    int a = 0;

    while (a < c->count && c->procs[a] <= procs)
        a++;
    return a;
}

double cs_sched_bound_strong(const struct cs_sched_jobs *jobs, const int64_t *failures,
                             struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double best = cs_sched_bound_of(jobs, failures, jobs->verification);
    struct chains c;

    sort_chains(jobs, failures, &c, scratch);
    best = fmax(best, suffix_bound(&c, 0, -1));
    for (int i = 0; i < c.count; i++) {
        int wide = first_wider(&c, c.machine - c.procs[i]);

        if (wide < c.count && c.total[i] > 0)
            best = fmax(best, c.total[i] + suffix_bound(&c, wide, i >= wide ? i : -1));
    }
    cs_arena_rewind(scratch, mark);
    return best;
}
