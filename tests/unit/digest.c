/* SHA-256: known answers, numbers as bytes, files. */
#include "kit.h"

#include "base/digest.h"
#include "base/file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void is_digest(struct cs_digest *digest, const char *want)
{
    char text[CS_DIGEST_TEXT];

    cs_digest_finish(digest, text);
    assert_string_equal(text, want);
}

static void bytes_give(const char *bytes, int times, const char *want)
{
    struct cs_digest digest;

    cs_digest_init(&digest);
    for (int t = 0; t < times; t++)
        cs_digest_put_bytes(&digest, bytes, strlen(bytes));
    is_digest(&digest, want);
}

/* The examples of FIPS 180-2. */
static void known_messages_have_their_known_digests(void **state)
{
    (void)state;
    bytes_give("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    bytes_give("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    bytes_give("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    bytes_give("aaaaaaaaaa", 100000,
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Bytes written down by hand, least significant first. */
static void numbers_are_eight_bytes_least_significant_first(void **state)
{
    static const unsigned char want[] = {
        0x02, 0x01, 0,    0,    0,    0,    0,    0,    /* 258 */
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* -1 */
        0,    0,    0,    0,    0,    0,    0xf8, 0x3f, /* 1.5 */
        2,    0,    0,    0,    0,    0,    0,    0,    /* the length of "no" */
        'n',  'o',
    };
    struct cs_digest numbers, bytes;
    char text[CS_DIGEST_TEXT];

    (void)state;
    cs_digest_init(&numbers);
    cs_digest_put_integer(&numbers, 258);
    cs_digest_put_integer(&numbers, -1);
    cs_digest_put_double(&numbers, 1.5);
    cs_digest_put_text(&numbers, "no");
    cs_digest_init(&bytes);
    cs_digest_put_bytes(&bytes, want, sizeof want);
    cs_digest_finish(&bytes, text);
    is_digest(&numbers, text);
}

static void doubles_alike(double one, double two, bool alike)
{
    char text[2][CS_DIGEST_TEXT];
    const double value[] = {one, two};

    for (int v = 0; v < 2; v++) {
        struct cs_digest digest;

        cs_digest_init(&digest);
        cs_digest_put_double(&digest, value[v]);
        cs_digest_finish(&digest, text[v]);
    }
    assert_int_equal(!strcmp(text[0], text[1]), alike);
}

static void equal_numbers_are_alike_and_no_others(void **state)
{
    (void)state;
    doubles_alike(0.0, -0.0, true);
    doubles_alike(NAN, -NAN, true);
    doubles_alike(NAN, nan("7"), true);
    doubles_alike(INFINITY, -INFINITY, false);
    doubles_alike(INFINITY, NAN, false);
    doubles_alike(0.1, nextafter(0.1, 1), false);
    doubles_alike(0, 4.9406564584124654e-324, false);
}

static void two_texts_are_not_one(void **state)
{
    struct cs_digest one, two;
    char text[CS_DIGEST_TEXT], other[CS_DIGEST_TEXT];

    (void)state;
    cs_digest_init(&one);
    cs_digest_put_text(&one, "ab");
    cs_digest_put_text(&one, "c");
    cs_digest_finish(&one, text);
    cs_digest_init(&two);
    cs_digest_put_text(&two, "a");
    cs_digest_put_text(&two, "bc");
    cs_digest_finish(&two, other);
    assert_string_not_equal(text, other);
}

static void a_digest_is_that_of_the_bytes_of_a_file(void **state)
{
    char path[] = "/tmp/cosched-digest-XXXXXX", text[CS_DIGEST_TEXT];
    int handle = mkstemp(path);
    char *bytes = malloc(1000000);
    struct cs_error err = {0};

    (void)state;
    assert_true(handle >= 0 && bytes);
    close(handle);
    assert_int_equal(cs_digest_file(path, text, &err), 0);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    memset(bytes, 'a', 1000000);
    assert_int_equal(cs_file_write(path, bytes, 1000000, &err), 0);
    assert_int_equal(cs_digest_file(path, text, &err), 0);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(bytes);
    remove(path);
}

static void what_cannot_be_read_is_said(void **state)
{
    char text[CS_DIGEST_TEXT] = "as before";
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_digest_file("/nowhere/at/all", text, &err), -1);
    assert_string_equal(err.text, "/nowhere/at/all: cannot be opened: No such file or directory");
    assert_string_equal(text, "as before");
}

static void a_digest_of_a_directory_is_that_of_names_and_bytes(void **state)
{
    static const char *const file[] = {"b/two", "one", ".hidden"};
    char folder[] = "/tmp/cosched-digest-XXXXXX", path[100];
    char text[5][CS_DIGEST_TEXT];
    struct cs_error err = {0};
    struct cs_arena *arena = cs_arena_create();
    const char *const *list;
    int count;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(cs_file_list(folder, arena, &list, &count, &err), 0);
    assert_int_equal(count, 0);
    for (int f = 0; f < 3; f++) {
        snprintf(path, sizeof path, "%s/b", folder);
        assert_int_equal(cs_file_make_directories(path, &err), 0);
        snprintf(path, sizeof path, "%s/%s", folder, file[f]);
        assert_int_equal(cs_digest_file(folder, text[f], &err), 0);
        assert_int_equal(cs_file_write(path, "x", 1, &err), 0);
    }
    assert_int_equal(cs_digest_file(folder, text[3], &err), 0);
    snprintf(path, sizeof path, "%s/one", folder);
    assert_int_equal(cs_file_write(path, "y", 1, &err), 0);
    assert_int_equal(cs_digest_file(folder, text[4], &err), 0);
    assert_string_not_equal(text[0], text[1]);
    assert_string_not_equal(text[1], text[2]);
    assert_string_equal(text[2], text[3]); /* .hidden */
    assert_string_not_equal(text[3], text[4]);
    assert_int_equal(cs_file_list(folder, arena, &list, &count, &err), 0);
    assert_int_equal(count, 2);
    assert_non_null(strstr(list[0], "/b/two"));
    assert_non_null(strstr(list[1], "/one"));
    for (int f = 0; f < 4; f++) {
        snprintf(path, sizeof path, "%s/%s", folder, f < 3 ? file[f] : "b");
        remove(path);
    }
    remove(folder);
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_messages_have_their_known_digests),
        cmocka_unit_test(numbers_are_eight_bytes_least_significant_first),
        cmocka_unit_test(equal_numbers_are_alike_and_no_others),
        cmocka_unit_test(two_texts_are_not_one),
        cmocka_unit_test(a_digest_is_that_of_the_bytes_of_a_file),
        cmocka_unit_test(what_cannot_be_read_is_said),
        cmocka_unit_test(a_digest_of_a_directory_is_that_of_names_and_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
