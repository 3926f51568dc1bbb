/* site_groups.c - groups of a slurm.conf: classes of nodes, split at each partition. */
#include "io/site_conf.h"

#include "base/plain.h"
#include "base/strbuf.h"

static bool is(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

int cs_conf_nodes(const struct cs_conf *c)
{
    int count;

    cs_names_list(c->nodes, &count);
    return count;
}

/* Nodes with equal capacities have one class. */
static int class_capacities(struct cs_conf *c)
{
    int nodes = cs_conf_nodes(c), classes = 0;
    const struct cs_conf_node **kind = CS_NEW_ARRAY(c->arena, const struct cs_conf_node *, nodes);

    for (int n = 0; n < nodes; n++) {
        struct cs_conf_node *node = &c->node[n];
        int at = 0;

        while (at < classes && (kind[at]->cores != node->cores ||
                                kind[at]->memory != node->memory || kind[at]->gpus != node->gpus))
            at++;
        if (at == classes)
            kind[classes++] = node;
        node->class = at;
    }
    return classes;
}

struct members {
    struct cs_conf *conf;
    bool *in;
    const struct cs_conf_part *part;
};

static int add_member(void *who, const char *name)
{
    struct members *m = who;
    int node = cs_names_find(m->conf->nodes, name);

    if (node < 0)
        return cs_error_set(&m->conf->why,
                            "partition \"%.60s\" has node \"%.60s\", of which there "
                            "is no NodeName",
                            m->part->name, name);
    m->in[node] = true;
    return 0;
}

/* Which nodes a partition has. */
static int find_members(struct cs_conf *c, const struct cs_conf_part *part, bool *in,
                        struct cs_error *err)
{
    struct members m = {c, in, part};
    int nodes = cs_conf_nodes(c);
    const bool all = part->nodes && is(part->nodes, "ALL");

    for (int n = 0; n < nodes; n++)
        in[n] = all;
    if (all)
        return 0;
    if (!part->nodes || !*part->nodes)
        return cs_error_set_at(err, CS_ERROR_INPUT, cs_lines_name(c->lines), part->line,
                               "partition \"%.60s\" has no nodes", part->name);
    if (cs_site_names_expand(part->nodes, add_member, &m, &c->why))
        return cs_error_set_at(err, CS_ERROR_INPUT, cs_lines_name(c->lines), part->line, "%s",
                               c->why.text);
    return 0;
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

        if (!of[node->class]) {
            struct cs_strbuf text = CS_STRBUF_INIT;

            cs_strbuf_printf(&text, "g%d", site->groups);
            group[site->groups++] = (struct cs_site_group){
                .name = cs_arena_strdup(c->arena, text.text),
                .first = name[n],
                .cores = node->cores,
                .memory = node->memory,
                .gpus = node->gpus,
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
                                    .seconds = part->seconds};
    int nodes = cs_conf_nodes(c), *list = CS_NEW_ARRAY(c->arena, int, groups);
    bool *has = CS_NEW_ARRAY(c->arena, bool, groups);

    for (int n = 0; n < nodes; n++)
        if (in[n] && !has[group_of[n]]) {
            has[group_of[n]] = true;
            list[out.groups++] = group_of[n];
        }
    out.group = list;
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
    return 0;
}
