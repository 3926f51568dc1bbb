/* shelf - R-SHELF and R-SHELFILL of Benoit et al. 2021, Algorithm 2.
 *
 * A shelf is filled from the queue when the machine is empty; it ends with its longest job, and
 * until then nothing else starts.  R-SHELFILL runs a failed job again at once, on its own
 * processors, if that ends within the shelf.
 */
#include "rigid/policy.h"
#include "rigid/queue.h"

struct shelf {
    const struct cs_rigid_instance *in;
    struct cs_rigid_queue queue;
    bool backfill, fill;
    double end;    /* of the shelf that runs */
    int *returned; /* ranks that failed at this instant */
    int count;     /* of them */
};

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    bool fill)
{
    struct shelf *shelf = CS_NEW(arena, struct shelf);

    shelf->in = in;
    shelf->backfill = param[0] == 0;
    shelf->fill = fill;
    shelf->returned = CS_NEW_ARRAY(arena, int, in->count);
    cs_rigid_queue_init(&shelf->queue, in, arena);
    return shelf;
}

static void *create_shelf(const struct cs_rigid_instance *in, const double *param,
                          struct cs_arena *arena, struct cs_error *err)
{
    (void)err;
    return create(in, param, arena, false);
}

static void *create_shelf_fill(const struct cs_rigid_instance *in, const double *param,
                               struct cs_arena *arena, struct cs_error *err)
{
    (void)err;
    return create(in, param, arena, true);
}

static void begin(void *state)
{
    struct shelf *shelf = state;

    cs_rigid_queue_fill(&shelf->queue);
    shelf->count = 0;
    shelf->end = 0;
}

static void failed(void *state, int rank)
{
    struct shelf *shelf = state;

    shelf->returned[shelf->count++] = rank;
}

static void reranked(void *state, const int *rank)
{
    struct shelf *shelf = state;

    cs_rigid_queue_rerank(&shelf->queue, rank);
    for (int a = 0; a < shelf->count; a++)
        shelf->returned[a] = rank[shelf->returned[a]];
}

/* Failed jobs start again within the shelf, or wait for the next one. */
static int refill(struct shelf *shelf, double now, int *start)
{
    int count = 0;

    for (int a = 0; a < shelf->count; a++) {
        int rank = shelf->returned[a];

        if (shelf->fill && cs_rigid_end(shelf->in, rank, now) <= shelf->end)
            start[count++] = rank;
        else
            cs_rigid_queue_add(&shelf->queue, rank);
    }
    shelf->count = 0;
    return count;
}

/* Without backfilling the first job that does not fit closes the shelf. */
static int take_in_order(struct shelf *shelf, int free, int *start)
{
    int count = 0, rank = -1;

    while ((rank = cs_rigid_queue_next(&shelf->queue, rank + 1)) >= 0 &&
           shelf->in->procs[rank] <= free) {
        cs_rigid_queue_remove(&shelf->queue, rank);
        free -= shelf->in->procs[rank];
        start[count++] = rank;
    }
    return count;
}

static int new_shelf(struct shelf *shelf, const struct cs_rigid_view *view, int *start)
{
    int count = shelf->backfill ? cs_rigid_queue_take_fitting(&shelf->queue, view->free, start)
                                : take_in_order(shelf, view->free, start);

    shelf->end = view->now;
    for (int a = 0; a < count; a++) {
        double end = cs_rigid_end(shelf->in, start[a], view->now);

        shelf->end = end > shelf->end ? end : shelf->end;
    }
    return count;
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct shelf *shelf = state;
    int count = refill(shelf, view->now, start);

    if (count == 0 && view->running == 0 && shelf->queue.waiting > 0)
        return new_shelf(shelf, view, start);
    return count;
}

static const struct cs_param params[] = {
    {
        .name = "backfill",
        .kind = CS_PARAM_CHOICE,
        .fallback = "yes",
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

const struct cs_rigid_policy cs_rigid_policy_shelf = {
    .info =
        {
            .name = "shelf",
            .problem = "rigid",
            .summary = "shelves of jobs that start together, one after the other",
            .source = "Benoit et al. 2021, Algorithm 2: R-SHELF",
            .params = params,
            .presets = shelf_presets,
        },
    .shelves = true,
    .create = create_shelf,
    .begin = begin,
    .failed = failed,
    .reranked = reranked,
    .decide = decide,
};

const struct cs_rigid_policy cs_rigid_policy_shelf_fill = {
    .info =
        {
            .name = "shelf-fill",
            .problem = "rigid",
            .summary = "shelves on which a failed job runs again at once when it ends in time",
            .source = "Benoit et al. 2021, Section 4.2: R-SHELFILL",
            .params = params,
            .presets = shelf_fill_presets,
        },
    .shelves = true,
    .create = create_shelf_fill,
    .begin = begin,
    .failed = failed,
    .reranked = reranked,
    .decide = decide,
};
