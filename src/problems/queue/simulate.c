/* simulate.c - replay of a job log: arrivals, ends, outages and rounds in virtual time.
 *
 * Source: spec/replay.md 4 (the driver), 6 (estimates, overruns, errors), 8 (limits, outages) and
 * 10.5 (fair start).
 *
 * Idea: at each instant, in this order: attempts that end, by start and number; outages; arrivals
 * in the order of the log; expected ends at which the attempt continues (extensions); one round of
 * the policy.  The next instant is the earliest of: the next arrival, a real end, an expected end
 * that is too early, an outage, the wake of the policy.
 *
 * Invariants:
 * - `now` never decreases, and is finite while a job is unfinished (CS_REQUIRE).
 * - One job of the log is read ahead (`coming`), and tickets of jobs that are done are used again:
 *   the memory grows with the unfinished jobs, not with the log.
 * - `ends` holds the real end of each attempt that runs; `lates` the expected end of those that
 *   will continue after it.  The policy sees expected ends only.
 * - A job over a limit of processors of its user is left out before it arrives, and is counted.
 * - fair_start runs a copy of the state without arrivals or observers, then restores all of it.
 *
 * Complexity: O(log R) for each start, end and extension, R attempts that run; k attempts that end
 * at one instant O(k^2) at worst; one round of the policy for each instant.  A fair start copies
 * the arena and simulates until the job starts.
 *
 * Constant                                   | found                         | at half, at double
 * extensions: 60 s, ..., 360,000 s after now | spec/replay.md 6.2            | not measured
 * shortest prediction: 1 s                   | spec/replay.md 6.1            | not measured
 * CS_QUEUE_LONGEST_EXTENDED: 3.6e11 s        | a million extensions of 100 h | not measured
 */
#include "base/bug.h"
#include "base/watch.h"
#include "problems/queue/simulate_parts.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* requests, predictions, extensions. */

static double request_of(const struct cs_queue_teller *teller, const struct cs_site *site,
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

static double operate_predict(const struct cs_queue_teller *teller, int user, double top)
{
    const struct cs_queue_last_two *last;

    if (user < 0 || user >= teller->users || teller->last[user].count < 2)
        return top;
    last = &teller->last[user];
    return fmin(fmax((last->seconds[0] + last->seconds[1]) / 2, 1), top);
}

/* When it arrives. */
static struct cs_queue_reported queue_report(const struct cs_queue_teller *teller,
                                             const struct cs_site *site,
                                             const struct cs_log_job *job)
{
    struct cs_queue_reported reported = {.request = request_of(teller, site, job),
                                         .seconds = job->seconds};

    reported.top = reported.request;
    if (teller->overrun == CS_QUEUE_KILL) {
        reported.top += teller->grace;
        reported.killed = job->seconds > reported.top;
        reported.seconds = fmin(job->seconds, reported.top);
    } else if (teller->overrun == CS_QUEUE_RAISE) {
        reported.top = fmax(reported.top, job->seconds);
    }
    reported.estimate = teller->notify == CS_QUEUE_EXACT ? reported.seconds
                        : teller->notify == CS_QUEUE_LAST_TWO
                            ? operate_predict(teller, job->user, reported.top)
                            : reported.top;
    return reported;
}

/* A job of that user has ended for good after so long. */
static void queue_teller_ended(struct cs_queue_teller *teller, int user, double seconds)
{
    struct cs_queue_last_two *last;

    if (teller->notify != CS_QUEUE_LAST_TWO || user < 0)
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

/* The new expected end of an attempt that continues though its end was expected now, for the
 * time-th time (0 is the first); not beyond `latest` while that is to come. */
static double queue_extension(double now, int time, double latest)
{
    static const double more[] = {60,    300,   900,   1800,   3600,  7200,
                                  18000, 36000, 72000, 180000, 360000};
    int last = sizeof more / sizeof *more - 1;
    double end = now + more[time < last ? time : last];

    end = end > now ? end : nextafter(now, INFINITY);
    return latest > now ? fmin(end, latest) : end;
}

static void put_waiting(struct cs_queue_run *r, int ticket)
{
    if (!r->in.moves)
        return;
    r->kept[ticket].where = r->waits;
    r->waiting[r->waits++] = ticket;
}

static void take_waiting(struct cs_queue_run *r, int ticket)
{
    int last;

    if (!r->in.moves)
        return;
    last = r->waiting[--r->waits];
    r->waiting[r->kept[ticket].where] = last;
    r->kept[last].where = r->kept[ticket].where;
}

static void show_request(struct cs_queue_run *r, int ticket)
{
    const struct cs_log_job *job = &r->kept[ticket].history.job;

    struct cs_sched_request *request = &r->request[ticket];

    request->partition = job->partition;
    request->units = job->units;
    memcpy(request->demand, job->demand, sizeof request->demand);
    request->gres = request->any = false;
    for (int d = 2; d < r->site->demands; d++) {
        request->gres |= job->demand[d] > 0;
        request->any |= job->demand[d] > 0 && d >= r->site->resources;
    }
    request->procs = job->procs;
    request->user = job->user;
    request->arrival = job->submit;
}

static void make_users(struct cs_queue_run *r, int user)
{
    struct cs_sched_usage *usage = &r->usage;
    size_t old = (size_t)usage->users;

    if (!r->in.usage || user < usage->users)
        return;
    usage->users = 2 * user + 16;
    usage->jobs =
        cs_arena_grow(r->arena, usage->jobs, old, (size_t)usage->users, sizeof *usage->jobs);
    usage->procs =
        cs_arena_grow(r->arena, usage->procs, old, (size_t)usage->users, sizeof *usage->procs);
}

static void count_reported(struct cs_queue_run *r, const struct cs_queue_holder *c)
{
    const struct cs_queue_reported *reported = &c->reported;

    r->result->raised += r->op->overrun == CS_QUEUE_RAISE && reported->request < reported->seconds;
    if (!reported->killed)
        return;
    r->result->killed++;
    r->result->undone +=
        (c->history.job.seconds - reported->seconds) * (double)c->history.job.procs;
}

static int operate_admit(struct cs_queue_run *r)
{
    int ticket = cs_queue_run_ticket(r);
    struct cs_queue_holder *c = &r->kept[ticket];

    c->reported = queue_report(&r->teller, r->site, &r->coming);
    c->left = r->coming.failures;
    c->history = (struct cs_queue_history){
        .job = r->coming,
        .number = r->number++,
        .request = c->reported.request,
        .estimate = c->reported.estimate,
        .since = r->coming.submit,
        .promise = NAN,
        .fair = NAN,
    };
    r->seconds[ticket] = c->reported.estimate;
    r->procs[ticket] = (int)r->coming.procs;
    r->in.promise[ticket] = NAN;
    show_request(r, ticket);
    make_users(r, r->coming.user);
    cs_sched_fairshare_seen(&r->fairshare, r->coming.account, r->coming.user);
    r->place[ticket] = cs_queue_run_place(r, ticket);
    count_reported(r, c);
    put_waiting(r, ticket);
    r->result->jobs++;
    if (++r->unfinished > r->result->most_unfinished)
        r->result->most_unfinished = r->unfinished;
    cs_sched_dispatcher_arrived(&r->dispatcher, ticket);
    CS_QUEUE_REPORT(r, arrived, &c->history, r->now);
    return ticket;
}

static void start_attempt(struct cs_queue_run *r, int ticket)
{
    struct cs_queue_holder *c = &r->kept[ticket];
    struct cs_queue_history *history = &c->history;

    take_waiting(r, ticket);
    if (r->general)
        cs_queue_pools_take(&r->pools, &r->request[ticket], &r->in.hold[ticket]);
    cs_queue_run_name(r, ticket);
    c->times = 0;
    history->start = r->now;
    history->end = (r->now + c->reported.seconds) + r->op->verification;
    history->promise = r->in.promise[ticket];
    if (history->attempt++ == 0) {
        history->first = r->now;
        r->result->broken += r->now > history->promise;
    }
    history->shelf = r->shelf;
    history->pools = r->general ? r->in.hold[ticket].count : 0;
    history->taken = r->general ? r->in.hold[ticket].taken : NULL;
    r->result->attempts++;
    cs_heap_push(&r->ends, ticket, history->end);
    if (history->end > r->dispatcher.end[ticket])
        cs_heap_push(&r->lates, ticket, r->dispatcher.end[ticket]);
    CS_QUEUE_REPORT(r, started, history, r->now);
}

/* `stays`: on its shelf, where it keeps its processors. */
static void free_attempt(struct cs_queue_run *r, int ticket, bool stays)
{
    r->kept[ticket].stays = stays;
    if (stays)
        r->staying[r->stays++] = ticket;
    if (r->general)
        cs_queue_pools_give(&r->pools, &r->request[ticket], &r->in.hold[ticket]);
    cs_sched_usage_add(&r->in, ticket, -1);
    cs_sched_fairshare_ended(&r->fairshare, ticket, r->now);
}

void cs_queue_run_end(struct cs_queue_run *r, int ticket, bool cut)
{
    struct cs_queue_holder *c = &r->kept[ticket];
    struct cs_queue_history *history = &c->history;
    bool again = cut || c->left > 0;

    history->end = r->now;
    history->ran += r->now - history->start;
    history->requeued += cut;
    history->killed = !again && c->reported.killed;
    r->result->requeued += cut;
    r->result->failures += again && !cut;
    c->left -= again && !cut;
    if (cut && cs_heap_contains(&r->ends, ticket))
        cs_heap_remove(&r->ends, ticket);
    if (cs_heap_contains(&r->lates, ticket))
        cs_heap_remove(&r->lates, ticket);
    free_attempt(r, ticket, again && !cut && r->dispatcher.policy->shelf);
    cs_sched_dispatcher_ended(&r->dispatcher, ticket, r->now,
                              again ? CS_SCHED_AGAIN : CS_SCHED_DONE);
    CS_QUEUE_REPORT(r, ended, history, r->now, !again);
    if (!c->stays)
        cs_queue_run_unname(r, ticket);
    if (again) {
        history->since = r->now;
        put_waiting(r, ticket);
        return;
    }
    queue_teller_ended(&r->teller, history->job.user, history->end - history->start);
    cs_queue_run_give_ticket(r, ticket);
    r->unfinished--;
}

/* By start, then number. */
static bool ends_before(const struct cs_queue_run *r, int a, int b)
{
    const struct cs_queue_history *x = &r->kept[a].history, *y = &r->kept[b].history;

    return x->start < y->start || (x->start == y->start && x->number < y->number);
}

static void end_attempts(struct cs_queue_run *r)
{
    int count = 0;

    while (r->ends.count && cs_heap_top_key(&r->ends) == r->now) {
        int ticket = cs_heap_pop(&r->ends), at = count++;

        for (; at > 0 && ends_before(r, ticket, r->ending[at - 1]); at--)
            r->ending[at] = r->ending[at - 1];
        r->ending[at] = ticket;
    }
    for (int k = 0; k < count; k++)
        cs_queue_run_end(r, r->ending[k], false);
}

static int check_job(const struct cs_queue_run *r, struct cs_log_job *job, struct cs_error *err)
{
    enum cs_site_finding finding = cs_site_check_job(r->site, job);

    if (!isfinite(job->submit))
        return cs_error_set(err, "job %" PRId64 ": it arrives at %g, it must be a number", job->id,
                            job->submit);
    if (!(job->seconds > 0 && isfinite(job->seconds)))
        return cs_error_set(err, "job %" PRId64 ": it runs for %g s, it must be a positive number",
                            job->id, job->seconds);
    if (finding != CS_SITE_FITS || job->procs > INT_MAX)
        return cs_error_set(err, "job %" PRId64 ": %s", job->id,
                            finding == CS_SITE_NO_PARTITION ? "its partition is not there"
                            : finding == CS_SITE_NO_WIDTH
                                ? "it wants no processors"
                                : "it wants more than its partition has when that is empty");
    if (job->failures < 0)
        return cs_error_set(err,
                            "job %" PRId64 ": it fails %" PRId64 " times, it must be 0 or more",
                            job->id, job->failures);
    return 0;
}

/* A run time beyond the estimate is discovered one extension at a time. */
static int check_extensions(const struct cs_queue_run *r, const struct cs_log_job *job,
                            struct cs_error *err)
{
    struct cs_queue_reported reported;

    if (!(job->seconds > CS_QUEUE_LONGEST_EXTENDED))
        return 0;
    reported = queue_report(&r->teller, r->site, job);
    if (!(reported.seconds - reported.estimate > CS_QUEUE_LONGEST_EXTENDED))
        return 0;
    return cs_error_set(err,
                        "job %" PRId64
                        ": it runs for %.15g s where %.15g s are expected: found out "
                        "step by step, that would be more than a million extensions of 100 h",
                        job->id, reported.seconds, reported.estimate);
}

/* The next that may ever run. */
static int operate_fetch(struct cs_queue_run *r, struct cs_error *err)
{
    const double before = r->coming.submit;
    int64_t most = r->op->user_procs;
    int status;

    for (;;) {
        status = r->next(r->source, &r->coming, err);
        if (status < 0)
            return -1;
        r->more = status > 0;
        if (!r->more)
            return 0;
        if (check_job(r, &r->coming, err) || check_extensions(r, &r->coming, err))
            return -1;
        if (!most || r->coming.user < 0 || r->coming.procs <= most)
            break;
        r->result->over_limit++;
        CS_QUEUE_REPORT(r, left_out, &r->coming);
    }
    if (r->any && r->coming.submit < before)
        return cs_error_set(err,
                            "job %" PRId64 ", that arrives at %.15g s, comes after one that "
                            "arrives at %.15g s",
                            r->coming.id, r->coming.submit, before);
    if (!r->any)
        r->in.origin = r->coming.submit;
    r->any = true;
    return 0;
}

/* Attempts that continue though their end was expected now. */
static void operate_extend(struct cs_queue_run *r)
{
    while (r->lates.count && cs_heap_top_key(&r->lates) == r->now) {
        int ticket = cs_heap_pop(&r->lates);
        struct cs_queue_holder *c = &r->kept[ticket];
        double latest = (c->history.start + c->reported.top) + r->op->verification;
        double end = queue_extension(r->now, c->times++, latest);

        cs_sched_dispatcher_put_off(&r->dispatcher, ticket, end);
        c->history.extended++;
        r->result->extended++;
        if (c->history.end > end)
            cs_heap_push(&r->lates, ticket, end);
    }
}

static inline double operate_earlier(double a, double b)
{
    return b < a ? b : a;
}

static double next_instant(const struct cs_queue_run *r)
{
    double next = r->more ? r->coming.submit : INFINITY;

    if (!r->unfinished)
        return next;
    if (r->ends.count)
        next = operate_earlier(next, cs_heap_top_key(&r->ends));
    if (r->lates.count)
        next = operate_earlier(next, cs_heap_top_key(&r->lates));
    next = operate_earlier(next, r->pools.next);
    return operate_earlier(next, r->dispatcher.wake);
}

static void make_round(struct cs_queue_run *r)
{
    int count;

    if (r->in.moves)
        cs_queue_run_order_again(r);
    if (r->general)
        cs_queue_pools_show(&r->pools, &r->dispatcher.view);
    count = cs_sched_dispatcher_round(&r->dispatcher, r->now);
    if (r->dispatcher.policy->shelf)
        cs_queue_run_turn_shelf(r);
    for (int a = 0; a < count; a++)
        start_attempt(r, r->dispatcher.start[a]);
    if (r->stays)
        cs_queue_run_leave_shelf(r);
    for (int a = 0; a < count; a++)
        cs_sched_fairshare_started(&r->fairshare, r->dispatcher.start[a],
                                   &r->kept[r->dispatcher.start[a]].history.job, r->now);
}

static void begin_instant(struct cs_queue_run *r)
{
    r->now = next_instant(r);
    CS_REQUIRE(r->now < INFINITY);
    end_attempts(r);
    if (r->pools.next <= r->now)
        cs_queue_run_outages(r);
}

/* After the arrivals. */
static void end_instant(struct cs_queue_run *r)
{
    operate_extend(r);
    make_round(r);
    CS_QUEUE_REPORT(r, instant, r->now);
}

/* Run on without arrivals until the job that has just arrived starts; then all is as before. */
static double fair_start(struct cs_queue_run *r, int ticket)
{
    const struct cs_queue_run before = *r;
    const struct cs_queue_simulated sums = *r->result;
    struct cs_arena *background = cs_arena_create();
    const struct cs_arena_copy copy = cs_arena_save(r->arena, background);
    double start;

    r->arrived = r->started = r->ended = r->left_out = r->instant = (struct cs_queue_hearers){0};
    r->more = false;
    for (end_instant(r); r->kept[ticket].history.attempt == 0 && !cs_watch_calls(); end_instant(r))
        begin_instant(r);
    start = r->now;
    cs_arena_restore(r->arena, &copy);
    *r = before;
    *r->result = sums;
    cs_arena_destroy(background);
    return start;
}

static int operate_step(struct cs_queue_run *r, struct cs_error *err)
{
    begin_instant(r);
    while (r->more && r->coming.submit == r->now) {
        int ticket = operate_admit(r);

        if (r->op->fair && r->number % r->op->fair == 0)
            r->kept[ticket].history.fair = fair_start(r, ticket);
        if (operate_fetch(r, err))
            return -1;
    }
    end_instant(r);
    return 0;
}

/* Is the machine more than one pool of constant size, or do places change or users have limits? */
static bool is_general(const struct cs_queue_operation *op)
{
    return op->priority->moves || op->outages || op->user_jobs || op->user_procs ||
           op->site->pools > 1 || op->site->partitions > 1 || op->site->resources > 1;
}

/* The observers that have the call. */
#define HEARERS(rigid_operate_run, call)                                                           \
    do {                                                                                           \
        const struct cs_queue_operation *op_ = (rigid_operate_run)->op;                            \
                                                                                                   \
        (rigid_operate_run)->call.of = CS_NEW_ARRAY(                                               \
            (rigid_operate_run)->arena, const struct cs_queue_observer *, op_->observers);         \
        for (int o_ = 0; o_ < op_->observers; o_++)                                                \
            if (op_->observer[o_].call)                                                            \
                (rigid_operate_run)->call.of[(rigid_operate_run)->call.count++] =                  \
                    &op_->observer[o_];                                                            \
    } while (0)

static void find_hearers(struct cs_queue_run *r)
{
    HEARERS(r, arrived);
    HEARERS(r, started);
    HEARERS(r, ended);
    HEARERS(r, left_out);
    HEARERS(r, instant);
}

static int operate_begin(struct cs_queue_run *r, struct cs_error *err)
{
    const struct cs_queue_operation *op = r->op;

    find_hearers(r);
    r->general = is_general(op);
    r->in = (struct cs_sched_instance){
        .machine = (int)op->site->procs,
        .verification = op->verification,
        .site = r->general ? op->site : NULL,
        .moves = op->priority->moves,
        .counters = &r->counters,
    };
    r->usage = (struct cs_sched_usage){.most_jobs = op->user_jobs, .most_procs = op->user_procs};
    if (op->user_jobs || op->user_procs)
        r->in.usage = &r->usage;
    cs_queue_run_give_ticket(r, cs_queue_run_ticket(r));
    cs_queue_run_names(r);
    if (cs_queue_run_order(r, err) ||
        cs_queue_pools_init(&r->pools, op->site, op->outage, op->outages, r->arena, err) ||
        cs_sched_dispatcher_init(&r->dispatcher, &r->in, op->policy, op->param, r->arena, err))
        return -1;
    cs_sched_dispatcher_begin(&r->dispatcher);
    return operate_fetch(r, err);
}

static int rigid_operate_run(struct cs_queue_run *r, struct cs_error *err)
{
    if (operate_begin(r, err))
        return -1;
    while (r->more || r->unfinished > 0)
        if (operate_step(r, err) || (cs_watch_calls() && cs_watch_settle(0, err)))
            return -1;
    r->result->new_plans = r->counters.new_plans;
    r->result->moves = r->counters.moves;
    return 0;
}

int cs_queue_simulate(const struct cs_queue_operation *op, cs_log_next_f *next, void *source,
                      struct cs_queue_simulated *result, struct cs_error *err)
{
    struct cs_queue_simulated sums = {0};
    struct cs_queue_run r = {
        .op = op,
        .site = op->site,
        .arena = cs_arena_create(),
        .result = &sums,
        .spare = -1,
        .shelf = -1,
        .next = next,
        .source = source,
    };
    int status;

    r.teller = (struct cs_queue_teller){.notify = op->notify,
                                        .overrun = op->overrun,
                                        .grace = op->grace,
                                        .default_request = op->default_request,
                                        .arena = r.arena};
    status = rigid_operate_run(&r, err);
    sums.memory = cs_arena_size(r.arena);
    cs_arena_destroy(r.arena);
    if (status == 0)
        *result = sums;
    return status;
}
