/* site.c - pools from groups, units from what a log says. */
#include "model/site.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MOST (INT64_MAX / 4)

static int same(const char *a, const char *b)
{
    return !strcmp(a, b);
}

int cs_site_partition_find(const struct cs_site *site, const char *name)
{
    for (int p = 0; p < site->partitions; p++)
        if (same(site->partition[p].name, name))
            return p;
    return -1;
}

static int check_groups(const struct cs_site *site, struct cs_error *err)
{
    for (int g = 0; g < site->groups; g++) {
        const struct cs_site_group *group = &site->group[g];
        int64_t most = group->memory > group->cores ? group->memory : group->cores;

        if (group->nodes < 1)
            return cs_error_set(err, "group \"%s\" has %d nodes, it must have 1 or more",
                                group->name, group->nodes);
        if (group->cores < 0 || group->memory < 0 || group->gpus < 0 ||
            (most > 0 && group->nodes > MOST / most))
            return cs_error_set(err, "group \"%s\" has more of something than can be counted",
                                group->name);
        for (int other = 0; other < g; other++)
            if (same(group->name, site->group[other].name))
                return cs_error_set(err, "there are two groups \"%s\"", group->name);
    }
    return 0;
}

static int check_partitions(const struct cs_site *site, struct cs_error *err)
{
    for (int p = 0; p < site->partitions; p++) {
        const struct cs_site_partition *partition = &site->partition[p];

        if (partition->groups == 0)
            return cs_error_set(err, "partition \"%s\" has no group of nodes", partition->name);
        for (int other = 0; other < p; other++)
            if (same(partition->name, site->partition[other].name))
                return cs_error_set(err, "there are two partitions \"%s\"", partition->name);
    }
    return 0;
}

static int pools_of(const struct cs_site *site, const struct cs_site_group *group)
{
    return site->kind == CS_SITE_PACKED ? group->nodes : 1;
}

/* What a group has, with so many nodes of it in a pool. */
static struct cs_site_pool pool_of(const struct cs_site *site, int g, int64_t nodes)
{
    const struct cs_site_group *group = &site->group[g];
    struct cs_site_pool pool = {.most = INT_MAX, .group = g};

    if (site->kind == CS_SITE_PROCESSORS || site->kind == CS_SITE_NODES) {
        pool.capacity[0] = nodes;
        return pool;
    }
    if (site->kind == CS_SITE_PACKED)
        pool.most = 1;
    pool.capacity[0] = nodes * group->cores;
    pool.capacity[1] = nodes * group->memory;
    pool.capacity[2] = nodes * group->gpus;
    return pool;
}

static void make_pools(struct cs_site *site, int *first, struct cs_arena *arena)
{
    struct cs_site_pool *pool;
    int64_t node = 0;
    int count = 0;

    for (int g = 0; g < site->groups; g++)
        count += pools_of(site, &site->group[g]);
    site->pool = pool = CS_NEW_ARRAY(arena, struct cs_site_pool, count);
    for (int g = 0; g < site->groups; g++) {
        int pools = pools_of(site, &site->group[g]);

        first[g] = site->pools;
        for (int n = 0; n < pools; n++) {
            int64_t nodes = site->group[g].nodes / pools;

            pool[site->pools] = pool_of(site, g, nodes);
            pool[site->pools].first = node;
            node += nodes;
            site->procs += pool[site->pools++].capacity[0];
        }
    }
}

static void list_pools(struct cs_site *site, struct cs_site_partition *partition, const int *first,
                       struct cs_arena *arena)
{
    int *pool, count = 0;

    for (int g = 0; g < partition->groups; g++)
        count += pools_of(site, &site->group[partition->group[g]]);
    partition->pools = count;
    partition->pool = pool = CS_NEW_ARRAY(arena, int, count);
    for (int g = 0; g < partition->groups; g++) {
        int group = partition->group[g], pools = pools_of(site, &site->group[group]);

        for (int n = 0; n < pools; n++)
            *pool++ = first[group] + n;
    }
}

int cs_site_finish(struct cs_site *site, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_site_partition *partition;
    int *first;

    if (check_groups(site, err) || check_partitions(site, err))
        return -1;
    partition = CS_NEW_ARRAY(arena, struct cs_site_partition, site->partitions);
    first = CS_NEW_ARRAY(arena, int, site->groups);
    site->resources =
        site->kind == CS_SITE_POOLED || site->kind == CS_SITE_PACKED ? CS_LOG_RESOURCES : 1;
    site->pools = 0;
    site->procs = 0;
    make_pools(site, first, arena);
    for (int p = 0; p < site->partitions; p++) {
        partition[p] = site->partition[p];
        list_pools(site, &partition[p], first, arena);
    }
    site->partition = partition;
    return 0;
}

const struct cs_site *cs_site_of_processors(int procs, struct cs_arena *arena)
{
    static const int all[] = {0};
    static const struct cs_site_partition partition = {
        .name = "all", .groups = 1, .group = all, .tier = 1, .priority = 1, .seconds = INFINITY};
    struct cs_site *site = CS_NEW(arena, struct cs_site);
    struct cs_site_group *group = CS_NEW(arena, struct cs_site_group);
    struct cs_error none = {0};

    *group = (struct cs_site_group){.name = "processors", .nodes = procs};
    *site = (struct cs_site){.groups = 1, .partitions = 1, .group = group, .partition = &partition};
    cs_site_finish(site, arena, &none);
    return site;
}

static int64_t share(int64_t of, int64_t nodes)
{
    return of > 0 ? (of - 1) / nodes + 1 : 0;
}

static int64_t largest_cores(const struct cs_site *site, const struct cs_site_partition *partition)
{
    int64_t most = 1;

    for (int g = 0; g < partition->groups; g++)
        if (site->group[partition->group[g]].cores > most)
            most = site->group[partition->group[g]].cores;
    return most;
}

/* How many units, as nodes or as processors; 0 when the log does not say. */
static int64_t units_of(const struct cs_site *site, bool by_nodes, const struct cs_log_job *job)
{
    bool cores = job->cores > 0, nodes = job->nodes > 0;

    switch (site->kind) {
    case CS_SITE_PROCESSORS:
        if (by_nodes ? nodes : cores)
            return by_nodes ? job->nodes : job->cores;
        return cores ? job->cores : nodes ? job->nodes : 0;
    case CS_SITE_NODES:
        if (nodes)
            return job->nodes;
        return cores ? share(job->cores, largest_cores(site, &site->partition[job->partition])) : 0;
    default:
        return nodes ? job->nodes : cores ? 1 : 0;
    }
}

static enum cs_site_verdict find_partition(const struct cs_site *site, struct cs_log_job *job)
{
    if (job->partition < 0 || job->partition >= site->partitions)
        job->partition = site->fallback;
    return job->partition < 0 ? CS_SITE_NO_PARTITION : CS_SITE_FITS;
}

enum cs_site_verdict cs_site_size(const struct cs_site *site, bool by_nodes, struct cs_log_job *job)
{
    int64_t units;

    if (find_partition(site, job) != CS_SITE_FITS)
        return CS_SITE_NO_PARTITION;
    units = units_of(site, by_nodes, job);
    if (units < 1)
        return CS_SITE_NO_WIDTH;
    if (units > INT_MAX)
        return CS_SITE_TOO_WIDE;
    job->units = (int)units;
    memset(job->demand, 0, sizeof job->demand);
    job->demand[0] = 1;
    if (site->resources > 1) {
        job->demand[0] = job->cores > 0 ? share(job->cores, units) : 1;
        job->demand[1] = share(job->memory, units);
        job->demand[2] = share(job->gpus, units);
    }
    job->procs = units * job->demand[0];
    return cs_site_judge(site, job);
}

/* Units that the pool offers when it is empty. */
static int64_t offer(const struct cs_site_pool *pool, const struct cs_log_job *job)
{
    int64_t units = pool->most;

    for (int r = 0; r < CS_LOG_RESOURCES; r++)
        if (job->demand[r] > 0 && pool->capacity[r] / job->demand[r] < units)
            units = pool->capacity[r] / job->demand[r];
    return units;
}

enum cs_site_verdict cs_site_judge(const struct cs_site *site, struct cs_log_job *job)
{
    const struct cs_site_partition *partition;
    int64_t offered = 0;

    if (find_partition(site, job) != CS_SITE_FITS)
        return CS_SITE_NO_PARTITION;
    if (job->units < 1)
        return CS_SITE_NO_WIDTH;
    partition = &site->partition[job->partition];
    for (int p = 0; p < partition->pools && offered < job->units; p++)
        offered += offer(&site->pool[partition->pool[p]], job);
    return offered < job->units ? CS_SITE_TOO_WIDE : CS_SITE_FITS;
}
