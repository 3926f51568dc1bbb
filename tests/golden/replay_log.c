/* replay_log.c - golden cases of the readers of logs. */
#include "replay_kit.h"

#include "golden.h"
#include "io/log.h"
#include "io/stamp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct cs_log_names *names, int number)
{
    return number < 0 ? "" : names->name[number];
}

static int compare_text(const json_t *want, const char *key, const char *got, struct cs_error *err)
{
    const json_t *value = json_object_get(want, key);

    if (!value || !strcmp(json_string_value(value), got))
        return 0;
    return cs_error_set(err, "%s is \"%s\", expected \"%s\"", key, got, json_string_value(value));
}

/* null is "none": NaN here. */
static int compare_number(const json_t *want, const char *key, double got, struct cs_error *err)
{
    const json_t *value = json_object_get(want, key);

    if (!value || (json_is_null(value) && isnan(got)) ||
        (json_is_number(value) && json_number_value(value) == got))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", key, got, json_number_value(value));
}

static int compare_id(const json_t *want, const struct cs_log_job *job, struct cs_error *err)
{
    const json_t *id = json_object_get(want, "id");
    char text[32];

    if (json_is_integer(id))
        return compare_number(want, "id", job->label ? NAN : (double)job->id, err);
    snprintf(text, sizeof text, "%" PRId64, job->id);
    return compare_text(want, "id", job->label ? job->label : text, err);
}

static double zero_or(int64_t value)
{
    return value < 0 ? 0 : (double)value;
}

static int compare_job(const json_t *want, const struct cs_log *log, const struct cs_log_job *job,
                       struct cs_error *err)
{
    if (compare_id(want, job, err) || compare_number(want, "submit", job->submit, err) ||
        compare_number(want, "run", job->seconds, err) ||
        compare_number(want, "procs", (double)job->procs, err) ||
        compare_number(want, "request", job->request > 0 ? job->request : NAN, err) ||
        compare_number(want, "recorded", job->recorded, err) ||
        compare_number(want, "nodes", (double)job->nodes, err) ||
        compare_number(want, "cpus", (double)job->cores, err) ||
        compare_number(want, "gpus", zero_or(job->gpus), err) ||
        compare_number(want, "mem", zero_or(job->memory), err) ||
        compare_text(want, "user", text_of(cs_log_users(log), job->user), err) ||
        compare_text(want, "account", text_of(cs_log_accounts(log), job->account), err) ||
        compare_text(want, "qos", text_of(cs_log_qualities(log), job->qos), err))
        return -1;
    return compare_text(want, "partition", text_of(cs_log_partitions(log), job->named), err);
}

static int compare_counts(const json_t *want, const struct cs_log_counts *got, struct cs_error *err)
{
    const json_t *lines = json_object_get(want, "lines");
    size_t known = lines != NULL;

    if (lines && json_integer_value(lines) != got->lines)
        return cs_error_set(err, "%" PRId64 " lines, expected %lld", got->lines,
                            (long long)json_integer_value(lines));
    for (int rule = 0; rule < CS_LOG_RULES; rule++) {
        const char *key = cs_log_rule_key((enum cs_log_rule)rule);
        const json_t *value = json_object_get(want, key);

        known += value != NULL;
        if (value && json_integer_value(value) != got->rule[rule])
            return cs_error_set(err, "%s is %" PRId64 ", expected %lld", key, got->rule[rule],
                                (long long)json_integer_value(value));
    }
    if (known != json_object_size(want))
        return cs_error_set(err, "a count of the case is not known");
    return 0;
}

/* "line 16: ..." and "FILE:16: ...". */
static int compare_notes(const json_t *want, const struct cs_log_counts *got, struct cs_error *err)
{
    size_t i;
    json_t *value;

    json_array_foreach(want, i, value)
    {
        const long line = strtol(json_string_value(value) + strlen("line "), NULL, 10);
        const char *colon = (int)i < got->notes ? strchr(got->note[i], ':') : NULL;

        if (!colon || strtol(colon + 1, NULL, 10) != line)
            return cs_error_set(err, "note %zu is \"%s\", expected one of line %ld", i,
                                colon ? got->note[i] : "", line);
    }
    if ((int)json_array_size(want) != got->notes)
        return cs_error_set(err, "there are %d notes", got->notes);
    return 0;
}

static int compare(const json_t *json, struct cs_log *log, struct cs_error *err)
{
    const json_t *want = json_object_get(json, "expected_jobs");
    struct cs_log_job job;
    size_t count = 0;
    int status;

    while ((status = cs_log_next(log, &job, err)) > 0) {
        if (count == json_array_size(want))
            return cs_error_set(err, "more jobs than the %zu expected", count);
        if (compare_job(json_array_get(want, count++), log, &job, err))
            return cs_error_prefix(err, "job %zu", count);
        cs_log_done(log, &job);
    }
    if (status == 0 && count < json_array_size(want))
        return cs_error_set(err, "%zu jobs, expected %zu", count, json_array_size(want));
    if (status < 0 || compare_counts(json_object_get(json, "left_out"), cs_log_counts(log), err))
        return -1;
    return compare_notes(json_object_get(json, "notes"), cs_log_counts(log), err);
}

int golden_replay_log(const json_t *json, struct cs_error *err)
{
    const char *text = json_string_value(json_object_get(json, "text"));
    const char *unit = json_string_value(json_object_get(json, "unit"));
    const char *zone = json_string_value(json_object_get(json, "zone"));
    const char *arrive = json_string_value(json_object_get(json, "arrive"));
    struct cs_log_options options = {.lenient = true};
    struct cs_zone *place = zone ? cs_zone_open(zone, err) : NULL;
    struct cs_log *log, *first;
    int status = -1;

    options.zone = place;
    options.most = json_integer_value(json_object_get(json, "most"));
    options.by_submit = arrive && !strcmp(arrive, "submit");
    options.unit = !unit ? CS_LOG_UNIT_DEFAULT : strcmp(unit, "nodes") ? CS_LOG_CPUS : CS_LOG_NODES;
    first = cs_log_open_memory("log", text, strlen(text), &options, err);
    if (first && !options.most)
        options.most = cs_log_machine(first);
    log = first ? cs_log_open_memory("log", text, strlen(text), &options, err) : NULL;
    if (log)
        status = compare(json, log, err);
    cs_log_close(first);
    cs_log_close(log);
    cs_zone_destroy(place);
    return status;
}

/* [text, without a zone, in Europe/Berlin]. */
static int compare_stamp(const json_t *row, const struct cs_zone *zone, struct cs_error *err)
{
    const char *text = json_string_value(json_array_get(row, 0));

    for (size_t i = 1; i <= 2; i++) {
        const json_t *want = json_array_get(row, i);
        int64_t got = 0;
        bool any = cs_stamp_read(text, i == 1 ? NULL : zone, &got) > CS_STAMP_NONE;

        if (any != json_is_integer(want) || (any && got != json_integer_value(want)))
            return cs_error_set(err, "%s is %" PRId64 ", expected %lld", text, got,
                                (long long)json_integer_value(want));
    }
    return 0;
}

static int compare_duration(const json_t *row, struct cs_error *err)
{
    const char *text = json_string_value(json_array_get(row, 0));
    const json_t *want = json_array_get(row, 1);
    const int64_t got = cs_stamp_duration(text);

    if (got == (json_is_null(want) ? -1 : json_integer_value(want)))
        return 0;
    return cs_error_set(err, "%s is %" PRId64 ", expected %lld", text, got,
                        (long long)json_integer_value(want));
}

int golden_replay_times(const json_t *json, struct cs_error *err)
{
    struct cs_zone *zone = cs_zone_open("Europe/Berlin", err);
    int status = zone ? 0 : GOLDEN_SKIP;
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(json, "stamps"), i, row)
    {
        if (!status)
            status = compare_stamp(row, zone, err);
    }
    json_array_foreach(json_object_get(json, "durations"), i, row)
    {
        if (!status)
            status = compare_duration(row, err);
    }
    cs_zone_destroy(zone);
    return status;
}
