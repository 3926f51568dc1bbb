/* matching.h - the best plan with at most two tasks in a pack. */
#ifndef CS_PACK_MATCHING_H
#define CS_PACK_MATCHING_H

#include "config.h"
#include "problems/pack/policy.h"

#if CS_HAVE_LEMON
#define CS_PACK_MATCHING_MISSING NULL
#else
#define CS_PACK_MATCHING_MISSING "install LEMON (liblemon-dev) and build again"
#endif

/* So many tasks at most: the savings of all pairs are kept in memory. */
#define CS_PACK_MATCHING_MAX 8192

/* The cheapest plan whose packs have one or two tasks (one when pack_size is 1); optimal is set
 * where packs can hold no more.  -1 with err for too many tasks or a build without LEMON. */
int cs_pack_matching_plan(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, struct cs_pack_plan *plan);

/* The cost of a pack of two tasks, +inf when they do not fit: the crossing of a rising and a
 * falling sequence, found by bisection. */
double cs_pack_matching_pair(const struct cs_pack_instance *in, int a, int b);

#endif
