/* describe.c - problems as data, in JSON. */
#include "problem/describe.h"

#include "model/policy_param.h"
#include "problem/sample.h"

#include <math.h>
#include <string.h>

static const char *const action_words[] = {"plan", "simulate", "generate", "experiment", NULL};
static const char *const scope_words[] = {"generator", "instance", "variant", "scenario", NULL};
static const char *const in_words[] = {"summary", "rows", "experiments", NULL};

static void json_words(struct cs_jsonw *w, const char *key, unsigned set, const char *const *word)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '[');
    for (int b = 0; word[b]; b++)
        if (set & 1U << b)
            cs_jsonw_string(w, word[b]);
    cs_jsonw_close(w);
}

static void param_object(const char *problem, const struct cs_param *f, const char *group,
                         struct cs_jsonw *w)
{
    const char letter[] = {f->letter, 0};
    struct cs_strbuf key = CS_STRBUF_INIT;

    cs_param_put_key(f, &key);
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "problem", problem);
    cs_jsonw_put_string(w, "name", f->name);
    cs_jsonw_put_string(w, "key", key.text);
    cs_jsonw_put_string(w, "letter", f->letter ? letter : NULL);
    cs_param_put_values(f, w);
    json_words(w, "verbs", f->actions, action_words);
    json_words(w, "required", f->required, action_words);
    json_words(w, "scope", f->scope, scope_words);
    cs_jsonw_put_bool(w, "repeats", f->repeats);
    cs_jsonw_put_string(w, "needs", f->needs);
    cs_jsonw_put_string(w, "old", f->old);
    cs_jsonw_put_string(w, "group", group);
    cs_jsonw_put_string(w, "summary", f->summary);
    cs_jsonw_close(w);
    cs_strbuf_release(&key);
}

void cs_describe_put_rows(const char *problem, const struct cs_param *rows, struct cs_jsonw *w)
{
    const char *group = NULL;

    for (const struct cs_param *f = rows; f && f->name; f++) {
        group = f->group ? f->group : group;
        param_object(problem, f, group, w);
    }
}

void cs_describe_put_params(const struct cs_problem *problem, struct cs_jsonw *w)
{
    cs_describe_put_rows(problem->name, problem->param, w);
}

static const char *value_kind(const struct cs_value *v)
{
    return v->kind == CS_VALUE_SECONDS ? "seconds" : v->kind == CS_VALUE_SHARE ? "share" : "number";
}

/* The figures of an experiment: a metric NAME is the mean, NAME_FIGURE another. */
static unsigned figures_of(const struct cs_value *v)
{
    return v->in & CS_IN_EXPERIMENTS ? v->figures | 1U << CS_FIGURE_MEAN : 0;
}

void cs_describe_put_values(const struct cs_problem *problem, struct cs_jsonw *w)
{
    const char *figure[CS_FIGURES + 1];

    for (int f = 0; f < CS_FIGURES; f++)
        figure[f] = cs_figure_name((enum cs_figure)f);
    figure[CS_FIGURES] = NULL;
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        if (v->former)
            continue;
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "problem", problem->name);
        cs_jsonw_put_string(w, "name", v->name);
        cs_jsonw_put_string(w, "kind", value_kind(v));
        json_words(w, "in", v->in, in_words);
        json_words(w, "figures", figures_of(v), figure);
        cs_jsonw_put_bool(w, "measured", v->measured);
        cs_jsonw_put_string(w, "old", v->old);
        cs_jsonw_put_string(w, "heading", v->heading);
        cs_jsonw_put_string(w, "summary", v->summary);
        cs_jsonw_close(w);
    }
}

static void json_param(struct cs_jsonw *w, const struct cs_policy_param *p)
{
    static const char *const kinds[] = {[CS_POLICY_PARAM_REAL] = "real",
                                        [CS_POLICY_PARAM_INTEGER] = "integer",
                                        [CS_POLICY_PARAM_CHOICE] = "choice"};
    struct cs_strbuf range = CS_STRBUF_INIT;

    cs_policy_param_put_range(&range, p);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", p->name);
    cs_jsonw_put_string(w, "kind", kinds[p->kind]);
    cs_jsonw_put_string(w, "default", p->default_text);
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

/* The library that this build or this machine lacks, or null. */
static void json_missing(struct cs_jsonw *w, const struct cs_problem *problem,
                         const struct cs_policy *policy)
{
    struct cs_error why = {0};
    const char *missing = policy->missing;

    if (!missing && problem->ready && problem->ready(policy, &why))
        missing = why.text;
    cs_jsonw_put_string(w, "missing", missing);
}

static void json_policy(struct cs_jsonw *w, const struct cs_problem *problem, const char *kind,
                        const struct cs_policy *policy)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "problem", problem->name);
    cs_jsonw_put_string(w, "kind", kind);
    cs_jsonw_put_string(w, "name", policy->name);
    cs_jsonw_put_string(w, "summary", policy->summary);
    cs_jsonw_key(w, "parameters");
    cs_jsonw_open(w, '[');
    for (const struct cs_policy_param *p = policy->params; p && p->name; p++)
        json_param(w, p);
    cs_jsonw_close(w);
    cs_jsonw_put_bool(w, "exact", policy->exact);
    cs_jsonw_put_string(w, "aliases", policy->aliases);
    json_presets(w, policy);
    json_missing(w, problem, policy);
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

static void json_choice(struct cs_jsonw *w, const struct cs_problem *problem,
                        const struct cs_problem_choice *choice)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);

    for (int i = 0; i < count; i++)
        json_policy(w, problem, choice->option, list[i]);
}

void cs_describe_put_policies(const struct cs_problem *problem, struct cs_jsonw *w)
{
    for (const struct cs_problem_choice *c = problem->choice; c->option; c++)
        json_choice(w, problem, c);
    for (int i = 0; problem->priorities && problem->priorities(i).name; i++)
        json_priority(w, problem, problem->priorities(i));
}
