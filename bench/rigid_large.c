/* rigid_large - nanoseconds for one attempt of a job as sets of rigid jobs grow.
 *
 * usage: rigid_large [JOBS]
 *
 * Synthetic jobs of 50 to 2000 processors on 10,000, mean failure probability 0.3, 100 to JOBS of
 * them (default: a million), so that the queue grows and the number of running jobs does not.  In a
 * flat column the cost of an event does not depend on the length of the queue.  Rows that would
 * take longer than LIMIT seconds, extrapolated from the rows before, are left out.  In a second
 * table the machine grows with the jobs: a tenth of them runs.  In a third one job fails again and
 * again, which must cost the same each time.
 */
#include "bench/bench.h"
#include "problems/rigid/simulate.h"
#include "problems/rigid/study.h"
#include "sched/priority.h"
#include "sched/random_jobs.h"

#include <math.h>
#include <string.h>

#define SIZES 5
#define LIMIT 20.0
#define MEAN 0.3

struct variant {
    const char *policy, *priority;
    double param[2];
};

static const struct variant variants[] = {
    {"list", "lpt", {0}},   {"list", "la", {0}},        {"list", "lpt", {1}},
    {"list", "la", {1}},    {"list", "lpt", {2}},       {"easy", "lpt", {1}},
    {"list", "lpt", {NAN}}, {"list", "la", {NAN}},      {"list", "spt", {NAN}},
    {"shelf", "lpt", {0}},  {"shelf-fill", "lpt", {0}},
};

#define VARIANTS (sizeof variants / sizeof *variants)

/* Few jobs come with many scenarios: one again and again would be known by heart. */
struct load {
    struct cs_arena *arena;
    struct cs_sched_jobs jobs;
    int scenarios;
    int64_t *failures; /* scenarios rows of one number for each job */
    double attempts;   /* of all scenarios */
};

static void count_attempts(struct load *l)
{
    l->attempts = (double)l->jobs.count * l->scenarios;
    for (int f = 0; f < l->jobs.count * l->scenarios; f++)
        l->attempts += (double)l->failures[f];
}

static struct load *load_create(int count, int machine)
{
    struct cs_arena *arena = cs_arena_create();
    struct load *l = CS_NEW(arena, struct load);
    double *seconds = CS_NEW_ARRAY(arena, double, count);
    int *procs = CS_NEW_ARRAY(arena, int, count);
    struct cs_error err = {0};

    *l = (struct load){.arena = arena, .scenarios = count < 10000 ? 20000 / count : 1};
    l->failures = CS_NEW_ARRAY(arena, int64_t, (size_t)count * (size_t)l->scenarios);
    cs_sched_draw_jobs(2021, 0, count, seconds, procs);
    l->jobs = (struct cs_sched_jobs){count, machine, 0, seconds, procs};
    for (int s = 0; s < l->scenarios; s++)
        if (cs_sched_draw_failures(&l->jobs, MEAN, 2021, 0, (uint64_t)s,
                                   l->failures + (size_t)s * (size_t)count, &err))
            fprintf(stderr, "rigid_large: %s\n", err.text);
    count_attempts(l);
    return l;
}

static const struct cs_sched_policy *policy_named(const char *name)
{
    int count, p = 0;
    const struct cs_policy *const *list = cs_sched_policies(&count);

    while (strcmp(list[p]->name, name))
        p++;
    return cs_sched_policy_at(p);
}

/* Seconds for all scenarios. */
static double run_all(const struct load *l, struct cs_rigid_simulation *simulation)
{
    double start = cs_bench_now(), makespan = 0;

    for (int s = 0; s < l->scenarios; s++)
        makespan += cs_rigid_simulation_run(
            simulation, l->failures + (size_t)s * (size_t)l->jobs.count, NULL, NULL);
    cs_bench_keep(&makespan);
    return cs_bench_now() - start;
}

/* Nanoseconds for an attempt: the least of three turns or more, or of one that takes long. */
static double measure(const struct load *l, const struct variant *variant)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_sched_draw draw = {.lambda = cs_sched_rate(&l->jobs, MEAN)};
    struct cs_rigid_simulation *simulation = cs_rigid_simulation_create(
        cs_sched_priority_instance(cs_sched_priority_find(variant->priority, NULL), &l->jobs, &draw,
                                   arena),
        policy_named(variant->policy), variant->param, arena, NULL);
    double least = INFINITY, spent = 0;

    for (int turn = 0; spent < 0.1 || (turn < 3 && spent < 1); turn++) {
        double took = run_all(l, simulation);

        least = fmin(least, took);
        spent += took;
    }
    cs_arena_destroy(arena);
    return 1e9 * least / l->attempts;
}

static void print_head(const char *title, struct load *const *load, int sizes)
{
    printf("\n%-32s", title);
    for (int i = 0; i < sizes; i++)
        printf("%10d", load[i]->jobs.count);
    printf(" jobs\n");
}

static void print_variant(const struct variant *variant, struct load *const *load, int sizes)
{
    double before = 0, now = 0;
    bool stop = false;
    char name[40];

    snprintf(name, sizeof name, "%s, %g, %s", variant->policy, variant->param[0],
             variant->priority);
    printf("%-32s", name);
    for (int i = 0; i < sizes; i++) {
        double grows = before > 0 ? now / before : 1;

        stop = stop || now * grows * load[i]->attempts > LIMIT * 1e9;
        if (stop) {
            printf("%10s", "-");
            continue;
        }
        before = now;
        now = measure(load[i], variant);
        printf("%10.0f", now);
        fflush(stdout);
    }
    printf("\n");
}

static void compare(const char *title, int most, int procs_per_job)
{
    struct load *load[SIZES];
    int sizes = 0;

    for (int count = 100; count <= most && sizes < SIZES; count *= 10, sizes++)
        load[sizes] = load_create(count, procs_per_job ? count * procs_per_job : 10000);
    print_head(title, load, sizes);
    for (size_t w = 0; w < VARIANTS; w++)
        print_variant(&variants[w], load, sizes);
    for (int i = 0; i < sizes; i++)
        cs_arena_destroy(load[i]->arena);
}

/* The first of a hundred jobs fails so many times. */
static void compare_extreme(void)
{
    static const int failures[] = {100, 10000, 1000000};
    struct load *load[3];

    printf("\n%-32s", "ns an attempt, one job fails");
    for (int i = 0; i < 3; i++) {
        load[i] = load_create(100, 10000);
        load[i]->scenarios = 1;
        load[i]->failures[0] = failures[i];
        count_attempts(load[i]);
        printf("%10d", failures[i]);
    }
    printf(" times\n");
    for (size_t w = 0; w < VARIANTS; w++)
        print_variant(&variants[w], load, 3);
    for (int i = 0; i < 3; i++)
        cs_arena_destroy(load[i]->arena);
}

int main(int argc, char **argv)
{
    int most = argc > 1 ? atoi(argv[1]) : 1000000;

    compare("ns an attempt, 10000 procs", most, 0);
    compare("ns an attempt, 100 procs a job", most < 100000 ? most : 100000, 100);
    compare_extreme();
    return 0;
}
