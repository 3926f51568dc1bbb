/* availability_fleet.c - files made into one fleet, each a zone of it.
 *
 * Tables and lists are read line by line, so that memory depends on the hosts and on how often
 * they come and go, neither on the size of the file nor on the length of slots.
 */
#include "io/availability_build.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/source.h"
#include "base/strbuf.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define USUAL_SLOT 60.0
#define MARGIN_BETWEEN "component.tab"

static int read_json(struct cs_availability_draft *draft, struct cs_lines *lines,
                     struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = cs_lines_rest(lines, CS_FILE_LARGEST, &text, err);

    if (!status)
        status =
            cs_availability_read_json(draft, cs_lines_name(lines), text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

static int read_draft(struct cs_availability_draft *draft, struct cs_lines *lines,
                      struct cs_error *err)
{
    const char *bytes, *first;
    size_t size;

    if (cs_lines_peek(lines, &bytes, &size, err))
        return -1;
    first = cs_availability_begin(bytes, size);
    if (first && *first == '{')
        return read_json(draft, lines, err);
    if (cs_availability_read_lines(draft, lines, err))
        return -1;
    return draft->count ? 0 : cs_error_set(err, "%s: no host in it", cs_lines_name(lines));
}

static int read_components(struct cs_availability_draft *draft, const char *path,
                           struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open(path, err);
    int status = lines ? cs_availability_read_components(draft, lines, err) : -1;

    cs_lines_close(lines);
    return status;
}

/* The component table of an event table: the named one, or the one in its directory. */
static int find_components(struct cs_availability_draft *draft, const char *path,
                           const struct cs_fleet_options *options, struct cs_error *err)
{
    const char *slash = strrchr(path, '/');
    struct cs_strbuf extra = CS_STRBUF_INIT;
    int status = 0;

    if (strcmp(draft->kind, "event table"))
        return 0;
    if (options->components)
        return read_components(draft, options->components, err);
    if (!strcmp(path, "-"))
        return 0;
    cs_strbuf_append(&extra, path, slash ? (size_t)(slash - path) + 1 : 0);
    cs_strbuf_puts(&extra, MARGIN_BETWEEN);
    if (!access(extra.text, R_OK))
        status = read_components(draft, extra.text, err);
    cs_strbuf_release(&extra);
    return status;
}

/* All files, on their way to a fleet. */
struct merge {
    struct cs_availability_draft *draft;
    const char **name; /* of the files, as messages call them */
    int drafts;
    const struct cs_fleet_options *options;
    struct cs_arena *scratch;
    struct cs_fleet *fleet;
    struct cs_fleet_host *host;
    struct cs_fleet_zone *zone;
    size_t host_room;
};

/* "trace" of "a/trace.json.gz". */
static const char *availability_fleet_stem(const char *path, struct cs_arena *arena)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return cs_arena_strndup(arena, name, strcspn(name, "."));
}

/* Hosts of several files are distinguished by the names of the files. */
static const char *host_name(const struct merge *m, const struct cs_fleet_zone *zone,
                             const char *name, int hosts)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *copy;

    if (m->drafts == 1)
        return name;
    cs_strbuf_puts(&text, zone->name);
    if (hosts > 1)
        cs_strbuf_printf(&text, " %s", name);
    copy = cs_arena_strdup(m->fleet->storage, text.text);
    cs_strbuf_release(&text);
    return copy;
}

static bool ever_known(const struct cs_fleet_host *host)
{
    return host->runs > 1 || host->run[0].state != CS_FLEET_UNKNOWN;
}

static const double *copy_prices(const struct cs_availability_draft *draft, struct cs_arena *arena)
{
    double *price = CS_NEW_ARRAY(arena, double, draft->prices);

    if (draft->prices)
        memcpy(price, draft->price, draft->prices * sizeof *price);
    return price;
}

static int add_zone(struct merge *m, int d, struct cs_error *err)
{
    struct cs_availability_draft *draft = &m->draft[d];
    struct cs_fleet *fleet = m->fleet;
    struct cs_availability_zone cut;
    struct cs_fleet_zone *zone = &m->zone[d];
    int left = m->options->hosts > 0 ? m->options->hosts - fleet->hosts : 0;

    if (m->options->hosts > 0 && left < 1)
        return 0;
    if (cs_availability_cut(draft, m->name[d], fleet->slot, left, &cut, fleet->storage, err))
        return -1;
    *zone = (struct cs_fleet_zone){
        .name = availability_fleet_stem(m->name[d], fleet->storage),
        .kind = draft->kind,
        .first = fleet->hosts,
        .nested = cut.nested,
        .gap = draft->gap,
        .slots = cut.slots,
        .lifetimes = cut.lifetimes,
        .life = cut.life,
        .prices = (int64_t)draft->prices,
        .price = copy_prices(draft, fleet->storage),
    };
    m->host = cs_availability_grow(draft, m->host, (size_t)fleet->hosts, sizeof *m->host,
                                   (size_t)(fleet->hosts + cut.hosts), &m->host_room);
    for (int q = 0; q < cut.hosts; q++) {
        if (!ever_known(&cut.host[q])) {
            fleet->dropped++;
            continue;
        }
        cut.host[q].name = host_name(m, zone, cut.host[q].name, cut.hosts);
        m->host[fleet->hosts++] = cut.host[q];
        zone->hosts++;
    }
    fleet->slots = cut.slots > fleet->slots ? cut.slots : fleet->slots;
    fleet->zones++;
    return 0;
}

/* A zone that ends before others is unknown from there on. */
static void availability_fleet_lengthen(struct cs_fleet *fleet, struct cs_fleet_host *host,
                                        struct cs_arena *scratch)
{
    struct cs_fleet_strip strip = {.arena = scratch};

    if (host->run[host->runs - 1].end == fleet->slots)
        return;
    for (int64_t i = 0; i < host->runs; i++)
        cs_fleet_strip_add(&strip, host->run[i].state, host->run[i].end);
    cs_fleet_strip_add(&strip, CS_FLEET_UNKNOWN, fleet->slots);
    *host = cs_fleet_strip_host(&strip, host->name, fleet->storage);
}

static double slot_of(const struct merge *m)
{
    double slot = 0;

    if (m->options->slot > 0)
        return m->options->slot;
    for (int d = 0; d < m->drafts; d++)
        slot = fmax(slot, m->draft[d].gap);
    return slot > 0 ? slot : USUAL_SLOT;
}

static struct cs_fleet *availability_fleet_merge(struct merge *m, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fleet *fleet = m->fleet = CS_NEW(arena, struct cs_fleet);
    struct cs_fleet_host *host;
    int status = 0;

    fleet->storage = arena;
    fleet->slot = slot_of(m);
    m->zone = CS_NEW_ARRAY(arena, struct cs_fleet_zone, m->drafts);
    for (int d = 0; d < m->drafts && !status; d++)
        status = add_zone(m, d, err);
    if (!status && !fleet->hosts)
        status = cs_error_set(err, "%s: not one host of which anything is known", m->name[0]);
    if (status) {
        cs_arena_destroy(arena);
        return NULL;
    }
    host = CS_NEW_ARRAY(arena, struct cs_fleet_host, fleet->hosts);
    memcpy(host, m->host, (size_t)fleet->hosts * sizeof *host);
    for (int q = 0; q < fleet->hosts; q++)
        availability_fleet_lengthen(fleet, &host[q], m->scratch);
    fleet->host = host;
    fleet->zone = m->zone;
    return fleet;
}

static struct merge merge_of(int count, const struct cs_fleet_options *options)
{
    static const struct cs_fleet_options nothing;
    struct cs_arena *scratch = cs_arena_create();
    struct merge m = {.draft = CS_NEW_ARRAY(scratch, struct cs_availability_draft, count),
                      .name = CS_NEW_ARRAY(scratch, const char *, count),
                      .drafts = count,
                      .options = options ? options : &nothing,
                      .scratch = scratch};

    for (int d = 0; d < count; d++)
        m.draft[d] =
            (struct cs_availability_draft){.arena = scratch, .names = cs_names_create(scratch)};
    return m;
}

struct cs_fleet *cs_fleet_read(const char *const *path, int count,
                               const struct cs_fleet_options *options, struct cs_error *err)
{
    CS_ASK(cs_are_paths(path, count), err, NULL);
    CS_GUARD(err, NULL);
    struct merge m = merge_of(count, options);
    struct cs_fleet *fleet = NULL;
    int status = 0;

    for (int d = 0; d < count && !status; d++) {
        struct cs_lines *lines = cs_lines_open(path[d], err);

        m.name[d] = cs_source_name(path[d]);
        status = !lines || read_draft(&m.draft[d], lines, err) ||
                 find_components(&m.draft[d], path[d], m.options, err);
        cs_lines_close(lines);
    }
    if (!status)
        fleet = availability_fleet_merge(&m, err);
    cs_arena_destroy(m.scratch);
    return fleet;
}

struct cs_fleet *cs_fleet_read_memory(const struct cs_fleet_bytes *file,
                                      const struct cs_fleet_options *options, struct cs_error *err)
{
    struct merge m = merge_of(1, options);
    struct cs_lines *lines = cs_lines_open_memory(file->name, file->bytes, file->size);
    struct cs_fleet *fleet = NULL;
    int status = read_draft(&m.draft[0], lines, err);

    m.name[0] = file->name;
    cs_lines_close(lines);
    if (!status && file->components) {
        lines = cs_lines_open_memory("component.tab", file->components, file->components_size);
        status = cs_availability_read_components(&m.draft[0], lines, err);
        cs_lines_close(lines);
    }
    if (!status)
        fleet = availability_fleet_merge(&m, err);
    cs_arena_destroy(m.scratch);
    return fleet;
}
