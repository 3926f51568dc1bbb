/* width.c - the area bound on widths that dual feasible functions make of the counts.
 *
 * Source: spec/moldable.md 5.4.
 * Idea: if the counts in use at an instant add up to at most procs, so do f(count) for each such
 * f; with f in place of the counts every plan stays one.  They find that two tasks wider than half
 * the machine cannot run together.  f: steps u_a, a near the counts of candidates, and the family
 * F_k.
 * Invariants: `best` only grows; a function is evaluated in full only where it improves `best`.
 * Complexity: O(procs + candidates) for each function, and one area bound for each that improves.
 *
 *   constant    value  unit       how found             half, double
 *   STEPS_MOST  64     functions  spec/moldable.md 5.4  not measured
 *   FAMILY      8      functions  spec/moldable.md 5.4  not measured
 */
#include "base/order.h"
#include "problems/moldable/bound.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define STEPS_MOST 64
#define FAMILY 8

struct widths {
    const struct cs_moldable_bag *bag;
    double *of; /* f(count), count 0 .. procs */
    double best;
    struct cs_arena *scratch;
};

/* W_f at the best bound so far: is f's bound larger? */
static bool width_improves(const struct widths *w)
{
    const struct cs_moldable_bag *bag = w->bag;
    double sum = 0;

    for (int i = 0; i < bag->tasks; i++) {
        double least = INFINITY;

        for (int a = cs_moldable_quick(bag, i, w->best); a < bag->first[i + 1] && least > 0; a++) {
            double work = w->of[bag->count[a]] * bag->seconds[a];

            least = work < least ? work : least;
        }
        sum += least;
    }
    return sum / bag->procs > w->best;
}

/* The area bound with these widths. */
static double width_bound_of(const struct widths *w)
{
    struct cs_arena_mark mark = cs_arena_mark(w->scratch);
    struct cs_moldable_bag bag = *w->bag;
    int all = bag.first[bag.tasks], *thrifty = CS_NEW_ARRAY(w->scratch, int, all);
    double *work = CS_NEW_ARRAY(w->scratch, double, all), threshold, bound;

    for (int a = 0; a < all; a++)
        work[a] = w->of[bag.count[a]] * bag.seconds[a];
    for (int i = 0; i < bag.tasks; i++) {
        int best = bag.first[i + 1] - 1;

        for (int a = best; a >= bag.first[i]; a--)
            thrifty[a] = best = work[a] <= work[best] ? a : best;
    }
    bag.work = work;
    bag.thrifty = thrifty;
    bound = cs_moldable_area(&bag, &threshold, w->scratch);
    cs_arena_rewind(w->scratch, mark);
    return bound;
}

static void try_function(struct widths *w)
{
    if (width_improves(w))
        w->best = fmax(w->best, width_bound_of(w));
}

static void use_step(struct widths *w, int a)
{
    int procs = w->bag->procs;

    for (int c = 0; c <= procs; c++)
        w->of[c] = c > procs - a ? procs : c < a ? 0 : c;
    try_function(w);
}

static void use_family(struct widths *w, int k)
{
    int procs = w->bag->procs;

    for (int c = 0; c <= procs; c++) {
        long long scaled = (long long)(k + 1) * c;

        w->of[c] = scaled % procs == 0 ? c : (double)(scaled / procs) * procs / k;
    }
    try_function(w);
}

/* The a of 1 .. procs / 2 for which a, procs - a or procs - a + 1 is a count, ascending. */
static int find_steps(const struct cs_moldable_bag *bag, int *step, struct cs_arena *scratch)
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

double cs_moldable_width_bound(const struct cs_moldable_bag *bag, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct widths w = {.bag = bag, .scratch = scratch};
    int *step = CS_NEW_ARRAY(scratch, int, (size_t)bag->procs / 2 + 1), steps, stride;

    w.of = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    if (bag->tasks > 0) {
        steps = find_steps(bag, step, scratch);
        stride = steps > STEPS_MOST ? steps / STEPS_MOST + 1 : 1;
        for (int s = 0; s < steps; s += stride)
            use_step(&w, step[s]);
        for (int k = 1; k <= FAMILY; k++)
            use_family(&w, k);
    }
    cs_arena_rewind(scratch, mark);
    return w.best;
}
