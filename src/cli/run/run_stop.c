/* run_stop.c - cosched run stop: ask who works on a run to stop. */
#include "cli/base/command.h"

#include <cosched/run.h>

static int run_stop_run(const struct cs_arguments *args, struct cs_error *err)
{
    return cs_run_stop(cs_arguments_operand(args, 0), cs_arguments_has(args, "now"), err);
}

static const struct cs_operand operands[] = {
    {.name = "RUN", .kind = CS_PARAM_PATH, .summary = "the folder of the run"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "now",
     .kind = CS_PARAM_FLAG,
     .summary = "what runs is stopped too: SIGTERM, and SIGKILL after its grace"},
    {0},
};

static const struct cs_example examples[] = {
    {"Nothing more starts, what runs may end:", "cosched run stop run1"},
    {"Resume later:", "cosched run --resume run1"},
    {0},
};

const struct cs_command cs_command_run_stop = {
    .words = "run stop",
    .summary = "ask a run to stop",
    .description =
        "Nothing more is started; what runs may end, and then the process that works on the run "
        "ends with status 4. With --now what runs is stopped, and will run again.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run_stop_run,
};
