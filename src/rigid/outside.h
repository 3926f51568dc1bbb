/* outside.h - a policy that is another program, which speaks JSON lines (docs/policies.md).
 *
 * The policy `program` asks it.  Every thread has a program of its own, which is told anew what
 * there is whenever a policy is made.  When it fails, the sentence is kept and the policy starts
 * what fits, so that no driver has to know: whoever runs one asks afterwards whether it has failed.
 */
#ifndef CS_RIGID_OUTSIDE_H
#define CS_RIGID_OUTSIDE_H

#include "base/strbuf.h"
#include "base/talk.h"
#include "rigid/policy.h"

#define CS_RIGID_PATIENCE 60.0 /* seconds for an answer */

struct cs_rigid_outside;

/* The program of one thread. */
struct cs_rigid_session {
    struct cs_talk *talk;
    struct cs_strbuf text; /* to be said */
    double patience;
    bool failed;
    struct cs_error err;
    uint64_t told; /* the number of the policy that it was told of last */
};

extern const struct cs_rigid_policy cs_rigid_policy_program;

/* Nothing is started yet; the command is copied.  NULL for a command that is NULL. */
struct cs_rigid_outside *cs_rigid_outside_create(const char *command, double patience);
void cs_rigid_outside_destroy(struct cs_rigid_outside *outside); /* NULL is fine */

/* A call of the policy `program` gets this program to ask; others stay as they are.  It must
 * outlive the call. */
void cs_rigid_outside_attach(struct cs_rigid_outside *outside, struct cs_policy_call *call);

/* Policies have numbers, from 1 on. */
uint64_t cs_rigid_outside_number(struct cs_rigid_outside *outside);

/* What such a call carries; NULL for one that has nothing to ask. */
struct cs_rigid_outside *cs_rigid_outside_of(const double *param);

/* The program of this thread, started when there is none; it may have failed. */
struct cs_rigid_session *cs_rigid_outside_session(struct cs_rigid_outside *outside);

/* Has one of its programs failed?  -1 with err then.  NULL never has. */
int cs_rigid_outside_check(const struct cs_rigid_outside *outside, struct cs_error *err);

#endif
