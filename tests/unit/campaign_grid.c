/* Grids of runs: the same values for any number of threads, the first failure, the store. */
#include "kit.h"

#include "campaign/store.h"
#include "campaign_kit.h"

#include <cosched/watch.h>

#define CELLS 64

static void make_cells(struct cs_cell *cell, int fail)
{
    for (int c = 0; c < CELLS; c++)
        cell[c] = (struct cs_cell){
            .combination = c,
            .seed = cs_grid_seed(5, c),
            .parameters = json_pack("{s:i,s:f,s:i}", "a", c % 32, "b", 0.5, "fail", fail)};
}

static void free_cells(struct cs_cell *cell)
{
    for (int c = 0; c < CELLS; c++)
        json_decref(cell[c].parameters);
}

static void values_do_not_depend_on_the_threads(void **state)
{
    static double one[CELLS * 3], many[CELLS * 3];
    struct cs_cell cell[CELLS];

    (void)state;
    make_cells(cell, 99);
    assert_int_equal(
        cs_grid_run(&kit_problem, cell, CELLS, &(struct cs_grid_options){.threads = 1}, one, NULL),
        0);
    for (int threads = 2; threads <= 5; threads++) {
        struct cs_grid_options options = {.threads = threads};

        memset(many, 0, sizeof many);
        assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, many, NULL), 0);
        assert_memory_equal(one, many, sizeof one);
    }
    assert_true(one[3 * 7] == 70.5);
    free_cells(cell);
}

/* a = 9 fails: cells 9 and 41.  By steps of the golden ratio 9 comes before 41, and 50 before both.
 */
static void the_first_failure_counts(void **state)
{
    static double value[CELLS * 3];
    struct cs_cell cell[CELLS];

    (void)state;
    make_cells(cell, 9);
    for (int threads = 1; threads <= 4; threads++) {
        struct cs_grid_options options = {.threads = threads};
        struct cs_error err = {0};

        cell[9].replicate = 3;
        kit_calls = 0;
        assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, value, &err), -1);
        assert_string_equal(err.text, "a=9 b=0.5 fail=9 replicate=3: a is 9");
        if (threads == 1)
            assert_in_range(kit_calls, 1, CELLS / 2);
    }
    free_cells(cell);
}

static bool is_stopped(void *who)
{
    return *(bool *)who;
}

/* Before it begins, and not; cells are watched too. */
static void a_run_can_be_stopped(void **state)
{
    static double value[CELLS * 3];
    struct cs_store *store = cs_store_open(CS_STORE_MEMORY, CS_STORE_WRITE, NULL);
    bool stop = true;
    const struct cs_watch watch = {.size = sizeof watch, .stop = is_stopped, .who = &stop};
    const struct cs_watch *before = cs_watch_enter(&watch);
    struct cs_cell cell[CELLS];
    struct cs_error err = {0};
    struct cs_grid_options options = {.threads = 2, .store = store};

    (void)state;
    make_cells(cell, 99);
    kit_calls = 0;
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, value, &err), -1);
    assert_string_equal(err.text, "stopped");
    assert_int_equal(kit_calls, 0);
    cs_watch_enter(before);
    stop = false;
    cs_watch_enter(&watch);
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, value, NULL), 0);
    assert_int_equal(kit_calls, CELLS);
    assert_true(kit_watched);
    cs_watch_enter(before);
    cs_store_close(store);
    free_cells(cell);
}

/* A file that is named from a folder on, and has other bytes the second time. */
static void files_are_found_and_remembered(void **state)
{
    char path[128], words[512];
    double value[3];
    struct cs_cell cell = {.seed = 1,
                           .parameters = json_pack("{s:i,s:s}", "a", 1, "file", "in.txt")};
    struct cs_grid_options options = {.folder = kit_folder()};
    struct cs_error err = {0}, other = {0};

    (void)state;
    snprintf(path, sizeof path, "%s/files.db", kit_folder());
    options.store = cs_store_open(path, CS_STORE_WRITE, NULL);
    assert_int_equal(cs_grid_run(&kit_problem, &cell, 1, &options, value, &err), -1);
    assert_non_null(strstr(err.text, "/in.txt: "));
    kit_write("in.txt", "one");
    assert_int_equal(cs_grid_run(&kit_problem, &cell, 1, &options, value, NULL), 0);
    snprintf(words, sizeof words, "%s/in.txt", kit_folder());
    assert_string_equal(kit_file, words);
    assert_string_equal(json_string_value(json_object_get(cell.parameters, "file")), "in.txt");
    kit_write("in.txt", "two");
    assert_int_equal(cs_grid_run(&kit_problem, &cell, 1, &options, value, &other), -1);
    assert_non_null(strstr(other.text, "has results from another in.txt"));
    cs_store_close(options.store);
    json_decref(cell.parameters);
    kit_remove("in.txt");
    kit_remove("files.db");
    rmdir(kit_folder());
}

static void count_progress(void *who, int done, int count)
{
    int *last = who;

    assert_int_equal(count, CELLS);
    assert_int_equal(done, *last + 1);
    *last = done;
}

static void progress_counts_every_cell_once(void **state)
{
    static double value[CELLS * 3];
    struct cs_cell cell[CELLS];
    int last = -1;
    struct cs_grid_options options = {.threads = 3, .progress = count_progress, .who = &last};

    (void)state;
    make_cells(cell, 99);
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, value, NULL), 0);
    assert_int_equal(last, CELLS);
    free_cells(cell);
}

/* Eight kinds of eight cells each: whatever has been done so far has about as many of each. */
static void cheap_and_expensive_cells_are_mixed(void **state)
{
    static double value[CELLS * 3];
    struct cs_cell cell[CELLS];
    int kind[8] = {0};

    (void)state;
    make_cells(cell, 99);
    for (int c = 0; c < CELLS; c++)
        json_object_set_new(cell[c].parameters, "a", json_integer(c));
    kit_calls = 0;
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &(struct cs_grid_options){.threads = 1},
                                 value, NULL),
                     0);
    assert_int_equal(kit_calls, CELLS);
    for (int i = 0; i < CELLS; i++) {
        kind[kit_order[i] / 8]++;
        for (int k = 0; k < 8; k++)
            assert_in_range(8 * kind[k], i > 16 ? i - 16 : 0, i + 17);
    }
    free_cells(cell);
}

static void what_was_run_before_is_not_run_again(void **state)
{
    static double first[CELLS * 3], second[CELLS * 3];
    struct cs_store *store = cs_store_open(CS_STORE_MEMORY, CS_STORE_WRITE, NULL);
    struct cs_grid_options options = {.threads = 2, .store = store};
    struct cs_cell cell[CELLS];

    (void)state;
    make_cells(cell, 99);
    kit_calls = 0;
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, first, NULL), 0);
    assert_int_equal(kit_calls, CELLS);
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, second, NULL), 0);
    assert_int_equal(kit_calls, CELLS);
    assert_memory_equal(first, second, sizeof first);
    cell[3].seed++;
    json_object_set_new(cell[4].parameters, "b", json_real(0.25));
    assert_int_equal(cs_grid_run(&kit_problem, cell, CELLS, &options, second, NULL), 0);
    assert_int_equal(kit_calls, CELLS + 2);
    assert_true(second[3 * 4] == 40.25);
    cs_store_close(store);
    free_cells(cell);
}

/* Each cell in one shard; shards of about the same size, also of every kind of cells. */
static void shards_share_out_the_cells(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 12; shards++) {
        int size[13][3] = {{0}};

        for (int c = 0; c < 3000; c++) {
            int owners = 0;

            for (int s = 1; s <= shards; s++)
                if (cs_grid_shard_has(c, s, shards)) {
                    owners++;
                    size[s][c % 3]++;
                }
            assert_int_equal(owners, 1);
        }
        for (int s = 1; s <= shards; s++)
            for (int kind = 0; kind < 3; kind++)
                assert_in_range(size[s][kind], 1000 / shards - 4, 1000 / shards + 5);
    }
}

static void replicates_have_seeds_of_their_own(void **state)
{
    (void)state;
    assert_true(cs_grid_seed(1, 0) == cs_grid_seed(1, 0));
    assert_true(cs_grid_seed(1, 0) != cs_grid_seed(1, 1));
    assert_true(cs_grid_seed(1, 0) != cs_grid_seed(2, 0));
}

static void refused(const char *parameters, const char *why)
{
    json_t *json = json_loads(parameters, 0, NULL);
    struct cs_error err = {0};

    assert_non_null(json);
    assert_int_equal(cs_cell_check(&kit_problem, json, &err), -1);
    assert_string_equal(err.text, why);
    json_decref(json);
}

static void parameters_are_checked(void **state)
{
    json_t *good = json_pack("{s:i,s:i,s:s}", "a", 1, "b", 2, "word", "x");

    (void)state;
    assert_int_equal(cs_cell_check(&kit_problem, good, NULL), 0);
    json_decref(good);
    refused("{}", "a is missing: tens");
    refused("{\"a\": 1.5}", "a is \"1.5\"; it must be a whole number from 0 to 99");
    refused("{\"a\": 100}", "a is \"100\"; it must be a whole number from 0 to 99");
    refused("{\"a\": 1, \"b\": \"x\"}", "b is \"x\"; it must be a number from 0 to 9");
    refused("{\"a\": 1, \"word\": \"\"}", "word is empty; it needs WORD");
    refused("{\"a\": 1, \"c\": 2}", "there is no \"c\"");
}

static void problems_and_metrics_are_found_by_name(void **state)
{
    struct cs_error err = {0}, other = {0};
    int count;

    (void)state;
    assert_non_null(cs_problems(&count));
    assert_true(count >= 1);
    assert_string_equal(cs_problem_find("pack", NULL)->name, "pack");
    assert_null(cs_problem_find("park", &err));
    assert_non_null(
        strstr(err.text, "'park' is not a problem; did you mean 'pack'? There are pack"));
    assert_int_equal(cs_cell_metric(&kit_problem, "dice", NULL), 1);
    assert_int_equal(cs_cell_metric(&kit_problem, "mice", &other), -1);
    assert_string_equal(other.text, "'mice' is not a metric; there are number, dice, nothing");
}

/* Every problem of the list: tables within bounds, names that differ. */
static void problems_are_well_formed(void **state)
{
    int count;
    const struct cs_problem *const *problem = cs_problems(&count);

    (void)state;
    for (int r = 0; r < count; r++) {
        int metrics = cs_cell_metric_count(problem[r]);

        assert_in_range(metrics, 1, CS_CELL_METRICS);
        for (int m = 0; m < metrics; m++) {
            const struct cs_metric *metric = &cs_cell_metrics(problem[r])[m];

            assert_int_equal(cs_cell_metric(problem[r], metric->name, NULL),
                             metric->value->former ? -1 : m);
        }
        for (const struct cs_param *p = problem[r]->param; p->name; p++)
            assert_true(p->summary && (p->high == 0 || p->low <= p->high));
    }
}

static double pack_value(const char *metric, const char *parameters)
{
    const struct cs_problem *pack = cs_problem_find("pack", NULL);
    json_t *json = json_loads(parameters, 0, NULL);
    double value[CS_CELL_METRICS];
    char identity[CS_DIGEST_TEXT];
    struct cs_error err = {0};

    assert_int_equal(cs_cell_check(pack, json, &err), 0);
    assert_int_equal(cs_cell_run(pack, json, 1, NULL, value, identity, &err), 0);
    json_decref(json);
    return value[cs_cell_metric(pack, metric, NULL)];
}

static void pack_refused(const char *parameters, const char *why)
{
    json_t *json = json_loads(parameters, 0, NULL);
    double value[CS_CELL_METRICS];
    char identity[CS_DIGEST_TEXT];
    struct cs_error err = {0};

    assert_int_equal(
        cs_cell_run(cs_problem_find("pack", NULL), json, 1, NULL, value, identity, &err), -1);
    assert_non_null(strstr(err.text, why));
    json_decref(json);
}

static void cells_of_packs_plan(void **state)
{
    (void)state;
    assert_true(pack_value("relative_cost", "{\"workload\": \"i\", \"policy\": \"one-by-one\"}") ==
                1);
    assert_true(pack_value("packs", "{\"workload\": \"i\", \"policy\": \"one-by-one\"}") == 10);
    assert_true(fabs(pack_value("cost", "{\"workload\": \"ii-a\", \"policy\": \"pack-by-pack\", "
                                        "\"procs\": 16, \"pack_size\": 16}") -
                     1739.03) < 0.005);
    assert_true(
        isnan(pack_value("milliseconds", "{\"workload\": \"i\", \"policy\": \"pack-by-pack\"}")));
    assert_true(pack_value("milliseconds", "{\"workload\": \"i\", \"policy\": \"pack-by-pack\", "
                                           "\"repeat\": 3}") > 0);
    pack_refused("{\"policy\": \"pack-by-pack\"}", "expected one of workload, input and trap");
    pack_refused("{\"policy\": \"pack-by-park\", \"workload\": \"i\"}", "pack-by-park");
    pack_refused("{\"policy\": \"one-by-one\", \"workload\": \"v\"}", "workload cannot be \"v\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_do_not_depend_on_the_threads),
        cmocka_unit_test(the_first_failure_counts),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(files_are_found_and_remembered),
        cmocka_unit_test(progress_counts_every_cell_once),
        cmocka_unit_test(cheap_and_expensive_cells_are_mixed),
        cmocka_unit_test(what_was_run_before_is_not_run_again),
        cmocka_unit_test(shards_share_out_the_cells),
        cmocka_unit_test(replicates_have_seeds_of_their_own),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(problems_and_metrics_are_found_by_name),
        cmocka_unit_test(problems_are_well_formed),
        cmocka_unit_test(cells_of_packs_plan),
    };

    return cmocka_run_group_tests_name("campaign_grid", tests, NULL, NULL);
}
