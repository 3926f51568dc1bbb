/* spell.c - edit distance with swaps of neighbours (optimal string alignment). */
#include "base/spell.h"

#include <stddef.h>
#include <string.h>

#define LONGEST (CS_SPELL_SIZE - 1)

static int spell_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int cut_length(const char *text)
{
    size_t length = strlen(text);

    return length < LONGEST ? (int)length : LONGEST;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* One row of the table: the distances of the first i letters of a to all beginnings of b. */
static void fill_row(const char *a, int i, const char *b, int length, const int *before,
                     const int *above, int *row)
{
    row[0] = i;
    for (int j = 1; j <= length; j++) {
        int same = spell_lower(a[i - 1]) == spell_lower(b[j - 1]);

        row[j] = min(above[j - 1] + !same, 1 + min(above[j], row[j - 1]));
        if (i > 1 && j > 1 && spell_lower(a[i - 1]) == spell_lower(b[j - 2]) &&
            spell_lower(a[i - 2]) == spell_lower(b[j - 1]))
            row[j] = min(row[j], before[j - 2] + 1);
    }
}

int cs_spell_distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int height = cut_length(a), width = cut_length(b);

    for (int j = 0; j <= width; j++)
        rows[0][j] = j;
    for (int i = 1; i <= height; i++)
        fill_row(a, i, b, width, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[height % 3][width];
}

static int goes_on(const char *word, const char *name)
{
    size_t length = strlen(word);

    return length >= 2 && strlen(name) > length && strncmp(word, name, length) == 0;
}

void cs_spell_offer(struct cs_spell *spell, const char *name)
{
    int distance = cs_spell_distance(spell->word, name);
    int length = cut_length(name);

    if (goes_on(spell->word, name))
        distance = min(distance, 1);
    if (distance > (length + 2) / 3 || distance >= length)
        return;
    if (spell->best[0] && spell->distance <= distance)
        return;
    memcpy(spell->best, name, (size_t)length);
    spell->best[length] = '\0';
    spell->distance = distance;
}

void cs_spell_offer_parts(struct cs_spell *spell, const char *parts, char separator)
{
    const char *stop;

    do {
        char name[CS_SPELL_SIZE] = "";
        size_t length;

        stop = strchr(parts, separator);
        length = stop ? (size_t)(stop - parts) : strlen(parts);
        memcpy(name, parts, length < LONGEST ? length : LONGEST);
        cs_spell_offer(spell, name);
        parts += length + 1;
    } while (stop);
}

void cs_spell_put_parts(struct cs_strbuf *out, const char *parts)
{
    for (; *parts; parts++) {
        if (*parts != '|')
            cs_strbuf_putc(out, *parts);
        else
            cs_strbuf_puts(out, strchr(parts + 1, '|') ? ", " : " or ");
    }
}
