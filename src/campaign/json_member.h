/* json_member.h - members of JSON objects that need not be there, and laying one document over
 * another.
 *
 * The readers leave *out as it is when there is no such member, or when it is null.
 */
#ifndef CS_CAMPAIGN_JSON_MEMBER_H
#define CS_CAMPAIGN_JSON_MEMBER_H

#include "base/json.h"

/* The place of a member; its value is NULL if missing. */
struct cs_json_at cs_member_at(const struct cs_json_at *object, const char *key);

int cs_member_string(const struct cs_json_at *object, const char *key, const char **out,
                     struct cs_error *err);
int cs_member_double(const struct cs_json_at *object, const char *key, double *out,
                     struct cs_error *err);
int cs_member_int(const struct cs_json_at *object, const char *key, int low, int high, int *out,
                  struct cs_error *err);
int cs_member_bool(const struct cs_json_at *object, const char *key, bool *out,
                   struct cs_error *err);

/* The index of the member's text in "first|second|...". */
int cs_member_choice(const struct cs_json_at *object, const char *key, const char *choices,
                     int *out, struct cs_error *err);

/* Put "FILE: PATH: " and the message of `inner` into err.  Returns -1. */
int cs_member_error(const struct cs_json_at *at, const struct cs_error *inner,
                    struct cs_error *err);

/* The document with the patch laid over it (RFC 7386, JSON merge patch: objects are merged,
 * null removes, anything else replaces).  A new reference; neither argument is changed. */
json_t *cs_member_merge(json_t *document, json_t *patch);

#endif
