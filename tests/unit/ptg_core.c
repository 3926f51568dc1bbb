/* ptg_core: allocations, placements, replays, feedback and bounds that can be worked out by hand.
 */
#include "problems/ptg/allocate.h"
#include "problems/ptg/strategy.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

struct scene {
    struct cs_platform *platform;
    struct cs_graph *graph[3];
    int graphs;
    struct cs_ptg_instance *in;
};

/* One cluster of so many processors of 1 Gflop/s, links of 100 MB/s without latency. */
static void begin(struct scene *s, int procs)
{
    const struct cs_cluster cluster = {
        .name = "a", .procs = procs, .speed = 1e9, .bandwidth = 1e8, .latency = 0};
    const struct cs_backbone backbone = {.shared_switch = true};

    *s = (struct scene){.platform =
                            cs_platform_create_grid("p", "core", 1, &cluster, &backbone, NULL)};
}

static void add(struct scene *s, int tasks, const struct cs_graph_task *task, int arcs,
                const struct cs_graph_arc *arc)
{
    s->graph[s->graphs] = cs_graph_create("g", tasks, task, arcs, arc, NULL);
    assert_non_null(s->graph[s->graphs++]);
}

static void instance(struct scene *s, const double *release)
{
    cs_ptg_instance_destroy(s->in);
    s->in = cs_ptg_instance_create(s->platform, s->graphs, (const struct cs_graph *const *)s->graph,
                                   release, NULL);
    assert_non_null(s->in);
}

static void end(struct scene *s)
{
    cs_ptg_instance_destroy(s->in);
    for (int g = 0; g < s->graphs; g++)
        cs_graph_destroy(s->graph[g]);
    cs_platform_destroy(s->platform);
}

static void expect_procs(const struct scene *s, const struct cs_ptg_options *options, double beta,
                         const int *want)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_ptg_reference reference = cs_ptg_reference_of(s->platform, options->reference);
    int procs[16];
    double bottom[16];

    cs_ptg_allocate(s->graph[0], &reference, options, beta, procs, bottom, arena);
    for (int v = 0; v < s->graph[0]->tasks; v++)
        assert_int_equal(procs[v], want[v]);
    cs_arena_destroy(arena);
}

static const struct cs_graph_task pair[] = {{"a", 8e9, 0, 0, 0}, {"b", 4e9, 0, 0, 0}};
static const struct cs_graph_arc arc = {0, 1, 0};

/* SCRAP: the area is 8 + 4 = 12 all along; the path is 12, then 8 (a on 2), 6 (b on 2): the power
 * used is 1, 1.5, 2.  With a share of 1.9 the last step is undone, with 2 it is the last. */
static void scrap_stops_at_the_average_power(void **state)
{
    struct cs_ptg_options options = CS_PTG_OPTIONS;
    struct scene s;

    (void)state;
    begin(&s, 10);
    add(&s, 2, pair, 1, &arc);
    options.procedure = CS_PTG_SCRAP;
    expect_procs(&s, &options, 0.19, (int[]){2, 1});
    expect_procs(&s, &options, 0.2, (int[]){2, 2});
    expect_procs(&s, &options, 0.1, (int[]){1, 1});
    options.procedure = CS_PTG_SCRAP_MAX;
    expect_procs(&s, &options, 0.2, (int[]){2, 2});
    expect_procs(&s, &options, 0.05, (int[]){1, 1});
    expect_procs(&s, &options, 1, (int[]){10, 10});
    end(&s);
}

static void the_floor_keeps_tasks_efficient(void **state)
{
    const struct cs_graph_task task[] = {
        {"a", 8e9, 0.25, 0, 0}, {"b", 8e9, 0, 0, 0}, {"c", 8e9, 1, 0, 0}};
    const struct cs_graph_arc chain[] = {{0, 1, 0}, {1, 2, 0}};
    struct cs_ptg_options options = CS_PTG_OPTIONS;
    struct scene s;

    (void)state;
    begin(&s, 10);
    add(&s, 3, task, 2, chain);
    /* 1 / (n / 4 + 3 / 4) >= 1 / 2 up to n = 5; 1 / n for c up to 2. */
    options.efficiency = 0.5;
    expect_procs(&s, &options, 1, (int[]){5, 10, 2});
    options.efficiency = 1;
    expect_procs(&s, &options, 1, (int[]){1, 10, 1});
    end(&s);
}

static struct cs_ptg_plan *plan_with(const struct scene *s, const struct cs_ptg_options *options,
                                     const double *beta)
{
    struct cs_error err = {0};
    struct cs_ptg_plan *plan = cs_ptg_plan_with_shares(s->in, options, beta, &err);

    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

static void expect_place(const struct cs_ptg_plan *plan, int task, int first, int last,
                         double start, double finish)
{
    const struct cs_ptg_place *place = &plan->place[task];

    assert_int_equal(place->intervals, 1);
    assert_int_equal(place->set[0].first, first);
    assert_int_equal(place->set[0].last, last);
    assert_true(fabs(place->start - start) < 1e-12);
    assert_true(fabs(place->finish - finish) < 1e-12);
}

/* a on 2 processors until 4; b on the same two: nothing travels.  With data and one processor each,
 * 1e8 bytes take a second. */
static void data_that_stay_take_no_time(void **state)
{
    const struct cs_graph_task task[] = {
        {"a", 8e9, 0, 0, 0}, {"b", 8e9, 0, 0, 0}, {"c", 2e9, 0, 0, 0}};
    const struct cs_graph_arc arcs[] = {{0, 1, 1e8}, {0, 2, 1e8}};
    const double half = 0.5;
    struct cs_ptg_plan *plan;
    struct scene s;

    (void)state;
    begin(&s, 2);
    add(&s, 3, task, 2, arcs);
    instance(&s, NULL);
    plan = plan_with(&s, NULL, &half);
    expect_place(plan, 0, 0, 0, 0, 8);
    expect_place(plan, 1, 0, 0, 8, 16);
    expect_place(plan, 2, 1, 1, 9, 11);
    assert_true(plan->makespan == 16);
    cs_ptg_plan_destroy(plan);
    end(&s);
}

/* Processor 0 sends 1e8 bytes each to 1 and 2: planned side by side in a second, in truth two. */
static void a_replay_shares_the_link_of_a_sender(void **state)
{
    const struct cs_graph_task task[] = {
        {"a", 1e9, 1, 0, 0}, {"b", 4e9, 1, 0, 0}, {"c", 4e9, 1, 0, 0}, {"d", 4e9, 1, 0, 0}};
    const struct cs_graph_arc arcs[] = {{0, 1, 1e8}, {0, 2, 1e8}, {0, 3, 1e8}};
    struct cs_ptg_options options = CS_PTG_OPTIONS;
    const double beta = 0.25;
    struct cs_ptg_plan *plan, *replayed;
    struct scene s;

    (void)state;
    begin(&s, 4);
    add(&s, 4, task, 3, arcs);
    instance(&s, NULL);
    plan = plan_with(&s, &options, &beta);
    assert_true(plan->makespan == 6);
    replayed = cs_ptg_replay_fluid(s.in, plan);
    expect_place(replayed, 0, 0, 0, 0, 1);
    expect_place(replayed, 1, 0, 0, 1, 5);
    expect_place(replayed, 2, 1, 1, 3, 7);
    expect_place(replayed, 3, 2, 2, 3, 7);
    assert_true(fabs(replayed->makespan - 7) < 1e-12);
    cs_ptg_plan_destroy(plan);
    cs_ptg_plan_destroy(replayed);
    options.network = CS_PTG_NETWORK_FAN;
    plan = plan_with(&s, &options, &beta);
    assert_true(plan->makespan == 8);
    cs_ptg_plan_destroy(plan);
    end(&s);
}

static void a_replay_without_data_is_the_plan(void **state)
{
    struct cs_ptg_plan *plan, *replayed;
    const double beta[] = {0.3, 0.6};
    struct scene s;

    (void)state;
    begin(&s, 10);
    add(&s, 2, pair, 1, &arc);
    add(&s, 2, pair, 1, &arc);
    instance(&s, (double[]){0, 1.5});
    plan = plan_with(&s, NULL, beta);
    replayed = cs_ptg_replay_fluid(s.in, plan);
    for (int v = 0; v < 4; v++) {
        assert_true(replayed->place[v].start == plan->place[v].start);
        assert_true(replayed->place[v].finish == plan->place[v].finish);
    }
    assert_true(plan->place[2].start == 1.5);
    cs_ptg_plan_destroy(plan);
    cs_ptg_plan_destroy(replayed);
    end(&s);
}

static struct cs_ptg_request request_of(const char *text)
{
    struct cs_ptg_request request = {0};
    struct cs_error err = {0};
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    if (cs_policy_parse(text, list, count, &request.call, &err))
        fail_msg("%s", err.text);
    return request;
}

static double unfairness_of(const struct scene *s, const char *strategy, const double *own)
{
    struct cs_ptg_request request = request_of(strategy);
    struct cs_ptg_plan *plan;
    struct cs_ptg_metrics *m;
    double unfairness;

    request.own = own;
    plan = cs_ptg_plan_make(s->in, &request, NULL);
    m = cs_ptg_metrics_create(s->in, plan, own);
    unfairness = m->unfairness;
    cs_ptg_metrics_destroy(m);
    cs_ptg_plan_destroy(plan);
    return unfairness;
}

/* The first schedule is that of wps-width, and the best is kept: feedback is never less fair. */
static void feedback_is_at_least_as_fair(void **state)
{
    (void)state;
    for (int run = 0; run < 10; run++) {
        struct cs_graph *graph[5];
        struct scene s = {.platform = cs_platform_site("grid5000-lille", NULL)};
        double own[5];
        struct cs_ptg_request none = request_of("feedback-fair:rounds=0");
        struct cs_ptg_plan *plan, *first;

        cs_ptg_generate_run(3, CS_PTG_RANDOM, 5, run, graph, NULL);
        s.in = cs_ptg_instance_create(s.platform, 5, (const struct cs_graph *const *)graph, NULL,
                                      NULL);
        assert_int_equal(cs_ptg_own(s.in, NULL, false, own, NULL), 0);
        assert_true(unfairness_of(&s, "feedback-fair", own) <= unfairness_of(&s, "wps-width", own));
        plan = cs_ptg_plan_make(s.in, &none, NULL);
        none = request_of("wps-width");
        first = cs_ptg_plan_make(s.in, &none, NULL);
        assert_int_equal(plan->rounds, 1);
        assert_true(plan->makespan == first->makespan);
        cs_ptg_plan_destroy(plan);
        cs_ptg_plan_destroy(first);
        for (int g = 0; g < 5; g++)
            cs_graph_destroy(graph[g]);
        end(&s);
    }
}

/* Two alike graphs of one task of 8 s: 10 of 10 processors each at best; together 16 s of work on
 * 10 processors; released at 0 and 3 the path of the second ends at 3.8 at the earliest. */
static void bounds_by_hand(void **state)
{
    const struct cs_graph_task task = {"a", 8e9, 0, 0, 0};
    struct cs_ptg_bounds bounds;
    struct scene s;

    (void)state;
    begin(&s, 10);
    add(&s, 1, &task, 0, NULL);
    add(&s, 1, &task, 0, NULL);
    instance(&s, NULL);
    cs_ptg_bounds_compute(s.in, &bounds);
    assert_true(bounds.area == 1.6 && bounds.path == 0.8 && bounds.window == 1.6);
    instance(&s, (double[]){0, 3});
    cs_ptg_bounds_compute(s.in, &bounds);
    assert_true(bounds.area == 1.6 && bounds.path == 3.8 && bounds.window == 3.8);
    end(&s);
}

static void work_of_nothing_is_no_slowdown(void **state)
{
    const struct cs_graph_task task = {"a", 0, 0, 0, 0};
    struct cs_ptg_plan *plan;
    struct cs_ptg_metrics *m;
    struct cs_ptg_request request = request_of("ps-work");
    double own[2];
    struct scene s;

    (void)state;
    begin(&s, 2);
    add(&s, 1, &task, 0, NULL);
    add(&s, 2, pair, 1, &arc);
    instance(&s, NULL);
    assert_int_equal(cs_ptg_own(s.in, NULL, true, own, NULL), 0);
    plan = cs_ptg_plan_make(s.in, &request, NULL);
    m = cs_ptg_metrics_create(s.in, plan, own);
    assert_true(plan->beta[0] == 0 && plan->beta[1] == 1);
    assert_true(m->slowdown[0] == 1 && m->slowdown[1] == 1);
    assert_true(plan->completion[0] == 4 && m->average_makespan == 5 && m->makespan == 6);
    cs_ptg_metrics_destroy(m);
    cs_ptg_plan_destroy(plan);
    end(&s);
}

static void expect_refusal(struct cs_ptg_plan *plan, const struct cs_error *err, const char *why)
{
    assert_null(plan);
    assert_string_equal(err->text, why);
}

static void bad_requests_are_refused(void **state)
{
    struct cs_ptg_options options = CS_PTG_OPTIONS;
    struct cs_ptg_request request = request_of("feedback-fair");
    struct cs_error err = {0};
    double beta = NAN;
    struct scene s;

    (void)state;
    begin(&s, 2);
    add(&s, 2, pair, 1, &arc);
    instance(&s, NULL);
    request.mode = CS_PTG_FULL;
    expect_refusal(
        cs_ptg_plan_make(s.in, &request, &err), &err,
        "feedback-fair needs all graphs in advance: it cannot set shares as they arrive");
    err = (struct cs_error){0};
    request = request_of("es");
    request.mode = CS_PTG_FIXED;
    options.order = CS_PTG_ORDER_GLOBAL;
    request.options = &options;
    expect_refusal(cs_ptg_plan_make(s.in, &request, &err), &err,
                   "the global order needs all graphs in advance");
    err = (struct cs_error){0};
    options.efficiency = 1.5;
    expect_refusal(cs_ptg_plan_make(s.in, &request, &err), &err,
                   "the efficiency floor is 1.5, it must be in 0 .. 1");
    err = (struct cs_error){0};
    options.efficiency = 0;
    options.batch = 1;
    assert_int_equal(cs_ptg_own(s.in, &options, false, &beta, &err), -1);
    assert_string_equal(err.text,
                        "the batch factor of the allocation is 1, it must be in 0 .. 1, 1 "
                        "excluded");
    err = (struct cs_error){0};
    expect_refusal(cs_ptg_plan_with_shares(s.in, NULL, &beta, &err), &err,
                   "graph g: the share beta is nan, it must be above 0 and at most 1");
    end(&s);
}

static void bad_instances_are_refused(void **state)
{
    const struct cs_cluster cluster = {.name = "a", .procs = 1};
    struct cs_platform *plain = cs_platform_create("core", 1, &cluster, NULL);
    const struct cs_graph_task huge = {"a", 1e308, 0, 0, 0};
    const double late = -1;
    struct cs_error err = {0};
    struct scene s;

    (void)state;
    begin(&s, 2);
    add(&s, 2, pair, 1, &arc);
    assert_null(cs_ptg_instance_create(s.platform, 0, NULL, NULL, &err));
    assert_string_equal(err.text, "there is no graph, at least one is needed");
    err = (struct cs_error){0};
    assert_null(
        cs_ptg_instance_create(plain, 1, (const struct cs_graph *const *)s.graph, NULL, &err));
    assert_string_equal(err.text, "cluster a has no speed: task graphs need flop/s");
    err = (struct cs_error){0};
    assert_null(cs_ptg_instance_create(s.platform, 1, (const struct cs_graph *const *)s.graph,
                                       &late, &err));
    assert_string_equal(err.text, "graph g is released at -1 s: it must be a number from 0 on");
    err = (struct cs_error){0};
    add(&s, 1, &huge, 0, NULL);
    assert_null(
        cs_ptg_instance_create(s.platform, 2, (const struct cs_graph *const *)s.graph, NULL, &err));
    assert_string_equal(err.text,
                        "the times of these graphs on this platform are too large for numbers: "
                        "work, data, speeds or bandwidths are out of proportion");
    cs_platform_destroy(plain);
    end(&s);
}

static void bad_recipes_are_refused(void **state)
{
    static const struct {
        struct cs_ptg_generator generator;
        const char *why;
    } bad[] = {
        {{.tasks = 0, .jump = 1}, "0 tasks are not in 1 .. 10000000"},
        {{.tasks = 5, .width = 1.5, .jump = 1}, "the width is 1.5, it must be in 0 .. 1"},
        {{.tasks = 5, .regular = -1, .jump = 1}, "the regularity is -1, it must be in 0 .. 1"},
        {{.tasks = 5, .density = 2, .jump = 1}, "the density is 2, it must be in 0 .. 1"},
        {{.tasks = 5}, "the jump is 0 levels, it must be at least 1"},
        {{.tasks = 10000000, .width = 1, .density = 1, .jump = 1},
         "that would be more than 200000000 arcs: take a lower density or width"},
        {{.family = CS_PTG_FFT, .points = 6}, "6 points are not a power of two in 2 .. 262144"},
        {{.family = (enum cs_ptg_family)9}, "there is no family of graphs number 9"},
        {{.cost = (enum cs_ptg_cost)9}, "there is no cost scenario number 9"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cs_error err = {0};

        assert_null(cs_ptg_generate(NULL, &bad[i].generator, &err));
        assert_string_equal(err.text, bad[i].why);
    }
}

static void names_in_schedules_report_graphs_apart(void **state)
{
    const double beta[] = {0.5, 0.5};
    struct cs_ptg_plan *plan;
    struct cs_schedule *schedule;
    struct scene s;

    (void)state;
    begin(&s, 4);
    add(&s, 2, pair, 1, &arc);
    s.graph[s.graphs++] = cs_graph_create("a/b", 2, pair, 1, &arc, NULL);
    instance(&s, NULL);
    plan = plan_with(&s, NULL, beta);
    schedule = cs_ptg_schedule(s.in, plan);
    assert_string_equal(cs_schedule_task_name(schedule, 1), "g/b");
    assert_string_equal(cs_schedule_task_name(schedule, 2), "a_b/a");
    cs_schedule_destroy(schedule);
    cs_ptg_plan_destroy(plan);
    cs_graph_destroy(s.graph[1]);
    s.graphs = 1;
    add(&s, 2, pair, 1, &arc);
    instance(&s, NULL);
    plan = plan_with(&s, NULL, beta);
    schedule = cs_ptg_schedule(s.in, plan);
    assert_string_equal(cs_schedule_task_name(schedule, 1), "g#0/b");
    assert_string_equal(cs_schedule_task_name(schedule, 2), "g#1/a");
    assert_string_equal(cs_schedule_platform(schedule)->name, "p");
    cs_schedule_destroy(schedule);
    cs_ptg_plan_destroy(plan);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scrap_stops_at_the_average_power),
        cmocka_unit_test(the_floor_keeps_tasks_efficient),
        cmocka_unit_test(data_that_stay_take_no_time),
        cmocka_unit_test(a_replay_shares_the_link_of_a_sender),
        cmocka_unit_test(a_replay_without_data_is_the_plan),
        cmocka_unit_test(feedback_is_at_least_as_fair),
        cmocka_unit_test(bounds_by_hand),
        cmocka_unit_test(work_of_nothing_is_no_slowdown),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(bad_instances_are_refused),
        cmocka_unit_test(bad_recipes_are_refused),
        cmocka_unit_test(names_in_schedules_report_graphs_apart),
    };

    return cmocka_run_group_tests_name("ptg_core", tests, NULL, NULL);
}
