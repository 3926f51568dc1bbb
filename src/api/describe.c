/* describe.c - every problem as data, for programs. */
#include "problem/describe.h"
#include "base/guard.h"
#include "base/jsonw.h"
#include "config.h"

#include <cosched/case.h>
#include <stdlib.h>
#include <string.h>

static void put_list(struct cs_jsonw *w, const char *key, const struct cs_problem *problem,
                     void (*put)(const struct cs_problem *problem, struct cs_jsonw *w))
{
    cs_jsonw_key(w, key);
    cs_jsonw_open(w, '[');
    put(problem, w);
    cs_jsonw_close(w);
}

static void put_choice(struct cs_jsonw *w, const struct cs_problem_choice *choice)
{
    int count;

    choice->policies(&count);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "option", choice->option);
    cs_jsonw_put_string(w, "heading", choice->heading);
    cs_jsonw_put_int(w, "policies", count);
    cs_jsonw_close(w);
}

static void put_choices(const struct cs_problem *problem, struct cs_jsonw *w)
{
    for (const struct cs_problem_choice *c = problem->choice; c->option; c++)
        put_choice(w, c);
}

/* From a field with a heading to the next one. */
static void put_groups(const struct cs_problem *problem, struct cs_jsonw *w)
{
    for (const struct cs_field *f = problem->field, *end; f && f->name; f = end) {
        for (end = f + 1; end->name && !end->group;)
            end++;
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "heading", f->group);
        cs_jsonw_put_int(w, "parameters", end - f);
        cs_jsonw_close(w);
    }
}

static void put_problem(struct cs_jsonw *w, const struct cs_problem *problem)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", problem->name);
    cs_jsonw_put_string(w, "summary", problem->summary);
    cs_jsonw_put_string(w, "source", problem->source);
    cs_jsonw_key(w, "variants");
    cs_jsonw_open_flat(w, '[');
    for (int k = 0; problem->variant[k]; k++)
        cs_jsonw_string(w, problem->variant[k]);
    cs_jsonw_close(w);
    cs_jsonw_put_string(w, "group", problem->group);
    cs_jsonw_put_string(w, "size", problem->size);
    put_list(w, "choices", problem, put_choices);
    put_list(w, "groups", problem, put_groups);
    put_list(w, "parameters", problem, cs_describe_put_fields);
    put_list(w, "metrics", problem, cs_describe_put_values);
    put_list(w, "policies", problem, cs_describe_put_policies);
    cs_jsonw_close(w);
}

char *cs_case_describe(const char *problem, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    if (problem && !cs_problem_find(problem, err))
        return NULL;
    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "version", CS_VERSION);
    cs_jsonw_key(&w, "problems");
    cs_jsonw_open(&w, '[');
    for (int p = 0; p < count; p++)
        if (!problem || !strcmp(problem, list[p]->name))
            put_problem(&w, list[p]);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}

const char *cs_version(void)
{
    return CS_VERSION;
}

void cs_free(void *memory)
{
    free(memory);
}
