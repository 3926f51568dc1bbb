/* schedule_keys.c - writing and reading the keys of schedule files by their tables. */
#include "io/schedule_keys.h"

#include "base/plain.h"
#include "io/workload.h"

#include <cosched/schedule_file.h>

#include <limits.h>
#include <math.h>
#include <string.h>

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

#define KEY_KIND_OTHER .kind = CS_KEY_OTHER
#define KEY_KIND_BOOL(m) .kind = CS_KEY_BOOL, KEY_ONE(m)
#define KEY_KIND_INT(m, low_, high_) .kind = CS_KEY_INT, .low = low_, .high = high_, KEY_ONE(m)
#define KEY_KIND_TEXT(m) .kind = CS_KEY_TEXT, KEY_ONE(m)
#define KEY_KIND_NUMBER(m) .kind = CS_KEY_NUMBER, .want = CS_NUMBER_FINITE, KEY_ONE(m)
#define KEY_KIND_NOT_NEGATIVE(m) .kind = CS_KEY_NUMBER, .want = CS_NUMBER_NOT_NEGATIVE, KEY_ONE(m)
#define KEY_KIND_EACH_INT(m, per_, low_, high_)                                                    \
    .kind = CS_KEY_INT, .low = low_, .high = high_, KEY_EACH(m, per_)
#define KEY_KIND_EACH_COUNT(m, per_) KEY_KIND_EACH_INT(m, per_, 1, CS_IO_PROCS_MOST)
#define KEY_KIND_EACH_NOT_NEGATIVE(m, per_)                                                        \
    .kind = CS_KEY_NUMBER, .want = CS_NUMBER_NOT_NEGATIVE, KEY_EACH(m, per_)
#define KEY_KIND_EACH_POSITIVE(m, per_)                                                            \
    .kind = CS_KEY_NUMBER, .want = CS_NUMBER_POSITIVE, KEY_EACH(m, per_)
#define KEY_KIND_TABLE(per_) .kind = CS_KEY_TABLE, .list = true, .per = KEY_PER_##per_

#define KEY_WHEN_REQUIRED .when = CS_KEY_REQUIRED
#define KEY_WHEN_OPTIONAL .when = CS_KEY_OPTIONAL
#define KEY_WHEN_OR(value) .when = CS_KEY_OPTIONAL, .missing = value
#define KEY_WHEN_IF_SET .when = CS_KEY_IF_SET
#define KEY_WHEN_IF_NOT(value) .when = CS_KEY_IF_SET, .missing = value
#define KEY_WHEN_IF_ANY .when = CS_KEY_IF_ANY

#define CS_KEY(problem_, key_, kind_, unit_, when_, check_, without_, text_)                       \
    {.name = key_, KEY_KIND_##kind_, KEY_WHEN_##when_},

const struct cs_key cs_keys_rigid[] = {
#include "model/keys/rigid.def"
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

/* Writing. */

struct key_writer {
    struct cs_jsonw *w;
    const struct cs_schedule *schedule;
    const char *root;
};

static void key_put_value(const struct key_writer *k, const struct cs_key *key, const char *slot)
{
    if (key->kind == CS_KEY_NUMBER)
        cs_jsonw_double(k->w, key_number(slot));
    else if (key->kind == CS_KEY_TEXT)
        cs_jsonw_string(k->w, key_pointer(slot));
    else if (key->kind == CS_KEY_BOOL)
        cs_jsonw_bool(k->w, key_int(key, slot));
    else
        cs_jsonw_int(k->w, key_int(key, slot));
}

static int key_count(const struct key_writer *k, const struct cs_key *key)
{
    int count;

    if (key->per.at == SIZE_MAX)
        return cs_schedule_tasks(k->schedule);
    memcpy(&count, k->root + key->per.at, sizeof count);
    return count;
}

static void key_put_list(const struct key_writer *k, const struct cs_key *key, const char *slot)
{
    const char *value = key_pointer(slot);

    cs_jsonw_open_flat(k->w, '[');
    for (int i = 0; i < key_count(k, key); i++)
        key_put_value(k, key, value + (size_t)i * key->size);
    cs_jsonw_close(k->w);
}

static bool key_is_set(const struct cs_key *key, const char *slot)
{
    if (key->list || key->kind == CS_KEY_TEXT)
        return key_pointer(slot) != NULL;
    if (key->kind == CS_KEY_NUMBER)
        return isnan(key->missing) ? !isnan(key_number(slot)) : key_number(slot) != key->missing;
    return key_int(key, slot) != (int64_t)key->missing;
}

/* Object i of a table; its keys are up to the row `end`. */
static void key_put_columns(const struct key_writer *k, const struct cs_key *key,
                            const struct cs_key *end, int i)
{
    cs_jsonw_open_flat(k->w, '{');
    for (; key < end; key++) {
        const char *column = key_pointer(k->root + key->at);

        if (!column)
            continue;
        cs_jsonw_key(k->w, key_last(key));
        key_put_value(k, key, column + (size_t)i * key->size);
    }
    cs_jsonw_close(k->w);
}

static void key_put_table(const struct key_writer *k, const struct cs_key *key)
{
    cs_jsonw_open(k->w, '[');
    for (int i = 0; i < key_count(k, key); i++)
        key_put_columns(k, key + 1, key_next(key), i);
    cs_jsonw_close(k->w);
}

void cs_keys_put(struct cs_jsonw *w, const struct cs_key *table, const struct cs_schedule *schedule,
                 const void *declared)
{
    const struct key_writer k = {w, schedule, declared};

    for (const struct cs_key *key = table; key->name; key = key_next(key)) {
        const char *slot = k.root + key->at;

        if (key->kind == CS_KEY_OTHER || (key->when == CS_KEY_IF_SET && !key_is_set(key, slot)))
            continue;
        cs_jsonw_key(w, key->name);
        if (key->kind == CS_KEY_TABLE)
            key_put_table(&k, key);
        else if (key->list)
            key_put_list(&k, key, slot);
        else
            key_put_value(&k, key, slot);
    }
}

/* Reading. */

struct key_reader {
    const struct cs_key_source *source;
    char *root;
};

static void key_set_missing(const struct cs_key *key, void *slot)
{
    static const char *const none = "";

    if (key->kind == CS_KEY_NUMBER)
        memcpy(slot, &key->missing, sizeof key->missing);
    else if (key->kind == CS_KEY_TEXT && key->when == CS_KEY_OPTIONAL)
        memcpy(slot, &none, sizeof none);
    else if (key->kind != CS_KEY_TEXT)
        key_set_int(key, slot, (int64_t)key->missing);
}

static int key_get_text(const struct key_reader *k, const struct cs_json_at *at, void *slot)
{
    const char *text;

    if (cs_json_string(at, &text, k->source->err))
        return -1;
    text = cs_arena_strdup(k->source->arena, text);
    memcpy(slot, &text, sizeof text);
    return 0;
}

static int key_get_value(const struct key_reader *k, const struct cs_key *key,
                         const struct cs_json_at *at, void *slot)
{
    struct cs_error *err = k->source->err;
    int64_t whole = 0;
    double number = 0;
    bool yes = false;

    if (key->kind == CS_KEY_TEXT)
        return key_get_text(k, at, slot);
    if (key->kind == CS_KEY_NUMBER) {
        if (cs_json_double(at, key->want, &number, err))
            return -1;
        memcpy(slot, &number, sizeof number);
        return 0;
    }
    if (key->kind == CS_KEY_BOOL ? cs_json_bool(at, &yes, err)
                                 : cs_json_int64(at, key->low, key->high, &whole, err))
        return -1;
    key_set_int(key, slot, key->kind == CS_KEY_BOOL ? yes : whole);
    return 0;
}

/* The member as an array of as many elements as it must have. */
static int key_open_list(const struct key_reader *k, const struct cs_key *key,
                         const struct cs_json_at *array, size_t *count)
{
    int wanted = k->source->tasks;

    if (key->per.at != SIZE_MAX)
        memcpy(&wanted, k->root + key->per.at, sizeof wanted);
    if (cs_json_array(array, count, k->source->err))
        return -1;
    if (*count != (size_t)wanted)
        return cs_json_error(array, k->source->err,
                             "found %zu elements, expected one for each of the %d %s", *count,
                             wanted, key->per.noun);
    return 0;
}

static int key_get_list(const struct key_reader *k, const struct cs_key *key,
                        const struct cs_json_at *array, void *slot)
{
    size_t count;
    char *value;

    if (key_open_list(k, key, array, &count))
        return -1;
    value = cs_arena_alloc(k->source->arena, count, key->size);
    memcpy(slot, &value, sizeof value);
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

static int key_get_table(const struct key_reader *k, const struct cs_key *key,
                         const struct cs_json_at *list)
{
    const struct cs_key *end = key_next(key);
    char names[KEY_NAMES];
    size_t count;

    key_names(key + 1, end, names);
    if (key_open_list(k, key, list, &count))
        return -1;
    for (const struct cs_key *row = key + 1; row < end; row++)
        if (row->when != CS_KEY_IF_ANY)
            key_create_column(k, row, count);
    for (size_t i = 0; i < count; i++) {
        const struct cs_json_at object = cs_json_element(list, i);

        if (cs_json_keys(&object, names, k->source->err) ||
            key_get_columns(k, key, &object, i, count))
            return -1;
    }
    return 0;
}

static int key_get_member(const struct key_reader *k, const struct cs_key *key,
                          const struct cs_json_at *root)
{
    struct cs_json_at at;

    if (cs_json_member(root, key_last(key), &at, k->source->err))
        return -1;
    if (key->kind == CS_KEY_TABLE)
        return key_get_table(k, key, &at);
    return key->list ? key_get_list(k, key, &at, k->root + key->at)
                     : key_get_value(k, key, &at, k->root + key->at);
}

int cs_keys_get(const struct cs_json_at *root, const struct cs_key *table,
                const struct cs_key_source *source, void *declared)
{
    const struct key_reader k = {source, declared};

    for (const struct cs_key *key = table; key->name; key = key_next(key)) {
        if (key->kind == CS_KEY_OTHER)
            continue;
        if (key->when == CS_KEY_REQUIRED || cs_json_has(root, key_last(key))) {
            if (key_get_member(&k, key, root))
                return -1;
        } else if (!key->list) {
            key_set_missing(key, k.root + key->at);
        }
    }
    return 0;
}
