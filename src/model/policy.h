/* policy.h - description of a policy, for every problem.
 *
 * A policy decides; it never sees the future, a clock, a file or a printer.  The
 * structs here carry its name, its parameters and the paper it comes from, so that
 * listing, help, parsing and tests need no knowledge of any single policy.
 */
#ifndef CS_MODEL_POLICY_H
#define CS_MODEL_POLICY_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_policy_param_kind {
    CS_POLICY_PARAM_REAL = 1,
    CS_POLICY_PARAM_INTEGER,
    CS_POLICY_PARAM_CHOICE
};

struct cs_policy_param {
    const char *name;
    const char *old; /* its name in cosched 0.2, also accepted; or NULL */
    enum cs_policy_param_kind kind;
    const char *default_text; /* the default, as a user would write it */
    const char *choices;      /* CHOICE: "first|second|..."; its value is the index.  Numbers: words
                                 that may stand for one, the values are -1, -2, ...; or NULL */
    double low, high;         /* numbers: the smallest and largest value allowed */
    bool open;                /* numbers: low and high themselves are not allowed */
    const char *summary;      /* one line, with the unit */
};

#define CS_POLICY_PARAM_MAX 8

/* A name for a policy with some of its parameters set: "easy" is "list:reservations=1". */
struct cs_policy_preset {
    const char *name;
    const char *settings; /* "param=value[,param=value...]", or "" when it is but a name */
};

struct cs_policy {
    const char *name;
    const char *problem;
    const char *summary; /* one line */
    const char *source;  /* paper and algorithm, or the idea's name */
    const char *aliases; /* "other-name|third", or NULL */
    const char *missing; /* what this build lacks to run it, or NULL; cs_case_describe also
                            reports what cannot be loaded on this machine */
    const struct cs_policy_param
        *params; /* at most CS_POLICY_PARAM_MAX, ends with a NULL name; or NULL */
    const struct cs_policy_preset *presets; /* ends with a NULL name; or NULL */
    bool exact;                             /* proves its result when it has the time */
    bool extpol;                            /* asks a program of the user; is not among "all" */
};

/* A policy with values for its parameters.  A parameter whose fallback is not a
 * value of its kind (such as "all") is NaN when the user does not set it. */
struct cs_policy_call {
    int policy; /* index in the list it was looked up in */
    double param[CS_POLICY_PARAM_MAX];
};

/* Read "NAME" or "NAME:param=value[,param=value...]" against a list of policies; NAME may be that
 * of a preset, whose parameters can be set again, and in upper or lower case.
 * The message of a failure lists what would be right. */
int cs_policy_parse(const char *text, const struct cs_policy *const *list, int count,
                    struct cs_policy_call *call, struct cs_error *err);

struct cs_arena;

/* The context of a policy for one call. */
struct cs_policy_context {
    const double *param;              /* as in cs_policy_call */
    uint64_t seed;                    /* the only source of randomness */
    int threads;                      /* how many it may use; results do not depend on it */
    bool (*expired)(const void *who); /* has the caller's patience ended? NULL: never */
    const void *who;
    struct cs_arena *scratch; /* free for use, rewound by the caller */
    struct cs_error *err;
};

#endif
