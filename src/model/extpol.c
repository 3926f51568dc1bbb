/* extpol.c - a program for each thread, how a call carries them, and lines of JSON. */
#include "model/extpol.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/plain.h"
#include "base/thread.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* threads, more than options take */

struct cs_extpol {
    struct cs_guarded guarded; /* first */
    double patience;
    atomic_uint_fast64_t numbers;           /* given so far */
    struct cs_extpol_session session[MOST]; /* by number of the thread */
    char command[];
};

/* A handle goes where the parameters go: in the bytes of the first, and with all bits inverted by a
 * constant in those of the second, so other parameters of a caller are not read as a handle.
 */
struct handle {
    uint64_t place, check;
};

_Static_assert(sizeof(struct handle) <= CS_POLICY_PARAM_MAX * sizeof(double),
               "a handle fits into them");

#define CHANGED 0x9e3779b97f4a7c15u

/* Its programs and texts are released on their own. */
static void extpol_drop(struct cs_guarded *guarded)
{
    free(guarded);
}

struct cs_extpol *cs_extpol_create(const char *command, double patience)
{
    const size_t size = command ? strlen(command) + 1 : 0;
    struct cs_extpol *extpol = command ? calloc(1, sizeof *extpol + size) : NULL;

    if (!command)
        return NULL;
    if (!extpol)
        cs_bug_no_memory(sizeof *extpol + size);
    extpol->patience = patience;
    memcpy(extpol->command, command, size);
    cs_guard_keep(&extpol->guarded, extpol_drop);
    return extpol;
}

void cs_extpol_destroy(struct cs_extpol *extpol)
{
    for (int t = 0; extpol && t < MOST; t++)
        if (extpol->session[t].patience > 0) {
            cs_pipe_close(extpol->session[t].pipe);
            cs_strbuf_release(&extpol->session[t].text);
        }
    if (extpol)
        cs_guard_discard(&extpol->guarded);
    free(extpol);
}

/* The message about an invalid text, without external policies. */
static int refuse_without(const char *text, const struct cs_policy *const *list, int count,
                          struct cs_error *err)
{
    const struct cs_policy **inside = cs_block_zero((size_t)count, sizeof *inside);
    struct cs_policy_call call;
    int left = 0;

    for (int i = 0; i < count; i++)
        if (!list[i]->extpol)
            inside[left++] = list[i];
    cs_policy_parse(text, inside, left, &call, err);
    cs_block_free(inside);
    return -1;
}

int cs_extpol_parse_without(const char *text, const struct cs_policy *const *list, int count,
                            struct cs_policy_call *call, struct cs_error *err)
{
    struct cs_error reported = {0};

    if (cs_policy_parse(text, list, count, call, &reported))
        return refuse_without(text, list, count, err);
    if (!list[call->policy]->extpol)
        return 0;
    return cs_error_set(err, "policy %s is for simulations only, not for real runs",
                        list[call->policy]->name);
}

void cs_extpol_attach(struct cs_extpol *extpol, const struct cs_policy *const *list,
                      struct cs_policy_call *call, int calls)
{
    const uint64_t place = (uintptr_t)extpol;
    const struct handle handle = {place, place ^ CHANGED};

    for (int c = 0; c < calls; c++)
        if (list[call[c].policy]->extpol)
            memcpy(call[c].param, &handle, sizeof handle);
}

uint64_t cs_extpol_number(struct cs_extpol *extpol)
{
    return atomic_fetch_add(&extpol->numbers, 1) + 1;
}

struct cs_extpol *cs_extpol_of(const double *param, struct cs_error *err)
{
    struct handle handle = {0};

    if (param)
        memcpy(&handle, param, sizeof handle);
    if (handle.place && handle.check == (handle.place ^ CHANGED))
        return (struct cs_extpol *)(uintptr_t)handle.place;
    cs_error_set(err, "policy program asks a program of yours: give --policy-program COMMAND");
    return NULL;
}

/* Its texts live as long as the program, also where this thread runs out of memory later. */
static void session_open(struct cs_extpol *extpol, struct cs_extpol_session *session)
{
    struct cs_error *err = &session->err;

    CS_GUARD_INNER(err, );
    session->text = (struct cs_strbuf)CS_STRBUF_INIT;
    cs_strbuf_room(&session->text, 1);
    session->pipe = cs_pipe_open(extpol->command, err);
    if (!session->pipe)
        cs_strbuf_release(&session->text);
    cs_guard_leave_to(&guard_, &extpol->guarded);
}

struct cs_extpol_session *cs_extpol_session_of(struct cs_extpol *extpol)
{
    struct cs_extpol_session *session = &extpol->session[cs_thread_index()];

    if (session->pipe || session->failed)
        return session;
    session->patience = extpol->patience;
    session_open(extpol, session);
    if (!session->pipe)
        session->text = (struct cs_strbuf)CS_STRBUF_INIT;
    if (session->err.kind == CS_ERROR_MEMORY) {
        session->err = (struct cs_error){0};
        cs_bug_no_memory(0);
    }
    session->failed = session->pipe == NULL;
    return session;
}

int cs_extpol_check(const struct cs_extpol *extpol, struct cs_error *err)
{
    for (int t = 0; extpol && t < MOST; t++)
        if (extpol->session[t].failed)
            return cs_error_set_as(err, CS_ERROR_POLICY, "policy program: %s",
                                   extpol->session[t].err.text);
    return 0;
}

/* ---- requests and answers ---- */

struct cs_jsonw cs_extpol_event(struct cs_extpol_session *session, const char *name)
{
    struct cs_jsonw w = cs_jsonw_begin(&session->text);

    cs_jsonw_open_flat(&w, '{');
    cs_jsonw_put_string(&w, "event", name);
    return w;
}

void cs_extpol_event_end(struct cs_jsonw *w)
{
    cs_jsonw_close(w);
    cs_jsonw_end(w);
}

void cs_extpol_say(struct cs_extpol_session *session, const char *name)
{
    struct cs_jsonw w = cs_extpol_event(session, name);

    cs_extpol_event_end(&w);
}

void cs_extpol_machine(struct cs_extpol_session *session, const char *problem,
                       void (*put)(struct cs_jsonw *w, const void *who), const void *who)
{
    struct cs_jsonw w = cs_extpol_event(session, "machine");

    cs_jsonw_put_string(&w, "problem", problem);
    put(&w, who);
    cs_extpol_event_end(&w);
}

struct cs_extpol_session *cs_extpol_begin(struct cs_extpol *extpol, uint64_t number,
                                          const char *problem,
                                          void (*put)(struct cs_jsonw *w, const void *who),
                                          const void *who)
{
    struct cs_extpol_session *session = cs_extpol_session_of(extpol);

    if (session->failed)
        return session;
    if (session->reported != number)
        cs_extpol_machine(session, problem, put, who);
    session->reported = number;
    cs_extpol_say(session, "begin");
    return session;
}

static int next_step(const struct cs_moldable *tasks, int task, int j)
{
    return cs_moldable_need(tasks, task, nextafter(cs_moldable_time(tasks, task, j), 0));
}

void cs_extpol_put_steps(struct cs_jsonw *w, const struct cs_moldable *tasks, int task)
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

static int extpol_fail(struct cs_extpol_session *session)
{
    session->failed = true;
    cs_strbuf_clear(&session->text);
    return -1;
}

int cs_extpol_fail(struct cs_extpol_session *session, const char *format, ...)
{
    char text[sizeof session->err.text];
    va_list list;

    va_start(list, format);
    cs_plain_vprint(text, sizeof text, format, list);
    va_end(list);
    cs_error_set(&session->err, "%s", text);
    return extpol_fail(session);
}

int cs_extpol_odd(struct cs_extpol_session *session, const char *expected)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&words, session->line);
    cs_extpol_fail(session, "it answers %s, expected %s", words.text, expected);
    cs_strbuf_release(&words);
    return -1;
}

json_t *cs_extpol_ask(struct cs_extpol_session *session)
{
    json_t *answer;
    const char *error;
    struct cs_hold held;

    if (session->failed) {
        cs_strbuf_clear(&session->text);
        return NULL;
    }
    session->line = cs_pipe_ask(session->pipe, &session->text, session->patience, &session->err);
    if (!session->line) {
        extpol_fail(session);
        return NULL;
    }
    answer = cs_json_parse(session->line, strlen(session->line), JSON_DECODE_ANY);
    error = json_string_value(json_object_get(answer, "error"));
    if (!error)
        return answer ? answer : json_null();
    cs_json_hold(&held, answer);
    cs_extpol_fail(session, "%.900s", error);
    cs_release(&held);
    return NULL;
}

int cs_extpol_ask_list(struct cs_extpol_session *session, const char *key, const char *expected,
                       int (*take)(void *who, const json_t *list), void *who)
{
    json_t *answer = cs_extpol_ask(session);
    const json_t *list;
    CS_JSON_HOLD(answer);

    if (!answer)
        return -1;
    list = json_object_get(answer, key);
    return json_is_array(list) ? take(who, list) : cs_extpol_odd(session, expected);
}

int cs_extpol_whole(const json_t *list, size_t at, int low, int high)
{
    const json_t *word = json_array_get(list, at);
    const json_int_t value = json_is_integer(word) ? json_integer_value(word) : (json_int_t)low - 1;

    return value < low || value > high ? low - 1 : (int)value;
}
