/* workload_json.c - workloads as JSON, format cosched-workload-1 (docs/formats.md). */
#include "base/arena.h"
#include "base/bug.h"
#include "base/watch.h"
#include "io/measure.h"
#include "io/modes.h"
#include "io/names.h"
#include "io/workload.h"
#include "io/workload_limit.h"
#include "model/known.h"
#include "model/profile.h"
#include "model/workload.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct reader {
    const struct cs_workload_options *options;
    struct cs_error *err;
    struct cs_arena *arena;
    struct cs_names *names;
};

/* The value is one of the words, up to three; its index goes to *out. */
static int read_word(const struct cs_json_at *object, const char *key, const char *const *words,
                     int *out, struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    if (!cs_json_has(object, key))
        return 0;
    if (cs_json_member(object, key, &at, err) || cs_json_string(&at, &word, err))
        return -1;
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return 0;
        }
    return words[2] ? cs_json_error(&at, err, "found \"%.60s\", expected \"%s\", \"%s\" or \"%s\"",
                                    word, words[0], words[1], words[2])
                    : cs_json_error(&at, err, "found \"%.60s\", expected \"%s\" or \"%s\"", word,
                                    words[0], words[1]);
}

static const char *const fill_words[] = {"power", "step", "measured", NULL};
static const char *const fewer_words[] = {"refuse", "scale", NULL};
static const char *const times_words[] = {"min", "median", "max", NULL};

static int read_table(struct reader *r, const struct cs_json_at *task, struct cs_profile *profile)
{
    struct cs_json_at at, entry;
    double *seconds;
    size_t count, finite = 0;

    if (cs_json_member(task, "table", &at, r->err) || cs_json_array(&at, &count, r->err))
        return -1;
    seconds = CS_NEW_ARRAY(r->arena, double, count);
    for (size_t j = 0; j < count; j++) {
        entry = cs_json_element(&at, j);
        seconds[j] = INFINITY;
        if (cs_json_type(&entry) == JSON_NULL)
            continue;
        if (cs_json_double(&entry, CS_NUMBER_POSITIVE, &seconds[j], r->err))
            return -1;
        finite++;
    }
    if (finite == 0)
        return cs_json_error(&at, r->err, "no time, expected at least one number of seconds");
    if (count > CS_IO_PROCS_MOST)
        return cs_json_error(&at, r->err, "%zu times are too many", count);
    *profile =
        (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = (int)count, .seconds = seconds};
    return 0;
}

static int read_point(struct reader *r, const struct cs_json_at *at, struct cs_measure *measure)
{
    struct cs_json_at procs, seconds;
    size_t length;

    if (cs_json_array(at, &length, r->err))
        return -1;
    if (length != 2)
        return cs_json_error(at, r->err, "%zu values, expected two: processors and seconds",
                             length);
    procs = cs_json_element(at, 0);
    seconds = cs_json_element(at, 1);
    if (cs_json_int(&procs, 1, CS_IO_PROCS_MOST, &measure->procs, r->err) ||
        cs_json_double(&seconds, CS_NUMBER_POSITIVE, &measure->seconds, r->err))
        return -1;
    return 0;
}

static int read_points(struct reader *r, const struct cs_json_at *task, struct cs_profile *profile)
{
    struct cs_json_at at, point;
    struct cs_workload_options options = *r->options;
    struct cs_measure *measure;
    int fill = options.fill, fewer = options.fewer, times = options.times;
    size_t count;

    if (cs_json_member(task, "points", &at, r->err) || cs_json_array(&at, &count, r->err) ||
        read_word(task, "fill", fill_words, &fill, r->err) ||
        read_word(task, "fewer", fewer_words, &fewer, r->err) ||
        read_word(task, "times", times_words, &times, r->err))
        return -1;
    if (count == 0 || count > CS_IO_PROCS_MOST)
        return cs_json_error(&at, r->err, "%zu points, expected at least one", count);
    measure = CS_NEW_ARRAY(r->arena, struct cs_measure, count);
    for (size_t i = 0; i < count; i++) {
        point = cs_json_element(&at, i);
        if (read_point(r, &point, &measure[i]))
            return -1;
    }
    options.fill = fill == CS_FILL_POWER ? CS_FILL_POWER : CS_FILL_STEP;
    options.fewer = (enum cs_profile_fewer)fewer;
    options.times = (enum cs_profile_times)times;
    cs_measure_profiles(measure, count, &options, profile, r->arena);
    return 0;
}

static int read_fraction(const struct cs_json_at *object, double *fraction, struct cs_error *err)
{
    struct cs_json_at at;

    if (cs_json_member(object, "seq_fraction", &at, err) ||
        cs_json_double(&at, CS_NUMBER_NOT_NEGATIVE, fraction, err))
        return -1;
    if (*fraction > 1)
        return cs_json_error(&at, err, "found %.15g, expected a number from 0 to 1", *fraction);
    return 0;
}

static int read_amdahl(struct reader *r, const struct cs_json_at *task, struct cs_profile *profile)
{
    struct cs_json_at at;
    struct cs_profile p = {.kind = CS_PROFILE_AMDAHL};

    if (cs_json_member(task, "amdahl", &at, r->err) ||
        cs_json_keys(&at, "seq_time|seq_fraction", r->err) ||
        cs_json_get_double(&at, "seq_time", CS_NUMBER_POSITIVE, &p.seq_time, r->err) ||
        read_fraction(&at, &p.seq_fraction, r->err))
        return -1;
    *profile = p;
    return 0;
}

static int read_exponent(const struct cs_json_at *object, double *exponent, struct cs_error *err)
{
    struct cs_json_at at;

    if (cs_json_member(object, "exponent", &at, err) ||
        cs_json_double(&at, CS_NUMBER_FINITE, exponent, err))
        return -1;
    if (*exponent < -1 || *exponent > 10)
        return cs_json_error(&at, err, "found %.15g, expected a number from -1 to 10", *exponent);
    return 0;
}

static int read_terms(struct reader *r, const struct cs_json_at *task, const char *key,
                      struct cs_profile *profile)
{
    const bool power = profile->kind == CS_PROFILE_POWER;
    struct cs_json_at at;
    struct cs_profile p = *profile;

    if (cs_json_member(task, key, &at, r->err) ||
        cs_json_keys(&at,
                     power ? "seq_time|seq_fraction|overhead|exponent"
                           : "seq_time|seq_fraction|overhead",
                     r->err) ||
        cs_json_get_double(&at, "seq_time", CS_NUMBER_POSITIVE, &p.seq_time, r->err) ||
        read_fraction(&at, &p.seq_fraction, r->err) ||
        cs_json_get_double(&at, "overhead", CS_NUMBER_NOT_NEGATIVE, &p.overhead, r->err) ||
        (power && read_exponent(&at, &p.exponent, r->err)))
        return -1;
    *profile = p;
    return 0;
}

static int read_overhead(struct reader *r, const struct cs_json_at *task,
                         struct cs_profile *profile)
{
    *profile = (struct cs_profile){.kind = CS_PROFILE_OVERHEAD};
    return read_terms(r, task, "overhead", profile);
}

static int read_communication(struct reader *r, const struct cs_json_at *task,
                              struct cs_profile *profile)
{
    *profile = (struct cs_profile){.kind = CS_PROFILE_COMMUNICATION};
    return read_terms(r, task, "communication", profile);
}

static int read_universal(struct reader *r, const struct cs_json_at *task,
                          struct cs_profile *profile)
{
    *profile = (struct cs_profile){.kind = CS_PROFILE_UNIVERSAL};
    return read_terms(r, task, "universal", profile);
}

static int read_power(struct reader *r, const struct cs_json_at *task, struct cs_profile *profile)
{
    *profile = (struct cs_profile){.kind = CS_PROFILE_POWER};
    return read_terms(r, task, "power", profile);
}

/* A number from `low` up to what the formula can be computed with. */
static int read_downey_number(struct reader *r, const struct cs_json_at *object, const char *key,
                              double low, double *number)
{
    struct cs_json_at at;

    if (cs_json_member(object, key, &at, r->err) ||
        cs_json_double(&at, CS_NUMBER_FINITE, number, r->err))
        return -1;
    if (!(*number >= low && *number <= CS_DOWNEY_MOST))
        return cs_json_error(&at, r->err, "found %.15g, expected a number from %g to %g", *number,
                             low, CS_DOWNEY_MOST);
    return 0;
}

static int read_downey(struct reader *r, const struct cs_json_at *task, struct cs_profile *profile)
{
    struct cs_json_at at;
    struct cs_profile p = {.kind = CS_PROFILE_DOWNEY};

    if (cs_json_member(task, "downey", &at, r->err) ||
        cs_json_keys(&at, "seq_time|parallelism|sigma", r->err) ||
        cs_json_get_double(&at, "seq_time", CS_NUMBER_POSITIVE, &p.seq_time, r->err) ||
        read_downey_number(r, &at, "parallelism", 1, &p.parallelism) ||
        read_downey_number(r, &at, "sigma", 0, &p.sigma))
        return -1;
    *profile = p;
    return 0;
}

static const struct {
    const char *key;
    int (*read)(struct reader *, const struct cs_json_at *, struct cs_profile *);
} forms[] = {
    {"table", read_table},
    {"points", read_points},
    {"amdahl", read_amdahl},
    {"overhead", read_overhead},
    {"communication", read_communication},
    {"universal", read_universal},
    {"power", read_power},
    {"downey", read_downey},
};

#define FORMS ((int)(sizeof forms / sizeof *forms))

static int read_profile(struct reader *r, const struct cs_json_at *task, struct cs_profile *profile)
{
    int found = -1, count = 0;

    for (int i = 0; i < FORMS; i++)
        if (cs_json_names(task, forms[i].key)) {
            found = i;
            count++;
        }
    if (cs_json_has(task, "modes") && count == 0) /* set later */
        return 0;
    if (count != 1)
        return cs_json_error(
            task, r->err,
            "%d of the keys table, points, amdahl, overhead, communication, universal, power, "
            "downey, expected one of them",
            count);
    return forms[found].read(r, task, profile);
}

static int read_name(struct reader *r, const struct cs_json_at *task)
{
    struct cs_json_at at;
    const char *name, *fault;
    int same;

    if (cs_json_member(task, "name", &at, r->err) || cs_json_string(&at, &name, r->err))
        return -1;
    fault = cs_names_fault(name);
    if (fault)
        return cs_json_error(&at, r->err, "this cannot be the name of a task: %s", fault);
    same = cs_names_find(r->names, name);
    if (same >= 0)
        return cs_json_error(&at, r->err, "\"%.60s\" is the name of tasks[%d] already", name, same);
    cs_names_add(r->names, name);
    return 0;
}

/* An optional number of a task: NaN if missing. *any: true if a task has it. */
static int read_state(const struct cs_json_at *task, const char *key, double *out, bool *any,
                      struct cs_error *err)
{
    *out = NAN;
    if (!cs_json_has(task, key))
        return 0;
    *any = true;
    return cs_json_get_double(task, key, CS_NUMBER_NOT_NEGATIVE, out, err);
}

/* The data of the tasks. */
struct tasks {
    struct cs_profile *profile;
    double *checkpoint, *data, *verification, *disk;
    struct cs_task_limit *limit;
    bool any_checkpoint, any_data, any_verification, any_disk, any_limit;
};

static int read_task(struct reader *r, const struct cs_json_at *at, size_t i, struct tasks *tasks)
{
    if (cs_json_keys(at,
                     "name|table|points|fill|fewer|times|amdahl|overhead|communication|universal|"
                     "power|downey|checkpoint|data|verification|disk|"
                     "note|" CS_MODES_TASK_KEYS "|" CS_WORKLOAD_LIMIT_KEYS,
                     r->err) ||
        read_name(r, at) ||
        read_state(at, "checkpoint", &tasks->checkpoint[i], &tasks->any_checkpoint, r->err) ||
        read_state(at, "data", &tasks->data[i], &tasks->any_data, r->err) ||
        read_state(at, "verification", &tasks->verification[i], &tasks->any_verification, r->err) ||
        read_state(at, "disk", &tasks->disk[i], &tasks->any_disk, r->err) ||
        cs_workload_limit_read(at, &tasks->limit[i], &tasks->any_limit, r->arena, r->err))
        return -1;
    return read_profile(r, at, &tasks->profile[i]);
}

/* The requirements of tasks and the machine; *modes NULL: none. */
static int read_modes(struct reader *r, const struct cs_json_at *root, struct tasks *tasks,
                      struct cs_modes **modes)
{
    *modes = NULL;
    if (!cs_modes_json_any(root))
        return 0;
    *modes = cs_modes_json_read(root, r->names, tasks->profile, r->arena, r->err);
    return *modes ? 0 : -1;
}

static struct cs_workload *workload_json_build(struct reader *r, const struct cs_json_at *root,
                                               struct tasks *tasks, int count)
{
    int known;
    const char *const *name = cs_names_list(r->names, &known);
    struct cs_modes *modes;
    struct cs_workload *workload;

    if (read_modes(r, root, tasks, &modes))
        return NULL;
    workload = cs_workload_create(count, name, tasks->profile, NULL);
    if (modes && r->options->modes)
        cs_workload_set_modes(workload, modes);
    else if (modes)
        cs_workload_set_remark(workload, "resources, budgets, after and deadlines are not read: "
                                         "only processors are limited, tasks count as independent");
    cs_workload_set_state(workload, tasks->any_checkpoint ? tasks->checkpoint : NULL,
                          tasks->any_data ? tasks->data : NULL);
    cs_workload_set_levels(workload, tasks->any_verification ? tasks->verification : NULL,
                           tasks->any_disk ? tasks->disk : NULL);
    if (tasks->any_limit)
        cs_workload_set_limits(workload, tasks->limit);
    return workload;
}

static struct cs_workload *read_tasks(struct reader *r, const struct cs_json_at *root)
{
    struct cs_json_at list;
    struct tasks tasks = {0};
    size_t count;

    if (cs_json_member(root, "tasks", &list, r->err) || cs_json_array(&list, &count, r->err))
        return NULL;
    if (count > INT_MAX / 2) {
        cs_json_error(&list, r->err, "%zu tasks are too many", count);
        return NULL;
    }
    tasks.profile = CS_NEW_ARRAY(r->arena, struct cs_profile, count);
    tasks.checkpoint = CS_NEW_ARRAY(r->arena, double, count);
    tasks.data = CS_NEW_ARRAY(r->arena, double, count);
    tasks.verification = CS_NEW_ARRAY(r->arena, double, count);
    tasks.disk = CS_NEW_ARRAY(r->arena, double, count);
    tasks.limit = CS_NEW_ARRAY(r->arena, struct cs_task_limit, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at task = cs_json_element(&list, i);

        if (read_task(r, &task, i, &tasks))
            return NULL;
    }
    return workload_json_build(r, root, &tasks, (int)count);
}

static int workload_json_read_count(const struct cs_json_at *root, const char *key, int *out,
                                    struct cs_error *err)
{
    if (!cs_json_has(root, key))
        return 0;
    return cs_json_get_int(root, key, 1, CS_IO_PROCS_MOST, out, err);
}

static int read_format(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_json_at at;
    const char *format;

    if (cs_json_member(root, "format", &at, err) || cs_json_string(&at, &format, err))
        return -1;
    if (strcmp(format, CS_WORKLOAD_FORMAT) != 0)
        return cs_json_error(&at, err, "found \"%.60s\", expected \"%s\"", format,
                             CS_WORKLOAD_FORMAT);
    return 0;
}

struct cs_workload *cs_workload_json_read(const struct cs_json_at *at,
                                          const struct cs_workload_options *options,
                                          struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct reader r = {options, err, arena, cs_names_create(arena)};
    struct cs_workload *workload = NULL;
    int procs = 0, pack_size = 0;

    if (read_format(at, err) == 0 &&
        cs_json_keys(at, "format|note|procs|pack_size|machine|known|tasks", err) == 0 &&
        workload_json_read_count(at, "procs", &procs, err) == 0 &&
        workload_json_read_count(at, "pack_size", &pack_size, err) == 0)
        workload = read_tasks(&r, at);
    if (workload) {
        workload->procs = procs;
        workload->pack_size = pack_size;
        if (cs_known_get(at, &workload->known, workload->storage, err)) {
            cs_workload_destroy(workload);
            workload = NULL;
        }
    }
    cs_arena_destroy(arena);
    return workload;
}

static void workload_json_put_table(struct cs_jsonw *w, const struct cs_profile *profile)
{
    cs_jsonw_key(w, "table");
    cs_jsonw_open_flat(w, '[');
    for (int j = 0; j < profile->count; j++)
        cs_jsonw_double(w, profile->seconds[j]);
    cs_jsonw_close(w);
}

static void put_points(struct cs_jsonw *w, const struct cs_profile *profile)
{
    int run = 0;

    cs_jsonw_key(w, "points");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < profile->count; i++) {
        int runs = profile->runs ? profile->runs[i] : 1;

        for (int a = 0; a < runs; a++) {
            cs_jsonw_open(w, '[');
            cs_jsonw_int(w, profile->procs[i]);
            cs_jsonw_double(w, profile->runs ? profile->run[run++] : profile->seconds[i]);
            cs_jsonw_close(w);
        }
    }
    cs_jsonw_close(w);
    if (profile->runs && profile->times != CS_TIMES_MIN)
        cs_jsonw_put_string(w, "times", times_words[profile->times]);
    cs_jsonw_put_string(w, "fill", fill_words[profile->fill]);
    cs_jsonw_put_string(w, "fewer", fewer_words[profile->fewer]);
}

static void put_formula(struct cs_jsonw *w, const struct cs_profile *profile)
{
    static const char *const keys[] = {[CS_PROFILE_AMDAHL] = "amdahl",
                                       [CS_PROFILE_OVERHEAD] = "overhead",
                                       [CS_PROFILE_COMMUNICATION] = "communication",
                                       [CS_PROFILE_UNIVERSAL] = "universal",
                                       [CS_PROFILE_POWER] = "power"};

    cs_jsonw_key(w, keys[profile->kind]);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "seq_time", profile->seq_time);
    cs_jsonw_put_double(w, "seq_fraction", profile->seq_fraction);
    if (profile->kind != CS_PROFILE_AMDAHL)
        cs_jsonw_put_double(w, "overhead", profile->overhead);
    if (profile->kind == CS_PROFILE_POWER)
        cs_jsonw_put_double(w, "exponent", profile->exponent);
    cs_jsonw_close(w);
}

static void put_downey(struct cs_jsonw *w, const struct cs_profile *profile)
{
    cs_jsonw_key(w, "downey");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "seq_time", profile->seq_time);
    cs_jsonw_put_double(w, "parallelism", profile->parallelism);
    cs_jsonw_put_double(w, "sigma", profile->sigma);
    cs_jsonw_close(w);
}

static void put_profile(struct cs_jsonw *w, const struct cs_profile *profile)
{
    switch (profile->kind) {
    case CS_PROFILE_TABLE:
        workload_json_put_table(w, profile);
        return;
    case CS_PROFILE_POINTS:
        put_points(w, profile);
        return;
    case CS_PROFILE_AMDAHL:
    case CS_PROFILE_OVERHEAD:
    case CS_PROFILE_COMMUNICATION:
    case CS_PROFILE_UNIVERSAL:
    case CS_PROFILE_POWER:
        put_formula(w, profile);
        return;
    case CS_PROFILE_DOWNEY:
        put_downey(w, profile);
        return;
    }
    cs_bug("profile of kind %d", (int)profile->kind);
}

static void put_state(struct cs_jsonw *w, const char *key, const double *value, int task)
{
    if (value && !isnan(value[task]))
        cs_jsonw_put_double(w, key, value[task]);
}

void cs_workload_json_put(struct cs_jsonw *w, const struct cs_workload *workload, const char *note)
{
    const struct cs_modes *modes = workload->modes;

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "format", CS_WORKLOAD_FORMAT);
    if (note)
        cs_jsonw_put_string(w, "note", note);
    if (workload->procs)
        cs_jsonw_put_int(w, "procs", workload->procs);
    if (workload->pack_size)
        cs_jsonw_put_int(w, "pack_size", workload->pack_size);
    if (modes)
        cs_modes_json_put_machine(w, modes);
    if (workload->known)
        cs_known_put(workload->known, w);
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < workload->count && !cs_watch_calls(); i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", workload->name[i]);
        if (!modes || cs_modes_use(modes, modes->first[i])[0] == 0)
            put_profile(w, &workload->profile[i]);
        if (modes)
            cs_modes_json_put_task(w, modes, i);
        put_state(w, "checkpoint", workload->checkpoint, i);
        put_state(w, "data", workload->data, i);
        put_state(w, "verification", workload->verification, i);
        put_state(w, "disk", workload->disk, i);
        if (workload->limit)
            cs_workload_limit_put(w, &workload->limit[i]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}
