/* cache.h - what several cells use and is made once, such as a log that was read.
 *
 * Calls may come from several threads; several things may be made at once, and who asks for one
 * that is being made waits for it.  Things live as long as the keep.
 */
#ifndef CS_PROBLEM_CACHE_H
#define CS_PROBLEM_CACHE_H

#include <cosched/error.h>

struct cs_cache;

struct cs_cache *cs_cache_create(void);
void cs_cache_destroy(struct cs_cache *keep); /* NULL is fine */

struct cs_problem;

struct cs_cache_kind {
    const char *name;                                     /* for cs_cache_get_by */
    void *(*make)(const void *how, struct cs_error *err); /* NULL with err */
    void (*destroy)(void *thing);
};

/* The thing of this key, which `make` makes from `how` for the first who asks.  The key must tell
 * apart things of all kinds.  NULL with err when it cannot be made; it is tried again then. */
const void *cs_cache_get(struct cs_cache *keep, const char *key, const struct cs_cache_kind *kind,
                         const void *how, struct cs_error *err);

/* The parameters of a problem that a thing depends on, as in cs_fields_digest. */
struct cs_cache_by {
    const struct cs_problem *problem;
    const void *options;
    unsigned of;
    const char *without;
};

/* The thing of this kind that belongs to the values of these parameters. */
const void *cs_cache_get_by(struct cs_cache *keep, const struct cs_cache_by *by,
                            const struct cs_cache_kind *kind, const void *how,
                            struct cs_error *err);

#endif
