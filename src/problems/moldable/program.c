/* program - a plan of an external program, requested over JSON lines (docs/policies.md).
 *
 * Source: docs/policies.md, spec/moldable.md 4.1 for answers without starts.
 * Idea: the answer is an order in which tasks start as soon as they fit, or the start of each.
 * Invariants: both are judged here: every task once, on a count that is a candidate, and never
 * more processors than there are.
 */
#include "model/extpol.h"
#include "problems/moldable/policy.h"

#include <string.h>

struct program {
    const struct cs_moldable_instance *in;
    const struct cs_moldable_bag *bag;
    struct cs_extpol_session *session;
    struct cs_moldable_plan *plan;
    struct cs_arena *scratch;
    int *choice, *order, *first; /* choice: -1 until the task was named */
    double *start;
    uint64_t seed;
};

#define LATEST 1e100 /* no start is later: sums stay finite */

#define FAIL(p, ...) cs_extpol_fail((p)->session, __VA_ARGS__)

static const char *program_name_of(const struct program *p, int task)
{
    return p->in->workload->name[task];
}

/* ---- messages to the program ---- */

static void put_candidates(struct cs_jsonw *w, const struct cs_moldable_bag *bag, int task)
{
    cs_jsonw_key(w, "counts");
    cs_jsonw_open_flat(w, '[');
    for (int a = bag->first[task]; a < bag->first[task + 1]; a++)
        cs_jsonw_int(w, bag->count[a]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "seconds");
    cs_jsonw_open_flat(w, '[');
    for (int a = bag->first[task]; a < bag->first[task + 1]; a++)
        cs_jsonw_double(w, bag->seconds[a]);
    cs_jsonw_close(w);
}

static void moldable_put_machine(struct cs_jsonw *w, const void *who)
{
    const struct program *p = who;

    cs_jsonw_put_int(w, "procs", p->bag->procs);
    cs_jsonw_put_bool(w, "contiguous", p->bag->contiguous);
    cs_jsonw_put_int(w, "seed", (int64_t)p->seed);
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < p->bag->tasks; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "task", i);
        cs_jsonw_put_string(w, "name", program_name_of(p, i));
        cs_jsonw_put_double(w, "release", cs_moldable_release(p->bag, i));
        put_candidates(w, p->bag, i);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* ---- what is answered ---- */

/* [TASK, PROCS, ...]: the task, or -1. */
static int program_take(struct program *p, const json_t *row, size_t words)
{
    const int task = cs_extpol_whole(row, 0, 0, p->bag->tasks - 1);
    const int procs = cs_extpol_whole(row, 1, 1, p->bag->procs);

    if (task < 0 || json_array_size(row) != words)
        return FAIL(p, "it names a task that is not there: expected [TASK, PROCS%s%s]",
                    words > 2 ? ", START" : "", words > 3 ? ", FIRST" : "");
    if (p->choice[task] >= 0)
        return FAIL(p, "it has task %d (%.100s) twice", task, program_name_of(p, task));
    p->choice[task] = procs < 1 ? -1 : cs_moldable_within(p->bag, task, procs);
    if (p->choice[task] < 0 || cs_moldable_width(p->bag, task, p->choice[task]) != procs)
        return FAIL(p,
                    "it has task %d (%.100s) on a number of processors that is not one of its "
                    "counts",
                    task, program_name_of(p, task));
    return task;
}

static int check_all(struct program *p)
{
    for (int i = 0; i < p->bag->tasks; i++)
        if (p->choice[i] < 0)
            return FAIL(p, "task %d (%.100s) is not in its plan", i, program_name_of(p, i));
    return 0;
}

static int take_list(struct program *p, const json_t *list)
{
    struct cs_moldable_lister lister;

    for (size_t a = 0; a < json_array_size(list); a++) {
        int task = program_take(p, json_array_get(list, a), 2);

        if (task < 0)
            return -1;
        p->order[a] = task;
    }
    if (check_all(p))
        return -1;
    cs_moldable_lister_init(&lister, p->bag, p->scratch);
    cs_moldable_list(&lister, p->choice, p->order, INFINITY, p->start);
    cs_moldable_plan_set(p->bag, p->plan, p->choice, p->start, lister.first);
    return 0;
}

/* [TASK, PROCS, START], and the lowest of its processors where they are consecutive. */
static int take_row(struct program *p, const json_t *row)
{
    const int task = program_take(p, row, p->bag->contiguous ? 4 : 3);
    const json_t *start = json_array_get(row, 2);
    int width;

    if (task < 0)
        return -1;
    width = cs_moldable_width(p->bag, task, p->choice[task]);
    p->start[task] = json_is_number(start) ? json_number_value(start) : NAN;
    p->first[task] = p->bag->contiguous ? cs_extpol_whole(row, 3, 0, p->bag->procs - width) : 0;
    if (!(p->start[task] >= cs_moldable_release(p->bag, task) && p->start[task] <= LATEST))
        return FAIL(p, "task %d (%.100s) has no start, or one before its release", task,
                    program_name_of(p, task));
    if (p->first[task] < 0)
        return FAIL(p, "task %d (%.100s) has processors that are not there", task,
                    program_name_of(p, task));
    return 0;
}

/* Do all starts find their processors free? */
static int check_room(struct program *p)
{
    const struct cs_moldable_plan *plan = p->plan;
    int task = cs_moldable_plan_crowded(p->bag, plan, p->order, p->scratch);

    return task < 0 ? 0
                    : FAIL(p,
                           "at %g s it starts task %d (%.100s) on %d processors, which are not "
                           "free",
                           plan->start[task], task, program_name_of(p, task), plan->procs[task]);
}

static int take_plan(struct program *p, const json_t *rows)
{
    for (size_t a = 0; a < json_array_size(rows); a++)
        if (take_row(p, json_array_get(rows, a)))
            return -1;
    if (check_all(p))
        return -1;
    cs_moldable_plan_set(p->bag, p->plan, p->choice, p->start,
                         p->bag->contiguous ? p->first : NULL);
    return check_room(p);
}

static void program_allocate(struct program *p)
{
    const int n = p->bag->tasks;

    p->choice = CS_NEW_ARRAY(p->scratch, int, n);
    p->order = CS_NEW_ARRAY(p->scratch, int, n);
    p->first = CS_NEW_ARRAY(p->scratch, int, n);
    p->start = CS_NEW_ARRAY(p->scratch, double, n);
    for (int i = 0; i < n; i++)
        p->choice[i] = -1;
}

static int program_plan(const struct cs_moldable_instance *in,
                        const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    struct cs_extpol *extpol = cs_extpol_of(context->param, context->err);
    struct program p = {.in = in,
                        .bag = &in->bag,
                        .plan = plan,
                        .scratch = context->scratch,
                        .seed = context->seed};
    json_t *answer, *list, *rows;
    CS_HOLD(held);

    if (!extpol)
        return -1;
    p.session = cs_extpol_session_of(extpol);
    program_allocate(&p);
    cs_extpol_machine(p.session, "moldable", moldable_put_machine, &p);
    cs_extpol_say(p.session, "plan");
    answer = cs_extpol_ask(p.session);
    cs_json_hold(&held, answer);
    list = json_object_get(answer, "list");
    rows = json_object_get(answer, "plan");
    if (json_is_array(list))
        take_list(&p, list);
    else if (json_is_array(rows))
        take_plan(&p, rows);
    else if (answer)
        cs_extpol_odd(p.session, p.bag->contiguous
                                     ? "{\"list\": [[TASK, PROCS], ...]} or "
                                       "{\"plan\": [[TASK, PROCS, START, FIRST], ...]}"
                                     : "{\"list\": [[TASK, PROCS], ...]} or "
                                       "{\"plan\": [[TASK, PROCS, START], ...]}");
    return cs_extpol_check(extpol, context->err);
}

const struct cs_moldable_policy cs_moldable_policy_program = {
    .info = CS_EXTPOL_INFO("moldable"),
    .plan = program_plan,
};
