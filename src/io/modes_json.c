/* modes_json.c - machine, modes, resources, predecessors in cosched-workload-1 (spec/bag.md 2.3).
 */
#include "io/modes.h"

#include "base/number.h"
#include "base/plain.h"
#include "io/workload.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MODE_KEYS "procs|seconds|name|gpus|memory|resources|budgets|span"

struct reader {
    struct cs_mode_rows rows;
    struct cs_modes *modes; /* once the rows are read */
    const struct cs_names *names;
    struct cs_profile *profile;
    struct cs_arena *arena;
    struct cs_error *err;
};

bool cs_modes_json_any(const struct cs_json_at *root)
{
    static const char *const keys[] = {"modes",   "resources", "gpus",    "memory",
                                       "budgets", "after",     "deadline"};
    struct cs_json_at tasks, task;
    struct cs_error ignored = {0};
    size_t count = 0;

    if (cs_json_names(root, "machine"))
        return true;
    if (!cs_json_has(root, "tasks") || cs_json_member(root, "tasks", &tasks, &ignored) ||
        cs_json_array(&tasks, &count, &ignored))
        return false;
    for (size_t i = 0; i < count; i++) {
        task = cs_json_element(&tasks, i);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (cs_json_type(&task) == JSON_OBJECT && cs_json_names(&task, keys[k]))
                return true;
    }
    return false;
}

/* ---- amounts and dates ---- */

/* A number or a text as text. */
static const char *value_text(const struct cs_json_at *at, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error ignored = {0};
    const char *word = "", *copy;
    int64_t whole;
    double number;

    if (cs_json_type(at) == JSON_STRING && !cs_json_string(at, &word, &ignored))
        return cs_arena_strdup(arena, word);
    if (cs_json_type(at) == JSON_INTEGER &&
        !cs_json_int64(at, INT64_MIN, INT64_MAX, &whole, &ignored))
        cs_strbuf_put_int(&text, whole);
    else if (cs_json_type(at) == JSON_REAL &&
             !cs_json_double(at, CS_NUMBER_FINITE, &number, &ignored))
        cs_strbuf_put_double(&text, number);
    copy = cs_arena_strdup(arena, text.text ? text.text : "");
    cs_strbuf_release(&text);
    return copy;
}

static int amount_read(struct reader *r, const struct cs_json_at *at, const char *resource,
                       int64_t *out)
{
    struct cs_error why = {0};

    return cs_modes_amount(resource, value_text(at, r->arena), out, &why)
               ? cs_json_error(at, r->err, "%s", why.text)
               : 0;
}

static int budget_read(struct reader *r, const struct cs_json_at *at, bool up, int64_t *out)
{
    struct cs_error why = {0};

    return cs_modes_thousandths(value_text(at, r->arena), up, out, &why)
               ? cs_json_error(at, r->err, "%s", why.text)
               : 0;
}

static int date_read(struct reader *r, const struct cs_json_at *object, const char *key,
                     double *out)
{
    struct cs_error why = {0};
    struct cs_json_at at;

    if (!cs_json_has(object, key))
        return 0;
    if (cs_json_member(object, key, &at, r->err))
        return -1;
    return cs_modes_date(value_text(&at, r->arena), out, &why)
               ? cs_json_error(&at, r->err, "%s", why.text)
               : 0;
}

/* The amounts of the resources from `first` on that an object has. */
static int amounts_read(struct reader *r, const struct cs_json_at *object, int first, int64_t *out)
{
    struct cs_json_at value;

    for (int k = first; k < r->rows.resources; k++)
        if (cs_json_has(object, r->rows.resource[k]) &&
            (cs_json_member(object, r->rows.resource[k], &value, r->err) ||
             amount_read(r, &value, r->rows.resource[k], &out[k])))
            return -1;
    return 0;
}

/* The key "budgets". */
static int budgets_read(struct reader *r, const struct cs_json_at *at, bool up, int64_t *out)
{
    struct cs_json_at object, value;

    if (!cs_json_has(at, "budgets"))
        return 0;
    if (cs_json_member(at, "budgets", &object, r->err))
        return -1;
    for (int q = 0; q < r->rows.budgets; q++)
        if (cs_json_has(&object, r->rows.budget[q]) &&
            (cs_json_member(&object, r->rows.budget[q], &value, r->err) ||
             budget_read(r, &value, up, &out[q])))
            return -1;
    return 0;
}

/* ---- names of resources and budgets ---- */

static int name_add(struct reader *r, const struct cs_json_at *object, const char *name,
                    bool budget)
{
    const bool plain = !strcmp(name, "gpus") || !strcmp(name, "memory") || !strcmp(name, "procs");
    const char *fault = plain ? NULL : cs_modes_name_fault(name, budget);

    if (fault)
        return cs_json_error(object, r->err, "found \"%.60s\": %s", name, fault);
    if (budget)
        cs_mode_rows_budget(&r->rows, name);
    else
        cs_mode_rows_resource(&r->rows, name);
    return 0;
}

static int names_add(struct reader *r, const struct cs_json_at *at, const char *key, bool budget)
{
    struct cs_json_at object;
    const char *const *name;
    int count;

    if (!cs_json_has(at, key))
        return 0;
    if (cs_json_member(at, key, &object, r->err) || cs_json_keys(&object, NULL, r->err))
        return -1;
    name = cs_json_list_keys(&object, r->arena, &count);
    for (int k = 0; k < count; k++)
        if (name_add(r, &object, name[k], budget))
            return -1;
    return 0;
}

/* Those of a task or of a mode. */
static int names_of(struct reader *r, const struct cs_json_at *at)
{
    if (cs_json_has(at, "gpus"))
        cs_mode_rows_resource(&r->rows, "gpus");
    if (cs_json_has(at, "memory"))
        cs_mode_rows_resource(&r->rows, "memory");
    return names_add(r, at, "resources", false) || names_add(r, at, "budgets", true) ? -1 : 0;
}

static int list_open(const struct cs_json_at *at, const char *key, struct cs_json_at *list,
                     size_t *count, struct cs_error *err)
{
    *count = 0;
    if (!cs_json_has(at, key))
        return 0;
    return cs_json_member(at, key, list, err) || cs_json_array(list, count, err) ? -1 : 0;
}

static int names_of_task(struct reader *r, const struct cs_json_at *task)
{
    struct cs_json_at list, mode;
    size_t count;

    if (names_of(r, task) || list_open(task, "modes", &list, &count, r->err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        mode = cs_json_element(&list, k);
        if (cs_json_keys(&mode, MODE_KEYS, r->err) || names_of(r, &mode))
            return -1;
    }
    return 0;
}

static int names_of_windows(struct reader *r, const struct cs_json_at *machine)
{
    struct cs_json_at list, window;
    size_t count;

    if (list_open(machine, "windows", &list, &count, r->err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        window = cs_json_element(&list, k);
        if (cs_json_keys(&window, "from|to|less", r->err) || names_add(r, &window, "less", false))
            return -1;
    }
    return 0;
}

/* ---- tasks ---- */

static int row_amounts(struct reader *r, const struct cs_json_at *at, struct cs_mode_row *row)
{
    static const char *const own[] = {"gpus", "memory"};
    struct cs_json_at object, value;

    for (int k = 0; k < 2; k++) {
        const int place = cs_mode_rows_find(&r->rows, own[k], false);

        if (cs_json_has(at, own[k]) && (cs_json_member(at, own[k], &value, r->err) ||
                                        amount_read(r, &value, own[k], &row->use[place])))
            return -1;
    }
    if (cs_json_has(at, "resources") &&
        (cs_json_member(at, "resources", &object, r->err) || amounts_read(r, &object, 1, row->use)))
        return -1;
    if (cs_json_has(at, "resources") && cs_json_has(&object, "procs"))
        return cs_json_error(&object, r->err,
                             "found \"procs\", expected other resources: the processors of a task "
                             "are those of its times");
    return budgets_read(r, at, true, row->spend);
}

static int mode_read(struct reader *r, const struct cs_json_at *at, int task)
{
    struct cs_mode_row *row = cs_mode_rows_add(&r->rows, task);
    const char *fault = NULL, *label = "";
    struct cs_json_at name;

    if (cs_json_get_int(at, "procs", 1, CS_IO_PROCS_MOST, &row->procs, r->err) ||
        cs_json_get_double(at, "seconds", CS_NUMBER_NOT_NEGATIVE, &row->seconds, r->err) ||
        row_amounts(r, at, row))
        return -1;
    if (cs_json_has(at, "span") &&
        cs_json_get_int(at, "span", 1, CS_IO_PROCS_MOST, &row->span, r->err))
        return -1;
    if (cs_json_has(at, "name") &&
        (cs_json_member(at, "name", &name, r->err) || cs_json_string(&name, &label, r->err)))
        return -1;
    fault = *label ? cs_names_fault(label) : NULL;
    row->label = cs_arena_strdup(r->arena, label);
    return fault ? cs_json_error(&name, r->err, "this cannot be a label: %s", fault) : 0;
}

static int after_read(struct reader *r, const struct cs_json_at *task, int index)
{
    struct cs_json_at list, one;
    const char *name;
    size_t count;

    if (list_open(task, "after", &list, &count, r->err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        int before;

        one = cs_json_element(&list, k);
        if (cs_json_string(&one, &name, r->err))
            return -1;
        before = cs_names_find(r->names, name);
        if (before < 0)
            return cs_json_error(&one, r->err, "there is no task \"%.60s\"", name);
        if (before == index)
            return cs_json_error(&one, r->err, "%.60s cannot wait for itself", name);
        cs_mode_rows_wait(&r->rows, index, before);
    }
    return 0;
}

static int task_read(struct reader *r, const struct cs_json_at *task, int index)
{
    static const char *const shared[] = {"gpus", "memory", "resources", "budgets"};
    struct cs_json_at list, mode;
    size_t count;

    if (after_read(r, task, index))
        return -1;
    if (!cs_json_has(task, "modes"))
        return row_amounts(r, task, cs_mode_rows_add(&r->rows, index));
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
        if (cs_json_has(task, shared[k]))
            return cs_json_error(task, r->err,
                                 "found \"modes\" and \"%s\", expected \"%s\" in each mode",
                                 shared[k], shared[k]);
    if (list_open(task, "modes", &list, &count, r->err))
        return -1;
    if (count == 0)
        return cs_json_error(&list, r->err, "no mode, expected at least one");
    for (size_t k = 0; k < count; k++) {
        mode = cs_json_element(&list, k);
        if (mode_read(r, &mode, index))
            return -1;
    }
    return 0;
}

/* ---- the machine ---- */

static int capacity_read(struct reader *r, const struct cs_json_at *object, int place)
{
    struct cs_json_at at, value;
    const char *name = r->rows.resource[place];
    int64_t *out = (int64_t *)r->modes->capacity + place;
    bool node;

    if (!cs_json_has(object, name))
        return 0;
    if (cs_json_member(object, name, &at, r->err))
        return -1;
    if (place == 0)
        return cs_json_error(&at, r->err, "processors are the key \"procs\" of the document");
    if (cs_json_type(&at) != JSON_OBJECT)
        return amount_read(r, &at, name, out);
    if (cs_json_keys(&at, "per_node|per_proc", r->err))
        return -1;
    node = cs_json_has(&at, "per_node");
    out = (int64_t *)(node ? r->modes->per_node : r->modes->per_proc) + place;
    return cs_json_member(&at, node ? "per_node" : "per_proc", &value, r->err) ||
                   amount_read(r, &value, name, out)
               ? -1
               : 0;
}

static int window_read(struct reader *r, const struct cs_json_at *at, double *from, double *to,
                       int64_t *less)
{
    struct cs_json_at object;

    *to = INFINITY;
    if (!cs_json_has(at, "from") || !cs_json_has(at, "less"))
        return cs_json_error(at, r->err, "expected the keys \"from\" and \"less\"");
    if (date_read(r, at, "from", from) || date_read(r, at, "to", to) ||
        cs_json_member(at, "less", &object, r->err))
        return -1;
    if (!(*to > *from))
        return cs_json_error(at, r->err, "found to %.15g, expected a time after from, %.15g", *to,
                             *from);
    return amounts_read(r, &object, 0, less);
}

static int windows_read(struct reader *r, const struct cs_json_at *machine)
{
    struct cs_json_at list, window;
    double *date;
    int64_t *less;
    size_t count;

    if (list_open(machine, "windows", &list, &count, r->err))
        return -1;
    if (count > INT_MAX / 4)
        return cs_json_error(&list, r->err, "%zu windows are too many", count);
    date = CS_NEW_ARRAY(r->arena, double, 2 * count);
    less = CS_NEW_ARRAY(r->arena, int64_t, cs_arena_area(count, (size_t)r->rows.resources));
    for (size_t k = 0; k < count; k++) {
        window = cs_json_element(&list, k);
        if (window_read(r, &window, &date[k], &date[count + k],
                        less + k * (size_t)r->rows.resources))
            return -1;
    }
    r->modes->windows = (int)count;
    r->modes->from = date;
    r->modes->to = date + count;
    r->modes->less = less;
    return 0;
}

static int machine_read(struct reader *r, const struct cs_json_at *machine)
{
    struct cs_json_at object;

    if (cs_json_has(machine, "nodes") &&
        cs_json_get_int(machine, "nodes", 1, CS_IO_PROCS_MOST, &r->modes->nodes, r->err))
        return -1;
    if (cs_json_has(machine, "resources") && cs_json_member(machine, "resources", &object, r->err))
        return -1;
    for (int k = 0; k < r->rows.resources && cs_json_has(machine, "resources"); k++)
        if (capacity_read(r, &object, k))
            return -1;
    return budgets_read(r, machine, false, (int64_t *)r->modes->budget) || windows_read(r, machine)
               ? -1
               : 0;
}

static int deadlines_read(struct reader *r, const struct cs_json_at *tasks)
{
    double *deadline = CS_NEW_ARRAY(r->arena, double, r->modes->tasks);
    bool any = false;

    for (int i = 0; i < r->modes->tasks; i++) {
        struct cs_json_at task = cs_json_element(tasks, (size_t)i);

        deadline[i] = INFINITY;
        if (date_read(r, &task, "deadline", &deadline[i]))
            return -1;
        any |= !isinf(deadline[i]);
    }
    r->modes->deadline = any ? deadline : NULL;
    return 0;
}

static int rows_read(struct reader *r, const struct cs_json_at *tasks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at task = cs_json_element(tasks, i);

        if (task_read(r, &task, (int)i))
            return -1;
    }
    return 0;
}

static const char *root_file(const struct cs_json_at *at)
{
    while (at->above)
        at = at->above;
    return at->key;
}

struct cs_modes *cs_modes_json_read(const struct cs_json_at *root, const struct cs_names *names,
                                    struct cs_profile *profile, struct cs_arena *arena,
                                    struct cs_error *err)
{
    struct reader r = {.names = names, .profile = profile, .arena = arena, .err = err};
    struct cs_json_at machine, tasks;
    const bool has = cs_json_has(root, "machine");
    const char *const *name;
    size_t count;
    int known;

    cs_mode_rows_init(&r.rows, arena);
    if ((has && (cs_json_member(root, "machine", &machine, err) ||
                 cs_json_keys(&machine, CS_MODES_MACHINE_KEYS, err) ||
                 names_add(&r, &machine, "resources", false) || names_of_windows(&r, &machine) ||
                 names_add(&r, &machine, "budgets", true))) ||
        list_open(root, "tasks", &tasks, &count, err))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at task = cs_json_element(&tasks, i);

        if (names_of_task(&r, &task))
            return NULL;
    }
    if (rows_read(&r, &tasks, count))
        return NULL;
    r.modes = cs_mode_rows_modes(&r.rows, (int)count, false, CS_TIMES_MIN);
    name = cs_names_list((struct cs_names *)names, &known);
    r.modes->task_name = name;
    r.modes->source = root_file(root);
    if ((has && machine_read(&r, &machine)) || deadlines_read(&r, &tasks) ||
        cs_modes_refuse_circle(r.modes, name, r.modes->source, err))
        return NULL;
    for (int i = 0; i < r.modes->tasks; i++)
        if (cs_modes_use(r.modes, r.modes->first[i])[0] > 0)
            profile[i] = cs_modes_profile(r.modes, i, arena);
    return r.modes;
}

/* ---- writing ---- */

static void put_capacity(struct cs_jsonw *w, const struct cs_modes *m, int k)
{
    const bool node = m->per_node && m->per_node[k] >= 0;
    const bool proc = m->per_proc && m->per_proc[k] >= 0;

    if (!node && !proc) {
        if (m->capacity[k] >= 0)
            cs_jsonw_put_int(w, m->resource_name[k], m->capacity[k]);
        return;
    }
    cs_jsonw_key(w, m->resource_name[k]);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, node ? "per_node" : "per_proc", node ? m->per_node[k] : m->per_proc[k]);
    cs_jsonw_close(w);
}

static void put_window(struct cs_jsonw *w, const struct cs_modes *m, int window)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "from", m->from[window]);
    if (!isinf(m->to[window]))
        cs_jsonw_put_double(w, "to", m->to[window]);
    cs_jsonw_key(w, "less");
    cs_jsonw_open_flat(w, '{');
    for (int k = 0; k < m->resources; k++)
        if (m->less[(size_t)window * (size_t)m->resources + (size_t)k] > 0)
            cs_jsonw_put_int(w, m->resource_name[k],
                             m->less[(size_t)window * (size_t)m->resources + (size_t)k]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

void cs_modes_json_put_machine(struct cs_jsonw *w, const struct cs_modes *m)
{
    cs_jsonw_key(w, "machine");
    cs_jsonw_open(w, '{');
    if (m->nodes > 0)
        cs_jsonw_put_int(w, "nodes", m->nodes);
    cs_jsonw_key(w, "resources");
    cs_jsonw_open_flat(w, '{');
    for (int k = 1; k < m->resources; k++)
        put_capacity(w, m, k);
    cs_jsonw_close(w);
    if (m->windows) {
        cs_jsonw_key(w, "windows");
        cs_jsonw_open(w, '[');
        for (int window = 0; window < m->windows; window++)
            put_window(w, m, window);
        cs_jsonw_close(w);
    }
    if (m->budgets) {
        cs_jsonw_key(w, "budgets");
        cs_jsonw_open_flat(w, '{');
        for (int q = 0; q < m->budgets; q++)
            if (m->budget[q] >= 0)
                cs_jsonw_put_double(w, m->budget_name[q], (double)m->budget[q] / 1000);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_amounts(struct cs_jsonw *w, const struct cs_modes *m, int mode)
{
    const int64_t *use = cs_modes_use(m, mode), *spend = cs_modes_spend(m, mode);
    int uses = 0, spends = 0;

    for (int k = 1; k < m->resources; k++)
        uses += use[k] > 0;
    for (int q = 0; q < m->budgets; q++)
        spends += spend[q] > 0;
    if (uses) {
        cs_jsonw_key(w, "resources");
        cs_jsonw_open_flat(w, '{');
        for (int k = 1; k < m->resources; k++)
            if (use[k] > 0)
                cs_jsonw_put_int(w, m->resource_name[k], use[k]);
        cs_jsonw_close(w);
    }
    if (spends) {
        cs_jsonw_key(w, "budgets");
        cs_jsonw_open_flat(w, '{');
        for (int q = 0; q < m->budgets; q++)
            if (spend[q] > 0)
                cs_jsonw_put_double(w, m->budget_name[q], (double)spend[q] / 1000);
        cs_jsonw_close(w);
    }
}

static void put_mode(struct cs_jsonw *w, const struct cs_modes *m, int mode)
{
    cs_jsonw_open_flat(w, '{');
    if (m->label && *m->label[mode])
        cs_jsonw_put_string(w, "name", m->label[mode]);
    cs_jsonw_put_int(w, "procs", cs_modes_use(m, mode)[0]);
    cs_jsonw_put_double(w, "seconds", m->seconds[mode]);
    put_amounts(w, m, mode);
    if (m->span && m->span[mode] > 0)
        cs_jsonw_put_int(w, "span", m->span[mode]);
    cs_jsonw_close(w);
}

void cs_modes_json_put_task(struct cs_jsonw *w, const struct cs_modes *m, int task)
{
    const int first = m->first[task];

    if (cs_modes_use(m, first)[0] == 0) {
        put_amounts(w, m, first); /* for all counts of the profile */
    } else {
        cs_jsonw_key(w, "modes");
        cs_jsonw_open_flat(w, '[');
        for (int k = first; k < m->first[task + 1]; k++)
            put_mode(w, m, k);
        cs_jsonw_close(w);
    }
    if (m->before_first[task + 1] > m->before_first[task]) {
        cs_jsonw_key(w, "after");
        cs_jsonw_open_flat(w, '[');
        for (int a = m->before_first[task]; a < m->before_first[task + 1]; a++)
            cs_jsonw_string(w, m->task_name[m->before[a]]);
        cs_jsonw_close(w);
    }
    if (m->deadline && !isinf(m->deadline[task]))
        cs_jsonw_put_double(w, "deadline", m->deadline[task]);
}
