/* store.c - a hash table in memory; entries live as long as the store. */
#include "campaign/store.h"

#include "base/arena.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <string.h>

#define BUCKETS 4096

struct entry {
    struct entry *next;
    const char *key;
    const double *value;
};

struct cs_store {
    struct cs_arena *arena;
    struct entry *bucket[BUCKETS];
};

struct cs_store *cs_store_create(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_store *store = CS_NEW(arena, struct cs_store);

    store->arena = arena;
    return store;
}

void cs_store_destroy(struct cs_store *store)
{
    if (store)
        cs_arena_destroy(store->arena);
}

static int append(const char *bytes, size_t size, void *key)
{
    cs_strbuf_append(key, bytes, size);
    return 0;
}

static void put_key(struct cs_strbuf *key, const struct cs_runner *runner,
                    const struct cs_cell *cell)
{
    cs_strbuf_printf(key, "%s %" PRIu64 " ", runner->name, cell->seed);
    json_dump_callback(cell->parameters, append, key, JSON_SORT_KEYS | JSON_COMPACT);
}

/* FNV-1a. */
static size_t hash(const char *key)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * UINT64_C(1099511628211);
    return h % BUCKETS;
}

static const struct entry *find(const struct cs_store *store, const char *key)
{
    const struct entry *entry = store->bucket[hash(key)];

    while (entry && strcmp(entry->key, key))
        entry = entry->next;
    return entry;
}

bool cs_store_get(struct cs_store *store, const struct cs_runner *runner,
                  const struct cs_cell *cell, double *value)
{
    size_t size = (size_t)cs_runner_metrics(runner) * sizeof *value;
    struct cs_strbuf key = CS_STRBUF_INIT;
    const struct entry *entry;

    put_key(&key, runner, cell);
#pragma omp critical(cs_store)
    entry = find(store, key.text);
    if (entry)
        memcpy(value, entry->value, size);
    cs_strbuf_release(&key);
    return entry != NULL;
}

static void insert(struct cs_store *store, const char *key, const double *value, int metrics)
{
    struct entry *entry = CS_NEW(store->arena, struct entry);
    double *copy = CS_NEW_ARRAY(store->arena, double, metrics);
    size_t at = hash(key);

    memcpy(copy, value, (size_t)metrics * sizeof *copy);
    *entry = (struct entry){
        .next = store->bucket[at], .key = cs_arena_strdup(store->arena, key), .value = copy};
    store->bucket[at] = entry;
}

void cs_store_put(struct cs_store *store, const struct cs_runner *runner,
                  const struct cs_cell *cell, const double *value)
{
    struct cs_strbuf key = CS_STRBUF_INIT;

    put_key(&key, runner, cell);
#pragma omp critical(cs_store)
    if (!find(store, key.text))
        insert(store, key.text, value, cs_runner_metrics(runner));
    cs_strbuf_release(&key);
}
