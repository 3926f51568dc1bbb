/* sums.c - sums over all times of products over hosts: expansions and fixed nodes.
 *
 * Source: spec/volatile.md 3.3 (a) and (b), 3.6 (first common up slot), Part II.1 (L).
 * Idea: for few hosts the product is expanded into 2^count exponentials, summed in closed form.
 * For many, t = 1 .. EXACT one by one, then panels [a, 1.75 a) with the ten-point Gauss rule of
 * the discrete uniform measure (eigenvalues of its Jacobi matrix, Golub and Welsch).  Products of a
 * common beginning of two sets are kept from one call to the next.
 * Invariants: hosts ascend, so the same set gives the same bits; all terms are positive when no
 * eigenvalue is negative; (a) is exact for any rate, (b) needs |lambda2|^EXACT < FADED (the number
 * of exact nodes is raised for that).
 * Complexity: (a) O(2^count), (b) O(nodes) for one more host.  3.3 and 3.4 measured 124 nodes for
 * rates of 1e-2 and 294 for 1e-6, a relative error below 3e-15; 48 ns for the expansion of 6 hosts,
 * 50 to 200 ns for a sum over nodes.
 *
 * Constants (half and double: not measured, but for the figures above):
 *   POINTS      10     nodes of a panel (3.3)
 *   GROWTH      0.75   length of a panel over its beginning (3.3)
 *   SWEEPS      60     QL sweeps at most for an eigenvalue; set by hand
 *   EXACT       24     nodes one by one (3.3); more for negative eigenvalues, up to EXACT_MOST 4096
 *   FADED       1e-17  a power below it does not count (3.3)
 *   FAINTEST    1e-16  slowest decay per slot for which nodes are made; set by hand
 *   DECAYS      40     last node, in units of 1 / y1 of the slowest host (3.3)
 *   EXPAND      6      hosts up to which (a) is used (3.3); EXPAND_MOST 22 where (b) cannot be
 *   NEAR        1e-6   as in chain.c
 */
#include "problems/volatile/sums.h"
#include "base/bug.h"

#include <math.h>
#include <string.h>

/* the rule of Golub and Welsch: eigenvalues of a tridiagonal matrix. */

#define POINTS 10
#define GROWTH 0.75
#define SWEEPS 60

struct rule {
    double point[POINTS], weight[POINTS];
};

/* One rotation of the implicit QL sweep between rows i and i + 1; first[] is the first row of the
 * eigenvectors. */
struct sweep {
    double *diagonal, *extra, *first;
    double g, s, c, p;
};

static int sums_rotate(struct sweep *w, int i)
{
    double f = w->s * w->extra[i], b = w->c * w->extra[i], r = hypot(f, w->g), t;

    w->extra[i + 1] = r;
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

static int sums_split(const struct sweep *w, int from)
{
    int m = from;

    for (; m < POINTS - 1; m++) {
        double size = fabs(w->diagonal[m]) + fabs(w->diagonal[m + 1]);

        if (fabs(w->extra[m]) <= 1e-17 * size)
            break;
    }
    return m;
}

static void sweep_once(struct sweep *w, int l, int m)
{
    double g = (w->diagonal[l + 1] - w->diagonal[l]) / (2 * w->extra[l]), r = hypot(g, 1);
    int i = m - 1;

    w->g = w->diagonal[m] - w->diagonal[l] + w->extra[l] / (g + copysign(r, g));
    w->s = w->c = 1;
    w->p = 0;
    while (i >= l && !sums_rotate(w, i))
        i--;
    if (i >= l) {
        w->extra[m] = 0;
        return;
    }
    w->diagonal[l] -= w->p;
    w->extra[l] = w->g;
    w->extra[m] = 0;
}

/* Ten nodes in [0, length) for the sum over 0, 1, ..., length - 1. */
static void make_rule(double length, struct rule *rule)
{
    double extra[POINTS] = {0}, first[POINTS] = {1};
    struct sweep w = {.diagonal = rule->point, .extra = extra, .first = first};

    for (int k = 0; k < POINTS; k++) {
        double square = (double)k * k;

        rule->point[k] = (length - 1) / 2;
        if (k > 0)
            extra[k - 1] =
                length * sqrt(square * (1 - square / length / length) / (4 * (4 * square - 1)));
    }
    for (int l = 0; l < POINTS; l++)
        for (int i = 0; i < SWEEPS; i++) {
            int m = sums_split(&w, l);

            if (m == l)
                break;
            sweep_once(&w, l, m);
        }
    for (int k = 0; k < POINTS; k++)
        rule->weight[k] = length * first[k] * first[k];
}

/* Nodes 1 .. exact one by one, then panels until `last`.  Lives in the arena. */
static struct cs_volatile_nodes volatile_nodes_create(int exact, double last,
                                                      struct cs_arena *arena)
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

#define EXACT 24        /* nodes one by one, at least */
#define EXACT_MOST 4096 /* and at most, for negative eigenvalues */
#define FADED 1e-17     /* a power that plays no part any more */
#define FAINTEST 1e-16  /* slowest decay for which nodes are made */
#define DECAYS 40.0     /* nodes reach so many times the slowest time of decay */
#define EXPAND 6        /* hosts: expansion up to so many */
#define EXPAND_MOST 22  /* for stubborn hosts */
#define NEAR 1e-6       /* distance of eigenvalues below which alpha and beta cancel */

/* Products over the first hosts of the last set, for all lengths of that beginning. */
struct cs_volatile_fold {
    int depth;      /* hosts that are folded in */
    int room;       /* levels that there is memory for */
    int *host;      /* which, in this order */
    double **value; /* by level: the product of so many hosts */
    double **y;     /* expansions: by level, the rates of the terms */
    int *count;     /* expansions: by level, how many terms */
};

static struct cs_volatile_fold *fold_create(struct cs_arena *arena)
{
    return CS_NEW(arena, struct cs_volatile_fold);
}

/* Room for a level more than `level`, each of so many values. */
static void fold_reserve(struct cs_volatile_summer *s, struct cs_volatile_fold *f, int level)
{
    int room = level + 8;
    struct cs_volatile_fold bigger = *f;

    if (level < f->room)
        return;
    bigger.room = room;
    bigger.host = CS_NEW_ARRAY(s->arena, int, room);
    bigger.count = CS_NEW_ARRAY(s->arena, int, room);
    bigger.value = CS_NEW_ARRAY(s->arena, double *, room);
    bigger.y = CS_NEW_ARRAY(s->arena, double *, room);
    if (f->room) {
        memcpy(bigger.host, f->host, (size_t)f->room * sizeof *f->host);
        memcpy(bigger.count, f->count, (size_t)f->room * sizeof *f->count);
        memcpy(bigger.value, f->value, (size_t)f->room * sizeof *f->value);
        memcpy(bigger.y, f->y, (size_t)f->room * sizeof *f->y);
    }
    *f = bigger;
}

/* Keep what the new set has in common with the last; returns how many hosts that is. */
static int fold_keep(struct cs_volatile_fold *f, const int *host, int count)
{
    int same = 0;

    while (same < f->depth && same < count && f->host[same] == host[same])
        same++;
    f->depth = same;
    return same;
}

static double sums_slowest(const struct cs_volatile_chain *chain)
{
    return chain->y1 > 0 ? chain->y1 : chain->y2 > 0 ? chain->y2 : 1;
}

/* How many nodes a negative eigenvalue wants one by one. */
static double sums_wanted(const struct cs_volatile_chain *chain)
{
    return chain->y2 > 1 ? ceil(log(FADED) / chain->log2) : 0;
}

struct cs_volatile_summer *cs_volatile_summer_create(const struct cs_volatile_instance *in,
                                                     struct cs_arena *arena)
{
    struct cs_volatile_summer *s = CS_NEW(arena, struct cs_volatile_summer);
    struct cs_volatile_chain *chain = CS_NEW_ARRAY(arena, struct cs_volatile_chain, in->hosts);
    bool *stubborn = CS_NEW_ARRAY(arena, bool, in->hosts);
    double least = 1, exact = EXACT;

    for (int q = 0; q < in->hosts; q++) {
        cs_volatile_chain_init(&chain[q], in->host[q].chain);
        least = fmin(least, sums_slowest(&chain[q]));
        stubborn[q] = sums_wanted(&chain[q]) > EXACT_MOST;
        if (!stubborn[q])
            exact = fmax(exact, sums_wanted(&chain[q]));
    }
    *s = (struct cs_volatile_summer){
        .hosts = in->hosts,
        .chain = chain,
        .stubborn = stubborn,
        .nodes = volatile_nodes_create((int)exact, DECAYS / fmax(least, FAINTEST), arena),
        .arena = arena,
        .up = CS_NEW_ARRAY(arena, double *, in->hosts),
        .alive = CS_NEW_ARRAY(arena, double *, in->hosts),
        .back = CS_NEW_ARRAY(arena, double *, in->hosts),
        .terms = fold_create(arena),
        .product = fold_create(arena),
    };
    return s;
}

/* A function of one host at every node, computed once. */
static const double *at_nodes(struct cs_volatile_summer *s, double **table, int host,
                              double (*function)(const struct cs_volatile_chain *, double))
{
    if (!table[host]) {
        double *value = CS_NEW_ARRAY(s->arena, double, s->nodes.count);

        for (int j = 0; j < s->nodes.count; j++)
            value[j] = function(&s->chain[host], s->nodes.t[j]);
        table[host] = value;
    }
    return table[host];
}

static int add_term(double *coefficient, double *rate, int at, double c, double y)
{
    if (c == 0)
        return at;
    coefficient[at] = c;
    rate[at] = y;
    return at + 1;
}

/* Every term (c, y) becomes (c first, ...) and (c second, ...). */
static int multiply_terms(const double *c, const double *y, int count,
                          const struct cs_volatile_chain *chain, double first, double second,
                          double *to_c, double *to_y)
{
    int at = 0;

    for (int i = 0; i < count; i++) {
        at = add_term(to_c, to_y, at, c[i] * first, y[i] + chain->y1 * (1 - y[i]));
        at = add_term(to_c, to_y, at, c[i] * second, y[i] + chain->y2 * (1 - y[i]));
    }
    return at;
}

static void fold_term(struct cs_volatile_summer *s, struct cs_volatile_fold *f, int host)
{
    const struct cs_volatile_chain *chain = &s->chain[host];
    static const double one = 1, zero = 0;
    int level = f->depth;

    CS_REQUIRE(level < EXPAND_MOST);
    fold_reserve(s, f, level);
    if (!f->value[level]) {
        f->value[level] = CS_NEW_ARRAY(s->arena, double, (size_t)2 << level);
        f->y[level] = CS_NEW_ARRAY(s->arena, double, (size_t)2 << level);
    }
    f->count[level] = multiply_terms(
        level ? f->value[level - 1] : &one, level ? f->y[level - 1] : &zero,
        level ? f->count[level - 1] : 1, chain, chain->mu, chain->nu, f->value[level], f->y[level]);
    f->host[level] = host;
    f->depth++;
}

struct cs_volatile_sums cs_volatile_summer_expand(struct cs_volatile_summer *s, const int *host,
                                                  int count)
{
    struct cs_volatile_fold *f = s->terms;
    struct cs_volatile_sums sums = {0};

    for (int i = fold_keep(f, host, count); i < count; i++)
        fold_term(s, f, host[i]);
    for (int i = 0; i < f->count[count - 1]; i++) {
        double c = f->value[count - 1][i], y = f->y[count - 1][i], term = c * (1 - y) / y;

        sums.eu += term;
        sums.a += term / y;
    }
    return sums;
}

static void fold_product(struct cs_volatile_summer *s, struct cs_volatile_fold *f, int host)
{
    const double *up = at_nodes(s, s->up, host, cs_volatile_chain_up), *before;
    int level = f->depth;
    double *value;

    fold_reserve(s, f, level);
    if (!f->value[level])
        f->value[level] = CS_NEW_ARRAY(s->arena, double, s->nodes.count);
    value = f->value[level];
    before = level ? f->value[level - 1] : s->nodes.weight;
    for (int j = 0; j < s->nodes.count; j++)
        value[j] = before[j] * up[j];
    f->host[level] = host;
    f->depth++;
}

struct cs_volatile_sums cs_volatile_summer_nodes(struct cs_volatile_summer *s, const int *host,
                                                 int count)
{
    struct cs_volatile_fold *f = s->product;
    struct cs_volatile_sums sums = {0};

    for (int i = fold_keep(f, host, count); i < count; i++)
        fold_product(s, f, host[i]);
    for (int j = 0; j < s->nodes.count; j++) {
        sums.eu += f->value[count - 1][j];
        sums.a += s->nodes.t[j] * f->value[count - 1][j];
    }
    return sums;
}

/* None of the hosts can be down, and each is up a share of the time: 1 / mean gap; else 0. */
static double share_for_ever(const struct cs_volatile_summer *s, const int *host, int count)
{
    double share = 1;

    for (int i = 0; i < count; i++)
        share *= s->chain[host[i]].y1 > 0 ? 0 : s->chain[host[i]].mu;
    return share;
}

static bool any_stubborn(const struct cs_volatile_summer *s, const int *host, int count)
{
    for (int i = 0; i < count; i++)
        if (s->stubborn[host[i]])
            return true;
    return false;
}

struct cs_volatile_sums cs_volatile_summer_of(struct cs_volatile_summer *s, const int *host,
                                              int count)
{
    double share = share_for_ever(s, host, count);

    if (share > 0)
        return (struct cs_volatile_sums){INFINITY, 1 / share};
    if (count <= EXPAND || (count <= EXPAND_MOST && any_stubborn(s, host, count)))
        return cs_volatile_summer_expand(s, host, count);
    return cs_volatile_summer_nodes(s, host, count);
}

/* The sum over t >= 0 of the product of P_ND, as an expansion. */
static double expand_lifetime(struct cs_volatile_summer *s, const int *host, int count)
{
    struct cs_arena_mark mark = cs_arena_mark(s->arena);
    double *c[2], *y[2], sum = 0;
    int terms = 1, now = 0;

    for (int i = 0; i < 2; i++) {
        c[i] = CS_NEW_ARRAY(s->arena, double, (size_t)1 << count);
        y[i] = CS_NEW_ARRAY(s->arena, double, (size_t)1 << count);
    }
    c[0][0] = 1;
    for (int i = 0; i < count; i++, now = 1 - now) {
        const struct cs_volatile_chain *chain = &s->chain[host[i]];

        terms = multiply_terms(c[now], y[now], terms, chain, chain->alpha, chain->beta, c[1 - now],
                               y[1 - now]);
    }
    for (int i = 0; i < terms; i++)
        sum += c[now][i] / y[now][i];
    cs_arena_rewind(s->arena, mark);
    return sum;
}

static double sum_lifetime(struct cs_volatile_summer *s, const int *host, int count)
{
    double sum = 1;

    for (int i = 0; i < count; i++)
        at_nodes(s, s->alive, host[i], cs_volatile_chain_alive);
    for (int j = 0; j < s->nodes.count; j++) {
        double product = s->nodes.weight[j];

        for (int i = 0; i < count; i++)
            product *= s->alive[host[i]][j];
        sum += product;
    }
    return sum;
}

double cs_volatile_summer_lifetime(struct cs_volatile_summer *s, const int *host, int count)
{
    bool mortal = false, apart = true;

    for (int i = 0; i < count; i++) {
        mortal |= s->chain[host[i]].y1 > 0;
        apart &= s->chain[host[i]].distance > NEAR;
    }
    if (!mortal)
        return INFINITY;
    if (apart && (count <= EXPAND || (count <= EXPAND_MOST && any_stubborn(s, host, count))))
        return expand_lifetime(s, host, count);
    return sum_lifetime(s, host, count);
}

/* At node j: the product from all up, and from the states of now. */
struct pair {
    double up, now;
};

static struct pair at_node(const struct cs_volatile_summer *s, const int *host, int count,
                           const bool *reclaimed, int j)
{
    struct pair product = {1, 1};

    for (int i = 0; i < count; i++) {
        product.up *= s->up[host[i]][j];
        product.now *= (reclaimed[i] ? s->back : s->up)[host[i]][j];
    }
    return product;
}

/* The limit for hosts that can never be down: both sums diverge, their difference does not. */
static struct cs_volatile_first first_for_ever(const struct cs_volatile_summer *s, const int *host,
                                               int count, const bool *reclaimed, double share)
{
    double more = 0;

    for (int j = 0; j < s->nodes.count; j++) {
        struct pair product = at_node(s, host, count, reclaimed, j);

        more += s->nodes.weight[j] * (product.up - product.now);
    }
    return (struct cs_volatile_first){1, (1 + more) / share};
}

struct cs_volatile_first cs_volatile_summer_first(struct cs_volatile_summer *s, const int *host,
                                                  int count, const bool *reclaimed)
{
    double share = share_for_ever(s, host, count), eu = 0, a = 0, g = 0, ag = 0;

    for (int i = 0; i < count; i++) {
        at_nodes(s, s->up, host[i], cs_volatile_chain_up);
        at_nodes(s, s->back, host[i], cs_volatile_chain_return);
    }
    if (share > 0)
        return first_for_ever(s, host, count, reclaimed, share);
    for (int j = 0; j < s->nodes.count; j++) {
        struct pair product = at_node(s, host, count, reclaimed, j);
        double w = s->nodes.weight[j], t = s->nodes.t[j];

        eu += w * product.up;
        a += w * t * product.up;
        g += w * product.now;
        ag += w * t * product.now;
    }
    return (struct cs_volatile_first){g / (1 + eu), ag / (1 + eu) - g * a / ((1 + eu) * (1 + eu))};
}
