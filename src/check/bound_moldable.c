/* bound_moldable.c - arguments for lower bounds on plans of the moldable problem.
 *
 * Every argument proves that no plan ends by a given time. It then holds for earlier times: tasks
 * have fewer possible counts, and their work grows relative to the capacity.
 *
 *   path    A task is released, and takes its shortest time.
 *   area    Each task takes at least its least work among the counts that are quick enough.  The
 *           same holds when widths are replaced by a dual feasible function of them, a pair whose
 *           time is itself.
 *   middle  Tasks longer than half the time run together in the middle: counts fit, and work too.
 *   pairs   Widths and times both replaced, by the numbers of the certificate.
 *
 * Roundings are downwards, and sums must exceed their limit by more than the rounding error.
 */
#include "check/bound_moldable.h"
#include "check/bound.h"
#include "check/known_time.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Is a certificate of pairs or scales a proof that no plan ends by a given
 * time?
 *
 * In a plan that does, the tasks have at most the total weight under a weighted sum of pairs of
 * dual feasible functions (Fekete, Schepers 2004), for any counts. This excludes every count of a
 * task whose weight is too large even if all other tasks have their least. The certificate then
 * continues with the remaining counts: with other pairs, or separately for one task on few and on
 * many processors, until no count remains.
 *
 * Shares are shortened by 1e-12, and near a step a function takes its lower value.
 */

#define PAIRS_MOST 1e9   /* counts times pairs, of all cases */
#define SCALES_LOOKS 2e5 /* as many as these take a pair of scales */
#define NEAR 1e-9
#define SHORT (1 - 1e-12)

static double bound_moldable_pairs_family(double share, double k)
{
    double times = (k + 1) * share, whole = round(times);

    if (fabs(times - whole) < NEAR)
        return fmax(0, fmin(share, (whole - 1) / k));
    return floor(times) / k;
}

/* The multiples of `unit` that fit into less than half; of more, those that do not fit in the
 * rest. */
static double bound_moldable_pairs_rounded(double share, double unit)
{
    double whole = floor(1 / unit);

    share -= NEAR;
    if (share > 0.5)
        return (whole - floor((1 - share) / unit)) / whole;
    return floor(fmax(0, share) / unit) / whole;
}

static double of_time(const struct cs_dual *f, double share)
{
    switch (f->kind) {
    case CS_DUAL_FAMILY:
        return bound_moldable_pairs_family(share, f->at);
    case CS_DUAL_ROUND:
        return bound_moldable_pairs_rounded(share, f->at);
    case CS_DUAL_STEP:
        return share > 1 - f->at + NEAR ? 1 : share < f->at + NEAR ? 0 : share;
    case CS_DUAL_ITSELF:
        break;
    }
    return share;
}

/* A function of a share of the processors, as a share. */
static double check_dual_of_width(const struct cs_dual *f, int count, int procs)
{
    double k = f->at, share = (double)count / procs;

    if (f->kind == CS_DUAL_FAMILY)
        return fmod((k + 1) * count, procs) == 0 ? share : floor((k + 1) * count / procs) / k;
    if (f->kind == CS_DUAL_ITSELF)
        return share;
    return count > procs - k ? 1 : count < k ? 0 : share;
}

static bool is_dual(const struct cs_dual *f, double whole)
{
    switch (f->kind) {
    case CS_DUAL_FAMILY:
        return f->at >= 1 && f->at <= 1e6 && f->at == floor(f->at);
    case CS_DUAL_ROUND:
        return whole == 1 && f->at >= 1e-3 && f->at <= 0.5;
    case CS_DUAL_STEP:
        return f->at >= 0 && f->at <= whole / 2;
    case CS_DUAL_ITSELF:
        break;
    }
    return true;
}

struct proof {
    const struct cs_check_bag *bag;
    double seconds, looks; /* counts times pairs that may still be looked at */
    double *takes;         /* by count of a task */
    struct cs_arena *scratch;
};

static double bound_moldable_pairs_taken(const struct proof *p, int a,
                                         const struct cs_moldable_certificate *by)
{
    const struct cs_check_bag *bag = p->bag;
    double share = bag->seconds[a] / p->seconds * SHORT, sum = 0;

    for (int k = 0; k < by->pairs; k++)
        sum += by->pair[k].weight *
               check_dual_of_width(&by->pair[k].width, bag->count[a], bag->procs) *
               of_time(&by->pair[k].time, share);
    return sum;
}

/* The sum of the weights; NaN if the pairs are invalid. */
static double bound_moldable_pairs_weights(const struct cs_check_bag *bag,
                                           const struct cs_moldable_certificate *by)
{
    double sum = 0;

    for (int k = 0; k < by->pairs; k++) {
        if (!is_dual(&by->pair[k].width, bag->procs) || !is_dual(&by->pair[k].time, 1) ||
            !(by->pair[k].weight >= 0))
            return NAN;
        sum += by->pair[k].weight;
    }
    return sum;
}

static double check_scales_take(const struct cs_check_bag *bag, double seconds, const bool *open,
                                const struct cs_moldable_certificate *by, double *takes,
                                struct cs_arena *scratch);

/* The weight of the open counts under scales or pairs, and its maximum. */
static double bound_moldable_pairs_take(struct proof *p, const bool *open,
                                        const struct cs_moldable_certificate *by)
{
    if (by->scales > 0) {
        p->looks -= SCALES_LOOKS;
        return check_scales_take(p->bag, p->seconds, open, by, p->takes, p->scratch);
    }
    for (int a = 0; a < p->bag->first[p->bag->tasks]; a++)
        if (open[a]) {
            p->takes[a] = bound_moldable_pairs_taken(p, a, by);
            p->looks -= by->pairs;
        }
    return bound_moldable_pairs_weights(p->bag, by);
}

static double least_taken(const struct proof *p, int task, const bool *open)
{
    double least = INFINITY;

    for (int a = p->bag->first[task]; a < p->bag->first[task + 1]; a++)
        if (open[a])
            least = fmin(least, p->takes[a]);
    return least;
}

static bool check_bag_exceeds(const struct cs_check_bag *bag, double sum, double most);

/* Do the pairs, or the scales, leave nothing?  Counts that take too much are closed. */
static bool pairs_exceed(struct proof *p, bool *open, const struct cs_moldable_certificate *by)
{
    const struct cs_check_bag *bag = p->bag;
    double *least = CS_NEW_ARRAY(p->scratch, double, bag->tasks),
           most = bound_moldable_pairs_take(p, open, by), sum = 0;

    for (int i = 0; i < bag->tasks; i++)
        sum += least[i] = least_taken(p, i, open);
    if (check_bag_exceeds(bag, sum, most))
        return true;
    for (int i = 0; i < bag->tasks; i++)
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
            if (open[a] && check_bag_exceeds(bag, sum - least[i] + p->takes[a], most))
                open[a] = false;
    return false;
}

static bool bound_moldable_pairs_proves(struct proof *p, const bool *before,
                                        const struct cs_moldable_certificate *by)
{
    const struct cs_check_bag *bag = p->bag;
    struct cs_arena_mark mark = cs_arena_mark(p->scratch);
    size_t size = (size_t)bag->first[bag->tasks] * sizeof *before;
    bool *open = CS_NEW_ARRAY(p->scratch, bool, size), *side = CS_NEW_ARRAY(p->scratch, bool, size);
    bool proved;

    memcpy(open, before, size);
    proved = pairs_exceed(p, open, by);
    if (!proved && p->looks > 0 && by->narrow && !by->wide)
        proved = bound_moldable_pairs_proves(p, open, by->narrow);
    if (!proved && p->looks > 0 && by->narrow && by->wide && by->task < bag->tasks) {
        proved = true;
        for (int wide = 0; wide < 2 && proved; wide++) {
            memcpy(side, open, size);
            for (int a = bag->first[by->task]; a < bag->first[by->task + 1]; a++)
                side[a] = open[a] && (bag->count[a] > by->most) == wide;
            proved = bound_moldable_pairs_proves(p, side, wide ? by->wide : by->narrow);
        }
    }
    cs_arena_rewind(p->scratch, mark);
    return proved;
}

static int check_bag_within(const struct cs_check_bag *bag, int task, double seconds);

bool cs_check_bag_certified(const struct cs_check_bag *bag, double seconds,
                            const struct cs_moldable_certificate *by, struct cs_arena *scratch)
{
    size_t counts = (size_t)bag->first[bag->tasks];
    struct proof p = {bag, seconds, PAIRS_MOST, CS_NEW_ARRAY(scratch, double, counts), scratch};
    bool *open = CS_NEW_ARRAY(scratch, bool, counts);

    for (int i = 0; i < bag->tasks; i++)
        for (int a = check_bag_within(bag, i, seconds); a < bag->first[i + 1]; a++)
            open[a] = true;
    return (by->pairs > 0 || by->scales > 0 || by->narrow) &&
           bound_moldable_pairs_proves(&p, open, by);
}

/* What do tasks take under a pair of scales, and what may they at most?
 *
 * In a plan that ends by a moment each processor runs tasks that fit one after the other, and at
 * each moment tasks run that fit side by side.  So the least that is wrong with a certificate are
 * its sums: the most that such tasks have is found here, over all open counts.
 */

#define STATES_MOST ((size_t)50000)
#define BOUND_MOLDABLE_SCALES_SHORT (1 - 1e-12)

struct state {
    double used, value;
};

/* By count, from those of the certificate; false when one is not of a task, or is no number. */
static bool bound_moldable_scales_spread(const struct cs_check_bag *bag,
                                         const struct cs_moldable_certificate *by, double *time,
                                         double *width)
{
    for (int k = 0; k < by->scales; k++) {
        const struct cs_moldable_scale *scale = &by->scale[k];

        if (scale->task >= bag->tasks || !(scale->time >= 0) || !(scale->width >= 0))
            return false;
        for (int a = bag->first[scale->task]; a < bag->first[scale->task + 1]; a++)
            if (bag->count[a] == scale->count) {
                time[a] = scale->time;
                width[a] = scale->width;
            }
    }
    return true;
}

/* Both lists by what is used; of what is left each is worth more than all before it. */
static size_t bound_moldable_scales_merge(const struct state *a, size_t as, const struct state *b,
                                          size_t bs, struct state *out)
{
    size_t count = 0;

    for (size_t i = 0, k = 0; i < as || k < bs;) {
        const struct state next = k == bs || (i < as && a[i].used <= b[k].used) ? a[i++] : b[k++];

        if (count == 0 || next.value > out[count - 1].value)
            out[count++] = next;
    }
    return count;
}

/* The Pareto front of use and value of tasks. */
struct list {
    size_t count;
    struct state *state, *before, *with, *next;
};

static void bound_moldable_scales_init(struct list *list, struct cs_arena *scratch)
{
    list->count = 1; /* the empty set */
    list->state = CS_NEW_ARRAY(scratch, struct state, 2 * STATES_MOST);
    list->next = CS_NEW_ARRAY(scratch, struct state, 2 * STATES_MOST);
    list->before = CS_NEW_ARRAY(scratch, struct state, STATES_MOST);
    list->with = CS_NEW_ARRAY(scratch, struct state, STATES_MOST);
}

/* The states that there were before a task, with one of its counts; false when they get too many.
 */
static bool add_count(struct list *list, size_t before, double used, double value, double seconds)
{
    struct state *old = list->state;
    size_t count = 0;

    for (; count < before && list->before[count].used + used <= seconds; count++)
        list->with[count] =
            (struct state){list->before[count].used + used, list->before[count].value + value};
    list->count =
        bound_moldable_scales_merge(list->state, list->count, list->with, count, list->next);
    list->state = list->next;
    list->next = old;
    return list->count <= STATES_MOST;
}

/* The most of tasks that fit one after the other. */
static double most_in_time(const struct cs_check_bag *bag, double seconds, const bool *open,
                           const double *value, struct cs_arena *scratch)
{
    struct list list;

    bound_moldable_scales_init(&list, scratch);
    for (int i = 0; i < bag->tasks; i++) {
        const size_t before = list.count;

        memcpy(list.before, list.state, before * sizeof *list.before);
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
            if (open[a] && value[a] > 0 &&
                !add_count(&list, before, bag->seconds[a] * BOUND_MOLDABLE_SCALES_SHORT, value[a],
                           seconds))
                return INFINITY;
    }
    return list.state[list.count - 1].value;
}

/* The most of tasks that fit side by side. */
static double most_in_width(const struct cs_check_bag *bag, const bool *open, const double *value,
                            struct cs_arena *scratch)
{
    double *most = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);

    for (int i = 0; i < bag->tasks; i++)
        for (int q = bag->procs; q >= 0; q--)
            for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
                if (open[a] && bag->count[a] <= q)
                    most[q] = fmax(most[q], most[q - bag->count[a]] + value[a]);
    return most[bag->procs];
}

/* The weight of each count under the scales of the certificate, and the maximum for a plan of open
 * counts (INFINITY: unknown). */
static double check_scales_take(const struct cs_check_bag *bag, double seconds, const bool *open,
                                const struct cs_moldable_certificate *by, double *takes,
                                struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    const size_t counts = (size_t)bag->first[bag->tasks];
    double *time = CS_NEW_ARRAY(scratch, double, counts), most;
    double *width = CS_NEW_ARRAY(scratch, double, counts);

    if (!bound_moldable_scales_spread(bag, by, time, width))
        return INFINITY;
    for (size_t a = 0; a < counts; a++)
        takes[a] = bag->count[a] * time[a] / bag->procs +
                   bag->seconds[a] * BOUND_MOLDABLE_SCALES_SHORT / seconds * width[a];
    most =
        most_in_time(bag, seconds, open, time, scratch) + most_in_width(bag, open, width, scratch);
    cs_arena_rewind(scratch, mark);
    return most;
}

/* Does a plan of a few tasks end before a given time?
 *
 * If one does, so does one in which tasks are added by (start, index), each as soon as its
 * processors are free after the last start. All of those are enumerated, except plans whose work
 * does not fit and repeated states (remaining tasks and free times of processors). States are
 * identified by a hash of 128 bits.
 */

#define TASKS_MOST 14
#define BOUND_MOLDABLE_SEARCH_STATES_MOST 1500000 /* about a second */
#define TRIES_MOST 50000000
#define MET ((size_t)1 << 18)

struct met {
    uint64_t one, two;
};

struct bound_moldable_search_state {
    unsigned left; /* tasks */
    int last;      /* the task that started last, */
    double start;  /* and when */
    int runs;
    double end[TASKS_MOST]; /* of what runs, rising, */
    int procs[TASKS_MOST];  /* and on how many */
};

struct search {
    const struct cs_check_bag *bag;
    double before;
    long states, tries;
    bool found;
    struct met *met;
};

static bool has_room(const struct search *s, const struct bound_moldable_search_state *at)
{
    const struct cs_check_bag *bag = s->bag;
    double area = 0, room = s->before - at->start;

    for (int r = 0; r < at->runs; r++)
        area += (at->end[r] - at->start) * at->procs[r];
    for (int i = 0; i < bag->tasks; i++) {
        int a;

        if (!(at->left >> i & 1))
            continue;
        a = check_bag_within(bag, i, s->before - fmax(at->start, bag->release[i]));
        area += a < bag->first[i + 1] ? bag->work[a] : INFINITY;
    }
    return area <= room * bag->procs * (1 + 1e-12);
}

static uint64_t bound_moldable_search_stir(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t bound_moldable_search_bits(double value)
{
    uint64_t all;

    memcpy(&all, &value, sizeof all);
    return all;
}

static struct met bound_moldable_search_digest(const struct bound_moldable_search_state *at)
{
    struct met m = {bound_moldable_search_stir(at->left, bound_moldable_search_bits(at->start)),
                    bound_moldable_search_stir(~(uint64_t)at->left, (uint64_t)at->last)};

    m.one = bound_moldable_search_stir(m.one, (uint64_t)at->last);
    m.two = bound_moldable_search_stir(m.two, bound_moldable_search_bits(at->start));
    for (int r = 0; r < at->runs; r++) {
        m.one = bound_moldable_search_stir(
            bound_moldable_search_stir(m.one, bound_moldable_search_bits(at->end[r])),
            (uint64_t)at->procs[r]);
        m.two =
            bound_moldable_search_stir(bound_moldable_search_stir(m.two, (uint64_t)at->procs[r]),
                                       bound_moldable_search_bits(at->end[r]));
    }
    return m;
}

static bool was_met(struct search *s, const struct bound_moldable_search_state *at)
{
    struct met m = bound_moldable_search_digest(at), *place = &s->met[m.one & (MET - 1)];

    if (place->one == m.one && place->two == m.two)
        return true;
    *place = m;
    return false;
}

static double free_from(const struct search *s, const struct bound_moldable_search_state *at,
                        double from, int procs)
{
    int free = s->bag->procs;
    double start = from;

    for (int r = 0; r < at->runs; r++)
        free -= at->end[r] > from ? at->procs[r] : 0;
    for (int r = 0; free < procs; r++)
        if (at->end[r] > from) {
            start = at->end[r];
            free += at->procs[r];
        }
    return start;
}

/* The state after the start of the task. */
static struct bound_moldable_search_state
bound_moldable_search_after(const struct bound_moldable_search_state *at, int task, double start,
                            double end, int procs)
{
    struct bound_moldable_search_state next = {
        .left = at->left & ~(1u << task), .last = task, .start = start};
    int r = 0;

    for (; r < at->runs && at->end[r] <= start; r++)
        continue;
    for (; r < at->runs && at->end[r] <= end; r++, next.runs++) {
        next.end[next.runs] = at->end[r];
        next.procs[next.runs] = at->procs[r];
    }
    next.end[next.runs] = end;
    next.procs[next.runs++] = procs;
    for (; r < at->runs; r++, next.runs++) {
        next.end[next.runs] = at->end[r];
        next.procs[next.runs] = at->procs[r];
    }
    return next;
}

static bool gave_up(const struct search *s)
{
    return s->states > BOUND_MOLDABLE_SEARCH_STATES_MOST || s->tries > TRIES_MOST;
}

static void bound_moldable_search_visit(struct search *s,
                                        const struct bound_moldable_search_state *at);

static void bound_moldable_search_add(struct search *s,
                                      const struct bound_moldable_search_state *at, int task)
{
    const struct cs_check_bag *bag = s->bag;
    double from = fmax(at->start, bag->release[task]);

    for (int a = check_bag_within(bag, task, s->before - from);
         a < bag->first[task + 1] && !s->found && !gave_up(s); a++) {
        double start = free_from(s, at, from, bag->count[a]), end = start + bag->seconds[a];
        struct bound_moldable_search_state next;

        s->tries++;
        if ((start == at->start && task < at->last) || !(end < s->before))
            continue;
        next = bound_moldable_search_after(at, task, start, end, bag->count[a]);
        bound_moldable_search_visit(s, &next);
    }
}

static void bound_moldable_search_visit(struct search *s,
                                        const struct bound_moldable_search_state *at)
{
    if (at->left == 0)
        s->found = true;
    s->states++;
    if (s->found || gave_up(s) || !has_room(s, at) || was_met(s, at))
        return;
    for (int i = 0; i < s->bag->tasks; i++)
        if (at->left >> i & 1)
            bound_moldable_search_add(s, at, i);
}

enum cs_check_search cs_check_bag_search(const struct cs_check_bag *bag, double seconds,
                                         struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct search s = {.bag = bag, .before = seconds};
    struct bound_moldable_search_state all = {.last = -1};

    if (bag->tasks > TASKS_MOST || bag->again)
        return CS_CHECK_SEARCH_GAVE_UP;
    all.left = (1u << bag->tasks) - 1;
    s.met = CS_NEW_ARRAY(scratch, struct met, MET);
    bound_moldable_search_visit(&s, &all);
    cs_arena_rewind(scratch, mark);
    if (s.found)
        return CS_CHECK_SEARCH_PLAN;
    return gave_up(&s) ? CS_CHECK_SEARCH_GAVE_UP : CS_CHECK_SEARCH_NONE;
}

/* ---- one plan for each of some times ---- */

#define LIST_TASKS 1000 /* more are not planned */
#define LIST_TIMES 40

struct bound_moldable_search_list {
    const struct cs_check_bag *bag;
    int *choice; /* by task: place in count[] and seconds[] */
    int *order;  /* waiting tasks, the longest first; -1: has started */
    double *end; /* by task; +inf: waits */
};

/* The count of least work on which the task takes no longer than `most`, or its fastest one. */
static int list_choice(const struct cs_check_bag *bag, int task, double most)
{
    int best = bag->first[task + 1] - 1;

    for (int a = check_bag_within(bag, task, most); a < bag->first[task + 1]; a++)
        if (bag->count[a] * bag->seconds[a] < bag->count[best] * bag->seconds[best])
            best = a;
    return best;
}

static void list_order(struct bound_moldable_search_list *l, double most)
{
    const struct cs_check_bag *bag = l->bag;

    for (int i = 0; i < bag->tasks; i++) {
        int at = i;

        l->choice[i] = list_choice(bag, i, most);
        l->end[i] = INFINITY;
        for (; at > 0 && bag->seconds[l->choice[l->order[at - 1]]] < bag->seconds[l->choice[i]];
             at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = i;
    }
}

static int list_free(const struct bound_moldable_search_list *l, double now)
{
    int free = l->bag->procs;

    for (int i = 0; i < l->bag->tasks; i++)
        if (isfinite(l->end[i]) && l->end[i] > now)
            free -= l->bag->count[l->choice[i]];
    return free;
}

/* Starts what fits; returns how many did. */
static int list_start(struct bound_moldable_search_list *l, double now)
{
    const struct cs_check_bag *bag = l->bag;
    int free = list_free(l, now), started = 0;

    for (int k = 0; k < bag->tasks && free > 0; k++) {
        int task = l->order[k];

        if (task < 0 || bag->release[task] > now || bag->count[l->choice[task]] > free)
            continue;
        l->end[task] = now + bag->seconds[l->choice[task]];
        free -= bag->count[l->choice[task]];
        l->order[k] = -1;
        started++;
    }
    return started;
}

static double list_next(const struct bound_moldable_search_list *l, double now)
{
    double next = INFINITY;

    for (int i = 0; i < l->bag->tasks; i++) {
        if (isfinite(l->end[i]) && l->end[i] > now)
            next = fmin(next, l->end[i]);
        if (isinf(l->end[i]) && l->bag->release[i] > now)
            next = fmin(next, l->bag->release[i]);
    }
    return next;
}

static bool list_ends(struct bound_moldable_search_list *l, double before)
{
    double now = 0, last = 0;
    int waiting = l->bag->tasks;

    while (waiting > 0 && now < before) {
        waiting -= list_start(l, now);
        now = list_next(l, now);
    }
    for (int i = 0; i < l->bag->tasks; i++)
        last = fmax(last, l->end[i]);
    return last < before;
}

bool cs_check_bag_list(const struct cs_check_bag *bag, double seconds, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct bound_moldable_search_list l = {
        .bag = bag,
        .choice = CS_NEW_ARRAY(scratch, int, bag->tasks),
        .order = CS_NEW_ARRAY(scratch, int, bag->tasks),
        .end = CS_NEW_ARRAY(scratch, double, bag->tasks),
    };
    double most = seconds;
    bool ends = false;

    for (int k = 0; k < LIST_TIMES && !ends && !bag->again && bag->tasks <= LIST_TASKS; k++) {
        list_order(&l, most);
        ends = list_ends(&l, seconds * (1 - 1e-9));
        most *= 0.9;
    }
    cs_arena_rewind(scratch, mark);
    return ends;
}

#define COUNTS_MOST 4e6 /* tasks times processors */
#define MIDDLE_MOST 1e8 /* counts times processors */
#define STEPS_MOST 64   /* of widths */
#define FAMILY 8        /* of widths */

/* Is the sum, of a term for each task, larger for certain? */
static bool check_bag_exceeds(const struct cs_check_bag *bag, double sum, double most)
{
    return sum > most * (1 + 1e-11 + 4.0 * bag->tasks * DBL_EPSILON);
}

static double walltime_of(const struct cs_workload *workload, int task)
{
    double walltime = workload->limit ? workload->limit[task].walltime : 0;

    return walltime > 0 ? walltime : INFINITY;
}

/* A task that its walltime can stop takes no longer than that, once. */
static int add_counts(struct cs_check_bag *bag, const struct cs_workload *workload, int task,
                      double factor, int at)
{
    double least = INFINITY, walltime = walltime_of(workload, task);

    for (int j = 1; j <= bag->procs; j++) {
        double seconds = cs_check_allowed_time(workload, task, j) * factor;

        if (!(seconds < INFINITY && fmin(seconds, walltime) < least))
            continue;
        if (seconds > walltime)
            bag->attempts[task] = 1;
        bag->count[at] = j;
        bag->seconds[at++] = least = fmin(seconds, walltime);
    }
    least = INFINITY;
    for (int a = at; a-- > bag->first[task];)
        bag->work[a] = least = fmin(least, bag->count[a] * bag->seconds[a]);
    return at;
}

bool cs_check_bag_init(struct cs_check_bag *bag, const struct cs_workload *workload, int procs,
                       const struct cs_moldable_declared *said, struct cs_arena *arena)
{
    int n = workload->count, at = 0;
    size_t all = (size_t)n * (size_t)procs;

    if ((double)n * procs > COUNTS_MOST)
        return false;
    *bag = (struct cs_check_bag){
        .tasks = n,
        .procs = procs,
        .first = CS_NEW_ARRAY(arena, int, n + 1),
        .count = CS_NEW_ARRAY(arena, int, all),
        .seconds = CS_NEW_ARRAY(arena, double, all),
        .work = CS_NEW_ARRAY(arena, double, all),
        .release = CS_NEW_ARRAY(arena, double, n),
        .attempts = CS_NEW_ARRAY(arena, double, n),
    };
    for (int i = 0; i < n; i++) {
        bag->attempts[i] = said->failures ? said->failures[i] + 1.0 : 1;
        at = add_counts(bag, workload, i, said->factor ? said->factor[i] : 1, at);
        bag->first[i + 1] = at;
        bag->release[i] = workload->limit ? workload->limit[i].release : 0;
        bag->again |= bag->attempts[i] > 1;
    }
    return true;
}

/* The first count on which the task takes at most so long; first[task + 1]: none. */
static int check_bag_within(const struct cs_check_bag *bag, int task, double seconds)
{
    int low = bag->first[task], high = bag->first[task + 1];

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (bag->seconds[middle] <= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool path_too_long(const struct cs_check_bag *bag, double seconds)
{
    for (int i = 0; i < bag->tasks; i++)
        if (bag->first[i + 1] == bag->first[i] ||
            bag->release[i] + bag->attempts[i] * bag->seconds[bag->first[i + 1] - 1] > seconds)
            return true;
    return false;
}

static bool area_too_large(const struct cs_check_bag *bag, double seconds, const struct cs_dual *f,
                           double *wide)
{
    double sum = 0;

    for (int c = 0; c <= bag->procs; c++)
        wide[c] = check_dual_of_width(f, c, bag->procs);
    for (int i = 0; i < bag->tasks; i++) {
        double least = INFINITY;

        for (int a = check_bag_within(bag, i, seconds); a < bag->first[i + 1]; a++)
            least = fmin(least, wide[bag->count[a]] * bag->seconds[a]);
        sum += bag->attempts[i] * least;
    }
    return check_bag_exceeds(bag, sum, seconds);
}

/* Steps that make a difference: at a count, and where the rest of the machine is one. */
static int find_steps(const struct cs_check_bag *bag, int *step, struct cs_arena *scratch)
{
    bool *is = CS_NEW_ARRAY(scratch, bool, (size_t)bag->procs + 2);
    int steps = 0;

    for (int a = 0; a < bag->first[bag->tasks]; a++)
        is[bag->count[a]] = true;
    for (int a = 1; a <= bag->procs / 2; a++)
        if (is[a] || is[bag->procs - a] || is[bag->procs - a + 1])
            step[steps++] = a;
    return steps;
}

static bool widths_too_large(const struct cs_check_bag *bag, double seconds,
                             struct cs_arena *scratch)
{
    double *wide = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    int *step = CS_NEW_ARRAY(scratch, int, (size_t)bag->procs / 2 + 1);
    int steps = find_steps(bag, step, scratch);
    int stride = steps > STEPS_MOST ? steps / STEPS_MOST + 1 : 1;

    for (int s = 0; s < steps; s += stride)
        if (area_too_large(bag, seconds, &(struct cs_dual){CS_DUAL_STEP, step[s]}, wide))
            return true;
    for (int k = 1; k <= FAMILY; k++)
        if (area_too_large(bag, seconds, &(struct cs_dual){CS_DUAL_FAMILY, k}, wide))
            return true;
    return false;
}

/* The least work of the tasks so far, by the processors that those of them may have that run
 * through the middle; one task more. */
static void add_to_middle(const struct cs_check_bag *bag, int task, double seconds,
                          const double *before, double *after)
{
    int half = check_bag_within(bag, task, seconds / 2), end = bag->first[task + 1];
    double extpol = half < end ? bag->work[half] : INFINITY;

    for (int q = 0; q <= bag->procs; q++)
        after[q] = before[q] + extpol;
    for (int a = check_bag_within(bag, task, seconds); a < half; a++) {
        int count = bag->count[a];
        double work = count * bag->seconds[a];

        if (work < extpol)
            for (int q = count; q <= bag->procs; q++)
                after[q] = fmin(after[q], before[q - count] + work);
    }
}

static bool middle_too_full(const struct cs_check_bag *bag, double seconds,
                            struct cs_arena *scratch)
{
    double *before = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    double *after = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);

    if (!cs_check_bag_has_middle(bag))
        return false;
    for (int i = 0; i < bag->tasks; i++) {
        double *swap = before;

        add_to_middle(bag, i, seconds, before, after);
        before = after;
        after = swap;
    }
    return check_bag_exceeds(bag, before[bag->procs], seconds * bag->procs);
}

static bool work_too_large(const struct cs_check_bag *bag, double seconds, struct cs_arena *scratch)
{
    double *wide = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);

    return area_too_large(bag, seconds, &(struct cs_dual){CS_DUAL_ITSELF, 0}, wide);
}

bool cs_check_bag_has_middle(const struct cs_check_bag *bag)
{
    return (double)bag->first[bag->tasks] * bag->procs <= MIDDLE_MOST;
}

static bool bound_moldable_excludes(const struct cs_check_bag *bag, enum cs_check_simple argument,
                                    double seconds, struct cs_arena *scratch)
{
    switch (argument) {
    case CS_CHECK_SIMPLE_PATH:
        return path_too_long(bag, seconds);
    case CS_CHECK_SIMPLE_AREA:
        return work_too_large(bag, seconds, scratch);
    case CS_CHECK_SIMPLE_MIDDLE:
        return middle_too_full(bag, seconds, scratch);
    case CS_CHECK_SIMPLE_WIDTH:
        return widths_too_large(bag, seconds, scratch);
    }
    return false;
}

bool cs_check_bag_is_bound(const struct cs_check_bag *bag, enum cs_check_simple argument,
                           double bound, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    bool least = bound == 0 ||
                 bound_moldable_excludes(bag, argument, bound * (1 - CS_CHECK_BOUND_SAME), scratch);
    bool is = bound >= 0 && least &&
              !bound_moldable_excludes(bag, argument, bound * (1 + CS_CHECK_BOUND_SAME), scratch);

    cs_arena_rewind(scratch, mark);
    return is;
}

bool cs_check_bag_too_short(const struct cs_check_bag *bag, double seconds,
                            const struct cs_moldable_certificate *by, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    bool too_short = path_too_long(bag, seconds) || work_too_large(bag, seconds, scratch) ||
                     widths_too_large(bag, seconds, scratch);

    if (!too_short && !bag->again)
        too_short = cs_check_bag_certified(bag, seconds, by, scratch) ||
                    middle_too_full(bag, seconds, scratch);
    cs_arena_rewind(scratch, mark);
    return too_short;
}
