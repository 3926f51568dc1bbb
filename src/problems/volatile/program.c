/* program.c - the policy `program`: states of the hosts out, tasks of the hosts in, as JSON.
 *
 * Source: docs/policies.md (protocol of external policies); the problem is spec/volatile.md 2 and
 * 5.
 * Invariants: an answer is checked before it is installed (hosts up, capacities, sum of the tasks);
 * the same tasks as those of the running configuration mean that it is kept.
 * Complexity: O(hosts) for each decision, and one exchange of messages.
 */
#include "problems/volatile/program.h"

struct cs_volatile_program {
    const struct cs_volatile_instance *in;
    struct cs_extpol *extpol;
    struct cs_extpol_session *session; /* of the thread that runs it */
    uint64_t number;
};

#define FAIL(p, ...) cs_extpol_fail((p)->session, __VA_ARGS__)

struct cs_volatile_program *cs_volatile_program_create(const struct cs_volatile_instance *in,
                                                       struct cs_extpol *extpol,
                                                       struct cs_arena *arena)
{
    struct cs_volatile_program *p = CS_NEW(arena, struct cs_volatile_program);

    *p = (struct cs_volatile_program){in, extpol, NULL, cs_extpol_number(extpol)};
    return p;
}

/* ---- messages ---- */

static void put_host(struct cs_jsonw *w, const struct cs_volatile_instance *in, int q)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "host", q);
    cs_jsonw_put_string(w, "name", in->host[q].name);
    cs_jsonw_put_int(w, "slots", in->host[q].slots);
    cs_jsonw_put_int(w, "capacity", in->capacity[q]);
    cs_jsonw_key(w, "chain");
    cs_jsonw_open_flat(w, '[');
    for (int from = 0; from < CS_VOLATILE_STATES; from++) {
        cs_jsonw_open_flat(w, '[');
        for (int to = 0; to < CS_VOLATILE_STATES; to++)
            cs_jsonw_double(w, in->host[q].chain[from][to]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void volatile_put_machine(struct cs_jsonw *w, const void *who)
{
    const struct cs_volatile_program *p = who;
    const struct cs_volatile_application *app = &p->in->app;

    cs_jsonw_put_int(w, "tasks", app->tasks);
    cs_jsonw_put_int(w, "iterations", app->iterations);
    cs_jsonw_put_int(w, "program", app->program);
    cs_jsonw_put_int(w, "data", app->data);
    cs_jsonw_put_int(w, "transfers", app->transfers);
    cs_jsonw_put_int(w, "save_every", app->save_every);
    cs_jsonw_put_int(w, "save_cost", app->save_cost);
    cs_jsonw_key(w, "hosts");
    cs_jsonw_open_flat(w, '[');
    for (int q = 0; q < p->in->hosts; q++)
        put_host(w, p->in, q);
    cs_jsonw_close(w);
}

void cs_volatile_program_begin(struct cs_volatile_program *p)
{
    p->session = cs_extpol_begin(p->extpol, p->number, "volatile", volatile_put_machine, p);
}

static void put_state(struct cs_jsonw *w, const struct cs_volatile_view *view, int q)
{
    static const char *const words[] = {"up", "reclaimed", "down"};
    const unsigned char state = view->state[q];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "state", words[state]);
    cs_jsonw_put_int(w, "program", view->program[q]);
    cs_jsonw_put_int(w, "data", view->got[q]);
    cs_jsonw_put_int(w, "part", view->part[q]);
    cs_jsonw_put_int(w, "tasks", view->tasks[q]);
    if (state == CS_VOLATILE_UP)
        cs_jsonw_put_int(w, "since", view->since[q]);
    cs_jsonw_close(w);
}

static void say_decide(struct cs_volatile_program *p, const struct cs_volatile_view *view)
{
    struct cs_jsonw w = cs_extpol_event(p->session, "decide");

    cs_jsonw_put_int(&w, "slot", view->slot);
    cs_jsonw_put_bool(&w, "running", view->members > 0);
    cs_jsonw_put_int(&w, "elapsed", view->tau);
    cs_jsonw_put_double(&w, "saved", view->saved);
    cs_jsonw_put_int(&w, "done", view->done);
    cs_jsonw_put_int(&w, "workload", view->workload);
    cs_jsonw_key(&w, "hosts");
    cs_jsonw_open_flat(&w, '[');
    for (int q = 0; q < p->in->hosts; q++)
        put_state(&w, view, q);
    cs_jsonw_close(&w);
    cs_extpol_event_end(&w);
}

/* ---- answers ---- */

/* The tasks of one host, or -1. */
static int take_host(struct cs_volatile_program *p, const json_t *list,
                     const struct cs_volatile_view *view, int q)
{
    const int tasks = cs_extpol_whole(list, (size_t)q, 0, p->in->app.tasks);

    if (tasks < 0)
        return FAIL(p, "in slot %lld host %d gets a number of tasks that is not 0 to %d",
                    (long long)view->slot, q, p->in->app.tasks);
    if (tasks > p->in->capacity[q])
        return FAIL(p, "in slot %lld host %d gets %d tasks, it holds %d", (long long)view->slot, q,
                    tasks, p->in->capacity[q]);
    if (tasks > 0 && view->state[q] != CS_VOLATILE_UP)
        return FAIL(p, "in slot %lld host %d gets %d tasks, but it is not up",
                    (long long)view->slot, q, tasks);
    return tasks;
}

static int program_take_all(struct cs_volatile_program *p, const json_t *list,
                            const struct cs_volatile_view *view, int *tasks)
{
    int64_t sum = 0;

    if (json_array_size(list) != (size_t)p->in->hosts)
        return FAIL(p, "in slot %lld it answers for %zu hosts, there are %d", (long long)view->slot,
                    json_array_size(list), p->in->hosts);
    for (int q = 0; q < p->in->hosts; q++) {
        tasks[q] = take_host(p, list, view, q);
        if (tasks[q] < 0)
            return -1;
        sum += tasks[q];
    }
    return sum == p->in->app.tasks
               ? 0
               : FAIL(p, "in slot %lld it gives hosts %lld tasks, an iteration has %d",
                      (long long)view->slot, (long long)sum, p->in->app.tasks);
}

static bool is_same(const struct cs_volatile_program *p, const struct cs_volatile_view *view,
                    const int *tasks)
{
    for (int q = 0; q < p->in->hosts; q++)
        if (tasks[q] != view->tasks[q])
            return false;
    return true;
}

static enum cs_volatile_finding program_take(struct cs_volatile_program *p, const json_t *answer,
                                             const struct cs_volatile_view *view, int *tasks)
{
    const json_t *list = json_object_get(answer, "tasks");
    const enum cs_volatile_finding keep =
        json_is_true(json_object_get(answer, "again")) ? CS_VOLATILE_KEEP : CS_VOLATILE_KEEP_LONG;

    if (json_is_null(list))
        return keep;
    if (!json_is_array(list)) {
        cs_extpol_odd(p->session, "{\"tasks\": [TASKS OF HOST 0, ...]} or {\"tasks\": null}");
        return CS_VOLATILE_KEEP_LONG;
    }
    if (program_take_all(p, list, view, tasks))
        return CS_VOLATILE_KEEP_LONG;
    return is_same(p, view, tasks) ? keep : CS_VOLATILE_INSTALL;
}

enum cs_volatile_finding cs_volatile_program_decide(struct cs_volatile_program *p,
                                                    const struct cs_volatile_view *view, int *tasks)
{
    json_t *answer;
    CS_HOLD(held);

    if (p->session->failed || !cs_volatile_possible(view))
        return CS_VOLATILE_KEEP_LONG;
    say_decide(p, view);
    answer = cs_extpol_ask(p->session);
    cs_json_hold(&held, answer);
    return answer ? program_take(p, answer, view, tasks) : CS_VOLATILE_KEEP_LONG;
}
