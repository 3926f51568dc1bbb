/* parameters.h - the parameters of a cell as one text, the same however they were written. */
#ifndef CS_CAMPAIGN_PARAMETERS_H
#define CS_CAMPAIGN_PARAMETERS_H

#include "base/strbuf.h"

#include <jansson.h>
#include <stdbool.h>

/* Append the object as JSON on one line without blanks, keys sorted by bytes; 1, 1.0 and 1e0 are
 * all 1, and numbers have the fewest digits that read back as the same double. */
void cs_parameters_put(const json_t *parameters, struct cs_strbuf *out);

/* The same as the key of a store, which has the names and choices of cosched 0.2. */
struct cs_problem;
void cs_parameters_put_stored(const struct cs_problem *problem, const json_t *parameters,
                              struct cs_strbuf *out);

/* The parameters with today's names and choices for those of cosched 0.2, in the same order; a new
 * reference. Warnings become keys of the object `warnings`. NULL with err if two names are one
 * parameter. */
struct cs_error;
json_t *cs_parameters_update(const struct cs_problem *problem, json_t *parameters, json_t *warnings,
                             struct cs_error *err);

/* The name of today of a parameter, with a warning if `name` is another; a new one is the arena's.
 */
struct cs_arena;
const char *cs_parameters_name(const struct cs_problem *problem, const char *name, json_t *warnings,
                               struct cs_arena *arena);

/* The parameters with files named from the folder, the first `length` bytes of the text; a new
 * reference. */
json_t *cs_parameters_place(const struct cs_problem *problem, json_t *parameters,
                            const char *folder, size_t length);

/* Is it a file, or a list of them? */
bool cs_parameters_is_file(const struct cs_problem *problem, const char *key);

/* One of its values, in the same way. */
void cs_parameters_put_value(const json_t *value, struct cs_strbuf *out);

/* A value for people: a text as it is. */
void cs_parameters_put_word(const json_t *value, struct cs_strbuf *out);

/* The object for people: jobs=100 policy=easy, keys sorted. */
void cs_parameters_put_words(const json_t *parameters, struct cs_strbuf *out);

/* Which direction of a metric is better: 1 smaller, 0 larger, -1 unknown. A part of the name
 * decides. */
int cs_metric_direction(const struct cs_problem *problem, const char *name);

#endif
