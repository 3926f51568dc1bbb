/* cache.h - objects that several cells share and that are made once, such as a parsed log.
 *
 * Calls may come from several threads. Different objects are made concurrently; a call for an
 * object that another thread is making waits for it. Objects live until the cache is destroyed.
 */
#ifndef CS_PROBLEM_CACHE_H
#define CS_PROBLEM_CACHE_H

#include "base/digest.h"

#include <cosched/error.h>
#include <cosched/workload.h>

/* Digests of the input of policies.
 *
 * Two runs with the same digest ran on the same instance, regardless of the policy, its rules and
 * the sampled failures. The digest excludes names, which no policy reads, and the origin of an
 * instance: a generated workload and its file, read again, have the same digest. It includes every
 * number of the instance. This file has the part that problems share.
 */
void cs_identity_put_profile(struct cs_digest *digest, const struct cs_profile *profile);

struct cs_cache;

struct cs_cache *cs_cache_create(void);
void cs_cache_destroy(struct cs_cache *keep); /* NULL is fine */

struct cs_problem;

struct cs_cache_kind {
    const char *name;                                     /* for cs_cache_get_by */
    void *(*make)(const void *how, struct cs_error *err); /* NULL with err */
    void (*destroy)(void *thing);
};

/* The object of this key, owned by the cache. The first call makes it with kind->make(how). A key
 * must be unique over all kinds. NULL with err if the object cannot be made; the next call tries
 * again. */
const void *cs_cache_get(struct cs_cache *keep, const char *key, const struct cs_cache_kind *kind,
                         const void *how, struct cs_error *err);

/* The parameters of a problem that an object depends on, as in cs_params_digest. */
struct cs_cache_by {
    const struct cs_problem *problem;
    const void *options;
    unsigned of;
    const char *without;
};

/* As cs_cache_get, with a key made of the problem, the kind and the values of these parameters. */
const void *cs_cache_get_by(struct cs_cache *keep, const struct cs_cache_by *by,
                            const struct cs_cache_kind *kind, const void *how,
                            struct cs_error *err);

#endif
