/* file: all or nothing, and nothing left behind. */
#include "base/file.h"
#include "unit/kit.h"
#include "unit/scratch.h"
#include "unit/squeeze.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

static char folder[512];

static int set_up(void **state)
{
    (void)state;
    return scratch_create(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static void expect_file(const char *path, const char *want)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};

    assert_int_equal(cs_file_read(path, 1000, &text, &err), 0);
    assert_string_equal(text.text, want);
    cs_strbuf_release(&text);
}

static void write_text(const char *path, const char *text)
{
    struct cs_error err = {0};

    assert_int_equal(cs_file_write(path, text, strlen(text), &err), 0);
    assert_string_equal(err.text, "");
}

static void a_file_holds_what_was_written_last(void **state)
{
    const char *path = scratch_path(folder, "a");

    (void)state;
    write_text(path, "first and long");
    expect_file(path, "first and long");
    write_text(path, "second");
    expect_file(path, "second");
    write_text(path, "");
    expect_file(path, "");
    assert_int_equal(scratch_count(folder), 1);
}

static void keeps_permissions_and_links(void **state)
{
    const char *path = scratch_path(folder, "a"), *link = scratch_path(folder, "link");
    struct stat what;

    (void)state;
    write_text(path, "x");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("a", link), 0);
    write_text(link, "through the link");
    expect_file(path, "through the link");
    assert_int_equal(stat(path, &what), 0);
    assert_int_equal(what.st_mode & 0777, 0640);
    assert_int_equal(lstat(link, &what), 0);
    assert_true(S_ISLNK(what.st_mode));
}

static void a_device_stays_a_device(void **state)
{
    struct stat what;

    (void)state;
    write_text("/dev/null", "nothing");
    assert_int_equal(lstat("/dev/null", &what), 0);
    assert_true(S_ISCHR(what.st_mode));
}

static void a_failure_names_file_and_reason(void **state)
{
    const char *path = scratch_path(folder, "none/a");
    char want[1200];
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_file_write(path, "x", 1, &err), -1);
    snprintf(want, sizeof want, "%s: cannot be written: No such file or directory", path);
    assert_string_equal(err.text, want);
    err.text[0] = '\0';
    assert_int_equal(cs_file_write(folder, "x", 1, &err), -1);
    snprintf(want, sizeof want, "%s: cannot be written: Is a directory", folder);
    assert_string_equal(err.text, want);
    err.text[0] = '\0';
    assert_int_equal(cs_file_write("/dev/full", "x", 1, &err), -1);
    assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(scratch_count(folder), 0);
}

static void a_dash_is_standard_output(void **state)
{
    const char *path = scratch_path(folder, "out");
    struct cs_error err = {0};
    const int before = dup(STDOUT_FILENO), fd = open(path, O_WRONLY | O_CREAT, 0600);
    int first, second;

    (void)state;
    fflush(stdout);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    fputs("before ", stdout);
    first = cs_file_write("-", "written", 7, &err);
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
    second = cs_file_write("-", "written", 7, &err);
    dup2(before, STDOUT_FILENO);
    close(before);
    assert_int_equal(first, 0);
    assert_int_equal(second, -1);
    assert_string_equal(err.text, "standard output: cannot be written: No space left on device");
    expect_file(path, "before written");
}

static void reads_at_most_its_limit(void **state)
{
    const char *path = scratch_path(folder, "big");
    const size_t size = (size_t)3 << 20;
    char *zeros = calloc(size, 1), want[1200];
    struct cs_strbuf text = CS_STRBUF_INIT, packed = CS_STRBUF_INIT;
    struct cs_error err = {0};

    (void)state;
    squeeze_gzip(&packed, zeros, size);
    scratch_write(path, packed.text, packed.length);
    cs_strbuf_puts(&text, "before");
    assert_int_equal(cs_file_read(path, (size_t)1 << 20, &text, &err), -1);
    snprintf(want, sizeof want, "%s: more than 1 MiB", path);
    assert_string_equal(err.text, want);
    assert_string_equal(text.text, "before");
    assert_int_equal(cs_file_read(path, size, &text, &err), 0);
    assert_int_equal(text.length, size + 6);
    cs_strbuf_release(&text);
    cs_strbuf_release(&packed);
    free(zeros);
}

static void makes_directories_that_are_missing(void **state)
{
    const char *deep = scratch_path(folder, "a/b//c/");
    char want[1200];
    struct cs_error err = {0};
    struct stat what;

    (void)state;
    assert_int_equal(cs_file_make_directories(deep, &err), 0);
    assert_int_equal(stat(deep, &what), 0);
    assert_true(S_ISDIR(what.st_mode));
    assert_int_equal(cs_file_make_directories(deep, &err), 0);
    assert_int_equal(cs_file_make_directories("/", &err), 0);
    assert_int_equal(cs_file_make_directories("", &err), 0);
    write_text(scratch_path(folder, "file"), "");
    assert_int_equal(cs_file_make_directories(scratch_path(folder, "file/x"), &err), -1);
    snprintf(want, sizeof want, "%s/file/x: the directory %s/file cannot be made: Not a directory",
             folder, folder);
    assert_string_equal(err.text, want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_holds_what_was_written_last, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_permissions_and_links, set_up, tear_down),
        cmocka_unit_test(a_device_stays_a_device),
        cmocka_unit_test_setup_teardown(a_failure_names_file_and_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_dash_is_standard_output, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_at_most_its_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(makes_directories_that_are_missing, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
