/* strict_easy - EASY as operators know it: the heads of the queue start as long as they fit, the
 * first that does not gets the reservation.
 *
 * R-LIST with m = 1 differs: there a head that fits uses up the reservation.
 */
#include "rigid/free_times.h"
#include "rigid/policy.h"
#include "rigid/queue.h"

struct strict {
    const struct cs_rigid_instance *in;
    struct cs_rigid_queue queue;
    struct cs_rigid_free_times profile;
};

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct strict *strict = CS_NEW(arena, struct strict);

    (void)param;
    (void)err;
    strict->in = in;
    cs_rigid_queue_init(&strict->queue, in, arena);
    cs_rigid_free_times_init(&strict->profile, in, arena);
    return strict;
}

static void begin(void *state)
{
    cs_rigid_queue_fill(&((struct strict *)state)->queue);
}

static void failed(void *state, int rank)
{
    cs_rigid_queue_add(&((struct strict *)state)->queue, rank);
}

static void reranked(void *state, const int *rank)
{
    cs_rigid_queue_rerank(&((struct strict *)state)->queue, rank);
}

/* Heads that fit, in rank order; the profile knows them as running.  Returns how many. */
static int start_heads(struct strict *strict, const struct cs_rigid_view *view, int *free,
                       int *start)
{
    int count = 0, head;

    while ((head = cs_rigid_queue_next(&strict->queue, 0)) >= 0 &&
           strict->in->procs[head] <= *free) {
        cs_rigid_queue_remove(&strict->queue, head);
        cs_rigid_free_times_take(&strict->profile, head, view->now);
        *free -= strict->in->procs[head];
        start[count++] = head;
    }
    return count;
}

/* When so many processors are free for good, as only running attempts are in the profile. */
static double shadow_time(const struct cs_rigid_free_times *profile, int procs, int *extra)
{
    int i = profile->first;

    while (profile->free[i] < procs)
        i++;
    *extra = profile->free[i] - procs;
    return profile->time[i];
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct strict *strict = state;
    int count, head, extra, free = view->free;
    double shadow;

    if (strict->queue.waiting == 0)
        return 0;
    cs_rigid_free_times_begin(&strict->profile, view);
    count = start_heads(strict, view, &free, start);
    head = cs_rigid_queue_next(&strict->queue, 0);
    if (head < 0)
        return count;
    shadow = shadow_time(&strict->profile, strict->in->procs[head], &extra);
    return count + cs_rigid_queue_take_backfill(&strict->queue, view->now, free, shadow, extra,
                                                start + count);
}

const struct cs_rigid_policy cs_rigid_policy_strict_easy = {
    .info =
        {
            .name = "strict-easy",
            .problem = "rigid",
            .summary = "the first job that does not fit has a reservation, others may not delay it",
            .source = "Lifka 1995, EASY backfilling",
            .aliases = "r-list-1e",
        },
    .tail = true,
    .create = create,
    .begin = begin,
    .failed = failed,
    .reranked = reranked,
    .decide = decide,
};
