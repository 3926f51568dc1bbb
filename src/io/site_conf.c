/* site_conf.c - slurm.conf: nodes, partitions, and what matters of policy and priority. */
#include "io/site_conf.h"
#include "base/bug.h"
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
        return (s->gres = cs_conf_gres_read(c, value, err)) ? 0 : -1;
    if (site_conf_is(key, "State"))
        s->state = cs_conf_state_read(value);
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

/* FORCE:1 shares no more than NO does; YES is for jobs that ask for it. */
static void read_sharing(struct cs_conf *c, struct cs_conf_part *part, const char *value)
{
    part->exclusive = site_conf_is(value, "EXCLUSIVE");
    if (cs_plain_begins(value, "FORCE") && !site_conf_is(value, "FORCE:1"))
        cs_conf_word_name(c, "OverSubscribe=FORCE");
}

static void read_part_key(struct cs_conf *c, struct cs_conf_part *part, const char *key,
                          const char *value)
{
    cs_conf_key_see(c, CS_CONF_PARTITION, key, value);
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
            list->state = cs_conf_state_read(value);
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
        cs_conf_key_see(c, CS_CONF_SCHEDULER, key, value ? value : "");
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
            cs_conf_word_name(c, text);
        }
    }
}

/* Limits of associations and qualities of service, which accounts enforce. */
static void see_enforced(struct cs_conf *c, const char *value)
{
    for (; *value; value += strcspn(value, ","), value += *value == ',')
        if (cs_plain_begins(value, "limits") || cs_plain_begins(value, "safe") ||
            cs_plain_begins(value, "all"))
            cs_conf_word_name(c, "AccountingStorageEnforce");
}

/* Whether memory is a resource, and how nodes are filled. */
static void read_select(struct cs_conf *c, const char *value)
{
    c->memory = false;
    for (; *value; value += strcspn(value, ","), value += *value == ',') {
        const size_t length = strcspn(value, ",");

        c->memory |= length >= 6 && cs_plain_begins(value + length - 6, "Memory");
        if (cs_plain_begins(value, "CR_LLN"))
            cs_conf_word_name(c, "SelectTypeParameters=CR_LLN");
        if (cs_plain_begins(value, "CR_Socket"))
            cs_conf_word_name(c, "SelectTypeParameters=CR_Socket");
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
    cs_conf_key_see(c, CS_CONF_SITE, key, value);
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
        cs_conf_word_name(c, "OverSubscribe=EXCLUSIVE");
    if (alloc)
        return cs_site_kind_parse(alloc, kind, err);
    *kind = c->linear || exclusive == c->parts ? CS_SITE_NODES : CS_SITE_POOLED;
    return 0;
}

/* Memory counts if the selection has it and a node has some. */
static void find_memory(const struct cs_conf *c, struct cs_site *site)
{
    const int nodes = cs_conf_nodes(c);
    bool any = false;

    for (int n = 0; n < nodes; n++)
        any |= c->node[n].memory > 0;
    site->no_memory = !(c->memory && any);
    c->out->no_real_memory = c->memory && !any;
}

static int site_conf_finish(struct cs_conf *c, const struct cs_site_reading *how,
                            struct cs_error *err)
{
    struct cs_site *site = CS_NEW(c->arena, struct cs_site);
    const char *name = cs_lines_name(c->lines);

    if (cs_conf_nodes(c) == 0 || c->parts == 0)
        return cs_error_set(err, "%s: there is no %s, expected a machine as JSON or a slurm.conf",
                            name, c->parts ? "NodeName" : "PartitionName");
    if (cs_conf_down(c, how->assume_up, err) || find_kind(c, how->alloc, &site->kind, err) ||
        cs_conf_make_site(c, site, err))
        return -1;
    find_memory(c, site);
    if (cs_site_finish(site, c->arena, err))
        return cs_error_prefix(err, "%s", name);
    c->out->site = site;
    c->out->slurm = true;
    cs_conf_words_give(c);
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
