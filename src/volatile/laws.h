/* laws.h - what a fleet says of its pools: laws of lives, co-failure, and how well beliefs foretell
 * its second half.
 */
#ifndef CS_VOLATILE_LAWS_H
#define CS_VOLATILE_LAWS_H

#include "base/jsonw.h"

#include <cosched/volatile.h>

struct cs_volatile_laws_asked {
    const struct cs_fleet *fleet;
    enum cs_volatile_model belief; /* that is named in the text; not AUTO */
    enum cs_volatile_pooling pooling;
    int64_t workload; /* slots to stay; 0: parts of the first half's mean life */
};

/* An object.  -1 with err, and nothing written: the fleet is too short. */
int cs_volatile_laws_put_pools(const struct cs_volatile_laws_asked *asked, struct cs_jsonw *w,
                               struct cs_error *err);

#endif
