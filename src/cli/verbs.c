/* verbs.c - from a command line to options, to a study, to what is shown. */
#include "cli/verbs.h"

#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"

static void warn(const char *text, void *who)
{
    (void)who;
    cs_output_warn("%s", text);
}

static void show_progress(void *who, double done)
{
    cs_progress_show(who, done);
}

static int run_study(struct cs_study *study, struct cs_error *err)
{
    struct cs_progress bar = cs_progress_begin((double)study->ways * (double)study->runs);
    const struct cs_study_progress progress = {show_progress, &bar};
    int status = cs_study_run(study, &progress, err);

    cs_progress_end(&bar);
    return status;
}

static void print(const struct cs_view *view, unsigned verb, const struct cs_study *study)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    bool generic = study->certain &&
                   (study->ways > 1 || (view->more && study->options->format == CS_FORMAT_JSON));

    if (verb == CS_PLAN && view->plan && !generic)
        view->plan(study, &text);
    else
        cs_study_show(view, study, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
}

static int carry_out(const struct cs_command *command, struct cs_study *study, struct cs_error *err)
{
    const struct cs_view *view = command->view;
    bool runs = command->verb != CS_PLAN || !view->plan || study->certain;
    int status = cs_study_files_fit(command, study, err);

    if (status)
        return status;
    if ((runs && run_study(study, err)) || cs_study_files_write(view, study, err))
        return -1;
    print(view, command->verb, study);
    return CS_EXIT_DONE;
}

static int study_verb(const struct cs_command *command, const struct cs_study_options *options,
                      struct cs_error *err)
{
    const struct cs_problem *problem = command->view->problem;
    const struct cs_study_context context = {.verb = command->verb, .warn = warn};
    struct cs_study *study;
    int status;

    if (problem->check && problem->check(options, err))
        return CS_EXIT_USAGE;
    status = cs_study_files_check(command, options, err);
    if (status)
        return status;
    study = problem->open(options, &context, err);
    status = study ? carry_out(command, study, err) : -1;
    cs_study_close(study);
    return status;
}

static const char *line_of(const struct cs_command *command, const struct cs_arguments *args,
                           struct cs_arena *arena)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    const char *copy;

    cs_arguments_put_line(args, command->words, &line);
    copy = cs_arena_strdup(arena, line.text);
    cs_strbuf_release(&line);
    return copy;
}

/* All operands; ends with NULL. */
static const char *const *operands_of(const struct cs_arguments *args, struct cs_arena *arena)
{
    const char **operand = CS_NEW_ARRAY(arena, const char *, args->operands + 1);

    for (int i = 0; i < args->operands; i++)
        operand[i] = cs_arguments_operand(args, i);
    return operand;
}

static int generate(const struct cs_problem *problem, const struct cs_study_options *options,
                    struct cs_error *err)
{
    if (problem->check && problem->check(options, err))
        return CS_EXIT_USAGE;
    return cs_output_check(options->output, err) ? -1 : problem->generate(options, err);
}

/* Made when they are first asked for, and kept: help and completion ask for those of all. */
const struct cs_field *cs_command_options(const struct cs_command *command)
{
    static const struct cs_field **made;
    static struct cs_arena *arena;
    int index = 0, count;
    const struct cs_command *const *list = cs_commands(&count);

    if (!command->view)
        return command->options;
    while (list[index] != command)
        index++;
    if (!arena) {
        arena = cs_arena_create();
        made = CS_NEW_ARRAY(arena, const struct cs_field *, count);
    }
    if (!made[index])
        made[index] = cs_fields_select(command->view->problem->field, command->verb, arena);
    return made[index];
}

int cs_verb_run(const struct cs_command *command, const struct cs_arguments *args,
                struct cs_error *err)
{
    const struct cs_problem *problem = command->view->problem;
    struct cs_arena *arena = cs_arena_create();
    struct cs_study_options *options = cs_problem_options(problem, arena);
    int status;

    cs_arguments_store(args, options);
    options->input = cs_arguments_operand(args, 0);
    options->inputs = operands_of(args, arena);
    options->command = line_of(command, args, arena);
    if (command->verb != CS_GENERATE)
        status = study_verb(command, options, err);
    else
        status = generate(problem, options, err);
    cs_arena_destroy(arena);
    return status;
}
