/* ptg - seconds for allocations, for whole plans, for all figures of the paper, and for
 * chains and graphs of 100,000 tasks.
 *
 * The figures are 25 combinations of graphs on four sites, for 2, 4, 6, 8 and 10 graphs, eight
 * strategies and three families, with every graph also planned alone: a sample of combinations is
 * timed, and what all of them would take on one core follows from it.
 */
#include "bench/bench.h"
#include "problems/ptg/allocate.h"
#include "problems/ptg/instance.h"

#include <math.h>

#define COMBINATIONS 25

static void fail(const struct cs_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static struct cs_graph *random_graph(int tasks, double width, double density, int jump)
{
    const struct cs_ptg_generator generator = {.tasks = tasks,
                                               .width = width,
                                               .regular = 0.8,
                                               .density = density,
                                               .jump = jump,
                                               .seed = 1};
    struct cs_error err = {0};
    struct cs_graph *graph = cs_ptg_generate(NULL, &generator, &err);

    if (!graph)
        fail(&err);
    return graph;
}

struct allocation {
    const struct cs_graph *graph;
    struct cs_ptg_reference reference;
    struct cs_ptg_options options;
    double beta;
    int *procs;
    double *bottom;
    struct cs_arena *arena;
};

static void run_allocation(void *data)
{
    struct allocation *a = data;

    cs_ptg_allocate(a->graph, &a->reference, &a->options, a->beta, a->procs, a->bottom, a->arena);
    cs_bench_keep(a->procs);
}

/* Exactly and in batches, on the site of Rennes with beta 1. */
static void bench_allocation(int tasks, double width)
{
    static const double batch[] = {0, 0.001, 0.01, 0.05};
    static const char *const name[] = {"exact", "batches of 0.001", "0.01", "0.05"};
    struct cs_graph *graph = random_graph(tasks, width, 0.2, 2);
    struct cs_platform *platform = cs_platform_site("grid5000-rennes", NULL);
    struct allocation variant[4];
    struct cs_bench_case list[4];
    char title[80];

    for (int i = 0; i < 4; i++) {
        variant[i] = (struct allocation){
            .graph = graph,
            .reference = cs_ptg_reference_of(platform, CS_PTG_REFERENCE_SLOWEST),
            .options = CS_PTG_OPTIONS,
            .beta = 1,
            .arena = cs_arena_create()};
        variant[i].options.batch = batch[i];
        variant[i].procs = CS_NEW_ARRAY(variant[i].arena, int, tasks);
        variant[i].bottom = CS_NEW_ARRAY(variant[i].arena, double, tasks);
        list[i] = (struct cs_bench_case){name[i], run_allocation, &variant[i], 0};
    }
    snprintf(title, sizeof title, "allocation, %d tasks, %d levels", tasks, graph->levels);
    cs_bench_compare(title, list, 4);
    for (int i = 0; i < 4; i++)
        cs_arena_destroy(variant[i].arena);
    cs_graph_destroy(graph);
    cs_platform_destroy(platform);
}

/* One run of the figures on one site: every strategy of the paper, and each graph alone. */
static void run_all(const struct cs_platform *platform, int graphs, struct cs_graph *const *graph)
{
    struct cs_error err = {0};
    struct cs_ptg_instance *in =
        cs_ptg_instance_create(platform, graphs, (const struct cs_graph *const *)graph, NULL, &err);
    double own[10];
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    if (!in || cs_ptg_own(in, NULL, false, own, &err))
        fail(&err);
    for (int p = 0; p < 8; p++) {
        struct cs_ptg_request request = {.own = own};
        struct cs_ptg_plan *plan;

        if (cs_policy_parse(list[p]->name, list, count, &request.call, &err))
            fail(&err);
        plan = cs_ptg_plan_make(in, &request, &err);
        if (!plan)
            fail(&err);
        cs_ptg_metrics_destroy(cs_ptg_metrics_create(in, plan, own));
        cs_ptg_plan_destroy(plan);
    }
    cs_ptg_instance_destroy(in);
}

static double time_family(enum cs_ptg_family family, int sample)
{
    double start = cs_bench_now();

    for (int n = 2; n <= 10; n += 2)
        for (int c = 0; c < sample; c++) {
            struct cs_graph *graph[10];

            cs_ptg_generate_run(1, family, n, c, graph, NULL);
            for (int s = 0; cs_platform_site_name(s); s++) {
                struct cs_platform *platform = cs_platform_site(cs_platform_site_name(s), NULL);

                run_all(platform, n, graph);
                cs_platform_destroy(platform);
            }
            for (int g = 0; g < n; g++)
                cs_graph_destroy(graph[g]);
        }
    return cs_bench_now() - start;
}

static void bench_figures(int sample)
{
    double sum = 0;

    printf("\n%-40s %14s %14s\n", "figures, one core, 8 strategies", "sample (s)", "all 25 (s)");
    for (int family = 0; cs_ptg_family_name(family); family++) {
        double seconds = time_family((enum cs_ptg_family)family, sample);

        printf("%-40s %14.2f %14.1f\n", cs_ptg_family_name(family), seconds,
               seconds * COMBINATIONS / sample);
        sum += seconds * COMBINATIONS / sample;
    }
    printf("%-40s %14s %14.1f\n", "all families", "", sum);
}

static struct cs_platform *large_platform(void)
{
    const struct cs_cluster cluster[] = {
        {.name = "a", .procs = 4000, .speed = 3e9, .bandwidth = 125e6, .latency = 50e-6},
        {.name = "b", .procs = 3500, .speed = 4e9, .bandwidth = 125e6, .latency = 50e-6},
        {.name = "c", .procs = 2500, .speed = 5e9, .bandwidth = 125e6, .latency = 50e-6},
    };
    const struct cs_backbone backbone = {false, CS_BACKBONE_BANDWIDTH, CS_BACKBONE_LATENCY};

    return cs_platform_create_grid("large", "core", 3, cluster, &backbone, NULL);
}

static void bench_large(double width, double density, double share)
{
    struct cs_error err = {0};
    double start = cs_bench_now(), made, planned;
    struct cs_graph *graph = random_graph(100000, width, density, 2);
    struct cs_platform *platform = large_platform();
    struct cs_ptg_instance *in;
    struct cs_ptg_plan *plan;

    made = cs_bench_now();
    in = cs_ptg_instance_create(platform, 1, (const struct cs_graph *[]){graph}, NULL, &err);
    plan = in ? cs_ptg_plan_with_shares(in, NULL, &share, &err) : NULL;
    planned = cs_bench_now();
    if (!plan)
        fail(&err);
    printf("%7d %9d %6.2f %10.2f %10.2f %14.6g\n", graph->levels, graph->arcs, share, made - start,
           planned - made, plan->makespan);
    fflush(stdout);
    cs_ptg_plan_destroy(plan);
    cs_ptg_instance_destroy(in);
    cs_graph_destroy(graph);
    cs_platform_destroy(platform);
}

/* Members of the portfolio and a search, on ten graphs of a family that share a site. */
struct planner {
    const struct cs_ptg_instance *in;
    const char *name;
};

static void run_planner(void *data)
{
    const struct planner *p = data;
    const struct cs_ptg_options options = {
        .network = CS_PTG_NETWORK_FAN, .pack = true, .batch = CS_PTG_BATCH_AUTO};
    struct cs_ptg_request request = {.options = &options};
    struct cs_error err = {0};
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);
    struct cs_ptg_plan *plan;

    if (cs_policy_parse(p->name, list, count, &request.call, &err))
        fail(&err);
    plan = cs_ptg_plan_make(p->in, &request, &err);
    if (!plan)
        fail(&err);
    cs_bench_keep(plan);
    cs_ptg_plan_destroy(plan);
}

static void bench_planners(enum cs_ptg_family family, int graphs)
{
    static const char *const name[] = {"wps-width",   "widen",    "joint",  "joint-level",
                                       "joint-ready", "dispatch", "search", "portfolio"};
    struct cs_graph *graph[10];
    struct cs_platform *platform = cs_platform_site("grid5000-sophia", NULL);
    struct cs_ptg_instance *in;
    struct planner planner[8];
    struct cs_bench_case list[8];
    char title[80];

    cs_ptg_generate_run(1, family, graphs, 0, graph, NULL);
    in =
        cs_ptg_instance_create(platform, graphs, (const struct cs_graph *const *)graph, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        planner[i] = (struct planner){in, name[i]};
        list[i] = (struct cs_bench_case){name[i], run_planner, &planner[i], 0};
    }
    snprintf(title, sizeof title, "%d graphs %s, %d tasks", graphs, cs_ptg_family_name((int)family),
             cs_ptg_instance_tasks(in));
    cs_bench_compare(title, list, 8);
    cs_ptg_instance_destroy(in);
    for (int g = 0; g < graphs; g++)
        cs_graph_destroy(graph[g]);
    cs_platform_destroy(platform);
}

/* As many levels as tasks, which are equal or all different. */
static void bench_chain(int tasks, bool equal)
{
    struct cs_graph_task *task = calloc((size_t)tasks, sizeof *task);
    struct cs_graph_arc *arc = calloc((size_t)tasks, sizeof *arc);
    struct cs_platform *platform = cs_platform_site("grid5000-rennes", NULL);
    struct cs_error err = {0};
    struct cs_graph *graph;
    struct cs_ptg_instance *in;
    struct cs_ptg_plan *plan;
    double start;

    for (int v = 0; v < tasks; v++) {
        task[v].flops = equal ? 1e11 : 1e11 * (1 + v % 9973 / 1000.0);
        task[v].alpha = equal ? 0.05 : 0.05 + v % 997 / 1e4;
        arc[v] = (struct cs_graph_arc){v, v + 1, 1e6};
    }
    graph = cs_graph_create("chain", tasks, task, tasks - 1, arc, &err);
    in = graph ? cs_ptg_instance_create(platform, 1, (const struct cs_graph *[]){graph}, NULL, &err)
               : NULL;
    start = cs_bench_now();
    plan = in ? cs_ptg_plan_with_shares(in, NULL, &(double){1}, &err) : NULL;
    if (!plan)
        fail(&err);
    printf("\na chain of %d %s tasks, strategy s: %.2f s\n", tasks, equal ? "equal" : "different",
           cs_bench_now() - start);
    cs_ptg_plan_destroy(plan);
    cs_ptg_instance_destroy(in);
    cs_graph_destroy(graph);
    cs_platform_destroy(platform);
    free(task);
    free(arc);
}

int main(void)
{
    bench_allocation(1000, 0.2);
    bench_allocation(1000, 0.5);
    bench_figures(2);
    bench_planners(CS_PTG_RANDOM, 1);
    bench_planners(CS_PTG_RANDOM, 10);
    bench_planners(CS_PTG_FFT, 10);
    bench_chain(100000, true);
    bench_chain(100000, false);
    printf("\n100,000 tasks on 10,000 processors\n%7s %9s %6s %10s %10s %14s\n", "levels", "arcs",
           "share", "make (s)", "plan (s)", "makespan (s)");
    bench_large(0.8, 0.0005, 1);
    bench_large(0.5, 0.05, 1);
    bench_large(0.5, 0.05, 0.1);
    return 0;
}
