/* rigid - microseconds for one failure scenario of the paper's synthetic sets, by policy.
 *
 * 100 jobs of 50 to 2000 processors on 10,000, mean failure probability 0.3, about 150 attempts;
 * the scenarios are drawn beforehand and take turns.  The last column but one is what the authors'
 * published C++ program needs for greedy, EASY and conservative (-O3, as the specification of the
 * problem measured it).
 */
#include "bench/bench.h"
#include "rigid/draw.h"
#include "rigid/priority.h"
#include "rigid/simulate.h"

#include <math.h>
#include <string.h>

#define JOBS 100
#define SCENARIOS 1000

struct turns {
    struct cs_rigid_simulation *simulation;
    int64_t (*failures)[JOBS];
    int next;
};

static void run_next(void *data)
{
    struct turns *t = data;
    double makespan = cs_rigid_simulation_run(t->simulation, t->failures[t->next], NULL, NULL);

    cs_bench_keep(&makespan);
    t->next = (t->next + 1) % SCENARIOS;
}

static const struct {
    const char *name;
    double param, paper_us;
} ways[] = {
    {"list", 0, 4500},     {"list", 1, 8400}, {"list", 2, 0},       {"list", NAN, 16000},
    {"strict-easy", 0, 0}, {"shelf", 0, 0},   {"shelf-fill", 0, 0},
};

#define WAYS ((int)(sizeof ways / sizeof *ways))

static void run_priority(const struct cs_rigid_jobs *jobs, const char *name,
                         int64_t (*failures)[JOBS], double mean)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    const struct cs_rigid_draw draw = {.lambda = cs_rigid_rate(jobs, mean)};
    int order[JOBS], count;
    const struct cs_policy *const *list = cs_rigid_policies(&count);
    const struct cs_rigid_instance *in;
    struct cs_bench_case way[WAYS];
    struct turns turns[WAYS];
    static char label[WAYS][40];
    char title[64];

    cs_rigid_priority_order(cs_rigid_priority_find(name, &err), jobs, &draw, order, arena);
    in = cs_rigid_instance_create(jobs, order, arena);
    for (int i = 0; i < WAYS; i++) {
        int p = 0;

        while (strcmp(list[p]->name, ways[i].name))
            p++;
        turns[i] = (struct turns){
            cs_rigid_simulation_create(in, cs_rigid_policy_at(p), &ways[i].param, arena, &err),
            failures, 0};
        snprintf(label[i], sizeof label[i], "%s, %g", ways[i].name, ways[i].param);
        way[i] = (struct cs_bench_case){label[i], run_next, &turns[i], ways[i].paper_us};
    }
    snprintf(title, sizeof title, "%s, mean failure probability %g", name, mean);
    cs_bench_compare(title, way, WAYS);
    cs_arena_destroy(arena);
}

int main(void)
{
    static int64_t failures[SCENARIOS][JOBS];
    static double seconds[JOBS];
    static int procs[JOBS];
    struct cs_rigid_jobs jobs = {JOBS, 10000, 0, seconds, procs};
    struct cs_error err = {0};

    cs_rigid_draw_jobs(2021, 0, JOBS, seconds, procs);
    for (uint64_t s = 0; s < SCENARIOS; s++)
        cs_rigid_draw_failures(&jobs, 0.3, 2021, 0, s, failures[s], &err);
    run_priority(&jobs, "lpt", failures, 0.3);
    run_priority(&jobs, "la", failures, 0.3);
    return 0;
}
