/* known.h - cells of experiments: a strategy on each of several platforms.
 *
 * What all strategies need of a combination of graphs is made once and kept: the makespans of the
 * graphs alone, and the results of the strategies that are compared (`compare`), to whose best
 * makespans are relative.
 */
#ifndef CS_PTG_KNOWN_H
#define CS_PTG_KNOWN_H

#include "ptg/problem.h"

/* What is kept of the combination of these options; NULL with err. */
const struct cs_ptg_known *cs_ptg_known_get(const struct cs_ptg_case *c, struct cs_cache *cache,
                                            struct cs_error *err);

const char *cs_ptg_known_identity(const struct cs_ptg_known *known);

/* The only way of a cell: means over the platforms; -1 with err. */
int cs_ptg_known_run(struct cs_ptg_case *c, struct cs_ptg_seen *seen, struct cs_error *err);

/* How a strategy is tried, here and in plans: plan and replay (unless they are there), metrics
 * where the makespans alone are known; -1 with err. */
int cs_ptg_way_make(const struct cs_ptg_case *c, const struct cs_ptg_instance *instance,
                    struct cs_ptg_way *way, struct cs_error *err);
void cs_ptg_way_release(struct cs_ptg_way *way);

/* NULL with err. */
struct cs_ptg_plan *cs_ptg_way_replay(const struct cs_ptg_case *c,
                                      const struct cs_ptg_instance *instance,
                                      const struct cs_ptg_plan *plan, struct cs_error *err);

/* Makespans alone are those of the shares, the same for all strategies that give some. */
bool cs_ptg_way_shares(const struct cs_ptg_way *way);

#endif
