/* hosts.c - scenarios of files and instances of the problem.
 *
 * Source: docs/formats.md (cosched-volatile-1).  A host with a trace gets a chain fitted to it
 * (fit.c) when that is requested or when it has no chain; other hosts keep theirs.
 * Complexity: O(hosts) and the fits.
 */
#include "problems/volatile/hosts.h"

#include "problems/volatile/fit.h"

#include <math.h>
#include <string.h>

struct cs_volatile_instance *cs_volatile_from_scenario(const struct cs_hosts *s, bool fitted,
                                                       int64_t history, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_host *host = CS_NEW_ARRAY(arena, struct cs_volatile_host, s->hosts);
    struct cs_volatile_instance *instance;
    const struct cs_volatile_application app = {
        .tasks = s->tasks,
        .iterations = s->iterations,
        .program = s->program,
        .data = s->data,
        .transfers = s->transfers,
        .cap = s->cap,
        .save_every = s->save_every,
        .save_cost = s->save_cost,
        .spares = s->spares,
    };

    for (int q = 0; q < s->hosts; q++) {
        const struct cs_host *from = &s->host[q];

        host[q].name = from->name;
        host[q].slots = from->slots;
        host[q].capacity = from->capacity < 0 ? CS_VOLATILE_UNLIMITED : from->capacity;
        if (from->trace.runs && (fitted || !from->has_chain))
            cs_volatile_fit_chain(&from->trace, history ? history : s->slots, host[q].chain);
        else
            memcpy(host[q].chain, from->chain, sizeof from->chain);
    }
    instance = cs_volatile_instance_create(s->hosts, host, &app, err);
    cs_arena_destroy(arena);
    return instance;
}

static struct cs_host host_of(const struct cs_volatile_host *from, int tasks)
{
    struct cs_host to = {
        .name = from->name,
        .slots = from->slots,
        .capacity = from->capacity < tasks ? from->capacity : -1,
        .has_chain = true,
    };

    memcpy(to.chain, from->chain, sizeof to.chain);
    return to;
}

struct cs_hosts *cs_hosts_from_volatile(const struct cs_volatile_instance *instance)
{
    const struct cs_volatile_application *app = cs_volatile_instance_application(instance);
    int hosts = cs_volatile_instance_hosts(instance);
    struct cs_arena *arena = cs_arena_create();
    struct cs_hosts *s = CS_NEW(arena, struct cs_hosts);
    struct cs_host *host = CS_NEW_ARRAY(arena, struct cs_host, hosts);

    for (int q = 0; q < hosts; q++)
        host[q] = host_of(cs_volatile_instance_host(instance, q), app->tasks);
    *s = (struct cs_hosts){
        .source = "",
        .slot = NAN,
        .tasks = app->tasks,
        .iterations = app->iterations,
        .program = app->program,
        .data = app->data,
        .transfers = app->transfers,
        .cap = app->cap,
        .save_every = app->save_every,
        .save_cost = app->save_cost,
        .spares = app->spares,
        .shape = NAN,
        .hosts = hosts,
        .host = host,
        .arena = arena,
    };
    return s;
}
