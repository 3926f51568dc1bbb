/* arrivals.c - models of jobs that arrive: Lublin and Feitelson, Tsafrir's estimates, Downey's
 * speedups; RLScheduler's sequences.
 *
 * Source: spec/science.md 9.  Lublin, Feitelson, "The workload on parallel supercomputers", 2003;
 * Tsafrir, Etsion, Feitelson, "Modeling user runtime estimates", 2005; Downey, "A parallel workload
 * model", 1997; Zhang et al., "RLScheduler", 2020; Marsaglia, Tsang, "A simple method for
 * generating gamma variables", 2000.
 *
 * Idea: gaps are exponentials of gamma variables, stretched where the half hour of the day has a
 * low weight; widths are powers of two by a two-stage uniform; times hyper-gamma, the longer part
 * more likely for wide jobs.  Estimates: 20 popular times have 89 % of the jobs, the others follow
 * a power law; a job gets a random one of those that are not below its time.
 *
 * Invariants
 *   - gaps, sizes, times, estimates and speedups have separate streams, so that one option does not
 *     change the draws of another, and the first jobs do not depend on how many are drawn.
 *   - an estimate is never below the time of its job (unless that was cut to the largest).
 *
 * Complexity: O(n) for n jobs, O(n log n) with estimates.  The constants are those of the papers;
 * changes of them were not measured.
 */
#include "problems/queue/arrivals.h"

#include "base/arena.h"
#include "base/order.h"
#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    STREAM_GAPS = 1411,
    STREAM_SIZES,
    STREAM_TIMES,
    STREAM_ESTIMATES,
    STREAM_SPEEDUPS,
    STREAM_SEQUENCES,
};

#define SLOT 1800.0     /* seconds */
#define LONGEST_GAP 13  /* ln seconds; longer gaps are drawn again */
#define LONGEST_TIME 12 /* the same of run times */

/* ---- Lublin and Feitelson ---- */

static const struct lublin_table {
    double serial, power;      /* shares of jobs of one processor, of a power of two */
    double low, first, gap;    /* log2 of widths: least; share of the lower part; its end is
                                * so much below the largest */
    double a1, b1, a2, b2;     /* ln of run times: two gamma variables */
    double slope, base;        /* share of the first one: slope width + base */
    double gap_a, gap_b, rush; /* ln of gaps */
    double day_a, day_b;       /* weights of half hours */
} lublin_tables[] = {
    [CS_LUBLIN_ALL] = {.serial = .244,
                       .power = .576,
                       .low = .8,
                       .first = .86,
                       .gap = 2.5,
                       .a1 = 4.2,
                       .b1 = .94,
                       .a2 = 312,
                       .b2 = .03,
                       .slope = -.0054,
                       .base = .78,
                       .gap_a = 10.2303,
                       .gap_b = .4871,
                       .rush = 1.0225,
                       .day_a = 8.1737,
                       .day_b = 3.9631},
    [CS_LUBLIN_BATCH] = {.serial = .2927,
                         .power = .6686,
                         .low = 1.2,
                         .first = .875,
                         .gap = 2,
                         .a1 = 6.57,
                         .b1 = .823,
                         .a2 = 639.1,
                         .b2 = .0156,
                         .slope = -.003,
                         .base = .6986,
                         .gap_a = 6.0415,
                         .gap_b = .8531,
                         .rush = 1.0519,
                         .day_a = 6.1271,
                         .day_b = 5.2740},
};

/* The regularised lower incomplete gamma function, for a > 0 and moderate x: the series
 * x^a e^-x sum of x^n / (a (a + 1) ... (a + n)), all of whose terms are positive. */
static double gamma_below(double a, double x)
{
    double term = 1 / a, sum = term;

    for (int n = 1; n < 10000 && term > sum * 1e-17; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return x > 0 ? sum * exp(a * log(x) - x - lgamma(a)) : 0;
}

void cs_lublin_weights(enum cs_lublin_model model, double weight[CS_LUBLIN_SLOTS])
{
    const struct lublin_table *t = &lublin_tables[model];
    double sum = 0;

    for (int i = 11; i < 11 + CS_LUBLIN_SLOTS; i++) {
        double *w = &weight[(i - 1) % CS_LUBLIN_SLOTS];

        *w = gamma_below(t->day_a, (i + 0.5) / t->day_b) -
             gamma_below(t->day_a, (i - 0.5) / t->day_b);
        sum += *w;
    }
    for (int s = 0; s < CS_LUBLIN_SLOTS; s++)
        weight[s] /= sum / CS_LUBLIN_SLOTS;
}

/* Gamma with shape a > 1 and scale b (Marsaglia and Tsang). */
static double gamma_draw(struct cs_rng *rng, double a, double b)
{
    const double d = a - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        const double x = cs_rng_normal(rng);
        double v = 1 + c * x;

        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(cs_rng_open(rng)) < x * x / 2 + d - d * v + d * log(v))
            return b * d * v;
    }
}

struct lublin {
    const struct cs_lublin *how;
    const struct lublin_table *table;
    struct cs_rng gaps, sizes, times;
    double weight[CS_LUBLIN_SLOTS];
    int slot;
    double points, part, clock; /* part: of the slot, when the last job arrived */
};

static int64_t lublin_arrive(struct lublin *l)
{
    double g, gap = 0, part;

    do
        g = gamma_draw(&l->gaps, l->table->gap_a * l->table->rush, l->table->gap_b);
    while (g > LONGEST_GAP);
    l->points += exp(g) * l->how->gap_factor / SLOT;
    while (l->points > l->weight[l->slot]) {
        l->points -= l->weight[l->slot];
        l->slot = (l->slot + 1) % CS_LUBLIN_SLOTS;
        gap += SLOT;
    }
    part = l->points / l->weight[l->slot];
    gap += SLOT * (part - l->part);
    l->part = part;
    l->clock += gap;
    return (int64_t)floor(l->clock);
}

static int lublin_width(struct lublin *l)
{
    const struct lublin_table *t = l->table;
    const double u = cs_rng_uniform(&l->sizes), high = log2(l->how->procs);
    const double middle = fmax(t->low, high - t->gap);
    double x, width;
    bool lower;

    if (u <= t->serial)
        return 1;
    lower = cs_rng_uniform(&l->sizes) <= t->first;
    x = lower ? t->low + (middle - t->low) * cs_rng_uniform(&l->sizes)
              : middle + (high - middle) * cs_rng_uniform(&l->sizes);
    if (u <= t->serial + t->power)
        x = floor(x + 0.5);
    width = floor(pow(2, x) + 0.5);
    return width < l->how->procs ? (int)width : l->how->procs;
}

static int64_t lublin_seconds(struct lublin *l, int width)
{
    const struct lublin_table *t = l->table;
    const double share = fmin(1, fmax(0, t->slope * width + t->base));
    double h;

    do
        h = cs_rng_uniform(&l->times) <= share ? gamma_draw(&l->times, t->a1, t->b1)
                                               : gamma_draw(&l->times, t->a2, t->b2);
    while (h > LONGEST_TIME);
    return (int64_t)fmax(1, floor(exp(h)));
}

void cs_lublin_draw(const struct cs_lublin *how, int count, struct cs_lublin_job *job)
{
    struct lublin l = {
        .how = how, .table = &lublin_tables[how->model], .slot = 2 * how->start_hour};

    cs_lublin_weights(how->model, l.weight);
    cs_rng_init(&l.gaps, how->seed, STREAM_GAPS, how->set);
    cs_rng_init(&l.sizes, how->seed, STREAM_SIZES, how->set);
    cs_rng_init(&l.times, how->seed, STREAM_TIMES, how->set);
    for (int j = 0; j < count; j++) {
        job[j].submit = lublin_arrive(&l);
        job[j].procs = lublin_width(&l);
        job[j].seconds = lublin_seconds(&l, job[j].procs);
    }
}

/* ---- Tsafrir, Etsion and Feitelson ---- */

#define HEADS 20        /* popular times */
#define HEAD_SHARE 89.0 /* percent of the jobs */
#define TAIL_SHARE 11.0
#define HOUR INT64_C(3600)

/* By rank of a time (shortest first, but the largest before all): how popular it is on each of four
 * machines. */
static const int head_ranks[HEADS][4] = {
    {3, 1, 1, 1},     {1, 3, 4, 6},     {4, 4, 10, 5},    {17, 2, 14, 3},  {13, 12, 20, 7},
    {7, 9, 2, 2},     {8, 8, 3, 18},    {18, 18, 7, 19},  {2, 6, 12, 4},   {6, 7, 6, 11},
    {16, 11, 19, 20}, {10, 20, 5, 9},   {5, 16, 18, 10},  {15, 5, 16, 14}, {14, 14, 9, 13},
    {19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8},   {20, 19, 11, 12},
};

struct histogram {
    const struct cs_estimates *how;
    struct cs_rng *rng;
    int heads, tails;
    int64_t head[HEADS], tail[CS_ESTIMATES_BINS];
    double head_share[HEADS], tail_share[CS_ESTIMATES_BINS]; /* percent */
};

static int64_t half_up(double x)
{
    return (int64_t)floor(x + 0.5);
}

/* How many different estimates so many jobs have. */
static int bins_of(int count)
{
    static const double jobs[] = {0, 20, 200, 1000, 1e4, 7e4, 2.5e5};
    static const double bins[] = {0, 10, 20, 35, 90, 340, 565};
    int i = 0;

    if (count >= jobs[6])
        return (int)bins[6];
    while (count > jobs[i + 1])
        i++;
    return (int)half_up(bins[i] +
                        (count - jobs[i]) * (bins[i + 1] - bins[i]) / (jobs[i + 1] - jobs[i]));
}

static bool has_time(const int64_t *time, int count, int64_t wanted)
{
    for (int i = 0; i < count; i++)
        if (time[i] == wanted)
            return true;
    return false;
}

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void head_add(struct histogram *h, int64_t time)
{
    if (h->heads < HEADS && time < h->how->largest && !has_time(h->head, h->heads, time))
        h->head[h->heads++] = time;
}

static void head_times(struct histogram *h)
{
    static const int64_t minutes[] = {5,   10,  15,  20,  30,  60,  120, 180,
                                      240, 300, 360, 480, 600, 720, 1080};
    static const int64_t units[] = {200 * HOUR, 100 * HOUR, 50 * HOUR, 10 * HOUR, 5 * HOUR,
                                    2 * HOUR,   HOUR,       1200,      600,       300};
    const int64_t largest = h->how->largest;

    h->head[0] = largest;
    h->heads = 1;
    for (size_t i = 0; i < sizeof minutes / sizeof *minutes; i++)
        head_add(h, 60 * minutes[i]);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (int64_t t = (largest - 1) / units[i] * units[i]; t > 0 && h->heads < HEADS;
             t -= units[i])
            head_add(h, t);
    qsort(h->head + 1, (size_t)h->heads - 1, sizeof *h->head, compare_times);
}

static int due_row(int rank)
{
    int due = 0;

    for (int row = 0; row < HEADS; row++)
        for (int i = 0; i < 4; i++)
            if (head_ranks[row][i] == rank)
                due = row;
    return due;
}

/* Ranks of the rows so far, which are not taken, as often as they occurred. */
struct pool {
    int rank[4 * HEADS], count;
    bool taken[HEADS + 1];
};

static void pool_remove(struct pool *pool, int rank)
{
    int left = 0;

    pool->taken[rank] = true;
    for (int i = 0; i < pool->count; i++)
        if (pool->rank[i] != rank)
            pool->rank[left++] = pool->rank[i];
    pool->count = left;
}

/* Of the ranks up to `most`, the smaller of two that are drawn; without any, the smallest one that
 * is not taken. */
static int pool_pick(const struct pool *pool, int most, struct cs_rng *rng)
{
    int at[4 * HEADS], n = 0, a, b, rank = 1;

    for (int i = 0; i < pool->count; i++)
        if (pool->rank[i] <= most)
            at[n++] = pool->rank[i];
    while (!n && pool->taken[rank])
        rank++;
    if (!n)
        return rank;
    a = at[cs_rng_below(rng, (uint64_t)n)];
    b = at[cs_rng_below(rng, (uint64_t)n)];
    return a < b ? a : b;
}

static int head_rank(const struct pool *pool, int row, int most, struct cs_rng *rng)
{
    for (int rank = 1; rank <= most; rank++)
        if (!pool->taken[rank] && (row == 0 || due_row(rank) <= row))
            return rank;
    return pool_pick(pool, most, rng);
}

static int compare_falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static void head_shares(struct histogram *h)
{
    struct pool pool = {.count = 0};
    double share[HEADS] = {HEAD_SHARE};

    for (int r = 2; r <= h->heads; r++) {
        share[r - 1] = 14.0491 * exp(-0.177531 * r) + 0.462513;
        share[0] -= share[r - 1];
    }
    qsort(share, (size_t)h->heads, sizeof *share, compare_falling);
    for (int row = 0; row < h->heads; row++) {
        int rank;

        for (int i = 0; i < 4; i++)
            if (!pool.taken[head_ranks[row][i]])
                pool.rank[pool.count++] = head_ranks[row][i];
        rank = head_rank(&pool, row, h->heads, h->rng);
        pool_remove(&pool, rank);
        h->head_share[row] = share[rank - 1];
    }
}

static void tail_add(struct histogram *h, int64_t time)
{
    static const int offset[] = {0, 30, -30, 20, -20, 10, -10};

    for (size_t i = 0; i < sizeof offset / sizeof *offset; i++) {
        const int64_t t = time + offset[i];

        if (t > 0 && t < h->how->largest && !has_time(h->head, h->heads, t) &&
            !has_time(h->tail, h->tails, t)) {
            h->tail[h->tails++] = t;
            return;
        }
    }
}

static void tail_times(struct histogram *h, int bins)
{
    const double a = 1 + 12.1039 * pow(bins, -0.6026);
    const int m = bins - h->heads;

    for (int i = 1; i <= m; i++) {
        const double x = (double)i / m;

        tail_add(h, 60 * half_up((a - 1) * x / (a - x) * (double)h->how->largest / 60));
    }
    qsort(h->tail, (size_t)h->tails, sizeof *h->tail, compare_times);
}

static void tail_shares(struct histogram *h)
{
    int64_t time[CS_ESTIMATES_BINS];
    double share[CS_ESTIMATES_BINS], sum = 0;
    int order[CS_ESTIMATES_BINS];

    for (int i = 0; i < h->tails; i++) {
        order[i] = i;
        time[i] = h->tail[i];
        share[i] = 795.6 * pow(20 + i + 1, -2.267);
        sum += share[i];
    }
    cs_rng_shuffle(h->rng, order, h->tails);
    for (int i = 0; i < h->tails; i++)
        h->tail[i] = time[order[i]];
    for (int i = 0; i < h->tails; i++)
        order[i] = i;
    cs_rng_shuffle(h->rng, order, h->tails);
    for (int i = 0; i < h->tails; i++)
        h->tail_share[i] = share[order[i]] * (TAIL_SHARE / sum);
}

static int compare_bins(const void *a, const void *b)
{
    const struct cs_estimates_bin *x = a, *y = b;

    return compare_times(&x->seconds, &y->seconds);
}

/* Most jobs first; ties: the shorter time. */
static int compare_popular(const void *a, const void *b)
{
    const struct cs_estimates_bin *x = a, *y = b;

    return x->jobs != y->jobs ? (x->jobs < y->jobs) - (x->jobs > y->jobs) : compare_bins(a, b);
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The change of a bin in a pass; `part`: jobs missing, or too many, over all jobs. */
static int64_t bin_step(int64_t jobs, int pass, double part)
{
    const int64_t step[] = {(int64_t)ceil(part * (double)jobs), 1, jobs - 1, jobs};

    return step[pass];
}

static int64_t bins_sum(const struct cs_estimates_bin *bin, int bins)
{
    int64_t sum = 0;

    for (int i = 0; i < bins; i++)
        sum += bin[i].jobs;
    return sum;
}

/* Rounding left the sum different from the number of jobs. */
static void bins_balance(struct cs_estimates_bin *bin, int bins, int64_t count)
{
    const int64_t sum = bins_sum(bin, bins);
    const bool more = count > sum;
    const double part = fabs((double)(count - sum)) / (double)sum;
    int64_t missing = more ? count - sum : sum - count;

    for (int pass = 0; pass < 4 && missing; pass++) {
        qsort(bin, (size_t)bins, sizeof *bin, compare_popular);
        for (int i = 0; i < bins && missing; i++) {
            const int64_t floor_of = pass < 3 ? 1 : 0;
            int64_t step = least_of(bin_step(bin[i].jobs, pass, part), missing);

            if (!more)
                step = least_of(step, bin[i].jobs - floor_of);
            bin[i].jobs += more ? step : -step;
            missing -= step;
        }
    }
}

static int histogram_draw(const struct cs_estimates *how, int count, struct cs_rng *rng,
                          struct cs_estimates_bin bin[CS_ESTIMATES_BINS])
{
    struct histogram h = {.how = how, .rng = rng};
    double scale;
    int bins = bins_of(count), left = 0;

    head_times(&h);
    head_shares(&h);
    tail_times(&h, bins);
    tail_shares(&h);
    scale = h.tails ? 1 : 100 / HEAD_SHARE;
    bins = h.heads + h.tails;
    for (int i = 0; i < bins; i++) {
        const bool head = i < h.heads;
        const double share = head ? scale * h.head_share[i] : h.tail_share[i - h.heads];
        const int64_t jobs = half_up(share * count / 100);

        bin[i] =
            (struct cs_estimates_bin){head ? h.head[i] : h.tail[i - h.heads], jobs > 1 ? jobs : 1};
    }
    bins_balance(bin, bins, count);
    for (int i = 0; i < bins; i++)
        if (bin[i].jobs > 0)
            bin[left++] = bin[i];
    qsort(bin, (size_t)left, sizeof *bin, compare_bins);
    return left;
}

int cs_estimates_histogram(const struct cs_estimates *how, int count,
                           struct cs_estimates_bin bin[CS_ESTIMATES_BINS])
{
    struct cs_rng rng;

    cs_rng_init(&rng, how->seed, STREAM_ESTIMATES, how->set);
    return histogram_draw(how, count, &rng, bin);
}

/* The estimates of all bins, falling. */
static int64_t *estimates_spread(const struct cs_estimates_bin *bin, int bins, int count,
                                 struct cs_arena *arena)
{
    int64_t *list = CS_NEW_ARRAY(arena, int64_t, count);
    int n = 0;

    for (int i = bins - 1; i >= 0; i--)
        for (int64_t k = 0; k < bin[i].jobs && n < count; k++)
            list[n++] = bin[i].seconds;
    return list;
}

/* Jobs by falling time take one of the estimates that are left and not below it. */
static int estimates_match(const double *time, const int *order, int count, int64_t *list,
                           struct cs_rng *rng, int64_t *estimate, struct cs_error *err)
{
    int last = -1;

    for (int j = 0; j < count; j++)
        if (time[order[j]] > (double)list[j])
            return cs_error_set(err, "too many jobs are longer than the estimates of the model "
                                     "allow: raise --largest-request");
    for (int j = 0; j < count; j++) {
        int k;

        while (last + 1 < count && (double)list[last + 1] >= time[order[j]])
            last++;
        k = j + (int)cs_rng_below(rng, (uint64_t)(last - j + 1));
        estimate[order[j]] = list[k];
        list[k] = list[j];
    }
    return 0;
}

int cs_estimates_assign(const struct cs_estimates *how, int count, const int64_t *seconds,
                        int64_t *estimate, int *cut, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_estimates_bin *bin = CS_NEW_ARRAY(arena, struct cs_estimates_bin, CS_ESTIMATES_BINS);
    double *time = CS_NEW_ARRAY(arena, double, count);
    int *order = CS_NEW_ARRAY(arena, int, count), bins, status;
    struct cs_rng rng;

    *cut = 0;
    for (int j = 0; j < count; j++) {
        *cut += seconds[j] > how->largest;
        time[j] = (double)least_of(seconds[j], how->largest);
    }
    cs_rng_init(&rng, how->seed, STREAM_ESTIMATES, how->set);
    bins = histogram_draw(how, count, &rng, bin);
    cs_order_descending(time, count, order, arena);
    status = estimates_match(time, order, count, estimates_spread(bin, bins, count, arena), &rng,
                             estimate, err);
    cs_arena_destroy(arena);
    return status;
}

/* ---- Downey; RLScheduler ---- */

void cs_downey_draw(uint64_t seed, uint64_t set, int procs, int count, struct cs_downey_job *job)
{
    const double high = log2(procs);
    struct cs_rng rng;

    cs_rng_init(&rng, seed, STREAM_SPEEDUPS, set);
    for (int j = 0; j < count; j++) {
        job[j].parallelism = pow(2, cs_rng_uniform(&rng) * high);
        job[j].sigma = 2 * cs_rng_uniform(&rng);
    }
}

int cs_sequences_draw(uint64_t seed, int64_t total, int64_t length, int count, int64_t *start,
                      struct cs_error *err)
{
    struct cs_rng rng;

    if (total < 2 * length + 2)
        return cs_error_set(err,
                            "--length: %lld jobs are too few for sequences of %lld; %lld or more",
                            (long long)total, (long long)length, (long long)(2 * length + 2));
    cs_rng_init(&rng, seed, STREAM_SEQUENCES, 0);
    for (int s = 0; s < count; s++)
        start[s] = length + (int64_t)cs_rng_below(&rng, (uint64_t)(total - 2 * length - 1));
    return 0;
}
