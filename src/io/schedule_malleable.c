/* schedule_malleable.c - what a schedule of the malleable problem says about itself, as JSON. */
#include "io/schedule_json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const effects[] = {
    "idle",
    "ignored",
    "initial-checkpoint",
    "rollback",
    "rollback-not-longest",
    "rollback-redistributed",
    "rollback-no-better-plan",
};

#define EFFECTS (sizeof effects / sizeof *effects)

/* Writing. */

static void put_fault(struct cs_jsonw *w, const struct cs_malleable_declared_fault *fault)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "time", fault->time);
    cs_jsonw_put_int(w, "processor", fault->processor);
    cs_jsonw_put_string(w, "effect", fault->effect);
    cs_jsonw_close(w);
}

static void put_areas(struct cs_jsonw *w, const struct cs_malleable_declared_areas *areas)
{
    cs_jsonw_key(w, "areas");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_double(w, "work", areas->work);
    cs_jsonw_put_double(w, "checkpoint", areas->checkpoint);
    cs_jsonw_put_double(w, "lost", areas->lost);
    cs_jsonw_put_double(w, "down", areas->down);
    cs_jsonw_put_double(w, "move", areas->move);
    cs_jsonw_put_double(w, "idle", areas->idle);
    cs_jsonw_close(w);
}

static void put_options(struct cs_jsonw *w, const struct cs_malleable_declared *d)
{
    cs_jsonw_put_double(w, "mtbf", d->mtbf);
    cs_jsonw_put_double(w, "downtime", d->downtime);
    cs_jsonw_put_bool(w, "fault_free", d->fault_free);
    cs_jsonw_put_bool(w, "wake", d->rules.wake);
    cs_jsonw_put_string(w, "on_end", d->on_end);
    cs_jsonw_put_string(w, "on_failure", d->on_failure);
    cs_jsonw_put_string(w, "layout", d->rules.layout == CS_MALLEABLE_TAIL ? "tail" : "young");
    cs_jsonw_put_double(w, "period_factor", d->rules.period_factor);
    cs_jsonw_put_double(w, "kappa", d->rules.kappa);
}

void cs_schedule_json_put_malleable(struct cs_jsonw *w,
                                    const struct cs_malleable_declared *declared)
{
    put_options(w, declared);
    cs_jsonw_key(w, "faults");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < declared->faults; i++)
        put_fault(w, &declared->fault[i]);
    cs_jsonw_close(w);
    if (declared->fatal >= 0)
        cs_jsonw_put_int(w, "fatal", declared->fatal);
    if (declared->has_areas)
        put_areas(w, &declared->areas);
    cs_jsonw_put_double(w, "lower_bound", declared->lower_bound);
}

/* Reading. */

static int read_effect(const struct cs_json_at *object, const char **effect, struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    if (cs_json_member(object, "effect", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    for (size_t i = 0; i < EFFECTS; i++)
        if (strcmp(word, effects[i]) == 0) {
            *effect = effects[i];
            return 0;
        }
    return cs_json_error(&at, err,
                         "found \"%.60s\", expected idle, ignored, initial-checkpoint, rollback, "
                         "rollback-not-longest, rollback-redistributed or rollback-no-better-plan",
                         word);
}

static int read_faults(const struct cs_json_at *root, struct cs_arena *arena,
                       struct cs_malleable_declared *d, struct cs_error *err)
{
    struct cs_malleable_declared_fault *fault;
    struct cs_json_at array;
    size_t count;

    if (cs_json_member(root, "faults", &array, err) || cs_json_array(&array, &count, err))
        return -1;
    if (count > INT_MAX / 2)
        return cs_json_error(&array, err, "%zu failures are too many", count);
    fault = CS_NEW_ARRAY(arena, struct cs_malleable_declared_fault, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&array, i);

        if (cs_json_keys(&at, "time|processor|effect", err) ||
            cs_json_get_double(&at, "time", CS_NUMBER_NOT_NEGATIVE, &fault[i].time, err) ||
            cs_json_get_int(&at, "processor", 0, INT_MAX, &fault[i].processor, err) ||
            read_effect(&at, &fault[i].effect, err))
            return -1;
    }
    d->faults = (int)count;
    d->fault = fault;
    return 0;
}

static int read_areas(const struct cs_json_at *root, struct cs_malleable_declared *d,
                      struct cs_error *err)
{
    struct cs_malleable_declared_areas *a = &d->areas;
    struct cs_json_at at;

    if (!cs_json_has(root, "areas"))
        return 0;
    d->has_areas = true;
    if (cs_json_member(root, "areas", &at, err) ||
        cs_json_keys(&at, "work|checkpoint|lost|down|move|idle", err) ||
        cs_json_get_double(&at, "work", CS_NUMBER_FINITE, &a->work, err) ||
        cs_json_get_double(&at, "checkpoint", CS_NUMBER_FINITE, &a->checkpoint, err) ||
        cs_json_get_double(&at, "lost", CS_NUMBER_FINITE, &a->lost, err) ||
        cs_json_get_double(&at, "down", CS_NUMBER_FINITE, &a->down, err) ||
        cs_json_get_double(&at, "move", CS_NUMBER_FINITE, &a->move, err) ||
        cs_json_get_double(&at, "idle", CS_NUMBER_FINITE, &a->idle, err))
        return -1;
    return 0;
}

static int read_layout(const struct cs_json_at *root, struct cs_malleable_declared *d,
                       struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    if (!cs_json_has(root, "layout"))
        return 0;
    if (cs_json_member(root, "layout", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    if (strcmp(word, "young") != 0 && strcmp(word, "tail") != 0)
        return cs_json_error(&at, err, "found \"%.60s\", expected young or tail", word);
    d->rules.layout = *word == 't' ? CS_MALLEABLE_TAIL : CS_MALLEABLE_YOUNG;
    return 0;
}

/* A number that keeps its value when the key is missing or null. */
static int schedule_malleable_read_number(const struct cs_json_at *root, const char *key,
                                          enum cs_number_want want, double *out,
                                          struct cs_error *err)
{
    return cs_json_has(root, key) ? cs_json_get_double(root, key, want, out, err) : 0;
}

static int read_bool(const struct cs_json_at *root, const char *key, bool *out,
                     struct cs_error *err)
{
    return cs_json_has(root, key) ? cs_json_get_bool(root, key, out, err) : 0;
}

static int read_word(const struct cs_json_at *root, const char *key, struct cs_arena *arena,
                     const char **out, struct cs_error *err)
{
    const char *word = "";

    if (cs_json_has(root, key) && cs_json_get_string(root, key, &word, err))
        return -1;
    *out = cs_arena_strdup(arena, word);
    return 0;
}

static int read_options(const struct cs_json_at *root, struct cs_arena *arena,
                        struct cs_malleable_declared *d, struct cs_error *err)
{
    d->mtbf = INFINITY;
    d->rules = (struct cs_malleable_rules){.period_factor = 1, .kappa = 1};
    d->lower_bound = NAN;
    d->fatal = -1;
    if (schedule_malleable_read_number(root, "mtbf", CS_NUMBER_POSITIVE, &d->mtbf, err) ||
        schedule_malleable_read_number(root, "downtime", CS_NUMBER_NOT_NEGATIVE, &d->downtime,
                                       err) ||
        read_bool(root, "fault_free", &d->fault_free, err) ||
        read_bool(root, "wake", &d->rules.wake, err) ||
        read_word(root, "on_end", arena, &d->on_end, err) ||
        read_word(root, "on_failure", arena, &d->on_failure, err) || read_layout(root, d, err) ||
        schedule_malleable_read_number(root, "period_factor", CS_NUMBER_POSITIVE,
                                       &d->rules.period_factor, err) ||
        schedule_malleable_read_number(root, "kappa", CS_NUMBER_POSITIVE, &d->rules.kappa, err) ||
        schedule_malleable_read_number(root, "lower_bound", CS_NUMBER_FINITE, &d->lower_bound, err))
        return -1;
    return cs_json_has(root, "fatal") ? cs_json_get_int(root, "fatal", 0, INT_MAX, &d->fatal, err)
                                      : 0;
}

const struct cs_malleable_declared *cs_schedule_json_get_malleable(const struct cs_json_at *root,
                                                                   struct cs_arena *arena,
                                                                   struct cs_error *err)
{
    struct cs_malleable_declared *d = CS_NEW(arena, struct cs_malleable_declared);

    if (read_options(root, arena, d, err) || read_faults(root, arena, d, err) ||
        read_areas(root, d, err))
        return NULL;
    return d;
}
