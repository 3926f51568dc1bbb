/* iterated_greedy.c - Algorithm 5: all processors dealt again when a failure makes a task the
 * longest. */
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
