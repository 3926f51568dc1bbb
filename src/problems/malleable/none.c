/* none.c - the processors of a task are its own to the end. */
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
            .summary = "after a failure: nobody gets other processors",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, section 6",
        },
};
