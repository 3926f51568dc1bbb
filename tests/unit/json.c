/* json: good documents, and for bad ones the way to the fault. */
#include "base/json.h"
#include "unit/kit.h"
#include "unit/scratch.h"
#include "unit/squeeze.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static json_t *load(const char *text)
{
    struct cs_error err = {0};
    json_t *document = cs_json_load_memory("f.json", text, strlen(text), &err);

    assert_string_equal(err.text, "");
    assert_non_null(document);
    return document;
}

static void refused(const char *text, const char *want)
{
    struct cs_error err = {0};

    assert_null(cs_json_load_memory("f.json", text, strlen(text), &err));
    assert_string_equal(err.text, want);
}

static void expect(struct cs_error *err, const char *want)
{
    assert_string_equal(err->text, want);
    err->text[0] = '\0';
}

static void says_where_a_document_is_wrong(void **state)
{
    (void)state;
    refused("", "f.json: empty, expected JSON");
    refused(" \n\t", "f.json: empty, expected JSON");
    refused("\xef\xbb\xbf", "f.json: empty, expected JSON");
    refused("; SWF\n1 2 3\n",
            "f.json:1:1: invalid token near ';', expected JSON; this looks like a job log (SWF)");
    refused("1 2 3\n",
            "f.json:1:3: end of file expected near '2', expected JSON; this looks like a "
            "job log (SWF)");
    refused("JobID|State\n",
            "f.json:1:5: invalid token near 'JobID', expected JSON; this looks like "
            "a job log of sacct");
    refused("name,procs\n",
            "f.json:1:4: invalid token near 'name', expected JSON; this looks like a "
            "table");
    refused("<html>", "f.json:1:1: invalid token near '<', expected JSON; this looks like XML or "
                      "HTML");
    refused("SQLite format 3", "f.json:1:6: invalid token near 'SQLite', expected JSON; this looks "
                               "like a store of results (SQLite)");
    refused("oops", "f.json:1:4: invalid token near 'oops', expected JSON");
    refused("{\n  \"a\": tru\n}", "f.json:2:10: invalid token near 'tru'");
    refused("{\"a\": 1, \"a\": 2}", "f.json:1:12: duplicate object key near '\"a\"'");
    refused("[1] 2", "f.json:1:5: end of file expected near '2'");
    refused("[1, 2", "f.json:1:5: ']' expected near end of file");
    refused("[1e999]", "f.json:1:6: real number overflow near '1e999'");
    refused("[NaN]", "f.json:1:4: invalid token near 'NaN'");
    refused("[99999999999999999999]", "f.json:1:21: too big integer near '99999999999999999999'");
    refused("[\"a\nb\"]", "f.json:1:3: unexpected newline near '\"a'");
    refused("[\"\\x\"]", "f.json:1:4: invalid escape near '\"\\x'");
    refused("[\"\\ud800\"]", "f.json:1:9: invalid Unicode '\\uD800' near '\"\\ud800\"'");
    refused("[\"\xff\"]", "f.json:1:2: unable to decode byte 0xff near '\"'");
    refused("{\"a\" 1}", "f.json:1:6: ':' expected near '1'");
    refused("[1,]", "f.json:1:4: unexpected token near ']'");
}

/* Pieces of JSON in any order: what both take is the same, and both take the same. */
static void reads_what_jansson_reads(void **state)
{
    static const char *const piece[] = {
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"a\"",
        "\"\\n\"",
        "1",
        "-0",
        "0.5",
        "1e5",
        "01",
        "true",
        "null",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\udc00\"",
        "\xc3\xa9",
        "\"\xc3\xa9\"",
        "-9223372036854775808",
        "9223372036854775808",
        "\"a string of more than a few letters\"",
    };
    const unsigned pieces = sizeof piece / sizeof *piece;
    unsigned draw = 1, good = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        char text[512] = "";
        json_error_t why, jansson;
        json_t *own, *other;

        strcat(text, t % 2 ? "[" : "{\"k\":");
        for (int k = t % 7; k > 0; k--) {
            draw = draw * 1664525 + 1013904223;
            strcat(text, piece[(draw >> 16) % pieces]);
        }
        strcat(text, t % 2 ? "]" : "}");
        own = cs_json_loadb(text, strlen(text), JSON_REJECT_DUPLICATES, &why);
        other = json_loadb(text, strlen(text), JSON_REJECT_DUPLICATES, &jansson);
        assert_int_equal(!own, !other);
        if (own)
            assert_true(json_equal(own, other));
        else
            assert_int_equal(why.line, jansson.line);
        good += own != NULL;
        json_decref(own);
        json_decref(other);
    }
    assert_true(good > 500);
}

/* What is asked of both: the kinds of things that schedules have. */
static void ask(const struct cs_json_at *root, struct cs_strbuf *out)
{
    struct cs_error err = {0};
    struct cs_json_at list, at;
    size_t count = 0;
    const char *text = "";
    double number = 0;
    int whole = 0;

    if (!cs_json_keys(root, "a|list", &err) && !cs_json_member(root, "list", &list, &err) &&
        !cs_json_array(&list, &count, &err))
        for (size_t i = 0; i < count; i++) {
            at = cs_json_element(&list, i);
            if (!cs_json_double(&at, CS_NUMBER_FINITE, &number, &err))
                cs_strbuf_put_double(out, number);
            if (!cs_json_int(&at, -9, INT_MAX, &whole, &err))
                cs_strbuf_put_int(out, whole);
            if (!cs_json_get_string(&at, "s", &text, &err))
                cs_strbuf_puts(out, text);
            cs_strbuf_puts(out, cs_json_has(&at, "none") ? "+" : "-");
            cs_strbuf_puts(out, cs_json_names(&at, "none") ? "+" : "-");
        }
    cs_strbuf_puts(out, err.text);
}

static void same_as_tree(const char *text, bool taken)
{
    struct cs_strbuf said = CS_STRBUF_INIT, tree = CS_STRBUF_INIT;
    struct cs_error err = {0}, other = {0};
    struct cs_json_pieces pieces;
    json_t *document = cs_json_load_memory("f.json", text, strlen(text), &other);
    const int status = cs_json_open_memory("f.json", text, strlen(text), NULL, &pieces, &err);
    const struct cs_json_at root = cs_json_root("f.json", document);

    assert_string_equal(err.text, other.text);
    assert_int_equal(status, document ? 0 : -1);
    if (document) {
        const struct cs_json_at top = cs_json_top("f.json", &pieces);

        assert_int_equal(pieces.text != NULL, taken);
        ask(&top, &said);
        ask(&root, &tree);
        assert_string_equal(said.text, tree.text);
        cs_json_close(&pieces);
    }
    json_decref(document);
    cs_strbuf_release(&said);
    cs_strbuf_release(&tree);
}

static void texts_say_what_trees_say(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    (void)state;
    same_as_tree("\xef\xbb\xbf { \"list\" : [ ] } \n", true);
    same_as_tree("{\"list\": [1, -0, 2.5e-3, 123456789012345678, {\"s\": \"\"}, null, -10, true]}",
                 true);
    same_as_tree(
        "{\"list\": [{\"s\": \"a\\\\n\\n\\\"\\/\"}, {\"none\": null, \"s\": \"\xc3\xa9\"}]}", true);
    same_as_tree("{\"a\": {\"list\": [[], {}]}, \"list\": [{\"none\": [1]}, \"x\"], \"b\\\\\": 1}",
                 false);
    same_as_tree("{\"list\": [{\"s\": \"\\u00e9\"}]}", false);
    same_as_tree("{\"list\": [1234567890123456789, 1e100]}", false);
    same_as_tree("[1]", false);
    same_as_tree("{\"list\": [01]}", false);
    same_as_tree("{\"list\": [1,]}", false);
    same_as_tree("{\"list\": [1.]}", false);
    same_as_tree("{\"list\": [\"\xff\"]}", false);
    same_as_tree("{\"list\": [{\"s\": 1, \"s\": 2}]}", false);
    same_as_tree("{\"list\": [1]} x", false);
    same_as_tree("{\"list\": [1", false);
    cs_strbuf_puts(&text, "{\"a\": [");
    for (int i = 0; i < 3000; i++)
        cs_strbuf_printf(&text, "%s[%d, \"]\"]", i ? "," : "", i);
    cs_strbuf_puts(&text, "], \"list\": [0");
    for (int i = 0; i < 3000; i++)
        cs_strbuf_printf(&text, ", {\"s\": \"}%d\"}, %d.25", i, i);
    cs_strbuf_puts(&text, "]}");
    same_as_tree(text.text, true);
    cs_strbuf_release(&text);
}

/* The numbers of a list that comes in parts. */
struct parts {
    size_t parts, next;
    double sum;
};

static void part_take(void *who, const struct cs_json_at *part, size_t first)
{
    struct parts *p = who;
    struct cs_error err = {0};
    size_t count;
    double value;

    assert_int_equal(first, p->next);
    assert_int_equal(cs_json_array(part, &count, &err), 0);
    for (size_t i = 0; i < count; i++) {
        const struct cs_json_at at = cs_json_element(part, i);

        if (!cs_json_get_double(&at, "n", CS_NUMBER_FINITE, &value, &err))
            p->sum += value;
    }
    p->next += count;
    p->parts++;
}

/* A document whose list has `count` elements, with `last` in front of the end of the list. */
static void put_long(struct cs_strbuf *text, int count, const char *last)
{
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, "{\"a\": \"\\\"list\\\": [\", \"b\": {\"list\": [7]},\n \"list\": [");
    for (int i = 0; i < count; i++)
        cs_strbuf_printf(text, "%s{\"n\": %d, \"s\": \"],}\xc3\xa9\\\\\"}", i ? ",\n" : "", i);
    cs_strbuf_printf(text, "%s], \"c\": [[]]}\n", last);
}

/* The message of a whole document is that of the same one in parts. */
static void same_error(const struct cs_strbuf *text)
{
    struct parts p = {0};
    const struct cs_json_list list = {"list", part_take, &p};
    struct cs_error err = {0}, other = {0};
    struct cs_json_pieces pieces;

    assert_int_equal(cs_json_open_memory("f.json", text->text, text->length, &list, &pieces, &err),
                     -1);
    assert_null(cs_json_load_memory("f.json", text->text, text->length, &other));
    assert_string_equal(err.text, other.text);
    assert_int_equal(err.line, other.line);
}

static void reads_a_long_list_in_parts(void **state)
{
    static const char *const wrong[] = {
        ",",    " 1",       "}", "]",  "x", ", {\"n\": 1, \"n\": 2}", "][", "], \"list\": [",
        "\xff", ", \"\n\"", ":", "],]"};
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct cs_json_pieces pieces;
    struct parts p = {0};
    const struct cs_json_list list = {"list", part_take, &p};
    struct cs_json_at top, at;
    size_t count;

    (void)state;
    put_long(&text, 40000, "");
    assert_int_equal(cs_json_open_memory("f.json", text.text, text.length, &list, &pieces, &err),
                     0);
    assert_int_equal(p.next, 40000);
    assert_in_range(p.parts, 3, 5);
    assert_true(p.sum == 40000.0 * 39999 / 2);
    top = cs_json_top("f.json", &pieces);
    assert_int_equal(cs_json_keys(&top, "a|b|list|c", &err), 0);
    assert_int_equal(cs_json_member(&top, "list", &at, &err), 0);
    assert_int_equal(cs_json_array(&at, &count, &err), 0);
    assert_int_equal(count, 0);
    cs_json_close(&pieces);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        put_long(&text, 25000, wrong[w]);
        same_error(&text);
        put_long(&text, w % 2, wrong[w]);
        if (w > 0 || w % 2)
            same_error(&text);
    }
    for (int cut = 1; cut < 20; cut++) {
        put_long(&text, 25000, "");
        text.length -= cut < 15 ? (size_t)cut + 1 : (size_t)cut * 37000;
        text.text[text.length] = '\0';
        same_error(&text);
    }
    cs_strbuf_release(&text);
}

static void reads_files_also_packed_ones(void **state)
{
    static const char text[] = "\xef\xbb\xbf{\"a\": [1, 2]}\n";
    struct cs_strbuf xz = CS_STRBUF_INIT;
    struct cs_error err = {0};
    char folder[512];
    json_t *document;

    (void)state;
    assert_non_null(scratch_create(folder));
    squeeze_xz(&xz, text, strlen(text));
    scratch_write(scratch_path(folder, "a"), xz.text, xz.length);
    document = cs_json_load(scratch_path(folder, "a"), &err);
    assert_string_equal(err.text, "");
    assert_int_equal(json_array_size(json_object_get(document, "a")), 2);
    json_decref(document);
    assert_null(cs_json_load("/no/such.json", &err));
    expect(&err, "/no/such.json: cannot be opened: No such file or directory");
    scratch_write(scratch_path(folder, "a"), xz.text, xz.length - 2);
    assert_null(cs_json_load(scratch_path(folder, "a"), &err));
    assert_non_null(strstr(err.text, "/a: the xz data end too early: the file is cut off"));
    scratch_remove(folder);
    cs_strbuf_release(&xz);
}

static void reads_values(void **state)
{
    json_t *document = load("{\"name\": \"x\", \"cost\": 3, \"t\": 0.5, \"n\": -7, \"on\": true,"
                            " \"none\": null, \"big\": 9007199254740993}");
    struct cs_json_at root = cs_json_root("f.json", document), at;
    struct cs_error err = {0};
    const char *name;
    double real;
    int64_t big;
    bool on;
    int n;

    (void)state;
    assert_int_equal(cs_json_keys(&root, "name|cost|t|n|on|none|big", &err), 0);
    assert_int_equal(cs_json_get_string(&root, "name", &name, &err), 0);
    assert_string_equal(name, "x");
    assert_int_equal(cs_json_get_double(&root, "cost", CS_NUMBER_POSITIVE, &real, &err), 0);
    assert_true(real == 3);
    assert_int_equal(cs_json_get_double(&root, "t", CS_NUMBER_POSITIVE, &real, &err), 0);
    assert_true(real == 0.5);
    assert_int_equal(cs_json_get_int(&root, "n", -7, 0, &n, &err), 0);
    assert_int_equal(n, -7);
    assert_int_equal(cs_json_get_bool(&root, "on", &on, &err), 0);
    assert_true(on);
    assert_int_equal(cs_json_member(&root, "big", &at, &err), 0);
    assert_int_equal(cs_json_int64(&at, 0, INT64_MAX, &big, &err), 0);
    assert_true(big == 9007199254740993);
    assert_true(cs_json_has(&root, "n"));
    assert_false(cs_json_has(&root, "none"));
    assert_false(cs_json_has(&root, "nothing"));
    assert_string_equal(err.text, "");
    json_decref(document);
}

static void names_the_variant_to_what_is_wrong(void **state)
{
    json_t *document = load("{\"packs\": [{}, {\"cost\": \"a\", \"tasks\": [[1, -2.5]]}]}");
    struct cs_json_at root = cs_json_root("plan.json", document), packs, pack, tasks, row, number;
    struct cs_error err = {0};
    size_t count = 0;
    double cost = 7;

    (void)state;
    assert_int_equal(cs_json_member(&root, "packs", &packs, &err), 0);
    assert_int_equal(cs_json_array(&packs, &count, &err), 0);
    assert_int_equal(count, 2);
    pack = cs_json_element(&packs, 1);
    assert_int_equal(cs_json_get_double(&pack, "cost", CS_NUMBER_FINITE, &cost, &err), -1);
    expect(&err, "plan.json: packs[1].cost: found a string, expected a number");
    assert_int_equal(cs_json_member(&pack, "tasks", &tasks, &err), 0);
    row = cs_json_element(&tasks, 0);
    number = cs_json_element(&row, 1);
    assert_int_equal(cs_json_double(&number, CS_NUMBER_POSITIVE, &cost, &err), -1);
    expect(&err, "plan.json: packs[1].tasks[0][1]: found -2.5, expected a positive number");
    pack = cs_json_element(&packs, 0);
    assert_int_equal(cs_json_get_double(&pack, "cost", CS_NUMBER_FINITE, &cost, &err), -1);
    expect(&err, "plan.json: packs[0]: key \"cost\" is missing");
    assert_true(cost == 7);
    json_decref(document);
}

static void says_what_kind_it_found(void **state)
{
    json_t *document = load("[{}, [], \"s\", 1, 2.5, true, false, null]");
    struct cs_json_at root = cs_json_root("f", document), at[8];
    struct cs_error err = {0};
    const char *text;
    size_t count;
    bool on;
    int n;

    (void)state;
    for (size_t i = 0; i < 8; i++)
        at[i] = cs_json_element(&root, i);
    assert_int_equal(cs_json_keys(&root, NULL, &err), -1);
    expect(&err, "f: found an array, expected an object");
    assert_int_equal(cs_json_array(&at[0], &count, &err), -1);
    expect(&err, "f: [0]: found an object, expected an array");
    assert_int_equal(cs_json_string(&at[3], &text, &err), -1);
    expect(&err, "f: [3]: found 1, expected a string");
    assert_int_equal(cs_json_int(&at[4], 0, 9, &n, &err), -1);
    expect(&err, "f: [4]: found 2.5, expected a whole number from 0 to 9");
    assert_int_equal(cs_json_int(&at[3], 2, INT_MAX, &n, &err), -1);
    expect(&err, "f: [3]: found 1, expected a whole number of at least 2");
    assert_int_equal(cs_json_int(&at[3], -5, 0, &n, &err), -1);
    expect(&err, "f: [3]: found 1, expected a whole number from -5 to 0");
    assert_int_equal(cs_json_bool(&at[2], &on, &err), -1);
    expect(&err, "f: [2]: found a string, expected true or false");
    assert_int_equal(cs_json_int(&at[5], 0, 9, &n, &err), -1);
    expect(&err, "f: [5]: found true, expected a whole number from 0 to 9");
    assert_int_equal(cs_json_string(&at[6], &text, &err), -1);
    expect(&err, "f: [6]: found false, expected a string");
    assert_int_equal(cs_json_string(&at[7], &text, &err), -1);
    expect(&err, "f: [7]: found null, expected a string");
    assert_int_equal(cs_json_get_string(&at[1], "k", &text, &err), -1);
    expect(&err, "f: [1]: found an array, expected an object");
    json_decref(document);
}

static void unknown_keys_are_refused_with_the_known_ones(void **state)
{
    json_t *document = load("{\"a\": {\"nam\": 1}}");
    struct cs_json_at root = cs_json_root("f", document), at;
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_json_keys(&root, "a", &err), 0);
    assert_int_equal(cs_json_keys(&root, NULL, &err), 0);
    assert_int_equal(cs_json_keys(&root, "aa|ba", &err), -1);
    expect(&err, "f: unknown key \"a\", expected one of: aa, ba");
    assert_int_equal(cs_json_member(&root, "a", &at, &err), 0);
    assert_int_equal(cs_json_keys(&at, "name|procs", &err), -1);
    expect(&err, "f: a: unknown key \"nam\", expected one of: name, procs");
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_where_a_document_is_wrong),
        cmocka_unit_test(reads_what_jansson_reads),
        cmocka_unit_test(texts_say_what_trees_say),
        cmocka_unit_test(reads_a_long_list_in_parts),
        cmocka_unit_test(reads_files_also_packed_ones),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(names_the_variant_to_what_is_wrong),
        cmocka_unit_test(says_what_kind_it_found),
        cmocka_unit_test(unknown_keys_are_refused_with_the_known_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
