/* general.c - general bags from modes to plans, and from plans to schedules.
 *
 * Source: spec/bag.md 6.5 (efforts), 6.6 (deadlines), 3.7 (shared nodes), 4.5 (numbers), 5.6
 * (certificates), 12.1 (messages).
 * Idea: fast: lists; default: then the search, then the exact method up to a number of conflicts;
 * high: SEEDS searches of TIMES as many moves; exact: the exact method until it ends.
 * Where the best plan does not keep deadlines and budgets, those of at most ENUMERATED tasks are
 * enumerated.
 * Invariants: the numbers of moves and conflicts depend on the bag and the effort only; a plan that
 * exceeds a budget is never returned; the bound holds for every plan that keeps the budgets.
 * Complexity: the search one decoder a move; the exact method is exponential.
 *
 *   constant   value          unit       how found        half, double
 *   MOVES      20,000; 4e6/n  moves      spec/bag.md 6.5  not measured
 *   SEEDS      8              seeds      spec/bag.md 6.5  not measured
 *   TIMES      10             of moves   spec/bag.md 6.5  not measured
 *   CONFLICTS  20,000; 5,000  conflicts  spec/bag.md 6.5  not measured
 *   ENUMERATED 20             tasks      20: none of 100 complete
 *   PLACED     1,000,000      tasks      random bags of 8, 12: all, half complete; 50 ms
 */
#include "problems/moldable/bag/general.h"

#include "base/strbuf.h"
#include "model/bars.h"
#include "model/procset.h"
#include "problems/moldable/bag/machine.h"
#include "problems/moldable/policy.h"

#include <limits.h>
#include <string.h>

#define MOVES 20000LL
#define MOVES_TASKS 4000000LL
#define SEEDS 8
#define TIMES 10
#define CONFLICTS 20000
#define CONFLICTS_MANY 5000
#define CONFLICTS_HIGH 500000
#define ENUMERATED 20
#define PLACED 1000000
#define TASKS_FEW 60
#define TASKS_MANY 200

/* ---- the bag ---- */

/* The first resource of which a window without end leaves too little for a task. */
static int refuse_windows(const struct cs_bag_general *g, struct cs_error *err)
{
    const struct cs_modes *m = &g->bag.data;
    const int last = g->bag.steps - 1;
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int i = 0; i < m->tasks && !text.length; i++)
        for (int r = 0; r < m->resources && !text.length; r++) {
            const int64_t left = g->bag.room[(size_t)last * (size_t)m->resources + (size_t)r];
            int64_t least = INT64_MAX;

            for (int k = m->first[i]; k < m->first[i + 1]; k++)
                least = cs_bag_use(&g->bag, k)[r] < least ? cs_bag_use(&g->bag, k)[r] : least;
            if (least <= left)
                continue;
            cs_strbuf_puts(&text, "no plan: from ");
            cs_bag_put_clock(&text, g->bag.step[last]);
            cs_strbuf_puts(&text, " on ");
            cs_bag_put_amount(&text, m->resource_name[r], left);
            cs_strbuf_puts(&text, " of ");
            cs_bag_put_amount(&text, m->resource_name[r], m->capacity[r]);
            cs_strbuf_printf(&text, " %s are left, %.60s needs ",
                             r ? m->resource_name[r] : "processors", m->task_name[i]);
            cs_bag_put_amount(&text, m->resource_name[r], least);
        }
    cs_error_set(err, "%s", text.length ? text.text : "no plan: the windows leave too little time");
    cs_strbuf_release(&text);
    return -1;
}

/* On shared nodes every window needs as many free nodes as it lies on. */
static int refuse_window_nodes(const struct cs_bag_general *g, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int span, window = -1;

    if (g->bag.data.nodes > 1)
        window = cs_bag_window_unplaced(&g->bag, &span, g->arena);
    if (window < 0)
        return 0;
    cs_bag_put_clock(&text, g->bag.data.from[window]);
    cs_error_set(err, "window %d: fewer than %d node%s free from %s on", window + 1, span,
                 span == 1 ? " is" : "s are", text.text);
    cs_strbuf_release(&text);
    return -1;
}

static const char *deadlines_remark(const struct cs_bag_general *g)
{
    const struct cs_modes *m = &g->bag.data;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *remark = "";

    for (int i = 0; m->deadline && i < m->tasks; i++) {
        const double end = g->bag.head[i] + cs_bag_fastest(&g->bag, i);

        if (!(end > m->deadline[i] * (1 + 1e-9)))
            continue;
        cs_strbuf_printf(&text, "%s%.60s cannot end before ", text.length ? "\n" : "",
                         m->task_name[i]);
        cs_bag_put_clock(&text, end);
        cs_strbuf_puts(&text, ", its deadline is ");
        cs_bag_put_clock(&text, m->deadline[i]);
    }
    if (text.length)
        remark = cs_arena_strdup(g->arena, text.text);
    cs_strbuf_release(&text);
    return remark;
}

int cs_bag_general_create(const struct cs_modes *modes, struct cs_bag_general *g,
                          const char **remark, struct cs_arena *arena, struct cs_error *err)
{
    *g = (struct cs_bag_general){.modes = modes, .arena = arena};
    *remark = "";
    if (cs_bag_create(modes, &g->bag, arena, err) || refuse_window_nodes(g, err))
        return -1;
    cs_bag_bound(&g->bag, &g->bounds, arena);
    g->cheap = g->bounds.least;
    if (isinf(g->cheap))
        return refuse_windows(g, err);
    g->relaxed = modes->tasks > 0 && cs_bag_relax(&g->bag, &g->relaxation, arena);
    if (g->relaxed)
        g->cheap = fmax(g->cheap, g->relaxation.bound);
    *remark = deadlines_remark(g);
    return 0;
}

const char *cs_bag_general_reason(const struct cs_modes *m, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *reason;
    int used = 0;

    for (int r = 1; r < m->resources && !used; r++)
        for (int k = 0; k < m->first[m->tasks] && !used; k++)
            used = cs_modes_use(m, k)[r] > 0 ? r : 0;
    if (used)
        cs_strbuf_printf(&text, "the tasks need %s", m->resource_name[used]);
    else
        cs_strbuf_puts(&text, m->before_first[m->tasks] ? "tasks wait for others"
                              : m->deadline             ? "tasks have deadlines"
                              : m->budgets              ? "there is a budget"
                              : m->windows              ? "processors are away in windows"
                              : m->nodes > 1            ? "tasks share nodes"
                                                        : "a task has two modes on one count");
    reason = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return reason;
}

/* ---- planning ---- */

struct planning {
    const struct cs_bag_general *g;
    const struct cs_moldable_request *request;
    struct cs_bag_plan best;
    double bound;
    bool closed, impossible; /* impossible: no plan keeps budgets and deadlines */
    long long moves, conflicts;
    uint64_t seed;
    struct cs_arena *scratch;
};

static void plan_search(struct planning *p, int seeds, long long moves)
{
    struct cs_bag_plan first, trial;

    cs_bag_plan_init(&first, &p->g->bag, p->scratch);
    cs_bag_plan_init(&trial, &p->g->bag, p->scratch);
    cs_bag_plan_copy(&first, &p->best, p->g->bag.data.tasks);
    p->seed = p->request->seed;
    p->moves = moves;
    for (int s = 0; s < seeds; s++) {
        if (p->request->expired && p->request->expired(p->request->who))
            return;
        cs_bag_plan_copy(&trial, &first, p->g->bag.data.tasks);
        cs_bag_search(&p->g->bag, &p->g->bounds, p->request->seed + (uint64_t)s,
                      moves > INT_MAX ? INT_MAX : (int)moves, &trial, p->scratch);
        if (cs_bag_plan_better(&trial, &p->best)) {
            cs_bag_plan_copy(&p->best, &trial, p->g->bag.data.tasks);
            p->seed = p->request->seed + (uint64_t)s;
        }
    }
}

static bool plan_keeps(const struct cs_bag_plan *plan)
{
    return !isinf(plan->makespan) && plan->over == 0 && plan->late == 0;
}

/* On shared nodes the exact method is one of a relaxation, whose plan may not fit. */
static void plan_fit(struct planning *p, const struct cs_bag_plan *found)
{
    const struct cs_bag *bag = &p->g->bag;
    struct cs_bag_decoder *decoder = cs_bag_decoder_create(bag, p->scratch);
    int *order = CS_NEW_ARRAY(p->scratch, int, bag->data.tasks);
    struct cs_bag_plan fitted;

    cs_bag_plan_init(&fitted, bag, p->scratch);
    cs_bag_plan_copy(&fitted, found, bag->data.tasks);
    cs_bag_order(bag, found->start, order, p->scratch);
    cs_bag_earliest(decoder, order, &fitted);
    if (cs_bag_plan_better(&fitted, &p->best))
        cs_bag_plan_copy(&p->best, &fitted, bag->data.tasks);
}

static void plan_prove(struct planning *p, long long conflicts)
{
    const struct cs_bag *bag = &p->g->bag;
    struct cs_bag_proof proof = {.conflicts = conflicts,
                                 .relaxation = p->g->relaxed ? &p->g->relaxation : NULL,
                                 .expired = p->request->expired,
                                 .who = p->request->who,
                                 .bound = p->g->cheap};
    struct cs_bag_plan found;

    if (conflicts == 0 || (plan_keeps(&p->best) && p->best.makespan <= p->bound * (1 + 1e-12)))
        return;
    cs_bag_plan_init(&found, bag, p->scratch);
    if (bag->data.nodes <= 1)
        cs_bag_plan_copy(&found, &p->best, bag->data.tasks);
    cs_bag_exact(bag, &proof, &found, p->scratch);
    p->conflicts = proof.spent;
    p->impossible = isinf(proof.bound);
    p->closed = proof.closed && !p->impossible;
    if (!p->impossible)
        p->bound = fmax(p->bound, proof.bound);
    if (isinf(found.makespan))
        return;
    if (bag->data.nodes > 1)
        plan_fit(p, &found);
    else if (cs_bag_plan_better(&found, &p->best))
        cs_bag_plan_copy(&p->best, &found, bag->data.tasks);
}

/* The exact method has no plan that is late: of small bags all are tried. */
static void plan_enumerate(struct planning *p)
{
    if (!plan_keeps(&p->best) && p->g->bag.data.tasks <= ENUMERATED)
        cs_bag_enumerate(&p->g->bag, PLACED, &p->best, p->scratch);
}

static long long conflicts_for(int tasks)
{
    return tasks <= TASKS_FEW ? CONFLICTS : tasks <= TASKS_MANY ? CONFLICTS_MANY : 0;
}

static void plan_by_effort(struct planning *p, enum cs_moldable_effort effort)
{
    const int n = p->g->bag.data.tasks;
    const long long moves = MOVES_TASKS / n < MOVES ? MOVES_TASKS / n : MOVES;

    if (effort == CS_MOLDABLE_EFFORT_FAST) {
        plan_prove(p, p->g->hurried);
        return;
    }
    if (effort == CS_MOLDABLE_EFFORT_HIGH)
        plan_search(p, SEEDS, TIMES * moves);
    else
        plan_search(p, 1, moves);
    plan_prove(p, effort == CS_MOLDABLE_EFFORT_HIGH    ? CONFLICTS_HIGH
                  : effort == CS_MOLDABLE_EFFORT_EXACT ? LLONG_MAX / 4
                                                       : conflicts_for(n));
    plan_enumerate(p);
}

/* -1 with err: another planner. */
static int plan_by_policy(struct planning *p, struct cs_error *err)
{
    int count;
    const char *name = cs_moldable_policies(&count)[p->request->call.policy]->name;

    if (!strcmp(name, "list"))
        return 0;
    if (!strcmp(name, "search")) {
        plan_search(p, 1, (long long)p->request->call.param[0]);
        return 0;
    }
    if (!strcmp(name, "exact") && p->request->call.param[2] == 1) {
        name = "exact:method=branch";
    } else if (!strcmp(name, "exact")) {
        plan_by_effort(p, CS_MOLDABLE_EFFORT_EXACT);
        return 0;
    }
    return cs_error_set(err, "%s knows one resource: %s; list, search and exact plan such bags",
                        name, cs_bag_general_reason(p->g->modes, p->scratch));
}

static int plan_refuse(const struct planning *p, struct cs_error *err)
{
    const struct cs_modes *m = &p->g->bag.data;
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (isinf(p->best.makespan))
        return refuse_windows(p->g, err);
    if (p->impossible && !m->deadline)
        return cs_error_set(err, "there is no plan within the budgets (proven)");
    for (int q = 0; q < m->budgets; q++) {
        const int64_t spent = cs_bag_spent(&p->g->bag, p->best.choice, q);

        if (spent > m->budget[q])
            cs_strbuf_printf(&text, "%s%s: %.15g of %.15g", text.length ? ", " : "",
                             m->budget_name[q], (double)spent / 1000, (double)m->budget[q] / 1000);
    }
    cs_error_set(err, "no plan within the budgets was found (%s in the best)", text.text);
    cs_strbuf_release(&text);
    return -1;
}

/* On shared nodes EARLIEST-N makes a plan from an order, whose places are kept in `first`, so that
 * the schedule finds the same nodes. */
static void plan_lay(struct planning *p, struct cs_moldable_plan *plan)
{
    const struct cs_bag *bag = &p->g->bag;
    int *order = CS_NEW_ARRAY(p->scratch, int, bag->data.tasks);

    cs_bag_order(bag, p->best.start, order, p->scratch);
    cs_bag_earliest(cs_bag_decoder_create(bag, p->scratch), order, &p->best);
    for (int place = 0; place < bag->data.tasks; place++)
        plan->first[order[place]] = place;
}

static void plan_give(const struct planning *p, struct cs_moldable_plan *plan)
{
    const struct cs_modes *m = &p->g->bag.data;
    const bool laid = m->nodes > 1;

    plan->makespan = p->best.makespan;
    for (int i = 0; i < m->tasks; i++) {
        plan->choice[i] = p->best.choice[i];
        plan->procs[i] = (int)cs_bag_use(&p->g->bag, m->first[i] + p->best.choice[i])[0];
        plan->start[i] = p->best.start[i];
        plan->end[i] = cs_bag_end(&p->g->bag, &p->best, i);
        plan->first[i] = laid ? plan->first[i] : -1;
    }
    plan->bound = fmin(p->bound, p->best.makespan);
    plan->optimal = p->best.late == 0 && (p->best.makespan <= p->bound * (1 + 1e-12) ||
                                          (p->closed && p->best.makespan <= p->bound * (1 + 1e-6)));
    if (p->moves) {
        cs_moldable_plan_note(plan, "seed", NULL, (double)p->seed);
        cs_moldable_plan_note(plan, "moves granted", NULL, (double)p->moves);
    }
    if (p->conflicts)
        cs_moldable_plan_note(plan, "conflicts", NULL, (double)p->conflicts);
    if (p->impossible && p->best.late > 0)
        cs_moldable_plan_note(plan, "deadlines", "no plan meets all of them (proven)", 0);
}

int cs_bag_general_plan(const struct cs_bag_general *g, enum cs_moldable_effort effort,
                        const struct cs_moldable_request *request, bool by_policy,
                        struct cs_moldable_plan *plan, struct cs_error *err)
{
    struct planning p = {
        .g = g, .request = request, .bound = g->cheap, .scratch = cs_arena_create()};
    int status = 0;

    cs_moldable_plan_clear(plan);
    if (g->bag.data.tasks == 0) {
        plan->makespan = 0;
        plan->optimal = true;
        cs_arena_destroy(p.scratch);
        return 0;
    }
    cs_bag_plan_init(&p.best, &g->bag, p.scratch);
    cs_bag_lists(&g->bag, &g->bounds, &p.best, p.scratch);
    if (by_policy)
        status = plan_by_policy(&p, err);
    else
        plan_by_effort(&p, effort);
    if (!status && g->bag.data.nodes > 1 && !isinf(p.best.makespan))
        plan_lay(&p, plan);
    if (!status && (isinf(p.best.makespan) || p.best.over > 0))
        status = plan_refuse(&p, err);
    if (!status)
        plan_give(&p, plan);
    cs_arena_destroy(p.scratch);
    return status;
}

double cs_bag_general_late(const struct cs_bag_general *g, const struct cs_moldable_plan *plan)
{
    const double *due = g->bag.data.deadline;
    double late = 0;

    for (int i = 0; due && i < plan->tasks; i++)
        if (plan->end[i] > due[i] * (1 + 1e-9))
            late += plan->end[i] - due[i];
    return late;
}

enum cs_time_origin cs_bag_general_origin(const struct cs_bag_general *g, int task, int choice)
{
    const int mode = g->modes->first[task] + g->bag.origin[g->bag.data.first[task] + choice];

    return g->modes->origin ? (enum cs_time_origin)g->modes->origin[mode] : CS_ORIGIN_MEASURED;
}

double cs_bag_general_spent(const struct cs_bag_general *g, const struct cs_moldable_plan *plan,
                            int budget)
{
    return (double)cs_bag_spent(&g->bag, plan->choice, budget) / 1000;
}

/* ---- use over time ---- */

static int64_t plan_use(const struct cs_bag_general *g, const struct cs_moldable_plan *plan,
                        int task, int resource)
{
    return cs_bag_use(&g->bag, g->bag.data.first[task] + plan->choice[task])[resource];
}

int64_t cs_bag_general_peak(const struct cs_bag_general *g, const struct cs_moldable_plan *plan,
                            int resource)
{
    int64_t peak = 0;

    for (int i = 0; i < plan->tasks; i++) {
        int64_t at = 0;

        for (int k = 0; k < plan->tasks; k++)
            if (plan->start[k] <= plan->start[i] && plan->start[i] < plan->end[k])
                at += plan_use(g, plan, k, resource);
        peak = at > peak ? at : peak;
    }
    return peak;
}

double cs_bag_general_use(const struct cs_bag_general *g, const struct cs_moldable_plan *plan,
                          int resource)
{
    double area = 0, room = 0;

    for (int i = 0; i < plan->tasks; i++)
        area += (double)plan_use(g, plan, i, resource) * (plan->end[i] - plan->start[i]);
    for (int k = 0; k < g->bag.steps && g->bag.step[k] < plan->makespan; k++) {
        const double end =
            k + 1 < g->bag.steps ? fmin(g->bag.step[k + 1], plan->makespan) : plan->makespan;

        room += (double)g->bag.room[(size_t)k * (size_t)g->bag.data.resources + (size_t)resource] *
                (end - g->bag.step[k]);
    }
    return room > 0 ? area / room : 0;
}

/* ---- numbers ---- */

struct numbering {
    const struct cs_bag_general *g;
    const struct cs_moldable_plan *plan;
    struct cs_bag_bar *bar; /* windows, then tasks */
    int **number;           /* of a resource */
    struct cs_bag_nodes *nodes;
    struct cs_arena *arena;
};

/* Amounts that windows take between two steps, as bars. */
static int numbering_windows(struct numbering *x, int resource)
{
    const struct cs_bag *bag = &x->g->bag;
    const int resources = bag->data.resources;
    int bars = 0;

    for (int k = 0; k < bag->steps; k++) {
        const int64_t away = bag->data.capacity[resource] -
                             bag->room[(size_t)k * (size_t)resources + (size_t)resource];
        const double end = k + 1 < bag->steps ? bag->step[k + 1] : INFINITY;

        if (away > 0)
            x->bar[bars++] = (struct cs_bag_bar){bag->step[k], end, (int)away};
    }
    return bars;
}

/* Lowest free numbers; with windows tasks may need more numbers than are free of them for all of
 * their time only if a window begins while they run: it takes what is left. */
static void numbers_take(struct numbering *x, int resource, int capacity)
{
    const int tasks = x->plan->tasks;
    int windows;

    x->bar = CS_NEW_ARRAY(x->arena, struct cs_bag_bar, tasks + x->g->bag.steps);
    windows = numbering_windows(x, resource);
    x->number = CS_NEW_ARRAY(x->arena, int *, tasks + windows);
    for (int b = 0; b < windows; b++)
        x->number[b] = CS_NEW_ARRAY(x->arena, int, x->bar[b].amount);
    for (int i = 0; i < tasks; i++) {
        const int amount = (int)plan_use(x->g, x->plan, i, resource);

        x->bar[windows + i] = (struct cs_bag_bar){x->plan->start[i], x->plan->end[i], amount};
        x->number[windows + i] = CS_NEW_ARRAY(x->arena, int, amount);
    }
    cs_bag_number(x->bar, tasks + windows, capacity, x->number, x->arena);
    x->number += windows;
}

/* On shared nodes each node has its own numbers; a task takes ceil(u / k) of each of its nodes
 * until it has all. */
static void numbers_take_nodes(struct numbering *x, int resource)
{
    const struct cs_modes *m = &x->g->bag.data;
    const int tasks = x->plan->tasks, each = (int)m->per_node[resource];
    struct cs_bag_bar *bar = CS_NEW_ARRAY(x->arena, struct cs_bag_bar, tasks);
    int **own = CS_NEW_ARRAY(x->arena, int *, tasks), *task = CS_NEW_ARRAY(x->arena, int, tasks);
    int *taken = CS_NEW_ARRAY(x->arena, int, tasks);

    x->number = CS_NEW_ARRAY(x->arena, int *, tasks);
    for (int i = 0; i < tasks; i++)
        x->number[i] = CS_NEW_ARRAY(x->arena, int, (int)plan_use(x->g, x->plan, i, resource));
    for (int node = 0; node < m->nodes; node++) {
        int bars = 0;

        for (int i = 0; i < tasks; i++)
            for (int k = 0; k < x->nodes[i].span; k++) {
                const int all = (int)plan_use(x->g, x->plan, i, resource);
                const int share = (int)cs_modes_share(all, x->nodes[i].span);

                if (x->nodes[i].node[k] != node || taken[i] >= all)
                    continue;
                task[bars] = i;
                own[bars] = x->number[i] + taken[i];
                bar[bars] = (struct cs_bag_bar){x->plan->start[i], x->plan->end[i],
                                                all - taken[i] < share ? all - taken[i] : share};
                taken[i] += bar[bars++].amount;
            }
        cs_bag_number(bar, bars, each, own, x->arena);
        for (int b = 0; b < bars; b++)
            for (int k = 0; k < bar[b].amount; k++)
                own[b][k] += node * each;
    }
}

/* The numbers as intervals; they rise. */
static int numbers_join(const int *number, int count, struct cs_interval *set)
{
    int intervals = 0;

    for (int k = 0; k < count; k++)
        if (intervals && set[intervals - 1].last + 1 == number[k])
            set[intervals - 1].last++;
        else
            set[intervals++] = (struct cs_interval){number[k], number[k]};
    return intervals;
}

static void numbers_put(struct numbering *x, const int *number, int count, struct cs_strbuf *out)
{
    struct cs_interval *set = CS_NEW_ARRAY(x->arena, struct cs_interval, count);

    cs_procset_print(out, set, numbers_join(number, count, set));
}

/* The lines of model/bars.h for a task. */
static void uses_put(struct numbering *x, int task, int **const *number, struct cs_strbuf *out)
{
    const struct cs_modes *m = &x->g->bag.data;

    for (int r = 1; r < m->resources; r++) {
        const int64_t amount = plan_use(x->g, x->plan, task, r);

        if (amount == 0)
            continue;
        cs_strbuf_printf(out, "%s%s ", out->length ? "\n" : "", m->resource_name[r]);
        if (number[r])
            numbers_put(x, number[r][task], (int)amount, out);
        else
            cs_strbuf_put_int(out, amount);
    }
    if (!x->nodes || !x->nodes[task].span)
        return;
    cs_strbuf_puts(out, out->length ? "\nnodes " : "nodes ");
    numbers_put(x, x->nodes[task].node, x->nodes[task].span, out);
}

/* The nodes of the plan: EARLIEST-N in its order. */
static bool nodes_find(struct numbering *x)
{
    const struct cs_bag *bag = &x->g->bag;
    int *order = CS_NEW_ARRAY(x->arena, int, bag->data.tasks);
    struct cs_bag_plan plan;

    cs_bag_plan_init(&plan, bag, x->arena);
    memcpy(plan.choice, x->plan->choice, (size_t)bag->data.tasks * sizeof *plan.choice);
    for (int i = 0; i < bag->data.tasks; i++)
        order[x->plan->first[i]] = i;
    x->nodes = CS_NEW_ARRAY(x->arena, struct cs_bag_nodes, bag->data.tasks);
    return cs_bag_earliest_nodes(bag, order, &plan, x->nodes, x->arena);
}

struct cs_schedule *cs_bag_general_schedule(const struct cs_bag_general *g, const char *const *name,
                                            const struct cs_moldable_plan *plan)
{
    const struct cs_modes *m = &g->bag.data;
    struct cs_schedule *schedule =
        cs_schedule_create("moldable", (int)m->capacity[0], m->tasks, name);
    struct numbering x = {.g = g, .plan = plan, .arena = cs_arena_create()};
    int ***number = CS_NEW_ARRAY(x.arena, int **, m->resources),
        *order = CS_NEW_ARRAY(x.arena, int, m->tasks);
    struct cs_interval *set = CS_NEW_ARRAY(x.arena, struct cs_interval, m->capacity[0]);

    if (m->nodes > 1)
        nodes_find(&x);
    for (int r = 0; r < m->resources; r++) {
        if (r && !cs_modes_numbered(m->resource_name[r]))
            continue;
        if (m->nodes > 1 && m->per_node[r] >= 0)
            numbers_take_nodes(&x, r);
        else
            numbers_take(&x, r, (int)m->capacity[r]);
        number[r] = x.number;
    }
    cs_bag_order(&g->bag, plan->start, order, x.arena);
    for (int place = 0; place < m->tasks; place++) {
        const int i = order[place];
        struct cs_strbuf uses = CS_STRBUF_INIT;
        const struct cs_bar bar = {.kind = CS_BAR_WORK,
                                   .task = i,
                                   .attempt = 1,
                                   .group = -1,
                                   .start = plan->start[i],
                                   .end = plan->end[i],
                                   .intervals = numbers_join(number[0][i], plan->procs[i], set),
                                   .procs = set};

        cs_schedule_add(schedule, &bar, NULL);
        uses_put(&x, i, (int **const *)number, &uses);
        if (uses.length)
            cs_schedule_set_uses(schedule, (size_t)place, uses.text);
        cs_strbuf_release(&uses);
    }
    cs_arena_destroy(x.arena);
    return schedule;
}

/* ---- declarations ---- */

static struct cs_bag_amount *amounts_of(const char *const *name, const double *value, int count,
                                        int *kept, struct cs_arena *arena)
{
    struct cs_bag_amount *amount = CS_NEW_ARRAY(arena, struct cs_bag_amount, count);

    *kept = 0;
    for (int k = 0; k < count; k++)
        if (value[k] > 0)
            amount[(*kept)++] = (struct cs_bag_amount){name[k], value[k]};
    return amount;
}

/* Does more flow enter a task than leaves it, by sums in the order of the list? */
static bool flow_broken(const struct cs_bag_flow *flow, int flows, int tasks,
                        struct cs_arena *arena)
{
    double *out = CS_NEW_ARRAY(arena, double, tasks), *in = CS_NEW_ARRAY(arena, double, tasks);
    bool broken = false;

    for (int k = 0; k < flows; k++) {
        out[flow[k].from] += flow[k].amount;
        if (flow[k].to >= 0)
            in[flow[k].to] += flow[k].amount;
    }
    for (int i = 0; i < tasks; i++)
        broken |= in[i] > out[i];
    return broken;
}

/* True: rounding has broken it. */
static bool certify_flow(const struct cs_bag_general *g, struct cs_bag_certificate *by,
                         struct cs_arena *arena)
{
    const struct cs_modes *m = &g->bag.data;
    const struct cs_bag_relaxation *x = &g->relaxation;
    struct cs_bag_flow *flow =
        CS_NEW_ARRAY(arena, struct cs_bag_flow, m->before_first[m->tasks] + m->tasks);
    double *budget = CS_NEW_ARRAY(arena, double, m->budgets);

    for (int i = 0; i < m->tasks; i++)
        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
            if (x->flow[a] > 0)
                flow[by->flows++] = (struct cs_bag_flow){m->before[a], i, x->flow[a]};
    for (int i = 0; i < m->tasks; i++)
        if (x->last[i] > 0)
            flow[by->flows++] = (struct cs_bag_flow){i, -1, x->last[i]};
    if (flow_broken(flow, by->flows, m->tasks, arena)) {
        by->flows = 0;
        return true;
    }
    for (int q = 0; q < m->budgets; q++)
        budget[q] = x->budget[q] * 1000;
    by->flow = flow;
    by->has_flow = true;
    by->price = amounts_of(m->resource_name, x->price, m->resources, &by->prices, arena);
    by->budget = amounts_of(m->budget_name, budget, m->budgets, &by->budgets, arena);
    return false;
}

/* The proof of a bound that critical and areas do not show; true: only a search does. */
static bool certify_bound(const struct cs_bag_general *g, double bound,
                          struct cs_bag_certificate *by, struct cs_arena *arena)
{
    const struct cs_modes *m = &g->bag.data;
    const double near = bound * (1 - 1e-9);
    double most = g->bag.critical;

    for (int r = 0; r < m->resources; r++)
        most = fmax(most, g->bounds.area[r]);
    if (near <= most)
        return false;
    if (near <= g->bounds.priced) {
        by->price = amounts_of(m->resource_name, g->bounds.price, m->resources, &by->prices, arena);
    } else if (near <= g->bounds.apart) {
        by->tasks = cs_bag_clique(&g->bag, &by->task, arena);
    } else if (g->relaxed && near <= g->relaxation.bound) {
        return certify_flow(g, by, arena);
    } else {
        return true;
    }
    return false;
}

static struct cs_bag_declared *declare_lists(const struct cs_bag_general *g,
                                             const struct cs_moldable_plan *plan,
                                             struct cs_arena *arena)
{
    const struct cs_modes *m = &g->bag.data;
    struct cs_bag_declared *d = CS_NEW(arena, struct cs_bag_declared);
    struct cs_bag_amount *of = CS_NEW_ARRAY(arena, struct cs_bag_amount, 4 * m->resources),
                         *budget = CS_NEW_ARRAY(arena, struct cs_bag_amount, 2 * m->budgets);
    const int all = m->resources;

    for (int r = 0; r < all; r++) {
        const char *name = m->resource_name[r];

        of[r] = (struct cs_bag_amount){name, g->bounds.area[r]};
        of[all + r] = (struct cs_bag_amount){name, cs_bag_general_use(g, plan, r)};
        of[2 * all + r] = (struct cs_bag_amount){name, (double)m->capacity[r]};
        of[3 * all + r] = (struct cs_bag_amount){
            name, m->per_node && m->per_node[r] > 0 ? (double)m->per_node[r] : 0};
    }
    for (int q = 0; q < m->budgets; q++) {
        budget[q] = (struct cs_bag_amount){m->budget_name[q], cs_bag_general_spent(g, plan, q)};
        budget[m->budgets + q] =
            (struct cs_bag_amount){m->budget_name[q], (double)m->budget[q] / 1000};
    }
    *d = (struct cs_bag_declared){.areas = all,
                                  .area = of,
                                  .uses = all,
                                  .use = of + all,
                                  .resources = all,
                                  .resource = of + 2 * all,
                                  .per_node = of + 3 * all,
                                  .spends = m->budgets,
                                  .spend = budget,
                                  .budgets = m->budgets,
                                  .budget = budget + m->budgets};
    return d;
}

void cs_bag_general_declare(const struct cs_bag_general *g, const struct cs_moldable_plan *plan,
                            double bound, struct cs_moldable_declared *said, struct cs_arena *arena)
{
    const struct cs_modes *m = &g->bag.data;
    struct cs_bag_declared *d = declare_lists(g, plan, arena);
    int *mode = CS_NEW_ARRAY(arena, int, m->tasks);

    for (int i = 0; i < m->tasks; i++)
        mode[i] = g->bag.origin[m->first[i] + plan->choice[i]];
    said->certificate.search = certify_bound(g, bound, &d->certificate, arena);
    said->mode = mode;
    said->nodes = m->nodes > 1 ? m->nodes : 0;
    said->late = cs_bag_general_late(g, plan);
    said->prices = g->bounds.priced;
    said->disjunctive = g->bounds.apart;
    said->relaxation = g->relaxed ? g->relaxation.bound : NAN;
    said->area = said->knapsack = said->width = NAN;
    said->bag = d;
}
