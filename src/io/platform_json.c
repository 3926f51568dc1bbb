/* platform_json.c - reading and writing platforms. */
#include "io/platform_json.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/source.h"
#include "io/platform_xml.h"
#include "io/workload.h"
#include "model/energy.h"

#include <limits.h>
#include <string.h>

/* Platforms as files: our JSON or SimGrid's XML, what is inside decides. */

static struct cs_platform *platform_json_read_grid(const struct cs_json_at *at,
                                                   struct cs_error *err);

static struct cs_platform *read_json(const char *name, const char *bytes, size_t size,
                                     struct cs_error *err)
{
    json_t *document = cs_json_load_memory(name, bytes, size, err);
    CS_JSON_HOLD(document);
    struct cs_json_at root = cs_json_root(name, document);
    struct cs_platform *platform = document ? platform_json_read_grid(&root, err) : NULL;

    return platform;
}

struct cs_platform *cs_platform_read_memory(const char *name, const void *bytes, size_t size,
                                            struct cs_error *err)
{
    const char *text = bytes;
    size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (at < size && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    if (at == size) {
        cs_error_set(err, "%s: the file is empty", name);
        return NULL;
    }
    return text[at] == '<' ? cs_platform_xml_read(name, text, size, err)
                           : read_json(name, text, size, err);
}

struct cs_platform *cs_platform_read(const char *path, struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_platform *platform = NULL;

    if (cs_file_read(path, CS_FILE_LARGEST, &text, err) == 0)
        platform = cs_platform_read_memory(cs_source_name(path), text.text, text.length, err);
    cs_strbuf_release(&text);
    return platform;
}

static int get_optional(const struct cs_json_at *at, const char *key, enum cs_number_want want,
                        double *out, struct cs_error *err)
{
    return cs_json_has(at, key) ? cs_json_get_double(at, key, want, out, err) : 0;
}

static int read_cluster(const struct cs_json_at *at, struct cs_cluster *cluster,
                        struct cs_error *err)
{
    struct cs_json_at watts;

    if (cs_json_keys(at, "name|procs|speed|bandwidth|latency|memory|watts", err) ||
        cs_json_get_string(at, "name", &cluster->name, err) ||
        cs_json_get_int(at, "procs", 1, CS_IO_PROCS_MOST, &cluster->procs, err) ||
        get_optional(at, "speed", CS_NUMBER_NOT_NEGATIVE, &cluster->speed, err) ||
        get_optional(at, "bandwidth", CS_NUMBER_POSITIVE, &cluster->bandwidth, err) ||
        get_optional(at, "memory", CS_NUMBER_POSITIVE, &cluster->memory, err))
        return -1;
    if (cs_json_has(at, "watts") && (cs_json_member(at, "watts", &watts, err) ||
                                     cs_watts_read_json(&watts, &cluster->watts, err)))
        return -1;
    return get_optional(at, "latency", CS_NUMBER_NOT_NEGATIVE, &cluster->latency, err);
}

static int read_backbone(const struct cs_json_at *at, struct cs_backbone *backbone,
                         struct cs_error *err)
{
    struct cs_json_at middle;

    if (cs_json_has(at, "shared_switch") &&
        cs_json_get_bool(at, "shared_switch", &backbone->shared_switch, err))
        return -1;
    if (!cs_json_has(at, "backbone"))
        return 0;
    if (cs_json_member(at, "backbone", &middle, err) ||
        cs_json_keys(&middle, "bandwidth|latency", err) ||
        cs_json_get_double(&middle, "bandwidth", CS_NUMBER_POSITIVE, &backbone->bandwidth, err))
        return -1;
    return get_optional(&middle, "latency", CS_NUMBER_NOT_NEGATIVE, &backbone->latency, err);
}

struct draft {
    const char *name, *unit;
    struct cs_cluster *cluster;
    size_t clusters;
    struct cs_backbone backbone;
    bool linked; /* some cluster has a bandwidth */
};

static int read_draft(const struct cs_json_at *at, struct draft *draft, struct cs_arena *scratch,
                      struct cs_error *err)
{
    struct cs_json_at list;

    if (cs_json_keys(at, "name|unit|shared_switch|backbone|clusters", err) ||
        (cs_json_has(at, "name") && cs_json_get_string(at, "name", &draft->name, err)) ||
        (cs_json_has(at, "unit") && cs_json_get_string(at, "unit", &draft->unit, err)) ||
        read_backbone(at, &draft->backbone, err) || cs_json_member(at, "clusters", &list, err) ||
        cs_json_array(&list, &draft->clusters, err))
        return -1;
    draft->cluster = CS_NEW_ARRAY(scratch, struct cs_cluster, draft->clusters);
    for (size_t i = 0; i < draft->clusters; i++) {
        struct cs_json_at element = cs_json_element(&list, i);

        draft->cluster[i].latency = -1;
        if (read_cluster(&element, &draft->cluster[i], err))
            return -1;
        draft->linked |= draft->cluster[i].bandwidth > 0;
    }
    return 0;
}

/* Links that the file leaves out are Ethernet. */
static void fill_in(struct draft *draft)
{
    if (draft->clusters < 2)
        draft->backbone.shared_switch = true;
    for (size_t i = 0; i < draft->clusters; i++) {
        struct cs_cluster *c = &draft->cluster[i];

        if (!(c->bandwidth > 0))
            c->bandwidth = CS_LINK_BANDWIDTH;
        if (c->latency < 0)
            c->latency = CS_LINK_LATENCY;
    }
}

static struct cs_platform *platform_json_create(const struct cs_json_at *at, struct draft *draft,
                                                bool grid, struct cs_error *err)
{
    struct cs_error fault = {0};
    struct cs_platform *platform;
    struct cs_json_at list;

    if (grid || draft->linked) {
        fill_in(draft);
        platform = cs_platform_create_grid(draft->name, draft->unit, (int)draft->clusters,
                                           draft->cluster, &draft->backbone, &fault);
    } else {
        platform = cs_platform_create(draft->unit, (int)draft->clusters, draft->cluster, &fault);
    }
    if (!platform && cs_json_member(at, "clusters", &list, err) == 0)
        cs_json_error(&list, err, "%s", fault.text);
    return platform;
}

static struct cs_platform *read_platform(const struct cs_json_at *at, bool grid,
                                         struct cs_error *err)
{
    struct cs_arena *scratch = cs_arena_create();
    struct draft draft = {.name = "", .unit = "processor"};
    struct cs_platform *platform = NULL;

    if (read_draft(at, &draft, scratch, err) == 0)
        platform = platform_json_create(at, &draft, grid, err);
    cs_arena_destroy(scratch);
    return platform;
}

struct cs_platform *cs_platform_json_read(const struct cs_json_at *at, struct cs_error *err)
{
    return read_platform(at, false, err);
}

/* The same, all links that are left out being those of platform.h: two clusters need shared_switch
 * or a backbone. */
static struct cs_platform *platform_json_read_grid(const struct cs_json_at *at,
                                                   struct cs_error *err)
{
    return read_platform(at, true, err);
}

static void put_cluster(struct cs_jsonw *w, const struct cs_cluster *cluster)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", cluster->name);
    cs_jsonw_put_int(w, "procs", cluster->procs);
    if (cluster->speed > 0)
        cs_jsonw_put_double(w, "speed", cluster->speed);
    if (cluster->bandwidth > 0) {
        cs_jsonw_put_double(w, "bandwidth", cluster->bandwidth);
        cs_jsonw_put_double(w, "latency", cluster->latency);
    }
    if (cluster->memory > 0)
        cs_jsonw_put_double(w, "memory", cluster->memory);
    if (cluster->watts.busy > 0) {
        cs_jsonw_key(w, "watts");
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "busy", cluster->watts.busy);
        cs_jsonw_put_double(w, "idle", cluster->watts.idle);
        cs_jsonw_put_double(w, "off", cluster->watts.off);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_platform_json_put(struct cs_jsonw *w, const struct cs_platform *platform)
{
    cs_jsonw_open(w, '{');
    if (platform->name[0])
        cs_jsonw_put_string(w, "name", platform->name);
    cs_jsonw_put_string(w, "unit", platform->unit);
    if (platform->cluster[0].bandwidth > 0)
        cs_jsonw_put_bool(w, "shared_switch", platform->backbone.shared_switch);
    if (platform->backbone.bandwidth > 0) {
        cs_jsonw_key(w, "backbone");
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "bandwidth", platform->backbone.bandwidth);
        cs_jsonw_put_double(w, "latency", platform->backbone.latency);
        cs_jsonw_close(w);
    }
    cs_jsonw_key(w, "clusters");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < platform->clusters; i++)
        put_cluster(w, &platform->cluster[i]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}
