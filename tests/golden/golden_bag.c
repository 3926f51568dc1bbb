/* golden_bag.c - the golden cases of general bags (spec/bag.md 13). */
#include "base/arena.h"
#include "base/lines.h"
#include "base/plain.h"
#include "check/bag.h"
#include "golden/golden.h"
#include "io/modes.h"
#include "io/psplib.h"
#include "io/schedule_keys.h"
#include "io/workload.h"
#include "problems/moldable/bag/general.h"
#include "problems/moldable/frontier.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct scene {
    struct cs_arena *arena;
    struct cs_modes modes;
    struct cs_bag bag;
    struct cs_bag_bounds bounds;
    struct cs_error *err;
};

static int64_t whole_of(const json_t *object, const char *key)
{
    return (int64_t)json_integer_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* The names of an object, in its order. */
static int names_read(const json_t *object, const char *const **name, int64_t **amount,
                      int64_t factor, struct cs_arena *arena)
{
    const size_t count = json_object_size(object);
    const char **names = CS_NEW_ARRAY(arena, const char *, count);
    int64_t *amounts = CS_NEW_ARRAY(arena, int64_t, count);
    const char *key;
    json_t *value;
    int k = 0;

    json_object_foreach((json_t *)object, key, value)
    {
        names[k] = key;
        amounts[k++] = factor * (int64_t)json_integer_value(value);
    }
    *name = names;
    *amount = amounts;
    return k;
}

static void amounts_read(const json_t *object, const char *const *name, int count, int64_t factor,
                         int64_t *out)
{
    for (int k = 0; k < count; k++)
        out[k] = factor * whole_of(object, name[k]);
}

static void modes_read(const json_t *tasks, struct cs_modes *m, struct cs_arena *arena)
{
    int *first = CS_NEW_ARRAY(arena, int, m->tasks + 1), total = 0;
    double *seconds;
    int64_t *use, *spend;

    for (int i = 0; i < m->tasks; i++) {
        total += (int)json_array_size(json_object_get(json_array_get(tasks, (size_t)i), "modes"));
        first[i + 1] = total;
    }
    seconds = CS_NEW_ARRAY(arena, double, total);
    use = CS_NEW_ARRAY(arena, int64_t, total * m->resources);
    spend = CS_NEW_ARRAY(arena, int64_t, total * m->budgets);
    for (int i = 0; i < m->tasks; i++)
        for (int k = first[i]; k < first[i + 1]; k++) {
            const json_t *mode = json_array_get(
                json_object_get(json_array_get(tasks, (size_t)i), "modes"), (size_t)(k - first[i]));

            seconds[k] = number_of(mode, "seconds", NAN);
            amounts_read(json_object_get(mode, "use"), m->resource_name, m->resources, 1,
                         use + k * m->resources);
            amounts_read(json_object_get(mode, "spend"), m->budget_name, m->budgets, 1000,
                         spend + k * m->budgets);
        }
    m->first = first;
    m->seconds = seconds;
    m->use = use;
    m->spend = spend;
}

static int task_find(const struct cs_modes *m, const char *name)
{
    for (int i = 0; i < m->tasks; i++)
        if (name && strcmp(m->task_name[i], name) == 0)
            return i;
    return -1;
}

static void tasks_read(const json_t *tasks, struct cs_modes *m, struct cs_arena *arena)
{
    const char **name = CS_NEW_ARRAY(arena, const char *, m->tasks);
    double *date = CS_NEW_ARRAY(arena, double, 3 * m->tasks);
    int *first = CS_NEW_ARRAY(arena, int, m->tasks + 1), arcs = 0;
    int *before = CS_NEW_ARRAY(arena, int, m->tasks * m->tasks);

    m->task_name = name;
    for (int i = 0; i < m->tasks; i++)
        name[i] = json_string_value(json_object_get(json_array_get(tasks, (size_t)i), "name"));
    for (int i = 0; i < m->tasks; i++) {
        const json_t *task = json_array_get(tasks, (size_t)i),
                     *after = json_object_get(task, "after");

        for (size_t a = 0; a < json_array_size(after); a++)
            before[arcs++] = task_find(m, json_string_value(json_array_get(after, a)));
        first[i + 1] = arcs;
        date[i] = number_of(task, "release", 0);
        date[m->tasks + i] = number_of(task, "deadline", INFINITY);
        date[2 * m->tasks + i] = number_of(task, "walltime", INFINITY);
    }
    m->before_first = first;
    m->before = before;
    m->release = date;
    m->deadline = date + m->tasks;
    m->walltime = date + 2 * m->tasks;
}

static void windows_read(const json_t *windows, struct cs_modes *m, struct cs_arena *arena)
{
    double *from = CS_NEW_ARRAY(arena, double, m->windows),
           *to = CS_NEW_ARRAY(arena, double, m->windows);
    int64_t *less = CS_NEW_ARRAY(arena, int64_t, m->windows * m->resources);

    for (int w = 0; w < m->windows; w++) {
        const json_t *window = json_array_get(windows, (size_t)w);

        from[w] = number_of(window, "from", 0);
        to[w] = number_of(window, "to", INFINITY);
        amounts_read(json_object_get(window, "less"), m->resource_name, m->resources, 1,
                     less + w * m->resources);
    }
    m->from = from;
    m->to = to;
    m->less = less;
}

static void instance_read(const json_t *input, struct scene *s)
{
    struct cs_modes *m = &s->modes;
    const json_t *tasks = json_object_get(input, "tasks");
    int64_t *capacity, *budget;

    m->resources =
        names_read(json_object_get(input, "resources"), &m->resource_name, &capacity, 1, s->arena);
    m->budgets =
        names_read(json_object_get(input, "budgets"), &m->budget_name, &budget, 1000, s->arena);
    m->capacity = capacity;
    m->budget = budget;
    m->tasks = (int)json_array_size(tasks);
    m->windows = (int)json_array_size(json_object_get(input, "windows"));
    tasks_read(tasks, m, s->arena);
    modes_read(tasks, m, s->arena);
    windows_read(json_object_get(input, "windows"), m, s->arena);
}

static int check_candidates(const json_t *want, const struct scene *s)
{
    for (int i = 0; i < s->bag.data.tasks; i++) {
        const json_t *row = json_array_get(want, (size_t)i);
        const int first = s->bag.data.first[i], count = cs_bag_candidates(&s->bag, i);

        if (json_array_size(row) != (size_t)count)
            return cs_error_set(s->err, "task %d has %d candidates", i, count);
        for (int x = 0; x < count; x++)
            if (json_integer_value(json_array_get(row, (size_t)x)) != s->bag.origin[first + x])
                return cs_error_set(s->err, "candidate %d of task %d is mode %d", x, i,
                                    s->bag.origin[first + x]);
    }
    return 0;
}

static int check_numbers(const json_t *want, const double *got, int count, const char *what,
                         const struct scene *s)
{
    if (json_array_size(want) != (size_t)count)
        return cs_error_set(s->err, "%s: %zu numbers", what, json_array_size(want));
    for (int k = 0; k < count; k++)
        if (golden_number(json_array_get(want, (size_t)k), got[k], what, s->err))
            return -1;
    return 0;
}

static int check_bounds(const json_t *want, struct scene *s)
{
    const json_t *area = json_object_get(want, "area"), *least = json_object_get(want, "at_least");

    for (int r = 0; r < s->modes.resources; r++) {
        const json_t *value = json_object_get(area, s->modes.resource_name[r]);

        if (json_is_null(value) ? !isinf(s->bounds.area[r])
                                : golden_number(value, s->bounds.area[r], "area", s->err))
            return s->err->text[0] ? -1 : cs_error_set(s->err, "area is not infinite");
    }
    if (golden_number(json_object_get(want, "critical"), s->bag.critical, "critical", s->err) ||
        golden_number(json_object_get(want, "disjunctive"), s->bounds.apart, "disjunctive", s->err))
        return -1;
    return json_is_null(least) && isinf(s->bounds.least)
               ? 0
               : golden_number(least, s->bounds.least, "at_least", s->err);
}

/* Choices of candidates from indices of modes. */
static int choices_read(const json_t *modes, const struct scene *s, int *choice)
{
    for (int i = 0; i < s->bag.data.tasks; i++) {
        const int mode = (int)json_integer_value(json_array_get(modes, (size_t)i));
        const int *origin = s->bag.origin + s->bag.data.first[i];

        choice[i] = 0;
        while (choice[i] < cs_bag_candidates(&s->bag, i) && origin[choice[i]] != mode)
            choice[i]++;
        if (choice[i] == cs_bag_candidates(&s->bag, i))
            return cs_error_set(s->err, "mode %d of task %d is no candidate", mode, i);
    }
    return 0;
}

static int check_plan(const json_t *want, const struct cs_bag_plan *plan, const char *what,
                      const struct scene *s)
{
    if (json_is_null(want) || !want)
        return isinf(plan->makespan) ? 0 : cs_error_set(s->err, "%s: there is a plan", what);
    if (isinf(plan->makespan))
        return cs_error_set(s->err, "%s: there is no plan", what);
    for (int i = 0; i < s->bag.data.tasks && json_object_get(want, "modes"); i++)
        if (json_integer_value(json_array_get(json_object_get(want, "modes"), (size_t)i)) !=
            s->bag.origin[s->bag.data.first[i] + plan->choice[i]])
            return cs_error_set(s->err, "%s: mode of task %d", what, i);
    if (check_numbers(json_object_get(want, "starts"), plan->start, s->bag.data.tasks, what, s) ||
        golden_number(json_object_get(want, "makespan"), plan->makespan, what, s->err))
        return -1;
    return golden_number(json_object_get(want, "late"), plan->late, "late", s->err);
}

static int check_decoder(const json_t *want, struct scene *s)
{
    const json_t *places = json_object_get(want, "order");
    struct cs_bag_decoder *decoder = cs_bag_decoder_create(&s->bag, s->arena);
    int *order = CS_NEW_ARRAY(s->arena, int, s->bag.data.tasks);
    struct cs_bag_plan plan, other;

    cs_bag_plan_init(&plan, &s->bag, s->arena);
    cs_bag_plan_init(&other, &s->bag, s->arena);
    if (choices_read(json_object_get(want, "modes"), s, plan.choice))
        return -1;
    for (int i = 0; i < s->bag.data.tasks; i++)
        order[i] = (int)json_integer_value(json_array_get(places, (size_t)i));
    cs_bag_list(decoder, order, &plan);
    if (check_plan(json_object_get(want, "list"), &plan, "list", s))
        return -1;
    cs_bag_earliest(decoder, order, &plan);
    if (check_plan(json_object_get(want, "earliest"), &plan, "earliest", s))
        return -1;
    if (!isinf(plan.makespan))
        cs_bag_justify(decoder, &plan, &other);
    return check_plan(json_object_get(want, "justified"), &other, "justified", s);
}

/* The sum of what is spent too much. */
static double spent_over(const struct scene *s, const struct cs_bag_plan *plan)
{
    const struct cs_modes *data = &s->bag.data;
    double over = 0;

    for (int q = 0; q < data->budgets; q++) {
        int64_t spent = 0;

        for (int i = 0; i < data->tasks; i++)
            spent += data->spend[(data->first[i] + plan->choice[i]) * data->budgets + q];
        over += spent > data->budget[q] ? (double)(spent - data->budget[q]) / 1000 : 0;
    }
    return over;
}

static int check_lists(const json_t *expected, struct scene *s)
{
    const json_t *lists = json_object_get(expected, "lists"),
                 *search = json_object_get(expected, "search");
    struct cs_bag_plan plan;

    cs_bag_plan_init(&plan, &s->bag, s->arena);
    cs_bag_lists(&s->bag, &s->bounds, &plan, s->arena);
    if (lists &&
        (check_plan(lists, &plan, "lists", s) ||
         golden_number(json_object_get(lists, "over"), spent_over(s, &plan), "over", s->err)))
        return -1;
    if (!search)
        return 0;
    cs_bag_search(&s->bag, &s->bounds, (uint64_t)whole_of(search, "seed"),
                  (int)whole_of(search, "moves"), &plan, s->arena);
    return check_plan(search, &plan, "search", s);
}

/* The optimum by the exact method; null: no plan keeps the budgets. */
static int check_optimum(const json_t *want, double bound, struct scene *s)
{
    struct cs_bag_proof proof = {.conflicts = 1000000, .bound = bound};
    struct cs_bag_plan plan;

    cs_bag_plan_init(&plan, &s->bag, s->arena);
    cs_bag_exact(&s->bag, &proof, &plan, s->arena);
    if (!proof.closed)
        return cs_error_set(s->err, "the optimum is not proven");
    if (json_is_null(want))
        return isinf(proof.bound) ? 0 : cs_error_set(s->err, "a plan that keeps the budgets");
    if (golden_number(want, plan.makespan, "optimum", s->err))
        return -1;
    /* Times that are no multiples of a unit are rounded down, to a 2^30th of the plan (6.4). */
    return proof.bound < plan.makespan && proof.bound >= plan.makespan * (1 - 1e-6)
               ? 0
               : golden_number(want, proof.bound, "proven bound", s->err);
}

static int run_plan(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *decoders = json_object_get(expected, "decoders");

    instance_read(input, s);
    if (cs_bag_create(&s->modes, &s->bag, s->arena, s->err))
        return -1;
    cs_bag_bound(&s->bag, &s->bounds, s->arena);
    if (check_candidates(json_object_get(expected, "candidates"), s) ||
        check_numbers(json_object_get(expected, "heads"), s->bag.head, s->modes.tasks, "head", s) ||
        check_numbers(json_object_get(expected, "tails"), s->bag.tail, s->modes.tasks, "tail", s) ||
        check_bounds(json_object_get(expected, "bounds"), s))
        return -1;
    for (size_t d = 0; d < json_array_size(decoders); d++)
        if (check_decoder(json_array_get(decoders, d), s))
            return -1;
    if (check_lists(expected, s))
        return -1;
    return check_optimum(json_object_get(expected, "optimum"), s->bounds.least, s);
}

static int run_deadline(const json_t *input, const json_t *expected, struct scene *s)
{
    const struct cs_moldable_request request = {.seed = 1};
    struct cs_bag_general general;
    struct cs_moldable_plan *plan;
    const char *remark;
    int status;

    instance_read(input, s);
    if (cs_bag_general_create(&s->modes, &general, &remark, s->arena, s->err))
        return -1;
    plan = cs_moldable_plan_create(s->modes.tasks);
    status =
        cs_bag_general_plan(&general, CS_MOLDABLE_EFFORT_DEFAULT, &request, false, plan, s->err);
    if (!status)
        status = golden_number(json_object_get(expected, "late"),
                               cs_bag_general_late(&general, plan), "late", s->err);
    if (!status)
        status = golden_number(json_object_get(expected, "makespan"), plan->makespan, "makespan",
                               s->err);
    cs_moldable_plan_destroy(plan);
    return status;
}

static int compare_amounts(const int64_t *a, const int64_t *b, int count, const char *what,
                           const struct scene *s)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            return cs_error_set(s->err, "%s %d is %lld, expected %lld", what, k, (long long)a[k],
                                (long long)b[k]);
    return 0;
}

static int compare_ints(const int *a, const int *b, int count, const char *what,
                        const struct scene *s)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            return cs_error_set(s->err, "%s %d is %d, expected %d", what, k, a[k], b[k]);
    return 0;
}

static int compare_modes(const struct cs_modes *a, const struct cs_modes *b, const struct scene *s)
{
    const int modes = a->first[a->tasks];

    if (a->tasks != b->tasks || a->resources != b->resources || a->budgets != b->budgets)
        return cs_error_set(s->err, "%d tasks, %d resources, %d budgets", a->tasks, a->resources,
                            a->budgets);
    for (int i = 0; i < a->tasks; i++)
        if (strcmp(a->task_name[i], b->task_name[i]) != 0)
            return cs_error_set(s->err, "task %d is %s", i, a->task_name[i]);
    if (compare_ints(a->first, b->first, a->tasks + 1, "first mode", s) ||
        compare_ints(a->before_first, b->before_first, a->tasks + 1, "first arc", s) ||
        compare_ints(a->before, b->before, a->before_first[a->tasks], "arc", s) ||
        compare_amounts(a->capacity, b->capacity, a->resources, "capacity", s) ||
        compare_amounts(a->budget, b->budget, a->budgets, "budget", s) ||
        compare_amounts(a->use, b->use, modes * a->resources, "use", s))
        return -1;
    for (int m = 0; m < modes; m++)
        if (a->seconds[m] != b->seconds[m])
            return cs_error_set(s->err, "mode %d takes %g", m, a->seconds[m]);
    return compare_amounts(a->spend, b->spend, modes * a->budgets, "spend", s);
}

static int run_psplib(const json_t *input, const json_t *expected, struct scene *s)
{
    const char *text = json_string_value(json_object_get(input, "file"));
    const char *name = json_string_value(json_object_get(input, "name"));
    const bool patterson = name && strstr(name, ".rcp");
    struct cs_lines *lines = cs_lines_open_memory("file", text, strlen(text));
    struct cs_modes read;
    const int status = cs_psplib_read(lines, patterson, s->arena, &read, s->err);

    cs_lines_close(lines);
    instance_read(json_object_get(expected, "instance"), s);
    if (status || compare_modes(&read, &s->modes, s) ||
        cs_bag_create(&read, &s->bag, s->arena, s->err))
        return -1;
    return golden_number(json_object_get(expected, "critical"), s->bag.critical, "critical",
                         s->err);
}

/* The machine of a case of nodes: processors and per_node for each node, then totals. */
static void machine_read(const json_t *machine, struct scene *s)
{
    struct cs_modes *m = &s->modes;
    const json_t *per_node = json_object_get(machine, "per_node"),
                 *total = json_object_get(machine, "total");
    const int most = 1 + (int)json_object_size(per_node) + (int)json_object_size(total);
    const char **name = CS_NEW_ARRAY(s->arena, const char *, most), *key;
    int64_t *capacity = CS_NEW_ARRAY(s->arena, int64_t, most),
            *node = CS_NEW_ARRAY(s->arena, int64_t, most);
    json_t *value;

    m->nodes = (int)whole_of(machine, "nodes");
    name[0] = "procs";
    capacity[0] = whole_of(machine, "procs");
    node[0] = capacity[0] / m->nodes;
    m->resources = 1;
    json_object_foreach((json_t *)per_node, key, value)
    {
        name[m->resources] = key;
        node[m->resources] = (int64_t)json_integer_value(value);
        capacity[m->resources] = node[m->resources] * m->nodes;
        m->resources++;
    }
    json_object_foreach((json_t *)total, key, value)
    {
        name[m->resources] = key;
        node[m->resources] = -1;
        capacity[m->resources++] = (int64_t)json_integer_value(value);
    }
    m->resource_name = name;
    m->capacity = capacity;
    m->per_node = node;
}

/* Processors and span are keys of a mode there. */
static void node_modes_read(const json_t *tasks, struct scene *s)
{
    struct cs_modes *m = &s->modes;
    int *span;

    modes_read(tasks, m, s->arena);
    span = CS_NEW_ARRAY(s->arena, int, m->first[m->tasks]);
    for (int i = 0; i < m->tasks; i++)
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            const json_t *mode =
                json_array_get(json_object_get(json_array_get(tasks, (size_t)i), "modes"),
                               (size_t)(k - m->first[i]));

            ((int64_t *)m->use)[k * m->resources] = whole_of(mode, "procs");
            span[k] = (int)whole_of(mode, "span");
        }
    m->span = span;
}

static int check_placed(const json_t *want, int task, const struct cs_bag_plan *plan,
                        const struct cs_bag_nodes *nodes, struct scene *s)
{
    const json_t *list = json_object_get(want, "nodes"), *share = json_object_get(want, "share");
    const struct cs_modes *m = &s->bag.data;
    const int64_t *use = cs_bag_use(&s->bag, m->first[task] + plan->choice[task]);

    if (whole_of(want, "task") != task || json_array_size(list) != (size_t)nodes->span)
        return cs_error_set(s->err, "task %d lies on %d nodes", task, nodes->span);
    for (int k = 0; k < nodes->span; k++)
        if (json_integer_value(json_array_get(list, (size_t)k)) != nodes->node[k])
            return cs_error_set(s->err, "task %d lies on node %d", task, nodes->node[k]);
    for (int r = 0; r < m->resources; r++) {
        const bool total = m->per_node[r] < 0;
        const json_t *amount =
            total ? json_object_get(want, "use") : (nodes->span > 0 ? share : NULL);
        const int64_t mine = total ? use[r] : (use[r] + nodes->span - 1) / nodes->span;

        if (whole_of(amount, m->resource_name[r]) != mine)
            return cs_error_set(s->err, "task %d takes %lld of %s", task, (long long)mine,
                                m->resource_name[r]);
    }
    if (golden_number(json_object_get(want, "start"), plan->start[task], "start", s->err))
        return -1;
    return golden_number(json_object_get(want, "end"), cs_bag_end(&s->bag, plan, task), "end",
                         s->err);
}

static int run_nodes(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *machine = json_object_get(input, "machine_and_tasks"),
                 *tasks = json_object_get(machine, "tasks"),
                 *placed = json_object_get(expected, "placed"),
                 *windows = json_object_get(machine, "windows");
    const int n = (int)json_array_size(tasks);
    struct cs_bag_nodes *nodes = CS_NEW_ARRAY(s->arena, struct cs_bag_nodes, n);
    int *order = CS_NEW_ARRAY(s->arena, int, n);
    struct cs_bag_plan plan;

    machine_read(machine, s);
    s->modes.tasks = n;
    s->modes.windows = (int)json_array_size(windows);
    tasks_read(tasks, &s->modes, s->arena);
    node_modes_read(tasks, s);
    windows_read(windows, &s->modes, s->arena);
    if (cs_bag_create(&s->modes, &s->bag, s->arena, s->err))
        return -1;
    cs_bag_plan_init(&plan, &s->bag, s->arena);
    if (choices_read(json_object_get(input, "modes"), s, plan.choice))
        return -1;
    for (int i = 0; i < n; i++)
        order[i] =
            (int)json_integer_value(json_array_get(json_object_get(input, "order"), (size_t)i));
    if (!cs_bag_earliest_nodes(&s->bag, order, &plan, nodes, s->arena))
        return cs_error_set(s->err, "there is no plan");
    for (int i = 0; i < n; i++)
        if (check_placed(json_array_get(placed, (size_t)i), i, &plan, &nodes[i], s))
            return -1;
    return 0;
}

static int run_assign(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *bars = json_object_get(input, "bars"),
                 *units = json_object_get(expected, "units");
    const int count = (int)json_array_size(bars), capacity = (int)whole_of(input, "capacity");
    struct cs_bag_bar *bar = CS_NEW_ARRAY(s->arena, struct cs_bag_bar, count);
    int **number = CS_NEW_ARRAY(s->arena, int *, count);

    for (int b = 0; b < count; b++) {
        const json_t *row = json_array_get(bars, (size_t)b);

        bar[b].start = json_number_value(json_array_get(row, 0));
        bar[b].end = json_number_value(json_array_get(row, 1));
        bar[b].amount = (int)json_integer_value(json_array_get(row, 2));
        number[b] = CS_NEW_ARRAY(s->arena, int, capacity);
    }
    cs_bag_number(bar, count, capacity, number, s->arena);
    for (int b = 0; b < count; b++) {
        const json_t *row = json_array_get(units, (size_t)b);

        if (json_array_size(row) != (size_t)bar[b].amount)
            return cs_error_set(s->err, "bar %d has %d numbers", b, bar[b].amount);
        for (int k = 0; k < bar[b].amount; k++)
            if (json_integer_value(json_array_get(row, (size_t)k)) != number[b][k])
                return cs_error_set(s->err, "bar %d has number %d", b, number[b][k]);
    }
    return 0;
}

/* ---- tables ---- */

/* "line N: FIELD ..." or "circle a -> ... -> a" in a message "FILE:N: FIELD: ...". */
static int check_refusal(const char *want, const char *text, const struct scene *s)
{
    char place[200] = "", field[100] = "", rest[100] = "";
    long line;

    if (cs_plain_begins(want, "circle "))
        return strstr(text, want + strlen("circle "))
                   ? 0
                   : cs_error_set(s->err, "expected \"%s\", found: %s", want, text);
    if (sscanf(want, "line %ld: %99s %99s", &line, field, rest) < 2)
        return cs_error_set(s->err, "the expected error \"%s\" has no line", want);
    cs_plain_print(place, sizeof place, "table.csv:%ld: %s", line, field);
    return cs_plain_begins(text, place) && strstr(text, rest)
               ? 0
               : cs_error_set(s->err, "expected \"%s\", found: %s", want, text);
}

/* One line of a remark against what is expected. */
static bool warning_is(const json_t *want, const char *line)
{
    const char *kind = json_string_value(json_array_get(want, 0)),
               *task = json_string_value(json_array_get(want, 1));
    const double second = json_number_value(json_array_get(want, 2)),
                 third = json_number_value(json_array_get(want, 3)),
                 fourth = json_number_value(json_array_get(want, 4));
    char text[200];
    double low, high;

    if (strcmp(kind, "unread") == 0) {
        cs_plain_print(text, sizeof text, "table.csv: %s is not read: ", task);
        return cs_plain_begins(line, text);
    }
    if (strcmp(kind, "superlinear") == 0) {
        cs_plain_print(text, sizeof text,
                       "table.csv: %s is %.1f times faster on %d than on %d:", task,
                       fourth * third / second, (int)third, (int)second);
        return cs_plain_begins(line, text);
    }
    cs_plain_print(text, sizeof text, "table.csv: %s on %d: ", task, (int)second);
    if (!cs_plain_begins(line, text) ||
        sscanf(line + strlen(text), "%lf s and %lf s", &low, &high) != 2 ||
        fabs(high / low / third - 1) > 1e-9)
        return false;
    for (size_t k = 0; k < json_array_size(json_array_get(want, 4)); k++)
        if (!strstr(line, json_string_value(json_array_get(json_array_get(want, 4), k))))
            return false;
    return strstr(line, "differs") || json_array_size(json_array_get(want, 4)) == 0;
}

static int check_warnings(const json_t *want, const char *remark, const struct scene *s)
{
    size_t lines = 0;

    for (const char *at = remark; *at; lines++) {
        const size_t length = strcspn(at, "\n");
        char *line = cs_arena_strndup(s->arena, at, length);
        bool found = false;

        for (size_t k = 0; k < json_array_size(want) && !found; k++)
            found = warning_is(json_array_get(want, k), line);
        if (!found)
            return cs_error_set(s->err, "an unexpected warning: %s", line);
        at += length + (at[length] == '\n');
    }
    return lines == json_array_size(want)
               ? 0
               : cs_error_set(s->err, "%zu warnings, expected %zu", lines, json_array_size(want));
}

/* The modes of a table; of a plain one those of its counts. */
static const struct cs_modes *modes_of(const struct cs_workload *workload, struct scene *s)
{
    struct cs_mode_rows rows;
    struct cs_modes *modes;

    if (workload->modes)
        return workload->modes;
    cs_mode_rows_init(&rows, s->arena);
    for (int i = 0; i < workload->count; i++)
        for (int k = 0; k < workload->profile[i].count; k++) {
            struct cs_mode_row *row = cs_mode_rows_add(&rows, i);

            row->procs = workload->profile[i].procs[k];
            row->seconds = workload->profile[i].seconds[k];
        }
    modes = cs_mode_rows_modes(&rows, workload->count, false, CS_TIMES_MIN);
    modes->task_name = workload->name;
    return modes;
}

static int check_mode(const json_t *want, const struct cs_modes *m, int k, const struct scene *s)
{
    const char *label = json_string_value(json_object_get(want, "mode"));
    const json_t *use = json_object_get(want, "use"), *spend = json_object_get(want, "spend");

    if (whole_of(want, "procs") != m->use[k * m->resources] ||
        number_of(want, "seconds", NAN) != m->seconds[k] ||
        whole_of(want, "span") != (m->span ? m->span[k] : 0) ||
        strcmp(label ? label : "", m->label ? m->label[k] : "") != 0)
        return cs_error_set(s->err, "mode %d: %lld processors, %g s", k,
                            (long long)m->use[k * m->resources], m->seconds[k]);
    for (int r = 1; r < m->resources; r++)
        if (whole_of(use, m->resource_name[r]) != m->use[k * m->resources + r])
            return cs_error_set(s->err, "mode %d: %lld of %s", k,
                                (long long)m->use[k * m->resources + r], m->resource_name[r]);
    for (int q = 0; q < m->budgets; q++)
        if (fabs(1000 * number_of(spend, m->budget_name[q], 0) -
                 (double)m->spend[k * m->budgets + q]) > 1e-6)
            return cs_error_set(s->err, "mode %d: spends %lld of %s", k,
                                (long long)m->spend[k * m->budgets + q], m->budget_name[q]);
    return 0;
}

static int check_task(const json_t *want, const struct cs_workload *workload,
                      const struct cs_modes *m, int task, const struct scene *s)
{
    const struct cs_task_limit *limit = workload->limit ? &workload->limit[task] : NULL;
    const json_t *modes = json_object_get(want, "modes"), *after = json_object_get(want, "after");
    const int first = m->first[task], arc = m->before_first[task];

    if (strcmp(json_string_value(json_object_get(want, "name")), workload->name[task]) != 0 ||
        json_array_size(modes) != (size_t)(m->first[task + 1] - first) ||
        json_array_size(after) != (size_t)(m->before_first[task + 1] - arc))
        return cs_error_set(s->err, "task %d: %s has %d modes and %d predecessors", task,
                            workload->name[task], m->first[task + 1] - first,
                            m->before_first[task + 1] - arc);
    for (size_t a = 0; a < json_array_size(after); a++)
        if (strcmp(json_string_value(json_array_get(after, a)),
                   workload->name[m->before[arc + (int)a]]) != 0)
            return cs_error_set(s->err, "task %d waits for %s", task,
                                workload->name[m->before[arc + (int)a]]);
    if (number_of(want, "release", 0) != (limit ? limit->release : 0) ||
        number_of(want, "walltime", 0) != (limit ? limit->walltime : 0) ||
        number_of(want, "deadline", INFINITY) != (m->deadline ? m->deadline[task] : INFINITY))
        return cs_error_set(s->err, "task %d has another date", task);
    for (size_t k = 0; k < json_array_size(modes); k++)
        if (check_mode(json_array_get(modes, k), m, first + (int)k, s))
            return -1;
    return 0;
}

static int run_table(const json_t *input, const json_t *expected, struct scene *s)
{
    const struct cs_workload_options options = {
        .size = sizeof options, .fill = CS_FILL_STEP, .modes = true};
    const char *csv = json_string_value(json_object_get(input, "csv")),
               *refusal = json_string_value(json_object_get(expected, "error"));
    const json_t *tasks = json_object_get(expected, "tasks");
    struct cs_error why = {0};
    struct cs_workload *workload =
        cs_workload_read_memory("table.csv", csv, strlen(csv), &options, &why);
    int status = 0;

    if (refusal || !workload) {
        cs_workload_destroy(workload);
        return refusal ? check_refusal(refusal, why.text, s) : cs_error_set(s->err, "%s", why.text);
    }
    if (json_array_size(tasks) != (size_t)workload->count)
        status = cs_error_set(s->err, "%d tasks", workload->count);
    for (int i = 0; i < workload->count && !status; i++)
        status =
            check_task(json_array_get(tasks, (size_t)i), workload, modes_of(workload, s), i, s);
    if (!status)
        status = check_warnings(json_object_get(expected, "warnings"), workload->remark, s);
    cs_workload_destroy(workload);
    return status;
}

static int run_sizes(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *text = json_object_get(input, "sizes"),
                 *bytes = json_object_get(expected, "bytes");

    for (size_t k = 0; k < json_array_size(text); k++) {
        const char *size = json_string_value(json_array_get(text, k));
        const json_t *want = json_array_get(bytes, k);
        struct cs_error why = {0};
        int64_t got = -1;

        if (cs_modes_size(size, &got, &why))
            got = -1;
        if (got != (json_is_integer(want) ? json_integer_value(want) : -1))
            return cs_error_set(s->err, "\"%s\" is %lld bytes", size, (long long)got);
    }
    return 0;
}

/* ---- how many nodes ---- */

/* The resources of a case of sizes: processors, then all others that the input names. */
static void sized_resources(const json_t *input, struct scene *s)
{
    struct cs_modes *m = &s->modes;
    const json_t *others = json_object_get(input, "resources");
    const char **name = CS_NEW_ARRAY(s->arena, const char *, 1 + json_object_size(others)), *key;
    int64_t *capacity = CS_NEW_ARRAY(s->arena, int64_t, 1 + json_object_size(others));
    json_t *value;

    name[0] = "procs";
    m->resources = 1;
    json_object_foreach((json_t *)others, key, value)
    {
        if (!strcmp(key, "procs"))
            continue;
        name[m->resources] = key;
        capacity[m->resources++] = (int64_t)json_integer_value(value);
    }
    m->resource_name = name;
    m->capacity = capacity;
}

struct sized {
    struct scene *s;
    const char *effort;
};

static void sized_solve(struct sized *z, struct cs_bag_plan *plan, struct cs_bag_proof *proof)
{
    struct scene *s = z->s;

    cs_bag_plan_init(plan, &s->bag, s->arena);
    cs_bag_lists(&s->bag, &s->bounds, plan, s->arena);
    *proof = (struct cs_bag_proof){.bound = s->bounds.least};
    if (!strcmp(z->effort, "fast"))
        return;
    proof->conflicts = strcmp(z->effort, "exact") ? 20000 : 1000000;
    if (strcmp(z->effort, "exact") != 0)
        cs_bag_search(&s->bag, &s->bounds, 1, 20000, plan, s->arena);
    cs_bag_exact(&s->bag, proof, plan, s->arena);
}

static double sized_work(const struct cs_bag *bag)
{
    double work = 0;

    for (int i = 0; i < bag->data.tasks; i++) {
        double least = INFINITY;

        for (int m = bag->data.first[i]; m < bag->data.first[i + 1]; m++)
            least = fmin(least, (double)cs_bag_use(bag, m)[0] * bag->data.seconds[m]);
        work += least;
    }
    return work;
}

static int sized_plan(void *who, struct cs_frontier_row *row, struct cs_error *err)
{
    struct sized *z = who;
    struct scene *s = z->s;
    struct cs_bag_plan plan;
    struct cs_bag_proof proof;
    struct cs_bag_limit limit;
    struct cs_strbuf name = CS_STRBUF_INIT;

    ((int64_t *)s->modes.capacity)[0] = row->procs;
    row->made = INFINITY;
    if (cs_bag_create(&s->modes, &s->bag, s->arena, err)) {
        err->text[0] = '\0';
        return 0;
    }
    cs_bag_bound(&s->bag, &s->bounds, s->arena);
    sized_solve(z, &plan, &proof);
    row->made = plan.makespan;
    row->proven = proof.closed ? plan.makespan : proof.bound;
    row->critical = s->bag.critical;
    row->work = sized_work(&s->bag);
    cs_bag_limit_find(&s->modes, &s->bag,
                      &(struct cs_bag_reached){plan.makespan, row->proven, &s->bounds, NULL},
                      &limit, s->arena);
    cs_bag_limit_put(&s->bag, &limit, &name);
    row->binding = cs_arena_strdup(s->arena, name.text);
    cs_strbuf_release(&name);
    return 0;
}

static int check_row(const json_t *want, const struct cs_frontier_row *row, struct scene *s)
{
    if (whole_of(want, "procs") != row->procs)
        return cs_error_set(s->err, "a row of %d processors", row->procs);
    if (json_is_null(json_object_get(want, "makespan")))
        return isinf(row->makespan) ? 0 : cs_error_set(s->err, "a plan on %d", row->procs);
    if (golden_number(json_object_get(want, "makespan"), row->makespan, "makespan", s->err) ||
        golden_number(json_object_get(want, "charged"), row->charged, "charged", s->err) ||
        golden_number(json_object_get(want, "efficiency"), row->efficiency, "efficiency", s->err))
        return cs_error_prefix(s->err, "%d", row->procs);
    return golden_number(json_object_get(want, "critical"), row->critical, "critical", s->err);
}

static int check_answer(const json_t *expected, const char *key, const struct cs_frontier *f,
                        int answer, struct scene *s)
{
    const json_t *want = json_object_get(expected, key);
    const int got = answer < 0 ? -1 : f->row[answer].procs;

    if (!want || (json_is_null(want) ? answer < 0 : json_integer_value(want) == got))
        return 0;
    return cs_error_set(s->err, "%s is %d", key, got);
}

static int check_best(const json_t *want, const struct cs_frontier *f, struct scene *s)
{
    size_t at = 0;

    for (int r = 0; r < f->rows; r++)
        if (f->row[r].best && json_integer_value(json_array_get(want, at++)) != f->row[r].procs)
            return cs_error_set(s->err, "%d is on the frontier", f->row[r].procs);
    return at == json_array_size(want) ? 0 : cs_error_set(s->err, "%zu on the frontier", at);
}

static int check_frontier(const json_t *expected, const struct cs_frontier *f, struct scene *s)
{
    const json_t *rows = json_object_get(expected, "rows"),
                 *limit = json_object_get(expected, "limit_at_the_largest");

    if (json_array_size(rows) != (size_t)f->rows)
        return cs_error_set(s->err, "there are %d rows", f->rows);
    for (int r = 0; r < f->rows; r++)
        if (check_row(json_array_get(rows, (size_t)r), &f->row[r], s))
            return -1;
    if (check_answer(expected, "within_5_percent", f, f->within, s) ||
        check_answer(expected, "smallest_with_the_same_makespan", f, f->same, s) ||
        check_answer(expected, "cheapest_by_the_deadline", f, f->deadline, s) ||
        check_best(json_object_get(expected, "frontier"), f, s))
        return -1;
    if (limit && strcmp(json_string_value(limit), f->row[f->rows - 1].limit) != 0)
        return cs_error_set(s->err, "the limit is %s", f->row[f->rows - 1].limit);
    return 0;
}

static int run_frontier(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *tasks = json_object_get(input, "tasks"), *sizes = json_object_get(input, "sizes");
    struct sized z = {.s = s, .effort = json_string_value(json_object_get(input, "effort"))};
    struct cs_frontier_request request = {
        .all = {CS_NEW_ARRAY(s->arena, int, json_array_size(sizes)), (int)json_array_size(sizes)},
        .within = 0.05,
        .deadline = number_of(input, "deadline", NAN),
        .uniform = true,
        .plan = sized_plan,
        .who = &z,
    };
    struct cs_frontier frontier;

    z.effort = z.effort ? z.effort : "exact";
    for (int k = 0; k < request.all.count; k++)
        request.all.size[k] = (int)json_integer_value(json_array_get(sizes, (size_t)k));
    sized_resources(input, s);
    s->modes.tasks = (int)json_array_size(tasks);
    tasks_read(tasks, &s->modes, s->arena);
    modes_read(tasks, &s->modes, s->arena);
    if (cs_frontier_find(&request, &frontier, s->arena, s->err))
        return -1;
    return check_frontier(expected, &frontier, s);
}

/* ---- plans and certificates for the checker ---- */

/* "gpus 0 1" for {"gpus": [0, 1]}. */
static const char *units_read(const json_t *units, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *name, *copy;
    json_t *list;

    json_object_foreach((json_t *)units, name, list)
    {
        cs_strbuf_printf(&text, "%s%s", text.length ? "\n" : "", name);
        for (size_t k = 0; k < json_array_size(list); k++)
            cs_strbuf_printf(&text, " %d", (int)json_integer_value(json_array_get(list, k)));
    }
    copy = text.length ? cs_arena_strdup(arena, text.text) : NULL;
    cs_strbuf_release(&text);
    return copy;
}

static const char *plan_judge(const json_t *plan, struct scene *s)
{
    const json_t *bars = json_object_get(plan, "bars");
    const int count = (int)json_array_size(bars);
    struct cs_check_general_bar *bar = CS_NEW_ARRAY(s->arena, struct cs_check_general_bar, count);
    const struct cs_check_general_plan judged = {.modes = &s->modes,
                                                 .procs = (int)s->modes.capacity[0],
                                                 .bars = count,
                                                 .bar = bar,
                                                 .makespan = number_of(plan, "makespan", NAN),
                                                 .late = number_of(plan, "late", NAN)};
    struct cs_check_report *report = cs_check_report_create(10);
    enum cs_check_rule broken;

    for (int b = 0; b < count; b++) {
        const json_t *row = json_array_get(bars, (size_t)b);

        bar[b] = (struct cs_check_general_bar){
            .task = (int)whole_of(row, "task"),
            .mode = (int)whole_of(row, "mode"),
            .start = number_of(row, "start", NAN),
            .end = number_of(row, "end", NAN),
            .uses = units_read(json_object_get(row, "units"), s->arena)};
    }
    broken = cs_check_general_plan(&judged, report);
    if ((broken == CS_CHECK_RULE_NONE) != (report->total == 0))
        cs_error_set(s->err, "%zu violations of rule %s", report->total,
                     cs_check_rule_name(broken));
    cs_check_report_destroy(report);
    return cs_check_rule_name(broken);
}

static int run_check(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *plans = json_object_get(input, "plans");
    const char *name;
    json_t *want;

    instance_read(json_object_get(input, "instance"), s);
    json_object_foreach((json_t *)expected, name, want)
    {
        const char *found = plan_judge(json_object_get(plans, name), s);

        if (s->err->text[0])
            return -1;
        if (strcmp(found, json_string_value(want)) != 0)
            return cs_error_set(s->err, "%s: %s, expected %s", name, found,
                                json_string_value(want));
    }
    return 0;
}

static int certificate_read(const json_t *json, struct cs_bag_certificate *by, struct scene *s)
{
    const struct cs_key_source source = {.arena = s->arena, .err = s->err};
    const struct cs_json_at at = cs_json_root("certificate", (json_t *)json);

    *by = (struct cs_bag_certificate){0};
    return cs_bag_certificate_read(&at, &source, by);
}

static int run_certificate(const json_t *input, const json_t *expected, struct scene *s)
{
    const json_t *certificates = json_object_get(input, "certificates");
    const char *name;
    json_t *want;

    instance_read(json_object_get(input, "instance"), s);
    json_object_foreach(json_object_get(expected, "bounds"), name, want)
    {
        struct cs_bag_certificate by;
        double bound = NAN;

        if (!certificate_read(json_object_get(certificates, name), &by, s))
            bound = cs_check_general_certified(&s->modes, (int)s->modes.capacity[0], &by);
        s->err->text[0] = '\0';
        if (json_is_string(want) ? !isnan(bound)
                                 : isnan(bound) || golden_number(want, bound, name, s->err))
            return s->err->text[0] ? -1 : cs_error_set(s->err, "%s: %g", name, bound);
    }
    return 0;
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    static const struct {
        const char *kind;
        int (*run)(const json_t *input, const json_t *expected, struct scene *s);
    } kinds[] = {{"plan", run_plan},         {"deadline", run_deadline},
                 {"psplib", run_psplib},     {"nodes", run_nodes},
                 {"frontier", run_frontier}, {"assign", run_assign},
                 {"table", run_table},       {"sizes", run_sizes},
                 {"check", run_check},       {"certificate", run_certificate}};
    const char *kind = json_string_value(json_object_get(json, "kind"));
    struct scene s = {.err = err};

    (void)path;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kind && strcmp(kind, kinds[k].kind) == 0) {
            int status;

            s.arena = cs_arena_create();
            status =
                kinds[k].run(json_object_get(json, "input"), json_object_get(json, "expected"), &s);
            cs_arena_destroy(s.arena);
            return status;
        }
    cs_error_set(err, "the kind %s has no check yet", kind ? kind : "(missing)");
    return GOLDEN_SKIP;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, "bag-golden-1", run_case);
}
