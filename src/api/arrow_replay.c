/* arrow_replay.c - the jobs of a replay, as columns: those of `cosched replay --jobs`. */
#include "api/columns.h"
#include "api/views/queue.h"
#include "base/guard.h"
#include "base/plain.h"
#include "problems/queue/log_jobs.h"

#include <cosched/replay.h>
#include <string.h>

/* The columns of all jobs, variant by variant. */
struct table {
    const struct cs_replay_request *request;
    const struct cs_queue_log_rows *rows;
    struct cs_columns *columns;
    struct cs_arena *arena;
    int64_t count;
    bool labels;
};

static const struct cs_queue_log_jobs *jobs_of(const struct table *t, int variant)
{
    return t->rows->row[variant + 1].jobs;
}

/* The column of the policy or of the priority of each variant; each name is stored once. */
static int arrow_replay_put_words(const struct table *t, const char *name, bool priority,
                                  struct cs_error *err)
{
    const int variants = t->request->study.variants;
    const char **word = CS_NEW_ARRAY(t->arena, const char *, variants);
    int *of = CS_NEW_ARRAY(t->arena, int, variants), words = 0;
    int32_t *index;

    for (int w = 0; w < variants; w++) {
        const struct cs_queue_log_variant *variant = &t->request->study.variant[w];
        const char *mine = priority ? variant->priority : variant->policy;

        while (of[w] < words && strcmp(word[of[w]], mine) != 0)
            of[w]++;
        word[of[w]] = mine;
        words += of[w] == words;
    }
    index = cs_columns_words(t->columns, name, word, words, err);
    for (int w = 0; index && w < variants; w++)
        for (int64_t j = 0; j < jobs_of(t, w)->count; j++)
            *index++ = of[w];
    return index ? 0 : -1;
}

static void put_scenario(const struct table *t)
{
    int64_t *scenario = t->request->scenarios > 1 ? cs_columns_int64(t->columns, "scenario") : NULL;

    for (int w = 0; scenario && w < t->request->study.variants; w++)
        for (int64_t j = 0; j < jobs_of(t, w)->count; j++)
            *scenario++ = t->request->study.variant[w].scenario;
}

static const char *label_of(const struct table *t, const struct cs_queue_job_done *job)
{
    char number[32];

    if (job->label)
        return job->label;
    cs_plain_print(number, sizeof number, "%lld", (long long)job->id);
    return cs_arena_strdup(t->arena, number);
}

/* Write a member of each job to *out, and advance out. */
#define EACH(t, member, out)                                                                       \
    do {                                                                                           \
        for (int w_ = 0; w_ < (t)->request->study.variants; w_++)                                  \
            for (int64_t j_ = 0; j_ < jobs_of(t, w_)->count; j_++)                                 \
                *(out)++ = jobs_of(t, w_)->job[j_].member;                                         \
    } while (0)

static int put_ids(const struct table *t, struct cs_error *err)
{
    const char **text = t->labels ? CS_NEW_ARRAY(t->arena, const char *, t->count) : NULL;
    int64_t *id = t->labels ? NULL : cs_columns_int64(t->columns, "job_id"), at = 0;

    if (id)
        EACH(t, id, id);
    for (int w = 0; text && w < t->request->study.variants; w++)
        for (int64_t j = 0; j < jobs_of(t, w)->count; j++)
            text[at++] = label_of(t, &jobs_of(t, w)->job[j]);
    return text ? cs_columns_texts(t->columns, "job_id", text, err) : 0;
}

static int arrow_replay_put_names(const struct table *t, const char *name, enum cs_queue_by by,
                                  struct cs_error *err)
{
    const struct cs_log_names *names = cs_replay_names(t->rows->log, by);
    int32_t *index = cs_columns_words(t->columns, name, names->name, names->count, err);

    if (!index)
        return -1;
    if (by == CS_QUEUE_BY_USER)
        EACH(t, user, index);
    else
        EACH(t, partition, index);
    return 0;
}

static int put_sets(const struct table *t, struct cs_error *err)
{
    const char **text = CS_NEW_ARRAY(t->arena, const char *, t->count), **at = text;

    EACH(t, set, at);
    return cs_columns_texts(t->columns, "allocated", text, err);
}

#define NUMBERS(t, name, member)                                                                   \
    do {                                                                                           \
        double *out_ = cs_columns_double((t)->columns, name);                                      \
                                                                                                   \
        EACH(t, member, out_);                                                                     \
    } while (0)

static void put_numbers(const struct table *t)
{
    int64_t *procs = cs_columns_int64(t->columns, "procs");
    int32_t *attempts;

    EACH(t, procs, procs);
    NUMBERS(t, "submit", submit);
    NUMBERS(t, "start", start);
    NUMBERS(t, "end", end);
    attempts = cs_columns_int32(t->columns, "attempts");
    EACH(t, attempts, attempts);
    NUMBERS(t, "estimate", estimate);
    NUMBERS(t, "request", request);
    NUMBERS(t, "promise", promise);
    NUMBERS(t, "wait", wait);
    NUMBERS(t, "bounded_slowdown", slowdown);
}

static int put_all(const struct table *t, struct cs_error *err)
{
    int64_t *number;
    int32_t *killed;

    if (arrow_replay_put_words(t, "policy", false, err) ||
        arrow_replay_put_words(t, "priority", true, err))
        return -1;
    put_scenario(t);
    if (put_ids(t, err))
        return -1;
    number = cs_columns_int64(t->columns, "number");
    EACH(t, number, number);
    if (arrow_replay_put_names(t, "user", CS_QUEUE_BY_USER, err) ||
        arrow_replay_put_names(t, "partition", CS_QUEUE_BY_PARTITION, err))
        return -1;
    put_numbers(t);
    killed = cs_columns_int32(t->columns, "killed");
    EACH(t, killed, killed);
    return put_sets(t, err);
}

int cs_replay_arrow(const struct cs_replay *replay, struct ArrowArrayStream *out,
                    struct cs_error *err)
{
    CS_ASK(replay && out, err, -1);
    CS_GUARD(err, -1);
    struct table t = {.rows = cs_replay_rows(replay, &t.request)};

    for (int w = 0; w < t.request->study.variants; w++) {
        if (!jobs_of(&t, w))
            return cs_error_set(err, "the jobs were not kept: the option keep_jobs wants them");
        t.count += jobs_of(&t, w)->count;
        t.labels = t.labels || jobs_of(&t, w)->labels;
    }
    t.arena = cs_arena_create();
    t.columns = cs_columns_create(t.count);
    if (put_all(&t, err)) {
        cs_columns_destroy(t.columns);
        cs_arena_destroy(t.arena);
        return -1;
    }
    cs_arena_destroy(t.arena);
    cs_columns_hand_over(t.columns, out);
    return 0;
}
