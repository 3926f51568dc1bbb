/* view.h - what a command of a problem is about. */
#ifndef CS_CLI_VIEW_H
#define CS_CLI_VIEW_H

#include "study/problem.h"

struct cs_view {
    const struct cs_problem *problem;
    const char
        *one; /* how a way is called in messages: "for one policy on end and one on failure" */
};

#endif
