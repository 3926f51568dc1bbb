/* pair.c - exact re-partition of two packs by a table over processors and tasks (PAIR).
 *
 * Source: docs/spec/pack.md, Part II 2.5; not in the paper.
 *
 * value(k, c, q): the fewest processors of the second pack when the first k tasks are given away,
 * c of them to the first pack, which has at most q processors for them.  Where both packs may
 * hold all the tasks, c is not counted.  Pairs of levels (high, low) are searched by halving the
 * range of `high`: a stretch is skipped if its most generous pair is not possible.
 *
 * Invariants: the first pack has the higher level; entries are at most capacity + 1 ("never"); the
 * `width` entries in front of a row are "never" at all times, so q - need may be negative; the
 * total only falls, by more than a relative 1e-12 each time.
 * Complexity: a table costs O(tasks capacity), times pack_size where c is counted; a pair of packs
 * needs one for each stretch that is examined, and O(log levels) to keep a gain.
 *
 * constant           value  unit        found by                   half, double
 * LARGEST_CAPACITY   16000  processors  2 (capacity + 1) < 2^15    double: sums do not fit 16 bits
 * TABLE_LIMIT         2^25  entries     64 MiB of 16-bit entries   not measured; larger pairs
 *                                                                  of packs are left unchanged
 */
#include "problems/pack/pair.h"
#include "problems/pack/descent.h"

/* The policy pair-search: local-search, then the best division of every two packs.
 *
 * Source: docs/spec/pack.md, Part II 2.5 (C4+LS1+PAIR); pair.c, and kick.c for `kicks`.
 * Invariant: the plan is never more expensive than that of local-search with as many orders; on
 * more than 16,000 units of processors (pair.c) it is the same.
 */

void cs_pack_pair_plan(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                       int orders, int kicks, struct cs_pack_plan *plan)
{
    struct cs_pack_loads *loads = cs_pack_descent_plan(in, context, orders, plan);
    struct cs_pack_pair *pair = loads ? cs_pack_pair_create(loads) : NULL;
    struct cs_pack_plan *other;

    if (!pair)
        return;
    cs_pack_pair_improve(pair, context);
    cs_pack_kick_search(pair, loads, context, kicks);
    other = cs_pack_plan_create(in->tasks->count);
    cs_pack_loads_write(loads, in, other);
    if (other->total < plan->total)
        cs_pack_plan_copy(plan, other);
    cs_pack_plan_destroy(other);
}

static int plan_pair_search(const struct cs_pack_instance *in,
                            const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    cs_pack_pair_plan(in, context, (int)context->param[0], (int)context->param[1], plan);
    return 0;
}

static const struct cs_policy_param params[] = {
    CS_PACK_DESCENT_ORDERS,
    {
        .name = "kicks",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "0",
        .low = 0,
        .high = 1e9,
        .summary = "times to shuffle three packs and search again, from the seed",
    },
    {0},
};

const struct cs_pack_policy cs_pack_policy_pair_search = {
    .info =
        {
            .name = "pair-search",
            .problem = "pack",
            .summary = "local-search, then the best division of the tasks of every two packs",
            .source = "exact re-partition of two packs (C4+LS1+PAIR)",
            .params = params,
        },
    .plan = plan_pair_search,
};

#define LARGEST_CAPACITY 16000        /* sums of two fit 16 bits */
#define TABLE_LIMIT ((size_t)1 << 25) /* entries */

struct cs_pack_pair {
    struct cs_pack_loads *loads;
    const struct cs_pack_levels *levels;
    int *first_level; /* for every task of the instance: the lowest level where it can run */
    size_t room;      /* entries of the table */
    int width;        /* of a row: as many entries in front, which stand for q < 0 */
    int16_t *table;   /* layer by layer, in each a row for every count */
    int16_t never;    /* capacity + 1 */

    int slot[2], tasks, *task; /* the two packs at hand, and the tasks of both */
    int count;                 /* largest count in the first pack; 0: not counted */
    double best;               /* the two must cost less */
    int high, low;             /* the levels found, high < 0: none; low < 0: one pack for all */
};

static int16_t *pair_row(const struct cs_pack_pair *pair, int layer, int count)
{
    size_t index = (size_t)layer * (size_t)(pair->count + 1) + (size_t)count;

    return pair->table + index * 2 * (size_t)pair->width + pair->width;
}

static void fill_row(int16_t *at, int count, int16_t value)
{
    for (int q = 0; q < count; q++)
        at[q] = value;
}

/* The second pack takes the task for `low` processors; `stay` is the row before. */
static void give_second(const struct cs_pack_pair *pair, const int16_t *restrict stay, int low,
                        int16_t *restrict out)
{
    int16_t never = pair->never, more = (int16_t)low;

    for (int q = 0; q < pair->width; q++) {
        int16_t second = (int16_t)(stay[q] + more);

        out[q] = second < never ? second : never;
    }
}

/* The same, or the first pack takes it for `high` processors; `come` is the row it comes from. */
static void give_either(const struct cs_pack_pair *pair, const int16_t *restrict stay, int low,
                        const int16_t *restrict come, int high, int16_t *restrict out)
{
    int16_t never = pair->never, more = (int16_t)low;

    come -= high;
    for (int q = 0; q < pair->width; q++) {
        int16_t second = (int16_t)(stay[q] + more);

        second = second < never ? second : never;
        out[q] = come[q] < second ? come[q] : second;
    }
}

/* The layer after the k-th task, from the layer before it. */
static void pair_add_task(const struct cs_pack_pair *pair, int k, int before, int after, int high,
                          int low)
{
    int from = k + 1 - pair->count > 0 ? k + 1 - pair->count : 0;
    int to = k + 1 < pair->count ? k + 1 : pair->count;

    if (pair->count == 0) {
        give_either(pair, pair_row(pair, before, 0), low, pair_row(pair, before, 0), high,
                    pair_row(pair, after, 0));
        return;
    }
    if (k < pair->count)
        fill_row(pair_row(pair, before, k + 1), pair->width, pair->never);
    for (int c = from; c <= to; c++)
        if (c == 0)
            give_second(pair, pair_row(pair, before, 0), low, pair_row(pair, after, 0));
        else
            give_either(pair, pair_row(pair, before, c), low, pair_row(pair, before, c - 1), high,
                        pair_row(pair, after, c));
}

/* The count with which the last layer fits, or -1. */
static int fitting_count(const struct cs_pack_pair *pair, int layer)
{
    int from = pair->tasks - pair->count > 0 ? pair->tasks - pair->count : 0;
    int to = pair->tasks < pair->count ? pair->tasks : pair->count;

    if (pair->count == 0)
        from = to = 0;
    for (int c = from; c <= to; c++)
        if (pair_row(pair, layer, c)[pair->width - 1] < pair->never)
            return c;
    return -1;
}

/* Fill the table for these levels, all layers or two in turn.  Returns the count, or -1. */
static int fill_table(const struct cs_pack_pair *pair, int high, int low, bool all_layers)
{
    const struct cs_pack_levels *levels = pair->levels;
    int layer = 0;

    fill_row(pair_row(pair, 0, 0), pair->width, 0);
    for (int k = 0; k < pair->tasks; k++) {
        const uint16_t *need = cs_pack_levels_need(levels, pair->task[k]);
        int next = all_layers ? k + 1 : 1 - layer;

        pair_add_task(pair, k, layer, next, need[high], need[low]);
        layer = next;
    }
    return fitting_count(pair, layer);
}

static bool all_fit_in_one(const struct cs_pack_pair *pair, int level)
{
    const struct cs_pack_slot *slot = pair->loads->slot;
    uint32_t load = slot[pair->slot[0]].load[level] + slot[pair->slot[1]].load[level];

    return pair->tasks <= pair->loads->pack_size && load <= (uint32_t)pair->levels->capacity;
}

static bool pair_possible(const struct cs_pack_pair *pair, int high, int low)
{
    return low < 0 ? all_fit_in_one(pair, high) : fill_table(pair, high, low, false) >= 0;
}

/* It is possible with `low`: find the lowest level of the second pack, and keep it. */
static void pair_keep(struct cs_pack_pair *pair, int high, int low)
{
    int least = -1;

    while (least < low) {
        int middle = least + (low - least) / 2;

        if (pair_possible(pair, high, middle))
            low = middle;
        else
            least = middle + 1;
    }
    pair->high = high;
    pair->low = low;
    pair->best = cs_pack_levels_cost(pair->levels, high) + cs_pack_levels_cost(pair->levels, low);
}

/* Look for something cheaper with the first pack at a level in from .. to. */
static void pair_inspect(struct cs_pack_pair *pair, int from, int to)
{
    int low = cs_pack_levels_below(pair->levels, pair->best - pair->levels->cost[from]);
    int middle = from + (to - from) / 2;

    if (!(pair->levels->cost[from] < pair->best) || !pair_possible(pair, to, low < to ? low : to))
        return;
    if (from == to) {
        pair_keep(pair, from, low < to ? low : to);
        return;
    }
    pair_inspect(pair, from, middle);
    pair_inspect(pair, middle + 1, to);
}

/* The lowest level of the first pack: every task can run, and both packs together are enough. */
static int lowest_level(const struct cs_pack_pair *pair)
{
    const struct cs_pack_slot *slot = pair->loads->slot;
    const uint32_t *a = slot[pair->slot[0]].load, *b = slot[pair->slot[1]].load;
    int from = 0, to = pair->levels->count;

    for (int k = 0; k < pair->tasks; k++)
        if (pair->first_level[pair->task[k]] > from)
            from = pair->first_level[pair->task[k]];
    while (from < to) {
        int middle = from + (to - from) / 2;

        if (a[middle] + b[middle] > 2 * (uint32_t)pair->levels->capacity)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Choose the two packs.  False when the table has no room for them. */
static bool pair_choose(struct cs_pack_pair *pair, int a, int b)
{
    struct cs_pack_loads *loads = pair->loads;
    bool second = loads->slot[b].level > loads->slot[a].level;
    int size = loads->pack_size;

    pair->slot[0] = second ? b : a;
    pair->slot[1] = second ? a : b;
    pair->tasks = 0;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < loads->slot[pair->slot[s]].size; k++)
            pair->task[pair->tasks++] = loads->slot[pair->slot[s]].member[k];
    pair->count = pair->tasks <= size || size >= pair->levels->capacity ? 0 : size;
    pair->high = pair->low = -1;
    pair->best = cs_pack_loads_cost(loads, a) + cs_pack_loads_cost(loads, b) - 1e-12 * loads->total;
    return 2 * (size_t)pair->width * (size_t)(pair->tasks + 1) * (size_t)(pair->count + 1) <=
           pair->room;
}

static void pair_put(struct cs_pack_pair *pair, int task, int to)
{
    if (pair->loads->slot_of[task] != to)
        cs_pack_loads_move(pair->loads, task, to);
}

/* Walk back through the table of the levels found: a task is the first pack's where the value
 * came from there. */
static void pair_divide(struct cs_pack_pair *pair)
{
    int count, procs = pair->width - 1;

    if (pair->low < 0) {
        for (int k = 0; k < pair->tasks; k++)
            pair_put(pair, pair->task[k], pair->slot[0]);
        return;
    }
    count = fill_table(pair, pair->high, pair->low, true);
    for (int k = pair->tasks - 1; k >= 0; k--) {
        int task = pair->task[k], before = pair->count == 0 ? 0 : count - 1;
        int need = cs_pack_levels_need(pair->levels, task)[pair->high];
        bool first = before >= 0 &&
                     pair_row(pair, k, before)[procs - need] == pair_row(pair, k + 1, count)[procs];

        pair_put(pair, task, pair->slot[first ? 0 : 1]);
        if (first) {
            procs -= need;
            count = before;
        }
    }
}

/* Divide the tasks of two packs again if that is cheaper. */
static bool pair_improve(struct cs_pack_pair *pair, int a, int b)
{
    int from, to;

    if (!pair_choose(pair, a, b))
        return false;
    from = lowest_level(pair);
    to = cs_pack_levels_below(pair->levels, pair->best);
    if (from > to)
        return false;
    pair_inspect(pair, from, to);
    if (pair->high < 0)
        return false;
    pair_divide(pair);
    cs_pack_loads_settle(pair->loads, a);
    cs_pack_loads_settle(pair->loads, b);
    return true;
}

static int first_level(const struct cs_pack_levels *levels, int task)
{
    const uint16_t *need = cs_pack_levels_need(levels, task);
    int from = 0, to = levels->count;

    while (from < to) {
        int middle = from + (to - from) / 2;

        if (need[middle] > levels->capacity)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static struct cs_pack_pair *pair_create(struct cs_pack_loads *loads)
{
    struct cs_pack_pair *pair = CS_NEW(loads->arena, struct cs_pack_pair);
    size_t n = (size_t)loads->tasks, size = (size_t)loads->pack_size;
    size_t tasks = 2 * size < n ? 2 * size : n, rows = tasks <= size ? 1 : size + 1;

    pair->loads = loads;
    pair->levels = loads->levels;
    pair->width = loads->levels->capacity + 1;
    pair->never = (int16_t)pair->width;
    pair->task = CS_NEW_ARRAY(loads->arena, int, tasks);
    pair->first_level = CS_NEW_ARRAY(loads->arena, int, n);
    for (int i = 0; i < loads->tasks; i++)
        pair->first_level[i] = first_level(loads->levels, i);
    pair->room = 2 * (size_t)pair->width * (tasks + 1) * rows;
    pair->room = pair->room < TABLE_LIMIT ? pair->room : TABLE_LIMIT;
    pair->table = CS_NEW_ARRAY(loads->arena, int16_t, pair->room);
    for (size_t at = 0; at + (size_t)pair->width <= pair->room; at += 2 * (size_t)pair->width)
        fill_row(pair->table + at, pair->width, pair->never);
    return pair;
}

/* Try the slot with every other that has changed since.  True when a pair was improved. */
static bool improve_with_others(struct cs_pack_pair *pair, int a)
{
    struct cs_pack_loads *loads = pair->loads;
    const struct cs_pack_slot *slot = loads->slot;

    for (int b = 0; b < loads->slots; b++) {
        int64_t changed = slot[a].changed > slot[b].changed ? slot[a].changed : slot[b].changed;

        if (a != b && slot[a].tried <= changed && slot[b].tried <= changed &&
            pair_improve(pair, a, b))
            return true;
    }
    return false;
}

struct cs_pack_pair *cs_pack_pair_create(struct cs_pack_loads *loads)
{
    return loads->levels->capacity > LARGEST_CAPACITY ? NULL : pair_create(loads);
}

int cs_pack_pair_improve(struct cs_pack_pair *pair, const struct cs_policy_context *context)
{
    struct cs_pack_loads *loads = pair->loads;
    int changes = 0, idle = 0;

    for (int a = 0; idle < loads->slots && !cs_pack_expired(context); a = (a + 1) % loads->slots) {
        loads->clock++;
        cs_pack_loads_empty_slot(loads);
        if (improve_with_others(pair, a)) {
            changes++;
            idle = 0;
        } else {
            loads->slot[a].tried = loads->clock;
            idle++;
        }
    }
    return changes;
}

int cs_pack_pair_search(struct cs_pack_loads *loads, const struct cs_policy_context *context)
{
    struct cs_pack_pair *pair = cs_pack_pair_create(loads);

    return pair ? cs_pack_pair_improve(pair, context) : 0;
}
