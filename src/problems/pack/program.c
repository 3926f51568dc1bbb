/* program.c - the policy program: packs of an external program, over JSON lines (docs/policies.md).
 *
 * Source: docs/policies.md; the examples are in examples/policies.
 *
 * Invariants: the answer is checked here: every task once, on processors that it can run on, in
 * packs that fit; an answer that fails a check is an error, never a plan.
 * Complexity: O(n p) to write the times, O(n) to check the answer, and the time of the program.
 */
#include "model/extpol.h"
#include "problems/pack/policy.h"

struct program {
    const struct cs_pack_instance *in;
    struct cs_extpol_session *session;
    struct cs_pack_plan *plan;
    bool *seen; /* by task */
    uint64_t seed;
};

#define FAIL(p, ...) cs_extpol_fail((p)->session, __VA_ARGS__)

static const char *program_name_of(const struct program *p, int task)
{
    return p->in->workload->name[task];
}

static void pack_put_machine(struct cs_jsonw *w, const void *who)
{
    const struct program *p = who;

    cs_jsonw_put_int(w, "procs", p->in->tasks->procs);
    cs_jsonw_put_int(w, "pack_size", p->in->pack_size);
    cs_jsonw_put_int(w, "seed", (int64_t)p->seed);
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < p->in->tasks->count; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "task", i);
        cs_jsonw_put_string(w, "name", program_name_of(p, i));
        cs_extpol_put_steps(w, p->in->tasks, i);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* ---- what is answered ---- */

/* One task of a pack, [TASK, PROCS].  The processors that are left, or -1. */
static int program_take(struct program *p, const json_t *pair, int free)
{
    const int tasks = p->in->tasks->count, task = cs_extpol_whole(pair, 0, 0, tasks - 1);
    const int procs = cs_extpol_whole(pair, 1, 1, p->in->tasks->procs), pack = p->plan->packs;

    if (task < 0 || json_array_size(pair) != 2)
        return FAIL(p, "in pack %d it names a task that is not there: expected [TASK, PROCS]",
                    pack);
    if (p->seen[task])
        return FAIL(p, "it has task %d (%.100s) twice", task, program_name_of(p, task));
    if (procs < p->in->tasks->min_procs[task])
        return FAIL(p, "it has task %d (%.100s) on a number of processors where it cannot run",
                    task, program_name_of(p, task));
    if (procs > free)
        return FAIL(p, "task %d (%.100s) has %d processors in pack %d, of which %d are free", task,
                    program_name_of(p, task), procs, pack, free);
    p->seen[task] = true;
    cs_pack_plan_add(p->plan, task, procs);
    return free - procs;
}

static int take_pack(struct program *p, const json_t *pack)
{
    const size_t count = json_array_size(pack);
    int free = p->in->tasks->procs;
    double cost = 0;

    if (count < 1 || count > (size_t)p->in->pack_size)
        return FAIL(p, "pack %d has %zu tasks, expected 1 to %d", p->plan->packs, count,
                    p->in->pack_size);
    for (size_t a = 0; a < count && free >= 0; a++)
        free = program_take(p, json_array_get(pack, a), free);
    if (free < 0)
        return -1;
    for (int a = p->plan->first[p->plan->packs]; a < p->plan->tasks; a++) {
        const double seconds = cs_pack_time(p->in, p->plan->task[a], p->plan->procs[a]);

        cost = seconds > cost ? seconds : cost;
    }
    cs_pack_plan_close(p->plan, cost);
    return 0;
}

static int program_take_all(void *who, const json_t *packs)
{
    struct program *p = who;

    for (size_t b = 0; b < json_array_size(packs); b++)
        if (take_pack(p, json_array_get(packs, b)))
            return -1;
    for (int i = 0; i < p->in->tasks->count; i++)
        if (!p->seen[i])
            return FAIL(p, "task %d (%.100s) is in no pack", i, program_name_of(p, i));
    return 0;
}

static int program_plan(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan)
{
    struct cs_extpol *extpol = cs_extpol_of(context->param, context->err);
    struct program p = {.in = in, .plan = plan, .seed = context->seed};

    if (!extpol)
        return -1;
    p.session = cs_extpol_session_of(extpol);
    p.seen = CS_NEW_ARRAY(context->scratch, bool, in->tasks->count);
    cs_extpol_machine(p.session, "pack", pack_put_machine, &p);
    cs_extpol_say(p.session, "plan");
    cs_extpol_ask_list(p.session, "packs", "{\"packs\": [[[TASK, PROCS], ...], ...]}",
                       program_take_all, &p);
    return cs_extpol_check(extpol, context->err);
}

const struct cs_pack_policy cs_pack_policy_program = {
    .info = CS_EXTPOL_INFO("pack"),
    .plan = program_plan,
};
