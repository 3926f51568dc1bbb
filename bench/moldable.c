/* moldable - bounds, decoders and planners of the bag without barriers, by size.
 *
 * Bags as in spec/moldable.md 13: sequential times log-normal (7, 1), serial shares from {0, .02,
 * .05, .1, .2, .3}, an overhead for each log2 of the count; counts are powers of two, or all.
 * Processor time, because the machine may be busy: milliseconds, for FIT and moves microseconds.
 */
#include "base/rng.h"
#include "bench/bench.h"
#include "model/workload.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/exact.h"
#include "problems/moldable/fit.h"

#include <math.h>
#include <string.h>

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

struct bag {
    struct cs_workload *workload;
    struct cs_moldable_instance *in;
    struct cs_moldable_plan *plan;
    struct cs_arena *arena;
};

static struct bag make(int tasks, int procs, bool every, uint64_t seed)
{
    static const double shares[] = {0, .02, .05, .1, .2, .3};
    static const double overheads[] = {0, 0, .0005, .002, .005};
    struct cs_arena *arena = cs_arena_create();
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, tasks);
    const struct cs_task_limit powers = {.powers_of_two = true};
    struct cs_error err = {0};
    struct bag bag = {.arena = arena};
    struct cs_rng rng;

    cs_rng_init(&rng, seed, 1, 0);
    for (int i = 0; i < tasks; i++) {
        double time = cs_rng_lognormal(&rng, 7, 1);
        int share = (int)cs_rng_below(&rng, 6), overhead = (int)cs_rng_below(&rng, 5);

        profile[i] = (struct cs_profile){.kind = CS_PROFILE_OVERHEAD,
                                         .seq_time = time,
                                         .seq_fraction = shares[share],
                                         .overhead = overheads[overhead]};
    }
    bag.workload = cs_workload_create(tasks, NULL, profile, NULL);
    if (!every)
        cs_workload_restrict(bag.workload, &powers, &err);
    bag.in = cs_moldable_instance_create(bag.workload, procs, NULL, &err);
    if (!bag.in) {
        fprintf(stderr, "bench: %s\n", err.text);
        exit(1);
    }
    bag.plan = cs_moldable_plan_create(tasks);
    cs_moldable_plan_clear(bag.plan);
    return bag;
}

static void destroy(struct bag *bag)
{
    cs_moldable_plan_destroy(bag->plan);
    cs_moldable_instance_destroy(bag->in);
    cs_workload_destroy(bag->workload);
    cs_arena_destroy(bag->arena);
}

static void report(const char *what, double seconds, double unit, const char *word, double target)
{
    printf("%-52s %10.3g %s", what, seconds / unit, word);
    if (target > 0)
        printf("   (target %g)", target);
    putchar('\n');
}

static void bench_area(void)
{
    struct bag bag = make(200, 128, false, 1);
    double from = now(), threshold, sum = 0;

    for (int k = 0; k < 1000; k++)
        sum += cs_moldable_area(&bag.in->bag, &threshold, bag.arena);
    cs_bench_keep(&sum);
    report("area bound, 200 tasks on 128", (now() - from) / 1000, 1e-3, "ms", 0.2);
    destroy(&bag);
}

static void bench_fit(int tasks, int procs, double target)
{
    struct bag bag = make(tasks, procs, procs == 40, 2);
    struct cs_moldable_fit fit;
    int *choice = CS_NEW_ARRAY(bag.arena, int, tasks), *order = CS_NEW_ARRAY(bag.arena, int, tasks);
    double threshold, area = cs_moldable_area(&bag.in->bag, &threshold, bag.arena), from;
    const int rounds = 100000;
    char what[64];

    cs_moldable_gamma(&bag.in->bag, threshold, choice);
    cs_moldable_sort(&bag.in->bag, choice, CS_MOLDABLE_LPT, order, bag.arena);
    cs_moldable_fit_init(&fit, &bag.in->bag, bag.arena);
    from = now();
    for (int k = 0; k < rounds; k++) {
        cs_moldable_fit_clear(&fit);
        cs_moldable_fit(&fit, choice, order, tasks, 1.02 * area, INFINITY);
        cs_bench_keep(fit.start);
    }
    snprintf(what, sizeof what, "FIT, %d tasks on %d", tasks, procs);
    report(what, (now() - from) / rounds, 1e-6, "us", target);
    destroy(&bag);
}

static void bench_search(int tasks, int procs, long long moves)
{
    struct bag bag = make(tasks, procs, false, 3);
    const struct cs_moldable_hunt hunt = {.seed = 1, .moves = moves};
    struct cs_moldable_bounds bounds;
    double from;
    long long done;
    char what[64];

    cs_moldable_bounds_compute(bag.in, &bounds);
    cs_moldable_start(&bag.in->bag, bag.plan, bag.arena);
    from = now();
    done = cs_moldable_search(&bag.in->bag, &hunt, bag.plan, bag.arena);
    snprintf(what, sizeof what, "a move of the search, %d tasks on %d (gap %.2f %%)", tasks, procs,
             100 * (bag.plan->makespan / bounds.best - 1));
    report(what, (now() - from) / (double)(done ? done : 1), 1e-6, "us", 0);
    destroy(&bag);
}

static void bench_list(int tasks, int procs, double target)
{
    struct bag bag = make(tasks, procs, false, 4);
    int *choice = CS_NEW_ARRAY(bag.arena, int, tasks), *order = CS_NEW_ARRAY(bag.arena, int, tasks);
    double *start = CS_NEW_ARRAY(bag.arena, double, tasks), threshold, from;
    struct cs_moldable_lister lister;
    char what[64];

    cs_moldable_area(&bag.in->bag, &threshold, bag.arena);
    cs_moldable_thrifty(&bag.in->bag, threshold, choice);
    cs_moldable_sort(&bag.in->bag, choice, CS_MOLDABLE_LPT, order, bag.arena);
    cs_moldable_lister_init(&lister, &bag.in->bag, bag.arena);
    from = now();
    for (int k = 0; k < 10; k++)
        cs_moldable_list(&lister, choice, order, INFINITY, start);
    cs_bench_keep(start);
    snprintf(what, sizeof what, "LIST, %d tasks on %d", tasks, procs);
    report(what, (now() - from) / 10, 1e-3, "ms", target);
    destroy(&bag);
}

static void bench_effort(int tasks, int procs, enum cs_moldable_effort effort, double target)
{
    struct bag bag = make(tasks, procs, false, 5);
    const struct cs_moldable_request request = {.seed = 1, .threads = 1};
    double from = now();
    char what[64];

    cs_moldable_effort_plan(bag.in, effort, &request, bag.plan, NULL);
    snprintf(what, sizeof what, "bounds and %s, %d tasks on %d",
             cs_moldable_effort_name((int)effort), tasks, procs);
    report(what, now() - from, 1e-3, "ms", target);
    destroy(&bag);
}

static void bench_large(int tasks, int procs, double target)
{
    struct bag bag = make(tasks, procs, false, 6);
    struct cs_moldable_bounds bounds;
    double from = now();
    char what[64];

    cs_moldable_bounds_compute(bag.in, &bounds);
    cs_moldable_ludwig_tiwari(&bag.in->bag, bag.plan, bag.arena);
    cs_bench_keep(bag.plan);
    snprintf(what, sizeof what, "bounds and ludwig-tiwari, %d tasks on %d", tasks, procs);
    report(what, now() - from, 1e-3, "ms", target);
    destroy(&bag);
}

static void bench_exact(void)
{
    double sum = 0;

    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bag bag = make(7, 8, false, 100 + seed);
        const struct cs_moldable_hunt hunt = {.seed = 1, .moves = 20000};
        const struct cs_moldable_proof proof = {.nodes = 10000000};
        double from;

        cs_moldable_start(&bag.in->bag, bag.plan, bag.arena);
        cs_moldable_search(&bag.in->bag, &hunt, bag.plan, bag.arena);
        from = now();
        cs_moldable_prove(&bag.in->bag, &proof, bag.plan, bag.arena);
        sum += now() - from;
        destroy(&bag);
    }
    report("exact, 7 tasks on 8, mean of 20", sum / 20, 1e-3, "ms", 50);
}

/* The gap to the bound of `bags` bags, after 2,000 and 20,000 moves and by the default effort; and
 * how far the default is above the best of four seeds of two million moves (0: not asked). */
static void bench_bags(int tasks, int procs, bool every, int bags, bool best_known)
{
    static const long long moves[] = {2000, 20000};
    double gap[3] = {0}, worst = 0, above = 0, most = 0, seconds = 0;

    for (int b = 0; b < bags; b++) {
        struct bag bag = make(tasks, procs, every, 1000 + (uint64_t)b);
        const struct cs_moldable_request request = {.seed = 1, .threads = 1};
        struct cs_moldable_bounds bounds;
        double found, from;

        cs_moldable_bounds_compute(bag.in, &bounds);
        for (int k = 0; k < 2; k++) {
            const struct cs_moldable_hunt hunt = {.seed = 1, .moves = moves[k]};

            cs_moldable_plan_clear(bag.plan);
            cs_moldable_start(&bag.in->bag, bag.plan, bag.arena);
            cs_moldable_search(&bag.in->bag, &hunt, bag.plan, bag.arena);
            gap[k] += (bag.plan->makespan / bounds.best - 1) / bags;
        }
        from = now();
        cs_moldable_effort_plan(bag.in, CS_MOLDABLE_EFFORT_DEFAULT, &request, bag.plan, NULL);
        seconds += (now() - from) / bags;
        found = bag.plan->makespan;
        gap[2] += (found / bag.plan->bound - 1) / bags;
        worst = fmax(worst, found / bag.plan->bound - 1);
        for (uint64_t seed = 2; best_known && seed < 6; seed++) {
            const struct cs_moldable_hunt hunt = {.seed = seed, .moves = 2000000};

            cs_moldable_search(&bag.in->bag, &hunt, bag.plan, bag.arena);
        }
        above += (found / bag.plan->makespan - 1) / bags;
        most = fmax(most, found / bag.plan->makespan - 1);
        destroy(&bag);
    }
    printf("| %d | %d | %s | %d | %.2f %% | %.2f %% | %.2f %% (%.2f %%) | %.2f | ", tasks, procs,
           every ? "every" : "2^x", bags, 100 * gap[0], 100 * gap[1], 100 * gap[2], 100 * worst,
           seconds);
    if (best_known)
        printf("%.2f %% (%.2f %%) |\n", 100 * above, 100 * most);
    else
        puts("|");
    fflush(stdout);
}

/* The bags of the tables of moves in spec/moldable.md, Part II, 1, so many of each. */
static void bench_all_bags(int bags)
{
    puts("| tasks | procs | counts | bags | 2,000 moves | 20,000 | default, mean (worst) | s | "
         "above "
         "the best known |\n| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    bench_bags(15, 40, false, bags, true);
    bench_bags(15, 40, true, bags, true);
    bench_bags(30, 32, false, bags, false);
    bench_bags(65, 16, true, bags, false);
    bench_bags(100, 128, false, bags, false);
    bench_bags(200, 128, false, bags, false);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "bags") == 0) {
        bench_all_bags(argc > 2 ? atoi(argv[2]) : 6);
        return 0;
    }
    bench_area();
    bench_fit(15, 40, 0.5);
    bench_fit(65, 16, 4);
    bench_fit(200, 128, 8);
    bench_search(15, 40, 20000);
    bench_search(65, 16, 10000);
    bench_search(200, 128, 20000);
    bench_list(10000, 1000, 10);
    bench_effort(1000, 1000, CS_MOLDABLE_EFFORT_FAST, 20);
    bench_effort(15, 40, CS_MOLDABLE_EFFORT_DEFAULT, 1000);
    bench_effort(65, 16, CS_MOLDABLE_EFFORT_DEFAULT, 1000);
    bench_effort(200, 128, CS_MOLDABLE_EFFORT_DEFAULT, 1000);
    bench_effort(1000, 1000, CS_MOLDABLE_EFFORT_DEFAULT, 0);
    bench_large(100000, 1000, 500);
    bench_exact();
    return 0;
}
