/* outages.c - maintenance, drained nodes and nodes that went down. */
#include "io/outages.h"

#include "base/csv.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "io/stamp.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct columns {
    int start, end, count, kind, group, announced;
};

static int find_columns(const struct cs_csv *csv, struct columns *c, struct cs_error *err)
{
    int column[4];

    if (cs_csv_require_all(csv, "start,end,count,kind", column, err))
        return -1;
    *c = (struct columns){column[0],
                          column[1],
                          column[2],
                          column[3],
                          cs_csv_find(csv, "group"),
                          cs_csv_find(csv, "announced")};
    return 0;
}

/* A number on the log's clock, or a stamp. */
static int read_time(const struct cs_csv *csv, int column, const struct cs_zone *zone, double shift,
                     double *out, struct cs_error *err)
{
    const char *text = cs_csv_text(csv, column);
    int64_t seconds;

    if (cs_number_double(text, out) == CS_NUMBER_FINE)
        return 0;
    if (cs_stamp_read(text, zone, &seconds) != CS_STAMP_WRONG && *text) {
        *out = (double)seconds + shift;
        return 0;
    }
    return cs_csv_error(csv, column, err,
                        "found \"%.60s\", expected seconds or a time such as 2025-01-31T08:00:00",
                        text);
}

static int read_kind(const struct cs_csv *csv, int column, enum cs_site_outage_kind *kind,
                     struct cs_error *err)
{
    static const char *const word[] = {"maintenance", "drain", "down"};
    const char *text = cs_csv_text(csv, column);

    for (int k = 0; k < 3; k++)
        if (!strcmp(text, word[k])) {
            *kind = (enum cs_site_outage_kind)k;
            return 0;
        }
    return cs_csv_error(csv, column, err, "found \"%.60s\", expected maintenance, drain or down",
                        text);
}

/* "WHAT; the machine has a, b (from n001), ...", up to ten; groups of slurm.conf have a first. */
static int refuse_group(const struct cs_csv *csv, int column, const struct cs_site *site,
                        const char *what, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int g = 0; g < site->groups && g < 10; g++) {
        const struct cs_site_group *group = &site->group[g];

        cs_strbuf_printf(&names, "%s%.60s", g ? ", " : "", group->name);
        if (group->first)
            cs_strbuf_printf(&names, " (from %.60s)", group->first);
    }
    cs_strbuf_puts(&names, site->groups > 10 ? ", ..." : "");
    cs_csv_error(csv, column, err, "%s; the machine has %s", what,
                 site->groups ? names.text : "no groups");
    cs_strbuf_release(&names);
    return -1;
}

static int read_group(const struct cs_csv *csv, int column, const struct cs_site *site, int *group,
                      struct cs_error *err)
{
    const char *text = column < 0 ? "" : cs_csv_text(csv, column);
    char what[100];

    *group = 0;
    if (!*text && site->groups > 1)
        return refuse_group(csv, column, site, "expected the name of a group", err);
    for (int g = 0; *text && g < site->groups; g++)
        if (!strcmp(site->group[g].name, text)) {
            *group = g;
            return 0;
        }
    if (!*text)
        return 0;
    cs_plain_print(what, sizeof what, "there is no group \"%.60s\"", text);
    return refuse_group(csv, column, site, what, err);
}

static int outages_read_row(const struct cs_csv *csv, const struct columns *c,
                            const struct cs_site *site, const struct cs_zone *zone, double shift,
                            struct cs_site_outage *out, struct cs_error *err)
{
    int count;

    out->announced = -INFINITY;
    if (read_time(csv, c->start, zone, shift, &out->start, err) ||
        read_time(csv, c->end, zone, shift, &out->end, err) ||
        read_kind(csv, c->kind, &out->kind, err) ||
        read_group(csv, c->group, site, &out->group, err) ||
        cs_csv_int(csv, c->count, 1, site->group[out->group].nodes, &count, err))
        return -1;
    out->count = count;
    if (!(out->end > out->start))
        return cs_csv_error(csv, c->end, err, "the outage ends before it begins");
    return c->announced >= 0 && cs_csv_text(csv, c->announced)[0]
               ? read_time(csv, c->announced, zone, shift, &out->announced, err)
               : 0;
}

int cs_outages_read(const char *path, const struct cs_site *site, const struct cs_zone *zone,
                    double shift, struct cs_arena *arena, const struct cs_site_outage **out,
                    int *count, struct cs_error *err)
{
    struct cs_csv *csv = cs_csv_open(path, err);
    struct cs_site_outage *list = NULL;
    struct columns columns;
    int status = csv && !find_columns(csv, &columns, err) ? 1 : -1, n = 0;

    while (status > 0 && (status = cs_csv_next(csv, err)) > 0) {
        if ((n & (n - 1)) == 0)
            list = cs_arena_grow(arena, list, (size_t)n, n ? 2 * (size_t)n : 1, sizeof *list);
        if (outages_read_row(csv, &columns, site, zone, shift, &list[n++], err))
            status = -1;
    }
    cs_csv_close(csv);
    *out = list;
    *count = n;
    return status;
}
