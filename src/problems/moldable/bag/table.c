/* table.c - the time table of a resource, with explanations.
 *
 * Source: spec/bag.md 6.4; Schutt, Feydy, Stuckey, Wallace 2011.
 * Idea: a task runs for certain between its latest start and its earliest end.  These parts add up
 * to a profile.  Where it leaves too little for another task, that one starts later, ends earlier
 * or takes less.  An explanation names one instant: what runs then for certain, and that the task
 * would.
 * Invariants: explanations hold for the bounds at hand, which only grow; windows need none.
 * Complexity: O(items) for the profile, whose orders stay nearly sorted; O(steps) for each item.
 */
#include "problems/moldable/bag/exact.h"

/* Keys in ascending order; the order is nearly sorted already. */
static void parts_sort(const int *key, int *order, int count)
{
    for (int k = 1; k < count; k++) {
        const int part = order[k], value = key[part];
        int place = k;

        for (; place > 0 && key[order[place - 1]] > value; place--)
            order[place] = order[place - 1];
        order[place] = part;
    }
}

/* The certain part of each item: [begin, end), empty in most cases. */
static void parts_read(const struct exact *e, struct table *t)
{
    for (int k = 0; k < t->items; k++) {
        const struct task *task = &e->task[t->item[k].task];

        t->begin[k] = start_high(e, task);
        t->end[k] = end_low(e, task);
        t->amount[k] = amount_low(e, &t->item[k]);
    }
    parts_sort(t->begin, t->by_begin, t->items + t->fixeds);
    parts_sort(t->end, t->by_end, t->items + t->fixeds);
}

static void profile_step(struct exact *e, int at, int change)
{
    if (e->steps == 0 || e->at[e->steps - 1] < at) {
        e->at[e->steps] = at;
        e->height[e->steps] = e->steps ? e->height[e->steps - 1] : 0;
        e->steps++;
    }
    e->height[e->steps - 1] += change;
}

static bool part_counts(const struct table *t, int k)
{
    return t->begin[k] < t->end[k] && t->amount[k] > 0;
}

/* Steps of what is certainly held: height[k] from at[k] on, 0 before the first. */
static void profile_build(struct exact *e, struct table *t)
{
    const int count = t->items + t->fixeds;
    int begin = 0, end = 0;

    e->steps = t->highest = 0;
    while (begin < count || end < count) {
        const int b = begin < count ? t->by_begin[begin] : -1;
        const int f = end < count ? t->by_end[end] : -1;

        if (f < 0 || (b >= 0 && t->begin[b] < t->end[f])) {
            if (part_counts(t, b))
                profile_step(e, t->begin[b], t->amount[b]);
            begin++;
        } else {
            if (part_counts(t, f))
                profile_step(e, t->end[f], -t->amount[f]);
            end++;
        }
    }
    for (int k = 0; k < e->steps; k++)
        t->highest = e->height[k] > t->highest ? e->height[k] : t->highest;
}

static bool part_root(const struct exact *e, const struct task *task, int t)
{
    return e->root[2 * task->start + 1] >= -t && e->root[2 * task->end] + task->lag > t;
}

/* The task runs at t. */
static void why_runs(struct exact *e, const struct task *task, int t)
{
    cs_learn_why(e->learn, 2 * task->start + 1, -t);
    cs_learn_why(e->learn, 2 * task->end, t + 1 - task->lag);
}

static void why_amount(struct exact *e, const struct item *item, int amount)
{
    if (item->amount.function >= 0)
        cs_learn_why(e->learn, 2 * e->function[item->amount.function].variable, amount);
}

/* Reasons why at least `wanted` is held at instant t, without item `skip`: as few items as
 * possible, those of the root first. */
static void why_held(struct exact *e, const struct table *table, int t, int skip, int wanted)
{
    int count = 0, total = 0, slack;

    for (int k = 0; k < table->items + table->fixeds; k++)
        if (k != skip && table->begin[k] <= t && t < table->end[k]) {
            total += table->amount[k];
            if (k < table->items)
                e->held[count++] = k;
        }
    slack = total - wanted;
    for (int k = 0; k < count; k++) {
        const struct item *item = &table->item[e->held[k]];
        const int amount = table->amount[e->held[k]];

        if (amount <= slack && !part_root(e, &e->task[item->task], t)) {
            slack -= amount;
            continue;
        }
        why_runs(e, &e->task[item->task], t);
        if (item->amount.function >= 0) {
            const int above = amount - e->root[2 * e->function[item->amount.function].variable];
            const int less = above < slack ? above : slack;

            why_amount(e, item, amount - less);
            slack -= less;
        }
    }
}

static bool table_overload(struct exact *e, const struct table *t)
{
    for (int k = 0; k + 1 < e->steps; k++)
        if (e->height[k] > t->capacity) {
            const int middle = e->at[k] + (e->at[k + 1] - e->at[k]) / 2;

            cs_learn_why_begin(e->learn);
            why_held(e, t, middle, -1, t->capacity + 1);
            return cs_learn_conflict(e->learn, cs_learn_why_end(e->learn));
        }
    return true;
}

/* The last step that begins at or before a date; -1. */
static int profile_find(const struct exact *e, int date)
{
    int low = -1, high = e->steps;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (e->at[middle] <= date)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Windows alone are never too much. */
static bool step_blocks(const struct exact *e, const struct table *t, int k, int amount)
{
    return k >= 0 && e->height[k] > t->capacity - amount;
}

/* The item runs at t, where the others leave too little: push it. */
static bool item_later(struct exact *e, const struct table *t, int k)
{
    const struct item *item = &t->item[k];
    const struct task *task = &e->task[item->task];
    const int amount = amount_low(e, item);

    for (int s = profile_find(e, start_low(e, task)); s + 1 < e->steps; s++) {
        int last;

        if (s >= 0 && e->at[s] >= end_low(e, task))
            break;
        if (!step_blocks(e, t, s, amount) || e->at[s] >= start_high(e, task) ||
            e->at[s + 1] <= start_low(e, task))
            continue;
        last = (e->at[s + 1] < end_low(e, task) ? e->at[s + 1] : end_low(e, task)) - 1;
        if (last < start_low(e, task))
            break;
        cs_learn_why_begin(e->learn);
        why_held(e, t, last, k, t->capacity - amount + 1);
        why_amount(e, item, amount);
        cs_learn_why(e->learn, 2 * task->end, last + 1 - task->lag);
        if (!exact_raise(e, 2 * task->start, last + 1, cs_learn_why_end(e->learn)))
            return false;
        s = profile_find(e, start_low(e, task)) - 1;
    }
    return true;
}

static bool item_earlier(struct exact *e, const struct table *t, int k)
{
    const struct item *item = &t->item[k];
    const struct task *task = &e->task[item->task];
    const int amount = amount_low(e, item);

    for (int s = profile_find(e, end_high(e, task) - 1); s >= 0; s--) {
        int first;

        if (s + 1 < e->steps && e->at[s + 1] <= start_high(e, task))
            break;
        if (!step_blocks(e, t, s, amount) || e->at[s] < end_low(e, task) ||
            e->at[s] >= end_high(e, task))
            continue;
        first = e->at[s] > start_high(e, task) ? e->at[s] : start_high(e, task);
        if (first >= end_high(e, task))
            continue;
        cs_learn_why_begin(e->learn);
        why_held(e, t, first, k, t->capacity - amount + 1);
        why_amount(e, item, amount);
        cs_learn_why(e->learn, 2 * task->start + 1, -first);
        if (!exact_raise(e, 2 * task->end + 1, task->lag - first, cs_learn_why_end(e->learn)))
            return false;
    }
    return true;
}

/* Where the item runs for certain it takes no more than what the others leave. */
static bool item_amount(struct exact *e, const struct table *t, int k)
{
    const struct item *item = &t->item[k];
    const struct task *task = &e->task[item->task];
    const int begin = start_high(e, task), end = end_low(e, task), amount = amount_low(e, item);
    const int variable =
        item->amount.function < 0 ? -1 : e->function[item->amount.function].variable;

    if (variable < 0)
        return true;
    for (int s = begin < e->at[0] ? 0 : profile_find(e, begin); s + 1 < e->steps && e->at[s] < end;
         s++) {
        const int others = e->height[s] - (amount > 0 ? amount : 0);
        const int left = t->capacity - others, at = e->at[s] > begin ? e->at[s] : begin;

        if (-e->low[2 * variable + 1] <= left || e->at[s + 1] <= at)
            continue;
        cs_learn_why_begin(e->learn);
        why_held(e, t, at, k, others);
        why_runs(e, task, at);
        if (!exact_raise(e, 2 * variable + 1, -left, cs_learn_why_end(e->learn)))
            return false;
    }
    return true;
}

static bool item_propagate(struct exact *e, const struct table *t, int k)
{
    const struct task *task = &e->task[t->item[k].task];
    const int amount = amount_low(e, &t->item[k]);

    if (amount > 0 && t->highest + amount > t->capacity) {
        if (start_low(e, task) < start_high(e, task) && !item_later(e, t, k))
            return false;
        if (end_low(e, task) < end_high(e, task) && !item_earlier(e, t, k))
            return false;
    }
    return start_high(e, task) >= end_low(e, task) || item_amount(e, t, k);
}

bool cs_bag_table_propagate(struct exact *e, struct table *t)
{
    parts_read(e, t);
    profile_build(e, t);
    if (!table_overload(e, t))
        return false;
    for (int k = 0; k < t->items && e->steps > 0; k++)
        if (!item_propagate(e, t, k))
            return false;
    return true;
}
