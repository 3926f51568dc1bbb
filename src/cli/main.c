/* main.c - find the command, read its line, run it, and print its error. */
#include "base/guard.h"
#include "cli/base/failing.h"
#include "cli/base/help.h"
#include "cli/base/output.h"
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if CS_STANDALONE
#include <sys/prctl.h>
#endif

/* Files that we open must not get the numbers of the standard streams. */
static void hold_standard_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static void show_help(const struct cs_command *command)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_help_command(&text, command);
    cs_output_page(&text);
    cs_strbuf_release(&text);
}

static void warn_former(const struct cs_command *former, const struct cs_command *command)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "'%s %s' is '%s' now", former->words, former->former->option,
                     command->words);
    cs_output_warn(text.text);
    cs_strbuf_release(&text);
}

/* Does the line leave the machine to COSCHED_PROCS? Then the words with --procs first, which the
 * files of the command record too; otherwise NULL. */
static char *const *main_default_procs(const struct cs_arguments *args, struct cs_arena *arena)
{
    static const char *const machine[] = {"procs", "nodes", "machine", "platform"};
    const char *value = getenv("COSCHED_PROCS");
    bool takes = false;
    struct cs_strbuf text = CS_STRBUF_INIT;
    char **words;

    for (const struct cs_param *o = args->options; o && o->name; o++) {
        takes = takes || !strcmp(o->name, "procs");
        for (size_t m = 0; m < sizeof machine / sizeof *machine; m++)
            if (!strcmp(o->name, machine[m]) && cs_arguments_has(args, o->name))
                return NULL;
    }
    if (!takes || !value || !*value)
        return NULL;
    words = CS_NEW_ARRAY(arena, char *, (size_t)args->words + 2);
    cs_strbuf_printf(&text, "--procs=%s", value);
    words[0] = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    for (int w = 0; w < args->words; w++)
        words[w + 1] = args->word[w];
    return words;
}

static int main_parse(const struct cs_command *command, int argc, char *const *argv,
                      struct cs_arena *arena, struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_param *options = cs_command_options(command);
    const bool machine = command->action == CS_PLAN || command->action == CS_SIMULATE ||
                         !strcmp(command->words, "replay");
    int failed = cs_arguments_parse(argc, argv, options, command->operands, arena, args, err);
    char *const *words = machine && !failed && !args->help ? main_default_procs(args, arena) : NULL;

    if (words)
        failed = cs_arguments_parse(argc + 1, words, options, command->operands, arena, args, err);
    if (words && failed)
        cs_error_prefix(err, "COSCHED_PROCS");
    return failed;
}

static int main_run(const struct cs_command *typed, int argc, char *const *argv)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_command *command = cs_command_update(typed, &argc, &argv, arena);
    struct cs_arguments args;
    struct cs_error err = {0};
    int status = CS_EXIT_DONE, parsed;

    if (command != typed)
        warn_former(typed, command);
    parsed = main_parse(command, argc, argv, arena, &args, &err);
    for (int n = 0; n < args.notes; n++)
        cs_output_warn(args.note[n]);
    for (const struct cs_param *o = args.options; !parsed && o && o->name; o++)
        if (!strcmp(o->name, "csv-safe") && cs_arguments_has(&args, o->name))
            cs_output_csv_safe();
    if (parsed)
        status = CS_EXIT_USAGE;
    else if (args.help)
        show_help(command);
    else if (cs_endings_check(&args, &err))
        status = CS_EXIT_USAGE;
    else
        status = command->view ? cs_action_run(command, &args, &err) : command->run(&args, &err);
    if (status < 0)
        status = CS_EXIT_WRONG;
    if (status != CS_EXIT_DONE)
        cs_failing_report(&err, status, &args, status == CS_EXIT_USAGE ? command->words : NULL);
    cs_arena_destroy(arena);
    return status;
}

/* The help of an action, or of everything (NULL): requested, or after a wrong line. */
static int show_words(bool answer, const char *action)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (action)
        cs_help_action(&text, action);
    else
        cs_help_overview(&text);
    if (answer)
        cs_output_draw(text.text);
    else
        cs_output_page(&text);
    cs_strbuf_release(&text);
    return answer ? CS_EXIT_USAGE : CS_EXIT_DONE;
}

static bool is_either(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* The words name no command: the list of an action's problems, or an error. */
static int no_command(int argc, char *const *argv)
{
    struct cs_error err = {0};

    if (!cs_help_action_exists(argv[0])) {
        cs_help_unknown(argc, argv, &err);
        return cs_failing_report(&err, CS_EXIT_USAGE, NULL, "");
    }
    if (argc > 1 && is_either(argv[1], "--help", "-h"))
        return show_words(false, argv[0]);
    if (argc > 1 && argv[1][0] != '-')
        cs_help_unknown(argc, argv, &err);
    else
        cs_error_set(&err, "%s: missing problem or subcommand%s", argv[0],
                     cs_failing_for_programs() ? "" : "; expected one of");
    cs_failing_report(&err, CS_EXIT_USAGE, NULL, cs_failing_for_programs() ? argv[0] : NULL);
    return cs_failing_for_programs() ? CS_EXIT_USAGE : show_words(true, argv[0]);
}

static int show_version(void)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_help_version(&text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return CS_EXIT_DONE;
}

static int main_dispatch(int argc, char *const *argv)
{
    const struct cs_command *command;
    struct cs_error err = {0};
    int used;

    if (argc == 0)
        return show_words(true, NULL);
    if (is_either(argv[0], "--version", "-V"))
        return show_version();
    if (is_either(argv[0], "--help", "-h"))
        return show_words(false, NULL);
    if (argv[0][0] == '-') {
        cs_error_set(&err, "the option %s comes before any command", argv[0]);
        return cs_failing_report(&err, CS_EXIT_USAGE, NULL, "");
    }
    command = cs_command_find(argc, argv, &used);
    return command ? main_run(command, argc - used, argv + used) : no_command(argc, argv);
}

/* Memory that runs out is reported like any other error. */
static int out_of_memory(const struct cs_guard *guard)
{
    struct cs_error err = {0};

    cs_guard_report(guard, &err);
    return cs_failing_report_last(&err, CS_EXIT_WRONG);
}

static int guarded_dispatch(int argc, char **argv)
{
    struct cs_guard guard __attribute__((cleanup(cs_guard_leave)));

    if (cs_guard_enter(&guard) && setjmp(guard.place))
        return out_of_memory(&guard);
    return main_dispatch(argc, argv);
}

#if CS_STANDALONE
int cs_keeper_main(int argc, char **argv); /* src/keeper/keeper.c */
#endif

int main(int argc, char **argv)
{
    struct cs_error err = {0};
    int status;

#if CS_STANDALONE
    if (argc > 1 && !strcmp(argv[0], "/proc/self/exe")) { /* run/program.c starts it like this */
        prctl(PR_SET_NAME, "keeper");
        return cs_keeper_main(argc, argv);
    }
#endif
    hold_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    cs_failing_begin(argc - 1, argv + 1);
    status = guarded_dispatch(argc - 1, argv + 1);
    if (cs_output_finish(&err))
        return cs_failing_report_last(&err, CS_EXIT_WRONG);
    return status;
}
