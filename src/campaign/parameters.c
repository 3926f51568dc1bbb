/* parameters.c - parameters as canonical JSON. */
#include "campaign/parameters.h"

#include "base/guard.h"
#include "base/json.h"
#include "model/policy_param.h"
#include "problem/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 64
#define WHOLE 9007199254740992.0 /* 2^53: doubles below it hold every whole number */

static void put_real(double value, struct cs_strbuf *out)
{
    if (value == floor(value) && fabs(value) < WHOLE)
        cs_strbuf_put_int(out, (int64_t)value);
    else
        cs_strbuf_put_double(out, value);
}

/* Is it plain JSON? */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
        text++;
    return !*text;
}

static void put_plain(const char *text, struct cs_strbuf *out)
{
    cs_strbuf_putc(out, '"');
    cs_strbuf_puts(out, text);
    cs_strbuf_putc(out, '"');
}

void cs_parameters_put_value(const json_t *value, struct cs_strbuf *out)
{
    if (json_is_string(value) && is_plain(json_string_value(value)))
        put_plain(json_string_value(value), out);
    else if (json_is_integer(value))
        cs_strbuf_put_int(out, json_integer_value(value));
    else if (json_is_real(value))
        put_real(json_real_value(value), out);
    else
        cs_json_put(out, value, JSON_SORT_KEYS | JSON_ENCODE_ANY);
}

void cs_parameters_put_word(const json_t *value, struct cs_strbuf *out)
{
    if (json_is_string(value))
        cs_strbuf_puts(out, json_string_value(value));
    else
        cs_parameters_put_value(value, out);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The keys, sorted.  `few` is used while it is large enough; else the list is the caller's to free.
 */
static const char **sort_keys(const json_t *object, const char **few)
{
    size_t count = json_object_size(object), k = 0;
    const char **key = count > FEW ? cs_block_zero(count, sizeof *key) : few;
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, name, value) key[k++] = name;
    qsort(key, count, sizeof *key, by_bytes);
    return key;
}

static void put_key(const char *key, struct cs_strbuf *out)
{
    CS_HOLD(json);

    if (is_plain(key)) {
        put_plain(key, out);
        return;
    }
    cs_json_hold(&json, cs_json_made(json_string(key)));
    cs_parameters_put_value(json.thing, out);
}

void cs_parameters_put(const json_t *parameters, struct cs_strbuf *out)
{
    size_t count = json_object_size(parameters);
    const char *few[FEW];
    const char **key = sort_keys(parameters, few);

    cs_strbuf_putc(out, '{');
    for (size_t k = 0; k < count; k++) {
        if (k)
            cs_strbuf_putc(out, ',');
        put_key(key[k], out);
        cs_strbuf_putc(out, ':');
        cs_parameters_put_value(json_object_get(parameters, key[k]), out);
    }
    cs_strbuf_putc(out, '}');
    if (key != few)
        cs_block_free(key);
}

/* --- names of former releases --- */

/* A text of policies with the names of today, or of cosched 0.2. A new reference. */
static json_t *policies_text(const struct cs_param *param, const char *word, bool former)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int count;
    const struct cs_policy *const *list = param->policies->policies(&count);
    json_t *json;

    cs_policy_put_text(list, count, word, former, &text);
    json = cs_json_made(json_stringn(text.text, text.length));
    cs_strbuf_release(&text);
    return json;
}

/* The choice in stores: the former word, if there is one. A new reference. */
static json_t *stored_choice(const struct cs_param *param, json_t *value)
{
    const char *word = json_string_value(value);
    const char *now = param->old_choice ? strchr(param->old_choice, '=') : NULL;

    if (word && param->policies)
        return policies_text(param, word, true);
    if (!word || !now || !param->old_choice_stored || strcmp(word, now + 1) != 0)
        return json_incref(value);
    return cs_json_made(json_stringn(param->old_choice, (size_t)(now - param->old_choice)));
}

/* Do policies in this value have parameters with other names in stores? */
static bool is_renamed_text(const struct cs_param *param, const json_t *value)
{
    const char *word = json_string_value(value);
    json_t *stored = word ? policies_text(param, word, true) : NULL;
    const bool renamed = stored && strcmp(word, json_string_value(stored)) != 0;

    json_decref(stored);
    return renamed;
}

void cs_parameters_put_stored(const struct cs_problem *problem, const json_t *parameters,
                              struct cs_strbuf *out)
{
    json_t *stored = NULL;
    struct cs_strbuf now = CS_STRBUF_INIT, then = CS_STRBUF_INIT;
    CS_HOLD(hold);

    for (const struct cs_param *f = problem->param; f->name; f++) {
        json_t *value;

        if (!(f->actions & CS_EXPERIMENT) || !(f->old_stored || f->policies))
            continue;
        cs_strbuf_clear(&now);
        cs_strbuf_clear(&then);
        cs_param_put_key(f, &now);
        cs_param_put_stored(f, &then);
        value = json_object_get(parameters, now.text);
        if (!value || (!f->old_stored && !is_renamed_text(f, value)))
            continue;
        if (!stored)
            cs_json_hold(&hold, stored = cs_json_copy((json_t *)(uintptr_t)parameters));
        cs_json_set(stored, then.text, stored_choice(f, value));
        if (f->old_stored)
            json_object_del(stored, now.text);
    }
    cs_parameters_put(stored ? stored : parameters, out);
    cs_strbuf_release(&now);
    cs_strbuf_release(&then);
}

/* The parameter whose name in cosched 0.2 this is; or NULL. */
static const struct cs_param *renamed_param(const struct cs_problem *problem, const char *name)
{
    const struct cs_param *param = cs_cell_param(problem, name, NULL);

    return param && param->old_stored ? param : NULL;
}

/* The parameter of that name if its values name policies; or NULL. */
static const struct cs_param *policies_param(const struct cs_problem *problem, const char *name)
{
    const struct cs_param *param = cs_cell_param(problem, name, NULL);

    return param && param->policies ? param : NULL;
}

static void note_renamed(const struct cs_param *param, bool old, const char *choice,
                         json_t *warnings)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_problem_put_renamed_value(param, old, choice, &text);
    if (text.length)
        cs_json_set(warnings, text.text, json_true());
    cs_strbuf_release(&text);
}

/* A value, or those of a list, with the choices of today; a new reference. */
static json_t *update_value(const struct cs_param *param, json_t *value, json_t *warnings)
{
    const char *word = json_string_value(value), *now = word ? cs_choice_now(param, word) : NULL;
    json_t *list;
    CS_HOLD(hold);

    if (word)
        note_renamed(param, false, word, warnings);
    if (word && param->policies)
        return policies_text(param, word, false);
    if (now != word)
        return cs_json_made(json_string(now));
    if (!json_is_array(value))
        return json_incref(value);
    cs_json_hold(&hold, list = cs_json_made(json_array()));
    for (size_t i = 0; i < json_array_size(value); i++)
        cs_json_append(list, update_value(param, json_array_get(value, i), warnings));
    return cs_unhold(&hold);
}

const char *cs_parameters_name(const struct cs_problem *problem, const char *name, json_t *warnings,
                               struct cs_arena *arena)
{
    const struct cs_param *param = renamed_param(problem, name);
    struct cs_strbuf key = CS_STRBUF_INIT;
    const char *now = name;

    if (param && cs_param_was(param, name)) {
        note_renamed(param, true, NULL, warnings);
        cs_param_put_key(param, &key);
        now = cs_arena_strdup(arena, key.text);
        cs_strbuf_release(&key);
    }
    return now;
}

static int refuse_twice(const struct cs_param *param, const char *key, struct cs_error *err)
{
    struct cs_strbuf old = CS_STRBUF_INIT;

    cs_param_put_stored(param, &old);
    cs_error_set(err, "%s and %s are the same: give one of them", old.text, key);
    cs_strbuf_release(&old);
    return -1;
}

json_t *cs_parameters_update(const struct cs_problem *problem, json_t *parameters, json_t *warnings,
                             struct cs_error *err)
{
    json_t *updated = cs_json_made(json_object()), *value;
    CS_JSON_HOLD(updated);
    struct cs_strbuf key = CS_STRBUF_INIT;
    const char *name;
    int status = 0;

    json_object_foreach(parameters, name, value)
    {
        const struct cs_param *param = renamed_param(problem, name);
        const struct cs_param *words = param ? param : policies_param(problem, name);

        cs_strbuf_clear(&key);
        if (param)
            cs_param_put_key(param, &key);
        else
            cs_strbuf_puts(&key, name);
        if (param && json_object_get(updated, key.text))
            status = refuse_twice(param, key.text, err);
        if (param)
            note_renamed(param, cs_param_was(param, name), NULL, warnings);
        cs_json_set(updated, key.text,
                    words ? update_value(words, value, warnings) : json_incref(value));
    }
    cs_strbuf_release(&key);
    return status ? NULL : cs_unhold(&updated_hold);
}

void cs_parameters_put_words(const json_t *parameters, struct cs_strbuf *out)
{
    size_t count = json_object_size(parameters);
    const char *few[FEW];
    const char **key = sort_keys(parameters, few);

    for (size_t k = 0; k < count; k++) {
        cs_strbuf_printf(out, "%s%s=", k ? " " : "", key[k]);
        cs_parameters_put_word(json_object_get(parameters, key[k]), out);
    }
    if (key != few)
        cs_block_free(key);
}

bool cs_parameters_is_file(const struct cs_problem *problem, const char *key)
{
    const struct cs_param *param = cs_cell_param(problem, key, NULL);

    return param && param->kind == CS_PARAM_PATH;
}

static json_t *place_one(json_t *value, const char *folder, size_t length)
{
    const char *name = json_string_value(value);
    struct cs_strbuf path = CS_STRBUF_INIT;
    json_t *placed;

    if (!name || *name == '/')
        return json_incref(value);
    cs_strbuf_append(&path, folder, length);
    cs_strbuf_printf(&path, "/%s", name);
    placed = cs_json_made(json_string_nocheck(path.text));
    cs_strbuf_release(&path);
    return placed;
}

static json_t *parameters_place(json_t *value, const char *folder, size_t length)
{
    json_t *list;
    CS_HOLD(hold);

    if (!json_is_array(value))
        return place_one(value, folder, length);
    list = cs_json_made(json_array());
    cs_json_hold(&hold, list);
    for (size_t i = 0; i < json_array_size(value); i++)
        cs_json_append(list, place_one(json_array_get(value, i), folder, length));
    return cs_unhold(&hold);
}

json_t *cs_parameters_place(const struct cs_problem *problem, json_t *parameters,
                            const char *folder, size_t length)
{
    json_t *placed = cs_json_copy(parameters), *value;
    CS_JSON_HOLD(placed);
    const char *key;

    json_object_foreach(parameters, key, value)
    {
        if (cs_parameters_is_file(problem, key))
            cs_json_set(placed, key, parameters_place(value, folder, length));
    }
    return cs_unhold(&placed_hold);
}

int cs_metric_direction(const struct cs_problem *problem, const char *name)
{
    static const char *const larger[] = {"utilisation", "throughput", "iterations",
                                         "efficiency",  "a_day",      "per_hour",
                                         "speedup",     "computed",   "saving"};
    static const char *const smaller[] = {
        "makespan", "cost",     "ratio",      "unfair",     "waste",   "energy", "joules",
        "wait",     "slowdown", "gap",        "response",   "seconds", "failed", "queue",
        "stretch",  "failures", "lost",       "aborts",     "late",    "idle",   "killed",
        "elapsed",  "bound",    "completion", "node_hours", "over_",   "loss",   "relative"};

    /* The slowdown of graphs is the time alone over the time together: 1 is best. */
    if (!strcmp(problem->name, "ptg") && strstr(name, "slowdown"))
        return 0;
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
        if (strstr(name, larger[i]))
            return 0;
    for (size_t i = 0; i < sizeof smaller / sizeof *smaller; i++)
        if (strstr(name, smaller[i]))
            return 1;
    return -1;
}
