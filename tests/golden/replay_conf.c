/* replay_conf.c - golden cases of slurm.conf. */
#include "replay_kit.h"

#include "io/site_file.h"

#include <math.h>
#include <string.h>

static int compare_number(const json_t *object, const char *key, double got, double fallback,
                          struct cs_error *err)
{
    const json_t *want = json_object_get(object, key);
    const double value = want ? json_number_value(want) : fallback;

    if ((isnan(value) && isnan(got)) || value == got)
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", key, got, value);
}

static int compare_text(const json_t *object, const char *key, const char *got,
                        struct cs_error *err)
{
    const char *want = json_string_value(json_object_get(object, key));

    if (!want || !strcmp(want, got))
        return 0;
    return cs_error_set(err, "%s is \"%s\", expected \"%s\"", key, got, want);
}

static int compare_count(const json_t *array, int got, const char *what, struct cs_error *err)
{
    if ((int)json_array_size(array) == got)
        return 0;
    return cs_error_set(err, "%d %s, expected %zu", got, what, json_array_size(array));
}

static int compare_group(const json_t *want, const struct cs_site_group *got, struct cs_error *err)
{
    if (compare_text(want, "name", got->name, err) ||
        compare_text(want, "first", got->first, err) ||
        compare_number(want, "nodes", got->nodes, NAN, err) ||
        compare_number(want, "cores", (double)got->cores, NAN, err) ||
        compare_number(want, "memory", (double)got->memory, NAN, err))
        return -1;
    return compare_number(want, "gpus", (double)got->gpus, NAN, err);
}

static int compare_partition(const json_t *want, const struct cs_site *site, int p,
                             struct cs_error *err)
{
    const struct cs_site_partition *got = &site->partition[p];
    const json_t *groups = json_object_get(want, "groups");

    if (compare_text(want, "name", got->name, err) ||
        compare_count(groups, got->groups, "groups", err) ||
        compare_number(want, "tier", got->tier, 1, err) ||
        compare_number(want, "priority", got->priority, 1, err) ||
        compare_number(want, "max_seconds", got->seconds, INFINITY, err))
        return -1;
    for (int g = 0; g < got->groups; g++)
        if (strcmp(json_string_value(json_array_get(groups, (size_t)g)),
                   site->group[got->group[g]].name))
            return cs_error_set(err, "group %d is %s", g, site->group[got->group[g]].name);
    if (json_is_true(json_object_get(want, "default")) != (site->fallback == p))
        return cs_error_set(err, "the default is partition %d", site->fallback);
    return 0;
}

static int compare_site(const json_t *want, const struct cs_site *site, struct cs_error *err)
{
    static const char *const kind[] = {"", "node", "pooled", "packed"};
    const json_t *groups = json_object_get(want, "groups");
    const json_t *partitions = json_object_get(want, "partitions");

    if (compare_text(want, "alloc", kind[site->kind], err) ||
        compare_count(groups, site->groups, "groups", err) ||
        compare_count(partitions, site->partitions, "partitions", err))
        return -1;
    for (int g = 0; g < site->groups; g++)
        if (compare_group(json_array_get(groups, (size_t)g), &site->group[g], err))
            return cs_error_prefix(err, "group %d", g);
    for (int p = 0; p < site->partitions; p++)
        if (compare_partition(json_array_get(partitions, (size_t)p), site, p, err))
            return cs_error_prefix(err, "partition %d", p);
    return 0;
}

static int compare_priority(const json_t *want, const struct cs_site_priority *got,
                            struct cs_error *err)
{
    if (compare_number(want, "age_weight", got->age_weight, NAN, err) ||
        compare_number(want, "fairshare_weight", got->fairshare_weight, NAN, err) ||
        compare_number(want, "size_weight", got->size_weight, NAN, err) ||
        compare_number(want, "partition_weight", got->partition_weight, NAN, err) ||
        compare_number(want, "qos_weight", got->qos_weight, NAN, err) ||
        compare_number(want, "max_age", got->max_age, NAN, err) ||
        compare_number(want, "half_life", got->half_life, NAN, err) ||
        compare_number(want, "calc_period", got->calc_period, NAN, err))
        return -1;
    return compare_text(want, "fairshare", got->classic > 0 ? "classic" : "tree", err);
}

static int compare_backfill(const json_t *want, const struct cs_site_backfill *got,
                            struct cs_error *err)
{
    if (compare_number(want, "interval", got->interval, NAN, err) ||
        compare_number(want, "depth", got->depth, NAN, err) ||
        compare_number(want, "queue", got->queue, NAN, err) ||
        compare_number(want, "window", got->window, NAN, err) ||
        compare_number(want, "resolution", got->resolution, NAN, err))
        return -1;
    return compare_number(want, "user", got->user, NAN, err);
}

static int compare(const json_t *want, const struct cs_site_file *got, struct cs_error *err)
{
    const json_t *machine = json_object_get(want, "machine");
    const json_t *words = json_object_get(want, "not_modelled");

    if (compare_site(machine, got->site, err) ||
        compare_priority(json_object_get(machine, "priority"), &got->priority, err) ||
        compare_backfill(json_object_get(want, "policy"), &got->backfill, err) ||
        compare_number(want, "grace", got->grace, NAN, err) ||
        compare_count(words, got->unmodelled, "words that are not modelled", err))
        return -1;
    for (int i = 0; i < got->unmodelled; i++)
        if (strcmp(json_string_value(json_array_get(words, (size_t)i)), got->word[i]))
            return cs_error_set(err, "\"%s\" is not modelled", got->word[i]);
    return 0;
}

int golden_replay_conf(const json_t *json, struct cs_error *err)
{
    const char *text = json_string_value(json_object_get(json, "text"));
    struct cs_arena *arena = cs_arena_create();
    const struct cs_site_file *file =
        cs_site_file_read_memory("slurm.conf", text, strlen(text), NULL, arena, err);
    int status = file ? compare(json_object_get(json, "expected"), file, err) : -1;

    cs_arena_destroy(arena);
    return status;
}
