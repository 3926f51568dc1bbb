/* check_ptg: a good schedule of two graphs, and every way in which it could be wrong. */
#include "check/check.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* Two clusters of 4 processors of 1 and 2 Gflop/s with a backbone; graph g: a -> b, a -> c, graph
 * h: one task d released at 2, and e without work. */
struct bench {
    struct cs_platform *platform;
    struct cs_graph *graph[2];
    double release[2];
    struct cs_ptg_declared declared;
    struct cs_bar bar[6];
    struct cs_interval set[6][2];
    int bars;
    const char *name[5];
};

static void set_bar(struct bench *b, int i, int task, int cluster, int first, int last,
                    double start, double end)
{
    b->set[i][0] = (struct cs_interval){first, last};
    b->bar[i] = (struct cs_bar){
        .kind = CS_BAR_WORK,
        .task = task,
        .attempt = 1,
        .group = cluster,
        .start = start,
        .end = end,
        .intervals = 1,
        .procs = b->set[i],
    };
}

static const char *const names[] = {"g/a", "g/b", "g/c", "h/d", "h/e"};

static void begin_with(struct bench *b, double memory, double fast)
{
    const struct cs_cluster cluster[] = {
        {.name = "slow",
         .procs = 4,
         .speed = 1e9,
         .bandwidth = 1e8,
         .latency = 0.01,
         .memory = 1e9},
        {.name = "fast", .procs = 4, .speed = fast, .bandwidth = 2e8, .latency = 0.02},
    };
    const struct cs_backbone backbone = {false, 5e7, 0.1};
    const struct cs_graph_task g[] = {
        {"a", 8e9, 0, 0, 0}, {"b", 4e9, 0.5, memory, 0}, {"c", 2e9, 0, 0, 0}};
    const struct cs_graph_task h[] = {{"d", 6e9, 0, 0, 0}, {"e", 0, 0, 0, 0}};
    const struct cs_graph_arc arc[] = {{0, 1, 2e8}, {0, 2, 4e8}}, order = {0, 1, 0};

    memset(b, 0, sizeof *b);
    memcpy(b->name, names, sizeof names);
    b->platform = cs_platform_create_grid("p", "core", 2, cluster, &backbone, NULL);
    b->graph[0] = cs_graph_create("g", 3, g, 2, arc, NULL);
    b->graph[1] = cs_graph_create("h", 2, h, 1, &order, NULL);
    b->release[1] = 2;
    b->declared = (struct cs_ptg_declared){
        .graphs = 2,
        .graph = (const struct cs_graph *const *)b->graph,
        .release = b->release,
        .lower_bound = NAN,
    };
    /* a on 0-3 of slow until 2; b on 0-1 of slow: of the 2e8 bytes sender 0 keeps 5e7 and wants
     * 1e8; c on 4-5: 4e8 bytes through the backbone of 5e7: 8 s and 0.13 s of latency. */
    set_bar(b, 0, 0, 0, 0, 3, 0, 2);
    set_bar(b, 1, 1, 0, 0, 1, 3.02, 6.02);
    set_bar(b, 2, 2, 1, 4, 5, 10.13, 10.63);
    set_bar(b, 3, 3, 1, 6, 7, 2, 3.5);
    set_bar(b, 4, 4, 0, 2, 2, 3.5, 3.5);
    b->bars = 5;
}

static void begin(struct bench *b)
{
    begin_with(b, 0, 2e9);
}

static void end(struct bench *b)
{
    cs_graph_destroy(b->graph[0]);
    cs_graph_destroy(b->graph[1]);
    cs_platform_destroy(b->platform);
}

static struct cs_check_report *judge(const struct bench *b, bool with_platform)
{
    struct cs_schedule *schedule = cs_schedule_create("ptg", 8, 5, b->name);
    struct cs_check_report *report = cs_check_report_create(10);

    if (with_platform)
        cs_schedule_set_platform(schedule, b->platform, NULL);
    for (int i = 0; i < b->bars; i++)
        cs_schedule_add(schedule, &b->bar[i], NULL);
    cs_check_ptg(schedule, &b->declared, report);
    cs_schedule_destroy(schedule);
    return report;
}

/* Exactly these sentences. */
static void expect(struct bench *b, int count, const char *const *text)
{
    struct cs_check_report *report = judge(b, true);

    for (int i = 0; i < count && (size_t)i < report->count; i++)
        assert_string_equal(report->item[i].text, text[i]);
    assert_int_equal(report->total, count);
    cs_check_report_destroy(report);
    end(b);
}

#define EXPECT(b, ...)                                                                             \
    expect((b), sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *),                      \
           (const char *[]){__VA_ARGS__})

static void memory_is_that_of_the_processors(void **state)
{
    struct bench b;

    (void)state;
    begin_with(&b, 2e9, 2e9);
    expect(&b, 0, NULL);
    begin_with(&b, 2.1e9, 2e9);
    EXPECT(&b, "task \"g/b\" needs 2100000000 bytes of memory: 2 processors of cluster slow have "
               "2000000000");
}

static void a_good_schedule_passes(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.declared.lower_bound = 1;
    expect(&b, 0, NULL);
}

static void a_start_before_the_data_is_found(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.bar[1].start -= 0.001;
    b.bar[1].end -= 0.001;
    EXPECT(&b,
           "task \"g/b\" starts at 3.019 s: its data from \"g/a\", which ends at 2 s, are there "
           "at 3.02 s");
    begin(&b);
    b.bar[2].start -= 0.1;
    b.bar[2].end -= 0.1;
    EXPECT(&b,
           "task \"g/c\" starts at 10.03 s: its data from \"g/a\", which ends at 2 s, are there "
           "at 10.13 s");
    begin(&b);
    b.bar[4].start = b.bar[4].end = 3.4;
    EXPECT(&b,
           "task \"h/e\" starts at 3.4 s: its data from \"h/d\", which ends at 3.5 s, are there "
           "at 3.5 s");
}

static void fans_share_links(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.declared.fan = true;
    /* The senders' 5e7 bytes twice are what the busiest receiver gets once: b is fine. */
    expect(&b, 0, NULL);
    begin(&b);
    b.declared.fan = true;
    set_bar(&b, 0, 0, 0, 3, 3, 0, 8);
    set_bar(&b, 1, 1, 0, 0, 1, 10.02, 13.02);
    set_bar(&b, 2, 2, 1, 4, 5, 16.13, 16.63);
    EXPECT(&b,
           "task \"g/b\" starts at 10.02 s: its data from \"g/a\", which ends at 8 s, are there "
           "at 12.02 s");
}

static void a_task_on_two_clusters_is_found(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.set[3][0] = (struct cs_interval){3, 4};
    EXPECT(&b, "task \"h/d\" runs on clusters slow and fast at the same time: it must stay on one",
           "task \"h/d\" takes 1.5 s on 2 processors of cluster slow: it must take 3 s");
    begin(&b);
    b.bar[3].group = 0;
    EXPECT(&b, "task \"h/d\" runs on cluster 1, its bar has group 0");
}

static void a_wrong_duration_is_found(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.bar[1].end += 1e-6;
    EXPECT(&b, "task \"g/b\" takes 3.000001 s on 2 processors of cluster slow: it must take 3 s");
    begin(&b);
    b.bar[4].end = 3.6;
    EXPECT(&b, "task \"h/e\" takes 0.1 s on 1 processors of cluster slow: it must take 0 s");
    begin(&b);
    b.bar[3].end = 2;
    EXPECT(&b, "task \"h/d\" takes 0 s on 2 processors of cluster fast: it must take 1.5 s");
}

static void a_task_that_takes_too_long_for_a_number_is_found(void **state)
{
    struct bench b;

    (void)state;
    begin_with(&b, 0, 5e-324);
    EXPECT(&b, "task \"g/c\" takes 0.5 s on 2 processors of cluster fast: it must take inf s",
           "task \"h/d\" takes 1.5 s on 2 processors of cluster fast: it must take inf s");
}

static void a_start_before_the_release_is_found(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.release[1] = 2.25;
    EXPECT(&b, "task \"h/d\" starts at 2 s, its graph is released at 2.25 s");
}

static void missing_and_repeated_tasks_are_found(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.bars = 4;
    EXPECT(&b, "task \"h/e\" never runs");
    begin(&b);
    set_bar(&b, 5, 3, 1, 6, 7, 20, 21.5);
    b.bars = 6;
    EXPECT(&b, "task \"h/d\" runs 2 times: once is expected");
    begin(&b);
    b.bar[3].kind = CS_BAR_LOST;
    EXPECT(&b, "task \"h/d\" has a bar of kind lost at 2 s: only work is expected");
    begin(&b);
    b.bar[3].attempt = 2;
    EXPECT(&b, "task \"h/d\" has attempt 2 at 2 s: it runs once");
    begin(&b);
    b.bar[4].attempt = -7;
    EXPECT(&b, "task \"h/e\" has attempt -7 at 3.5 s: it runs once");
}

static void what_holds_for_every_schedule_is_looked_at(void **state)
{
    struct bench b;
    struct cs_check_report *report;

    (void)state;
    begin(&b);
    set_bar(&b, 3, 3, 0, 0, 1, 2, 5);
    b.bar[4].start = b.bar[4].end = 5;
    report = judge(&b, true);
    assert_int_equal(report->total, 1);
    assert_int_equal(report->item[0].violation, CS_VIOLATION_PROC_SHARED);
    cs_check_report_destroy(report);
    b.set[3][0] = (struct cs_interval){7, 8};
    b.set[4][0] = (struct cs_interval){8, 8};
    report = judge(&b, true);
    assert_int_equal(report->item[0].violation, CS_VIOLATION_PROC_SET);
    assert_string_equal(report->item[0].text,
                        "task \"h/e\" at 5 s has no set of processors of this platform");
    assert_int_equal(report->item[1].violation, CS_VIOLATION_PROC_RANGE);
    cs_check_report_destroy(report);
    end(&b);
}

static void another_instance_is_found(void **state)
{
    struct bench b;
    struct cs_check_report *report;

    (void)state;
    begin(&b);
    report = judge(&b, false);
    assert_int_equal(report->total, 1);
    assert_string_equal(report->item[0].text,
                        "the schedule has no platform: no time can be checked");
    cs_check_report_destroy(report);
    b.declared.graphs = 1;
    EXPECT(&b, "the graphs have 3 tasks, the schedule has 5");
}

static void names_are_those_of_the_graphs(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.name[0] = "g/b";
    b.name[1] = "g/a";
    EXPECT(&b, "task 0 is \"g/b\" in the schedule and \"g/a\" in the graphs",
           "task 1 is \"g/a\" in the schedule and \"g/b\" in the graphs");
    begin(&b);
    b.name[4] = "h/ee";
    EXPECT(&b, "task 4 is \"h/ee\" in the schedule and \"h/e\" in the graphs");
}

static void graphs_of_one_name_are_reported_by_their_numbers(void **state)
{
    static const char *const right[] = {"g_h#0/a", "g_h#0/b", "g_h#0/c", "g_h#1/d/e", "g_h#1/e"};
    const struct cs_graph_task g[] = {
        {"a", 8e9, 0, 0, 0}, {"b", 4e9, 0.5, 0, 0}, {"c", 2e9, 0, 0, 0}};
    const struct cs_graph_task h[] = {{"d/e", 6e9, 0, 0, 0}, {"e", 0, 0, 0, 0}};
    struct bench b;

    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        begin(&b);
        cs_graph_destroy(b.graph[0]);
        cs_graph_destroy(b.graph[1]);
        b.graph[0] = cs_graph_create("g/h", 3, g, 0, NULL, NULL);
        b.graph[1] = cs_graph_create("g_h", 2, h, 0, NULL, NULL);
        memcpy(b.name, right, sizeof right);
        if (!wrong) {
            expect(&b, 0, NULL);
            continue;
        }
        b.name[1] = "g_h/b";
        EXPECT(&b, "task 1 is \"g_h/b\" in the schedule and \"g_h#0/b\" in the graphs");
    }
}

static void a_bound_above_the_end_is_found(void **state)
{
    struct bench b;

    (void)state;
    begin(&b);
    b.declared.lower_bound = -1;
    EXPECT(&b, "the declared lower bound is -1: it must be from 0 to 10.63, which the "
               "schedule reaches");
    begin(&b);
    b.declared.lower_bound = 10.6;
    EXPECT(&b, "the declared lower bound is 10.6: no more than 2.75 can be shown");
    begin(&b);
    b.declared.lower_bound = 10.75;
    EXPECT(&b, "the declared lower bound is 10.75: it must be from 0 to 10.63, which the "
               "schedule reaches");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_schedule_passes),
        cmocka_unit_test(memory_is_that_of_the_processors),
        cmocka_unit_test(a_start_before_the_data_is_found),
        cmocka_unit_test(fans_share_links),
        cmocka_unit_test(a_task_on_two_clusters_is_found),
        cmocka_unit_test(a_wrong_duration_is_found),
        cmocka_unit_test(a_task_that_takes_too_long_for_a_number_is_found),
        cmocka_unit_test(a_start_before_the_release_is_found),
        cmocka_unit_test(missing_and_repeated_tasks_are_found),
        cmocka_unit_test(what_holds_for_every_schedule_is_looked_at),
        cmocka_unit_test(another_instance_is_found),
        cmocka_unit_test(a_bound_above_the_end_is_found),
        cmocka_unit_test(names_are_those_of_the_graphs),
        cmocka_unit_test(graphs_of_one_name_are_reported_by_their_numbers),
    };

    return cmocka_run_group_tests_name("check_ptg", tests, NULL, NULL);
}
