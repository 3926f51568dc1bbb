/* fitted.c - a history, and the chain of each host in it. */
#include "volatile/fitted.h"

#include "volatile/fit.h"

#define PAST ((uint64_t)1 << 62) /* the trial in which the history is drawn */

static struct cs_volatile_instance *fit(const struct cs_volatile_instance *truth,
                                        struct cs_volatile_source *source, int64_t history,
                                        struct cs_arena *arena, struct cs_error *err)
{
    struct cs_volatile_host *host = CS_NEW_ARRAY(arena, struct cs_volatile_host, truth->hosts);

    for (int q = 0; q < truth->hosts; q++) {
        struct cs_fleet_host past = cs_volatile_source_runs(source, q, history, arena);

        host[q] = truth->host[q];
        cs_volatile_fit_chain(&past, history, host[q].chain);
    }
    return cs_volatile_instance_create(truth->hosts, host, &truth->app, err);
}

struct cs_volatile_instance *cs_volatile_fitted(const struct cs_volatile_instance *truth,
                                                const struct cs_volatile_world *world,
                                                uint64_t seed, int64_t history,
                                                struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_sky *sky = cs_volatile_sky_create(world, truth, arena, err);
    struct cs_volatile_source *source = sky ? cs_volatile_sky_source(sky, seed, PAST) : NULL;
    struct cs_volatile_instance *fitted = NULL;

    if (source)
        fitted = fit(truth, source, history, arena, err);
    cs_volatile_source_destroy(source);
    cs_arena_destroy(arena);
    return fitted;
}
