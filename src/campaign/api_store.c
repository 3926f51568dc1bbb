/* api_store.c - stores for programs: status and verdict as JSON, a merge, and a table. */
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/plain.h"
#include "base/thread.h"
#include "base/watch.h"
#include "base/zone.h"
#include "campaign/experiment.h"
#include "campaign/export.h"
#include "campaign/merge.h"
#include "campaign/status.h"
#include "campaign/verify.h"

#include <cosched/campaign.h>

#include <math.h>
#include <time.h>

/* Which papers can be computed again, for programs: a list as JSON. */

/* "input: a job log" */
static void put_needs(const struct cs_experiment *paper, struct cs_jsonw *w)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int n = 0; n < paper->needs; n++)
        cs_strbuf_printf(&text, "%s%s: %s", n ? "; " : "", paper->need[n].parameter,
                         paper->need[n].what);
    cs_jsonw_put_string(w, "needs", text.text);
    cs_strbuf_release(&text);
}

static void put_paper(const struct cs_experiment *paper, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", paper->name);
    cs_jsonw_put_string(w, "place", paper->place);
    cs_jsonw_put_string(w, "title", paper->title);
    cs_jsonw_put_int(w, "runs", paper->count);
    cs_jsonw_put_int(w, "claims", paper->claims);
    put_needs(paper, w);
    cs_jsonw_put_string(w, "citation", paper->citation);
    cs_jsonw_put_string(w, "file", paper->file);
    cs_jsonw_close(w);
}

static int add_paper(const char *folder, const char *name, struct cs_jsonw *w, struct cs_error *err)
{
    const struct cs_experiment_how how = {.name = name};
    struct cs_strbuf file = CS_STRBUF_INIT;
    struct cs_experiment *paper;

    cs_strbuf_printf(&file, "%s/%s.json", folder, name);
    paper = cs_experiment_read(file.text, &how, err);
    cs_strbuf_release(&file);
    if (!paper)
        return -1;
    put_paper(paper, w);
    cs_experiment_destroy(paper);
    return 0;
}

/* `brief`: names alone, for which no file is read. */
static char *ask_papers_list(const char *folder, bool brief, struct cs_arena *arena,
                             struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    const char *const *name = NULL;
    int count = 0, status = cs_experiment_list(folder, arena, &name, &count, err);

    cs_jsonw_open(&w, '[');
    for (int p = 0; p < count && !status; p++) {
        if (brief)
            cs_jsonw_string(&w, name[p]);
        else
            status = add_paper(folder, name[p], &w, err);
    }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    if (!status)
        return cs_strbuf_take(&text);
    cs_strbuf_release(&text);
    return NULL;
}

char *cs_paper_list(const char *folder, bool brief, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    char *text = ask_papers_list(cs_experiment_folder(folder), brief, arena, err);

    cs_arena_destroy(arena);
    return text;
}

/* ---- status ---- */

static double ask_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* "2026-11-21T09:40:05Z" */
static void ask_put_time(struct cs_jsonw *w, const char *key, double seconds)
{
    const int64_t whole = isnan(seconds) ? 0 : (int64_t)seconds, day = cs_calendar_day(whole);
    const int within = (int)(whole - day * 86400);
    char date[32], text[64];

    cs_calendar_date(day, date);
    cs_plain_print(text, sizeof text, "%sT%02d:%02d:%02dZ", date, within / 3600, within / 60 % 60,
                   within % 60);
    cs_jsonw_put_string(w, key, isnan(seconds) ? NULL : text);
}

static void put_shard(struct cs_jsonw *w, const struct cs_status_row *row)
{
    char text[32];

    cs_plain_print(text, sizeof text, "%d/%d", row->shard, row->shards);
    cs_jsonw_put_string(w, "shard", row->shards ? text : NULL);
}

static void ask_put_row(struct cs_jsonw *w, const struct cs_status_row *row)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "document", row->document->name);
    cs_jsonw_put_string(w, "kind", row->document->kind);
    cs_jsonw_put_bool(w, "quick", row->document->quick);
    cs_jsonw_put_string(w, "sha256", row->document->sha256);
    cs_jsonw_put_string(w, "store", row->store ? row->store : "all");
    put_shard(w, row);
    cs_jsonw_put_int(w, "runs", row->cells);
    cs_jsonw_put_int(w, "done", row->done);
    cs_jsonw_put_double(w, "share", row->cells ? (double)row->done / row->cells : 1);
    cs_jsonw_put_string(w, "state", cs_status_word(row->state));
    ask_put_time(w, "since", row->since);
    cs_jsonw_put_double(w, "runs_per_hour", row->rate * 3600);
    cs_jsonw_put_double(w, "runs_per_hour_recently", row->recent * 3600);
    cs_jsonw_put_double(w, "seconds_left", row->left);
    cs_jsonw_put_double(w, "seconds_spent", row->seconds);
    cs_jsonw_put_int(w, "times_started", row->runs);
    cs_jsonw_put_int(w, "times_killed", row->killed);
    cs_jsonw_put_string(w, "file", row->document->file);
    cs_jsonw_close(w);
}

char *cs_campaign_status(const char *const *stores, int count, struct cs_error *err)
{
    CS_ASK(cs_are_paths(stores, count), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_status *status = cs_status_create(stores, count, ask_now(), err);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    if (!status)
        return NULL;
    cs_jsonw_open(&w, '[');
    for (int r = 0; r < status->count; r++)
        ask_put_row(&w, &status->row[r]);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_status_destroy(status);
    return cs_strbuf_take(&text);
}

/* ---- verify ---- */

static void put_verified(const char *store, const struct cs_verified *v, const char *why,
                         struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "store", store);
    cs_jsonw_put_string(&w, "verdict", !why ? "whole" : v->refused ? "not run" : "damaged");
    cs_jsonw_put_int(&w, "documents", v->documents);
    cs_jsonw_put_int(&w, "runs", v->cells);
    cs_jsonw_put_int(&w, "run_again", v->again);
    cs_jsonw_put_int(&w, "inputs", v->inputs);
    cs_jsonw_put_int(&w, "inputs_changed", v->changed);
    cs_jsonw_put_int(&w, "inputs_missing", v->gone);
    cs_jsonw_put_string(&w, "builds", v->builds);
    cs_jsonw_put_string(&w, "why", why);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* 0: whole; else `why` is the reason. -1 with err when it was stopped. */
static int ask_verify(const char *store, int again, int threads, struct cs_arena *arena,
                      struct cs_verified *verified, struct cs_error *why, struct cs_error *err)
{
    if (cs_verify_store(store, again, threads ? threads : cs_thread_limit(), arena, verified,
                        why) == 0)
        why->text[0] = '\0';
    return cs_watch_settle(0, err);
}

char *cs_campaign_verify(const char *store, int again, int threads, const struct cs_watch *watch,
                         struct cs_error *err)
{
    CS_ASK(store && again >= 0 && threads >= 0 && threads <= CS_THREADS, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const struct cs_watch *before;
    struct cs_verified verified;
    struct cs_error why = {0};

    if (cs_watch_check(watch, err))
        return NULL;
    arena = cs_arena_create();
    before = cs_watch_enter(watch);
    if (!ask_verify(store, again, threads, arena, &verified, &why, err))
        put_verified(store, &verified, why.text[0] ? why.text : NULL, &text);
    cs_watch_enter(before);
    cs_arena_destroy(arena);
    return text.length ? cs_strbuf_take(&text) : NULL;
}

/* ---- merge ---- */

static void ask_warn(void *who, const char *error_text)
{
    const struct cs_watch *watch = who;

    if (watch && watch->warn)
        watch->warn(watch->who, error_text);
}

int cs_campaign_merge(const char *const *stores, int count, const char *target,
                      const struct cs_campaign_merge_options *options, const struct cs_watch *watch,
                      struct cs_campaign_merged *merged, struct cs_error *err)
{
    CS_ASK(cs_are_paths(stores, count) && target, err, -1);
    CS_GUARD(err, -1);
    struct cs_merge_options how = {.report = ask_warn, .who = (void *)(uintptr_t)watch};
    struct cs_merged found;

    if ((options && cs_ask_size("the options of a merge", options->size, sizeof *options, err)) ||
        cs_watch_check(watch, err))
        return -1;
    if (options) {
        how.partial = options->partial;
        how.other_build = options->other_build;
        how.foreign = options->foreign;
    }
    if (cs_merge_stores(stores, count, target, &how, &found, err))
        return -1;
    if (merged)
        *merged = (struct cs_campaign_merged){.runs = found.cells, .added = found.added};
    return 0;
}

/* ---- export ---- */

static int ask_export(struct cs_store *store, const struct cs_campaign_export_options *options,
                      const struct cs_watch *watch, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_export_options how = {
        .format = options->json ? CS_EXPORT_JSON : CS_EXPORT_CSV,
        .metrics = options->metrics,
        .partial = options->partial,
        .warn = ask_warn,
        .who = (void *)(uintptr_t)watch,
    };
    struct cs_arena *arena = cs_arena_create();
    const struct cs_document *document = NULL;
    int missing = 0, status = -1;

    if (!cs_store_begin(store, err))
        document = cs_store_choose(store, options->document, arena, err);
    if (document)
        status = cs_export_write(store, document, &how, out, &missing, err);
    cs_store_rollback(store);
    if (!status && missing) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_strbuf_printf(&text, "%s: %d runs of %s are missing", cs_store_path(store), missing,
                         document->name);
        ask_warn((void *)(uintptr_t)watch, text.text);
        cs_strbuf_release(&text);
    }
    cs_arena_destroy(arena);
    return status;
}

char *cs_campaign_export(const char *path, const struct cs_campaign_export_options *options,
                         const struct cs_watch *watch, size_t *length, struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_campaign_export_options usual = {.size = sizeof usual};
    const struct cs_campaign_export_options *how = options ? options : &usual;
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_store *store;
    int status;

    if (cs_ask_size("the how of an export", how->size, sizeof *how, err) ||
        cs_watch_check(watch, err) || !(store = cs_store_open(path, CS_STORE_READ, err)))
        return NULL;
    status = ask_export(store, how, watch, &out, err);
    cs_store_close(store);
    if (!status) {
        if (length)
            *length = out.length;
        return cs_strbuf_take(&out);
    }
    cs_strbuf_release(&out);
    return NULL;
}
