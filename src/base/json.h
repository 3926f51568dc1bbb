/* json.h - read JSON with the path in error messages, and write it.
 *
 * Documents are jansson's; a struct cs_json_at is a place in one: a value and the path to it.
 * Places are plain values that point to the place above them, which must live as long:
 *
 *     struct cs_json_at root = cs_json_root("plan.json", document), packs, pack;
 *     if (cs_json_keys(&root, "problem|packs", err) || cs_json_member(&root, "packs", &packs, err)
 *         || cs_json_array(&packs, &n, err))
 *         return -1;
 *     pack = cs_json_element(&packs, 3);
 *     if (cs_json_get_double(&pack, "cost", CS_NUMBER_POSITIVE, &cost, err))
 *         return -1;
 *
 * and the message is: plan.json: packs[3].cost: found a string, expected a positive number
 */
#ifndef CS_BASE_JSON_H
#define CS_BASE_JSON_H

#include "base/arena.h"
#include "base/guard.h"
#include "base/number.h"
#include "base/strbuf.h"

#include <cosched/error.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* JSON that is made of values or of a text: where memory runs out, the public
 * function that was called fails (guard.h), because a value that cannot be made must not be left
 * out without a word.
 */
/* Check the result of one of jansson's functions on valid input. Never NULL. */
json_t *cs_json_made(json_t *value);

/* The text as a value; NULL when it is not UTF-8. */
json_t *cs_json_word(const char *text);

/* {KEY: VALUE}, whose reference is taken over.  Never NULL. */
json_t *cs_json_pair(const char *key, json_t *value);

/* Put a value, whose reference is taken over, into an object or at the end of a list. */
void cs_json_set(json_t *object, const char *key, json_t *value);
void cs_json_append(json_t *list, json_t *value);

/* Put all that is in another object (NULL: nothing) into this one. */
void cs_json_update(json_t *object, json_t *other);

/* A copy whose members are those of the value; jansson's own leaves out what has no memory. */
json_t *cs_json_copy(json_t *value);

/* Hold a reference to a value: cs_release releases it, or the end of the block, or the guard
 * (guard.h).  NULL is fine. */
void cs_json_hold(struct cs_hold *hold, json_t *value);
#define CS_JSON_HOLD(value)                                                                        \
    CS_HOLD(value##_hold);                                                                         \
    cs_json_hold(&value##_hold, value)

/* The value of a text, with these flags of jansson: JSON_REJECT_DUPLICATES, JSON_DECODE_ANY,
 * JSON_ALLOW_NUL.  The text ends with a NUL.  NULL when that is no JSON. */
json_t *cs_json_parse(const char *text, size_t length, size_t flags);

/* The same with jansson's error. */
json_t *cs_json_loadb(const char *text, size_t length, size_t flags, json_error_t *why);

#define CS_JSON_LARGEST ((size_t)1 << 30)

/* Read a whole document ("-", gzip and xz as in base/source.h); the caller holds it
 * (cs_json_hold), or does json_decref.
 * NULL, with "FILE:LINE:COLUMN: what", when it is not JSON, has a key twice in one object, or
 * something follows it. */
json_t *cs_json_load(const char *path, struct cs_error *err);
json_t *cs_json_load_memory(const char *name, const void *bytes, size_t size, struct cs_error *err);

/* Append it, without blanks, and with these flags of jansson, such as JSON_SORT_KEYS. */
void cs_json_put(struct cs_strbuf *out, const json_t *json, size_t flags);

/* A document to be read once, piece by piece, which may be large: its text, where json_text.h takes
 * it, else as above, with the same messages. */
struct cs_json_at;
struct cs_json_text;
struct cs_json_pieces {
    struct cs_json_text *text;
    json_t *document; /* NULL when there is a text */
    struct cs_hold hold;
};

/* A list in the document, under this key at the top, that is too long for memory: `take` is called
 * with parts of it in order, as if each were the list; `first` is the number of the first element.
 * A part is valid during the call, and the document may turn out not to be JSON behind it. The list
 * is empty in the document then. */
struct cs_json_list {
    const char *key;
    void (*take)(void *who, const struct cs_json_at *part, size_t first);
    void *who;
};

/* Without a list it is NULL. */
int cs_json_open(const char *path, const struct cs_json_list *list, struct cs_json_pieces *out,
                 struct cs_error *err);
int cs_json_open_memory(const char *name, const void *bytes, size_t size,
                        const struct cs_json_list *list, struct cs_json_pieces *out,
                        struct cs_error *err);
void cs_json_close(struct cs_json_pieces *pieces);

struct cs_json_at {
    json_t *value;             /* or: */
    struct cs_json_text *text; /* whose part is */
    const char *part;
    const struct cs_json_at *above; /* NULL for the document itself */
    const char *key;                /* in the object above; the file for the document itself */
    size_t index;                   /* in the array above, where key is NULL */
};

struct cs_json_at cs_json_root(const char *file, json_t *document);
struct cs_json_at cs_json_top(const char *file, const struct cs_json_pieces *pieces);

/* Put "FILE: PATH: " and the sentence into err.  Returns -1. */
int cs_json_error(const struct cs_json_at *at, struct cs_error *err, const char *format, ...)
    CS_PRINTF(3, 4);

/* The value must be an object with no other keys than these ("name|procs|seconds"), or be an
 * object at all for NULL. */
int cs_json_keys(const struct cs_json_at *at, const char *known, struct cs_error *err);

/* The value must be an object; `look` is called with each of its values until it returns -1. */
int cs_json_each(const struct cs_json_at *at,
                 int (*visit)(const struct cs_json_at *member, struct cs_error *err),
                 struct cs_error *err);

/* The value must be an array; *count of elements. */
int cs_json_array(const struct cs_json_at *at, size_t *count, struct cs_error *err);
struct cs_json_at cs_json_element(const struct cs_json_at *array, size_t index);

/* The value of a key of an object. has: false if it is missing or null; names: true if it is
 * null. */
int cs_json_member(const struct cs_json_at *object, const char *key, struct cs_json_at *out,
                   struct cs_error *err);
bool cs_json_has(const struct cs_json_at *object, const char *key);
bool cs_json_names(const struct cs_json_at *object, const char *key);

/* The keys of an object whose values are not null, in its order; they live in the arena. */
const char *const *cs_json_list_keys(const struct cs_json_at *object, struct cs_arena *arena,
                                     int *count);

json_type cs_json_type(const struct cs_json_at *at);

/* A copy of the value, which the caller releases; it is not deeper than 64 levels. */
json_t *cs_json_value(const struct cs_json_at *at);

/* The value as such; strings belong to the document.  A whole number is a number too;
 * minus zero is zero. */
int cs_json_string(const struct cs_json_at *at, const char **out, struct cs_error *err);
int cs_json_double(const struct cs_json_at *at, enum cs_number_want want, double *out,
                   struct cs_error *err);
int cs_json_int(const struct cs_json_at *at, int low, int high, int *out, struct cs_error *err);
int cs_json_int64(const struct cs_json_at *at, int64_t low, int64_t high, int64_t *out,
                  struct cs_error *err);
int cs_json_bool(const struct cs_json_at *at, bool *out, struct cs_error *err);

/* Member and value in one call. */
int cs_json_get_string(const struct cs_json_at *object, const char *key, const char **out,
                       struct cs_error *err);
int cs_json_get_double(const struct cs_json_at *object, const char *key, enum cs_number_want want,
                       double *out, struct cs_error *err);
int cs_json_get_int(const struct cs_json_at *object, const char *key, int low, int high, int *out,
                    struct cs_error *err);
int cs_json_get_bool(const struct cs_json_at *object, const char *key, bool *out,
                     struct cs_error *err);

#endif
