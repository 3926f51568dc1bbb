/* files.c - every run as a row, one as a schedule and as a picture. */
#include "base/file.h"
#include "cli/base/output.h"
#include "cli/verbs.h"
#include "report/table.h"
#include "study/rows.h"
#include "study/schedule_text.h"

#include <cosched/case.h>
#include <cosched/convert.h>
#include <cosched/picture.h>
#include <math.h>
#include <string.h>

struct output {
    const char *option, *path;
};

#define OUTPUTS 5

/* The option that a verb has for one of the files. */
static const char *option_at(const struct cs_command *command, size_t at)
{
    const struct cs_field *f = cs_command_options(command);

    while (f->name && (f->kind != CS_FIELD_PATH || f->at != at))
        f++;
    return f->name;
}

static void list_outputs(const struct cs_command *command, const struct cs_study_options *o,
                         struct output output[OUTPUTS])
{
    static const size_t at[OUTPUTS] = {CS_STUDY_AT(per_scenario), CS_STUDY_AT(schedule),
                                       CS_STUDY_AT(gantt), CS_STUDY_AT(table), CS_STUDY_AT(sbatch)};
    const char *const path[OUTPUTS] = {o->per_scenario, o->schedule, o->gantt, o->table, o->sbatch};

    for (int i = 0; i < OUTPUTS; i++)
        output[i] = (struct output){option_at(command, at[i]), path[i]};
}

/* Is it another file than those before it? */
static int check_before(const struct output *output, int at, struct cs_error *err)
{
    for (int o = 0; o < at; o++) {
        char why[80] = "the file of --";

        if (!output[o].path)
            continue;
        strncat(why, output[o].option, sizeof why - strlen(why) - 1);
        if (output[at].path && cs_output_apart(output[at].path, output[o].path, why, err))
            return -1;
    }
    return 0;
}

/* Is it none of the files that are read: the operands, and those of options of the instance? */
static int check_read(const struct cs_command *command, const struct cs_study_options *options,
                      const char *path, struct cs_error *err)
{
    const char *why = options->inputs[0] && options->inputs[1] ? "an input" : "the input";

    for (const char *const *input = options->inputs; *input; input++)
        if (cs_output_apart(path, *input, why, err))
            return -1;
    for (const struct cs_field *f = cs_command_options(command); f->name; f++) {
        bool file = f->kind == CS_FIELD_PATH || f->kind == CS_FIELD_TEXT;
        const char *const *member = (const void *)((const char *)options + f->at);
        char name[80] = "the ";

        strncat(name, f->name, sizeof name - strlen(name) - 1);
        if (file && f->of & CS_OF_INSTANCE && cs_output_apart(path, *member, name, err))
            return -1;
    }
    return 0;
}

int cs_study_files_check(const struct cs_command *command, const struct cs_study_options *options,
                         struct cs_error *err)
{
    struct output output[OUTPUTS];

    if (options->gantt && cs_picture_check(options->gantt, err))
        return CS_EXIT_USAGE;
    list_outputs(command, options, output);
    for (int o = 0; o < OUTPUTS; o++)
        if (cs_output_check(output[o].path, err) ||
            check_read(command, options, output[o].path, err) || check_before(output, o, err))
            return -1;
    return 0;
}

/* The option of the first file that shows one run; NULL: there is none. */
static const char *option_of_one(const struct cs_command *command, const struct cs_study_options *o)
{
    struct output output[OUTPUTS];

    list_outputs(command, o, output);
    for (int i = 1; i < OUTPUTS; i++)
        if (output[i].path)
            return output[i].option;
    return NULL;
}

int cs_study_files_fit(const struct cs_command *command, const struct cs_study *study,
                       struct cs_error *err)
{
    const struct cs_study_options *o = study->options;
    const char *option = option_of_one(command, o);

    if (!option)
        return 0;
    if (study->ways > 1) {
        cs_error_set(err, "--%s is %s: name %s", option, command->view->one,
                     study->problem->way[1] ? "them" : "it");
        return CS_EXIT_USAGE;
    }
    if (study->groups > 1)
        return cs_error_set(err, "--%s is for one %s of %s, not for the %d %ss of %s", option,
                            study->problem->group, study->problem->size, study->groups,
                            study->problem->group, o->input);
    if (o->scenario >= study->runs)
        return cs_error_set(err, "there is no scenario %lld: they are 0 to %ld",
                            (long long)o->scenario, study->runs - 1);
    return 0;
}

/* The values of rows that some run has; ends with NULL. */
static const struct cs_value **row_values(const struct cs_study *study)
{
    const struct cs_value **list;
    int count = 0;

    for (const struct cs_value *v = study->problem->value; v->name; v++)
        count++;
    list = CS_NEW_ARRAY(study->arena, const struct cs_value *, count + 1);
    count = 0;
    for (const struct cs_value *v = study->problem->value; v->name; v++)
        if (v->in & CS_IN_ROWS && cs_study_has(study, v))
            list[count++] = v;
    return list;
}

static void put_row(const struct cs_study *study, const struct cs_value *const *value, int way,
                    long run, struct cs_strbuf *out)
{
    long runs = cs_study_group_runs(study);

    for (int k = 0; study->ways > 1 && study->problem->way[k]; k++) {
        cs_table_put_csv(out, study->way[way].word[k]);
        cs_strbuf_putc(out, ',');
    }
    if (study->groups > 1) {
        cs_table_put_csv(out, study->group[run / runs].name);
        cs_strbuf_putc(out, ',');
    }
    cs_strbuf_printf(out, "%ld", run % runs);
    for (int v = 0; value[v]; v++) {
        double number = value[v]->of(study, cs_study_outcome(study, way, run));

        cs_strbuf_printf(out, isnan(number) ? "," : ",%.17g", number);
    }
    cs_strbuf_putc(out, '\n');
}

static int write_rows(const struct cs_study *study, const char *path, struct cs_error *err)
{
    const struct cs_value **value = row_values(study);
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int k = 0; study->ways > 1 && study->problem->way[k]; k++)
        cs_strbuf_printf(&text, "%s,", study->problem->way[k]);
    if (study->groups > 1)
        cs_strbuf_printf(&text, "%s,", study->problem->group);
    cs_strbuf_puts(&text, "scenario");
    for (int v = 0; value[v]; v++)
        cs_strbuf_printf(&text, ",%s", value[v]->name);
    cs_strbuf_putc(&text, '\n');
    for (int w = 0; w < study->ways; w++)
        for (long r = 0; r < study->runs; r++)
            put_row(study, value, w, r, &text);
    return cs_output_save(path, &text, err);
}

static int write_schedule(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_study_put_file(study, 0, record, &text);
    return cs_output_save(study->options->schedule, &text, err);
}

static int write_picture(const struct cs_view *view, const struct cs_study *study,
                         const struct cs_kept *record, struct cs_error *err)
{
    struct cs_strbuf svg = CS_STRBUF_INIT;
    int status = view->draw(study, record, &svg, err);

    if (!status)
        status = cs_picture_write(study->options->gantt, svg.text, CS_PICTURE_DPI, err);
    cs_strbuf_release(&svg);
    return status;
}

static int write_batch(const struct cs_study *study, const struct cs_kept *record,
                       struct cs_error *err)
{
    const struct cs_study_options *o = study->options;
    size_t length;
    char *text = cs_schedule_sbatch(record->schedule, o->unit, o->command, &length, err);
    int status = text ? cs_file_write(o->sbatch, text, length, err) : -1;

    cs_free(text);
    return status;
}

int cs_study_files_write(const struct cs_view *view, const struct cs_study *study,
                         struct cs_error *err)
{
    const struct cs_study_options *o = study->options;
    struct cs_kept *record;
    int status = 0;

    if (o->per_scenario && write_rows(study, o->per_scenario, err))
        return -1;
    if (!o->schedule && !o->gantt && !o->table && !o->sbatch)
        return 0;
    record = study->problem->record(study, 0, (long)o->scenario, err);
    if (!record || (o->schedule && write_schedule(study, record, err)) ||
        (o->gantt && write_picture(view, study, record, err)) ||
        (o->table && study->problem->table(study, record, err)) ||
        (o->sbatch && write_batch(study, record, err)))
        status = -1;
    if (record)
        study->problem->forget(record);
    return status;
}
