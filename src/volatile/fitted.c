/* fitted.c - a history, and the chain of each host in it. */
#include "volatile/fitted.h"

#include "model/fleet.h"
#include "volatile/fit.h"

#define PAST ((uint64_t)1 << 62) /* the trial in which the history is drawn */
#define SLOT 60.0                /* seconds; nothing depends on it */

static struct cs_volatile_instance *fit(const struct cs_volatile_instance *truth,
                                        const struct cs_fleet *past, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_host *host = CS_NEW_ARRAY(arena, struct cs_volatile_host, truth->hosts);
    struct cs_volatile_instance *instance;

    for (int q = 0; q < truth->hosts; q++) {
        host[q] = truth->host[q];
        cs_volatile_fit_chain(&past->host[q], past->slots, host[q].chain);
    }
    instance = cs_volatile_instance_create(truth->hosts, host, &truth->app, err);
    cs_arena_destroy(arena);
    return instance;
}

int cs_volatile_fit_history(const struct cs_volatile_instance *truth,
                            const struct cs_volatile_world *world, uint64_t seed, int64_t history,
                            struct cs_arena *arena, struct cs_volatile_fitted *fitted,
                            struct cs_error *err)
{
    struct cs_fleet_host *host = CS_NEW_ARRAY(arena, struct cs_fleet_host, truth->hosts);
    struct cs_volatile_sky *sky = cs_volatile_sky_create(world, truth, arena, err);
    struct cs_volatile_source *source = sky ? cs_volatile_sky_source(sky, seed, PAST) : NULL;

    if (!source)
        return -1;
    for (int q = 0; q < truth->hosts; q++)
        host[q] = cs_volatile_source_runs(source, q, history, arena);
    cs_volatile_source_destroy(source);
    fitted->history = cs_fleet_of_hosts(truth->hosts, host, SLOT, "drawn", arena);
    fitted->instance = fit(truth, fitted->history, err);
    return fitted->instance ? 0 : -1;
}
