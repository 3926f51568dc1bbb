/* utf8.c - good UTF-8 told from bad. */
#include "base/utf8.h"

/* How many bytes a character with this first byte has; 0 when none begins with it. */
static int announced(unsigned char first)
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
    const int length = announced(at[0]);
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
