/* json.c - documents from jansson or as text, and places in them. */
#include "base/json.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/json_text.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/utf8.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Where the document begins: behind a mark of the order of bytes. */
static size_t start_of(const struct cs_strbuf *text)
{
    return !strncmp(text->text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* The probable format of a text that is not JSON, appended to the error; "" if unknown. */
static const char *looks_like(const char *text)
{
    const char *at = text + strspn(text, " \t\r\n");
    const size_t line = strcspn(at, "\r\n"), numbers = strspn(at, "0123456789.- \t");

    if (strchr("{[\"", *at))
        return "";
    if (!strncmp(at, "SQLite format 3", 15))
        return ", expected JSON; this looks like a store of results (SQLite)";
    if (*at == '<')
        return ", expected JSON; this looks like XML or HTML";
    if (*at == ';' || (numbers == line && memchr(at, ' ', line)))
        return ", expected JSON; this looks like a job log (SWF)";
    if (memchr(at, '|', line))
        return ", expected JSON; this looks like a job log of sacct";
    if (memchr(at, ',', line) || memchr(at, '\t', line) || *at == '#')
        return ", expected JSON; this looks like a table";
    return ", expected JSON";
}

/* Lines count from 1, columns are the characters before it. */
struct place {
    int line, column;
};

/* From `part` on, the text is cut out of another one, in which this is `whole`. */
struct cut {
    struct place part, whole;
};

static const struct cut uncut = {{1, 0}, {1, 0}};

static void place_advance(struct place *at, const char *bytes, const char *end)
{
    const char *line;

    for (; bytes < end && (line = memchr(bytes, '\n', (size_t)(end - bytes))); bytes = line + 1)
        *at = (struct place){at->line + 1, 0};
    for (; bytes < end; bytes++)
        at->column += (*bytes & 0xc0) != 0x80;
}

/* Replace the place in the part by that in the whole text. */
static void cut_restore(const struct cut *cut, json_error_t *why)
{
    const struct place part = cut->part;

    if (why->line < part.line || (why->line == part.line && why->column < part.column))
        return;
    if (why->line == part.line)
        why->column += cut->whole.column - part.column;
    why->line += cut->whole.line - part.line;
}

/* With the column too, which only this reader knows. */
static void syntax_error(const char *name, const json_error_t *why, const char *likely,
                         struct cs_error *err)
{
    struct cs_error reported = {.line = why->line};

    cs_error_set(&reported, "%s:%d:%d: %s%s", name, why->line, why->column, why->text, likely);
    cs_plain_print(reported.where, sizeof reported.where, "%s", name);
    cs_error_pass(err, &reported);
}

static json_t *json_parse(const char *name, const struct cs_strbuf *text, const struct cut *cut,
                          struct cs_error *err)
{
    const size_t mark = start_of(text);
    json_error_t why;
    json_t *document = cs_json_loadb(text->text + mark, text->length - mark,
                                     JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);

    if (document)
        return document;
    cut_restore(cut, &why);
    if (!text->text[mark + strspn(text->text + mark, " \t\r\n")])
        cs_error_set_at(err, CS_ERROR_INPUT, name, 0, "empty, expected JSON");
    else
        syntax_error(name, &why, looks_like(text->text + mark), err);
    return NULL;
}

json_t *cs_json_load(const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *document = NULL;

    if (!cs_file_read(path, CS_JSON_LARGEST, &text, err))
        document = json_parse(cs_source_name(path), &text, &uncut, err);
    cs_strbuf_release(&text);
    return document;
}

json_t *cs_json_load_memory(const char *name, const void *bytes, size_t size, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *document;

    cs_strbuf_append(&text, bytes, size);
    document = json_parse(name, &text, &uncut, err);
    cs_strbuf_release(&text);
    return document;
}

void cs_json_put(struct cs_strbuf *out, const json_t *json, size_t flags)
{
    const size_t size = json_dumpb(json, NULL, 0, flags | JSON_COMPACT);
    char *room = cs_block_zero(size + 1, 1);

    if (!size || json_dumpb(json, room, size, flags | JSON_COMPACT) != size)
        cs_bug_no_memory(size);
    cs_strbuf_append(out, room, size);
    cs_block_free(room);
}

static int open_text(const char *name, struct cs_strbuf *text, const struct cut *cut,
                     struct cs_json_pieces *out, struct cs_error *err)
{
    *out = (struct cs_json_pieces){.text = cs_json_text_create(text, start_of(text))};
    if (!out->text)
        out->document = json_parse(name, text, cut, err);
    cs_json_hold(&out->hold, out->document);
    return out->text || out->document ? 0 : -1;
}

/* ---- documents with a long list ----
 *
 * Idea: the bytes are cut, not judged. Those outside of the list become the rest, in which the list
 * is empty; those within become pieces that end behind an element. Brackets and strings are counted
 * for that. Rest and pieces are then read as documents, so the accepted texts and the messages do
 * not depend on the cuts: a cut in a wrong place leaves a piece that is not JSON.
 *
 * Invariant: rest and pieces together are the document up to the byte that was read last.
 * Complexity: linear in the bytes; memory for the rest and one piece.
 */

#define PIECE ((size_t)256 << 10)
#define CHUNK ((size_t)64 << 10)
#define NO_KEY SIZE_MAX

struct split {
    const struct cs_json_list *list; /* or NULL */
    const char *name;                /* of the document */
    const struct cs_source *source;  /* NULL: memory */
    struct cs_strbuf rest, piece;
    struct place at, behind; /* in the document; where the rest ends */
    struct cut hole, part;   /* behind the list, in the rest; the beginning of the piece */
    size_t key;              /* bytes of the key that this string matches so far, or NO_KEY */
    size_t first, element;   /* numbers of the first element of the piece and of this one */
    int depth, inner;        /* open brackets: outside of the list, in an element */
    char last;               /* of the document: the mark before; K and : after the key */
    bool string, escape;     /* within one */
    bool within, found;      /* the list; it has begun */
};

enum split_cut { CUT_NONE, CUT_BEGIN, CUT_NEXT, CUT_END, CUT_DAMAGE };

/* Skip bytes that decide nothing. */
static const char *split_skip(const struct split *s, const char *at, const char *end)
{
    static const bool mark[256] = {['"'] = true, [','] = true, [':'] = true, ['['] = true,
                                   [']'] = true, ['{'] = true, ['}'] = true};

    if (s->escape || (s->string && s->key != NO_KEY))
        return at;
    if (s->string)
        while (at < end && *at != '"' && *at != '\\')
            at++;
    else
        while (at < end && !mark[(unsigned char)*at])
            at++;
    return at;
}

/* A byte of a string.  At its end, directly in the document, it may be the key. */
static enum split_cut split_string(struct split *s, char c)
{
    if (s->escape || c == '\\') {
        s->escape = !s->escape;
        s->key = NO_KEY;
    } else if (c == '"') {
        s->string = false;
        if (!s->within && s->depth == 1)
            s->last = s->key != NO_KEY && !s->list->key[s->key] ? 'K' : '"';
    } else if (s->key != NO_KEY) {
        s->key = c && s->list->key[s->key] == c ? s->key + 1 : NO_KEY;
    }
    return CUT_NONE;
}

static enum split_cut split_outside(struct split *s, char c)
{
    const bool member = s->depth == 1 && (s->last == '{' || s->last == ',');

    if (c == '"') {
        s->string = true;
        s->key = member && !s->found ? 0 : NO_KEY;
        return CUT_NONE;
    }
    if (c == '[' && s->depth == 1 && s->last == ':')
        return CUT_BEGIN;
    s->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (s->depth != 1 || (c == ':' && s->last != 'K') || c == '[')
        s->last = 0;
    else
        s->last = c;
    return CUT_NONE;
}

static enum split_cut split_within(struct split *s, char c)
{
    if (c == '"') {
        s->string = true;
        s->key = NO_KEY;
    } else if (c == '{' || c == '[') {
        s->inner++;
    } else if (c == ',' && !s->inner) {
        s->element++;
        return s->piece.length >= PIECE ? CUT_NEXT : CUT_NONE;
    } else if (c == '}' || c == ']') {
        if (!s->inner)
            return c == ']' ? CUT_END : CUT_DAMAGE;
        s->inner--;
    }
    return CUT_NONE;
}

/* An error in what comes before the list has precedence. */
static int split_blame(const struct split *s, const struct cs_error *why, struct cs_error *err)
{
    struct cs_json_pieces pieces;
    struct cs_strbuf before = CS_STRBUF_INIT;
    int status;

    cs_strbuf_append(&before, s->rest.text, s->rest.length);
    cs_strbuf_puts(&before, "]}");
    status = open_text(s->name, &before, &uncut, &pieces, err);
    cs_json_close(&pieces);
    cs_strbuf_release(&before);
    return status ? -1 : cs_error_pass(err, why);
}

/* Read the piece that the cut ends.  A piece behind a comma must have an element. */
static int split_give(struct split *s, enum split_cut kind, struct cs_error *err)
{
    const bool blank = strspn(s->piece.text, " \t\r\n") == s->piece.length;
    struct cs_json_pieces pieces;
    struct cs_json_at top, list;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error why = {0};
    int status;

    if (blank && !s->first && kind == CUT_END)
        return 0;
    if (s->source && cs_source_weigh(s->source, s->piece.text, s->piece.length, &why))
        return cs_error_set_at(err, why.kind, s->name, 0, "%s", why.text);
    cs_strbuf_printf(&text, "{\"%s\":[%s", s->list->key, blank && s->first ? "0," : "");
    s->part.part = (struct place){1, (int)text.length};
    cs_strbuf_append(&text, s->piece.text, s->piece.length);
    cs_strbuf_puts(&text, kind == CUT_DAMAGE ? "" : blank && kind == CUT_NEXT ? ",]}" : "]}");
    cs_strbuf_clear(&s->piece);
    status = open_text(s->name, &text, &s->part, &pieces, &why);
    top = cs_json_top(s->name, &pieces);
    if (status)
        status = split_blame(s, &why, err);
    else if (!cs_json_member(&top, s->list->key, &list, err))
        s->list->take(s->list->who, &list, s->first);
    cs_json_close(&pieces);
    cs_strbuf_release(&text);
    return status;
}

/* Bytes up to `end` become part of the piece or the rest. A mark of the order of bytes has no
 * column. */
static const char *split_keep(struct split *s, const char *from, const char *end)
{
    const bool first = !s->rest.length;

    cs_strbuf_append(s->within ? &s->piece : &s->rest, from, (size_t)(end - from));
    from += first ? start_of(&s->rest) : 0;
    place_advance(&s->at, from, end);
    if (!s->within)
        place_advance(&s->behind, from, end);
    return end;
}

/* A cut at a byte.  *from: the first byte that is not kept yet. */
static int split_cut(struct split *s, enum split_cut kind, const char **from, const char *at,
                     struct cs_error *err)
{
    *from = split_keep(s, *from, at + (kind == CUT_BEGIN || kind == CUT_DAMAGE));
    if (kind == CUT_BEGIN)
        s->found = s->within = true;
    else if (split_give(s, kind, err))
        return -1;
    if (kind == CUT_END) {
        s->within = false;
        s->last = ']';
        s->hole = (struct cut){s->behind, s->at};
        s->hole.part.column++;  /* behind the bracket that ends the list: the error of a token */
        s->hole.whole.column++; /* has the column behind it */
        return 0;
    }
    if (kind == CUT_NEXT) {
        *from = at + 1;
        s->at.column++;
    }
    s->part.whole = s->at;
    s->first = s->element;
    return 0;
}

/* Can these bytes begin a document that has the list? The message about another text shows all of
 * it. */
static bool begins_object(const char *bytes, size_t size)
{
    const size_t mark = size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    size_t at = mark;

    while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at]))
        at++;
    return at == size || bytes[at] == '{';
}

static int split_read(struct split *s, const char *bytes, size_t size, struct cs_error *err)
{
    const char *from = bytes, *end = bytes + size;

    s->found |= !s->rest.length && !begins_object(bytes, size);
    for (const char *at = split_skip(s, from, end); at < end; at = split_skip(s, at + 1, end)) {
        const enum split_cut kind = s->string   ? split_string(s, *at)
                                    : s->within ? split_within(s, *at)
                                                : split_outside(s, *at);

        if (kind != CUT_NONE && split_cut(s, kind, &from, at, err))
            return -1;
    }
    split_keep(s, from, end);
    if (s->rest.length > CS_JSON_LARGEST || s->piece.length > CS_JSON_LARGEST)
        return cs_error_set_at(err, CS_ERROR_INPUT, s->name, 0, "more than %zu MiB",
                               CS_JSON_LARGEST >> 20);
    return 0;
}

static int split_read_source(struct split *s, struct cs_source *source, struct cs_error *err)
{
    struct cs_error why = {0};
    char *chunk = cs_block_resize(NULL, CHUNK);
    size_t got = 1;
    int status = 0;

    while (got && !status) {
        if (cs_source_read(source, chunk, CHUNK, &got, &why))
            status = cs_error_set_at(err, why.kind, s->name, 0, "%s", why.text);
        else
            status = split_read(s, chunk, got, err);
    }
    cs_block_free(chunk);
    if (status || !cs_source_weigh(source, s->rest.text, s->rest.length, &why))
        return status;
    return cs_error_set_at(err, why.kind, s->name, 0, "%s", why.text);
}

static int split_read_memory(struct split *s, const char *bytes, size_t size, struct cs_error *err)
{
    for (size_t at = 0; at < size; at += CHUNK)
        if (split_read(s, bytes + at, size - at < CHUNK ? size - at : CHUNK, err))
            return -1;
    return 0;
}

static struct split split_create(const char *name, const struct cs_json_list *list)
{
    return (struct split){.list = list,
                          .name = name,
                          .rest = CS_STRBUF_INIT,
                          .piece = CS_STRBUF_INIT,
                          .at = uncut.whole,
                          .behind = uncut.whole,
                          .hole = uncut,
                          .found = !list};
}

/* Open what is left when all bytes were read with this status. */
static int split_finish(struct split *s, int status, struct cs_json_pieces *out,
                        struct cs_error *err)
{
    if (!status && s->within)
        status = split_give(s, CUT_DAMAGE, err);
    if (!status)
        status = open_text(s->name, &s->rest, &s->hole, out, err);
    cs_strbuf_release(&s->rest);
    cs_strbuf_release(&s->piece);
    return status ? -1 : 0;
}

int cs_json_open(const char *path, const struct cs_json_list *list, struct cs_json_pieces *out,
                 struct cs_error *err)
{
    struct split s = split_create(cs_source_name(path), list);
    struct cs_error why = {0};
    struct cs_source *source = cs_source_open(path, &why);
    int status = -1;

    s.source = source;
    if (source)
        status = split_read_source(&s, source, err);
    else
        cs_error_set_at(err, why.kind, s.name, 0, "%s", why.text);
    cs_source_close(source);
    s.source = NULL;
    return split_finish(&s, status, out, err);
}

int cs_json_open_memory(const char *name, const void *bytes, size_t size,
                        const struct cs_json_list *list, struct cs_json_pieces *out,
                        struct cs_error *err)
{
    struct split s = split_create(name, list);

    return split_finish(&s, split_read_memory(&s, bytes, size, err), out, err);
}

void cs_json_close(struct cs_json_pieces *pieces)
{
    cs_json_text_destroy(pieces->text);
    cs_release(&pieces->hold);
}

struct cs_json_at cs_json_root(const char *file, json_t *document)
{
    return (struct cs_json_at){.value = document, .key = file};
}

struct cs_json_at cs_json_top(const char *file, const struct cs_json_pieces *pieces)
{
    return (struct cs_json_at){.value = pieces->document,
                               .text = pieces->text,
                               .part = pieces->text ? cs_json_text_root(pieces->text) : NULL,
                               .key = file};
}

json_type cs_json_type(const struct cs_json_at *at)
{
    if (at->text)
        return cs_json_text_type(at->part);
    return at->value ? json_typeof(at->value) : JSON_NULL;
}

static json_t *object_value(const struct cs_json_at *at)
{
    struct cs_arena *arena = cs_arena_create();
    json_t *object = cs_json_made(json_object());
    int count;
    const char *const *key = cs_json_list_keys(at, arena, &count);
    struct cs_json_at member;

    for (int k = 0; k < count; k++)
        if (!cs_json_member(at, key[k], &member, NULL))
            cs_json_set(object, key[k], cs_json_value(&member));
    cs_arena_destroy(arena);
    return object;
}

static json_t *array_value(const struct cs_json_at *at)
{
    json_t *list = cs_json_made(json_array());
    size_t count = 0;

    cs_json_array(at, &count, NULL);
    for (size_t i = 0; i < count; i++) {
        const struct cs_json_at element = cs_json_element(at, i);

        cs_json_append(list, cs_json_value(&element));
    }
    return list;
}

static json_t *text_value(const struct cs_json_at *at)
{
    const char *text = "";

    cs_json_string(at, &text, NULL);
    return cs_json_made(cs_json_word(text));
}

json_t *cs_json_value(const struct cs_json_at *at)
{
    int64_t whole = 0;
    double real = 0;

    switch (cs_json_type(at)) {
    case JSON_OBJECT:
        return object_value(at);
    case JSON_ARRAY:
        return array_value(at);
    case JSON_STRING:
        return text_value(at);
    case JSON_INTEGER:
        cs_json_int64(at, INT64_MIN, INT64_MAX, &whole, NULL);
        return cs_json_made(json_integer(whole));
    case JSON_REAL:
        cs_json_double(at, CS_NUMBER_FINITE, &real, NULL);
        return cs_json_made(json_real(real));
    case JSON_TRUE:
        return json_true();
    case JSON_FALSE:
        return json_false();
    default:
        return json_null();
    }
}

/* True if the value exists and has this type. */
static bool json_is(const struct cs_json_at *at, json_type type)
{
    return cs_json_type(at) == type;
}

static int64_t whole_of(const struct cs_json_at *at)
{
    return at->text ? cs_json_text_integer(at->part) : json_integer_value(at->value);
}

static double json_number_of(const struct cs_json_at *at)
{
    return at->text ? cs_number_prefix(at->part) : json_number_value(at->value);
}

/* The place of a key; *out has no value if the key is missing. */
static bool json_find(const struct cs_json_at *object, const char *key, struct cs_json_at *out)
{
    *out = (struct cs_json_at){.text = object->text, .above = object, .key = key};
    if (!json_is(object, JSON_OBJECT))
        return false;
    if (object->text)
        out->part = cs_json_text_member(object->text, object->part, key);
    else
        out->value = json_object_get(object->value, key);
    return out->part || out->value;
}

static void put_path(struct cs_strbuf *out, const struct cs_json_at *at)
{
    if (!at->above)
        return;
    put_path(out, at->above);
    if (at->key)
        cs_strbuf_printf(out, "%s%.60s", at->above->above ? "." : "", at->key);
    else
        cs_strbuf_printf(out, "[%zu]", at->index);
}

static const char *file_of(const struct cs_json_at *at)
{
    while (at->above)
        at = at->above;
    return at->key;
}

int cs_json_error(const struct cs_json_at *at, struct cs_error *err, const char *format, ...)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    char error_text[CS_ERROR_SIZE];
    va_list args;

    va_start(args, format);
    cs_plain_vprint(error_text, sizeof error_text, format, args);
    va_end(args);
    put_path(&path, at);
    cs_error_set_at(err, CS_ERROR_INPUT, file_of(at), 0, "%s%s%s", path.text,
                    path.length ? ": " : "", error_text);
    cs_strbuf_release(&path);
    return -1;
}

static const char *json_kind_of(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static int json_unexpected(const struct cs_json_at *at, const char *wanted, struct cs_error *err)
{
    struct cs_strbuf found = CS_STRBUF_INIT;

    if (json_is(at, JSON_INTEGER))
        cs_strbuf_put_int(&found, whole_of(at));
    else if (json_is(at, JSON_REAL))
        cs_strbuf_put_double(&found, json_number_of(at));
    else
        cs_strbuf_puts(&found, json_kind_of(cs_json_type(at)));
    cs_json_error(at, err, "found %s, expected %s", found.text, wanted);
    cs_strbuf_release(&found);
    return -1;
}

/* Where the word behind this one of "first|second|..." begins; NULL behind the last. */
static const char *next_listed(const char *word)
{
    while (*word && *word != '|')
        word++;
    return *word ? word + 1 : NULL;
}

static bool is_word(const char *word, const char *key)
{
    while (*key && *key == *word)
        key++, word++;
    return !*key && (!*word || *word == '|');
}

/* Is the key one of the words?  *likely is the one to begin with, and the one behind it then: keys
 * mostly come as they are listed. */
static bool is_listed(const char *key, const char *list, const char **likely)
{
    const char *start = *likely ? *likely : list, *word = start;

    do {
        const char *next = next_listed(word);

        if (is_word(word, key)) {
            *likely = next;
            return true;
        }
        word = next ? next : list;
    } while (word != start);
    return false;
}

static int unknown_key(const struct cs_json_at *at, const char *key, const char *known,
                       struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&list, key);
    cs_strbuf_puts(&list, ", expected one of: ");
    for (; *known; known++) {
        if (*known == '|')
            cs_strbuf_puts(&list, ", ");
        else
            cs_strbuf_putc(&list, *known);
    }
    cs_json_error(at, err, "unknown key %s", list.text);
    cs_strbuf_release(&list);
    return -1;
}

/* The first key that is not listed, or NULL. */
static const char *json_stranger(const struct cs_json_at *at, const char *known)
{
    const char *key, *likely = known;
    json_t *value;
    const int members = at->text ? cs_json_text_members(at->text, at->part) : 0;

    for (int i = 0; i < members; i++) {
        key = cs_json_text_name(at->text, at->part, i);
        if (!is_listed(key, known, &likely))
            return key;
    }
    json_object_foreach(at->value, key, value)
    {
        if (!is_listed(key, known, &likely))
            return key;
    }
    return NULL;
}

int cs_json_keys(const struct cs_json_at *at, const char *known, struct cs_error *err)
{
    const char *key;

    if (!json_is(at, JSON_OBJECT))
        return json_unexpected(at, "an object", err);
    key = known ? json_stranger(at, known) : NULL;
    return key ? unknown_key(at, key, known, err) : 0;
}

int cs_json_array(const struct cs_json_at *at, size_t *count, struct cs_error *err)
{
    if (!json_is(at, JSON_ARRAY))
        return json_unexpected(at, "an array", err);
    *count = at->text ? cs_json_text_elements(at->text, at->part) : json_array_size(at->value);
    return 0;
}

static int level_of(const struct cs_json_at *at)
{
    int level = 0;

    for (; at->above; at = at->above)
        level++;
    return level;
}

struct cs_json_at cs_json_element(const struct cs_json_at *array, size_t index)
{
    struct cs_json_at at = {.text = array->text, .above = array, .index = index};

    if (array->text)
        at.part = cs_json_text_element(array->text, array->part, index, level_of(array));
    else
        at.value = json_array_get(array->value, index);
    CS_REQUIRE(at.part || at.value);
    return at;
}

int cs_json_member(const struct cs_json_at *object, const char *key, struct cs_json_at *out,
                   struct cs_error *err)
{
    struct cs_json_at at;

    if (!json_is(object, JSON_OBJECT))
        return json_unexpected(object, "an object", err);
    if (!json_find(object, key, &at))
        return cs_json_error(object, err, "key \"%s\" is missing", key);
    *out = at;
    return 0;
}

int cs_json_each(const struct cs_json_at *at,
                 int (*visit)(const struct cs_json_at *member, struct cs_error *err),
                 struct cs_error *err)
{
    struct cs_json_at member;
    const char *key;
    json_t *value;

    if (cs_json_keys(at, NULL, err))
        return -1;
    for (int i = 0; at->text && i < cs_json_text_members(at->text, at->part); i++)
        if (cs_json_member(at, cs_json_text_name(at->text, at->part, i), &member, err) ||
            visit(&member, err))
            return -1;
    json_object_foreach(at->value, key, value)
    {
        if (cs_json_member(at, key, &member, err) || visit(&member, err))
            return -1;
    }
    return 0;
}

const char *const *cs_json_list_keys(const struct cs_json_at *object, struct cs_arena *arena,
                                     int *count)
{
    const int members = object->text ? cs_json_text_members(object->text, object->part)
                                     : (int)json_object_size(object->value);
    const char **key = CS_NEW_ARRAY(arena, const char *, members), *name;
    json_t *value;

    *count = 0;
    for (int i = 0; object->text && i < members; i++) {
        name = cs_json_text_name(object->text, object->part, i);
        if (cs_json_has(object, name))
            key[(*count)++] = cs_arena_strdup(arena, name);
    }
    json_object_foreach(object->value, name, value)
    {
        if (!json_is_null(value))
            key[(*count)++] = cs_arena_strdup(arena, name);
    }
    return key;
}

bool cs_json_has(const struct cs_json_at *object, const char *key)
{
    struct cs_json_at at;

    return json_find(object, key, &at) && !json_is(&at, JSON_NULL);
}

bool cs_json_names(const struct cs_json_at *object, const char *key)
{
    struct cs_json_at at;

    return json_find(object, key, &at);
}

int cs_json_string(const struct cs_json_at *at, const char **out, struct cs_error *err)
{
    if (!json_is(at, JSON_STRING))
        return json_unexpected(at, "a string", err);
    *out = at->text ? cs_json_text_string(at->text, at->part) : json_string_value(at->value);
    return 0;
}

int cs_json_double(const struct cs_json_at *at, enum cs_number_want want, double *out,
                   struct cs_error *err)
{
    const bool number = json_is(at, JSON_INTEGER) || json_is(at, JSON_REAL);
    const double value = number ? json_number_of(at) + 0.0 : NAN;

    if (!number || !cs_number_meets(value, want))
        return json_unexpected(at, cs_number_wanted(want), err);
    *out = value;
    return 0;
}

int cs_json_int64(const struct cs_json_at *at, int64_t low, int64_t high, int64_t *out,
                  struct cs_error *err)
{
    const bool whole = json_is(at, JSON_INTEGER);
    const int64_t value = whole ? whole_of(at) : 0;
    char wanted[96];

    if (whole && value >= low && value <= high) {
        *out = value;
        return 0;
    }
    if (high == INT64_MAX || high == INT_MAX)
        cs_plain_print(wanted, sizeof wanted, "a whole number of at least %lld", (long long)low);
    else
        cs_plain_print(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low,
                       (long long)high);
    return json_unexpected(at, wanted, err);
}

int cs_json_int(const struct cs_json_at *at, int low, int high, int *out, struct cs_error *err)
{
    int64_t value = 0;

    if (cs_json_int64(at, low, high, &value, err))
        return -1;
    *out = (int)value;
    return 0;
}

int cs_json_bool(const struct cs_json_at *at, bool *out, struct cs_error *err)
{
    const bool yes = json_is(at, JSON_TRUE);

    if (!yes && !json_is(at, JSON_FALSE))
        return json_unexpected(at, "true or false", err);
    *out = yes;
    return 0;
}

int cs_json_get_string(const struct cs_json_at *object, const char *key, const char **out,
                       struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_string(&at, out, err);
}

int cs_json_get_double(const struct cs_json_at *object, const char *key, enum cs_number_want want,
                       double *out, struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_double(&at, want, out, err);
}

int cs_json_get_int(const struct cs_json_at *object, const char *key, int low, int high, int *out,
                    struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_int(&at, low, high, out, err);
}

int cs_json_get_bool(const struct cs_json_at *object, const char *key, bool *out,
                     struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_bool(&at, out, err);
}

/* Jansson's functions, which never return NULL. */

static void json_make_must(int status)
{
    if (status)
        cs_bug_no_memory(0);
}

json_t *cs_json_made(json_t *value)
{
    json_make_must(!value);
    return value;
}

json_t *cs_json_word(const char *text)
{
    json_t *word = json_string(text);
    const char *at = text;

    while (!word && *at && cs_utf8_length(at))
        at += cs_utf8_length(at);
    json_make_must(!word && !*at);
    return word;
}

json_t *cs_json_pair(const char *key, json_t *value)
{
    json_t *pair = json_object();
    const int status = json_object_set_new(pair, key, value); /* the value goes in any case */

    if (status)
        json_decref(pair);
    json_make_must(status);
    return pair;
}

void cs_json_set(json_t *object, const char *key, json_t *value)
{
    json_make_must(json_object_set_new(object, key, value));
}

void cs_json_append(json_t *list, json_t *value)
{
    json_make_must(json_array_append_new(list, value));
}

void cs_json_update(json_t *object, json_t *other)
{
    json_make_must(other && json_object_update(object, other));
}

json_t *cs_json_parse(const char *text, size_t length, size_t flags)
{
    json_error_t why;

    return cs_json_loadb(text, length, flags, &why);
}

json_t *cs_json_copy(json_t *value)
{
    json_t *copy = json_is_object(value)  ? json_object()
                   : json_is_array(value) ? json_array()
                                          : json_copy(value);
    int status = copy ? 0 : -1;

    if (json_is_object(value))
        status = json_object_update(copy, value);
    else if (json_is_array(value))
        status = json_array_extend(copy, value);
    if (status)
        json_decref(copy);
    json_make_must(status);
    return copy;
}

static void value_release(void *value)
{
    json_decref(value);
}

void cs_json_hold(struct cs_hold *hold, json_t *value)
{
    cs_hold(hold, value, value_release);
}
