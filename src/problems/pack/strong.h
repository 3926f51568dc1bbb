/* strong.h - the bound of column generation with the prices that prove it. */
#ifndef CS_PACK_STRONG_H
#define CS_PACK_STRONG_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problems/pack/pack.h"

/* As cs_pack_bound_strong; *by, in the arena, is the proof of the bound where it is above the
 * cheap ones, and all 0 else. */
int cs_pack_bound_priced(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                         double *bound, struct cs_pack_certificate *by, struct cs_arena *arena,
                         struct cs_error *err);

#endif
