/* cell.c - a study of one way on one thread, summed up. */
#include "study/cell.h"

#include "study/sample.h"

#include <math.h>
#include <string.h>

static const char *metric_name(const struct cs_value *value, enum cs_figure figure,
                               struct cs_arena *arena)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    const char *copy;

    cs_strbuf_puts(&name, value->name);
    if (figure != CS_FIGURE_MEAN)
        cs_strbuf_printf(&name, "_%s", cs_figure_name(figure));
    copy = cs_arena_strdup(arena, name.text);
    cs_strbuf_release(&name);
    return copy;
}

const struct cs_metric *cs_cell_metrics(const struct cs_problem *problem, struct cs_arena *arena)
{
    struct cs_metric *metric, *next;
    int values = 0;

    while (problem->value[values].name)
        values++;
    next = metric = CS_NEW_ARRAY(arena, struct cs_metric, values * CS_FIGURES + 1);
    for (const struct cs_value *v = problem->value; v->name; v++)
        for (int f = 0; f < CS_FIGURES; f++)
            if (v->in & CS_IN_EXPERIMENTS && (f == CS_FIGURE_MEAN || v->figures & 1U << f))
                *next++ = (struct cs_metric){metric_name(v, (enum cs_figure)f, arena),
                                             v->measured,
                                             v->summary,
                                             v->warning,
                                             v,
                                             (enum cs_figure)f};
    return metric;
}

static int take(const struct cs_problem *problem, const char *name, const json_t *json,
                void *options, struct cs_error *err)
{
    bool old;
    const struct cs_field *field = cs_fields_find(problem->field, CS_EXPERIMENT, name, &old, err);
    struct cs_field_value value;

    if (!field)
        return -1;
    if (cs_field_read_json(field, name, json, &value, err))
        return -1;
    if (old && field->old_unit > 0)
        value.real *= field->old_unit;
    cs_field_store(field, &value, options);
    return 0;
}

static bool is_given(const struct cs_field *field, const json_t *parameters)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        if (cs_field_is(field, name))
            return true;
    }
    return false;
}

static int check_required(const struct cs_problem *problem, const json_t *parameters,
                          struct cs_error *err)
{
    for (const struct cs_field *f = problem->field; f->name; f++)
        if (f->required & CS_EXPERIMENT && !is_given(f, parameters))
            return cs_error_set(err, "%s is missing: %s", f->name, f->summary);
    return 0;
}

int cs_cell_options(const struct cs_problem *problem, const json_t *parameters, void *options,
                    struct cs_error *err)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        if (take(problem, name, value, options, err))
            return -1;
    }
    return check_required(problem, parameters, err);
}

static void sum_up(const struct cs_study *study, double *value)
{
    const struct cs_metric *metric = cs_cell_metrics(study->problem, study->arena);
    double *all = CS_NEW_ARRAY(study->arena, double, study->runs);

    for (; metric->name; metric++) {
        struct cs_sample sample =
            cs_sample_make(all, cs_study_values(study, 0, metric->value, all));

        *value++ = sample.figure[metric->figure];
    }
}

static int run(struct cs_study *study, double *value, char *identity, struct cs_error *err)
{
    if (study->ways != 1)
        return cs_error_set(err,
                            "a cell of an experiment runs in one way, not in %d: make the "
                            "policies an axis, or series",
                            study->ways);
    study->problem->identify(study, identity);
    if (cs_study_run(study, NULL, err))
        return -1;
    sum_up(study, value);
    return 0;
}

int cs_cell_run(const struct cs_problem *problem, const json_t *parameters, uint64_t seed,
                struct cs_cache *cache, double *value, char *identity, struct cs_error *err)
{
    const struct cs_study_context context = {.verb = CS_EXPERIMENT, .cache = cache};
    struct cs_arena *arena = cs_arena_create();
    struct cs_study_options *options = cs_problem_options(problem, arena);
    struct cs_study *study = NULL;
    int status = cs_cell_options(problem, parameters, options, err);

    options->seed = (int64_t)seed;
    options->threads = 1;
    if (!status)
        study = cs_study_open(problem, options, &context, err);
    status = study ? run(study, value, identity, err) : -1;
    cs_study_close(study);
    cs_arena_destroy(arena);
    return status;
}
