/* telling.h - what a policy is told of how long a job runs, and how it is told more.
 *
 * request is the log's, or what stands for it; top the longest that a policy is told: the request,
 * with the grace before a job is killed, or the run time where that is longer and the policy shall
 * know (spec/replay.md 6).
 */
#ifndef CS_RIGID_TELLING_H
#define CS_RIGID_TELLING_H

#include "base/arena.h"
#include "model/site.h"

/* What the policy is told. */
enum cs_rigid_telling {
    CS_RIGID_REQUESTED,
    CS_RIGID_EXACT,
    CS_RIGID_LAST_TWO, /* the mean of the last two jobs of the user that had ended */
};

/* Jobs that run longer than they asked for. */
enum cs_rigid_overrun {
    CS_RIGID_RAISE,  /* the policy is told the run time from the beginning */
    CS_RIGID_KILL,   /* ended at request + grace */
    CS_RIGID_EXTEND, /* found out when the expected end comes */
};

struct cs_rigid_told {
    double request, top, estimate;
    double seconds; /* that it really runs */
    bool killed;
};

struct cs_rigid_teller {
    enum cs_rigid_telling telling;
    enum cs_rigid_overrun overrun;
    double grace, default_request;
    struct cs_arena *arena;
    int users; /* room */
    struct cs_rigid_last_two {
        int count;
        double seconds[2]; /* of the last that ended, and of the one before */
    } * last;
};

/* When it arrives. */
struct cs_rigid_told cs_rigid_tell(const struct cs_rigid_teller *teller, const struct cs_site *site,
                                   const struct cs_log_job *job);

/* A job of that user has ended for good after so long. */
void cs_rigid_teller_ended(struct cs_rigid_teller *teller, int user, double seconds);

/* The new expected end of an attempt that goes on though its end was expected now, for the time-th
 * time (0 is the first); not beyond `latest` while that is to come. */
double cs_rigid_extension(double now, int time, double latest);

/* How long an attempt may go on by extensions: a million of the longest. */
#define CS_RIGID_LONGEST_EXTENDED (1e6 * 360000)

#endif
