/* log_schedule.c - jobs and bars as they come, put together in the end. */
#include "rigid/log_schedule.h"

#include "base/plain.h"
#include "io/names.h"
#include "model/procset.h"
#include "rigid/replay_log.h"

#include <cosched/schedule.h>
#include <limits.h>
#include <math.h>
#include <string.h>

struct job {
    const char *name;
    double submit, seconds, estimate;
    int procs;
    int64_t lost; /* attempts that failed */
};

struct cs_rigid_log_kept {
    struct cs_arena *arena;
    struct cs_names *names;
    double verification;
    struct job *job; /* by number */
    int64_t jobs, job_room;
    struct cs_bar *bar;
    int64_t bars, bar_room;
    bool fractions; /* some time is no whole number of seconds */
    bool nameless;  /* some attempt has not as many names as processors */
    bool cut;       /* some attempt was ended by an outage */
};

struct cs_rigid_log_kept *cs_rigid_log_kept_create(double verification)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_rigid_log_kept *kept = CS_NEW(arena, struct cs_rigid_log_kept);

    kept->arena = arena;
    kept->names = cs_names_create(arena);
    kept->verification = verification;
    return kept;
}

void cs_rigid_log_kept_destroy(struct cs_rigid_log_kept *kept)
{
    if (kept)
        cs_arena_destroy(kept->arena);
}

/* ---- what happens ---- */

static void *grown(struct cs_rigid_log_kept *kept, const void *old, int64_t count, int64_t *room,
                   size_t size)
{
    if (count < *room)
        return (void *)(uintptr_t)old;
    *room = *room ? 2 * *room : 1024;
    return cs_arena_grow(kept->arena, old, (size_t)count, (size_t)*room, size);
}

static const char *name_of(struct cs_rigid_log_kept *kept, const struct cs_log_job *job)
{
    char number[32];

    cs_plain_print(number, sizeof number, "%lld", (long long)job->id);
    return cs_names_distinct(kept->names, job->label ? job->label : number);
}

static void arrived(void *who, const struct cs_rigid_story *story, double now)
{
    struct cs_rigid_log_kept *kept = who;

    (void)now;
    kept->job = grown(kept, kept->job, kept->jobs, &kept->job_room, sizeof *kept->job);
    kept->job[kept->jobs++] = (struct job){
        .name = name_of(kept, &story->job),
        .submit = story->job.submit,
        .seconds = story->job.seconds,
        .estimate = story->estimate,
        .procs = (int)story->job.procs,
    };
    kept->fractions |= story->job.submit != floor(story->job.submit);
}

static struct cs_interval *copy_set(struct cs_rigid_log_kept *kept,
                                    const struct cs_rigid_story *story)
{
    struct cs_interval *set = CS_NEW_ARRAY(kept->arena, struct cs_interval, story->intervals);

    if (story->intervals)
        memcpy(set, story->set, (size_t)story->intervals * sizeof *set);
    return set;
}

static void ended(void *who, const struct cs_rigid_story *story, double now, bool done)
{
    struct cs_rigid_log_kept *kept = who;
    struct job *job = &kept->job[story->number];

    kept->bar = grown(kept, kept->bar, kept->bars, &kept->bar_room, sizeof *kept->bar);
    kept->bar[kept->bars++] = (struct cs_bar){
        .kind = done ? CS_BAR_WORK : CS_BAR_LOST,
        .task = (int)story->number,
        .attempt = story->attempt,
        .group = story->shelf,
        .start = story->start,
        .end = story->end,
        .intervals = story->intervals,
        .procs = copy_set(kept, story),
    };
    kept->fractions |= now != floor(now) || story->start != floor(story->start);
    kept->nameless |= cs_procset_size(story->set, story->intervals) != story->job.procs;
    kept->cut |= story->requeued > 0;
    job->lost += !done;
    if (story->killed)
        job->seconds = (story->end - story->start) - kept->verification;
}

struct cs_rigid_observer cs_rigid_log_kept_observer(struct cs_rigid_log_kept *kept)
{
    return (struct cs_rigid_observer){.arrived = arrived, .ended = ended, .who = kept};
}

/* ---- the schedule ---- */

static int check(const struct cs_rigid_log_kept *kept, int64_t procs, struct cs_error *err)
{
    if (kept->cut)
        return cs_error_set(err, "an outage ended attempts, which a schedule cannot tell: "
                                 "--jobs has their last ones");
    if (kept->nameless)
        return cs_error_set(err, "a schedule says who has which processor or whole node, and here "
                                 "nodes are shared: --jobs needs no names");
    if (procs > INT_MAX || kept->jobs > INT_MAX)
        return cs_error_set(err, "the replay is too large for a schedule");
    return 0;
}

/* Numbers of processors are those of the site, times count from `from`. */
static void declare(const struct cs_rigid_log_kept *kept, int procs, double from,
                    struct cs_rigid_declared *d, struct cs_arena *arena)
{
    const int jobs = (int)kept->jobs;
    double *seconds = CS_NEW_ARRAY(arena, double, jobs);
    double *submit = CS_NEW_ARRAY(arena, double, jobs);
    double *estimate = CS_NEW_ARRAY(arena, double, jobs);
    int *width = CS_NEW_ARRAY(arena, int, jobs);
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs);
    struct cs_arrival *arrival = CS_NEW_ARRAY(arena, struct cs_arrival, jobs);

    for (int j = 0; j < jobs; j++) {
        const struct job *job = &kept->job[j];

        seconds[j] = job->seconds;
        submit[j] = job->submit - from;
        estimate[j] = job->estimate;
        width[j] = job->procs;
        failures[j] = job->lost;
        arrival[j] =
            (struct cs_arrival){.submit = submit[j], .seconds = seconds[j], .procs = width[j]};
    }
    *d = (struct cs_rigid_declared){
        .verification = kept->verification,
        .lower_bound = (jobs ? submit[0] : 0) +
                       cs_rigid_arrivals_bound(arrival, jobs, failures, procs, kept->verification),
        .seconds = seconds,
        .procs = width,
        .failures = failures,
        .submit = submit,
        .estimate = estimate,
    };
}

static int add_bars(const struct cs_rigid_log_kept *kept, double from, struct cs_schedule *schedule,
                    struct cs_error *err)
{
    for (int64_t b = 0; b < kept->bars; b++) {
        struct cs_bar bar = kept->bar[b];

        bar.start -= from;
        bar.end -= from;
        if (cs_schedule_add(schedule, &bar, err))
            return -1;
    }
    return 0;
}

struct cs_schedule *cs_rigid_log_kept_schedule(const struct cs_rigid_log_kept *kept, int64_t procs,
                                               struct cs_rigid_declared *declared,
                                               struct cs_arena *arena, struct cs_error *err)
{
    const double from = kept->jobs && !kept->fractions ? kept->job[0].submit : 0;
    const char **name = CS_NEW_ARRAY(arena, const char *, kept->jobs);
    struct cs_schedule *schedule;

    if (check(kept, procs, err))
        return NULL;
    for (int64_t j = 0; j < kept->jobs; j++)
        name[j] = kept->job[j].name;
    declare(kept, (int)procs, from, declared, arena);
    schedule = cs_schedule_create("rigid", (int)procs, (int)kept->jobs, name);
    if (!add_bars(kept, from, schedule, err))
        return schedule;
    cs_schedule_destroy(schedule);
    return NULL;
}
