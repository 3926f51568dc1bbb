/* check_table.h - checks of tables of jobs against their logs. */
#ifndef CS_API_CHECK_TABLE_H
#define CS_API_CHECK_TABLE_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "check/check.h"

enum cs_check_estimates { CS_CHECK_REQUESTED, CS_CHECK_EXACT, CS_CHECK_LAST2 };

struct cs_check_request {
    const struct cs_check_options *how;
    const char *path;
    const char *const *log;
    int logs;
    int rule;                          /* enum cs_check_arrivals_rule */
    enum cs_check_estimates estimates; /* runtime estimates of the scheduler */
    bool kill;                         /* jobs end at their request */
    bool extend;  /* a request that the job outlives is extended when it ends */
    size_t shown; /* most violations listed */
    const struct cs_watch *watch;
    struct cs_arena *arena;
};

/* Check a table of `replay --jobs` and append the result, an object per policy and priority.
 * -1 with err. */
int cs_check_replay_table(const struct cs_check_request *check, struct cs_jsonw *w,
                          struct cs_error *err);

#endif
