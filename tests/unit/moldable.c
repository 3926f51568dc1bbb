/* The candidates of the moldable problem: allowed counts, limits, origins, and what is refused. */
#include "model/profile.h"
#include "model/workload.h"
#include "problems/moldable/instance.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int counts[] = {2, 4, 8};
static const double seconds[] = {100, 60, 40};
static const struct cs_profile measured = {
    .kind = CS_PROFILE_POINTS,
    .fill = CS_FILL_STEP,
    .count = 3,
    .procs = counts,
    .seconds = seconds,
};

static const struct cs_task_limit no_limit;
static const struct cs_moldable_options no_option;

struct scene {
    struct cs_workload *workload;
    struct cs_moldable_instance *in;
    struct cs_error err;
};

static struct scene make(struct cs_profile profile, struct cs_task_limit limit, int procs,
                         struct cs_moldable_options options)
{
    struct scene s = {.workload = NULL};

    s.workload = cs_workload_create(1, NULL, &profile, &s.err);
    if (!s.workload)
        return s;
    cs_workload_set_limits(s.workload, &limit);
    s.in = cs_moldable_instance_create(s.workload, procs, &options, &s.err);
    return s;
}

static void destroy(struct scene *s)
{
    cs_moldable_instance_destroy(s->in);
    cs_workload_destroy(s->workload);
}

/* The counts of the only task are those of the text, such as "2 4 8". */
static void expect(struct scene s, const char *want)
{
    char got[256] = "";

    if (!s.in)
        fail_msg("%s", s.err.text);
    for (int x = 0; x < cs_moldable_instance_candidates(s.in, 0); x++) {
        struct cs_moldable_candidate c = cs_moldable_instance_candidate(s.in, 0, x);
        size_t length = strlen(got);

        snprintf(got + length, sizeof got - length, "%s%d%s", x ? " " : "", c.procs,
                 c.origin == CS_ORIGIN_MEASURED || c.origin == CS_ORIGIN_MODELLED ? "" : "~");
    }
    assert_string_equal(got, want);
    destroy(&s);
}

static void refuse(struct scene s, const char *part)
{
    assert_null(s.in);
    if (!strstr(s.err.text, part))
        fail_msg("\"%s\" does not say \"%s\"", s.err.text, part);
    destroy(&s);
}

static void only_measured_counts_are_candidates(void **state)
{
    struct cs_profile power = measured, scale = measured;

    (void)state;
    power.fill = CS_FILL_POWER;
    scale.fewer = CS_FEWER_SCALE;
    expect(make(measured, no_limit, 100, no_option), "2 4 8");
    expect(make(measured, no_limit, 7, no_option), "2 4");
    expect(make(power, no_limit, 100, no_option), "2 3~ 4 5~ 6~ 7~ 8");
    expect(make(power, no_limit, 7, no_option), "2 3~ 4 5~ 6~ 7~");
    expect(make(scale, no_limit, 100, no_option), "1~ 2 4 8");
}

static void holes_stay_holes_and_tables_end(void **state)
{
    const double row[] = {INFINITY, 50, INFINITY, 30, 30, 31, 29, INFINITY};
    const struct cs_profile table = {.kind = CS_PROFILE_TABLE, .count = 8, .seconds = row};

    (void)state;
    expect(make(table, no_limit, 100, no_option), "2 4 7");
    expect(make(table, no_limit, 6, no_option), "2 4");
    refuse(make(table, no_limit, 1, no_option), "known on 2 processors and more");
}

static void formulas_allow_every_count_that_helps(void **state)
{
    const struct cs_profile amdahl = {
        .kind = CS_PROFILE_AMDAHL, .seq_time = 100, .seq_fraction = 0.1};
    const struct cs_profile overhead = {
        .kind = CS_PROFILE_OVERHEAD, .seq_time = 100, .seq_fraction = 0, .overhead = 0.4};
    const struct cs_profile universal = {
        .kind = CS_PROFILE_UNIVERSAL, .seq_time = 100, .seq_fraction = 0, .overhead = 0.04};
    const struct cs_profile power = {.kind = CS_PROFILE_POWER,
                                     .seq_time = 100,
                                     .seq_fraction = 0,
                                     .overhead = 1.0 / 16,
                                     .exponent = 1};
    struct cs_profile bad = amdahl, steep = power;

    (void)state;
    steep.exponent = 11;
    bad.seq_fraction = 2;
    expect(make(amdahl, no_limit, 5, no_option), "1 2 3 4 5");
    expect(make(overhead, no_limit, 5, no_option), "1 2");
    expect(make(universal, no_limit, 9, no_option), "1 2 3 4 5");
    expect(make(power, no_limit, 9, no_option), "1 2 3 4");
    refuse(make(bad, no_limit, 5, no_option), "seq_fraction is 2");
    refuse(make(steep, no_limit, 5, no_option), "exponent is 11");
}

static void limits_remove_counts(void **state)
{
    static const int list[] = {16, 4};
    const struct cs_profile amdahl = {
        .kind = CS_PROFILE_AMDAHL, .seq_time = 100, .seq_fraction = 0};

    (void)state;
    expect(make(measured, (struct cs_task_limit){.min_procs = 3}, 9, no_option), "4 8");
    expect(make(measured, (struct cs_task_limit){.max_procs = 4}, 9, no_option), "2 4");
    expect(make(measured, (struct cs_task_limit){.counts = 2, .count = list}, 9, no_option), "4");
    expect(make(amdahl, (struct cs_task_limit){.powers_of_two = true}, 9, no_option), "1 2 4 8");
    expect(make(amdahl, (struct cs_task_limit){.multiple = 3}, 9, no_option), "3 6 9");
    refuse(make(measured, (struct cs_task_limit){.min_procs = 5, .max_procs = 7}, 9, no_option),
           "limits allow");
    refuse(make(measured, (struct cs_task_limit){.min_procs = 5, .max_procs = 4}, 9, no_option),
           "task 0 (task0): min_procs is 5 and max_procs 4");
}

static int refuses_together(struct cs_task_limit own, struct cs_task_limit all)
{
    const struct cs_profile amdahl = {.kind = CS_PROFILE_AMDAHL, .seq_time = 10};
    struct cs_workload *workload = cs_workload_create(1, NULL, &amdahl, NULL);
    struct cs_error err = {0};
    int status;

    cs_workload_set_limits(workload, &own);
    status = cs_workload_restrict(workload, &all, &err);
    if (status)
        assert_string_equal(err.text, "task 0 (task0): none of the counts that it allows is "
                                      "allowed for all tasks: allow one of them");
    cs_workload_destroy(workload);
    return status;
}

static void limit_of_all(struct cs_task_limit own, struct cs_task_limit all, int procs,
                         const char *want)
{
    const struct cs_profile amdahl = {.kind = CS_PROFILE_AMDAHL, .seq_time = 10};
    struct cs_workload *workload = cs_workload_create(1, NULL, &amdahl, NULL);
    struct cs_error err = {0};
    struct scene s;

    cs_workload_set_limits(workload, &own);
    assert_int_equal(cs_workload_restrict(workload, &all, &err), 0);
    s = make(amdahl, workload->limit[0], procs, no_option);
    cs_workload_destroy(workload);
    expect(s, want);
}

static void limits_of_all_tasks_join_those_of_each(void **state)
{
    static const int few[] = {2, 3, 4, 6}, wide[] = {8, 6, 12};
    const struct cs_task_limit list = {.counts = 4, .count = few},
                               other = {.counts = 3, .count = wide},
                               powers = {.powers_of_two = true}, two = {.multiple = 2},
                               three = {.multiple = 3},
                               narrow = {.min_procs = 2, .max_procs = 5, .walltime = 4},
                               loose = {.min_procs = 1, .max_procs = 4, .walltime = 9},
                               none = {.counts = 1, .count = few + 1};

    (void)state;
    limit_of_all(no_limit, powers, 9, "1 2 4 8");
    limit_of_all(list, no_limit, 9, "2 3 4 6");
    limit_of_all(list, powers, 9, "2 4");
    limit_of_all(powers, list, 9, "2 4");
    limit_of_all(list, other, 9, "6");
    limit_of_all(two, three, 19, "6 12 18");
    limit_of_all(two, powers, 9, "2 4 8");
    limit_of_all(narrow, loose, 9, "3 4");
    assert_int_equal(refuses_together(powers, none), -1);
}

static void a_walltime_removes_slow_counts(void **state)
{
    const struct cs_task_limit hour = {.walltime = 60};

    (void)state;
    expect(make(measured, hour, 9, no_option), "4 8");
    expect(make(measured, hour, 9, (struct cs_moldable_options){.margin = 1.1}), "8");
    refuse(make(measured, (struct cs_task_limit){.walltime = 39}, 9, no_option),
           "at least 40 s on the counts that are allowed, its walltime limit is 39 s");
    refuse(make(measured, hour, 9, (struct cs_moldable_options){.margin = 0.5}), "margin is 0.5");
}

static void what_is_not_a_bag_is_refused(void **state)
{
    static const double negative[] = {100, -60, 40};
    static const int falling[] = {2, 1, 8};
    struct cs_profile profile = measured;

    (void)state;
    profile.seconds = negative;
    refuse(make(profile, no_limit, 9, no_option), "task 0: time 1 is -60 s");
    profile = measured;
    profile.procs = falling;
    refuse(make(profile, no_limit, 9, no_option), "counts of processors must rise");
    refuse(make(measured, no_limit, 0, no_option), "number of processors is 0");
    refuse(make(measured, (struct cs_task_limit){.release = -1}, 9, no_option), "release is -1");
}

static void names_must_differ(void **state)
{
    const char *const name[] = {"a", "b", "a"};
    const struct cs_profile profile[] = {measured, measured, measured};
    struct scene s = {.workload = NULL};

    (void)state;
    s.workload = cs_workload_create(3, name, profile, &s.err);
    refuse(s, "two tasks have the name \"a\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_measured_counts_are_candidates),
        cmocka_unit_test(holes_stay_holes_and_tables_end),
        cmocka_unit_test(formulas_allow_every_count_that_helps),
        cmocka_unit_test(limits_remove_counts),
        cmocka_unit_test(limits_of_all_tasks_join_those_of_each),
        cmocka_unit_test(a_walltime_removes_slow_counts),
        cmocka_unit_test(what_is_not_a_bag_is_refused),
        cmocka_unit_test(names_must_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
