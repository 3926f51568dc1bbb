/* allocation - Algorithm 1 by its heap and by selection, as the machine grows.
 *
 * |S| Amdahl tasks share p processors; the heap takes p - |S| steps, the selection a bisection in
 * every row and round.  The library takes whichever is faster; `chosen` shows which that is.
 */
#include "model/allocation.h"
#include "base/arena.h"
#include "bench/bench.h"

struct share_case {
    struct cs_moldable *tasks;
    struct cs_arena *scratch;
    int count, task[64], share[64];
};

static void by_heap(void *data)
{
    struct share_case *c = data;

    cs_allocation_share_heap(c->tasks, c->task, c->count, c->share, c->scratch);
    cs_bench_keep(c->share);
}

static void by_selection(void *data)
{
    struct share_case *c = data;

    cs_allocation_share_select(c->tasks, c->task, c->count, c->share, c->scratch);
    cs_bench_keep(c->share);
}

static void as_chosen(void *data)
{
    struct share_case *c = data;

    cs_allocation_share(c->tasks, c->task, c->count, c->share, c->scratch);
    cs_bench_keep(c->share);
}

static void run_case(int count, int procs)
{
    struct cs_profile profile[64];
    struct share_case c = {.scratch = cs_arena_create(), .count = count};
    struct cs_bench_case variant[] = {
        {"heap", by_heap, &c, 0}, {"selection", by_selection, &c, 0}, {"chosen", as_chosen, &c, 0}};
    struct cs_workload *workload;
    struct cs_error err = {0};
    char title[64];

    for (int i = 0; i < count; i++) {
        c.task[i] = i;
        profile[i] = (struct cs_profile){.kind = CS_PROFILE_AMDAHL,
                                         .seq_time = 1000 + 37 * i % 101,
                                         .seq_fraction = 0.001 * (i % 7)};
    }
    workload = cs_workload_create(count, NULL, profile, NULL);
    c.tasks = cs_moldable_create(workload, procs, &err);
    if (!c.tasks) {
        fprintf(stderr, "bench: %s\n", err.text);
        exit(1);
    }
    snprintf(title, sizeof title, "%d tasks, %d processors", count, procs);
    cs_bench_compare(title, variant, 3);
    cs_moldable_destroy(c.tasks);
    cs_workload_destroy(workload);
    cs_arena_destroy(c.scratch);
}

int main(void)
{
    for (int procs = 64; procs <= 1 << 20; procs *= 32) {
        run_case(8, procs);
        run_case(32, procs);
    }
    return 0;
}
