/* outside.c - a program for each thread, how a call carries them, and lines of JSON. */
#include "model/outside.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/json_make.h"
#include "base/plain.h"
#include "base/thread.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* threads, more than options take */

struct cs_outside {
    struct cs_guarded guarded; /* first */
    double patience;
    atomic_uint_fast64_t numbers;            /* given so far */
    struct cs_outside_session session[MOST]; /* by number of the thread */
    char command[];
};

/* A handle goes where the parameters go: in the bytes of the first, and with all bits of a word of
 * ours changed in those of the second, so that whatever else a caller has put there is no handle.
 */
struct handle {
    uint64_t place, check;
};

_Static_assert(sizeof(struct handle) <= CS_PARAM_MAX * sizeof(double), "a handle fits into them");

#define CHANGED 0x9e3779b97f4a7c15u

/* Its programs and texts are released on their own. */
static void outside_drop(struct cs_guarded *guarded)
{
    free(guarded);
}

struct cs_outside *cs_outside_create(const char *command, double patience)
{
    const size_t size = command ? strlen(command) + 1 : 0;
    struct cs_outside *outside = command ? calloc(1, sizeof *outside + size) : NULL;

    if (!command)
        return NULL;
    if (!outside)
        cs_bug_no_memory(sizeof *outside + size);
    outside->patience = patience;
    memcpy(outside->command, command, size);
    cs_guard_keep(&outside->guarded, outside_drop);
    return outside;
}

void cs_outside_destroy(struct cs_outside *outside)
{
    for (int t = 0; outside && t < MOST; t++)
        if (outside->session[t].patience > 0) {
            cs_talk_close(outside->session[t].talk);
            cs_strbuf_release(&outside->session[t].text);
        }
    if (outside)
        cs_guard_forget(&outside->guarded);
    free(outside);
}

/* The sentence about a text that is wrong, as those who know no program say it. */
static int refuse_without(const char *text, const struct cs_policy *const *list, int count,
                          struct cs_error *err)
{
    const struct cs_policy **inside = cs_block_zero((size_t)count, sizeof *inside);
    struct cs_policy_call call;
    int left = 0;

    for (int i = 0; i < count; i++)
        if (!list[i]->outside)
            inside[left++] = list[i];
    cs_policy_parse(text, inside, left, &call, err);
    cs_block_free(inside);
    return -1;
}

int cs_outside_parse_without(const char *text, const struct cs_policy *const *list, int count,
                             struct cs_policy_call *call, struct cs_error *err)
{
    struct cs_error told = {0};

    if (cs_policy_parse(text, list, count, call, &told))
        return refuse_without(text, list, count, err);
    if (!list[call->policy]->outside)
        return 0;
    return cs_error_set(err, "policy %s is for simulations: nobody asks yours while programs run",
                        list[call->policy]->name);
}

void cs_outside_attach(struct cs_outside *outside, const struct cs_policy *const *list,
                       struct cs_policy_call *call, int calls)
{
    const uint64_t place = (uintptr_t)outside;
    const struct handle handle = {place, place ^ CHANGED};

    for (int c = 0; c < calls; c++)
        if (list[call[c].policy]->outside)
            memcpy(call[c].param, &handle, sizeof handle);
}

uint64_t cs_outside_number(struct cs_outside *outside)
{
    return atomic_fetch_add(&outside->numbers, 1) + 1;
}

struct cs_outside *cs_outside_of(const double *param, struct cs_error *err)
{
    struct handle handle = {0};

    if (param)
        memcpy(&handle, param, sizeof handle);
    if (handle.place && handle.check == (handle.place ^ CHANGED))
        return (struct cs_outside *)(uintptr_t)handle.place;
    cs_error_set(err, "policy program asks a program of yours: give --policy-program COMMAND");
    return NULL;
}

/* Its texts live as long as the program, also where this thread runs out of memory later. */
static void session_open(struct cs_outside *outside, struct cs_outside_session *session)
{
    struct cs_error *err = &session->err;

    CS_GUARD_INNER(err, );
    session->text = (struct cs_strbuf)CS_STRBUF_INIT;
    cs_strbuf_room(&session->text, 1);
    session->talk = cs_talk_open(outside->command, err);
    if (!session->talk)
        cs_strbuf_release(&session->text);
    cs_guard_leave_to(&guard_, &outside->guarded);
}

struct cs_outside_session *cs_outside_session_of(struct cs_outside *outside)
{
    struct cs_outside_session *session = &outside->session[cs_thread_index()];

    if (session->talk || session->failed)
        return session;
    session->patience = outside->patience;
    session_open(outside, session);
    if (!session->talk)
        session->text = (struct cs_strbuf)CS_STRBUF_INIT;
    if (session->err.kind == CS_ERROR_MEMORY) {
        session->err = (struct cs_error){0};
        cs_bug_no_memory(0);
    }
    session->failed = session->talk == NULL;
    return session;
}

int cs_outside_check(const struct cs_outside *outside, struct cs_error *err)
{
    for (int t = 0; outside && t < MOST; t++)
        if (outside->session[t].failed)
            return cs_error_set_as(err, CS_ERROR_POLICY, "policy program: %s",
                                   outside->session[t].err.text);
    return 0;
}

/* ---- what is said and answered ---- */

struct cs_jsonw cs_outside_event(struct cs_outside_session *session, const char *name)
{
    struct cs_jsonw w = cs_jsonw_begin(&session->text);

    cs_jsonw_open_flat(&w, '{');
    cs_jsonw_put_string(&w, "event", name);
    return w;
}

void cs_outside_event_end(struct cs_jsonw *w)
{
    cs_jsonw_close(w);
    cs_jsonw_end(w);
}

static int next_step(const struct cs_moldable *tasks, int task, int j)
{
    return cs_moldable_need(tasks, task, nextafter(cs_moldable_time(tasks, task, j), 0));
}

void cs_outside_put_steps(struct cs_jsonw *w, const struct cs_moldable *tasks, int task)
{
    const int least = tasks->min_procs[task];

    cs_jsonw_key(w, "counts");
    cs_jsonw_open_flat(w, '[');
    for (int j = least; j <= tasks->procs; j = next_step(tasks, task, j))
        cs_jsonw_int(w, j);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "seconds");
    cs_jsonw_open_flat(w, '[');
    for (int j = least; j <= tasks->procs; j = next_step(tasks, task, j))
        cs_jsonw_double(w, cs_moldable_time(tasks, task, j));
    cs_jsonw_close(w);
}

static int outside_fail(struct cs_outside_session *session)
{
    session->failed = true;
    cs_strbuf_clear(&session->text);
    return -1;
}

int cs_outside_fail(struct cs_outside_session *session, const char *format, ...)
{
    char text[sizeof session->err.text];
    va_list list;

    va_start(list, format);
    cs_plain_vprint(text, sizeof text, format, list);
    va_end(list);
    cs_error_set(&session->err, "%s", text);
    return outside_fail(session);
}

int cs_outside_odd(struct cs_outside_session *session, const char *expected)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&words, session->line);
    cs_outside_fail(session, "it answers %s, expected %s", words.text, expected);
    cs_strbuf_release(&words);
    return -1;
}

json_t *cs_outside_ask(struct cs_outside_session *session)
{
    json_t *answer;
    const char *error;
    struct cs_hold held;

    if (session->failed) {
        cs_strbuf_clear(&session->text);
        return NULL;
    }
    session->line = cs_talk_ask(session->talk, &session->text, session->patience, &session->err);
    if (!session->line) {
        outside_fail(session);
        return NULL;
    }
    answer = cs_json_parse(session->line, strlen(session->line), JSON_DECODE_ANY);
    error = json_string_value(json_object_get(answer, "error"));
    if (!error)
        return answer ? answer : json_null();
    cs_json_hold(&held, answer);
    cs_outside_fail(session, "%.900s", error);
    cs_release(&held);
    return NULL;
}

int cs_outside_whole(const json_t *list, size_t at, int low, int high)
{
    const json_t *word = json_array_get(list, at);
    const json_int_t value = json_is_integer(word) ? json_integer_value(word) : (json_int_t)low - 1;

    return value < low || value > high ? low - 1 : (int)value;
}
