/* replay_runs.c - what ran: every attempt of every job under every policy of the case. */
#include "replay_case.h"
#include "replay_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What happened to each job, in the order of the file. */
struct record {
    const struct replay_case *c;
    const json_t *attempts, *promises, *starts, *fair;
    const char *policy;
    int *count;
    struct cs_error err;
};

static int compare_attempt(const struct record *r, int job, const struct cs_queue_history *history,
                           struct cs_error *err)
{
    const json_t *want =
        json_array_get(json_array_get(r->attempts, (size_t)job), (size_t)r->count[job]);
    double start = json_number_value(json_array_get(want, 0));
    double end = json_number_value(json_array_get(want, 1));

    if (!want)
        return cs_error_set(err, "job %d: attempt %d, there are to be fewer", job + 1,
                            r->count[job]);
    if (start != history->start || end != history->end)
        return cs_error_set(err,
                            "job %d attempt %d runs in [%.15g, %.15g], expected [%.15g, %.15g]",
                            job + 1, r->count[job], history->start, history->end, start, end);
    return 0;
}

static void ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct record *r = who;
    int job = r->c->index[history->number];
    const json_t *promise = json_array_get(r->promises, (size_t)job);
    const json_t *start = json_array_get(r->starts, (size_t)job);
    const json_t *fair = json_array_get(r->fair, (size_t)job);

    (void)now;
    if (r->err.text[0])
        return;
    if (r->attempts)
        compare_attempt(r, job, history, &r->err);
    if (done && start && !r->err.text[0] && json_number_value(start) != history->first)
        cs_error_set(&r->err, "job %d starts at %.15g, expected %.15g", job + 1, history->first,
                     json_number_value(start));
    if (done && promise && !r->err.text[0] && json_number_value(promise) != history->promise)
        cs_error_set(&r->err, "job %d has the promise %.15g, expected %.15g", job + 1,
                     history->promise, json_number_value(promise));
    if (done && fair && !r->err.text[0] && json_number_value(fair) != history->fair)
        cs_error_set(&r->err, "job %d has the fair start %.15g, expected %.15g", job + 1,
                     history->fair, json_number_value(fair));
    r->count[job]++;
}

static int compare_counts(const struct record *r, struct cs_error *err)
{
    for (int k = 0; k < r->c->jobs; k++) {
        size_t want = json_array_size(json_array_get(r->attempts, (size_t)k));

        if (r->attempts && want != (size_t)r->count[k])
            return cs_error_set(err, "job %d runs %d times, expected %zu", k + 1, r->count[k],
                                want);
    }
    return 0;
}

static int compare_fairness(const json_t *want, const struct cs_queue_measured *got,
                            struct cs_error *err)
{
    if (!json_object_get(want, "fair_starts"))
        return 0;
    if (golden_replay_close(want, "unfair_jobs", (double)got->unfair_jobs, 0, err))
        return -1;
    return golden_replay_close(want, "mean_unfairness", got->mean_unfairness, 1e-12, err);
}

static int compare_variant(const struct replay_case *c, const json_t *want, struct cs_error *err)
{
    struct record record = {
        .c = c,
        .attempts = json_object_get(want, "attempts"),
        .promises = json_object_get(want, "first_promise"),
        .starts = json_object_get(want, "starts"),
        .fair = json_object_get(want, "fair_starts"),
        .count = CS_NEW_ARRAY(c->arena, int, c->jobs),
    };
    const struct cs_queue_window all = {0, 0, 0};
    struct cs_queue_measures *measures = cs_queue_measures_create((double)c->site->procs, &all);
    const struct cs_queue_observer observer[] = {{.ended = ended, .who = &record},
                                                 cs_queue_measures_observer(measures)};
    struct cs_queue_measured measured;
    int status;
    struct replay_at at = {c, 0};
    struct cs_queue_simulated result;
    struct replay_variant variant;

    status = replay_variant_read(want, c, &variant, err);
    variant.op.fair = record.fair != NULL;
    variant.op.observers = 2;
    variant.op.observer = observer;
    if (!status)
        status = cs_queue_simulate(&variant.op, replay_next, &at, &result, err);
    cs_queue_measures_finish(measures, &measured);
    cs_queue_measures_destroy(measures);
    if (status)
        return -1;
    if (record.err.text[0])
        return cs_error_set(err, "%s", record.err.text);
    return compare_counts(&record, err) || compare_fairness(want, &measured, err) ||
                   golden_replay_metrics(json_object_get(want, "metrics"), &measured, err)
               ? -1
               : 0;
}

static int compare(const json_t *json, struct replay_case *c, struct cs_error *err)
{
    const json_t *list = json_object_get(json, "expected"), *want;
    size_t k;

    if (replay_case_read(json, c, err))
        return -1;
    json_array_foreach(list, k, want) if (compare_variant(c, want, err))
    {
        cs_error_prefix(
            err, "%s %s %s", json_string_value(json_object_get(want, "policy")),
            json_object_get(want, "priority") ? json_string_value(json_object_get(want, "priority"))
                                              : "fcfs",
            json_object_get(want, "overrun") ? json_string_value(json_object_get(want, "overrun"))
                                             : "");
        return -1;
    }
    return 0;
}

int golden_replay_runs(const json_t *json, struct cs_error *err)
{
    struct replay_case c = {.arena = cs_arena_create()};
    int status = compare(json, &c, err);

    cs_arena_destroy(c.arena);
    return status;
}
