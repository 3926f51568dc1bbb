/* profile.h - how many processors are free from now on: running attempts and reservations. */
#ifndef CS_RIGID_PROFILE_H
#define CS_RIGID_PROFILE_H

#include "rigid/policy.h"

/* From `time` on, until the next step or for ever, so many processors are free. */
struct cs_rigid_step {
    double time;
    int free;
};

struct cs_rigid_profile {
    const struct cs_rigid_instance *in;
    int first, count;           /* step[first .. count - 1], by time */
    struct cs_rigid_step *step; /* step[first].time is now */
};

void cs_rigid_profile_init(struct cs_rigid_profile *profile, const struct cs_rigid_instance *in,
                           struct cs_arena *arena);

/* Only the running attempts, from view->now on. */
void cs_rigid_profile_begin(struct cs_rigid_profile *profile, const struct cs_rigid_view *view);

/* What is before `now` is forgotten. */
void cs_rigid_profile_advance(struct cs_rigid_profile *profile, double now);

/* Reserve the earliest whole attempt of this rank from now on; there always is one.  Returns its
 * start. */
double cs_rigid_profile_reserve(struct cs_rigid_profile *profile, int rank);

/* Could a whole attempt of this rank start now? */
bool cs_rigid_profile_fits_now(const struct cs_rigid_profile *profile, int rank);

/* An attempt of this rank from `start` on takes its processors, or gives them back. */
void cs_rigid_profile_take(struct cs_rigid_profile *profile, int rank, double start);
void cs_rigid_profile_give_back(struct cs_rigid_profile *profile, int rank, double start);

#endif
