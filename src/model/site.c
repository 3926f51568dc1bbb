/* site.c - pools from groups, units from the data of a log. */
#include "model/site.h"

#include "base/plain.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MOST (INT64_MAX / 4)

static int site_same(const char *a, const char *b)
{
    return !strcmp(a, b);
}

int cs_site_partition_find(const struct cs_site *site, const char *name)
{
    for (int p = 0; p < site->partitions; p++)
        if (site_same(site->partition[p].name, name))
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
            if (site_same(group->name, site->group[other].name))
                return cs_error_set(err, "there are two groups \"%s\"", group->name);
    }
    return 0;
}

static int check_partitions(const struct cs_site *site, struct cs_error *err)
{
    for (int p = 0; p < site->partitions; p++) {
        const struct cs_site_partition *partition = &site->partition[p];

        if (partition->groups == 0 && !partition->out)
            return cs_error_set(err, "partition \"%s\" has no group of nodes", partition->name);
        for (int other = 0; other < p; other++)
            if (site_same(partition->name, site->partition[other].name))
                return cs_error_set(err, "there are two partitions \"%s\"", partition->name);
    }
    return 0;
}

static int pools_of(const struct cs_site *site, const struct cs_site_group *group)
{
    return site->kind == CS_SITE_PACKED ? group->nodes : 1;
}

/* The resources of a group, with `nodes` nodes of it in a pool. */
static struct cs_site_pool pool_of(const struct cs_site *site, int g, int64_t nodes)
{
    const struct cs_site_group *group = &site->group[g];
    struct cs_site_pool pool = {.most = INT_MAX, .group = g};

    for (int i = 0; i < group->gres && site->resources > 1; i++)
        pool.capacity[2 + group->gres_list[i].kind] += nodes * group->gres_list[i].count;
    if (site->kind == CS_SITE_PROCESSORS || site->kind == CS_SITE_NODES) {
        pool.capacity[0] = nodes;
        return pool;
    }
    if (site->kind == CS_SITE_PACKED)
        pool.most = 1;
    pool.capacity[0] = nodes * group->cores;
    pool.capacity[1] = nodes * group->memory;
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

/* ---- generic resources ---- */

static bool is_word(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

/* Machines that name no kinds have GPUs without a type. */
static void make_gpus(struct cs_site *site, struct cs_arena *arena)
{
    static const struct cs_site_kind_of_gres gpu = {"gpu", ""};
    struct cs_site_group *group = CS_NEW_ARRAY(arena, struct cs_site_group, site->groups);

    for (int g = 0; g < site->groups; g++) {
        struct cs_site_gres *gres = CS_NEW(arena, struct cs_site_gres);

        *gres = (struct cs_site_gres){0, site->group[g].gpus};
        group[g] = site->group[g];
        group[g].gres = 1;
        group[g].gres_list = gres;
    }
    site->group = group;
    site->kind_of_gres = &gpu;
}

/* Resources and demands: a name of several types has a demand for any of them. */
static int count_resources(struct cs_site *site, struct cs_arena *arena, struct cs_error *err)
{
    const bool shares = site->kind == CS_SITE_POOLED || site->kind == CS_SITE_PACKED;
    int kinds = site->kinds;

    if (shares && !kinds) {
        make_gpus(site, arena);
        kinds = 1;
    }
    site->resources = shares || kinds ? 2 + kinds : 1;
    site->demands = site->resources;
    for (int k = 0; k < kinds && site->demands <= CS_LOG_RESOURCES; k++) {
        int other = 0;

        while (other < kinds &&
               (other == k || !is_word(site->kind_of_gres[other].name, site->kind_of_gres[k].name)))
            other++;
        if (other < kinds)
            site->any[2 + k] = other < k ? site->any[2 + other] : site->demands++;
    }
    return site->demands <= CS_LOG_RESOURCES
               ? 0
               : cs_error_set(err, "there are %d kinds of generic resources, too many", kinds);
}

/* A part of a GPU may come with the GPU, as a100:1g.5gb, where nodes list its profile only. */
static bool is_type(const char *listed, const char *wanted)
{
    const char *part = strchr(wanted, ':');

    return is_word(listed, wanted) || (part && is_word(listed, part + 1));
}

int cs_site_demand(const struct cs_site *site, const char *name, const char *type)
{
    int any = -1, untyped = -1;

    for (int r = 2; r < site->resources; r++) {
        const struct cs_site_kind_of_gres *kind = &site->kind_of_gres[r - 2];

        if (!is_word(kind->name, name))
            continue;
        if (*type && is_type(kind->type, type))
            return r;
        untyped = *kind->type ? untyped : r;
        any = site->any[r] ? site->any[r] : r;
    }
    return *type ? untyped : any;
}

/* Where no kinds are named the machine is silent about all but GPUs. */
static bool is_counted(const struct cs_site *site, const struct cs_log_gres_item *item)
{
    return site->resources > 1 && (site->kinds || is_word(item->name, "gpu"));
}

/* Is there any of a kind on some node?  What a slurm.conf names may have a count of 0. */
static bool is_there(const struct cs_site *site, const char *name, const char *type)
{
    const int demand = cs_site_demand(site, name, type);

    for (int g = 0; demand >= 0 && g < site->groups; g++)
        for (int i = 0; i < site->group[g].gres; i++) {
            const struct cs_site_gres *gres = &site->group[g].gres_list[i];

            if (gres->count > 0 &&
                (2 + gres->kind == demand || site->any[2 + gres->kind] == demand))
                return true;
        }
    return false;
}

const struct cs_log_gres_item *cs_site_lacks(const struct cs_site *site,
                                             const struct cs_log_job *job)
{
    static const struct cs_log_gres_item gpus = {"gpu", "", 1};
    bool typed = false;

    for (int i = 0; job->gres && i < job->gres->count; i++) {
        const struct cs_log_gres_item *item = &job->gres->item[i];

        typed |= is_word(item->name, "gpu");
        if (is_counted(site, item) && !is_there(site, item->name, item->type))
            return item;
    }
    return job->gpus > 0 && !typed && is_counted(site, &gpus) && !is_there(site, "gpu", "") ? &gpus
                                                                                            : NULL;
}

int cs_site_finish(struct cs_site *site, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_site_partition *partition;
    int *first;

    if (check_groups(site, err) || check_partitions(site, err) || count_resources(site, arena, err))
        return -1;
    partition = CS_NEW_ARRAY(arena, struct cs_site_partition, site->partitions);
    first = CS_NEW_ARRAY(arena, int, site->groups);
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

static int64_t site_share(int64_t of, int64_t nodes)
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

/* A job of a partition that raises the number of nodes. */
static int64_t nodes_of(const struct cs_site *site, const struct cs_log_job *job)
{
    const int64_t least = site->partition[job->partition].least_nodes;

    return job->nodes < least ? least : job->nodes;
}

/* How many units, as nodes or as processors; 0 if not in the log. */
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
            return nodes_of(site, job);
        return cores ? site_share(job->cores, largest_cores(site, &site->partition[job->partition]))
                     : 0;
    default:
        if (nodes)
            return nodes_of(site, job);
        return cores ? 1 : 0;
    }
}

static enum cs_site_finding find_partition(const struct cs_site *site, struct cs_log_job *job)
{
    if (job->partition < 0 || job->partition >= site->partitions)
        job->partition = site->fallback;
    return job->partition < 0 ? CS_SITE_NO_PARTITION : CS_SITE_FITS;
}

/* The demand of a unit for generic resources.  Where a type is named the GPUs are those. */
static int size_gres(const struct cs_site *site, struct cs_log_job *job)
{
    bool typed = false;

    if (cs_site_lacks(site, job))
        return -1;
    for (int i = 0; job->gres && i < job->gres->count; i++) {
        const struct cs_log_gres_item *item = &job->gres->item[i];

        typed |= is_word(item->name, "gpu");
        if (is_counted(site, item))
            job->demand[cs_site_demand(site, item->name, item->type)] +=
                site_share(item->total, job->units);
    }
    if (!typed && job->gpus > 0)
        job->demand[cs_site_demand(site, "gpu", "")] = site_share(job->gpus, job->units);
    return 0;
}

/* More nodes than a job of its partition may have? */
static bool is_beyond(const struct cs_site *site, const struct cs_log_job *job)
{
    const int64_t most = site->partition[job->partition].most_nodes;

    return most > 0 && site->kind != CS_SITE_PROCESSORS && job->units > most;
}

enum cs_site_finding cs_site_size(const struct cs_site *site, bool by_nodes, struct cs_log_job *job)
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
    if (site->kind == CS_SITE_POOLED || site->kind == CS_SITE_PACKED) {
        job->demand[0] = job->cores > 0 ? site_share(job->cores, units) : 1;
        job->demand[1] = site->no_memory ? 0 : site_share(job->memory, units);
    }
    job->procs = units * job->demand[0];
    if (site->resources > 1 && (job->gres || job->gpus > 0) && size_gres(site, job))
        return CS_SITE_NO_GRES;
    return is_beyond(site, job) ? CS_SITE_TOO_WIDE : cs_site_check_job(site, job);
}

/* The capacity of a pool for a demand; of a name of several types all of them. */
static int64_t capacity_for(const struct cs_site *site, const struct cs_site_pool *pool, int demand)
{
    int64_t sum = 0;

    if (demand < site->resources)
        return pool->capacity[demand];
    for (int r = 2; r < site->resources; r++)
        sum += site->any[r] == demand ? pool->capacity[r] : 0;
    return sum;
}

bool cs_site_may(const struct cs_site *site, const struct cs_site_pool *pool, int demand,
                 int64_t amount)
{
    return site->kind != CS_SITE_NODES || demand == 0 ||
           capacity_for(site, pool, demand) / pool->capacity[0] >= amount;
}

/* Units that the pool offers when it is empty.  A whole node has to have all of a share. */
static int64_t site_offer(const struct cs_site *site, const struct cs_site_pool *pool,
                          const struct cs_log_job *job)
{
    int64_t units = pool->most;

    for (int r = 0; r < site->demands && units > 0; r++) {
        const int64_t has = job->demand[r] > 0 ? capacity_for(site, pool, r) : 0;

        if (job->demand[r] > 0 && has / job->demand[r] < units)
            units = has / job->demand[r];
        if (job->demand[r] > 0 && !cs_site_may(site, pool, r, job->demand[r]))
            units = 0;
    }
    return units;
}

enum cs_site_finding cs_site_check_job(const struct cs_site *site, struct cs_log_job *job)
{
    const struct cs_site_partition *partition;
    int64_t offered = 0;

    if (find_partition(site, job) != CS_SITE_FITS)
        return CS_SITE_NO_PARTITION;
    if (job->units < 1)
        return CS_SITE_NO_WIDTH;
    partition = &site->partition[job->partition];
    for (int p = 0; p < partition->pools && offered < job->units; p++)
        offered += site_offer(site, &site->pool[partition->pool[p]], job);
    return offered < job->units ? CS_SITE_TOO_WIDE : CS_SITE_FITS;
}
