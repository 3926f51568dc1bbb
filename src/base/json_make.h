/* json_make.h - JSON that is made of values or of a text: where memory runs out, the public
 * function that was called fails (guard.h), because a value that cannot be made must not be left
 * out without a word.
 */
#ifndef CS_BASE_JSON_MAKE_H
#define CS_BASE_JSON_MAKE_H

#include <jansson.h>
#include <stddef.h>

/* What one of jansson's functions has made from what it can be made of.  Never NULL. */
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

/* What a text says, with these flags of jansson; NULL when that is no JSON. */
json_t *cs_json_parse(const char *text, size_t length, size_t flags);

/* The same with jansson's error, whose text is empty when memory was missing:
 * nobody fails here then. */
json_t *cs_json_loadb(const char *text, size_t length, size_t flags, json_error_t *why);

#endif
