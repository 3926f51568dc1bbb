/* case.h - what a case is made of. */
#ifndef CS_FACE_CASE_H
#define CS_FACE_CASE_H

#include "base/guard.h"
#include "study/problem.h"

#include <cosched/case.h>

/* The run that was recorded last: what shows one run several times records it once. */
struct cs_case_last {
    struct cs_kept *record; /* NULL: none was */
    int way;
    long run;
};

struct cs_case {
    struct cs_arena *arena;
    struct cs_study_options *options;
    struct cs_study *study;
    bool plans;         /* its verb is "plan" */
    bool runs, has_run; /* does it run: plans against chance are recorded only */
    int values;
    const struct cs_value **value; /* those that some run has */
    double *room;                  /* for a value of every run */
    struct cs_case_last *last;
};

/* Are there that way and that run, and has the case run?  -1 with err. */
int cs_case_check_place(const struct cs_case *c, int way, long run, struct cs_error *err);

#endif
