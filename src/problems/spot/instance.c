/* instance.c - the phases of spot fitted to a trace, and checks of a job.
 *
 * Source: spec/volatile.md III.6.
 * Idea: a phase ends with the probability counted in the history, smoothed by half an end and one
 * tick; a stretch of equal availability counts as young for its first `young` ticks.
 * Complexity: O(ticks of the history).
 *
 * Constants (MOST_END of III.6; half and double: not measured):
 *   MOST_END   0.9   upper limit of the probability that a phase ends in a tick
 *   MOST_TICKS 1e8   limit of work, deadline and change-over; set by hand
 */
#include "problems/spot/instance.h"

#include <inttypes.h>
#include <math.h>

#define MOST_END 0.9
#define MOST_TICKS 100000000

bool cs_spot_market_there(const struct cs_spot_market *m, int64_t tick)
{
    return tick < m->ticks && m->there[tick];
}

/* Stretches of spot available ([1]) and away ([0]): how many ended young and old, and their ticks.
 */
struct stretches {
    double ended[2][2], ticks[2][2];
};

static void stretches_add(struct stretches *s, bool there, int64_t length, bool ended,
                          int64_t young)
{
    bool old = length > young;

    s->ended[there][old] += ended;
    s->ticks[there][0] += (double)(old ? young : length);
    s->ticks[there][1] += (double)(old ? length - young : 0);
}

struct cs_spot_phases cs_spot_phases_fit(const struct cs_spot_market *m, int64_t from, int64_t to,
                                         int64_t young)
{
    struct cs_spot_phases phases = {.young = young, .grow = 1 / (double)young};
    struct stretches s = {0};

    for (int64_t t = from, next; t < to; t = next) {
        bool there = cs_spot_market_there(m, t);

        for (next = t; next < to && cs_spot_market_there(m, next) == there;)
            next++;
        stretches_add(&s, there, next - t, next < to, young);
    }
    for (int there = 0; there < 2; there++)
        for (int old = 0; old < 2; old++)
            phases.end[there][old] =
                fmin(MOST_END, (0.5 + s.ended[there][old]) / (1 + s.ticks[there][old]));
    return phases;
}

int cs_spot_job_check(const struct cs_spot_job *job, const struct cs_spot_market *market,
                      int64_t from, struct cs_error *err)
{
    if (job->work < 1 || job->work > MOST_TICKS)
        return cs_error_set(err, "the work is %" PRId64 " ticks, it must be between 1 and %d",
                            job->work, MOST_TICKS);
    if (job->deadline < 1 || job->deadline > MOST_TICKS)
        return cs_error_set(err, "the deadline is %" PRId64 " ticks, it must be between 1 and %d",
                            job->deadline, MOST_TICKS);
    if (job->change < 0 || job->change > MOST_TICKS)
        return cs_error_set(err,
                            "a change-over takes %" PRId64 " ticks, it must be between 0 and %d",
                            job->change, MOST_TICKS);
    if (!(job->spot >= 0 && isfinite(job->spot) && job->demand >= 0 && isfinite(job->demand)))
        return cs_error_set(err, "the prices are %g and %g, they must be finite and at least 0",
                            job->spot, job->demand);
    if (from < 0 || from > market->ticks - job->deadline)
        return cs_error_set(
            err, "the job may take ticks %" PRId64 " to %" PRId64 ", the trace has %" PRId64, from,
            from + job->deadline, market->ticks);
    return 0;
}
