/* columns.c - columns in an arena, which the arrays, schemas and streams made of them share until
 * the last one is released. */
#include "api/columns.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/utf8.h"
#include "base/vector.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* An arena, and how many arrays, schemas or streams still live in it. */
struct shared {
    struct cs_arena *arena;
    atomic_long users;
};

struct column {
    const char *name, *format;
    int64_t length;
    bool nullable;
    const void *buffer[3]; /* validity (NULL: all are valid), offsets or values, characters */
    int buffers;
    const int32_t *index; /* of words, to count nulls */
    struct column *words; /* NULL: no dictionary */
    struct ArrowArray array;
    int64_t nulls;
};

struct cs_columns {
    struct shared shared; /* first: it lives in its arena */
    int64_t rows;
    struct column *column;
    size_t count, room;
    struct ArrowArray top;
    const void *valid; /* the only buffer of the top: NULL */
    bool supplied;     /* the batch */
    const char *last;  /* error */
};

static void columns_leave(struct shared *shared)
{
    if (atomic_fetch_sub(&shared->users, 1) == 1)
        cs_arena_destroy(shared->arena);
}

struct cs_columns *cs_columns_create(int64_t rows)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_columns *columns = CS_NEW(arena, struct cs_columns);

    columns->shared.arena = arena;
    atomic_init(&columns->shared.users, 1);
    columns->rows = rows;
    return columns;
}

void cs_columns_destroy(struct cs_columns *columns)
{
    if (columns)
        columns_leave(&columns->shared);
}

/* ---- columns ---- */

static struct column *columns_add(struct cs_columns *c, const char *name, const char *format)
{
    struct column *column;

    CS_ARENA_ROOM(c->shared.arena, c->column, c->count, c->room, 16);
    column = &c->column[c->count++];
    *column = (struct column){.name = cs_arena_strdup(c->shared.arena, name),
                              .format = format,
                              .length = c->rows,
                              .buffers = 2};
    return column;
}

static void *columns_values(struct cs_columns *c, const char *name, const char *format, size_t size)
{
    void *made = cs_arena_alloc(c->shared.arena, (size_t)c->rows, size);

    columns_add(c, name, format)->buffer[1] = made;
    return made;
}

int32_t *cs_columns_int32(struct cs_columns *columns, const char *name)
{
    return columns_values(columns, name, "i", sizeof(int32_t));
}

int64_t *cs_columns_int64(struct cs_columns *columns, const char *name)
{
    return columns_values(columns, name, "l", sizeof(int64_t));
}

double *cs_columns_double(struct cs_columns *columns, const char *name)
{
    return columns_values(columns, name, "g", sizeof(double));
}

/* Validity bits, the lowest first. */
static uint8_t *columns_bits(struct cs_columns *c)
{
    return CS_NEW_ARRAY(c->shared.arena, uint8_t, (c->rows + 7) / 8);
}

/* The length of the text as valid UTF-8, with U+FFFD for each byte that belongs to no character.
 * The result is written to `out` unless that is NULL. */
static size_t columns_put_text(const char *text, char *out)
{
    static const char unknown[] = "\xef\xbf\xbd";
    size_t all = 0;

    while (text && *text) {
        const int good = cs_utf8_length(text), length = good ? good : 3;

        if (out)
            memcpy(out + all, good ? text : unknown, (size_t)length);
        all += (size_t)length;
        text += good ? good : 1;
    }
    return all;
}

static int put_texts(struct cs_columns *c, struct column *column, const char *const *text,
                     struct cs_error *err)
{
    int32_t *offset = CS_NEW_ARRAY(c->shared.arena, int32_t, column->length + 1);
    size_t all = 0;
    char *letters;

    for (int64_t i = 0; i < column->length; i++) {
        all += columns_put_text(text[i], NULL);
        if (all > INT32_MAX)
            return cs_error_set(err, "%s: texts of more than 2 GB are no column of Arrow's utf8",
                                column->name);
        offset[i + 1] = (int32_t)all;
    }
    letters = cs_arena_alloc(c->shared.arena, all, 1);
    for (int64_t i = 0; i < column->length; i++)
        columns_put_text(text[i], letters + offset[i]);
    column->buffer[1] = offset;
    column->buffer[2] = letters;
    column->buffers = 3;
    return 0;
}

int cs_columns_texts(struct cs_columns *c, const char *name, const char *const *text,
                     struct cs_error *err)
{
    struct column *column = columns_add(c, name, "u");
    uint8_t *valid = columns_bits(c);

    column->nullable = true;
    for (int64_t i = 0; i < c->rows; i++) {
        valid[i / 8] |= (uint8_t)((text[i] != NULL) << i % 8);
        column->nulls += !text[i];
    }
    column->buffer[0] = column->nulls ? valid : NULL;
    return put_texts(c, column, text, err);
}

int32_t *cs_columns_words(struct cs_columns *c, const char *name, const char *const *word,
                          int words, struct cs_error *err)
{
    int32_t *index = CS_NEW_ARRAY(c->shared.arena, int32_t, c->rows);
    struct column *column = columns_add(c, name, "i");

    column->nullable = true;
    column->index = index;
    column->buffer[1] = index;
    column->words = CS_NEW(c->shared.arena, struct column);
    *column->words = (struct column){.name = "", .format = "u", .length = words};
    return put_texts(c, column->words, word, err) ? NULL : index;
}

static void count_nulls(struct cs_columns *c, struct column *column)
{
    uint8_t *valid;

    for (int64_t i = 0; column->index && i < c->rows; i++)
        column->nulls += column->index[i] < 0;
    if (!column->index || !column->nulls)
        return;
    valid = columns_bits(c);
    for (int64_t i = 0; i < c->rows; i++)
        valid[i / 8] |= (uint8_t)((column->index[i] >= 0) << i % 8);
    column->buffer[0] = valid;
}

/* ---- arrays ---- */

/* A consumer that has moved a child or a dictionary out has marked it as released. */
static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    array->release = NULL;
    columns_leave(array->private_data);
}

static void make_array(struct cs_columns *c, struct column *column)
{
    column->array = (struct ArrowArray){.length = column->length,
                                        .null_count = column->nulls,
                                        .n_buffers = column->buffers,
                                        .buffers = column->buffer,
                                        .release = release_array,
                                        .private_data = &c->shared};
    if (column->words) {
        make_array(c, column->words);
        column->array.dictionary = &column->words->array;
    }
}

static void make_batch(struct cs_columns *c)
{
    struct ArrowArray **child = CS_NEW_ARRAY(c->shared.arena, struct ArrowArray *, c->count);

    for (size_t i = 0; i < c->count; i++) {
        count_nulls(c, &c->column[i]);
        make_array(c, &c->column[i]);
        child[i] = &c->column[i].array;
    }
    c->top = (struct ArrowArray){.length = c->rows,
                                 .n_buffers = 1,
                                 .n_children = (int64_t)c->count,
                                 .buffers = &c->valid,
                                 .children = child,
                                 .release = release_array,
                                 .private_data = &c->shared};
}

static long columns_arrays(const struct cs_columns *c)
{
    long count = 1;

    for (size_t i = 0; i < c->count; i++)
        count += c->column[i].words ? 2 : 1;
    return count;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct cs_columns *c = stream->private_data;

    if (c->supplied) {
        *out = (struct ArrowArray){.release = NULL};
        return 0;
    }
    c->supplied = true;
    atomic_fetch_add(&c->shared.users, columns_arrays(c));
    *out = c->top;
    return 0;
}

/* ---- schemas ---- */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    schema->release = NULL;
    columns_leave(schema->private_data);
}

static struct ArrowSchema schema_of(struct shared *room, const struct column *column)
{
    struct ArrowSchema schema = {.format = column->format,
                                 .name = cs_arena_strdup(room->arena, column->name),
                                 .flags = column->nullable ? ARROW_FLAG_NULLABLE : 0,
                                 .release = release_schema,
                                 .private_data = room};

    atomic_fetch_add(&room->users, 1);
    if (column->words) {
        schema.dictionary = CS_NEW(room->arena, struct ArrowSchema);
        *schema.dictionary = schema_of(room, column->words);
    }
    return schema;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    struct cs_columns *c = stream->private_data;
    struct cs_arena *arena;
    struct shared *room;
    struct ArrowSchema **child;

    c->last = "out of memory";
    CS_GUARD(NULL, ENOMEM);
    arena = cs_arena_create();
    room = CS_NEW(arena, struct shared);
    child = CS_NEW_ARRAY(arena, struct ArrowSchema *, c->count);
    room->arena = arena;
    atomic_init(&room->users, 1);
    for (size_t i = 0; i < c->count; i++) {
        child[i] = CS_NEW(arena, struct ArrowSchema);
        *child[i] = schema_of(room, &c->column[i]);
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = (int64_t)c->count,
                                .children = child,
                                .release = release_schema,
                                .private_data = room};
    c->last = NULL;
    return 0;
}

/* ---- the stream ---- */

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((struct cs_columns *)stream->private_data)->last;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
    cs_columns_destroy(stream->private_data);
}

void cs_columns_hand_over(struct cs_columns *columns, struct ArrowArrayStream *out)
{
    make_batch(columns);
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = columns};
}
