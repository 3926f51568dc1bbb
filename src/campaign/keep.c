/* keep.c - few things, in a list. */
#include "campaign/keep.h"

#include "base/arena.h"

#include <string.h>

struct entry {
    struct entry *next;
    const char *key;
    void *thing;
    void (*destroy)(void *thing);
};

struct cs_keep {
    struct cs_arena *arena;
    struct entry *first;
};

struct cs_keep *cs_keep_create(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_keep *keep = CS_NEW(arena, struct cs_keep);

    keep->arena = arena;
    return keep;
}

void cs_keep_destroy(struct cs_keep *keep)
{
    if (!keep)
        return;
    for (const struct entry *entry = keep->first; entry; entry = entry->next)
        entry->destroy(entry->thing);
    cs_arena_destroy(keep->arena);
}

static void *find(const struct cs_keep *keep, const char *key)
{
    const struct entry *entry = keep->first;

    while (entry && strcmp(entry->key, key))
        entry = entry->next;
    return entry ? entry->thing : NULL;
}

static void add(struct cs_keep *keep, const char *key, const struct cs_keep_kind *kind, void *thing)
{
    struct entry *entry = CS_NEW(keep->arena, struct entry);

    *entry = (struct entry){.next = keep->first,
                            .key = cs_arena_strdup(keep->arena, key),
                            .thing = thing,
                            .destroy = kind->destroy};
    keep->first = entry;
}

const void *cs_keep_get(struct cs_keep *keep, const char *key, const struct cs_keep_kind *kind,
                        const void *how, struct cs_error *err)
{
    void *thing;

#pragma omp critical(cs_keep)
    {
        thing = find(keep, key);
        if (!thing && (thing = kind->make(how, err)))
            add(keep, key, kind, thing);
    }
    return thing;
}
