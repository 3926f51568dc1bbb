/* The skeleton of reports: what is in it, and that no text can end anything but itself. */
#include "report/page.h"
#include "report/page_parts.h"
#include "unit/kit.h"

#include <string.h>

static int count(const char *text, const char *what)
{
    int found = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        found++;
    return found;
}

static struct cs_strbuf page_of(const struct cs_page_head *head,
                                const struct cs_page_section *section, int sections)
{
    struct cs_page *page = cs_page_create(head);
    struct cs_strbuf out = CS_STRBUF_INIT;

    for (int i = 0; i < sections; i++)
        cs_page_add_section(page, &section[i]);
    assert_int_equal(cs_page_sections(page), sections);
    cs_page_put(page, &out);
    cs_page_destroy(page);
    return out;
}

static void an_empty_page_is_a_page(void **state)
{
    struct cs_strbuf html = page_of(&(struct cs_page_head){.title = "nothing"}, NULL, 0);

    (void)state;
    assert_int_equal(strncmp(html.text, "<!DOCTYPE html>\n", 16), 0);
    assert_non_null(strstr(html.text, "<title>nothing</title>"));
    assert_non_null(strstr(html.text, "<h1>nothing</h1>"));
    assert_null(strstr(html.text, "class=\"subtitle\""));
    assert_null(strstr(html.text, "<section"));
    assert_non_null(strstr(html.text, "</html>\n"));
    cs_strbuf_release(&html);
}

static void a_page_forbids_everything_but_its_own_script(void **state)
{
    struct cs_strbuf html = page_of(&(struct cs_page_head){.title = "t"}, NULL, 0), policy;

    (void)state;
    policy = (struct cs_strbuf)CS_STRBUF_INIT;
    cs_strbuf_printf(&policy, "default-src 'none'; script-src '%s';", cs_page_script_hash);
    assert_non_null(strstr(html.text, policy.text));
    assert_int_equal(count(html.text, "<script>"), 1);
    assert_non_null(strstr(html.text, cs_page_script.bytes));
    cs_strbuf_release(&policy);
    cs_strbuf_release(&html);
}

static void texts_are_texts(void **state)
{
    struct cs_strbuf html = page_of(
        &(struct cs_page_head){.title = "<b>&", .subtitle = "a < b", .command = "cosched '<x>'"},
        &(struct cs_page_section){.kind = "k", .heading = "</h2>", .json = "1"}, 1);

    (void)state;
    assert_non_null(strstr(html.text, "<title>&lt;b&gt;&amp;</title>"));
    assert_non_null(strstr(html.text, "a &lt; b"));
    assert_non_null(strstr(html.text, "&lt;x&gt;"));
    assert_non_null(strstr(html.text, "<h2 id=\"s1-heading\">&lt;/h2&gt;</h2>"));
    cs_strbuf_release(&html);
}

static void json_cannot_end_its_script(void **state)
{
    const struct cs_page_section section = {
        .kind = "k",
        .heading = "h",
        .json =
            "[\"</script>\", \"<!--\", \"a&b\", \"\xe2\x80\xa8\xe2\x80\xa9\", \"\xe2\x82\xac\"]",
    };
    struct cs_strbuf html = page_of(&(struct cs_page_head){.title = "t"}, &section, 1);

    (void)state;
    assert_non_null(strstr(html.text, "[\"\\u003c/script\\u003e\", \"\\u003c!--\", \"a\\u0026b\", "
                                      "\"\\u2028\\u2029\", \"\xe2\x82\xac\"]</script>"));
    cs_strbuf_release(&html);
}

static void sections_have_numbers_kinds_and_pictures(void **state)
{
    const struct cs_page_section section[2] = {
        {.kind = "one", .heading = "first", .json = "{}"},
        {.kind = "two", .heading = "second", .json = "{}", .still = "<svg></svg>\n"},
    };
    struct cs_strbuf html = page_of(&(struct cs_page_head){.title = "t"}, section, 2);

    (void)state;
    assert_non_null(strstr(html.text, "<section id=\"s1\" data-kind=\"one\""));
    assert_non_null(strstr(html.text, "<section id=\"s2\" data-kind=\"two\""));
    assert_int_equal(count(html.text, "<div class=\"still\">\n<svg></svg>\n</div>"), 1);
    cs_strbuf_release(&html);
}

static void both_themes_come_from_the_palette(void **state)
{
    struct cs_strbuf html = page_of(&(struct cs_page_head){.title = "t"}, NULL, 0);

    (void)state;
    assert_int_equal(count(html.text, "--background:#ffffff;"), 1);
    assert_int_equal(count(html.text, "--background:#15181d;"), 2);
    assert_int_equal(count(html.text, "--bar-11:"), 3);
    assert_int_equal(count(html.text, "--line-8:"), 3);
    cs_strbuf_release(&html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_page_is_a_page),
        cmocka_unit_test(a_page_forbids_everything_but_its_own_script),
        cmocka_unit_test(texts_are_texts),
        cmocka_unit_test(json_cannot_end_its_script),
        cmocka_unit_test(sections_have_numbers_kinds_and_pictures),
        cmocka_unit_test(both_themes_come_from_the_palette),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
