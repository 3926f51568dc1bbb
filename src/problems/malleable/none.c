/* none.c - the processors of a task are its own to the end.
 *
 * Source: the paper, section 6 (the reference without redistribution); spec/malleable.md 7.
 * `decide` is NULL: no plan is made, at no cost.  The portfolio (tune.c) tries it too, because
 * with a short period it is better than the paper's heuristics on 5,000 processors (spec, part
 * II, 1).
 */
#include "problems/malleable/policy.h"

const struct cs_malleable_policy cs_malleable_end_none = {
    .info =
        {
            .name = "none",
            .problem = "malleable",
            .summary = "when a task ends: its processors stay idle",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, section 6",
        },
};

const struct cs_malleable_policy cs_malleable_failure_none = {
    .info =
        {
            .name = "none",
            .problem = "malleable",
            .summary = "after a failure: no task gets other processors",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, section 6",
        },
};
