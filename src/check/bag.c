/* bag.c - the bars of a general bag: amounts, dates, budgets; its declared lower bounds.
 *
 * Source: spec/bag.md 8 (the rules and their order), 5.6 (bounds).
 * Idea: bars and windows by date, ends first; the amounts at each date are compared with the
 * capacities, on shared nodes with those of each node.
 * Invariants: the first broken rule ends the check, so that later rules see plans that keep the
 * former.
 * Complexity: O(bars log bars + bars * resources * nodes).
 */
#include "check/bag.h"

#include "base/plain.h"
#include "check/bound.h"
#include "model/bars.h"
#include "model/procset.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MOST ((int64_t)1 << 26) /* above it numbers of a resource are not compared */
#define PROVEN 1e-6                     /* relative: spec/bag.md 6.4 */

const char *cs_check_rule_name(enum cs_check_rule rule)
{
    static const char *const names[] = {"valid",   "every task once", "mode",     "duration",
                                        "release", "precedence",      "capacity", "units",
                                        "budget",  "makespan",        "late"};

    return names[rule];
}

struct check {
    const struct cs_check_general_plan *plan;
    const struct cs_modes *m;
    int64_t *capacity;                      /* by resource; INT64_MAX: not limited */
    const struct cs_check_general_bar **of; /* by task */
    struct cs_check_report *report;
    struct cs_arena *arena;
};

static const char *check_name(const struct check *c, int task)
{
    return c->m->task_name[task];
}

static int mode_at(const struct check *c, const struct cs_check_general_bar *bar)
{
    return c->m->first[bar->task] + bar->mode;
}

/* ---- rules 1 to 5 ---- */

static bool rule_once(struct check *c)
{
    bool fine = true;

    for (int b = 0; b < c->plan->bars; b++) {
        const struct cs_check_general_bar *bar = &c->plan->bar[b];

        if (c->of[bar->task]) {
            cs_check_add(c->report, CS_VIOLATION_TASK_REPEATED, bar->task, bar->start,
                         "task \"%.60s\" runs more than once", check_name(c, bar->task));
            fine = false;
        }
        c->of[bar->task] = bar;
    }
    for (int i = 0; i < c->m->tasks; i++)
        if (!c->of[i]) {
            cs_check_add(c->report, CS_VIOLATION_TASK_MISSING, i, NAN, "task \"%.60s\" never runs",
                         check_name(c, i));
            fine = false;
        }
    return fine;
}

static bool rule_mode(struct check *c)
{
    bool fine = true;

    for (int i = 0; i < c->m->tasks; i++) {
        const struct cs_check_general_bar *bar = c->of[i];
        const int modes = c->m->first[i + 1] - c->m->first[i];
        const char *fault;

        if (bar->mode < 0 || bar->mode >= modes) {
            cs_check_add(c->report, CS_VIOLATION_WIDTH, i, bar->start,
                         "task \"%.60s\" takes mode %d at %.15g s: it has the modes 0 to %d",
                         check_name(c, i), bar->mode, bar->start, modes - 1);
            fine = false;
            continue;
        }
        fault = cs_check_mode_fault(c->m, c->plan->procs, c->capacity, i, mode_at(c, bar));
        if (fault) {
            cs_check_add(c->report, CS_VIOLATION_WIDTH, i, bar->start,
                         "task \"%.60s\" takes mode %d at %.15g s, which needs more than there is: "
                         "%.60s",
                         check_name(c, i), bar->mode, bar->start, fault);
            fine = false;
        }
    }
    return fine;
}

static bool rule_duration(struct check *c)
{
    bool fine = true;

    for (int i = 0; i < c->m->tasks; i++) {
        const struct cs_check_general_bar *bar = c->of[i];
        const double end = bar->start + c->m->seconds[mode_at(c, bar)];

        if (bar->end == end)
            continue;
        cs_check_add(c->report, CS_VIOLATION_DURATION, i, bar->start,
                     "task \"%.60s\" starts at %.17g s and ends at %.17g s: in mode %d it must end "
                     "at %.17g s",
                     check_name(c, i), bar->start, bar->end, bar->mode, end);
        fine = false;
    }
    return fine;
}

static bool rule_release(struct check *c)
{
    bool fine = true;

    for (int i = 0; i < c->m->tasks; i++) {
        const double release = c->m->release ? c->m->release[i] : 0;

        if (c->of[i]->start >= release)
            continue;
        cs_check_add(c->report, CS_VIOLATION_EARLY, i, c->of[i]->start,
                     "task \"%.60s\" starts at %.15g s, its release is %.15g s", check_name(c, i),
                     c->of[i]->start, release);
        fine = false;
    }
    return fine;
}

static bool rule_precedence(struct check *c)
{
    bool fine = true;

    for (int i = 0; i < c->m->tasks; i++)
        for (int a = c->m->before_first[i]; a < c->m->before_first[i + 1]; a++) {
            const int before = c->m->before[a];

            if (c->of[i]->start >= c->of[before]->end)
                continue;
            cs_check_add(c->report, CS_VIOLATION_PRECEDENCE, i, c->of[i]->start,
                         "task \"%.60s\" starts at %.15g s, before \"%.60s\" ends at %.15g s",
                         check_name(c, i), c->of[i]->start, check_name(c, before),
                         c->of[before]->end);
            fine = false;
        }
    return fine;
}

/* ---- rule 6 ---- */

/* At one date: ends, then windows, then bars. */
struct event {
    double date;
    int kind;         /* 0: end of a window or bar, 1: a window begins, 2: a bar */
    int window, task; /* -1 */
};

static int event_compare(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->date != y->date)
        return x->date < y->date ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->window != y->window ? (x->window > y->window) - (x->window < y->window)
                                  : (x->task > y->task) - (x->task < y->task);
}

static struct event *events_make(const struct check *c, int *count)
{
    struct event *event = CS_NEW_ARRAY(c->arena, struct event, 2 * (c->m->tasks + c->m->windows));

    *count = 0;
    for (int w = 0; w < c->m->windows; w++) {
        event[(*count)++] = (struct event){c->m->from[w], 1, w, -1};
        if (!isinf(c->m->to[w]))
            event[(*count)++] = (struct event){c->m->to[w], 0, w, -1};
    }
    for (int i = 0; i < c->m->tasks; i++) {
        event[(*count)++] = (struct event){c->of[i]->start, 2, -1, i};
        event[(*count)++] = (struct event){c->of[i]->end, 0, -1, i};
    }
    qsort(event, (size_t)*count, sizeof *event, event_compare);
    return event;
}

/* Held and away of each resource, of the machine or of a node. */
struct level {
    int64_t held, away, most;
};

static bool level_full(const struct level *l)
{
    return l->held > l->most - (l->away < l->most ? l->away : l->most);
}

static bool capacity_report(struct check *c, const struct event *e, int resource, int node,
                            const struct level *l)
{
    char where[40] = "";
    const int64_t away = l->away < l->most ? l->away : l->most;

    if (node >= 0)
        cs_plain_print(where, sizeof where, " on node %d", node);
    cs_check_add(c->report, CS_VIOLATION_CAPACITY, e->task, e->date,
                 "at %.15g s %lld of %.60s are held%s, and %lld are there", e->date,
                 (long long)l->held, c->m->resource_name[resource], where,
                 (long long)(l->most - away));
    return false;
}

static bool rule_totals(struct check *c, const struct event *event, int count)
{
    struct level *level = CS_NEW_ARRAY(c->arena, struct level, c->m->resources);

    for (int r = 0; r < c->m->resources; r++)
        level[r].most = c->capacity[r];
    for (int k = 0; k < count; k++) {
        const struct event *e = &event[k];
        const int64_t *amount = e->window >= 0
                                    ? c->m->less + (size_t)e->window * (size_t)c->m->resources
                                    : cs_modes_use(c->m, mode_at(c, c->of[e->task]));

        for (int r = 0; r < c->m->resources; r++) {
            int64_t *side = e->window >= 0 ? &level[r].away : &level[r].held;

            if (amount[r] == 0 || level[r].most == INT64_MAX)
                continue;
            *side += e->kind ? amount[r] : -amount[r];
            if (e->kind && level_full(&level[r]))
                return capacity_report(c, e, r, -1, &level[r]);
        }
    }
    return true;
}

/* The numbers of a line as intervals; -1: they are no set, 0: no such line. */
static int uses_set(const struct check *c, const char *uses, const char *name,
                    const struct cs_interval **set)
{
    struct cs_error ignored = {0};
    size_t length;
    const char *text = cs_uses_find(uses, name, &length);

    if (!text)
        return 0;
    text = cs_arena_strndup(c->arena, text, length);
    return cs_procset_parse(text, c->arena, set, &ignored);
}

static int bar_nodes(const struct check *c, const struct cs_check_general_bar *bar,
                     const struct cs_interval **set, int *count)
{
    const int intervals = uses_set(c, bar->uses, "nodes", set);

    *count = 0;
    for (int k = 0; k < intervals; k++) {
        *count += (*set)[k].last - (*set)[k].first + 1;
        if ((*set)[k].last >= c->m->nodes)
            return -1;
    }
    return intervals;
}

/* A mode lies on as many nodes as it needs, or spans. */
static bool rule_node_counts(struct check *c)
{
    for (int i = 0; i < c->m->tasks; i++) {
        const struct cs_interval *set;
        const int mode = mode_at(c, c->of[i]), span = c->m->span ? c->m->span[mode] : 0;
        const int want =
            span ? span : cs_check_nodes_needed(c->m, c->plan->procs, cs_modes_use(c->m, mode));
        int count;

        if (bar_nodes(c, c->of[i], &set, &count) >= 0 && count == want)
            continue;
        cs_check_add(c->report, CS_VIOLATION_CAPACITY, i, c->of[i]->start,
                     "task \"%.60s\" lies on %d nodes at %.15g s: in its mode on %d of %d",
                     check_name(c, i), count, c->of[i]->start, want, c->m->nodes);
        return false;
    }
    return true;
}

static bool node_add(struct check *c, struct level *level, const struct event *e, int node,
                     int share)
{
    const int64_t *use = cs_modes_use(c->m, mode_at(c, c->of[e->task]));

    for (int r = 0; r < c->m->resources; r++) {
        struct level *l = &level[(size_t)node * (size_t)c->m->resources + (size_t)r];

        if (!cs_check_of_nodes(c->m, r) || use[r] == 0)
            continue;
        l->held += e->kind ? cs_modes_share(use[r], share) : -cs_modes_share(use[r], share);
        if (e->kind && level_full(l))
            return capacity_report(c, e, r, node, l);
    }
    return true;
}

/* Each node and share; which nodes windows take is not written, totals see them. */
static bool rule_nodes(struct check *c, const struct event *event, int count)
{
    const size_t resources = (size_t)c->m->resources;
    struct level *level;

    if (c->m->nodes <= 1)
        return true;
    if (!rule_node_counts(c))
        return false;
    level = CS_NEW_ARRAY(c->arena, struct level, (size_t)c->m->nodes * resources);
    for (size_t k = 0; k < (size_t)c->m->nodes * resources; k++)
        level[k].most = cs_check_of_nodes(c->m, (int)(k % resources))
                            ? cs_check_node_room(c->m, c->plan->procs, (int)(k % resources))
                            : INT64_MAX;
    for (int k = 0; k < count; k++) {
        const struct cs_interval *set;
        int intervals, nodes;

        if (event[k].task < 0)
            continue;
        intervals = bar_nodes(c, c->of[event[k].task], &set, &nodes);
        for (int s = 0; s < intervals; s++)
            for (int node = set[s].first; node <= set[s].last; node++)
                if (!node_add(c, level, &event[k], node, nodes))
                    return false;
    }
    return true;
}

static bool rule_capacity(struct check *c)
{
    int count;
    const struct event *event = events_make(c, &count);

    return rule_totals(c, event, count) && rule_nodes(c, event, count);
}

/* ---- rule 7 ---- */

static bool units_report(struct check *c, int task, const char *resource, const char *what)
{
    cs_check_add(c->report, CS_VIOLATION_PROC_SET, task, c->of[task]->start,
                 "task \"%.60s\" at %.15g s: %s of %.60s %s", check_name(c, task),
                 c->of[task]->start, strcmp(resource, "nodes") ? "the numbers" : "they", resource,
                 what);
    return false;
}

/* Is a number on one of the bar's nodes? */
static bool units_on_nodes(const struct check *c, int task, int resource,
                           const struct cs_interval *set, int intervals)
{
    const struct cs_interval *node;
    int nodes, count;
    const int64_t each = c->m->nodes > 1 ? cs_check_node_room(c->m, c->plan->procs, resource) : 0;

    if (each <= 0)
        return true;
    nodes = bar_nodes(c, c->of[task], &node, &count);
    for (int k = 0; k < intervals; k++)
        for (int64_t at = set[k].first / each; at <= set[k].last / each; at++) {
            bool there = false;

            for (int n = 0; n < nodes; n++)
                there |= node[n].first <= at && at <= node[n].last;
            if (!there)
                return false;
        }
    return true;
}

/* The set of a bar: -1: broken. */
static int units_of(struct check *c, int task, int resource, const struct cs_interval **set)
{
    const char *name = c->m->resource_name[resource];
    const int64_t amount = cs_modes_use(c->m, mode_at(c, c->of[task]))[resource];
    const int intervals =
        resource ? uses_set(c, c->of[task]->uses, name, set) : c->of[task]->intervals;

    if (!resource)
        *set = c->of[task]->procs;
    if (intervals < 0)
        return units_report(c, task, name, "are not distinct numbers from 0 on") - 1;
    if (cs_procset_size(*set, intervals) != amount)
        return units_report(c, task, name, "are not as many as its mode takes") - 1;
    if (intervals && (*set)[intervals - 1].last >= c->capacity[resource])
        return units_report(c, task, name, "are not all there") - 1;
    if (cs_check_of_nodes(c->m, resource) && !units_on_nodes(c, task, resource, *set, intervals))
        return units_report(c, task, name, "are not on its nodes") - 1;
    return intervals;
}

static int bars_by_start(const void *a, const void *b)
{
    const struct cs_check_general_bar *x = *(const struct cs_check_general_bar *const *)a,
                                      *y = *(const struct cs_check_general_bar *const *)b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

/* One resource: numbers that two bars hold at the same time. */
static bool units_shared(struct check *c, int resource, const struct cs_check_general_bar **sorted)
{
    double *busy = CS_NEW_ARRAY(c->arena, double, c->capacity[resource]);

    for (int64_t u = 0; u < c->capacity[resource]; u++)
        busy[u] = -INFINITY;
    for (int b = 0; b < c->m->tasks; b++) {
        const struct cs_check_general_bar *bar = sorted[b];
        const struct cs_interval *set = NULL;
        const int intervals = units_of(c, bar->task, resource, &set);

        for (int k = 0; k < intervals; k++)
            for (int u = set[k].first; u <= set[k].last; u++) {
                if (busy[u] > bar->start)
                    return units_report(c, bar->task, c->m->resource_name[resource],
                                        "are held by another task at that time");
                busy[u] = bar->end;
            }
    }
    return true;
}

/* Amounts without numbers, where a bar has them. */
static bool units_amounts(struct check *c, int task, int resource)
{
    size_t length;
    const char *text = cs_uses_find(c->of[task]->uses, c->m->resource_name[resource], &length);
    const int64_t amount = cs_modes_use(c->m, mode_at(c, c->of[task]))[resource];

    if (text ? strtoll(text, NULL, 10) == amount : amount == 0 || !c->of[task]->uses)
        return true;
    cs_check_add(c->report, CS_VIOLATION_WIDTH, task, c->of[task]->start,
                 "task \"%.60s\" at %.15g s: its mode takes %lld of %.60s, its bar has another "
                 "amount",
                 check_name(c, task), c->of[task]->start, (long long)amount,
                 c->m->resource_name[resource]);
    return false;
}

static bool rule_units(struct check *c)
{
    const struct cs_check_general_bar **sorted =
        CS_NEW_ARRAY(c->arena, const struct cs_check_general_bar *, c->m->tasks);
    const bool numbered = c->m->tasks > 0 && c->of[0]->intervals > 0;

    if (c->m->tasks)
        memcpy(sorted, c->of, (size_t)c->m->tasks * sizeof *sorted);
    qsort(sorted, (size_t)c->m->tasks, sizeof *sorted, bars_by_start);
    for (int r = 0; r < c->m->resources; r++) {
        const bool numbers = r ? cs_modes_numbered(c->m->resource_name[r]) : numbered;

        for (int i = 0; i < c->m->tasks; i++) {
            const struct cs_interval *set = NULL;

            if (numbers ? units_of(c, i, r, &set) < 0 : r && !units_amounts(c, i, r))
                return false;
        }
        if (numbers && c->capacity[r] <= NUMBERS_MOST && !units_shared(c, r, sorted))
            return false;
    }
    return true;
}

/* ---- rules 8 and 9 ---- */

static int64_t budget_spent(const struct check *c, int budget)
{
    int64_t spent = 0;

    for (int i = 0; i < c->m->tasks; i++)
        spent += cs_modes_spend(c->m, mode_at(c, c->of[i]))[budget];
    return spent;
}

static bool rule_budget(struct check *c)
{
    for (int q = 0; q < c->m->budgets; q++) {
        const int64_t spent = budget_spent(c, q);

        if (c->m->budget[q] < 0 || spent <= c->m->budget[q])
            continue;
        cs_check_add(c->report, CS_VIOLATION_DECLARED_COST, -1, NAN,
                     "the tasks consume %.15g of %.60s: the budget is %.15g", (double)spent / 1000,
                     c->m->budget_name[q], (double)c->m->budget[q] / 1000);
        return false;
    }
    return true;
}

static bool differs(double declared, double is)
{
    return !isnan(declared) && !(fabs(declared - is) <= 1e-9 * fmax(1, fabs(is)));
}

static bool rule_makespan(struct check *c)
{
    double makespan = 0;

    for (int i = 0; i < c->m->tasks; i++)
        makespan = fmax(makespan, c->of[i]->end);
    if (!differs(c->plan->makespan, makespan))
        return true;
    cs_check_add(c->report, CS_VIOLATION_MAKESPAN, -1, makespan,
                 "the declared makespan is %.15g s, the last bar ends at %.15g s",
                 c->plan->makespan, makespan);
    return false;
}

static bool rule_late(struct check *c)
{
    double late = 0;

    for (int i = 0; c->m->deadline && i < c->m->tasks; i++)
        if (c->of[i]->end > c->m->deadline[i] * (1 + 1e-9))
            late += c->of[i]->end - c->m->deadline[i];
    if (!differs(c->plan->late, late))
        return true;
    cs_check_add(c->report, CS_VIOLATION_LATE, -1, NAN,
                 "the declared lateness is %.15g s: tasks end %.15g s after their deadlines",
                 c->plan->late, late);
    return false;
}

static struct check check_begin(const struct cs_check_general_plan *plan,
                                struct cs_check_report *report)
{
    struct check c = {.plan = plan, .m = plan->modes, .report = report, .arena = cs_arena_create()};

    c.capacity = cs_check_capacities(c.m, plan->procs, c.arena);
    c.of = CS_NEW_ARRAY(c.arena, const struct cs_check_general_bar *, c.m->tasks);
    return c;
}

static enum cs_check_rule check_rules(struct check *c)
{
    static bool (*const rule[])(struct check *) = {
        NULL,          rule_once,  rule_mode,   rule_duration, rule_release, rule_precedence,
        rule_capacity, rule_units, rule_budget, rule_makespan, rule_late};

    for (int k = CS_CHECK_RULE_ONCE; k <= CS_CHECK_RULE_LATE; k++)
        if (!rule[k](c))
            return (enum cs_check_rule)k;
    return CS_CHECK_RULE_NONE;
}

enum cs_check_rule cs_check_general_plan(const struct cs_check_general_plan *plan,
                                         struct cs_check_report *report)
{
    struct check c = check_begin(plan, report);
    const enum cs_check_rule broken = check_rules(&c);

    cs_arena_destroy(c.arena);
    return broken;
}

/* ---- files ---- */

struct file {
    const struct cs_modes *m;
    const struct cs_moldable_declared *said;
    const struct cs_bag_declared *bag;
    struct check *check;
    struct cs_check_bounds bounds;
    double makespan;
    struct cs_check_report *report;
};

static double area_of(const struct file *f, int resource)
{
    double *price = CS_NEW_ARRAY(f->bounds.arena, double, f->m->resources);

    price[resource] = 1;
    return f->bounds.capacity[resource] == INT64_MAX ? 0
                                                     : cs_check_bounds_priced(&f->bounds, price);
}

static int resource_find(const struct cs_modes *m, const char *name)
{
    for (int r = 0; r < m->resources; r++)
        if (!strcmp(m->resource_name[r], name))
            return r;
    return -1;
}

static void file_bound_wrong(const struct file *f, const char *name, double declared, double is)
{
    cs_check_add(f->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                 "the declared bound \"%.60s\" is %.15g: that of the instance is %.15g", name,
                 declared, is);
}

/* Bounds that the instance has. */
static double file_simple(const struct file *f)
{
    double most = f->bounds.critical;

    if (differs(f->said->critical, f->bounds.critical))
        file_bound_wrong(f, "critical", f->said->critical, f->bounds.critical);
    for (int r = 0; r < f->m->resources; r++)
        most = fmax(most, area_of(f, r));
    for (int k = 0; f->bag && k < f->bag->areas; k++) {
        const int r = resource_find(f->m, f->bag->area[k].name);
        const double is = r < 0 ? NAN : area_of(f, r);

        if (!(fabs(f->bag->area[k].value - is) <= 1e-9 * fmax(1, is)))
            file_bound_wrong(f, f->bag->area[k].name, f->bag->area[k].value, is);
    }
    return most;
}

/* Bounds that the file does not prove are at most its lower bound. */
static void file_claims(const struct file *f)
{
    const struct {
        const char *name;
        double value;
    } claim[] = {{"prices", f->said->prices},
                 {"disjunctive", f->said->disjunctive},
                 {"relaxation", f->said->relaxation}};

    const double most = isnan(f->said->lower_bound) ? f->makespan : f->said->lower_bound;

    for (size_t k = 0; k < sizeof claim / sizeof *claim; k++)
        if (claim[k].value > most * (1 + CS_CHECK_BOUND_SAME) || claim[k].value < 0)
            cs_check_add(f->report, CS_VIOLATION_DECLARED_BOUND, -1, f->makespan,
                         "the declared bound \"%s\" is %.15g: the largest is %.15g", claim[k].name,
                         claim[k].value, most);
    if (!isnan(f->said->area))
        cs_check_add(f->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                     "the declared bound \"area\" is a number: it has one for each resource");
}

static void file_lower_bound(const struct file *f)
{
    const struct cs_bag_certificate *by = f->bag ? &f->bag->certificate : NULL;
    const double declared = f->said->lower_bound, below = declared * (1 - CS_CHECK_BOUND_SAME);
    const double simple = file_simple(f);
    double shown = simple;

    file_claims(f);
    if (by && (by->has_flow || by->tasks || by->prices)) {
        const double certified = cs_check_bounds_certified(&f->bounds, by);

        if (isnan(certified))
            cs_check_add(f->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                         "the certificate proves no bound");
        shown = fmax(shown, certified);
    }
    if (!isnan(declared))
        cs_check_bound_shown(declared,
                             below <= shown                ? CS_CHECK_SHOWN
                             : f->said->certificate.search ? CS_CHECK_SEARCHED
                                                           : CS_CHECK_NOT_SHOWN,
                             f->makespan, f->report);
}

static void file_gap(const struct file *f)
{
    const double gap = f->makespan / f->said->lower_bound - 1;

    if (!isnan(f->said->gap) && !(fabs(f->said->gap - gap) <= 1e-9) && f->said->gap != 0)
        cs_check_add(f->report, CS_VIOLATION_DECLARED_BOUND, -1, f->makespan,
                     "the declared gap is %.15g: makespan / lower_bound - 1 is %.15g", f->said->gap,
                     gap);
    if (f->said->gap == 0 && !(f->makespan <= f->said->lower_bound * (1 + PROVEN)))
        cs_check_add(f->report, CS_VIOLATION_OPTIMAL, -1, f->makespan,
                     "the gap is declared as 0: the bound is %.15g", f->said->lower_bound);
}

static void file_amount_wrong(const struct file *f, const char *what, const char *name)
{
    cs_check_add(f->report, CS_VIOLATION_DECLARED_RATIO, -1, NAN,
                 "the declared %s of \"%.60s\" is not that of the instance and the bars", what,
                 name);
}

static void file_budgets(const struct file *f)
{
    for (int k = 0; k < f->bag->spends; k++) {
        int q = 0;

        while (q < f->m->budgets && strcmp(f->m->budget_name[q], f->bag->spend[k].name) != 0)
            q++;
        if (q == f->m->budgets ||
            differs(f->bag->spend[k].value, (double)budget_spent(f->check, q) / 1000) ||
            differs(f->bag->budget[k].value, (double)f->m->budget[q] / 1000))
            file_amount_wrong(f, "budget", f->bag->spend[k].name);
    }
}

static double use_share(const struct file *f, int resource)
{
    double *price = CS_NEW_ARRAY(f->bounds.arena, double, f->m->resources), area = 0, room = 0;

    price[resource] = 1;
    for (int i = 0; i < f->m->tasks; i++) {
        const struct cs_check_general_bar *bar = f->check->of[i];

        area +=
            (double)cs_modes_use(f->m, mode_at(f->check, bar))[resource] * (bar->end - bar->start);
    }
    for (double at = 0; at < f->makespan;) {
        const double next = fmin(cs_check_window_next(&f->bounds, at), f->makespan);

        room += cs_check_bounds_free(&f->bounds, price, at) * (next - at);
        at = next;
    }
    return room > 0 ? area / room : 0;
}

static void file_resources(const struct file *f)
{
    for (int k = 0; k < f->bag->uses; k++) {
        const int r = resource_find(f->m, f->bag->use[k].name);

        if (r < 0 || differs(f->bag->use[k].value, use_share(f, r)))
            file_amount_wrong(f, "use", f->bag->use[k].name);
    }
    for (int k = 0; k < f->bag->resources; k++) {
        const int r = resource_find(f->m, f->bag->resource[k].name);
        const double node = f->bag->per_node ? f->bag->per_node[k].value : 0;

        if (r < 0 || differs(f->bag->resource[k].value, (double)f->bounds.capacity[r]) ||
            (node > 0 && (f->m->nodes <= 1 || !cs_check_of_nodes(f->m, r) ||
                          differs(node, (double)cs_check_node_room(f->m, f->bounds.procs, r)))))
            file_amount_wrong(f, "capacity", f->bag->resource[k].name);
    }
    if (f->said->nodes > 0 && f->said->nodes != f->m->nodes)
        file_amount_wrong(f, "number", "nodes");
}

/* The bars of a schedule with the declared modes; NULL: other tasks than those of the instance. */
static struct cs_check_general_bar *file_bars(const struct cs_schedule *schedule,
                                              const struct cs_moldable_declared *said, int *count,
                                              struct cs_arena *arena)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    struct cs_check_general_bar *out = CS_NEW_ARRAY(arena, struct cs_check_general_bar, bars);

    for (size_t b = 0; b < bars; b++)
        out[b] = (struct cs_check_general_bar){.task = bar[b].task,
                                               .mode = said->mode[bar[b].task],
                                               .start = bar[b].start,
                                               .end = bar[b].end,
                                               .intervals = bar[b].intervals,
                                               .procs = bar[b].procs,
                                               .uses = cs_schedule_uses(schedule, b)};
    *count = (int)bars;
    return out;
}

/* Bars of modes that take no time. */
static const bool *file_tiny(const struct check *c, const struct cs_schedule *schedule)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    bool *tiny = CS_NEW_ARRAY(c->arena, bool, bars);

    for (size_t b = 0; b < bars; b++)
        tiny[b] = bar[b].end == bar[b].start;
    return tiny;
}

/* Each task succeeds in its first attempt. */
static void file_attempts(const struct cs_schedule *schedule, struct cs_check_report *report)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    for (size_t b = 0; b < bars; b++)
        if (cs_check_attempt(schedule, &bar[b], 0, report) && bar[b].kind != CS_BAR_WORK)
            cs_check_add(report, CS_VIOLATION_BAR_KIND, bar[b].task, bar[b].start,
                         "task \"%.60s\" has a bar of kind %s at %.15g s: plans have only work",
                         cs_schedule_task_name(schedule, bar[b].task),
                         cs_bar_kind_name(bar[b].kind), bar[b].start);
}

static void file_declared(struct check *check, const struct cs_moldable_declared *said,
                          struct cs_check_report *report)
{
    struct file f = {.m = check->m,
                     .said = said,
                     .bag = said->bag,
                     .check = check,
                     .bounds = cs_check_bounds_begin(check->m, check->plan->procs, check->arena),
                     .report = report};

    for (int i = 0; i < check->m->tasks; i++)
        f.makespan = fmax(f.makespan, check->of[i]->end);
    for (int i = 0; said->counts && i < check->m->tasks; i++)
        if (said->counts[i] != cs_modes_use(check->m, mode_at(check, check->of[i]))[0])
            cs_check_add(report, CS_VIOLATION_DECLARED_TASK, i, check->of[i]->start,
                         "task \"%.60s\" is declared as launched on %d processors: its mode takes "
                         "%lld",
                         check_name(check, i), said->counts[i],
                         (long long)cs_modes_use(check->m, mode_at(check, check->of[i]))[0]);
    file_lower_bound(&f);
    file_gap(&f);
    if (f.bag) {
        file_budgets(&f);
        file_resources(&f);
    }
}

int cs_check_general_bag(const struct cs_schedule *schedule, const struct cs_workload *workload,
                         const struct cs_moldable_declared *said, struct cs_check_report *report)
{
    struct cs_modes modes = *workload->modes;
    struct cs_check_general_plan plan = {.modes = &modes,
                                         .procs = cs_schedule_procs(schedule),
                                         .makespan = NAN,
                                         .late = said ? said->late : NAN};
    double *release;
    struct check c;

    if (!said || !said->mode) {
        cs_check_lack(report, "the file has no \"modes\": what its tasks hold is unknown");
        return cs_check_general(schedule, true, report);
    }
    c = check_begin(&plan, report);
    plan.bar = file_bars(schedule, said, &plan.bars, c.arena);
    release = CS_NEW_ARRAY(c.arena, double, modes.tasks);
    for (int i = 0; workload->limit && i < modes.tasks; i++)
        release[i] = workload->limit[i].release;
    modes.release = release;
    if (check_rules(&c) == CS_CHECK_RULE_NONE) {
        cs_check_bars(schedule, true, file_tiny(&c, schedule), report);
        file_attempts(schedule, report);
        file_declared(&c, said, report);
    } else {
        cs_check_general(schedule, true, report);
    }
    cs_arena_destroy(c.arena);
    return 0;
}
