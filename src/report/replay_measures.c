/* replay_measures.c - what is measured of a row of a replay, and what its tables are by. */
#include "report/replay_measures.h"

#define MEASURE(id, expression)                                                                    \
    static double id(const struct cs_queue_log_row *row)                                           \
    {                                                                                              \
        const struct cs_queue_measured *m = &row->measured;                                        \
        const struct cs_queue_operated *o = &row->operated;                                        \
                                                                                                   \
        (void)m;                                                                                   \
        (void)o;                                                                                   \
        return (double)(expression);                                                               \
    }

MEASURE(jobs, m->jobs)
MEASURE(mean_wait, m->mean_wait)
MEASURE(mean_wait_half, m->wait.half)
MEASURE(mean_wait_related, m->wait.related)
MEASURE(median_wait, m->median_wait)
MEASURE(p95_wait, m->p95_wait)
MEASURE(p99_wait, m->p99_wait)
MEASURE(longest_wait, m->longest_wait)
MEASURE(area_weighted_wait, m->area_weighted_wait)
MEASURE(mean_slowdown, m->mean_slowdown)
MEASURE(median_slowdown, m->median_slowdown)
MEASURE(p95_slowdown, m->p95_slowdown)
MEASURE(per_processor, m->per_processor_slowdown)
MEASURE(mean_response, m->mean_response)
MEASURE(utilisation, m->utilisation)
MEASURE(loss, m->loss_of_capacity)
MEASURE(mean_queue, m->mean_queue)
MEASURE(longest_queue, m->longest_queue)
MEASURE(queued_work, m->queued_work)
MEASURE(jobs_a_day, m->jobs_a_day)
MEASURE(hours_a_day, m->processor_hours_a_day)
MEASURE(overtakes, m->overtakes)
MEASURE(killed, o->killed)
MEASURE(undone, o->undone)
MEASURE(raised, o->raised)
MEASURE(extended, o->extended)
MEASURE(requeued, o->requeued)
MEASURE(failures, o->failures)
MEASURE(over_limit, o->over_limit)
MEASURE(broken, o->broken)
MEASURE(late, m->late)
MEASURE(new_plans, o->new_plans)
MEASURE(moves, o->moves)
MEASURE(makespan, m->makespan)
MEASURE(fair_jobs, m->fair_jobs)
MEASURE(unfair_jobs, m->unfair_jobs)
MEASURE(mean_unfairness, m->mean_unfairness)

const struct cs_replay_measure cs_replay_measures[] = {
    {"jobs", jobs},
    {"mean_wait_of_jobs", mean_wait},
    {"mean_wait_half_width", mean_wait_half},
    {"mean_wait_autocorrelation", mean_wait_related},
    {"median_wait_of_jobs", median_wait},
    {"p95_wait_of_jobs", p95_wait},
    {"p99_wait_of_jobs", p99_wait},
    {"longest_wait_of_jobs", longest_wait},
    {"area_weighted_wait", area_weighted_wait},
    {"mean_bounded_slowdown", mean_slowdown},
    {"median_bounded_slowdown", median_slowdown},
    {"p95_bounded_slowdown", p95_slowdown},
    {"mean_per_processor_slowdown", per_processor},
    {"mean_response", mean_response},
    {"utilisation", utilisation},
    {"loss_of_capacity", loss},
    {"mean_queue", mean_queue},
    {"longest_queue", longest_queue},
    {"mean_queued_work", queued_work},
    {"jobs_a_day", jobs_a_day},
    {"processor_hours_a_day", hours_a_day},
    {"overtakes", overtakes},
    {"killed_jobs", killed},
    {"processor_seconds_not_done", undone},
    {"raised_estimates", raised},
    {"extensions", extended},
    {"requeued_attempts", requeued},
    {"failed_attempts", failures},
    {"jobs_over_limit", over_limit},
    {"promises_broken", broken},
    {"latest_after_promise", late},
    {"new_plans", new_plans},
    {"moved_reservations", moves},
    {"makespan", makespan},
    {"fairness_jobs", fair_jobs},
    {"unfair_jobs", unfair_jobs},
    {"mean_unfairness", mean_unfairness},
    {0},
};

const char *cs_replay_by_word(enum cs_queue_by by)
{
    static const char *const word[] = {"width",     "time", "class", "user", "account",
                                       "partition", "qos",  "week",  "day"};

    return word[by];
}
