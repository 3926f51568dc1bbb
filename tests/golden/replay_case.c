/* replay_case.c - from JSON to the driver of replays. */
#include "replay_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *word(const json_t *json, const char *key, const char *otherwise)
{
    const json_t *value = json_object_get(json, key);

    return value ? json_string_value(value) : otherwise;
}

static double real(const json_t *json, const char *key, double otherwise)
{
    const json_t *value = json_object_get(json, key);

    return value ? json_number_value(value) : otherwise;
}

static int number_of(struct replay_names *names, const char *name)
{
    int n = 0;

    if (!name)
        return -1;
    while (n < names->count && strcmp(names->name[n], name))
        n++;
    if (n == names->count)
        names->name[names->count++] = name;
    names->shown = (struct cs_log_names){names->count, names->name};
    return n;
}

static int group_of(const struct cs_site *site, const char *name)
{
    int g = 0;

    while (g < site->groups && name && strcmp(site->group[g].name, name))
        g++;
    return g;
}

static void read_groups(const json_t *list, struct cs_site *site, struct cs_arena *arena)
{
    struct cs_site_group *group = CS_NEW_ARRAY(arena, struct cs_site_group, json_array_size(list));
    const json_t *json;
    size_t g;

    json_array_foreach(list, g, json) group[g] = (struct cs_site_group){
        .name = word(json, "name", ""),
        .nodes = (int)real(json, "nodes", 0),
        .cores = (int64_t)real(json, "cores", 0),
        .memory = (int64_t)real(json, "memory", 0),
        .gpus = (int64_t)real(json, "gpus", 0),
    };
    site->group = group;
    site->groups = (int)json_array_size(list);
}

static void read_partitions(const json_t *list, struct cs_site *site, struct cs_arena *arena)
{
    struct cs_site_partition *partition =
        CS_NEW_ARRAY(arena, struct cs_site_partition, json_array_size(list));
    const json_t *json, *name;
    size_t p, k;

    json_array_foreach(list, p, json)
    {
        const json_t *groups = json_object_get(json, "groups");
        int *group = CS_NEW_ARRAY(arena, int, json_array_size(groups));

        json_array_foreach(groups, k, name) group[k] = group_of(site, json_string_value(name));
        partition[p] = (struct cs_site_partition){
            .name = word(json, "name", ""),
            .groups = (int)json_array_size(groups),
            .group = group,
            .tier = real(json, "tier", 1),
            .priority = real(json, "priority", 1),
            .seconds = real(json, "max_seconds", INFINITY),
        };
    }
    site->partition = partition;
    site->partitions = (int)json_array_size(list);
}

static const struct cs_site *read_site(const json_t *json, struct cs_arena *arena,
                                       struct cs_error *err)
{
    struct cs_site *site = CS_NEW(arena, struct cs_site);
    const char *alloc = word(json, "alloc", "node");

    if (json_object_get(json, "processors"))
        return cs_site_of_processors((int)real(json, "processors", 1), arena);
    site->kind = !strcmp(alloc, "node")     ? CS_SITE_NODES
                 : !strcmp(alloc, "pooled") ? CS_SITE_POOLED
                                            : CS_SITE_PACKED;
    read_groups(json_object_get(json, "groups"), site, arena);
    read_partitions(json_object_get(json, "partitions"), site, arena);
    site->fallback = 0;
    return cs_site_finish(site, arena, err) ? NULL : site;
}

static struct cs_log_job read_job(const json_t *json, struct replay_case *c)
{
    const json_t *demand = json_object_get(json, "demand");
    struct cs_log_job job = {
        .id = (int64_t)real(json, "id", 0),
        .submit = real(json, "submit", 0),
        .seconds = real(json, "run", 0),
        .request = real(json, "request", -1),
        .recorded = real(json, "recorded", NAN),
        .procs = (int64_t)real(json, "procs", 0),
        .user = number_of(&c->users, word(json, "user", NULL)),
        .account = number_of(&c->accounts, word(json, "account", NULL)),
        .qos = number_of(&c->qualities, word(json, "qos", NULL)),
        .partition = cs_site_partition_find(c->site, word(json, "partition", "")),
        .failures = (int64_t)real(json, "fails", 0),
    };

    job.units = (int)real(json, "units", (double)job.procs);
    job.demand[0] = 1;
    for (size_t r = 0; r < json_array_size(demand); r++)
        job.demand[r] = (int64_t)json_number_value(json_array_get(demand, r));
    if (!json_object_get(json, "procs"))
        job.procs = job.units * job.demand[0];
    return job;
}

static void sort(struct replay_case *c)
{
    for (int k = 1; k < c->jobs; k++)
        for (int at = k; at > 0 && c->job[at].submit < c->job[at - 1].submit; at--) {
            struct cs_log_job job = c->job[at];
            int index = c->index[at];

            c->job[at] = c->job[at - 1];
            c->index[at] = c->index[at - 1];
            c->job[at - 1] = job;
            c->index[at - 1] = index;
        }
}

static void read_outages(const json_t *list, struct replay_case *c)
{
    const json_t *json;
    size_t o;

    c->outages = (int)json_array_size(list);
    c->outage = CS_NEW_ARRAY(c->arena, struct cs_site_outage, c->outages);
    json_array_foreach(list, o, json)
    {
        const char *kind = word(json, "kind", "");

        c->outage[o] = (struct cs_site_outage){
            .start = real(json, "start", 0),
            .end = real(json, "end", 0),
            .announced = real(json, "announced", -INFINITY),
            .count = (int64_t)real(json, "count", 0),
            .kind = !strcmp(kind, "maintenance") ? CS_SITE_MAINTENANCE
                    : !strcmp(kind, "drain")     ? CS_SITE_DRAIN
                                                 : CS_SITE_DOWN,
            .group =
                json_object_get(json, "group") ? group_of(c->site, word(json, "group", "")) : 0,
        };
    }
}

int replay_case_read(const json_t *json, struct replay_case *c, struct cs_error *err)
{
    const json_t *list = json_object_get(json, "jobs");

    c->site = read_site(json_object_get(json, "machine"), c->arena, err);
    if (!c->site)
        return -1;
    c->jobs = (int)json_array_size(list);
    c->job = CS_NEW_ARRAY(c->arena, struct cs_log_job, c->jobs);
    c->index = CS_NEW_ARRAY(c->arena, int, c->jobs);
    c->member = CS_NEW_ARRAY(c->arena, struct cs_sched_member, c->jobs);
    for (int k = 0; k < c->jobs; k++) {
        c->job[k] = read_job(json_array_get(list, (size_t)k), c);
        c->index[k] = k;
        c->member[k] = (struct cs_sched_member){c->job[k].account, c->job[k].user};
    }
    sort(c);
    read_outages(json_object_get(json, "outages"), c);
    return 0;
}

static const struct cs_sched_named *read_named(const json_t *json, int *count,
                                               struct cs_arena *arena)
{
    struct cs_sched_named *named =
        CS_NEW_ARRAY(arena, struct cs_sched_named, json_object_size(json));
    const char *name;
    const json_t *value;

    *count = 0;
    json_object_foreach((json_t *)(uintptr_t)json, name, value) named[(*count)++] =
        (struct cs_sched_named){name, json_number_value(value)};
    return named;
}

static void read_multifactor(const json_t *json, const struct replay_case *c,
                             struct cs_sched_multifactor *m)
{
    *m = cs_sched_multifactor_default();
    m->age_weight = real(json, "age_weight", 0);
    m->fairshare_weight = real(json, "fairshare_weight", 0);
    m->size_weight = real(json, "size_weight", 0);
    m->partition_weight = real(json, "partition_weight", 0);
    m->qos_weight = real(json, "qos_weight", 0);
    m->max_age = real(json, "max_age", m->max_age);
    m->half_life = real(json, "half_life", m->half_life);
    m->calc_period = real(json, "calc_period", m->calc_period);
    m->favor_small = json_is_true(json_object_get(json, "favor_small"));
    m->classic = !strcmp(word(json, "fairshare", "tree"), "classic");
    m->shares = read_named(json_object_get(json, "shares"), &m->shares_count, c->arena);
    m->qos = read_named(json_object_get(json, "qos"), &m->qos_count, c->arena);
    m->users = &c->users.shown;
    m->accounts = &c->accounts.shown;
    m->qualities = &c->qualities.shown;
    m->members = c->jobs;
    m->member = c->member;
}

int replay_variant_read(const json_t *want, const struct replay_case *c,
                        struct replay_variant *variant, struct cs_error *err)
{
    const char *overrun = word(want, "overrun", "raise");
    const char *reported = word(want, "estimates", "requested");
    const json_t *limits = json_object_get(want, "limits");

    read_multifactor(json_object_get(want, "slurm"), c, &variant->multifactor);
    variant->op = (struct cs_queue_operation){
        .site = c->site,
        .outages = c->outages,
        .outage = c->outage,
        .policy = cs_sched_policy_parse(word(want, "policy", ""), &variant->call, err),
        .param = variant->call.param,
        .priority = cs_sched_urgency_find(word(want, "priority", "fcfs"), err),
        .multifactor = &variant->multifactor,
        .notify = !strcmp(reported, "exact")   ? CS_QUEUE_EXACT
                  : !strcmp(reported, "last2") ? CS_QUEUE_LAST_TWO
                                               : CS_QUEUE_REQUESTED,
        .overrun = !strcmp(overrun, "kill")     ? CS_QUEUE_KILL
                   : !strcmp(overrun, "extend") ? CS_QUEUE_EXTEND
                                                : CS_QUEUE_RAISE,
        .grace = real(want, "grace", 0),
        .user_jobs = (int64_t)real(limits, "user_jobs", 0),
        .user_procs = (int64_t)real(limits, "user_procs", 0),
    };
    return variant->op.policy && variant->op.priority ? 0 : -1;
}

int replay_next(void *source, struct cs_log_job *out, struct cs_error *err)
{
    struct replay_at *at = source;

    (void)err;
    if (at->next == at->c->jobs)
        return 0;
    *out = at->c->job[at->next++];
    return 1;
}
