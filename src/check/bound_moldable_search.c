/* bound_moldable_search.c - does a plan of a few tasks end before a given time?
 *
 * If one does, so does one in which tasks are added by (start, index), each as soon as its
 * processors are free after the last start. All of those are enumerated, except plans whose work
 * does not fit and repeated states (remaining tasks and free times of processors). States are
 * identified by a hash of 128 bits.
 */
#include "check/bound_moldable.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TASKS_MOST 14
#define STATES_MOST 1500000 /* about a second */
#define TRIES_MOST 50000000
#define MET ((size_t)1 << 18)

struct met {
    uint64_t one, two;
};

struct state {
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

static bool has_room(const struct search *s, const struct state *at)
{
    const struct cs_check_bag *bag = s->bag;
    double area = 0, room = s->before - at->start;

    for (int r = 0; r < at->runs; r++)
        area += (at->end[r] - at->start) * at->procs[r];
    for (int i = 0; i < bag->tasks; i++) {
        int a;

        if (!(at->left >> i & 1))
            continue;
        a = cs_check_bag_within(bag, i, s->before - fmax(at->start, bag->release[i]));
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

static struct met bound_moldable_search_digest(const struct state *at)
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

static bool was_met(struct search *s, const struct state *at)
{
    struct met m = bound_moldable_search_digest(at), *place = &s->met[m.one & (MET - 1)];

    if (place->one == m.one && place->two == m.two)
        return true;
    *place = m;
    return false;
}

static double free_from(const struct search *s, const struct state *at, double from, int procs)
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
static struct state bound_moldable_search_after(const struct state *at, int task, double start,
                                                double end, int procs)
{
    struct state next = {.left = at->left & ~(1u << task), .last = task, .start = start};
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
    return s->states > STATES_MOST || s->tries > TRIES_MOST;
}

static void bound_moldable_search_visit(struct search *s, const struct state *at);

static void bound_moldable_search_add(struct search *s, const struct state *at, int task)
{
    const struct cs_check_bag *bag = s->bag;
    double from = fmax(at->start, bag->release[task]);

    for (int a = cs_check_bag_within(bag, task, s->before - from);
         a < bag->first[task + 1] && !s->found && !gave_up(s); a++) {
        double start = free_from(s, at, from, bag->count[a]), end = start + bag->seconds[a];
        struct state next;

        s->tries++;
        if ((start == at->start && task < at->last) || !(end < s->before))
            continue;
        next = bound_moldable_search_after(at, task, start, end, bag->count[a]);
        bound_moldable_search_visit(s, &next);
    }
}

static void bound_moldable_search_visit(struct search *s, const struct state *at)
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
    struct state all = {.last = -1};

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

struct list {
    const struct cs_check_bag *bag;
    int *choice; /* by task: place in count[] and seconds[] */
    int *order;  /* waiting tasks, the longest first; -1: has started */
    double *end; /* by task; +inf: waits */
};

/* The count of least work on which the task takes no longer than `most`, or its fastest one. */
static int list_choice(const struct cs_check_bag *bag, int task, double most)
{
    int best = bag->first[task + 1] - 1;

    for (int a = cs_check_bag_within(bag, task, most); a < bag->first[task + 1]; a++)
        if (bag->count[a] * bag->seconds[a] < bag->count[best] * bag->seconds[best])
            best = a;
    return best;
}

static void list_order(struct list *l, double most)
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

static int list_free(const struct list *l, double now)
{
    int free = l->bag->procs;

    for (int i = 0; i < l->bag->tasks; i++)
        if (isfinite(l->end[i]) && l->end[i] > now)
            free -= l->bag->count[l->choice[i]];
    return free;
}

/* Starts what fits; returns how many did. */
static int list_start(struct list *l, double now)
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

static double list_next(const struct list *l, double now)
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

static bool list_ends(struct list *l, double before)
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
    struct list l = {
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
