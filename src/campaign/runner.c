/* runner.c - the list of runners, and checks of their parameters. */
#include "campaign/runner.h"

#include "base/number.h"
#include "base/strbuf.h"

#include <string.h>
#include <threads.h>

#define RUNNERS_MOST 16

/* Made once, of the descriptions of the problems. */
static struct cs_runner made[RUNNERS_MOST];
static const struct cs_runner *runners[RUNNERS_MOST];
static int runners_count;
static struct cs_arena *kept; /* of what they point to; kept */
static once_flag once = ONCE_FLAG_INIT;

static enum cs_parameter_kind kind_of(const struct cs_field *field)
{
    switch (field->kind) {
    case CS_FIELD_INTEGER:
        return CS_PARAMETER_INTEGER;
    case CS_FIELD_REAL:
    case CS_FIELD_SECONDS:
        return CS_PARAMETER_REAL;
    case CS_FIELD_PATH:
        return CS_PARAMETER_FILE;
    default:
        return CS_PARAMETER_TEXT;
    }
}

static const char *key_of(const char *name, struct cs_arena *arena)
{
    char *key = cs_arena_strdup(arena, name);

    for (char *c = key; *c; c++)
        *c = (char)(*c == '-' ? '_' : *c);
    return key;
}

static const struct cs_parameter *parameters_of(const struct cs_problem *problem,
                                                struct cs_arena *arena)
{
    struct cs_parameter *parameter, *next;
    int count = 0;

    for (const struct cs_field *f = problem->field; f->name; f++)
        count += 2;
    next = parameter = CS_NEW_ARRAY(arena, struct cs_parameter, count + 1);
    for (const struct cs_field *f = problem->field; f->name; f++) {
        if (!(f->verbs & CS_EXPERIMENT))
            continue;
        *next++ = (struct cs_parameter){
            .name = key_of(f->name, arena), .kind = kind_of(f), .field = f, .summary = f->summary};
        if (f->old && strcmp(f->old, next[-1].name)) {
            *next = next[-1];
            next++->name = f->old;
        }
    }
    return parameter;
}

static void make_runners(void)
{
    const struct cs_problem *const *problem = cs_problems(&runners_count);

    kept = cs_arena_create();

    for (int p = 0; p < runners_count; p++) {
        made[p] = (struct cs_runner){.problem = problem[p],
                                     .name = problem[p]->name,
                                     .summary = problem[p]->summary,
                                     .parameters = parameters_of(problem[p], kept),
                                     .metrics = cs_cell_metrics(problem[p], kept)};
        runners[p] = &made[p];
    }
}

const struct cs_runner *const *cs_runners(int *count)
{
    call_once(&once, make_runners);
    *count = runners_count;
    return runners;
}

int cs_runner_run(const struct cs_runner *runner, const json_t *parameters, uint64_t seed,
                  struct cs_cache *keep, double *value, char *identity, struct cs_error *err)
{
    return runner->problem
               ? cs_cell_run(runner->problem, parameters, seed, keep, value, identity, err)
               : runner->run(parameters, seed, keep, value, identity, err);
}

/* "'found' is not a KIND; there are a, b, c": returns -1. */
static int unknown(const char *kind, const char *found, struct cs_strbuf *names,
                   struct cs_error *err)
{
    cs_error_set(err, "'%s' is not a %s; there are %s", found, kind, names->text);
    cs_strbuf_release(names);
    return -1;
}

static void list(struct cs_strbuf *names, const char *name)
{
    cs_strbuf_printf(names, "%s%s", names->length ? ", " : "", name);
}

const struct cs_runner *cs_runner_find(const char *name, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    int count;
    const struct cs_runner *const *all = cs_runners(&count);

    for (int r = 0; r < count; r++)
        if (!strcmp(all[r]->name, name))
            return all[r];
    for (int r = 0; r < count; r++)
        list(&names, all[r]->name);
    unknown("problem", name, &names, err);
    return NULL;
}

int cs_runner_metrics(const struct cs_runner *runner)
{
    int count = 0;

    while (runner->metrics[count].name)
        count++;
    return count;
}

int cs_runner_metric(const struct cs_runner *runner, const char *name, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    int count = cs_runner_metrics(runner);

    for (int m = 0; m < count; m++)
        if (!strcmp(runner->metrics[m].name, name))
            return m;
    for (int m = 0; m < count; m++)
        list(&names, runner->metrics[m].name);
    return unknown("metric", name, &names, err);
}

static int check_number(const struct cs_parameter *p, const json_t *value, struct cs_error *err)
{
    double number = json_number_value(value);

    if (p->kind == CS_PARAMETER_INTEGER && !json_is_integer(value))
        return cs_error_set(err, "%s: a whole number is wanted", p->name);
    if (!json_is_number(value))
        return cs_error_set(err, "%s: a number is wanted", p->name);
    if (!(number >= p->low && number <= p->high))
        return cs_error_set(err, "%s: %g is not between %g and %g", p->name, number, p->low,
                            p->high);
    return 0;
}

static bool is_number(const struct cs_parameter *p)
{
    return p->kind == CS_PARAMETER_INTEGER || p->kind == CS_PARAMETER_REAL;
}

int cs_parameter_check(const struct cs_parameter *p, const json_t *value, struct cs_error *err)
{
    struct cs_field_value read;

    if (p->field)
        return cs_field_read_json(p->field, p->name, value, &read, err);
    if (is_number(p))
        return check_number(p, value, err);
    if (!json_is_string(value) || !*json_string_value(value))
        return cs_error_set(err, "%s: a text is wanted", p->name);
    return 0;
}

const struct cs_parameter *cs_runner_parameter(const struct cs_runner *runner, const char *name,
                                               struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (const struct cs_parameter *p = runner->parameters; p->name; p++)
        if (!strcmp(p->name, name))
            return p;
    for (const struct cs_parameter *p = runner->parameters; p->name; p++)
        list(&names, p->name);
    unknown("parameter", name, &names, err);
    return NULL;
}

/* NULL when it is neither a whole number nor a number. */
static json_t *read_number(const char *text)
{
    int64_t whole;
    double number;

    if (cs_number_int64(text, &whole) == CS_NUMBER_FINE)
        return json_integer(whole);
    return cs_number_double(text, &number) == CS_NUMBER_FINE ? json_real(number) : NULL;
}

json_t *cs_parameter_read(const struct cs_parameter *parameter, const char *text,
                          struct cs_error *err)
{
    json_t *value = is_number(parameter) || parameter->field ? read_number(text) : NULL;

    if (!value && (!is_number(parameter) || parameter->field))
        value = json_string(text);

    if (!value) {
        cs_error_set(err, "%s: \"%.60s\" is not a %s", parameter->name, text,
                     is_number(parameter) ? "number" : "text in UTF-8");
        return NULL;
    }
    if (cs_parameter_check(parameter, value, err) == 0)
        return value;
    json_decref(value);
    return NULL;
}

static int check_one(const struct cs_runner *runner, const char *name, const json_t *value,
                     struct cs_error *err)
{
    const struct cs_parameter *p = cs_runner_parameter(runner, name, err);

    return p ? cs_parameter_check(p, value, err) : -1;
}

int cs_runner_check(const struct cs_runner *runner, const json_t *parameters, struct cs_error *err)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name,
                        value) if (check_one(runner, name, value, err)) return -1;
    for (const struct cs_parameter *p = runner->parameters; p->name; p++)
        if (p->required && !json_object_get(parameters, p->name))
            return cs_error_set(err, "%s is missing: %s", p->name, p->summary);
    return 0;
}

const char *cs_parameter_text(const json_t *parameters, const char *name, const char *fallback)
{
    const json_t *value = json_object_get(parameters, name);

    return value ? json_string_value(value) : fallback;
}

int cs_parameter_integer(const json_t *parameters, const char *name, int fallback)
{
    const json_t *value = json_object_get(parameters, name);

    return value ? (int)json_integer_value(value) : fallback;
}

double cs_parameter_real(const json_t *parameters, const char *name, double fallback)
{
    const json_t *value = json_object_get(parameters, name);

    return value ? json_number_value(value) : fallback;
}
