/* site_gres.c - generic resources and states of nodes in a slurm.conf. */
#include "base/plain.h"
#include "io/site_conf.h"

#include <string.h>

static bool site_gres_is(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

/* "4", "16K"; -1 if invalid. */
static int64_t count_of(const char *text)
{
    static const char power[] = "kmgtp";
    const char *unit;
    char *end;
    double value;

    if (*text < '0' || *text > '9')
        return -1;
    value = cs_plain_double(text, &end);
    unit = *end ? strchr(power, cs_plain_lower(*end)) : NULL;
    if (*end && (!unit || end[1]))
        return -1;
    for (; unit && unit >= power; unit--)
        value *= 1024;
    return value <= CS_SITE_LARGEST ? (int64_t)value : -1;
}

/* The number of a kind, which may be new; -1: there are too many. */
static int site_gres_kind_of(struct cs_conf *c, const char *name, const char *type)
{
    int k = 0;

    while (k < c->kinds &&
           !(site_gres_is(c->kind[k].name, name) && site_gres_is(c->kind[k].type, type)))
        k++;
    if (k == CS_CONF_KINDS)
        return -1;
    if (k == c->kinds)
        c->kind[c->kinds++] = (struct cs_site_kind_of_gres){name, type};
    return k;
}

/* One of the list, which is cut up: NAME, NAME:COUNT, NAME:TYPE or NAME:TYPE:COUNT. */
static int add_item(struct cs_conf *c, char *text, struct cs_conf_gres *gres, struct cs_error *err)
{
    char *type = strchr(text, ':'), *last;
    int64_t count = 1;
    int kind;

    text[strcspn(text, "(")] = '\0';
    if (!*text || strstr(text, ":no_consume"))
        return 0;
    type = strchr(text, ':');
    last = strrchr(text, ':');
    if (last && count_of(last + 1) >= 0) {
        count = count_of(last + 1);
        *last = '\0';
        type = type == last ? NULL : type;
    }
    if (type)
        *type++ = '\0';
    kind = site_gres_kind_of(c, text, type ? type : "");
    if (kind < 0 || gres->count == CS_CONF_KINDS)
        return cs_lines_error(c->lines, err,
                              "Gres: there are more than %d kinds of generic resources",
                              CS_CONF_KINDS);
    for (int i = 0; i < gres->count; i++)
        if (gres->item[i].kind == kind) {
            gres->item[i].count += count;
            return 0;
        }
    gres->item[gres->count++] = (struct cs_site_gres){kind, count};
    return 0;
}

const struct cs_conf_gres *cs_conf_gres_read(struct cs_conf *c, const char *text,
                                             struct cs_error *err)
{
    struct cs_conf_gres *gres = CS_NEW(c->arena, struct cs_conf_gres);
    char *at = cs_arena_strdup(c->arena, site_gres_is(text, "(null)") ? "" : text);

    while (*at) {
        char *item = at;
        bool inside = false;

        for (; *at && (inside || *at != ','); at++)
            inside = *at == '(' || (inside && *at != ')');
        if (*at)
            *at++ = '\0';
        if (add_item(c, item, gres, err))
            return NULL;
    }
    return gres;
}

/* ---- states ---- */

enum cs_conf_state cs_conf_state_read(const char *text)
{
    static const struct {
        const char *word;
        enum cs_conf_state state;
    } known[] = {{"FUTURE", CS_CONF_FUTURE},
                 {"DOWN", CS_CONF_DOWN},
                 {"FAIL", CS_CONF_DOWN},
                 {"DRAIN", CS_CONF_DRAINED}};
    enum cs_conf_state state = CS_CONF_UP;

    for (; *text; text += strcspn(text, "+"), text += *text == '+')
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (cs_plain_begins(text, known[i].word) && state == CS_CONF_UP)
                state = known[i].state;
    return state;
}
