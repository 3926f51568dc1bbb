/* The cheap bounds: worked out by hand, below brute force, close on the stand-in workloads. */
#include "unit/improve.h"

#include <stdlib.h>

static struct improve_case c;

static struct cs_pack_bounds bounds_of(const struct cs_pack_instance *in)
{
    struct cs_pack_bounds bounds;

    cs_pack_bounds_compute(in, &bounds);
    return bounds;
}

static void close_to(double got, double want)
{
    if (!(got <= want && got >= want * (1 - 1e-11)))
        fail_msg("%.17g is not just below %.17g", got, want);
}

/* Three tasks that take 6 s on any processors, on 2 processors, two in a pack. */
static void flat_tasks_by_hand(void **state)
{
    const double flat[] = {6, 6};
    const struct cs_profile p = {.kind = CS_PROFILE_TABLE, .count = 2, .seconds = flat};
    const struct cs_profile profile[] = {p, p, p};
    struct cs_pack_bounds bounds;

    (void)state;
    c.workload = cs_workload_create(3, NULL, profile, NULL);
    c.in = cs_pack_instance_create(c.workload, 2, 2, NULL);
    bounds = bounds_of(c.in);
    close_to(bounds.area, 9);
    close_to(bounds.cardinality, 12);
    close_to(bounds.mixed, 9);
    assert_true(bounds.best == bounds.cardinality);
    improve_destroy(&c);
}

/* Perfectly parallel work of 12 and 24 on 4 processors: 36 / 4 in one pack. */
static void parallel_tasks_by_hand(void **state)
{
    const double small[] = {12, 6, 4, 3}, large[] = {24, 12, 8, 6};
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = small},
        {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = large},
    };
    struct cs_pack_bounds bounds;

    (void)state;
    c.workload = cs_workload_create(2, NULL, profile, NULL);
    c.in = cs_pack_instance_create(c.workload, 4, CS_PACK_UNLIMITED, NULL);
    bounds = bounds_of(c.in);
    close_to(bounds.area, 9);
    close_to(bounds.cardinality, 6);
    improve_destroy(&c);
    c.workload = cs_workload_create(2, NULL, profile, NULL);
    c.in = cs_pack_instance_create(c.workload, 4, 1, NULL);
    bounds = bounds_of(c.in);
    close_to(bounds.cardinality, 9);
    close_to(bounds.mixed, 9);
    improve_destroy(&c);
}

/* Two tasks that need 3 of 4 processors cannot share a pack, whatever the pack size. */
static void minimum_counts_make_packs_small(void **state)
{
    const double wide[] = {INFINITY, INFINITY, 5, 5};
    const struct cs_profile p = {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = wide};
    const struct cs_profile profile[] = {p, p};
    struct cs_pack_bounds bounds;

    (void)state;
    c.workload = cs_workload_create(2, NULL, profile, NULL);
    c.in = cs_pack_instance_create(c.workload, 4, CS_PACK_UNLIMITED, NULL);
    bounds = bounds_of(c.in);
    close_to(bounds.cardinality, 10);
    close_to(bounds.area, 7.5);
    improve_destroy(&c);
}

static void no_tasks_cost_nothing(void **state)
{
    (void)state;
    c.workload = cs_workload_create(0, NULL, NULL, NULL);
    c.in = cs_pack_instance_create(c.workload, 4, CS_PACK_UNLIMITED, NULL);
    assert_true(bounds_of(c.in).best == 0);
    improve_destroy(&c);
}

static void never_above_brute_force(void **state)
{
    int tight = 0;

    (void)state;
    for (int number = 0; number < 2000; number++) {
        struct cs_splitmix random = {1 + (uint64_t)number};
        int tasks = 1 + (int)cs_splitmix_below(&random, 6);
        int procs = 1 + (int)cs_splitmix_below(&random, 9);
        int size = (int)cs_splitmix_below(&random, (uint64_t)procs + 1);
        struct cs_pack_bounds bounds;
        double optimum;

        improve_create(&c, tasks, procs, size, number % 2, random.state);
        bounds = bounds_of(c.in);
        optimum = improve_optimum(c.in);
        assert_true(bounds.area > 0 && bounds.area <= optimum);
        assert_true(bounds.cardinality > 0 && bounds.cardinality <= optimum);
        assert_true(bounds.mixed > 0 && bounds.mixed <= optimum);
        assert_true(bounds.best <= optimum && bounds.best >= bounds.area);
        tight += bounds.best > 0.999 * optimum;
        improve_destroy(&c);
    }
    assert_in_range(tight, 200, 2000);
}

/* The mixed bound is the best over all a: compared with a fine grid of them. */
static void mixed_is_the_best_mix(void **state)
{
    (void)state;
    for (int number = 0; number < 200; number++) {
        int procs = 1 + number % 12, size = 1 + number % procs;
        double best = 0, mixed;

        improve_create(&c, 20, procs, size, false, (uint64_t)number);
        for (int k = 0; k <= 400; k++) {
            double a = k / 400.0, sum = 0;

            for (int i = 0; i < 20; i++) {
                double least = INFINITY;

                for (int j = 1; j <= procs; j++)
                    least = fmin(least, cs_pack_time(c.in, i, j) *
                                            (a * j / procs + (1 - a) / fmin(size, 20)));
                sum += least;
            }
            best = fmax(best, sum);
        }
        mixed = bounds_of(c.in).mixed;
        assert_true(mixed >= best * (1 - 1e-9));
        assert_true(mixed <= best * 1.01);
        improve_destroy(&c);
    }
}

static void workload_two(void **state)
{
    struct cs_workload *w = cs_pack_generate("ii-a", NULL, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(w, 16, 16, NULL);
    struct cs_pack_bounds bounds = bounds_of(in);

    (void)state;
    assert_float_equal(bounds.area, 1425.6, 0.05);
    cs_pack_instance_destroy(in);
    in = cs_pack_instance_create(w, 16, 2, NULL);
    bounds = bounds_of(in);
    assert_true(bounds.best <= 7792.31 && bounds.best >= 0.995 * 7792.31);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(w);
}

/* The same formulas with and without a table. */
static void formulas_need_no_table(void **state)
{
    struct cs_profile profile[40];
    struct cs_splitmix random = {5};
    struct cs_pack_bounds with, without;

    (void)state;
    for (int i = 0; i < 40; i++) {
        profile[i] = (struct cs_profile){.kind = i % 2 ? CS_PROFILE_OVERHEAD : CS_PROFILE_AMDAHL};
        profile[i].seq_time = 10 + 1000 * improve_uniform(&random);
        profile[i].seq_fraction = 0.2 * improve_uniform(&random);
        profile[i].overhead = 0.01 * improve_uniform(&random);
    }
    for (int size = 1; size <= 1000; size *= 10) {
        const double *table;

        c.workload = cs_workload_create(40, NULL, profile, NULL);
        c.in = cs_pack_instance_create(c.workload, 1000, size, NULL);
        with = bounds_of(c.in);
        table = c.in->tasks->table;
        assert_non_null(table);
        c.in->tasks->table = NULL;
        c.in->tasks->profile = c.workload->profile;
        c.in->tasks->fastest = calloc(40, sizeof(int));
        for (int i = 0; i < 40; i++) {
            int fastest = 1;

            while (fastest < 1000 && table[i * 1000 + fastest] < table[i * 1000 + fastest - 1])
                fastest++;
            ((int *)c.in->tasks->fastest)[i] = fastest;
        }
        without = bounds_of(c.in);
        assert_float_equal(with.area, without.area, 1e-9 * with.area);
        assert_float_equal(with.cardinality, without.cardinality, 1e-9 * with.cardinality);
        assert_true(without.mixed <= with.mixed * (1 + 1e-12));
        assert_true(without.mixed >= with.mixed * 0.99);
        free((void *)c.in->tasks->fastest);
        c.in->tasks->table = table;
        improve_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_tasks_by_hand),
        cmocka_unit_test(parallel_tasks_by_hand),
        cmocka_unit_test(minimum_counts_make_packs_small),
        cmocka_unit_test(no_tasks_cost_nothing),
        cmocka_unit_test(never_above_brute_force),
        cmocka_unit_test(mixed_is_the_best_mix),
        cmocka_unit_test(workload_two),
        cmocka_unit_test(formulas_need_no_table),
    };

    return cmocka_run_group_tests_name("pack_bound", tests, NULL, NULL);
}
