/* scenarios.c - drawn once and kept as 32-bit counts, or drawn when asked. */
#include "rigid/scenarios.h"

#include "base/lines.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

#define KEEP ((size_t)1 << 26)

/* A rate as the mean failure probability of these jobs. */
static double mean_of(const struct cs_rigid_jobs *jobs, struct cs_rigid_law law)
{
    return isnan(law.mean) ? -expm1(-law.rate * cs_rigid_mean_area(jobs)) : law.mean;
}

static int check_law(const struct cs_rigid_jobs *jobs, struct cs_rigid_law law,
                     struct cs_error *err)
{
    if (isnan(law.mean) && !(law.rate >= 0 && isfinite(law.rate)))
        return cs_error_set(err, "the error rate is %g per second, it must be a number from 0 on",
                            law.rate);
    if (!(mean_of(jobs, law) < 1))
        return cs_error_set(
            err, "at %g errors per second and processor no average job ever succeeds", law.rate);
    return 0;
}

int cs_rigid_scenarios_get(const struct cs_rigid_scenarios *s, int scenario, int64_t *failures,
                           struct cs_error *err)
{
    size_t n = (size_t)s->jobs->count;

    if (!s->table)
        return cs_rigid_draw_with(s->jobs, mean_of(s->jobs, s->law), s->chance, s->seed, s->set,
                                  (uint64_t)scenario, failures, err);
    for (size_t j = 0; j < n; j++)
        failures[j] = s->table[(size_t)scenario * n + j];
    return 0;
}

static int keep_all(struct cs_rigid_scenarios *s, struct cs_arena *arena, struct cs_error *err)
{
    size_t n = (size_t)s->jobs->count;
    int32_t *table = CS_NEW_ARRAY(arena, int32_t, n * (size_t)s->count);
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, n);

    for (int scenario = 0; scenario < s->count; scenario++) {
        if (cs_rigid_scenarios_get(s, scenario, failures, err))
            return -1;
        for (size_t j = 0; j < n; j++)
            table[(size_t)scenario * n + j] = (int32_t)failures[j];
    }
    s->table = table;
    return 0;
}

struct cs_rigid_scenarios *cs_rigid_scenarios_draw(const struct cs_rigid_jobs *jobs,
                                                   struct cs_rigid_law law, uint64_t seed,
                                                   uint64_t set, int count, struct cs_arena *arena,
                                                   struct cs_error *err)
{
    struct cs_rigid_scenarios *s = CS_NEW(arena, struct cs_rigid_scenarios);
    struct cs_rigid_chance *chance = CS_NEW_ARRAY(arena, struct cs_rigid_chance, jobs->count);

    *s = (struct cs_rigid_scenarios){
        .jobs = jobs, .law = law, .seed = seed, .set = set, .count = count, .chance = chance};
    if (check_law(jobs, law, err) || cs_rigid_chances(jobs, mean_of(jobs, law), chance, err))
        return NULL;
    if (!isnan(law.mean))
        s->law.rate = cs_rigid_rate(jobs, law.mean);
    if ((size_t)jobs->count * (size_t)count <= KEEP && keep_all(s, arena, err))
        return NULL;
    return s;
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
    if (cs_number_int(word, &value) != CS_NUMBER_FINE || value < 0 || value > CS_RIGID_FAILURE_CAP)
        return cs_lines_error(lines, err, "found \"%s\", expected how often a job fails, 0 to %d",
                              word, CS_RIGID_FAILURE_CAP);
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
static int read_rows(struct cs_lines *lines, struct cs_rigid_scenarios *s, struct cs_arena *arena,
                     struct cs_error *err)
{
    size_t n = (size_t)s->jobs->count, room = 16;
    int32_t *table = CS_NEW_ARRAY(arena, int32_t, room * n);
    char *line;
    size_t length;
    int status;

    while ((status = cs_lines_next(lines, &line, &length, err)) > 0) {
        if (!line[strspn(line, " \t")] || *line == '#')
            continue;
        if ((size_t)s->count == room) {
            int32_t *more = CS_NEW_ARRAY(arena, int32_t, 2 * room * n);

            memcpy(more, table, room * n * sizeof *table);
            table = more;
            room *= 2;
        }
        if (read_scenario(lines, line, s->jobs->count, table + (size_t)s->count * n, err))
            return -1;
        s->count++;
    }
    s->table = table;
    if (status == 0 && s->count == 0)
        return cs_error_set(err, "%s: there is no scenario in it", cs_lines_name(lines));
    return status;
}

struct cs_rigid_scenarios *cs_rigid_scenarios_read(const struct cs_rigid_jobs *jobs,
                                                   const char *path, struct cs_arena *arena,
                                                   struct cs_error *err)
{
    struct cs_rigid_scenarios *s = CS_NEW(arena, struct cs_rigid_scenarios);
    struct cs_lines *lines = cs_lines_open(path, err);
    int status;

    s->jobs = jobs;
    if (!lines)
        return NULL;
    status = read_rows(lines, s, arena, err);
    cs_lines_close(lines);
    return status ? NULL : s;
}
