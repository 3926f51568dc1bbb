/* api_paper.c - figures and tables of papers for programs: computed again, and told as JSON. */
#include "base/guard.h"
#include "base/suggest.h"
#include "base/thread.h"
#include "base/watch.h"
#include "campaign/experiment.h"
#include "campaign/output.h"
#include "campaign/store.h"

#include <cosched/campaign.h>

#include <string.h>

/* which papers are run, with what is given to them. */

struct cs_papers {
    int count;
    struct cs_experiment **paper;
};

struct gift {
    const char *name, *text;
    bool taken;
};

struct chooser {
    const struct cs_paper_run_options *options;
    const struct cs_watch *watch;
    struct cs_arena *arena;
    const char *folder;
    const char *const *name; /* of all papers below the folder, count of them, sorted */
    int count;
    struct cs_papers *chosen;
    int gifts;
    struct gift *gift;
};

/* ---- what is given ---- */

static int read_gift(const char *text, struct gift *gift, struct cs_arena *arena,
                     struct cs_error *err)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || !equals[1])
        return cs_error_set(err, "--set %s: NAME=VALUE is wanted, such as --set scenarios=100",
                            text);
    *gift = (struct gift){.name = cs_arena_strndup(arena, text, (size_t)(equals - text)),
                          .text = equals + 1};
    return 0;
}

static int read_gifts(struct chooser *chooser, struct cs_error *err)
{
    const struct cs_paper_run_options *options = chooser->options;

    chooser->gift = CS_NEW_ARRAY(chooser->arena, struct gift, options->supplied + 1);
    if (options->input)
        chooser->gift[chooser->gifts++] = (struct gift){.name = "input", .text = options->input};
    for (int g = 0; g < options->supplied; g++)
        if (read_gift(options->give[g], &chooser->gift[chooser->gifts++], chooser->arena, err))
            return -1;
    return 0;
}

/* `named`: requested by its name, not in a group. */
static int ask_paper_give(struct chooser *chooser, struct cs_experiment *paper, bool named,
                          struct cs_error *err)
{
    for (int g = 0; g < chooser->gifts; g++) {
        struct gift *gift = &chooser->gift[g];

        if (!named && cs_experiment_takes(paper, gift->name, NULL))
            continue;
        if (cs_experiment_give(paper, gift->name, gift->text, err))
            return -1;
        gift->taken = true;
    }
    return 0;
}

/* "PAPER needs a job log: give --input FILE". */
static void put_missing(const struct cs_experiment *paper, const struct cs_experiment_need *need,
                        struct cs_error *err)
{
    if (!strcmp(need->parameter, "input"))
        cs_error_set(err, "%s needs %s: give --input FILE", paper->name, need->what);
    else
        cs_error_set(err, "%s needs %s: give --set %s=VALUE", paper->name, need->what,
                     need->parameter);
}

/* ---- papers ---- */

static bool is_chosen(const struct cs_papers *chosen, const char *name)
{
    for (int p = 0; p < chosen->count; p++)
        if (!strcmp(chosen->paper[p]->name, name))
            return true;
    return false;
}

/* Does the paper exist? -1 with err, with a suggestion. */
static int check_name(const struct chooser *chooser, const char *name, struct cs_error *err)
{
    struct cs_suggest suggest = {.word = name};

    for (int p = 0; p < chooser->count; p++) {
        if (!strcmp(chooser->name[p], name))
            return 0;
        cs_suggest_offer(&suggest, chooser->name[p]);
    }
    if (*suggest.best)
        return cs_error_set(err, "there is no paper \"%s\"; did you mean \"%s\"?", name,
                            suggest.best);
    return cs_error_set(err, "there is no paper \"%s\"; `cosched paper list` names them", name);
}

static struct cs_experiment *read_paper(const struct chooser *chooser, const char *name,
                                        struct cs_error *err)
{
    const struct cs_experiment_how how = {
        .name = name, .quick = chooser->options->quick, .seeds = chooser->options->seeds};
    struct cs_strbuf file = CS_STRBUF_INIT;
    struct cs_experiment *paper;

    cs_strbuf_printf(&file, "%s/%s.json", chooser->folder, name);
    paper = cs_experiment_read(file.text, &how, err);
    cs_strbuf_release(&file);
    if (paper && chooser->options->seeded)
        cs_experiment_set_seed(paper, chooser->options->seed);
    return paper;
}

/* A paper without its required input is an error or, in a group, left out. */
static int ask_paper_skip(struct chooser *chooser, const struct cs_experiment_need *need,
                          bool named, struct cs_error *err)
{
    struct cs_papers *chosen = chooser->chosen;
    const struct cs_watch *watch = chooser->watch;
    struct cs_strbuf error_text = CS_STRBUF_INIT;
    struct cs_error missing = {0};

    put_missing(chosen->paper[chosen->count - 1], need, &missing);
    if (named)
        return cs_error_set(err, "%s", missing.text);
    cs_strbuf_printf(&error_text, "skipped: %s", missing.text);
    if (watch && watch->warn)
        watch->warn(watch->who, error_text.text);
    cs_strbuf_release(&error_text);
    cs_experiment_destroy(chosen->paper[--chosen->count]);
    return 0;
}

static int add_paper(struct chooser *chooser, const char *name, bool named, struct cs_error *err)
{
    const struct cs_experiment_need *need;
    struct cs_experiment *paper;

    if (is_chosen(chooser->chosen, name))
        return 0;
    paper = read_paper(chooser, name, err);
    if (!paper)
        return -1;
    chooser->chosen->paper[chooser->chosen->count++] = paper;
    if (ask_paper_give(chooser, paper, named, err))
        return -1;
    need = cs_experiment_missing(paper);
    return need ? ask_paper_skip(chooser, need, named, err) : cs_experiment_consent(paper, err);
}

/* The papers in a folder, or all; 1 when it is no such word. */
static int add_folder(struct chooser *chooser, const char *word, struct cs_error *err)
{
    size_t length = strlen(word);
    bool all = !strcmp(word, "all");
    int found = 0;

    for (int p = 0; p < chooser->count; p++) {
        const char *name = chooser->name[p];

        if (!all && (strncmp(name, word, length) || name[length] != '/'))
            continue;
        found++;
        if (add_paper(chooser, name, false, err))
            return -1;
    }
    return all || found ? 0 : 1;
}

static int ask_paper_add(struct chooser *chooser, const char *word, struct cs_error *err)
{
    int status = add_folder(chooser, word, err);

    if (status <= 0)
        return status;
    return check_name(chooser, word, err) || add_paper(chooser, word, true, err) ? -1 : 0;
}

/* Read the named papers, each once: papers, directories of papers ("rigid"), or all. A given input
 * must suit each named paper; in a directory or all, papers that need it use it, and papers without
 * a required input are skipped with a warning to the watch (or NULL). -1 with err. */
static int papers_choose(const char *const *names, int count,
                         const struct cs_paper_run_options *options, const struct cs_watch *watch,
                         struct cs_arena *arena, struct cs_papers *papers, struct cs_error *err)
{
    struct chooser chooser = {.options = options,
                              .watch = watch,
                              .arena = arena,
                              .folder = cs_experiment_folder(options->folder),
                              .chosen = papers};

    *papers = (struct cs_papers){0};
    if (cs_experiment_list(chooser.folder, arena, &chooser.name, &chooser.count, err) ||
        read_gifts(&chooser, err))
        return -1;
    papers->paper = CS_NEW_ARRAY(arena, struct cs_experiment *, chooser.count + 1);
    for (int n = 0; n < count; n++)
        if (ask_paper_add(&chooser, names[n], err))
            return -1;
    for (int g = 0; g < chooser.gifts; g++)
        if (!chooser.gift[g].taken)
            return cs_error_set(err, "none of these papers takes '%s'", chooser.gift[g].name);
    return 0;
}

static void papers_release(struct cs_papers *papers)
{
    for (int p = 0; p < papers->count; p++)
        cs_experiment_destroy(papers->paper[p]);
    papers->count = 0;
}

struct work {
    const struct cs_paper_run_options *options;
    const struct cs_watch *watch;
    struct cs_paper_ran *ran;
    struct cs_papers papers;
    struct cs_store *store;
    struct cs_cache *keep;
    struct cs_jsonw w;
};

/* ---- progress ---- */

struct listener {
    const struct cs_watch *watch;
    const struct cs_experiment *paper;
    struct cs_jsonw *w;
};

static void ask_paper_warn(const char *text, void *who)
{
    const struct listener *listener = who;
    const struct cs_watch *watch = listener->watch;
    struct cs_strbuf error_text = CS_STRBUF_INIT;

    cs_strbuf_printf(&error_text, "%s: %s", listener->paper->name, text);
    if (watch && watch->warn)
        watch->warn(watch->who, error_text.text);
    cs_jsonw_string(listener->w, error_text.text);
    cs_strbuf_release(&error_text);
}

static void show_share(const struct work *work, double of_this)
{
    const struct cs_watch *watch = work->watch;
    const struct cs_paper_ran *ran = work->ran;

    if (watch && watch->progress)
        watch->progress(watch->who, ran->papers ? (ran->finished + of_this) / ran->papers : 1);
}

/* Called by any thread; the watch is called by one thread. */
static void ask_paper_show(void *who, int done, int count)
{
    const struct work *work = who;

    work->ran->done = done;
    work->ran->lacking = count;
    if (cs_thread_index() == 0 && done < count)
        show_share(work, (double)done / count);
}

/* ---- a paper ---- */

static int threads_of(const struct work *work)
{
    return work->options->threads ? work->options->threads : cs_thread_limit();
}

static int ask_paper_compute(struct work *work, struct cs_results *results, struct cs_error *err)
{
    const struct cs_grid_options options = {.threads = threads_of(work),
                                            .store = work->store,
                                            .keep = work->keep,
                                            .progress = ask_paper_show,
                                            .who = work};
    const struct cs_watch *before = cs_watch_enter(work->watch);
    int status = cs_results_run(results, NULL, &options, err);

    cs_watch_enter(before);
    return status;
}

/* The command that reproduces the bytes. */
static void ask_paper_put_command(const struct work *work, const struct cs_experiment *paper,
                                  struct cs_strbuf *out)
{
    const char *folder = work->options->folder;

    cs_experiment_put_command(paper, out);
    if (folder && !work->options->usual) {
        cs_strbuf_puts(out, " --papers ");
        cs_strbuf_put_shell(out, folder);
    }
}

static void put_texts(const struct cs_results *results, const char *stem, const char *command,
                      const struct cs_strbuf *svg, struct cs_jsonw *w)
{
    struct cs_strbuf csv = CS_STRBUF_INIT, markdown = CS_STRBUF_INIT, image = CS_STRBUF_INIT;

    cs_output_csv(results, &csv);
    cs_strbuf_printf(&image, "%s.svg", stem);
    cs_output_markdown(results, command, image.text, &markdown);
    cs_jsonw_put_string(w, "csv", csv.text);
    cs_jsonw_put_string(w, "svg", svg->text);
    cs_jsonw_put_string(w, "markdown", markdown.text);
    cs_strbuf_release(&csv);
    cs_strbuf_release(&markdown);
    cs_strbuf_release(&image);
}

/* The files, or their contents. */
static int put_output(struct work *work, const struct cs_results *results, const char *stem,
                      struct cs_error *err)
{
    const char *folder = work->options->output;
    struct cs_strbuf command = CS_STRBUF_INIT, svg = CS_STRBUF_INIT;
    int status;

    ask_paper_put_command(work, results->experiment, &command);
    status = folder ? cs_output_write(results, folder, command.text, err)
                    : cs_output_svg(results, NULL, &svg, err);
    if (!status && !folder)
        put_texts(results, stem, command.text, &svg, &work->w);
    cs_strbuf_release(&command);
    cs_strbuf_release(&svg);
    return status;
}

static void ask_paper_put_head(const struct cs_experiment *paper, const char *stem,
                               struct cs_jsonw *w)
{
    cs_jsonw_put_string(w, "name", paper->name);
    cs_jsonw_put_string(w, "place", paper->place);
    cs_jsonw_put_string(w, "title", paper->title);
    cs_jsonw_put_string(w, "citation", paper->citation);
    cs_jsonw_put_bool(w, "quick", paper->quick);
    cs_jsonw_key(w, "seed");
    cs_jsonw_uint(w, paper->seed);
    if (paper->seeds > 1)
        cs_jsonw_put_int(w, "seeds", paper->seeds);
    cs_jsonw_put_int(w, "runs", paper->count);
    cs_jsonw_put_string(w, "stem", stem);
}

static void put_found(struct work *work, const struct cs_results *results)
{
    struct cs_jsonw *w = &work->w;
    struct listener listener = {work->watch, results->experiment, w};
    struct cs_strbuf summary = CS_STRBUF_INIT;

    cs_output_summary(results, &summary);
    cs_jsonw_put_string(w, "summary", summary.text);
    cs_strbuf_release(&summary);
    cs_jsonw_key(w, "warnings");
    cs_jsonw_open(w, '[');
    cs_results_warnings(results, ask_paper_warn, &listener);
    cs_jsonw_close(w);
}

static int report_paper(struct work *work, const struct cs_results *results, struct cs_error *err)
{
    struct cs_strbuf stem = CS_STRBUF_INIT;
    int status;

    cs_output_stem(results->experiment, &stem);
    cs_jsonw_open(&work->w, '{');
    ask_paper_put_head(results->experiment, stem.text, &work->w);
    put_found(work, results);
    status = put_output(work, results, stem.text, err);
    cs_jsonw_key(&work->w, "claims");
    cs_output_put_claims(results, &work->w);
    cs_jsonw_close(&work->w);
    cs_strbuf_release(&stem);
    return status;
}

static int run_paper(struct work *work, const struct cs_experiment *paper, struct cs_error *err)
{
    struct cs_results *results = cs_results_create(paper);
    int status = ask_paper_compute(work, results, err);

    if (!status) {
        work->ran->added += work->ran->done;
        work->ran->finished++;
        show_share(work, 0);
        status = report_paper(work, results, err);
    }
    cs_results_destroy(results);
    return status;
}

/* ---- all of them ---- */

/* All papers are in the store before the first cell is. */
static int ask_paper_begin(struct work *work, struct cs_error *err)
{
    const struct cs_papers *papers = &work->papers;
    const char *command = work->options->command ? work->options->command : "cs_paper_run";
    int64_t id;

    for (int p = 0; p < papers->count && !work->options->foreign; p++)
        if (cs_experiment_refuse_foreign(papers->paper[p], work->store, err))
            return -1;
    if (cs_store_begin_run(work->store, command, threads_of(work), err))
        return -1;
    for (int p = 0; p < papers->count; p++)
        if (cs_experiment_keep(papers->paper[p], work->store, &id, err))
            return -1;
    return 0;
}

static int run_papers(struct work *work, struct cs_error *err)
{
    const struct cs_papers *papers = &work->papers;
    struct cs_error ignored = {0};
    int status = 0;

    if (ask_paper_begin(work, err))
        return -1;
    show_share(work, 0);
    for (int p = 0; p < papers->count && !status; p++)
        status = run_paper(work, papers->paper[p], err);
    return cs_store_end_run(work->store, status ? &ignored : err) || status ? -1 : 0;
}

static int ask_paper_run(struct work *work, const char *const *names, int count,
                         struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_paper_run_options *options = work->options;
    const enum cs_store_mode mode =
        CS_STORE_WRITE | (options->other_build ? CS_STORE_OTHER_BUILD : 0);

    if (papers_choose(names, count, options, work->watch, arena, &work->papers, err))
        return -1;
    work->ran->papers = work->papers.count;
    work->store = cs_store_open(options->store ? options->store : CS_STORE_MEMORY, mode, err);
    return work->store ? run_papers(work, err) : -1;
}

static char *ask_paper_report(struct work *work, const char *const *names, int count,
                              struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    work->keep = cs_cache_create();
    work->w = cs_jsonw_begin(&text);
    cs_jsonw_open(&work->w, '{');
    cs_jsonw_key(&work->w, "papers");
    cs_jsonw_open(&work->w, '[');
    status = ask_paper_run(work, names, count, arena, err);
    papers_release(&work->papers);
    cs_cache_destroy(work->keep);
    cs_store_close(work->store);
    cs_arena_destroy(arena);
    if (status) {
        cs_strbuf_release(&text);
        return NULL;
    }
    cs_jsonw_close(&work->w);
    cs_jsonw_close(&work->w);
    cs_jsonw_end(&work->w);
    return cs_strbuf_take(&text);
}

static int check_options(const struct cs_paper_run_options *options, struct cs_error *err)
{
    if (cs_ask_size("the options of papers", options->size, sizeof *options, err))
        return -1;
    if (options->supplied < 0 ||
        (options->supplied && !cs_are_paths(options->give, options->supplied)))
        return cs_error_set(err, "what is given to papers is so many texts, none of them NULL");
    if (options->seeds < 0 || options->seeds > CS_EXPERIMENT_SEEDS)
        return cs_error_set(err, "papers are run with 1 to %d seeds, not %d", CS_EXPERIMENT_SEEDS,
                            options->seeds);
    if (options->threads < 0 || options->threads > CS_THREADS)
        return cs_error_set(err, "papers cannot be run on %d threads, only on 1 to %d",
                            options->threads, CS_THREADS);
    return 0;
}

char *cs_paper_run(const char *const *names, int count, const struct cs_paper_run_options *options,
                   const struct cs_watch *watch, struct cs_paper_ran *ran, struct cs_error *err)
{
    CS_ASK(cs_are_paths(names, count), err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_paper_run_options usual = {.size = sizeof usual};
    struct cs_paper_ran own;
    struct work work = {
        .options = options ? options : &usual, .watch = watch, .ran = ran ? ran : &own};

    *work.ran = (struct cs_paper_ran){0};
    if (check_options(work.options, err) || cs_watch_check(watch, err))
        return NULL;
    return ask_paper_report(&work, names, count, err);
}
