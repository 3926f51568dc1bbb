/* ptg.c - task graphs that share clusters: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"ptg", "for one strategy"};

static const struct cs_operand operands[] = {
    {.name = "GRAPH",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "graphs: JSON (cosched-graph-1, or cosched-graphs-1 with several), DOT with size "
                "and alpha, daggen's own format, WfCommons JSON, or DAX; - reads standard input; "
                ".gz, .xz and .zst are fine"},
    {0},
};

static const struct cs_example plan_examples[] = {
    {"Three applications share the clusters of Lille:",
     "cosched plan ptg examples/graphs.json --platform grid5000-lille --gantt plan.svg"},
    {"Every strategy, and what contention makes of its plan:",
     "cosched plan ptg examples/graphs.json --platform grid5000-lille --policy all --replay "
     "fluid"},
    {"Plan graphs that arrive one after the other, without lookahead:",
     "cosched plan ptg examples/graphs.json --platform examples/clusters.json --release 0,1min,90 "
     "--online full"},
    {"A workflow as WfCommons describes it, whose tasks parallelise by Amdahl's law:",
     "cosched plan ptg examples/workflow.json --platform grid5000-sophia --alpha 0:0.25"},
    {0},
};

const struct cs_command cs_command_plan_ptg = {
    .words = "plan ptg",
    .summary = "share clusters among graphs of parallel tasks",
    .description =
        "Several graphs of moldable tasks run at the same time on a platform of several clusters. "
        "A "
        "strategy gives each graph a share of the platform; under that constraint every task gets "
        "a number of processors; then the tasks of all graphs are put on processors of one cluster "
        "each as they become ready, those with the longest way to the end of their graph first.\n\n"
        "The problem, and the strategies s to wps-work, are those of N'takpe, Suter, \"Concurrent "
        "scheduling of parallel task graphs on multi-clusters using constrained resource "
        "allocations\" (INRIA RR-6774); the others are ours. Reported are for each graph the time "
        "it takes alone and with the others, its slowdown (alone / shared; 1 is undisturbed), and "
        "for all the makespan with a lower bound, the average slowdown, and the unfairness, the "
        "sum of |slowdown - average|.",
    .operands = operands,
    .examples = plan_examples,
    .view = &view,
    .action = CS_PLAN,
};

static const struct cs_example generate_examples[] = {
    {"Ten graphs as in the paper, and every strategy on them:",
     "cosched generate ptg --count 10 | cosched plan ptg - --platform grid5000-rennes --policy "
     "all"},
    {"A wide graph of 100 tasks for another program:",
     "cosched generate ptg --tasks 100 --width 0.8 -o wide.dot"},
    {0},
};

const struct cs_command cs_command_generate_ptg = {
    .words = "generate ptg",
    .summary = "write graphs of parallel tasks",
    .description =
        "Write task graphs as JSON (cosched-graph-1; several: cosched-graphs-1) or as DOT in the "
        "format of daggen: tasks with their work in flop and the part alpha of it that does not "
        "parallelise, arcs with bytes.\n\n"
        "They are the applications of Section 2 of N'takpe, Suter, \"Concurrent scheduling of "
        "parallel task graphs on multi-clusters using constrained resource allocations\" (INRIA "
        "RR-6774). Without options for shape or cost, they are sampled for each graph among "
        "those of the paper.",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
