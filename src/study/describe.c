/* describe.c - problems as data, in JSON and in words. */
#include "study/describe.h"

#include "model/param.h"
#include "study/sample.h"

#include <math.h>
#include <string.h>

const char *const cs_describe_verbs[] = {"plan", "simulate", "generate", "experiment", NULL};
const char *const cs_describe_of[] = {"recipe", "instance", "way", "draw", NULL};
const char *const cs_describe_in[] = {"summary", "rows", "experiments", NULL};

void cs_describe_put_words(struct cs_strbuf *out, unsigned set, const char *const *word,
                           const char *between)
{
    const char *gap = "";

    for (int b = 0; word[b]; b++)
        if (set & 1U << b) {
            cs_strbuf_printf(out, "%s%s", gap, word[b]);
            gap = between;
        }
}

static void json_words(struct cs_jsonw *w, const char *key, unsigned set, const char *const *word)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '[');
    for (int b = 0; word[b]; b++)
        if (set & 1U << b)
            cs_jsonw_string(w, word[b]);
    cs_jsonw_close(w);
}

const char *cs_describe_field_kind(const struct cs_field *f)
{
    static const char *const names[] = {
        [CS_FIELD_FLAG] = "flag",    [CS_FIELD_INTEGER] = "integer", [CS_FIELD_REAL] = "real",
        [CS_FIELD_SECONDS] = "time", [CS_FIELD_TEXT] = "text",       [CS_FIELD_CHOICE] = "choice",
        [CS_FIELD_PATH] = "file",
    };

    return names[f->kind];
}

static void json_limits(const struct cs_field *f, struct cs_jsonw *w)
{
    bool number =
        f->kind == CS_FIELD_INTEGER || f->kind == CS_FIELD_REAL || f->kind == CS_FIELD_SECONDS;

    cs_jsonw_put_double(w, "low", number ? f->low : NAN);
    cs_jsonw_put_double(w, "high", number && f->high > f->low ? f->high : NAN);
    cs_jsonw_key(w, "choices");
    if (f->kind != CS_FIELD_CHOICE) {
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

static void field_object(const struct cs_problem *problem, const struct cs_field *f,
                         const char *group, struct cs_jsonw *w)
{
    const char letter[] = {f->letter, 0};
    struct cs_strbuf key = CS_STRBUF_INIT, values = CS_STRBUF_INIT;

    cs_field_put_key(f, &key);
    cs_field_put_kind(f, &values);
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "problem", problem->name);
    cs_jsonw_put_string(w, "name", f->name);
    cs_jsonw_put_string(w, "key", key.text);
    cs_jsonw_put_string(w, "letter", f->letter ? letter : NULL);
    cs_jsonw_put_string(w, "kind", cs_describe_field_kind(f));
    cs_jsonw_put_string(w, "values", values.text);
    json_limits(f, w);
    cs_jsonw_put_string(w, "default", f->fallback);
    json_words(w, "verbs", f->verbs, cs_describe_verbs);
    json_words(w, "required", f->required, cs_describe_verbs);
    json_words(w, "of", f->of, cs_describe_of);
    cs_jsonw_put_bool(w, "repeats", f->repeats);
    cs_jsonw_put_string(w, "needs", f->needs);
    cs_jsonw_put_string(w, "old", f->old);
    cs_jsonw_put_string(w, "group", group);
    cs_jsonw_put_string(w, "summary", f->summary);
    cs_jsonw_close(w);
    cs_strbuf_release(&key);
    cs_strbuf_release(&values);
}

void cs_describe_put_fields(const struct cs_problem *problem, struct cs_jsonw *w)
{
    const char *group = NULL;

    for (const struct cs_field *f = problem->field; f && f->name; f++) {
        group = f->group ? f->group : group;
        field_object(problem, f, group, w);
    }
}

const char *cs_describe_value_kind(const struct cs_value *v)
{
    return v->kind == CS_VALUE_SECONDS ? "seconds" : v->kind == CS_VALUE_SHARE ? "share" : "number";
}

/* The figures of an experiment: a metric NAME is the mean, NAME_FIGURE another. */
unsigned cs_describe_figures(const struct cs_value *v)
{
    return v->in & CS_IN_EXPERIMENTS ? v->figures | 1U << CS_FIGURE_MEAN : 0;
}

void cs_describe_find_figures(const char *word[CS_FIGURES + 1])
{
    for (int f = 0; f < CS_FIGURES; f++)
        word[f] = cs_figure_name((enum cs_figure)f);
    word[CS_FIGURES] = NULL;
}

void cs_describe_put_values(const struct cs_problem *problem, struct cs_jsonw *w)
{
    const char *figure[CS_FIGURES + 1];

    cs_describe_find_figures(figure);
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "problem", problem->name);
        cs_jsonw_put_string(w, "name", v->name);
        cs_jsonw_put_string(w, "kind", cs_describe_value_kind(v));
        json_words(w, "in", v->in, cs_describe_in);
        json_words(w, "figures", cs_describe_figures(v), figure);
        cs_jsonw_put_bool(w, "measured", v->measured);
        cs_jsonw_put_string(w, "heading", v->heading);
        cs_jsonw_put_string(w, "summary", v->summary);
        cs_jsonw_close(w);
    }
}

static void json_param(struct cs_jsonw *w, const struct cs_param *p)
{
    static const char *const kinds[] = {
        [CS_PARAM_REAL] = "real", [CS_PARAM_INTEGER] = "integer", [CS_PARAM_CHOICE] = "choice"};
    struct cs_strbuf range = CS_STRBUF_INIT;

    cs_param_put_range(&range, p);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", p->name);
    cs_jsonw_put_string(w, "kind", kinds[p->kind]);
    cs_jsonw_put_string(w, "default", p->fallback);
    cs_jsonw_put_string(w, "range", range.text);
    cs_jsonw_put_string(w, "summary", p->summary);
    cs_jsonw_close(w);
    cs_strbuf_release(&range);
}

static void json_presets(struct cs_jsonw *w, const struct cs_policy *policy)
{
    cs_jsonw_key(w, "presets");
    cs_jsonw_open_flat(w, '{');
    for (const struct cs_policy_preset *p = policy->presets; p && p->name; p++)
        cs_jsonw_put_string(w, p->name, p->settings);
    cs_jsonw_close(w);
}

static void json_policy(struct cs_jsonw *w, const char *kind, const struct cs_policy *policy)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "problem", policy->problem);
    cs_jsonw_put_string(w, "kind", kind);
    cs_jsonw_put_string(w, "name", policy->name);
    cs_jsonw_put_string(w, "summary", policy->summary);
    cs_jsonw_key(w, "parameters");
    cs_jsonw_open(w, '[');
    for (const struct cs_param *p = policy->params; p && p->name; p++)
        json_param(w, p);
    cs_jsonw_close(w);
    cs_jsonw_put_bool(w, "exact", policy->exact);
    cs_jsonw_put_string(w, "aliases", policy->aliases);
    json_presets(w, policy);
    cs_jsonw_put_string(w, "missing", policy->missing);
    cs_jsonw_put_string(w, "source", policy->source);
    cs_jsonw_close(w);
}

static void json_priority(struct cs_jsonw *w, const struct cs_problem *problem,
                          struct cs_problem_priority priority)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "problem", problem->name);
    cs_jsonw_put_string(w, "kind", "priority");
    cs_jsonw_put_string(w, "name", priority.name);
    cs_jsonw_put_string(w, "summary", priority.summary);
    cs_jsonw_put_string(w, "source", priority.source);
    cs_jsonw_close(w);
}

static void json_choice(struct cs_jsonw *w, const struct cs_problem_choice *choice)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);

    for (int i = 0; i < count; i++)
        json_policy(w, choice->option, list[i]);
}

void cs_describe_put_policies(const struct cs_problem *problem, struct cs_jsonw *w)
{
    for (const struct cs_problem_choice *c = problem->choice; c->option; c++)
        json_choice(w, c);
    for (int i = 0; problem->priorities && problem->priorities(i).name; i++)
        json_priority(w, problem, problem->priorities(i));
}
