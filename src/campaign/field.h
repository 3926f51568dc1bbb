/* field.h - members of JSON objects that need not be there, and laying one document over another.
 *
 * The readers leave *out as it is when there is no such member, or when it is null.
 */
#ifndef CS_CAMPAIGN_FIELD_H
#define CS_CAMPAIGN_FIELD_H

#include "base/json.h"

/* The place of a member; its value is NULL if missing. */
struct cs_json_at cs_field_at(const struct cs_json_at *object, const char *key);

int cs_field_string(const struct cs_json_at *object, const char *key, const char **out,
                    struct cs_error *err);
int cs_field_double(const struct cs_json_at *object, const char *key, double *out,
                    struct cs_error *err);
int cs_field_int(const struct cs_json_at *object, const char *key, int low, int high, int *out,
                 struct cs_error *err);
int cs_field_bool(const struct cs_json_at *object, const char *key, bool *out,
                  struct cs_error *err);

/* The index of the member's text in "first|second|...". */
int cs_field_choice(const struct cs_json_at *object, const char *key, const char *choices, int *out,
                    struct cs_error *err);

/* Put "FILE: PATH: " and the message of `inner` into err.  Returns -1. */
int cs_field_error(const struct cs_json_at *at, const struct cs_error *inner, struct cs_error *err);

/* The document with the patch laid over it (RFC 7386, JSON merge patch: objects are merged,
 * null removes, anything else replaces).  A new reference; neither argument is changed. */
json_t *cs_field_merge(json_t *document, json_t *patch);

#endif
