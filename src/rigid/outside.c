/* outside.c - a program for each thread, and how a call carries them. */
#include "rigid/outside.h"

#include "base/bug.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* threads, more than options take */

struct cs_rigid_outside {
    double patience;
    atomic_uint_fast64_t numbers;          /* given so far */
    struct cs_rigid_session session[MOST]; /* by number of the thread */
    char command[];
};

/* A handle goes where the parameters go: in the bytes of the first. */
_Static_assert(sizeof(void *) <= sizeof(double), "a pointer fits into a parameter");

struct cs_rigid_outside *cs_rigid_outside_create(const char *command, double patience)
{
    const size_t size = command ? strlen(command) + 1 : 0;
    struct cs_rigid_outside *outside = command ? calloc(1, sizeof *outside + size) : NULL;

    if (!command)
        return NULL;
    if (!outside)
        cs_bug_no_memory(sizeof *outside + size);
    outside->patience = patience;
    memcpy(outside->command, command, size);
    return outside;
}

void cs_rigid_outside_destroy(struct cs_rigid_outside *outside)
{
    for (int t = 0; outside && t < MOST; t++)
        if (outside->session[t].patience > 0) {
            cs_talk_close(outside->session[t].talk);
            cs_strbuf_release(&outside->session[t].text);
        }
    free(outside);
}

void cs_rigid_outside_attach(struct cs_rigid_outside *outside, struct cs_policy_call *call)
{
    if (cs_rigid_policy_at(call->policy) == &cs_rigid_policy_program)
        memcpy(&call->param[0], &outside, sizeof outside);
}

uint64_t cs_rigid_outside_number(struct cs_rigid_outside *outside)
{
    return atomic_fetch_add(&outside->numbers, 1) + 1;
}

struct cs_rigid_outside *cs_rigid_outside_of(const double *param)
{
    struct cs_rigid_outside *outside;

    memcpy(&outside, &param[0], sizeof outside);
    return outside;
}

struct cs_rigid_session *cs_rigid_outside_session(struct cs_rigid_outside *outside)
{
    struct cs_rigid_session *session = &outside->session[cs_thread_index()];

    if (session->talk || session->failed)
        return session;
    session->text = (struct cs_strbuf)CS_STRBUF_INIT;
    session->patience = outside->patience;
    session->talk = cs_talk_open(outside->command, &session->err);
    session->failed = session->talk == NULL;
    return session;
}

int cs_rigid_outside_check(const struct cs_rigid_outside *outside, struct cs_error *err)
{
    for (int t = 0; outside && t < MOST; t++)
        if (outside->session[t].failed)
            return cs_error_set(err, "policy program: %s", outside->session[t].err.text);
    return 0;
}
