/* moldable.c - a bag without barriers: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"moldable", "for one policy"};

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary =
         "the tasks: CSV with the columns app,procs,seconds (measured) or "
         "app,seconds,seq_fraction,overhead (formulas), JSON (cosched-workload-1), or what a "
         "tool such as hyperfine or ReFrame writes; measured times of several files, or of "
         "directories, are read together; - reads standard input; .gz, .xz and .zst are "
         "fine"},
    {0},
};

static const struct cs_example plan_examples[] = {
    {"Nine applications as they were measured on ARCHER2, on 16 nodes:",
     "cosched plan moldable examples/archer2.csv --procs 16 --unit node"},
    {"A workflow whose tasks need GPUs, memory and licences, and wait for each other:",
     "cosched plan moldable examples/gpus.csv --procs 40 --resource gpus=4,memory=256G,abaqus=2"},
    {"Every planner side by side:",
     "cosched plan moldable examples/quickstart.csv --procs 8 --policy all"},
    {0},
};

const struct cs_command cs_command_plan_moldable = {
    .words = "plan moldable",
    .summary = "decide on how many processors each task runs, and when, without barriers",
    .description =
        "Give each task of a bag a number of processors and a start, to minimise the makespan. A "
        "task keeps its processors from start to end; nothing waits for a pack. Plans are made "
        "and judged on the times as given: a task is launched only on counts that were measured "
        "(or that a formula knows), and holds exactly those. Times between measured counts "
        "(--interpolate power) and below them (--extrapolate scale) are used only on request, and "
        "carry the "
        "mark ~.\n\n"
        "The planners are those of Turek, Wolf, Yu; Ludwig, Tiwari; and Mounie, Rapine, "
        "Trystram; lists around the area bound; and a search whose result depends on the seed "
        "and the number of moves alone. Every plan comes with a lower bound that no plan can "
        "beat.\n\n"
        "Tasks may need more than processors: columns gpus, memory and resource:NAME, with what "
        "the machine has in --resource; they may wait for others (after), have labels of modes, "
        "deadlines and budgets. Such bags are planned by lists, a search and an exact method, "
        "which take all resources into account.",
    .operands = operands,
    .examples = plan_examples,
    .view = &view,
    .action = CS_PLAN,
};

static const struct cs_example simulate_examples[] = {
    {"Simulate a plan whose times are 10 % off:",
     "cosched simulate moldable examples/quickstart.csv --procs 8 --sigma 0.1 --policy "
     "order,list,follow,replan"},
    {"The resilient moldable papers' policies, where attempts fail:",
     "cosched generate moldable --model amdahl -o bag.json && cosched simulate moldable bag.json "
     "--qbar 0.1 --effort fast --policy lpa,batch,again"},
    {0},
};

const struct cs_command cs_command_simulate_moldable = {
    .words = "simulate moldable",
    .summary = "carry a bag out while times are uncertain and attempts fail",
    .description =
        "Real times are those of the input times a random factor (--sigma), attempts fail and "
        "run again (--qbar), or both. Policies follow a plan or revise it at every event (order, "
        "list, follow, replan), or work without a plan and choose counts for each task or for "
        "all waiting tasks (lpa, batch, mintime, minarea, lt, expected, again, rolling). All run "
        "on the same scenarios. The lower bound uses the real times and failures; without "
        "uncertainty it is the bound of 'plan moldable'.",
    .operands = operands,
    .examples = simulate_examples,
    .view = &view,
    .action = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"Fifty tasks with an overhead for each processor, for 200 processors:",
     "cosched generate moldable --model linear --tasks 50 --procs 200"},
    {0},
};

const struct cs_command cs_command_generate_moldable = {
    .words = "generate moldable",
    .summary = "write a random bag of moldable tasks",
    .description =
        "Write a workload as JSON (cosched-workload-1): tasks as in Benoit, Le Fevre, Perotin, "
        "Raghavan, Robert, Sun, \"Resilient scheduling of moldable jobs to cope with silent "
        "errors\": roofline, communication (here: linear), Amdahl's law, or a mix of the three.",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
