/* program.c - a policy in another process: a plan as JSON lines, and the processors of its
 * reply.
 *
 * Source: docs/policies.md.  The program gets the machine before its first run, `begin` at each
 * run, one `decide` for each plan; it may request expected finishes (`finish`) before it
 * replies.
 *
 * Invariants: a reply is checked before it is used: tasks of the plan only, even numbers of at
 * least `least`, no more processors than there are; a bad reply fails the session and restores
 * the present allocations, and no processor moves after that.
 *
 * Complexity: O(n) text for each plan; the time of the program is limited by --patience.
 */
#include "problems/malleable/program.h"

#define FAIL(session, ...) cs_extpol_fail(session, __VA_ARGS__)

bool cs_malleable_rules_ask(const struct cs_malleable_rules *rules)
{
    return cs_malleable_end_policy(rules->on_end)->info.extpol ||
           cs_malleable_failure_policy(rules->on_failure)->info.extpol;
}

/* ---- requests ---- */

static void put_task(struct cs_jsonw *w, const struct cs_malleable_model *model, int i)
{
    const struct cs_malleable_rate *rate = &model->rate[i];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "task", i);
    cs_jsonw_put_string(w, "name", model->in->task[i].name);
    cs_jsonw_put_int(w, "least", rate->least);
    cs_jsonw_put_double(w, "checkpoint", rate->checkpoint);
    cs_jsonw_put_double(w, "data", rate->data);
    if (rate->measured) {
        cs_extpol_put_steps(w, rate->measured, 0);
    } else {
        cs_jsonw_put_double(w, "fixed", rate->fixed);
        cs_jsonw_put_double(w, "shared", rate->shared + rate->overhead);
    }
    cs_jsonw_close(w);
}

static void malleable_put_machine(struct cs_jsonw *w, const void *who)
{
    const struct cs_malleable_model *model = who;

    cs_jsonw_put_int(w, "procs", model->usable);
    cs_jsonw_put_double(w, "mtbf", model->in->platform.mtbf);
    cs_jsonw_put_double(w, "downtime", model->downtime);
    cs_jsonw_put_bool(w, "failing", model->failing);
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < model->tasks; i++)
        put_task(w, model, i);
    cs_jsonw_close(w);
}

void cs_malleable_program_begin(const struct cs_malleable_plan *plan)
{
    cs_extpol_begin(plan->extpol, plan->number, "malleable", malleable_put_machine, plan->model);
}

static void put_member(struct cs_jsonw *w, const struct cs_malleable_member *m)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "task", m->task);
    cs_jsonw_put_int(w, "procs", m->now);
    cs_jsonw_put_double(w, "left", m->alpha);
    cs_jsonw_put_double(w, "finish", m->finish);
    cs_jsonw_close(w);
}

static bool takes_part(const struct cs_malleable_plan *plan, int a)
{
    return plan->expected[a] > -INFINITY;
}

static void say_decide(struct cs_extpol_session *session, struct cs_malleable_plan *plan,
                       const char *why)
{
    struct cs_jsonw w = cs_extpol_event(session, "decide");

    cs_jsonw_put_string(&w, "why", why);
    cs_jsonw_put_double(&w, "now", plan->time);
    cs_jsonw_put_int(&w, "free", plan->free);
    if (plan->faulty >= 0)
        cs_jsonw_put_int(&w, "failed", plan->rows->task[plan->faulty]);
    cs_jsonw_key(&w, "tasks");
    cs_jsonw_open_flat(&w, '[');
    for (int a = 0; a < plan->rows->count; a++)
        if (takes_part(plan, a))
            put_member(&w, cs_malleable_meet(plan, a));
    cs_jsonw_close(&w);
    cs_extpol_event_end(&w);
}

/* ---- replies ---- */

/* [TASK, PROCS] of a task that takes part: the row, or -1. */
static int read_pair(struct cs_extpol_session *session, const struct cs_malleable_plan *plan,
                     const json_t *pair, int *procs)
{
    const struct cs_malleable_model *model = plan->model;
    const int task = cs_extpol_whole(pair, 0, 0, model->tasks - 1);
    const int row = task < 0 ? -1 : plan->rows->row[task];

    *procs = cs_extpol_whole(pair, 1, 0, model->usable);
    if (row < 0 || row >= plan->rows->count || plan->rows->task[row] != task ||
        !takes_part(plan, row) || json_array_size(pair) != 2)
        return FAIL(session,
                    "at %.15g s it speaks of a task that is not asked about: expected "
                    "[TASK, PROCS]",
                    plan->time);
    if (*procs < model->rate[task].least || *procs % 2)
        return FAIL(session,
                    "at %.15g s task %d is to have a number of processors that is not "
                    "even, or not %d to %d",
                    plan->time, task, model->rate[task].least, model->usable);
    return row;
}

static int program_take(struct cs_extpol_session *session, struct cs_malleable_plan *plan,
                        const json_t *list)
{
    int free = plan->free;

    for (size_t c = 0; c < json_array_size(list); c++) {
        int procs;
        const int a = read_pair(session, plan, json_array_get(list, c), &procs);
        struct cs_malleable_member *m = a < 0 ? NULL : cs_malleable_meet(plan, a);

        if (!m)
            return -1;
        free += m->share - procs;
        m->share = procs;
        plan->expected[a] = cs_malleable_finish(plan, m, procs);
    }
    return free >= 0 ? 0
                     : FAIL(session, "at %.15g s it assigns %d processors more than available",
                            plan->time, -free);
}

/* The program queries when tasks would end. */
static int say_finish(struct cs_extpol_session *session, struct cs_malleable_plan *plan,
                      const json_t *list)
{
    struct cs_jsonw w = cs_extpol_event(session, "finish");
    bool failed = false;

    cs_jsonw_key(&w, "seconds");
    cs_jsonw_open_flat(&w, '[');
    for (size_t c = 0; c < json_array_size(list) && !failed; c++) {
        int procs;
        const int a = read_pair(session, plan, json_array_get(list, c), &procs);

        failed = a < 0;
        if (!failed)
            cs_jsonw_double(&w, cs_malleable_finish(plan, cs_malleable_meet(plan, a), procs));
    }
    cs_jsonw_close(&w);
    cs_extpol_event_end(&w);
    if (!failed)
        return 0;
    cs_strbuf_clear(&session->text);
    return -1;
}

/* 1: it was a query, the reply is still due; else as the others. */
static int take_answer(struct cs_extpol_session *session, struct cs_malleable_plan *plan,
                       const json_t *answer)
{
    const json_t *procs = json_object_get(answer, "procs");
    const json_t *finish = json_object_get(answer, "finish");

    if (json_is_array(finish))
        return say_finish(session, plan, finish) ? -1 : 1;
    if (json_is_array(procs))
        return program_take(session, plan, procs);
    return cs_extpol_odd(session, "{\"procs\": [[TASK, PROCS], ...]}");
}

static void keep_all(struct cs_malleable_plan *plan)
{
    for (int a = cs_malleable_next_met(plan, 0); a >= 0; a = cs_malleable_next_met(plan, a + 1)) {
        plan->member[a].share = plan->member[a].now;
        plan->expected[a] = plan->member[a].finish;
    }
}

static void program_ask(struct cs_malleable_plan *plan, const char *why)
{
    struct cs_extpol_session *session = plan->extpol ? cs_extpol_session_of(plan->extpol) : NULL;
    int status = 1;

    if (!session || session->failed)
        return;
    say_decide(session, plan, why);
    while (status > 0) {
        json_t *answer = cs_extpol_ask(session);
        CS_JSON_HOLD(answer);

        status = answer ? take_answer(session, plan, answer) : -1;
    }
    if (status < 0)
        keep_all(plan);
}

static void at_end(struct cs_malleable_plan *plan)
{
    program_ask(plan, "end");
}

static void at_failure(struct cs_malleable_plan *plan)
{
    program_ask(plan, "failure");
}

const struct cs_malleable_policy cs_malleable_end_program = {.info = CS_EXTPOL_INFO("malleable"),
                                                             .decide = at_end};
const struct cs_malleable_policy cs_malleable_failure_program = {
    .info = CS_EXTPOL_INFO("malleable"), .decide = at_failure};
