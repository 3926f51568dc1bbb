/* generate_pack.c - cosched generate pack: workloads to try things on. */
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "study/rows.h"

#include <cosched/pack.h>

#define DEFAULT_WORKLOADS "i|ii-a|ii-b|iii-a|iii-b|random|formula"

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_pack_recipe recipe = {
        .tasks = (int)cs_arguments_integer(args, "tasks"),
        .procs = (int)cs_arguments_integer(args, "procs"),
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
    };
    const char *name = cs_arguments_text(args, "workload");
    const char *output = cs_arguments_text(args, "output");
    struct cs_workload *workload;
    int status;

    if (!name) {
        cs_error_set(err, "which workload? give --workload, one of " DEFAULT_WORKLOADS);
        return CS_EXIT_USAGE;
    }
    if (cs_output_check(output, err) || !(workload = cs_pack_generate(name, &recipe, err)))
        return -1;
    status = cs_workload_write(workload, workload->source, output ? output : "-", err);
    cs_workload_destroy(workload);
    return status;
}

static const struct cs_field options[] = {
    {.name = "workload",
     .letter = 'w',
     .kind = CS_FIELD_CHOICE,
     .choices = DEFAULT_WORKLOADS,
     .summary = "i, ii-a ... iii-b: stand-ins for the paper's three workloads; random: drawn anew; "
                "formula: Amdahl's law with overhead, for very many tasks"},
    CS_FIELD_COUNT_ROW("tasks", "0", 0, 100000000, "of random and formula; 0: 65"),
    {.name = "procs",
     .letter = 'p',
     .kind = CS_FIELD_INTEGER,
     .argument = "P",
     .fallback = "0",
     .low = 0,
     .high = 100000000,
     .summary = "processors that the times are made for; 0: those of the paper"},
    CS_FIELD_SEED_ROW("of random and formula"),
    CS_FIELD_OUTPUT_ROW("FILE.json"),
    {0},
};

static const struct cs_example examples[] = {
    {"The paper's larger workload, planned at once:",
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
        "stand-ins and say so: their times are invented, not measured.",
    .options = options,
    .examples = examples,
    .run = run,
};
