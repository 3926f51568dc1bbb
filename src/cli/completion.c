/* completion.c - cosched completion: scripts for the shells, made from the tables. */
#include "cli/base/help.h"
#include "cli/base/output.h"

#include <string.h>

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)err;
    if (strcmp(cs_arguments_operand(args, 0), "bash") == 0)
        cs_completion_bash(&out);
    else
        cs_completion_zsh(&out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "SHELL",
     .kind = CS_FIELD_CHOICE,
     .choices = "bash|zsh",
     .summary = "the shell: bash or zsh"},
    {0},
};

static const struct cs_example examples[] = {
    {"Completion in this bash:", "source <(cosched completion bash)"},
    {"For zsh, into a folder of $fpath:", "cosched completion zsh > ~/.zfunc/_cosched"},
    {0},
};

const struct cs_command cs_command_completion = {
    .words = "completion",
    .summary = "print the completion script for a shell",
    .description = "Commands, options, their choices and the names of policies are completed.  An "
                   "installed cosched brings these scripts along already.",
    .operands = operands,
    .examples = examples,
    .run = run,
};
