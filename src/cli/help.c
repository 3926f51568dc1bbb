/* help.c - cosched help: what the commands do, as text or as manual pages. */
#include "cli/base/help.h"
#include "cli/base/output.h"

enum form { TEXT, MAN, JSON };

/* How the list of all commands, one command, and the commands of a verb are told. */
static void tell_all(enum form form, struct cs_strbuf *out)
{
    if (form == JSON)
        cs_help_json_list(out, NULL);
    else
        form == MAN ? cs_man_page(out, NULL) : cs_help_overview(out);
}

static void tell_command(enum form form, const struct cs_command *command, struct cs_strbuf *out)
{
    if (form == JSON)
        cs_help_json_command(out, command);
    else
        form == MAN ? cs_man_page(out, command) : cs_help_command(out, command);
}

/* The text for these words in `out`; -1 with err when they name nothing. */
static int explain(char *const *words, int count, enum form form, struct cs_strbuf *out,
                   struct cs_error *err)
{
    int used;
    const struct cs_command *command = cs_command_find(count, words, &used);

    if (count == 0)
        tell_all(form, out);
    else if (command && used == count)
        tell_command(form, command, out);
    else if (count == 1 && form != MAN && cs_help_verb_exists(words[0]))
        (form == JSON ? cs_help_json_list : cs_help_verb)(out, words[0]);
    else
        return cs_help_unknown(count, words, err);
    return 0;
}

static enum form form_of(const struct cs_arguments *args)
{
    if (cs_arguments_given(args, "man"))
        return MAN;
    return cs_arguments_choice(args, "format") == 1 ? JSON : TEXT;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const enum form form = form_of(args);
    struct cs_strbuf out = CS_STRBUF_INIT;
    char *words[2] = {NULL, NULL};
    int count = args->operands < 2 ? args->operands : 2;
    int failed;

    for (int i = 0; i < count; i++)
        words[i] = (char *)args->operand[i];
    if (form == MAN && cs_arguments_choice(args, "format") == 1)
        return cs_error_set(err, "--man and --format json are two forms, one of them is wanted"),
               CS_EXIT_USAGE;
    failed = explain(words, count, form, &out, err);
    cs_output_put(&out);
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
     .kind = CS_FIELD_TEXT,
     .summary = "the words of a command, such as plan pack",
     .values = command_words},
    {0},
};

static const struct cs_field options[] = {
    {.name = "man",
     .kind = CS_FIELD_FLAG,
     .summary = "print the manual page in the language of mdoc instead"},
    {.name = "format",
     .kind = CS_FIELD_CHOICE,
     .choices = "text|json",
     .fallback = "text",
     .summary =
         "for people, or for programs: operands and options with their kinds, defaults, "
         "choices and words that can be given, from which the playground makes its controls"},
    {0},
};

static const struct cs_example examples[] = {
    {"What there is:", "cosched help"},
    {"Everything about plan pack:", "cosched help plan pack"},
    {"Its manual page, when it is not installed:", "cosched help --man plan pack | man -l -"},
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
    .run = run,
};
