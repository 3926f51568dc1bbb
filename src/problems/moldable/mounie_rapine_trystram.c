/* mounie-rapine-trystram - two shelves and a third: at most 1.5 times the repaired optimum.
 *
 * Source: spec/moldable.md 6.5; Mounie, Rapine, Trystram, SIAM J. Comput. 37(2), 2007.
 * Idea: on the repaired times (work never falls) a canonical knapsack puts tasks on shelf 1
 * (height d) or shelf 2 (d / 2); rules (a) to (d) move tasks until shelf 2 fits; small tasks fill
 * the rest.  d is exactly the least value that the dual test accepts: no bisection with an
 * epsilon.  The plan is carried over to the given times, where each width becomes the widest
 * candidate within it.
 * Invariants: constructed <= 1.5 d where every task runs on one processor; else the shelves may
 * not fit, `constructed` is NaN and only the lists of the knapsack's counts are offered.  p0
 * counts the processors of the boxes and one for each pair, p1 the others of the front.
 * Complexity: O(procs tasks) memory and the same time for the knapsack, O(tasks^2 log candidates)
 * for the rules, and the knapsack bound of the repaired bag (knapsack.c).  Not for release dates,
 * consecutive processors, or bags above CS_MOLDABLE_KNAPSACK_MOST.
 *
 *   constant  value        unit  how found                   half, double
 *   heights   0.5, 1, 1.5  d     the paper                   not measured
 *   short     0.75         d     the paper, rules (a) to (c) not measured
 */
#include "base/heap.h"
#include "model/moldable.h"
#include "problems/moldable/bag.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/policy.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Shelf 1 of height d, shelf 2 of height d / 2 above it, and shelf 0 for the tasks that move.
 *
 * The rules (a) to (d) of spec/moldable.md 6.5: while one applies, tasks of the two
 * shelves become boxes of shelf 0, at most 1.5 d high, until shelf 2 fits above shelf 1.
 */

struct list {
    int *task;
    int count;
};

struct box {
    int task, above; /* above: runs after it; -1 */
};

struct shelves {
    const struct cs_moldable_bag *bag;
    double d;
    struct list one, two, small;
    struct box *box, *pair;
    int boxes, pairs, p0, p1;
    int *width;
    double *start;
    struct cs_arena *scratch;
};

static double time_on(const struct shelves *s, int task, int procs)
{
    int x = cs_moldable_within(s->bag, task, procs);

    return x < 0 ? INFINITY : cs_moldable_seconds(s->bag, task, x);
}

static double mounie_rapine_trystram_seconds(const struct shelves *s, int task)
{
    return time_on(s, task, s->width[task]);
}

static void mounie_rapine_trystram_drop(struct list *list, int at)
{
    list->count--;
    memmove(list->task + at, list->task + at + 1, (size_t)(list->count - at) * sizeof *list->task);
}

static void mounie_rapine_trystram_append(struct list *list, int task)
{
    list->task[list->count++] = task;
}

/* One task of the canonical knapsack: of each kind the fewest processors. */
struct item {
    int task;
    double low, high; /* work in shelf 2, and in shelf 1; infinite if no candidate fits */
    int low_width, high_width;
};

static struct item item_of(const struct shelves *s, int task)
{
    const struct cs_moldable_bag *bag = s->bag;
    int half = cs_moldable_quick(bag, task, s->d / 2), full = cs_moldable_quick(bag, task, s->d);
    struct item item = {.task = task, .low = INFINITY, .high = INFINITY};

    if (half < bag->first[task + 1]) {
        item.low = bag->work[half];
        item.low_width = bag->count[half];
    }
    if (full < half) {
        item.high = bag->work[full];
        item.high_width = bag->count[full];
    }
    return item;
}

/* Row by row; upper[item][q]: is the item in shelf 1 when there are q processors? */
static void mounie_rapine_trystram_fill(const struct item *item, int items, int procs,
                                        double *least, unsigned char *upper)
{
    for (int k = 0; k < items; k++) {
        unsigned char *row = upper + (size_t)k * ((size_t)procs + 1);

        for (int q = procs; q >= 0; q--) {
            double low = least[q] + item[k].low;
            double high =
                q >= item[k].high_width ? least[q - item[k].high_width] + item[k].high : INFINITY;

            row[q] = high < low;
            least[q] = high < low ? high : low;
        }
    }
}

/* The knapsack traced back from all processors; its tasks go to the shelves in index order. */
static void choose_shelves(struct shelves *s, const struct item *item, int items)
{
    int q = s->bag->procs;
    double *least = CS_NEW_ARRAY(s->scratch, double, (size_t)q + 1);
    unsigned char *upper = CS_NEW_ARRAY(s->scratch, unsigned char, (size_t)items *((size_t)q + 1));
    bool *first = CS_NEW_ARRAY(s->scratch, bool, items);

    mounie_rapine_trystram_fill(item, items, q, least, upper);
    for (int k = items - 1; k >= 0; k--) {
        first[k] = upper[(size_t)k * ((size_t)s->bag->procs + 1) + (size_t)q];
        q -= first[k] ? item[k].high_width : 0;
    }
    for (int k = 0; k < items; k++) {
        mounie_rapine_trystram_append(first[k] ? &s->one : &s->two, item[k].task);
        s->width[item[k].task] = first[k] ? item[k].high_width : item[k].low_width;
        s->p1 += first[k] ? item[k].high_width : 0;
    }
}

static void mounie_rapine_trystram_split(struct shelves *s)
{
    struct item *item = CS_NEW_ARRAY(s->scratch, struct item, s->bag->tasks);
    int items = 0;

    for (int i = 0; i < s->bag->tasks; i++) {
        s->width[i] = 1;
        if (time_on(s, i, 1) <= s->d / 2)
            mounie_rapine_trystram_append(&s->small, i);
        else
            item[items++] = item_of(s, i);
    }
    choose_shelves(s, item, items);
}

/* (a) One processor less. */
static bool narrow_one(struct shelves *s)
{
    for (int a = 0; a < s->one.count; a++) {
        int task = s->one.task[a], c = s->width[task];

        if (!(mounie_rapine_trystram_seconds(s, task) <= 0.75 * s->d && c > 1 &&
              time_on(s, task, c - 1) <= 1.5 * s->d))
            continue;
        mounie_rapine_trystram_drop(&s->one, a);
        s->width[task] = c - 1;
        s->box[s->boxes++] = (struct box){task, -1};
        s->p0 += c - 1;
        s->p1 -= c;
        return true;
    }
    return false;
}

/* The first task of shelf 1 from `from` on that is short and on one processor; -1. */
static int short_one(const struct shelves *s, int from)
{
    for (int a = from; a < s->one.count; a++)
        if (s->width[s->one.task[a]] == 1 &&
            mounie_rapine_trystram_seconds(s, s->one.task[a]) <= 0.75 * s->d)
            return a;
    return -1;
}

/* (b) Two such, one after the other. */
static bool stack_two(struct shelves *s)
{
    int a = short_one(s, 0), b = a < 0 ? -1 : short_one(s, a + 1);

    if (b < 0)
        return false;
    s->box[s->boxes++] = (struct box){s->one.task[a], s->one.task[b]};
    mounie_rapine_trystram_drop(&s->one, b);
    mounie_rapine_trystram_drop(&s->one, a);
    s->p0 += 1;
    s->p1 -= 2;
    return true;
}

/* (c) One such left, after another on one of its processors. */
static bool pair_up(struct shelves *s)
{
    int a = short_one(s, 0), task = a < 0 ? -1 : s->one.task[a];

    for (int b = 0; a >= 0 && b < s->one.count; b++) {
        int other = s->one.task[b];

        if (b == a ||
            !(mounie_rapine_trystram_seconds(s, other) + mounie_rapine_trystram_seconds(s, task) <=
              1.5 * s->d))
            continue;
        s->pair[s->pairs++] = (struct box){other, task};
        mounie_rapine_trystram_drop(&s->one, a > b ? a : b);
        mounie_rapine_trystram_drop(&s->one, a > b ? b : a);
        s->p0 += 1;
        s->p1 -= 2;
        return true;
    }
    return false;
}

/* (d) A task of shelf 2 on processors that are left. */
static bool bring_down(struct shelves *s)
{
    int left = s->bag->procs - s->p0 - s->p1;

    for (int a = 0; left > 0 && a < s->two.count; a++) {
        int task = s->two.task[a];

        if (!(time_on(s, task, left) <= 1.5 * s->d))
            continue;
        mounie_rapine_trystram_drop(&s->two, a);
        s->width[task] = s->bag->count[cs_moldable_quick(s->bag, task, 1.5 * s->d)];
        if (mounie_rapine_trystram_seconds(s, task) > s->d) {
            s->box[s->boxes++] = (struct box){task, -1};
            s->p0 += s->width[task];
        } else {
            mounie_rapine_trystram_append(&s->one, task);
            s->p1 += s->width[task];
        }
        return true;
    }
    return false;
}

/* The time that each processor is held from the front, and to the end at 1.5 d. */
struct floor {
    int next; /* processor */
    double *front, *back;
    double makespan;
};

static void mounie_rapine_trystram_put(struct shelves *s, struct floor *f, int task, double at)
{
    s->start[task] = at;
    f->makespan = fmax(f->makespan, at + mounie_rapine_trystram_seconds(s, task));
}

static void fill_front(struct floor *f, int count, double height)
{
    for (int c = 0; c < count; c++)
        f->front[f->next++] = height;
}

/* Shelf 0, pairs and shelf 1, all from time 0; false when they need too many processors. */
static bool lay_front(struct shelves *s, struct floor *f)
{
    if (s->p0 + s->p1 > s->bag->procs)
        return false;
    for (int b = 0; b < s->boxes; b++) {
        double height = mounie_rapine_trystram_seconds(s, s->box[b].task);

        mounie_rapine_trystram_put(s, f, s->box[b].task, 0);
        if (s->box[b].above >= 0) {
            mounie_rapine_trystram_put(s, f, s->box[b].above, height);
            height += mounie_rapine_trystram_seconds(s, s->box[b].above);
        }
        fill_front(f, s->width[s->box[b].task], height);
    }
    for (int b = 0; b < s->pairs; b++) {
        double height = mounie_rapine_trystram_seconds(s, s->pair[b].task);

        mounie_rapine_trystram_put(s, f, s->pair[b].task, 0);
        mounie_rapine_trystram_put(s, f, s->pair[b].above, height);
        fill_front(f, 1, height + mounie_rapine_trystram_seconds(s, s->pair[b].above));
    }
    for (int b = 0; b < s->pairs; b++)
        fill_front(f, s->width[s->pair[b].task] - 1,
                   mounie_rapine_trystram_seconds(s, s->pair[b].task));
    for (int a = 0; a < s->one.count; a++) {
        mounie_rapine_trystram_put(s, f, s->one.task[a], 0);
        fill_front(f, s->width[s->one.task[a]], mounie_rapine_trystram_seconds(s, s->one.task[a]));
    }
    return true;
}

/* Shelf 2, ending at 1.5 d, from processor p0 on; false when it needs too many. */
static bool lay_back(struct shelves *s, struct floor *f)
{
    int at = s->p0;

    for (int a = 0; a < s->two.count; a++) {
        int task = s->two.task[a];

        if (at + s->width[task] > s->bag->procs)
            return false;
        mounie_rapine_trystram_put(s, f, task,
                                   1.5 * s->d - mounie_rapine_trystram_seconds(s, task));
        for (int c = 0; c < s->width[task]; c++)
            f->back[at++] = mounie_rapine_trystram_seconds(s, task);
    }
    return true;
}

/* Each small task at the front end of the processor with the least occupied time; false when one
 * does not fit below 1.5 d. */
static bool lay_small(struct shelves *s, struct floor *f)
{
    int procs = s->bag->procs;
    double *occupied = CS_NEW_ARRAY(s->scratch, double, procs);
    struct cs_heap heap;

    for (int q = 0; q < procs; q++)
        occupied[q] = f->front[q] + f->back[q];
    cs_heap_init(&heap, procs, s->scratch);
    cs_heap_fill(&heap, occupied);
    for (int a = 0; a < s->small.count; a++) {
        int task = s->small.task[a], q = cs_heap_top(&heap);

        if (f->front[q] + f->back[q] + mounie_rapine_trystram_seconds(s, task) >
            1.5 * s->d * (1 + 1e-9))
            return false;
        mounie_rapine_trystram_put(s, f, task, f->front[q]);
        f->front[q] += mounie_rapine_trystram_seconds(s, task);
        cs_heap_update(&heap, q, f->front[q] + f->back[q]);
    }
    return true;
}

static void mounie_rapine_trystram_init(struct shelves *s, int tasks)
{
    s->one.task = CS_NEW_ARRAY(s->scratch, int, tasks);
    s->two.task = CS_NEW_ARRAY(s->scratch, int, tasks);
    s->small.task = CS_NEW_ARRAY(s->scratch, int, tasks);
    s->box = CS_NEW_ARRAY(s->scratch, struct box, tasks);
    s->pair = CS_NEW_ARRAY(s->scratch, struct box, tasks);
}

/* A plan of at most 1.5 d on the repaired bag, whose dual test accepts d: widths, starts.  Returns
 * its makespan; NaN when the shelves do not fit, which needs tasks that cannot run on one
 * processor: width[] is that of the knapsack then. */
static double moldable_build_shelves(const struct cs_moldable_bag *bag, double d, int *width,
                                     double *start, struct cs_arena *scratch)
{
    struct shelves s = {.bag = bag, .d = d, .width = width, .start = start, .scratch = scratch};
    int *chosen = CS_NEW_ARRAY(scratch, int, bag->tasks);
    struct floor f = {.front = CS_NEW_ARRAY(scratch, double, bag->procs),
                      .back = CS_NEW_ARRAY(scratch, double, bag->procs)};

    mounie_rapine_trystram_init(&s, bag->tasks);
    mounie_rapine_trystram_split(&s);
    memcpy(chosen, width, (size_t)bag->tasks * sizeof *chosen);
    while (narrow_one(&s) || stack_two(&s) || pair_up(&s) || bring_down(&s))
        ;
    if (lay_front(&s, &f) && lay_back(&s, &f) && lay_small(&s, &f))
        return f.makespan;
    memcpy(width, chosen, (size_t)bag->tasks * sizeof *chosen);
    return NAN;
}

/* The candidates of the repaired step function of one task, from *at on. */
static void repair_task(const struct cs_moldable_bag *bag, int task, double *row, int *count,
                        double *seconds, int *at)
{
    double largest, least = INFINITY;
    int x = -1, most = cs_moldable_candidates(bag, task);

    for (int j = 1; j <= bag->procs; j++) {
        while (x + 1 < most && cs_moldable_width(bag, task, x + 1) <= j)
            x++;
        row[j - 1] = x < 0 ? INFINITY : cs_moldable_seconds(bag, task, x);
    }
    cs_moldable_repair(row, bag->procs, row, &largest);
    for (int j = 1; j <= bag->procs; j++)
        if (row[j - 1] < least) {
            least = row[j - 1];
            count[*at] = j;
            seconds[*at] = least;
            (*at)++;
        }
}

static struct cs_moldable_bag mounie_rapine_trystram_repair(const struct cs_moldable_bag *bag,
                                                            struct cs_arena *arena)
{
    size_t most = 0;
    struct cs_moldable_bag repaired = *bag;
    int *first = CS_NEW_ARRAY(arena, int, bag->tasks + 1), *count, at = 0;
    double *seconds, *row = CS_NEW_ARRAY(arena, double, bag->procs);

    most = cs_arena_area((size_t)bag->tasks, (size_t)bag->procs);
    count = CS_NEW_ARRAY(arena, int, most);
    seconds = CS_NEW_ARRAY(arena, double, most);
    for (int i = 0; i < bag->tasks; i++) {
        repair_task(bag, i, row, count, seconds, &at);
        first[i + 1] = at;
    }
    repaired.first = first;
    repaired.count = count;
    repaired.seconds = seconds;
    cs_moldable_bag_finish(&repaired, arena);
    return repaired;
}

bool cs_moldable_shelves_apply(const struct cs_moldable_bag *bag)
{
    return !bag->release && !bag->contiguous &&
           (double)bag->procs * bag->first[bag->tasks] <= CS_MOLDABLE_KNAPSACK_MOST;
}

/* The same widths on the given times. */
static void carry_over(const struct cs_moldable_bag *bag, const int *width, int *choice)
{
    for (int i = 0; i < bag->tasks; i++)
        choice[i] = cs_moldable_within(bag, i, width[i]);
}

/* The construction pushed together. */
static void offer_compact(const struct cs_moldable_bag *bag, const int *choice, const double *at,
                          struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), makespan;
    struct cs_moldable_skyline skyline;

    cs_moldable_sort_starts(bag, at, order, scratch);
    cs_moldable_skyline_init(&skyline, bag, scratch);
    makespan = cs_moldable_earliest(&skyline, choice, order, plan->makespan, start);
    cs_moldable_plan_offer(bag, plan, makespan, choice, start, NULL);
}

static void offer_lists(const struct cs_moldable_bag *bag, const int *choice,
                        struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    static const enum cs_moldable_order kinds[] = {CS_MOLDABLE_LPT, CS_MOLDABLE_AREA,
                                                   CS_MOLDABLE_WIDE};
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), makespan;
    struct cs_moldable_lister lister;

    cs_moldable_lister_init(&lister, bag, scratch);
    for (int o = 0; o < 3; o++) {
        cs_moldable_sort(bag, choice, kinds[o], order, scratch);
        makespan = cs_moldable_list(&lister, choice, order, plan->makespan, start);
        cs_moldable_plan_offer(bag, plan, makespan, choice, start, NULL);
    }
}

struct cs_moldable_shelves cs_moldable_mounie_rapine_trystram(const struct cs_moldable_bag *bag,
                                                              struct cs_moldable_plan *plan,
                                                              struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct cs_moldable_bag repaired = mounie_rapine_trystram_repair(bag, scratch);
    int *width = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), threshold;
    struct cs_moldable_shelves said;

    said.d =
        cs_moldable_knapsack(&repaired, cs_moldable_area(&repaired, &threshold, scratch), scratch);
    said.d = fmax(said.d, cs_moldable_critical(&repaired));
    said.constructed = moldable_build_shelves(&repaired, said.d, width, start, scratch);
    carry_over(bag, width, choice);
    if (!isnan(said.constructed))
        offer_compact(bag, choice, start, plan, scratch);
    offer_lists(bag, choice, plan, scratch);
    cs_arena_rewind(scratch, mark);
    return said;
}

static int plan_mounie(const struct cs_moldable_instance *in,
                       const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    struct cs_moldable_shelves said;

    if (cs_moldable_refuse_contiguous(in, context, "mounie-rapine-trystram"))
        return -1;
    if (in->bag.release)
        return cs_error_set(context->err, "mounie-rapine-trystram has no answer to release dates: "
                                          "take another planner, such as search");
    if (!cs_moldable_shelves_apply(&in->bag))
        return cs_error_set(context->err,
                            "mounie-rapine-trystram would take too long: %d processors times %d "
                            "candidates is more than 1e8",
                            in->bag.procs, in->bag.first[in->bag.tasks]);
    said = cs_moldable_mounie_rapine_trystram(&in->bag, plan, context->scratch);
    cs_moldable_plan_note(plan, "d", NULL, said.d);
    if (!isnan(said.constructed))
        cs_moldable_plan_note(plan, "constructed", NULL, said.constructed);
    return 0;
}

const struct cs_moldable_policy cs_moldable_policy_mounie_rapine_trystram = {
    .info =
        {
            .name = "mounie-rapine-trystram",
            .problem = "moldable",
            .summary = "two shelves chosen by a knapsack, and a third",
            .source = "Mounie, Rapine, Trystram 2007",
        },
    .plan = plan_mounie,
};
