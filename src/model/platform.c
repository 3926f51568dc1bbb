/* platform.c - clusters side by side. */

#include "model/platform.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static int check_cluster(const struct cs_cluster *cluster, int at, struct cs_error *err)
{
    const struct cs_cluster *c = &cluster[at];

    if (!c->name || !c->name[0])
        return cs_error_set(err, "cluster %d has no name", at);
    for (int i = 0; i < at; i++)
        if (!strcmp(cluster[i].name, c->name))
            return cs_error_set(err, "cluster %d: the name %s is that of cluster %d too", at,
                                c->name, i);
    if (c->procs < 1)
        return cs_error_set(err, "cluster %s has %d processors, it must have at least 1", c->name,
                            c->procs);
    if (!(c->speed >= 0 && isfinite(c->speed)))
        return cs_error_set(err,
                            "cluster %s: the speed is %g flop/s, it must be a number from 0 on",
                            c->name, c->speed);
    if (!(c->memory >= 0 && isfinite(c->memory)))
        return cs_error_set(err,
                            "cluster %s: the memory is %g bytes, it must be a number from 0 on",
                            c->name, c->memory);
    return 0;
}

static int check_clusters(const struct cs_cluster *cluster, int clusters, struct cs_error *err)
{
    long long procs = 0;

    if (clusters < 1)
        return cs_error_set(err, "there is no cluster, at least one is needed");
    for (int i = 0; i < clusters; i++) {
        if (check_cluster(cluster, i, err))
            return -1;
        procs += cluster[i].procs;
    }
    if (procs >= INT_MAX)
        return cs_error_set(err, "%lld processors are more than the %d that are possible", procs,
                            INT_MAX - 1);
    return 0;
}

static struct cs_platform *platform_make(const char *name, const char *unit, int clusters,
                                         const struct cs_cluster *cluster)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_platform *platform = CS_NEW(arena, struct cs_platform);
    struct cs_cluster *copy = CS_NEW_ARRAY(arena, struct cs_cluster, clusters);

    platform->name = cs_arena_strdup(arena, name);
    platform->unit = cs_arena_strdup(arena, unit);
    platform->clusters = clusters;
    platform->cluster = copy;
    platform->storage = arena;
    for (int i = 0; i < clusters; i++) {
        copy[i] = cluster[i];
        copy[i].name = cs_arena_strdup(arena, cluster[i].name);
        copy[i].first = platform->procs;
        platform->procs += cluster[i].procs;
    }
    return platform;
}

struct cs_platform *cs_platform_create(const char *unit, int clusters,
                                       const struct cs_cluster *cluster, struct cs_error *err)
{
    CS_ASK(unit && (cluster || clusters < 1), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_cluster *copy;
    struct cs_platform *platform;

    if (check_clusters(cluster, clusters, err))
        return NULL;
    platform = platform_make("", unit, clusters, cluster);
    copy = (struct cs_cluster *)platform->cluster;
    for (int i = 0; i < clusters; i++)
        copy[i].bandwidth = copy[i].latency = 0;
    return platform;
}

static int check_link(const char *what, const char *name, double bandwidth, double latency,
                      struct cs_error *err)
{
    if (!(bandwidth > 0 && isfinite(bandwidth)))
        return cs_error_set(err, "%s%s: the bandwidth is %g bytes/s, it must be a positive number",
                            what, name, bandwidth);
    if (!(latency >= 0 && isfinite(latency)))
        return cs_error_set(err, "%s%s: the latency is %g s, it must be a number from 0 on", what,
                            name, latency);
    return 0;
}

static int check_network(int clusters, const struct cs_cluster *cluster,
                         const struct cs_backbone *backbone, struct cs_error *err)
{
    for (int i = 0; i < clusters; i++)
        if (check_link("cluster ", cluster[i].name, cluster[i].bandwidth, cluster[i].latency, err))
            return -1;
    if (clusters > 1 && !backbone->shared_switch && backbone->bandwidth == 0)
        return cs_error_set(err, "%d clusters need a shared switch or a backbone", clusters);
    if (clusters > 1 && !backbone->shared_switch)
        return check_link("the backbone", "", backbone->bandwidth, backbone->latency, err);
    return 0;
}

struct cs_platform *cs_platform_create_grid(const char *name, const char *unit, int clusters,
                                            const struct cs_cluster *cluster,
                                            const struct cs_backbone *backbone,
                                            struct cs_error *err)
{
    CS_ASK(unit && (cluster || clusters < 1) && backbone, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_platform *platform;

    if (check_clusters(cluster, clusters, err) || check_network(clusters, cluster, backbone, err))
        return NULL;
    platform = platform_make(name ? name : "", unit, clusters, cluster);
    platform->backbone = *backbone;
    if (backbone->shared_switch)
        platform->backbone.bandwidth = platform->backbone.latency = 0;
    return platform;
}

struct cs_platform *cs_platform_copy(const struct cs_platform *platform)
{
    CS_ASK(platform, NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_platform *copy =
        platform_make(platform->name, platform->unit, platform->clusters, platform->cluster);

    copy->backbone = platform->backbone;
    return copy;
}

struct cs_platform *cs_platform_homogeneous(const char *unit, int procs, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    const struct cs_cluster all = {.name = "all", .procs = procs};

    return cs_platform_create(unit, 1, &all, err);
}

void cs_platform_destroy(struct cs_platform *platform)
{
    if (platform)
        cs_arena_destroy(platform->storage);
}

int cs_platform_cluster_of(const struct cs_platform *platform, int processor)
{
    CS_ASK(platform && processor >= 0 && processor < platform->procs, NULL, -1);
    int low = 0, high = platform->clusters - 1;

    while (low < high) {
        int middle = low + (high - low + 1) / 2;

        if (platform->cluster[middle].first <= processor)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
