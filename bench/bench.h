/* bench.h - how long things take, side by side in one run.
 *
 * A program lists its variants as struct cs_bench_case and calls cs_bench_compare: the
 * variants take turns, so that other load on the machine affects all of them, and each is
 * measured by the median of its turns.  Compare the ratios of one run, never the
 * microseconds of two.
 *
 * A turn repeats its variant until it lasts CS_BENCH_TURN seconds; turns are taken until
 * CS_BENCH_TOTAL seconds have passed, CS_BENCH_FEWEST at least.
 */
#ifndef CS_BENCH_BENCH_H
#define CS_BENCH_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CS_BENCH_TURN 1e-3
#define CS_BENCH_TOTAL 1.0
#define CS_BENCH_FEWEST 5
#define CS_BENCH_MOST 1001
#define CS_BENCH_VARIANTS 16

struct cs_bench_case {
    const char *name;
    void (*run)(void *data);
    void *data;
    double paper_us; /* what the paper reports, in microseconds; 0 for nothing */
};

static inline double cs_bench_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Keep the compiler from leaving out a computation whose result is unused. */
static inline void cs_bench_keep(const void *result)
{
    __asm__ volatile("" : : "g"(result) : "memory");
}

static inline double cs_bench_seconds(const struct cs_bench_case *variant, long repeats)
{
    double start = cs_bench_now();

    for (long i = 0; i < repeats; i++)
        variant->run(variant->data);
    return (cs_bench_now() - start) / (double)repeats;
}

static inline long cs_bench_repeats(const struct cs_bench_case *variant)
{
    double seconds = cs_bench_seconds(variant, 1);

    if (seconds >= CS_BENCH_TURN)
        return 1;
    seconds = cs_bench_seconds(variant, 3);
    return seconds < CS_BENCH_TURN * 1e-6 ? 1000000 : 1 + (long)(CS_BENCH_TURN / seconds);
}

static inline int cs_bench_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline double cs_bench_median(double *sample, int count)
{
    qsort(sample, (size_t)count, sizeof(*sample), cs_bench_order);
    return sample[count / 2];
}

static inline void cs_bench_row(const struct cs_bench_case *variant, double seconds, double first)
{
    printf("%-40s %14.2f %10.3f", variant->name, 1e6 * seconds, seconds / first);
    if (variant->paper_us > 0)
        printf(" %12.0f %10.1f", variant->paper_us, variant->paper_us / (1e6 * seconds));
    putchar('\n');
}

/* Time `count` variants (at most CS_BENCH_VARIANTS) and print a table: microseconds, the ratio to
 * the first variant, and the figure of the paper and the speedup, if there is one. */
static inline void cs_bench_compare(const char *title, const struct cs_bench_case *variant,
                                    int count)
{
    static double sample[CS_BENCH_VARIANTS][CS_BENCH_MOST];
    long repeats[CS_BENCH_VARIANTS];
    double start, median[CS_BENCH_VARIANTS];
    int turns = 0, paper = 0;

    for (int w = 0; w < count; w++)
        repeats[w] = cs_bench_repeats(&variant[w]);
    start = cs_bench_now();
    while (turns < CS_BENCH_FEWEST ||
           (turns < CS_BENCH_MOST && cs_bench_now() - start < CS_BENCH_TOTAL)) {
        for (int w = 0; w < count; w++)
            sample[w][turns] = cs_bench_seconds(&variant[w], repeats[w]);
        turns++;
    }
    for (int w = 0; w < count; w++) {
        median[w] = cs_bench_median(sample[w], turns);
        paper |= variant[w].paper_us > 0;
    }
    printf("\n%-40s %14s %10s%s\n", title, "microseconds", "ratio",
           paper ? "   paper (us)     faster" : "");
    for (int w = 0; w < count; w++)
        cs_bench_row(&variant[w], median[w], median[0]);
    fflush(stdout);
}

#endif
