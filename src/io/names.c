/* names.c - a hash table with open addressing, at most half full. */
#include "io/names.h"

#include "base/bug.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)64)

struct cs_names {
    struct cs_arena *arena;
    const char **name; /* slots / 2 */
    int count;
    int *slot; /* number + 1, 0: free */
    size_t slots;
};

struct cs_names *cs_names_create(struct cs_arena *arena)
{
    struct cs_names *names = CS_NEW(arena, struct cs_names);

    *names = (struct cs_names){
        .arena = arena,
        .name = CS_NEW_ARRAY(arena, const char *, FIRST_SLOTS / 2),
        .slot = CS_NEW_ARRAY(arena, int, FIRST_SLOTS),
        .slots = FIRST_SLOTS,
    };
    return names;
}

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *text)
{
    uint64_t sum = 0xcbf29ce484222325U;

    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3U;
    return sum ^ sum >> 32;
}

/* The slot of the name, or the free one where it belongs. */
static int *find_slot(const struct cs_names *names, const char *name)
{
    size_t at = (size_t)hash(name) & (names->slots - 1);

    while (names->slot[at] && strcmp(names->name[names->slot[at] - 1], name) != 0)
        at = (at + 1) & (names->slots - 1);
    return &names->slot[at];
}

int cs_names_find(const struct cs_names *names, const char *name)
{
    return *find_slot(names, name) - 1;
}

static void grow(struct cs_names *names)
{
    const char **old = names->name;

    names->slots *= 2;
    names->slot = CS_NEW_ARRAY(names->arena, int, names->slots);
    names->name = CS_NEW_ARRAY(names->arena, const char *, names->slots / 2);
    memcpy(names->name, old, (size_t)names->count * sizeof *old);
    for (int i = 0; i < names->count; i++)
        *find_slot(names, names->name[i]) = i + 1;
}

int cs_names_add(struct cs_names *names, const char *name)
{
    int *slot = find_slot(names, name);

    if (*slot)
        return *slot - 1;
    CS_REQUIRE(names->count < INT_MAX / 2);
    if ((size_t)names->count == names->slots / 2) {
        grow(names);
        slot = find_slot(names, name);
    }
    names->name[names->count++] = cs_arena_strdup(names->arena, name);
    *slot = names->count;
    return names->count - 1;
}

const char *const *cs_names_list(const struct cs_names *names, int *count)
{
    *count = names->count;
    return names->name;
}

/* U+0080 to U+009F, which terminals obey too. */
static bool is_high_control(const char *at)
{
    return (unsigned char)at[0] == 0xc2 && (unsigned char)at[1] < 0xa0;
}

const char *cs_names_fault(const char *name)
{
    if (!*name)
        return "it is empty";
    while (*name) {
        int length = cs_utf8_length(name);

        if (length == 0)
            return "it is not UTF-8";
        if ((unsigned char)*name < 0x20 || *name == 0x7f || is_high_control(name))
            return "it has a control character";
        name += length;
    }
    return NULL;
}
