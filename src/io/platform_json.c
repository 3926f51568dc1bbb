/* platform_json.c - reading and writing platforms. */
#include "io/platform_json.h"

#include "base/arena.h"
#include "io/workload.h"

#include <limits.h>

static int read_cluster(const struct cs_json_at *at, struct cs_cluster *cluster,
                        struct cs_error *err)
{
    if (cs_json_keys(at, "name|procs|speed", err) ||
        cs_json_get_string(at, "name", &cluster->name, err) ||
        cs_json_get_int(at, "procs", 1, CS_IO_PROCS_MOST, &cluster->procs, err))
        return -1;
    if (!cs_json_has(at, "speed"))
        return 0;
    return cs_json_get_double(at, "speed", CS_NUMBER_NOT_NEGATIVE, &cluster->speed, err);
}

static struct cs_platform *read_clusters(const struct cs_json_at *at, const char *unit,
                                         struct cs_arena *scratch, struct cs_error *err)
{
    struct cs_error fault = {0};
    struct cs_json_at list;
    struct cs_cluster *cluster;
    struct cs_platform *platform;
    size_t count;

    if (cs_json_member(at, "clusters", &list, err) || cs_json_array(&list, &count, err))
        return NULL;
    cluster = CS_NEW_ARRAY(scratch, struct cs_cluster, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at element = cs_json_element(&list, i);

        if (read_cluster(&element, &cluster[i], err))
            return NULL;
    }
    platform = cs_platform_create(unit, (int)count, cluster, &fault);
    if (!platform)
        cs_json_error(&list, err, "%s", fault.text);
    return platform;
}

struct cs_platform *cs_platform_json_read(const struct cs_json_at *at, struct cs_error *err)
{
    struct cs_arena *scratch;
    struct cs_platform *platform;
    const char *unit = "processor";

    if (cs_json_keys(at, "unit|clusters", err) ||
        (cs_json_has(at, "unit") && cs_json_get_string(at, "unit", &unit, err)))
        return NULL;
    scratch = cs_arena_create();
    platform = read_clusters(at, unit, scratch, err);
    cs_arena_destroy(scratch);
    return platform;
}

void cs_platform_json_put(struct cs_jsonw *w, const struct cs_platform *platform)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "unit", platform->unit);
    cs_jsonw_key(w, "clusters");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < platform->clusters; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", platform->cluster[i].name);
        cs_jsonw_put_int(w, "procs", platform->cluster[i].procs);
        if (platform->cluster[i].speed > 0)
            cs_jsonw_put_double(w, "speed", platform->cluster[i].speed);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}
