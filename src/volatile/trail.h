/* trail.h - which steps of a choice are certain to be taken again?
 *
 * A choice gives out tasks step by step, each to the host with the best score; what else a host
 * could have got there is known, or bounded.  By how much the winner has won is the slack of the
 * step.  It tells that the same step would be taken again, without looking at others:
 *
 * - A host without a task that is no longer up takes nothing from the winners.
 * - A host that comes up, or has other things than before, has to be worse than the winner, by its
 *   bound.
 * - A host with tasks that receives something is as good as before or better.  With every slot that
 *   it receives Ecomm falls by at most D = E(n) - E(n - 1), for others too; what that can do for
 *   their scores is spent of the slack: D for times; D times the largest rates at which hosts go
 *   down for probabilities, as log P_ND(t - D) - log P_ND(t) is no more than that.  Where it wins
 *   its first task nothing is spent, as others do not meet it there.
 * - The time since the iteration began lowers all yields, that of the winner by log(1 + T / E) at
 *   most in T slots: it is spent too.
 *
 * When all steps are certain the choice stands.  Otherwise it is walked: steps that are certain are
 * taken without looking at others, until a step goes another way.  Either way it is the choice
 * that would be made anew, to the last bit: slack begins where rounding and ties end.
 */
#ifndef CS_VOLATILE_TRAIL_H
#define CS_VOLATILE_TRAIL_H

#include "volatile/step.h"

struct cs_volatile_trail;

/* Lives in the arena, as the gauge must. */
struct cs_volatile_trail *cs_volatile_trail_create(const struct cs_volatile_gauge *gauge,
                                                   struct cs_arena *arena);

/* Nothing is certain. */
void cs_volatile_trail_forget(struct cs_volatile_trail *trail);

/* Is every step certain?  Hosts that are not what they were at the last look, or when the choice
 * was made, are listed in the view. */
bool cs_volatile_trail_look(struct cs_volatile_trail *trail, const struct cs_volatile_view *view);

/* A choice begins, after such a look. */
void cs_volatile_trail_begin(struct cs_volatile_trail *trail);

/* The next step: the host that has won it, when that is certain but for the doubted; else -1. */
int cs_volatile_trail_ask(const struct cs_volatile_trail *trail, int task, const int **doubted,
                          int *doubts);

/* It wins again: the step begins with this, it has this score, and the doubted have at most
 * `rival`, -inf when there are none.  False when that is not certain. */
bool cs_volatile_trail_repeat(struct cs_volatile_trail *trail, int task,
                              const struct cs_volatile_partial *before, double score, double rival);

/* A step that was looked at as a whole: others have at most `rival`. */
void cs_volatile_trail_tell(struct cs_volatile_trail *trail, int task,
                            const struct cs_volatile_partial *before, int host, double score,
                            double rival);

/* The choice is over. */
void cs_volatile_trail_end(struct cs_volatile_trail *trail, const struct cs_volatile_view *view,
                           const struct cs_volatile_plan *plan);

#endif
