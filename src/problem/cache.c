/* cache.c - a short list of objects. Each has a lock: making one does not delay calls for others.
 */
#include "problem/cache.h"
#include "base/arena.h"
#include "base/digest.h"
#include "base/lock.h"
#include "problem/problem.h"

#include <cosched/workload.h>

#include <stdbool.h>
#include <string.h>

/* Numbers of profiles in a fixed order. */

/* Measured at 1, 2, ..., count: then the rule for times between points does not matter. */
static bool is_table(const struct cs_profile *profile)
{
    if (profile->kind == CS_PROFILE_POINTS)
        for (int i = 0; i < profile->count; i++)
            if (profile->procs[i] != i + 1)
                return false;
    return profile->kind == CS_PROFILE_TABLE || profile->kind == CS_PROFILE_POINTS;
}

static void put_measured(struct cs_digest *digest, const struct cs_profile *profile)
{
    bool table = is_table(profile);

    cs_digest_put_integer(digest, table ? CS_PROFILE_TABLE : CS_PROFILE_POINTS);
    cs_digest_put_integer(digest, profile->count);
    if (!table) {
        cs_digest_put_integer(digest, profile->fill);
        cs_digest_put_integer(digest, profile->fewer);
    }
    for (int i = 0; i < profile->count; i++) {
        cs_digest_put_integer(digest, table ? i + 1 : profile->procs[i]);
        cs_digest_put_double(digest, profile->seconds[i]);
    }
}

void cs_identity_put_profile(struct cs_digest *digest, const struct cs_profile *profile)
{
    if (profile->kind == CS_PROFILE_TABLE || profile->kind == CS_PROFILE_POINTS) {
        put_measured(digest, profile);
        return;
    }
    cs_digest_put_integer(digest, profile->kind);
    cs_digest_put_double(digest, profile->seq_time);
    cs_digest_put_double(digest, profile->seq_fraction);
    cs_digest_put_double(digest, profile->kind == CS_PROFILE_AMDAHL ? 0 : profile->overhead);
    if (profile->kind == CS_PROFILE_POWER)
        cs_digest_put_double(digest, profile->exponent);
    if (profile->kind == CS_PROFILE_DOWNEY) {
        cs_digest_put_double(digest, profile->parallelism);
        cs_digest_put_double(digest, profile->sigma);
    }
}

struct entry {
    struct entry *next;
    const char *key;
    void *thing; /* NULL until it is made */
    void (*destroy)(void *thing);
    struct cs_lock lock;
};

struct cs_cache {
    struct cs_guarded guarded; /* first member: a guard destroys the objects through it */
    struct cs_arena *arena;
    struct cs_lock lock; /* of the list */
    struct entry *first;
};

static void things_destroy(struct cs_guarded *cache)
{
    struct cs_cache *keep = (struct cs_cache *)(void *)cache;

    for (struct entry *entry = keep->first; entry; entry = entry->next) {
        if (entry->thing)
            entry->destroy(entry->thing);
        cs_lock_destroy(&entry->lock);
    }
    cs_lock_destroy(&keep->lock);
}

struct cs_cache *cs_cache_create(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_cache *keep = CS_NEW(arena, struct cs_cache);

    keep->arena = arena;
    cs_lock_init(&keep->lock);
    cs_guard_keep(&keep->guarded, things_destroy);
    return keep;
}

void cs_cache_destroy(struct cs_cache *keep)
{
    if (!keep)
        return;
    cs_guard_discard(&keep->guarded);
    things_destroy(&keep->guarded);
    cs_arena_destroy(keep->arena);
}

/* The entry of the key; a new entry has no object yet. */
static struct entry *cache_find(struct cs_cache *keep, const char *key,
                                const struct cs_cache_kind *kind)
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
    cs_lock_init(&entry->lock);
    keep->first = entry;
    return entry;
}

static void *make_guarded(const struct cs_cache_kind *kind, const void *how, struct cs_error *err)
{
    CS_GUARD_INNER(err, NULL);

    return kind->make(how, err);
}

/* The run that needs an object first may run out of memory later, while other runs use the object:
 * it is made outside the guard of that run. */
static void *make_thing(const struct cs_cache_kind *kind, const void *how, struct cs_error *err)
{
    struct cs_guard *const guard = cs_guard_here();
    void *thing;

    cs_guard_lend(NULL);
    thing = make_guarded(kind, how, err);
    cs_guard_lend(guard);
    return thing;
}

const void *cs_cache_get(struct cs_cache *keep, const char *key, const struct cs_cache_kind *kind,
                         const void *how, struct cs_error *err)
{
    struct entry *entry;
    const void *thing;

    cs_lock_take(&keep->lock);
    entry = cache_find(keep, key, kind);
    cs_lock_give(&keep->lock);
    cs_lock_take(&entry->lock);
    if (!entry->thing)
        entry->thing = make_thing(kind, how, err);
    thing = entry->thing;
    cs_lock_give(&entry->lock);
    return thing;
}

const void *cs_cache_get_by(struct cs_cache *keep, const struct cs_cache_by *by,
                            const struct cs_cache_kind *kind, const void *how, struct cs_error *err)
{
    struct cs_strbuf key = CS_STRBUF_INIT;
    char digest[CS_DIGEST_TEXT];
    const void *thing;

    cs_params_digest(by->problem->param, by->options, by->of, by->without, digest);
    cs_strbuf_printf(&key, "%s %s %s", by->problem->name, kind->name, digest);
    thing = cs_cache_get(keep, key.text, kind, how, err);
    cs_strbuf_release(&key);
    return thing;
}
