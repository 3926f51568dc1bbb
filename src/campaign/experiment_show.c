/* experiment_show.c - the shown metrics and the axes of a figure. */
#include "base/json.h"
#include "base/order.h"
#include "campaign/experiment.h"
#include "campaign/experiment_reader.h"
#include "campaign/parameters.h"
#include "campaign/store.h"
#include "report/human.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters that are given from outside. */

static bool is_needed(const struct cs_experiment *experiment, const char *parameter)
{
    for (int n = 0; n < experiment->needs; n++)
        if (!strcmp(experiment->need[n].parameter, parameter))
            return true;
    return false;
}

/* Under its name or its old one. */
static bool is_set(const json_t *set, const struct cs_param *param)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)set, name, value)
    {
        if (cs_param_is(param, name))
            return true;
    }
    return false;
}

/* The axis that sets the parameter; NULL: none. */
static const char *find_owner(const struct cs_experiment *experiment, const struct cs_param *param)
{
    static const char *const word[] = {"panels", "series", "axis"};

    for (int a = experiment->axes - 1; a >= 0; a--)
        for (int v = 0; v < experiment->axis[a].count; v++)
            if (is_set(experiment->axis[a].value[v].set, param))
                return experiment->paper ? word[a] : experiment->axis[a].name;
    return NULL;
}

int cs_experiment_takes(const struct cs_experiment *experiment, const char *parameter,
                        struct cs_error *err)
{
    struct cs_error inner = {0};
    const struct cs_param *known = cs_cell_param(experiment->problem, parameter, &inner);
    const char *owner = known ? find_owner(experiment, known) : NULL;

    if (!known)
        return cs_error_set(err, "%s: %s", experiment->name, inner.text);
    if (owner)
        return cs_error_set(err, "%s: its %s set '%s', it cannot be given", experiment->name, owner,
                            parameter);
    if (known->kind == CS_PARAM_PATH && !is_needed(experiment, parameter))
        return cs_error_set(err, "%s takes no file as '%s'", experiment->name, parameter);
    return 0;
}

static void experiment_give_discard(const struct cs_param *param, json_t *parameters)
{
    const char *name;
    json_t *value;
    void *next;

    json_object_foreach_safe(parameters, next, name, value)
    {
        if (cs_param_is(param, name))
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
        const struct cs_param *param = cs_cell_param(problem, name, NULL);

        if (param && param->old)
            experiment_give_discard(param, parameters);
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

/* Note a warning if the name of the metric is that of a former release. */
static void experiment_note_metric(const struct cs_experiment *experiment, const char *name,
                                   int metric)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_metric_put_renamed(&cs_cell_metrics(experiment->problem)[metric], name, &text);
    if (text.length && !experiment->renamed)
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
    for (const struct cs_param *f = experiment->problem->param; f->name; f++) {
        if (f->moved && is_used(experiment, f->name)) {
            cs_strbuf_clear(&text);
            cs_problem_put_moved(experiment->problem, f, &text);
            report(text.text, who);
        }
        if (!(f->actions & CS_EXPERIMENT) || !f->old || !is_used(experiment, f->old))
            continue;
        cs_strbuf_clear(&text);
        cs_param_put_renamed(f, true, NULL, &text);
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
        cs_cell_read(cs_cell_param(experiment->problem, parameter, err), parameter, text, &inner);
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
    if (experiment->seeds > 1)
        cs_strbuf_printf(out, " --seeds %d", experiment->seeds);
}

/* ---- texts about a run ---- */

/* A parameter of all cells; NULL when it is not set. */
static const json_t *parameter_of(const struct cs_experiment *experiment, const char *name)
{
    const json_t *supplied = json_object_get(experiment->supplied, name);

    return supplied ? supplied : json_object_get(experiment->set, name);
}

bool cs_experiment_has_second(const struct cs_experiment *experiment)
{
    const struct cs_second_column *second = experiment->second;
    const char *value = second && second->parameter
                            ? json_string_value(parameter_of(experiment, second->parameter))
                            : NULL;

    return second && !(value && !strcmp(value, second->value));
}

int cs_experiment_most_replicates(const struct cs_experiment *experiment)
{
    int most = 1;

    for (int c = 0; c < experiment->combinations; c++)
        if (experiment->combination[c].count > most)
            most = experiment->combination[c].count;
    return most;
}

/* Those of the series with most, in the document without "quick". */
static int whole_replicates(const struct cs_experiment *experiment)
{
    json_int_t all = json_integer_value(json_object_get(experiment->source, "replicates"));
    const char *name;
    json_t *series;

    json_object_foreach(json_object_get(experiment->source, "series"), name, series)
    {
        const json_int_t own = json_integer_value(json_object_get(series, "replicates"));

        all = own > all ? own : all;
    }
    return all > 1 ? (int)all * experiment->seeds : 1;
}

void cs_experiment_put_quick(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    if (experiment->quick)
        cs_strbuf_printf(out, "quick look: %d of %d replicates",
                         cs_experiment_most_replicates(experiment), whole_replicates(experiment));
}

static void put_seeds(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%" PRIu64, experiment->seed);
    if (experiment->seeds > 1)
        cs_strbuf_printf(out, " to %" PRIu64, experiment->seed + (uint64_t)experiment->seeds - 1);
}

/* The number of this run under the name; false: it has none. */
static bool put_subtitle_number(const struct cs_experiment *experiment, const char *name,
                                struct cs_strbuf *out)
{
    const json_t *value = parameter_of(experiment, name);

    if (!strcmp(name, "runs"))
        cs_human_count(out, experiment->count);
    else if (!strcmp(name, "replicates"))
        cs_human_count(out, cs_experiment_most_replicates(experiment));
    else if (!strcmp(name, "seed"))
        put_seeds(experiment, out);
    else if (value &&
             (!strcmp(name, "scenarios") || !strcmp(name, "tasks") || !strcmp(name, "procs")))
        cs_parameters_put_word(value, out);
    else
        return false;
    return true;
}

/* The number of the name of this length at `at`. */
static bool put_subtitle_word(const struct cs_experiment *experiment, const char *at, size_t length,
                              struct cs_strbuf *out)
{
    char name[32];

    if (length >= sizeof name)
        return false;
    memcpy(name, at, length);
    name[length] = '\0';
    return put_subtitle_number(experiment, name, out);
}

int cs_experiment_check_subtitle(struct cs_experiment_reader *reader)
{
    const struct cs_experiment *experiment = reader->experiment;
    const struct cs_json_at at = cs_member_at(&reader->root, "subtitle");
    struct cs_strbuf number = CS_STRBUF_INIT;
    int status = 0;

    for (const char *open = experiment->subtitle; open && (open = strchr(open, '{')) && !status;
         open++) {
        const size_t length = strcspn(open + 1, "}");

        if (!put_subtitle_word(experiment, open + 1, length, &number))
            status = cs_json_error(&at, reader->err,
                                   "{%.*s} is not known: runs, replicates, scenarios, tasks, procs "
                                   "or seed (parameters where the file sets them)",
                                   length < 60 ? (int)length : 60, open + 1);
    }
    cs_strbuf_release(&number);
    return status;
}

void cs_experiment_put_subtitle(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    for (const char *at = experiment->subtitle; at && *at;) {
        const size_t plain = strcspn(at, "{"),
                     length = at[plain] ? strcspn(at + plain + 1, "}") : 0;

        cs_strbuf_append(out, at, plain);
        if (at[plain])
            put_subtitle_word(experiment, at + plain + 1, length, out);
        at += plain + (at[plain] ? length + 2 : 0);
    }
    if (experiment->quick && experiment->paper) {
        cs_strbuf_puts(out, out->length ? "; " : "");
        cs_experiment_put_quick(experiment, out);
    }
}

/* The cells of an experiment that a store has, in one walk through its table.
 *
 * Rows come by parameters, and so do the combinations once they are sorted; the seed of a row
 * identifies its replicate.
 */

struct key {
    const char *text; /* the parameters, as the store has them */
    const struct cs_combination *combination;
};

struct seed {
    uint64_t seed;
    int replicate;
};

struct inspection {
    int keys, seeds, at; /* at: the first key that is not before the row */
    struct key *key;
    struct seed *seed;
    void (*see)(void *who, int cell, const struct cs_record *record);
    void *who;
};

static int by_text(const void *a, const void *b)
{
    const struct key *one = a, *other = b;
    int order = strcmp(one->text, other->text);

    return order
               ? order
               : (one->combination > other->combination) - (one->combination < other->combination);
}

static int by_seed(const void *a, const void *b)
{
    const struct seed *one = a, *other = b;

    return (one->seed > other->seed) - (one->seed < other->seed);
}

static uint64_t *seeds_of(const struct cs_experiment *experiment,
                          const struct cs_combination *combination, struct cs_arena *arena)
{
    uint64_t *seed = CS_NEW_ARRAY(arena, uint64_t, combination->count);

    for (int r = 0; r < combination->count; r++)
        seed[r] = experiment->cell[combination->first + r].seed;
    return seed;
}

static void make_keys(struct inspection *inspection, const struct cs_experiment *experiment,
                      struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    inspection->key = CS_NEW_ARRAY(arena, struct key, experiment->combinations);
    for (; inspection->keys < experiment->combinations; inspection->keys++) {
        const struct cs_combination *combination = &experiment->combination[inspection->keys];

        cs_strbuf_clear(&text);
        cs_parameters_put_stored(experiment->problem,
                                 experiment->cell[combination->first].parameters, &text);
        inspection->key[inspection->keys] =
            (struct key){cs_arena_strdup(arena, text.text), combination};
    }
    cs_strbuf_release(&text);
    if (inspection->keys)
        qsort(inspection->key, (size_t)inspection->keys, sizeof *inspection->key, by_text);
}

/* Replicate r has the same seed everywhere: those of the combination that has most. */
static void make_seeds(struct inspection *inspection, const struct cs_experiment *experiment,
                       struct cs_arena *arena)
{
    const struct cs_combination *most = experiment->combination;
    uint64_t *seed;
    int *order;

    for (int c = 0; c < experiment->combinations; c++)
        if (experiment->combination[c].count > most->count)
            most = &experiment->combination[c];
    if (!experiment->combinations)
        return;
    seed = seeds_of(experiment, most, arena);
    order = CS_NEW_ARRAY(arena, int, most->count);
    cs_order_integers(seed, most->count, order, arena);
    inspection->seed = CS_NEW_ARRAY(arena, struct seed, most->count);
    for (; inspection->seeds < most->count; inspection->seeds++)
        inspection->seed[inspection->seeds] =
            (struct seed){seed[order[inspection->seeds]], order[inspection->seeds]};
}

static int see_row(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    struct inspection *inspection = who;
    const struct seed wanted = {row->seed, 0}, *seed;

    (void)err;
    while (inspection->at < inspection->keys &&
           strcmp(inspection->key[inspection->at].text, row->parameters) < 0)
        inspection->at++;
    if (inspection->at == inspection->keys ||
        strcmp(inspection->key[inspection->at].text, row->parameters) != 0)
        return 0;
    seed = bsearch(&wanted, inspection->seed, (size_t)inspection->seeds, sizeof wanted, by_seed);
    for (int k = inspection->at; seed && k < inspection->keys; k++) {
        const struct cs_combination *combination = inspection->key[k].combination;

        if (strcmp(inspection->key[k].text, row->parameters) != 0)
            break;
        if (seed->replicate < combination->count)
            inspection->see(inspection->who, combination->first + seed->replicate, &row->record);
    }
    return 0;
}

int cs_experiment_inspect(const struct cs_experiment *experiment, struct cs_store *store,
                          bool values,
                          void (*see)(void *who, int cell, const struct cs_record *record),
                          void *who, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct inspection inspection = {.see = see, .who = who};
    int status;

    make_keys(&inspection, experiment, arena);
    make_seeds(&inspection, experiment, arena);
    status = cs_store_each(store, experiment->problem, values, see_row, &inspection, err);
    inspection.at = 0;
    if (!status)
        status =
            cs_store_each_former(store, experiment->problem, values, see_row, &inspection, err);
    cs_arena_destroy(arena);
    return status;
}

static void experiment_inspect_mark(void *who, int cell, const struct cs_record *record)
{
    bool *known = who;

    (void)record;
    known[cell] = true;
}

int cs_experiment_known(const struct cs_experiment *experiment, struct cs_store *store, bool *known,
                        struct cs_error *err)
{
    for (int c = 0; c < experiment->count; c++)
        known[c] = false;
    return cs_experiment_inspect(experiment, store, false, experiment_inspect_mark, known, err);
}

/* --- names in the document --- */

int cs_experiment_find_metric(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                              const char *name)
{
    struct cs_error inner = {0};
    const struct cs_problem *problem = reader->experiment->problem;
    int metric = cs_cell_metric(problem, name, &inner);

    if (metric >= 0)
        experiment_note_metric(reader->experiment, name, metric);
    return metric < 0 ? cs_member_error(at, &inner, reader->err) : metric;
}

/* The valid names, including those that a quick run lacks. */
static int refuse_name(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                       const char *kind, json_t *names)
{
    struct cs_strbuf list = CS_STRBUF_INIT;
    const char *key;
    json_t *value;

    json_object_foreach(names, key, value)
        cs_strbuf_printf(&list, "%s%s", list.length ? ", " : "", key);
    cs_json_error(at, reader->err, "found \"%.60s\", expected one of the %s: %s",
                  json_string_value(at->value), kind, list.text);
    cs_strbuf_release(&list);
    return -2;
}

int cs_experiment_find_value(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                             const char *kind)
{
    const struct cs_experiment *experiment = reader->experiment;
    int a = strcmp(kind, "panels") ? experiment->series : experiment->panel;
    json_t *names = a < 0 ? NULL : experiment->axis[a].by_name;
    const json_t *index;
    const char *name;

    if (cs_json_string(at, &name, reader->err))
        return -2;
    index = json_object_get(names, name);
    if (index)
        return (int)json_integer_value(index);
    if (experiment->paper)
        names = json_object_get(experiment->source, kind);
    return experiment->quick && json_object_get(names, name) ? -1
                                                             : refuse_name(reader, at, kind, names);
}

/* --- metrics --- */

/* One row of "reference": what the paper prints for a series, one number for each panel. */
static int read_reference_row(struct cs_experiment_reader *reader, const struct cs_json_at *row,
                              double *reference)
{
    const struct cs_experiment *experiment = reader->experiment;
    json_t *all = json_object_get(experiment->source, "panels");
    const char *key;
    json_t *ignored;
    size_t column = 0, count;

    if (cs_json_array(row, &count, reader->err))
        return -1;
    if (count != json_object_size(all))
        return cs_json_error(row, reader->err, "expected %zu numbers, one for each panel",
                             json_object_size(all));
    json_object_foreach(all, key, ignored)
    {
        struct cs_json_at value = cs_json_element(row, column++);
        json_t *panel = json_object_get(experiment->axis[experiment->panel].by_name, key);

        if (!json_is_number(value.value) && !json_is_null(value.value))
            return cs_json_error(&value, reader->err, "expected a number or null");
        if (panel && reference && json_is_number(value.value))
            reference[json_integer_value(panel)] = json_number_value(value.value);
    }
    return 0;
}

static int read_reference(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                          struct cs_experiment_metric *metric)
{
    const struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at place = cs_member_at(object, "reference");
    double *reference;
    const char *key;
    json_t *value;
    int panels, count;

    if (!place.value)
        return 0;
    if (!experiment->paper)
        return cs_json_error(&place, reader->err, "goes with panels and series");
    if (cs_json_keys(&place, NULL, reader->err))
        return -1;
    panels = experiment->axis[experiment->panel].count;
    count = experiment->axis[experiment->series].count * panels;
    metric->reference = reference = CS_NEW_ARRAY(experiment->arena, double, count);
    for (int i = 0; i < count; i++)
        reference[i] = NAN;
    json_object_foreach(place.value, key, value)
    {
        struct cs_json_at row = cs_member_at(&place, key);
        json_t *name = cs_json_made(json_string(key));
        CS_JSON_HOLD(name);
        struct cs_json_at series = {.above = &place, .key = key, .value = name};
        int s = cs_experiment_find_value(reader, &series, "series");

        if (s == -2 || read_reference_row(reader, &row, s < 0 ? NULL : reference + s * panels))
            return -1;
    }
    return 0;
}

static int read_over(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                     struct cs_experiment_metric *metric)
{
    struct cs_json_at over = cs_member_at(object, "over");

    if (!over.value)
        return 0;
    metric->over = cs_experiment_find_value(reader, &over, "series");
    if (metric->over == -1)
        return cs_json_error(&over, reader->err, "%s is missing in the quick run",
                             json_string_value(over.value));
    return metric->over < 0 ? -1 : 0;
}

/* "clip": [LOW, HIGH] */
static int read_clip(const struct cs_json_at *at, struct cs_experiment_metric *metric,
                     struct cs_error *err)
{
    const struct cs_json_at clip = cs_member_at(at, "clip");
    struct cs_json_at low, high;

    if (!clip.value)
        return 0;
    if (cs_json_has(at, "from") || cs_json_has(at, "to"))
        return cs_json_error(&clip, err, "goes without from and to");
    if (json_array_size(clip.value) != 2)
        return cs_json_error(&clip, err, "expected two numbers");
    low = cs_json_element(&clip, 0);
    high = cs_json_element(&clip, 1);
    if (cs_json_double(&low, CS_NUMBER_FINITE, &metric->from, err) ||
        cs_json_double(&high, CS_NUMBER_FINITE, &metric->to, err))
        return -1;
    if (metric->from >= metric->to || (metric->log && metric->from <= 0))
        return cs_json_error(&clip, err,
                             metric->log ? "expected two numbers above 0 that ascend"
                                         : "expected two numbers that ascend");
    metric->clip = true;
    return 0;
}

/* "scale": "log", in 0.2 "log": true. */
static int read_scale(const struct cs_json_at *at, struct cs_experiment_metric *metric,
                      struct cs_error *err)
{
    const struct cs_json_at scale = cs_member_at(at, "scale");
    int log = 0;

    if (cs_member_bool(at, "log", &metric->log, err) ||
        cs_member_choice(at, "scale", "linear|log", &log, err))
        return -1;
    if (scale.value && cs_json_has(at, "log"))
        return cs_json_error(&scale, err, "goes without log");
    metric->log = metric->log || log == 1;
    return 0;
}

/* How a metric is drawn: {"title": ..., "over": ...}. */
static int read_drawing(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                        struct cs_experiment_metric *metric)
{
    struct cs_error *err = reader->err;
    static const double seconds[] = {1, 60, 3600, 86400};
    int statistic = CS_STATISTIC_MEAN, unit = 0, range = 0;

    if (cs_json_keys(at, "title|log|scale|from|to|clip|range|unit|over|statistic|digits|reference",
                     err) ||
        cs_member_string(at, "title", &metric->title, err) || read_scale(at, metric, err) ||
        read_clip(at, metric, err) || cs_member_choice(at, "range", "shared|own", &range, err) ||
        cs_member_double(at, "from", &metric->from, err) ||
        cs_member_double(at, "to", &metric->to, err) ||
        cs_member_int(at, "digits", 1, 9, &metric->digits, err) ||
        cs_member_choice(at, "statistic", "mean|geometric|deviation", &statistic, err) ||
        cs_member_choice(at, "unit", "second|minute|hour|day", &unit, err) ||
        read_reference(reader, at, metric))
        return -1;
    metric->own_range = range == 1;
    metric->statistic = (enum cs_statistic)statistic;
    metric->unit = seconds[unit];
    return read_over(reader, at, metric);
}

static struct cs_experiment_metric *add_metric(struct cs_experiment *experiment, int index)
{
    struct cs_experiment_metric *metric = &experiment->metric[experiment->metrics++];

    *metric =
        (struct cs_experiment_metric){.index = index,
                                      .title = cs_cell_metrics(experiment->problem)[index].name,
                                      .over = -1,
                                      .from = NAN,
                                      .to = NAN,
                                      .unit = 1,
                                      .digits = 4};
    return metric;
}

static int read_drawn(struct cs_experiment_reader *reader, const struct cs_json_at *object)
{
    struct cs_experiment *experiment = reader->experiment;
    const char *key;
    json_t *value;

    experiment->metric = CS_NEW_ARRAY(experiment->arena, struct cs_experiment_metric,
                                      json_object_size(object->value));
    json_object_foreach(object->value, key, value)
    {
        struct cs_json_at at = cs_member_at(object, key);
        int index = cs_experiment_find_metric(reader, &at, key);

        if (index < 0 || read_drawing(reader, &at, add_metric(experiment, index)))
            return -1;
    }
    return 0;
}

static int read_listed(struct cs_experiment_reader *reader, const struct cs_json_at *list)
{
    struct cs_experiment *experiment = reader->experiment;
    size_t count;

    if (cs_json_array(list, &count, reader->err))
        return -1;
    experiment->metric = CS_NEW_ARRAY(experiment->arena, struct cs_experiment_metric, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(list, i);
        const char *name;
        int index;

        if (cs_json_string(&at, &name, reader->err))
            return -1;
        index = cs_experiment_find_metric(reader, &at, name);
        if (index < 0)
            return -1;
        for (int m = 0; m < experiment->metrics; m++)
            if (experiment->metric[m].index == index)
                return cs_json_error(&at, reader->err, "the same as metrics[%d]", m);
        add_metric(experiment, index);
    }
    return 0;
}

/* All that are the same on every machine. */
static void take_metrics(struct cs_experiment *experiment)
{
    int count = cs_cell_metric_count(experiment->problem);

    experiment->metric = CS_NEW_ARRAY(experiment->arena, struct cs_experiment_metric, count);
    for (int m = 0; m < count; m++)
        if (cs_metric_is_usual(&cs_cell_metrics(experiment->problem)[m]))
            add_metric(experiment, m);
}

/* Tables of cells have the metrics of a list; else all that are the same on every machine. */
static void choose_exports(struct cs_experiment *experiment, bool listed)
{
    int count = cs_cell_metric_count(experiment->problem);

    experiment->export = CS_NEW_ARRAY(experiment->arena, int, count);
    for (int m = 0; listed && m < experiment->metrics; m++)
        experiment->export[experiment->exports++] = experiment->metric[m].index;
    for (int m = 0; !listed && m < count; m++)
        if (cs_metric_is_usual(&cs_cell_metrics(experiment->problem)[m]))
            experiment->export[experiment->exports++] = m;
}

int cs_experiment_read_metrics(struct cs_experiment_reader *reader)
{
    struct cs_json_at at = cs_member_at(&reader->root, "metrics");
    int status = 0;

    if (json_is_object(at.value))
        status = read_drawn(reader, &at);
    else if (at.value)
        status = read_listed(reader, &at);
    else
        take_metrics(reader->experiment);
    if (status)
        return -1;
    if (!reader->experiment->metrics)
        return cs_json_error(&at, reader->err, "has no metrics");
    choose_exports(reader->experiment, json_is_array(at.value));
    return 0;
}

/* --- the figure --- */

static int find_axis(const struct cs_experiment *experiment, const char *name)
{
    for (int a = 0; a < experiment->axes; a++)
        if (!strcmp(experiment->axis[a].name, name))
            return a;
    return -1;
}

static int read_place(struct cs_experiment_reader *reader, const struct cs_json_at *figure,
                      const char *key, int *out)
{
    struct cs_json_at at = cs_member_at(figure, key);
    struct cs_strbuf names = CS_STRBUF_INIT;
    const struct cs_experiment *experiment = reader->experiment;
    const char *name;

    if (!at.value)
        return 0;
    if (cs_json_string(&at, &name, reader->err))
        return -1;
    *out = find_axis(experiment, name);
    if (*out >= 0)
        return 0;
    for (int a = 0; a < experiment->axes; a++)
        cs_strbuf_printf(&names, "%s%s", a ? ", " : "there are ", experiment->axis[a].name);
    cs_json_error(&at, reader->err, "'%s' does not vary; %s", name,
                  experiment->axes ? names.text : "nothing does");
    cs_strbuf_release(&names);
    return -1;
}

static bool is_taken(const struct cs_experiment *experiment, int axis)
{
    return axis == experiment->x || axis == experiment->series || axis == experiment->panel;
}

/* The free axis with the most values, of numbers if so asked; the first of several. */
static int find_free(const struct cs_experiment *experiment, bool numbers)
{
    int best = -1;

    for (int a = 0; a < experiment->axes; a++)
        if (!is_taken(experiment, a) && (experiment->axis[a].numbers || !numbers) &&
            (best < 0 || experiment->axis[a].count > experiment->axis[best].count))
            best = a;
    return best;
}

/* The first free axis of words, or of anything. */
static int find_series(const struct cs_experiment *experiment)
{
    for (int a = 0; a < experiment->axes; a++)
        if (!is_taken(experiment, a) && !experiment->axis[a].numbers)
            return a;
    return find_free(experiment, false);
}

/* Defaults: numbers on the x axis, words as series. */
static void guess_figure(struct cs_experiment *experiment)
{
    if (experiment->x < 0)
        experiment->x = find_free(experiment, true);
    if (experiment->series < 0)
        experiment->series = find_series(experiment);
    if (experiment->x < 0)
        experiment->x = find_free(experiment, false);
    if (experiment->panel < 0)
        experiment->panel = find_free(experiment, false);
}

int cs_experiment_read_figure(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at figure = cs_member_at(&reader->root, "figure");

    experiment->x = experiment->series = experiment->panel = -1;
    if (figure.value) {
        if (cs_json_keys(&figure, "x|series|panel", reader->err) ||
            read_place(reader, &figure, "x", &experiment->x) ||
            read_place(reader, &figure, "series", &experiment->series) ||
            read_place(reader, &figure, "panel", &experiment->panel))
            return -1;
        if ((experiment->x >= 0 &&
             (experiment->x == experiment->series || experiment->x == experiment->panel)) ||
            (experiment->series >= 0 && experiment->series == experiment->panel))
            return cs_json_error(&figure, reader->err,
                                 "x, series and panel are three different axes");
    }
    guess_figure(experiment);
    return 0;
}
