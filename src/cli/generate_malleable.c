/* generate_malleable.c - cosched generate malleable: the applications of the paper. */
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "study/rows.h"

#include <cosched/malleable.h>

static int generate(const struct cs_malleable_recipe *recipe, const char *output,
                    struct cs_error *err)
{
    struct cs_workload *workload = cs_malleable_generate(recipe, err);
    int status = workload ? cs_workload_write(workload, workload->source, output, err) : -1;

    cs_workload_destroy(workload);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_malleable_recipe recipe = cs_malleable_recipe_paper();
    const char *output = cs_arguments_text(args, "output");

    recipe.tasks = (int)cs_arguments_integer(args, "tasks");
    recipe.size_low = cs_arguments_real(args, "size-low");
    recipe.size_high = cs_arguments_real(args, "size-high");
    recipe.sequential_fraction = cs_arguments_real(args, "seq-fraction");
    recipe.checkpoint_factor = cs_arguments_real(args, "checkpoint-factor");
    recipe.seed = (uint64_t)cs_arguments_integer(args, "seed");
    recipe.set = (uint64_t)cs_arguments_integer(args, "set");
    return cs_output_check(output, err) ? -1 : generate(&recipe, output ? output : "-", err);
}

static const struct cs_field options[] = {
    CS_FIELD_COUNT_ROW("tasks", "100", 1, 100000000, "how many applications"),
    CS_FIELD_REAL_ROW("size-low", "M", "1.5e6", 1, 1e15,
                      "smallest size; 1500 makes the paper's heterogeneous sets"),
    CS_FIELD_REAL_ROW("size-high", "M", "2.5e6", 1, 1e15,
                      "largest size; sizes are uniform in between"),
    CS_FIELD_REAL_ROW("seq-fraction", "F", "0.08", 0, 1,
                      "share of the time that more processors do not shorten"),
    CS_FIELD_REAL_ROW("checkpoint-factor", "C", "1", 0, 1e9,
                      "seconds of a checkpoint on one processor for each unit of size"),
    CS_FIELD_WHOLE_ROW("set", "I", "0", 0, 9007199254740992.0,
                       "another number, another set of the same kind"),
    CS_FIELD_SEED_ROW("of the sizes"),
    CS_FIELD_OUTPUT_ROW("FILE.json"),
    {0},
};

static const struct cs_example examples[] = {
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
    .options = options,
    .examples = examples,
    .run = run,
};
