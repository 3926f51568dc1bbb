/* site_file.c - machines as JSON (cosched-machine-1). */
#include "io/site_file.h"
#include "base/file.h"
#include "base/json.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "io/site_build.h"
#include "io/site_conf.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The lines of a slurm.conf, and records of scontrol. */

/* Lines that are put together at '\', without comments.  1, 0 or -1 as cs_lines_next. */
static int next_line(struct cs_conf *c, struct cs_strbuf *text, struct cs_error *err)
{
    size_t length;
    char *line;
    int status;

    cs_strbuf_clear(text);
    while ((status = cs_lines_next(c->lines, &line, &length, err)) > 0) {
        bool more;

        if (!strstr(line, " Arch="))
            line[strcspn(line, "#")] = '\0';
        length = strlen(line);
        while (length && strchr(" \t", line[length - 1]))
            length--;
        more = length && line[length - 1] == '\\';
        cs_strbuf_append(text, line, length - more);
        if (!more)
            return 1;
        cs_strbuf_putc(text, ' ');
    }
    return status < 0 ? -1 : text->length > 0;
}

/* ---- scontrol show config ---- */

/* "Key = value" of the configuration: the value without its unit; NULL: another line. */
static char *cut_setting(char *text, char **key)
{
    static const char *const unit[] = {" sec", " min", " MB"};
    char *equals = strchr(text, '='), *end, *value;

    if (!equals)
        return NULL;
    *key = text + strspn(text, " \t");
    (*key)[strcspn(*key, " \t=[")] = '\0';
    value = equals + 1 + strspn(equals + 1, " \t");
    end = value + strlen(value);
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++) {
        const size_t length = strlen(unit[u]);

        if (end - value > (ptrdiff_t)length && !strcmp(end - length, unit[u]))
            *(end - length) = '\0';
    }
    return value;
}

static int read_setting(struct cs_conf *c, char *text, struct cs_error *err)
{
    char *key, *value = cut_setting(text, &key);

    if (!value || !*value || !cs_plain_compare(value, "(null)"))
        return 0;
    return cs_conf_key_read(c, key, value, err);
}

/* ---- records ---- */

static bool begins_record(const char *text)
{
    return cs_plain_begins(text, "NodeName=") || cs_plain_begins(text, "PartitionName=");
}

static bool is_record(const char *text)
{
    return begins_record(text) &&
           (strstr(text, " Arch=") || strstr(text, " AllowGroups=") || strstr(text, " CPUAlloc="));
}

/* Lines of scontrol that are indented belong to the record; the first of them begins with a key
 * that a slurm.conf does not have. `bytes` is the rest. */
static bool goes_on(const char *record, const char *bytes, size_t size)
{
    static const char *const key[] = {"CPUAlloc=", "AllowGroups="};
    size_t blank = 0;

    while (blank < size && (bytes[blank] == ' ' || bytes[blank] == '\t'))
        blank++;
    if (blank == 0 || blank == size || strchr("\r\n", bytes[blank]))
        return false;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++)
        if (size - blank > strlen(key[k]) && !memcmp(bytes + blank, key[k], strlen(key[k])))
            return true;
    return is_record(record);
}

static int read_record(struct cs_conf *c, const char *first, struct cs_error *err)
{
    struct cs_strbuf record = CS_STRBUF_INIT, more = CS_STRBUF_INIT;
    const char *bytes;
    size_t size;
    int status = 0;

    cs_strbuf_puts(&record, first);
    while (!status && !cs_lines_peek(c->lines, &bytes, &size, err) &&
           goes_on(record.text, bytes, size)) {
        status = next_line(c, &more, err) < 0 ? -1 : 0;
        cs_strbuf_printf(&record, " %s", more.text);
    }
    c->scontrol = is_record(record.text);
    if (!status)
        status = cs_conf_line_read(c, record.text, err);
    c->scontrol = false;
    cs_strbuf_release(&more);
    cs_strbuf_release(&record);
    return status;
}

static int read_plain(struct cs_conf *c, char *text, bool setting, struct cs_error *err)
{
    return setting ? read_setting(c, text, err) : cs_conf_line_read(c, text, err);
}

int cs_conf_text_read(struct cs_conf *c, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    bool settings = false;
    int status;

    while ((status = next_line(c, &text, err)) > 0) {
        const bool record = begins_record(text.text);

        settings = !record && (settings || cs_plain_begins(text.text, "Configuration data as of"));
        status = record ? read_record(c, text.text, err) : read_plain(c, text.text, settings, err);
        if (status < 0)
            break;
    }
    cs_strbuf_release(&text);
    return status;
}

/* Lists of nodes as Slurm writes them: n[001-003,007],rack[1-2]node[1-4],gpu1. */

#define MOST 10000000

struct expansion {
    int (*take)(void *who, const char *name);
    void *who;
    struct cs_strbuf name;
    long count;
    struct cs_error *err;
};

static int site_names_expand(struct expansion *e, const char *at, const char *end);

static int site_names_wrong(struct expansion *e, const char *at)
{
    return cs_error_set(e->err, "\"%.60s\" is no list of nodes such as n[001-003,007]", at);
}

static const char *site_names_number(const char *at, long *out, int *digits)
{
    for (*out = 0, *digits = 0; *at >= '0' && *at <= '9' && *digits < 10; at++, ++*digits)
        *out = 10 * *out + (*at - '0');
    return *digits ? at : NULL;
}

/* One of "001-003" and "007", then what follows the bracket. */
static int expand_range(struct expansion *e, const char **at, const char *rest, const char *end)
{
    const size_t length = e->name.length;
    const char *start = *at;
    long low, high;
    int width, last;

    *at = site_names_number(*at, &low, &width);
    high = low;
    if (*at && **at == '-')
        *at = site_names_number(*at + 1, &high, &last);
    if (!*at || high < low || high - low > MOST)
        return site_names_wrong(e, start);
    for (long n = low; n <= high; n++) {
        cs_strbuf_printf(&e->name, "%0*ld", width, n);
        if (site_names_expand(e, rest, end))
            return -1;
        e->name.length = length;
        e->name.text[length] = '\0';
    }
    return 0;
}

/* All that the text up to `end` stands for, behind the name so far. */
static int site_names_expand(struct expansion *e, const char *at, const char *end)
{
    const char *open = memchr(at, '[', (size_t)(end - at)), *close;

    if (!open) {
        cs_strbuf_append(&e->name, at, (size_t)(end - at));
        if (++e->count > MOST)
            return cs_error_set(e->err, "there are more than %d nodes", MOST);
        return e->take(e->who, e->name.text);
    }
    cs_strbuf_append(&e->name, at, (size_t)(open - at));
    close = memchr(open, ']', (size_t)(end - open));
    if (!close)
        return site_names_wrong(e, at);
    for (at = open + 1; at < close;) {
        if (expand_range(e, &at, close + 1, end) || (at < close && *at++ != ','))
            return site_names_wrong(e, open);
    }
    return 0;
}

/* The end of the first entry: a comma outside of brackets. */
static const char *site_names_end_of(const char *list)
{
    bool inside = false;

    for (; *list && (inside || *list != ','); list++)
        inside = *list == '[' || (inside && *list != ']');
    return list;
}

int cs_site_names_expand(const char *list, int (*take)(void *who, const char *name), void *who,
                         struct cs_error *err)
{
    struct expansion e = {.take = take, .who = who, .name = CS_STRBUF_INIT, .err = err};
    int status = 0;

    while (*list && !status) {
        const char *end = site_names_end_of(list);

        cs_strbuf_clear(&e.name);
        status = end > list ? site_names_expand(&e, list, end) : 0;
        list = end + (*end == ',');
    }
    cs_strbuf_release(&e.name);
    return status;
}

static struct cs_site_file *new_file(struct cs_arena *arena)
{
    struct cs_site_file *file = CS_NEW(arena, struct cs_site_file);

    *file = (struct cs_site_file){
        .priority = {false, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -1, -1, 0, 0, NULL, NULL},
        .backfill = {NAN, NAN, NAN, NAN, NAN, NAN},
        .grace = NAN,
    };
    return file;
}

int cs_site_kind_parse(const char *word, enum cs_site_kind *kind, struct cs_error *err)
{
    static const char *const name[] = {
        [CS_SITE_NODES] = "node", [CS_SITE_POOLED] = "pooled", [CS_SITE_PACKED] = "packed"};

    for (int k = CS_SITE_NODES; k <= CS_SITE_PACKED; k++)
        if (!strcmp(word, name[k])) {
            *kind = (enum cs_site_kind)k;
            return 0;
        }
    return cs_error_set(err, "found \"%.40s\", expected node, pooled or packed", word);
}

static int get_int64(const struct cs_json_at *at, const char *key, int64_t *out,
                     struct cs_error *err)
{
    struct cs_json_at value;

    if (!cs_json_has(at, key))
        return 0;
    return cs_json_member(at, key, &value, err) ||
           cs_json_int64(&value, 0, CS_SITE_LARGEST, out, err);
}

static int get_double(const struct cs_json_at *at, const char *key, double *out,
                      struct cs_error *err)
{
    return cs_json_has(at, key) ? cs_json_get_double(at, key, CS_NUMBER_NOT_NEGATIVE, out, err) : 0;
}

static int get_text(const struct cs_json_at *at, const char *key, const char **out,
                    struct cs_arena *arena, struct cs_error *err)
{
    const char *text;

    if (cs_json_get_string(at, key, &text, err))
        return -1;
    *out = cs_arena_strdup(arena, text);
    return 0;
}

/* ---- groups and partitions ---- */

static int read_group(const struct cs_json_at *at, struct cs_site_group *group,
                      struct cs_arena *arena, struct cs_error *err)
{
    if (cs_json_keys(at, "name|nodes|cores|memory|gpus|first", err) ||
        get_text(at, "name", &group->name, arena, err) ||
        cs_json_get_int(at, "nodes", 1, CS_SITE_NODES_MOST, &group->nodes, err) ||
        get_int64(at, "cores", &group->cores, err) || get_int64(at, "memory", &group->memory, err))
        return -1;
    if (cs_json_has(at, "first") && get_text(at, "first", &group->first, arena, err))
        return -1;
    return get_int64(at, "gpus", &group->gpus, err);
}

static int read_groups(const struct cs_json_at *root, struct cs_site *site, struct cs_arena *arena,
                       struct cs_error *err)
{
    struct cs_site_group *group;
    struct cs_json_at list;
    size_t count;

    if (cs_json_member(root, "groups", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count == 0 || count > CS_SITE_NODES_MOST)
        return cs_json_error(&list, err, "found %zu groups, expected 1 or more", count);
    site->groups = (int)count;
    site->group = group = CS_NEW_ARRAY(arena, struct cs_site_group, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at element = cs_json_element(&list, i);

        if (read_group(&element, &group[i], arena, err))
            return -1;
    }
    return 0;
}

static int find_group(const struct cs_json_at *at, const struct cs_site *site, int *group,
                      struct cs_error *err)
{
    const char *name;

    if (cs_json_string(at, &name, err))
        return -1;
    for (*group = 0; *group < site->groups; ++*group)
        if (!strcmp(site->group[*group].name, name))
            return 0;
    return cs_json_error(at, err, "there is no group \"%.60s\"", name);
}

static int read_members(const struct cs_json_at *at, const struct cs_site *site,
                        struct cs_site_partition *partition, struct cs_arena *arena,
                        struct cs_error *err)
{
    struct cs_json_at list;
    size_t count;
    int *group;

    if (cs_json_member(at, "groups", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count == 0 || count > (size_t)site->groups)
        return cs_json_error(&list, err, "found %zu groups, expected 1 to the %d of the machine",
                             count, site->groups);
    group = CS_NEW_ARRAY(arena, int, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at element = cs_json_element(&list, i);

        if (find_group(&element, site, &group[i], err))
            return -1;
        for (size_t j = 0; j < i; j++)
            if (group[j] == group[i])
                return cs_json_error(&element, err, "the group comes twice");
    }
    partition->groups = (int)count;
    partition->group = group;
    return 0;
}

static int read_partition(const struct cs_json_at *at, const struct cs_site *site,
                          struct cs_site_partition *partition, bool *fallback,
                          struct cs_arena *arena, struct cs_error *err)
{
    partition->tier = partition->priority = 1;
    partition->seconds = INFINITY;
    if (cs_json_keys(at, "name|groups|max_seconds|default|tier|priority", err) ||
        get_text(at, "name", &partition->name, arena, err) ||
        read_members(at, site, partition, arena, err) ||
        get_double(at, "tier", &partition->tier, err) ||
        get_double(at, "priority", &partition->priority, err))
        return -1;
    if (cs_json_has(at, "max_seconds") &&
        cs_json_get_double(at, "max_seconds", CS_NUMBER_POSITIVE, &partition->seconds, err))
        return -1;
    return cs_json_has(at, "default") ? cs_json_get_bool(at, "default", fallback, err) : 0;
}

/* Without partitions there is one, of all groups, which takes every job. */
static void make_partition(struct cs_site *site, struct cs_arena *arena)
{
    struct cs_site_partition *partition = CS_NEW(arena, struct cs_site_partition);
    int *group = CS_NEW_ARRAY(arena, int, site->groups);

    for (int g = 0; g < site->groups; g++)
        group[g] = g;
    *partition = (struct cs_site_partition){.name = "all",
                                            .groups = site->groups,
                                            .group = group,
                                            .tier = 1,
                                            .priority = 1,
                                            .seconds = INFINITY};
    site->partitions = 1;
    site->partition = partition;
    site->fallback = 0;
}

static int read_partitions(const struct cs_json_at *root, struct cs_site *site,
                           struct cs_arena *arena, struct cs_error *err)
{
    struct cs_site_partition *partition;
    struct cs_json_at list;
    size_t count;

    if (!cs_json_has(root, "partitions")) {
        make_partition(site, arena);
        return 0;
    }
    if (cs_json_member(root, "partitions", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count == 0 || count > 100000)
        return cs_json_error(&list, err, "found %zu partitions, expected 1 or more", count);
    site->partitions = (int)count;
    site->partition = partition = CS_NEW_ARRAY(arena, struct cs_site_partition, count);
    site->fallback = -1;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at element = cs_json_element(&list, i);
        bool fallback = false;

        if (read_partition(&element, site, &partition[i], &fallback, arena, err))
            return -1;
        if (fallback && site->fallback >= 0)
            return cs_json_error(&element, err, "a second partition is the default");
        if (fallback)
            site->fallback = (int)i;
    }
    return 0;
}

/* ---- priority ---- */

static int read_weights(const struct cs_json_at *at, const char *key, int *count,
                        const struct cs_site_weight **out, struct cs_arena *arena,
                        struct cs_error *err)
{
    struct cs_json_at map;
    struct cs_site_weight *weight;
    const char *name;
    json_t *value;

    if (!cs_json_has(at, key))
        return 0;
    if (cs_json_member(at, key, &map, err) || cs_json_keys(&map, NULL, err))
        return -1;
    *out = weight = CS_NEW_ARRAY(arena, struct cs_site_weight, json_object_size(map.value));
    json_object_foreach(map.value, name, value)
    {
        weight[*count].name = cs_arena_strdup(arena, name);
        if (cs_json_get_double(&map, name, CS_NUMBER_NOT_NEGATIVE, &weight[(*count)++].value, err))
            return -1;
    }
    return 0;
}

static int read_fairshare(const struct cs_json_at *at, struct cs_site_priority *p,
                          struct cs_error *err)
{
    struct cs_json_at value;
    const char *word;

    if (!cs_json_has(at, "fairshare"))
        return 0;
    if (cs_json_member(at, "fairshare", &value, err) || cs_json_string(&value, &word, err))
        return -1;
    p->classic = !strcmp(word, "classic");
    if (!p->classic && strcmp(word, "tree"))
        return cs_json_error(&value, err, "found \"%.40s\", expected tree or classic", word);
    return 0;
}

static int read_priority(const struct cs_json_at *root, struct cs_site_priority *p,
                         struct cs_arena *arena, struct cs_error *err)
{
    struct cs_json_at at;
    bool small;

    if (!cs_json_has(root, "priority"))
        return 0;
    p->multifactor = true;
    if (cs_json_member(root, "priority", &at, err) ||
        cs_json_keys(&at,
                     "age_weight|fairshare_weight|size_weight|partition_weight|qos_weight|max_age|"
                     "half_life|calc_period|favor_small|fairshare|shares|qos",
                     err) ||
        get_double(&at, "age_weight", &p->age_weight, err) ||
        get_double(&at, "fairshare_weight", &p->fairshare_weight, err) ||
        get_double(&at, "size_weight", &p->size_weight, err) ||
        get_double(&at, "partition_weight", &p->partition_weight, err) ||
        get_double(&at, "qos_weight", &p->qos_weight, err) ||
        get_double(&at, "max_age", &p->max_age, err) ||
        get_double(&at, "half_life", &p->half_life, err) ||
        get_double(&at, "calc_period", &p->calc_period, err) || read_fairshare(&at, p, err) ||
        read_weights(&at, "shares", &p->shares, &p->share, arena, err) ||
        read_weights(&at, "qos", &p->qualities, &p->quality, arena, err))
        return -1;
    if (!cs_json_has(&at, "favor_small"))
        return 0;
    if (cs_json_get_bool(&at, "favor_small", &small, err))
        return -1;
    p->favor_small = small;
    return 0;
}

/* ---- the file ---- */

static int check_format(const struct cs_json_at *root, struct cs_error *err)
{
    const char *format;

    if (!cs_json_has(root, "format"))
        return 0;
    if (cs_json_get_string(root, "format", &format, err))
        return -1;
    if (strcmp(format, "cosched-machine-1"))
        return cs_json_error(root, err, "the format is \"%.60s\", expected cosched-machine-1",
                             format);
    return 0;
}

static int read_processors(const struct cs_json_at *root, struct cs_site_file *file,
                           struct cs_arena *arena, struct cs_error *err)
{
    int procs;

    if (cs_json_keys(root, "format|processors|priority", err) ||
        cs_json_get_int(root, "processors", 1, INT_MAX, &procs, err))
        return -1;
    file->site = cs_site_of_processors(procs, arena);
    return read_priority(root, &file->priority, arena, err);
}

static int read_kind(const struct cs_json_at *root, const char *alloc, struct cs_site *site,
                     struct cs_error *err)
{
    struct cs_error why = {0};
    const char *word = alloc;

    if (!word && cs_json_get_string(root, "alloc", &word, err))
        return -1;
    if (cs_site_kind_parse(word, &site->kind, &why))
        return cs_json_error(root, err, "alloc: %s", why.text);
    return 0;
}

static int read_json(const struct cs_json_at *root, const char *alloc, struct cs_site_file *file,
                     struct cs_arena *arena, struct cs_error *err)
{
    struct cs_site *site = CS_NEW(arena, struct cs_site);
    struct cs_error why = {0};

    if (cs_json_keys(root, NULL, err) || check_format(root, err))
        return -1;
    if (cs_json_has(root, "processors"))
        return read_processors(root, file, arena, err);
    if (cs_json_keys(root, "format|alloc|groups|partitions|priority", err) ||
        read_kind(root, alloc, site, err) || read_groups(root, site, arena, err) ||
        read_partitions(root, site, arena, err) || read_priority(root, &file->priority, arena, err))
        return -1;
    site->no_memory = true;
    for (int g = 0; g < site->groups; g++)
        site->no_memory &= site->group[g].memory == 0;
    if (cs_site_finish(site, arena, &why))
        return cs_json_error(root, err, "%s", why.text);
    file->site = site;
    return 0;
}

static bool is_json(const char *bytes, size_t size)
{
    while (size && strchr(" \t\r\n", *bytes) && *bytes) {
        bytes++;
        size--;
    }
    return size && *bytes == '{';
}

const struct cs_site_file *cs_site_file_read_memory(const char *name, const void *bytes,
                                                    size_t size, const struct cs_site_reading *how,
                                                    struct cs_arena *arena, struct cs_error *err)
{
    static const struct cs_site_reading plain = {0};
    struct cs_site_file *file = new_file(arena);
    struct cs_lines *lines;
    int status;

    how = how ? how : &plain;
    if (is_json(bytes, size)) {
        json_t *document = cs_json_load_memory(name, bytes, size, err);
        const struct cs_json_at root = cs_json_root(name, document);
        CS_JSON_HOLD(document);

        status = document ? read_json(&root, how->alloc, file, arena, err) : -1;
        return status ? NULL : file;
    }
    lines = cs_lines_open_memory(name, bytes, size);
    status = cs_site_conf_read(lines, how, file, arena, err);
    cs_lines_close(lines);
    return status ? NULL : file;
}

const struct cs_site_file *cs_site_file_read(const char *path, const struct cs_site_reading *how,
                                             struct cs_arena *arena, struct cs_error *err)
{
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    const struct cs_site_file *file = NULL;
    struct cs_site_reading here = {0};

    if (how)
        here = *how;
    here.path = path;
    if (!cs_file_read(path, CS_FILE_LARGEST, &bytes, err))
        file = cs_site_file_read_memory(cs_source_name(path), bytes.text, bytes.length, &here,
                                        arena, err);
    cs_strbuf_release(&bytes);
    return file;
}
