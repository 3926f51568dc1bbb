/* extpol.h - external policies: another program, with a protocol of JSON lines (docs/policies.md).
 *
 * The policies called `program` query it. Every thread has a separate program. If it fails, the
 * error is stored and the policy continues with default decisions, so drivers need no error path:
 * the caller checks afterwards whether it has failed.
 */
#ifndef CS_MODEL_EXTPOL_H
#define CS_MODEL_EXTPOL_H

#include "base/json.h"
#include "base/jsonw.h"
#include "base/pipe.h"
#include "model/moldable.h"
#include "model/policy.h"

#include <jansson.h>
#include <stdint.h>

struct cs_extpol;

/* The program of one thread. */
struct cs_extpol_session {
    struct cs_pipe *pipe;
    struct cs_strbuf text; /* the request */
    const char *line;      /* the last answer, until the next one */
    double patience;
    bool failed;
    struct cs_error err;
    uint64_t reported; /* the number of the policy in the last request */
};

/* No program is started yet; the command is copied. NULL for a command that is NULL. */
struct cs_extpol *cs_extpol_create(const char *command, double patience);
void cs_extpol_destroy(struct cs_extpol *extpol); /* NULL is fine */

/* The calls of policies that are outside get this program to ask, or NULL; others stay as they
 * are.  It must outlive the calls. */
void cs_extpol_attach(struct cs_extpol *extpol, const struct cs_policy *const *list,
                      struct cs_policy_call *call, int calls);

/* cs_policy_parse without external policies, for runs of real programs: these are rejected, and not
 * suggested for a wrong name. */
int cs_extpol_parse_without(const char *text, const struct cs_policy *const *list, int count,
                            struct cs_policy_call *call, struct cs_error *err);

/* Policies have numbers, from 1 on. */
uint64_t cs_extpol_number(struct cs_extpol *extpol);

/* The handle in the parameters of a call; NULL with err without a program. */
struct cs_extpol *cs_extpol_of(const double *param, struct cs_error *err);

/* The program of this thread, started if necessary; it may have failed. */
struct cs_extpol_session *cs_extpol_session_of(struct cs_extpol *extpol);

/* Has one of its programs failed?  -1 with err then.  NULL never has. */
int cs_extpol_check(const struct cs_extpol *extpol, struct cs_error *err);

/* ---- requests and answers ---- */

/* A line {"event": name, ... to which the caller adds, and closes. */
struct cs_jsonw cs_extpol_event(struct cs_extpol_session *session, const char *name);
void cs_extpol_event_end(struct cs_jsonw *w);

/* An event without keys. */
void cs_extpol_say(struct cs_extpol_session *session, const char *name);

/* The event machine: the problem, and the keys that `put` adds. */
void cs_extpol_machine(struct cs_extpol_session *session, const char *problem,
                       void (*put)(struct cs_jsonw *w, const void *who), const void *who);

/* The session of this thread at the begin of a run of the policy with that number: the machine, if
 * the program has not got it from this policy last, and the event begin.  It may have failed. */
struct cs_extpol_session *cs_extpol_begin(struct cs_extpol *extpol, uint64_t number,
                                          const char *problem,
                                          void (*put)(struct cs_jsonw *w, const void *who),
                                          const void *who);

/* The description of the policy `program` of a problem. */
#define CS_EXTPOL_INFO(problem_)                                                                   \
    {                                                                                              \
        .name = "program", .problem = problem_,                                                    \
        .summary = "asks a program of yours (--policy-program), in any language",                  \
        .source = "yours; docs/policies.md", .extpol = true,                                       \
    }

/* "counts" and "seconds": the counts at which the time of a task decreases, and its times. */
void cs_extpol_put_steps(struct cs_jsonw *w, const struct cs_moldable *tasks, int task);

/* Send the request and return the answer, which the caller releases; NULL if the session has
 * failed, also by an "error" of the program. */
json_t *cs_extpol_ask(struct cs_extpol_session *session);

/* The same, and `take` gets the list under that key of the answer; an answer without the list is
 * an error that names what is expected.  What `take` returns, or -1. */
int cs_extpol_ask_list(struct cs_extpol_session *session, const char *key, const char *expected,
                       int (*take)(void *who, const json_t *list), void *who);

/* Set the session to failed with this message or with an invalid answer. Return -1. */
int cs_extpol_fail(struct cs_extpol_session *session, const char *format, ...) CS_PRINTF(2, 3);
int cs_extpol_odd(struct cs_extpol_session *session, const char *expected);

/* Element at of a list, an integer in low .. high; low - 1 if invalid. */
int cs_extpol_whole(const json_t *list, size_t at, int low, int high);

#endif
