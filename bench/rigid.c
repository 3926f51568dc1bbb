/* rigid - microseconds for one failure scenario of the paper's synthetic sets, by policy.
 *
 * 30 sets of 100 jobs of 50 to 2000 processors on 10,000, mean failure probability 0.3, about 150
 * attempts; the scenarios are sampled before, and each variant runs all of them, set by set.  The
 * last column but one is quoted, not measured here: what the authors' published C++ program needs
 * for greedy, EASY and conservative when compiled with -O3, as spec/rigid.md 11
 * gives it.
 *
 * usage: rigid [PRIORITY...]
 */
#include "bench/bench.h"
#include "problems/rigid/simulate.h"
#include "problems/rigid/study.h"
#include "sched/priority.h"
#include "sched/random_jobs.h"

#include <math.h>
#include <string.h>

#define JOBS 100
#define SETS 30
#define SCENARIOS 100
#define MEAN 0.3

struct set {
    double seconds[JOBS];
    int procs[JOBS];
    struct cs_sched_jobs jobs;
    int64_t failures[SCENARIOS][JOBS];
};

static struct set sets[SETS];

struct turns {
    struct cs_rigid_simulation *simulation[SETS];
    int next;
};

static void run_next(void *data)
{
    struct turns *t = data;
    int s = t->next / SCENARIOS;
    double makespan = cs_rigid_simulation_run(t->simulation[s],
                                              sets[s].failures[t->next % SCENARIOS], NULL, NULL);

    cs_bench_keep(&makespan);
    t->next = (t->next + 1) % (SETS * SCENARIOS);
}

static const struct {
    const char *name;
    double paper_us, param[2];
} variants[] = {
    {"list", 4500, {0}}, {"list", 8400, {1}}, {"list", 0, {2}},       {"list", 16000, {NAN}},
    {"easy", 0, {1}},    {"shelf", 0, {0}},   {"shelf-fill", 0, {0}},
};

#define VARIANTS ((int)(sizeof variants / sizeof *variants))

static const struct cs_sched_policy *policy_named(const char *name)
{
    int count, p = 0;
    const struct cs_policy *const *list = cs_sched_policies(&count);

    while (strcmp(list[p]->name, name))
        p++;
    return cs_sched_policy_at(p);
}

static void prepare(struct turns *t, const struct cs_sched_priority *priority, int w,
                    struct cs_arena *arena)
{
    for (int s = 0; s < SETS; s++) {
        const struct cs_sched_draw draw = {.lambda = cs_sched_rate(&sets[s].jobs, MEAN)};

        t->simulation[s] = cs_rigid_simulation_create(
            cs_sched_priority_instance(priority, &sets[s].jobs, &draw, arena),
            policy_named(variants[w].name), variants[w].param, arena, NULL);
    }
}

static void run_priority(const char *name)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_bench_case variant[VARIANTS];
    static struct turns turns[VARIANTS];
    static char label[VARIANTS][40];
    char title[64];

    for (int w = 0; w < VARIANTS; w++) {
        turns[w].next = 0;
        prepare(&turns[w], cs_sched_priority_find(name, NULL), w, arena);
        snprintf(label[w], sizeof label[w], "%s, %g", variants[w].name, variants[w].param[0]);
        variant[w] = (struct cs_bench_case){label[w], run_next, &turns[w], variants[w].paper_us};
    }
    snprintf(title, sizeof title, "%s, mean failure probability %g", name, MEAN);
    cs_bench_compare(title, variant, VARIANTS);
    cs_arena_destroy(arena);
}

static void draw_set(int s)
{
    struct cs_error err = {0};

    cs_sched_draw_jobs(2021, (uint64_t)s, JOBS, sets[s].seconds, sets[s].procs);
    sets[s].jobs = (struct cs_sched_jobs){JOBS, 10000, 0, sets[s].seconds, sets[s].procs};
    for (int k = 0; k < SCENARIOS; k++)
        if (cs_sched_draw_failures(&sets[s].jobs, MEAN, 2021, (uint64_t)s, (uint64_t)k,
                                   sets[s].failures[k], &err))
            fprintf(stderr, "rigid: %s\n", err.text);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"lpt", "la", "spt"};

    for (int s = 0; s < SETS; s++)
        draw_set(s);
    for (int i = 1; i < argc; i++)
        run_priority(argv[i]);
    for (size_t i = 0; argc < 2 && i < sizeof usual / sizeof *usual; i++)
        run_priority(usual[i]);
    printf("\npaper (us): the authors' published C++ program, -O3; quoted from "
           "spec/rigid.md 11, not measured here\n");
    return 0;
}
