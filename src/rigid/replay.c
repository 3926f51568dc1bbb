/* replay.c - arrivals and ends in virtual time. */
#include "rigid/replay.h"

#include "base/bug.h"
#include "base/heap.h"
#include "rigid/desk.h"
#include "rigid/processors.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

#define FIRST_TICKETS 64

/* A job that is queued or running, by its ticket. */
struct slot {
    struct cs_arrival job;
    int64_t left; /* failures still to come */
    int attempt;
    double since; /* it waits */
    double waited;
    double start, end; /* of the attempt that runs, in truth */
    int shelf;         /* of that attempt; -1 for none */
    struct cs_rigid_processor_set set;
    int next_spare;
};

/* What the run adds up. */
struct sums {
    double wait, slowdown;
};

struct run {
    const struct cs_rigid_replay *replay;
    struct cs_arena *arena;
    double now;
    /* What the policy sees of the jobs: the instance and what it points to. */
    struct cs_rigid_instance in;
    double *seconds;
    int *procs;
    struct cs_rigid_place *place;
    struct cs_rigid_desk desk;
    /* What it does not. */
    struct slot *slot;
    int spare;            /* a ticket, -1 for none */
    struct cs_heap ends;  /* of what runs */
    struct cs_heap lates; /* the expected ends of what will outlive them */
    int *ending;          /* tickets whose attempts end at this instant */
    int *kept, keeps;     /* tickets that have failed at this instant on a shelf */
    int shelf;            /* that runs */
    struct cs_rigid_processors processors;
    struct cs_rigid_replay_result *result;
    struct sums sums;
    cs_arrival_next_f *next;
    void *source;
    bool any, more; /* an arrival came at all; `coming` is the next */
    struct cs_arrival coming;
    int64_t number;
    int64_t unfinished;
};

static void *grown(const struct run *r, const void *old, int count, size_t size)
{
    return cs_arena_grow(r->arena, old, (size_t)r->in.count, (size_t)count, size);
}

static void add_tickets(struct run *r)
{
    int old = r->in.count, count = old ? 2 * old : FIRST_TICKETS;

    CS_REQUIRE(old < INT_MAX / 4);
    r->in.seconds = r->seconds = grown(r, r->seconds, count, sizeof *r->seconds);
    r->in.procs = r->procs = grown(r, r->procs, count, sizeof *r->procs);
    r->in.place = r->place = grown(r, r->place, count, sizeof *r->place);
    r->slot = grown(r, r->slot, count, sizeof *r->slot);
    r->ending = grown(r, r->ending, count, sizeof *r->ending);
    r->kept = grown(r, r->kept, count, sizeof *r->kept);
    cs_heap_grow(&r->ends, count, r->arena);
    cs_heap_grow(&r->lates, count, r->arena);
    for (int ticket = count - 1; ticket >= old; ticket--) {
        r->slot[ticket].next_spare = r->spare;
        r->spare = ticket;
    }
    r->in.count = count;
}

static int take_ticket(struct run *r)
{
    int ticket;

    if (r->spare < 0)
        add_tickets(r);
    ticket = r->spare;
    r->spare = r->slot[ticket].next_spare;
    return ticket;
}

static void give_ticket(struct run *r, int ticket)
{
    r->slot[ticket].next_spare = r->spare;
    r->spare = ticket;
}

/* Where the priority puts a job. */
static struct cs_rigid_place place_of(const struct run *r, const struct cs_arrival *job)
{
    const struct cs_rigid_replay *replay = r->replay;
    const struct cs_rigid_priority *priority = replay->priority;
    const struct cs_rigid_jobs one = {1, replay->machine, replay->verification, &job->estimate,
                                      &job->procs};
    int index = priority && priority->per_scenario ? (int)(r->number % INT_MAX) : 0;
    bool late = priority && priority->first_class && !priority->first_class(&one, 0);
    double key = 0;

    if (priority)
        key = (late ? priority->rest_key : priority->key)(&one, index, &replay->draw);
    return (struct cs_rigid_place){
        .key = priority && priority->descending ? -key : key,
        .number = r->number,
        .late = late,
    };
}

static void admit(struct run *r)
{
    int ticket = take_ticket(r);

    r->seconds[ticket] = r->coming.estimate;
    r->procs[ticket] = r->coming.procs;
    r->place[ticket] = place_of(r, &r->coming);
    r->slot[ticket] = (struct slot){
        .job = r->coming,
        .left = r->coming.failures,
        .since = r->coming.submit,
    };
    r->number++;
    r->unfinished++;
    if (r->unfinished > r->result->most_unfinished)
        r->result->most_unfinished = r->unfinished;
    cs_rigid_desk_arrived(&r->desk, ticket);
}

static void give_processors(struct run *r, int ticket)
{
    if (r->replay->sets)
        cs_rigid_processors_give(&r->processors, &r->slot[ticket].set);
}

static void start_attempt(struct run *r, int ticket)
{
    struct slot *slot = &r->slot[ticket];

    if (r->replay->sets && slot->set.count == 0)
        cs_rigid_processors_take(&r->processors, slot->job.procs, &slot->set);
    slot->start = r->now;
    slot->waited += r->now - slot->since;
    slot->end = (r->now + slot->job.seconds) + r->replay->verification;
    slot->shelf = r->shelf;
    cs_heap_push(&r->ends, ticket, slot->end);
    if (slot->end > r->desk.end[ticket])
        cs_heap_push(&r->lates, ticket, r->desk.end[ticket]);
}

static void tell(const struct run *r, const struct slot *slot)
{
    const struct cs_job_row row = {
        .id = slot->job.id,
        .attempt = slot->attempt,
        .success = slot->left == 0,
        .submit = slot->since,
        .requested = slot->job.estimate,
        .start = slot->start,
        .finish = slot->end,
        .procs = slot->job.procs,
        .shelf = slot->shelf,
        .intervals = slot->set.count,
        .set = slot->set.interval,
    };

    if (r->replay->watch)
        r->replay->watch(r->replay->who, &row);
}

static void count_attempt(struct run *r, const struct slot *slot)
{
    double area = (slot->end - slot->start) * slot->job.procs;

    r->result->attempts++;
    r->result->busy += area;
    if (slot->left > 0) {
        r->result->failures++;
        r->result->waste += area;
    }
}

static void count_job(struct run *r, const struct slot *slot)
{
    double seconds = slot->job.seconds + r->replay->verification;
    double slowdown = fmax(1, (slot->end - slot->job.submit) / fmax(seconds, 10));

    r->result->jobs++;
    r->sums.wait += slot->waited;
    r->result->max_wait = fmax(r->result->max_wait, slot->waited);
    r->sums.slowdown += slowdown;
    r->result->max_slowdown = fmax(r->result->max_slowdown, slowdown);
    r->result->last_end = fmax(r->result->last_end, slot->end);
}

static void end_attempt(struct run *r, int ticket)
{
    struct slot *slot = &r->slot[ticket];
    bool again = slot->left > 0;

    cs_rigid_desk_ended(&r->desk, ticket, r->now, again ? CS_RIGID_AGAIN : CS_RIGID_DONE);
    tell(r, slot);
    count_attempt(r, slot);
    if (again && r->desk.policy->shelf)
        r->kept[r->keeps++] = ticket;
    else
        give_processors(r, ticket);
    if (again) {
        slot->left--;
        slot->attempt++;
        slot->since = r->now;
        return;
    }
    count_job(r, slot);
    give_ticket(r, ticket);
    r->unfinished--;
}

/* In the order of their arrival. */
static void end_attempts(struct run *r)
{
    int count = 0;

    while (r->ends.count && cs_heap_top_key(&r->ends) == r->now) {
        int ticket = cs_heap_pop(&r->ends), at = count++;

        for (; at > 0 && r->place[r->ending[at - 1]].number > r->place[ticket].number; at--)
            r->ending[at] = r->ending[at - 1];
        r->ending[at] = ticket;
    }
    for (int i = 0; i < count; i++)
        end_attempt(r, r->ending[i]);
}

/* Who failed on a shelf keeps the processors unless it has to wait for another shelf. */
static void start_on_shelf(struct run *r, const int *start, int count)
{
    int before = r->shelf;

    r->shelf = r->desk.policy->shelf(r->desk.state);
    for (int i = 0; i < r->keeps && r->shelf != before; i++)
        give_processors(r, r->kept[i]);
    for (int i = 0; i < count; i++)
        start_attempt(r, start[i]);
    for (int i = 0; i < r->keeps; i++)
        if (!cs_heap_contains(&r->ends, r->kept[i]))
            give_processors(r, r->kept[i]);
    r->keeps = 0;
}

static void make_round(struct run *r)
{
    int count = cs_rigid_desk_round(&r->desk, r->now);

    if (r->desk.policy->shelf) {
        start_on_shelf(r, r->desk.start, count);
        return;
    }
    for (int i = 0; i < count; i++)
        start_attempt(r, r->desk.start[i]);
}

static int check_arrival(const struct cs_arrival *job, int machine, struct cs_error *err)
{
    if (!isfinite(job->submit))
        return cs_error_set(err, "job %" PRId64 ": its submit time is %g, it must be a number",
                            job->id, job->submit);
    if (!(job->seconds > 0 && isfinite(job->seconds)))
        return cs_error_set(err, "job %" PRId64 ": its time is %g s, it must be a positive number",
                            job->id, job->seconds);
    if (!(job->estimate > 0 && isfinite(job->estimate)))
        return cs_error_set(err,
                            "job %" PRId64 ": its estimate is %g s, it must be a positive number",
                            job->id, job->estimate);
    if (job->procs < 1 || job->procs > machine)
        return cs_error_set(err,
                            "job %" PRId64 ": it wants %d processors, it must be 1 to the %d of "
                            "the machine",
                            job->id, job->procs, machine);
    if (job->failures < 0)
        return cs_error_set(err,
                            "job %" PRId64 ": it fails %" PRId64 " times, it must be 0 or more",
                            job->id, job->failures);
    return 0;
}

static int check_order(const struct cs_arrival *before, const struct cs_arrival *job,
                       struct cs_error *err)
{
    if (job->submit > before->submit || (job->submit == before->submit && job->id >= before->id))
        return 0;
    return cs_error_set(err,
                        "job %" PRId64 ", submitted at %.15g s, comes after job %" PRId64
                        ", submitted at %.15g s: jobs must come by submit time, then id",
                        job->id, job->submit, before->id, before->submit);
}

static int fetch(struct run *r, struct cs_error *err)
{
    const struct cs_arrival before = r->coming;
    int status = r->next(r->source, &r->coming, err);

    if (status < 0)
        return -1;
    r->more = status > 0;
    if (!r->more)
        return 0;
    if (check_arrival(&r->coming, r->replay->machine, err))
        return -1;
    if (r->any && check_order(&before, &r->coming, err))
        return -1;
    if (!r->any)
        r->result->first_submit = r->result->last_end = r->coming.submit;
    r->any = true;
    return 0;
}

/* The next instant; INFINITY for none. */
static double next_instant(const struct run *r)
{
    double next = r->more ? r->coming.submit : INFINITY;

    if (r->ends.count)
        next = fmin(next, cs_heap_top_key(&r->ends));
    if (r->lates.count)
        next = fmin(next, cs_heap_top_key(&r->lates));
    return fmin(next, r->desk.wake);
}

/* One instant: all ends, all arrivals, one round. */
static int step(struct run *r, struct cs_error *err)
{
    r->now = next_instant(r);
    end_attempts(r);
    while (r->more && r->coming.submit == r->now) {
        admit(r);
        if (fetch(r, err))
            return -1;
    }
    while (r->lates.count && cs_heap_top_key(&r->lates) == r->now)
        cs_heap_pop(&r->lates);
    make_round(r);
    CS_REQUIRE(r->desk.waiting == 0 || cs_rigid_running_count(&r->desk.running) > 0 ||
               r->desk.wake < INFINITY);
    if (r->desk.waiting > r->result->largest_queue)
        r->result->largest_queue = r->desk.waiting;
    return 0;
}

static void sum_up(const struct run *r)
{
    struct cs_rigid_replay_result *result = r->result;

    result->makespan = result->last_end - result->first_submit;
    if (result->jobs == 0)
        return;
    result->mean_wait = r->sums.wait / (double)result->jobs;
    result->mean_slowdown = r->sums.slowdown / (double)result->jobs;
    if (result->makespan > 0) {
        result->utilisation = result->busy / (r->replay->machine * result->makespan);
        result->throughput = (double)result->jobs / (result->makespan / 3600);
    }
}

static int run(struct run *r, struct cs_error *err)
{
    const struct cs_rigid_replay *replay = r->replay;

    r->in = (struct cs_rigid_instance){.machine = replay->machine,
                                       .verification = replay->verification};
    add_tickets(r);
    if (replay->sets)
        cs_rigid_processors_init(&r->processors, replay->machine, r->arena);
    if (cs_rigid_desk_init(&r->desk, &r->in, replay->policy, replay->param, r->arena, err))
        return -1;
    cs_rigid_desk_begin(&r->desk);
    if (fetch(r, err))
        return -1;
    while (r->more || r->unfinished > 0)
        if (step(r, err))
            return -1;
    sum_up(r);
    return 0;
}

int cs_rigid_replay_run(const struct cs_rigid_replay *replay, cs_arrival_next_f *next, void *source,
                        struct cs_rigid_replay_result *result, struct cs_error *err)
{
    const struct cs_rigid_jobs none = {0, replay->machine, replay->verification, NULL, NULL};
    struct cs_rigid_replay_result sums = {0};
    struct run r = {.replay = replay,
                    .result = &sums,
                    .spare = -1,
                    .shelf = -1,
                    .next = next,
                    .source = source};
    int status;

    if (cs_rigid_jobs_check(&none, err))
        return -1;
    r.arena = cs_arena_create();
    status = run(&r, err);
    sums.memory = cs_arena_size(r.arena);
    cs_arena_destroy(r.arena);
    if (status == 0)
        *result = sums;
    return status;
}
