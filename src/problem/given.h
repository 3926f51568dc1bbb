/* given.h - options as JSON: how programs say what people say on a command line. */
#ifndef CS_PROBLEM_GIVEN_H
#define CS_PROBLEM_GIVEN_H

#include "base/guard.h"
#include "problem/field.h"

/* The object, as long as it is read. */
struct cs_supplied {
    struct cs_guarded guarded;
    json_t *json;
};

/* The object of a text (NULL: an empty one), in the arena; released before that.  NULL with err. */
struct cs_supplied *cs_supplied_load(const char *text, struct cs_arena *arena,
                                     struct cs_error *err);
void cs_supplied_release(struct cs_supplied *supplied); /* NULL is fine */

/* A text, or one that is not UTF-8, {"bytes": [47, 255]}, in the arena; NULL when it is neither,
 * with err when it should be bytes. */
const char *cs_supplied_text(const char *name, const json_t *json, struct cs_arena *arena,
                             struct cs_error *err);

/* Put the value of a member into the options, where the field says: as cs_field_read_json or
 * cs_given_text have it, or a list of texts, which is a text with commas, or with a line each where
 * the field repeats; over `unit` (0: 1) if it is a number.  Texts are copied into the arena.  -1
 * with err. */
int cs_supplied_store(const struct cs_field *field, const char *name, const json_t *json,
                      double unit, struct cs_arena *arena, void *options, struct cs_error *err);

#endif
