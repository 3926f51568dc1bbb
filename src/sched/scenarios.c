/* scenarios.c - failure scenarios: drawn once and kept as 32-bit counts, or drawn on request.
 *
 * Source: spec/rigid.md 2 (limits) and 6 (draws).
 *
 * Invariants: a scenario is the same whether it is kept or drawn again; counts of a file or of the
 * caller are from 0 to CS_SCHED_FAILURE_CAP, so that they fit in 32 bits.
 *
 * Complexity: O(jobs) for each scenario; memory 4 bytes for each job and scenario if kept.
 *
 * Constant                                            | found        | at half, at double
 * KEEP: 2^26 counts (256 MiB), above that drawn again | not recorded | not measured
 */
#include "sched/scenarios.h"

#include "base/guard.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/watch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define KEEP ((size_t)1 << 26)

/* A rate as the mean failure probability of these jobs. */
static double mean_of(const struct cs_sched_jobs *jobs, struct cs_sched_law law)
{
    return isnan(law.mean) ? -expm1(-law.rate * cs_sched_mean_area(jobs)) : law.mean;
}

static int check_law(const struct cs_sched_jobs *jobs, struct cs_sched_law law,
                     struct cs_error *err)
{
    if (!isnan(law.mean) && !(law.mean >= 0 && law.mean < 1))
        return cs_error_set(
            err, "the mean failure probability is %g, it must be at least 0 and less than 1",
            law.mean);
    if (isnan(law.mean) && !(law.rate >= 0 && isfinite(law.rate)))
        return cs_error_set(err, "the error rate is %g per second, it must be a number from 0 on",
                            law.rate);
    if (!(mean_of(jobs, law) < 1))
        return cs_error_set(
            err, "at %g errors per second and processor no average job ever succeeds", law.rate);
    return 0;
}

int cs_sched_scenarios_get(const struct cs_sched_scenarios *s, int scenario, int64_t *failures,
                           struct cs_error *err)
{
    CS_ASK(s && scenario >= 0 && scenario < s->count && failures, err, -1);
    CS_GUARD(err, -1);
    size_t n = (size_t)s->jobs->count;

    if (!s->table)
        return cs_sched_draw_with(s->jobs, mean_of(s->jobs, s->law), s->chance, s->seed, s->set,
                                  (uint64_t)scenario, failures, err);
    for (size_t j = 0; j < n; j++)
        failures[j] = s->table[(size_t)scenario * n + j];
    return 0;
}

static int keep_all(struct cs_sched_scenarios *s, struct cs_error *err)
{
    size_t n = (size_t)s->jobs->count;
    int32_t *table = CS_NEW_ARRAY(s->arena, int32_t, n * (size_t)s->count);
    int64_t *failures = CS_NEW_ARRAY(s->arena, int64_t, n);

    for (int scenario = 0; scenario < s->count; scenario++) {
        if (cs_watch_calls() || cs_sched_scenarios_get(s, scenario, failures, err))
            return -1;
        for (size_t j = 0; j < n; j++)
            table[(size_t)scenario * n + j] = (int32_t)failures[j];
    }
    s->table = table;
    return 0;
}

static struct cs_sched_scenarios *scenarios_start(const struct cs_sched_jobs *jobs)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_scenarios *s = CS_NEW(arena, struct cs_sched_scenarios);

    s->arena = arena;
    s->jobs = jobs;
    return s;
}

/* They, or NULL when they could not be made. */
static struct cs_sched_scenarios *scenarios_finish(struct cs_sched_scenarios *s, int status)
{
    if (status == 0)
        return s;
    cs_sched_scenarios_destroy(s);
    return NULL;
}

static int scenarios_check(const struct cs_sched_jobs *jobs, int count, struct cs_error *err)
{
    if (cs_sched_jobs_check(jobs, err))
        return -1;
    if (count < 0)
        return cs_error_set(err, "the number of scenarios is %d, it must be at least 0", count);
    return 0;
}

void cs_sched_scenarios_destroy(struct cs_sched_scenarios *s)
{
    if (s)
        cs_arena_destroy(s->arena);
}

static int scenarios_draw(struct cs_sched_scenarios *s, struct cs_error *err)
{
    struct cs_sched_chance *chance = CS_NEW_ARRAY(s->arena, struct cs_sched_chance, s->jobs->count);

    if (check_law(s->jobs, s->law, err) ||
        cs_sched_chances(s->jobs, mean_of(s->jobs, s->law), chance, err))
        return -1;
    s->chance = chance;
    if (!isnan(s->law.mean))
        s->law.rate = cs_sched_rate(s->jobs, s->law.mean);
    return (size_t)s->jobs->count * (size_t)s->count <= KEEP ? keep_all(s, err) : 0;
}

struct cs_sched_scenarios *cs_sched_scenarios_create(const struct cs_sched_jobs *jobs,
                                                     struct cs_sched_law law, uint64_t seed,
                                                     uint64_t set, int count, struct cs_error *err)
{
    CS_ASK(jobs, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_sched_scenarios *s;

    if (scenarios_check(jobs, count, err))
        return NULL;
    s = scenarios_start(jobs);
    s->law = law;
    s->seed = seed;
    s->set = set;
    s->count = count;
    return scenarios_finish(s, scenarios_draw(s, err));
}

static int scenarios_copy(struct cs_sched_scenarios *s, const int64_t *failures,
                          struct cs_error *err)
{
    size_t n = (size_t)s->jobs->count;
    int32_t *table = CS_NEW_ARRAY(s->arena, int32_t, n * (size_t)s->count);

    for (size_t i = 0; i < n * (size_t)s->count; i++) {
        if (failures[i] < 0 || failures[i] > CS_SCHED_FAILURE_CAP)
            return cs_error_set(
                err, "scenario %zu, job %zu: it fails %" PRId64 " times, it must be 0 to %d", i / n,
                i % n, failures[i], CS_SCHED_FAILURE_CAP);
        table[i] = (int32_t)failures[i];
    }
    s->table = table;
    return 0;
}

struct cs_sched_scenarios *cs_sched_scenarios_measured(const struct cs_sched_jobs *jobs, int count,
                                                       const int64_t *failures,
                                                       struct cs_error *err)
{
    CS_ASK(jobs && (failures || !jobs->count || count < 1), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_sched_scenarios *s;

    if (scenarios_check(jobs, count, err))
        return NULL;
    s = scenarios_start(jobs);
    s->count = count;
    return scenarios_finish(s, scenarios_copy(s, failures, err));
}

/* The next number of the line; *at moves behind it.  1: there is one, 0: the line is over. */
static int next_count(const struct cs_lines *lines, char **at, int32_t *out, struct cs_error *err)
{
    char *word = *at + strspn(*at, " \t,"), *end = word + strcspn(word, " \t,");
    int value;

    *at = *end ? end + 1 : end;
    if (word == end)
        return 0;
    *end = '\0';
    if (cs_number_int(word, &value) != CS_NUMBER_FINE || value < 0 || value > CS_SCHED_FAILURE_CAP)
        return cs_lines_error(lines, err, "found \"%s\", expected how often a job fails, 0 to %d",
                              word, CS_SCHED_FAILURE_CAP);
    *out = value;
    return 1;
}

static int read_scenario(const struct cs_lines *lines, char *line, int jobs, int32_t *row,
                         struct cs_error *err)
{
    int count = 0, status;
    int32_t value = 0;

    while ((status = next_count(lines, &line, &value, err)) > 0) {
        if (count < jobs)
            row[count] = value;
        count++;
    }
    if (status < 0)
        return -1;
    if (count != jobs)
        return cs_lines_error(lines, err, "found %d numbers, expected one for each of the %d jobs",
                              count, jobs);
    return 0;
}

/* Rows in the order of the file, in an array that doubles. */
static int scenarios_read_rows(struct cs_lines *lines, int jobs, struct cs_arena *arena,
                               const int32_t **out, int *scenarios, struct cs_error *err)
{
    size_t n = (size_t)jobs, room = 16;
    int32_t *table = CS_NEW_ARRAY(arena, int32_t, room * n);
    char *line;
    size_t length;
    int status;

    *scenarios = 0;
    while ((status = cs_lines_next(lines, &line, &length, err)) > 0) {
        if (!line[strspn(line, " \t")] || *line == '#')
            continue;
        if ((size_t)*scenarios == room) {
            int32_t *more = CS_NEW_ARRAY(arena, int32_t, 2 * room * n);

            memcpy(more, table, room * n * sizeof *table);
            table = more;
            room *= 2;
        }
        if (read_scenario(lines, line, jobs, table + (size_t)*scenarios * n, err))
            return -1;
        ++*scenarios;
    }
    *out = table;
    if (status == 0 && *scenarios == 0)
        return cs_error_set(err, "%s: there is no scenario in it", cs_lines_name(lines));
    return status;
}

int cs_sched_failures_read(const char *path, int jobs, struct cs_arena *arena,
                           const int32_t **table, int *scenarios, struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open(path, err);
    int status;

    if (!lines)
        return -1;
    status = scenarios_read_rows(lines, jobs, arena, table, scenarios, err);
    cs_lines_close(lines);
    return status;
}

struct cs_sched_scenarios *cs_sched_scenarios_read(const struct cs_sched_jobs *jobs,
                                                   const char *path, struct cs_error *err)
{
    CS_ASK(jobs && path, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_sched_scenarios *s;

    if (scenarios_check(jobs, 0, err))
        return NULL;
    s = scenarios_start(jobs);
    return scenarios_finish(
        s, cs_sched_failures_read(path, jobs->count, s->arena, &s->table, &s->count, err));
}
