/* cell.c - a study of one variant on one thread, aggregated. */
#include "problem/cell.h"

#include "base/json.h"
#include "base/lock.h"
#include "base/number.h"
#include "problem/sample.h"

#include <math.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *metric_name(const char *value, enum cs_figure figure, struct cs_arena *arena)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    const char *copy;

    if (!value)
        return NULL;
    cs_strbuf_puts(&name, value);
    if (figure != CS_FIGURE_MEAN)
        cs_strbuf_printf(&name, "_%s", cs_figure_name(figure));
    copy = cs_arena_strdup(arena, name.text);
    cs_strbuf_release(&name);
    return copy;
}

/* Data that all cells of a problem share, made on first use. */
struct common {
    const struct cs_problem *problem;
    const struct cs_metric *metric;
    const void *options; /* the defaults */
    struct common *next;
};

static struct cs_lock lock = CS_LOCK_PROCESS;
static struct common *made;
static alignas(max_align_t) unsigned char room[(size_t)512 << 10];
static struct cs_arena *kept; /* in `room`: no heap memory remains allocated */
static struct cs_arena_mark all_made;

static struct cs_metric make_metric(const struct cs_value *value, enum cs_figure figure)
{
    struct cs_metric metric = {.name = metric_name(value->name, figure, kept),
                               .old = metric_name(value->old, figure, kept),
                               .measured = value->measured,
                               .summary = value->summary,
                               .warning = value->warning,
                               .value = value,
                               .figure = figure};

    metric.column = metric.old ? metric.old : metric.name;
    return metric;
}

static const struct cs_metric *cell_make(const struct cs_problem *problem)
{
    struct cs_metric *metric, *next;
    int values = 0;

    while (problem->value[values].name)
        values++;
    next = metric = CS_NEW_ARRAY(kept, struct cs_metric, values * CS_FIGURES + 1);
    for (const struct cs_value *v = problem->value; v->name; v++)
        for (int f = 0; f < CS_FIGURES; f++)
            if (v->in & CS_IN_EXPERIMENTS && (f == CS_FIGURE_MEAN || v->figures & 1U << f))
                *next++ = make_metric(v, (enum cs_figure)f);
    return metric;
}

static const struct common *find_or_make(const struct cs_problem *problem)
{
    struct common *own = made;

    while (own && own->problem != problem)
        own = own->next;
    if (own)
        return own;
    if (!kept) {
        kept = cs_arena_create_in(room, sizeof room);
        all_made = cs_arena_mark(kept);
    }
    cs_arena_rewind(kept, all_made); /* discard what an earlier lack of memory left */
    own = CS_NEW(kept, struct common);
    *own = (struct common){problem, cell_make(problem), cs_problem_options(problem, kept), made};
    all_made = cs_arena_mark(kept);
    return made = own;
}

static const struct common *common_of(const struct cs_problem *problem)
{
    const struct common *own;

    cs_lock_take(&lock);
    own = find_or_make(problem);
    cs_lock_give(&lock);
    return own;
}

const struct cs_metric *cs_cell_metrics(const struct cs_problem *problem)
{
    return common_of(problem)->metric;
}

static void *make_options(const struct cs_problem *problem, struct cs_arena *arena)
{
    return memcpy(CS_NEW_ARRAY(arena, char, problem->options), common_of(problem)->options,
                  problem->options);
}

int cs_cell_metric_count(const struct cs_problem *problem)
{
    const struct cs_metric *metric = cs_cell_metrics(problem);
    int count = 0;

    while (metric[count].name)
        count++;
    return count;
}

/* "'found' is not a KIND; there are a, b, c": returns -1. */
static int cell_unknown(const char *kind, const char *found, struct cs_strbuf *names,
                        struct cs_error *err)
{
    cs_error_set(err, "'%s' is not a %s; there are %s", found, kind, names->text);
    cs_strbuf_release(names);
    return -1;
}

bool cs_metric_is_usual(const struct cs_metric *metric)
{
    return !metric->measured && !metric->value->former;
}

bool cs_metric_fits(const struct cs_metric *metric, double stored, double value)
{
    return metric->measured || stored == value || (isnan(stored) && isnan(value)) ||
           (metric->value->later && isnan(stored));
}

int cs_cell_metric(const struct cs_problem *problem, const char *name, struct cs_error *err)
{
    const struct cs_metric *metric = cs_cell_metrics(problem);
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int m = 0; metric[m].name; m++)
        if (!metric[m].value->former &&
            (!strcmp(metric[m].name, name) || (metric[m].old && !strcmp(metric[m].old, name))))
            return m;
    for (int m = 0; metric[m].name; m++)
        if (!metric[m].value->former)
            cs_strbuf_printf(&names, "%s%s", m ? ", " : "", metric[m].name);
    return cell_unknown("metric", name, &names, err);
}

void cs_metric_put_renamed(const struct cs_metric *metric, const char *name, struct cs_strbuf *out)
{
    if (strcmp(metric->name, name) != 0)
        cs_strbuf_printf(out, "the metric '%s' is now called '%s'", name, metric->name);
}

/* Only the spelling of JSON is a key, so that a document cannot contain a parameter twice. */
static bool is_key(const struct cs_param *param, const char *key)
{
    return (cs_param_is(param, key) && !strchr(key, '-')) ||
           (param->old && !strcmp(param->old, key));
}

const struct cs_param *cs_cell_param(const struct cs_problem *problem, const char *key,
                                     struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (const struct cs_param *f = problem->param; f->name; f++)
        if (f->actions & CS_EXPERIMENT && is_key(f, key))
            return f;
    for (const struct cs_param *f = problem->param; f->name; f++) {
        if (!(f->actions & CS_EXPERIMENT))
            continue;
        cs_strbuf_puts(&names, names.length ? ", " : "");
        cs_param_put_key(f, &names);
    }
    cell_unknown("parameter", key, &names, err);
    return NULL;
}

/* A number; true or false for a switch; else a text. */
static json_t *json_of(const struct cs_param *param, const char *text)
{
    int64_t whole;
    double number;

    if (cs_param_is_switch(param) && (!strcmp(text, "true") || !strcmp(text, "false")))
        return json_boolean(*text == 't');
    if (param->kind == CS_PARAM_TEXT || param->kind == CS_PARAM_PATH)
        return cs_json_word(text);
    if (cs_number_int64(text, &whole) == CS_NUMBER_FINE)
        return cs_json_made(json_integer(whole));
    return cs_number_double(text, &number) == CS_NUMBER_FINE ? cs_json_made(json_real(number))
                                                             : cs_json_word(text);
}

json_t *cs_cell_read(const struct cs_param *param, const char *key, const char *text,
                     struct cs_error *err)
{
    json_t *json = json_of(param, text);
    CS_JSON_HOLD(json);
    struct cs_param_value value;

    if (!json)
        cs_error_set(err, "%s: \"%.60s\" is not a text in UTF-8", key, text);
    else if (cs_param_read_json(param, key, json, &value, err) == 0)
        return cs_unhold(&json_hold);
    return NULL;
}

/* Append the elements of a list, one per line. */
static int cell_join(const struct cs_param *param, const char *key, const json_t *list,
                     struct cs_strbuf *text, struct cs_error *err)
{
    if (!json_array_size(list))
        return cs_error_set(err, "%s: the list is empty", key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct cs_param_value value;

        if (cs_param_read_json(param, key, json_array_get(list, i), &value, err))
            return -1;
        if (strchr(value.text, '\n'))
            return cs_error_set(err, "%s: a text of several lines", key);
        cs_strbuf_printf(text, "%s%s", i ? "\n" : "", value.text);
    }
    return 0;
}

static int read_value(const struct cs_param *param, const char *key, const json_t *json,
                      struct cs_arena *arena, struct cs_param_value *value, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    if (!param->repeats || !json_is_array(json))
        return cs_param_read_json(param, key, json, value, err);
    status = cell_join(param, key, json, &text, err);
    if (!status)
        *value = (struct cs_param_value){.text = cs_arena_strdup(arena, text.text), .choice = -1};
    cs_strbuf_release(&text);
    return status;
}

int cs_cell_check_value(const struct cs_param *param, const char *key, const json_t *json,
                        struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_param_value value;
    int status = read_value(param, key, json, arena, &value, err);

    cs_arena_destroy(arena);
    return status;
}

static int cell_take(const struct cs_problem *problem, const char *name, const json_t *json,
                     void *options, struct cs_arena *arena, struct cs_error *err)
{
    bool old;
    const struct cs_param *param = cs_params_find(problem->param, CS_EXPERIMENT, name, &old, err);
    struct cs_param_value value;

    if (!param)
        return -1;
    if (read_value(param, name, json, arena, &value, err))
        return -1;
    if (old && param->old_unit > 0)
        value.real *= param->old_unit;
    cs_param_store(param, &value, options);
    return 0;
}

static bool is_set(const struct cs_param *param, const json_t *parameters)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        if (cs_param_is(param, name))
            return !json_is_false(value);
    }
    return false;
}

static int check_needs(const struct cs_problem *problem, const json_t *parameters,
                       struct cs_error *err)
{
    for (const struct cs_param *f = problem->param; f->name; f++) {
        const struct cs_param *other;
        bool old;

        if (!f->needs || !(f->actions & CS_EXPERIMENT) || !is_set(f, parameters))
            continue;
        other = cs_params_find(problem->param, CS_EXPERIMENT, f->needs, &old, err);
        if (!other || !is_set(other, parameters))
            return cs_error_set(err, "%s is for %s, which is not given", f->name, f->needs);
    }
    return 0;
}

/* The message quotes the command as JSON, which escapes control characters. */
static int refuse_command(const char *name, const json_t *value, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_json_put(&text, value, JSON_ENCODE_ANY);
    cs_error_set(err,
                 "%s is a command, and commands of experiments are run only with permission: set "
                 "COSCHED_PROGRAMS=run in the environment if you trust %.300s",
                 name, text.text);
    cs_strbuf_release(&text);
    return -1;
}

int cs_cell_consent(const struct cs_problem *problem, const json_t *parameters,
                    struct cs_error *err)
{
    const char *consent = getenv("COSCHED_PROGRAMS"), *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        const struct cs_param *param = cs_cell_param(problem, name, NULL);

        if (param && param->runs && (!consent || strcmp(consent, "run") != 0))
            return refuse_command(name, value, err);
    }
    return 0;
}

static int check_required(const struct cs_problem *problem, const json_t *parameters,
                          struct cs_error *err)
{
    for (const struct cs_param *f = problem->param; f->name; f++)
        if (f->required & CS_EXPERIMENT && !is_set(f, parameters))
            return cs_error_set(err, "%s is missing: %s", f->name, f->summary);
    return 0;
}

int cs_cell_options(const struct cs_problem *problem, const json_t *parameters, void *options,
                    struct cs_arena *arena, struct cs_error *err)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        if (cell_take(problem, name, value, options, arena, err))
            return -1;
    }
    return cs_params_check_once(problem->param, CS_EXPERIMENT, parameters, err) ||
                   check_required(problem, parameters, err) || check_needs(problem, parameters, err)
               ? -1
               : 0;
}

static void sum_up(const struct cs_study *study, double *value)
{
    const struct cs_metric *metric = cs_cell_metrics(study->problem);
    double *all = CS_NEW_ARRAY(study->arena, double, study->runs);

    for (; metric->name; metric++) {
        struct cs_sample sample =
            cs_sample_make(all, cs_study_values(study, 0, metric->value, all));

        *value++ = sample.figure[metric->figure];
    }
}

static int check_policies(const struct cs_param *param, const void *options, struct cs_arena *arena,
                          struct cs_error *err)
{
    const char *text = *(const char *const *)(const void *)((const char *)options + param->at);
    const char *const *word;
    struct cs_policy_call *call;

    return text && cs_study_policies(param->policies, text, 0, arena, &call, &word, err) < 0 ? -1
                                                                                             : 0;
}

static int check_all(const struct cs_problem *problem, const json_t *parameters,
                     struct cs_arena *arena, struct cs_error *err)
{
    void *options = make_options(problem, arena);

    if (cs_cell_options(problem, parameters, options, arena, err))
        return -1;
    for (const struct cs_param *f = problem->param; f->name; f++)
        if (f->policies && f->actions & CS_EXPERIMENT && check_policies(f, options, arena, err))
            return -1;
    return problem->check ? problem->check(options, err) : 0;
}

int cs_cell_check(const struct cs_problem *problem, const json_t *parameters, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int status = check_all(problem, parameters, arena, err);

    cs_arena_destroy(arena);
    return status;
}

static int cell_run(struct cs_study *study, double *value, char *identity, struct cs_error *err)
{
    if (study->variants != 1)
        return cs_error_set(err,
                            "a cell of an experiment runs in one way, not in %d: make the "
                            "policies an axis, or series",
                            study->variants);
    study->problem->identify(study, identity);
    if (cs_study_run(study, NULL, err))
        return -1;
    sum_up(study, value);
    return 0;
}

int cs_cell_run(const struct cs_problem *problem, const json_t *parameters, uint64_t seed,
                struct cs_cache *cache, double *value, char *identity, struct cs_error *err)
{
    const struct cs_study_context context = {.action = CS_EXPERIMENT, .cache = cache};
    struct cs_arena *arena = cs_arena_create();
    struct cs_study_options *options = make_options(problem, arena);
    struct cs_study *study = NULL;
    int status = cs_cell_consent(problem, parameters, err) ||
                 cs_cell_options(problem, parameters, options, arena, err);

    options->seed = (int64_t)seed;
    options->threads = 1;
    if (!status)
        study = cs_study_open(problem, options, &context, err);
    status = study ? cell_run(study, value, identity, err) : -1;
    cs_study_close(study);
    cs_arena_destroy(arena);
    return status;
}
