/* schedule_observed.c - the keys of a schedule that was watched, not made. */
#include "io/schedule_json.h"

#include <limits.h>
#include <string.h>

static int read_word(const struct cs_json_at *at, const char *key, struct cs_arena *arena,
                     const char **out, struct cs_error *err)
{
    const char *text = "";

    if (cs_json_has(at, key) && cs_json_get_string(at, key, &text, err))
        return -1;
    *out = cs_arena_strdup(arena, text);
    return 0;
}

static int find_task(const struct cs_schedule *schedule, const char *name)
{
    for (int t = 0; t < cs_schedule_tasks(schedule); t++)
        if (!strcmp(cs_schedule_task_name(schedule, t), name))
            return t;
    return -1;
}

/* The tasks that a list names; is[task]. */
static int read_names(const struct cs_json_at *observed, const char *key,
                      const struct cs_schedule *schedule, bool *is, struct cs_error *err)
{
    struct cs_json_at list, one;
    const char *name;
    size_t count;
    int found;

    if (!cs_json_has(observed, key))
        return 0;
    if (cs_json_member(observed, key, &list, err) || cs_json_array(&list, &count, err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        one = cs_json_element(&list, k);
        if (cs_json_string(&one, &name, err))
            return -1;
        found = find_task(schedule, name);
        if (found < 0)
            return cs_json_error(&one, err, "\"%.60s\" is not one of the tasks", name);
        is[found] = true;
    }
    return 0;
}

static int read_unfinished(const struct cs_json_at *observed, const struct cs_schedule *schedule,
                           struct cs_arena *arena, struct cs_schedule_observed *out,
                           struct cs_error *err)
{
    bool *is = CS_NEW_ARRAY(arena, bool, cs_schedule_tasks(schedule));
    bool *saves = CS_NEW_ARRAY(arena, bool, cs_schedule_tasks(schedule));
    int *task = CS_NEW_ARRAY(arena, int, cs_schedule_tasks(schedule));

    if (read_names(observed, "failed", schedule, is, err) ||
        read_names(observed, "saves", schedule, saves, err))
        return -1;
    for (int t = 0; t < cs_schedule_tasks(schedule); t++)
        if (is[t])
            task[out->unfinished++] = t;
    out->task = task;
    out->saves = saves;
    return 0;
}

static int read_planned(const struct cs_json_at *root, int tasks, struct cs_arena *arena,
                        struct cs_schedule_observed *out, struct cs_error *err)
{
    int *procs = CS_NEW_ARRAY(arena, int, tasks);
    struct cs_json_at list, one;
    size_t count;

    if (!cs_json_has(root, "planned"))
        return 0;
    if (cs_json_member(root, "planned", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count != (size_t)tasks)
        return cs_json_error(&list, err, "found %zu elements, expected %d, one for each task",
                             count, tasks);
    for (int t = 0; t < tasks; t++) {
        one = cs_json_element(&list, (size_t)t);
        if (!cs_json_has(&one, "procs"))
            return 0;
        if (cs_json_get_int(&one, "procs", 1, INT_MAX - 1, &procs[t], err))
            return -1;
    }
    out->procs = procs;
    return 0;
}

/* Bounds are of what a model allows. */
static int refuse_bounds(const struct cs_json_at *root, struct cs_error *err)
{
    static const char *const keys[] = {"lower_bound", "gap", "certificate"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (cs_json_has(root, keys[k]))
            return cs_json_error(root, err,
                                 "\"%s\" cannot be combined with \"observed\": observed runs "
                                 "have no proof",
                                 keys[k]);
    return 0;
}

const struct cs_schedule_observed *cs_schedule_json_get_observed(const struct cs_json_at *root,
                                                                 const struct cs_schedule *schedule,
                                                                 int tasks, struct cs_arena *arena,
                                                                 struct cs_error *err)
{
    struct cs_schedule_observed *out = CS_NEW(arena, struct cs_schedule_observed);
    struct cs_json_at observed;

    if (cs_json_member(root, "observed", &observed, err) || cs_json_keys(&observed, NULL, err) ||
        read_word(&observed, "run", arena, &out->run, err) ||
        read_word(&observed, "began", arena, &out->began, err) ||
        read_word(&observed, "engine", arena, &out->engine, err) ||
        read_unfinished(&observed, schedule, arena, out, err) || refuse_bounds(root, err) ||
        read_planned(root, tasks, arena, out, err))
        return NULL;
    return out;
}
