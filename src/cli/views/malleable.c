/* malleable.c - applications that widen and narrow, on processors that fail: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"malleable", "for one policy on end and one on failure"};

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "the applications: CSV with the columns app,seconds,seq_fraction,overhead,"
                "checkpoint,data (formulas) or app,procs,seconds,checkpoint,data (measured), "
                "or JSON (cosched-workload-1); measured times of several files, or of directories, "
                "are read together; - reads standard input; .gz, .xz and .zst are fine"},
    {0},
};

static const struct cs_example plan_examples[] = {
    {"Where applications of your own start, and when they are expected to end:",
     "cosched plan malleable examples/applications.csv --procs 64 --mtbf 5y"},
    {0},
};

const struct cs_command cs_command_plan_malleable = {
    .words = "plan malleable",
    .summary = "share processors that fail out among applications that save their state",
    .description =
        "Give each application an even number of processors at the start, so that the longest "
        "expected time is least (Algorithm 1 of Benoit, Pottier, Robert, \"Resilient application "
        "co-scheduling with processor redistribution\"; it is optimal). The expected time "
        "includes checkpoints, failures, lost work, downtime and recovery, and assumes that no "
        "processor ever moves; 'cosched simulate malleable' lets them move.",
    .operands = operands,
    .examples = plan_examples,
    .view = &view,
    .action = CS_PLAN,
};

static const struct cs_example simulate_examples[] = {
    {"A hundred applications of the paper on 1,000 processors, through 100 random lives:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000"},
    {"Every pair of policies, as the paper runs them:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000 --rules paper "
     "--on-end all --on-failure all"},
    {"Let simulation choose, and draw the first scenario:",
     "cosched generate malleable --tasks 12 -o apps.json && cosched simulate malleable apps.json "
     "--procs 120 --mtbf 10y --tune 10 --gantt life.svg"},
    {"A recorded life of a machine, on applications of your own:",
     "cosched simulate malleable examples/applications.csv --procs 64 --faults "
     "examples/faults.csv"},
    {0},
};

const struct cs_command cs_command_simulate_malleable = {
    .words = "simulate malleable",
    .summary = "run applications that change their processors, on processors that fail",
    .description =
        "All applications start together; each runs on an even number of processors, which may "
        "change while it runs. They save their state periodically; a failure of a processor "
        "takes its application back to the last checkpoint. When an application ends, or when a "
        "failure has made one the longest, policies move processors between applications, which "
        "costs time.\n\n"
        "The problem, and the policies, are those of Benoit, Pottier, Robert, \"Resilient "
        "application co-scheduling with processor redistribution\". The output is the makespan, "
        "its ratio to a lower bound that holds for any failures, and the use of processor time: "
        "work, checkpoints, lost work, downtime and recovery, moves, idle. Failures that would "
        "have been fatal in reality (both processors of a pair at the same time) are counted.\n\n"
        "With --layout pattern verifications find silent errors, and checkpoints in memory and on "
        "disk protect the work; columns verification and disk have the costs.\n\n"
        "Times may have a unit: s, min, h, d, w, y (365 days).",
    .operands = operands,
    .examples = simulate_examples,
    .view = &view,
    .action = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"The paper's hundred applications on 1,000 processors:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000"},
    {0},
};

const struct cs_command cs_command_generate_malleable = {
    .words = "generate malleable",
    .summary = "write synthetic applications for the malleable problem",
    .description =
        "Write a workload as JSON (cosched-workload-1): applications as in Section 6 of Benoit, "
        "Pottier, Robert, \"Resilient application co-scheduling with processor redistribution\". "
        "An application of size m takes 2 m log2 m seconds on one processor, communicates for "
        "m log2 m seconds, saves its state in C m seconds and moves m seconds of data.",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
