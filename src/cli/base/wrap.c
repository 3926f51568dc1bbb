/* wrap.c - wrapping paragraphs. */
#include "cli/base/wrap.h"

#include <string.h>

void cs_wrap_spaces(struct cs_strbuf *out, int count)
{
    while (count-- > 0)
        cs_strbuf_putc(out, ' ');
}

/* A word ends at white space, but not inside brackets. */
static size_t word_length(const char *text)
{
    size_t length = 0;
    int depth = 0;

    for (; text[length] && (depth > 0 || !strchr(" \n", text[length])); length++)
        depth += (text[length] == '[') - (text[length] == ']');
    return length;
}

void cs_wrap_text(struct cs_strbuf *out, const char *text, int column, int indent)
{
    bool first = true;

    for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
        size_t length = word_length(text);

        if (!first && column + 1 + (int)length >= CS_WRAP_WIDTH) {
            cs_strbuf_putc(out, '\n');
            cs_wrap_spaces(out, indent);
            column = indent;
        } else if (!first) {
            cs_strbuf_putc(out, ' ');
            column++;
        }
        cs_strbuf_append(out, text, length);
        column += (int)length;
        text += length;
        first = false;
    }
    cs_strbuf_putc(out, '\n');
}

int cs_wrap_paragraph(const char **at, const char **text, bool *literal)
{
    const char *stop;
    int length;

    *at += strspn(*at, "\n");
    *text = *at;
    *literal = (*at)[0] == ' ' && (*at)[1] == ' ';
    stop = strstr(*at, "\n\n");
    length = stop ? (int)(stop - *at) : (int)strlen(*at);
    *at += length;
    return length;
}
