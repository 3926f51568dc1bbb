/* summary: groups over replicates, by hand. */
#include "campaign/summary.h"
#include "unit/kit.h"

#include <math.h>

#define METRICS 2

struct world {
    struct cs_cell cell[16];
    double value[16 * METRICS];
    bool done[16];
    int count;
};

/* Cells that are the same combination share their parameters only in value. */
static void add(struct world *world, const char *policy, int replicate, double first, double second)
{
    int c = world->count++;

    world->cell[c] = (struct cs_cell){.replicate = replicate,
                                      .seed = (uint64_t)replicate + 7,
                                      .parameters = json_pack("{s:s}", "policy", policy)};
    world->value[c * METRICS] = first;
    world->value[c * METRICS + 1] = second;
    world->done[c] = true;
}

static void release(struct world *world)
{
    for (int c = 0; c < world->count; c++)
        json_decref(world->cell[c].parameters);
}

static struct cs_summary *sum_up(struct world *world)
{
    return cs_summary_create(world->cell, world->count, world->done, world->value, METRICS);
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want) + 1e-12))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32; t of 7 degrees is 2.36462. */
static void add_eight(struct world *world)
{
    static const double value[] = {9, 4, 2, 4, 5, 7, 5, 4};

    for (int r = 0; r < 8; r++)
        add(world, "greedy", r, value[r], 10 * value[r]);
}

static void sums_up_a_combination_over_its_replicates(void **state)
{
    struct world world = {.count = 0};
    struct cs_summary *summary;
    const double *figure;

    (void)state;
    add_eight(&world);
    summary = sum_up(&world);
    assert_int_equal(summary->groups, 1);
    assert_int_equal(summary->group[0].first, 0);
    assert_int_equal(summary->group[0].count, 8);
    assert_int_equal(summary->group[0].done, 8);
    assert_int_equal(cs_summary_at(summary, 0, 0)->n, 8);
    assert_int_equal(cs_summary_at(summary, 0, 0)->none, 0);
    figure = cs_summary_at(summary, 0, 0)->sample.figure;
    near(figure[CS_FIGURE_MEAN], 5);
    near(figure[CS_FIGURE_CONFIDENCE], 2.3646242515928 * sqrt(32.0 / 7 / 8));
    near(figure[CS_FIGURE_DEVIATION], sqrt(32.0 / 7));
    near(figure[CS_FIGURE_MIN], 2);
    near(figure[CS_FIGURE_Q25], 4);
    near(figure[CS_FIGURE_MEDIAN], 4.5);
    near(figure[CS_FIGURE_Q75], 5.5);
    near(figure[CS_FIGURE_MAX], 9);
    near(cs_summary_at(summary, 0, 1)->sample.figure[CS_FIGURE_MEAN], 50);
    assert_true(world.value[0] == 9 && world.value[2] == 4);
    cs_summary_destroy(summary);
    release(&world);
}

static void a_combination_ends_where_parameters_or_the_place_change(void **state)
{
    struct world world = {.count = 0};
    struct cs_summary *summary;

    (void)state;
    add(&world, "greedy", 0, 1, 1);
    add(&world, "greedy", 1, 3, 1);
    add(&world, "easy", 0, 5, 1);
    add(&world, "easy", 0, 7, 1);
    world.cell[3].x = 1;
    summary = cs_summary_create(world.cell, world.count, NULL, world.value, METRICS);
    assert_int_equal(summary->groups, 3);
    assert_int_equal(summary->group[1].first, 2);
    near(cs_summary_at(summary, 0, 0)->sample.figure[CS_FIGURE_MEAN], 2);
    near(cs_summary_at(summary, 1, 0)->sample.figure[CS_FIGURE_MEAN], 5);
    near(cs_summary_at(summary, 2, 0)->sample.figure[CS_FIGURE_MEAN], 7);
    cs_summary_destroy(summary);
    release(&world);
}

static void what_has_not_run_and_what_has_no_value_is_counted_and_left_out(void **state)
{
    struct world world = {.count = 0};
    const struct cs_summary_number *number;
    struct cs_summary *summary;

    (void)state;
    add(&world, "greedy", 0, 4, NAN);
    add(&world, "greedy", 1, INFINITY, NAN);
    add(&world, "greedy", 2, 1e9, 1e9);
    add(&world, "greedy", 3, 6, NAN);
    world.done[2] = false;
    summary = sum_up(&world);
    assert_int_equal(summary->group[0].count, 4);
    assert_int_equal(summary->group[0].done, 3);
    number = cs_summary_at(summary, 0, 0);
    assert_int_equal(number->n, 2);
    assert_int_equal(number->none, 1);
    near(number->sample.figure[CS_FIGURE_MEAN], 5);
    near(number->sample.figure[CS_FIGURE_MAX], 6);
    number = cs_summary_at(summary, 0, 1);
    assert_int_equal(number->n, 0);
    assert_int_equal(number->none, 3);
    for (int f = 0; f < CS_FIGURES; f++)
        assert_true(isnan(number->sample.figure[f]));
    cs_summary_destroy(summary);
    release(&world);
}

static void one_run_has_no_interval(void **state)
{
    struct world world = {.count = 0};
    struct cs_summary *summary;
    const double *figure;

    (void)state;
    add(&world, "greedy", 0, 4, 2);
    summary = sum_up(&world);
    figure = cs_summary_at(summary, 0, 0)->sample.figure;
    assert_true(figure[CS_FIGURE_MEAN] == 4 && figure[CS_FIGURE_MEDIAN] == 4);
    assert_true(isnan(figure[CS_FIGURE_CONFIDENCE]) && isnan(figure[CS_FIGURE_DEVIATION]));
    cs_summary_destroy(summary);
    release(&world);
}

static void nothing_is_no_group(void **state)
{
    struct cs_summary *summary = cs_summary_create(NULL, 0, NULL, NULL, METRICS);

    (void)state;
    assert_int_equal(summary->groups, 0);
    cs_summary_destroy(summary);
    cs_summary_destroy(NULL);
}

/* Ratios 2, 4 and 3 of replicates 0, 1 and 3: mean 3, deviation 1; t of 2 degrees is 4.302653.
 * Replicate 2 has no value, 4 has not run, 5 is not there, 6 met another seed. */
static void ratios_are_of_the_same_replicate(void **state)
{
    struct world world = {.count = 0};
    struct cs_summary_number number;
    struct cs_summary *summary;

    (void)state;
    add(&world, "easy", 0, 10, 1);
    add(&world, "easy", 1, 8, 1);
    add(&world, "easy", 2, NAN, 1);
    add(&world, "easy", 3, 9, 1);
    add(&world, "easy", 4, 90, 1);
    add(&world, "easy", 6, 70, 1);
    add(&world, "greedy", 0, 5, 1);
    add(&world, "greedy", 1, 2, 1);
    add(&world, "greedy", 2, 7, 1);
    add(&world, "greedy", 3, 3, 1);
    add(&world, "greedy", 4, 1, 1);
    add(&world, "greedy", 5, 1, 1);
    add(&world, "greedy", 6, 1, 1);
    world.done[10] = false;
    world.cell[12].seed = 99;
    summary = sum_up(&world);
    number = cs_summary_paired(summary, 0, 1, 0);
    assert_int_equal(number.n, 3);
    assert_int_equal(number.none, 1);
    near(number.sample.figure[CS_FIGURE_MEAN], 3);
    near(number.sample.figure[CS_FIGURE_DEVIATION], 1);
    near(number.sample.figure[CS_FIGURE_CONFIDENCE], 4.302652729911275 / sqrt(3));
    near(number.sample.figure[CS_FIGURE_MIN], 2);
    near(number.sample.figure[CS_FIGURE_MAX], 4);
    near(cs_summary_paired(summary, 1, 0, 0).sample.figure[CS_FIGURE_MAX], 0.5);
    assert_int_equal(cs_summary_paired(summary, 1, 1, 0).n, 6);
    cs_summary_destroy(summary);
    release(&world);
}

static void a_single_run_stands_for_every_replicate_of_the_other(void **state)
{
    struct world world = {.count = 0};
    struct cs_summary *summary;

    (void)state;
    add(&world, "random", 0, 3, 1);
    add(&world, "random", 1, 5, 1);
    add(&world, "exact", 0, 2, 0);
    summary = sum_up(&world);
    near(cs_summary_paired(summary, 0, 1, 0).sample.figure[CS_FIGURE_MEAN], 2);
    assert_int_equal(cs_summary_paired(summary, 0, 1, 0).n, 2);
    assert_int_equal(cs_summary_paired(summary, 1, 0, 0).n, 2);
    assert_int_equal(cs_summary_paired(summary, 1, 1, 0).n, 1);
    assert_int_equal(cs_summary_paired(summary, 0, 1, 1).n, 0);
    assert_int_equal(cs_summary_paired(summary, 0, 1, 1).none, 2);
    assert_true(isnan(cs_summary_paired(summary, 0, 1, 1).sample.figure[CS_FIGURE_MEAN]));
    cs_summary_destroy(summary);
    release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_up_a_combination_over_its_replicates),
        cmocka_unit_test(a_combination_ends_where_parameters_or_the_place_change),
        cmocka_unit_test(what_has_not_run_and_what_has_no_value_is_counted_and_left_out),
        cmocka_unit_test(one_run_has_no_interval),
        cmocka_unit_test(nothing_is_no_group),
        cmocka_unit_test(ratios_are_of_the_same_replicate),
        cmocka_unit_test(a_single_run_stands_for_every_replicate_of_the_other),
    };

    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
