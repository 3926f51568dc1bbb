/* shelf.c - R-SHELF and R-SHELFILL: shelves of jobs that start together.
 *
 * Source: Benoit et al. 2021, Algorithm 2 and Section 4.2; spec/rigid.md 5 and II 1.4.
 *
 * Idea: when the machine is empty, a shelf is filled from the queue in rank order.  It ends with
 * its longest job, and until then no other job starts.  R-SHELFILL lets a failed job run again
 * within the shelf, on its own processors, if that attempt ends no later than the shelf.
 * backfill=no: the first job that does not fit closes the shelf; backfill=yes: it is skipped.
 *
 * Invariants:
 * - `end` is fixed when the shelf is made; no attempt on the shelf is expected to end after it.
 * - returned[] holds the tickets that failed since the last decision; they are in no queue until
 *   the decision, which starts each of them again or puts it in the queue.
 * - A new shelf is made only when no attempt runs.
 *
 * Complexity: one query of the queue (queue.c) for each job of a shelf, O(1) for each attempt that
 * is repeated within it.  Measured: 16 ns for an attempt of 100 jobs, 97 of a million
 * (bench/README.md). There is no constant bound of the makespan (spec/rigid.md 7), and there are
 * no tuned constants.
 */
#include "sched/policy.h"
#include "sched/queue.h"

struct shelf {
    const struct cs_sched_instance *in;
    struct cs_sched_queue queue;
    bool backfill, fill;
    struct cs_arena *arena;
    int number;    /* of the shelf that runs */
    double end;    /* of it, as it is expected */
    int *returned; /* jobs that failed at this instant */
    int count;     /* of them */
    int room;      /* for them: tickets */
};

static void *shelf_create(const struct cs_sched_instance *in, const double *param,
                          struct cs_arena *arena, bool fill)
{
    struct shelf *shelf = CS_NEW(arena, struct shelf);

    shelf->in = in;
    shelf->backfill = param[0] == 0;
    shelf->fill = fill;
    shelf->arena = arena;
    shelf->room = in->count;
    shelf->returned = CS_NEW_ARRAY(arena, int, in->count);
    cs_sched_queue_init(&shelf->queue, in, arena);
    return shelf;
}

static void *create_shelf(const struct cs_sched_instance *in, const double *param,
                          struct cs_arena *arena, struct cs_error *err)
{
    (void)err;
    return shelf_create(in, param, arena, false);
}

static void *create_shelf_fill(const struct cs_sched_instance *in, const double *param,
                               struct cs_arena *arena, struct cs_error *err)
{
    (void)err;
    return shelf_create(in, param, arena, true);
}

static void shelf_begin(void *state)
{
    struct shelf *shelf = state;

    cs_sched_queue_fill(&shelf->queue);
    shelf->count = 0;
    shelf->number = -1;
    shelf->end = 0;
}

static void shelf_arrived(void *state, int ticket)
{
    struct shelf *shelf = state;

    cs_sched_queue_add(&shelf->queue, ticket);
    if (ticket >= shelf->room) {
        shelf->room = 2 * ticket + 16;
        shelf->returned = cs_arena_grow(shelf->arena, shelf->returned, (size_t)shelf->count,
                                        (size_t)shelf->room, sizeof *shelf->returned);
    }
}

static void shelf_failed(void *state, int ticket)
{
    struct shelf *shelf = state;

    shelf->returned[shelf->count++] = ticket;
}

static void shelf_withdrawn(void *state, int ticket)
{
    struct shelf *shelf = state;
    int kept = 0;

    if (cs_sched_queue_has(&shelf->queue, ticket))
        cs_sched_queue_remove(&shelf->queue, ticket);
    for (int a = 0; a < shelf->count; a++)
        if (shelf->returned[a] != ticket)
            shelf->returned[kept++] = shelf->returned[a];
    shelf->count = kept;
}

static void shelf_reranked(void *state, const int *rank)
{
    struct shelf *shelf = state;

    cs_sched_queue_rerank(&shelf->queue, rank);
    for (int a = 0; a < shelf->count; a++)
        shelf->returned[a] = rank[shelf->returned[a]];
}

/* Failed jobs start again within the shelf, or wait for the next one. */
static int shelf_refill(struct shelf *shelf, const struct cs_sched_view *view, int *start)
{
    int count = 0, free = view->free;

    for (int a = 0; a < shelf->count; a++) {
        int ticket = shelf->returned[a], procs = shelf->in->procs[ticket];

        if (shelf->fill && procs <= free &&
            cs_sched_end(shelf->in, ticket, view->now) <= shelf->end) {
            start[count++] = ticket;
            free -= procs;
        } else {
            cs_sched_queue_add(&shelf->queue, ticket);
        }
    }
    shelf->count = 0;
    return count;
}

/* Without backfilling the first job that does not fit closes the shelf. */
static int take_in_order(struct shelf *shelf, int free, int *start)
{
    struct cs_sched_cursor first = {0, 0};
    int count = 0, ticket;

    while ((ticket = cs_sched_queue_at(&shelf->queue, &first)) >= 0 &&
           shelf->in->procs[ticket] <= free) {
        cs_sched_queue_remove_at(&shelf->queue, first);
        free -= shelf->in->procs[ticket];
        start[count++] = ticket;
    }
    return count;
}

static int new_shelf(struct shelf *shelf, const struct cs_sched_view *view, int *start)
{
    int count = shelf->backfill ? cs_sched_queue_take_fitting(&shelf->queue, view->free, start)
                                : take_in_order(shelf, view->free, start);

    shelf->number++;
    shelf->end = view->now;
    for (int a = 0; a < count; a++) {
        double end = cs_sched_end(shelf->in, start[a], view->now);

        shelf->end = end > shelf->end ? end : shelf->end;
    }
    return count;
}

static int refill_or_follow(struct shelf *shelf, const struct cs_sched_view *view, int *start)
{
    int count = shelf_refill(shelf, view, start);

    if (count == 0 && cs_sched_running_count(view->running) == 0 && shelf->queue.waiting > 0)
        return new_shelf(shelf, view, start);
    return count;
}

static int shelf_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct shelf *shelf = state;

    return shelf->count == 0 && cs_sched_running_count(view->running) > 0
               ? 0
               : refill_or_follow(shelf, view, start);
}

static int shelf_number(void *state)
{
    const struct shelf *shelf = state;

    return shelf->number;
}

static const struct cs_policy_param params[] = {
    {
        .name = "backfill",
        .kind = CS_POLICY_PARAM_CHOICE,
        .default_text = "yes",
        .choices = "yes|no",
        .summary = "yes: a job that does not fit is skipped; no: it closes the shelf",
    },
    {0},
};

static const struct cs_policy_preset shelf_presets[] = {
    {"r-shelf", ""},
    {"r-shelf-b", ""},
    {"r-shelf-nb", "backfill=no"},
    {0},
};

static const struct cs_policy_preset shelf_fill_presets[] = {
    {"r-shelffill", ""},
    {"r-shelffill-b", ""},
    {"r-shelffill-nb", "backfill=no"},
    {0},
};

const struct cs_sched_policy cs_sched_policy_shelf = {
    .info =
        {
            .name = "shelf",
            .problem = "rigid",
            .summary = "shelves of jobs that start together, one after the other",
            .source = "Benoit et al. 2021, Algorithm 2: R-SHELF",
            .params = params,
            .presets = shelf_presets,
        },
    .create = create_shelf,
    .begin = shelf_begin,
    .arrived = shelf_arrived,
    .failed = shelf_failed,
    .withdrawn = shelf_withdrawn,
    .reranked = shelf_reranked,
    .decide = shelf_decide,
    .shelf = shelf_number,
};

const struct cs_sched_policy cs_sched_policy_shelf_fill = {
    .info =
        {
            .name = "shelf-fill",
            .problem = "rigid",
            .summary = "shelves on which a failed job runs again immediately if it ends in time",
            .source = "Benoit et al. 2021, Section 4.2: R-SHELFILL",
            .params = params,
            .presets = shelf_fill_presets,
        },
    .create = create_shelf_fill,
    .begin = shelf_begin,
    .arrived = shelf_arrived,
    .failed = shelf_failed,
    .withdrawn = shelf_withdrawn,
    .reranked = shelf_reranked,
    .decide = shelf_decide,
    .shelf = shelf_number,
};
