/* spot.c - jobs with a deadline on spot and on-demand instances: the command. */
#include "cli/actions.h"

static const struct cs_view view = {"spot", "for one policy"};

static const struct cs_operand operands[] = {
    {.name = "TRACE",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary =
         "traces of spot instances that 'cosched fit availability' reads, one market each; - "
         "is standard input"},
    {0},
};

static const struct cs_example examples[] = {
    {"The cost of a job of six hours that must be done in eight:",
     "cosched simulate spot examples/spot.csv --work 6h --deadline 8h --change-over 5min"},
    {"Nine instances at the same time, one policy, a row for each job:",
     "cosched simulate spot examples/spot.csv --work 6h --deadline 8h --instances 9 --policy table "
     "--per-scenario rows.csv"},
    {0},
};

const struct cs_command cs_command_simulate_spot = {
    .words = "simulate spot",
    .summary = "run a job with a deadline on spot and on-demand instances",
    .description =
        "A job computes for --work and must be done by --deadline. In each tick of the trace it "
        "runs on spot instances, if they are available, on on-demand instances, which are always "
        "available and more expensive, or it waits. Each start on other instances takes the "
        "change-over, which is paid. The job keeps its progress when spot is lost.\n\n"
        "Each file is a market; its first part is the history that policies learn from, and jobs "
        "start at random times after it. No job is late when work and one change-over fit before "
        "the deadline. Reported are the cost, its ratio to the cost of the cheapest run in time "
        "if the trace is known (clairvoyant), and the share of the paid time on spot.",
    .operands = operands,
    .examples = examples,
    .view = &view,
    .action = CS_SIMULATE,
};
