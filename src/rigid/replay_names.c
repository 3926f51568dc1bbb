/* replay_names.c - which policies and priorities can be replayed with arrivals. */
#include "rigid/replay.h"

#include <math.h>
#include <string.h>
#include <strings.h>

int cs_rigid_replay_policy_of(const struct cs_rigid_policy *policy, const double *param,
                              enum cs_rigid_replay_policy *out, struct cs_error *err)
{
    if (!strcmp(policy->info.name, "strict-easy"))
        *out = CS_RIGID_REPLAY_STRICT_EASY;
    else if (strcmp(policy->info.name, "list"))
        return cs_error_set(err,
                            "policy \"%s\" is not made for arrivals: choose list or strict-easy",
                            policy->info.name);
    else if (isnan(param[0]))
        *out = CS_RIGID_REPLAY_CONSERVATIVE;
    else if (param[0] == 0)
        *out = CS_RIGID_REPLAY_GREEDY;
    else if (param[0] == 1)
        *out = CS_RIGID_REPLAY_EASY;
    else
        return cs_error_set(err,
                            "policy \"list\" with %g reservations is not made for arrivals: choose "
                            "0, 1 or all",
                            param[0]);
    return 0;
}

int cs_rigid_replay_priority_find(const char *name, const struct cs_rigid_priority **out,
                                  struct cs_error *err)
{
    struct cs_error inner = {0};

    if (!strcasecmp(name, "fcfs")) {
        *out = NULL;
        return 0;
    }
    *out = cs_rigid_priority_find(name, &inner);
    if (*out && (*out)->learns)
        return cs_error_set(err, "priority \"%s\" is not made for arrivals: choose lert",
                            (*out)->name);
    if (*out)
        return 0;
    return cs_error_set(err, "%s, or fcfs", inner.text);
}
