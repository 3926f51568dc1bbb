/* judge.h - a table of jobs that is judged, as it was asked for. */
#ifndef CS_API_JUDGE_H
#define CS_API_JUDGE_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "check/check.h"

enum cs_judge_estimates { CS_JUDGE_REQUESTED, CS_JUDGE_EXACT, CS_JUDGE_LAST2 };

struct cs_judge {
    const struct cs_check_options *how;
    const char *path;
    const char *const *log;
    int logs;
    int rule;                          /* enum cs_check_operated_rule */
    enum cs_judge_estimates estimates; /* what the scheduler knew */
    bool kill;                         /* jobs end at their request */
    bool extend;                       /* that they outlive it is found out when it ends */
    size_t shown;                      /* violations */
    const struct cs_watch *watch;
    struct cs_arena *arena;
};

/* Append an object for a table in the form of Batsim, or one for each policy and priority of a
 * table of `replay --jobs`.  -1 with err. */
int cs_judge_batsim(const struct cs_judge *judge, struct cs_jsonw *w, struct cs_error *err);
int cs_judge_replay(const struct cs_judge *judge, struct cs_jsonw *w, struct cs_error *err);

#endif
