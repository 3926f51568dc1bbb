/* utf8.c - good UTF-8 told from bad. */
#include "base/utf8.h"

#include "base/plain.h"

#include <stdbool.h>
#include <string.h>

/* How many bytes a character with this first byte has; 0 when none begins with it. */
static int utf8_announced(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

int cs_utf8_length(const char *text)
{
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    const int length = utf8_announced(at[0]);
    unsigned code = length > 1 ? at[0] & (0x7fU >> length) : at[0];

    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return length;
}

static unsigned code_of(const char *text, int length)
{
    unsigned code = length > 1 ? (unsigned char)text[0] & (0x7fU >> length) : (unsigned char)*text;

    for (int i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

static bool is_control(unsigned code)
{
    static const unsigned range[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                        {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};

    for (size_t r = 0; r < sizeof range / sizeof *range; r++)
        if (code >= range[r][0] && code <= range[r][1])
            return true;
    return false;
}

int cs_utf8_show(const char *text, char form[CS_UTF8_FORM])
{
    const char *named = *text ? strchr("\nn\tt\rr", *text) : NULL;
    const int length = cs_utf8_length(text);
    const unsigned code = code_of(text, length);

    if (!length)
        cs_plain_print(form, CS_UTF8_FORM, "\\x%02x", (unsigned)(unsigned char)*text);
    else if (!is_control(code))
        cs_plain_print(form, CS_UTF8_FORM, "%.*s", length, text);
    else if (named && code < 0x20)
        cs_plain_print(form, CS_UTF8_FORM, "\\%c", named[1]);
    else
        cs_plain_print(form, CS_UTF8_FORM, code < 0x80 ? "\\x%02x" : "\\u%04x", code);
    return length ? length : 1;
}
