/* policy.h - what a policy of the volatile problem is.
 *
 * All but `random` and `program` are made of two measures: one gives out the tasks of a
 * configuration, the other (of proactive policies) decides whether such a configuration is better
 * than the running one.  To add a policy of known measures: one line in policies.def.  To add a
 * measure: here, its score in estimate.c and its bounds in step.h and choose.c, and the
 * policies that use it.
 */
#ifndef CS_VOLATILE_POLICY_H
#define CS_VOLATILE_POLICY_H

#include "problems/volatile/volatile.h"

enum cs_volatile_measure {
    CS_VOLATILE_NONE,           /* passive: decide only when nothing runs */
    CS_VOLATILE_PROBABILITY,    /* P: success is most probable */
    CS_VOLATILE_TIME,           /* E: the expected time is least */
    CS_VOLATILE_YIELD,          /* Y: P / (E + time since the iteration began) is largest */
    CS_VOLATILE_APPARENT_YIELD, /* AY: P / E is largest */
    CS_VOLATILE_RESTARTS,       /* T: the expected time with restarts, D / P, is least */
    CS_VOLATILE_RATE,           /* expected safe progress per slot is largest */
    CS_VOLATILE_DICE,           /* each task to a host drawn at random */
    CS_VOLATILE_EXTPOL,         /* the answers of a program of the user (program.h) */
};

enum cs_volatile_estimate { CS_VOLATILE_PRINTED, CS_VOLATILE_CONDITIONAL };

enum cs_volatile_prefetch {
    CS_VOLATILE_PREFETCH_NONE,
    CS_VOLATILE_PREFETCH_PROGRAM,
    CS_VOLATILE_PREFETCH_DATA,
};

struct cs_volatile_policy {
    struct cs_policy info;
    enum cs_volatile_measure criterion, choice;
};

struct cs_extpol;

/* The values of the parameters of a policy. */
struct cs_volatile_options {
    enum cs_volatile_estimate estimate;
    enum cs_volatile_prefetch prefetch;
    bool singles, aware;
    const struct cs_volatile_lifetime_model *lifetime_model; /* NULL: the chains of the instance */
    struct cs_extpol *extpol; /* the program of EXTPOL; NULL for the others */
};

/* All policies, *count of them, in the order of policies.def. */
const struct cs_volatile_policy *const *cs_volatile_policy_list(int *count);

struct cs_volatile_options cs_volatile_options_of(const struct cs_volatile_policy *policy,
                                                  const double *param);

#endif
