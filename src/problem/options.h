/* options.h - options as a JSON object: the command line of programs. */
#ifndef CS_PROBLEM_OPTIONS_H
#define CS_PROBLEM_OPTIONS_H

#include "base/guard.h"
#include "problem/param.h"

/* The parsed object, until it is released. */
struct cs_supplied {
    struct cs_guarded guarded;
    json_t *json;
};

/* Parse the object of a text (NULL: an empty object). It is in the arena and must be released
 * before the arena. NULL with err. */
struct cs_supplied *cs_supplied_load(const char *text, struct cs_arena *arena,
                                     struct cs_error *err);
void cs_supplied_release(struct cs_supplied *supplied); /* NULL is fine */

/* Copy a text, or one that is not UTF-8 as {"bytes": [47, 255]}, into the arena. NULL if the value
 * is neither, with err if it is an object. */
const char *cs_supplied_text(const char *name, const json_t *json, struct cs_arena *arena,
                             struct cs_error *err);

/* Store the value of a JSON member in the options, at the member of the parameter. It is read as by
 * cs_param_read_json or cs_supplied_text; a list of texts is joined with commas, or one per line if
 * the parameter repeats. A number is multiplied by `unit` (0: by 1). Texts are copied into the
 * arena. -1 with err. */
int cs_supplied_store(const struct cs_param *param, const char *name, const json_t *json,
                      double unit, struct cs_arena *arena, void *options, struct cs_error *err);

#endif
