/* consumer.c - the rules of Arrow's C data and stream interfaces, one after the other. */
#include "consumer.h"

#include <stdbool.h>
#include <string.h>

int64_t consumed_rows, consumed_columns;
unsigned consumed_sum;

#define RULE(holds)                                                                                \
    if (!(holds))                                                                                  \
    return #holds

#define TRY(call)                                                                                  \
    if ((broken = (call)) != NULL)                                                                 \
    return broken

static bool known(const char *format)
{
    return !strcmp(format, "i") || !strcmp(format, "l") || !strcmp(format, "g") ||
           !strcmp(format, "u");
}

static size_t width(const char *format)
{
    return *format == 'i' || *format == 'u' ? 4 : 8;
}

/* A column, or the words of one. */
static const char *schema(const struct ArrowSchema *s, bool words)
{
    const char *broken;

    RULE(s->release && s->format && known(s->format));
    RULE(s->name && (words || *s->name));
    RULE(!(s->flags & ~(int64_t)7) && !s->metadata);
    RULE(s->n_children == 0);
    if (!s->dictionary)
        return NULL;
    RULE(!words && !strcmp(s->format, "i"));
    TRY(schema(s->dictionary, true));
    RULE(!strcmp(s->dictionary->format, "u"));
    return NULL;
}

static const char *table(const struct ArrowSchema *s)
{
    const char *broken;

    RULE(s->release && s->format && !strcmp(s->format, "+s"));
    RULE(s->name && !s->dictionary && !(s->flags & ~(int64_t)7));
    RULE(s->n_children > 0 && s->children);
    for (int64_t i = 0; i < s->n_children; i++) {
        RULE(s->children[i]);
        TRY(schema(s->children[i], false));
        for (int64_t j = 0; j < i; j++)
            RULE(strcmp(s->children[i]->name, s->children[j]->name) != 0);
    }
    return NULL;
}

static bool is_valid(const struct ArrowArray *a, int64_t i)
{
    const uint8_t *bits = a->buffers[0];

    return !bits || bits[(i + a->offset) / 8] >> (i + a->offset) % 8 & 1;
}

static const char *validity(const struct ArrowArray *a, const struct ArrowSchema *s)
{
    int64_t nulls = 0;

    for (int64_t i = 0; i < a->length; i++)
        nulls += !is_valid(a, i);
    RULE(a->null_count == -1 || a->null_count == nulls);
    RULE(nulls == 0 || s->flags & ARROW_FLAG_NULLABLE);
    return NULL;
}

/* A character of more than a byte: how many follow; -1 for what is none. */
static int follow(unsigned char first)
{
    if (first < 0x80)
        return 0;
    if (first >= 0xc2 && first < 0xe0)
        return 1;
    if (first >= 0xe0 && first < 0xf0)
        return 2;
    return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

static const char *utf8(const unsigned char *text, int32_t length)
{
    for (int32_t i = 0; i < length; i++) {
        const int more = follow(text[i]);

        consumed_sum += text[i];
        RULE(more >= 0 && i + more < length);
        for (int m = 0; m < more; m++)
            RULE((text[++i] & 0xc0) == 0x80);
    }
    return NULL;
}

static const char *texts(const struct ArrowArray *a)
{
    const int32_t *offset = (const int32_t *)a->buffers[1] + a->offset;
    const char *broken;

    RULE(a->n_buffers == 3 && a->buffers[1] && a->buffers[2]);
    RULE(offset[0] >= 0);
    for (int64_t i = 0; i < a->length; i++) {
        RULE(offset[i] <= offset[i + 1]);
        TRY(utf8((const unsigned char *)a->buffers[2] + offset[i], offset[i + 1] - offset[i]));
    }
    return NULL;
}

static const char *values(const struct ArrowArray *a, const struct ArrowSchema *s)
{
    const unsigned char *bytes = a->buffers[1];
    const size_t first = (size_t)a->offset * width(s->format);

    RULE(a->n_buffers == 2 && (bytes || a->length == 0));
    for (size_t i = 0; i < (size_t)a->length * width(s->format); i++)
        consumed_sum += bytes[first + i];
    return NULL;
}

static const char *indices(const struct ArrowArray *a)
{
    const int32_t *index = (const int32_t *)a->buffers[1] + a->offset;

    for (int64_t i = 0; i < a->length; i++)
        RULE(!is_valid(a, i) || (index[i] >= 0 && index[i] < a->dictionary->length));
    return NULL;
}

static const char *column(const struct ArrowArray *a, const struct ArrowSchema *s)
{
    const char *broken;

    RULE(a->release && a->length >= 0 && a->offset >= 0 && a->n_children == 0);
    RULE(a->buffers && (uintptr_t)a->buffers[1] % 8 == 0);
    TRY(validity(a, s));
    TRY(*s->format == 'u' ? texts(a) : values(a, s));
    RULE(!a->dictionary == !s->dictionary);
    if (!a->dictionary)
        return NULL;
    TRY(column(a->dictionary, s->dictionary));
    return indices(a);
}

static const char *batch(const struct ArrowArray *a, const struct ArrowSchema *s)
{
    const char *broken;

    RULE(a->release && a->length >= 0 && a->offset >= 0);
    RULE(a->n_buffers == 1 && a->buffers && !a->dictionary);
    RULE(!a->buffers[0] && (a->null_count == 0 || a->null_count == -1));
    RULE(a->n_children == s->n_children && a->children);
    for (int64_t i = 0; i < a->n_children; i++) {
        RULE(a->children[i] && a->children[i]->length >= a->offset + a->length);
        TRY(column(a->children[i], s->children[i]));
    }
    consumed_rows = a->length;
    consumed_columns = a->n_children;
    return NULL;
}

/* ---- releases ---- */

static const char *let_go(struct ArrowArray *a, struct ArrowSchema *s)
{
    a->release(a);
    s->release(s);
    RULE(!a->release && !s->release);
    return NULL;
}

/* The last child, and the dictionary of it, live longer than those that they came from. */
static const char *move(struct ArrowArray *a, struct ArrowSchema *s)
{
    struct ArrowArray *old = a->children[a->n_children - 1], mine = *old;
    struct ArrowSchema *old_schema = s->children[s->n_children - 1], my_schema = *old_schema;
    const char *broken;

    old->release = NULL;
    old_schema->release = NULL;
    TRY(let_go(a, s));
    TRY(column(&mine, &my_schema));
    if (mine.dictionary) {
        struct ArrowArray words = *mine.dictionary;
        struct ArrowSchema of_words = *my_schema.dictionary;

        mine.dictionary->release = NULL;
        my_schema.dictionary->release = NULL;
        TRY(let_go(&mine, &my_schema));
        TRY(column(&words, &of_words));
        return let_go(&words, &of_words);
    }
    return let_go(&mine, &my_schema);
}

static void end_stream(struct ArrowArrayStream *stream)
{
    if (stream->release)
        stream->release(stream);
}

static const char *read_all(struct ArrowArrayStream *stream, unsigned how, struct ArrowSchema *s,
                            struct ArrowArray *a)
{
    struct ArrowArray rest;
    const char *broken;

    TRY(table(s));
    RULE(stream->get_next(stream, a) == 0 && a->release);
    RULE(stream->get_next(stream, &rest) == 0 && !rest.release);
    RULE(stream->get_next(stream, &rest) == 0 && !rest.release);
    if (how & 1)
        end_stream(stream);
    TRY(batch(a, s));
    return how & 2 ? move(a, s) : let_go(a, s);
}

const char *consume(struct ArrowArrayStream *stream, unsigned how)
{
    struct ArrowSchema s, other;
    struct ArrowArray a = {.release = NULL};
    const char *broken = NULL;

    RULE(stream->release && stream->get_schema && stream->get_next && stream->get_last_error);
    if (how & 8 && !stream->get_schema(stream, &other))
        other.release(&other);
    if (how & 4) {
        end_stream(stream);
    } else if (stream->get_schema(stream, &s)) {
        broken = stream->get_last_error(stream) ? NULL : "a failure has a sentence";
    } else {
        broken = read_all(stream, how, &s, &a);
    }
    end_stream(stream);
    RULE(!stream->release);
    return broken;
}
