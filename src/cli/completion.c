/* completion.c - cosched completion: scripts for the shells, made from the tables. */
#include "cli/base/help.h"
#include "cli/base/output.h"

#define SHELLS "bash|zsh|fish"

static int completion_run(const struct cs_arguments *args, struct cs_error *err)
{
    static void (*const script[])(struct cs_strbuf *) = {cs_completion_bash, cs_completion_zsh,
                                                         cs_completion_fish};
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)err;
    script[cs_choice_index(SHELLS, cs_arguments_operand(args, 0))](&out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "SHELL",
     .kind = CS_FIELD_CHOICE,
     .choices = SHELLS,
     .summary = "the shell: bash, zsh or fish"},
    {0},
};

static const struct cs_example examples[] = {
    {"Completion in this bash:", "source <(cosched completion bash)"},
    {"For zsh, into a folder of $fpath:", "cosched completion zsh > ~/.zfunc/_cosched"},
    {"For fish:", "cosched completion fish > ~/.config/fish/completions/cosched.fish"},
    {0},
};

const struct cs_command cs_command_completion = {
    .words = "completion",
    .summary = "print the completion script for a shell",
    .description =
        "Commands, options, their choices and the names of policies are completed; where "
        "several are taken, after each comma too.  An installed cosched brings these "
        "scripts along already.",
    .operands = operands,
    .examples = examples,
    .run = completion_run,
};
