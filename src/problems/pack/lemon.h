/* lemon.h - maximum weight matching by LEMON, behind a C face. */
#ifndef CS_PACK_LEMON_H
#define CS_PACK_LEMON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Match `nodes` nodes over the edges (a[e], b[e]) of positive weight: mate[i] is the partner
 * or -1.  An edge that is not in the list would not help while its weight times
 * cs_pack_lemon_scale is at most dual[a] + dual[b].
 * Returns -1 when memory has run out. */
int cs_pack_lemon_match(int nodes, int edges, const int *a, const int *b, const int64_t *weight,
                        int *mate, int64_t *dual);

extern const int cs_pack_lemon_scale;

#ifdef __cplusplus
}
#endif

#endif
