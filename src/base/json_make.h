/* json_make.h - JSON that is made of values or of a text: where memory runs out, the public
 * function that was called fails (guard.h), because a value that cannot be made must not be left
 * out without a word.
 */
#ifndef CS_BASE_JSON_MAKE_H
#define CS_BASE_JSON_MAKE_H

#include "base/guard.h"

#include <jansson.h>
#include <stddef.h>

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

#endif
