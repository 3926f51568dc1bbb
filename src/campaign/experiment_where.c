/* experiment_where.c - some cells of a sweep. */
#include "base/arena.h"
#include "base/json_make.h"
#include "base/number.h"
#include "campaign/experiment.h"
#include "campaign/parameters.h"

#include <string.h>

/* A parsed NAME=VALUE. One of axis, parameter and replicate is set. */
struct condition {
    const char *name;
    int axis, value;       /* -1 */
    const char *parameter; /* NULL */
    json_t *wanted;
    struct cs_hold hold; /* of it */
    int replicate;       /* -1 */
};

static int unknown_name(const struct cs_experiment *experiment, const char *name,
                        struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int a = 0; a < experiment->axes; a++)
        cs_strbuf_printf(&names, "%s, ", experiment->axis[a].name);
    for (int p = 0; p < experiment->varied; p++) {
        bool axis = false;

        for (int a = 0; a < experiment->axes; a++)
            axis = axis || !strcmp(experiment->axis[a].name, experiment->parameter[p]);
        if (!axis)
            cs_strbuf_printf(&names, "%s, ", experiment->parameter[p]);
    }
    cs_error_set(err, "'%s' does not vary in %s; there are %sreplicate", name, experiment->file,
                 names.text);
    cs_strbuf_release(&names);
    return -1;
}

static int unknown_label(const struct cs_experiment *experiment,
                         const struct cs_experiment_axis *axis, const char *label,
                         struct cs_error *err)
{
    struct cs_strbuf labels = CS_STRBUF_INIT;

    for (int v = 0; v < axis->count && v < 20; v++)
        cs_strbuf_printf(&labels, "%s%s", v ? ", " : "", axis->value[v].name);
    if (axis->count > 20)
        cs_strbuf_puts(&labels, ", ...");
    cs_error_set(err, "%s: %s has no value '%s'; there are %s", experiment->file, axis->name, label,
                 labels.text);
    cs_strbuf_release(&labels);
    return -1;
}

/* A label, or another way to write its number. */
static int find_value(const struct cs_experiment *experiment, int a, const char *label, int *out,
                      struct cs_error *err)
{
    const struct cs_experiment_axis *axis = &experiment->axis[a];
    const json_t *index = json_object_get(axis->by_name, label);
    double number;

    *out = index ? (int)json_integer_value(index) : -1;
    if (index)
        return 0;
    if (cs_number_double(label, &number) == CS_NUMBER_FINE)
        for (int v = 0; v < axis->count && *out < 0; v++)
            if (axis->value[v].number == number)
                *out = v;
    return *out < 0 ? unknown_label(experiment, axis, label, err) : 0;
}

static int read_replicate(const struct cs_experiment *experiment, const char *text, int *out,
                          struct cs_error *err)
{
    if (cs_number_int(text, out) != CS_NUMBER_FINE || *out < 0 || *out >= experiment->replicates)
        return cs_error_set(err, "%s: replicate '%s' is not there; they are 0 to %d",
                            experiment->file, text, experiment->replicates - 1);
    return 0;
}

static int read_condition(const struct cs_experiment *experiment, const char *text,
                          struct cs_arena *arena, struct condition *out, struct cs_error *err)
{
    const char *sign = strchr(text, '=');
    const struct cs_field *known;

    if (!sign)
        return cs_error_set(err, "'%s' is not NAME=VALUE", text);
    *out = (struct condition){
        .name = cs_arena_strndup(arena, text, (size_t)(sign - text)), .axis = -1, .replicate = -1};
    out->name = cs_parameters_name(experiment->problem, out->name, experiment->warnings, arena);
    if (!strcmp(out->name, "replicate"))
        return read_replicate(experiment, sign + 1, &out->replicate, err);
    for (int a = 0; a < experiment->axes; a++)
        if (!strcmp(experiment->axis[a].name, out->name)) {
            out->axis = a;
            known = cs_cell_field(experiment->problem, out->name, NULL);
            return find_value(experiment, a, known ? cs_choice_now(known, sign + 1) : sign + 1,
                              &out->value, err);
        }
    for (int p = 0; p < experiment->varied; p++)
        if (!strcmp(experiment->parameter[p], out->name)) {
            out->parameter = out->name;
            out->wanted = cs_cell_read(cs_cell_field(experiment->problem, out->name, NULL),
                                       out->name, sign + 1, err);
            cs_json_hold(&out->hold, out->wanted);
            return out->wanted ? 0 : -1;
        }
    return unknown_name(experiment, out->name, err);
}

static bool has_value(const json_t *parameters, const struct condition *condition)
{
    const json_t *value = json_object_get(parameters, condition->parameter);

    if (json_is_number(condition->wanted))
        return json_is_number(value) &&
               json_number_value(value) == json_number_value(condition->wanted);
    return json_equal(value, condition->wanted);
}

static bool is_met(const struct cs_experiment *experiment, const struct cs_cell *cell,
                   const struct condition *condition)
{
    if (condition->replicate >= 0)
        return cell->replicate == condition->replicate;
    if (condition->parameter)
        return has_value(cell->parameters, condition);
    return experiment->combination[cell->combination].at[condition->axis] == condition->value;
}

/* For each name, one of its conditions. */
static bool meets_all(const struct cs_experiment *experiment, const struct cs_cell *cell,
                      const struct condition *condition, int count)
{
    for (int i = 0; i < count; i++) {
        bool met = false;

        for (int k = 0; k < count; k++)
            met = met || (!strcmp(condition[i].name, condition[k].name) &&
                          is_met(experiment, cell, &condition[k]));
        if (!met)
            return false;
    }
    return true;
}

int cs_experiment_where(const struct cs_experiment *experiment, const char *const *condition,
                        int conditions, bool *keep, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct condition *list = CS_NEW_ARRAY(arena, struct condition, conditions);
    int status = 0;

    for (int i = 0; i < conditions && !status; i++)
        status = read_condition(experiment, condition[i], arena, &list[i], err);
    for (int c = 0; c < experiment->count && !status; c++)
        keep[c] = keep[c] && meets_all(experiment, &experiment->cell[c], list, conditions);
    for (int i = 0; i < conditions; i++)
        cs_release(&list[i].hold);
    cs_arena_destroy(arena);
    return status;
}
