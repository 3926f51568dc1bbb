/* replay_names.c - which policies and priorities can be replayed with arrivals. */
#include "base/plain.h"
#include "rigid/replay.h"

#include <math.h>
#include <string.h>

static void set_list(struct cs_rigid_replay *replay, double reservations)
{
    replay->policy = isnan(reservations) ? CS_RIGID_REPLAY_CONSERVATIVE
                     : reservations == 0 ? CS_RIGID_REPLAY_GREEDY
                     : reservations == 1 ? CS_RIGID_REPLAY_EASY
                                         : CS_RIGID_REPLAY_ROUND;
    if (replay->policy == CS_RIGID_REPLAY_ROUND)
        replay->reservations = (int)reservations;
}

static void set_shelf(struct cs_rigid_replay *replay, enum cs_rigid_replay_policy policy,
                      const double *param)
{
    replay->policy = policy;
    replay->in_order = param[0] != 0;
}

int cs_rigid_replay_set_policy(struct cs_rigid_replay *replay, const struct cs_rigid_policy *policy,
                               const double *param, struct cs_error *err)
{
    const char *name = policy->info.name;

    if (!strcmp(name, "strict-easy"))
        replay->policy = CS_RIGID_REPLAY_STRICT_EASY;
    else if (!strcmp(name, "list"))
        set_list(replay, param[0]);
    else if (!strcmp(name, "shelf"))
        set_shelf(replay, CS_RIGID_REPLAY_SHELF, param);
    else if (!strcmp(name, "shelf-fill"))
        set_shelf(replay, CS_RIGID_REPLAY_SHELF_FILL, param);
    else
        return cs_error_set(err,
                            "policy \"%s\" is not made for arrivals: choose list, strict-easy, "
                            "shelf or shelf-fill",
                            name);
    return 0;
}

int cs_rigid_replay_priority_find(const char *name, const struct cs_rigid_priority **out,
                                  struct cs_error *err)
{
    struct cs_error inner = {0};

    if (!cs_plain_compare(name, "fcfs")) {
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
