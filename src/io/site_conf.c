/* site_conf.c - slurm.conf: nodes, partitions, and what matters of policy and priority. */
#include "io/site_conf.h"
#include "base/bug.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "io/stamp.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- words ---- */

static bool is(const char *a, const char *b)
{
    return !cs_plain_compare(a, b);
}

/* The next Key=Value of *at; NULL when there is none, and the value is NULL without a '='. */
static char *next_pair(char **at, char **value)
{
    char *key = *at + strspn(*at, " \t"), *end;

    if (!*key)
        return NULL;
    end = key + strcspn(key, "= \t");
    *value = *end == '=' ? end + 1 : NULL;
    if (*end)
        *end++ = '\0';
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

/* Lines that are put together at '\', without comments.  1, 0 or -1 as cs_lines_next. */
static int next_line(struct cs_conf *c, struct cs_strbuf *text, struct cs_error *err)
{
    size_t length;
    char *line;
    int status;

    cs_strbuf_clear(text);
    while ((status = cs_lines_next(c->lines, &line, &length, err)) > 0) {
        bool more;

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

static int64_t whole(const char *text)
{
    int64_t value;

    return cs_number_int64(text, &value) == CS_NUMBER_FINE && value >= 0 && value <= CS_SITE_LARGEST
               ? value
               : -1;
}

/* ---- nodes ---- */

/* "gpu:a100:4", "gpu:2(S:0-1)", several with commas: how many GPUs. */
static int64_t count_gpus(const char *gres)
{
    int64_t sum = 0;

    while (*gres) {
        const size_t length = strcspn(gres, ",("), name = strcspn(gres, ":,(");
        const char *end = gres + length, *digits = end;

        while (digits > gres && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        if (name == 3 && cs_plain_begins(gres, "gpu"))
            sum += digits > gres && digits[-1] == ':' && digits < end
                       ? (int64_t)cs_plain_double(digits, NULL)
                       : 1;
        gres = end + (*end == '(' ? strcspn(end, ")") : 0);
        gres += strcspn(gres, ",");
        gres += *gres == ',';
    }
    return sum;
}

/* False when the value of a known key is wrong. */
static bool read_shape(struct cs_conf_shape *s, const char *key, const char *value)
{
    struct {
        const char *key;
        int64_t *to;
    } known[] = {{"CPUs", &s->cpus},
                 {"Procs", &s->cpus},
                 {"Boards", &s->boards},
                 {"Sockets", &s->sockets},
                 {"SocketsPerBoard", &s->sockets},
                 {"CoresPerSocket", &s->cores},
                 {"ThreadsPerCore", &s->threads},
                 {"RealMemory", &s->memory}};

    if (is(key, "Gres")) {
        s->gpus = count_gpus(value);
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (is(key, known[i].key)) {
            *known[i].to = whole(value);
            return *known[i].to >= 0;
        }
    return true;
}

static int64_t or_one(int64_t value)
{
    return value > 0 ? value : 1;
}

static int add_node(void *who, const char *name)
{
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
    c->node[number] = (struct cs_conf_node){
        .cores = cores, .memory = s->memory > 0 ? s->memory : 0, .gpus = s->gpus > 0 ? s->gpus : 0};
    return 0;
}

static int wrong(const struct cs_conf *c, const char *key, const char *value, struct cs_error *err)
{
    return cs_lines_error(c->lines, err, "%s=%.60s: expected a whole number", key, value);
}

static int read_nodes(struct cs_conf *c, const char *names, char *rest, struct cs_error *err)
{
    char *key, *value;

    c->shape = c->given;
    while ((key = next_pair(&rest, &value)))
        if (value && !read_shape(&c->shape, key, value))
            return wrong(c, key, value, err);
    if (is(names, "DEFAULT")) {
        c->given = c->shape;
        return 0;
    }
    if (cs_site_names_expand(names, add_node, c, &c->why))
        return cs_lines_error(c->lines, err, "%s", c->why.text);
    return 0;
}

/* ---- partitions ---- */

static int read_part(struct cs_conf *c, const char *name, char *rest, struct cs_error *err)
{
    struct cs_conf_part part = c->usual;
    char *key, *value;

    while ((key = next_pair(&rest, &value))) {
        if (!value)
            continue;
        if (is(key, "Nodes"))
            part.nodes = cs_arena_strdup(c->arena, value);
        else if (is(key, "MaxTime"))
            part.seconds = cs_stamp_minutes(value) > 0 ? (double)cs_stamp_minutes(value) : INFINITY;
        else if (is(key, "PriorityTier"))
            part.tier = (double)whole(value);
        else if (is(key, "PriorityJobFactor"))
            part.priority = (double)whole(value);
        else if (is(key, "Default"))
            part.fallback = is(value, "YES");
        else if (is(key, "OverSubscribe") || is(key, "Shared"))
            part.exclusive = is(value, "EXCLUSIVE");
        if (part.tier < 0 || part.priority < 0)
            return wrong(c, key, value, err);
    }
    if (is(name, "DEFAULT")) {
        c->usual = part;
        return 0;
    }
    if (c->parts == CS_CONF_PARTITIONS)
        return cs_lines_error(c->lines, err, "there are more than %d partitions",
                              CS_CONF_PARTITIONS);
    part.name = cs_arena_strdup(c->arena, name);
    part.line = cs_lines_number(c->lines);
    c->part[c->parts++] = part;
    return 0;
}

/* ---- policy and priority ---- */

static void name_word(struct cs_conf *c, const char *word)
{
    cs_names_add(c->words, word);
}

/* Parameters of the backfill that are not modelled. */
static bool is_foreign(const char *key)
{
    static const char *const foreign[] = {
        "bf_min_age_reserve", "bf_min_prio_reserve",   "bf_job_part_count_reserve",
        "bf_max_job_part",    "bf_max_job_assoc",      "bf_max_job_start",
        "bf_busy_nodes",      "bf_running_job_reserve"};

    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (is(key, foreign[i]))
            return true;
    return false;
}

static int read_scheduler(struct cs_conf *c, char *list, struct cs_error *err)
{
    struct cs_site_backfill *b = &c->out->backfill;
    struct {
        const char *key;
        double *to, unit;
    } known[] = {{"bf_interval", &b->interval, 1},      {"bf_max_job_test", &b->depth, 1},
                 {"default_queue_depth", &b->queue, 1}, {"bf_window", &b->window, 60},
                 {"bf_resolution", &b->resolution, 1},  {"bf_max_job_user", &b->user, 1}};

    while (*list) {
        char *key = list, *value;

        list += strcspn(list, ",");
        if (*list)
            *list++ = '\0';
        value = strchr(key, '=');
        if (value)
            *value++ = '\0';
        if (is_foreign(key))
            name_word(c, key);
        for (size_t i = 0; value && i < sizeof known / sizeof known[0]; i++)
            if (is(key, known[i].key)) {
                if (whole(value) < 0)
                    return wrong(c, key, value, err);
                *known[i].to = (double)whole(value) * known[i].unit;
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
        if (is(word, "NO_FAIR_TREE")) {
            c->out->priority.classic = 1;
        } else if (!is(word, "FAIR_TREE")) {
            cs_plain_print(text, sizeof text, "PriorityFlags=%s", word);
            name_word(c, text);
        }
    }
}

/* Keys that change scheduling and are not modelled, and the values with which they do not. */
static void look_for_foreign(struct cs_conf *c, const char *key, const char *value)
{
    static const struct {
        const char *key, *harmless[3];
    } known[] = {{"PreemptType", {"preempt/none", "", ""}},
                 {"PreemptMode", {"OFF", "", ""}},
                 {"PriorityWeightTRES", {"0", "", ""}},
                 {"PriorityWeightAssoc", {"0", "", ""}},
                 {"PrioritySiteFactorPlugin", {"site_factor/none", "", ""}},
                 {"TopologyPlugin", {"topology/none", "topology/default", "topology/flat"}},
                 {"Licenses", {"", "", ""}},
                 {"PriorityUsageResetPeriod", {"NONE", "", ""}}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!is(key, known[i].key) || !*value)
            continue;
        if (!is(value, known[i].harmless[0]) && !is(value, known[i].harmless[1]) &&
            !is(value, known[i].harmless[2]))
            name_word(c, known[i].key);
        return;
    }
    if (is(key, "AccountingStorageEnforce"))
        for (; *value; value += strcspn(value, ","), value += *value == ',')
            if (cs_plain_begins(value, "limits") || cs_plain_begins(value, "safe") ||
                is(value, "all"))
                name_word(c, "AccountingStorageEnforce");
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
        if (is(key, known[i].key)) {
            int64_t number = known[i].time ? cs_stamp_minutes(value) : whole(value);

            if (number < 0)
                return wrong(c, key, value, err);
            *known[i].to = (double)number;
        }
    return 0;
}

static int read_key(struct cs_conf *c, const char *key, char *value, struct cs_error *err)
{
    look_for_foreign(c, key, value);
    if (is(key, "SelectType"))
        c->linear = is(value, "select/linear");
    else if (is(key, "SchedulerParameters"))
        return read_scheduler(c, value, err);
    else if (is(key, "PriorityFlags"))
        read_flags(c, value);
    else if (is(key, "PriorityType"))
        c->out->priority.multifactor = is(value, "priority/multifactor");
    else if (is(key, "PriorityFavorSmall"))
        c->out->priority.favor_small = is(value, "YES");
    else if (is(key, "OverTimeLimit")) {
        if (!is(value, "UNLIMITED") && whole(value) < 0)
            return wrong(c, key, value, err);
        c->out->grace = is(value, "UNLIMITED") ? 31536000 : (double)whole(value) * 60;
    } else {
        return read_weight(c, key, value, err);
    }
    return 0;
}

static int read_line(struct cs_conf *c, char *text, struct cs_error *err)
{
    char *key, *value, *first = text + strspn(text, " \t");

    if (cs_plain_begins(first, "Include") && strchr(" \t", first[7]) && first[7])
        return cs_lines_error(c->lines, err,
                              "Include is not followed: put the files together into one");
    while ((key = next_pair(&text, &value))) {
        if (!value)
            return cs_lines_error(c->lines, err,
                                  "found \"%.60s\", expected Key=Value of a slurm.conf (or JSON)",
                                  key);
        if (is(key, "NodeName"))
            return read_nodes(c, value, text, err);
        if (is(key, "PartitionName"))
            return read_part(c, value, text, err);
        if (read_key(c, key, value, err))
            return -1;
    }
    return 0;
}

static int find_kind(const struct cs_conf *c, const char *alloc, enum cs_site_kind *kind,
                     struct cs_error *err)
{
    bool exclusive = true;

    if (alloc)
        return cs_site_kind_parse(alloc, kind, err);
    for (int p = 0; p < c->parts; p++)
        exclusive = exclusive && c->part[p].exclusive;
    *kind = c->linear || exclusive ? CS_SITE_NODES : CS_SITE_POOLED;
    return 0;
}

static int finish(struct cs_conf *c, const char *alloc, struct cs_error *err)
{
    struct cs_site *site = CS_NEW(c->arena, struct cs_site);
    const char *name = cs_lines_name(c->lines);

    if (cs_conf_nodes(c) == 0 || c->parts == 0)
        return cs_error_set(err, "%s: there is no %s, expected a machine as JSON or a slurm.conf",
                            name, c->parts ? "NodeName" : "PartitionName");
    if (find_kind(c, alloc, &site->kind, err) || cs_conf_make_site(c, site, err))
        return -1;
    if (cs_site_finish(site, c->arena, err))
        return cs_error_prefix(err, "%s", name);
    c->out->site = site;
    c->out->slurm = true;
    c->out->word = cs_names_list(c->words, &c->out->unmodelled);
    return 0;
}

int cs_site_conf_read(struct cs_lines *lines, const char *alloc, struct cs_site_file *out,
                      struct cs_arena *arena, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_conf *c = CS_NEW(arena, struct cs_conf);
    int status;

    *c = (struct cs_conf){
        .lines = lines,
        .arena = arena,
        .out = out,
        .nodes = cs_names_create(arena),
        .words = cs_names_create(arena),
        .given = {-1, -1, -1, -1, -1, -1, -1},
        .usual = {.seconds = INFINITY, .tier = 1, .priority = 1},
    };
    while ((status = next_line(c, &text, err)) > 0)
        if (read_line(c, text.text, err)) {
            status = -1;
            break;
        }
    cs_strbuf_release(&text);
    return status < 0 ? -1 : finish(c, alloc, err);
}
