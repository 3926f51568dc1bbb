/* strong.h - the bound of column generation with the prices that prove it. */
#ifndef CS_PACK_STRONG_H
#define CS_PACK_STRONG_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problems/pack/pack.h"

/* The bound of column generation (a linear program over all packs), at least as good as the cheap
 * ones; when the request's time ends early still valid, only weaker.  *by (or NULL), in the arena,
 * is the proof of the bound where it is above the cheap ones, and all 0 else.  -1 with err when the
 * build has no CLP. */
int cs_pack_bound_priced(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                         double *bound, struct cs_pack_certificate *by, struct cs_arena *arena,
                         struct cs_error *err);

#endif
