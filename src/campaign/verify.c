/* verify.c - all of a store, read and compared. */
#include "campaign/verify.h"

#include "base/digest.h"
#include "base/watch.h"
#include "campaign/experiment.h"
#include "campaign/store_file.h"

#include <string.h>

struct verifier {
    struct cs_store *store;
    struct cs_arena *arena;
    struct cs_verified *verified;
    const struct cs_problem *problem;
    struct cs_store_run *run;
    struct cs_error *err;
};

/* What SQLite finds in the pages of the file. */
static int check_pages(const struct verifier *v)
{
    sqlite3_stmt *statement = cs_store_prepare(v->store, "PRAGMA integrity_check(1)", v->err);
    const char *found;
    int status = 0;

    if (!statement)
        return -1;
    if (sqlite3_step(statement) != SQLITE_ROW) {
        status = cs_store_fail(v->store, v->err);
    } else {
        found = (const char *)sqlite3_column_text(statement, 0);
        if (!found || strcmp(found, "ok") != 0)
            status = cs_error_set(v->err, "%s: the store is damaged (%.300s)",
                                  cs_store_path(v->store), found ? found : "no answer");
    }
    sqlite3_finalize(statement);
    return status;
}

static int check_cell(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    const struct verifier *v = who;

    if (cs_watch_calls())
        return -1;
    v->verified->cells++;
    for (int r = v->verified->runs - 1; r >= 0; r--)
        if (v->run[r].id == row->record.run)
            return 0;
    return cs_error_set(err,
                        "%s: the store is damaged (a cell of %s is of run %lld, which is not "
                        "there)",
                        cs_store_path(v->store), v->problem->name, (long long)row->record.run);
}

static int check_cells(struct verifier *v)
{
    int count;
    const struct cs_problem *const *problem = cs_problems(&count);

    for (int r = 0; r < count; r++) {
        v->problem = problem[r];
        if (cs_store_each(v->store, problem[r], true, check_cell, v, v->err))
            return -1;
    }
    return 0;
}

/* Each once, in the order of their first run. */
static const char *list_builds(const struct verifier *v)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *copy;

    for (int r = 0; r < v->verified->runs; r++) {
        const char *build = *v->run[r].build ? v->run[r].build : v->run[r].version;

        if (!strstr(text.text, build))
            cs_strbuf_printf(&text, "%s%s", text.length ? "; " : "", build);
    }
    copy = cs_arena_strdup(v->arena, text.text);
    cs_strbuf_release(&text);
    return copy;
}

enum found { GONE, CHANGED, SAME };

static enum found inspect(const char *path, const struct cs_store_input *input)
{
    char now[CS_DIGEST_TEXT];
    struct cs_error ignored = {0};

    if (cs_digest_file(path, now, &ignored))
        return GONE;
    return strcmp(now, input->sha256) != 0 ? CHANGED : SAME;
}

/* Files are relative to the directory of their document; their document is not recorded. */
static enum found find(const struct cs_store_input *input, const struct cs_document *document,
                       int documents)
{
    enum found best = inspect(input->path, input), found;

    for (int d = 0; d < documents && best != SAME && *input->path != '/'; d++) {
        const char *slash = strrchr(document[d].file, '/');
        struct cs_strbuf path = CS_STRBUF_INIT;

        cs_strbuf_append(&path, document[d].file,
                         slash ? (size_t)(slash + 1 - document[d].file) : 0);
        cs_strbuf_puts(&path, input->path);
        found = inspect(path.text, input);
        best = found > best ? found : best;
        cs_strbuf_release(&path);
    }
    return best;
}

static int check_inputs(struct verifier *v)
{
    struct cs_store_input *input;
    struct cs_document *document;
    int documents;

    if (cs_store_inputs(v->store, v->arena, &input, &v->verified->inputs, v->err) ||
        cs_store_documents(v->store, v->arena, &document, &documents, v->err))
        return -1;
    for (int i = 0; i < v->verified->inputs; i++) {
        enum found found = find(&input[i], document, documents);

        v->verified->gone += found == GONE;
        v->verified->changed += found == CHANGED;
    }
    return 0;
}

/* ---- repeat ---- */

static int compare(const struct verifier *v, const struct cs_experiment *experiment,
                   const struct cs_cell *cell, const double *value)
{
    struct cs_record record;
    bool known;

    if (cs_store_get(v->store, experiment->problem, cell, &known, &record, v->err))
        return -1;
    for (int m = 0; m < cs_cell_metric_count(experiment->problem); m++) {
        const struct cs_metric *metric = &cs_cell_metrics(experiment->problem)[m];
        double then = record.value[m];

        if (!cs_metric_fits(metric, then, value[m]))
            return cs_error_set(v->err,
                                "%s: %s was %.17g and is %.17g when it is run again, for seed "
                                "%llu of %s",
                                cs_store_path(v->store), metric->name, then, value[m],
                                (unsigned long long)cell->seed, experiment->name);
    }
    v->verified->again++;
    return 0;
}

/* Evenly chosen ones of those that are there. */
static int verify_choose(const bool *known, int count, int most, int *chosen)
{
    int there = 0, seen = 0, picked = 0;

    for (int c = 0; c < count; c++)
        there += known[c];
    for (int c = 0; c < count; c++)
        if (known[c]) {
            if ((int64_t)seen * most / there == picked && picked < most)
                chosen[picked++] = c;
            seen++;
        }
    return picked;
}

static int run_again(struct verifier *v, const struct cs_experiment *experiment, int most,
                     int threads)
{
    const struct cs_grid_options options = {.threads = threads, .folder = experiment->folder};
    struct cs_arena *arena = cs_arena_create();
    bool *known = CS_NEW_ARRAY(arena, bool, experiment->count);
    int *chosen = CS_NEW_ARRAY(arena, int, most);
    struct cs_cell *cell = CS_NEW_ARRAY(arena, struct cs_cell, most);
    double *value = CS_NEW_ARRAY(arena, double,
                                 (size_t)most *(size_t)cs_cell_metric_count(experiment->problem));
    int count, status = cs_experiment_known(experiment, v->store, known, v->err);

    count = status ? 0 : verify_choose(known, experiment->count, most, chosen);
    for (int c = 0; c < count; c++)
        cell[c] = experiment->cell[chosen[c]];
    if (count) {
        status = cs_grid_run(experiment->problem, cell, count, &options, value, v->err);
        v->verified->refused = status != 0;
    }
    for (int c = 0; c < count && !status; c++)
        status = compare(v, experiment, &cell[c],
                         value + (ptrdiff_t)c * cs_cell_metric_count(experiment->problem));
    cs_arena_destroy(arena);
    return status;
}

static int check_documents(struct verifier *v, int again, int threads)
{
    struct cs_document *document;
    int status = cs_store_documents(v->store, v->arena, &document, &v->verified->documents, v->err);

    for (int d = 0; d < v->verified->documents && !status; d++) {
        struct cs_experiment *experiment = cs_experiment_compile(&document[d], v->err);

        status = experiment && again ? run_again(v, experiment, again, threads)
                 : experiment        ? 0
                                     : cs_error_prefix(v->err, "%s", cs_store_path(v->store));
        cs_experiment_destroy(experiment);
    }
    return status;
}

int cs_verify_store(const char *path, int again, int threads, struct cs_arena *arena,
                    struct cs_verified *verified, struct cs_error *err)
{
    struct verifier v = {.store = cs_store_open(path, CS_STORE_READ, err),
                         .arena = arena,
                         .verified = verified,
                         .err = err};
    int status = -1;

    *verified = (struct cs_verified){.builds = ""};
    if (!v.store)
        return -1;
    if (!cs_store_begin(v.store, err) && !check_pages(&v) &&
        !cs_store_runs(v.store, arena, &v.run, &verified->runs, err) && !check_inputs(&v) &&
        !check_cells(&v))
        status = check_documents(&v, again, threads);
    verified->builds = list_builds(&v);
    cs_store_rollback(v.store);
    cs_store_close(v.store);
    return status;
}
