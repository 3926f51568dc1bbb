/* replay_priority.c - which priorities can be replayed with arrivals. */
#include "base/plain.h"
#include "rigid/replay.h"

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
