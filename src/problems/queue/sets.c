/* sets.c - jobs of a log by day, by number or in sequences, and their lower bound.
 *
 * Source: spec/rigid.md 7 and II 6 (bound with arrivals).
 *
 * Complexity: O(n log n) for n jobs, all of which are in memory.
 */
#include "problems/queue/sets.h"

#include "base/order.h"
#include "base/plain.h"
#include "base/vector.h"
#include "base/zone.h"
#include "io/names.h"
#include "problems/queue/arrivals.h"

#include <math.h>
#include <string.h>

struct sets_reader {
    const struct cs_queue_sets_options *options;
    struct cs_arena *arena;
    struct cs_log *log;
    struct cs_log_job *job;
    size_t count, room;
};

static int sets_take(struct sets_reader *r, struct cs_error *err)
{
    struct cs_log_job job;
    int status;

    while ((status = cs_log_next(r->log, &job, err)) > 0) {
        const char *label = job.label ? cs_arena_strdup(r->arena, job.label) : NULL;

        cs_log_done(r->log, &job);
        job.label = label;
        job.gres = NULL; /* its demand has them */
        CS_ARENA_ROOM(r->arena, r->job, r->count, r->room, 1024);
        r->job[r->count++] = job;
    }
    return status;
}

/* A stable sort by number, then by arrival; without users and accounts. */
static void sets_sort(struct sets_reader *r)
{
    const int n = (int)r->count;
    struct cs_log_job *job = CS_NEW_ARRAY(r->arena, struct cs_log_job, n);
    int *by_id = CS_NEW_ARRAY(r->arena, int, n), *order = CS_NEW_ARRAY(r->arena, int, n);
    double *key = CS_NEW_ARRAY(r->arena, double, n);
    const bool whole = cs_log_kind(r->log, 0) == CS_LOG_ALCF;

    for (int j = 0; j < n; j++)
        key[j] = (double)r->job[j].id;
    cs_order_ascending(key, n, by_id, r->arena);
    for (int a = 0; a < n; a++)
        key[a] = whole ? floor(r->job[by_id[a]].submit) : r->job[by_id[a]].submit;
    cs_order_ascending(key, n, order, r->arena);
    for (int a = 0; a < n; a++) {
        job[a] = r->job[by_id[order[a]]];
        job[a].submit = key[order[a]];
        job[a].user = job[a].account = job[a].qos = -1;
    }
    r->job = job;
}

static void count_requests(struct cs_queue_set *set)
{
    for (int j = 0; j < set->jobs.count; j++) {
        const struct cs_log_job *job = &set->job[j];

        set->none += !(job->request > 0);
        set->exceeded += job->request > 0 && job->request < job->seconds;
    }
    set->requested = set->jobs.count - set->none - set->exceeded;
}

static void sets_make(const struct sets_reader *r, size_t first, size_t count, const char *name,
                      struct cs_queue_set *set)
{
    const int n = (int)count;
    struct cs_log_job *job = r->job + first;
    double *seconds = CS_NEW_ARRAY(r->arena, double, n),
           *submit = CS_NEW_ARRAY(r->arena, double, n);
    int *procs = CS_NEW_ARRAY(r->arena, int, n);
    struct cs_names *names = cs_names_create(r->arena);

    for (int j = 0; j < n; j++) {
        seconds[j] = job[j].seconds;
        submit[j] = job[j].submit;
        procs[j] = (int)job[j].procs;
        if (r->options->by_id)
            job[j].label = cs_names_add_id(names, job[j].id, j, r->arena);
    }
    *set = (struct cs_queue_set){
        .name = cs_arena_strdup(r->arena, name),
        .jobs = {n, (int)r->options->log->site->procs, r->options->verification, seconds, procs},
        .submit = submit,
        .job = job,
    };
    count_requests(set);
}

static int64_t sets_day(const struct sets_reader *r, size_t job)
{
    return cs_calendar_day(cs_log_epoch(r->log) + (int64_t)floor(r->job[job].submit));
}

/* The first job after the set that begins with this one. */
static size_t sets_end(const struct sets_reader *r, size_t first)
{
    const size_t most = r->options->count > 0 ? (size_t)r->options->count : r->count;
    size_t end = first + 1;

    if (!r->options->by_day)
        return most < r->count - first ? first + most : r->count;
    while (end < r->count && sets_day(r, end) == sets_day(r, first))
        end++;
    return end;
}

static void sets_cut(const struct sets_reader *r, struct cs_queue_sets *sets)
{
    struct cs_queue_set *set;
    int at = 0;

    for (size_t first = 0; first < r->count; first = sets_end(r, first))
        sets->count++;
    sets->set = set = CS_NEW_ARRAY(r->arena, struct cs_queue_set, sets->count);
    for (size_t first = 0, end; first < r->count; first = end, at++) {
        char name[32];

        end = sets_end(r, first);
        if (r->options->by_day)
            cs_calendar_date(sets_day(r, first), name);
        else
            cs_plain_print(name, sizeof name, "%d", at + 1);
        sets_make(r, first, end - first, sets->count > 1 ? name : "", &set[at]);
    }
}

/* A sequence of jobs, by arrivals from 0 on; those without a run time only take up its length. */
static void sets_make_sequence(const struct sets_reader *r, int64_t start, int at,
                               struct cs_queue_set *set)
{
    struct sets_reader part = *r;
    const double from = r->job[start].submit;
    char name[32];

    part.job = CS_NEW_ARRAY(r->arena, struct cs_log_job, r->options->length);
    part.count = 0;
    for (int64_t j = start; j < start + r->options->length; j++)
        if (r->job[j].seconds > 0) {
            struct cs_log_job *job = &part.job[part.count++];

            *job = r->job[j];
            job->submit -= from;
            job->recorded -= from;
        }
    cs_plain_print(name, sizeof name, "%d", at + 1);
    sets_make(&part, 0, part.count, name, set);
}

static int sets_cut_sequences(const struct sets_reader *r, struct cs_queue_sets *sets,
                              struct cs_error *err)
{
    const int count = (int)r->options->sequences;
    int64_t *start = CS_NEW_ARRAY(r->arena, int64_t, count);
    struct cs_queue_set *set = CS_NEW_ARRAY(r->arena, struct cs_queue_set, count);

    if (cs_sequences_draw(r->options->seed, (int64_t)r->count, r->options->length, count, start,
                          err))
        return -1;
    for (int s = 0; s < count; s++)
        sets_make_sequence(r, start[s], s, &set[s]);
    sets->count = count;
    sets->set = set;
    return 0;
}

struct cs_queue_sets *cs_queue_sets_read(const struct cs_queue_sets_options *options,
                                         struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_queue_sets *sets = CS_NEW(arena, struct cs_queue_sets);
    struct sets_reader r = {.options = options, .arena = arena};

    sets->arena = arena;
    sets->log = r.log = cs_log_open(options->path, options->files, options->log, err);
    if (!r.log || sets_take(&r, err)) {
        cs_queue_sets_destroy(sets);
        return NULL;
    }
    if (!r.count || r.count > INT32_MAX / 4) {
        if (r.count)
            cs_error_set(err, "%s: found %zu jobs, expected at most %d for sets and bounds",
                         options->path[0], r.count, INT32_MAX / 4);
        else
            cs_log_no_job(options->path[0], cs_log_counts(r.log), err);
        cs_queue_sets_destroy(sets);
        return NULL;
    }
    if (options->by_id)
        sets_sort(&r);
    if (options->sequences < 1)
        sets_cut(&r, sets);
    else if (sets_cut_sequences(&r, sets, err)) {
        cs_queue_sets_destroy(sets);
        return NULL;
    }
    return sets;
}

void cs_queue_sets_destroy(struct cs_queue_sets *sets)
{
    if (!sets)
        return;
    cs_log_close(sets->log);
    cs_arena_destroy(sets->arena);
}

double cs_queue_bound(const struct cs_sched_jobs *jobs, const double *submit,
                      const int64_t *failures)
{
    double area = 0, bound = 0;

    for (int j = jobs->count - 1; j >= 0; j--) {
        const double attempts = failures ? (double)(failures[j] + 1) : 1;
        const double chain = attempts * (jobs->seconds[j] + jobs->verification);
        const double since = submit[j] - submit[0];

        area += chain * jobs->procs[j];
        bound = fmax(bound, fmax(since + chain, since + area / jobs->machine));
    }
    return bound;
}
