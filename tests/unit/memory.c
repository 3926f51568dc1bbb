/* memory: documents in memory are read like files, by their own paths, as long as they exist. */
#include "base/memory.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/source.h"
#include "unit/kit.h"

#include <cosched/case.h>
#include <cosched/memory.h>
#include <stdio.h>
#include <string.h>

static const char times[] = "app,procs,seconds\na,1,10\na,2,6\nb,1,4\n";

static struct cs_memory_file *document(const char *title, const char *text)
{
    struct cs_error err = {0};
    struct cs_memory_file *made =
        cs_memory_file_create("times.csv", title, text, strlen(text), &err);

    assert_string_equal(err.text, "");
    assert_non_null(made);
    return made;
}

static struct cs_case *opened(const struct cs_memory_file *file, struct cs_error *err)
{
    char options[200];

    snprintf(options, sizeof options, "{\"input\": \"%s\", \"procs\": 2, \"policy\": \"exact\"}",
             cs_memory_file_path(file));
    return cs_case_open("moldable", "plan", options, NULL, err);
}

static void a_case_reads_it(void **state)
{
    struct cs_memory_file *file = document(NULL, times);
    struct cs_error err = {0};
    struct cs_case *c = opened(file, &err);
    char *plan;

    (void)state;
    assert_string_equal(err.text, "");
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    plan = cs_case_schedule(c, 0, 0, NULL, NULL, &err);
    assert_non_null(strstr(plan, "/times.csv\""));
    assert_non_null(strstr(plan, "\"sha256\": \""));
    cs_free(plan);
    cs_case_close(c);
    cs_memory_file_destroy(file);
}

static void messages_have_its_title(void **state)
{
    struct cs_memory_file *file = document("the table", "app,procs,seconds\na,1,ten\n");
    struct cs_error err = {0};

    (void)state;
    assert_null(opened(file, &err));
    assert_int_equal(strncmp(err.text, "the table:2: ", 13), 0);
    assert_string_equal(err.where, "the table");
    assert_int_equal(err.line, 2);
    cs_memory_file_destroy(file);
}

static void each_has_a_path_of_its_own(void **state)
{
    struct cs_memory_file *first = document("one", "1"), *second = document("two", "22");
    char gone[100], digest[CS_DIGEST_TEXT];
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};

    (void)state;
    assert_string_not_equal(cs_memory_file_path(first), cs_memory_file_path(second));
    assert_int_equal(cs_file_read(cs_memory_file_path(first), 9, &text, &err), 0);
    assert_string_equal(text.text, "1");
    assert_string_equal(cs_source_name(cs_memory_file_path(second)), "two");
    assert_int_equal(cs_digest_file(cs_memory_file_path(second), digest, &err), 0);
    assert_int_equal(strncmp(digest, "785f3ec7eb32f30b", 16), 0);
    snprintf(gone, sizeof gone, "%s", cs_memory_file_path(first));
    cs_memory_file_destroy(first);
    assert_null(cs_memory_find(gone));
    assert_int_equal(cs_file_read(gone, 9, &text, &err), -1);
    assert_non_null(strstr(err.text, "cannot be opened"));
    assert_non_null(cs_memory_find(cs_memory_file_path(second)));
    cs_memory_file_destroy(second);
    cs_strbuf_release(&text);
}

static void what_makes_no_sense_is_refused(void **state)
{
    struct cs_error err[4] = {0};
    struct cs_memory_file *empty = document(NULL, "");

    (void)state;
    assert_null(cs_memory_file_create(NULL, NULL, "x", 1, &err[0]));
    assert_null(cs_memory_file_create("", NULL, "x", 1, &err[1]));
    assert_null(cs_memory_file_create("a/b", NULL, "x", 1, &err[2]));
    assert_null(cs_memory_file_create("a", NULL, NULL, 1, &err[3]));
    for (int i = 0; i < 4; i++)
        assert_int_equal(err[i].kind, CS_ERROR_USAGE);
    assert_null(cs_memory_file_path(NULL));
    cs_memory_file_destroy(NULL);
    cs_memory_file_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_reads_it),
        cmocka_unit_test(messages_have_its_title),
        cmocka_unit_test(each_has_a_path_of_its_own),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
