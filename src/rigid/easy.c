/* easy - EASY as operators know it: the heads of the queue start as long as they fit, the
 * first that does not gets the reservation.
 *
 * R-LIST with m = 1 differs: there a head that fits uses up the reservation.
 */
#include "rigid/free_times.h"
#include "rigid/general.h"
#include "rigid/queue.h"
#include "rigid/shadow.h"

struct strict {
    struct cs_rigid_queue queue;
    struct cs_rigid_running starting; /* heads, in this decision */
};

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct strict *strict = CS_NEW(arena, struct strict);

    (void)param;
    (void)err;
    cs_rigid_queue_init(&strict->queue, in, arena);
    cs_rigid_running_init(&strict->starting, arena);
    return strict;
}

/* Heads that fit, in order; *head is the one that does not, or -1.  Returns how many. */
static int start_heads(struct strict *strict, double now, int *free, int *head, int *start)
{
    const struct cs_rigid_instance *in = strict->queue.in;
    struct cs_rigid_cursor first = {0, 0};
    int count = 0, next;

    cs_rigid_running_clear(&strict->starting);
    while ((next = cs_rigid_queue_at(&strict->queue, &first)) >= 0 && in->procs[next] <= *free) {
        cs_rigid_queue_remove_at(&strict->queue, first);
        cs_rigid_running_add(&strict->starting, cs_rigid_end(in, next, now), in->procs[next], next);
        *free -= in->procs[next];
        start[count++] = next;
    }
    *head = next;
    return count;
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct strict *strict = state;
    int count, head, free = view->free;
    struct cs_rigid_shadow shadow;

    if (strict->queue.waiting == 0 || free == 0)
        return 0;
    count = start_heads(strict, view->now, &free, &head, start);
    if (head < 0 || free == 0)
        return count;
    shadow =
        count ? cs_rigid_shadow_among(view, &strict->starting, free, strict->queue.in->procs[head])
              : cs_rigid_shadow_of(view, strict->queue.in->procs[head]);
    return count + cs_rigid_queue_take_backfill(&strict->queue, view->now, free, shadow.at,
                                                shadow.extra, start + count);
}

static const struct cs_rigid_policy *choose(const struct cs_rigid_instance *in, const double *param)
{
    return cs_rigid_is_general(in) || param[0] != 1 || param[1] > 0 ? &cs_rigid_easy_general : NULL;
}

static const struct cs_param params[] = {
    {
        .name = "reservations",
        .kind = CS_PARAM_INTEGER,
        .fallback = "1",
        .low = 1,
        .high = 1000000000,
        .summary = "how many waiting jobs of a partition get a reservation",
    },
    {
        .name = "backfill",
        .kind = CS_PARAM_CHOICE,
        .fallback = "queue",
        .choices = CS_RIGID_URGENCY_CHOICES,
        .summary = "in which order the others are tried",
    },
    {0},
};

const struct cs_rigid_policy cs_rigid_policy_easy = {
    .info =
        {
            .name = "easy",
            .problem = "rigid",
            .summary = "the first job that does not fit has a reservation, others may not delay it",
            .source = "Lifka 1995, EASY backfilling",
            .aliases = "strict-easy|r-list-1e",
            .params = params,
        },
    .tail = true,
    .choose = choose,
    .create = create,
    .begin = cs_rigid_queue_begin,
    .arrived = cs_rigid_queue_waits,
    .failed = cs_rigid_queue_waits,
    .withdrawn = cs_rigid_queue_withdrawn,
    .reranked = cs_rigid_queue_reranked,
    .decide = decide,
};
