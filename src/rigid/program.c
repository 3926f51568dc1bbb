/* program - what a program of somebody else decides, asked over JSON lines (docs/policies.md).
 *
 * Every answer is judged here: whom it starts waits, and fits.
 */
#include "base/jsonw.h"
#include "rigid/outside.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

struct program {
    const struct cs_rigid_instance *in;
    struct cs_rigid_outside *outside;
    struct cs_rigid_session *session; /* of the thread that runs it */
    struct cs_arena *arena;
    uint64_t number;
    bool *waits; /* by ticket */
    int room, waiting;
};

/* ---- what is said ---- */

static struct cs_jsonw open_event(struct program *p, const char *name)
{
    struct cs_jsonw w = cs_jsonw_begin(&p->session->text);

    cs_jsonw_open_flat(&w, '{');
    cs_jsonw_put_string(&w, "event", name);
    return w;
}

static void close_event(struct cs_jsonw *w)
{
    cs_jsonw_close(w);
    cs_jsonw_end(w);
}

static void put_sizes(const struct program *p, int ticket, struct cs_jsonw *w)
{
    cs_jsonw_put_int(w, "job", ticket);
    cs_jsonw_put_int(w, "procs", p->in->procs[ticket]);
    cs_jsonw_put_double(w, "seconds", p->in->seconds[ticket]);
}

static void say_jobs(struct program *p)
{
    struct cs_jsonw w = open_event(p, "machine");

    cs_jsonw_put_string(&w, "problem", "rigid");
    cs_jsonw_put_int(&w, "procs", p->in->machine);
    cs_jsonw_put_double(&w, "verification", p->in->verification);
    cs_jsonw_key(&w, "jobs");
    cs_jsonw_open_flat(&w, '[');
    for (int t = 0; t < p->in->count && !p->in->place; t++) {
        cs_jsonw_open_flat(&w, '{');
        put_sizes(p, t, &w);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    close_event(&w);
}

static void say(struct program *p, const char *event, int ticket)
{
    struct cs_jsonw w = open_event(p, event);

    cs_jsonw_put_int(&w, "job", ticket);
    close_event(&w);
}

static void say_arrived(struct program *p, int ticket)
{
    const struct cs_rigid_place place = cs_rigid_place_of(p->in, ticket);
    struct cs_jsonw w = open_event(p, "arrived");

    put_sizes(p, ticket, &w);
    cs_jsonw_key(&w, "place");
    cs_jsonw_open_flat(&w, '[');
    cs_jsonw_int(&w, place.late);
    cs_jsonw_double(&w, place.key);
    cs_jsonw_int(&w, place.number);
    cs_jsonw_close(&w);
    close_event(&w);
}

static void put_running(const struct cs_rigid_running *running, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "running");
    cs_jsonw_open_flat(w, '[');
    for (int b = running->blocks - 1; b >= 0; b--)
        for (int a = cs_rigid_running_count_in(running, b) - 1; a >= 0; a--) {
            const struct cs_rigid_attempt *attempt = &running->block[b]->attempt[a];

            cs_jsonw_open_flat(w, '{');
            cs_jsonw_put_int(w, "job", attempt->ticket);
            cs_jsonw_put_int(w, "procs", attempt->procs);
            cs_jsonw_put_double(w, "end", attempt->end);
            cs_jsonw_close(w);
        }
    cs_jsonw_close(w);
}

static void say_decide(struct program *p, const struct cs_rigid_view *view)
{
    struct cs_jsonw w = open_event(p, "decide");

    cs_jsonw_put_double(&w, "now", view->now);
    cs_jsonw_put_int(&w, "free", view->free);
    put_running(view->running, &w);
    close_event(&w);
}

/* ---- what is answered ---- */

static int fail(struct program *p)
{
    p->session->failed = true;
    cs_strbuf_clear(&p->session->text);
    return -1;
}

#define FAIL(p, ...) (cs_error_set(&(p)->session->err, __VA_ARGS__), fail(p))

/* One ticket that it starts.  The processors that are left, or -1. */
static int take(struct program *p, const json_t *word, double now, int free)
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

static int take_all(struct program *p, const json_t *list, const struct cs_rigid_view *view,
                    int *start)
{
    const size_t count = json_array_size(list);
    int free = view->free;

    for (size_t i = 0; i < count; i++) {
        free = take(p, json_array_get(list, i), view->now, free);
        if (free < 0)
            return put_back(p, start, i);
        start[i] = (int)json_integer_value(json_array_get(list, i));
    }
    if (count == 0 && cs_rigid_running_count(view->running) == 0)
        return FAIL(p, "at %.15g s it starts nothing, though nothing runs and %d jobs wait",
                    view->now, p->waiting);
    return (int)count;
}

static int take_answer(struct program *p, const char *line, const struct cs_rigid_view *view,
                       int *start)
{
    json_t *answer = json_loads(line, 0, NULL);
    const json_t *list = json_object_get(answer, "start");
    const char *error = json_string_value(json_object_get(answer, "error"));
    struct cs_strbuf words = CS_STRBUF_INIT;
    int count;

    cs_strbuf_put_excerpt(&words, line);
    if (error)
        count = FAIL(p, "%.900s", error);
    else if (json_is_array(list))
        count = take_all(p, list, view, start);
    else
        count = FAIL(p, "it answers %s, expected {\"start\": [JOB, ...]}", words.text);
    cs_strbuf_release(&words);
    json_decref(answer);
    return count;
}

static int ask(struct program *p, const struct cs_rigid_view *view, int *start)
{
    struct cs_rigid_session *s = p->session;
    const char *line;

    if (s->failed)
        return -1;
    say_decide(p, view);
    line = cs_talk_ask(s->talk, &s->text, s->patience, &s->err);
    return line ? take_answer(p, line, view, start) : fail(p);
}

/* After a failure: whoever fits, so that the run comes to its end. */
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

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct program *p = CS_NEW(arena, struct program);

    *p = (struct program){.in = in, .outside = cs_rigid_outside_of(param), .arena = arena};
    if (p->outside && !in->learns) {
        p->number = cs_rigid_outside_number(p->outside);
        return p;
    }
    cs_error_set(err, in->learns ? "policy program: priorities that learn are not for it"
                                 : "policy program asks a program of yours: give "
                                   "--policy-program COMMAND");
    return NULL;
}

static void make_room(struct program *p, int ticket)
{
    if (ticket < p->room)
        return;
    p->waits =
        cs_arena_grow(p->arena, p->waits, (size_t)p->room, (size_t)p->in->count, sizeof *p->waits);
    p->room = p->in->count;
}

static void waits(struct program *p, int ticket)
{
    make_room(p, ticket);
    p->waiting += !p->waits[ticket];
    p->waits[ticket] = true;
}

static void begin(void *state)
{
    struct program *p = state;
    struct cs_jsonw w;

    p->session = cs_rigid_outside_session(p->outside);
    if (p->session->told != p->number)
        say_jobs(p);
    p->session->told = p->number;
    w = open_event(p, "begin");
    close_event(&w);
    make_room(p, p->in->count - 1);
    for (int t = 0; t < p->room; t++)
        p->waits[t] = !p->in->place && t < p->in->count;
    p->waiting = p->in->place ? 0 : p->in->count;
}

static void arrived(void *state, int ticket)
{
    waits(state, ticket);
    say_arrived(state, ticket);
}

static void failed(void *state, int ticket)
{
    waits(state, ticket);
    say(state, "failed", ticket);
}

static void succeeded(void *state, int ticket)
{
    say(state, "succeeded", ticket);
}

static void withdrawn(void *state, int ticket)
{
    struct program *p = state;

    if (ticket < p->room && p->waits[ticket]) {
        p->waits[ticket] = false;
        p->waiting--;
    }
    say(p, "withdrawn", ticket);
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct program *p = state;
    int count;

    if (p->session->failed)
        cs_strbuf_clear(&p->session->text);
    if (!p->waiting || !view->free)
        return 0;
    count = ask(p, view, start);
    if (count >= 0)
        return count;
    return start_any(p, view->free, start);
}

const struct cs_rigid_policy cs_rigid_policy_program = {
    .info =
        {
            .name = "program",
            .problem = "rigid",
            .summary = "asks a program of yours (--policy-program), in any language",
            .source = "yours; docs/policies.md",
        },
    .outside = true,
    .create = create,
    .begin = begin,
    .arrived = arrived,
    .failed = failed,
    .succeeded = succeeded,
    .withdrawn = withdrawn,
    .decide = decide,
};
