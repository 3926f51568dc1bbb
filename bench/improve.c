/* improve - what contiguous, local-search and pair-search gain over pack-by-pack, and their time.
 *
 * For every pack size of the stand-ins for Workload-II and III: percent above the best cost known
 * (proven optimal on Workload-II, the best of many kicks on III) and the median of the
 * microseconds, the policies taking turns.  Below each workload the means.
 */
#include "bench/bench.h"
#include "problems/pack/pack.h"

#include <math.h>
#include <string.h>

#define POLICIES 5
#define MOST_TURNS 101
#define SECONDS 0.1 /* for one workload and pack size, at least three turns */

static const char *const policies[POLICIES] = {
    "pack-by-pack", "contiguous", "local-search", "pair-search", "pair-search:kicks=20",
};

struct known {
    int pack_size; /* 0 ends the list */
    double cost;
};

static const struct {
    const char *name;
    struct known known[9];
} workloads[] = {
    {"ii-a",
     {{2, 7792.31},
      {4, 4125.06},
      {6, 2958.29},
      {8, 2478.57},
      {10, 2102.59},
      {12, 1909.44},
      {14, 1786.54},
      {16, 1707.08}}},
    {"ii-b",
     {{2, 578702.0},
      {4, 334146.6},
      {6, 254712.1},
      {8, 240309.4},
      {10, 219520.4},
      {12, 204303.5},
      {14, 200112.8},
      {16, 200112.8}}},
    {"iii-a", {{2, 35651.64}, {4, 18219.18}, {8, 9863.98}, {16, 5941.17}, {32, 4293.87}}},
    {"iii-b", {{2, 735502.3}, {4, 409935.7}, {8, 268354.3}, {16, 210236.0}, {32, 197220.3}}},
};

static void stop(const struct cs_error *err)
{
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

/* One policy on one instance. */
struct variant {
    struct cs_pack_request request;
    double sample[MOST_TURNS], cost;
};

static void take_turn(const struct cs_pack_instance *in, struct variant *variant, int turn,
                      struct cs_pack_plan *plan)
{
    struct cs_error err = {0};
    double start = cs_bench_now();

    if (cs_pack_plan_make(in, &variant->request, plan, &err))
        stop(&err);
    variant->sample[turn] = cs_bench_now() - start;
    variant->cost = plan->total;
}

/* Prints one line; adds percent and microseconds to the sums. */
static void run_size(const struct cs_workload *workload, const struct known *known, double *sums)
{
    static struct variant variant[POLICIES];
    struct cs_error err = {0};
    struct cs_pack_instance *in =
        cs_pack_instance_create(workload, workload->procs, known->pack_size, &err);
    struct cs_pack_plan *plan = cs_pack_plan_create(workload->count);
    double start = cs_bench_now();
    int turns = 0, count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (!in)
        stop(&err);
    for (int w = 0; w < POLICIES; w++)
        if (cs_policy_parse(policies[w], list, count, &variant[w].request.call, &err))
            stop(&err);
    while (turns < 3 || (turns < MOST_TURNS && cs_bench_now() - start < SECONDS)) {
        for (int w = 0; w < POLICIES; w++)
            take_turn(in, &variant[w], turns, plan);
        turns++;
    }
    printf("%10d", known->pack_size);
    for (int w = 0; w < POLICIES; w++) {
        double percent = 100 * (variant[w].cost / known->cost - 1);
        double us = 1e6 * cs_bench_median(variant[w].sample, turns);

        printf("  %8.2f %11.0f", percent, us);
        sums[2 * w] += percent;
        sums[2 * w + 1] += us;
    }
    putchar('\n');
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
}

static void run_workload(size_t which)
{
    struct cs_error err = {0};
    struct cs_workload *workload = cs_pack_generate(workloads[which].name, NULL, &err);
    double sums[2 * POLICIES] = {0};
    int sizes = 0;

    if (!workload)
        stop(&err);
    printf("\nWorkload %s: %d tasks, %d processors; percent above the best known, microseconds\n"
           "%10s",
           workloads[which].name, workload->count, workload->procs, "pack size");
    for (int w = 0; w < POLICIES; w++)
        printf("  %20s", policies[w]);
    putchar('\n');
    for (const struct known *k = workloads[which].known; k->pack_size; k++, sizes++)
        run_size(workload, k, sums);
    printf("%10s", "mean");
    for (int w = 0; w < POLICIES; w++)
        printf("  %8.2f %11.0f", sums[2 * w] / sizes, sums[2 * w + 1] / sizes);
    putchar('\n');
    fflush(stdout);
    cs_workload_destroy(workload);
}

int main(void)
{
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        run_workload(w);
    return 0;
}
