/* What is made of stores: tables, merged stores, and how far a campaign has come. */
#include "kit.h"

#include "campaign/export.h"
#include "campaign/merge.h"
#include "campaign/status.h"
#include "campaign_kit.h"

static const char sweep_text[] =
    "{'problem': 'rigid', 'seed': 3, 'replicates': 4, 'set': {'scenarios': 2, "
    "'mean_failure_probability': 0.2}, 'vary': {'way': [{'policy': 'easy', 'label': 'EASY, "
    "\\'e\\''}, {'policy': 'shelf', 'priority': 'spt'}], 'jobs': [2, 5]}, 'metrics': ['ratio', "
    "'jobs']}";

static const char *at(const char *name)
{
    static char path[4][256];
    static int next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", kit_folder(), name);
    return path[next];
}

static struct cs_experiment *read_sweep(const char *text)
{
    struct cs_error err = {0};
    struct cs_experiment *sweep;

    kit_write_json("sweep.json", text);
    sweep = cs_experiment_read(at("sweep.json"), NULL, &err);
    if (!sweep)
        fail_msg("%s", err.text);
    return sweep;
}

static struct cs_store *open_new(const char *name, const struct cs_experiment *sweep, int shard,
                                 int shards)
{
    struct cs_store *store = cs_store_open(at(name), CS_STORE_WRITE, NULL);
    int64_t id;

    assert_non_null(store);
    assert_int_equal(cs_experiment_keep(sweep, store, &id, NULL), 0);
    assert_int_equal(cs_store_begin_shard(store, "cosched", 1, shard, shards, NULL), 0);
    return store;
}

/* The cells of a shard (shards 0: all), up to `most` of them; the run ends unless `killed`. */
static void make(const char *name, const char *text, int shard, int shards, int most, bool killed)
{
    struct cs_experiment *sweep = read_sweep(text);
    struct cs_store *store = open_new(name, sweep, shard, shards);
    double value[CS_CELL_METRICS];
    struct cs_grid_options options = {.threads = 2, .store = store};

    for (int c = 0; c < sweep->count && most; c++)
        if (!shards || cs_grid_shard_has(c, shard, shards)) {
            assert_int_equal(cs_grid_run(sweep->problem, &sweep->cell[c], 1, &options, value, NULL),
                             0);
            most--;
        }
    if (!killed)
        assert_int_equal(cs_store_end_run(store, NULL), 0);
    cs_store_close(store);
    cs_experiment_destroy(sweep);
    kit_remove("sweep.json");
}

static int export(const char *name, struct cs_export_options options, struct cs_strbuf *out,
                  int *missing, struct cs_error *err)
{
    struct cs_store *store = cs_store_open(at(name), CS_STORE_READ, err);
    struct cs_arena *arena = cs_arena_create();
    struct cs_document *list;
    int count, status;

    assert_non_null(store);
    assert_int_equal(cs_store_documents(store, arena, &list, &count, err), 0);
    assert_int_equal(count, 1);
    status = cs_export_write(store, list, &options, out, missing, err);
    cs_arena_destroy(arena);
    cs_store_close(store);
    return status;
}

static char *table_of(const char *name, struct cs_export_options options)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};
    char *text;

    if (export(name, options, &out, NULL, &err))
        fail_msg("%s", err.text);
    text = strdup(out.text);
    cs_strbuf_release(&out);
    return text;
}

#define CSV                                                                                        \
    (struct cs_export_options)                                                                     \
    {                                                                                              \
        .format = CS_EXPORT_CSV                                                                    \
    }

static int count_lines(const char *text)
{
    int lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void an_export_says_what_was_run_and_what_came_of_it(void **state)
{
    char *csv, *json,
        header[] = "way,policy,priority,jobs,replicate,seed,instance,ratio,"
                   "jobs_metric\n\"EASY, \"\"e\"\"\",easy,,2,0,";

    (void)state;
    make("all.db", sweep_text, 0, 0, -1, false);
    csv = table_of("all.db", CSV);
    assert_memory_equal(csv, header, strlen(header));
    assert_int_equal(count_lines(csv), 17);
    assert_non_null(strstr(csv, "\nshelf spt,shelf,spt,5,3,"));
    json = table_of("all.db",
                    (struct cs_export_options){.format = CS_EXPORT_JSON, .metrics = "waste"});
    assert_non_null(strstr(json,
                           "{\"way\": \"EASY, \\\"e\\\"\", \"policy\": \"easy\", "
                           "\"priority\": null, \"jobs\": 2, \"replicate\": 0, \"seed\": \""));
    assert_int_equal(count_lines(json), 18);
    free(csv);
    free(json);
    kit_remove("all.db");
}

static void refuses(const char *name, struct cs_export_options options, const char *why)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};

    assert_int_equal(export(name, options, &out, NULL, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    assert_string_equal(out.text, "");
    cs_strbuf_release(&out);
}

static void an_unfinished_campaign_is_exported_only_when_asked(void **state)
{
    struct cs_export_options options = CSV;
    struct cs_strbuf out = CS_STRBUF_INIT;
    int missing = 0;

    (void)state;
    make("some.db", sweep_text, 0, 0, 5, false);
    refuses("some.db", options,
            "some.db: 11 of 16 runs of sweep are missing; finish them first, or take what is "
            "there with --partial");
    options.partial = true;
    assert_int_equal(export("some.db", options, &out, &missing, NULL), 0);
    assert_int_equal(missing, 11);
    assert_int_equal(count_lines(out.text), 6);
    cs_strbuf_release(&out);
    options.metrics = "ratio,ration";
    refuses("some.db", options, "--metrics: 'ration' is not a metric; there are mean_wait, ");
    options.metrics = "ratio,waste,ratio";
    refuses("some.db", options, "--metrics: ratio is there twice");
    kit_remove("some.db");
}

static void keep_reported(void *who, const char *error_text)
{
    char *reported = who;

    snprintf(reported + strlen(reported), 1000 - strlen(reported), "%s\n", error_text);
}

static int merge(const char *const *name, int count, const char *target, bool partial,
                 char *reported, struct cs_merged *merged, struct cs_error *err)
{
    char paths[4][256], into[256];
    const char *path[4];
    const struct cs_merge_options options = {
        .partial = partial, .report = keep_reported, .who = reported};

    *reported = 0;
    for (int i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", at(name[i]));
        path[i] = paths[i];
    }
    snprintf(into, sizeof into, "%s", at(target));
    return cs_merge_stores(path, count, into, &options, merged, err);
}

static const char *const shards[] = {"s1.db", "s2.db", "s3.db"};

static void make_shards(void)
{
    for (int s = 0; s < 3; s++)
        make(shards[s], sweep_text, s + 1, 3, -1, false);
}

static void remove_all(void)
{
    static const char *const name[] = {"s1.db", "s2.db", "s3.db", "all.db", "merged.db", "x.db"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        kit_remove(name[i]);
}

static void shards_merged_in_any_order_export_what_one_run_does(void **state)
{
    static const int order[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    char reported[1000], *want, *got;
    struct cs_merged merged;

    (void)state;
    make("all.db", sweep_text, 0, 0, -1, false);
    want = table_of("all.db", CSV);
    make_shards();
    for (int o = 0; o < 6; o++) {
        const char *name[3];

        for (int i = 0; i < 3; i++)
            name[i] = shards[order[o][i]];
        assert_int_equal(merge(name, 3, "merged.db", false, reported, &merged, NULL), 0);
        assert_string_equal(reported, "");
        assert_int_equal(merged.cells, 16);
        assert_int_equal(merged.added, 16);
        got = table_of("merged.db", CSV);
        assert_string_equal(got, want);
        free(got);
        assert_int_equal(merge(name, 3, "merged.db", false, reported, &merged, NULL), 0);
        assert_int_equal(merged.added, 0);
        kit_remove("merged.db");
    }
    free(want);
    remove_all();
}

static void merging_twice_knows_each_run_once(void **state)
{
    char reported[1000];
    struct cs_merged merged;
    struct cs_store *store;
    struct cs_store_run *list;
    struct cs_arena *arena = cs_arena_create();
    int count;

    (void)state;
    make_shards();
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(merge(shards, 3, "merged.db", false, reported, &merged, NULL), 0);
    store = cs_store_open(at("merged.db"), CS_STORE_READ, NULL);
    assert_int_equal(cs_store_runs(store, arena, &list, &count, NULL), 0);
    assert_int_equal(count, 3);
    for (int r = 0; r < 3; r++)
        assert_int_equal(list[r].shard, r + 1);
    cs_store_close(store);
    cs_arena_destroy(arena);
    remove_all();
}

static void merge_refused(const char *const *name, int count, const char *why)
{
    char reported[1000];
    struct cs_merged merged;
    struct cs_error err = {0};

    assert_int_equal(merge(name, count, "merged.db", false, reported, &merged, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    assert_int_equal(access(at("merged.db"), F_OK), -1);
}

static void what_is_missing_is_reported(void **state)
{
    char reported[1000];
    struct cs_merged merged;

    (void)state;
    make_shards();
    merge_refused(shards, 2,
                  "4 of 16 runs of sweep are missing (of shards 3 of 3); finish them "
                  "first, or merge what is there with --partial");
    kit_remove("s3.db");
    merge_refused(shards, 3, "s3.db: there is no such store");
    assert_int_equal(merge(shards, 3, "merged.db", true, reported, &merged, NULL), 0);
    assert_int_equal(merged.cells, 12);
    assert_non_null(strstr(reported,
                           "s3.db: there is no such store\n4 of 16 runs of sweep are missing "
                           "(of shards 3 of 3)\n"));
    remove_all();
    assert_int_equal(merge(shards, 3, "merged.db", true, reported, &merged, NULL), -1);
    assert_int_equal(access(at("merged.db"), F_OK), -1);
}

/* While it is told what is missing nothing has the name of the merged store yet; what a merge that
 * was killed left behind is no hindrance. */
static void find_merged(void *who, const char *error_text)
{
    int *reported = who;

    (void)error_text;
    ++*reported;
    assert_int_equal(access(at("merged.db"), F_OK), -1);
    assert_int_equal(access(at("merged.db.new"), F_OK), 0);
}

static void a_merged_store_is_there_when_it_is_whole(void **state)
{
    int reported = 0;
    const struct cs_merge_options options = {
        .partial = true, .report = find_merged, .who = &reported};
    const char *path;
    struct cs_merged merged;

    (void)state;
    make("s1.db", sweep_text, 1, 3, -1, false);
    kit_write("merged.db.new", "what was left behind");
    path = at("s1.db");
    assert_int_equal(cs_merge_stores(&path, 1, at("merged.db"), &options, &merged, NULL), 0);
    assert_int_equal(reported, 1);
    assert_int_equal(access(at("merged.db"), F_OK), 0);
    assert_int_equal(access(at("merged.db.new"), F_OK), -1);
    remove_all();
}

static void a_foreign_campaign_is_added_only_when_asked(void **state)
{
    struct cs_merge_options options = {.foreign = false};
    const char *path;
    struct cs_merged merged;
    struct cs_error err = {0};

    (void)state;
    make("s1.db", sweep_text, 0, 0, -1, false);
    make("merged.db",
         "{'problem': 'rigid', 'set': {'scenarios': 2, 'jobs': 2}, 'vary': {'policy': ['easy']}}",
         0, 0, -1, false);
    path = at("s1.db");
    assert_int_equal(cs_merge_stores(&path, 1, at("merged.db"), &options, &merged, &err), -1);
    assert_non_null(strstr(err.text, "merged.db: holds another campaign (sweep sweep, "));
    options.foreign = true;
    assert_int_equal(cs_merge_stores(&path, 1, at("merged.db"), &options, &merged, NULL), 0);
    assert_int_equal(merged.added, 16);
    options.foreign = false;
    assert_int_equal(cs_merge_stores(&path, 1, at("merged.db"), &options, &merged, NULL), 0);
    remove_all();
}

/* The same cells again, the number of one metric of one of them changed. */
static void make_liar(const char *metric, bool instance)
{
    struct cs_experiment *sweep = read_sweep(sweep_text);
    struct cs_store *honest = cs_store_open(at("s1.db"), CS_STORE_READ, NULL);
    struct cs_store *liar = open_new("x.db", sweep, 0, 0);
    struct cs_record record;
    bool known;

    for (int c = 0; c < sweep->count; c++) {
        assert_int_equal(
            cs_store_get(honest, sweep->problem, &sweep->cell[c], &known, &record, NULL), 0);
        if (!known)
            continue;
        record.run = 0;
        if (metric)
            record.value[cs_cell_metric(sweep->problem, metric, NULL)] = 0.25;
        if (instance)
            record.instance[0] = record.instance[0] == '0' ? '1' : '0';
        assert_int_equal(cs_store_put(liar, sweep->problem, &sweep->cell[c], &record, NULL), 0);
    }
    cs_store_close(liar);
    cs_store_close(honest);
    cs_experiment_destroy(sweep);
}

static void contradictions_are_refused(void **state)
{
    static const char *const both[] = {"s1.db", "x.db"};
    char other[sizeof sweep_text];

    (void)state;
    make_shards();
    make_liar("waste", false);
    merge_refused(both, 2, "x.db: contradicts what was merged before: waste is 0.25 here and ");
    kit_remove("x.db");
    make_liar(NULL, true);
    merge_refused(both, 2, "x.db: contradicts what was merged before: the instance is ");
    kit_remove("x.db");
    strcpy(other, sweep_text);
    *strchr(other, '3') = '4';
    make("x.db", other, 0, 0, 1, false);
    merge_refused(both, 2, "x.db: is of sweep sweep (");
    merge_refused(both, 2, "s1.db does not have; only stores of the same campaign can be merged");
    remove_all();
}

static struct cs_status *status_of(const char *const *name, int count, double now)
{
    const char *path[4];
    char paths[4][256];
    struct cs_error err = {0};
    struct cs_status *status;

    for (int i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", at(name[i]));
        path[i] = paths[i];
    }
    status = cs_status_create(path, count, now, &err);
    if (!status)
        fail_msg("%s", err.text);
    return status;
}

static void is_row(const struct cs_status_row *row, int cells, int done, const char *state,
                   int runs, int killed)
{
    assert_int_equal(row->cells, cells);
    assert_int_equal(row->done, done);
    assert_string_equal(cs_status_word(row->state), state);
    assert_int_equal(row->runs, runs);
    assert_int_equal(row->killed, killed);
}

static void the_status_reports_how_a_run_ended(void **state)
{
    static const char *const name[] = {"x.db"};
    struct cs_status *status;

    (void)state;
    make("x.db", sweep_text, 0, 0, 0, false);
    status = status_of(name, 1, 0);
    assert_int_equal(status->count, 1);
    is_row(status->row, 16, 0, "stopped", 1, 0);
    cs_status_destroy(status);
    make("x.db", sweep_text, 0, 0, 6, true);
    status = status_of(name, 1, 0);
    is_row(status->row, 16, 6, "killed", 2, 1);
    assert_true(isnan(status->row->rate) && isnan(status->row->left));
    cs_status_destroy(status);
    make("x.db", sweep_text, 0, 0, -1, false);
    status = status_of(name, 1, 0);
    is_row(status->row, 16, 16, "done", 3, 1);
    cs_status_destroy(status);
    remove_all();
}

static void shards_have_a_row_each_and_one_together(void **state)
{
    static const char *const name[] = {"s1.db", "s2.db", "merged.db"};
    char reported[1000];
    struct cs_merged merged;
    struct cs_status *status;

    (void)state;
    make("s1.db", sweep_text, 1, 3, -1, false);
    make("s2.db", sweep_text, 2, 3, 2, true);
    status = status_of(name, 2, 0);
    assert_int_equal(status->count, 3);
    is_row(&status->row[0], 7, 7, "done", 1, 0);
    is_row(&status->row[1], 5, 2, "killed", 1, 1);
    is_row(&status->row[2], 16, 9, "killed", 2, 1);
    assert_null(status->row[2].store);
    assert_int_equal(status->row[1].shard, 2);
    assert_int_equal(status->row[1].shards, 3);
    cs_status_destroy(status);
    assert_int_equal(merge(name, 2, "merged.db", true, reported, &merged, NULL), 0);
    status = status_of(name, 3, 0);
    is_row(&status->row[2], 16, 9, "killed", 2, 1);
    is_row(&status->row[3], 16, 9, "killed", 4, 2);
    assert_int_equal(status->row[2].shards, 0);
    cs_status_destroy(status);
    remove_all();
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(kit_folder());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_export_says_what_was_run_and_what_came_of_it),
        cmocka_unit_test(an_unfinished_campaign_is_exported_only_when_asked),
        cmocka_unit_test(shards_merged_in_any_order_export_what_one_run_does),
        cmocka_unit_test(merging_twice_knows_each_run_once),
        cmocka_unit_test(what_is_missing_is_reported),
        cmocka_unit_test(a_merged_store_is_there_when_it_is_whole),
        cmocka_unit_test(a_foreign_campaign_is_added_only_when_asked),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(the_status_reports_how_a_run_ended),
        cmocka_unit_test(shards_have_a_row_each_and_one_together),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
