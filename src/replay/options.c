/* options.c - the options of a replay by their names. */
#include "replay/options.h"
#include "base/guard.h"
#include "rigid/site_rows.h"
#include "study/describe.h"
#include "study/given.h"

#define AT(member) offsetof(struct cs_replay_options, member)

static const struct cs_field fields[] = {
    CS_REPLAY_ROWS_RUN(NULL, NULL, NULL, AT),
    CS_REPLAY_ROWS_JOBS(AT),
    {.name = "full",
     .kind = CS_FIELD_FLAG,
     .group = "What is kept",
     .summary = "what all texts but \"table\", \"csv\" and of a schedule want",
     .at = AT(full)},
    {.name = "keep",
     .kind = CS_FIELD_TEXT,
     .argument = "WISH",
     .summary = "what the schedule of the only row wants: what messages call the wish, such as "
                "output",
     .at = AT(keep)},
    CS_REPLAY_ROW_THREADS(AT),
    {0},
};

static bool is_given(const struct cs_field *field, const json_t *given)
{
    const char *name;
    json_t *json;

    json_object_foreach((json_t *)(uintptr_t)given, name, json)
    {
        if (cs_field_is(field, name))
            return true;
    }
    return false;
}

static int check_needs(const json_t *given, struct cs_error *err)
{
    for (const struct cs_field *f = fields; f->name; f++) {
        bool old;

        if (f->needs && is_given(f, given) &&
            !is_given(cs_fields_find(fields, 0, f->needs, &old, err), given))
            return cs_error_set(err, "%s is for %s, which is not given", f->name, f->needs);
    }
    return 0;
}

static int take_all(json_t *given, struct cs_arena *arena, struct cs_replay_options *options,
                    struct cs_error *err)
{
    const char *name;
    json_t *json;

    json_object_foreach(given, name, json)
    {
        bool old;
        const struct cs_field *field = cs_fields_find(fields, 0, name, &old, err);

        if (!field || cs_given_store(field, name, json, 0, arena, options, err))
            return -1;
    }
    return check_needs(given, err);
}

int cs_replay_take(const char *json, struct cs_arena *arena, struct cs_replay_options *options,
                   struct cs_error *err)
{
    struct cs_given *given = cs_given_load(json, arena, err);
    int status;

    cs_replay_defaults(options);
    status = given ? take_all(given->json, arena, options, err) : -1;
    cs_given_release(given);
    return status;
}

void cs_replay_own(struct cs_replay_options *options, struct cs_arena *arena)
{
    for (const struct cs_field *f = fields; f->name; f++) {
        const char **text = (const char **)(void *)((char *)options + f->at);

        if ((f->kind == CS_FIELD_TEXT || f->kind == CS_FIELD_PATH) && *text)
            *text = cs_arena_strdup(arena, *text);
    }
}

char *cs_replay_describe(struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_jsonw_key(&w, "parameters");
    cs_jsonw_open(&w, '[');
    cs_describe_put_rows("replay", fields, &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}
