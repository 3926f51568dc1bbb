/* template.c - braces and what is between them. */
#include "run/template.h"

#include <string.h>

/* The word that begins after a brace; *after is behind its end. */
static int expand_word(const char *text, const char *at, cs_run_word_f *value, void *who,
                       struct cs_strbuf *out, const char **after, struct cs_error *err)
{
    size_t length = strcspn(at, "{}");
    int found;

    if (at[length] != '}')
        return cs_error_set(err, "\"%.60s\" has a brace that is not closed; {{ stands for a brace",
                            text);
    *after = at + length + 1;
    found = value(who, at, length, out, err);
    if (found == 0)
        cs_error_set(err, "\"%.60s\": there is no word {%.*s}", text,
                     length < 40 ? (int)length : 40, at);
    return found > 0 ? 0 : -1;
}

int cs_run_template_expand(const char *text, cs_run_word_f *value, void *who, struct cs_strbuf *out,
                           struct cs_error *err)
{
    const char *at = text;

    for (;;) {
        size_t plain = strcspn(at, "{}");

        cs_strbuf_append(out, at, plain);
        at += plain;
        if (!*at)
            return 0;
        if (at[0] == at[1]) {
            cs_strbuf_putc(out, at[0]);
            at += 2;
        } else if (*at == '}') {
            return cs_error_set(err,
                                "\"%.60s\" closes a brace that is not open; }} stands for a "
                                "brace",
                                text);
        } else if (expand_word(text, at + 1, value, who, out, &at, err)) {
            return -1;
        }
    }
}
