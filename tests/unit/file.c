/* file: all or nothing, and nothing left behind. */
#include "base/file.h"
#include "unit/kit.h"
#include "unit/scratch.h"
#include "unit/squeeze.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

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

static void the_longest_name_will_do(void **state)
{
    char name[256] = {0};

    (void)state;
    memset(name, 'n', 255);
    write_text(scratch_path(folder, name), "x");
    expect_file(scratch_path(folder, name), "x");
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

/* A pipe stands for all that is not a regular file: no test touches a device. */
static void what_is_not_a_regular_file_is_written_to(void **state)
{
    const char *path = scratch_path(folder, "pipe");
    struct stat what;
    char text[20] = {0};
    int reader;

    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    write_text(path, "through");
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(reader);
    assert_int_equal(lstat(path, &what), 0);
    assert_true(S_ISFIFO(what.st_mode));
}

/* A limit on the size of files stands for a full disk. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    const char *path = scratch_path(folder, "a");
    struct rlimit before, small;
    char want[1200], large[5000] = {0};
    struct cs_error err = {0};
    int status;

    (void)state;
    write_text(path, "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 1000, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    status = cs_file_write(path, large, sizeof large, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, -1);
    snprintf(want, sizeof want, "%s: cannot be written: File too large", path);
    assert_string_equal(err.text, want);
    expect_file(path, "old");
    assert_int_equal(scratch_count(folder), 1);
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
    assert_int_equal(scratch_count(folder), 0);
}

static void a_dash_is_standard_output(void **state)
{
    const char *path = scratch_path(folder, "out");
    struct cs_error err = {0};
    const int before = dup(STDOUT_FILENO);
    int fd = open(path, O_WRONLY | O_CREAT, 0600), first, second;

    (void)state;
    fflush(stdout);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    fputs("before ", stdout);
    first = cs_file_write("-", "written", 7, &err);
    fd = open(path, O_RDONLY);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    second = cs_file_write("-", "written", 7, &err);
    dup2(before, STDOUT_FILENO);
    close(before);
    assert_int_equal(first, 0);
    assert_int_equal(second, -1);
    assert_string_equal(err.text, "standard output: cannot be written: Bad file descriptor");
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
        cmocka_unit_test_setup_teardown(the_longest_name_will_do, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_permissions_and_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_a_regular_file_is_written_to, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_the_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failure_names_file_and_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_dash_is_standard_output, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_at_most_its_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(makes_directories_that_are_missing, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
