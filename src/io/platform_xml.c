/* platform_xml.c - clusters and the links between them from SimGrid's XML (versions 3 to 4.1). */
#include "io/platform_xml.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "io/names.h"
#include "io/workload.h"
#include "io/xml.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum unit { UNIT_SPEED, UNIT_BANDWIDTH, UNIT_TIME };

struct link {
    double bandwidth, latency;
    bool fat, known, used;
};

struct reader {
    struct cs_arena *arena;
    struct cs_cluster *cluster;
    int clusters, cluster_room;
    struct cs_names *names; /* of links */
    struct link *link;
    int links, link_room;
    int route; /* how many <route>s between zones are open */
    bool root;
    const char *name;
};

static const struct scale {
    const char *prefix;
    double factor;
} scales[] = {
    {"", 1},        {"k", 1e3},        {"K", 1e3},           {"M", 1e6},
    {"G", 1e9},     {"T", 1e12},       {"P", 1e15},          {"E", 1e18},
    {"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"Ti", 1099511627776.0},
};

static const struct scale times[] = {
    {"", 1},       {"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
    {"ps", 1e-12}, {"m", 60}, {"h", 3600},  {"d", 86400}, {"w", 604800},
};

/* The factor of "GBps", "kf", "us"; NaN if unknown. */
static double factor_of(const char *text, enum unit unit)
{
    size_t length = strlen(text);
    double factor = 1;

    if (unit == UNIT_TIME) {
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            if (!strcmp(times[i].prefix, text))
                return times[i].factor;
        return NAN;
    }
    if (unit == UNIT_SPEED && length >= 5 && !strcmp(text + length - 5, "flops"))
        length -= 5;
    else if (unit == UNIT_SPEED && length >= 1 && text[length - 1] == 'f')
        length--;
    else if (unit == UNIT_BANDWIDTH && length >= 3 && !strcmp(text + length - 2, "ps")) {
        factor = text[length - 3] == 'b' ? 0.125 : 1;
        if (text[length - 3] != 'b' && text[length - 3] != 'B')
            return NAN;
        length -= 3;
    } else if (length > 0) {
        return NAN;
    }
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (strlen(scales[i].prefix) == length && !memcmp(scales[i].prefix, text, length))
            return scales[i].factor * factor;
    return NAN;
}

/* How much of the text is a number, exponent included. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "+-0123456789.");

    if (length > 0 && (text[length] == 'e' || text[length] == 'E') &&
        (strchr("0123456789", text[length + 1]) ||
         (strchr("+-", text[length + 1]) && strchr("0123456789", text[length + 2]))) &&
        text[length + 1]) {
        length += 2;
        length += strspn(text + length, "0123456789");
    }
    return length;
}

static int read_quantity(const struct cs_xml *xml, const char *what, const char *text,
                         enum unit unit, double *out, struct cs_error *err)
{
    static const char *const right[] = {"a speed such as 3.258Gf", "a bandwidth such as 1.25GBps",
                                        "a time such as 50us"};
    struct cs_strbuf found = CS_STRBUF_INIT, number = CS_STRBUF_INIT;
    size_t length = number_length(text);
    double factor = factor_of(text + length, unit);
    int status = 0;

    cs_strbuf_append(&number, text, length);
    if (cs_number_double(number.text, out) != CS_NUMBER_FINE || isnan(factor) || *out < 0) {
        cs_strbuf_put_excerpt(&found, text);
        status = cs_xml_error(xml, err, "%s: found %s, expected %s", what, found.text, right[unit]);
    }
    *out *= factor;
    cs_strbuf_release(&found);
    cs_strbuf_release(&number);
    return status;
}

/* An attribute under one of two names; the fallback when it has none. */
static int get_quantity(const struct cs_xml *xml, const char **attribute, const char *name,
                        const char *other, enum unit unit, double fallback, double *out,
                        struct cs_error *err)
{
    const char *text = cs_xml_attribute(attribute, name);

    if (!text && other) {
        name = other;
        text = cs_xml_attribute(attribute, other);
    }
    *out = fallback;
    return text ? read_quantity(xml, name, text, unit, out, err) : 0;
}

/* How many numbers "1-29,58,59" has; -1 when it is no such text. */
static long long radical_size(const char *text)
{
    long long count = 0;

    for (;;) {
        char *end;
        long long first = strtoll(text, &end, 10), last = first;

        if (end == text || first < 0)
            return -1;
        if (*end == '-') {
            text = end + 1;
            last = strtoll(text, &end, 10);
            if (end == text || last < first)
                return -1;
        }
        if (last - first >= INT_MAX)
            return -1;
        count += last - first + 1;
        if (count > CS_IO_PROCS_MOST)
            return -1;
        if (!*end)
            return count;
        if (*end != ',')
            return -1;
        text = end + 1;
    }
}

static void keep_cluster(struct reader *r, const struct cs_cluster *cluster)
{
    CS_ARENA_ROOM(r->arena, r->cluster, r->clusters, r->cluster_room, 16);
    r->cluster[r->clusters++] = *cluster;
}

static int read_cores(const struct cs_xml *xml, const char **attribute, int *cores,
                      struct cs_error *err)
{
    const char *text = cs_xml_attribute(attribute, "core");

    *cores = 1;
    if (text && (cs_number_int(text, cores) != CS_NUMBER_FINE || *cores < 1))
        return cs_xml_error(xml, err, "core: found \"%.40s\", expected a whole number from 1 on",
                            text);
    return 0;
}

static int begin_cluster(struct reader *r, const struct cs_xml *xml, const char **attribute,
                         struct cs_error *err)
{
    const char *id = cs_xml_attribute(attribute, "id");
    const char *radical = cs_xml_attribute(attribute, "radical");
    struct cs_cluster cluster = {0};
    const char *fault;
    long long procs;
    int cores;

    if (!id || !radical)
        return cs_xml_error(xml, err, "<cluster> has no %s", id ? "radical" : "id");
    fault = cs_names_fault(id);
    if (fault)
        return cs_xml_error(xml, err, "the id of a cluster: %s", fault);
    procs = radical_size(radical);
    if (procs < 1)
        return cs_xml_error(xml, err,
                            "cluster %.60s: radical: found \"%.40s\", expected intervals such as "
                            "1-29,58",
                            id, radical);
    if (get_quantity(xml, attribute, "speed", "power", UNIT_SPEED, -1, &cluster.speed, err) ||
        get_quantity(xml, attribute, "bw", NULL, UNIT_BANDWIDTH, CS_LINK_BANDWIDTH,
                     &cluster.bandwidth, err) ||
        get_quantity(xml, attribute, "lat", NULL, UNIT_TIME, CS_LINK_LATENCY, &cluster.latency,
                     err) ||
        read_cores(xml, attribute, &cores, err))
        return -1;
    if (cluster.speed < 0)
        return cs_xml_error(xml, err, "cluster %.60s has no speed", id);
    cluster.speed *= cores;
    cluster.name = cs_arena_strdup(r->arena, id);
    cluster.procs = (int)procs;
    keep_cluster(r, &cluster);
    return 0;
}

static struct link *link_of(struct reader *r, const char *id)
{
    int at = cs_names_add(r->names, id);

    if (at >= r->link_room) {
        int room = r->link_room ? 2 * r->link_room : 64;
        struct link *more = CS_NEW_ARRAY(r->arena, struct link, room);

        if (r->links > 0)
            memcpy(more, r->link, (size_t)r->links * sizeof *more);
        r->link = more;
        r->link_room = room;
    }
    r->links = at >= r->links ? at + 1 : r->links;
    return &r->link[at];
}

static int begin_link(struct reader *r, const struct cs_xml *xml, const char **attribute,
                      struct cs_error *err)
{
    const char *id = cs_xml_attribute(attribute, "id");
    const char *policy = cs_xml_attribute(attribute, "sharing_policy");
    double bandwidth, latency;
    struct link *link;

    if (!id)
        return cs_xml_error(xml, err, "<link> has no id");
    if (get_quantity(xml, attribute, "bandwidth", NULL, UNIT_BANDWIDTH, -1, &bandwidth, err) ||
        get_quantity(xml, attribute, "latency", NULL, UNIT_TIME, 0, &latency, err))
        return -1;
    if (!(bandwidth > 0))
        return cs_xml_error(xml, err, "link %.60s has no bandwidth", id);
    link = link_of(r, id);
    link->bandwidth = bandwidth;
    link->latency = latency;
    link->fat = policy && !strcmp(policy, "FATPIPE");
    link->known = true;
    return 0;
}

static bool is_route(const char *element)
{
    return !strcmp(element, "zoneRoute") || !strcmp(element, "ASroute") ||
           !strcmp(element, "bypassZoneRoute") || !strcmp(element, "bypassASroute");
}

static int platform_xml_begin(void *who, struct cs_xml *xml, const char *element,
                              const char **attribute, struct cs_error *err)
{
    struct reader *r = who;
    const char *id = cs_xml_attribute(attribute, "id");

    if (!r->root && strcmp(element, "platform"))
        return cs_xml_error(xml, err,
                            "found <%.60s>, expected <platform>: this is no platform of SimGrid",
                            element);
    r->root = true;
    if (!strcmp(element, "cluster"))
        return begin_cluster(r, xml, attribute, err);
    if (!strcmp(element, "link"))
        return begin_link(r, xml, attribute, err);
    if ((!strcmp(element, "zone") || !strcmp(element, "AS")) && !r->name && id)
        r->name = cs_arena_strdup(r->arena, id);
    r->route += is_route(element);
    if (!strcmp(element, "link_ctn") && r->route > 0 && id)
        link_of(r, id)->used = true;
    return 0;
}

static int platform_xml_end(void *who, struct cs_xml *xml, const char *element,
                            struct cs_error *err)
{
    struct reader *r = who;

    (void)xml;
    (void)err;
    r->route -= is_route(element);
    return 0;
}

static struct cs_backbone find_backbone(const struct reader *r)
{
    struct cs_backbone b = {.bandwidth = INFINITY};
    bool used = false, narrow = false;

    for (int l = 0; l < r->links; l++) {
        const struct link *link = &r->link[l];

        if (!link->used || !link->known)
            continue;
        used = true;
        if (link->fat)
            continue;
        narrow = true;
        b.bandwidth = fmin(b.bandwidth, link->bandwidth);
        b.latency = fmax(b.latency, link->latency);
    }
    if (!narrow)
        b = (struct cs_backbone){.bandwidth = CS_BACKBONE_BANDWIDTH,
                                 .latency = CS_BACKBONE_LATENCY};
    b.shared_switch = r->clusters < 2 || (used && !narrow);
    return b;
}

struct cs_platform *cs_platform_xml_read(const char *file, const char *bytes, size_t size,
                                         struct cs_error *err)
{
    static const struct cs_xml_reader handlers = {platform_xml_begin, platform_xml_end};
    struct reader r = {.arena = cs_arena_create()};
    struct cs_platform *platform = NULL;
    struct cs_error fault = {0};

    r.names = cs_names_create(r.arena);
    if (cs_xml_parse(file, bytes, size, &handlers, &r, err) == 0) {
        struct cs_backbone backbone = find_backbone(&r);

        if (r.name && cs_names_fault(r.name))
            r.name = NULL;
        platform =
            cs_platform_create_grid(r.name, "node", r.clusters, r.cluster, &backbone, &fault);
        if (!platform)
            cs_error_set(err, "%s: %s", file, fault.text);
    }
    cs_arena_destroy(r.arena);
    return platform;
}
