/* guess.h - about how many processors members need to end by a time.
 *
 * One of `now` processors that ends at `finish` needs them all to end by then; on k fewer it ends
 * at fixed + each + shared / k, as if floors were half a checkpoint higher, and at fixed + (shared
 * + data) / k on k more.  Nothing that is decided may depend on it.
 */
#ifndef CS_MALLEABLE_GUESS_H
#define CS_MALLEABLE_GUESS_H

#include "malleable/plan.h"

struct cs_malleable_guess {
    int members, all; /* all: processors that there are */
    double *fixed, *each, *shared, *data, *now, *finish, *need;
};

/* Nobody yet; in the scratch of the plan. */
struct cs_malleable_guess cs_malleable_guess_create(const struct cs_malleable_plan *plan);

void cs_malleable_guess_add(struct cs_malleable_guess *g, const struct cs_malleable_plan *plan,
                            const struct cs_malleable_member *m);

/* The sum of about how many processors all need. */
double cs_malleable_guess_need(const struct cs_malleable_guess *g, double time);

/* About the earliest time, after `early` and up to `latest`, by which so many processors let
 * everybody end. */
double cs_malleable_guess_time(const struct cs_malleable_guess *g, double early, double latest,
                               double procs);

#endif
