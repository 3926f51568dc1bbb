/* dot_lex.c - words of DOT. */
#include "io/dot_lex.h"

#include "base/plain.h"

#include <stdarg.h>
#include <string.h>

void cs_dot_lex_begin(struct cs_dot_lex *lex, const char *file, const char *bytes, size_t size)
{
    *lex = (struct cs_dot_lex){
        .file = file, .at = bytes, .end = bytes + size, .line = 1, .text = CS_STRBUF_INIT};
    if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
        lex->at += 3;
}

int cs_dot_lex_error(const struct cs_dot_lex *lex, struct cs_error *err, const char *format, ...)
{
    struct cs_error fault = {0};
    va_list args;

    va_start(args, format);
    cs_plain_vprint(fault.text, sizeof fault.text, format, args);
    va_end(args);
    return cs_error_set_at(err, CS_ERROR_INPUT, lex->file, lex->line, "%s", fault.text);
}

int cs_dot_lex_expected(const struct cs_dot_lex *lex, const char *right, struct cs_error *err)
{
    struct cs_strbuf found = CS_STRBUF_INIT;

    if (lex->kind == CS_DOT_ID)
        cs_strbuf_put_excerpt(&found, lex->text.text);
    else if (lex->kind == CS_DOT_MARK)
        cs_strbuf_printf(&found, "\"%c\"", lex->mark);
    else
        cs_strbuf_puts(&found, lex->kind == CS_DOT_ARROW ? "\"->\"" : "the end of the file");
    cs_dot_lex_error(lex, err, "found %s, expected %s", found.text, right);
    cs_strbuf_release(&found);
    return -1;
}

bool cs_dot_lex_is(const struct cs_dot_lex *lex, char mark)
{
    return lex->kind == CS_DOT_MARK && lex->mark == mark;
}

bool cs_dot_lex_keyword(const struct cs_dot_lex *lex, const char *word)
{
    return lex->kind == CS_DOT_ID && !lex->quoted && !cs_plain_compare(lex->text.text, word);
}

static bool follows(const struct cs_dot_lex *lex, const char *text)
{
    size_t length = strlen(text);

    return (size_t)(lex->end - lex->at) >= length && !memcmp(lex->at, text, length);
}

static void skip_line(struct cs_dot_lex *lex)
{
    while (lex->at < lex->end && *lex->at != '\n')
        lex->at++;
}

static int skip_comment(struct cs_dot_lex *lex, struct cs_error *err)
{
    long line = lex->line;

    for (lex->at += 2; lex->at < lex->end; lex->at++) {
        if (follows(lex, "*/")) {
            lex->at += 2;
            return 0;
        }
        lex->line += *lex->at == '\n';
    }
    lex->line = line;
    return cs_dot_lex_error(lex, err, "the comment that begins here never ends");
}

/* Blanks and comments. */
static int skip(struct cs_dot_lex *lex, struct cs_error *err)
{
    bool fresh = lex->line == 1 && lex->kind == CS_DOT_END;

    while (lex->at < lex->end) {
        char c = *lex->at;

        if (c == '\n') {
            lex->line++;
            lex->at++;
            fresh = true;
        } else if (c && strchr(" \t\r\f\v", c)) {
            lex->at++;
        } else if (follows(lex, "//") || (c == '#' && fresh)) {
            skip_line(lex);
        } else if (follows(lex, "/*")) {
            if (skip_comment(lex, err))
                return -1;
        } else {
            break;
        }
    }
    return 0;
}

static bool in_name(char c)
{
    unsigned char u = (unsigned char)c;

    return u >= 0x80 || u == '_' || (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') ||
           (u >= 'A' && u <= 'Z');
}

static int read_quoted(struct cs_dot_lex *lex, struct cs_error *err)
{
    long line = lex->line;

    for (lex->at++; lex->at < lex->end && *lex->at != '"'; lex->at++) {
        if (follows(lex, "\\\"")) {
            lex->at++;
        } else if (follows(lex, "\\\n") || follows(lex, "\\\r\n")) {
            lex->at += lex->at[1] == '\r' ? 2 : 1;
            lex->line++;
            continue;
        }
        if (!*lex->at)
            return cs_dot_lex_error(lex, err, "there is a NUL byte");
        lex->line += *lex->at == '\n';
        cs_strbuf_putc(&lex->text, *lex->at);
    }
    if (lex->at == lex->end) {
        lex->line = line;
        return cs_dot_lex_error(lex, err, "the quoted text that begins here never ends");
    }
    lex->at++;
    return 0;
}

/* "a" + "b" */
static int read_quoted_parts(struct cs_dot_lex *lex, struct cs_error *err)
{
    lex->kind = CS_DOT_ID;
    lex->quoted = true;
    for (;;) {
        if (read_quoted(lex, err) || skip(lex, err))
            return -1;
        if (lex->at == lex->end || *lex->at != '+')
            return 0;
        lex->at++;
        if (skip(lex, err))
            return -1;
        if (lex->at == lex->end || *lex->at != '"')
            return cs_dot_lex_error(lex, err, "after + there must be quoted text");
    }
}

/* A name, or a numeral: [-] digits [. digits]. */
static int read_name(struct cs_dot_lex *lex, struct cs_error *err)
{
    const char *from = lex->at;

    lex->kind = CS_DOT_ID;
    if (lex->at < lex->end && *lex->at == '-')
        lex->at++;
    while (lex->at < lex->end && (in_name(*lex->at) || *lex->at == '.'))
        lex->at++;
    if (lex->at == from + (*from == '-'))
        return cs_dot_lex_error(lex, err,
                                "found the byte 0x%02x, where none of the words of DOT begins",
                                (unsigned char)*from);
    cs_strbuf_append(&lex->text, from, (size_t)(lex->at - from));
    return 0;
}

int cs_dot_lex_next(struct cs_dot_lex *lex, struct cs_error *err)
{
    if (skip(lex, err))
        return -1;
    cs_strbuf_clear(&lex->text);
    lex->quoted = false;
    if (lex->at == lex->end) {
        lex->kind = CS_DOT_END;
        return 0;
    }
    if (*lex->at == '"')
        return read_quoted_parts(lex, err);
    if (follows(lex, "->")) {
        lex->kind = CS_DOT_ARROW;
        lex->at += 2;
        return 0;
    }
    if (follows(lex, "--"))
        return cs_dot_lex_error(lex, err, "found --, arcs of a digraph are written ->");
    if (*lex->at && strchr("{}[]=;,:", *lex->at)) {
        lex->kind = CS_DOT_MARK;
        lex->mark = *lex->at++;
        return 0;
    }
    return read_name(lex, err);
}
