/* page.c - the skeleton of a report: head, colours, sections, provenance. */
#include "report/page.h"

#include "base/arena.h"
#include "base/file.h"
#include "config.h"
#include "report/page_parts.h"
#include "report/palette.h"
#include "report/svg.h"

#include <string.h>

#define BASE_BARS 12 /* colours of bars that pages know by number */

struct cs_page {
    struct cs_page_head head;
    struct cs_strbuf body, json;
    struct cs_spill to_file, to_body; /* of the body; of the JSON of an open section */
    struct cs_jsonw w;
    bool begun; /* the head of a streamed page is in the body, or in the file */
    int sections;
    struct cs_arena *arena;
};

static const char *page_copy(struct cs_page *page, const char *text)
{
    return text ? cs_arena_strdup(page->arena, text) : NULL;
}

struct cs_page *cs_page_create(const struct cs_page_head *head)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_page *page = CS_NEW(arena, struct cs_page);

    page->arena = arena;
    page->body = page->json = (struct cs_strbuf)CS_STRBUF_INIT;
    page->to_file = cs_spill_to(&page->body, -1);
    page->head = (struct cs_page_head){.title = page_copy(page, head->title),
                                       .subtitle = page_copy(page, head->subtitle),
                                       .command = page_copy(page, head->command)};
    return page;
}

void cs_page_destroy(struct cs_page *page)
{
    if (!page)
        return;
    cs_strbuf_release(&page->body);
    cs_strbuf_release(&page->json);
    cs_arena_destroy(page->arena);
}

int cs_page_sections(const struct cs_page *page)
{
    return page->sections;
}

void cs_page_set_subtitle(struct cs_page *page, const char *subtitle)
{
    page->head.subtitle = page_copy(page, subtitle);
}

void cs_page_stream(struct cs_page *page, int fd)
{
    page->to_file = cs_spill_to(&page->body, fd);
}

/* Colours, from the palette of all pictures. */

static void put_variable(struct cs_strbuf *out, const char *name, const char *value)
{
    cs_strbuf_printf(out, "--%s:%s;", name, value);
}

static void put_theme(struct cs_strbuf *out, const struct cs_theme *theme)
{
    put_variable(out, "background", theme->background);
    put_variable(out, "text", theme->text);
    put_variable(out, "muted", theme->muted);
    put_variable(out, "axis", theme->axis);
    put_variable(out, "grid", theme->grid);
    put_variable(out, "idle", theme->idle);
    put_variable(out, "idle-line", theme->idle_line);
    put_variable(out, "failure", cs_bolt_color(theme));
    put_variable(out, "panel", theme->dark ? "#1b1f25" : "#fafbfc");
    put_variable(out, "accent", theme->dark ? "#7db2ff" : "#1a5fb4");
    for (int i = 0; i < CS_PALETTE_LINES; i++)
        cs_strbuf_printf(out, "--line-%d:%s;", i, cs_color_text(cs_palette_line(i, theme)).text);
    for (int i = 0; i < BASE_BARS; i++)
        cs_strbuf_printf(out, "--bar-%d:%s;", i, cs_color_text(cs_palette_bar(i, theme)).text);
    cs_strbuf_printf(out, "color-scheme:%s", theme->dark ? "dark" : "light");
}

static void put_colors(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, ":root{");
    put_theme(out, cs_theme(CS_STYLE_COLOR));
    cs_strbuf_puts(out, "}\n@media screen and (prefers-color-scheme:dark){"
                        ":root:not([data-theme=light]){");
    put_theme(out, cs_theme(CS_STYLE_DARK));
    cs_strbuf_puts(out, "}}\n@media screen{:root[data-theme=dark]{");
    put_theme(out, cs_theme(CS_STYLE_DARK));
    cs_strbuf_puts(out, "}}\n");
}

static void put_part(struct cs_strbuf *out, const struct cs_page_part *part)
{
    cs_strbuf_append(out, part->bytes, part->length);
}

static void page_put_head(const struct cs_page *page, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    cs_strbuf_printf(out,
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "script-src '%s'; style-src 'unsafe-inline'; img-src data: blob:; base-uri "
                     "'none'; form-action 'none'\">\n",
                     cs_page_script_hash);
    cs_strbuf_puts(out, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                        "<meta name=\"referrer\" content=\"no-referrer\">\n"
                        "<meta name=\"generator\" content=\"cosched " CS_VERSION "\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n<title>");
    cs_svg_escape(out, page->head.title);
    cs_strbuf_puts(out, "</title>\n<style>\n");
    put_colors(out);
    put_part(out, &cs_page_style);
    cs_strbuf_puts(out, "</style>\n</head>\n");
}

static void put_banner(const struct cs_page *page, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
                        "<header>\n<div>\n<h1>");
    cs_svg_escape(out, page->head.title);
    cs_strbuf_puts(out, "</h1>\n");
    if (page->head.subtitle) {
        cs_strbuf_puts(out, "<p class=\"subtitle\">");
        cs_svg_escape(out, page->head.subtitle);
        cs_strbuf_puts(out, "</p>\n");
    }
    cs_strbuf_puts(out, "</div>\n<div id=\"tools\"></div>\n</header>\n"
                        "<noscript><p class=\"notice\">Scripts are switched off: these are still "
                        "pictures.</p></noscript>\n");
}

static void put_footer(const struct cs_page *page, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "<footer>\n<p>Made by cosched " CS_VERSION);
    if (page->head.command) {
        cs_strbuf_puts(out, " with <code>");
        cs_svg_escape(out, page->head.command);
        cs_strbuf_puts(out, "</code>");
    }
    cs_strbuf_puts(out, "</p>\n</footer>\n");
}

/* The part before the sections. */
static void page_put_start(const struct cs_page *page, struct cs_strbuf *out)
{
    page_put_head(page, out);
    put_banner(page, out);
    cs_strbuf_puts(out, "<main id=\"main\" tabindex=\"-1\">\n");
}

/* JSON that no text in it can end: < > & and the two line ends that only JSON allows occur in
 * strings only, where they can be written by number. */
static int page_put_json(void *who, const char *json, size_t length)
{
    struct cs_page *page = who;
    struct cs_strbuf *out = &page->body;

    for (const char *c = json; c < json + length;) {
        size_t plain = strcspn(c, "<>&\xe2");

        cs_strbuf_append(out, c, plain);
        c += plain;
        if (!strncmp(c, "\xe2\x80\xa8", 3) || !strncmp(c, "\xe2\x80\xa9", 3)) {
            cs_strbuf_puts(out, c[2] == '\xa8' ? "\\u2028" : "\\u2029");
            c += 3;
        } else if (*c == '\xe2') {
            cs_strbuf_putc(out, *c++);
        } else if (*c) {
            cs_strbuf_printf(out, "\\u%04x", (unsigned)*c++);
        }
    }
    cs_spill_some(&page->to_file, CS_SPILL_PIECE);
    return 0;
}

static void page_begin_section(struct cs_page *page, const struct cs_page_section *section)
{
    struct cs_strbuf *out = &page->body;
    int number = ++page->sections;

    if (page->to_file.put && !page->begun)
        page_put_start(page, out);
    page->begun = true;
    cs_strbuf_printf(out,
                     "<section id=\"s%d\" data-kind=\"%s\" aria-labelledby=\"s%d-heading\">\n"
                     "<h2 id=\"s%d-heading\">",
                     number, section->kind, number, number);
    cs_svg_escape(out, section->heading);
    cs_strbuf_puts(out, "</h2>\n<div class=\"body\"></div>\n");
    if (section->still)
        cs_strbuf_printf(out, "<div class=\"still\">\n%s</div>\n", section->still);
    cs_strbuf_puts(out, "<script type=\"application/json\">");
}

static void page_end_section(struct cs_page *page)
{
    cs_strbuf_puts(&page->body, "</script>\n</section>\n");
    cs_spill_some(&page->to_file, CS_SPILL_PIECE);
}

void cs_page_add_section(struct cs_page *page, const struct cs_page_section *section)
{
    page_begin_section(page, section);
    page_put_json(page, section->json, strlen(section->json));
    page_end_section(page);
}

struct cs_jsonw *cs_page_open_section(struct cs_page *page, const struct cs_page_section *section)
{
    page_begin_section(page, section);
    page->to_body = (struct cs_spill){.out = &page->json, .put = page_put_json, .who = page};
    page->w = cs_jsonw_begin(&page->json);
    cs_jsonw_stream(&page->w, &page->to_body);
    return &page->w;
}

void cs_page_close_section(struct cs_page *page)
{
    cs_jsonw_end(&page->w);
    page_end_section(page);
}

static void put_end(const struct cs_page *page, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "</main>\n");
    put_footer(page, out);
    cs_strbuf_puts(out, "<script>");
    put_part(out, &cs_page_script);
    cs_strbuf_puts(out, "</script>\n</body>\n</html>\n");
}

int cs_page_put(struct cs_page *page, struct cs_strbuf *out)
{
    if (!page->to_file.put) {
        page_put_start(page, out);
        cs_strbuf_append(out, page->body.text, page->body.length);
        put_end(page, out);
        return 0;
    }
    if (!page->begun)
        page_put_start(page, &page->body);
    put_end(page, &page->body);
    cs_spill_some(&page->to_file, 0);
    return page->to_file.error;
}
