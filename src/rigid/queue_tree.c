/* queue_tree.c - least times by class of widths, over blocks of ranks. */
#include "rigid/queue_tree.h"

#include "base/order.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#define BLOCK CS_RIGID_TREE_BLOCK
#define CLASSES CS_RIGID_TREE_CLASSES

/* Which part of the jobs, by width, is below a class: what is free is mostly little. */
static const double below_class[CLASSES] = {0,       1. / 512, 1. / 256, 1. / 128, 1. / 64, 1. / 32,
                                            3. / 64, 1. / 16,  3. / 32,  1. / 8,   3. / 16, 1. / 4,
                                            3. / 8,  1. / 2,   5. / 8,   3. / 4};

static const struct cs_rigid_tree_least nobody = {
    .seconds = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
                INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    .procs = INT_MAX,
};

static float not_above(double x)
{
    float f = x < FLT_MAX ? (float)x : FLT_MAX;

    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float not_below(double x)
{
    double above = x + (fabs(x) * 0x1p-22 + FLT_MIN);

    return above < FLT_MAX ? (float)above : FLT_MAX;
}

static void make_classes(struct cs_rigid_tree *t, struct cs_arena *arena)
{
    double *width = CS_NEW_ARRAY(arena, double, t->in->count);
    int *order = CS_NEW_ARRAY(arena, int, t->in->count);

    if (t->in->count == 0)
        return;
    for (int k = 0; k < t->in->count; k++)
        width[k] = t->in->procs[k];
    cs_order_ascending(width, t->in->count, order, arena);
    for (int c = 0; c < CLASSES; c++)
        t->class_least[c] = t->in->procs[order[(int)(below_class[c] * t->in->count)]];
}

/* The last whose least width is no larger. */
static uint8_t class_of(const struct cs_rigid_tree *t, int procs)
{
    int class = 0;

    for (int half = CLASSES / 2; half > 0; half /= 2)
        if (t->class_least[class + half] <= procs)
            class += half;
    return (uint8_t) class;
}

void cs_rigid_tree_learn(struct cs_rigid_tree *t)
{
    for (int k = 0; k < t->in->count; k++) {
        t->class[k] = class_of(t, t->in->procs[k]);
        t->seconds[k] = not_above(t->in->seconds[k]);
    }
}

void cs_rigid_tree_init(struct cs_rigid_tree *t, const struct cs_rigid_instance *in,
                        struct cs_arena *arena)
{
    *t = (struct cs_rigid_tree){.in = in, .blocks = 1};
    while (t->blocks < (in->count + BLOCK - 1) / BLOCK)
        t->blocks *= 2;
    t->waits = CS_NEW_ARRAY(arena, uint16_t, (size_t)t->blocks);
    t->class = CS_NEW_ARRAY(arena, uint8_t, in->count);
    t->seconds = CS_NEW_ARRAY(arena, float, in->count);
    t->least = CS_NEW_ARRAY(arena, struct cs_rigid_tree_least, 2 * (size_t)t->blocks);
    for (int node = 0; node < 2 * t->blocks; node++)
        t->least[node] = nobody;
    make_classes(t, arena);
    cs_rigid_tree_learn(t);
}

static void add_to_block(struct cs_rigid_tree *t, int rank)
{
    struct cs_rigid_tree_least *least = &t->least[t->blocks + rank / BLOCK];
    float *of_class = &least->seconds[t->class[rank]];

    *of_class = t->seconds[rank] < *of_class ? t->seconds[rank] : *of_class;
    least->procs = t->in->procs[rank] < least->procs ? t->in->procs[rank] : least->procs;
}

static void measure_block(struct cs_rigid_tree *t, int block)
{
    t->least[t->blocks + block] = nobody;
    for (unsigned bits = t->waits[block]; bits; bits &= bits - 1)
        add_to_block(t, BLOCK * block + __builtin_ctz(bits));
}

/* One of the class is gone from the block. */
static void measure_class(struct cs_rigid_tree *t, int block, int class)
{
    struct cs_rigid_tree_least *least = &t->least[t->blocks + block];
    float seconds = INFINITY;
    int procs = INT_MAX;

    for (unsigned bits = t->waits[block]; bits; bits &= bits - 1) {
        int rank = BLOCK * block + __builtin_ctz(bits);

        if (t->class[rank] == class && t->seconds[rank] < seconds)
            seconds = t->seconds[rank];
        if (t->in->procs[rank] < procs)
            procs = t->in->procs[rank];
    }
    least->seconds[class] = seconds;
    least->procs = procs;
}

static inline float least_time(const struct cs_rigid_tree_least *two, int class)
{
    float a = two[0].seconds[class], b = two[1].seconds[class];

    return a < b ? a : b;
}

static inline int least_width(const struct cs_rigid_tree_least *two)
{
    return two[0].procs < two[1].procs ? two[0].procs : two[1].procs;
}

void cs_rigid_tree_fill(struct cs_rigid_tree *t, const bool *set)
{
    memset(t->waits, 0, (size_t)t->blocks * sizeof *t->waits);
    for (int k = 0; k < t->in->count; k++)
        if (!set || set[k])
            t->waits[k / BLOCK] |= (uint16_t)(1u << k % BLOCK);
    for (int b = 0; b < t->blocks; b++)
        measure_block(t, b);
    for (int node = t->blocks - 1; node >= 1; node--) {
        for (int c = 0; c < CLASSES; c++)
            t->least[node].seconds[c] = least_time(&t->least[2 * node], c);
        t->least[node].procs = least_width(&t->least[2 * node]);
    }
}

void cs_rigid_tree_put(struct cs_rigid_tree *t, int rank, bool waits)
{
    int block = rank / BLOCK, class = t->class[rank];
    const struct cs_rigid_tree_least *of_block = &t->least[t->blocks + block];
    unsigned bit = 1u << rank % BLOCK;

    t->waits[block] = (uint16_t)(waits ? t->waits[block] | bit : t->waits[block] & ~bit);
    if (waits)
        add_to_block(t, rank);
    else if (t->seconds[rank] <= of_block->seconds[class] || t->in->procs[rank] <= of_block->procs)
        measure_class(t, block, class);
    else
        return;
    for (int node = (t->blocks + block) / 2; node >= 1; node /= 2) {
        struct cs_rigid_tree_least *least = &t->least[node];
        const struct cs_rigid_tree_least *two = &t->least[2 * node];
        float seconds = least_time(two, class);
        int procs = least_width(two);

        if (least->seconds[class] == seconds && least->procs == procs)
            return;
        least->seconds[class] = seconds;
        least->procs = procs;
    }
}

struct search {
    const struct cs_rigid_tree *tree;
    const struct cs_rigid_stairs *stairs;
    int from;
    float longest[CLASSES]; /* no job of the class that is under the stairs but not under the last
                               is longer; negative: there is none */
};

/* How long an attempt may be that ends by then, or nearly. */
static float longest_until(const struct cs_rigid_stairs *stairs, double end)
{
    double slack = (fabs(end) + fabs(stairs->now) + stairs->verification) * 0x1p-50;

    return not_below((end - stairs->now) - stairs->verification + slack);
}

static void find_longest(struct search *s)
{
    const struct cs_rigid_stairs *stairs = s->stairs;
    int step = stairs->steps - 2, c = 0;

    for (; step >= 0 && c < CLASSES; step--)
        for (float longest = longest_until(stairs, stairs->end[step]);
             c < CLASSES && s->tree->class_least[c] <= stairs->free[step]; c++)
            s->longest[c] = longest;
    for (; c < CLASSES; c++)
        s->longest[c] = -1;
}

static bool may_hold(const struct search *s, const struct cs_rigid_tree_least *least)
{
    int any = least->procs <= s->stairs->free[s->stairs->steps - 1];

    if (any || least->procs > s->stairs->free[0])
        return any;
    for (int c = 0; c < CLASSES; c++)
        any |= least->seconds[c] <= s->longest[c];
    return any;
}

static int first_in_block(const struct search *s, int block)
{
    const struct cs_rigid_instance *in = s->tree->in;
    unsigned bits = s->tree->waits[block];

    if (s->from > BLOCK * block)
        bits &= ~0u << (s->from - BLOCK * block);
    for (; bits; bits &= bits - 1) {
        int rank = BLOCK * block + __builtin_ctz(bits);

        if (in->procs[rank] <= s->stairs->free[0] &&
            cs_rigid_stairs_allow(s->stairs, in->procs[rank], in->seconds[rank]))
            return rank;
    }
    return -1;
}

/* From the block of `from`, or from all, to the right and down where there may be one. */
int cs_rigid_tree_first(const struct cs_rigid_tree *tree, int from,
                        const struct cs_rigid_stairs *stairs)
{
    int node = from > 0 ? tree->blocks + from / BLOCK : 1, found;
    struct search s;

    if (from / BLOCK >= tree->blocks || tree->least[1].procs > stairs->free[0])
        return -1;
    s.tree = tree;
    s.stairs = stairs;
    s.from = from;
    if (stairs->free[stairs->steps - 1] < stairs->free[0])
        find_longest(&s);
    for (;;) {
        if (may_hold(&s, &tree->least[node])) {
            if (node < tree->blocks) {
                node *= 2;
                continue;
            }
            found = first_in_block(&s, node - tree->blocks);
            if (found >= 0)
                return found;
        }
        while (node & 1)
            node /= 2;
        if (node == 0)
            return -1;
        node++;
    }
}
