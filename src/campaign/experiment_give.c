/* experiment_give.c - parameters that are given from outside. */
#include "campaign/experiment.h"

#include "base/json_make.h"
#include "campaign/parameters.h"

#include <inttypes.h>
#include <string.h>

static bool is_needed(const struct cs_experiment *experiment, const char *parameter)
{
    for (int n = 0; n < experiment->needs; n++)
        if (!strcmp(experiment->need[n].parameter, parameter))
            return true;
    return false;
}

/* Under its name or its old one. */
static bool is_set(const json_t *set, const struct cs_field *field)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)set, name, value)
    {
        if (cs_field_is(field, name))
            return true;
    }
    return false;
}

/* The axis that sets the parameter; NULL: none. */
static const char *find_owner(const struct cs_experiment *experiment, const struct cs_field *field)
{
    static const char *const word[] = {"panels", "series", "axis"};

    for (int a = experiment->axes - 1; a >= 0; a--)
        for (int v = 0; v < experiment->axis[a].count; v++)
            if (is_set(experiment->axis[a].value[v].set, field))
                return experiment->paper ? word[a] : experiment->axis[a].name;
    return NULL;
}

int cs_experiment_takes(const struct cs_experiment *experiment, const char *parameter,
                        struct cs_error *err)
{
    struct cs_error inner = {0};
    const struct cs_field *known = cs_cell_field(experiment->problem, parameter, &inner);
    const char *owner = known ? find_owner(experiment, known) : NULL;

    if (!known)
        return cs_error_set(err, "%s: %s", experiment->name, inner.text);
    if (owner)
        return cs_error_set(err, "%s: its %s set '%s', it cannot be given", experiment->name, owner,
                            parameter);
    if (known->kind == CS_FIELD_PATH && !is_needed(experiment, parameter))
        return cs_error_set(err, "%s takes no file as '%s'", experiment->name, parameter);
    return 0;
}

static void experiment_give_discard(const struct cs_field *field, json_t *parameters)
{
    const char *name;
    json_t *value;
    void *next;

    json_object_foreach_safe(parameters, next, name, value)
    {
        if (cs_field_is(field, name))
            json_object_del(parameters, name);
    }
}

/* A given parameter has one name only. */
static void experiment_give_update(const struct cs_problem *problem, json_t *parameters,
                                   json_t *supplied)
{
    const char *name;
    json_t *value;

    json_object_foreach(supplied, name, value)
    {
        const struct cs_field *field = cs_cell_field(problem, name, NULL);

        if (field && field->old)
            experiment_give_discard(field, parameters);
    }
    cs_json_update(parameters, supplied);
}

/* The cells of a combination share their parameters. */
void cs_experiment_give_all(struct cs_experiment *experiment, json_t *supplied)
{
    json_t *updated =
        cs_parameters_update(experiment->problem, supplied, experiment->warnings, NULL);
    CS_JSON_HOLD(updated);

    supplied = updated ? updated : supplied;
    experiment_give_update(experiment->problem, experiment->supplied, supplied);
    for (int c = 0; c < experiment->combinations; c++)
        experiment_give_update(experiment->problem,
                               experiment->cell[experiment->combination[c].first].parameters,
                               supplied);
}

static bool is_used(const struct cs_experiment *experiment, const char *name)
{
    for (int c = 0; c < experiment->combinations; c++)
        if (json_object_get(experiment->cell[experiment->combination[c].first].parameters, name))
            return true;
    return false;
}

void cs_experiment_note_metric(const struct cs_experiment *experiment, const char *name, int metric)
{
    const char *now = cs_cell_metrics(experiment->problem)[metric].name;
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!strcmp(name, now) || experiment->renamed)
        return;
    cs_strbuf_printf(&text, "the metric '%s' is now called '%s'", name, now);
    cs_json_set(experiment->warnings, text.text, json_true());
    cs_strbuf_release(&text);
}

void cs_experiment_old_names(const struct cs_experiment *experiment,
                             void (*report)(const char *text, void *who), void *who)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *warning;
    json_t *value;

    if (experiment->renamed) {
        cs_problem_put_renamed(experiment->problem, &text);
        report(text.text, who);
    }
    for (const struct cs_field *f = experiment->problem->field; f->name; f++) {
        if (!(f->verbs & CS_EXPERIMENT) || !f->old || !is_used(experiment, f->old))
            continue;
        cs_strbuf_clear(&text);
        cs_field_put_renamed(f, true, NULL, &text);
        if (text.length)
            report(text.text, who);
    }
    json_object_foreach(experiment->warnings, warning, value) report(warning, who);
    cs_strbuf_release(&text);
}

int cs_experiment_give(struct cs_experiment *experiment, const char *parameter, const char *text,
                       struct cs_error *err)
{
    struct cs_error inner = {0};
    json_t *value;
    CS_HOLD(supplied);

    parameter =
        cs_parameters_name(experiment->problem, parameter, experiment->warnings, experiment->arena);
    if (cs_experiment_takes(experiment, parameter, err))
        return -1;
    value =
        cs_cell_read(cs_cell_field(experiment->problem, parameter, err), parameter, text, &inner);
    if (!value)
        return cs_error_set(err, "%s: %s", experiment->name, inner.text);
    cs_json_hold(&supplied, cs_json_pair(parameter, value));
    cs_experiment_give_all(experiment, supplied.thing);
    return 0;
}

const struct cs_experiment_need *cs_experiment_missing(const struct cs_experiment *experiment)
{
    for (int n = 0; n < experiment->needs; n++)
        if (!json_object_get(experiment->supplied, experiment->need[n].parameter))
            return &experiment->need[n];
    return NULL;
}

int cs_experiment_consent(const struct cs_experiment *experiment, struct cs_error *err)
{
    for (int c = 0; c < experiment->combinations; c++) {
        const struct cs_cell *cell = &experiment->cell[experiment->combination[c].first];

        if (cs_cell_consent(experiment->problem, cell->parameters, err))
            return cs_error_prefix(err, "%s", experiment->file);
    }
    return 0;
}

static void put_supplied(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    const char *name;
    json_t *value;
    struct cs_strbuf word = CS_STRBUF_INIT;

    json_object_foreach(experiment->supplied, name, value)
    {
        if (strcmp(name, "input"))
            cs_strbuf_printf(out, " --set %s=", name);
        else
            cs_strbuf_puts(out, " --input ");
        cs_strbuf_clear(&word);
        cs_parameters_put_word(value, &word);
        cs_strbuf_put_shell(out, word.text);
    }
    cs_strbuf_release(&word);
}

void cs_experiment_put_command(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "cosched paper run ");
    cs_strbuf_put_shell(out, experiment->name);
    if (experiment->quick)
        cs_strbuf_puts(out, " --quick");
    put_supplied(experiment, out);
    if (experiment->seed != experiment->declared)
        cs_strbuf_printf(out, " --seed %" PRIu64, experiment->seed);
}
