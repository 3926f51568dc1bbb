/* schedule_keys.c - writing and reading the keys of schedule files by their tables. */
#include "io/schedule_keys.h"
#include "base/plain.h"
#include "io/graph_json.h"
#include "io/graph_list.h"
#include "io/schedule_json.h"
#include "io/workload.h"
#include "model/schedule.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- keys of pack, rigid and volatile that are not in the tables ---- */

/* A word or a number; null is a number that is not known. */
static int check_note(const struct cs_json_at *note, struct cs_error *err)
{
    const json_type type = cs_json_type(note);
    const char *word;
    double number;

    if (type == JSON_NULL)
        return 0;
    if (type == JSON_STRING)
        return cs_json_string(note, &word, err);
    if (type == JSON_INTEGER || type == JSON_REAL)
        return cs_json_double(note, CS_NUMBER_FINITE, &number, err);
    return cs_json_error(note, err, "found %s, expected a string or a number",
                         type == JSON_OBJECT  ? "an object"
                         : type == JSON_ARRAY ? "an array"
                                              : "true or false");
}

/* Check the types of seed and notes, which no row stores. */
static int pack_check_search(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_json_at at;
    int64_t seed;

    if (cs_json_has(root, "seed") && (cs_json_member(root, "seed", &at, err) ||
                                      cs_json_int64(&at, 0, (int64_t)1 << 53, &seed, err)))
        return -1;
    if (!cs_json_has(root, "notes"))
        return 0;
    return cs_json_member(root, "notes", &at, err) ? -1 : cs_json_each(&at, check_note, err);
}

int cs_key_finish_pack(const struct cs_json_at *root, const struct cs_key_source *source,
                       void *declared)
{
    (void)declared;
    return pack_check_search(root, source->err);
}

/* An estimate that is missing is right. */
int cs_key_finish_rigid(const struct cs_json_at *root, const struct cs_key_source *source,
                        void *declared)
{
    struct cs_rigid_declared *d = declared;
    double *estimate = CS_NEW_ARRAY(source->arena, double, source->tasks);

    (void)root;
    for (int j = 0; d->estimate && j < source->tasks; j++)
        estimate[j] = d->estimate[j] > 0 ? d->estimate[j] : d->seconds[j];
    d->estimate = d->estimate ? estimate : NULL;
    return 0;
}

/* A host takes all tasks if its file does not state how many; each slot has a letter. */
int cs_key_finish_volatile(const struct cs_json_at *root, const struct cs_key_source *source,
                           void *declared)
{
    struct cs_volatile_declared *d = declared;
    int *capacity = CS_NEW_ARRAY(source->arena, int, d->hosts);
    struct cs_json_at hosts, host, trace;

    for (int q = 0; q < d->hosts; q++) {
        capacity[q] = d->capacity[q] < 0 ? d->tasks : d->capacity[q];
        if ((long long)strlen(d->trace[q]) == d->slots)
            continue;
        if (cs_json_member(root, "hosts", &hosts, source->err))
            return -1;
        host = cs_json_element(&hosts, (size_t)q);
        return cs_json_member(&host, "trace", &trace, source->err)
                   ? -1
                   : cs_json_error(&trace, source->err,
                                   "found %zu letters, expected one for each of %lld slots",
                                   strlen(d->trace[q]), d->slots);
    }
    d->capacity = capacity;
    return 0;
}

/* The graphs of a schedule of the ptg problem, as JSON. */

/* The graphs of the list become the file's. */
static void keep_graphs(struct cs_graph_list *list, struct cs_arena *arena,
                        struct cs_ptg_declared *d)
{
    const struct cs_graph **graph = CS_NEW_ARRAY(arena, const struct cs_graph *, list->graphs);

    for (int g = 0; g < list->graphs; g++)
        graph[g] = list->graph[g];
    d->graphs = list->graphs;
    d->graph = graph;
    cs_block_free(list->graph);
}

void cs_key_put_ptg_graphs(struct cs_jsonw *w, const struct cs_schedule *schedule,
                           const void *declared)
{
    const struct cs_ptg_declared *d = declared;

    (void)schedule;
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < d->graphs; g++) {
        struct cs_graph graph = *d->graph[g];

        graph.known = NULL; /* which is a key of the schedule, where it holds */
        cs_graph_json_put(w, &graph);
    }
    cs_jsonw_close(w);
}

int cs_key_get_ptg_graphs(const struct cs_json_at *at, const struct cs_key_source *source,
                          void *declared)
{
    struct cs_graph_list list = {0};

    if (cs_graph_list_json_read(&list, at, at->above->key, source->err)) {
        cs_graph_list_release(&list);
        return -1;
    }
    keep_graphs(&list, source->arena, declared);
    return 0;
}

void cs_schedule_json_drop_ptg(const struct cs_ptg_declared *declared)
{
    for (int g = 0; declared && g < declared->graphs; g++)
        cs_graph_destroy((struct cs_graph *)(uintptr_t)declared->graph[g]);
}

/* Certificates of lower bounds of the moldable problem, and its tasks that
 * were stopped, as JSON. */

#define CASES_DEEP 300 /* of a certificate, each leading to the next */

static void put_dual(struct cs_jsonw *w, const struct cs_dual *f, const char *const *key)
{
    if (key[f->kind])
        cs_jsonw_put_double(w, key[f->kind], f->at);
}

static const char *const width_key[] = {
    [CS_DUAL_ITSELF] = NULL,
    [CS_DUAL_FAMILY] = "width_family",
    [CS_DUAL_STEP] = "width_step",
    [CS_DUAL_ROUND] = NULL,
};

static const char *const time_key[] = {
    [CS_DUAL_ITSELF] = NULL,
    [CS_DUAL_FAMILY] = "time_family",
    [CS_DUAL_STEP] = "time_step",
    [CS_DUAL_ROUND] = "time_round",
};

static void put_pairs(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    cs_jsonw_key(w, "pairs");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < by->pairs; k++) {
        cs_jsonw_open_flat(w, '{');
        put_dual(w, &by->pair[k].width, width_key);
        put_dual(w, &by->pair[k].time, time_key);
        cs_jsonw_put_double(w, "weight", by->pair[k].weight);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_scales(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    cs_jsonw_key(w, "scales");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < by->scales; k++) {
        const struct cs_moldable_scale *scale = &by->scale[k];

        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "task", scale->task);
        cs_jsonw_put_int(w, "count", scale->count);
        if (scale->time > 0)
            cs_jsonw_put_double(w, "time", scale->time);
        if (scale->width > 0)
            cs_jsonw_put_double(w, "width", scale->width);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* Each before those that it leads to. */
static void put_cases(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    cs_jsonw_open(w, '{');
    if (by->narrow && by->wide) {
        cs_jsonw_put_int(w, "task", by->task);
        cs_jsonw_put_int(w, "most", by->most);
    } else if (by->narrow) {
        cs_jsonw_put_bool(w, "then", true);
    }
    if (by->pairs)
        put_pairs(w, by);
    if (by->scales)
        put_scales(w, by);
    cs_jsonw_close(w);
    if (by->narrow)
        put_cases(w, by->narrow);
    if (by->wide)
        put_cases(w, by->wide);
}

void cs_key_put_moldable_certificate(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                     const void *declared)
{
    const struct cs_moldable_certificate *by =
        &((const struct cs_moldable_declared *)declared)->certificate;
    const struct cs_bag_declared *bag = ((const struct cs_moldable_declared *)declared)->bag;
    const bool shown = by->pairs || by->scales || by->narrow;
    const bool general =
        bag && (bag->certificate.prices || bag->certificate.tasks || bag->certificate.has_flow);

    (void)schedule;
    if (!shown && !general && !by->search)
        return;
    cs_jsonw_key(w, "certificate");
    cs_jsonw_open(w, '{');
    if (by->search)
        cs_jsonw_put_bool(w, "search", true);
    if (general)
        cs_bag_certificate_put(w, &bag->certificate);
    if (shown) {
        cs_jsonw_key(w, "cases");
        cs_jsonw_open(w, '[');
        put_cases(w, by);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_key_put_moldable_stopped(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                 const void *declared)
{
    const bool *stopped = ((const struct cs_moldable_declared *)declared)->stopped;

    if (!stopped)
        return;
    cs_jsonw_key(w, "stopped");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < cs_schedule_tasks(schedule); i++)
        if (stopped[i])
            cs_jsonw_int(w, i);
    cs_jsonw_close(w);
}

/* At most one of the keys; none: the share itself. */
static int read_dual(const struct cs_json_at *pair, const char *const *key, struct cs_dual *f,
                     struct cs_error *err)
{
    *f = (struct cs_dual){CS_DUAL_ITSELF, 0};
    for (int kind = CS_DUAL_FAMILY; kind <= CS_DUAL_ROUND; kind++) {
        if (!key[kind] || !cs_json_has(pair, key[kind]))
            continue;
        if (f->kind != CS_DUAL_ITSELF)
            return cs_json_error(pair, err, "found \"%s\" and \"%s\", expected one of them",
                                 key[f->kind], key[kind]);
        f->kind = (enum cs_dual_kind)kind;
        if (cs_json_get_double(pair, key[kind], CS_NUMBER_NOT_NEGATIVE, &f->at, err))
            return -1;
    }
    return 0;
}

/* A list that may lack: it has no elements then. */
static int schedule_moldable_read_list(const struct cs_key_source *r, const struct cs_json_at *at,
                                       const char *key, struct cs_json_at *array, size_t *count)
{
    *array = (struct cs_json_at){0};
    *count = 0;
    if (!cs_json_has(at, key))
        return 0;
    if (cs_json_member(at, key, array, r->err) || cs_json_array(array, count, r->err))
        return -1;
    if (*count > CS_IO_PROCS_MOST)
        return cs_json_error(array, r->err, "found %zu elements, expected at most %d", *count,
                             CS_IO_PROCS_MOST);
    return 0;
}

static int read_pairs(const struct cs_key_source *r, const struct cs_json_at *certificate,
                      struct cs_moldable_certificate *by)
{
    struct cs_json_at array;
    struct cs_moldable_pair *pair;
    size_t count;

    if (schedule_moldable_read_list(r, certificate, "pairs", &array, &count))
        return -1;
    by->pair = pair = CS_NEW_ARRAY(r->arena, struct cs_moldable_pair, count);
    by->pairs = (int)count;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at at = cs_json_element(&array, k);

        if (cs_json_keys(&at, "width_step|width_family|time_step|time_family|time_round|weight",
                         r->err) ||
            read_dual(&at, width_key, &pair[k].width, r->err) ||
            read_dual(&at, time_key, &pair[k].time, r->err) ||
            cs_json_get_double(&at, "weight", CS_NUMBER_NOT_NEGATIVE, &pair[k].weight, r->err))
            return -1;
    }
    return 0;
}

static int read_scale(const struct cs_key_source *r, const struct cs_json_at *at,
                      struct cs_moldable_scale *scale)
{
    if (cs_json_keys(at, "task|count|time|width", r->err) ||
        cs_json_get_int(at, "task", 0, r->tasks - 1, &scale->task, r->err) ||
        cs_json_get_int(at, "count", 1, CS_IO_PROCS_MOST, &scale->count, r->err) ||
        (cs_json_has(at, "time") &&
         cs_json_get_double(at, "time", CS_NUMBER_NOT_NEGATIVE, &scale->time, r->err)) ||
        (cs_json_has(at, "width") &&
         cs_json_get_double(at, "width", CS_NUMBER_NOT_NEGATIVE, &scale->width, r->err)))
        return -1;
    return 0;
}

static int read_scales(const struct cs_key_source *r, const struct cs_json_at *at,
                       struct cs_moldable_certificate *by)
{
    struct cs_json_at array;
    struct cs_moldable_scale *scale;
    size_t count;

    if (schedule_moldable_read_list(r, at, "scales", &array, &count))
        return -1;
    by->scale = scale = CS_NEW_ARRAY(r->arena, struct cs_moldable_scale, count);
    by->scales = (int)count;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at element = cs_json_element(&array, k);

        if (read_scale(r, &element, &scale[k]))
            return -1;
    }
    return 0;
}

/* Cases as they follow each other in the file. */
struct cases {
    struct cs_json_at array;
    size_t count, next;
};

static int read_case(const struct cs_key_source *r, struct cases *cases, int depth,
                     const struct cs_moldable_certificate **out);

static int read_split(const struct cs_key_source *r, const struct cs_json_at *at,
                      struct cases *cases, int depth, struct cs_moldable_certificate *by)
{
    bool then = false;

    if (cs_json_has(at, "then") && cs_json_get_bool(at, "then", &then, r->err))
        return -1;
    if (!cs_json_has(at, "task"))
        return then ? read_case(r, cases, depth + 1, &by->narrow) : 0;
    if (cs_json_get_int(at, "task", 0, r->tasks - 1, &by->task, r->err) ||
        cs_json_get_int(at, "most", 1, CS_IO_PROCS_MOST, &by->most, r->err) ||
        read_case(r, cases, depth + 1, &by->narrow))
        return -1;
    return read_case(r, cases, depth + 1, &by->wide);
}

static int read_case(const struct cs_key_source *r, struct cases *cases, int depth,
                     const struct cs_moldable_certificate **out)
{
    struct cs_moldable_certificate *by = CS_NEW(r->arena, struct cs_moldable_certificate);
    struct cs_json_at at;

    *out = by;
    if (cases->next == cases->count || depth > CASES_DEEP)
        return cs_json_error(&cases->array, r->err,
                             "found %zu cases, expected the ones that they lead to as well, "
                             "through at most %d",
                             cases->count, CASES_DEEP);
    at = cs_json_element(&cases->array, cases->next++);
    if (cs_json_keys(&at, "task|most|then|pairs|scales", r->err) || read_pairs(r, &at, by) ||
        read_scales(r, &at, by))
        return -1;
    return read_split(r, &at, cases, depth, by);
}

static int read_cases(const struct cs_key_source *r, const struct cs_json_at *certificate,
                      struct cs_moldable_certificate *by)
{
    const struct cs_moldable_certificate *all;
    struct cases cases = {.next = 0};

    if (!cs_json_has(certificate, "cases"))
        return 0;
    if (cs_json_member(certificate, "cases", &cases.array, r->err) ||
        cs_json_array(&cases.array, &cases.count, r->err) || read_case(r, &cases, 0, &all))
        return -1;
    if (cases.next < cases.count)
        return cs_json_error(&cases.array, r->err, "found %zu cases, no other leads to case %zu",
                             cases.count, cases.next);
    *by = *all;
    return 0;
}

int cs_key_get_moldable_certificate(const struct cs_json_at *at, const struct cs_key_source *source,
                                    void *declared)
{
    struct cs_moldable_certificate *by = &((struct cs_moldable_declared *)declared)->certificate;
    bool search = false;

    if (cs_json_keys(at, "search|cases|prices|budgets|clique|flow", source->err) ||
        (cs_json_has(at, "search") && cs_json_get_bool(at, "search", &search, source->err)) ||
        read_cases(source, at, by))
        return -1;
    if ((cs_json_has(at, "prices") || cs_json_has(at, "clique") || cs_json_has(at, "flow")) &&
        cs_bag_certificate_read(at, source, &cs_bag_declared_of(source, declared)->certificate))
        return -1;
    by->search = search;
    return 0;
}

int cs_key_get_moldable_stopped(const struct cs_json_at *at, const struct cs_key_source *source,
                                void *declared)
{
    bool *stopped = CS_NEW_ARRAY(source->arena, bool, source->tasks);
    size_t count;

    if (cs_json_array(at, &count, source->err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        const struct cs_json_at one = cs_json_element(at, k);
        int task;

        if (cs_json_int(&one, 0, source->tasks - 1, &task, source->err))
            return -1;
        stopped[task] = true;
    }
    ((struct cs_moldable_declared *)declared)->stopped = stopped;
    return 0;
}

/* The tables.  A kind of a row becomes a part of an initialiser. */
#define KEY_ONE(m) .at = offsetof(CS_KEY_OF, m), .size = sizeof(((CS_KEY_OF *)0)->m)
#define KEY_EACH(m, per_)                                                                          \
    .at = offsetof(CS_KEY_OF, m), .size = sizeof(*((CS_KEY_OF *)0)->m), .list = true,              \
    .per = KEY_PER_##per_
#define KEY_PER_TASKS                                                                              \
    {                                                                                              \
        SIZE_MAX, "tasks"                                                                          \
    }
#define KEY_PER_PER(record, m)                                                                     \
    {                                                                                              \
        offsetof(struct record, m), #m                                                             \
    }
#define KEY_WORDS(...)                                                                             \
    .word = (const char *const[])                                                                  \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define KEY_AMOUNT(want_) .kind = CS_KEY_NUMBER, .want = CS_NUMBER_##want_

#define KEY_KIND_OTHER .kind = CS_KEY_OTHER
#define KEY_KIND_OWN(name_) .kind = CS_KEY_OWN, .put = cs_key_put_##name_, .get = cs_key_get_##name_
#define KEY_KIND_BOOL(m) .kind = CS_KEY_BOOL, KEY_ONE(m)
#define KEY_KIND_INT(m, low_, high_) .kind = CS_KEY_INT, .low = low_, .high = high_, KEY_ONE(m)
#define KEY_KIND_COUNT(m) KEY_KIND_INT(m, 1, CS_IO_PROCS_MOST)
#define KEY_KIND_TASK(m) .kind = CS_KEY_TASK, KEY_ONE(m)
#define KEY_KIND_TEXT(m) .kind = CS_KEY_TEXT, KEY_ONE(m)
#define KEY_KIND_WORD(m, ...) .kind = CS_KEY_WORD, KEY_ONE(m), KEY_WORDS(__VA_ARGS__)
#define KEY_KIND_LABEL(m, ...) .kind = CS_KEY_LABEL, KEY_ONE(m), KEY_WORDS(__VA_ARGS__)
#define KEY_KIND_NUMBER(m) KEY_AMOUNT(FINITE), KEY_ONE(m)
#define KEY_KIND_CLAIM(m) KEY_AMOUNT(FINITE), KEY_ONE(m)
#define KEY_KIND_NOT_NEGATIVE(m) KEY_AMOUNT(NOT_NEGATIVE), KEY_ONE(m)
#define KEY_KIND_POSITIVE(m) KEY_AMOUNT(POSITIVE), KEY_ONE(m)
#define KEY_KIND_EACH_INT(m, per_, low_, high_)                                                    \
    .kind = CS_KEY_INT, .low = low_, .high = high_, KEY_EACH(m, per_)
#define KEY_KIND_EACH_COUNT(m, per_) KEY_KIND_EACH_INT(m, per_, 1, CS_IO_PROCS_MOST)
#define KEY_KIND_EACH_TEXT(m, per_) .kind = CS_KEY_TEXT, KEY_EACH(m, per_)
#define KEY_KIND_EACH_NOT_NEGATIVE(m, per_) KEY_AMOUNT(NOT_NEGATIVE), KEY_EACH(m, per_)
#define KEY_KIND_EACH_POSITIVE(m, per_) KEY_AMOUNT(POSITIVE), KEY_EACH(m, per_)
#define KEY_KIND_OBJECT .kind = CS_KEY_OBJECT, .open = true
#define KEY_KIND_FLAT_OBJECT .kind = CS_KEY_OBJECT
#define KEY_KIND_TABLE(per_) .kind = CS_KEY_TABLE, .list = true, .per = KEY_PER_##per_
#define KEY_KIND_OPEN_TABLE(n, low_)                                                               \
    .kind = CS_KEY_TABLE, .list = true, .open = true, .low = low_,                                 \
    .per = {.at = offsetof(CS_KEY_OF, n)}
#define KEY_KIND_ROWS(m, n)                                                                        \
    .kind = CS_KEY_ROWS, .at = offsetof(CS_KEY_OF, m), .size = sizeof(*((CS_KEY_OF *)0)->m),       \
    .list = true, .per = {.at = offsetof(CS_KEY_OF, n)}
#define KEY_KIND_LOOSE_ROWS(m, n) KEY_KIND_ROWS(m, n), .loose = true
#define KEY_KIND_OPEN_ROWS(m, n) KEY_KIND_LOOSE_ROWS(m, n), .open = true

#define KEY_WHEN_REQUIRED .when = CS_KEY_REQUIRED
#define KEY_WHEN_OPTIONAL .when = CS_KEY_OPTIONAL
#define KEY_WHEN_OR(value) .when = CS_KEY_OPTIONAL, .missing = value
#define KEY_WHEN_IF_SET .when = CS_KEY_IF_SET
#define KEY_WHEN_IF_NOT(value) .when = CS_KEY_IF_SET, .missing = value
#define KEY_WHEN_IF_ANY .when = CS_KEY_IF_ANY
#define KEY_WHEN_IF(m) .when = CS_KEY_IF, .flag = offsetof(CS_KEY_OF, m)
#define KEY_WHEN_WITH_LAST .when = CS_KEY_WITH_LAST

#define CS_KEY(problem_, key_, kind_, unit_, when_, check_, without_, text_)                       \
    {.name = key_, KEY_KIND_##kind_, KEY_WHEN_##when_},

const struct cs_key cs_keys_pack[] = {
#include "model/keys/pack.def"
    {.name = NULL},
};

const struct cs_key cs_keys_moldable[] = {
#include "model/keys/moldable.def"
    {.name = NULL},
};

const struct cs_key cs_keys_malleable[] = {
#include "model/keys/malleable.def"
    {.name = NULL},
};

const struct cs_key cs_keys_ptg[] = {
#include "model/keys/ptg.def"
    {.name = NULL},
};

const struct cs_key cs_keys_rigid[] = {
#include "model/keys/rigid.def"
    {.name = NULL},
};

const struct cs_key cs_keys_spot[] = {
#include "model/keys/spot.def"
    {.name = NULL},
};

const struct cs_key cs_keys_volatile[] = {
#include "model/keys/volatile.def"
    {.name = NULL},
};

static const char *key_last(const struct cs_key *key)
{
    const char *dot = strrchr(key->name, '.');

    return dot ? dot + 1 : key->name;
}

/* The row after those of its object. */
static const struct cs_key *key_next(const struct cs_key *key)
{
    const size_t length = strlen(key->name);
    const struct cs_key *next = key + 1;

    while (next->name && !strncmp(next->name, key->name, length) && next->name[length] == '.')
        next++;
    return next;
}

static const struct cs_key *key_end(const struct cs_key *table)
{
    while (table->name)
        table++;
    return table;
}

static int64_t key_int(const struct cs_key *key, const void *slot)
{
    int64_t wide = 0;
    int narrow = 0;

    if (key->size == sizeof(bool))
        return *(const bool *)slot;
    if (key->size == sizeof narrow)
        memcpy(&narrow, slot, sizeof narrow);
    else
        memcpy(&wide, slot, sizeof wide);
    return key->size == sizeof narrow ? narrow : wide;
}

static void key_set_int(const struct cs_key *key, void *slot, int64_t value)
{
    const int narrow = (int)value;

    if (key->size == sizeof(bool))
        *(bool *)slot = value != 0;
    else if (key->size == sizeof narrow)
        memcpy(slot, &narrow, sizeof narrow);
    else
        memcpy(slot, &value, sizeof value);
}

static void *key_pointer(const void *slot)
{
    void *pointer;

    memcpy(&pointer, slot, sizeof pointer);
    return pointer;
}

static double key_number(const void *slot)
{
    double value;

    memcpy(&value, slot, sizeof value);
    return value;
}

/* ---- writing ---- */

struct key_writer {
    struct cs_jsonw *w;
    const struct cs_schedule *schedule;
    const char *root;
};

static void key_put_members(const struct key_writer *k, const struct cs_key *key,
                            const struct cs_key *end, const char *base);

static void key_open(const struct key_writer *k, const struct cs_key *key, char bracket)
{
    if (key->open)
        cs_jsonw_open(k->w, bracket);
    else
        cs_jsonw_open_flat(k->w, bracket);
}

static void key_put_value(const struct key_writer *k, const struct cs_key *key, const char *slot)
{
    if (key->kind == CS_KEY_NUMBER)
        cs_jsonw_double(k->w, key_number(slot));
    else if (key->kind == CS_KEY_TEXT || key->kind == CS_KEY_LABEL)
        cs_jsonw_string(k->w, key_pointer(slot));
    else if (key->kind == CS_KEY_BOOL)
        cs_jsonw_bool(k->w, key_int(key, slot));
    else if (key->kind == CS_KEY_WORD)
        cs_jsonw_string(k->w, key->word[key_int(key, slot)]);
    else if (key->kind == CS_KEY_TASK)
        cs_jsonw_string(k->w, cs_schedule_task_name(k->schedule, (int)key_int(key, slot)));
    else
        cs_jsonw_int(k->w, key_int(key, slot));
}

/* The number of elements of a list of the struct at `base`. */
static int key_count(const struct key_writer *k, const struct cs_key *key, const char *base)
{
    int count;

    if (key->per.at == SIZE_MAX)
        return cs_schedule_tasks(k->schedule);
    memcpy(&count, (key->kind == CS_KEY_ROWS ? base : k->root) + key->per.at, sizeof count);
    return count;
}

static void key_put_list(const struct key_writer *k, const struct cs_key *key, const char *slot)
{
    const char *value = key_pointer(slot);

    cs_jsonw_open_flat(k->w, '[');
    for (int i = 0; i < key_count(k, key, k->root); i++)
        key_put_value(k, key, value + (size_t)i * key->size);
    cs_jsonw_close(k->w);
}

/* Object i of a table. */
static void key_put_columns(const struct key_writer *k, const struct cs_key *table, int i)
{
    const struct cs_key *end = key_next(table);

    key_open(k, table, '{');
    for (const struct cs_key *key = table + 1; key < end; key++) {
        const char *column = key_pointer(k->root + key->at);
        const char *slot = column ? column + (size_t)i * key->size : NULL;

        if (!slot || (key->kind == CS_KEY_TEXT && !key_pointer(slot)))
            continue;
        cs_jsonw_key(k->w, key_last(key));
        key_put_value(k, key, slot);
    }
    cs_jsonw_close(k->w);
}

static void key_put_objects(const struct key_writer *k, const struct cs_key *key, const char *base)
{
    const int count = key_count(k, key, base);
    const char *row = key->kind == CS_KEY_ROWS ? key_pointer(base + key->at) : NULL;

    cs_jsonw_open(k->w, '[');
    for (int i = 0; i < count; i++) {
        if (key->kind == CS_KEY_TABLE) {
            key_put_columns(k, key, i);
            continue;
        }
        key_open(k, key, '{');
        key_put_members(k, key + 1, key_next(key), row + (size_t)i * key->size);
        cs_jsonw_close(k->w);
    }
    cs_jsonw_close(k->w);
}

static bool key_is_set(const struct cs_key *key, const char *base)
{
    const char *slot = base + key->at;
    int rows;

    if (key->kind == CS_KEY_OBJECT) {
        for (const struct cs_key *inner = key + 1; inner < key_next(key); inner = key_next(inner))
            if (key_is_set(inner, base))
                return true;
        return false;
    }
    if (key->kind == CS_KEY_OWN)
        return true;
    if (key->kind == CS_KEY_ROWS) {
        memcpy(&rows, base + key->per.at, sizeof rows);
        return rows > 0;
    }
    if (key->list || key->kind == CS_KEY_TEXT)
        return key_pointer(slot) != NULL;
    if (key->kind == CS_KEY_NUMBER)
        return isnan(key->missing) ? !isnan(key_number(slot)) : key_number(slot) != key->missing;
    return key_int(key, slot) != (int64_t)key->missing;
}

static bool key_is_written(const struct cs_key *key, const char *base, bool last)
{
    if (key->kind == CS_KEY_OTHER)
        return false;
    if (key->when == CS_KEY_IF)
        return *(const bool *)(base + key->flag);
    if (key->when == CS_KEY_WITH_LAST)
        return last;
    return key->when != CS_KEY_IF_SET || key_is_set(key, base);
}

static void key_put_member(const struct key_writer *k, const struct cs_key *key, const char *base)
{
    if (key->kind == CS_KEY_OWN) {
        key->put(k->w, k->schedule, base);
        return;
    }
    cs_jsonw_key(k->w, key_last(key));
    if (key->kind == CS_KEY_OBJECT) {
        key_open(k, key, '{');
        key_put_members(k, key + 1, key_next(key), base);
        cs_jsonw_close(k->w);
    } else if (key->kind == CS_KEY_TABLE || key->kind == CS_KEY_ROWS) {
        key_put_objects(k, key, base);
    } else if (key->list) {
        key_put_list(k, key, base + key->at);
    } else {
        key_put_value(k, key, base + key->at);
    }
}

/* The keys up to `end`, of the struct at `base`. */
static void key_put_members(const struct key_writer *k, const struct cs_key *key,
                            const struct cs_key *end, const char *base)
{
    bool written = false;

    for (; key < end; key = key_next(key)) {
        written = key_is_written(key, base, written);
        if (written)
            key_put_member(k, key, base);
    }
}

void cs_keys_put(struct cs_jsonw *w, const struct cs_key *table, const struct cs_schedule *schedule,
                 const void *declared)
{
    const struct key_writer k = {w, schedule, declared};

    key_put_members(&k, table, key_end(table), declared);
}

/* ---- reading ---- */

struct key_reader {
    const struct cs_key_source *source;
    char *root;
};

static int key_get_members(const struct key_reader *k, const struct cs_key *key,
                           const struct cs_key *end, const struct cs_json_at *object, char *base);

static void key_set_missing(const struct cs_key *key, void *slot)
{
    static const char *const none = "";

    if (key->kind == CS_KEY_NUMBER)
        memcpy(slot, &key->missing, sizeof key->missing);
    else if (key->kind == CS_KEY_TEXT && key->when == CS_KEY_OPTIONAL)
        memcpy(slot, &none, sizeof none);
    else if (key->kind != CS_KEY_TEXT && key->kind != CS_KEY_OWN)
        key_set_int(key, slot, (int64_t)key->missing);
}

/* Message: found "x", expected a, b or c. */
static int key_wrong_word(const struct cs_key *key, const struct cs_json_at *at, const char *word,
                          struct cs_error *err)
{
    char words[300] = "";
    size_t length = 0;

    for (int i = 0; key->word[i]; i++)
        length += (size_t)cs_plain_print(words + length, sizeof words - length, "%s%s",
                                         i == 0             ? ""
                                         : key->word[i + 1] ? ", "
                                                            : " or ",
                                         key->word[i]);
    return cs_json_error(at, err, "found \"%.60s\", expected %s", word, words);
}

static int key_get_text(const struct key_reader *k, const struct cs_key *key,
                        const struct cs_json_at *at, void *slot)
{
    const char *text;

    if (cs_json_string(at, &text, k->source->err))
        return -1;
    if (key->kind == CS_KEY_TASK) {
        key_set_int(key, slot, cs_names_find(k->source->names, text));
        return key_int(key, slot) >= 0
                   ? 0
                   : cs_json_error(at, k->source->err, "\"%.60s\" is not in the list of tasks",
                                   text);
    }
    if (key->kind == CS_KEY_TEXT) {
        text = cs_arena_strdup(k->source->arena, text);
        memcpy(slot, &text, sizeof text);
        return 0;
    }
    for (int i = 0; key->word[i]; i++) {
        if (strcmp(text, key->word[i]) != 0)
            continue;
        if (key->kind == CS_KEY_WORD)
            key_set_int(key, slot, i);
        else
            memcpy(slot, &key->word[i], sizeof key->word[i]);
        return 0;
    }
    return key_wrong_word(key, at, text, k->source->err);
}

static int key_get_value(const struct key_reader *k, const struct cs_key *key,
                         const struct cs_json_at *at, void *slot)
{
    struct cs_error *err = k->source->err;
    int64_t whole = 0;
    double number = 0;
    bool yes = false;

    if (key->kind == CS_KEY_NUMBER) {
        if (cs_json_double(at, key->want, &number, err))
            return -1;
        memcpy(slot, &number, sizeof number);
        return 0;
    }
    if (key->kind != CS_KEY_BOOL && key->kind != CS_KEY_INT)
        return key_get_text(k, key, at, slot);
    if (key->kind == CS_KEY_BOOL ? cs_json_bool(at, &yes, err)
                                 : cs_json_int64(at, key->low, key->high, &whole, err))
        return -1;
    key_set_int(key, slot, key->kind == CS_KEY_BOOL ? yes : whole);
    return 0;
}

/* The array has as many elements as it must have; those of rows are stored. */
static int key_open_list(const struct key_reader *k, const struct cs_key *key,
                         const struct cs_json_at *array, char *base, size_t *count)
{
    struct cs_error *err = k->source->err;
    int wanted = k->source->tasks;

    if (cs_json_array(array, count, err))
        return -1;
    if (!key->per.noun) {
        if (*count < (size_t)key->low || *count > INT_MAX / 2)
            return cs_json_error(array, err, "found %zu elements, expected from %lld to %d", *count,
                                 (long long)key->low, INT_MAX / 2);
        wanted = (int)*count;
        memcpy(base + key->per.at, &wanted, sizeof wanted);
        return 0;
    }
    if (key->per.at != SIZE_MAX)
        memcpy(&wanted, k->root + key->per.at, sizeof wanted);
    if (*count != (size_t)wanted)
        return cs_json_error(array, err, "found %zu elements, expected one for each of the %d %s",
                             *count, wanted, key->per.noun);
    return 0;
}

static int key_get_list(const struct key_reader *k, const struct cs_key *key,
                        const struct cs_json_at *array, char *base)
{
    size_t count;
    char *value;

    if (key_open_list(k, key, array, base, &count))
        return -1;
    value = cs_arena_alloc(k->source->arena, count, key->size);
    memcpy(base + key->at, &value, sizeof value);
    for (size_t i = 0; i < count; i++) {
        const struct cs_json_at at = cs_json_element(array, i);

        if (key_get_value(k, key, &at, value + i * key->size))
            return -1;
    }
    return 0;
}

#define KEY_NAMES 400

/* The keys that an object may have, as "a|b". */
static void key_names(const struct cs_key *key, const struct cs_key *end, char *out)
{
    size_t length = 0;

    for (const struct cs_key *row = key; row < end; row = key_next(row))
        length += (size_t)cs_plain_print(out + length, KEY_NAMES - length, "%s%s",
                                         row == key ? "" : "|", key_last(row));
}

static void *key_create_column(const struct key_reader *k, const struct cs_key *key, size_t count)
{
    char *column = cs_arena_alloc(k->source->arena, count, key->size);

    for (size_t i = 0; i < count; i++)
        key_set_missing(key, column + i * key->size);
    memcpy(k->root + key->at, &column, sizeof column);
    return column;
}

/* Object i of the table, of so many. */
static int key_get_columns(const struct key_reader *k, const struct cs_key *table,
                           const struct cs_json_at *object, size_t i, size_t count)
{
    const struct cs_key *end = key_next(table);
    struct cs_json_at at;

    for (const struct cs_key *key = table + 1; key < end; key++) {
        char *column = key_pointer(k->root + key->at);

        if (key->when != CS_KEY_REQUIRED && !cs_json_has(object, key_last(key)))
            continue;
        if (!column)
            column = key_create_column(k, key, count);
        if (cs_json_member(object, key_last(key), &at, k->source->err) ||
            key_get_value(k, key, &at, column + i * key->size))
            return -1;
    }
    return 0;
}

/* Arrays for the keys of each object of a table, or one of structs. */
static char *key_create_rows(const struct key_reader *k, const struct cs_key *key, char *base,
                             size_t count)
{
    char *row = NULL;

    if (key->kind == CS_KEY_ROWS) {
        row = cs_arena_alloc(k->source->arena, count, key->size);
        memcpy(base + key->at, &row, sizeof row);
        return row;
    }
    for (const struct cs_key *column = key + 1; column < key_next(key); column++)
        if (column->when != CS_KEY_IF_ANY)
            key_create_column(k, column, count);
    return NULL;
}

static int key_get_objects(const struct key_reader *k, const struct cs_key *key,
                           const struct cs_json_at *list, char *base)
{
    const struct cs_key *end = key_next(key);
    char names[KEY_NAMES];
    size_t count;
    char *row;

    key_names(key + 1, end, names);
    if (key_open_list(k, key, list, base, &count))
        return -1;
    row = key_create_rows(k, key, base, count);
    for (size_t i = 0; i < count; i++) {
        const struct cs_json_at object = cs_json_element(list, i);

        if (cs_json_keys(&object, key->loose ? NULL : names, k->source->err))
            return -1;
        if (row ? key_get_members(k, key + 1, end, &object, row + i * key->size)
                : key_get_columns(k, key, &object, i, count))
            return -1;
    }
    return 0;
}

static int key_get_member(const struct key_reader *k, const struct cs_key *key,
                          const struct cs_json_at *object, char *base)
{
    struct cs_json_at at;
    char names[KEY_NAMES];

    if (cs_json_member(object, key_last(key), &at, k->source->err))
        return -1;
    if (key->when == CS_KEY_IF)
        *(bool *)(base + key->flag) = true;
    if (key->kind == CS_KEY_OWN)
        return key->get(&at, k->source, base);
    if (key->kind == CS_KEY_OBJECT) {
        key_names(key + 1, key_next(key), names);
        return cs_json_keys(&at, names, k->source->err)
                   ? -1
                   : key_get_members(k, key + 1, key_next(key), &at, base);
    }
    if (key->kind == CS_KEY_TABLE || key->kind == CS_KEY_ROWS)
        return key_get_objects(k, key, &at, base);
    return key->list ? key_get_list(k, key, &at, base) : key_get_value(k, key, &at, base + key->at);
}

static void key_miss_member(const struct cs_key *key, char *base)
{
    if (key->kind == CS_KEY_OBJECT)
        for (const struct cs_key *row = key + 1; row < key_next(key); row = key_next(row))
            key_miss_member(row, base);
    else if (!key->list)
        key_set_missing(key, base + key->at);
}

/* The keys up to `end`, of the struct at `base`: those that have functions, or the others. */
static int key_get_pass(const struct key_reader *k, const struct cs_key *key,
                        const struct cs_key *end, const struct cs_json_at *object, char *base,
                        bool own)
{
    for (; key < end; key = key_next(key)) {
        if (key->kind == CS_KEY_OTHER || (key->kind == CS_KEY_OWN) != own)
            continue;
        if (key->when != CS_KEY_REQUIRED && !cs_json_has(object, key_last(key)))
            key_miss_member(key, base);
        else if (key_get_member(k, key, object, base))
            return -1;
    }
    return 0;
}

static int key_get_members(const struct key_reader *k, const struct cs_key *key,
                           const struct cs_key *end, const struct cs_json_at *object, char *base)
{
    return key_get_pass(k, key, end, object, base, true)
               ? -1
               : key_get_pass(k, key, end, object, base, false);
}

int cs_keys_get(const struct cs_json_at *root, const struct cs_key *table,
                const struct cs_key_source *source, void *declared)
{
    const struct key_reader k = {source, declared};

    return key_get_members(&k, table, key_end(table), root, declared);
}
