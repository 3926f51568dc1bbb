/* api_run.c - a sweep for programs: run the missing cells, and return the means as JSON. */
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/thread.h"
#include "base/watch.h"
#include "campaign/results.h"
#include "campaign/store.h"

#include <cosched/campaign.h>

/* combinations and their means, as JSON. */

static const enum cs_figure figures[] = {CS_FIGURE_MEAN, CS_FIGURE_CONFIDENCE};

/* ---- columns ---- */

static void put_column(struct cs_jsonw *w, const char *name, const char *kind)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", name);
    cs_jsonw_put_string(w, "kind", kind);
}

static void put_axes(const struct cs_experiment *experiment, struct cs_jsonw *w)
{
    for (int a = 0; a < experiment->axes; a++) {
        put_column(w, experiment->axis[a].name, "axis");
        cs_jsonw_put_bool(w, "numbers", experiment->axis[a].numbers);
        cs_jsonw_close(w);
    }
}

static void put_metric(const char *metric, enum cs_figure figure, struct cs_jsonw *w)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "%s_%s", metric, cs_figure_name(figure));
    put_column(w, name.text, cs_figure_name(figure));
    cs_jsonw_put_string(w, "metric", metric);
    cs_jsonw_close(w);
    cs_strbuf_release(&name);
}

static void put_columns(const struct cs_experiment *experiment, struct cs_jsonw *w)
{
    const struct cs_metric *metric = cs_cell_metrics(experiment->problem);

    put_axes(experiment, w);
    put_column(w, "runs", "runs");
    cs_jsonw_close(w);
    for (int m = 0; m < experiment->metrics; m++)
        for (int f = 0; f < 2; f++)
            put_metric(metric[experiment->metric[m].index].name, figures[f], w);
}

/* ---- rows ---- */

static struct cs_sample sample_of(const struct cs_results *results, int combination, int metric)
{
    const struct cs_experiment *experiment = results->experiment;
    int over = cs_results_over(results, combination, experiment->metric[metric].over);

    return cs_results_number(results, experiment->metric[metric].index, over, combination).sample;
}

static void put_place(const struct cs_experiment *experiment, int combination, struct cs_jsonw *w)
{
    for (int a = 0; a < experiment->axes; a++) {
        const struct cs_experiment_axis *axis = &experiment->axis[a];
        int v = experiment->combination[combination].at[a];

        if (v < 0)
            cs_jsonw_null(w);
        else if (axis->numbers)
            cs_jsonw_double(w, axis->value[v].number);
        else
            cs_jsonw_string(w, axis->value[v].name);
    }
}

static void ask_run_put_row(const struct cs_results *results, int combination, struct cs_jsonw *w)
{
    const struct cs_experiment *experiment = results->experiment;

    cs_jsonw_open_flat(w, '[');
    put_place(experiment, combination, w);
    cs_jsonw_int(w, cs_results_done(results, combination));
    for (int m = 0; m < experiment->metrics; m++) {
        const struct cs_sample sample = sample_of(results, combination, m);

        for (int f = 0; f < 2; f++)
            cs_jsonw_double(w, sample.figure[figures[f]]);
    }
    cs_jsonw_close(w);
}

/* ---- warnings ---- */

struct warner {
    const char *name;
    struct cs_jsonw *w;
};

static void put_warning(const char *text, void *who)
{
    const struct warner *warner = who;
    struct cs_strbuf error_text = CS_STRBUF_INIT;

    cs_strbuf_printf(&error_text, "%s: %s", warner->name, text);
    cs_jsonw_string(warner->w, error_text.text);
    cs_strbuf_release(&error_text);
}

/* "columns", "rows" and "warnings" into the open object, as described in cosched/campaign.h. */
static void means_put(const struct cs_results *results, struct cs_jsonw *w)
{
    const struct cs_experiment *experiment = results->experiment;
    struct warner warner = {experiment->name, w};

    cs_jsonw_key(w, "columns");
    cs_jsonw_open(w, '[');
    put_columns(experiment, w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "rows");
    cs_jsonw_open(w, '[');
    for (int c = 0; c < experiment->combinations; c++)
        if (cs_results_done(results, c))
            ask_run_put_row(results, c, w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "warnings");
    cs_jsonw_open(w, '[');
    cs_results_warnings(results, put_warning, &warner);
    cs_jsonw_close(w);
}

#define SHARDS 1000000

struct campaign {
    struct cs_arena *arena;
    const struct cs_campaign_run_options *options;
    const struct cs_watch *watch;
    struct cs_campaign_ran *ran;
    const char *path;
    struct cs_experiment *experiment;
    struct cs_results *results;
    struct cs_store *store;
    bool *keep; /* one for each cell: is it to be run */
};

/* ---- progress ---- */

static void ask_run_warn(const char *text, void *who)
{
    const struct campaign *c = who;
    struct cs_strbuf error_text = CS_STRBUF_INIT;

    if (!c->watch || !c->watch->warn)
        return;
    cs_strbuf_printf(&error_text, "%s: %s", c->experiment->name, text);
    c->watch->warn(c->watch->who, error_text.text);
    cs_strbuf_release(&error_text);
}

static void show_share(const struct campaign *c, double share)
{
    if (c->watch && c->watch->progress)
        c->watch->progress(c->watch->who, share);
}

/* Called by any thread; the watch is called by one thread. */
static void ask_run_show(void *who, int done, int count)
{
    const struct campaign *c = who;

    c->ran->done = done;
    c->ran->lacking = count;
    if (cs_thread_index() == 0 && done < count)
        show_share(c, (double)done / count);
}

/* ---- cells to run ---- */

/* The required input of a paper is an option of `paper run`. */
static int check_needs(const struct cs_experiment *experiment, struct cs_error *err)
{
    const struct cs_experiment_need *need = cs_experiment_missing(experiment);

    if (!need)
        return 0;
    return cs_error_set(err, "%s needs %s as '%s'; `cosched paper run` can be given it",
                        experiment->file, need->what, need->parameter);
}

/* The cells of the shard that meet the conditions. */
static int choose_cells(struct campaign *c, struct cs_error *err)
{
    const struct cs_experiment *experiment = c->experiment;
    const struct cs_campaign_run_options *options = c->options;

    c->keep = CS_NEW_ARRAY(c->arena, bool, experiment->count);
    for (int i = 0; i < experiment->count; i++)
        c->keep[i] = !options->shards || cs_grid_shard_has(i, options->shard, options->shards);
    if (cs_experiment_where(experiment, options->where, options->conditions, c->keep, err))
        return -1;
    for (int i = 0; i < experiment->count; i++)
        c->ran->runs += c->keep[i];
    if (!c->ran->runs && options->conditions)
        return cs_error_set(err, "%s: no run meets all conditions", experiment->file);
    return 0;
}

/* ---- the store ---- */

static int threads_of(const struct campaign *c)
{
    return c->options->threads ? c->options->threads : cs_thread_limit();
}

static int add_document(struct campaign *c, struct cs_error *err)
{
    const struct cs_campaign_run_options *options = c->options;
    const char *command = options->command ? options->command : "cs_campaign_run";
    int64_t id;

    return cs_store_begin_shard(c->store, command, threads_of(c), options->shard, options->shards,
                                err) ||
                   cs_experiment_keep(c->experiment, c->store, &id, err) ||
                   cs_results_check_files(c->results, c->keep, c->store, err)
               ? -1
               : 0;
}

/* A campaign that is refused leaves nothing in the store. */
static int open_store(struct campaign *c, struct cs_error *err)
{
    const enum cs_store_mode mode =
        CS_STORE_WRITE | (c->options->other_build ? CS_STORE_OTHER_BUILD : 0);

    if (cs_results_check_files(c->results, c->keep, NULL, err))
        return -1;
    c->store = cs_store_open(c->path, mode, err);
    if (!c->store ||
        (!c->options->foreign && cs_experiment_refuse_foreign(c->experiment, c->store, err)) ||
        cs_store_begin(c->store, err))
        return -1;
    if (!add_document(c, err))
        return cs_store_commit(c->store, err);
    cs_store_rollback(c->store);
    return -1;
}

static int ask_run_compute(struct campaign *c, struct cs_error *err)
{
    const struct cs_grid_options options = {
        .threads = threads_of(c), .store = c->store, .progress = ask_run_show, .who = c};
    const struct cs_watch *before = cs_watch_enter(c->watch);
    struct cs_error ignored = {0};
    int status = cs_results_run(c->results, c->keep, &options, err);

    cs_watch_enter(before);
    return cs_store_end_run(c->store, status ? &ignored : err) || status ? -1 : 0;
}

/* ---- what came out ---- */

static char *ask_run_report(struct campaign *c)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "name", c->experiment->name);
    cs_jsonw_put_string(&w, "store", c->path);
    cs_jsonw_put_int(&w, "runs", c->ran->runs);
    cs_jsonw_put_int(&w, "replicates", c->experiment->replicates);
    means_put(c->results, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}

static char *campaign_ask_run(struct campaign *c, struct cs_error *err)
{
    c->results = cs_results_create(c->experiment);
    cs_experiment_old_names(c->experiment, ask_run_warn, c);
    if (check_needs(c->experiment, err) || cs_experiment_consent(c->experiment, err) ||
        choose_cells(c, err) || open_store(c, err))
        return NULL;
    show_share(c, 0);
    if (ask_run_compute(c, err))
        return NULL;
    show_share(c, 1);
    return ask_run_report(c);
}

static char *run_sweep(struct campaign *c, const char *sweep, struct cs_error *err)
{
    char *text = NULL;

    c->experiment = c->options->text ? cs_experiment_read_text(c->options->text, sweep, err)
                                     : cs_experiment_read(sweep, NULL, err);
    if (c->experiment)
        text = campaign_ask_run(c, err);
    cs_store_close(c->store);
    cs_results_destroy(c->results);
    cs_experiment_destroy(c->experiment);
    return text;
}

static bool are_words(const char *const *word, int count)
{
    for (int i = 0; i < count; i++)
        if (!word || !word[i])
            return false;
    return count >= 0;
}

static int check_options(const struct cs_campaign_run_options *options, struct cs_error *err)
{
    const int shard = options->shard, shards = options->shards;

    if (cs_ask_size("the options of a campaign", options->size, sizeof *options, err))
        return -1;
    if (!are_words(options->where, options->conditions))
        return cs_error_set(err, "conditions of a campaign are so many texts, none of them NULL");
    if (shards || shard) {
        if (shards < 1 || shards > SHARDS || shard < 1 || shard > shards)
            return cs_error_set(err, "shard %d of %d: expected 1 to %d of up to %d", shard, shards,
                                shards, SHARDS);
    }
    if (options->threads < 0 || options->threads > CS_THREADS)
        return cs_error_set(err, "a campaign cannot run on %d threads, only on 1 to %d",
                            options->threads, CS_THREADS);
    return 0;
}

char *cs_campaign_run(const char *sweep, const char *store,
                      const struct cs_campaign_run_options *options, const struct cs_watch *watch,
                      struct cs_campaign_ran *ran, struct cs_error *err)
{
    CS_ASK(sweep && store, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_campaign_run_options usual = {.size = sizeof usual};
    const struct cs_campaign_run_options *how = options ? options : &usual;
    struct cs_campaign_ran own;
    struct cs_arena *arena;
    struct campaign c;
    char *text;

    if (check_options(how, err) || cs_watch_check(watch, err))
        return NULL;
    arena = cs_arena_create();
    c = (struct campaign){
        .arena = arena, .options = how, .watch = watch, .ran = ran ? ran : &own, .path = store};
    *c.ran = (struct cs_campaign_ran){0};
    text = run_sweep(&c, sweep, err);
    cs_arena_destroy(arena);
    return text;
}
