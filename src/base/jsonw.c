/* jsonw.c - JSON written piece by piece. */
#include "base/jsonw.h"

#include "base/bug.h"
#include "base/file.h"
#include "base/utf8.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct cs_jsonw cs_jsonw_begin(struct cs_strbuf *out)
{
    return (struct cs_jsonw){.out = out, .flat_from = CS_JSONW_DEEPEST + 1, .empty = true};
}

static void jsonw_drain(struct cs_jsonw *w, size_t most)
{
    if (w->spill)
        cs_spill_some(w->spill, most);
}

void cs_jsonw_end(struct cs_jsonw *w)
{
    CS_REQUIRE(w->depth == 0 && !w->after_key);
    cs_strbuf_putc(w->out, '\n');
    jsonw_drain(w, 0);
}

void cs_jsonw_stream(struct cs_jsonw *w, struct cs_spill *spill)
{
    CS_REQUIRE(spill->out == w->out);
    w->spill = spill;
}

static void new_line(struct cs_jsonw *w)
{
    const size_t blanks = w->dense ? 0 : 2 * (size_t)w->depth;
    char *to = cs_strbuf_room(w->out, blanks + 1);

    *to = '\n';
    memset(to + 1, ' ', blanks);
    cs_strbuf_wrote(w->out, blanks + 1);
}

static bool is_flat(const struct cs_jsonw *w)
{
    return w->depth >= w->flat_from;
}

/* Write the separator before the next key or value of the innermost object or array. */
static void jsonw_separate(struct cs_jsonw *w)
{
    jsonw_drain(w, CS_SPILL_PIECE);
    if (!w->empty)
        cs_strbuf_puts(w->out, is_flat(w) && !w->dense ? ", " : ",");
    if (w->depth && !is_flat(w))
        new_line(w);
    w->empty = false;
}

static void before_value(struct cs_jsonw *w)
{
    const bool in_object = w->depth && w->closer[w->depth - 1] == '}';

    CS_REQUIRE(in_object == w->after_key);
    CS_REQUIRE(w->depth || w->empty);
    if (!w->after_key)
        jsonw_separate(w);
    w->after_key = false;
}

void cs_jsonw_open(struct cs_jsonw *w, char bracket)
{
    CS_REQUIRE(bracket == '{' || bracket == '[');
    CS_REQUIRE(w->depth < CS_JSONW_DEEPEST);
    before_value(w);
    cs_strbuf_putc(w->out, bracket);
    w->closer[w->depth++] = bracket == '{' ? '}' : ']';
    w->empty = true;
}

void cs_jsonw_open_flat(struct cs_jsonw *w, char bracket)
{
    cs_jsonw_open(w, bracket);
    if (!is_flat(w))
        w->flat_from = w->depth;
}

void cs_jsonw_close(struct cs_jsonw *w)
{
    const bool flat = is_flat(w);

    CS_REQUIRE(w->depth > 0 && !w->after_key);
    if (w->depth == w->flat_from)
        w->flat_from = CS_JSONW_DEEPEST + 1;
    w->depth--;
    if (!w->empty && !flat)
        new_line(w);
    cs_strbuf_putc(w->out, w->closer[w->depth]);
    w->empty = false;
}

static void put_escaped(struct cs_strbuf *out, unsigned char c)
{
    static const char plain[] = "\"\"\\\\\bb\ff\nn\rr\tt";

    for (const char *p = plain; *p; p += 2) {
        if (c == (unsigned char)*p) {
            cs_strbuf_putc(out, '\\');
            cs_strbuf_putc(out, p[1]);
            return;
        }
    }
    cs_strbuf_printf(out, "\\u%04x", c);
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* How much of the text is written as it is. */
static size_t plain_length(const char *text)
{
    size_t length = 0;

    while (is_plain((unsigned char)text[length]))
        length++;
    return length;
}

/* A text that is written as it is, in quotes, and what follows it: ": " or nothing. */
static void put_as_is(struct cs_strbuf *out, const char *text, size_t length, const char *behind)
{
    char *to = cs_strbuf_room(out, length + 4);
    size_t more = 0;

    *to++ = '"';
    memcpy(to, text, length);
    to[length] = '"';
    for (; behind[more]; more++)
        to[length + 1 + more] = behind[more];
    cs_strbuf_wrote(out, length + 2 + more);
}

static void put_escaping(struct cs_strbuf *out, const char *text)
{
    cs_strbuf_putc(out, '"');
    for (;;) {
        const size_t plain = plain_length(text);
        unsigned char c;
        int length;

        cs_strbuf_append(out, text, plain);
        text += plain;
        if (!*text)
            break;
        c = (unsigned char)*text;
        length = cs_utf8_length(text);

        if (!length)
            cs_strbuf_puts(out, "\xef\xbf\xbd");
        else if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            put_escaped(out, c);
        else
            cs_strbuf_append(out, text, (size_t)length);
        text += length ? length : 1;
    }
    cs_strbuf_putc(out, '"');
}

static void put_quoted(struct cs_strbuf *out, const char *text, const char *behind)
{
    const size_t plain = plain_length(text);

    if (!text[plain]) {
        put_as_is(out, text, plain, behind);
        return;
    }
    put_escaping(out, text);
    cs_strbuf_puts(out, behind);
}

void cs_jsonw_key(struct cs_jsonw *w, const char *key)
{
    CS_REQUIRE(w->depth && w->closer[w->depth - 1] == '}' && !w->after_key);
    jsonw_separate(w);
    put_quoted(w->out, key, w->dense ? ":" : ": ");
    w->after_key = true;
}

void cs_jsonw_string(struct cs_jsonw *w, const char *text)
{
    before_value(w);
    if (text)
        put_quoted(w->out, text, "");
    else
        cs_strbuf_puts(w->out, "null");
}

void cs_jsonw_double(struct cs_jsonw *w, double value)
{
    before_value(w);
    if (isfinite(value))
        cs_strbuf_put_double(w->out, value);
    else
        cs_strbuf_puts(w->out, "null");
}

void cs_jsonw_int(struct cs_jsonw *w, int64_t value)
{
    before_value(w);
    cs_strbuf_put_int(w->out, value);
}

void cs_jsonw_uint(struct cs_jsonw *w, uint64_t value)
{
    before_value(w);
    cs_strbuf_put_uint(w->out, value);
}

void cs_jsonw_bool(struct cs_jsonw *w, bool value)
{
    before_value(w);
    cs_strbuf_puts(w->out, value ? "true" : "false");
}

void cs_jsonw_null(struct cs_jsonw *w)
{
    before_value(w);
    cs_strbuf_puts(w->out, "null");
}

void cs_jsonw_put_string(struct cs_jsonw *w, const char *key, const char *text)
{
    cs_jsonw_key(w, key);
    cs_jsonw_string(w, text);
}

void cs_jsonw_put_double(struct cs_jsonw *w, const char *key, double value)
{
    cs_jsonw_key(w, key);
    cs_jsonw_double(w, value);
}

void cs_jsonw_put_int(struct cs_jsonw *w, const char *key, int64_t value)
{
    cs_jsonw_key(w, key);
    cs_jsonw_int(w, value);
}

void cs_jsonw_put_bool(struct cs_jsonw *w, const char *key, bool value)
{
    cs_jsonw_key(w, key);
    cs_jsonw_bool(w, value);
}
