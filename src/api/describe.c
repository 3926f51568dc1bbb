/* describe.c - every problem as data, for programs. */
#include "problem/describe.h"
#include "api/document.h"
#include "base/guard.h"
#include "base/jsonw.h"
#include "config.h"
#include "problem/problem.h"
#include "problems/queue/problem.h"

#include <cosched/case.h>

#include <stdlib.h>
#include <string.h>

/* The parameters of problems and of replays, one at a time. */

/* The parameters of a problem, or of a replay (in the arena), *count of them; NULL with err. */
static const struct cs_param *param_find(const char *problem, int *count, struct cs_arena *arena,
                                         struct cs_error *err)
{
    const bool replay = !strcmp(problem, "replay");
    const struct cs_problem *found = replay ? NULL : cs_problem_find(problem, err);
    const struct cs_param *params = replay  ? cs_queue_replay_params(arena)
                                    : found ? found->param
                                            : NULL;

    for (*count = 0; params && params[*count].name;)
        ++*count;
    return params;
}

static void param_put(const struct cs_param *f, struct cs_case_param *out)
{
    *out = (struct cs_case_param){
        .name = f->name,
        .argument = f->argument,
        .choices = f->choices,
        .default_text = f->default_text,
        .needs = f->needs,
        .group = f->group,
        .summary = f->summary,
        .old = f->old,
        .low = f->low,
        .high = f->high,
        .old_unit = f->old_unit,
        .kind = f->kind,
        .actions = f->actions & (CS_PLAN | CS_SIMULATE | CS_GENERATE | CS_EXPERIMENT),
        .scope = f->scope,
        .required = f->required,
        .letter = f->letter,
        .repeats = f->repeats,
        .list = f->list,
        .chooses = f->policies != NULL,
        .has_words = f->values != NULL,
        .old_stays = f->old_stays,
        .old_choice = f->old_choice,
    };
}

int cs_case_param_at(const char *problem, int index, struct cs_case_param *out, size_t size,
                     struct cs_error *err)
{
    CS_ASK(problem && out, err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *arena = cs_arena_create();
    int count, status;
    const struct cs_param *params = param_find(problem, &count, arena, err);

    if (!params || cs_ask_size("a parameter", size, sizeof *out, err))
        status = -1;
    else
        status = index >= 0 && index < count;
    if (status > 0)
        param_put(params + index, out);
    cs_arena_destroy(arena);
    return status;
}

char *cs_case_words(const char *problem, int index, struct cs_error *err)
{
    CS_ASK(problem, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf words = CS_STRBUF_INIT;
    int count, status = -1;
    const struct cs_param *params = param_find(problem, &count, arena, err);

    if (params && (index < 0 || index >= count)) {
        cs_error_set(err, "there is no field %d: %s has %d", index, problem, count);
    } else if (params) {
        if (params[index].values)
            params[index].values(&words);
        status = 0;
    }
    cs_arena_destroy(arena);
    return cs_document_take(&words, status, NULL);
}

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

/* From a parameter with a heading to the next one. */
static void put_groups(const struct cs_problem *problem, struct cs_jsonw *w)
{
    for (const struct cs_param *f = problem->param, *end; f && f->name; f = end) {
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
    put_list(w, "parameters", problem, cs_describe_put_params);
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
