/* schedule_moldable.c - certificates of lower bounds of the moldable problem, and its tasks that
 * were stopped, as JSON. */
#include "io/schedule_own.h"

#include "io/workload.h"
#include "model/schedule.h"

#include <limits.h>

#define CASES_DEEP 300 /* of a certificate, each leading to the next */

static void put_dual(struct cs_jsonw *w, const struct cs_dual *f, const char *const *key)
{
    if (key[f->kind])
        cs_jsonw_put_double(w, key[f->kind], f->at);
}

static const char *const width_key[] = {
    [CS_DUAL_ITSELF] = NULL,
    [CS_DUAL_FAMILY] = "width_family",
    [CS_DUAL_STEP] = "width_step",
    [CS_DUAL_ROUND] = NULL,
};

static const char *const time_key[] = {
    [CS_DUAL_ITSELF] = NULL,
    [CS_DUAL_FAMILY] = "time_family",
    [CS_DUAL_STEP] = "time_step",
    [CS_DUAL_ROUND] = "time_round",
};

static void put_pairs(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    cs_jsonw_key(w, "pairs");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < by->pairs; k++) {
        cs_jsonw_open_flat(w, '{');
        put_dual(w, &by->pair[k].width, width_key);
        put_dual(w, &by->pair[k].time, time_key);
        cs_jsonw_put_double(w, "weight", by->pair[k].weight);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_scales(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    cs_jsonw_key(w, "scales");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < by->scales; k++) {
        const struct cs_moldable_scale *scale = &by->scale[k];

        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "task", scale->task);
        cs_jsonw_put_int(w, "count", scale->count);
        if (scale->time > 0)
            cs_jsonw_put_double(w, "time", scale->time);
        if (scale->width > 0)
            cs_jsonw_put_double(w, "width", scale->width);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* Each before those that it leads to. */
static void put_cases(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    cs_jsonw_open(w, '{');
    if (by->narrow && by->wide) {
        cs_jsonw_put_int(w, "task", by->task);
        cs_jsonw_put_int(w, "most", by->most);
    } else if (by->narrow) {
        cs_jsonw_put_bool(w, "then", true);
    }
    if (by->pairs)
        put_pairs(w, by);
    if (by->scales)
        put_scales(w, by);
    cs_jsonw_close(w);
    if (by->narrow)
        put_cases(w, by->narrow);
    if (by->wide)
        put_cases(w, by->wide);
}

void cs_key_put_moldable_certificate(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                     const void *declared)
{
    const struct cs_moldable_certificate *by =
        &((const struct cs_moldable_declared *)declared)->certificate;
    const bool shown = by->pairs || by->scales || by->narrow;

    (void)schedule;
    if (!shown && !by->search)
        return;
    cs_jsonw_key(w, "certificate");
    cs_jsonw_open(w, '{');
    if (by->search)
        cs_jsonw_put_bool(w, "search", true);
    if (shown) {
        cs_jsonw_key(w, "cases");
        cs_jsonw_open(w, '[');
        put_cases(w, by);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_key_put_moldable_stopped(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                 const void *declared)
{
    const bool *stopped = ((const struct cs_moldable_declared *)declared)->stopped;

    if (!stopped)
        return;
    cs_jsonw_key(w, "stopped");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < cs_schedule_tasks(schedule); i++)
        if (stopped[i])
            cs_jsonw_int(w, i);
    cs_jsonw_close(w);
}

/* At most one of the keys; none: the share itself. */
static int read_dual(const struct cs_json_at *pair, const char *const *key, struct cs_dual *f,
                     struct cs_error *err)
{
    *f = (struct cs_dual){CS_DUAL_ITSELF, 0};
    for (int kind = CS_DUAL_FAMILY; kind <= CS_DUAL_ROUND; kind++) {
        if (!key[kind] || !cs_json_has(pair, key[kind]))
            continue;
        if (f->kind != CS_DUAL_ITSELF)
            return cs_json_error(pair, err, "found \"%s\" and \"%s\", expected one of them",
                                 key[f->kind], key[kind]);
        f->kind = (enum cs_dual_kind)kind;
        if (cs_json_get_double(pair, key[kind], CS_NUMBER_NOT_NEGATIVE, &f->at, err))
            return -1;
    }
    return 0;
}

/* A list that may lack: it has no elements then. */
static int schedule_moldable_read_list(const struct cs_key_source *r, const struct cs_json_at *at,
                                       const char *key, struct cs_json_at *array, size_t *count)
{
    *array = (struct cs_json_at){0};
    *count = 0;
    if (!cs_json_has(at, key))
        return 0;
    if (cs_json_member(at, key, array, r->err) || cs_json_array(array, count, r->err))
        return -1;
    if (*count > CS_IO_PROCS_MOST)
        return cs_json_error(array, r->err, "found %zu elements, expected at most %d", *count,
                             CS_IO_PROCS_MOST);
    return 0;
}

static int read_pairs(const struct cs_key_source *r, const struct cs_json_at *certificate,
                      struct cs_moldable_certificate *by)
{
    struct cs_json_at array;
    struct cs_moldable_pair *pair;
    size_t count;

    if (schedule_moldable_read_list(r, certificate, "pairs", &array, &count))
        return -1;
    by->pair = pair = CS_NEW_ARRAY(r->arena, struct cs_moldable_pair, count);
    by->pairs = (int)count;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at at = cs_json_element(&array, k);

        if (cs_json_keys(&at, "width_step|width_family|time_step|time_family|time_round|weight",
                         r->err) ||
            read_dual(&at, width_key, &pair[k].width, r->err) ||
            read_dual(&at, time_key, &pair[k].time, r->err) ||
            cs_json_get_double(&at, "weight", CS_NUMBER_NOT_NEGATIVE, &pair[k].weight, r->err))
            return -1;
    }
    return 0;
}

static int read_scale(const struct cs_key_source *r, const struct cs_json_at *at,
                      struct cs_moldable_scale *scale)
{
    if (cs_json_keys(at, "task|count|time|width", r->err) ||
        cs_json_get_int(at, "task", 0, r->tasks - 1, &scale->task, r->err) ||
        cs_json_get_int(at, "count", 1, CS_IO_PROCS_MOST, &scale->count, r->err) ||
        (cs_json_has(at, "time") &&
         cs_json_get_double(at, "time", CS_NUMBER_NOT_NEGATIVE, &scale->time, r->err)) ||
        (cs_json_has(at, "width") &&
         cs_json_get_double(at, "width", CS_NUMBER_NOT_NEGATIVE, &scale->width, r->err)))
        return -1;
    return 0;
}

static int read_scales(const struct cs_key_source *r, const struct cs_json_at *at,
                       struct cs_moldable_certificate *by)
{
    struct cs_json_at array;
    struct cs_moldable_scale *scale;
    size_t count;

    if (schedule_moldable_read_list(r, at, "scales", &array, &count))
        return -1;
    by->scale = scale = CS_NEW_ARRAY(r->arena, struct cs_moldable_scale, count);
    by->scales = (int)count;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at element = cs_json_element(&array, k);

        if (read_scale(r, &element, &scale[k]))
            return -1;
    }
    return 0;
}

/* Cases as they follow each other in the file. */
struct cases {
    struct cs_json_at array;
    size_t count, next;
};

static int read_case(const struct cs_key_source *r, struct cases *cases, int depth,
                     const struct cs_moldable_certificate **out);

static int read_split(const struct cs_key_source *r, const struct cs_json_at *at,
                      struct cases *cases, int depth, struct cs_moldable_certificate *by)
{
    bool then = false;

    if (cs_json_has(at, "then") && cs_json_get_bool(at, "then", &then, r->err))
        return -1;
    if (!cs_json_has(at, "task"))
        return then ? read_case(r, cases, depth + 1, &by->narrow) : 0;
    if (cs_json_get_int(at, "task", 0, r->tasks - 1, &by->task, r->err) ||
        cs_json_get_int(at, "most", 1, CS_IO_PROCS_MOST, &by->most, r->err) ||
        read_case(r, cases, depth + 1, &by->narrow))
        return -1;
    return read_case(r, cases, depth + 1, &by->wide);
}

static int read_case(const struct cs_key_source *r, struct cases *cases, int depth,
                     const struct cs_moldable_certificate **out)
{
    struct cs_moldable_certificate *by = CS_NEW(r->arena, struct cs_moldable_certificate);
    struct cs_json_at at;

    *out = by;
    if (cases->next == cases->count || depth > CASES_DEEP)
        return cs_json_error(&cases->array, r->err,
                             "found %zu cases, expected the ones that they lead to as well, "
                             "through at most %d",
                             cases->count, CASES_DEEP);
    at = cs_json_element(&cases->array, cases->next++);
    if (cs_json_keys(&at, "task|most|then|pairs|scales", r->err) || read_pairs(r, &at, by) ||
        read_scales(r, &at, by))
        return -1;
    return read_split(r, &at, cases, depth, by);
}

static int read_cases(const struct cs_key_source *r, const struct cs_json_at *certificate,
                      struct cs_moldable_certificate *by)
{
    const struct cs_moldable_certificate *all;
    struct cases cases = {.next = 0};

    if (!cs_json_has(certificate, "cases"))
        return 0;
    if (cs_json_member(certificate, "cases", &cases.array, r->err) ||
        cs_json_array(&cases.array, &cases.count, r->err) || read_case(r, &cases, 0, &all))
        return -1;
    if (cases.next < cases.count)
        return cs_json_error(&cases.array, r->err, "found %zu cases, no other leads to case %zu",
                             cases.count, cases.next);
    *by = *all;
    return 0;
}

int cs_key_get_moldable_certificate(const struct cs_json_at *at, const struct cs_key_source *source,
                                    void *declared)
{
    struct cs_moldable_certificate *by = &((struct cs_moldable_declared *)declared)->certificate;
    bool search = false;

    if (cs_json_keys(at, "search|cases", source->err) ||
        (cs_json_has(at, "search") && cs_json_get_bool(at, "search", &search, source->err)) ||
        read_cases(source, at, by))
        return -1;
    by->search = search;
    return 0;
}

int cs_key_get_moldable_stopped(const struct cs_json_at *at, const struct cs_key_source *source,
                                void *declared)
{
    bool *stopped = CS_NEW_ARRAY(source->arena, bool, source->tasks);
    size_t count;

    if (cs_json_array(at, &count, source->err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        const struct cs_json_at one = cs_json_element(at, k);
        int task;

        if (cs_json_int(&one, 0, source->tasks - 1, &task, source->err))
            return -1;
        stopped[task] = true;
    }
    ((struct cs_moldable_declared *)declared)->stopped = stopped;
    return 0;
}
