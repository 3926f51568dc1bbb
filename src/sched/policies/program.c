/* program.c - policy `program`: decisions of an external program, over JSON lines.
 *
 * Source: docs/policies.md.
 *
 * Idea: each event of policy.h becomes a line; `decide` sends the machine and reads the tickets to
 * start.
 *
 * Invariants: an answer is checked before it has an effect: each ticket waits, is named once, and
 * all fit in the free processors together.  After an error the tickets of the answer wait again,
 * and all that fit are started, so that the run ends; the session reports the error.
 */
#include "model/extpol.h"
#include "sched/policy.h"

struct program {
    const struct cs_sched_instance *in;
    struct cs_extpol *extpol;
    struct cs_extpol_session *session; /* of the thread that runs it */
    struct cs_arena *arena;
    uint64_t number;
    bool *waits; /* by ticket */
    int room, waiting;
};

/* ---- messages to the program ---- */

static void put_sizes(const struct program *p, int ticket, struct cs_jsonw *w)
{
    cs_jsonw_put_int(w, "job", ticket);
    cs_jsonw_put_int(w, "procs", p->in->procs[ticket]);
    cs_jsonw_put_double(w, "seconds", p->in->seconds[ticket]);
}

static void put_machine(struct cs_jsonw *w, const void *who)
{
    const struct program *p = who;

    cs_jsonw_put_int(w, "procs", p->in->machine);
    cs_jsonw_put_double(w, "verification", p->in->verification);
    cs_jsonw_key(w, "jobs");
    cs_jsonw_open_flat(w, '[');
    for (int t = 0; t < p->in->count && !p->in->place; t++) {
        cs_jsonw_open_flat(w, '{');
        put_sizes(p, t, w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void program_say(struct program *p, const char *event, int ticket)
{
    struct cs_jsonw w = cs_extpol_event(p->session, event);

    cs_jsonw_put_int(&w, "job", ticket);
    cs_extpol_event_end(&w);
}

static void put_rank(struct cs_jsonw *w, const char *name, struct cs_sched_place place)
{
    cs_jsonw_key(w, name);
    cs_jsonw_open_flat(w, '[');
    cs_jsonw_int(w, place.late);
    cs_jsonw_double(w, place.key);
    cs_jsonw_int(w, place.number);
    cs_jsonw_close(w);
}

static void say_arrived(struct program *p, int ticket)
{
    const struct cs_sched_place place = cs_sched_place_of(p->in, ticket);
    struct cs_jsonw w = cs_extpol_event(p->session, "arrived");

    put_sizes(p, ticket, &w);
    put_rank(&w, "rank", place);
    put_rank(&w, "place", place); /* name in cosched 0.2 */
    cs_extpol_event_end(&w);
}

static void put_running(const struct cs_sched_running *running, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "running");
    cs_jsonw_open_flat(w, '[');
    for (int b = running->blocks - 1; b >= 0; b--)
        for (int a = cs_sched_running_count_in(running, b) - 1; a >= 0; a--) {
            const struct cs_sched_attempt *attempt = &running->block[b]->attempt[a];

            cs_jsonw_open_flat(w, '{');
            cs_jsonw_put_int(w, "job", attempt->ticket);
            cs_jsonw_put_int(w, "procs", attempt->procs);
            cs_jsonw_put_double(w, "end", attempt->end);
            cs_jsonw_close(w);
        }
    cs_jsonw_close(w);
}

static void say_decide(struct program *p, const struct cs_sched_view *view)
{
    struct cs_jsonw w = cs_extpol_event(p->session, "decide");

    cs_jsonw_put_double(&w, "now", view->now);
    cs_jsonw_put_int(&w, "free", view->free);
    put_running(view->running, &w);
    cs_extpol_event_end(&w);
}

/* ---- what is answered ---- */

#define FAIL(p, ...) cs_extpol_fail((p)->session, __VA_ARGS__)

/* One ticket that it starts.  The processors that are left, or -1. */
static int program_take(struct program *p, const json_t *word, double now, int free)
{
    const json_int_t ticket = json_is_integer(word) ? json_integer_value(word) : -1;

    if (ticket < 0 || ticket >= p->room || !p->waits[ticket])
        return FAIL(p, "at %.15g s it starts job %lld, which does not wait", now,
                    (long long)ticket);
    if (p->in->procs[ticket] > free)
        return FAIL(p, "at %.15g s it starts job %lld on %d processors, of which %d are free", now,
                    (long long)ticket, p->in->procs[ticket], free);
    p->waits[ticket] = false;
    p->waiting--;
    return free - p->in->procs[ticket];
}

/* Those that it started before it failed. */
static int put_back(struct program *p, const int *start, size_t count)
{
    for (size_t i = 0; i < count; i++)
        p->waits[start[i]] = true;
    p->waiting += (int)count;
    return -1;
}

static int program_take_all(struct program *p, const json_t *list, const struct cs_sched_view *view,
                            int *start)
{
    const size_t count = json_array_size(list);
    int free = view->free;

    for (size_t i = 0; i < count; i++) {
        free = program_take(p, json_array_get(list, i), view->now, free);
        if (free < 0)
            return put_back(p, start, i);
        start[i] = (int)json_integer_value(json_array_get(list, i));
    }
    if (count == 0 && cs_sched_running_count(view->running) == 0)
        return FAIL(p, "at %.15g s it starts nothing, though nothing runs and %d jobs wait",
                    view->now, p->waiting);
    return (int)count;
}

static int program_ask(struct program *p, const struct cs_sched_view *view, int *start)
{
    const json_t *list;
    json_t *answer;
    CS_HOLD(held);

    if (p->session->failed)
        return -1;
    say_decide(p, view);
    answer = cs_extpol_ask(p->session);
    cs_json_hold(&held, answer);
    if (!answer)
        return -1;
    list = json_object_get(answer, "start");
    return json_is_array(list) ? program_take_all(p, list, view, start)
                               : cs_extpol_odd(p->session, "{\"start\": [JOB, ...]}");
}

/* After a failure: all that fit, so that the run ends. */
static int start_any(struct program *p, int free, int *start)
{
    int count = 0;

    for (int t = 0; t < p->room && p->waiting; t++)
        if (p->waits[t] && p->in->procs[t] <= free) {
            free -= p->in->procs[t];
            p->waits[t] = false;
            p->waiting--;
            start[count++] = t;
        }
    return count;
}

/* ---- the policy ---- */

static void *program_create(const struct cs_sched_instance *in, const double *param,
                            struct cs_arena *arena, struct cs_error *err)
{
    struct program *p = CS_NEW(arena, struct program);

    *p = (struct program){.in = in, .extpol = cs_extpol_of(param, err), .arena = arena};
    if (!p->extpol)
        return NULL;
    if (in->learns) {
        cs_error_set(err, "policy program: priorities that learn are not for it");
        return NULL;
    }
    p->number = cs_extpol_number(p->extpol);
    return p;
}

static void program_make_room(struct program *p, int ticket)
{
    if (ticket < p->room)
        return;
    p->waits =
        cs_arena_grow(p->arena, p->waits, (size_t)p->room, (size_t)p->in->count, sizeof *p->waits);
    p->room = p->in->count;
}

static void program_waits(struct program *p, int ticket)
{
    program_make_room(p, ticket);
    p->waiting += !p->waits[ticket];
    p->waits[ticket] = true;
}

static void program_begin(void *state)
{
    struct program *p = state;

    p->session = cs_extpol_begin(p->extpol, p->number, "rigid", put_machine, p);
    program_make_room(p, p->in->count - 1);
    for (int t = 0; t < p->room; t++)
        p->waits[t] = !p->in->place && t < p->in->count;
    p->waiting = p->in->place ? 0 : p->in->count;
}

static void program_arrived(void *state, int ticket)
{
    program_waits(state, ticket);
    say_arrived(state, ticket);
}

static void program_failed(void *state, int ticket)
{
    program_waits(state, ticket);
    program_say(state, "failed", ticket);
}

static void program_succeeded(void *state, int ticket)
{
    program_say(state, "succeeded", ticket);
}

static void program_withdrawn(void *state, int ticket)
{
    struct program *p = state;

    if (ticket < p->room && p->waits[ticket]) {
        p->waits[ticket] = false;
        p->waiting--;
    }
    program_say(p, "withdrawn", ticket);
}

static int program_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct program *p = state;
    int count;

    if (p->session->failed)
        cs_strbuf_clear(&p->session->text);
    if (!p->waiting || !view->free)
        return 0;
    count = program_ask(p, view, start);
    if (count >= 0)
        return count;
    return start_any(p, view->free, start);
}

const struct cs_sched_policy cs_sched_policy_program = {
    .info = CS_EXTPOL_INFO("rigid"),
    .create = program_create,
    .begin = program_begin,
    .arrived = program_arrived,
    .failed = program_failed,
    .succeeded = program_succeeded,
    .withdrawn = program_withdrawn,
    .decide = program_decide,
};
