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

#include "base/jsonw.h"

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

/* The same, but the caller writes the JSON before it closes the section. */
struct cs_jsonw *cs_page_open_section(struct cs_page *page, const struct cs_page_section *section);
void cs_page_close_section(struct cs_page *page);

/* Set a subtitle that is known after the page was created; before its sections if it is streamed.
 */
void cs_page_set_subtitle(struct cs_page *page, const char *subtitle);

/* Write the page to the file while it grows, from the first section on. */
void cs_page_stream(struct cs_page *page, int fd);

/* Append the whole file; of a streamed page write the rest, and return errno of the first failure.
 */
int cs_page_put(struct cs_page *page, struct cs_strbuf *out);

#endif
