/* graph_wfcommons.c - WfFormat, the measured workflows of WfCommons.
 *
 * spec/ptg.md 9. Since 1.5 workflow.specification has tasks and files, workflow.execution has
 * times; before, all in workflow.tasks (workflow.jobs up to 1.2), with a list of files in each
 * task. Work is runtime * cores * speed. Arcs are the union of children and parents, by id or by
 * name; an arc carries the files that its task writes and the next one reads.
 */
#include "io/graph_build.h"
#include "io/graph_json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The object of format 1.5 that has the tasks (spec/ptg.md 9). */
static const char new_form[] = "specification";

/* A file that a task reads or writes. */
struct use {
    int file, task;
};

struct uses {
    struct use *use;
    int count, room;
};

struct pair {
    int from, to;
};

struct reader {
    struct cs_graph_draft draft;
    struct cs_names *files, *titles;     /* titles: the names of tasks, which need not be unique */
    double *bytes;                       /* by file */
    int *titled, bytes_room, title_room; /* by title: a task, or -1 when several have it */
    struct uses in, out;
    struct pair *pair;
    int pairs, pair_room;
};

/* A bigger copy of an array in the arena. */
static void *graph_wfcommons_bigger(struct reader *r, const void *old, int *room, size_t size)
{
    int more = *room ? 2 * *room : 64;
    void *copy = cs_arena_alloc(r->draft.arena, (size_t)more, size);

    if (*room)
        memcpy(copy, old, (size_t)*room * size);
    *room = more;
    return copy;
}

static int file_number(struct reader *r, const char *name)
{
    int at = cs_names_add(r->files, name);

    if (at >= r->bytes_room)
        r->bytes = graph_wfcommons_bigger(r, r->bytes, &r->bytes_room, sizeof *r->bytes);
    return at;
}

static void add_use(struct reader *r, struct uses *uses, int file, int task)
{
    if (uses->count == uses->room)
        uses->use = graph_wfcommons_bigger(r, uses->use, &uses->room, sizeof *uses->use);
    uses->use[uses->count++] = (struct use){file, task};
}

static void add_pair(struct reader *r, int from, int to)
{
    if (r->pairs == r->pair_room)
        r->pair = graph_wfcommons_bigger(r, r->pair, &r->pair_room, sizeof *r->pair);
    r->pair[r->pairs++] = (struct pair){from, to};
}

/* A number under the first of these keys that is there; else the fallback. */
static int get_number(const struct cs_json_at *at, const char *key, const char *other,
                      double fallback, double *out, struct cs_error *err)
{
    *out = fallback;
    if (cs_json_has(at, key))
        return cs_json_get_double(at, key, CS_NUMBER_NOT_NEGATIVE, out, err);
    if (other && cs_json_has(at, other))
        return cs_json_get_double(at, other, CS_NUMBER_NOT_NEGATIVE, out, err);
    return 0;
}

static int get_list(const struct cs_json_at *at, const char *key, struct cs_json_at *list,
                    size_t *count, struct cs_error *err)
{
    *count = 0;
    if (!cs_json_has(at, key))
        return 0;
    return cs_json_member(at, key, list, err) || cs_json_array(list, count, err) ? -1 : 0;
}

/* The task's id, or its name where there is no id. */
static int get_id(const struct cs_json_at *at, const char **id, struct cs_error *err)
{
    return cs_json_get_string(at, cs_json_has(at, "id") ? "id" : "name", id, err);
}

static int add_title(struct reader *r, const struct cs_json_at *at, int task, struct cs_error *err)
{
    const char *name;
    int title, known;

    if (!cs_json_has(at, "name"))
        return 0;
    if (cs_json_get_string(at, "name", &name, err))
        return -1;
    known = cs_names_find(r->titles, name) >= 0;
    title = cs_names_add(r->titles, name);
    if (title >= r->title_room)
        r->titled = graph_wfcommons_bigger(r, r->titled, &r->title_room, sizeof *r->titled);
    r->titled[title] = known ? -1 : task;
    return 0;
}

/* The measurements of a task. */
struct measured {
    double seconds, cores, memory; /* 0: no cores, no memory given */
};

static int graph_wfcommons_add_task(struct reader *r, const struct cs_json_at *at,
                                    const struct measured *m, struct cs_error *err)
{
    struct cs_error fault = {0};
    const char *id;
    int task;

    if (get_id(at, &id, err))
        return -1;
    task = cs_graph_draft_task(&r->draft, id, m->seconds * fmax(1, m->cores) * r->draft.how->speed,
                               cs_graph_draft_alpha(&r->draft), &fault);
    if (task < 0)
        return cs_json_error(at, err, "%s", fault.text);
    r->draft.task[task].memory = m->memory;
    r->draft.task[task].cores = (int)fmin(ceil(m->cores), INT_MAX);
    return add_title(r, at, task, err) ? -1 : task;
}

static int read_uses(struct reader *r, const struct cs_json_at *at, const char *key, int task,
                     struct uses *uses, struct cs_error *err)
{
    struct cs_json_at list, item;
    const char *name;
    size_t count;

    if (get_list(at, key, &list, &count, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        item = cs_json_element(&list, i);
        if (cs_json_string(&item, &name, err))
            return -1;
        add_use(r, uses, file_number(r, name), task);
    }
    return 0;
}

/* Files of one task before 1.5: [{"name", "link", "sizeInBytes"}]. */
static int read_old_files(struct reader *r, const struct cs_json_at *at, int task,
                          struct cs_error *err)
{
    struct cs_json_at list, item;
    const char *name, *link;
    size_t count;

    if (get_list(at, "files", &list, &count, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        int file;

        item = cs_json_element(&list, i);
        if (cs_json_get_string(&item, "name", &name, err) ||
            cs_json_get_string(&item, "link", &link, err))
            return -1;
        file = file_number(r, name);
        if (strcmp(link, "input") && strcmp(link, "output"))
            return cs_json_error(&item, err, "link is %.40s, expected input or output", link);
        if (get_number(&item, "sizeInBytes", "size", 0, &r->bytes[file], err))
            return -1;
        add_use(r, link[0] == 'i' ? &r->in : &r->out, file, task);
    }
    return 0;
}

/* Tasks that contain times (before 1.5). */
static int read_old_tasks(struct reader *r, const struct cs_json_at *list, struct cs_error *err)
{
    size_t count;

    if (cs_json_array(list, &count, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(list, i);
        struct measured m;
        int task;

        if (get_number(&at, "runtimeInSeconds", "runtime", -1, &m.seconds, err) ||
            get_number(&at, "cores", "coreCount", 0, &m.cores, err) ||
            get_number(&at, "memoryInBytes", NULL, 0, &m.memory, err))
            return -1;
        if (m.seconds < 0)
            return cs_json_error(&at, err, "there is no runtime");
        task = graph_wfcommons_add_task(r, &at, &m, err);
        if (task < 0 || read_old_files(r, &at, task, err))
            return -1;
    }
    return 0;
}

/* Measurements by id. */
struct times {
    struct cs_names *ids;
    struct measured *measured;
};

static int read_times(struct reader *r, const struct cs_json_at *workflow, struct times *times,
                      struct cs_error *err)
{
    struct cs_json_at execution, list;
    const char *id;
    size_t count;

    if (cs_json_member(workflow, "execution", &execution, err) ||
        cs_json_member(&execution, "tasks", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    times->ids = cs_names_create(r->draft.arena);
    times->measured = CS_NEW_ARRAY(r->draft.arena, struct measured, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);
        struct measured *m = &times->measured[i];

        if (get_id(&at, &id, err))
            return -1;
        if (cs_names_find(times->ids, id) >= 0)
            return cs_json_error(&at, err, "task %.60s is there twice", id);
        cs_names_add(times->ids, id);
        if (cs_json_get_double(&at, "runtimeInSeconds", CS_NUMBER_NOT_NEGATIVE, &m->seconds, err) ||
            get_number(&at, "coreCount", NULL, 0, &m->cores, err) ||
            get_number(&at, "memoryInBytes", NULL, 0, &m->memory, err))
            return -1;
    }
    return 0;
}

static int read_file_sizes(struct reader *r, const struct cs_json_at *spec_at, struct cs_error *err)
{
    struct cs_json_at list, item;
    const char *id;
    size_t count;

    if (get_list(spec_at, "files", &list, &count, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        int file;

        item = cs_json_element(&list, i);
        if (get_id(&item, &id, err))
            return -1;
        file = file_number(r, id);
        if (get_number(&item, "sizeInBytes", NULL, 0, &r->bytes[file], err))
            return -1;
    }
    return 0;
}

static int read_new_tasks(struct reader *r, const struct cs_json_at *workflow,
                          const struct cs_json_at *spec_at, const struct cs_json_at *list,
                          struct cs_error *err)
{
    struct times times;
    const char *id;
    size_t count;

    if (cs_json_array(list, &count, err) || read_times(r, workflow, &times, err) ||
        read_file_sizes(r, spec_at, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(list, i);
        int task, when;

        if (get_id(&at, &id, err))
            return -1;
        when = cs_names_find(times.ids, id);
        if (when < 0)
            return cs_json_error(&at, err, "task %.60s is not in workflow.execution.tasks", id);
        task = graph_wfcommons_add_task(r, &at, &times.measured[when], err);
        if (task < 0 || read_uses(r, &at, "inputFiles", task, &r->in, err) ||
            read_uses(r, &at, "outputFiles", task, &r->out, err))
            return -1;
    }
    return 0;
}

/* By id, or by a name that only one task has. */
static int find_task(const struct reader *r, const char *name)
{
    int task = cs_graph_draft_find(&r->draft, name);
    int title = task < 0 ? cs_names_find(r->titles, name) : -1;

    return title >= 0 ? r->titled[title] : task;
}

static int read_links(struct reader *r, const struct cs_json_at *at, const char *key, int task,
                      struct cs_error *err)
{
    struct cs_json_at list, item;
    const char *name;
    size_t count;

    if (get_list(at, key, &list, &count, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        int other;

        item = cs_json_element(&list, i);
        if (cs_json_string(&item, &name, err))
            return -1;
        other = find_task(r, name);
        if (other < 0)
            return cs_json_error(&item, err, "unknown task %.60s", name);
        if (key[0] == 'c')
            add_pair(r, task, other);
        else
            add_pair(r, other, task);
    }
    return 0;
}

static int by_pair(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static int by_task(const void *a, const void *b)
{
    const struct use *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* first[task] .. first[task + 1]: the uses of a task, each file once. */
static int *sort_uses(struct reader *r, struct uses *uses)
{
    int *first = CS_NEW_ARRAY(r->draft.arena, int, r->draft.tasks + 1), kept = 0;

    if (uses->count > 0)
        qsort(uses->use, (size_t)uses->count, sizeof *uses->use, by_task);
    for (int i = 0; i < uses->count; i++)
        if (i == 0 || by_task(&uses->use[i], &uses->use[i - 1]))
            uses->use[kept++] = uses->use[i];
    uses->count = kept;
    for (int i = 0; i < kept; i++)
        first[uses->use[i].task + 1]++;
    for (int v = 0; v < r->draft.tasks; v++)
        first[v + 1] += first[v];
    return first;
}

static int make_arcs(struct reader *r, struct cs_error *err)
{
    int *out = sort_uses(r, &r->out), *in = sort_uses(r, &r->in), count;
    int *writer;

    cs_names_list(r->files, &count);
    writer = CS_NEW_ARRAY(r->draft.arena, int, count);
    if (r->pairs > 0)
        qsort(r->pair, (size_t)r->pairs, sizeof *r->pair, by_pair);
    for (int p = 0; p < r->pairs; p++) {
        const struct pair *pair = &r->pair[p];
        double bytes = 0;

        if (p > 0 && !by_pair(pair, pair - 1))
            continue;
        for (int u = out[pair->from]; u < out[pair->from + 1]; u++)
            writer[r->out.use[u].file] = pair->from + 1;
        for (int u = in [pair->to]; u < in[pair->to + 1]; u++)
            if (writer[r->in.use[u].file] == pair->from + 1)
                bytes += r->bytes[r->in.use[u].file];
        if (cs_graph_draft_arc(&r->draft, pair->from, pair->to, bytes, err))
            return -1;
    }
    return 0;
}

/* The list of tasks of any version; *spec_at: the object that holds it since 1.5. */
static int find_tasks(const struct cs_json_at *workflow, struct cs_json_at *spec_at,
                      struct cs_json_at *list, bool *old, struct cs_error *err)
{
    *old = !cs_json_has(workflow, new_form);
    if (*old)
        return cs_json_member(workflow, cs_json_has(workflow, "jobs") ? "jobs" : "tasks", list,
                              err);
    return cs_json_member(workflow, new_form, spec_at, err) ||
                   cs_json_member(spec_at, "tasks", list, err)
               ? -1
               : 0;
}

static int graph_wfcommons_read_all(struct reader *r, const struct cs_json_at *root,
                                    struct cs_error *err)
{
    struct cs_json_at workflow, spec_at, list;
    bool old;

    if (cs_json_member(root, "workflow", &workflow, err) || cs_json_keys(&workflow, NULL, err) ||
        find_tasks(&workflow, &spec_at, &list, &old, err))
        return -1;
    if (old ? read_old_tasks(r, &list, err) : read_new_tasks(r, &workflow, &spec_at, &list, err))
        return -1;
    for (int v = 0; v < r->draft.tasks; v++) {
        struct cs_json_at at = cs_json_element(&list, (size_t)v);

        if (read_links(r, &at, "children", v, err) || read_links(r, &at, "parents", v, err))
            return -1;
    }
    return make_arcs(r, err);
}

struct cs_graph *cs_graph_wfcommons_read(const struct cs_json_at *root, const char *file,
                                         const struct cs_graph_reading *how, struct cs_error *err)
{
    struct reader r = {.bytes = NULL};
    const char *name = NULL;
    int status = 0;

    cs_graph_draft_begin(&r.draft, file, how);
    r.files = cs_names_create(r.draft.arena);
    r.titles = cs_names_create(r.draft.arena);
    if (cs_json_has(root, "name"))
        status = cs_json_get_string(root, "name", &name, err);
    if (status == 0)
        status = graph_wfcommons_read_all(&r, root, err);
    return cs_graph_draft_end(&r.draft, status, name, err);
}
