/* workload: a copy of names and profiles that outlives what it was made of. */
#include "model/workload.h"
#include "unit/kit.h"

#include <string.h>

static void copies_names_and_profiles(void **state)
{
    int procs[] = {1, 4};
    double seconds[] = {10, 4}, table[] = {8, 5, 4};
    char name[] = "cfd";
    const char *names[] = {name, "md", "fem"};
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_POINTS, .count = 2, .procs = procs, .seconds = seconds},
        {.kind = CS_PROFILE_TABLE, .count = 3, .seconds = table},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 7, .seq_fraction = 0.25},
    };
    struct cs_workload *w = cs_workload_create(3, names, profile, NULL);

    (void)state;
    memset(procs, 0, sizeof procs);
    memset(seconds, 0, sizeof seconds);
    memset(table, 0, sizeof table);
    memset(name, 'x', 3);
    assert_string_equal(w->name[0], "cfd");
    assert_int_equal(w->profile[0].procs[1], 4);
    assert_true(w->profile[0].seconds[1] == 4);
    assert_true(w->profile[1].seconds[2] == 4);
    assert_null(w->profile[1].procs);
    assert_true(w->profile[2].seq_fraction == 0.25);
    assert_string_equal(w->source, "");
    assert_int_equal(w->procs, 0);
    cs_workload_destroy(w);
}

static void names_tasks_that_have_no_name(void **state)
{
    const struct cs_profile profile[2] = {{.kind = CS_PROFILE_AMDAHL, .seq_time = 1},
                                          {.kind = CS_PROFILE_AMDAHL, .seq_time = 1}};
    struct cs_workload *w = cs_workload_create(2, NULL, profile, NULL);

    (void)state;
    assert_string_equal(w->name[0], "task0");
    assert_string_equal(w->name[1], "task1");
    cs_workload_destroy(w);
    w = cs_workload_create(0, NULL, NULL, NULL);
    assert_int_equal(w->count, 0);
    cs_workload_destroy(w);
    cs_workload_destroy(NULL);
}

static void remembers_its_source(void **state)
{
    struct cs_workload *w = cs_workload_create(0, NULL, NULL, NULL);
    char path[] = "runs.csv";

    (void)state;
    cs_workload_set_source(w, path);
    memset(path, 'x', 4);
    assert_string_equal(w->source, "runs.csv");
    cs_workload_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_names_and_profiles),
        cmocka_unit_test(names_tasks_that_have_no_name),
        cmocka_unit_test(remembers_its_source),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
