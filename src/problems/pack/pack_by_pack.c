/* pack_by_pack.c - the policy pack-by-pack: packs of tasks that take about as long.
 *
 * Source: Aupy et al., Section 5; docs/spec/pack.md 5, PACK-BY-PACK.
 *
 * Every task starts with its fewest processors.  The longest task and those not shorter than
 * (1 - epsilon) of it are the candidates; while they request fewer than p processors the longest
 * gets one more, then the first of them that fit become a pack.  At last Algorithm 1 in each pack.
 *
 * The threshold never rises, so a candidate stays one until its time falls, and a running sum of
 * the requested processors is enough. Tasks that never got a processor stay in the list that is
 * sorted once for every epsilon: the candidates among them are sorted[front] to sorted[next - 1].
 * Only tasks that got one are in heaps, one of candidates and one of the others.
 *
 * Invariants: `asked` is the sum of the processors of all candidates; every task is in exactly one
 * of a closed pack, a heap and sorted[front ..]; ties go to the smaller index, and those of epsilon
 * to the smaller epsilon, so the number of threads does not change the plan.
 * Complexity: O((n + a) log n) for each epsilon, a the processors added, at most n (p - 1); with
 * fill=dp a pack takes O(candidates * pack size * p) more.
 *
 * constant                 value   unit    found by                half, double
 * CS_PACK_BY_PACK_TRIES        9   values  PACK-BY-PACK-9, paper   not measured
 * WORTH_A_THREAD           10000   tasks   cost of thread starts   not measured; time only
 * CS_PACK_FILL_MOST          2e9   bits    memory of fill=dp       not measured; refuses only
 */
#include "problems/pack/pack_by_pack.h"

#include "base/order.h"
#include "base/thread.h"

#include <math.h>
#include <stdatomic.h>

struct entry {
    double time;
    int task, procs;
};

struct heap {
    struct entry *at;
    int size;
};

static inline bool pack_by_pack_before(const struct entry *a, const struct entry *b)
{
    return a->time > b->time || (a->time == b->time && a->task < b->task);
}

static void heap_push(struct heap *heap, struct entry moving)
{
    int at = heap->size++;

    while (at > 0 && pack_by_pack_before(&moving, &heap->at[(at - 1) / 2])) {
        heap->at[at] = heap->at[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->at[at] = moving;
}

static struct entry heap_pop(struct heap *heap)
{
    struct entry top = heap->at[0], moving = heap->at[--heap->size];
    int at = 0, child;

    while ((child = 2 * at + 1) < heap->size) {
        if (child + 1 < heap->size && pack_by_pack_before(&heap->at[child + 1], &heap->at[child]))
            child++;
        if (!pack_by_pack_before(&heap->at[child], &moving))
            break;
        heap->at[at] = heap->at[child];
        at = child;
    }
    heap->at[at] = moving;
    return top;
}

/* The dynamic program over the candidates (docs/spec/science.md 6.1): which of them, besides the
 * longest, fill a pack with the least idle time. */
struct filling {
    struct entry *list; /* the candidates, longest first */
    double *best;       /* of exactly so many tasks on exactly so many processors: their area */
    uint64_t *taken;    /* bits: by candidate, tasks and processors */
    int rows, columns;  /* tasks and processors, from 0 */
};

/* One run for one epsilon. */
struct run {
    const struct cs_pack_instance *in;
    struct filling *filling;    /* NULL: the first candidates that fit */
    const struct entry *sorted; /* all tasks with their first processors, longest first */
    int front, next;            /* sorted[front .. next - 1]: candidates that got nothing yet */
    struct heap candidates, others;
    long long asked; /* processors that the candidates ask for */
    double keep;     /* 1 - epsilon */
};

static inline const struct entry *pack_by_pack_longer(const struct entry *a, const struct entry *b)
{
    return !a || (b && pack_by_pack_before(b, a)) ? b : a;
}

static inline const struct entry *longest_candidate(const struct run *run)
{
    return pack_by_pack_longer(run->front < run->next ? &run->sorted[run->front] : NULL,
                               run->candidates.size ? &run->candidates.at[0] : NULL);
}

static inline const struct entry *longest_other(const struct run *run)
{
    return pack_by_pack_longer(run->next < run->in->tasks->count ? &run->sorted[run->next] : NULL,
                               run->others.size ? &run->others.at[0] : NULL);
}

static struct entry take_candidate(struct run *run, const struct entry *candidate)
{
    struct entry taken = *candidate;

    if (candidate == run->candidates.at)
        heap_pop(&run->candidates);
    else
        run->front++;
    run->asked -= taken.procs;
    return taken;
}

static void pack_by_pack_admit(struct run *run, const struct entry *other)
{
    run->asked += other->procs;
    if (other == run->others.at)
        heap_push(&run->candidates, heap_pop(&run->others));
    else
        run->next++;
}

/* All that are long enough are candidates; there is at least one.  False: no task is left. */
static bool admit_all(struct run *run)
{
    const struct entry *other = longest_other(run);
    const struct entry *longest = pack_by_pack_longer(longest_candidate(run), other);
    double threshold;

    if (!longest)
        return false;
    threshold = run->keep * longest->time;
    while (other && other->time >= threshold) {
        pack_by_pack_admit(run, other);
        other = longest_other(run);
    }
    return true;
}

/* The longest gets a processor; when it is too short then, it is no candidate any more. */
static void one_more_processor(struct run *run)
{
    struct entry head = take_candidate(run, longest_candidate(run));
    const struct entry *longest = pack_by_pack_longer(longest_candidate(run), longest_other(run));

    head.procs++;
    head.time = cs_pack_time(run->in, head.task, head.procs);
    if (longest && head.time < run->keep * longest->time) {
        heap_push(&run->others, head);
    } else {
        heap_push(&run->candidates, head);
        run->asked += head.procs;
    }
}

static void make_one_pack(struct run *run, struct cs_pack_plan *plan)
{
    int free = run->in->tasks->procs, room = run->in->pack_size;
    const struct entry *longest = longest_candidate(run);

    for (; longest && room > 0 && longest->procs <= free; room--) {
        struct entry taken = take_candidate(run, longest);

        free -= taken.procs;
        cs_pack_plan_add(plan, taken.task, taken.procs);
        longest = longest_candidate(run);
    }
    cs_pack_plan_close(plan, 0);
}

#define CS_PACK_FILL_MOST 2000000000.0 /* bits of `taken` */

static struct filling *filling_create(const struct cs_pack_instance *in, struct cs_arena *arena)
{
    const int n = in->tasks->count, most = in->pack_size < n ? in->pack_size : n;
    struct filling *f = CS_NEW(arena, struct filling);

    *f = (struct filling){.rows = most, .columns = in->tasks->procs};
    f->list = CS_NEW_ARRAY(arena, struct entry, n);
    f->best = CS_NEW_ARRAY(arena, double, (size_t)f->rows *(size_t)f->columns);
    f->taken =
        CS_NEW_ARRAY(arena, uint64_t, (size_t)n * (size_t)f->rows * (size_t)f->columns / 64 + 1);
    return f;
}

static size_t filling_bit(const struct filling *f, int which, int tasks, int procs)
{
    return ((size_t)which * (size_t)f->rows + (size_t)tasks) * (size_t)f->columns + (size_t)procs;
}

/* The table after one more candidate; a larger area only replaces a smaller one. */
static void filling_add(struct filling *f, int which, int room)
{
    const struct entry *e = &f->list[which];
    const double area = e->procs * e->time;

    for (int c = f->rows - 1; c > 0; c--)
        for (int q = room; q >= e->procs; q--) {
            const double with = f->best[(c - 1) * f->columns + q - e->procs] + area;
            const size_t bit = filling_bit(f, which, c, q);

            if (!(with > f->best[c * f->columns + q])) {
                f->taken[bit / 64] &= ~(UINT64_C(1) << bit % 64);
                continue;
            }
            f->best[c * f->columns + q] = with;
            f->taken[bit / 64] |= UINT64_C(1) << bit % 64;
        }
}

/* The cell with the largest area, of those with fewest processors, then tasks. */
static void filling_choose(const struct filling *f, int room, int *tasks, int *procs)
{
    double most = 0;

    *tasks = *procs = 0;
    for (int q = 0; q <= room; q++)
        for (int c = 0; c < f->rows; c++)
            if (f->best[c * f->columns + q] > most) {
                most = f->best[c * f->columns + q];
                *tasks = c;
                *procs = q;
            }
}

/* All candidates into the list, and out of the heap. */
static int filling_list(struct run *run)
{
    int count = 0;
    const struct entry *longest;

    while ((longest = longest_candidate(run)))
        run->filling->list[count++] = take_candidate(run, longest);
    return count;
}

/* The longest candidate, and those others that leave the least of the pack idle. */
static void fill_one_pack(struct run *run, struct cs_pack_plan *plan)
{
    struct filling *f = run->filling;
    const int count = filling_list(run);
    const int room = run->in->tasks->procs - f->list[0].procs;
    int tasks, procs;

    for (size_t cell = 0; cell < (size_t)f->rows * (size_t)f->columns; cell++)
        f->best[cell] = cell ? -INFINITY : 0;
    for (int a = 1; a < count; a++)
        filling_add(f, a, room);
    filling_choose(f, room, &tasks, &procs);
    for (int a = count - 1; a > 0; a--) {
        const size_t bit = filling_bit(f, a, tasks, procs);
        const bool in =
            tasks > 0 && f->list[a].procs <= procs && f->taken[bit / 64] >> bit % 64 & 1;

        tasks -= in;
        procs -= in ? f->list[a].procs : 0;
        if (in)
            f->list[a].task = -1 - f->list[a].task;
    }
    cs_pack_plan_add(plan, f->list[0].task, f->list[0].procs);
    for (int a = 1; a < count; a++) {
        struct entry entry = f->list[a];

        if (entry.task < 0) {
            cs_pack_plan_add(plan, -1 - entry.task, entry.procs);
            continue;
        }
        heap_push(&run->candidates, entry);
        run->asked += entry.procs;
    }
    cs_pack_plan_close(plan, 0);
}

static void run_epsilon(struct run *run, double epsilon, struct cs_pack_plan *plan,
                        struct cs_arena *scratch)
{
    run->front = run->next = run->candidates.size = run->others.size = 0;
    run->asked = 0;
    run->keep = 1.0 - epsilon;
    cs_pack_plan_clear(plan);
    while (admit_all(run)) {
        if (run->asked < run->in->tasks->procs)
            one_more_processor(run);
        else if (run->filling)
            fill_one_pack(run, plan);
        else
            make_one_pack(run, plan);
    }
    cs_pack_plan_share(run->in, plan, scratch);
    cs_pack_plan_note(plan, "epsilon", NULL, epsilon);
}

static struct entry *sort_tasks(const struct cs_pack_instance *in, struct cs_arena *scratch)
{
    int n = in->tasks->count;
    struct entry *sorted = CS_NEW_ARRAY(scratch, struct entry, n);
    double *time = CS_NEW_ARRAY(scratch, double, n);
    int *order = CS_NEW_ARRAY(scratch, int, n);

    for (int i = 0; i < n; i++)
        time[i] = cs_pack_time(in, i, in->tasks->min_procs[i]);
    cs_order_descending(time, n, order, scratch);
    for (int a = 0; a < n; a++)
        sorted[a] = (struct entry){time[order[a]], order[a], in->tasks->min_procs[order[a]]};
    return sorted;
}

/* The state of one thread: its heaps, the plan of an epsilon and the best one so far. */
struct worker {
    struct run run;
    struct cs_arena *scratch;
    struct cs_pack_plan *now, *best;
    int best_step; /* 0: none yet */
};

static void worker_init(struct worker *w, const struct cs_pack_instance *in,
                        const struct entry *sorted, bool fill)
{
    int n = in->tasks->count;

    w->scratch = cs_arena_create();
    w->run = (struct run){.in = in, .sorted = sorted};
    if (fill)
        w->run.filling = filling_create(in, w->scratch);
    w->run.candidates.at = CS_NEW_ARRAY(w->scratch, struct entry, n);
    w->run.others.at = CS_NEW_ARRAY(w->scratch, struct entry, n);
    w->now = cs_pack_plan_create(n);
    w->best = cs_pack_plan_create(n);
    w->best_step = 0;
}

static void worker_release(struct worker *w)
{
    cs_arena_destroy(w->scratch);
    cs_pack_plan_destroy(w->now);
    cs_pack_plan_destroy(w->best);
}

/* epsilon = step / (tries + 1) is better when it is cheaper, or as cheap and smaller. */
static void worker_try(struct worker *w, int step, int tries)
{
    struct cs_pack_plan *plan = w->now;

    run_epsilon(&w->run, step / (tries + 1.0), plan, w->scratch);
    if (w->best_step &&
        !(plan->total < w->best->total || (plan->total == w->best->total && step < w->best_step)))
        return;
    w->now = w->best;
    w->best = plan;
    w->best_step = step;
}

static const struct worker *best_worker(const struct worker *worker, int count)
{
    const struct worker *best = worker;

    for (const struct worker *w = worker + 1; w < worker + count; w++)
        if (w->best_step &&
            (!best->best_step || w->best->total < best->best->total ||
             (w->best->total == best->best->total && w->best_step < best->best_step)))
            best = w;
    return best;
}

/* The values of epsilon, shared out over a team. */
struct contest {
    const struct cs_pack_instance *in;
    const struct cs_policy_context *context;
    const struct entry *sorted;
    struct worker *worker; /* one for each member; zeros if it was not started */
    int tries;
    bool fill;
    atomic_int step; /* the last that a member has taken */
};

static void contest_work(void *who, int member)
{
    struct contest *contest = who;
    struct worker *worker = &contest->worker[member];
    int step;

    worker_init(worker, contest->in, contest->sorted, contest->fill);
    while ((step = ++contest->step) <= contest->tries)
        if (step == 1 || !cs_pack_expired(contest->context))
            worker_try(worker, step, contest->tries);
}

/* Starting threads takes longer than planning fewer tasks. */
#define WORTH_A_THREAD 10000

static void best_epsilon(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                         int tries, bool fill, struct cs_pack_plan *plan)
{
    const int most = in->tasks->count < WORTH_A_THREAD ? 1 : cs_team_size(context->threads);
    const int threads = most < tries ? most : tries;
    struct contest contest = {
        .in = in,
        .context = context,
        .sorted = sort_tasks(in, context->scratch),
        .worker = CS_NEW_ARRAY(context->scratch, struct worker, threads),
        .tries = tries,
        .fill = fill,
    };

    cs_team_run(threads, contest_work, &contest);
    cs_pack_plan_copy(plan, best_worker(contest.worker, threads)->best);
    for (int w = 0; w < threads; w++)
        worker_release(&contest.worker[w]);
}

void cs_pack_by_pack_best(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, int tries,
                          struct cs_pack_plan *plan)
{
    best_epsilon(in, context, tries, false, plan);
}

static void plan_one_epsilon(const struct cs_pack_instance *in, double epsilon, bool fill,
                             struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    int n = in->tasks->count;
    struct run run = {.in = in, .sorted = sort_tasks(in, scratch)};

    if (fill)
        run.filling = filling_create(in, scratch);
    run.candidates.at = CS_NEW_ARRAY(scratch, struct entry, n);
    run.others.at = CS_NEW_ARRAY(scratch, struct entry, n);
    run_epsilon(&run, epsilon, plan, scratch);
}

static int plan_pack_by_pack(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    const double epsilon = context->param[0];
    const bool fill = context->param[2] == 1;
    const double size = fmin(in->pack_size, in->tasks->count);
    const double bits = (double)in->tasks->count * size * in->tasks->procs;

    if (fill && bits > CS_PACK_FILL_MOST)
        return cs_error_set(context->err,
                            "pack-by-pack:fill=dp: %d tasks in packs of %d on %d processors are "
                            "too many for the table",
                            in->tasks->count, in->pack_size, in->tasks->procs);
    if (isnan(epsilon))
        best_epsilon(in, context, (int)context->param[1], fill, plan);
    else
        plan_one_epsilon(in, epsilon, fill, plan, context->scratch);
    return 0;
}

static const struct cs_policy_param params[] = {
    {
        .name = "epsilon",
        .kind = CS_POLICY_PARAM_REAL,
        .default_text = "all",
        .low = 0,
        .high = 1,
        .open = true,
        .summary = "tasks up to this fraction shorter than the longest join its pack; "
                   "all: the best of 0.1, 0.2, ... 0.9",
    },
    {
        .name = "tries",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "9",
        .low = 1,
        .high = 999,
        .summary = "of epsilon=all: how many values, evenly between 0 and 1",
    },
    {
        .name = "fill",
        .kind = CS_POLICY_PARAM_CHOICE,
        .default_text = "greedy",
        .choices = "greedy|dp",
        .summary = "which candidates fill a pack: the longest that fit, or by a dynamic program "
                   "those that leave the least of it idle",
    },
    {0},
};

const struct cs_pack_policy cs_pack_policy_pack_by_pack = {
    .info =
        {
            .name = "pack-by-pack",
            .problem = "pack",
            .summary = "packs of tasks that take about as long, the longest first",
            .source = "Aupy et al., Section 5: PACK-BY-PACK",
            .params = params,
        },
    .plan = plan_pack_by_pack,
};
