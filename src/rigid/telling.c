/* telling.c - requests, predictions, extensions. */
#include "rigid/telling.h"

#include <math.h>

static double request_of(const struct cs_rigid_teller *teller, const struct cs_site *site,
                         const struct cs_log_job *job)
{
    const double longest = site->partition[job->partition].seconds;
    const double usual = site->partition[job->partition].usual;

    if (job->request > 0)
        return job->request;
    if (teller->default_request > 0)
        return teller->default_request;
    if (usual > 0)
        return usual;
    return longest > 0 && isfinite(longest) ? longest : job->seconds;
}

static double predict(const struct cs_rigid_teller *teller, int user, double top)
{
    const struct cs_rigid_last_two *last;

    if (user < 0 || user >= teller->users || teller->last[user].count < 2)
        return top;
    last = &teller->last[user];
    return fmin(fmax((last->seconds[0] + last->seconds[1]) / 2, 1), top);
}

struct cs_rigid_told cs_rigid_tell(const struct cs_rigid_teller *teller, const struct cs_site *site,
                                   const struct cs_log_job *job)
{
    struct cs_rigid_told told = {.request = request_of(teller, site, job), .seconds = job->seconds};

    told.top = told.request;
    if (teller->overrun == CS_RIGID_KILL) {
        told.top += teller->grace;
        told.killed = job->seconds > told.top;
        told.seconds = fmin(job->seconds, told.top);
    } else if (teller->overrun == CS_RIGID_RAISE) {
        told.top = fmax(told.top, job->seconds);
    }
    told.estimate = teller->telling == CS_RIGID_EXACT      ? told.seconds
                    : teller->telling == CS_RIGID_LAST_TWO ? predict(teller, job->user, told.top)
                                                           : told.top;
    return told;
}

void cs_rigid_teller_ended(struct cs_rigid_teller *teller, int user, double seconds)
{
    struct cs_rigid_last_two *last;

    if (teller->telling != CS_RIGID_LAST_TWO || user < 0)
        return;
    if (user >= teller->users) {
        size_t old = (size_t)teller->users;

        teller->users = 2 * user + 16;
        teller->last = cs_arena_grow(teller->arena, teller->last, old, (size_t)teller->users,
                                     sizeof *teller->last);
    }
    last = &teller->last[user];
    last->seconds[1] = last->seconds[0];
    last->seconds[0] = seconds;
    last->count += last->count < 2;
}

double cs_rigid_extension(double now, int time, double latest)
{
    static const double more[] = {60,    300,   900,   1800,   3600,  7200,
                                  18000, 36000, 72000, 180000, 360000};
    int last = sizeof more / sizeof *more - 1;
    double end = now + more[time < last ? time : last];

    end = end > now ? end : nextafter(now, INFINITY);
    return latest > now ? fmin(end, latest) : end;
}
