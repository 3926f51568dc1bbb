/* nodes.c - the rule of Golub and Welsch: eigenvalues of a tridiagonal matrix. */
#include "volatile/nodes.h"

#include <math.h>

#define POINTS 10
#define GROWTH 0.75
#define SWEEPS 60

struct rule {
    double point[POINTS], weight[POINTS];
};

/* One rotation of the implicit QL sweep between rows i and i + 1; first[] is the first row of the
 * eigenvectors. */
struct sweep {
    double *diagonal, *beside, *first;
    double g, s, c, p;
};

static int rotate(struct sweep *w, int i)
{
    double f = w->s * w->beside[i], b = w->c * w->beside[i], r = hypot(f, w->g), t;

    w->beside[i + 1] = r;
    if (r == 0) {
        w->diagonal[i + 1] -= w->p;
        return -1;
    }
    w->s = f / r;
    w->c = w->g / r;
    w->g = w->diagonal[i + 1] - w->p;
    t = (w->diagonal[i] - w->g) * w->s + 2 * w->c * b;
    w->p = w->s * t;
    w->diagonal[i + 1] = w->g + w->p;
    w->g = w->c * t - b;
    f = w->first[i + 1];
    w->first[i + 1] = w->s * w->first[i] + w->c * f;
    w->first[i] = w->c * w->first[i] - w->s * f;
    return 0;
}

static int split(const struct sweep *w, int from)
{
    int m = from;

    for (; m < POINTS - 1; m++) {
        double size = fabs(w->diagonal[m]) + fabs(w->diagonal[m + 1]);

        if (fabs(w->beside[m]) <= 1e-17 * size)
            break;
    }
    return m;
}

static void sweep_once(struct sweep *w, int l, int m)
{
    double g = (w->diagonal[l + 1] - w->diagonal[l]) / (2 * w->beside[l]), r = hypot(g, 1);
    int i = m - 1;

    w->g = w->diagonal[m] - w->diagonal[l] + w->beside[l] / (g + copysign(r, g));
    w->s = w->c = 1;
    w->p = 0;
    while (i >= l && !rotate(w, i))
        i--;
    if (i >= l) {
        w->beside[m] = 0;
        return;
    }
    w->diagonal[l] -= w->p;
    w->beside[l] = w->g;
    w->beside[m] = 0;
}

/* Ten nodes in [0, length) for the sum over 0, 1, ..., length - 1. */
static void make_rule(double length, struct rule *rule)
{
    double beside[POINTS] = {0}, first[POINTS] = {1};
    struct sweep w = {.diagonal = rule->point, .beside = beside, .first = first};

    for (int k = 0; k < POINTS; k++) {
        double square = (double)k * k;

        rule->point[k] = (length - 1) / 2;
        if (k > 0)
            beside[k - 1] =
                length * sqrt(square * (1 - square / length / length) / (4 * (4 * square - 1)));
    }
    for (int l = 0; l < POINTS; l++)
        for (int i = 0; i < SWEEPS; i++) {
            int m = split(&w, l);

            if (m == l)
                break;
            sweep_once(&w, l, m);
        }
    for (int k = 0; k < POINTS; k++)
        rule->weight[k] = length * first[k] * first[k];
}

struct cs_volatile_nodes cs_volatile_nodes_create(int exact, double last, struct cs_arena *arena)
{
    double start = exact + 1.0;
    int count = exact, at = 0;
    double *t, *weight;

    for (double a = start; a <= last; a += floor(a * GROWTH))
        count += POINTS;
    t = CS_NEW_ARRAY(arena, double, count);
    weight = CS_NEW_ARRAY(arena, double, count);
    for (; at < exact; at++) {
        t[at] = at + 1;
        weight[at] = 1;
    }
    for (double a = start; a <= last; a += floor(a * GROWTH)) {
        struct rule rule;

        make_rule(floor(a * GROWTH), &rule);
        for (int k = 0; k < POINTS; k++, at++) {
            t[at] = a + rule.point[k];
            weight[at] = rule.weight[k];
        }
    }
    return (struct cs_volatile_nodes){count, t, weight};
}
