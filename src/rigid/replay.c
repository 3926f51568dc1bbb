/* replay.c - arrivals and ends in virtual time. */
#include "rigid/replay_state.h"

#include "base/bug.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define CHUNK 256

/* What the run adds up. */
struct sums {
    double wait, slowdown;
};

struct run {
    struct cs_rigid_replay_state state;
    struct cs_rigid_replay_result *result;
    struct sums sums;
    cs_arrival_next_f *next;
    void *source;
    bool any, more; /* an arrival came at all; `coming` is the next */
    struct cs_arrival coming;
    int64_t number;
};

struct cs_rigid_replay_slot *cs_rigid_replay_slot(struct cs_rigid_replay_state *s, int slot)
{
    return &s->slot[slot / CHUNK][slot % CHUNK];
}

static void add_chunk(struct cs_rigid_replay_state *s)
{
    int used = s->slots / CHUNK;

    if (used == s->chunks) {
        struct cs_rigid_replay_slot **old = s->slot;

        s->chunks = used ? 2 * used : 16;
        CS_REQUIRE(s->chunks < INT_MAX / CHUNK / 2);
        s->slot = CS_NEW_ARRAY(s->arena, struct cs_rigid_replay_slot *, s->chunks);
        if (used)
            memcpy(s->slot, old, (size_t)used * sizeof(struct cs_rigid_replay_slot *));
    }
    s->slot[used] = CS_NEW_ARRAY(s->arena, struct cs_rigid_replay_slot, CHUNK);
    for (int i = CHUNK - 1; i >= 0; i--) {
        s->slot[used][i].next_spare = s->spare;
        s->spare = s->slots + i;
    }
    s->slots += CHUNK;
}

static int take_slot(struct cs_rigid_replay_state *s)
{
    int slot;

    if (s->spare < 0)
        add_chunk(s);
    slot = s->spare;
    s->spare = cs_rigid_replay_slot(s, slot)->next_spare;
    return slot;
}

static void give_slot(struct cs_rigid_replay_state *s, int slot)
{
    cs_rigid_replay_slot(s, slot)->next_spare = s->spare;
    s->spare = slot;
}

static struct cs_rigid_replay_entry timed(const struct cs_rigid_replay_slot *slot, double time)
{
    struct cs_rigid_replay_entry entry = slot->place;

    entry.key = time;
    entry.late = 0;
    return entry;
}

static double estimated_end(const struct cs_rigid_replay_state *s,
                            const struct cs_rigid_replay_slot *slot)
{
    return (s->now + slot->job.estimate) + s->replay->verification;
}

/* An attempt begins on the processors that the job has. */
static void begin_attempt(struct cs_rigid_replay_state *s, struct cs_rigid_replay_slot *slot)
{
    struct cs_rigid_replay_entry entry;

    slot->start = s->now;
    slot->waited += s->now - slot->since;
    slot->end = (s->now + slot->job.seconds) + s->replay->verification;
    slot->estimated_end = estimated_end(s, slot);
    slot->shelf = s->shelf;
    entry = timed(slot, slot->estimated_end);
    cs_rigid_replay_list_insert(&s->running, &entry);
    entry = timed(slot, slot->end);
    cs_rigid_replay_list_insert(&s->ending, &entry);
}

void cs_rigid_replay_start(struct cs_rigid_replay_state *s, struct cs_rigid_replay_place place)
{
    int number = s->waiting.block[place.block]->entry[place.at].slot;
    struct cs_rigid_replay_slot *slot = cs_rigid_replay_slot(s, number);

    CS_REQUIRE(slot->job.procs <= s->free);
    cs_rigid_replay_list_remove(&s->waiting, place);
    s->free -= slot->job.procs;
    s->shadow.known = false;
    if (s->replay->sets)
        cs_rigid_replay_procs_take(&s->procs, slot->job.procs, &slot->set);
    begin_attempt(s, slot);
}

static void tell(const struct cs_rigid_replay_state *s, const struct cs_rigid_replay_slot *slot)
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

    if (s->replay->watch)
        s->replay->watch(s->replay->who, &row);
}

static void count_attempt(struct run *r, const struct cs_rigid_replay_slot *slot)
{
    double area = (slot->end - slot->start) * slot->job.procs;

    r->result->attempts++;
    r->result->busy += area;
    if (slot->left > 0) {
        r->result->failures++;
        r->result->waste += area;
    }
}

static void count_job(struct run *r, const struct cs_rigid_replay_slot *slot)
{
    double seconds = slot->job.seconds + r->state.replay->verification;
    double slowdown = fmax(1, (slot->end - slot->job.submit) / fmax(seconds, 10));

    r->result->jobs++;
    r->sums.wait += slot->waited;
    r->result->max_wait = fmax(r->result->max_wait, slot->waited);
    r->sums.slowdown += slowdown;
    r->result->max_slowdown = fmax(r->result->max_slowdown, slowdown);
    r->result->last_end = fmax(r->result->last_end, slot->end);
}

/* The job waits: a new one, or one that failed. */
static void enqueue(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_slot *slot,
                    struct cs_rigid_replay_news *news)
{
    cs_rigid_replay_list_insert(&s->waiting, &slot->place);
    if (s->any_passed && cs_rigid_replay_before(&slot->place, &s->last_passed))
        news->before_plan = true;
}

/* Does the job, which has just failed, run again at once on its shelf? */
static bool refills(const struct cs_rigid_replay_state *s, const struct cs_rigid_replay_slot *slot)
{
    return s->replay->policy == CS_RIGID_REPLAY_SHELF_FILL &&
           estimated_end(s, slot) <= s->shelf_end;
}

static void give_processors(struct cs_rigid_replay_state *s, struct cs_rigid_replay_slot *slot)
{
    s->free += slot->job.procs;
    s->shadow.known = false;
    if (s->replay->sets)
        cs_rigid_replay_procs_give(&s->procs, &slot->set);
}

static void end_attempt(struct run *r, int number, struct cs_rigid_replay_news *news)
{
    struct cs_rigid_replay_state *s = &r->state;
    struct cs_rigid_replay_slot *slot = cs_rigid_replay_slot(s, number);
    const struct cs_rigid_replay_entry running = timed(slot, slot->estimated_end);

    cs_rigid_replay_list_remove(&s->running, cs_rigid_replay_list_find(&s->running, &running));
    news->ends++;
    if (slot->end != slot->estimated_end || slot->left > 0)
        news->off_plan = true;
    tell(s, slot);
    count_attempt(r, slot);
    if (slot->left == 0) {
        give_processors(s, slot);
        count_job(r, slot);
        give_slot(s, number);
        s->unfinished--;
        return;
    }
    slot->left--;
    slot->attempt++;
    slot->since = s->now;
    if (refills(s, slot)) {
        begin_attempt(s, slot);
        return;
    }
    give_processors(s, slot);
    enqueue(s, slot, news);
}

static const struct cs_rigid_replay_entry *first_end(struct cs_rigid_replay_state *s)
{
    struct cs_rigid_replay_place first = {0, 0};

    return cs_rigid_replay_list_at(&s->ending, &first);
}

static void end_attempts(struct run *r, struct cs_rigid_replay_news *news)
{
    const struct cs_rigid_replay_entry *entry;

    while ((entry = first_end(&r->state)) && entry->key == r->state.now) {
        int slot = entry->slot;

        cs_rigid_replay_list_remove(&r->state.ending, (struct cs_rigid_replay_place){0, 0});
        end_attempt(r, slot, news);
    }
}

/* What the priority makes of a job: its place in the queue. */
static struct cs_rigid_replay_entry place_of(const struct run *r, const struct cs_arrival *job,
                                             int slot)
{
    const struct cs_rigid_replay *replay = r->state.replay;
    const struct cs_rigid_priority *priority = replay->priority;
    const struct cs_rigid_jobs one = {1, replay->machine, replay->verification, &job->estimate,
                                      &job->procs};
    int index = priority && priority->per_scenario ? (int)(r->number % INT_MAX) : 0;
    bool late = priority && priority->first_class && !priority->first_class(&one, 0);
    double key = 0;

    if (priority)
        key = (late ? priority->rest_key : priority->key)(&one, index, &replay->draw);
    return (struct cs_rigid_replay_entry){
        .key = priority && priority->descending ? -key : key,
        .seconds = job->estimate,
        .number = r->number,
        .late = late,
        .procs = job->procs,
        .slot = slot,
    };
}

static void admit(struct run *r, struct cs_rigid_replay_news *news)
{
    struct cs_rigid_replay_state *s = &r->state;
    int number = take_slot(s);
    struct cs_rigid_replay_slot *slot = cs_rigid_replay_slot(s, number);

    *slot = (struct cs_rigid_replay_slot){
        .job = r->coming,
        .place = place_of(r, &r->coming, number),
        .left = r->coming.failures,
        .since = r->coming.submit,
    };
    r->number++;
    s->unfinished++;
    if (s->unfinished > r->result->most_unfinished)
        r->result->most_unfinished = s->unfinished;
    news->arrivals++;
    news->arrival = slot->place;
    enqueue(s, slot, news);
}

static int check_arrival(const struct cs_arrival *job, int machine, struct cs_error *err)
{
    if (!isfinite(job->submit))
        return cs_error_set(err, "job %" PRId64 ": its submit time is %g, it must be a number",
                            job->id, job->submit);
    if (!(job->seconds > 0 && isfinite(job->seconds)))
        return cs_error_set(err, "job %" PRId64 ": its time is %g s, it must be a positive number",
                            job->id, job->seconds);
    if (!(job->estimate >= job->seconds && isfinite(job->estimate)))
        return cs_error_set(err,
                            "job %" PRId64 ": its estimate is %g s, it must be at least its time, "
                            "%g s",
                            job->id, job->estimate, job->seconds);
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
    if (check_arrival(&r->coming, r->state.replay->machine, err))
        return -1;
    if (r->any && check_order(&before, &r->coming, err))
        return -1;
    if (!r->any)
        r->result->first_submit = r->result->last_end = r->coming.submit;
    r->any = true;
    return 0;
}

/* One instant: all ends, all arrivals, one pass. */
static int step(struct run *r, struct cs_error *err)
{
    struct cs_rigid_replay_state *s = &r->state;
    struct cs_rigid_replay_news news = {0};
    const struct cs_rigid_replay_entry *end = first_end(s);

    s->now = end && !(r->more && r->coming.submit < end->key) ? end->key : r->coming.submit;
    end_attempts(r, &news);
    while (r->more && r->coming.submit == s->now) {
        admit(r, &news);
        if (fetch(r, err))
            return -1;
    }
    cs_rigid_replay_pass(s, &news);
    CS_REQUIRE(s->waiting.count == 0 || s->running.count > 0);
    if (s->waiting.count > r->result->largest_queue)
        r->result->largest_queue = s->waiting.count;
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
        result->utilisation = result->busy / (r->state.replay->machine * result->makespan);
        result->throughput = (double)result->jobs / (result->makespan / 3600);
    }
}

static int run(struct run *r, struct cs_error *err)
{
    if (fetch(r, err))
        return -1;
    while (r->more || r->state.ending.count > 0)
        if (step(r, err))
            return -1;
    sum_up(r);
    return 0;
}

static void init(struct cs_rigid_replay_state *s, const struct cs_rigid_replay *replay,
                 struct cs_arena *arena)
{
    *s = (struct cs_rigid_replay_state){
        .replay = replay, .arena = arena, .free = replay->machine, .spare = -1, .shelf = -1};
    cs_rigid_replay_list_init(&s->waiting, arena);
    cs_rigid_replay_list_init(&s->running, arena);
    cs_rigid_replay_list_init(&s->ending, arena);
    cs_rigid_replay_plan_init(&s->plan, replay->verification, arena);
    if (replay->sets)
        cs_rigid_replay_procs_init(&s->procs, replay->machine, arena);
}

int cs_rigid_replay_run(const struct cs_rigid_replay *replay, cs_arrival_next_f *next, void *source,
                        struct cs_rigid_replay_result *result, struct cs_error *err)
{
    const struct cs_rigid_jobs none = {0, replay->machine, replay->verification, NULL, NULL};
    struct cs_rigid_replay_result sums = {0};
    struct cs_arena *arena;
    struct run r = {.result = &sums, .next = next, .source = source};
    int status;

    if (cs_rigid_jobs_check(&none, err))
        return -1;
    arena = cs_arena_create();
    init(&r.state, replay, arena);
    status = run(&r, err);
    sums.memory = cs_arena_size(arena);
    cs_arena_destroy(arena);
    if (status == 0)
        *result = sums;
    return status;
}
