/* iterated_greedy.c - Algorithm 5: all processors dealt again when a failure makes a task the
 * longest.
 *
 * Source: the paper, Algorithm 5 (IteratedGreedy); spec/malleable.md 7, gaps A11, A15 and A26.
 * Idea, invariants, complexity and constants are those of greedy.c; that data of the failed task
 * move only after downtime and recovery is in `base` of its member (plan.h).
 */
#include "problems/malleable/policy.h"

const struct cs_malleable_policy cs_malleable_failure_greedy = {
    .info =
        {
            .name = "iterated-greedy",
            .problem = "malleable",
            .summary = "after a failure: all processors are dealt again",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, Algorithm 5 (IteratedGreedy)",
            .aliases = "ig",
        },
    .greedy = true,
    .decide = cs_malleable_greedy,
};
