/* The stand-in workloads: check sums and values worked out by an independent program. */
#include "kit.h"

#include "base/plain.h"
#include "config.h"
#include "model/moldable.h"
#include "problems/pack/pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cs_workload *make(const char *name, int tasks, int procs, uint64_t seed)
{
    struct cs_pack_generator generator = {.tasks = tasks, .procs = procs, .seed = seed};
    struct cs_error err = {0};
    struct cs_workload *workload = cs_pack_generate(name, &generator, &err);

    assert_string_equal(err.text, "");
    assert_non_null(workload);
    return workload;
}

static void close_to(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%.17g is not %.17g", got, want);
}

static void sums_of_the_times_on_all_processors(void **state)
{
    static const struct {
        const char *name;
        int tasks, procs;
        double sum, relative; /* the sums are known to so many digits */
    } want[] = {
        {"i", 10, 16, 1542.2100000000003, 1e-12},    {"ii-a", 65, 16, 15235.652256130836, 1e-12},
        {"ii-b", 65, 16, 1021810.3818379381, 1e-12}, {"iii-a", 260, 32, 70212.1314901, 1e-11},
        {"iii-b", 260, 32, 1351888.84614, 1e-11},
    };

    (void)state;
    for (size_t w = 0; w < sizeof want / sizeof *want; w++) {
        struct cs_workload *workload = make(want[w].name, 0, 0, 1);
        double sum = 0;

        assert_int_equal(workload->count, want[w].tasks);
        assert_int_equal(workload->procs, want[w].procs);
        for (int i = 0; i < workload->count; i++)
            sum += cs_profile_time(&workload->profile[i], workload->procs);
        close_to(sum, want[w].sum, want[w].relative);
        cs_workload_destroy(workload);
    }
}

static void single_values(void **state)
{
    static const struct {
        const char *name;
        int task, procs;
        double seconds;
    } want[] = {
        {"i", 0, 3, 876.17251200553835},
        {"i", 9, 16, 69.200000000000003},
        {"ii-a", 0, 2, 145.71428571428572},
        {"ii-a", 1, 16, 155.25671429395607},
        {"ii-a", 64, 7, 585.44149983208399},
        {"ii-b", 64, 7, 382.06632653061223},
        {"ii-b", 33, 16, 2745},
    };

    (void)state;
    for (size_t w = 0; w < sizeof want / sizeof *want; w++) {
        struct cs_workload *workload = make(want[w].name, 0, 0, 1);

        close_to(cs_profile_time(&workload->profile[want[w].task], want[w].procs), want[w].seconds,
                 1e-12);
        cs_workload_destroy(workload);
    }
}

/* A file of reference values, where there is one: a header, then task,t1,...,tp in every row. */
static void compare_file(const char *name, FILE *in)
{
    struct cs_workload *workload = make(name, 0, 0, 1);
    char line[4096];
    int rows = 0;

    assert_non_null(fgets(line, sizeof line, in));
    while (fgets(line, sizeof line, in)) {
        char *at = line;

        assert_int_equal(strtol(at, &at, 10), rows);
        for (int j = 1; j <= workload->procs; j++)
            close_to(cs_profile_time(&workload->profile[rows], j), cs_plain_double(at + 1, &at),
                     1e-12);
        rows++;
    }
    assert_int_equal(rows, workload->count);
    cs_workload_destroy(workload);
}

static void all_values_of_the_reference_files(void **state)
{
    static const char *const pair[][2] = {{"i", "W1"}, {"ii-a", "W2A"}, {"ii-b", "W2B"}};

    (void)state;
    for (int f = 0; f < 3; f++) {
        char path[4096];
        FILE *in;

        snprintf(path, sizeof path, "%s/../shared/golden/pack/workloads/%s.csv", CS_SOURCE_DIR,
                 pair[f][1]);
        in = fopen(path, "r");
        if (!in)
            continue;
        compare_file(pair[f][0], in);
        fclose(in);
    }
}

/* The repair of an instance changes nothing any more. */
static void tables_are_repaired(void **state)
{
    static const char *const name[] = {"i", "ii-a", "ii-b", "iii-a", "iii-b", "random"};

    (void)state;
    for (size_t w = 0; w < sizeof name / sizeof *name; w++) {
        struct cs_workload *workload = make(name[w], 0, 0, 5);

        for (int i = 0; i < workload->count; i++) {
            double row[64], largest;

            assert_int_equal(workload->profile[i].kind, CS_PROFILE_TABLE);
            assert_int_equal(
                cs_moldable_repair(workload->profile[i].seconds, workload->procs, row, &largest),
                0);
        }
        cs_workload_destroy(workload);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void names_differ_and_the_source_says_stand_in(void **state)
{
    (void)state;
    for (int w = 0; cs_pack_workload_at(w); w++) {
        struct cs_workload *workload = make(cs_pack_workload_at(w)->name, 0, 0, 1);
        const char **sorted = malloc((size_t)workload->count * sizeof *sorted);

        memcpy(sorted, workload->name, (size_t)workload->count * sizeof *sorted);
        qsort(sorted, (size_t)workload->count, sizeof *sorted, compare_names);
        for (int i = 1; i < workload->count; i++)
            assert_string_not_equal(sorted[i - 1], sorted[i]);
        if (cs_pack_workload_at(w)->tasks)
            assert_non_null(strstr(workload->source, "stand-in"));
        else
            assert_non_null(strstr(workload->source, "at random"));
        free(sorted);
        cs_workload_destroy(workload);
    }
}

static void a_table_may_be_longer_than_the_default(void **state)
{
    struct cs_workload *shorter = make("ii-b", 0, 16, 1), *longer = make("ii-b", 0, 32, 1);

    (void)state;
    assert_int_equal(longer->procs, 32);
    for (int i = 0; i < 65; i++)
        for (int j = 1; j <= 16; j++)
            assert_true(cs_profile_time(&shorter->profile[i], j) ==
                        cs_profile_time(&longer->profile[i], j));
    cs_workload_destroy(shorter);
    cs_workload_destroy(longer);
}

static bool same_times(const struct cs_workload *a, const struct cs_workload *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 1; j <= a->procs; j++)
            if (cs_profile_time(&a->profile[i], j) != cs_profile_time(&b->profile[i], j))
                return false;
    return true;
}

static void random_ones_depend_on_the_seed_only(void **state)
{
    static const char *const name[] = {"random", "formula"};

    (void)state;
    for (int w = 0; w < 2; w++) {
        struct cs_workload *one = make(name[w], 40, 24, 7), *again = make(name[w], 40, 24, 7),
                           *other = make(name[w], 40, 24, 8);

        assert_int_equal(one->count, 40);
        assert_true(same_times(one, again));
        assert_false(same_times(one, other));
        cs_workload_destroy(one);
        cs_workload_destroy(again);
        cs_workload_destroy(other);
    }
}

static void fixed_ones_do_not_depend_on_the_seed(void **state)
{
    struct cs_workload *one = make("ii-a", 0, 0, 1), *other = make("ii-a", 0, 0, 2);

    (void)state;
    assert_true(same_times(one, other));
    cs_workload_destroy(one);
    cs_workload_destroy(other);
}

static void refused(const char *name, int tasks, int procs, const char *why)
{
    struct cs_pack_generator generator = {.tasks = tasks, .procs = procs};
    struct cs_error err = {0};

    assert_null(cs_pack_generate(name, &generator, &err));
    assert_string_equal(err.text, why);
}

static void what_cannot_be_made_is_refused(void **state)
{
    (void)state;
    refused("iv", 0, 0,
            "'iv' is not a workload; there are i, ii-a, ii-b, iii-a, iii-b, random, formula");
    refused("ii-a", 64, 0, "workload ii-a has 65 tasks, 64 cannot be made");
    refused("random", -1, 0, "workload random: -1 tasks on 0 processors cannot be made");
    refused("random", 1000000, 1000000,
            "workload random: 1000000 tasks on 1000000 processors are 1000000000000 times, at most "
            "134217728 are made; formula has no such limit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_the_times_on_all_processors),
        cmocka_unit_test(single_values),
        cmocka_unit_test(all_values_of_the_reference_files),
        cmocka_unit_test(tables_are_repaired),
        cmocka_unit_test(names_differ_and_the_source_says_stand_in),
        cmocka_unit_test(a_table_may_be_longer_than_the_default),
        cmocka_unit_test(random_ones_depend_on_the_seed_only),
        cmocka_unit_test(fixed_ones_do_not_depend_on_the_seed),
        cmocka_unit_test(what_cannot_be_made_is_refused),
    };

    return cmocka_run_group_tests_name("pack_generate", tests, NULL, NULL);
}
