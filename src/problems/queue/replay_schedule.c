/* replay_schedule.c - the rows of a replay as bars. */
#include "problems/queue/replay_schedule.h"

struct source {
    const struct cs_arrival *job;
    const int64_t *failures;
    int count, next;
};

/* The number of a job is its place. */
static int replay_schedule_next(void *from, struct cs_arrival *out, struct cs_error *err)
{
    struct source *source = from;
    int j = source->next;

    (void)err;
    if (j == source->count)
        return 0;
    *out = source->job[j];
    out->id = j;
    out->submit -= source->job[0].submit;
    out->failures = source->failures[j];
    source->next++;
    return 1;
}

static void add_bar(void *schedule, const struct cs_job_row *row)
{
    cs_schedule_add(schedule,
                    &(struct cs_bar){
                        .kind = row->success ? CS_BAR_WORK : CS_BAR_LOST,
                        .task = (int)row->id,
                        .attempt = row->attempt + 1,
                        .group = row->shelf,
                        .start = row->start,
                        .end = row->finish,
                        .intervals = row->intervals,
                        .procs = row->set,
                    },
                    NULL);
}

struct cs_schedule *cs_queue_replay_schedule(const struct cs_queue_replay *replay,
                                             const struct cs_arrival *job, int count,
                                             const int64_t *failures, const char *const *name,
                                             struct cs_error *err)
{
    struct cs_schedule *schedule = cs_schedule_create("rigid", replay->machine, count, name);
    struct source source = {.job = job, .failures = failures, .count = count};
    struct cs_queue_replay watched = *replay;
    struct cs_queue_replay_result result;

    watched.sets = true;
    watched.watch = add_bar;
    watched.who = schedule;
    if (cs_queue_replay_run(&watched, replay_schedule_next, &source, &result, err) == 0)
        return schedule;
    cs_schedule_destroy(schedule);
    return NULL;
}
