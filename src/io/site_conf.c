/* site_conf.c - slurm.conf: nodes, partitions, and what matters of policy and priority. */
#include "io/site_conf.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "io/stamp.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define DEEPEST 16 /* files that include each other */

/* ---- words ---- */

static bool site_conf_is(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

/* The next Key=Value of *at; NULL at the end, and the value is NULL without a '='. */
static char *next_pair(char **at, char **value)
{
    char *key = *at + strspn(*at, " \t"), *end;

    if (!*key)
        return NULL;
    end = key + strcspn(key, "= \t");
    *value = *end == '=' ? end + 1 : NULL;
    if (*value)
        *end = '\0';
    if (*value && **value == '"') {
        ++*value;
        end = *value + strcspn(*value, "\"");
    } else if (*value) {
        end = *value + strcspn(*value, " \t");
    }
    *at = end + (*end != '\0');
    *end = '\0';
    return key;
}

static int64_t site_conf_whole(const char *text)
{
    int64_t value;

    return cs_number_int64(text, &value) == CS_NUMBER_FINE && value >= 0 && value <= CS_SITE_LARGEST
               ? value
               : -1;
}

/* ---- nodes ---- */

static const struct cs_conf_gres *conf_gres_read(struct cs_conf *c, const char *text,
                                                 struct cs_error *err);

static enum cs_conf_state conf_state_read(const char *text);

/* Of a bad value the sentence is in err. */
static int read_shape(struct cs_conf *c, struct cs_conf_shape *s, const char *key,
                      const char *value, struct cs_error *err)
{
    const struct {
        const char *key;
        int64_t *to;
        const char *unit;
    } known[] = {{"CPUs", &s->cpus, ""},
                 {"CPUTot", &s->cpus, ""},
                 {"Procs", &s->cpus, ""},
                 {"Boards", &s->boards, ""},
                 {"Sockets", &s->sockets, ""},
                 {"SocketsPerBoard", &s->sockets, ""},
                 {"CoresPerSocket", &s->cores, ""},
                 {"ThreadsPerCore", &s->threads, ""},
                 {"RealMemory", &s->memory, " of megabytes"}};

    if (site_conf_is(key, "Gres"))
        return (s->gres = conf_gres_read(c, value, err)) ? 0 : -1;
    if (site_conf_is(key, "State"))
        s->state = conf_state_read(value);
    else if (site_conf_is(key, "Features") || site_conf_is(key, "Feature") ||
             site_conf_is(key, "AvailableFeatures"))
        s->features = cs_arena_strdup(c->arena, value);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (site_conf_is(key, known[i].key)) {
            *known[i].to = site_conf_whole(value);
            return *known[i].to >= 0
                       ? 0
                       : cs_lines_error(c->lines, err, "%s=%.60s: expected a whole number%s", key,
                                        value, known[i].unit);
        }
    return 0;
}

static int64_t or_one(int64_t value)
{
    return value > 0 ? value : 1;
}

static int add_node(void *who, const char *name)
{
    static const struct cs_conf_gres no_gres = {0};
    struct cs_conf *c = who;
    const struct cs_conf_shape *s = &c->shape;
    int64_t cores = s->cpus > 0 ? s->cpus
                                : or_one(s->boards) * or_one(s->sockets) * or_one(s->cores) *
                                      or_one(s->threads);
    int number = cs_names_add(c->nodes, name);

    if (number >= CS_SITE_NODES_MOST || cores > CS_SITE_LARGEST || cores < 1)
        return cs_error_set(&c->why, "there are too many nodes or processors");
    if (number >= c->room) {
        c->node = cs_arena_grow(c->arena, c->node, (size_t)c->room, 2 * (size_t)number + 64,
                                sizeof *c->node);
        c->room = 2 * number + 64;
    }
    c->node[number] = (struct cs_conf_node){.cores = cores,
                                            .memory = s->memory > 0 ? s->memory : 0,
                                            .gres = s->gres ? s->gres : &no_gres,
                                            .features = s->features,
                                            .state = s->state};
    return 0;
}

static int site_conf_wrong(const struct cs_conf *c, const char *key, const char *value,
                           struct cs_error *err)
{
    return cs_lines_error(c->lines, err, "%s=%.60s: expected a whole number", key, value);
}

static int read_nodes(struct cs_conf *c, const char *names, char *rest, struct cs_error *err)
{
    char *key, *value;

    c->shape = c->supplied;
    while ((key = next_pair(&rest, &value)))
        if (value && read_shape(c, &c->shape, key, value, err))
            return -1;
    if (site_conf_is(names, "DEFAULT")) {
        c->supplied = c->shape;
        return 0;
    }
    if (cs_site_names_expand(names, add_node, c, &c->why))
        return cs_lines_error(c->lines, err, "%s", c->why.text);
    return 0;
}

/* ---- partitions ---- */

static struct cs_conf_place site_conf_place_of(const struct cs_conf *c)
{
    return (struct cs_conf_place){cs_arena_strdup(c->arena, cs_lines_name(c->lines)),
                                  cs_lines_number(c->lines)};
}

static double minutes_or(const char *value, double otherwise)
{
    const int64_t seconds = cs_stamp_minutes(value);

    return seconds > 0 ? (double)seconds : otherwise;
}

/* A count of which UNLIMITED is 0. */
static int64_t limit_of(const char *value)
{
    return site_conf_is(value, "UNLIMITED") || site_conf_is(value, "INFINITE")
               ? 0
               : site_conf_whole(value);
}

static bool read_numbers(struct cs_conf_part *part, const char *key, const char *value)
{
    if (site_conf_is(key, "PriorityTier") || site_conf_is(key, "Priority"))
        part->tier = (double)site_conf_whole(value);
    if (site_conf_is(key, "PriorityJobFactor") || site_conf_is(key, "Priority"))
        part->priority = (double)site_conf_whole(value);
    else if (site_conf_is(key, "MaxNodes"))
        part->most_nodes = limit_of(value);
    else if (site_conf_is(key, "MinNodes"))
        part->least_nodes = limit_of(value);
    return part->tier >= 0 && part->priority >= 0 && part->most_nodes >= 0 &&
           part->least_nodes >= 0;
}

static void conf_word_name(struct cs_conf *c, const char *word);

/* FORCE:1 shares no more than NO does; YES is for jobs that ask for it. */
static void read_sharing(struct cs_conf *c, struct cs_conf_part *part, const char *value)
{
    part->exclusive = site_conf_is(value, "EXCLUSIVE");
    if (cs_plain_begins(value, "FORCE") && !site_conf_is(value, "FORCE:1"))
        conf_word_name(c, "OverSubscribe=FORCE");
}

static void conf_key_see(struct cs_conf *c, enum cs_conf_scope scope, const char *key,
                         const char *value);

static void read_part_key(struct cs_conf *c, struct cs_conf_part *part, const char *key,
                          const char *value)
{
    conf_key_see(c, CS_CONF_PARTITION, key, value);
    if (site_conf_is(key, "Nodes"))
        part->nodes = cs_arena_strdup(c->arena, value);
    else if (site_conf_is(key, "MaxTime"))
        part->seconds = minutes_or(value, INFINITY);
    else if (site_conf_is(key, "DefaultTime"))
        part->usual = minutes_or(value, 0);
    else if (site_conf_is(key, "Default"))
        part->fallback = site_conf_is(value, "YES");
    else if (site_conf_is(key, "OverSubscribe") || site_conf_is(key, "Shared"))
        read_sharing(c, part, value);
}

static int read_part(struct cs_conf *c, const char *name, char *rest, struct cs_error *err)
{
    struct cs_conf_part part = c->usual;
    char *key, *value;
    int at = 0;

    while ((key = next_pair(&rest, &value))) {
        if (!value)
            continue;
        read_part_key(c, &part, key, value);
        if (!read_numbers(&part, key, value))
            return site_conf_wrong(c, key, value, err);
    }
    if (site_conf_is(name, "DEFAULT")) {
        c->usual = part;
        return 0;
    }
    part.name = cs_arena_strdup(c->arena, name);
    part.place = site_conf_place_of(c);
    while (c->scontrol && at < c->parts && !site_conf_is(c->part[at].name, name))
        at++;
    if (c->scontrol && at < c->parts) {
        c->part[at] = part;
        return 0;
    }
    if (c->parts == CS_CONF_PARTITIONS)
        return cs_lines_error(c->lines, err, "there are more than %d partitions",
                              CS_CONF_PARTITIONS);
    c->part[c->parts++] = part;
    return 0;
}

/* ---- lists of nodes ---- */

static struct cs_conf_list *add_list(struct cs_conf *c, struct cs_conf_list **list, int *count,
                                     int *room)
{
    struct cs_conf_list *added;

    if (*count == *room) {
        const size_t old = (size_t)*room;

        *room = 2 * *room + 8;
        *list = cs_arena_grow(c->arena, *list, old, (size_t)*room, sizeof **list);
    }
    added = &(*list)[(*count)++];
    *added = (struct cs_conf_list){.state = CS_CONF_DOWN, .place = site_conf_place_of(c)};
    return added;
}

static void site_conf_read_list(struct cs_conf *c, struct cs_conf_list *list, char *rest)
{
    char *key, *value;

    while ((key = next_pair(&rest, &value)))
        if (value && site_conf_is(key, "Nodes"))
            list->nodes = cs_arena_strdup(c->arena, value);
        else if (value && site_conf_is(key, "Feature"))
            list->feature = cs_arena_strdup(c->arena, value);
        else if (value && site_conf_is(key, "State"))
            list->state = conf_state_read(value);
}

/* ---- policy and priority ---- */

static int read_scheduler(struct cs_conf *c, char *list, struct cs_error *err)
{
    struct cs_site_backfill *b = &c->out->backfill;
    struct {
        const char *key;
        double *to, unit;
    } known[] = {{"bf_interval", &b->interval, 1}, {"bf_max_job_test", &b->depth, 1},
                 {"max_job_bf", &b->depth, 1},     {"default_queue_depth", &b->queue, 1},
                 {"bf_window", &b->window, 60},    {"bf_resolution", &b->resolution, 1},
                 {"bf_max_job_user", &b->user, 1}};

    while (*list) {
        char *key = list, *value;

        list += strcspn(list, ",");
        if (*list)
            *list++ = '\0';
        value = strchr(key, '=');
        if (value)
            *value++ = '\0';
        key += strspn(key, " ");
        conf_key_see(c, CS_CONF_SCHEDULER, key, value ? value : "");
        for (size_t i = 0; value && i < sizeof known / sizeof known[0]; i++)
            if (site_conf_is(key, known[i].key)) {
                if (site_conf_whole(value) < 0)
                    return site_conf_wrong(c, key, value, err);
                *known[i].to = (double)site_conf_whole(value) * known[i].unit;
            }
    }
    return 0;
}

static void read_flags(struct cs_conf *c, char *list)
{
    while (*list) {
        char *word = list, text[128];

        list += strcspn(list, ",");
        if (*list)
            *list++ = '\0';
        if (site_conf_is(word, "NO_FAIR_TREE")) {
            c->out->priority.classic = 1;
        } else if (!site_conf_is(word, "FAIR_TREE")) {
            cs_plain_print(text, sizeof text, "PriorityFlags=%s", word);
            conf_word_name(c, text);
        }
    }
}

/* Limits of associations and qualities of service, which accounts enforce. */
static void see_enforced(struct cs_conf *c, const char *value)
{
    for (; *value; value += strcspn(value, ","), value += *value == ',')
        if (cs_plain_begins(value, "limits") || cs_plain_begins(value, "safe") ||
            cs_plain_begins(value, "all"))
            conf_word_name(c, "AccountingStorageEnforce");
}

/* Whether memory is a resource, and how nodes are filled. */
static void read_select(struct cs_conf *c, const char *value)
{
    c->memory = false;
    for (; *value; value += strcspn(value, ","), value += *value == ',') {
        const size_t length = strcspn(value, ",");

        c->memory |= length >= 6 && cs_plain_begins(value + length - 6, "Memory");
        if (cs_plain_begins(value, "CR_LLN"))
            conf_word_name(c, "SelectTypeParameters=CR_LLN");
        if (cs_plain_begins(value, "CR_Socket"))
            conf_word_name(c, "SelectTypeParameters=CR_Socket");
    }
}

static int read_weight(struct cs_conf *c, const char *key, const char *value, struct cs_error *err)
{
    struct cs_site_priority *p = &c->out->priority;
    struct {
        const char *key;
        double *to;
        bool time;
    } known[] = {{"PriorityWeightAge", &p->age_weight, false},
                 {"PriorityWeightFairshare", &p->fairshare_weight, false},
                 {"PriorityWeightJobSize", &p->size_weight, false},
                 {"PriorityWeightPartition", &p->partition_weight, false},
                 {"PriorityWeightQOS", &p->qos_weight, false},
                 {"PriorityMaxAge", &p->max_age, true},
                 {"PriorityDecayHalfLife", &p->half_life, true},
                 {"PriorityCalcPeriod", &p->calc_period, true}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (site_conf_is(key, known[i].key)) {
            int64_t number = known[i].time ? cs_stamp_minutes(value) : site_conf_whole(value);

            if (number < 0)
                return site_conf_wrong(c, key, value, err);
            *known[i].to = (double)number;
        }
    return 0;
}

int cs_conf_key_read(struct cs_conf *c, const char *key, char *value, struct cs_error *err)
{
    conf_key_see(c, CS_CONF_SITE, key, value);
    if (site_conf_is(key, "ClusterName"))
        c->cluster = cs_arena_strdup(c->arena, value);
    else if (site_conf_is(key, "AccountingStorageEnforce"))
        see_enforced(c, value);
    else if (site_conf_is(key, "SelectTypeParameters"))
        read_select(c, value);
    else if (site_conf_is(key, "SelectType"))
        c->linear = site_conf_is(value, "select/linear");
    else if (site_conf_is(key, "SchedulerParameters"))
        return read_scheduler(c, value, err);
    else if (site_conf_is(key, "PriorityFlags"))
        read_flags(c, value);
    else if (site_conf_is(key, "PriorityType"))
        c->out->priority.multifactor = site_conf_is(value, "priority/multifactor");
    else if (site_conf_is(key, "PriorityFavorSmall"))
        c->out->priority.favor_small = site_conf_is(value, "YES");
    else if (site_conf_is(key, "OverTimeLimit")) {
        if (!site_conf_is(value, "UNLIMITED") && site_conf_whole(value) < 0)
            return site_conf_wrong(c, key, value, err);
        c->out->grace =
            site_conf_is(value, "UNLIMITED") ? 31536000 : (double)site_conf_whole(value) * 60;
    } else {
        return read_weight(c, key, value, err);
    }
    return 0;
}

/* In the folder of the file that is read, with the name of the cluster for %c. */
static char *included_path(const struct cs_conf *c, const char *name, struct cs_strbuf *out)
{
    const char *slash = strrchr(c->path, '/');

    if (*name != '/' && slash)
        cs_strbuf_append(out, c->path, (size_t)(slash - c->path) + 1);
    for (; *name; name++)
        if (name[0] == '%' && name[1] == 'c' && c->cluster) {
            cs_strbuf_puts(out, c->cluster);
            name++;
        } else {
            cs_strbuf_putc(out, *name);
        }
    return out->text;
}

/* A file takes the place of its line. */
static int read_file(struct cs_conf *c, const char *name, const char *path, struct cs_error *err)
{
    struct cs_lines *before = c->lines;
    const char *path_before = c->path;
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    struct cs_error why = {0};
    int status;

    if (c->depth == DEEPEST)
        return cs_lines_error(c->lines, err, "Include %.60s: files are included more than %d deep",
                              name, DEEPEST);
    if (cs_file_read(path, CS_FILE_LARGEST, &bytes, &why)) {
        cs_strbuf_release(&bytes);
        return cs_lines_error(c->lines, err, "Include %.60s: %s", name, why.text);
    }
    c->lines = cs_lines_open_memory(cs_source_name(path), bytes.text, bytes.length);
    c->path = cs_arena_strdup(c->arena, path);
    c->depth++;
    status = cs_conf_text_read(c, err);
    c->depth--;
    cs_lines_close(c->lines);
    cs_strbuf_release(&bytes);
    c->lines = before;
    c->path = path_before;
    return status;
}

static int site_conf_include(struct cs_conf *c, char *name, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status;

    name += strspn(name, " \t\"");
    name[strcspn(name, "\"")] = '\0';
    if (!c->path)
        return cs_lines_error(c->lines, err,
                              "Include %.60s: these bytes are in no folder, there is no such file",
                              name);
    status = read_file(c, name, included_path(c, name, &path), err);
    cs_strbuf_release(&path);
    return status;
}

/* A line of Key=Value, the first of which names the kind of record. */
static int read_record(struct cs_conf *c, const char *key, char *value, char *rest,
                       bool *whole_line, struct cs_error *err)
{
    struct cs_conf_list *list;

    *whole_line = true;
    if (site_conf_is(key, "NodeName"))
        return read_nodes(c, value, rest, err);
    if (site_conf_is(key, "PartitionName"))
        return read_part(c, value, rest, err);
    if (site_conf_is(key, "NodeSet") || site_conf_is(key, "DownNodes")) {
        list = site_conf_is(key, "NodeSet") ? add_list(c, &c->set, &c->sets, &c->set_room)
                                            : add_list(c, &c->down, &c->downs, &c->down_room);
        list->name = list->nodes = cs_arena_strdup(c->arena, value);
        if (site_conf_is(key, "NodeSet"))
            list->nodes = NULL;
        site_conf_read_list(c, list, rest);
        return 0;
    }
    *whole_line = false;
    return cs_conf_key_read(c, key, value, err);
}

int cs_conf_line_read(struct cs_conf *c, char *text, struct cs_error *err)
{
    char *key, *value, *first = text + strspn(text, " \t");
    bool whole_line = false;

    if (cs_plain_begins(first, "Include") && first[7] && strchr(" \t", first[7]))
        return site_conf_include(c, first + 7, err);
    while (!whole_line && (key = next_pair(&text, &value))) {
        if (!value)
            return cs_lines_error(c->lines, err,
                                  "found \"%.60s\", expected Key=Value of a slurm.conf (or JSON)",
                                  key);
        if (read_record(c, key, value, text, &whole_line, err))
            return -1;
    }
    return 0;
}

/* ---- the machine ---- */

static int find_kind(struct cs_conf *c, const char *alloc, enum cs_site_kind *kind,
                     struct cs_error *err)
{
    int exclusive = 0;

    for (int p = 0; p < c->parts; p++)
        exclusive += c->part[p].exclusive;
    if (!c->linear && exclusive && exclusive < c->parts)
        conf_word_name(c, "OverSubscribe=EXCLUSIVE");
    if (alloc)
        return cs_site_kind_parse(alloc, kind, err);
    *kind = c->linear || exclusive == c->parts ? CS_SITE_NODES : CS_SITE_POOLED;
    return 0;
}

static int conf_nodes(const struct cs_conf *c);

/* Memory counts if the selection has it and a node has some. */
static void find_memory(const struct cs_conf *c, struct cs_site *site)
{
    const int nodes = conf_nodes(c);
    bool any = false;

    for (int n = 0; n < nodes; n++)
        any |= c->node[n].memory > 0;
    site->no_memory = !(c->memory && any);
    c->out->no_real_memory = c->memory && !any;
}

static int conf_make_site(struct cs_conf *c, struct cs_site *site, struct cs_error *err);

static void conf_words_give(struct cs_conf *c);

static int conf_down(struct cs_conf *c, bool up, struct cs_error *err);

static int site_conf_finish(struct cs_conf *c, const struct cs_site_reading *how,
                            struct cs_error *err)
{
    struct cs_site *site = CS_NEW(c->arena, struct cs_site);
    const char *name = cs_lines_name(c->lines);

    if (conf_nodes(c) == 0 || c->parts == 0)
        return cs_error_set(err, "%s: there is no %s, expected a machine as JSON or a slurm.conf",
                            name, c->parts ? "NodeName" : "PartitionName");
    if (conf_down(c, how->assume_up, err) || find_kind(c, how->alloc, &site->kind, err) ||
        conf_make_site(c, site, err))
        return -1;
    find_memory(c, site);
    if (cs_site_finish(site, c->arena, err))
        return cs_error_prefix(err, "%s", name);
    c->out->site = site;
    c->out->slurm = true;
    conf_words_give(c);
    return 0;
}

int cs_site_conf_read(struct cs_lines *lines, const struct cs_site_reading *how,
                      struct cs_site_file *out, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_conf *c = CS_NEW(arena, struct cs_conf);

    *c = (struct cs_conf){
        .lines = lines,
        .path = how->path,
        .arena = arena,
        .out = out,
        .nodes = cs_names_create(arena),
        .words = cs_names_create(arena),
        .supplied =
            {.cpus = -1, .boards = -1, .sockets = -1, .cores = -1, .threads = -1, .memory = -1},
        .usual = {.seconds = INFINITY, .tier = 1, .priority = 1},
    };
    return cs_conf_text_read(c, err) < 0 ? -1 : site_conf_finish(c, how, err);
}

/* Generic resources and states of nodes in a slurm.conf. */

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

/* "gpu:a100:4(S:0-1),shard:16".  NULL with err: too many kinds. */
static const struct cs_conf_gres *conf_gres_read(struct cs_conf *c, const char *text,
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

/* The meaning of a node's State; that of scontrol has suffixes, as IDLE+DRAIN or DOWN*. */
static enum cs_conf_state conf_state_read(const char *text)
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

/* Groups of a slurm.conf: classes of nodes, split at each partition. */

static bool site_groups_is(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

/* How many nodes there are. */
static int conf_nodes(const struct cs_conf *c)
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
    int nodes = conf_nodes(c), classes = 0;
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
    const int nodes = conf_nodes(m->conf);

    for (int n = 0; set->feature && n < nodes; n++)
        m->in[n] |= has_feature(m->conf->node[n].features, set->feature);
    return set->nodes ? mark_list(m, set->nodes, err) : 0;
}

static void mark_all(struct members *m)
{
    const int nodes = conf_nodes(m->conf);

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

/* States of DownNodes; with `up` none counts.  -1 with err. */
static int conf_down(struct cs_conf *c, bool up, struct cs_error *err)
{
    const int nodes = conf_nodes(c);
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
    int nodes = conf_nodes(c), *inside = CS_NEW_ARRAY(c->arena, int, classes);

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
    int nodes = conf_nodes(c), count;
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
    int nodes = conf_nodes(c), *list = CS_NEW_ARRAY(c->arena, int, groups);
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

/* Make groups of nodes with equal capacity in the same partitions, in the order in which their
 * first nodes come, and the partitions.  -1 with err. */
static int conf_make_site(struct cs_conf *c, struct cs_site *site, struct cs_error *err)
{
    int nodes = conf_nodes(c), *group_of, classes = class_capacities(c);
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

/* Keys of a slurm.conf that change scheduling and are not modelled. */

/* Values with bars between them that change nothing; NULL: every one does.  A value of Slurm that
 * is not set is "" or (null). */
static const struct row {
    enum cs_conf_scope scope;
    const char *key, *harmless;
} table[] = {
    {CS_CONF_SITE, "SchedulerType", "sched/backfill"},
    {CS_CONF_SITE, "SelectType", "select/linear|select/cons_tres|select/cons_res"},
    {CS_CONF_SITE, "PriorityType", "priority/basic|priority/multifactor"},
    {CS_CONF_SITE, "TopologyPlugin", "topology/none|topology/default|topology/flat"},
    {CS_CONF_SITE, "Licenses", ""},
    {CS_CONF_SITE, "BurstBufferType", "burst_buffer/none"},
    {CS_CONF_SITE, "PriorityWeightTRES", "0"},
    {CS_CONF_SITE, "PriorityWeightAssoc", "0"},
    {CS_CONF_SITE, "PrioritySiteFactorPlugin", "site_factor/none|none"},
    {CS_CONF_SITE, "PrioritySiteFactorParameters", ""},
    {CS_CONF_SITE, "PriorityUsageResetPeriod", "NONE"},
    {CS_CONF_SITE, "FairShareDampeningFactor", "1"},
    {CS_CONF_SITE, "PreemptType", "preempt/none"},
    {CS_CONF_SITE, "PreemptMode", "OFF"},
    {CS_CONF_SITE, "PreemptParameters", ""},
    {CS_CONF_SITE, "PreemptExemptTime", "NONE|0|-1|00:00:00"},
    {CS_CONF_SITE, "JobSubmitPlugins", ""},
    {CS_CONF_SITE, "Epilog", ""},
    {CS_CONF_SITE, "Prolog", ""},
    {CS_CONF_SITE, "EpilogSlurmctld", ""},
    {CS_CONF_SITE, "PrologSlurmctld", ""},
    {CS_CONF_SITE, "CompleteWait", "0|0 sec"},
    {CS_CONF_SITE, "KillWait", "30|30 sec"},
    {CS_CONF_SITE, "SuspendProgram", ""},
    {CS_CONF_SITE, "PowerParameters", ""},
    {CS_CONF_SITE, "PowerPlugin", "power/none"},
    {CS_CONF_SITE, "ReconfigFlags", "none"},
    {CS_CONF_SITE, "MaxMemPerNode", "UNLIMITED|0"},
    {CS_CONF_SITE, "MaxMemPerCPU", "UNLIMITED|0"},

    {CS_CONF_SCHEDULER, "sched_interval", "60"},
    {CS_CONF_SCHEDULER, "batch_sched_delay", "3"},
    {CS_CONF_SCHEDULER, "partition_job_depth", "0"},
    {CS_CONF_SCHEDULER, "defer", NULL},
    {CS_CONF_SCHEDULER, "defer_batch", NULL},
    {CS_CONF_SCHEDULER, "bf_max_job_part", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_user_part", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_assoc", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_start", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_array_resv", "20"},
    {CS_CONF_SCHEDULER, "bf_min_age_reserve", "0"},
    {CS_CONF_SCHEDULER, "bf_min_prio_reserve", "0"},
    {CS_CONF_SCHEDULER, "bf_job_part_count_reserve", "0"},
    {CS_CONF_SCHEDULER, "bf_node_space_size", NULL},
    {CS_CONF_SCHEDULER, "bf_window_linear", "0"},
    {CS_CONF_SCHEDULER, "requeue_delay", NULL},
    {CS_CONF_SCHEDULER, "bf_busy_nodes", NULL},
    {CS_CONF_SCHEDULER, "bf_hetjob_prio", NULL},
    {CS_CONF_SCHEDULER, "bf_hetjob_immediate", NULL},
    {CS_CONF_SCHEDULER, "bf_licenses", NULL},
    {CS_CONF_SCHEDULER, "bf_max_time", NULL},
    {CS_CONF_SCHEDULER, "bf_yield_interval", NULL},
    {CS_CONF_SCHEDULER, "bf_yield_sleep", NULL},
    {CS_CONF_SCHEDULER, "bf_one_resv_per_job", NULL},
    {CS_CONF_SCHEDULER, "bf_running_job_reserve", NULL},
    {CS_CONF_SCHEDULER, "bf_topopt_enable", NULL},
    {CS_CONF_SCHEDULER, "bf_allow_magnetic_slots", NULL},
    {CS_CONF_SCHEDULER, "assoc_limit_stop", NULL},
    {CS_CONF_SCHEDULER, "max_rpc_cnt", "0"},
    {CS_CONF_SCHEDULER, "max_sched_time", NULL},
    {CS_CONF_SCHEDULER, "nohold_on_prolog_fail", NULL},
    {CS_CONF_SCHEDULER, "pack_serial_at_end", NULL},
    {CS_CONF_SCHEDULER, "preempt_send_user_signal", NULL},
    {CS_CONF_SCHEDULER, "preempt_strict_order", NULL},
    {CS_CONF_SCHEDULER, "preempt_youngest_first", NULL},
    {CS_CONF_SCHEDULER, "preempt_reorder_count", "1"},
    {CS_CONF_SCHEDULER, "reduce_completing_frag", NULL},
    {CS_CONF_SCHEDULER, "salloc_wait_nodes", NULL},
    {CS_CONF_SCHEDULER, "sched_max_job_start", "0"},
    {CS_CONF_SCHEDULER, "time_min_as_soft_limit", NULL},

    {CS_CONF_PARTITION, "AllowQos", "ALL"},
    {CS_CONF_PARTITION, "DenyQos", "none"},
    {CS_CONF_PARTITION, "AllowAccounts", "ALL"},
    {CS_CONF_PARTITION, "DenyAccounts", "none"},
    {CS_CONF_PARTITION, "QOS", "N/A"},
    {CS_CONF_PARTITION, "ExclusiveUser", "NO"},
    {CS_CONF_PARTITION, "ExclusiveTopo", "NO"},
    {CS_CONF_PARTITION, "LLN", "NO"},
    {CS_CONF_PARTITION, "ReqResv", "NO"},
    {CS_CONF_PARTITION, "GraceTime", "0"},
    {CS_CONF_PARTITION, "PreemptMode", "OFF"},
    {CS_CONF_PARTITION, "State", "UP|DRAIN"},
    {CS_CONF_PARTITION, "MaxCPUsPerNode", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "MaxCPUsPerSocket", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "MaxMemPerNode", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "MaxMemPerCPU", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "OverTimeLimit", "NONE"},
    {CS_CONF_PARTITION, "TRESBillingWeights", ""},
};

#define ROWS ((int)(sizeof table / sizeof *table))

bool cs_conf_key_row(int n, enum cs_conf_scope *scope, const char **key, const char **harmless)
{
    if (n < 0 || n >= ROWS)
        return false;
    *scope = table[n].scope;
    *key = table[n].key;
    *harmless = table[n].harmless;
    return true;
}

/* Is the value one of a list with bars between them, or not set? */
static bool is_harmless(const char *value, const char *list)
{
    const size_t length = strlen(value);

    if (!list)
        return false;
    if (!length || !cs_plain_compare(value, "(null)"))
        return true;
    for (; *list; list += strcspn(list, "|"), list += *list == '|')
        if (strcspn(list, "|") == length && cs_plain_begins(list, value))
            return true;
    return false;
}

/* Name a word, with the line that is read. */
static void conf_word_name(struct cs_conf *c, const char *word)
{
    int before, number;

    cs_names_list(c->words, &before);
    number = cs_names_add(c->words, word);
    if (number < before)
        return;
    if (number >= c->word_room) {
        const size_t old = (size_t)c->word_room;

        c->word_room = 2 * number + 16;
        c->word = cs_arena_grow(c->arena, c->word, old, (size_t)c->word_room, sizeof *c->word);
    }
    c->word[number] = (struct cs_conf_place){cs_arena_strdup(c->arena, cs_lines_name(c->lines)),
                                             cs_lines_number(c->lines)};
}

/* Name the key if the table has it and its value is not harmless; value "" for a word alone. */
static void conf_key_see(struct cs_conf *c, enum cs_conf_scope scope, const char *key,
                         const char *value)
{
    for (int n = 0; n < ROWS; n++)
        if (table[n].scope == scope && !cs_plain_compare(key, table[n].key)) {
            if (!is_harmless(value, table[n].harmless))
                conf_word_name(c, table[n].key);
            return;
        }
}

/* The words with their places go to conf->out. */
static void conf_words_give(struct cs_conf *c)
{
    struct cs_site_file *out = c->out;
    long *line;
    const char **file;

    out->word = cs_names_list(c->words, &out->unmodelled);
    out->word_line = line = CS_NEW_ARRAY(c->arena, long, out->unmodelled);
    out->word_file = file = CS_NEW_ARRAY(c->arena, const char *, out->unmodelled);
    for (int i = 0; i < out->unmodelled; i++) {
        line[i] = c->word[i].line;
        file[i] = c->word[i].file;
    }
}
