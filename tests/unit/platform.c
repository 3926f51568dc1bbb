/* platform: clusters side by side, what is refused, and the way through a file and back. */
#include "io/platform_json.h"
#include "model/schedule.h"
#include "unit/kit.h"

#include <string.h>

static void processors_are_numbered_cluster_by_cluster(void **state)
{
    const struct cs_cluster cluster[] = {{.name = "a", .procs = 3, .speed = 1e9},
                                         {.name = "b", .procs = 1},
                                         {.name = "c", .procs = 5}};
    struct cs_error err = {0};
    struct cs_platform *p = cs_platform_create("core", 3, cluster, &err);

    (void)state;
    assert_non_null(p);
    assert_int_equal(p->procs, 9);
    assert_int_equal(p->cluster[2].first, 4);
    for (int i = 0; i < 9; i++)
        assert_int_equal(cs_platform_cluster_of(p, i), i < 3 ? 0 : i < 4 ? 1 : 2);
    cs_platform_destroy(p);
    cs_platform_destroy(NULL);
}

static void refused(struct cs_cluster second, int clusters, const char *why)
{
    const struct cs_cluster cluster[] = {{.name = "a", .procs = 3}, second};
    struct cs_error err = {0};

    assert_null(cs_platform_create("core", clusters, cluster, &err));
    assert_string_equal(err.text, why);
}

static void bad_clusters_are_refused(void **state)
{
    (void)state;
    refused((struct cs_cluster){0}, 0, "there is no cluster, at least one is needed");
    refused((struct cs_cluster){.name = "", .procs = 1}, 2, "cluster 1 has no name");
    refused((struct cs_cluster){.name = "a", .procs = 1}, 2,
            "cluster 1: the name a is that of cluster 0 too");
    refused((struct cs_cluster){.name = "b", .procs = 0}, 2,
            "cluster b has 0 processors, it must have at least 1");
    refused((struct cs_cluster){.name = "b", .procs = 1, .speed = -1}, 2,
            "cluster b: the speed is -1 flop/s, it must be a number from 0 on");
    refused((struct cs_cluster){.name = "b", .procs = 2147483647}, 2,
            "2147483650 processors are more than the 2147483646 that are possible");
}

static void a_schedule_keeps_a_copy(void **state)
{
    const char *const names[] = {"t"};
    struct cs_platform *p = cs_platform_homogeneous("node", 4, NULL);
    struct cs_schedule *s = cs_schedule_create("pack", 4, 1, names);

    (void)state;
    assert_null(cs_schedule_platform(s));
    cs_schedule_set_platform(s, p, NULL);
    cs_platform_destroy(p);
    assert_string_equal(cs_schedule_platform(s)->unit, "node");
    assert_int_equal(cs_schedule_platform(s)->procs, 4);
    cs_schedule_destroy(s);
}

static void a_platform_survives_a_file(void **state)
{
    const char *text = "{\"unit\":\"node\",\"clusters\":[{\"name\":\"a\",\"procs\":2,"
                       "\"speed\":0.5},{\"name\":\"b\",\"procs\":3}]}";
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);
    struct cs_error err = {0};
    json_t *json = cs_json_load_memory("p.json", text, strlen(text), &err), *again;
    struct cs_json_at at = cs_json_root("p.json", json);
    struct cs_platform *p = cs_platform_json_read(&at, &err);

    (void)state;
    assert_non_null(p);
    cs_platform_json_put(&w, p);
    cs_jsonw_end(&w);
    again = cs_json_load_memory("again", out.text, out.length, &err);
    assert_true(json_equal(json, again));
    json_decref(json);
    json_decref(again);
    cs_platform_destroy(p);
    cs_strbuf_release(&out);
}

static void bad_files_are_refused(void **state)
{
    static const char *const bad[][2] = {
        {"{\"clusters\":[]}", "p.json: clusters: there is no cluster, at least one is needed"},
        {"{\"clusters\":[{\"name\":\"a\",\"procs\":0}]}", "p.json: clusters[0].procs: "},
        {"{\"clusters\":[{\"name\":\"a\",\"procs\":1,\"colour\":2}]}", "p.json: clusters[0]"},
        {"{\"cluster\":[]}", "p.json: "},
        {"[]", "p.json: "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cs_error err = {0};
        json_t *json = cs_json_load_memory("p.json", bad[i][0], strlen(bad[i][0]), &err);
        struct cs_json_at at = cs_json_root("p.json", json);

        assert_null(cs_platform_json_read(&at, &err));
        if (strncmp(err.text, bad[i][1], strlen(bad[i][1])))
            fail_msg("%s", err.text);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_are_numbered_cluster_by_cluster),
        cmocka_unit_test(bad_clusters_are_refused),
        cmocka_unit_test(a_schedule_keeps_a_copy),
        cmocka_unit_test(a_platform_survives_a_file),
        cmocka_unit_test(bad_files_are_refused),
    };

    return cmocka_run_group_tests_name("platform", tests, NULL, NULL);
}
