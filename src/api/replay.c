/* replay.c - `cosched replay` for programs: a case of the problem queue, with separate texts. */
#include "api/document.h"
#include "api/views/queue.h"
#include "base/guard.h"
#include "base/watch.h"
#include "problem/describe.h"
#include "problem/options.h"
#include "problems/queue/problem.h"

#include <cosched/replay.h>
#include <errno.h>
#include <string.h>

struct cs_replay {
    struct cs_arena *arena; /* owns the members below */
    struct cs_queue_options *options;
    struct cs_queue_case *study;
    const struct cs_watch *watch; /* while it runs */
};

static void replay_warn(const char *text, void *who)
{
    const struct cs_watch *watch = ((const struct cs_replay *)who)->watch;

    if (watch && watch->warn)
        watch->warn(watch->who, text);
}

/* ---- options ---- */

static bool replay_has(const struct cs_param *param, const json_t *supplied)
{
    const char *name;
    json_t *json;

    json_object_foreach((json_t *)(uintptr_t)supplied, name, json)
    {
        if (cs_param_is(param, name))
            return true;
    }
    return false;
}

/* The file of the tool: the caller keeps it. */
static const char *replay_needed(const struct cs_param *param)
{
    return strcmp(param->needs, "output") != 0 ? param->needs : "keep";
}

static int check_needs(const struct cs_param *params, const json_t *supplied, struct cs_error *err)
{
    for (const struct cs_param *f = params; f->name; f++) {
        bool old;

        if (f->needs && replay_has(f, supplied) &&
            !replay_has(cs_params_find(params, 0, replay_needed(f), &old, err), supplied))
            return cs_error_set(err, "%s is for %s, which is not given", f->name, replay_needed(f));
    }
    return 0;
}

/* Read the options of a JSON object (NULL: no options); their texts are copied into the arena. */
static int replay_take(struct cs_replay *replay, const char *text, struct cs_error *err)
{
    const struct cs_param *params = cs_queue_replay_params(replay->arena);
    struct cs_supplied *supplied = cs_supplied_load(text, replay->arena, err);
    struct cs_strbuf warning = CS_STRBUF_INIT;
    const char *name;
    json_t *json;
    int status = supplied ? 0 : -1;

    json_object_foreach(supplied ? supplied->json : NULL, name, json)
    {
        bool old;
        const struct cs_param *param = cs_params_find(params, 0, name, &old, err);

        status = param
                     ? cs_supplied_store(param, name, json, 0, replay->arena, replay->options, err)
                     : -1;
        if (status)
            break;
        cs_problem_put_renamed_value(param, old, json_string_value(json), &warning);
        if (warning.length)
            replay_warn(warning.text, replay);
        cs_strbuf_clear(&warning);
    }
    cs_strbuf_release(&warning);
    if (!status)
        status = cs_params_check_once(params, ~0U, supplied->json, err) ||
                 check_needs(params, supplied->json, err);
    cs_supplied_release(supplied);
    return status;
}

char *cs_replay_describe(struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_jsonw_key(&w, "parameters");
    cs_jsonw_open(&w, '[');
    cs_describe_put_rows("replay", cs_queue_replay_params(arena), &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_arena_destroy(arena);
    return cs_strbuf_take(&text);
}

/* ---- a replay ---- */

static void replay_show(void *who, double done)
{
    const struct cs_replay *replay = who;

    if (replay->watch && replay->watch->progress)
        replay->watch->progress(replay->watch->who,
                                done / ((double)replay->study->request.study.variants + 1));
}

static struct cs_replay *replay_create(const char *const *logs, int count)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_replay *replay = CS_NEW(arena, struct cs_replay);
    const char **path = CS_NEW_ARRAY(arena, const char *, count + 1);

    for (int i = 0; i < count; i++)
        path[i] = cs_arena_strdup(arena, logs[i]);
    replay->arena = arena;
    replay->options = cs_problem_options(&cs_problem_queue, arena);
    replay->options->study.inputs = path;
    return replay;
}

void cs_replay_destroy(struct cs_replay *replay)
{
    if (!replay)
        return;
    cs_study_close(replay->study ? &replay->study->study : NULL);
    cs_arena_destroy(replay->arena);
}

static int replay_run(struct cs_replay *replay, struct cs_error *err)
{
    const struct cs_study_context context = {
        .action = CS_REPLAY, .warn = replay_warn, .who = replay};
    const struct cs_study_progress progress = {replay_show, replay};
    struct cs_study *study = cs_study_open(&cs_problem_queue, replay->options, &context, err);

    replay->study = (struct cs_queue_case *)(void *)study;
    if (!study || cs_study_run(study, &progress, err))
        return -1;
    cs_queue_warn(replay->study, replay_warn, replay);
    return 0;
}

/* Run the replay and return it; NULL with err: the replay is destroyed. */
static struct cs_replay *replay_finish(struct cs_replay *replay, const struct cs_watch *watch,
                                       struct cs_error *err)
{
    const struct cs_watch *outer;
    int status = cs_watch_check(watch, err);

    if (!status) {
        replay->watch = watch;
        outer = cs_watch_enter(watch);
        status = cs_watch_settle(replay_run(replay, err), err);
        cs_watch_enter(outer);
        replay->watch = NULL;
    }
    if (!status)
        return replay;
    cs_replay_destroy(replay);
    return NULL;
}

struct cs_replay *cs_replay_run_json(const char *const *logs, int count, const char *options,
                                     const struct cs_watch *watch, struct cs_error *err)
{
    CS_ASK(!count || cs_are_paths(logs, count), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_replay *replay = replay_create(logs, count);

    if (!cs_watch_check(watch, err)) {
        replay->watch = watch;
        if (!replay_take(replay, options, err))
            return replay_finish(replay, watch, err);
    }
    cs_replay_destroy(replay);
    return NULL;
}

/* ---- results ---- */

const struct cs_queue_log_rows *cs_replay_rows(const struct cs_replay *replay,
                                               const struct cs_replay_request **request)
{
    *request = &replay->study->request;
    return &replay->study->rows;
}

enum form { TABLE, CSV, JSON, SERIES, SCHEDULE, GANTT };

/* A text of a replay, with its words parsed. */
struct replay_output {
    const struct cs_replay *replay;
    enum form form;
    struct cs_replay_style style;
    struct cs_error why;
};

static int replay_put(const struct replay_output *output, struct cs_spill *to, struct cs_error *err)
{
    const struct cs_queue_case *study = output->replay->study;
    const struct cs_replay_request *request = &study->request;
    const struct cs_queue_log_rows *rows = &study->rows;

    switch (output->form) {
    case TABLE:
        cs_replay_show(request, rows, output->style.width, to->out);
        return 0;
    case CSV:
        cs_replay_csv(request, rows, to->out);
        return 0;
    case JSON:
        cs_replay_json(request, rows, output->style.command, to->out);
        return 0;
    case SERIES:
        cs_replay_series_csv(request, rows, to->out);
        return 0;
    case SCHEDULE:
        return cs_replay_schedule_json(study, output->style.command, to, err);
    case GANTT:
        return cs_replay_gantt(request, rows, to->out, err);
    }
    return -1;
}

static int check_form(const struct cs_replay *replay, enum form form, const char *name,
                      struct cs_error *err)
{
    if (form >= SCHEDULE && !replay->options->site.keep)
        return cs_error_set(err, "%s was not kept: the option keep wants it", name);
    if (form >= JSON && form < SCHEDULE && !replay->options->site.full)
        return cs_error_set(err, "the data of %s was not kept: set the option full", name);
    return 0;
}

static int check_inspect(const struct cs_replay_style *appearance, struct cs_error *err)
{
    if (appearance && cs_ask_size("a look", appearance->size, sizeof *appearance, err))
        return -1;
    return appearance && appearance->width < 0
               ? cs_error_set(err, "width cannot be %d", appearance->width)
               : 0;
}

static int replay_understand(struct replay_output *output, const char *form,
                             const struct cs_replay_style *appearance, struct cs_error *err)
{
    static const char forms[] = "table|csv|json|series|schedule|gantt";
    const int index = cs_choice_index(forms, form);

    if (check_inspect(appearance, err))
        return -1;
    if (index < 0)
        return cs_choice_error("the form", form, forms, err);
    output->form = (enum form)index;
    output->style.command =
        appearance && appearance->command ? appearance->command : "cs_replay_text";
    output->style.width = appearance ? appearance->width : 0;
    return check_form(output->replay, output->form, form, err);
}

char *cs_replay_text(const struct cs_replay *replay, const char *form,
                     const struct cs_replay_style *appearance, size_t *length, struct cs_error *err)
{
    CS_ASK(replay && form, err, NULL);
    CS_GUARD(err, NULL);
    struct replay_output output = {.replay = replay};
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_spill to = cs_spill_to(&out, -1);
    int status = replay_understand(&output, form, appearance, err);

    if (!status)
        status = replay_put(&output, &to, err);
    return cs_document_take(&out, status, length);
}

static int replay_fill(void *who, int fd)
{
    struct replay_output *output = who;
    struct cs_strbuf piece = CS_STRBUF_INIT;
    struct cs_spill to = cs_spill_to(&piece, fd);
    const int status = replay_put(output, &to, &output->why);

    if (!status)
        cs_spill_some(&to, 0);
    cs_strbuf_release(&piece);
    errno = to.error;
    return status || errno ? -1 : 0;
}

int cs_replay_write(const struct cs_replay *replay, const char *form,
                    const struct cs_replay_style *appearance, const char *path,
                    struct cs_error *err)
{
    CS_ASK(replay && form && path, err, -1);
    CS_GUARD(err, -1);
    struct replay_output output = {.replay = replay};

    return replay_understand(&output, form, appearance, err)
               ? -1
               : cs_document_fill(path, replay_fill, &output, &output.why, err);
}
