/* trail.h - for how long does a choice stand?
 *
 * A choice gives out tasks step by step, each to the host with the best score; what else a host
 * could have got there is known, or bounded.  By how much the winner of the closest step has won is
 * the slack of the choice.  It tells that the same choice would be made again, without making it:
 *
 * - A host without a task that is no longer up takes nothing from the winners.
 * - A host that comes up, or has other things than before, has to be worse than the winner of every
 *   step, by its bound.
 * - A host with tasks that receives something is as good as before or better.  With every slot that
 *   it receives Ecomm falls by at most D = E(n) - E(n - 1), for others too; what that can do for
 *   their scores is spent of the slack: D for times; D times the largest rates at which hosts go
 *   down for probabilities, as log P_ND(t - D) - log P_ND(t) is no more than that.
 * - The time since the iteration began lowers all yields, that of the winner by log(1 + T / E) at
 *   most in T slots: it is spent too.
 *
 * When the slack is spent the choice is made again.  A choice that stands is the one that would be
 * made, to the last bit: slack begins where rounding and ties end.
 */
#ifndef CS_VOLATILE_TRAIL_H
#define CS_VOLATILE_TRAIL_H

#include "volatile/step.h"

struct cs_volatile_trail;

/* Lives in the arena, as the gauge must. */
struct cs_volatile_trail *cs_volatile_trail_create(const struct cs_volatile_gauge *gauge,
                                                   struct cs_arena *arena);

/* Nothing stands. */
void cs_volatile_trail_forget(struct cs_volatile_trail *trail);

/* A choice begins; its steps, in order: task number `task` went to this host, for this score, and
 * all others had scores of at most `rival`; it is over. */
void cs_volatile_trail_begin(struct cs_volatile_trail *trail);
void cs_volatile_trail_step(struct cs_volatile_trail *trail, int task,
                            const struct cs_volatile_partial *before, int host, double score,
                            double rival);
void cs_volatile_trail_end(struct cs_volatile_trail *trail, const struct cs_volatile_view *view,
                           const struct cs_volatile_plan *plan);

/* Would the same be chosen again?  Hosts that are not what they were when this was asked before, or
 * when the choice was made, are listed in the view. */
bool cs_volatile_trail_stands(struct cs_volatile_trail *trail, const struct cs_volatile_view *view);

#endif
