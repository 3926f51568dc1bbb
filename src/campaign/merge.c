/* merge.c - one transaction on the target, or a new one in the same directory; the others are read
 * one after the other. */
#include "campaign/merge.h"

#include "base/build.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/experiment.h"
#include "campaign/parameters.h"

#include <string.h>

struct merger {
    struct cs_arena *arena;
    struct cs_store *target;
    const struct cs_merge_options *options;
    struct cs_merged *merged;

    const char *first; /* the first store that was read, whose documents all must have */
    struct cs_document *document;
    int documents;
    int shards; /* in how many shards the runs are; -1: they do not agree */

    /* of the store that is read */
    const char *path;
    const struct cs_problem *problem;
    int runs;
    int64_t *run, *run_there; /* ids here and in the target */
};

static void merge_report(const struct merger *m, const char *error_text)
{
    if (m->options->report)
        m->options->report(m->options->who, error_text);
}

/* --- documents --- */

static const struct cs_document *merge_find(const struct cs_document *list, int count,
                                            const char *sha256)
{
    for (int d = 0; d < count; d++)
        if (!strcmp(list[d].sha256, sha256))
            return &list[d];
    return NULL;
}

static int compare_documents(const struct merger *m, const struct cs_document *list, int count,
                             struct cs_error *err)
{
    for (int d = 0; d < count; d++)
        if (!merge_find(m->document, m->documents, list[d].sha256))
            return cs_error_set(err,
                                "%s: is of %s %s (%.8s), which %s does not have; only stores "
                                "of the same campaign can be merged",
                                m->path, list[d].kind, list[d].name, list[d].sha256, m->first);
    for (int d = 0; d < m->documents; d++)
        if (!merge_find(list, count, m->document[d].sha256))
            return cs_error_set(err,
                                "%s: is not of %s %s (%.8s), as %s is; only stores of the "
                                "same campaign can be merged",
                                m->path, m->document[d].kind, m->document[d].name,
                                m->document[d].sha256, m->first);
    return 0;
}

/* Has the target documents, and none of these? */
static int check_target(const struct merger *m, const struct cs_document *list, int count,
                        struct cs_error *err)
{
    struct cs_document *there;
    int documents;

    if (cs_store_documents(m->target, m->arena, &there, &documents, err))
        return -1;
    for (int d = 0; d < count; d++)
        if (merge_find(there, documents, list[d].sha256))
            return 0;
    if (!documents || !count || m->options->foreign)
        return 0;
    return cs_error_set(err,
                        "%s: holds another campaign (%s %s, %.8s) and not %s %s (%.8s); take "
                        "another --output, or add it with --allow-other-campaign",
                        cs_store_path(m->target), there->kind, there->name, there->sha256,
                        list->kind, list->name, list->sha256);
}

static int merge_documents(struct merger *m, struct cs_store *store, struct cs_error *err)
{
    struct cs_document *list;
    int64_t id;
    int count, status = 0;

    if (cs_store_documents(store, m->arena, &list, &count, err))
        return -1;
    if (m->first)
        return compare_documents(m, list, count, err);
    if (check_target(m, list, count, err))
        return -1;
    m->first = m->path;
    m->document = list;
    m->documents = count;
    for (int d = 0; d < count && !status; d++)
        status = cs_store_add_document(m->target, &list[d], &id, err);
    return status;
}

/* --- runs and inputs --- */

static bool is_same_run(const struct cs_store_run *a, const struct cs_store_run *b)
{
    return a->started == b->started && !strcmp(a->host, b->host) &&
           !strcmp(a->command, b->command) && a->threads == b->threads;
}

/* The run in the target: the one that is there from an earlier merge, or a new one. */
static int place_run(struct merger *m, const struct cs_store_run *run, int64_t *id,
                     struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_store_run *list;
    int count, status = cs_store_runs(m->target, arena, &list, &count, err);
    bool known = false;

    for (int r = 0; !status && r < count && !known; r++) {
        known = is_same_run(&list[r], run);
        *id = list[r].id;
    }
    if (!status && !known)
        status = cs_store_add_run(m->target, run, id, err);
    cs_arena_destroy(arena);
    return status;
}

static int merge_runs(struct merger *m, struct cs_store *store, struct cs_error *err)
{
    struct cs_store_run *list;

    if (cs_store_runs(store, m->arena, &list, &m->runs, err))
        return -1;
    m->run = CS_NEW_ARRAY(m->arena, int64_t, m->runs);
    m->run_there = CS_NEW_ARRAY(m->arena, int64_t, m->runs);
    for (int r = 0; r < m->runs; r++) {
        if (strcmp(list[r].build, cs_build()) && !m->options->other_build)
            return cs_error_set(err,
                                "%s: was run by cosched %s, and this is %s, whose results may "
                                "differ; merge with that one, or with --allow-other-build",
                                m->path, *list[r].build ? list[r].build : list[r].version,
                                cs_build());
        m->run[r] = list[r].id;
        if (list[r].shards && list[r].shards != m->shards)
            m->shards = m->shards ? -1 : list[r].shards;
        if (place_run(m, &list[r], &m->run_there[r], err))
            return -1;
    }
    return 0;
}

static int64_t run_there(const struct merger *m, int64_t run)
{
    for (int r = 0; r < m->runs; r++)
        if (m->run[r] == run)
            return m->run_there[r];
    return 0;
}

static int merge_inputs(struct merger *m, struct cs_store *store, struct cs_error *err)
{
    struct cs_store_input *list;
    int count, status = cs_store_inputs(store, m->arena, &list, &count, err);

    for (int i = 0; i < count && !status; i++)
        if (cs_store_add_input(m->target, list[i].path, list[i].sha256, err))
            status = cs_error_prefix(err, "%s", m->path);
    return status;
}

/* --- cells --- */

static int merge_contradiction(const struct merger *m, const struct cs_store_row *row,
                               const char *what, const char *here, const char *there,
                               struct cs_error *err)
{
    return cs_error_set(err,
                        "%s: contradicts what was merged before: %s is %s here and %s there, "
                        "for seed %llu and %s",
                        m->path, what, here, there, (unsigned long long)row->seed, row->parameters);
}

static int compare_values(const struct merger *m, const struct cs_store_row *row,
                          const struct cs_record *there, struct cs_error *err)
{
    const struct cs_record *here = &row->record;

    for (int i = 0; i < cs_cell_metric_count(m->problem); i++) {
        struct cs_strbuf one = CS_STRBUF_INIT, other = CS_STRBUF_INIT;

        if (cs_metric_fits(&cs_cell_metrics(m->problem)[i], here->value[i], there->value[i]) ||
            cs_metric_fits(&cs_cell_metrics(m->problem)[i], there->value[i], here->value[i]))
            continue;
        cs_strbuf_put_double(&one, here->value[i]);
        cs_strbuf_put_double(&other, there->value[i]);
        merge_contradiction(m, row, cs_cell_metrics(m->problem)[i].name, one.text, other.text, err);
        cs_strbuf_release(&one);
        cs_strbuf_release(&other);
        return -1;
    }
    if (*here->instance && *there->instance && strcmp(here->instance, there->instance))
        return merge_contradiction(m, row, "the instance", here->instance, there->instance, err);
    return 0;
}

static int merge_cell(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    struct merger *m = who;
    json_t *parameters = cs_json_parse(row->parameters, strlen(row->parameters), 0);
    CS_JSON_HOLD(parameters);
    const struct cs_cell cell = {.seed = row->seed, .parameters = parameters};
    struct cs_record there, record = row->record;
    bool known = false;
    int status;

    if (!cell.parameters)
        return cs_error_set(err, "%s: the store is damaged (parameters that are no JSON)", m->path);
    status = cs_store_get(m->target, m->problem, &cell, &known, &there, err);
    if (!status && known)
        status = compare_values(m, row, &there, err);
    if (!status && !known) {
        record.run = run_there(m, record.run);
        status = cs_store_put(m->target, m->problem, &cell, &record, err);
        m->merged->added++;
    }
    return status;
}

static int merge_cells(struct merger *m, struct cs_store *store, struct cs_error *err)
{
    int count;
    const struct cs_problem *const *problem = cs_problems(&count);

    for (int r = 0; r < count; r++) {
        m->problem = problem[r];
        if (cs_store_each(store, problem[r], true, merge_cell, m, err))
            return -1;
    }
    return 0;
}

/* --- stores --- */

static int merge_one(struct merger *m, const char *path, struct cs_error *err)
{
    struct cs_error why = {0};
    struct cs_store *store = cs_store_open(path, CS_STORE_READ, &why);
    int status;

    if (!store && m->options->partial) {
        merge_report(m, why.text);
        return 0;
    }
    if (!store)
        return cs_error_pass(err, &why);
    m->path = path;
    status = cs_store_begin(store, err) || merge_documents(m, store, err) ||
                     merge_runs(m, store, err) || merge_inputs(m, store, err) ||
                     merge_cells(m, store, err)
                 ? -1
                 : 0;
    cs_store_rollback(store);
    cs_store_close(store);
    return status;
}

/* The missing parts of a document in the target: cells, and the shards that they belong to. */
struct gap {
    int missing;
    bool *shard;
};

static int find_gap(struct merger *m, const struct cs_experiment *experiment, struct gap *gap,
                    struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    bool *known = CS_NEW_ARRAY(arena, bool, experiment->count);
    int status = cs_experiment_known(experiment, m->target, known, err);

    for (int c = 0; c < experiment->count && !status; c++) {
        gap->missing += !known[c];
        for (int s = 0; s < m->shards && !known[c]; s++)
            gap->shard[s] = gap->shard[s] || cs_grid_shard_has(c, s + 1, m->shards);
    }
    cs_arena_destroy(arena);
    return status;
}

/* "10 of 100 runs of trial are missing (of shards 2,5-7 of 8)" */
static void put_gap(const struct merger *m, const struct gap *gap, int count, const char *name,
                    struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%d of %d runs of %s are missing", gap->missing, count, name);
    if (m->shards > 0) {
        cs_strbuf_puts(out, " (of shards ");
        cs_strbuf_put_ranges(out, gap->shard, m->shards);
        cs_strbuf_printf(out, " of %d)", m->shards);
    }
}

static int check_document(struct merger *m, const struct cs_document *document,
                          struct cs_error *err)
{
    struct cs_experiment *experiment = cs_experiment_compile(document, err);
    struct gap gap = {0, CS_NEW_ARRAY(m->arena, bool, m->shards > 0 ? m->shards : 0)};
    int status = experiment ? find_gap(m, experiment, &gap, err) : -1;
    struct cs_strbuf error_text = CS_STRBUF_INIT;

    if (!status && gap.missing) {
        put_gap(m, &gap, experiment->count, document->name, &error_text);
        if (m->options->partial)
            merge_report(m, error_text.text);
        else
            status =
                cs_error_set(err, "%s; finish them first, or merge what is there with --partial",
                             error_text.text);
    }
    m->merged->cells += experiment ? experiment->count - gap.missing : 0;
    cs_strbuf_release(&error_text);
    cs_experiment_destroy(experiment);
    return status;
}

static int merge_all(struct merger *m, const char *const *path, int count, struct cs_error *err)
{
    for (int p = 0; p < count; p++)
        if (merge_one(m, path[p], err))
            return -1;
    if (!m->first)
        return cs_error_set(err, "there is nothing to merge");
    for (int d = 0; d < m->documents; d++)
        if (check_document(m, &m->document[d], err))
            return -1;
    return cs_store_commit(m->target, err);
}

int cs_merge_stores(const char *const *path, int count, const char *target,
                    const struct cs_merge_options *options, struct cs_merged *merged,
                    struct cs_error *err)
{
    struct merger m = {
        .arena = cs_arena_create(),
        .target = cs_store_open(
            target, CS_STORE_BUILD | (options->other_build ? CS_STORE_OTHER_BUILD : 0), err),
        .options = options,
        .merged = merged};
    int status = -1;

    *merged = (struct cs_merged){0};
    if (m.target) {
        status = cs_store_begin(m.target, err) || merge_all(&m, path, count, err) ? -1 : 0;
        if (status)
            cs_store_rollback(m.target);
        else
            status = cs_store_publish(m.target, err);
        cs_store_close(m.target);
    }
    cs_arena_destroy(m.arena);
    return status;
}
