/* words.c - a comma begins a name, unless a parameter follows it. */
#include "problem/words.h"

#include <stdbool.h>
#include <string.h>

/* Does the text after a comma begin with a parameter of the preceding policy? */
static bool is_parameter(const char *text)
{
    size_t length = strcspn(text, ",:=");

    return text[length] == '=';
}

/* The comma behind the first name, or the end of the text. */
static const char *name_end(const char *text)
{
    const char *end = strchr(text, ',');

    while (end && is_parameter(end + 1))
        end = strchr(end + 1, ',');
    return end ? end : text + strlen(text);
}

static int count_names(const char *text)
{
    int count = 1;

    for (text = name_end(text); *text; text = name_end(text + 1))
        count++;
    return count;
}

struct cs_words cs_words_split(const char *text, struct cs_arena *arena)
{
    int count = count_names(text);
    const char **name = CS_NEW_ARRAY(arena, const char *, count);

    for (int i = 0; i < count; i++) {
        const char *end = name_end(text);

        name[i] = cs_arena_strndup(arena, text, (size_t)(end - text));
        text = end + 1;
    }
    return (struct cs_words){count, name};
}
