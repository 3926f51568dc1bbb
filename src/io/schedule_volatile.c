/* schedule_volatile.c - what a schedule of the volatile problem says about itself, as JSON. */
#include "io/schedule_json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const prefetches[] = {"none", "program", "data"};

/* Writing. */

static void put_host(struct cs_jsonw *w, const struct cs_volatile_declared *d, int host)
{
    cs_jsonw_open(w, '{');
    if (d->host[host])
        cs_jsonw_put_string(w, "name", d->host[host]);
    cs_jsonw_put_int(w, "slots", d->slots_per_task[host]);
    cs_jsonw_put_int(w, "capacity", d->capacity[host]);
    cs_jsonw_put_string(w, "trace", d->trace[host]);
    cs_jsonw_close(w);
}

static void put_configuration(struct cs_jsonw *w, const struct cs_volatile_declared *d, int number)
{
    const struct cs_volatile_declared_configuration *c = &d->configuration[number];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "iteration", c->iteration);
    cs_jsonw_put_int(w, "slot", c->slot);
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int q = 0; q < d->hosts; q++)
        cs_jsonw_int(w, c->tasks[q]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

void cs_schedule_json_put_volatile(struct cs_jsonw *w, const struct cs_volatile_declared *d)
{
    cs_jsonw_key(w, "application");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_int(w, "tasks", d->tasks);
    cs_jsonw_put_int(w, "iterations", d->iterations);
    cs_jsonw_put_int(w, "program", d->program);
    cs_jsonw_put_int(w, "data", d->data);
    cs_jsonw_put_int(w, "transfers", d->transfers);
    if (d->save_every) {
        cs_jsonw_put_int(w, "save_every", d->save_every);
        cs_jsonw_put_int(w, "save_cost", d->save_cost);
    }
    if (d->spares)
        cs_jsonw_put_int(w, "spares", d->spares);
    cs_jsonw_close(w);
    cs_jsonw_put_string(w, "prefetch", prefetches[d->prefetch]);
    cs_jsonw_put_int(w, "slots", d->slots);
    cs_jsonw_put_int(w, "completed", d->completed);
    cs_jsonw_put_double(w, "lower_bound", d->lower_bound);
    cs_jsonw_key(w, "hosts");
    cs_jsonw_open(w, '[');
    for (int q = 0; q < d->hosts; q++)
        put_host(w, d, q);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "configurations");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < d->configurations; i++)
        put_configuration(w, d, i);
    cs_jsonw_close(w);
}

/* Reading. */

static int get_or_0(const struct cs_json_at *at, const char *key, int *out, struct cs_error *err)
{
    return cs_json_has(at, key) ? cs_json_get_int(at, key, 0, INT_MAX, out, err) : 0;
}

static int read_application(const struct cs_json_at *root, struct cs_volatile_declared *d,
                            struct cs_error *err)
{
    struct cs_json_at at;

    if (cs_json_member(root, "application", &at, err) ||
        cs_json_keys(&at, "tasks|iterations|program|data|transfers|save_every|save_cost|spares",
                     err) ||
        cs_json_get_int(&at, "tasks", 1, INT_MAX, &d->tasks, err) ||
        cs_json_get_int(&at, "iterations", 1, INT_MAX, &d->iterations, err) ||
        cs_json_get_int(&at, "program", 0, INT_MAX, &d->program, err) ||
        cs_json_get_int(&at, "data", 0, INT_MAX, &d->data, err) ||
        get_or_0(&at, "save_every", &d->save_every, err) ||
        get_or_0(&at, "save_cost", &d->save_cost, err) || get_or_0(&at, "spares", &d->spares, err))
        return -1;
    return cs_json_get_int(&at, "transfers", 1, INT_MAX, &d->transfers, err);
}

static int read_prefetch(const struct cs_json_at *root, struct cs_volatile_declared *d,
                         struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    if (!cs_json_has(root, "prefetch"))
        return 0;
    if (cs_json_member(root, "prefetch", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    for (d->prefetch = 0; d->prefetch < 3; d->prefetch++)
        if (!strcmp(word, prefetches[d->prefetch]))
            return 0;
    return cs_json_error(&at, err, "found \"%.60s\", expected none, program or data", word);
}

static int read_slots(const struct cs_json_at *root, struct cs_volatile_declared *d,
                      struct cs_error *err)
{
    struct cs_json_at at;
    int64_t slots;

    if (cs_json_member(root, "slots", &at, err) || cs_json_int64(&at, 0, INT_MAX / 2, &slots, err))
        return -1;
    d->slots = slots;
    d->lower_bound = NAN;
    if (cs_json_has(root, "lower_bound") &&
        cs_json_get_double(root, "lower_bound", CS_NUMBER_FINITE, &d->lower_bound, err))
        return -1;
    return cs_json_get_int(root, "completed", 0, INT_MAX, &d->completed, err);
}

/* The arrays of the hosts, under way. */
struct hosts {
    const char **name, **trace;
    int *slots, *capacity;
};

static int read_host(const struct cs_json_at *at, struct cs_arena *arena,
                     const struct cs_volatile_declared *d, const struct hosts *hosts, size_t q,
                     struct cs_error *err)
{
    const char *name = NULL, *trace;
    struct cs_json_at text;

    hosts->capacity[q] = d->tasks;
    if (cs_json_keys(at, "name|slots|capacity|trace", err) ||
        (cs_json_has(at, "name") && cs_json_get_string(at, "name", &name, err)) ||
        cs_json_get_int(at, "slots", 1, INT_MAX, &hosts->slots[q], err) ||
        (cs_json_has(at, "capacity") &&
         cs_json_get_int(at, "capacity", 0, INT_MAX, &hosts->capacity[q], err)) ||
        cs_json_member(at, "trace", &text, err) || cs_json_string(&text, &trace, err))
        return -1;
    if ((long long)strlen(trace) != d->slots)
        return cs_json_error(&text, err, "found %zu letters, expected one for each of %lld slots",
                             strlen(trace), d->slots);
    hosts->name[q] = name ? cs_arena_strdup(arena, name) : NULL;
    hosts->trace[q] = cs_arena_strdup(arena, trace);
    return 0;
}

static int read_hosts(const struct cs_json_at *root, struct cs_arena *arena,
                      struct cs_volatile_declared *d, struct cs_error *err)
{
    struct cs_json_at list;
    struct hosts hosts;
    size_t count;

    if (cs_json_member(root, "hosts", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (!count || count > INT_MAX / 2)
        return cs_json_error(&list, err, "found %zu hosts, expected 1 or more", count);
    hosts = (struct hosts){
        .name = CS_NEW_ARRAY(arena, const char *, count),
        .trace = CS_NEW_ARRAY(arena, const char *, count),
        .slots = CS_NEW_ARRAY(arena, int, count),
        .capacity = CS_NEW_ARRAY(arena, int, count),
    };
    for (size_t q = 0; q < count; q++) {
        struct cs_json_at at = cs_json_element(&list, q);

        if (read_host(&at, arena, d, &hosts, q, err))
            return -1;
    }
    d->hosts = (int)count;
    d->host = hosts.name;
    d->trace = hosts.trace;
    d->slots_per_task = hosts.slots;
    d->capacity = hosts.capacity;
    return 0;
}

static int read_tasks(const struct cs_json_at *at, struct cs_arena *arena, int hosts,
                      const int **tasks, struct cs_error *err)
{
    struct cs_json_at list;
    size_t count;
    int *found;

    if (cs_json_member(at, "tasks", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count != (size_t)hosts)
        return cs_json_error(&list, err, "found %zu numbers, expected one for each of %d hosts",
                             count, hosts);
    found = CS_NEW_ARRAY(arena, int, count);
    for (size_t q = 0; q < count; q++) {
        struct cs_json_at number = cs_json_element(&list, q);

        if (cs_json_int(&number, 0, INT_MAX, &found[q], err))
            return -1;
    }
    *tasks = found;
    return 0;
}

static int read_configurations(const struct cs_json_at *root, struct cs_arena *arena,
                               struct cs_volatile_declared *d, struct cs_error *err)
{
    struct cs_volatile_declared_configuration *c;
    struct cs_json_at list;
    size_t count;

    if (cs_json_member(root, "configurations", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count > INT_MAX / 2)
        return cs_json_error(&list, err, "%zu configurations are too many", count);
    c = CS_NEW_ARRAY(arena, struct cs_volatile_declared_configuration, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);
        int slot;

        if (cs_json_keys(&at, "iteration|slot|tasks", err) ||
            cs_json_get_int(&at, "iteration", 0, INT_MAX, &c[i].iteration, err) ||
            cs_json_get_int(&at, "slot", 0, INT_MAX, &slot, err) ||
            read_tasks(&at, arena, d->hosts, &c[i].tasks, err))
            return -1;
        c[i].slot = slot;
    }
    d->configurations = (int)count;
    d->configuration = c;
    return 0;
}

const struct cs_volatile_declared *cs_schedule_json_get_volatile(const struct cs_json_at *root,
                                                                 struct cs_arena *arena,
                                                                 struct cs_error *err)
{
    struct cs_volatile_declared *d = CS_NEW(arena, struct cs_volatile_declared);

    if (read_application(root, d, err) || read_prefetch(root, d, err) || read_slots(root, d, err) ||
        read_hosts(root, arena, d, err) || read_configurations(root, arena, d, err))
        return NULL;
    return d;
}
