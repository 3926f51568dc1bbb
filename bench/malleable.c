/* malleable - microseconds for one simulated run of the paper's tasks, by policy; and growth.
 *
 * 100 tasks, sizes 1.5e6 to 2.5e6, c = 1, f = 0.08, MTBF 100 years, downtime 60 s: the paper's
 * defaults.  Runs are scenarios of one simulation, one after the other.  The column "paper" is the
 * time of the reference behind the golden cases for iterated-greedy and end-greedy, from the
 * measurements of spec/malleable.md 13 (2 to 3 and 15 ms).
 *
 *     malleable                          medians, then growth
 *     malleable short                    medians
 *     malleable rounds N [PROCS [WAY]]   the best of N rounds, of one way alone
 *     malleable optimum                  allocations a second of the hindsight search; the limit
 *                                        of docs/spec/science.md 15 is 5 times 6,500
 */
#include "problems/malleable/malleable.h"
#include "bench/bench.h"
#include "problems/malleable/optimum.h"

#include <math.h>
#include <string.h>

#define YEAR 31536000.0

struct turns {
    struct cs_malleable_simulation *simulation;
    struct cs_malleable_trace *trace;
    uint64_t next, scenarios;
};

static void run_next(void *data)
{
    struct turns *t = data;
    struct cs_malleable_outcome outcome;

    cs_malleable_trace_begin(t->trace, t->next);
    cs_malleable_simulation_run(t->simulation, t->trace, NULL, &outcome);
    cs_bench_keep(&outcome);
    t->next = (t->next + 1) % t->scenarios;
}

static const struct {
    const char *name;
    int on_end, on_failure;
} variants[] = {
    {"none, none", CS_MALLEABLE_END_NONE, CS_MALLEABLE_FAILURE_NONE},
    {"local, shortest-tasks-first", CS_MALLEABLE_END_LOCAL, CS_MALLEABLE_FAILURE_SHORTEST},
    {"local, iterated-greedy", CS_MALLEABLE_END_LOCAL, CS_MALLEABLE_FAILURE_GREEDY},
    {"greedy, shortest-tasks-first", CS_MALLEABLE_END_GREEDY, CS_MALLEABLE_FAILURE_SHORTEST},
    {"greedy, iterated-greedy", CS_MALLEABLE_END_GREEDY, CS_MALLEABLE_FAILURE_GREEDY},
    {"recommended", -1, -1},
};

#define VARIANTS ((int)(sizeof variants / sizeof *variants))

static struct cs_malleable_instance *instance(int tasks, int procs)
{
    const struct cs_malleable_platform platform = {
        .procs = procs, .mtbf = 100 * YEAR, .downtime = CS_MALLEABLE_DOWNTIME};
    struct cs_malleable_generator generator = cs_malleable_generator_paper();
    struct cs_workload *workload;
    struct cs_malleable_instance *in;

    generator.tasks = tasks;
    workload = cs_malleable_generate(&generator, NULL);
    in = cs_malleable_instance_from_workload(workload, 0, 0, &platform, NULL);
    cs_workload_destroy(workload);
    return in;
}

static struct cs_malleable_rules rules_of(int w)
{
    struct cs_malleable_rules rules = cs_malleable_rules_paper();

    if (variants[w].on_end < 0)
        return cs_malleable_rules_recommended();
    rules.on_end = variants[w].on_end;
    rules.on_failure = variants[w].on_failure;
    return rules;
}

static void run_variants(int tasks, int procs, double paper_us)
{
    struct cs_malleable_instance *in = instance(tasks, procs);
    const struct cs_malleable_failures failures = {.procs = procs, .mtbf = 100 * YEAR};
    struct cs_malleable_trace *trace = cs_malleable_trace_draw(&failures, NULL);
    struct cs_bench_case variant[VARIANTS];
    struct turns turns[VARIANTS];
    char title[64];

    for (int w = 0; w < VARIANTS; w++) {
        const struct cs_malleable_rules rules = rules_of(w);

        turns[w] = (struct turns){cs_malleable_simulation_create(in, &rules, NULL), trace, 0, 20};
        variant[w] = (struct cs_bench_case){variants[w].name, run_next, &turns[w], 0};
    }
    variant[VARIANTS - 2].paper_us = paper_us;
    snprintf(title, sizeof title, "%d tasks, %d processors", tasks, procs);
    cs_bench_compare(title, variant, VARIANTS);
    for (int w = 0; w < VARIANTS; w++)
        cs_malleable_simulation_destroy(turns[w].simulation);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

/* The best of some rounds of 20 scenarios, in processor time: what a busy machine disturbs least.
 */
static double best_round(struct turns *turns, int rounds)
{
    double best = INFINITY;

    for (int r = 0; r < rounds; r++) {
        clock_t spent = clock();

        for (uint64_t scenario = 0; scenario < turns->scenarios; scenario++)
            run_next(turns);
        spent = clock() - spent;
        best = fmin(best, 1e6 / CLOCKS_PER_SEC * (double)spent / (double)turns->scenarios);
    }
    return best;
}

/* One way alone (`only` >= 0) is for tools that count instructions. */
static void run_rounds(int tasks, int procs, int rounds, int only)
{
    struct cs_malleable_instance *in = instance(tasks, procs);
    const struct cs_malleable_failures failures = {.procs = procs, .mtbf = 100 * YEAR};
    struct cs_malleable_trace *trace = cs_malleable_trace_draw(&failures, NULL);

    printf("%d tasks, %d processors: microseconds a run, best of %d rounds of 20\n", tasks, procs,
           rounds);
    for (int w = 0; w < VARIANTS; w++) {
        const struct cs_malleable_rules rules = rules_of(w);
        struct turns turns = {NULL, trace, 0, 20};

        if (only >= 0 && w != only)
            continue;
        turns.simulation = cs_malleable_simulation_create(in, &rules, NULL);
        printf("%-32s %12.1f\n", variants[w].name, best_round(&turns, rounds));
        cs_malleable_simulation_destroy(turns.simulation);
    }
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

/* One run of one scenario each: the cost of making a simulation, and of running it. */
static void grow(int tasks, int procs)
{
    struct cs_malleable_instance *in = instance(tasks, procs);
    const struct cs_malleable_failures failures = {.procs = procs, .mtbf = 100 * YEAR};
    struct cs_malleable_trace *trace = cs_malleable_trace_draw(&failures, NULL);

    for (int w = 0; w < VARIANTS; w++) {
        const struct cs_malleable_rules rules = rules_of(w);
        struct cs_malleable_outcome outcome;
        const double start = cs_bench_now();
        struct cs_malleable_simulation *simulation =
            cs_malleable_simulation_create(in, &rules, NULL);
        const double made = cs_bench_now();

        cs_malleable_trace_begin(trace, 0);
        cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
        printf("%7d %8d  %-32s %12.1f %12.1f %9lld %9lld\n", tasks, procs, variants[w].name,
               1e3 * (made - start), 1e3 * (cs_bench_now() - made), (long long)outcome.failures,
               (long long)outcome.moved);
        fflush(stdout);
        cs_malleable_simulation_destroy(simulation);
    }
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

static void search_optimum(int tasks, int procs)
{
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_instance *in = instance(tasks, procs);
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_optimum optimum;
    const double start = cs_bench_now();
    double seconds;

    cs_malleable_optimum_find(in, &rules, NULL, 0, true, arena, &optimum, NULL);
    seconds = cs_bench_now() - start;
    printf("%5d %5d %12lld %9.2f %12.0f %7s\n", tasks, procs / 2, optimum.nodes, seconds,
           (double)optimum.nodes / seconds, optimum.proven ? "yes" : "no");
    cs_arena_destroy(arena);
    cs_malleable_instance_destroy(in);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "optimum")) {
        printf("tasks pairs  allocations   seconds     a second  proven\n");
        search_optimum(4, 16);
        search_optimum(5, 16);
        search_optimum(5, 24);
        return 0;
    }
    if (argc > 2 && !strcmp(argv[1], "rounds")) {
        run_rounds(100, argc > 3 ? atoi(argv[3]) : 1000, atoi(argv[2]),
                   argc > 4 ? atoi(argv[4]) : -1);
        return 0;
    }
    run_variants(100, 1000, 2500);
    run_variants(100, 5000, 15000);
    if (argc > 1 && !strcmp(argv[1], "short"))
        return 0;
    printf("\n  tasks    procs  %-32s %12s %12s %9s %9s\n", "", "create (ms)", "run (ms)",
           "failures", "moves");
    grow(1000, 10000);
    grow(1000, 100000);
    grow(10000, 100000);
    grow(10000, 1000000);
    return 0;
}
