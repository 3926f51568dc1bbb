/* log_batsim.c - workloads of Batsim: one document of JSON with jobs and profiles.
 *
 *     {"nb_res": 4, "jobs": [{"id": "w0!1", "subtime": 0, "res": 2, "walltime": 60, "profile":
 * "p"}], "profiles": {"p": {"type": "delay", "delay": 30}}}
 *
 * A profile gives the time: delay; parallel_homogeneous, cpu over the speed of a processor (what is
 * communicated is left out), parallel_homogeneous_total the same of cpu over the processors,
 * parallel its largest; composed and sequential_composition, the sum of others, repeated.  Batsim 5
 * has names such as DelayProfile.  Jobs of other profiles have no running time.
 */
#include "base/guard.h"
#include "base/json.h"
#include "base/plain.h"
#include "io/log_row.h"

#include <math.h>
#include <string.h>

#define DEEPEST 32

struct document {
    json_t *root, *jobs, *profiles;
    json_t *seconds; /* by processors and name of the profile, those that are known */
    struct cs_hold root_hold, seconds_hold;
    size_t at;
};

static bool log_batsim_matches(const char *line)
{
    return line[strspn(line, " \t")] == '{';
}

static void log_batsim_end(void *state)
{
    struct document *doc = state;

    if (doc) {
        cs_release(&doc->seconds_hold);
        cs_release(&doc->root_hold);
    }
    cs_block_free(doc);
}

/* ---- profiles ---- */

enum profile { DELAY, HOMOGENEOUS, HOMOGENEOUS_TOTAL, PARALLEL, SEQUENCE, OTHER_PROFILE };

/* Without '_', "Task" and a last "Profile", so that ParallelTaskHomogeneousProfile of Batsim 5 is
 * the parallel_homogeneous of Batsim 4. */
static enum profile profile_of(const char *type)
{
    static const struct {
        const char *word;
        enum profile profile;
    } known[] = {{"delay", DELAY},
                 {"parallelhomogeneous", HOMOGENEOUS},
                 {"parallelhomogeneoustotal", HOMOGENEOUS_TOTAL},
                 {"parallel", PARALLEL},
                 {"composed", SEQUENCE},
                 {"composition", SEQUENCE},
                 {"sequence", SEQUENCE},
                 {"sequential", SEQUENCE},
                 {"sequentialcomposition", SEQUENCE}};
    char word[64];
    size_t length = 0;

    for (const char *at = type; *at && length + 1 < sizeof word; at++) {
        if (*at == '_')
            continue;
        if (at > type && cs_plain_begins(at, "task"))
            at += strlen("task") - 1;
        else if (at > type && !cs_plain_compare(at, "profile"))
            break;
        else
            word[length++] = cs_plain_lower(*at);
    }
    word[length] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(word, known[i].word))
            return known[i].profile;
    return OTHER_PROFILE;
}

static enum profile profile_type(const json_t *profile)
{
    const char *type = json_string_value(json_object_get(profile, "type"));

    return type ? profile_of(type) : OTHER_PROFILE;
}

static const json_t *log_batsim_either(const json_t *object, const char *key, const char *other)
{
    const json_t *value = json_object_get(object, key);

    return value ? value : json_object_get(object, other);
}

static double log_batsim_number_of(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* Times of profiles depend on these. */
struct timing {
    struct document *doc;
    double speed, res;
};

static double time_of(const struct timing *t, const char *name, int depth);

static double time_of_parts(const struct timing *t, const json_t *profile, int depth)
{
    const json_t *parts = log_batsim_either(profile, "seq", "profile_ids"), *part;
    double sum = 0;
    size_t i;

    if (!json_array_size(parts))
        return NAN;
    json_array_foreach(parts, i, part) sum += time_of(t, json_string_value(part), depth + 1);
    return sum * log_batsim_number_of(
                     profile, "repeat",
                     log_batsim_number_of(profile, "nb",
                                          log_batsim_number_of(profile, "repetition_count", 1)));
}

/* The processor that has most to do; of two processors that differ no other is known. */
static double most_of(const json_t *vector)
{
    double most = NAN;
    const json_t *value;
    size_t i;

    json_array_foreach(vector, i, value)
    {
        if (!json_is_number(value))
            return NAN;
        most = fmax(most, json_number_value(value));
    }
    return most;
}

static double homogeneous_amount(const struct timing *t, const json_t *profile, bool total)
{
    const char *strategy = json_string_value(json_object_get(profile, "generation_strategy"));
    const json_t *amount = log_batsim_either(profile, "cpu", "computation_amount");

    total |= strategy && (strstr(strategy, "spread") || strstr(strategy, "Spread"));
    return json_is_number(amount) ? json_number_value(amount) / (total ? t->res : 1) : NAN;
}

static double time_of_profile(const struct timing *t, const json_t *profile, int depth)
{
    const enum profile type = profile_type(profile);

    switch (type) {
    case DELAY:
        return log_batsim_number_of(profile, "delay", NAN);
    case HOMOGENEOUS:
    case HOMOGENEOUS_TOTAL:
        return homogeneous_amount(t, profile, type == HOMOGENEOUS_TOTAL) / t->speed;
    case PARALLEL:
        return most_of(log_batsim_either(profile, "cpu", "computation_vector")) / t->speed;
    case SEQUENCE:
        return time_of_parts(t, profile, depth);
    default:
        return NAN;
    }
}

/* NaN if unknown, as for recursive profiles. */
static double time_known(const struct timing *t, const char *name, const char *key, int depth)
{
    const json_t *known = json_object_get(t->doc->seconds, key);
    double seconds = NAN;

    if (known)
        return json_is_null(known) ? NAN : json_real_value(known);
    cs_json_set(t->doc->seconds, key, json_null());
    seconds = time_of_profile(t, json_object_get(t->doc->profiles, name), depth);
    if (!isfinite(seconds))
        return NAN;
    cs_json_set(t->doc->seconds, key, json_real(seconds));
    return seconds;
}

/* For so many processors. */
static double time_of(const struct timing *t, const char *name, int depth)
{
    struct cs_strbuf key = CS_STRBUF_INIT;
    double seconds;

    if (!name || depth > DEEPEST)
        return NAN;
    cs_strbuf_printf(&key, "%.17g %s", t->res, name);
    seconds = time_known(t, name, key.text, depth);
    cs_strbuf_release(&key);
    return seconds;
}

static int check_speed(const struct cs_log_scan *scan, const struct cs_lines *lines,
                       const struct document *doc, struct cs_error *err)
{
    const char *name;
    json_t *profile;

    json_object_foreach(doc->profiles, name, profile)
    {
        const enum profile type = profile_type(profile);

        if ((type == HOMOGENEOUS || type == HOMOGENEOUS_TOTAL || type == PARALLEL) &&
            !(scan->options->speed > 0))
            return cs_error_set(err,
                                "%s: profile \"%.60s\" is %.60s, whose time follows "
                                "from the speed of a processor: 'cosched convert --speed FLOPS' "
                                "makes a log of it",
                                cs_lines_name(lines), name,
                                json_string_value(json_object_get(profile, "type")));
    }
    return 0;
}

/* ---- the document ---- */

static int log_batsim_load(struct cs_lines *lines, const char *first, struct document *doc,
                           struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = 0;

    cs_strbuf_puts(&text, first);
    cs_strbuf_putc(&text, '\n');
    if (cs_lines_rest(lines, CS_JSON_LARGEST, &text, err)) {
        cs_strbuf_release(&text);
        return -1;
    }
    doc->root = cs_json_load_memory(cs_lines_name(lines), text.text, text.length, err);
    cs_json_hold(&doc->root_hold, doc->root);
    doc->jobs = json_object_get(doc->root, "jobs");
    doc->profiles = json_object_get(doc->root, "profiles");
    if (doc->root ? !json_is_array(doc->jobs) || !json_is_object(doc->profiles)
                  : !strstr(text.text, "\"jobs\""))
        status = cs_log_refuse(lines, first, err);
    else if (!doc->root)
        status = -1;
    cs_strbuf_release(&text);
    return status;
}

static int log_batsim_begin(struct cs_log_scan *scan, struct cs_lines *lines, char **line,
                            void **state, struct cs_error *err)
{
    struct document *doc = cs_block_zero(1, sizeof *doc);

    *state = doc;
    doc->seconds = cs_json_made(json_object());
    cs_json_hold(&doc->seconds_hold, doc->seconds);
    if (log_batsim_load(lines, *line, doc, err) || check_speed(scan, lines, doc, err))
        return -1;
    return 0;
}

static int64_t log_batsim_machine(const void *state)
{
    const struct document *doc = state;
    const double procs = log_batsim_number_of(doc->root, "nb_res", 0);

    return procs >= 1 && procs <= CS_LOG_LARGEST ? (int64_t)procs : 0;
}

/* ---- jobs ---- */

static void put_id(struct cs_log_row *row, const json_t *id)
{
    char text[32];

    if (json_is_string(id)) {
        cs_log_put_id(row, json_string_value(id));
        return;
    }
    cs_plain_print(text, sizeof text, "%lld", (long long)json_integer_value(id));
    cs_log_put_id(row, text);
}

static enum cs_log_rule log_batsim_take(struct cs_log_scan *scan, struct document *doc,
                                        const json_t *job, struct cs_log_row *row)
{
    const size_t place = doc->at - 1;
    const json_t *id = json_object_get(job, "id");
    const double procs = log_batsim_number_of(job, "res", -1);

    row->submit = log_batsim_number_of(job, "subtime", NAN);
    if (!json_is_string(id) && !json_is_integer(id))
        return cs_log_malformed(scan, "jobs[%zu] has no id, which is a number or a text", place);
    if (!(fabs(row->submit) <= CS_LOG_LARGEST))
        return cs_log_malformed(scan, "jobs[%zu] has no subtime, which is a number", place);
    row->run = time_of(&(struct timing){doc, scan->options->speed, procs},
                       json_string_value(json_object_get(job, "profile")), 0);
    if (procs >= 1 && !(row->run > 0 && row->run <= CS_LOG_LARGEST))
        return CS_LOG_NO_TIME;
    if (!(procs >= 1 && procs <= CS_LOG_LARGEST))
        return CS_LOG_NO_WIDTH;
    put_id(row, id);
    row->arrival = row->submit;
    row->recorded = NAN;
    row->request = log_batsim_number_of(job, "walltime", -1);
    row->cores = (int64_t)procs;
    row->nodes = row->memory = row->gpus = -1;
    row->user = row->account = row->partition = row->qos = -1;
    row->state = CS_LOG_UNKNOWN;
    if (!(row->request > 0))
        row->flags |= 1U << CS_LOG_NO_REQUEST;
    return CS_LOG_KEPT;
}

static enum cs_log_rule log_batsim_next(struct cs_log_scan *scan, void *state,
                                        struct cs_log_row *row)
{
    struct document *doc = state;

    if (doc->at == json_array_size(doc->jobs))
        return CS_LOG_RULES;
    return log_batsim_take(scan, doc, json_array_get(doc->jobs, doc->at++), row);
}

const struct cs_log_format cs_log_format_batsim_json = {
    .kind = CS_LOG_BATSIM_JSON,
    .matches = log_batsim_matches,
    .begin = log_batsim_begin,
    .next = log_batsim_next,
    .machine = log_batsim_machine,
    .end = log_batsim_end,
};
