/* files.c - every run as a row, one as a schedule and as a picture. */
#include "base/file.h"
#include "cli/actions.h"
#include "cli/base/output.h"

#include <cosched/chart.h>
#include <cosched/convert.h>
#include <cosched/schedule.h>
#include <string.h>

/* Options that name them: of every run, of one (OF_ONE), and of the instance. */
static const char *const outputs[] = {"per-scenario", "output",   "gantt",  "jobs",
                                      "sbatch",       "write-lp", "report", "plot"};

#define OUTPUTS (int)(sizeof outputs / sizeof *outputs)
#define OF_ONE(index) ((index) >= 1 && (index) <= 4)

/* Is it another file than those before it? */
static int check_before(const struct cs_arguments *args, int at, struct cs_error *err)
{
    for (int o = 0; o < at; o++) {
        char why[80] = "the file of --";

        strncat(why, outputs[o], sizeof why - strlen(why) - 1);
        if (cs_output_apart(cs_action_text(args, outputs[at]), cs_action_text(args, outputs[o]),
                            why, err))
            return -1;
    }
    return 0;
}

/* Is it none of the files that are read: the operands, and those of options of the instance? */
static int check_read(const struct cs_arguments *args, const char *path, struct cs_error *err)
{
    const char *why = args->operands > 1 ? "an input" : "the input";

    for (int o = 0; o < args->operands; o++)
        if (cs_output_apart(path, args->operand[o], why, err))
            return -1;
    for (const struct cs_param *f = args->options; f->name; f++) {
        bool file = f->kind == CS_PARAM_PATH || f->kind == CS_PARAM_TEXT;
        char name[80] = "the ";

        strncat(name, f->name, sizeof name - strlen(name) - 1);
        if (file && f->scope & CS_SCOPE_INSTANCE &&
            cs_output_apart(path, cs_action_text(args, f->name), name, err))
            return -1;
    }
    return 0;
}

int cs_study_files_check(const struct cs_arguments *args, struct cs_error *err)
{
    const char *gantt = cs_action_text(args, "gantt"), *plot = cs_action_text(args, "plot");

    if ((gantt && cs_chart_check(gantt, err)) || (plot && cs_chart_check(plot, err)))
        return CS_EXIT_USAGE;
    for (int o = 0; o < OUTPUTS; o++) {
        const char *path = cs_action_text(args, outputs[o]);

        if (cs_output_check(path, err) || check_read(args, path, err) || check_before(args, o, err))
            return -1;
    }
    return 0;
}

/* The option of the first file that shows one run; NULL if there is no such file. */
static const char *option_of_one(const struct cs_arguments *args)
{
    for (int o = 0; o < OUTPUTS; o++)
        if (OF_ONE(o) && cs_action_text(args, outputs[o]))
            return outputs[o];
    return NULL;
}

static int refuse_groups(const char *option, const char *problem, const struct cs_arguments *args,
                         const struct cs_case *c, struct cs_error *err)
{
    json_t *all = cs_rows_parse(cs_case_describe(problem, err));
    const json_t *one = json_array_get(json_object_get(all, "problems"), 0);
    const char *group = json_string_value(json_object_get(one, "group"));

    cs_error_set(err, "--%s is for one %s of %s, not for the %d %ss of %s", option, group,
                 json_string_value(json_object_get(one, "size")), cs_case_groups(c), group,
                 args->operands ? cs_arguments_operand(args, 0) : "the jobs that are drawn");
    json_decref(all);
    return -1;
}

/* The one that files show, from 0. */
static long scenario_of(const struct cs_arguments *args)
{
    return cs_action_text(args, "scenario") ? (long)cs_arguments_integer(args, "scenario") : 0;
}

/* The variant that files show: the optimum behind the policies, if it is requested; not what a log
 * recorded, which no policy made. */
static int files_variant(const struct cs_case *c)
{
    const int last = cs_case_variants(c) - 1;
    const char *word = cs_case_label(c, last, 0);

    if (word && !strcmp(word, "optimum"))
        return last;
    word = cs_case_label(c, 0, 0);
    return word && !strcmp(word, "recorded") ? 1 : 0;
}

int cs_study_files_fit(const struct cs_command *command, const struct cs_arguments *args,
                       const struct cs_case *c, struct cs_error *err)
{
    const char *option = option_of_one(args);

    if (!option)
        return 0;
    if (cs_case_variants(c) > files_variant(c) + 1) {
        cs_error_set(err, "--%s is %s: name %s", option, command->view->one,
                     cs_case_keys(c) > 1 ? "them" : "it");
        return CS_EXIT_USAGE;
    }
    if (cs_case_groups(c) > 1)
        return refuse_groups(option, command->view->problem, args, c, err);
    if (scenario_of(args) >= cs_case_runs(c))
        return cs_error_set(err, "there is no scenario %ld: they are 0 to %ld", scenario_of(args),
                            cs_case_runs(c) - 1);
    return 0;
}

/* Write a text of the library to a file; NULL: it failed with err. */
static int files_save(const char *path, char *text, size_t length, struct cs_error *err)
{
    int status = text ? cs_file_write(path, text, length, err) : -1;

    cs_free(text);
    return status;
}

static int write_schedule(const struct cs_case *c, long run, const char *path, struct cs_error *err)
{
    size_t length;
    char *text;

    if (strcmp(path, "-") != 0)
        return cs_case_schedule_write(c, files_variant(c), run, path, NULL, err);
    text = cs_case_schedule(c, files_variant(c), run, NULL, &length, err);
    return files_save(path, text, length, err);
}

static int write_picture(const struct cs_arguments *args, const struct cs_case *c, long run,
                         const char *path, struct cs_error *err)
{
    const struct cs_chart_options how = {.size = sizeof how,
                                         .style = cs_arguments_has(args, "dark") ? "dark" : NULL,
                                         .title = cs_action_text(args, "title")};
    char *svg = cs_case_svg(c, files_variant(c), run, &how, NULL, NULL, err);
    int status = svg ? cs_chart_write(path, svg, CS_CHART_DPI, err) : -1;

    cs_free(svg);
    return status;
}

static int write_jobs(const struct cs_case *c, long run, const char *path, struct cs_error *err)
{
    size_t length;
    char *text = cs_case_jobs(c, files_variant(c), run, NULL, &length, err);

    return files_save(path, text, length, err);
}

static int write_batch(const struct cs_arguments *args, const struct cs_case *c,
                       const char *command, const char *path, struct cs_error *err)
{
    size_t length;
    char *text = cs_case_schedule(c, 0, 0, NULL, &length, err), *script = NULL;
    struct cs_schedule_file *file =
        text ? cs_schedule_file_read_memory("the plan", text, length, err) : NULL;

    if (file)
        script =
            cs_schedule_sbatch(file->schedule, cs_action_text(args, "unit"), command, &length, err);
    cs_schedule_file_destroy(file);
    cs_free(text);
    return files_save(path, script, length, err);
}

static int write_runs(const struct cs_case *c, const char *path, struct cs_error *err)
{
    size_t length;
    char *text = cs_case_text(c, "runs", 0, &length, err);

    return files_save(path, text, length, err);
}

static int write_report(const struct cs_case *c, const char *command, const char *path,
                        struct cs_error *err)
{
    const struct cs_report_options how = {
        .size = sizeof how, .title = "Jobs that arrive", .command = command};
    struct cs_chart_source rows = {.name = "the results"};
    size_t length = 0;
    char *json = cs_case_text(c, "replay", 0, &rows.length, err), *html = NULL;

    rows.bytes = json;
    if (json)
        html = cs_report_html(&rows, 1, &how, &length, err);
    cs_free(json);
    return files_save(path, html, length, err);
}

static int write_curve(const struct cs_case *c, const char *path, struct cs_error *err)
{
    char *svg = cs_case_text(c, "curve", 0, NULL, err);
    int status = svg ? cs_chart_write(path, svg, CS_CHART_DPI, err) : -1;

    cs_free(svg);
    return status;
}

int cs_study_files_write(const struct cs_arguments *args, const struct cs_case *c,
                         const char *command, struct cs_error *err)
{
    const long run = scenario_of(args);
    const char *path[OUTPUTS];

    for (int o = 0; o < OUTPUTS; o++)
        path[o] = cs_action_text(args, outputs[o]);
    if ((path[0] && write_runs(c, path[0], err)) ||
        (path[1] && write_schedule(c, run, path[1], err)) ||
        (path[2] && write_picture(args, c, run, path[2], err)) ||
        (path[3] && write_jobs(c, run, path[3], err)) ||
        (path[4] && write_batch(args, c, command, path[4], err)) ||
        (path[6] && write_report(c, command, path[6], err)) ||
        (path[7] && write_curve(c, path[7], err)))
        return -1;
    return 0;
}
