/* replay.c - the public functions of replays. */
#include "base/guard.h"
#include "base/watch.h"
#include "problem/field.h"
#include "problems/rigid/problem.h"
#include "replay/options.h"
#include "replay/request.h"

#include <cosched/replay.h>
#include <math.h>
#include <string.h>

struct cs_replay {
    struct cs_guarded guarded;
    struct cs_arena *arena; /* has all that follows */
    struct cs_replay_options options;
    struct cs_replay_request request;
    struct cs_queue_log_rows rows;
    const struct cs_watch *watch;
};

/* ---- options ---- */

void cs_replay_defaults(struct cs_replay_options *options)
{
    if (options)
        *options = (struct cs_replay_options){
            .size = sizeof *options,
            .procs = CS_FIELD_NONE,
            .nodes = CS_FIELD_NONE,
            .unit = -1,
            .policy = "easy",
            .patience = 60,
            .grace = NAN,
            .default_request = NAN,
            .user_jobs = CS_FIELD_NONE,
            .user_procs = CS_FIELD_NONE,
            .mean = NAN,
            .mtbe = NAN,
            .scenarios = CS_FIELD_NONE,
            .seed = 1,
            .lookahead = 200000,
            .top = 20,
        };
}

/* Whole numbers and choices, `unsaid` being one of their values or within their limits. */
static int check_whole(const struct cs_replay_options *o, struct cs_error *err)
{
    const struct {
        const char *name;
        int64_t value, least, most, unsaid;
    } whole[] = {
        {"procs", o->procs, 1, INT32_MAX, CS_FIELD_NONE},
        {"nodes", o->nodes, 1, INT32_MAX, CS_FIELD_NONE},
        {"unit", o->unit, 0, 1, -1},
        {"estimates", o->estimates, 0, 2, 0},
        {"overrun", o->overrun, 0, 2, 0},
        {"user_jobs", o->user_jobs, 1, 1000000000, CS_FIELD_NONE},
        {"user_procs", o->user_procs, 1, INT32_MAX, CS_FIELD_NONE},
        {"scenarios", o->scenarios, 1, 10000, CS_FIELD_NONE},
        {"seed", o->seed, 0, INT64_C(1) << 53, 0},
        {"arrive", o->arrive, 0, 1, 0},
        {"partition_field", o->partition_field, 0, 1, 0},
        {"lookahead", o->lookahead, 1, 1000000000, 1},
        {"top", o->top, 1, 100000, 1},
        {"fairness", o->fairness, 0, 1000000000, 0},
        {"jobs_format", o->jobs_format, 0, 1, 0},
        {"threads", o->threads, 0, 1024, 0},
    };

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (whole[i].value != whole[i].unsaid &&
            (whole[i].value < whole[i].least || whole[i].value > whole[i].most))
            return cs_error_set(err, "%s cannot be %lld: expected %lld to %lld", whole[i].name,
                                (long long)whole[i].value, (long long)whole[i].least,
                                (long long)whole[i].most);
    return 0;
}

static int check_reals(const struct cs_replay_options *o, struct cs_error *err)
{
    const struct {
        const char *name;
        double value, least, most;
        bool unsaid; /* it may be NaN */
    } real[] = {
        {"patience", o->patience, 0.001, 1e9, false},
        {"grace", o->grace, 0, 1e12, true},
        {"default_request", o->default_request, 0, 1e12, true},
        {"mean", o->mean, 0, 1, true},
        {"mtbe", o->mtbe, 0, 1e300, true},
        {"verification", o->verification, 0, 1e12, false},
        {"warmup", o->warmup, 0, 1e12, false},
        {"cooldown", o->cooldown, 0, 1e12, false},
    };

    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        if (!(real[i].unsaid && isnan(real[i].value)) &&
            !(real[i].value >= real[i].least && real[i].value <= real[i].most))
            return cs_error_set(err, "%s cannot be %g: expected %g to %g", real[i].name,
                                real[i].value, real[i].least, real[i].most);
    return 0;
}

static int check_options(const struct cs_replay_options *o, struct cs_error *err)
{
    if (cs_ask_size("the options of a replay, which cs_replay_defaults makes", o->size, sizeof *o,
                    err))
        return -1;
    if (!o->policy)
        return cs_error_set(err, "policy is NULL: which one?");
    return check_whole(o, err) || check_reals(o, err) ? -1 : 0;
}

/* ---- a replay ---- */

static void replay_warn(const char *text, void *who)
{
    const struct cs_watch *watch = ((const struct cs_replay *)who)->watch;

    if (watch && watch->warn)
        watch->warn(watch->who, text);
}

static void replay_show(void *who, long done)
{
    const struct cs_replay *replay = who;

    if (replay->watch && replay->watch->progress)
        replay->watch->progress(replay->watch->who,
                                (double)done / ((double)replay->request.study.variants + 1));
}

static void replay_drop(struct cs_guarded *replay)
{
    cs_replay_discard(&((struct cs_replay *)(void *)replay)->request);
}

static struct cs_replay *replay_create(struct cs_arena *arena,
                                       const struct cs_replay_options *options,
                                       const struct cs_watch *watch)
{
    struct cs_replay *replay = CS_NEW(arena, struct cs_replay);

    *replay = (struct cs_replay){.arena = arena, .options = *options, .watch = watch};
    replay->request =
        (struct cs_replay_request){.arena = arena, .warn = replay_warn, .who = replay};
    cs_guard_keep(&replay->guarded, replay_drop);
    return replay;
}

void cs_replay_destroy(struct cs_replay *replay)
{
    if (!replay)
        return;
    cs_guard_discard(&replay->guarded);
    cs_queue_log_rows_release(&replay->rows);
    cs_replay_release(&replay->request);
    cs_arena_destroy(replay->arena);
}

static int replay_run(struct cs_replay *replay, const char *const *logs, int count,
                      struct cs_error *err)
{
    struct cs_replay_request *request = &replay->request;

    if (cs_replay_prepare(logs, count, &replay->options, request, err))
        return -1;
    request->study.progress = replay_show;
    request->study.who = replay;
    if (cs_queue_log_study_run(&request->study, &replay->rows, err) ||
        cs_extpol_check(request->extpol, err))
        return -1;
    cs_replay_caveat(request, &replay->rows);
    return 0;
}

static const char *const *own_paths(const char *const *logs, int count, struct cs_arena *arena)
{
    const char **path = CS_NEW_ARRAY(arena, const char *, count);

    for (int i = 0; i < count; i++)
        path[i] = cs_arena_strdup(arena, logs[i]);
    return path;
}

static struct cs_replay *open_and_run(struct cs_arena *arena, const char *const *logs, int count,
                                      const struct cs_replay_options *options,
                                      const struct cs_watch *watch, struct cs_error *err)
{
    struct cs_replay *replay = replay_create(arena, options, watch);
    const struct cs_watch *outer = cs_watch_enter(watch);
    int status =
        cs_watch_settle(replay_run(replay, own_paths(logs, count, arena), count, err), err);

    cs_watch_enter(outer);
    replay->watch = NULL;
    if (!status)
        return replay;
    cs_replay_destroy(replay);
    return NULL;
}

struct cs_replay *cs_replay_run(const char *const *logs, int count,
                                const struct cs_replay_options *options,
                                const struct cs_watch *watch, struct cs_error *err)
{
    CS_ASK(cs_are_paths(logs, count) && options, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_replay_options said;
    struct cs_arena *arena;

    if (check_options(options, err) || cs_watch_check(watch, err))
        return NULL;
    arena = cs_arena_create();
    said = *options;
    cs_replay_own(&said, arena);
    return open_and_run(arena, logs, count, &said, watch, err);
}

struct cs_replay *cs_replay_run_json(const char *const *logs, int count, const char *options,
                                     const struct cs_watch *watch, struct cs_error *err)
{
    CS_ASK(cs_are_paths(logs, count), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_replay_options said;

    if (!cs_replay_take(options, arena, &said, err) && !check_options(&said, err) &&
        !cs_watch_check(watch, err))
        return open_and_run(arena, logs, count, &said, watch, err);
    cs_arena_destroy(arena);
    return NULL;
}

/* ---- what came of it ---- */

const struct cs_queue_log_rows *cs_replay_rows(const struct cs_replay *replay,
                                               const struct cs_replay_request **request)
{
    *request = &replay->request;
    return &replay->rows;
}

enum form { TABLE, CSV, JSON, SERIES, SCHEDULE, GANTT };

static int replay_put(const struct cs_replay *replay, enum form form,
                      const struct cs_replay_style *appearance, struct cs_strbuf *out,
                      struct cs_error *err)
{
    const struct cs_replay_request *request = &replay->request;
    const struct cs_queue_log_rows *rows = &replay->rows;

    switch (form) {
    case TABLE:
        cs_replay_show(request, rows, appearance->width, out);
        return 0;
    case CSV:
        cs_replay_csv(request, rows, out);
        return 0;
    case JSON:
        cs_replay_json(request, rows, appearance->command, out);
        return 0;
    case SERIES:
        cs_replay_series_csv(request, rows, out);
        return 0;
    case SCHEDULE:
        return cs_replay_schedule_json(request, rows, appearance->command, out, err);
    case GANTT:
        return cs_replay_gantt(request, rows, out, err);
    }
    return -1;
}

static int check_form(const struct cs_replay *replay, enum form form, const char *name,
                      struct cs_error *err)
{
    if (form >= SCHEDULE && !replay->options.keep)
        return cs_error_set(err, "%s was not kept: the option keep wants it", name);
    if (form >= JSON && form < SCHEDULE && !replay->options.full)
        return cs_error_set(err, "what %s tells was not kept: the option full wants it", name);
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

char *cs_replay_text(const struct cs_replay *replay, const char *form,
                     const struct cs_replay_style *appearance, size_t *length, struct cs_error *err)
{
    static const char forms[] = "table|csv|json|series|schedule|gantt";

    CS_ASK(replay && form, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_replay_style seen = {.command = "cs_replay_text",
                                   .width = appearance ? appearance->width : 0};
    struct cs_strbuf out = CS_STRBUF_INIT;
    int index = cs_choice_index(forms, form);

    if (check_inspect(appearance, err))
        return NULL;
    if (index < 0) {
        cs_choice_error("the form", form, forms, err);
        return NULL;
    }
    if (appearance && appearance->command)
        seen.command = appearance->command;
    if (check_form(replay, (enum form)index, form, err) ||
        replay_put(replay, (enum form)index, &seen, &out, err)) {
        cs_strbuf_release(&out);
        return NULL;
    }
    if (length)
        *length = out.length;
    return cs_strbuf_take(&out);
}
