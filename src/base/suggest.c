/* suggest.c - edit distance with swaps of neighbours (optimal string alignment). */
#include "base/suggest.h"

#include <stddef.h>
#include <string.h>

#define LONGEST (CS_SUGGEST_SIZE - 1)

static int suggest_lower(char c)
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
        int same = suggest_lower(a[i - 1]) == suggest_lower(b[j - 1]);

        row[j] = min(above[j - 1] + !same, 1 + min(above[j], row[j - 1]));
        if (i > 1 && j > 1 && suggest_lower(a[i - 1]) == suggest_lower(b[j - 2]) &&
            suggest_lower(a[i - 2]) == suggest_lower(b[j - 1]))
            row[j] = min(row[j], before[j - 2] + 1);
    }
}

int cs_suggest_distance(const char *a, const char *b)
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

void cs_suggest_offer(struct cs_suggest *suggest, const char *name)
{
    int distance = cs_suggest_distance(suggest->word, name);
    int length = cut_length(name);

    if (goes_on(suggest->word, name))
        distance = min(distance, 1);
    if (distance > (length + 2) / 3 || distance >= length)
        return;
    if (suggest->best[0] && suggest->distance <= distance)
        return;
    memcpy(suggest->best, name, (size_t)length);
    suggest->best[length] = '\0';
    suggest->distance = distance;
}

void cs_suggest_offer_parts(struct cs_suggest *suggest, const char *parts, char separator)
{
    const char *stop;

    do {
        char name[CS_SUGGEST_SIZE] = "";
        size_t length;

        stop = strchr(parts, separator);
        length = stop ? (size_t)(stop - parts) : strlen(parts);
        memcpy(name, parts, length < LONGEST ? length : LONGEST);
        cs_suggest_offer(suggest, name);
        parts += length + 1;
    } while (stop);
}

void cs_suggest_put_parts(struct cs_strbuf *out, const char *parts)
{
    for (; *parts; parts++) {
        if (*parts != '|')
            cs_strbuf_putc(out, *parts);
        else
            cs_strbuf_puts(out, strchr(parts + 1, '|') ? ", " : " or ");
    }
}
