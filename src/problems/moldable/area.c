/* area.c - the bound of Ludwig and Tiwari, exactly.
 *
 * Source: spec/moldable.md 5.2; Ludwig, Tiwari, SODA 1994.
 * Idea: W(T) / procs <= T holds from some candidate time on.  Bisection by value narrows the times
 * in question until few are left; these are sorted and bisected one by one, so that the answer is
 * the same as if all times had been sorted.
 * Invariants: the test fails at `low` and holds at `high`; at_high[i] <= at_low[i] are the
 * narrowest candidates of task i for these two, and the candidate of any time between them lies
 * between them.  W(T) adds up over tasks in index order, without tolerance.
 * Complexity: O(tasks log candidates) for one W(T), at most 64 of them to narrow, then the sort of
 * what is left and its bisection.
 *
 *   constant  value  unit             how found    half, double
 *   FEW       256    candidate times  not recorded  same result; time not measured
 */
#include "base/order.h"
#include "problems/moldable/bound.h"

#include <math.h>
#include <stdbool.h>

#define FEW 256

struct search {
    const struct cs_moldable_bag *bag;
    double low, high;      /* the test fails at low, holds at high */
    int *at_low, *at_high; /* by task: the narrowest candidate of at most so much */
    int *middle;
};

/* W(T); where the candidates are goes to at[], which must lie between the two bounds. */
static double area_total(const struct search *s, double seconds, int *at)
{
    const struct cs_moldable_bag *bag = s->bag;
    double sum = 0;

    for (int i = 0; i < bag->tasks; i++) {
        at[i] = cs_moldable_quick_between(bag, s->at_high[i], s->at_low[i], seconds);
        sum += bag->work[bag->thrifty[at[i]]];
    }
    return sum;
}

static long long times_between(const struct search *s)
{
    long long count = 0;

    for (int i = 0; i < s->bag->tasks; i++)
        count += s->at_low[i] - s->at_high[i];
    return count;
}

static void area_narrow(struct search *s)
{
    long long few = FEW > s->bag->tasks / 4 ? FEW : s->bag->tasks / 4;

    for (int step = 0; step < 64 && times_between(s) > few; step++) {
        double middle = s->low + (s->high - s->low) / 2;
        bool holds = area_total(s, middle, s->middle) / s->bag->procs <= middle;
        int *swap = holds ? s->at_high : s->at_low;

        if (holds) {
            s->high = middle;
            s->at_high = s->middle;
        } else {
            s->low = middle;
            s->at_low = s->middle;
        }
        s->middle = swap;
    }
}

/* The times between, the next one above and the last one up to low, sorted. */
static int area_collect(const struct search *s, double *time, struct cs_arena *scratch)
{
    const struct cs_moldable_bag *bag = s->bag;
    double above = INFINITY, below = 0;
    int count = 2;

    for (int i = 0; i < bag->tasks; i++) {
        for (int a = s->at_high[i]; a < s->at_low[i]; a++)
            time[count++] = bag->seconds[a];
        if (s->at_high[i] > bag->first[i])
            above = fmin(above, bag->seconds[s->at_high[i] - 1]);
        below = fmax(below, bag->seconds[s->at_low[i]]);
    }
    time[0] = below;
    time[1] = above;
    cs_order_sort_doubles(time, count, scratch);
    return count;
}

/* time[0] fails and the last one holds, as it is infinite at the most. */
static double area_finish(struct search *s, double *threshold, struct cs_arena *scratch)
{
    double *time = CS_NEW_ARRAY(scratch, double, times_between(s) + 2);
    int low = 0, high = area_collect(s, time, scratch) - 1;
    double before;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (area_total(s, time[middle], s->middle) / s->bag->procs <= time[middle])
            high = middle;
        else
            low = middle;
    }
    before = area_total(s, time[low], s->middle) / s->bag->procs;
    *threshold = before < time[high] ? time[low] : time[high];
    return before < time[high] ? before : time[high];
}

/* The shortest and the longest time that all tasks can keep. */
static void area_bracket(struct search *s)
{
    const struct cs_moldable_bag *bag = s->bag;

    for (int i = 0; i < bag->tasks; i++) {
        s->low = fmax(s->low, cs_moldable_fastest(bag, i));
        s->high = fmax(s->high, bag->seconds[bag->first[i]]);
        s->at_high[i] = bag->first[i];
        s->at_low[i] = bag->first[i + 1] - 1;
    }
}

static double area_solve(struct search *s, double *threshold, struct cs_arena *scratch)
{
    double procs = s->bag->procs, least;
    int *swap;

    area_bracket(s);
    if (area_total(s, s->low, s->middle) / procs <= s->low)
        return *threshold = s->low;
    swap = s->at_low;
    s->at_low = s->middle;
    s->middle = swap;
    least = area_total(s, s->high, s->middle) / procs;
    if (least > s->high) {
        *threshold = s->high;
        return least;
    }
    area_narrow(s);
    return area_finish(s, threshold, scratch);
}

double cs_moldable_area(const struct cs_moldable_bag *bag, double *threshold,
                        struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct search s = {.bag = bag};
    double bound;

    s.at_low = CS_NEW_ARRAY(scratch, int, bag->tasks);
    s.at_high = CS_NEW_ARRAY(scratch, int, bag->tasks);
    s.middle = CS_NEW_ARRAY(scratch, int, bag->tasks);
    *threshold = 0;
    bound = bag->tasks ? area_solve(&s, threshold, scratch) : 0;
    cs_arena_rewind(scratch, mark);
    return bound;
}
