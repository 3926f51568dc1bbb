/* page.h - a report: one HTML file that needs nothing but a browser.
 *
 * A page is a title and sections.  C says what there is, as JSON; the scripts in html/ draw it.
 * A section has a kind; the script that draws sections of that kind registers itself with
 *
 *     cosched.section("kind", function (body, data, section) { ... });
 *
 * and is called once for each of them: `body` is an empty <div>, `data` the JSON, `section` the
 * <section>, whose heading is there already.  html/page.js tells what else it finds in `cosched`.
 * Scripts and style sheets are named in src/meson.build.
 *
 * A section may bring a still picture, which is printed instead of what the script has drawn
 * and stands in for it where scripts are switched off.
 *
 * The policy of the page (Content-Security-Policy) forbids the browser every connection and every
 * script but ours, whatever the names in the data are.  The same sections make the same bytes.
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

/* What the page says about itself; all texts are copied. */
struct cs_page_head {
    const char *title;
    const char *subtitle; /* NULL: none */
    const char *command;  /* what was typed to make the page; NULL: not told */
};

struct cs_page *cs_page_create(const struct cs_page_head *head);
void cs_page_destroy(struct cs_page *page); /* NULL is fine */

/* Append a section; its texts are copied. */
void cs_page_add_section(struct cs_page *page, const struct cs_page_section *section);
int cs_page_sections(const struct cs_page *page);

/* What only the sections knew. */
void cs_page_set_subtitle(struct cs_page *page, const char *subtitle);

/* Append the whole file. */
void cs_page_put(const struct cs_page *page, struct cs_strbuf *out);

#endif
