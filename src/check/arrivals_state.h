/* arrivals_state.h - what the parts of the check of a site's table share. */
#ifndef CS_CHECK_ARRIVALS_STATE_H
#define CS_CHECK_ARRIVALS_STATE_H

#include "base/arena.h"
#include "check/jobs.h"

struct cs_check_arrivals_state {
    const struct cs_check_arrivals *what;
    struct cs_check_report *report;
    struct cs_arena *arena;
    int *intervals; /* of each row, those that can be followed */
    int *row;       /* row[job]: -1 for none that can be followed */
    int *line;      /* jobs in the order of the queue: by tier, then arrival */
};

/* Users are 0 .. this - 1. */
int cs_check_arrivals_users(const struct cs_check_arrivals *what);

void cs_check_arrivals_easy(const struct cs_check_arrivals_state *s);
void cs_check_arrivals_exact(const struct cs_check_arrivals_state *s);

#endif
