/* site_groups.c - groups of a slurm.conf: classes of nodes, split at each partition. */
#include "io/site_conf.h"

#include "base/error.h"
#include "base/plain.h"
#include "base/strbuf.h"

#include <math.h>
#include <string.h>

static bool site_groups_is(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

int cs_conf_nodes(const struct cs_conf *c)
{
    int count;

    cs_names_list(c->nodes, &count);
    return count;
}

static bool same_gres(const struct cs_conf_gres *a, const struct cs_conf_gres *b)
{
    bool same = a->count == b->count;

    for (int i = 0; same && i < a->count; i++)
        same = a->item[i].kind == b->item[i].kind && a->item[i].count == b->item[i].count;
    return same;
}

/* Nodes with equal capacities have one class. */
static int class_capacities(struct cs_conf *c)
{
    int nodes = cs_conf_nodes(c), classes = 0;
    const struct cs_conf_node **kind = CS_NEW_ARRAY(c->arena, const struct cs_conf_node *, nodes);

    for (int n = 0; n < nodes; n++) {
        struct cs_conf_node *node = &c->node[n];
        int at = 0;

        while (at < classes &&
               (kind[at]->cores != node->cores || kind[at]->memory != node->memory ||
                !same_gres(kind[at]->gres, node->gres)))
            at++;
        if (at == classes)
            kind[classes++] = node;
        node->class = at;
    }
    return classes;
}

/* The owner of a list of nodes, and the marks. */
struct members {
    struct cs_conf *conf;
    const char *kind, *name; /* for messages: partition "batch" */
    struct cs_conf_place place;
    bool sets; /* names of sets count too */
    bool *in;
    int depth; /* of sets */
};

static int mark_list(struct members *m, const char *list, struct cs_error *err);

static bool has_feature(const char *list, const char *feature)
{
    const size_t length = strlen(feature);

    for (; list && *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == length && cs_plain_begins(list, feature))
            return true;
    return false;
}

static int mark_set(struct members *m, const struct cs_conf_list *set, struct cs_error *err)
{
    const int nodes = cs_conf_nodes(m->conf);

    for (int n = 0; set->feature && n < nodes; n++)
        m->in[n] |= has_feature(m->conf->node[n].features, set->feature);
    return set->nodes ? mark_list(m, set->nodes, err) : 0;
}

static void mark_all(struct members *m)
{
    const int nodes = cs_conf_nodes(m->conf);

    for (int n = 0; n < nodes; n++)
        m->in[n] = true;
}

static int mark_one(void *who, const char *name)
{
    struct members *m = who;
    struct cs_conf *c = m->conf;
    const int node = cs_names_find(c->nodes, name);
    int found = 0;

    if (node >= 0) {
        m->in[node] = true;
        return 0;
    }
    if (site_groups_is(name, "ALL")) {
        mark_all(m);
        return 0;
    }
    for (int k = 0; m->sets && m->depth == 0 && k < c->sets; k++)
        if (!strcmp(c->set[k].name, name)) {
            int status;

            found++;
            m->depth++;
            status = mark_set(m, &c->set[k], &c->why);
            m->depth--;
            if (status)
                return -1;
        }
    if (found)
        return 0;
    return cs_error_set(&c->why, "%s \"%.60s\" has \"%.60s\", which is no NodeName%s", m->kind,
                        m->name, name, m->sets ? " and no NodeSet" : "");
}

static int mark_list(struct members *m, const char *list, struct cs_error *err)
{
    struct cs_error why = {0};

    if (!cs_site_names_expand(list, mark_one, m, &m->conf->why))
        return 0;
    why = m->conf->why;
    return m->depth
               ? -1
               : cs_error_set_at(err, CS_ERROR_INPUT, m->place.file, m->place.line, "%s", why.text);
}

/* Which nodes a partition has. */
static int find_members(struct cs_conf *c, const struct cs_conf_part *part, bool *in,
                        struct cs_error *err)
{
    struct members m = {c, "partition", part->name, part->place, true, in, 0};

    if (!part->nodes || !*part->nodes)
        return cs_error_set_at(err, CS_ERROR_INPUT, part->place.file, part->place.line,
                               "partition \"%.60s\" has no nodes", part->name);
    return site_groups_is(part->nodes, "(null)") ? 0 : mark_list(&m, part->nodes, err);
}

int cs_conf_down(struct cs_conf *c, bool up, struct cs_error *err)
{
    const int nodes = cs_conf_nodes(c);
    int left = 0;

    for (int d = 0; d < c->downs; d++) {
        bool *in = CS_NEW_ARRAY(c->arena, bool, nodes);
        struct members m = {c, "DownNodes", c->down[d].name, c->down[d].place, false, in, 0};

        if (mark_list(&m, c->down[d].nodes, err))
            return -1;
        for (int n = 0; n < nodes; n++)
            if (in[n] && c->node[n].state == CS_CONF_UP)
                c->node[n].state = c->down[d].state;
    }
    for (int n = 0; n < nodes; n++) {
        struct cs_conf_node *node = &c->node[n];

        if (up)
            node->state = CS_CONF_UP;
        c->out->down += node->state == CS_CONF_DOWN;
        c->out->drained += node->state == CS_CONF_DRAINED;
        c->out->future += node->state == CS_CONF_FUTURE;
        c->out->out_procs += node->state == CS_CONF_UP ? 0 : node->cores;
        left += node->state == CS_CONF_UP;
    }
    return left ? 0
                : cs_error_set(err,
                               "%s: none of the %d nodes is in service (State, DownNodes): "
                               "--assume-up counts all of them",
                               cs_lines_name(c->lines), nodes);
}

/* Classes are split between nodes inside and outside. */
static int split_classes(struct cs_conf *c, const bool *in, int classes)
{
    const struct cs_arena_mark mark = cs_arena_mark(c->arena);
    int nodes = cs_conf_nodes(c), *inside = CS_NEW_ARRAY(c->arena, int, classes);

    for (int n = 0, old = classes; n < nodes; n++) {
        int *to = &inside[c->node[n].class];

        if (!in[n] || c->node[n].class >= old)
            continue;
        if (!*to)
            *to = ++classes;
        c->node[n].class = *to - 1;
    }
    cs_arena_rewind(c->arena, mark);
    return classes;
}

static int64_t gpus_of(const struct cs_conf *c, const struct cs_conf_gres *gres)
{
    int64_t sum = 0;

    for (int i = 0; i < gres->count; i++)
        sum += site_groups_is(c->kind[gres->item[i].kind].name, "gpu") ? gres->item[i].count : 0;
    return sum;
}

/* Groups in the order in which their first nodes come. */
static void make_groups(struct cs_conf *c, struct cs_site *site, int *group_of, int classes)
{
    int nodes = cs_conf_nodes(c), count;
    const char *const *name = cs_names_list(c->nodes, &count);
    struct cs_site_group *group = CS_NEW_ARRAY(c->arena, struct cs_site_group, nodes);
    int *of = CS_NEW_ARRAY(c->arena, int, classes);

    for (int n = 0; n < nodes; n++) {
        const struct cs_conf_node *node = &c->node[n];
        struct cs_site_group *g;

        group_of[n] = -1;
        if (node->state != CS_CONF_UP)
            continue;
        if (!of[node->class]) {
            struct cs_strbuf text = CS_STRBUF_INIT;

            cs_strbuf_printf(&text, "g%d", site->groups);
            group[site->groups++] = (struct cs_site_group){
                .name = cs_arena_strdup(c->arena, text.text),
                .first = name[n],
                .cores = node->cores,
                .memory = node->memory,
                .gpus = gpus_of(c, node->gres),
                .gres = node->gres->count,
                .gres_list = node->gres->item,
            };
            of[node->class] = site->groups;
            cs_strbuf_release(&text);
        }
        g = &group[of[node->class] - 1];
        g->nodes++;
        group_of[n] = of[node->class] - 1;
    }
    site->group = group;
}

static struct cs_site_partition partition_of(struct cs_conf *c, const struct cs_conf_part *part,
                                             const bool *in, const int *group_of, int groups)
{
    struct cs_site_partition out = {.name = part->name,
                                    .tier = part->tier,
                                    .priority = part->priority,
                                    .seconds = part->seconds,
                                    .usual = fmin(part->usual, part->seconds),
                                    .least_nodes = part->least_nodes,
                                    .most_nodes = part->most_nodes};
    int nodes = cs_conf_nodes(c), *list = CS_NEW_ARRAY(c->arena, int, groups);
    bool *has = CS_NEW_ARRAY(c->arena, bool, groups);

    for (int n = 0; n < nodes; n++)
        if (in[n] && group_of[n] >= 0 && !has[group_of[n]]) {
            has[group_of[n]] = true;
            list[out.groups++] = group_of[n];
        }
    out.group = list;
    out.out = out.groups == 0;
    return out;
}

int cs_conf_make_site(struct cs_conf *c, struct cs_site *site, struct cs_error *err)
{
    int nodes = cs_conf_nodes(c), *group_of, classes = class_capacities(c);
    struct cs_site_partition *partition =
        CS_NEW_ARRAY(c->arena, struct cs_site_partition, c->parts);
    bool *in = CS_NEW_ARRAY(c->arena, bool, (size_t)nodes *(size_t)c->parts);

    for (int p = 0; p < c->parts; p++) {
        if (find_members(c, &c->part[p], in + (size_t)p * (size_t)nodes, err))
            return -1;
        classes = split_classes(c, in + (size_t)p * (size_t)nodes, classes);
    }
    group_of = CS_NEW_ARRAY(c->arena, int, nodes);
    make_groups(c, site, group_of, classes);
    site->fallback = -1;
    for (int p = 0; p < c->parts; p++) {
        partition[p] =
            partition_of(c, &c->part[p], in + (size_t)p * (size_t)nodes, group_of, site->groups);
        if (c->part[p].fallback)
            site->fallback = p;
    }
    site->partitions = c->parts;
    site->partition = partition;
    site->kinds = c->kinds;
    site->kind_of_gres = c->kind;
    return 0;
}
