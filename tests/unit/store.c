/* Stores: what is put comes back, in this process and the next; what is no store is refused. */
#include "kit.h"

#include "base/build.h"
#include "campaign/store.h"
#include "campaign_kit.h"
#include "config.h"

#include <dirent.h>
#include <float.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *path_of(const char *name)
{
    static char path[4][128];
    static int next;
    char *out = path[next++ % 4];

    snprintf(out, sizeof path[0], "%s/%s", kit_folder(), name);
    return out;
}

static struct cs_store *must_open(const char *path, enum cs_store_mode mode)
{
    struct cs_error err = {0};
    struct cs_store *store = cs_store_open(path, mode, &err);

    assert_string_equal(err.text, "");
    assert_non_null(store);
    return store;
}

static struct cs_cell make_cell(const char *parameters, uint64_t seed)
{
    struct cs_cell cell = {.seed = seed, .parameters = json_loads(parameters, 0, NULL)};

    assert_non_null(cell.parameters);
    return cell;
}

static void put(struct cs_store *store, const char *parameters, uint64_t seed,
                struct cs_record record)
{
    struct cs_cell cell = make_cell(parameters, seed);
    struct cs_error err = {0};

    cs_store_put(store, &kit_problem, &cell, &record, &err);
    assert_string_equal(err.text, "");
    json_decref(cell.parameters);
}

static bool get(struct cs_store *store, const char *parameters, uint64_t seed,
                struct cs_record *record)
{
    struct cs_cell cell = make_cell(parameters, seed);
    bool known = false;

    assert_int_equal(cs_store_get(store, &kit_problem, &cell, &known, record, NULL), 0);
    json_decref(cell.parameters);
    return known;
}

static void refused(const char *path, enum cs_store_mode mode, const char *why)
{
    struct cs_error err = {0};
    char text[1024];

    assert_null(cs_store_open(path, mode, &err));
    snprintf(text, sizeof text, "%s: %s", path, why);
    assert_string_equal(err.text, text);
}

static void sql(const char *path, const char *statements)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void values_come_back_to_the_last_bit(void **state)
{
    const struct cs_record a = {.value = {0.1, INFINITY, NAN}, .seconds = 1.5, .run = 7};
    struct cs_record b = {
        .value = {-DBL_MIN / 4, -INFINITY, DBL_MAX}, .seconds = NAN, .finished = 7.5, .run = 8};
    const char *path = path_of("bits.db");
    struct cs_store *store = must_open(path, CS_STORE_WRITE);
    struct cs_record out;

    (void)state;
    memset(b.instance, 'a', CS_DIGEST_TEXT - 1);
    put(store, "{\"a\": 1}", 0, a);
    put(store, "{\"a\": 1}", UINT64_MAX, b);
    cs_store_close(store);
    store = must_open(path, CS_STORE_READ);
    assert_true(get(store, "{\"a\": 1}", 0, &out));
    assert_true(out.value[0] == 0.1 && out.value[1] == INFINITY && isnan(out.value[2]));
    assert_true(out.seconds == 1.5 && out.run == 7 && out.finished > 1.7e9);
    assert_string_equal(out.instance, "");
    assert_true(get(store, "{\"a\": 1}", UINT64_MAX, &out));
    assert_memory_equal(out.value, b.value, 3 * sizeof *b.value);
    assert_true(isnan(out.seconds) && out.finished == 7.5);
    assert_string_equal(out.instance, b.instance);
    assert_false(get(store, "{\"a\": 1}", (uint64_t)1 << 63, &out));
    assert_false(get(store, "{\"a\": 2}", 0, &out));
    cs_store_close(store);
}

static void a_cell_is_never_changed(void **state)
{
    struct cs_store *store = must_open(CS_STORE_MEMORY, CS_STORE_WRITE);
    struct cs_record out;

    (void)state;
    assert_false(get(store, "{}", 1, &out));
    put(store, "{}", 1, (struct cs_record){.value = {1, 2, 3}});
    put(store, "{}", 1, (struct cs_record){.value = {4, 5, 6}});
    assert_true(get(store, "{}", 1, &out));
    assert_true(out.value[0] == 1);
    cs_store_close(store);
}

/* 5, 5.0 and 5e0; the order of keys. */
static void the_same_parameters_are_one_key(void **state)
{
    struct cs_store *store = must_open(CS_STORE_MEMORY, CS_STORE_WRITE);
    struct cs_record out;

    (void)state;
    put(store, "{\"a\": 5, \"b\": 0.5, \"word\": \"x\"}", 1, (struct cs_record){.value = {1}});
    assert_true(get(store, "{\"word\": \"x\", \"b\": 5e-1, \"a\": 5.0}", 1, &out));
    assert_false(get(store, "{\"word\": \"x\", \"b\": 0.5000000000000001, \"a\": 5}", 1, &out));
    assert_false(get(store, "{\"word\": \"X\", \"b\": 0.5, \"a\": 5}", 1, &out));
    assert_false(get(store, "{\"b\": 0.5, \"a\": 5}", 1, &out));
    cs_store_close(store);
}

static int note(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    char *text = who;

    (void)err;
    sprintf(text + strlen(text), "%s %llu %g; ", row->parameters, (unsigned long long)row->seed,
            row->record.value[0]);
    return 0;
}

static int stop(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    (void)who;
    return cs_error_set(err, "stopped at %s", row->parameters);
}

static void cells_are_walked_in_order(void **state)
{
    struct cs_store *store = must_open(CS_STORE_MEMORY, CS_STORE_WRITE);
    struct cs_error err = {0};
    char text[256] = "";

    (void)state;
    assert_int_equal(cs_store_each(store, &kit_problem, true, note, text, NULL), 0);
    assert_string_equal(text, "");
    put(store, "{\"b\":1,\"a\":2}", 3, (struct cs_record){.value = {30}});
    put(store, "{\"a\":1}", 1, (struct cs_record){.value = {10}});
    put(store, "{\"a\":2,\"b\":1}", UINT64_MAX, (struct cs_record){.value = {20}});
    assert_int_equal(cs_store_each(store, &kit_problem, true, note, text, NULL), 0);
    assert_string_equal(text, "{\"a\":1} 1 10; {\"a\":2,\"b\":1} 18446744073709551615 20; "
                              "{\"a\":2,\"b\":1} 3 30; ");
    assert_int_equal(cs_store_each(store, &kit_problem, true, stop, NULL, &err), -1);
    assert_string_equal(err.text, "stopped at {\"a\":1}");
    cs_store_close(store);
}

static int64_t add(struct cs_store *store, const char *kind, const char *name, const char *text,
                   uint64_t seed)
{
    struct cs_document document = {.kind = kind,
                                   .name = name,
                                   .file = "f.json",
                                   .text = text,
                                   .supplied = "{}",
                                   .quick = true,
                                   .seed = seed};
    int64_t id = -1;

    assert_int_equal(cs_store_add_document(store, &document, &id, NULL), 0);
    return id;
}

static void a_document_is_kept_once(void **state)
{
    const char *path = path_of("documents.db");
    struct cs_store *store = must_open(path, CS_STORE_WRITE);
    struct cs_arena *arena = cs_arena_create();
    struct cs_document *list;
    int count;

    (void)state;
    assert_int_equal(add(store, "sweep", "one", "{}", 1), 1);
    assert_int_equal(add(store, "sweep", "two", "{}", UINT64_MAX), 2);
    assert_int_equal(add(store, "sweep", "renamed", "{}", 1), 1);
    assert_int_equal(add(store, "paper", "one", "{}", 1), 3);
    assert_int_equal(add(store, "sweep", "one", "{ }", 1), 4);
    cs_store_close(store);
    store = must_open(path, CS_STORE_READ);
    assert_int_equal(cs_store_documents(store, arena, &list, &count, NULL), 0);
    assert_int_equal(count, 4);
    assert_string_equal(list[0].name, "one");
    assert_string_equal(list[1].name, "two");
    assert_true(list[1].seed == UINT64_MAX && list[1].quick && list[1].id == 2);
    assert_string_equal(list[2].kind, "paper");
    assert_string_equal(list[3].text, "{ }");
    assert_int_equal(strlen(list[0].sha256), CS_DIGEST_TEXT - 1);
    assert_string_not_equal(list[0].sha256, list[3].sha256);
    cs_store_close(store);
    cs_arena_destroy(arena);
}

static void cells_belong_to_the_run_that_was_begun(void **state)
{
    struct cs_store *store = must_open(CS_STORE_MEMORY, CS_STORE_WRITE);
    struct cs_arena *arena = cs_arena_create();
    struct cs_store_run *list;
    struct cs_record out;
    int count;

    (void)state;
    assert_int_equal(cs_store_begin_run(store, "cosched first", 2, NULL), 0);
    assert_int_equal(cs_store_end_run(store, NULL), 0);
    assert_int_equal(cs_store_begin_shard(store, "cosched second", 3, 2, 8, NULL), 0);
    put(store, "{}", 1, (struct cs_record){.value = {1}});
    put(store, "{}", 2, (struct cs_record){.value = {1}, .run = 1});
    assert_true(get(store, "{}", 1, &out) && out.run == 2);
    assert_true(get(store, "{}", 2, &out) && out.run == 1);
    assert_int_equal(cs_store_runs(store, arena, &list, &count, NULL), 0);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].command, "cosched first");
    assert_true(list[0].ended >= list[0].started && list[0].started > 1.7e9);
    assert_true(isnan(list[1].ended) && list[1].threads == 3);
    assert_true(list[1].shard == 2 && list[1].shards == 8 && list[0].shards == 0);
    cs_store_close(store);
    cs_arena_destroy(arena);
}

static void a_file_that_has_changed_is_noticed(void **state)
{
    struct cs_store *store = must_open(CS_STORE_MEMORY, CS_STORE_WRITE);
    struct cs_arena *arena = cs_arena_create();
    struct cs_store_input *list;
    struct cs_error err = {0};
    int count;

    (void)state;
    assert_int_equal(cs_store_add_input(store, "b.swf", "0123456789abcdef", NULL), 0);
    assert_int_equal(cs_store_add_input(store, "a.swf", "1123456789abcdef", NULL), 0);
    assert_int_equal(cs_store_add_input(store, "b.swf", "0123456789abcdef", NULL), 0);
    assert_int_equal(cs_store_add_input(store, "b.swf", "2123456789abcdef", &err), -1);
    assert_string_equal(err.text, ":memory:: has results from another b.swf (SHA-256 "
                                  "0123456789ab.., now 2123456789ab..); put the old one back, or "
                                  "take another store");
    assert_int_equal(cs_store_inputs(store, arena, &list, &count, NULL), 0);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].path, "a.swf");
    assert_string_equal(list[1].sha256, "0123456789abcdef");
    cs_store_close(store);
    cs_arena_destroy(arena);
}

static void what_is_no_store_is_refused(void **state)
{
    const char *text = path_of("text.db"), *other = path_of("other.db");

    (void)state;
    kit_write("text.db", "{\"title\": \"no store\"}");
    sql(other, "CREATE TABLE t(a); INSERT INTO t VALUES(1)");
    for (int mode = CS_STORE_READ; mode <= CS_STORE_WRITE; mode++) {
        refused(text, (enum cs_store_mode)mode, "not a store of cosched");
        refused(other, (enum cs_store_mode)mode,
                "a database of something else, not a store of cosched");
        refused(kit_folder(), (enum cs_store_mode)mode, "a folder, not a store");
        refused("/dev/null", (enum cs_store_mode)mode, "not a regular file, a store has to be one");
    }
    refused(path_of("missing.db"), CS_STORE_READ, "there is no such store");
    assert_null(cs_store_open("", CS_STORE_WRITE, NULL));
    assert_int_equal(access(path_of("missing.db"), F_OK), -1);
    assert_int_equal(access(path_of("text.db-lock"), F_OK), -1);
}

static void other_formats_and_builds_are_refused(void **state)
{
    const char *path = path_of("old.db");
    const struct cs_store_run run = {.version = "0.0.7",
                                     .build = "0.0.7 (x)",
                                     .command = "cosched x",
                                     .documents = "",
                                     .host = "h",
                                     .threads = 1,
                                     .ended = 1};
    struct cs_store *store = must_open(path, CS_STORE_WRITE);
    char why[512];
    int64_t id;

    (void)state;
    assert_int_equal(cs_store_add_run(store, &run, &id, NULL), 0);
    cs_store_close(store);
    cs_store_close(must_open(path, CS_STORE_READ));
    snprintf(
        why, sizeof why,
        "has runs of cosched 0.0.7 (x), and this is %s, whose results may differ; take another "
        "file, or continue with --allow-other-build",
        cs_build());
    refused(path, CS_STORE_WRITE, why);
    cs_store_close(must_open(path, CS_STORE_WRITE | CS_STORE_OTHER_BUILD));
    sql(path, "PRAGMA user_version = 99");
    refused(path, CS_STORE_READ,
            "a store of format 99; this is cosched " CS_VERSION ", which knows format 2");
    refused(path, CS_STORE_WRITE,
            "a store of format 99; this is cosched " CS_VERSION ", which knows format 2");
}

/* As 0.1 made them. */
static void stores_without_digests_are_read(void **state)
{
    const char *path = path_of("first.db");
    struct cs_arena *arena = cs_arena_create();
    struct cs_store_run *run;
    struct cs_store *store;
    int count;

    (void)state;
    kit_write("first.db", "");
    sql(path, "CREATE TABLE document(id INTEGER PRIMARY KEY, kind, name, file, text, given, quick, "
              "seed, sha256)");
    sql(path, "CREATE TABLE run(id INTEGER PRIMARY KEY, version, command, host, threads, started, "
              "ended, shard, shards)");
    sql(path, "CREATE TABLE input(path TEXT PRIMARY KEY, sha256)");
    sql(path, "INSERT INTO run VALUES(1, '0.1.0', 'cosched x', 'h', 1, 0, 1, 0, 0)");
    sql(path, "PRAGMA application_id = 0x43534348");
    sql(path, "PRAGMA user_version = 1");
    store = must_open(path, CS_STORE_READ);
    assert_int_equal(cs_store_runs(store, arena, &run, &count, NULL), 0);
    assert_int_equal(count, 1);
    assert_string_equal(run->command, "cosched x");
    assert_string_equal(run->build, "");
    cs_store_close(store);
    cs_arena_destroy(arena);
    refused(path, CS_STORE_WRITE,
            "a store of format 1, which cosched 0.1 wrote: it can be read, but not added to; take "
            "another file");
}

/* Each statement changes or removes something behind the store's back. */
static void what_was_damaged_is_reported(void **state)
{
    static const char *const damage[] = {
        "UPDATE kit SET number = 3",
        "UPDATE kit SET seed = '9'",
        "DELETE FROM kit",
        "DROP TABLE kit",
        "UPDATE tally SET digest = digest + 1",
    };
    const char *path = path_of("damaged.db");

    (void)state;
    for (size_t d = 0; d < sizeof damage / sizeof *damage; d++) {
        struct cs_error err = {0};
        struct cs_store *store;
        char text[256] = "";

        remove(path);
        store = must_open(path, CS_STORE_WRITE);
        put(store, "{}", 1, (struct cs_record){.value = {1}});
        cs_store_close(store);
        if (d == 2)
            sql(path, "DROP TRIGGER kit_DELETE");
        sql(path, damage[d]);
        store = must_open(path, CS_STORE_READ);
        assert_int_equal(cs_store_each(store, &kit_problem, true, note, text, &err), -1);
        assert_non_null(strstr(err.text, "the store is damaged ("));
        cs_store_close(store);
    }
}

static void an_empty_file_becomes_a_store(void **state)
{
    const char *path = path_of("empty.db");

    (void)state;
    kit_write("empty.db", "");
    refused(path, CS_STORE_READ, "an empty store without runs");
    cs_store_close(must_open(path, CS_STORE_WRITE));
    cs_store_close(must_open(path, CS_STORE_READ));
}

static void a_closed_store_is_one_file(void **state)
{
    const char *path = path_of("one.db");
    struct cs_store *store = must_open(path, CS_STORE_WRITE);

    (void)state;
    put(store, "{}", 1, (struct cs_record){.value = {1}});
    assert_int_equal(access(path_of("one.db-wal"), F_OK), 0);
    cs_store_close(store);
    assert_int_equal(access(path_of("one.db-wal"), F_OK), -1);
    assert_int_equal(access(path_of("one.db-shm"), F_OK), -1);
    assert_int_equal(access(path_of("one.db-lock"), F_OK), -1);
}

static void what_is_not_committed_is_not_there(void **state)
{
    const char *path = path_of("bulk.db");
    struct cs_store *store = must_open(path, CS_STORE_WRITE);
    struct cs_record out;

    (void)state;
    assert_int_equal(cs_store_begin(store, NULL), 0);
    put(store, "{}", 1, (struct cs_record){.value = {1}});
    cs_store_rollback(store);
    assert_false(get(store, "{}", 1, &out));
    assert_int_equal(cs_store_begin(store, NULL), 0);
    put(store, "{}", 2, (struct cs_record){.value = {2}});
    assert_int_equal(cs_store_commit(store, NULL), 0);
    assert_true(get(store, "{}", 2, &out));
    cs_store_close(store);
}

/* As on a file system of a network. */
static void a_journal_does_as_well(void **state)
{
    const char *path = path_of("journal.db");
    struct cs_store *store;
    struct cs_record out;

    (void)state;
    setenv("COSCHED_STORE_JOURNAL", "delete", 1);
    store = must_open(path, CS_STORE_WRITE);
    put(store, "{}", 1, (struct cs_record){.value = {1}});
    assert_int_equal(access(path_of("journal.db-wal"), F_OK), -1);
    assert_true(get(store, "{}", 1, &out));
    cs_store_close(store);
    unsetenv("COSCHED_STORE_JOURNAL");
}

/* In another process: locks are those of processes. */
static void in_child(const char *path, int (*check)(const char *path))
{
    pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (!child)
        _exit(check(path));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int is_refused(const char *path)
{
    struct cs_error err = {0};
    char why[256];

    snprintf(why, sizeof why, "%s: process %ld is writing it; one at a time can", path,
             (long)getppid());
    if (cs_store_open(path, CS_STORE_WRITE, &err))
        return 1;
    if (strcmp(err.text, why))
        return 2;
    return cs_store_is_busy(path) ? 0 : 3;
}

static int sees_the_cell(const char *path)
{
    struct cs_store *store = cs_store_open(path, CS_STORE_READ, NULL);
    struct cs_cell cell = {.seed = 1, .parameters = json_object()};
    struct cs_record out;
    bool known = false;

    if (!store || cs_store_get(store, &kit_problem, &cell, &known, &out, NULL))
        return 1;
    cs_store_close(store);
    return known && out.value[0] == 1.25 ? 0 : 2;
}

static int is_free(const char *path)
{
    return cs_store_is_busy(path);
}

static int writes_and_dies(const char *path)
{
    struct cs_store *store = must_open(path, CS_STORE_WRITE);

    put(store, "{}", 2, (struct cs_record){.value = {2.5}});
    _exit(0);
}

static void one_process_writes_and_others_read(void **state)
{
    const char *path = path_of("busy.db");
    struct cs_store *store = must_open(path, CS_STORE_WRITE);
    struct cs_record out;
    char link_path[128];

    (void)state;
    put(store, "{}", 1, (struct cs_record){.value = {1.25}});
    snprintf(link_path, sizeof link_path, "%s/link.db", kit_folder());
    assert_int_equal(symlink(path, link_path), 0);
    in_child(path, is_refused);
    in_child(link_path, is_refused);
    in_child(path, sees_the_cell);
    in_child(path, is_refused);
    cs_store_close(store);
    in_child(path, is_free);
    in_child(path, writes_and_dies);
    in_child(path, is_free);
    store = must_open(path, CS_STORE_WRITE);
    assert_true(get(store, "{}", 2, &out) && out.value[0] == 2.5);
    cs_store_close(store);
}

static int remove_folder(void **state)
{
    DIR *folder = opendir(kit_folder());
    struct dirent *entry;

    (void)state;
    while ((entry = readdir(folder)))
        if (*entry->d_name != '.')
            kit_remove(entry->d_name);
    closedir(folder);
    return rmdir(kit_folder());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back_to_the_last_bit),
        cmocka_unit_test(a_cell_is_never_changed),
        cmocka_unit_test(the_same_parameters_are_one_key),
        cmocka_unit_test(cells_are_walked_in_order),
        cmocka_unit_test(a_document_is_kept_once),
        cmocka_unit_test(cells_belong_to_the_run_that_was_begun),
        cmocka_unit_test(a_file_that_has_changed_is_noticed),
        cmocka_unit_test(what_is_no_store_is_refused),
        cmocka_unit_test(other_formats_and_builds_are_refused),
        cmocka_unit_test(stores_without_digests_are_read),
        cmocka_unit_test(what_was_damaged_is_reported),
        cmocka_unit_test(an_empty_file_becomes_a_store),
        cmocka_unit_test(a_closed_store_is_one_file),
        cmocka_unit_test(what_is_not_committed_is_not_there),
        cmocka_unit_test(a_journal_does_as_well),
        cmocka_unit_test(one_process_writes_and_others_read),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, remove_folder);
}
