/* param.c - values of parameters, from texts and from JSON into options. */
#include "problem/param.h"

#include "base/bug.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/suggest.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

int cs_choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);

    for (int index = 0;; index++) {
        size_t size = strcspn(choices, "|");

        if (size == length && memcmp(choices, text, length) == 0)
            return index;
        if (!choices[size])
            return -1;
        choices += size + 1;
    }
}

int cs_choice_error(const char *as, const char *text, const char *choices, struct cs_error *err)
{
    struct cs_strbuf right = CS_STRBUF_INIT;
    struct cs_suggest suggest = {.word = text};

    cs_suggest_put_parts(&right, choices);
    cs_suggest_offer_parts(&suggest, choices, '|');
    if (suggest.best[0])
        cs_error_set(err, "%s cannot be \"%s\"; did you mean \"%s\"? It must be %s", as, text,
                     suggest.best, right.text);
    else
        cs_error_set(err, "%s cannot be \"%s\"; it must be %s", as, text, right.text);
    cs_strbuf_release(&right);
    return -1;
}

static void put_limits(struct cs_strbuf *out, const struct cs_param *f)
{
    bool whole = f->kind == CS_PARAM_INTEGER;

    cs_strbuf_puts(out, whole                         ? "a whole number"
                        : f->kind == CS_PARAM_SECONDS ? "a time in seconds"
                                                      : "a number");
    if (f->high > f->low) {
        cs_strbuf_puts(out, " from ");
        cs_strbuf_put_double(out, f->low);
        cs_strbuf_puts(out, " to ");
        cs_strbuf_put_double(out, f->high);
    } else {
        cs_strbuf_puts(out, ", ");
        cs_strbuf_put_double(out, f->low);
        cs_strbuf_puts(out, " or more");
    }
}

/* Append the kind of its value: "a whole number from 1 to 10", "first, second or third", "a flag".
 */
static void param_put_kind(const struct cs_param *f, struct cs_strbuf *out)
{
    switch (f->kind) {
    case CS_PARAM_FLAG:
        cs_strbuf_puts(out, "a flag");
        break;
    case CS_PARAM_TEXT:
        cs_strbuf_puts(out, f->repeats ? "a text, or several" : "a text");
        break;
    case CS_PARAM_PATH:
        cs_strbuf_puts(out, f->repeats ? "a file, or several" : "a file");
        break;
    case CS_PARAM_CHOICE:
        cs_suggest_put_parts(out, f->choices);
        break;
    default:
        put_limits(out, f);
    }
}

static const char *param_kind_of(const struct cs_param *f)
{
    static const char *const names[] = {
        [CS_PARAM_FLAG] = "flag",    [CS_PARAM_INTEGER] = "integer", [CS_PARAM_REAL] = "real",
        [CS_PARAM_SECONDS] = "time", [CS_PARAM_TEXT] = "text",       [CS_PARAM_CHOICE] = "choice",
        [CS_PARAM_PATH] = "file",
    };

    return names[f->kind];
}

static void put_choices(const struct cs_param *f, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "choices");
    if (f->kind != CS_PARAM_CHOICE) {
        cs_jsonw_null(w);
        return;
    }
    cs_jsonw_open_flat(w, '[');
    for (const char *at = f->choices; at;) {
        char word[64] = "";
        size_t length = strcspn(at, "|");

        strncat(word, at, length < sizeof word ? length : sizeof word - 1);
        cs_jsonw_string(w, word);
        at = at[length] ? at + length + 1 : NULL;
    }
    cs_jsonw_close(w);
}

void cs_param_put_values(const struct cs_param *f, struct cs_jsonw *w)
{
    const bool number = cs_param_is_number(f);
    struct cs_strbuf values = CS_STRBUF_INIT;

    param_put_kind(f, &values);
    cs_jsonw_put_string(w, "kind", param_kind_of(f));
    cs_jsonw_put_string(w, "values", values.text);
    cs_jsonw_put_double(w, "low", number ? f->low : NAN);
    cs_jsonw_put_double(w, "high", number && f->high > f->low ? f->high : NAN);
    put_choices(f, w);
    cs_jsonw_put_string(w, "default", f->default_text);
    cs_strbuf_release(&values);
}

/* Append no text for a choice that only another parameter with the same member has. */
static void put_choice(const char *choices, int index, struct cs_strbuf *out)
{
    for (; index > 0 && strchr(choices, '|'); index--)
        choices = strchr(choices, '|') + 1;
    if (index == 0)
        cs_strbuf_append(out, choices, strcspn(choices, "|"));
}

static int bad_number(const struct cs_param *f, const char *as, const char *text,
                      struct cs_error *err)
{
    struct cs_strbuf right = CS_STRBUF_INIT;

    put_limits(&right, f);
    if (f->kind == CS_PARAM_SECONDS)
        cs_strbuf_puts(&right, " (90, 1e4, 500ms, 2m and 1:30:00 are understood)");
    cs_error_set(err, "%s is \"%s\"; it must be %s", as, text, right.text);
    cs_strbuf_release(&right);
    return -1;
}

static bool param_within(const struct cs_param *f, double number)
{
    return number >= f->low && (f->high <= f->low || number <= f->high);
}

/* Is the text a number of the parameter's kind? */
static bool parse_number(const struct cs_param *f, const char *text, struct cs_param_value *v)
{
    bool fine;

    if (f->kind == CS_PARAM_INTEGER) {
        fine = !cs_number_int64(text, &v->integer);
        v->real = (double)v->integer;
        return fine;
    }
    return f->kind == CS_PARAM_REAL ? !cs_number_double(text, &v->real)
                                    : !cs_seconds_parse(text, &v->real);
}

static int param_read_number(const struct cs_param *f, const char *as, const char *text,
                             struct cs_param_value *v, struct cs_error *err)
{
    return parse_number(f, text, v) && param_within(f, v->real) ? 0 : bad_number(f, as, text, err);
}

static int read_text(const struct cs_param *f, const char *as, const char *text,
                     struct cs_error *err)
{
    if (*text)
        return 0;
    return cs_error_set(err, "%s is empty; it needs %s", as,
                        f->kind == CS_PARAM_PATH ? "the name of a file" : f->argument);
}

int cs_param_read(const struct cs_param *f, const char *as, const char *text,
                  struct cs_param_value *value, struct cs_error *err)
{
    struct cs_param_value v = {.text = text, .choice = -1};
    int status = 0;

    switch (f->kind) {
    case CS_PARAM_FLAG:
        break;
    case CS_PARAM_INTEGER:
    case CS_PARAM_REAL:
    case CS_PARAM_SECONDS:
        status = param_read_number(f, as, text, &v, err);
        break;
    case CS_PARAM_CHOICE:
        v.text = cs_choice_now(f, text);
        v.choice = cs_choice_index(f->choices, v.text);
        status = v.choice < 0 ? cs_choice_error(as, text, f->choices, err) : 0;
        break;
    case CS_PARAM_TEXT:
    case CS_PARAM_PATH:
        status = read_text(f, as, text, err);
        break;
    default:
        cs_bug("field %s has no kind", f->name);
    }
    if (!status)
        *value = v;
    return status;
}

bool cs_param_is_number(const struct cs_param *f)
{
    return f->kind == CS_PARAM_INTEGER || f->kind == CS_PARAM_REAL || f->kind == CS_PARAM_SECONDS;
}

bool cs_param_is_switch(const struct cs_param *f)
{
    return f->kind == CS_PARAM_FLAG ||
           (f->kind == CS_PARAM_CHOICE && !strncmp(f->choices, "no|", 3));
}

/* true, false, 1, 0; -1 for anything else. */
static int switch_of(const json_t *json)
{
    if (json_is_boolean(json))
        return json_is_true(json);
    if (json_is_integer(json) && (json_integer_value(json) == 0 || json_integer_value(json) == 1))
        return (int)json_integer_value(json);
    return -1;
}

static int read_switch(const char *as, const json_t *json, struct cs_param_value *value,
                       struct cs_error *err)
{
    int on = switch_of(json);

    if (on < 0)
        return cs_error_set(err, "%s: found something else than true or false", as);
    *value = (struct cs_param_value){.text = on ? "yes" : NULL, .choice = on, .integer = on};
    return 0;
}

static int refuse_number(const struct cs_param *f, const char *as, double number,
                         struct cs_error *err)
{
    char text[40];

    cs_plain_print(text, sizeof text, "%.17g", number);
    return bad_number(f, as, text, err);
}

/* Whole numbers may be written 1e6. */
static int read_json_number(const struct cs_param *f, const char *as, const json_t *json,
                            struct cs_param_value *value, struct cs_error *err)
{
    double number = json_number_value(json);
    struct cs_param_value v = {.text = "", .real = number, .choice = -1};

    if (!param_within(f, number))
        return refuse_number(f, as, number, err);
    if (f->kind == CS_PARAM_INTEGER && !json_is_integer(json) &&
        (number != floor(number) || fabs(number) > 9007199254740992.0))
        return refuse_number(f, as, number, err);
    v.integer = json_is_integer(json)         ? json_integer_value(json)
                : f->kind == CS_PARAM_INTEGER ? (int64_t)number
                                              : 0;
    *value = v;
    return 0;
}

int cs_param_read_json(const struct cs_param *f, const char *as, const json_t *json,
                       struct cs_param_value *value, struct cs_error *err)
{
    if (cs_param_is_number(f) && json_is_number(json))
        return read_json_number(f, as, json, value, err);
    if (cs_param_is_switch(f) && !json_is_string(json))
        return read_switch(as, json, value, err);
    if (!json_is_string(json))
        return cs_error_set(err, "%s: %s is wanted", as,
                            cs_param_is_number(f) ? "a number" : "a text");
    if (f->kind != CS_PARAM_FLAG)
        return cs_param_read(f, as, json_string_value(json), value, err);
    return cs_error_set(err, "%s: true or false is wanted", as);
}

const char *const *cs_param_lines(const char *text, struct cs_arena *arena)
{
    const char **line;
    int count = 1;

    for (const char *c = text; *c; c++)
        count += *c == '\n';
    line = CS_NEW_ARRAY(arena, const char *, count + 1);
    for (int i = 0; i < count; i++, text += strcspn(text, "\n") + 1)
        line[i] = cs_arena_strndup(arena, text, strcspn(text, "\n"));
    return line;
}

void cs_param_store(const struct cs_param *f, const struct cs_param_value *v, void *options)
{
    void *member = (char *)options + f->at;

    switch (f->kind) {
    case CS_PARAM_FLAG:
        *(bool *)member = v->text != NULL;
        break;
    case CS_PARAM_INTEGER:
        *(int64_t *)member = v->text ? v->integer : CS_PARAM_NONE;
        break;
    case CS_PARAM_REAL:
    case CS_PARAM_SECONDS:
        *(double *)member = v->text ? v->real : NAN;
        break;
    case CS_PARAM_CHOICE:
        *(int *)member = v->text || v->choice >= 0 ? v->choice : -1;
        break;
    case CS_PARAM_TEXT:
    case CS_PARAM_PATH:
        *(const char **)member = v->text;
        break;
    }
}

const char *cs_choice_now(const struct cs_param *f, const char *text)
{
    const char *now = f->old_choice ? strchr(f->old_choice, '=') + 1 : NULL;
    const size_t length = strlen(text);

    if (now && length + 1 == (size_t)(now - f->old_choice) && !memcmp(f->old_choice, text, length))
        return now;
    return text;
}

/* Append the member as the text or number that reads back as the same value, for digests; no text
 * if it is not set. */
static void param_put_value(const struct cs_param *f, const void *options, struct cs_strbuf *out)
{
    const void *member = (const char *)options + f->at;
    const char *text;

    switch (f->kind) {
    case CS_PARAM_FLAG:
        cs_strbuf_puts(out, *(const bool *)member ? "yes" : "");
        break;
    case CS_PARAM_INTEGER:
        if (*(const int64_t *)member != CS_PARAM_NONE)
            cs_strbuf_printf(out, "%" PRId64, *(const int64_t *)member);
        break;
    case CS_PARAM_REAL:
    case CS_PARAM_SECONDS:
        if (!isnan(*(const double *)member))
            cs_strbuf_put_double(out, *(const double *)member);
        break;
    case CS_PARAM_CHOICE:
        put_choice(f->choices, *(const int *)member, out);
        break;
    case CS_PARAM_TEXT:
    case CS_PARAM_PATH:
        text = *(const char *const *)member;
        cs_strbuf_puts(out, text ? text : "");
        break;
    }
}

void cs_params_reset(const struct cs_param *params, void *options)
{
    struct cs_error err = {0};

    for (const struct cs_param *f = params; f && f->name; f++) {
        struct cs_param_value value = {.choice = -1};

        if (!f->actions)
            continue;
        if (f->default_text && cs_param_read(f, f->name, f->default_text, &value, &err))
            cs_bug("the default of %s: %s", f->name, err.text);
        cs_param_store(f, &value, options);
    }
}

/* Are the names equal, with dashes and underscores as the same character? */
static bool same_name(const char *name, const char *other)
{
    for (; *name && *other; name++, other++)
        if (*name != *other && !(strchr("-_", *name) && strchr("-_", *other)))
            return false;
    return !*name && !*other;
}

bool cs_param_was(const struct cs_param *f, const char *name)
{
    return f->old && same_name(f->old, name);
}

bool cs_param_is(const struct cs_param *f, const char *name)
{
    return same_name(f->name, name) || cs_param_was(f, name);
}

static int offer_near(const struct cs_param *params, unsigned actions, const char *name,
                      struct cs_error *err)
{
    struct cs_suggest suggest = {.word = name};

    for (const struct cs_param *f = params; f && f->name; f++)
        if (!actions || f->actions & actions)
            cs_suggest_offer(&suggest, f->name);
    if (suggest.best[0])
        return cs_error_set(err, "there is no \"%.60s\"; did you mean \"%s\"?", name, suggest.best);
    return cs_error_set(err, "there is no \"%.60s\"", name);
}

const struct cs_param *cs_params_select(const struct cs_param *all, unsigned action,
                                        struct cs_arena *arena)
{
    const char *heading = NULL, *shown = NULL;
    struct cs_param *param, *next;
    int count = 0;

    for (const struct cs_param *f = all; f->name; f++)
        count++;
    next = param = CS_NEW_ARRAY(arena, struct cs_param, count + 1);
    for (const struct cs_param *f = all; f->name; f++) {
        heading = f->group ? f->group : heading;
        if (!(f->actions & action))
            continue;
        *next = *f;
        next->group = heading == shown ? NULL : heading;
        next->required = f->required & action;
        shown = heading;
        next++;
    }
    return param;
}

const struct cs_param *cs_params_find(const struct cs_param *params, unsigned actions,
                                      const char *name, bool *old, struct cs_error *err)
{
    *old = false;
    for (const struct cs_param *f = params; f && f->name; f++) {
        if ((actions && !(f->actions & actions)) || !cs_param_is(f, name))
            continue;
        *old = !same_name(f->name, name);
        return f;
    }
    offer_near(params, actions, name, err);
    return NULL;
}

static int param_check_once(const struct cs_param *param, const json_t *parameters,
                            struct cs_error *err)
{
    const char *name, *first = NULL;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        if (!cs_param_is(param, name))
            continue;
        if (first)
            return cs_error_set(err, "%s and %s are the same: give one of them", first, name);
        first = name;
    }
    return 0;
}

int cs_params_check_once(const struct cs_param *params, unsigned action, const json_t *parameters,
                         struct cs_error *err)
{
    for (const struct cs_param *f = params; f->name; f++)
        if (f->actions & action && f->old && param_check_once(f, parameters, err))
            return -1;
    return 0;
}

static bool param_is_named(const struct cs_param *f, const char *names)
{
    const size_t length = strlen(f->name);

    for (const char *name = names; name; name = strchr(name, '|') ? strchr(name, '|') + 1 : NULL)
        if (!strncmp(name, f->name, length) && (name[length] == '|' || !name[length]))
            return true;
    return false;
}

void cs_params_digest(const struct cs_param *params, const void *options, unsigned scope,
                      const char *without, char text[CS_DIGEST_TEXT])
{
    struct cs_strbuf value = CS_STRBUF_INIT;
    struct cs_digest digest;

    cs_digest_init(&digest);
    for (const struct cs_param *f = params; f && f->name; f++) {
        if (!f->actions || (scope && !(f->scope & scope)) || param_is_named(f, without))
            continue;
        cs_strbuf_clear(&value);
        param_put_value(f, options, &value);
        cs_digest_put_text(&digest, f->old_stored ? f->old : f->name);
        cs_digest_put_text(&digest, value.text);
    }
    cs_digest_finish(&digest, text);
    cs_strbuf_release(&value);
}

static void param_put_underscored(const char *name, struct cs_strbuf *out)
{
    for (const char *c = name; *c; c++)
        cs_strbuf_putc(out, *c == '-' ? '_' : *c);
}

void cs_param_put_key(const struct cs_param *f, struct cs_strbuf *out)
{
    param_put_underscored(f->name, out);
}

void cs_param_put_stored(const struct cs_param *f, struct cs_strbuf *out)
{
    param_put_underscored(f->old_stored ? f->old : f->name, out);
}

void cs_param_put_renamed(const struct cs_param *f, bool old, const char *text,
                          struct cs_strbuf *out)
{
    const char *now = text ? cs_choice_now(f, text) : text;

    if (old && !f->old_stays) {
        cs_strbuf_puts(out, "'");
        param_put_underscored(f->old, out);
        cs_strbuf_puts(out, "' is now called '");
        cs_param_put_key(f, out);
        cs_strbuf_puts(out, f->old_unit > 0 ? "', a time with its unit, such as \"30d\"" : "'");
    }
    if (now != text) {
        cs_strbuf_puts(out, out->length ? "; " : "");
        cs_param_put_key(f, out);
        cs_strbuf_printf(out, ": '%s' is now called '%s'", text, now);
    }
}
