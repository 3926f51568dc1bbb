/* schedule_moldable.c - what a schedule of the moldable problem says about itself, as JSON. */
#include "io/schedule_json.h"

#include "io/workload.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void put_ints(struct cs_jsonw *w, const char *key, const int *value, int count)
{
    if (!value)
        return;
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++)
        cs_jsonw_int(w, value[i]);
    cs_jsonw_close(w);
}

static void put_stopped(struct cs_jsonw *w, const bool *stopped, int count)
{
    if (!stopped)
        return;
    cs_jsonw_key(w, "stopped");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++)
        if (stopped[i])
            cs_jsonw_int(w, i);
    cs_jsonw_close(w);
}

static void put_origins(struct cs_jsonw *w, const char *const *origin, int count)
{
    if (!origin)
        return;
    cs_jsonw_key(w, "origin");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++)
        cs_jsonw_string(w, origin[i]);
    cs_jsonw_close(w);
}

static void put_factors(struct cs_jsonw *w, const double *factor, int count)
{
    if (!factor)
        return;
    cs_jsonw_key(w, "factors");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++)
        cs_jsonw_double(w, factor[i]);
    cs_jsonw_close(w);
}

static void put_dual(struct cs_jsonw *w, const struct cs_dual *f, const char *step,
                     const char *family)
{
    if (f->kind != CS_DUAL_ITSELF)
        cs_jsonw_put_double(w, f->kind == CS_DUAL_STEP ? step : family, f->at);
}

static void put_certificate(struct cs_jsonw *w, const struct cs_moldable_certificate *by)
{
    if (by->pairs == 0 && !by->search)
        return;
    cs_jsonw_key(w, "certificate");
    cs_jsonw_open(w, '{');
    if (by->search)
        cs_jsonw_put_bool(w, "search", true);
    if (by->pairs) {
        cs_jsonw_key(w, "pairs");
        cs_jsonw_open(w, '[');
        for (int k = 0; k < by->pairs; k++) {
            cs_jsonw_open_flat(w, '{');
            put_dual(w, &by->pair[k].width, "width_step", "width_family");
            put_dual(w, &by->pair[k].time, "time_step", "time_family");
            cs_jsonw_put_double(w, "weight", by->pair[k].weight);
            cs_jsonw_close(w);
        }
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_schedule_json_put_moldable(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                   const struct cs_moldable_declared *declared)
{
    int tasks = cs_schedule_tasks(schedule);

    cs_jsonw_put_double(w, "lower_bound", declared->lower_bound);
    cs_jsonw_key(w, "bounds");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "critical", declared->critical);
    cs_jsonw_put_double(w, "area", declared->area);
    cs_jsonw_put_double(w, "knapsack", declared->knapsack);
    cs_jsonw_put_double(w, "width", declared->width);
    cs_jsonw_close(w);
    cs_jsonw_put_double(w, "gap", declared->gap);
    put_certificate(w, &declared->certificate);
    if (declared->seed >= 0)
        cs_jsonw_put_int(w, "seed", declared->seed);
    if (declared->moves >= 0)
        cs_jsonw_put_int(w, "moves", declared->moves);
    put_ints(w, "counts", declared->counts, tasks);
    put_origins(w, declared->origin, tasks);
    put_ints(w, "failures", declared->failures, tasks);
    put_factors(w, declared->factor, tasks);
    put_stopped(w, declared->stopped, tasks);
}

struct reader {
    const struct cs_json_at *root;
    int tasks;
    struct cs_arena *arena;
    struct cs_error *err;
};

/* NaN when the key is missing or null. */
static int read_number(const struct cs_json_at *object, const char *key, double *out,
                       struct cs_error *err)
{
    *out = NAN;
    if (!cs_json_has(object, key) || json_is_null(json_object_get(object->value, key)))
        return 0;
    return cs_json_get_double(object, key, CS_NUMBER_FINITE, out, err);
}

static int read_bounds(struct reader *r, struct cs_moldable_declared *d)
{
    struct cs_json_at bounds;

    d->critical = d->area = d->knapsack = d->width = NAN;
    if (read_number(r->root, "lower_bound", &d->lower_bound, r->err) ||
        read_number(r->root, "gap", &d->gap, r->err))
        return -1;
    if (!cs_json_has(r->root, "bounds"))
        return 0;
    if (cs_json_member(r->root, "bounds", &bounds, r->err) ||
        cs_json_keys(&bounds, "critical|area|knapsack|width", r->err) ||
        read_number(&bounds, "critical", &d->critical, r->err) ||
        read_number(&bounds, "area", &d->area, r->err) ||
        read_number(&bounds, "knapsack", &d->knapsack, r->err) ||
        read_number(&bounds, "width", &d->width, r->err))
        return -1;
    return 0;
}

/* At most one of the keys; neither: the share itself. */
static int read_dual(const struct cs_json_at *pair, const char *step, const char *family,
                     struct cs_dual *f, struct cs_error *err)
{
    const bool is_step = cs_json_has(pair, step), is_family = cs_json_has(pair, family);

    *f = (struct cs_dual){CS_DUAL_ITSELF, 0};
    if (is_step && is_family)
        return cs_json_error(pair, err, "found \"%s\" and \"%s\", expected one of them", step,
                             family);
    if (!is_step && !is_family)
        return 0;
    f->kind = is_step ? CS_DUAL_STEP : CS_DUAL_FAMILY;
    return cs_json_get_double(pair, is_step ? step : family, CS_NUMBER_NOT_NEGATIVE, &f->at, err);
}

static int read_pairs(struct reader *r, const struct cs_json_at *certificate,
                      struct cs_moldable_certificate *by)
{
    struct cs_json_at array;
    struct cs_moldable_pair *pair;
    size_t count;

    if (!cs_json_has(certificate, "pairs"))
        return 0;
    if (cs_json_member(certificate, "pairs", &array, r->err) ||
        cs_json_array(&array, &count, r->err))
        return -1;
    if (count > CS_IO_PROCS_MOST)
        return cs_json_error(&array, r->err, "found %zu elements, expected at most %d", count,
                             CS_IO_PROCS_MOST);
    by->pair = pair = CS_NEW_ARRAY(r->arena, struct cs_moldable_pair, count);
    by->pairs = (int)count;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at at = cs_json_element(&array, k);

        if (cs_json_keys(&at, "width_step|width_family|time_step|time_family|weight", r->err) ||
            read_dual(&at, "width_step", "width_family", &pair[k].width, r->err) ||
            read_dual(&at, "time_step", "time_family", &pair[k].time, r->err) ||
            cs_json_get_double(&at, "weight", CS_NUMBER_NOT_NEGATIVE, &pair[k].weight, r->err))
            return -1;
    }
    return 0;
}

static int read_certificate(struct reader *r, struct cs_moldable_certificate *by)
{
    struct cs_json_at at;

    if (!cs_json_has(r->root, "certificate"))
        return 0;
    if (cs_json_member(r->root, "certificate", &at, r->err) ||
        cs_json_keys(&at, "search|pairs", r->err) ||
        (cs_json_has(&at, "search") && cs_json_get_bool(&at, "search", &by->search, r->err)))
        return -1;
    return read_pairs(r, &at, by);
}

/* The member as an array of one element for each task; *array is nowhere when it is missing. */
static int open_array(struct reader *r, const char *key, struct cs_json_at *array)
{
    size_t count;

    *array = (struct cs_json_at){0};
    if (!cs_json_has(r->root, key))
        return 0;
    if (cs_json_member(r->root, key, array, r->err) || cs_json_array(array, &count, r->err))
        return -1;
    if (count != (size_t)r->tasks)
        return cs_json_error(array, r->err,
                             "found %zu elements, expected one for each of the %d tasks", count,
                             r->tasks);
    return 0;
}

static int read_ints(struct reader *r, const char *key, int low, const int **out)
{
    struct cs_json_at array;
    int *value = CS_NEW_ARRAY(r->arena, int, r->tasks);

    if (open_array(r, key, &array))
        return -1;
    for (int i = 0; array.above && i < r->tasks; i++) {
        struct cs_json_at at = cs_json_element(&array, (size_t)i);

        if (cs_json_int(&at, low, CS_IO_PROCS_MOST, &value[i], r->err))
            return -1;
    }
    *out = array.above ? value : NULL;
    return 0;
}

static int read_factors(struct reader *r, struct cs_moldable_declared *d)
{
    struct cs_json_at array;
    double *value = CS_NEW_ARRAY(r->arena, double, r->tasks);

    if (open_array(r, "factors", &array))
        return -1;
    for (int i = 0; array.above && i < r->tasks; i++) {
        struct cs_json_at at = cs_json_element(&array, (size_t)i);

        if (cs_json_double(&at, CS_NUMBER_POSITIVE, &value[i], r->err))
            return -1;
    }
    d->factor = array.above ? value : NULL;
    return 0;
}

static int read_origins(struct reader *r, struct cs_moldable_declared *d)
{
    struct cs_json_at array;
    const char **value = CS_NEW_ARRAY(r->arena, const char *, r->tasks);

    if (open_array(r, "origin", &array))
        return -1;
    for (int i = 0; array.above && i < r->tasks; i++) {
        struct cs_json_at at = cs_json_element(&array, (size_t)i);

        if (cs_json_string(&at, &value[i], r->err))
            return -1;
        value[i] = cs_arena_strdup(r->arena, value[i]);
    }
    d->origin = array.above ? value : NULL;
    return 0;
}

static int read_stopped(struct reader *r, struct cs_moldable_declared *d)
{
    struct cs_json_at array;
    bool *stopped = CS_NEW_ARRAY(r->arena, bool, r->tasks);
    size_t count;

    if (!cs_json_has(r->root, "stopped"))
        return 0;
    if (cs_json_member(r->root, "stopped", &array, r->err) || cs_json_array(&array, &count, r->err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at at = cs_json_element(&array, k);
        int task;

        if (cs_json_int(&at, 0, r->tasks - 1, &task, r->err))
            return -1;
        stopped[task] = true;
    }
    d->stopped = stopped;
    return 0;
}

static int read_count(struct reader *r, const char *key, int64_t *out)
{
    struct cs_json_at at;

    *out = -1;
    if (!cs_json_has(r->root, key))
        return 0;
    return cs_json_member(r->root, key, &at, r->err) ||
                   cs_json_int64(&at, 0, (int64_t)1 << 53, out, r->err)
               ? -1
               : 0;
}

const struct cs_moldable_declared *cs_schedule_json_get_moldable(const struct cs_json_at *root,
                                                                 int tasks, struct cs_arena *arena,
                                                                 struct cs_error *err)
{
    struct cs_moldable_declared *d = CS_NEW(arena, struct cs_moldable_declared);
    struct reader r = {root, tasks, arena, err};

    if (read_bounds(&r, d) || read_certificate(&r, &d->certificate) ||
        read_count(&r, "seed", &d->seed) || read_count(&r, "moves", &d->moves) ||
        read_ints(&r, "counts", 1, &d->counts) || read_ints(&r, "failures", 0, &d->failures) ||
        read_origins(&r, d) || read_factors(&r, d) || read_stopped(&r, d))
        return NULL;
    return d;
}
