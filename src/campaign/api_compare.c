/* api_compare.c - the values of a parameter compared over the runs of a store. */
#include "base/bug.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/watch.h"
#include "campaign/compare.h"
#include "campaign/experiment.h"
#include "campaign/parameters.h"
#include "campaign/store.h"

#include <cosched/campaign.h>
#include <math.h>
#include <string.h>

struct comparison {
    const struct cs_campaign_compare_options *options;
    const struct cs_experiment *experiment;
    struct cs_arena *arena;
    bool by_axis; /* keys are axes with their labels, else parameters that vary */
    int keys;
    const char **key;
    bool *varies; /* of each key */
    int by;       /* among the keys */
    json_t *owns; /* an array of what the tables point to */
    json_t *value_index, *condition_index;
    json_t **value, **condition;
    int *value_at, *condition_at; /* of each combination; -1: none of its cells is kept */
    bool *keep;                   /* of each cell */
    struct cs_record *record;     /* of each cell */
    bool *known;
    int *cell; /* [(condition * values + value) * replicates + replicate]; -1: none */
    struct cs_compare table;
};

/* ---- what is compared ---- */

static bool key_is_there(const struct comparison *c, const char *name)
{
    for (int k = 0; k < c->keys; k++)
        if (!strcmp(c->key[k], name))
            return true;
    return false;
}

static bool is_axis(const struct cs_experiment *e, const char *name)
{
    for (int a = 0; a < e->axes; a++)
        if (!strcmp(e->axis[a].name, name))
            return true;
    return false;
}

static void comparison_take_axes(struct comparison *c)
{
    c->by_axis = true;
    c->keys = c->experiment->axes;
    for (int a = 0; a < c->keys; a++)
        c->key[a] = c->experiment->axis[a].name;
}

/* Parameters that vary, or the axes of a paper, or the axes if --by names one of them. */
static void comparison_take_keys(struct comparison *c)
{
    const struct cs_experiment *e = c->experiment;

    c->key = CS_NEW_ARRAY(c->arena, const char *, e->axes + e->varied);
    c->keys = e->varied;
    memcpy(c->key, e->parameter, (size_t)e->varied * sizeof *c->key);
    if (e->paper ||
        (c->options->by && !key_is_there(c, c->options->by) && is_axis(e, c->options->by)))
        comparison_take_axes(c);
}

/* The value of a key in a combination; a new reference. */
static json_t *key_value(const struct comparison *c, int combination, int key)
{
    const struct cs_experiment *e = c->experiment;
    const struct cs_combination *at = &e->combination[combination];

    if (!c->by_axis) {
        json_t *value = json_object_get(e->cell[at->first].parameters, c->key[key]);

        return value ? json_incref(value) : cs_json_made(json_null());
    }
    if (at->at[key] < 0)
        return cs_json_made(json_null());
    return cs_json_made(json_string(e->axis[key].value[at->at[key]].name));
}

static bool key_varies(const struct comparison *c, int key)
{
    json_t *first = NULL;
    bool varies = false;

    for (int s = 0; s < c->experiment->combinations && !varies; s++) {
        json_t *value;

        if (c->value_at[s] < 0)
            continue;
        value = key_value(c, s, key);
        varies = first && !json_equal(first, value);
        if (first)
            json_decref(value);
        else
            first = value;
    }
    json_decref(first);
    return varies;
}

static int comparison_refuse(const struct comparison *c, const char *name, const char *path,
                             struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    int status;

    for (int k = 0; k < c->keys; k++)
        if (c->varies[k])
            cs_strbuf_printf(&names, "%s%s", names.length ? ", " : "", c->key[k]);
    status = names.length
                 ? cs_error_set(err, "%s: %s does not vary; these do: %s", path, name, names.text)
                 : cs_error_set(err, "%s: %s does not vary, and nothing else does", path, name);
    cs_strbuf_release(&names);
    return status;
}

/* The key to compare by: as requested, else the policy, else the only one that varies. */
static int comparison_choose(struct comparison *c, const char *path, struct cs_error *err)
{
    const char *name = c->options->by ? c->options->by : "policy";
    int varying = 0, only = -1;

    c->by = -1;
    c->varies = CS_NEW_ARRAY(c->arena, bool, c->keys);
    for (int k = 0; k < c->keys; k++) {
        c->varies[k] = key_varies(c, k);
        if (c->varies[k] && !strcmp(c->key[k], name))
            c->by = k;
        varying += c->varies[k];
        only = c->varies[k] ? k : only;
    }
    if (c->by < 0 && !c->options->by && varying == 1)
        c->by = only;
    return c->by < 0 ? comparison_refuse(c, name, path, err) : 0;
}

/* The index of JSON in a list without duplicates, which it enters; takes the reference. */
static int comparison_number(struct comparison *c, json_t *index, json_t **list, int *count,
                             json_t *json)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *found;
    int number;

    cs_json_put(&text, json, JSON_ENCODE_ANY | JSON_SORT_KEYS);
    found = json_object_get(index, text.text);
    number = found ? (int)json_integer_value(found) : *count;
    if (!found) {
        cs_json_set(index, text.text, json_integer(number));
        list[(*count)++] = json;
    }
    cs_json_append(c->owns, json);
    cs_strbuf_release(&text);
    return number;
}

static json_t *condition_of(const struct comparison *c, int combination)
{
    json_t *condition = cs_json_made(json_object());

    for (int k = 0; k < c->keys; k++)
        if (k != c->by && c->varies[k])
            cs_json_set(condition, c->key[k], key_value(c, combination, k));
    return condition;
}

static void comparison_arrange(struct comparison *c)
{
    const int combinations = c->experiment->combinations;
    struct cs_compare *t = &c->table;

    c->value = CS_NEW_ARRAY(c->arena, json_t *, combinations);
    c->condition = CS_NEW_ARRAY(c->arena, json_t *, combinations);
    for (int s = 0; s < combinations; s++) {
        if (c->value_at[s] < 0)
            continue;
        c->value_at[s] =
            comparison_number(c, c->value_index, c->value, &t->values, key_value(c, s, c->by));
        c->condition_at[s] = comparison_number(c, c->condition_index, c->condition, &t->conditions,
                                               condition_of(c, s));
        if (c->experiment->combination[s].count > t->replicates)
            t->replicates = c->experiment->combination[s].count;
    }
    t->by = c->key[c->by];
    t->value = c->value;
    t->condition = c->condition;
}

static int comparison_refer(struct comparison *c, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT, list = CS_STRBUF_INIT;
    int status = 0;

    c->table.reference = c->options->all_pairs ? -1 : c->options->reference ? -2 : 0;
    for (int v = 0; v < c->table.values && c->options->reference; v++) {
        cs_strbuf_clear(&text);
        cs_compare_put_value(c->value[v], &text);
        if (!strcmp(text.text, c->options->reference))
            c->table.reference = v;
        cs_strbuf_printf(&list, "%s%s", v ? ", " : "", text.text);
    }
    if (c->table.reference == -2)
        status = cs_error_set(err, "--reference: \"%s\" is not a value of %s: %s",
                              c->options->reference, c->table.by, list.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&list);
    return status;
}

/* ---- the runs ---- */

static int comparison_load(struct comparison *c, struct cs_store *store, struct cs_error *err)
{
    const struct cs_experiment *e = c->experiment;
    int missing = 0, kept = 0;

    c->record = CS_NEW_ARRAY(c->arena, struct cs_record, e->count);
    c->known = CS_NEW_ARRAY(c->arena, bool, e->count);
    for (int i = 0; i < e->count; i++) {
        c->known[i] = false;
        if (c->keep[i] &&
            cs_store_get(store, e->problem, &e->cell[i], &c->known[i], &c->record[i], err))
            return -1;
        kept += c->keep[i];
        missing += c->keep[i] && !c->known[i];
    }
    if (missing && !c->options->partial)
        return cs_error_set(err, "%s: %d of %d runs are missing; --partial compares what is there",
                            cs_store_path(store), missing, kept);
    return 0;
}

static int *cell_place(const struct comparison *c, int condition, int value, int replicate)
{
    return &c->cell[((size_t)condition * (size_t)c->table.values + (size_t)value) *
                        (size_t)c->table.replicates +
                    (size_t)replicate];
}

static void comparison_place(struct comparison *c)
{
    const struct cs_experiment *e = c->experiment;
    const size_t places =
        (size_t)c->table.conditions * (size_t)c->table.values * (size_t)c->table.replicates;

    c->cell = cs_arena_alloc(c->arena, places, sizeof *c->cell);
    for (size_t i = 0; i < places; i++)
        c->cell[i] = -1;
    for (int i = 0; i < e->count; i++) {
        const int s = e->cell[i].combination;

        if (c->known[i] && c->value_at[s] >= 0)
            *cell_place(c, c->condition_at[s], c->value_at[s], e->cell[i].replicate) = i;
    }
}

/* "replicate 3 of q=0.3: greedy and easy ran on different instances; ..." */
static int refuse_instances(const struct comparison *c, const int *at, const int value[2],
                            struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT, word = CS_STRBUF_INIT;
    const char *key;
    json_t *other;
    int n = 0;

    cs_strbuf_printf(&text, "replicate %d", at[1]);
    json_object_foreach(c->condition[at[0]], key, other)
    {
        cs_strbuf_printf(&text, "%s%s=", n++ ? ", " : " of ", key);
        cs_compare_put_value(other, &text);
    }
    cs_strbuf_puts(&text, ": ");
    cs_compare_put_value(c->value[value[0]], &text);
    cs_compare_put_value(c->value[value[1]], &word);
    cs_error_set(err,
                 "%s and %s ran on different instances; compare only what shares its random input, "
                 "or allow it with --allow-other-instances",
                 text.text, word.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&word);
    return -1;
}

/* All values of a block share their random input. */
static int check_block(const struct comparison *c, int condition, int replicate,
                       struct cs_error *err)
{
    int first = -1;

    for (int v = 0; v < c->table.values; v++) {
        const int cell = *cell_place(c, condition, v, replicate);

        if (cell < 0)
            continue;
        if (first < 0)
            first = v;
        if (strcmp(c->record[cell].instance,
                   c->record[*cell_place(c, condition, first, replicate)].instance) != 0)
            return refuse_instances(c, (int[]){condition, replicate}, (int[]){first, v}, err);
    }
    return 0;
}

static int comparison_check(const struct comparison *c, struct cs_error *err)
{
    for (int s = 0; s < c->table.conditions && !c->options->other_instances; s++)
        for (int r = 0; r < c->table.replicates; r++)
            if (check_block(c, s, r, err))
                return -1;
    return 0;
}

/* ---- metrics ---- */

static void comparison_note(struct comparison *c, const char *text)
{
    cs_json_append(c->table.notes, json_string(text));
}

static bool comparison_direction(struct comparison *c, const char *name)
{
    const int own = cs_metric_direction(c->experiment->problem, name);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (c->options->better)
        return !strcmp(c->options->better, "smaller");
    if (own < 0) {
        cs_strbuf_printf(&text, "%s: smaller counts as better; --better larger changes it.", name);
        comparison_note(c, text.text);
        cs_strbuf_release(&text);
    }
    return own != 0;
}

static void comparison_add(struct comparison *c, struct cs_compare_metric *list, int metric)
{
    struct cs_compare *t = &c->table;
    const size_t places = (size_t)t->conditions * (size_t)t->values * (size_t)t->replicates;
    double *number = cs_arena_alloc(c->arena, places, sizeof *number);
    const char *name = cs_cell_metrics(c->experiment->problem)[metric].name;

    for (size_t i = 0; i < places; i++)
        number[i] = c->cell[i] < 0 ? NAN : c->record[c->cell[i]].value[metric];
    list[t->metrics++] = (struct cs_compare_metric){
        .name = name, .smaller = comparison_direction(c, name), .number = number};
}

/* Those named, else those of the experiment. */
static int comparison_metrics(struct comparison *c, struct cs_error *err)
{
    const struct cs_experiment *e = c->experiment;
    struct cs_compare_metric *list =
        CS_NEW_ARRAY(c->arena, struct cs_compare_metric, CS_CELL_METRICS);
    const char *names = c->options->metrics;

    c->table.metric = list;
    for (int m = 0; !names && m < e->exports; m++)
        comparison_add(c, list, e->export[m]);
    while (names && c->table.metrics < CS_CELL_METRICS) {
        const size_t length = strcspn(names, ",");
        const char *name = cs_arena_strndup(c->arena, names, length);
        const int m = cs_cell_metric(e->problem, name, err);
        struct cs_strbuf note = CS_STRBUF_INIT;

        if (m < 0)
            return cs_error_prefix(err, "--metrics");
        cs_metric_put_renamed(&cs_cell_metrics(e->problem)[m], name, &note);
        if (note.length)
            comparison_note(c, note.text);
        cs_strbuf_release(&note);
        comparison_add(c, list, m);
        names = names[length] ? names + length + 1 : NULL;
    }
    return 0;
}

/* ---- the whole ---- */

static int comparison_keep(struct comparison *c, struct cs_error *err)
{
    const struct cs_experiment *e = c->experiment;

    c->keep = CS_NEW_ARRAY(c->arena, bool, e->count);
    c->value_at = CS_NEW_ARRAY(c->arena, int, e->combinations);
    c->condition_at = CS_NEW_ARRAY(c->arena, int, e->combinations);
    memset(c->keep, true, (size_t)e->count * sizeof *c->keep);
    for (int s = 0; s < e->combinations; s++)
        c->value_at[s] = -1;
    if (c->options->conditions &&
        cs_experiment_where(e, c->options->where, c->options->conditions, c->keep, err))
        return cs_error_prefix(err, "--where");
    for (int i = 0; i < e->count; i++)
        if (c->keep[i])
            c->value_at[e->cell[i].combination] = 0;
    return 0;
}

/* So few that even n differences of one sign have a p above the level. */
static void note_few_pairs(struct comparison *c)
{
    const double least = ldexp(2, -c->table.replicates);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (c->table.replicates > 1 && least >= 1 - c->table.confidence) {
        cs_strbuf_printf(&text,
                         "With %d replicates no p is below %.4g: a verdict needs more of them.",
                         c->table.replicates, least);
        comparison_note(c, text.text);
        cs_strbuf_release(&text);
    }
}

static int compare_runs(struct comparison *c, struct cs_store *store, struct cs_strbuf *out,
                        struct cs_error *err)
{
    if (comparison_keep(c, err))
        return -1;
    comparison_take_keys(c);
    if (comparison_choose(c, cs_store_path(store), err))
        return -1;
    comparison_arrange(c);
    if (comparison_refer(c, err) || comparison_load(c, store, err))
        return -1;
    comparison_place(c);
    if (comparison_check(c, err) || comparison_metrics(c, err))
        return -1;
    if (c->table.values > 2 && c->table.conditions > 1)
        comparison_note(c, "Blocks of the same replicate share their random numbers; p values are "
                           "approximate.");
    c->table.confidence = c->options->confidence > 0 ? c->options->confidence : 0.95;
    note_few_pairs(c);
    if (c->options->diagram)
        return cs_compare_draw(&c->table, 0, out, err);
    cs_compare_put(&c->table, out);
    return 0;
}

static int compare_store(struct cs_store *store, const struct cs_campaign_compare_options *options,
                         struct cs_strbuf *out, struct cs_error *err)
{
    struct comparison c = {.options = options, .arena = cs_arena_create()};
    const struct cs_document *document = NULL;
    struct cs_experiment *experiment = NULL;
    int status = -1;

    c.owns = cs_json_made(json_array());
    c.value_index = cs_json_made(json_object());
    c.condition_index = cs_json_made(json_object());
    c.table.notes = cs_json_made(json_array());
    if (!cs_store_begin(store, err))
        document = cs_store_choose(store, options->document, c.arena, err);
    if (document)
        c.experiment = experiment = cs_experiment_compile(document, err);
    if (experiment)
        status = compare_runs(&c, store, out, err);
    cs_store_rollback(store);
    json_decref(c.owns);
    json_decref(c.value_index);
    json_decref(c.condition_index);
    json_decref(c.table.notes);
    cs_experiment_destroy(experiment);
    cs_arena_destroy(c.arena);
    return status;
}

static bool are_compare_options(const struct cs_campaign_compare_options *o)
{
    return o->conditions >= 0 && o->confidence >= 0 && o->confidence < 1 &&
           (!o->better || !strcmp(o->better, "smaller") || !strcmp(o->better, "larger"));
}

char *cs_campaign_compare(const char *path, const struct cs_campaign_compare_options *options,
                          struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_campaign_compare_options usual = {.size = sizeof usual};
    const struct cs_campaign_compare_options *how = options ? options : &usual;
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_store *store;
    int status;

    if (cs_ask_size("the options of a comparison", how->size, sizeof *how, err))
        return NULL;
    CS_ASK(are_compare_options(how), err, NULL);
    store = cs_store_open(path, CS_STORE_READ, err);
    if (!store)
        return NULL;
    status = compare_store(store, how, &out, err);
    cs_store_close(store);
    if (!status)
        return cs_strbuf_take(&out);
    cs_strbuf_release(&out);
    return NULL;
}
