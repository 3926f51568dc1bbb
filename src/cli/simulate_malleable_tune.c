/* simulate_malleable_tune.c - --tune: policies and period chosen by simulation. */
#include "cli/base/output.h"
#include "cli/simulate_malleable.h"

int cs_simulate_malleable_tune(struct cs_simulate_malleable *run, struct cs_error *err)
{
    struct cs_malleable_candidate candidate[CS_MALLEABLE_CANDIDATES];
    int scenarios = (int)cs_arguments_integer(run->job.args, "tune");
    int best = cs_malleable_tune(run->job.instance, &run->job.rules, &run->job.source.law,
                                 scenarios, run->threads, candidate, err);

    if (best < 0)
        return -1;
    run->way = CS_NEW(run->job.arena, struct cs_malleable_rules);
    *run->way = candidate[best].rules;
    run->ways = 1;
    return 0;
}
