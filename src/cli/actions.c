/* actions.c - from a command line to a case, and to what is printed. */
#include "cli/actions.h"

#include "base/json.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"

#include <string.h>

static bool has_option(const struct cs_arguments *args, const char *name)
{
    const struct cs_param *f = args->options;

    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f->name && f->kind != CS_PARAM_FLAG;
}

const char *cs_action_text(const struct cs_arguments *args, const char *name)
{
    return has_option(args, name) ? cs_arguments_text(args, name) : NULL;
}

/* ---- options as the library takes them ---- */

/* Of a parameter on which results depend the tool has nothing. */
static bool is_one_of(const struct cs_param *param, const char *const *shown)
{
    while (*shown && (param->scope || strcmp(*shown, param->name) != 0))
        shown++;
    return *shown;
}

/* A name of a file may be any bytes. */
static json_t *text_json(const char *text)
{
    json_t *made = cs_json_word(text), *list = made ? NULL : cs_json_made(json_array());

    if (made)
        return made;
    for (; *text; text++)
        cs_json_append(list, json_integer((unsigned char)*text));
    return cs_json_pair("bytes", list);
}

static json_t *texts_json(const char *const *text, int count)
{
    json_t *list = cs_json_made(json_array());

    for (int i = 0; i < count; i++)
        cs_json_append(list, text_json(text[i]));
    return list;
}

static json_t *value_json(const struct cs_arguments *args, const struct cs_param *param)
{
    int count;
    const char *const *texts;

    if (param->kind == CS_PARAM_FLAG)
        return json_true();
    if (param->old_unit > 0)
        return json_real(cs_arguments_real(args, param->name));
    texts = cs_arguments_texts(args, param->name, &count);
    return texts ? texts_json(texts, count) : text_json(cs_arguments_text(args, param->name));
}

json_t *cs_action_options(const struct cs_arguments *args, const char *const *shown)
{
    json_t *options = cs_json_made(json_object());

    for (const struct cs_param *f = args->options; f->name; f++)
        if (!is_one_of(f, shown) && cs_arguments_has(args, f->name))
            cs_json_set(options, f->name, value_json(args, f));
    return options;
}

static void put_options(const struct cs_arguments *args, struct cs_strbuf *out)
{
    static const char *const shown[] = {"format", "per-scenario", "output", "gantt", "jobs",
                                        "sbatch", "title",        "dark",   NULL};
    json_t *options = cs_action_options(args, shown);

    if (args->operands)
        cs_json_set(options, "input", texts_json(args->operand, args->operands));
    cs_json_put(out, options, 0);
    json_decref(options);
}

/* ---- plan and simulate ---- */

static void show_progress(void *who, double share)
{
    cs_progress_show(who, share);
}

static void actions_warn(void *who, const char *text)
{
    cs_progress_end(who);
    cs_output_warn(text);
}

static int run_case(struct cs_case *c, struct cs_error *err)
{
    struct cs_progress bar = cs_progress_begin(1);
    const struct cs_watch watch = {
        .size = sizeof watch, .progress = show_progress, .warn = actions_warn, .who = &bar};
    int status = cs_case_run(c, &watch, err);

    cs_progress_end(&bar);
    return status;
}

static int actions_print(const struct cs_arguments *args, const struct cs_case *c,
                         struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    size_t length;
    char *made =
        cs_case_text(c, cs_arguments_text(args, "format"), cs_output_columns(), &length, err);

    if (!made)
        return -1;
    cs_strbuf_append(&text, made, length);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    cs_free(made);
    return CS_EXIT_DONE;
}

static int carry_out(const struct cs_command *command, const struct cs_arguments *args,
                     struct cs_case *c, struct cs_error *err)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    int status = cs_study_files_fit(command, args, c, err);

    if (status)
        return status;
    cs_arguments_put_line(args, command->words, &line);
    if (cs_case_set_command(c, line.text, err) || run_case(c, err) ||
        cs_study_files_write(args, c, line.text, err) || actions_print(args, c, err))
        status = -1;
    cs_strbuf_release(&line);
    return status;
}

static int study_action(const struct cs_command *command, const struct cs_arguments *args,
                        const char *action, const char *options, struct cs_error *err)
{
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    int status = cs_study_files_check(args, err);
    struct cs_case *c;

    if (status)
        return status;
    c = cs_case_open(command->view->problem, action, options, &watch, err);
    status = c ? carry_out(command, args, c, err) : -1;
    cs_case_close(c);
    return status;
}

static int actions_generate(const char *problem, const struct cs_arguments *args,
                            const char *options, struct cs_error *err)
{
    const char *path = cs_arguments_text(args, "output");
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};

    return cs_output_check(path, err)
               ? -1
               : cs_case_generate(problem, options, path ? path : "-", &watch, err);
}

int cs_action_run(const struct cs_command *command, const struct cs_arguments *args,
                  struct cs_error *err)
{
    const char *problem = command->view->problem;
    const char *action = command->action == CS_GENERATE   ? "generate"
                         : command->action == CS_SIMULATE ? "simulate"
                                                          : "plan";
    struct cs_strbuf options = CS_STRBUF_INIT;
    int status =
        command->action == CS_GENERATE && cs_action_text(args, "trap") ? -1 : CS_EXIT_USAGE;

    put_options(args, &options);
    if (!cs_case_check(problem, action, options.text, err))
        status = command->action == CS_GENERATE
                     ? actions_generate(problem, args, options.text, err)
                     : study_action(command, args, action, options.text, err);
    cs_strbuf_release(&options);
    return status;
}
