/* lines: the same lines from plain, gzip and xz, and a sentence for whatever is wrong. */
#include "base/lines.h"
#include "base/source.h"
#include "unit/kit.h"
#include "unit/scratch.h"
#include "unit/squeeze.h"

#include <stdbool.h>
#include <string.h>

static struct cs_lines *open_text(const char *text)
{
    return cs_lines_open_memory("f", text, strlen(text));
}

static void expect(struct cs_lines *lines, long number, const char *want)
{
    struct cs_error err = {0};
    size_t length;
    char *line;

    assert_int_equal(cs_lines_next(lines, &line, &length, &err), 1);
    assert_string_equal(line, want);
    assert_int_equal(length, strlen(want));
    assert_int_equal(cs_lines_number(lines), number);
}

static void expect_end(struct cs_lines *lines)
{
    struct cs_error err = {0};
    size_t length;
    char *line;

    assert_int_equal(cs_lines_next(lines, &line, &length, &err), 0);
    assert_int_equal(cs_lines_next(lines, &line, &length, &err), 0);
    assert_string_equal(err.text, "");
    cs_lines_close(lines);
}

static void expect_error(struct cs_lines *lines, const char *want)
{
    struct cs_error err = {0};
    size_t length;
    char *line;
    int more;

    while ((more = cs_lines_next(lines, &line, &length, &err)) == 1)
        continue;
    assert_int_equal(more, -1);
    assert_string_equal(err.text, want);
    assert_int_equal(cs_lines_next(lines, &line, &length, &err), -1);
    cs_lines_close(lines);
}

static void takes_off_the_ends_of_lines(void **state)
{
    struct cs_lines *lines = open_text("\xef\xbb\xbf"
                                       "a\r\n\r\n\nb c\rd\n\xef\xbb\xbf"
                                       "e\r\r\nlast\r");

    (void)state;
    assert_int_equal(cs_lines_number(lines), 0);
    expect(lines, 1, "a");
    expect(lines, 2, "");
    expect(lines, 3, "");
    expect(lines, 4, "b c\rd");
    expect(lines, 5,
           "\xef\xbb\xbf"
           "e");
    expect(lines, 6, "last");
    expect_end(lines);
}

static void only_the_file_begins_with_a_byte_order_mark(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_lines *lines;

    (void)state;
    for (int i = 0; i < 50000; i++)
        cs_strbuf_puts(&text, "\xef\xbb\xbf"
                              "some text\n");
    lines = cs_lines_open_memory("f", text.text, text.length);
    expect(lines, 1, "some text");
    for (int i = 1; i < 50000; i++)
        expect(lines, i + 1,
               "\xef\xbb\xbf"
               "some text");
    expect_end(lines);
    cs_strbuf_release(&text);
}

static void an_empty_file_has_no_lines(void **state)
{
    struct cs_lines *lines = open_text("\n");

    (void)state;
    expect_end(open_text(""));
    expect_end(open_text("\xef\xbb\xbf"));
    expect_end(cs_lines_open_memory("f", NULL, 0));
    expect(lines, 1, "");
    expect_end(lines);
}

/* Lines of every length up to past the window. */
static void put_many_lines(struct cs_strbuf *out, int count)
{
    for (int i = 0; i < count; i++) {
        cs_strbuf_printf(out, "%d:", i);
        for (int k = 0; k < i % 1000; k++)
            cs_strbuf_putc(out, (char)('a' + (i + k) % 26));
        cs_strbuf_puts(out, i % 2 ? "\r\n" : "\n");
    }
}

static void check_many_lines(struct cs_lines *lines, int count)
{
    struct cs_error err = {0};
    size_t length;
    char *line;

    for (int i = 0; i < count; i++) {
        char number[20];
        const int digits = snprintf(number, sizeof number, "%d:", i);

        assert_int_equal(cs_lines_next(lines, &line, &length, &err), 1);
        assert_int_equal(length, digits + i % 1000);
        assert_memory_equal(line, number, (size_t)digits);
        if (i % 1000)
            assert_int_equal(line[length - 1], 'a' + (i + i % 1000 - 1) % 26);
    }
    expect_end(lines);
}

static void gives_the_same_lines_however_they_are_packed(void **state)
{
    struct cs_strbuf plain = CS_STRBUF_INIT, gzip = CS_STRBUF_INIT, xz = CS_STRBUF_INIT;
    struct cs_error err = {0};
    char folder[512];

    (void)state;
    put_many_lines(&plain, 5000);
    squeeze_gzip(&gzip, plain.text, plain.length);
    squeeze_xz(&xz, plain.text, plain.length);
    check_many_lines(cs_lines_open_memory("f", plain.text, plain.length), 5000);
    check_many_lines(cs_lines_open_memory("f", gzip.text, gzip.length), 5000);
    check_many_lines(cs_lines_open_memory("f", xz.text, xz.length), 5000);
    assert_non_null(scratch_create(folder));
    scratch_write(scratch_path(folder, "plain"), plain.text, plain.length);
    scratch_write(scratch_path(folder, "gzip"), gzip.text, gzip.length);
    scratch_write(scratch_path(folder, "xz"), xz.text, xz.length);
    check_many_lines(cs_lines_open(scratch_path(folder, "plain"), &err), 5000);
    check_many_lines(cs_lines_open(scratch_path(folder, "gzip"), &err), 5000);
    check_many_lines(cs_lines_open(scratch_path(folder, "xz"), &err), 5000);
    scratch_remove(folder);
    cs_strbuf_release(&plain);
    cs_strbuf_release(&gzip);
    cs_strbuf_release(&xz);
}

static void packed_files_may_be_joined(void **state)
{
    struct cs_strbuf gzip = CS_STRBUF_INIT, xz = CS_STRBUF_INIT;
    struct cs_lines *lines;

    (void)state;
    for (int i = 0; i < 2; i++) {
        squeeze_gzip(&gzip, i ? "c\nd" : "a\nb", 3);
        squeeze_xz(&xz, i ? "c\nd" : "a\nb", 3);
    }
    for (int i = 0; i < 2; i++) {
        lines = i ? cs_lines_open_memory("f", gzip.text, gzip.length)
                  : cs_lines_open_memory("f", xz.text, xz.length);
        expect(lines, 1, "a");
        expect(lines, 2, "bc");
        expect(lines, 3, "d");
        expect_end(lines);
    }
    cs_strbuf_release(&gzip);
    cs_strbuf_release(&xz);
}

static void reads_a_pipe(void **state)
{
    struct cs_error err = {0};
    struct cs_lines *lines;
    int ends[2], before = dup(STDIN_FILENO);

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "one\ntwo", 7), 7);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    lines = cs_lines_open("-", &err);
    assert_string_equal(cs_lines_name(lines), "standard input");
    expect(lines, 1, "one");
    expect(lines, 2, "two");
    expect_end(lines);
    dup2(before, STDIN_FILENO);
    close(before);
}

static void refuses_a_nul_byte(void **state)
{
    (void)state;
    expect_error(cs_lines_open_memory("f", "a\nb\0c\n", 6), "f:2: found a NUL byte, expected text");
    expect_error(cs_lines_open_memory("f", "\0", 1), "f:1: found a NUL byte, expected text");
}

static void refuses_utf_16(void **state)
{
    (void)state;
    expect_error(cs_lines_open_memory("f",
                                      "\xff\xfe"
                                      "a\0\n\0",
                                      6),
                 "f:1: the file is UTF-16, expected UTF-8");
    expect_error(cs_lines_open_memory("f", "\xfe\xff\0a", 4),
                 "f:1: the file is UTF-16, expected UTF-8");
}

/* One line of this many bytes with this end, between two short ones. */
static struct cs_lines *open_long(struct cs_strbuf *text, size_t size, const char *end)
{
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, "first\n");
    for (size_t i = 0; i < size; i++)
        cs_strbuf_putc(text, 'x');
    cs_strbuf_printf(text, "%slast", end);
    return cs_lines_open_memory("f", text->text, text->length);
}

static void the_longest_line_has_a_mebibyte(void **state)
{
    static const char *const end[] = {"\n", "\r\n"};
    static const char too_long[] = "f:2: the line is longer than 1048576 bytes";
    struct cs_strbuf text = CS_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct cs_lines *lines = open_long(&text, CS_LINES_LONGEST, end[i]);
        struct cs_error err = {0};
        size_t length;
        char *line;

        expect(lines, 1, "first");
        assert_int_equal(cs_lines_next(lines, &line, &length, &err), 1);
        assert_int_equal(length, CS_LINES_LONGEST);
        expect(lines, 3, "last");
        expect_end(lines);
        expect_error(open_long(&text, CS_LINES_LONGEST + 1, end[i]), too_long);
        expect_error(open_long(&text, 3 * CS_LINES_LONGEST, end[i]), too_long);
    }
    expect_error(open_long(&text, CS_LINES_LONGEST, ""), too_long);
    cs_strbuf_release(&text);
}

static void says_which_file_cannot_be_opened(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_lines_open("/no/such/file", &err));
    assert_string_equal(err.text, "/no/such/file: cannot be opened: No such file or directory");
    err.text[0] = '\0';
    assert_null(cs_lines_open("/", &err));
    assert_string_equal(err.text, "/: is a directory, expected a file");
}

static void says_where_packed_files_are_damaged(void **state)
{
    static const char text[] = "one\ntwo\nthree\n";
    struct cs_strbuf gzip = CS_STRBUF_INIT, xz = CS_STRBUF_INIT;

    (void)state;
    squeeze_gzip(&gzip, text, strlen(text));
    squeeze_xz(&xz, text, strlen(text));
    expect_error(cs_lines_open_memory("f", gzip.text, gzip.length - 4),
                 "f:4: the gzip data end too early: the file is cut off");
    expect_error(cs_lines_open_memory("f", gzip.text, 3),
                 "f:1: the gzip data end too early: the file is cut off");
    expect_error(cs_lines_open_memory("f", xz.text, xz.length - 4),
                 "f:4: the xz data end too early: the file is cut off");
    gzip.text[gzip.length - 6] ^= 1;
    expect_error(cs_lines_open_memory("f", gzip.text, gzip.length),
                 "f:4: the gzip data are damaged: incorrect data check");
    gzip.text[gzip.length - 6] ^= 1;
    cs_strbuf_puts(&gzip, "more");
    expect_error(cs_lines_open_memory("f", gzip.text, gzip.length),
                 "f:4: other bytes follow the end of the gzip data");
    xz.text[xz.length / 2] ^= 1;
    expect_error(cs_lines_open_memory("f", xz.text, xz.length), "f:4: the xz data are damaged");
    cs_strbuf_release(&gzip);
    cs_strbuf_release(&xz);
}

#if CS_HAVE_ZSTD
static void reads_zstd(void **state)
{
    struct cs_strbuf plain = CS_STRBUF_INIT, zstd = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    struct cs_lines *lines;

    (void)state;
    put_many_lines(&plain, 5000);
    squeeze_zstd(&zstd, plain.text, plain.length);
    check_many_lines(cs_lines_open_memory("f", zstd.text, zstd.length), 5000);
    squeeze_zstd(&two, "a\nb", 3);
    expect_error(cs_lines_open_memory("f", two.text, two.length - 2),
                 "f:2: the zstd data end too early: the file is cut off");
    squeeze_zstd(&two, "c\nd", 3);
    lines = cs_lines_open_memory("f", two.text, two.length);
    expect(lines, 1, "a");
    expect(lines, 2, "bc");
    expect(lines, 3, "d");
    expect_end(lines);
    cs_strbuf_release(&plain);
    cs_strbuf_release(&zstd);
    cs_strbuf_release(&two);
}
#endif

static void names_what_it_cannot_unpack(void **state)
{
    (void)state;
    expect_error(cs_lines_open_memory("f", "BZh91AY&SY", 10),
                 "f:1: is packed with bzip2, which this build does not read: unpack it");
    expect_error(cs_lines_open_memory("f", "\x04\x22\x4d\x18-----", 9),
                 "f:1: is packed with lz4, which this build does not read: unpack it");
}

/* Whatever byte of a packed file changes, an error comes and no wrong line before the last. */
static void no_changed_byte_goes_unnoticed(void **state)
{
    static const char text[] = "one\ntwo\nthree\nfour\nfive\nsix\n";
    struct cs_strbuf xz = CS_STRBUF_INIT;

    (void)state;
    squeeze_xz(&xz, text, strlen(text));
    for (size_t i = 6; i < xz.length; i++) {
        struct cs_lines *lines;
        struct cs_error err = {0};
        size_t length;
        char *line;
        int more;

        xz.text[i] ^= 0x10;
        lines = cs_lines_open_memory("f", xz.text, xz.length);
        while ((more = cs_lines_next(lines, &line, &length, &err)) == 1)
            continue;
        assert_int_equal(more, -1);
        assert_int_equal(strncmp(err.text, "f:", 2), 0);
        cs_lines_close(lines);
        xz.text[i] ^= 0x10;
    }
    cs_strbuf_release(&xz);
}

static void a_message_before_the_first_line_has_no_line(void **state)
{
    struct cs_lines *lines = open_text("a");
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_lines_error(lines, &err, "no %s", "good"), -1);
    assert_string_equal(err.text, "f: no good");
    cs_lines_close(lines);
    cs_lines_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_off_the_ends_of_lines),
        cmocka_unit_test(only_the_file_begins_with_a_byte_order_mark),
        cmocka_unit_test(an_empty_file_has_no_lines),
        cmocka_unit_test(gives_the_same_lines_however_they_are_packed),
        cmocka_unit_test(packed_files_may_be_joined),
        cmocka_unit_test(reads_a_pipe),
        cmocka_unit_test(refuses_a_nul_byte),
        cmocka_unit_test(refuses_utf_16),
        cmocka_unit_test(the_longest_line_has_a_mebibyte),
        cmocka_unit_test(says_which_file_cannot_be_opened),
        cmocka_unit_test(says_where_packed_files_are_damaged),
#if CS_HAVE_ZSTD
        cmocka_unit_test(reads_zstd),
#endif
        cmocka_unit_test(names_what_it_cannot_unpack),
        cmocka_unit_test(no_changed_byte_goes_unnoticed),
        cmocka_unit_test(a_message_before_the_first_line_has_no_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
