/* xml.h - is this text well-formed XML, as our pictures write it?  A second opinion that shares
 * nothing with the writer: tags nest, attributes are quoted and distinct, & and < are escaped,
 * no control characters, and no number is "nan" or "inf". */
#ifndef CS_TESTS_UNIT_XML_H
#define CS_TESTS_UNIT_XML_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct xml {
    const char *at;
    char open[32][16];
    int depth;
    const char *wrong;
};

static inline bool xml_wrong(struct xml *x, const char *what)
{
    x->wrong = what;
    return false;
}

static inline bool xml_name(struct xml *x, char *name, size_t size)
{
    size_t length =
        strspn(x->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");

    if (!length || length >= size)
        return xml_wrong(x, "a name");
    memcpy(name, x->at, length);
    name[length] = '\0';
    x->at += length;
    return true;
}

static inline bool xml_text(struct xml *x, const char *stop)
{
    for (; *x->at && !strchr(stop, *x->at); x->at++) {
        unsigned char c = (unsigned char)*x->at;

        if (c == '<' || (c < 0x20 && c != '\n' && c != '\t'))
            return xml_wrong(x, "a character in text");
        if (c == '&' && strncmp(x->at, "&amp;", 5) && strncmp(x->at, "&lt;", 4) &&
            strncmp(x->at, "&gt;", 4) && strncmp(x->at, "&quot;", 6))
            return xml_wrong(x, "an ampersand");
    }
    return true;
}

static inline bool xml_attributes(struct xml *x)
{
    char seen[16][24];
    int count = 0;

    while (*x->at == ' ') {
        const char *value;

        x->at++;
        if (count == 16 || !xml_name(x, seen[count], sizeof seen[0]))
            return xml_wrong(x, "an attribute");
        for (int i = 0; i < count; i++)
            if (!strcmp(seen[i], seen[count]))
                return xml_wrong(x, "an attribute twice");
        count++;
        if (strncmp(x->at, "=\"", 2))
            return xml_wrong(x, "a value without quotes");
        value = x->at += 2;
        if (!xml_text(x, "\"") || *x->at != '"')
            return xml_wrong(x, "a value");
        if (!strncmp(value, "nan", 3) || !strncmp(value, "inf", 3) || !strncmp(value, "-nan", 4))
            return xml_wrong(x, "a number");
        x->at++;
    }
    return true;
}

static inline bool xml_tag(struct xml *x)
{
    bool closing = x->at[1] == '/';
    char name[16];

    x->at += 1 + closing;
    if (!xml_name(x, name, sizeof name))
        return false;
    if (closing) {
        if (!x->depth || strcmp(x->open[--x->depth], name))
            return xml_wrong(x, "a closing tag");
    } else {
        if (!xml_attributes(x) || x->depth == 32)
            return false;
        if (*x->at == '/')
            x->at++;
        else
            strcpy(x->open[x->depth++], name);
    }
    return *x->at++ == '>' || xml_wrong(x, "the end of a tag");
}

/* NULL, or what is wrong. */
static inline const char *xml_check(const char *text)
{
    struct xml x = {.at = text};

    do {
        if (*x.at != '<' || !xml_tag(&x) || (x.depth && !xml_text(&x, "<")))
            return x.wrong ? x.wrong : "text outside";
    } while (*x.at && x.depth);
    return x.depth ? "an open tag" : x.at[strspn(x.at, "\n")] ? "text behind the end" : NULL;
}

static inline int xml_count(const char *text, const char *part)
{
    int count = 0;

    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

#endif
