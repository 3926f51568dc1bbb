/* cache.c - few things, in a list; a lock for each, so that making one keeps nobody else waiting.
 */
#include "study/cache.h"

#include "base/arena.h"
#include "base/thread.h"

#include <string.h>

struct entry {
    struct entry *next;
    const char *key;
    void *thing; /* NULL while nobody has made it */
    void (*destroy)(void *thing);
#ifdef _OPENMP
    omp_lock_t lock;
#endif
};

#ifdef _OPENMP
static void lock_init(struct entry *entry)
{
    omp_init_lock(&entry->lock);
}
static void lock_destroy(struct entry *entry)
{
    omp_destroy_lock(&entry->lock);
}
static void lock(struct entry *entry)
{
    omp_set_lock(&entry->lock);
}
static void unlock(struct entry *entry)
{
    omp_unset_lock(&entry->lock);
}
#else
static void lock_init(struct entry *entry)
{
    (void)entry;
}
static void lock_destroy(struct entry *entry)
{
    (void)entry;
}
static void lock(struct entry *entry)
{
    (void)entry;
}
static void unlock(struct entry *entry)
{
    (void)entry;
}
#endif

struct cs_cache {
    struct cs_arena *arena;
    struct entry *first;
};

struct cs_cache *cs_cache_create(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_cache *keep = CS_NEW(arena, struct cs_cache);

    keep->arena = arena;
    return keep;
}

void cs_cache_destroy(struct cs_cache *keep)
{
    if (!keep)
        return;
    for (struct entry *entry = keep->first; entry; entry = entry->next) {
        if (entry->thing)
            entry->destroy(entry->thing);
        lock_destroy(entry);
    }
    cs_arena_destroy(keep->arena);
}

/* The entry of the key; a new one has nothing yet. */
static struct entry *find(struct cs_cache *keep, const char *key, const struct cs_cache_kind *kind)
{
    struct entry *entry = keep->first;

    while (entry && strcmp(entry->key, key))
        entry = entry->next;
    if (entry)
        return entry;
    entry = CS_NEW(keep->arena, struct entry);
    entry->next = keep->first;
    entry->key = cs_arena_strdup(keep->arena, key);
    entry->destroy = kind->destroy;
    lock_init(entry);
    keep->first = entry;
    return entry;
}

const void *cs_cache_get(struct cs_cache *keep, const char *key, const struct cs_cache_kind *kind,
                         const void *how, struct cs_error *err)
{
    struct entry *entry;
    const void *thing;

#pragma omp critical(cs_cache)
    entry = find(keep, key, kind);
    lock(entry);
    if (!entry->thing)
        entry->thing = kind->make(how, err);
    thing = entry->thing;
    unlock(entry);
    return thing;
}
