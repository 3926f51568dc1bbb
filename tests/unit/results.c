/* results: numbers over replicates, by hand. */
#include "kit.h"

#include "base/json.h"
#include "campaign_kit.h"

#define METRICS 3

/* An experiment of the combinations a = 0, 1, .. with as many replicates as their series says. */
struct world {
    struct cs_experiment *experiment;
    struct cs_results *results;
};

static struct world make_world(int one, int other)
{
    const struct cs_experiment_how how = {.problem = &kit_problem};
    struct world world;
    json_t *json = json_pack("{s:s,s:{s:s,s:[i]},s:{s:{}},s:{s:{s:i},s:{s:i}}}", "problem", "kit",
                             "x", "parameter", "a", "values", 1, "panels", "p", "series", "one",
                             "replicates", one, "other", "replicates", other);

    world.experiment = cs_experiment_create(json, "f", &how, NULL);
    assert_non_null(world.experiment);
    world.results = cs_results_create(world.experiment);
    json_decref(json);
    return world;
}

static void release(struct world *world)
{
    cs_results_destroy(world->results);
    cs_experiment_destroy(world->experiment);
}

/* A run of a combination that is done. */
static void put(struct world *world, int combination, int replicate, double first, double second)
{
    int c = world->experiment->combination[combination].first + replicate;

    world->results->value[c * METRICS] = first;
    world->results->value[c * METRICS + 1] = second;
    world->results->done[c] = true;
}

static struct cs_figures number_of(const struct world *world, int combination, int over, int metric)
{
    return cs_results_number(world->results, metric, over, combination);
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want) + 1e-12))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32; t of 7 degrees is 2.36462. */
static void sums_up_a_combination_over_its_replicates(void **state)
{
    static const double value[] = {9, 4, 2, 4, 5, 7, 5, 4};
    struct world world = make_world(8, 1);
    struct cs_figures number;
    const double *figure;

    (void)state;
    for (int r = 0; r < 8; r++)
        put(&world, 0, r, value[r], 10 * value[r]);
    number = number_of(&world, 0, -1, 0);
    assert_int_equal(cs_results_done(world.results, 0), 8);
    assert_int_equal(number.n, 8);
    assert_int_equal(number.none, 0);
    figure = number.sample.figure;
    near(figure[CS_FIGURE_MEAN], 5);
    near(figure[CS_FIGURE_CONFIDENCE], 2.3646242515928 * sqrt(32.0 / 7 / 8));
    near(figure[CS_FIGURE_DEVIATION], sqrt(32.0 / 7));
    near(figure[CS_FIGURE_MIN], 2);
    near(figure[CS_FIGURE_Q25], 4);
    near(figure[CS_FIGURE_MEDIAN], 4.5);
    near(figure[CS_FIGURE_Q75], 5.5);
    near(figure[CS_FIGURE_MAX], 9);
    near(number_of(&world, 0, -1, 1).sample.figure[CS_FIGURE_MEAN], 50);
    near(cs_results_mean(world.results, 0, -1, 0).mean, 5);
    near(cs_results_mean(world.results, 0, -1, 0).half_width, 2.3646242515928 * sqrt(32.0 / 7 / 8));
    assert_true(world.results->value[0] == 9 && world.results->value[METRICS] == 4);
    release(&world);
}

static void what_has_not_run_and_what_has_no_value_is_counted_and_left_out(void **state)
{
    struct world world = make_world(4, 1);
    struct cs_figures number;

    (void)state;
    put(&world, 0, 0, 4, NAN);
    put(&world, 0, 1, INFINITY, NAN);
    put(&world, 0, 3, 6, NAN);
    assert_int_equal(cs_results_done(world.results, 0), 3);
    assert_int_equal(cs_results_done(world.results, -1), 3);
    number = number_of(&world, 0, -1, 0);
    assert_int_equal(number.n, 2);
    assert_int_equal(number.none, 1);
    near(number.sample.figure[CS_FIGURE_MEAN], 5);
    near(number.sample.figure[CS_FIGURE_MAX], 6);
    number = number_of(&world, 0, -1, 1);
    assert_int_equal(number.n, 0);
    assert_int_equal(number.none, 3);
    for (int f = 0; f < CS_FIGURES; f++)
        assert_true(isnan(number.sample.figure[f]));
    release(&world);
}

static void one_run_has_no_interval(void **state)
{
    struct world world = make_world(1, 1);
    struct cs_figures number;

    (void)state;
    put(&world, 0, 0, 4, 2);
    number = number_of(&world, 0, -1, 0);
    assert_true(number.sample.figure[CS_FIGURE_MEAN] == 4);
    assert_true(number.sample.figure[CS_FIGURE_MEDIAN] == 4);
    assert_true(isnan(number.sample.figure[CS_FIGURE_CONFIDENCE]));
    assert_true(isnan(number.sample.figure[CS_FIGURE_DEVIATION]));
    assert_true(cs_results_mean(world.results, 0, -1, 0).half_width == 0);
    release(&world);
}

/* Ratios 2, 4 and 3 of replicates 0, 1 and 3: mean 3, deviation 1; t of 2 degrees is 4.302653.
 * Replicate 2 has no value, 4 has not run, 5 is not there. */
static void ratios_are_of_the_same_replicate(void **state)
{
    static const double one[] = {10, 8, NAN, 9, 90}, other[] = {5, 2, 7, 3, 1, 1};
    struct world world = make_world(5, 6);
    struct cs_figures number;

    (void)state;
    for (int r = 0; r < 5; r++)
        put(&world, 0, r, one[r], 1);
    for (int r = 0; r < 6; r++)
        if (r != 4)
            put(&world, 1, r, other[r], 1);
    number = number_of(&world, 0, 1, 0);
    assert_int_equal(number.n, 3);
    assert_int_equal(number.none, 1);
    near(number.sample.figure[CS_FIGURE_MEAN], 3);
    near(number.sample.figure[CS_FIGURE_DEVIATION], 1);
    near(number.sample.figure[CS_FIGURE_CONFIDENCE], 4.302652729911275 / sqrt(3));
    near(number.sample.figure[CS_FIGURE_MIN], 2);
    near(number.sample.figure[CS_FIGURE_MAX], 4);
    near(number_of(&world, 1, 0, 0).sample.figure[CS_FIGURE_MAX], 0.5);
    assert_int_equal(number_of(&world, 1, 1, 0).n, 5);
    assert_int_equal(number_of(&world, 0, -2, 0).n, 0);
    assert_int_equal(number_of(&world, 0, -2, 0).none, 5);
    release(&world);
}

static void a_single_run_stands_for_every_replicate_of_the_other(void **state)
{
    struct world world = make_world(2, 1);

    (void)state;
    put(&world, 0, 0, 3, 1);
    put(&world, 0, 1, 5, 1);
    put(&world, 1, 0, 2, 0);
    near(number_of(&world, 0, 1, 0).sample.figure[CS_FIGURE_MEAN], 2);
    assert_int_equal(number_of(&world, 0, 1, 0).n, 2);
    assert_int_equal(number_of(&world, 1, 0, 0).n, 2);
    assert_int_equal(number_of(&world, 1, 1, 0).n, 1);
    assert_int_equal(number_of(&world, 0, 1, 1).n, 0);
    assert_int_equal(number_of(&world, 0, 1, 1).none, 2);
    assert_true(isnan(number_of(&world, 0, 1, 1).sample.figure[CS_FIGURE_MEAN]));
    release(&world);
}

static struct cs_experiment *sweep_of(const char *text)
{
    const struct cs_experiment_how how = {.problem = &kit_problem};
    struct cs_error err = {0};
    struct cs_experiment *sweep;
    char path[128];

    kit_write_json("s.json", text);
    snprintf(path, sizeof path, "%s/s.json", kit_folder());
    sweep = cs_experiment_read(path, &how, &err);
    assert_string_equal(err.text, "");
    kit_remove("s.json");
    return sweep;
}

/* In the second grid there is no word. */
static void a_neighbour_differs_on_one_axis(void **state)
{
    struct cs_experiment *sweep =
        sweep_of("{'problem': 'kit', 'vary': [{'a': [1, 2], 'word': ['x', 'y']}, {'a': [2, 3]}]}");
    struct cs_results *results = cs_results_create(sweep);

    (void)state;
    assert_int_equal(sweep->combinations, 6);
    assert_int_equal(cs_results_besides(results, 0, 1, 1), 1);
    assert_int_equal(cs_results_besides(results, 3, 0, 0), 1);
    assert_int_equal(cs_results_besides(results, 3, 1, 1), 3);
    assert_int_equal(cs_results_besides(results, 3, 0, 2), -1);
    assert_int_equal(cs_results_besides(results, 4, 0, 2), 5);
    assert_int_equal(cs_results_besides(results, 4, 1, 0), 2);
    cs_results_destroy(results);
    cs_experiment_destroy(sweep);
}

/* Lines for words, a on the axis, a plot for each b; what has no word is in none of them. */
static void a_sweep_has_panels_too(void **state)
{
    struct cs_experiment *sweep =
        sweep_of("{'problem': 'kit', 'vary': [{'b': [0.5, 2], 'word': ['x', 'y'], 'a': [3, 1]}, "
                 "{'b': [2], 'word': ['y'], 'a': [2]}, {'a': [7]}]}");
    struct cs_results *results = cs_results_create(sweep);
    struct cs_arena *arena = cs_arena_create();
    int count;
    const struct cs_panel *panel = cs_results_panels(results, arena, &count);

    (void)state;
    assert_int_equal(count, 2);
    assert_int_equal(cs_results_series(results), 2);
    assert_string_equal(panel[0].title, "b = 0.5");
    assert_int_equal(panel[0].count, 2);
    assert_int_equal(panel[1].count, 3);
    assert_string_equal(sweep->axis[2].value[panel[1].x[2]].name, "2");
    assert_int_equal(panel[1].combination[0], 4);
    assert_int_equal(panel[1].combination[2], -1);
    assert_int_equal(panel[1].combination[5], 8);
    cs_arena_destroy(arena);
    cs_results_destroy(results);
    cs_experiment_destroy(sweep);
}

/* Of the runs a = 1 .. 4 the second and the last, where they belong. */
static void some_cells_are_run(void **state)
{
    static const bool keep[] = {false, true, false, true};
    struct cs_experiment *sweep = sweep_of("{'problem': 'kit', 'vary': {'a': [1, 2, 3, 4]}}");
    struct cs_results *results = cs_results_create(sweep);
    const struct cs_grid_options options = {.threads = 2};

    (void)state;
    assert_int_equal(cs_results_run(results, keep, &options, NULL), 0);
    for (int c = 0; c < 4; c++) {
        assert_int_equal(results->done[c], keep[c]);
        assert_true(keep[c] ? results->value[c * METRICS] == 10 * (c + 1)
                            : isnan(results->value[c * METRICS]));
    }
    cs_results_destroy(results);
    cs_experiment_destroy(sweep);
    rmdir(kit_folder());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_up_a_combination_over_its_replicates),
        cmocka_unit_test(what_has_not_run_and_what_has_no_value_is_counted_and_left_out),
        cmocka_unit_test(one_run_has_no_interval),
        cmocka_unit_test(ratios_are_of_the_same_replicate),
        cmocka_unit_test(a_single_run_stands_for_every_replicate_of_the_other),
        cmocka_unit_test(a_neighbour_differs_on_one_axis),
        cmocka_unit_test(a_sweep_has_panels_too),
        cmocka_unit_test(some_cells_are_run),
    };

    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
