/* pack.c - applications in packs that run one after the other: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"pack", "for one policy"};

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary =
         "the applications: CSV with the columns app,procs,seconds, or JSON with tables or "
         "formulas (cosched-workload-1); measured times of several files, or of directories, are "
         "read together; - reads standard input; .gz, .xz and .zst are fine"},
    {0},
};

static const struct cs_example plan_examples[] = {
    {"Plan measured applications on 32 nodes and draw the plan:",
     "cosched plan pack examples/archer2.csv --procs 32 --unit node --gantt plan.svg"},
    {"Every policy in one table:",
     "cosched plan pack examples/archer2.csv --procs 32 --policy all"},
    {"At most four together, proven optimal if a minute is enough:",
     "cosched plan pack examples/archer2.csv --procs 32 --pack-size 4 --effort exact"},
    {"Write the plan and have it judged:",
     "cosched plan pack examples/quickstart.csv --procs 8 --output plan.json && "
     "cosched check plan.json"},
    {0},
};

const struct cs_command cs_command_plan_pack = {
    .words = "plan pack",
    .summary = "group applications into packs that run one after the other",
    .description =
        "Partition the applications into packs and give each application of a pack processors, "
        "so that the packs, run one after the other, minimise the makespan. All applications of "
        "a pack start together; a pack lasts as long as its longest one.\n\n"
        "Every plan comes with its cost (the sum of the pack costs), the cost relative to "
        "running each application alone on all processors, the packing ratio (how busy the "
        "processors are), the relative response time, a lower bound, and the gap to it: no plan "
        "costs less than the bound.\n\n"
        "Plans are made and judged on the times as given: a task is launched only on counts that "
        "were measured (or that a formula knows). Additional processors that it holds are idle, "
        "and processors that do not shorten the plan are not assigned (--assign). Times "
        "between measured counts (--interpolate power) and below them (--extrapolate scale) are "
        "used only on "
        "request, and carry the mark ~.",
    .operands = operands,
    .examples = plan_examples,
    .view = &view,
    .action = CS_PLAN,
};

static const struct cs_example generate_examples[] = {
    {"Plan the paper's larger workload:",
     "cosched generate pack --workload iii-a | cosched plan pack - --pack-size 8"},
    {"A million tasks:",
     "cosched generate pack --workload formula --tasks 1000000 -o million.json"},
    {0},
};

const struct cs_command cs_command_generate_pack = {
    .words = "generate pack",
    .summary = "write a synthetic workload for the pack problem",
    .description =
        "Write a workload as JSON (cosched-workload-1). Workloads i to iii-b are made after the "
        "description in Section 6 of Aupy et al., \"Co-scheduling algorithms for high-throughput "
        "workload execution\". The paper does not define its workloads fully, so these are "
        "marked as stand-ins: their times are invented, not measured.",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
