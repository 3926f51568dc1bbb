/* end_greedy.c - all processors dealt again when a task ends: Algorithm 5 without a failed task.
 *
 * Source: the paper, section 5.2 (EndGreedy); spec/malleable.md 7.  Idea, invariants, complexity
 * and constants are those of greedy.c.
 */
#include "problems/malleable/policy.h"

const struct cs_malleable_policy cs_malleable_end_greedy = {
    .info =
        {
            .name = "greedy",
            .problem = "malleable",
            .summary = "when a task ends: all processors are dealt again",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, section 5.2 (EndGreedy)",
            .aliases = "end-greedy|eg",
        },
    .greedy = true,
    .decide = cs_malleable_greedy,
};
