/* Identities of instances: the same for all policies, another for every other number. */
#include "kit.h"

#include "campaign/grid.h"
#include "campaign_kit.h"
#include "problems/malleable/malleable.h"
#include "problems/pack/problem.h"
#include "problems/ptg/case.h"
#include "problems/rigid/case.h"
#include "problems/volatile/problem.h"

/* Run one cell; JSON is written with ' for ". */
static void run(const char *problem, const char *parameters, uint64_t seed, char *identity)
{
    const struct cs_problem *of = cs_problem_find(problem, NULL);
    struct cs_cache *keep = cs_cache_create();
    double value[CS_CELL_METRICS];
    char *text = strdup(parameters);
    struct cs_error err = {0};
    json_t *json;

    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json = json_loads(text, 0, NULL);
    assert_non_null(json);
    if (cs_cell_check(of, json, &err) || cs_cell_run(of, json, seed, keep, value, identity, &err))
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(strspn(identity, "0123456789abcdef"), CS_DIGEST_TEXT - 1);
    assert_int_equal(identity[CS_DIGEST_TEXT - 1], 0);
    json_decref(json);
    free(text);
    cs_cache_destroy(keep);
}

static void compare(const char *problem, const char *one, const char *two, bool alike)
{
    char first[CS_DIGEST_TEXT], second[CS_DIGEST_TEXT];

    run(problem, one, 7, first);
    run(problem, two, 7, second);
    if (alike != !strcmp(first, second))
        fail_msg("%s: %s and %s are %s", problem, one, two, alike ? "not alike" : "alike");
}

/* The first is like those of `same`, and unlike those of `other` and another seed. */
static void judge(const char *problem, const char *one, const char *const *same,
                  const char *const *other)
{
    char identity[2][CS_DIGEST_TEXT];

    for (; *same; same++)
        compare(problem, one, *same, true);
    for (; *other; other++)
        compare(problem, one, *other, false);
    for (uint64_t seed = 7; seed < 9; seed++)
        run(problem, one, seed, identity[seed - 7]);
    assert_string_not_equal(identity[0], identity[1]);
}

static void packs(void **state)
{
    (void)state;
    judge("pack", "{'policy': 'one-by-one', 'workload': 'random', 'tasks': 4, 'procs': 8}",
          (const char *const[]){
              "{'policy': 'pack-approx', 'workload': 'random', 'tasks': 4, 'procs': 8}",
              "{'policy': 'exact', 'workload': 'random', 'tasks': 4, "
              "'procs': 8}",
              NULL},
          (const char *const[]){
              "{'policy': 'one-by-one', 'workload': 'random', 'tasks': 7, 'procs': 8}",
              "{'policy': 'one-by-one', 'workload': 'random', 'tasks': 4, 'procs': 9}",
              "{'policy': 'one-by-one', 'workload': 'random', 'tasks': 4, 'procs': 8, "
              "'pack_size': 2}",
              NULL});
}

static void malleable_applications(void **state)
{
    (void)state;
    judge("malleable", "{'tasks': 4, 'procs': 16}",
          (const char *const[]){"{'tasks': 4, 'procs': 16, 'on_end': 'end-local'}",
                                "{'tasks': 4, 'procs': 16, 'rules': 'recommended'}", NULL},
          (const char *const[]){"{'tasks': 5, 'procs': 16}", "{'tasks': 4, 'procs': 18}",
                                "{'tasks': 4, 'procs': 16, 'mtbf_years': 99}",
                                "{'tasks': 4, 'procs': 16, 'downtime': 61}",
                                "{'tasks': 4, 'procs': 16, 'fault_free': 1}",
                                "{'tasks': 4, 'procs': 16, 'seq_fraction': 0.1}",
                                "{'tasks': 4, 'procs': 16, 'checkpoint_factor': 2}", NULL});
}

static void rigid_jobs(void **state)
{
    (void)state;
    judge("rigid", "{'policy': 'easy', 'jobs': 5, 'scenarios': 2}",
          (const char *const[]){"{'policy': 'list', 'jobs': 5, 'scenarios': 2}",
                                "{'policy': 'easy', 'priority': 'spt', 'jobs': 5, 'scenarios': 2}",
                                "{'policy': 'easy', 'jobs': 5, 'scenarios': 3, "
                                "'mean_failure_probability': 0.2}",
                                NULL},
          (const char *const[]){"{'policy': 'easy', 'jobs': 6, 'scenarios': 2}",
                                "{'policy': 'easy', 'jobs': 5, 'scenarios': 2, 'procs': 10001}",
                                "{'policy': 'easy', 'jobs': 5, 'scenarios': 2, 'verification': 1}",
                                NULL});
}

static void task_graphs(void **state)
{
    (void)state;
    judge("ptg", "{'strategy': 'es', 'graphs': 2, 'family': 'fft'}",
          (const char *const[]){"{'strategy': 'ps-work', 'graphs': 2, 'family': 'fft'}",
                                "{'strategy': 'es', 'compare': 'es s', 'graphs': 2, "
                                "'family': 'fft'}",
                                "{'strategy': 'es', 'network': 'fan', 'graphs': 2, "
                                "'family': 'fft'}",
                                NULL},
          (const char *const[]){"{'strategy': 'es', 'graphs': 3, 'family': 'fft'}",
                                "{'strategy': 'es', 'graphs': 2, 'family': 'strassen'}",
                                "{'strategy': 'es', 'graphs': 2, 'family': 'fft', "
                                "'platform': 'grid5000-lille'}",
                                NULL});
}

static void hosts_that_come_and_go(void **state)
{
    (void)state;
    judge("volatile", "{'policy': 'ie', 'hosts': 6, 'iterations': 1, 'trials': 1}",
          (const char *const[]){
              "{'policy': 'random', 'hosts': 6, 'iterations': 1, 'trials': 1}",
              "{'policy': 'ie', 'hosts': 6, 'iterations': 1, 'trials': 2, 'law': 'weibull'}", NULL},
          (const char *const[]){
              "{'policy': 'ie', 'hosts': 7, 'iterations': 1, 'trials': 1}",
              "{'policy': 'ie', 'hosts': 6, 'iterations': 2, 'trials': 1}",
              "{'policy': 'ie', 'hosts': 6, 'iterations': 1, 'trials': 1, 'wmin': 2}",
              "{'policy': 'ie', 'hosts': 6, 'iterations': 1, 'trials': 1, 'tasks': 4}",
              "{'policy': 'ie', 'hosts': 6, 'iterations': 1, 'trials': 1, 'cap': 999999}",
              "{'policy': 'ie', 'hosts': 6, 'iterations': 1, 'trials': 1, 'history': 1000}", NULL});
}

/* Written down once: another compiler, another machine and another year have to find them too. */
static void identities_do_not_change(void **state)
{
    static const int procs[] = {2, 3};
    static const double seconds[] = {10, 0.1};
    const struct cs_sched_jobs jobs = {2, 4, 0.5, seconds, procs};
    struct cs_digest digest;
    char text[CS_DIGEST_TEXT];

    (void)state;
    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "rigid 1");
    cs_rigid_identify_jobs(&digest, &jobs);
    cs_digest_finish(&digest, text);
    assert_string_equal(text, "d92ffbcb87e1f6920511a4318bb9872e8a54a1e67aef695eca6281e47c8edcb2");
}

static void write_workload(struct cs_workload *workload, const char *name)
{
    char path[128];

    assert_non_null(workload);
    snprintf(path, sizeof path, "%s/%s", kit_folder(), name);
    assert_int_equal(cs_workload_write(workload, NULL, path, NULL), 0);
    cs_workload_destroy(workload);
}

static void from_file(const char *problem, const char *parameters, const char *file,
                      const char *generated)
{
    char text[512];

    snprintf(text, sizeof text, "{'input': '%s/%s', %s}", kit_folder(), file, parameters);
    compare(problem, text, generated, true);
    kit_remove(file);
}

static void where_an_instance_came_from_plays_no_part(void **state)
{
    const struct cs_pack_generator generator = {.tasks = 6, .procs = 8, .seed = 7};
    struct cs_malleable_generator paper = cs_malleable_generator_paper();

    (void)state;
    write_workload(cs_pack_generate("random", &generator, NULL), "p.json");
    from_file("pack", "'policy': 'one-by-one', 'procs': 8", "p.json",
              "{'policy': 'one-by-one', 'workload': 'random', 'tasks': 6, 'procs': 8}");
    paper.tasks = 4;
    paper.seed = 7;
    write_workload(cs_malleable_generate(&paper, NULL), "m.json");
    from_file("malleable", "'procs': 16", "m.json", "{'tasks': 4, 'procs': 16}");
}

#define JOB(number, submit, seconds, procs)                                                        \
    number " " submit " 0 " seconds " " procs " -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n"
#define HEAD "; MaxProcs: 4\n; UnixStartTime: 0\n"

/* Jobs that never ran are not given to a policy. */
static void logs_count_as_they_are_after_cleaning(void **state)
{
    char text[512], same[512], other[512];
    const char *form = "{'input': '%s/%s', 'policy': 'easy', 'scenarios': 1}";

    (void)state;
    kit_write("a.swf", HEAD JOB("1", "0", "10", "2") JOB("2", "5", "20", "3"));
    kit_write("b.swf", "; Another comment\n" HEAD JOB("7", "0", "10", "2") JOB("8", "1", "0", "1")
                           JOB("9", "9", "20", "3"));
    kit_write("c.swf", HEAD JOB("1", "0", "10", "2") JOB("2", "5", "21", "3"));
    snprintf(text, sizeof text, form, kit_folder(), "a.swf");
    snprintf(same, sizeof same, form, kit_folder(), "b.swf");
    snprintf(other, sizeof other, form, kit_folder(), "c.swf");
    compare("rigid", text, same, true);
    compare("rigid", text, other, false);
    kit_remove("a.swf");
    kit_remove("b.swf");
    kit_remove("c.swf");
}

/* Instances whose numbers can be changed one by one: `change` 0 is the original. */

static void identify_pack(int change, char *text)
{
    int procs[] = {1, 2 + (change == 1), 4};
    double seconds[] = {8, 5, 3 - 1e-15 * (change == 2)};
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_POINTS,
         .fill = change == 3 ? CS_FILL_STEP : CS_FILL_POWER,
         .fewer = change == 4 ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
         .count = change == 5 ? 2 : 3,
         .procs = procs,
         .seconds = seconds},
        {.kind = change == 6 ? CS_PROFILE_COMMUNICATION : CS_PROFILE_POWER,
         .seq_time = 9 + (change == 7),
         .seq_fraction = 0.5 + (change == 8) / 8.0,
         .overhead = 0.25 + (change == 9) / 8.0,
         .exponent = 0.5 + (change == 13) / 8.0},
    };
    struct cs_workload *workload = cs_workload_create(2 - (change == 10), NULL, profile, NULL);
    struct cs_pack_instance *instance =
        cs_pack_instance_create(workload, 4 + (change == 11), 2 - (change == 12), NULL);

    cs_pack_case_identify(&(struct cs_pack_case){.workload = workload, .instance = instance}.study,
                          text);
    cs_pack_instance_destroy(instance);
    cs_workload_destroy(workload);
}

static void identify_ptg(int change, char *text)
{
    const struct cs_cluster cluster[] = {
        {.name = "a",
         .procs = 2 + (change == 1),
         .speed = 1e9 + (change == 2),
         .bandwidth = 1e8 + (change == 3),
         .latency = 1e-4 * (1 + (change == 4))},
        {.name = "b", .procs = 3, .speed = 2e9, .bandwidth = 1e8, .latency = 1e-4},
    };
    const struct cs_backbone backbone = {.shared_switch = change == 5,
                                         .bandwidth = change == 5 ? 0 : 1e9 + (change == 6),
                                         .latency = 1e-4 * (1 + (change == 7))};
    const struct cs_graph_task task[] = {{NULL, 1e9 + (change == 8), 0.1, 0, 0},
                                         {NULL, 1e9, 0.1 + (change == 9) / 8.0, 0, 0},
                                         {NULL, 1e9, 0.1, 0, 0}};
    const struct cs_graph_arc arc[] = {{0, change == 10 ? 2 : 1, 1e6 + (change == 11)}, {1, 2, 0}};
    const double release[] = {(change == 12) / 8.0, 0};
    struct cs_error err = {0};
    struct cs_graph *graph = cs_graph_create("g", 3, task, 2 - (change == 13), arc, &err);
    const struct cs_graph *const twice[] = {graph, graph};
    struct cs_platform *platform =
        cs_platform_create_grid("p", "node", 2 - (change == 14), cluster, &backbone, &err);
    struct cs_ptg_instance *instance =
        cs_ptg_instance_create(platform, 2 - (change == 15), twice, release, &err);
    const struct cs_ptg_instance *const both[] = {instance, instance};

    assert_string_equal(err.text, "");
    cs_ptg_identify(both, 1 + (change == 16), text);
    cs_ptg_instance_destroy(instance);
    cs_platform_destroy(platform);
    cs_graph_destroy(graph);
}

static void identify_volatile(int change, char *text)
{
    const double low = 0.05 + (change == 1) / 64.0;
    const struct cs_volatile_host host[] = {
        {.slots = 2 + (change == 2),
         .capacity = 5 + (change == 3),
         .chain = {{0.9, 0.05, 0.05}, {low, 0.95 - low, 0.05}, {0.05, 0.05, 0.9}}},
        {.slots = 3, .capacity = 5, .chain = {{0.9, 0.1, 0}, {0.1, 0.9, 0}, {0.5, 0, 0.5}}},
    };
    const struct cs_volatile_application application = {
        .tasks = 4 + (change == 4),
        .iterations = 3 + (change == 5),
        .program = 2 + (change == 6),
        .data = 1 + (change == 7),
        .transfers = 2 + (change == 8),
        .cap = 1000 + (change == 9),
    };
    struct cs_volatile_instance *instance =
        cs_volatile_instance_create(2 - (change == 10), host, &application, NULL);

    assert_non_null(instance);
    cs_volatile_identity(instance, text);
    cs_volatile_instance_destroy(instance);
}

static void identify_rigid(int change, char *text)
{
    const int procs[] = {2 + (change == 1), 3};
    const double seconds[] = {10 + (change == 2) / 8.0, 20};
    const struct cs_sched_jobs jobs = {2 - (change == 3), 4 + (change == 4), (change == 5) / 8.0,
                                       seconds, procs};
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "rigid 1");
    for (int set = 0; set < 1 + (change == 6); set++)
        cs_rigid_identify_jobs(&digest, &jobs);
    cs_digest_finish(&digest, text);
}

static void all_differ(void (*identify)(int change, char *text), int changes)
{
    static char text[32][CS_DIGEST_TEXT];

    for (int c = 0; c <= changes; c++) {
        identify(c, text[c]);
        for (int earlier = 0; earlier < c; earlier++)
            if (!strcmp(text[c], text[earlier]))
                fail_msg("changes %d and %d give the same", earlier, c);
    }
}

static void every_number_counts(void **state)
{
    (void)state;
    all_differ(identify_pack, 13);
    all_differ(identify_ptg, 16);
    all_differ(identify_volatile, 10);
    all_differ(identify_rigid, 6);
}

static void identify_measured(enum cs_profile_kind kind, enum cs_profile_fill fill, char *text)
{
    static const int procs[] = {1, 2};
    static const double seconds[] = {8, 5};
    const struct cs_profile profile = {
        .kind = kind, .fill = fill, .count = 2, .procs = procs, .seconds = seconds};
    struct cs_workload *workload = cs_workload_create(1, NULL, &profile, NULL);
    struct cs_pack_instance *instance = cs_pack_instance_create(workload, 2, 1, NULL);

    cs_pack_case_identify(&(struct cs_pack_case){.workload = workload, .instance = instance}.study,
                          text);
    cs_pack_instance_destroy(instance);
    cs_workload_destroy(workload);
}

static void points_without_a_gap_are_a_table(void **state)
{
    char table[CS_DIGEST_TEXT], points[CS_DIGEST_TEXT];

    (void)state;
    identify_measured(CS_PROFILE_TABLE, CS_FILL_POWER, table);
    identify_measured(CS_PROFILE_POINTS, CS_FILL_STEP, points);
    assert_string_equal(table, points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs),
        cmocka_unit_test(malleable_applications),
        cmocka_unit_test(rigid_jobs),
        cmocka_unit_test(task_graphs),
        cmocka_unit_test(hosts_that_come_and_go),
        cmocka_unit_test(identities_do_not_change),
        cmocka_unit_test(where_an_instance_came_from_plays_no_part),
        cmocka_unit_test(logs_count_as_they_are_after_cleaning),
        cmocka_unit_test(every_number_counts),
        cmocka_unit_test(points_without_a_gap_are_a_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
