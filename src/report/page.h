/* page.h - a report: one HTML file that needs only a browser.
 *
 * A page is a title and sections. C writes the data as JSON; the scripts in html/ draw it. A
 * section has a kind; the script that draws sections of that kind registers itself with
 *
 *     cosched.section("kind", function (body, data, section) { ... });
 *
 * and is called once for each of them: `body` is an empty <div>, `data` the JSON, `section` the
 * <section>, which already has its heading. html/page.js describes the other members of `cosched`.
 * Scripts and style sheets are named in src/meson.build.
 *
 * A section may have a static chart, which is printed instead of the drawing of the script and
 * replaces it if scripts are disabled.
 *
 * The policy of the page (Content-Security-Policy) forbids every connection and every script except
 * ours, for any names in the data. The same sections make the same bytes.
 */
#ifndef CS_REPORT_PAGE_H
#define CS_REPORT_PAGE_H

#include "base/strbuf.h"

struct cs_page;

struct cs_page_section {
    const char *kind;    /* lower-case letters */
    const char *heading; /* any text */
    const char *json;    /* one JSON document */
    const char *still;   /* an SVG picture on a light ground, or NULL */
};

/* The header of the page; all texts are copied. */
struct cs_page_head {
    const char *title;
    const char *subtitle; /* NULL: none */
    const char *command;  /* the command that made the page; NULL: not shown */
};

struct cs_page *cs_page_create(const struct cs_page_head *head);
void cs_page_destroy(struct cs_page *page); /* NULL is fine */

/* Append a section; its texts are copied. */
void cs_page_add_section(struct cs_page *page, const struct cs_page_section *section);
int cs_page_sections(const struct cs_page *page);

/* Set a subtitle that is known after the sections. */
void cs_page_set_subtitle(struct cs_page *page, const char *subtitle);

/* Append the whole file. */
void cs_page_put(const struct cs_page *page, struct cs_strbuf *out);

#endif
