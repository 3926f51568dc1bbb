/* names.c - a hash table with open addressing, at most half full. */
#include "io/names.h"

#include "base/bug.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)64)

struct cs_names {
    struct cs_arena *arena;
    const char **name; /* slots / 2 */
    int count;
    struct slot *slot;
    size_t slots;
};

/* With the hash, so that other names are not looked at. */
struct slot {
    uint32_t hash;
    int number; /* + 1, 0: free */
};

struct cs_names *cs_names_create(struct cs_arena *arena)
{
    struct cs_names *names = CS_NEW(arena, struct cs_names);

    *names = (struct cs_names){
        .arena = arena,
        .name = CS_NEW_ARRAY(arena, const char *, FIRST_SLOTS / 2),
        .slot = CS_NEW_ARRAY(arena, struct slot, FIRST_SLOTS),
        .slots = FIRST_SLOTS,
    };
    return names;
}

/* FNV-1a, 64 bits. */
static uint32_t names_hash(const char *text)
{
    uint64_t sum = 0xcbf29ce484222325U;

    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3U;
    return (uint32_t)(sum ^ sum >> 32);
}

/* The slot of the name, or the free one where it belongs. */
static struct slot *find_slot(const struct cs_names *names, const char *name, uint32_t sum)
{
    size_t at = sum & (names->slots - 1);

    for (; names->slot[at].number; at = (at + 1) & (names->slots - 1))
        if (names->slot[at].hash == sum &&
            strcmp(names->name[names->slot[at].number - 1], name) == 0)
            break;
    return &names->slot[at];
}

int cs_names_find(const struct cs_names *names, const char *name)
{
    return find_slot(names, name, names_hash(name))->number - 1;
}

static void names_grow(struct cs_names *names)
{
    const struct slot *old = names->slot;
    const size_t before = names->slots;

    names->slots *= 2;
    names->slot = CS_NEW_ARRAY(names->arena, struct slot, names->slots);
    names->name = cs_arena_grow(names->arena, names->name, (size_t)names->count, names->slots / 2,
                                sizeof *names->name);
    for (size_t i = 0; i < before; i++) {
        size_t at = old[i].hash & (names->slots - 1);

        if (!old[i].number)
            continue;
        while (names->slot[at].number)
            at = (at + 1) & (names->slots - 1);
        names->slot[at] = old[i];
    }
}

int cs_names_add(struct cs_names *names, const char *name)
{
    const uint32_t sum = names_hash(name);
    struct slot *slot = find_slot(names, name, sum);

    if (slot->number)
        return slot->number - 1;
    CS_REQUIRE(names->count < INT_MAX / 2);
    if ((size_t)names->count == names->slots / 2) {
        names_grow(names);
        slot = find_slot(names, name, sum);
    }
    names->name[names->count++] = cs_arena_strdup(names->arena, name);
    *slot = (struct slot){sum, names->count};
    return names->count - 1;
}

const char *cs_names_distinct(struct cs_names *names, const char *text)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    int number;

    cs_strbuf_puts(&name, text);
    for (int copy = 2; cs_names_find(names, name.text) >= 0; copy++) {
        cs_strbuf_clear(&name);
        cs_strbuf_printf(&name, "%s#%d", text, copy);
    }
    number = cs_names_add(names, name.text);
    cs_strbuf_release(&name);
    return names->name[number];
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

const char *cs_names_add_id(struct cs_names *names, int64_t id, int place, struct cs_arena *arena)
{
    char text[64];

    cs_plain_print(text, sizeof text, "%" PRId64, id);
    for (int again = place + 1; cs_names_find(names, text) >= 0; again++)
        cs_plain_print(text, sizeof text, "%" PRId64 ".%d", id, again);
    cs_names_add(names, text);
    return cs_arena_strdup(arena, text);
}
