/* plan.c - planners of general bags: lists, search, enumeration.
 *
 * Source: spec/bag.md 6.1 (repair), 6.2 (lists), 6.3 (search), 6.6 (lateness of small bags);
 * threshold accepting: Dueck, Scheuer 1990.
 * Idea: lists take the modes of least priced area for 20 time limits, and three orders of each. The
 * search changes one mode, one place in the order, or both, decodes by EARLIEST and accepts what is
 * not much worse; every new best plan is justified.  The enumeration extends active plans by start.
 * Invariants: in the order predecessors come first; `best` never gets worse (1.4); all random
 * numbers come from the seed, drawn in the sequence of 6.3.
 * Complexity: lists O(20 * 6) decoders; the search one decoder a move, and O(tasks) for the order;
 * the enumeration is exponential, with a limit.
 *
 *   constant   value  unit                 how found        half, double
 *   LIMITS     20     time limits          spec/bag.md 6.2  not measured
 *   threshold  0.01   of the best plan     spec/bag.md 6.3  not measured
 *   4, 4 M0    4      weights of lateness  spec/bag.md 6.3  not measured
 */
#include "base/splitmix.h"
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <string.h>

#define LIMITS 20

/* The change of one mode that lowers the overrun at the least time for its amount. */
static bool repair_step(const struct cs_bag *bag, int *choice)
{
    const double over = cs_bag_overrun(bag, choice);
    double least = INFINITY;
    int task = -1, to = 0;

    for (int i = 0; over > 0 && i < bag->data.tasks; i++) {
        const int now = choice[i];

        for (int x = 0; x < cs_bag_candidates(bag, i); x++) {
            double fall, rate;

            choice[i] = x;
            fall = over - cs_bag_overrun(bag, choice);
            rate = (cs_bag_seconds(bag, i, x) - cs_bag_seconds(bag, i, now)) / fall;
            if (x != now && fall > 0 && rate < least) {
                least = rate;
                task = i;
                to = x;
            }
        }
        choice[i] = now;
    }
    if (task >= 0)
        choice[task] = to;
    return task >= 0;
}

static void choice_repair(const struct cs_bag *bag, int *choice)
{
    while (repair_step(bag, choice)) {
    }
}

/* Repeatedly the ready task of the largest key. */
static void keyed_order(const struct cs_bag *bag, const double *key, int *order,
                        struct cs_arena *scratch)
{
    const struct cs_modes *data = &bag->data;
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *missing = CS_NEW_ARRAY(scratch, int, data->tasks);

    for (int i = 0; i < data->tasks; i++)
        missing[i] = data->before_first[i + 1] - data->before_first[i];
    for (int place = 0; place < data->tasks; place++) {
        int best = -1;

        for (int i = 0; i < data->tasks; i++)
            if (missing[i] == 0 && (best < 0 || key[i] > key[best]))
                best = i;
        order[place] = best;
        missing[best] = -1;
        for (int a = bag->after_first[best]; a < bag->after_first[best + 1]; a++)
            missing[bag->after[a]]--;
    }
    cs_arena_rewind(scratch, mark);
}

struct listing {
    const struct cs_bag *bag;
    const struct cs_bag_bounds *bounds;
    struct cs_bag_decoder *decoder;
    struct cs_bag_plan trial, *best;
    double *key;
    int *order;
};

static void plan_offer(const struct cs_bag *bag, const struct cs_bag_plan *plan,
                       struct cs_bag_plan *best)
{
    if (cs_bag_plan_better(plan, best))
        cs_bag_plan_copy(best, plan, bag->data.tasks);
}

static double choice_price(const struct cs_bag *bag, const double *price, int task, int choice)
{
    const int64_t *use = cs_bag_use(bag, bag->data.first[task] + choice);
    double sum = 0;

    for (int r = 0; r < bag->data.resources; r++)
        sum += price[r] * (double)use[r];
    return sum;
}

/* Kind 0: the longest path from the task; 1: its time; 2: its priced area. */
static void list_keys(struct listing *l, int kind)
{
    const struct cs_bag *bag = l->bag;

    for (int place = bag->data.tasks - 1; place >= 0; place--) {
        const int i = bag->ranked[place];
        const double seconds = cs_bag_seconds(bag, i, l->trial.choice[i]);
        double path = 0;

        for (int a = bag->after_first[i]; kind == 0 && a < bag->after_first[i + 1]; a++)
            path = fmax(path, l->key[bag->after[a]]);
        l->key[i] = path + seconds;
        if (kind == 2)
            l->key[i] = choice_price(bag, l->bounds->price, i, l->trial.choice[i]) * seconds;
    }
}

static void list_orders(struct listing *l, struct cs_arena *scratch)
{
    for (int kind = 0; kind < 3; kind++) {
        list_keys(l, kind);
        keyed_order(l->bag, l->key, l->order, scratch);
        cs_bag_earliest(l->decoder, l->order, &l->trial);
        plan_offer(l->bag, &l->trial, l->best);
        cs_bag_list(l->decoder, l->order, &l->trial);
        plan_offer(l->bag, &l->trial, l->best);
    }
}

static void justify_offer(struct cs_bag_decoder *decoder, const struct cs_bag *bag,
                          struct cs_bag_plan *trial, struct cs_bag_plan *best)
{
    if (isinf(best->makespan))
        return;
    cs_bag_justify(decoder, best, trial);
    plan_offer(bag, trial, best);
}

void cs_bag_lists(const struct cs_bag *bag, const struct cs_bag_bounds *bounds,
                  struct cs_bag_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    const int n = bag->data.tasks;
    struct listing l = {.bag = bag, .bounds = bounds, .best = plan};
    int *before = CS_NEW_ARRAY(scratch, int, n + 1);

    l.decoder = cs_bag_decoder_create(bag, scratch);
    cs_bag_plan_init(&l.trial, bag, scratch);
    l.key = CS_NEW_ARRAY(scratch, double, n);
    l.order = CS_NEW_ARRAY(scratch, int, n);
    for (int g = 0; g < LIMITS && !isinf(bounds->least); g++) {
        cs_bag_thrifty(bag, bounds->price, bounds->least * (0.5 + 0.1 * g), l.trial.choice);
        choice_repair(bag, l.trial.choice);
        if (g == 0 || memcmp(before, l.trial.choice, (size_t)n * sizeof *before) != 0)
            list_orders(&l, scratch);
        memcpy(before, l.trial.choice, (size_t)n * sizeof *before);
    }
    for (int k = 0; k < 2; k++)
        justify_offer(l.decoder, bag, &l.trial, plan);
    cs_arena_rewind(scratch, mark);
}

struct search {
    const struct cs_bag *bag;
    struct cs_bag_decoder *decoder;
    struct cs_bag_plan *best, now, trial, justified;
    struct cs_splitmix random;
    double first; /* makespan of the start */
    double value; /* of the plan at hand */
    int *order, *changed;
    int last; /* the task that ends last */
    struct cs_arena *scratch;
};

static double search_value(const struct search *s, const struct cs_bag_plan *plan)
{
    return plan->makespan + 4 * plan->late + 4 * s->first * plan->over;
}

static void search_accept(struct search *s, const struct cs_bag_plan *plan)
{
    double latest = -1;

    cs_bag_plan_copy(&s->now, plan, s->bag->data.tasks);
    s->value = search_value(s, plan);
    for (int i = 0; i < s->bag->data.tasks; i++)
        if (cs_bag_end(s->bag, plan, i) > latest) {
            latest = cs_bag_end(s->bag, plan, i);
            s->last = i;
        }
}

static void search_mode(struct search *s, int task, int candidates)
{
    const int q = (int)cs_splitmix_below(&s->random, (uint64_t)candidates - 1);

    s->trial.choice[task] = q >= s->trial.choice[task] ? q + 1 : q;
}

/* May the task at this place of the order come before or after `task`?  1: it precedes, -1: it
 * succeeds, 0: neither directly. */
static int order_relation(const struct cs_bag *bag, int task, int other)
{
    for (int a = bag->data.before_first[task]; a < bag->data.before_first[task + 1]; a++)
        if (bag->data.before[a] == other)
            return 1;
    for (int a = bag->after_first[task]; a < bag->after_first[task + 1]; a++)
        if (bag->after[a] == other)
            return -1;
    return 0;
}

static void search_place(struct search *s, int task)
{
    const int n = s->bag->data.tasks;
    int *order = s->changed, low = 0, high = n - 1, place = 0;

    for (int k = 0; k < n; k++)
        if (order[k] != task)
            order[place++] = order[k];
    for (int k = n - 2; k >= 0; k--) {
        const int relation = order_relation(s->bag, task, order[k]);

        if (relation < 0)
            high = k;
        else if (relation > 0 && low == 0)
            low = k + 1;
    }
    place = low + (int)cs_splitmix_below(&s->random, (uint64_t)(high - low + 1));
    memmove(order + place + 1, order + place, (size_t)(n - 1 - place) * sizeof *order);
    order[place] = task;
}

/* The trial, changed; false: this move changes nothing. */
static bool search_change(struct search *s)
{
    const int n = s->bag->data.tasks, kind = (int)cs_splitmix_below(&s->random, 3);
    int task = s->last, candidates;

    if (cs_splitmix_below(&s->random, 8) != 0)
        task = (int)cs_splitmix_below(&s->random, (uint64_t)n);
    candidates = cs_bag_candidates(s->bag, task);
    if (kind == 0 && candidates == 1)
        return false;
    memcpy(s->trial.choice, s->now.choice, (size_t)n * sizeof *s->trial.choice);
    memcpy(s->changed, s->order, (size_t)n * sizeof *s->order);
    if (kind < 2 && candidates > 1)
        search_mode(s, task, candidates);
    if (kind > 0)
        search_place(s, task);
    return true;
}

static void order_swap(struct search *s)
{
    int *order = s->order;

    s->order = s->changed;
    s->changed = order;
}

static void search_improved(struct search *s)
{
    const int n = s->bag->data.tasks;

    cs_bag_plan_copy(s->best, &s->trial, n);
    order_swap(s);
    if (s->trial.over == 0) {
        cs_bag_justify(s->decoder, &s->trial, &s->justified);
        if (cs_bag_plan_better(&s->justified, s->best)) {
            cs_bag_plan_copy(s->best, &s->justified, n);
            cs_bag_order(s->bag, s->justified.start, s->order, s->scratch);
        }
    }
    search_accept(s, s->best);
}

static void search_move(struct search *s, double left)
{
    const double limit = s->value + 0.01 * s->best->makespan * (left * left * left);

    if (!search_change(s))
        return;
    cs_bag_earliest(s->decoder, s->changed, &s->trial);
    if (isinf(s->trial.makespan))
        return;
    if (cs_bag_plan_better(&s->trial, s->best))
        search_improved(s);
    else if (search_value(s, &s->trial) <= limit) {
        order_swap(s);
        search_accept(s, &s->trial);
    }
}

static void search_init(struct search *s, uint64_t seed)
{
    const int n = s->bag->data.tasks;

    s->decoder = cs_bag_decoder_create(s->bag, s->scratch);
    s->order = CS_NEW_ARRAY(s->scratch, int, n);
    s->changed = CS_NEW_ARRAY(s->scratch, int, n);
    cs_bag_plan_init(&s->now, s->bag, s->scratch);
    cs_bag_plan_init(&s->trial, s->bag, s->scratch);
    cs_bag_plan_init(&s->justified, s->bag, s->scratch);
    s->random.state = seed;
    s->first = s->best->makespan;
    cs_bag_order(s->bag, s->best->start, s->order, s->scratch);
    search_accept(s, s->best);
}

void cs_bag_search(const struct cs_bag *bag, const struct cs_bag_bounds *bounds, uint64_t seed,
                   int moves, struct cs_bag_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct search s = {.bag = bag, .best = plan, .scratch = scratch};
    const double enough = bounds->least * (1 + 1e-12);

    if (isinf(plan->makespan) || bag->data.tasks == 0)
        return;
    search_init(&s, seed);
    for (int m = 0; m < moves; m++) {
        if (plan->over == 0 && plan->late == 0 && plan->makespan <= enough)
            break;
        search_move(&s, 1 - (double)m / moves);
    }
    justify_offer(s.decoder, bag, &s.trial, plan);
    cs_arena_rewind(scratch, mark);
}

struct enumeration {
    const struct cs_bag *bag;
    struct cs_bag_decoder *decoder;
    struct cs_bag_plan *best, trial;
    int *order;
    bool *placed;
    double *end;    /* by task: no plan from here ends it before */
    long long left; /* placements; negative: it was stopped */
};

/* Can plans that begin with so many tasks of the order be better?  The others start no earlier. */
static bool enumeration_hopes(struct enumeration *e, int count)
{
    const struct cs_modes *data = &e->bag->data;
    const double now = e->trial.start[e->order[count - 1]];
    double late = 0, makespan = 0;

    if (e->best->over > 0 || isinf(e->best->makespan))
        return true;
    for (int place = 0; place < data->tasks; place++) {
        const int i = e->bag->ranked[place];
        double start = fmax(now, cs_bag_release(e->bag, i));

        for (int a = data->before_first[i]; a < data->before_first[i + 1]; a++)
            start = fmax(start, e->end[data->before[a]]);
        e->end[i] =
            e->placed[i] ? cs_bag_end(e->bag, &e->trial, i) : start + cs_bag_fastest(e->bag, i);
    }
    for (int i = 0; i < data->tasks; i++) {
        makespan = fmax(makespan, e->end[i]);
        if (data->deadline && e->end[i] > data->deadline[i] * (1 + 1e-9))
            late += e->end[i] - data->deadline[i];
    }
    return late < e->best->late || (late == e->best->late && makespan < e->best->makespan);
}

/* Each active plan is EARLIEST of its tasks by (start, rank): other orders repeat plans. */
static bool enumeration_goes_on(struct enumeration *e, int count)
{
    const int task = e->order[count - 1], *rank = e->bag->rank;
    const double *start = e->trial.start;

    if (e->bag->data.nodes > 1)
        return true;
    if (!cs_bag_earliest_some(e->decoder, e->order, count, &e->trial))
        return false;
    for (int place = 0; place < count - 1; place++) {
        const int other = e->order[place];

        if (start[other] > start[task] || (start[other] == start[task] && rank[other] > rank[task]))
            return false;
    }
    return enumeration_hopes(e, count);
}

static bool enumeration_ready(const struct enumeration *e, int task)
{
    const struct cs_modes *data = &e->bag->data;

    for (int a = data->before_first[task]; a < data->before_first[task + 1]; a++)
        if (!e->placed[data->before[a]])
            return false;
    return !e->placed[task];
}

static void enumeration_extend(struct enumeration *e, int count)
{
    if (count == e->bag->data.tasks) {
        cs_bag_earliest(e->decoder, e->order, &e->trial);
        plan_offer(e->bag, &e->trial, e->best);
        return;
    }
    for (int i = 0; i < e->bag->data.tasks; i++) {
        if (!enumeration_ready(e, i))
            continue;
        e->placed[i] = true;
        e->order[count] = i;
        for (int x = 0; x < cs_bag_candidates(e->bag, i) && e->left >= 0; x++) {
            e->trial.choice[i] = x;
            e->left -= count + 1;
            if (e->left >= 0 && enumeration_goes_on(e, count + 1))
                enumeration_extend(e, count + 1);
        }
        e->placed[i] = false;
    }
}

bool cs_bag_enumerate(const struct cs_bag *bag, long long placements, struct cs_bag_plan *plan,
                      struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    const int n = bag->data.tasks;
    struct enumeration e = {.bag = bag, .best = plan, .left = placements};

    e.decoder = cs_bag_decoder_create(bag, scratch);
    cs_bag_plan_init(&e.trial, bag, scratch);
    e.order = CS_NEW_ARRAY(scratch, int, n);
    e.placed = CS_NEW_ARRAY(scratch, bool, n);
    e.end = CS_NEW_ARRAY(scratch, double, n);
    enumeration_extend(&e, 0);
    cs_arena_rewind(scratch, mark);
    return e.left >= 0;
}
