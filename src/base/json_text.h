/* json_text.h - a JSON text without a tree: validated once, read on demand.
 *
 * Schedules have millions of small objects of which each is read once, in order. No tree is built:
 * creation validates the whole text and stores the ends of long arrays and objects; a value is its
 * position in the text. Memory is the text and little more.
 *
 * It accepts a subset of JSON: no \u, no number of very many digits or with an exponent of three,
 * no object of more than 32 members, no more than 64 levels, and an object on top. Other texts are
 * read or rejected by jansson; accepted texts have the same meaning in both.
 */
#ifndef CS_BASE_JSON_TEXT_H
#define CS_BASE_JSON_TEXT_H

#include "base/strbuf.h"

#include <jansson.h>
#include <stddef.h>

struct cs_json_text;

/* Takes the text over (behind its first `from` bytes) when it is taken; NULL leaves it as it is.
 * Ends with cs_json_text_destroy(). */
struct cs_json_text *cs_json_text_create(struct cs_strbuf *text, size_t from);
void cs_json_text_destroy(struct cs_json_text *json); /* NULL is fine */

/* Values are places in it, valid until it is destroyed.  The root is an object. */
const char *cs_json_text_root(const struct cs_json_text *json);

json_type cs_json_text_type(const char *value);

/* The members of an object: their number, the name of the i-th, the value of a name or NULL. Names
 * are valid until another object is requested. */
int cs_json_text_members(struct cs_json_text *json, const char *object);
const char *cs_json_text_name(struct cs_json_text *json, const char *object, int i);
const char *cs_json_text_member(struct cs_json_text *json, const char *object, const char *name);

/* The elements of an array; fast if they are requested in order, at each level of arrays. */
size_t cs_json_text_elements(struct cs_json_text *json, const char *array);
const char *cs_json_text_element(struct cs_json_text *json, const char *array, size_t index,
                                 int level);

int64_t cs_json_text_integer(const char *value);

/* The content of a string; belongs to the text. */
const char *cs_json_text_string(struct cs_json_text *json, const char *value);

#endif
