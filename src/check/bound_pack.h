/* bound_pack.h - can no plan of packs cost less than so much?
 *
 * Arguments that need no certificate are tried in turn, then the prices of the certificate, and for
 * a few tasks every plan.
 */
#ifndef CS_CHECK_BOUND_PACK_H
#define CS_CHECK_BOUND_PACK_H

#include "base/arena.h"
#include "check/bound.h"
#include "model/schedule.h"

/* declared->lower_bound, which is positive, as a bound of plans on so many processors. */
enum cs_check_shown cs_check_pack_shown(const struct cs_workload *workload, int procs,
                                        const struct cs_pack_declared *declared);

#endif
