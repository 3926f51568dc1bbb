/* help.c - cosched help: what the commands do, as text or JSON. */
#include "cli/base/help.h"
#include "cli/base/output.h"

/* The text for these words in `out`; -1 with err when they name nothing. */
static int explain_words(char *const *words, int count, bool json, struct cs_strbuf *out,
                         struct cs_error *err)
{
    int used;
    const struct cs_command *command = cs_command_find(count, words, &used);

    if (count == 0)
        json ? cs_help_json_list(out, NULL) : cs_help_overview(out);
    else if (command && used == count)
        (json ? cs_help_json_command : cs_help_command)(out, command);
    else if (count == 1 && cs_help_action_exists(words[0]))
        (json ? cs_help_json_list : cs_help_action)(out, words[0]);
    else
        return cs_help_unknown(count, words, err);
    return 0;
}

static int help_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    char *words[2] = {NULL, NULL};
    int count = args->operands < 2 ? args->operands : 2;
    int failed;

    for (int i = 0; i < count; i++)
        words[i] = (char *)args->operand[i];
    failed = explain_words(words, count, cs_arguments_choice(args, "format") == 1, &out, err);
    cs_output_page(&out);
    cs_strbuf_release(&out);
    return failed ? CS_EXIT_USAGE : CS_EXIT_DONE;
}

static void command_words(struct cs_strbuf *words)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(words, "%s%s", i ? " " : "", list[i]->words);
}

static const struct cs_operand operands[] = {
    {.name = "COMMAND",
     .optional = true,
     .repeats = true,
     .kind = CS_PARAM_TEXT,
     .summary = "the words of a command, such as plan pack",
     .values = command_words},
    {0},
};

static const struct cs_param options[] = {
    {.name = "format",
     .kind = CS_PARAM_CHOICE,
     .choices = "text|json",
     .default_text = "text",
     .summary = "for people, or for programs: operands and options with their kinds, defaults, "
                "choices and words that can be given, from which the playground and the manual "
                "pages are made"},
    {0},
};

static const struct cs_example examples[] = {
    {"List the commands:", "cosched help"},
    {"Everything about plan pack:", "cosched help plan pack"},
    {0},
};

const struct cs_command cs_command_help = {
    .words = "help",
    .summary = "explain a command",
    .description = "Without COMMAND, lists the commands. With the first word of several commands, "
                   "such as plan, lists these.\n\n"
                   "The same text is printed by 'cosched COMMAND --help'.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = help_run,
};
