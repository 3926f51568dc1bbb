/* exact.c - optimal plans of general bags, by learning from conflicts.
 *
 * Source: spec/bag.md 6.4; Schutt, Feydy, Stuckey, Wallace 2011 (explanations of the time table);
 * Schnell, Hartl 2017 (modes).
 * Idea: starts, ends, lengths, modes, amounts and the makespan are whole variables of learn.h.
 * Sums and arcs are its rules.  Here: the modes of a task against what depends on them, sums of
 * areas and budgets, and the time table: what tasks certainly hold at an instant pushes others past
 * it.  Each plan found makes the next one shorter, until no shorter plan exists.
 * Invariants: times are multiples of a unit, or rounded down to it, which is a relaxation: a bound
 * holds for the given times, and plans are decoded again in doubles.
 * Complexity: one time table O(tasks) for its profile, O(steps) for each task.
 *
 *   constant  value  unit   how found        half, double
 *   FINE      2^30   units  spec/bag.md 6.4  half the precision of rounded times
 */
#include "problems/moldable/bag/exact.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FINE ((double)(1 << 30))
#define NEVER (INT_MAX / 2)

/* ---- Times as whole numbers. */

static bool unit_fits(const struct cs_modes *data, double scale, double unit)
{
    const int modes = data->first[data->tasks];
    double value, whole;

    for (int k = 0; k < modes + 2 * data->tasks + 2 * data->windows; k++) {
        const int i = k - modes, w = k - modes - 2 * data->tasks;

        if (i < 0)
            value = data->seconds[k];
        else if (i < data->tasks)
            value = data->release ? data->release[i] : 0;
        else if (w < 0)
            value = data->deadline ? data->deadline[i - data->tasks] : 0;
        else
            value = w % 2 ? data->to[w / 2] : data->from[w / 2];
        if (isinf(value))
            continue;
        whole = scale > 0 ? round(value * scale) : value / unit;
        if (whole != floor(whole) || (scale > 0 && whole / scale != value))
            return false;
    }
    return true;
}

/* The latest end that any sensible plan has. */
static double horizon_of(const struct cs_bag *bag)
{
    double last = bag->step[bag->steps - 1], sum = 0;

    for (int i = 0; i < bag->data.tasks; i++) {
        sum += cs_bag_seconds(bag, i, 0);
        last = fmax(last, cs_bag_release(bag, i));
    }
    return last + sum;
}

static void unit_choose(struct exact *e, double horizon)
{
    static const struct {
        double scale, unit; /* a scale: decimal */
    } units[] = {{0, 1},      {0, 0x1p-1}, {0, 0x1p-2},   {0, 0x1p-3},  {10, 0.1},
                 {0, 0x1p-4}, {0, 0x1p-5}, {0, 0x1p-6},   {100, 0.01},  {0, 0x1p-7},
                 {0, 0x1p-8}, {0, 0x1p-9}, {1000, 0.001}, {0, 0x1p-10}, {1e6, 1e-6}};

    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (horizon / units[k].unit < FINE / 2 &&
            unit_fits(&e->bag->data, units[k].scale, units[k].unit)) {
            e->unit = units[k].unit;
            return;
        }
    e->unit = horizon / (FINE / 2);
    e->rounded = true;
}

/* A date in units; those of exact units are whole already. */
static int units_of(const struct exact *e, double seconds)
{
    const double units = seconds / e->unit;

    if (units >= NEVER)
        return NEVER;
    return (int)(e->rounded ? floor(units) : round(units));
}

/* ---- Variables. */

static int variable_add(struct exact *e, enum what what, int of)
{
    e->what[e->variables] = what;
    e->of[e->variables] = of;
    return e->variables++;
}

/* A value of the candidates as a term: a function if it differs between them. */
static struct term term_make(struct exact *e, int task, const int *value, int resource)
{
    const int candidates = e->task[task].candidates;
    int low = value[0], high = value[0];

    for (int x = 1; x < candidates; x++) {
        low = value[x] < low ? value[x] : low;
        high = value[x] > high ? value[x] : high;
    }
    if (low == high)
        return (struct term){-1, low};
    e->function[e->functions] =
        (struct function){variable_add(e, IS_FUNCTION, e->functions), task, value, resource, -1};
    e->task[task].functions++;
    return (struct term){e->functions++, low};
}

static int *values_new(const struct exact *e, int task)
{
    return CS_NEW_ARRAY(e->arena, int, e->task[task].candidates);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The divisor that makes amounts small enough. */
static int64_t amounts_divisor(const int64_t *amount, int modes, int columns, int column,
                               int64_t capacity)
{
    int64_t divisor = 0;

    for (int m = 0; m < modes; m++)
        divisor = common_divisor(divisor, amount[(size_t)m * (size_t)columns + (size_t)column]);
    divisor = divisor ? divisor : 1;
    while (capacity / divisor > INT_MAX / 4)
        divisor *= 2;
    return divisor;
}

static void task_lengths(struct exact *e, int i)
{
    struct task *task = &e->task[i];
    int *length = values_new(e, i);
    struct term term;

    for (int x = 0; x < task->candidates; x++)
        length[x] = units_of(e, cs_bag_seconds(e->bag, i, x));
    term = term_make(e, i, length, -1);
    task->end = task->start;
    task->lag = term.value;
    if (term.function >= 0) {
        task->end = variable_add(e, IS_DATE, i);
        task->lag = 0;
    }
}

static void task_variables(struct exact *e, int i)
{
    struct task *task = &e->task[i];

    task->start = variable_add(e, IS_DATE, i);
    task->candidates = cs_bag_candidates(e->bag, i);
    task->mode = -1;
    if (task->candidates > 1) {
        task->mode = e->variables;
        for (int x = 0; x < task->candidates; x++)
            variable_add(e, IS_MODE, i);
    }
    task->function = e->functions;
    task_lengths(e, i);
}

static void table_fixed(struct exact *e, struct table *table, int r, int64_t divisor)
{
    const struct cs_bag *bag = e->bag;

    table->fixed = CS_NEW_ARRAY(e->arena, struct fixed, bag->steps);
    for (int k = 0; k < bag->steps; k++) {
        const int64_t room = bag->room[(size_t)k * (size_t)bag->data.resources + (size_t)r];
        const int begin = units_of(e, bag->step[k]),
                  end = k + 1 < bag->steps ? units_of(e, bag->step[k + 1]) : NEVER;
        const int taken = table->capacity - (int)(room / divisor);

        if (taken > 0 && begin < end)
            table->fixed[table->fixeds++] = (struct fixed){begin, end, taken};
    }
}

/* Amounts of a resource for one task, as an item of its table. */
static void table_item(struct exact *e, int r, int i, int64_t divisor)
{
    struct table *table = &e->table[r];
    int *amount = values_new(e, i), most = 0;

    for (int x = 0; x < e->task[i].candidates; x++) {
        const int mode = e->bag->data.first[i] + x;

        amount[x] = (int)(cs_bag_use(e->bag, mode)[r] / divisor);
        if (e->bag->data.seconds[mode] == 0)
            amount[x] = 0;
        most = amount[x] > most ? amount[x] : most;
    }
    if (most == 0)
        return;
    table->item[table->items++] = (struct item){i, term_make(e, i, amount, r)};
    e->task[i].tables |= UINT64_C(1) << (r < 63 ? r : 63);
}

/* Adds a function, or its constant, to a sum. */
static void sum_add(struct exact *e, struct sum *sum, int task, const int *value)
{
    const struct term term = term_make(e, task, value, -1);

    if (term.function < 0)
        sum->constant += term.value;
    else {
        e->function[term.function].sum = (int)(sum - e->sum);
        sum->function[sum->functions++] = term.function;
    }
}

static void sum_area(struct exact *e, struct sum *sum, int i)
{
    const int64_t divisor = sum->limit;
    int *value = values_new(e, i);

    for (int x = 0; x < e->task[i].candidates; x++) {
        const int mode = e->bag->data.first[i] + x;
        const int64_t amount = cs_bag_use(e->bag, mode)[sum->resource] / divisor;

        value[x] = (int)((amount * units_of(e, e->bag->data.seconds[mode])) >> sum->shift);
    }
    sum_add(e, sum, i, value);
}

static void sum_budget(struct exact *e, struct sum *sum, int i, int q, int64_t divisor)
{
    const struct cs_modes *data = &e->bag->data;
    int *value = values_new(e, i);

    for (int x = 0; x < e->task[i].candidates; x++)
        value[x] = (int)(cs_modes_spend(data, data->first[i] + x)[q] / divisor);
    sum_add(e, sum, i, value);
}

/* The inequality of 5.5 in whole numbers: the left side rounded down, the right side up.  Returns
 * the scale of costs. */
static double relaxed_begin(struct exact *e, struct sum *sum)
{
    const struct cs_bag_relaxation *relaxed = e->proof->relaxation;
    const struct cs_modes *data = &e->bag->data;
    double most = 0, scale;

    for (int i = 0; i < data->tasks; i++)
        for (int m = data->first[i]; m < data->first[i + 1]; m++)
            most = fmax(most, cs_bag_relaxed_cost(e->bag, relaxed, i, m, data->seconds[m]));
    scale = most > 0 ? FINE / 8 / most : 0;
    sum->kind = SUM_RELAXED;
    sum->function = CS_NEW_ARRAY(e->arena, int, data->tasks);
    sum->slope = scale * relaxed->weight * e->unit;
    sum->offset = scale * relaxed->spent;
    return scale;
}

static void sum_relaxed(struct exact *e, struct sum *sum, int i, double scale)
{
    const struct cs_bag_relaxation *relaxed = e->proof->relaxation;
    const struct cs_modes *data = &e->bag->data;
    const int release = units_of(e, cs_bag_release(e->bag, i));
    double stays = relaxed->leaves[i];
    int *value = values_new(e, i);

    for (int a = data->before_first[i]; a < data->before_first[i + 1]; a++)
        stays -= relaxed->flow[a];
    sum->offset -= scale * fmax(stays, 0) * release * e->unit;
    for (int x = 0; x < e->task[i].candidates; x++) {
        const int mode = data->first[i] + x;

        value[x] =
            (int)floor(scale * cs_bag_relaxed_cost(e->bag, relaxed, i, mode,
                                                   units_of(e, data->seconds[mode]) * e->unit));
    }
    sum_add(e, sum, i, value);
}

static int64_t divisor_of(const struct exact *e, int r)
{
    const struct cs_modes *data = &e->bag->data;

    return amounts_divisor(data->use, data->first[data->tasks], data->resources, r,
                           data->capacity[r]);
}

static void table_orders(struct exact *e, struct table *table)
{
    const int count = table->items + table->fixeds;

    table->by_begin = CS_NEW_ARRAY(e->arena, int, count);
    table->by_end = CS_NEW_ARRAY(e->arena, int, count);
    table->begin = CS_NEW_ARRAY(e->arena, int, count);
    table->end = CS_NEW_ARRAY(e->arena, int, count);
    table->amount = CS_NEW_ARRAY(e->arena, int, count);
    for (int k = 0; k < count; k++)
        table->by_begin[k] = table->by_end[k] = k;
    for (int k = 0; k < table->fixeds; k++) {
        table->begin[table->items + k] = table->fixed[k].begin;
        table->end[table->items + k] = table->fixed[k].end;
        table->amount[table->items + k] = table->fixed[k].amount;
    }
}

static int area_shift(const struct exact *e, int r, int64_t divisor)
{
    const struct cs_modes *data = &e->bag->data;
    int64_t most = 1;
    int shift = 0;

    for (int m = 0; m < data->first[data->tasks]; m++) {
        const int64_t area = cs_bag_use(e->bag, m)[r] / divisor * units_of(e, data->seconds[m]);

        most = area > most ? area : most;
    }
    while (most >> shift > INT_MAX / 4)
        shift++;
    return shift;
}

/* Tables and sums; functions of a task must be an interval, so tasks are the outer loop. */
static void constraints_make(struct exact *e)
{
    const struct cs_modes *data = &e->bag->data;
    const int resources = data->resources, budgets = data->budgets;
    int64_t *divisor = CS_NEW_ARRAY(e->arena, int64_t, resources + budgets);
    double scale = 0;

    e->table = CS_NEW_ARRAY(e->arena, struct table, resources);
    e->sum = CS_NEW_ARRAY(e->arena, struct sum, resources + budgets + 1);
    e->sums = resources + budgets;
    if (e->proof->relaxation)
        scale = relaxed_begin(e, &e->sum[e->sums]);
    for (int k = 0; k < e->sums; k++) {
        struct sum *sum = &e->sum[k];

        sum->function = CS_NEW_ARRAY(e->arena, int, data->tasks);
        sum->kind = k < resources ? SUM_AREA : SUM_BUDGET;
        sum->resource = k;
        if (k < resources) {
            divisor[k] = divisor_of(e, k);
            sum->limit = divisor[k];
            sum->shift = area_shift(e, k, divisor[k]);
            e->table[k].item = CS_NEW_ARRAY(e->arena, struct item, data->tasks);
            e->table[k].capacity = (int)(data->capacity[k] / divisor[k]);
            table_fixed(e, &e->table[k], k, divisor[k]);
        } else {
            divisor[k] = amounts_divisor(data->spend, data->first[data->tasks], budgets,
                                         k - resources, data->budget[k - resources]);
            sum->limit = data->budget[k - resources] / divisor[k];
        }
    }
    e->sums += e->proof->relaxation != NULL;
    for (int i = 0; i < data->tasks; i++) {
        task_variables(e, i);
        for (int r = 0; r < resources; r++) {
            table_item(e, r, i, divisor[r]);
            sum_area(e, &e->sum[r], i);
        }
        for (int q = 0; q < budgets; q++)
            sum_budget(e, &e->sum[resources + q], i, q, divisor[resources + q]);
        if (e->proof->relaxation)
            sum_relaxed(e, &e->sum[resources + budgets], i, scale);
    }
    for (int r = 0; r < resources; r++)
        table_orders(e, &e->table[r]);
}

/* ---- Modes and what depends on them. */

static bool mode_open(const struct exact *e, const struct task *task, int x)
{
    return e->low[2 * (task->mode + x) + 1] < 0;
}

static bool mode_taken(const struct exact *e, const struct task *task, int x)
{
    return task->mode < 0 || e->low[2 * (task->mode + x)] > 0;
}

/* Bounds of a function from the modes that are open. */
static bool function_narrow(struct exact *e, int f)
{
    const struct function *function = &e->function[f];
    const struct task *task = &e->task[function->task];
    const struct cs_reason reason = {CS_REASON_OWNER, f, 0, 0};
    int low = INT_MAX, high = INT_MIN;

    for (int x = 0; x < task->candidates; x++)
        if (mode_open(e, task, x)) {
            low = function->value[x] < low ? function->value[x] : low;
            high = function->value[x] > high ? function->value[x] : high;
        }
    if (low > high)
        return true;
    return exact_raise(e, 2 * function->variable, low, reason) &&
           exact_raise(e, 2 * function->variable + 1, -high, reason);
}

static void exact_explain(void *self, int f, int side, int bound)
{
    struct exact *e = self;
    const struct function *function = &e->function[f];
    const struct task *task = &e->task[function->task];

    for (int x = 0; x < task->candidates; x++)
        if ((side % 2 ? -function->value[x] : function->value[x]) < bound)
            cs_learn_because(e->learn, 2 * (task->mode + x) + 1, 0);
}

/* The only mode that is left is taken; one has to be left. */
static bool mode_last(struct exact *e, const struct task *task)
{
    int open = 0, last = 0;

    for (int x = 0; x < task->candidates; x++)
        if (mode_open(e, task, x)) {
            open++;
            last = x;
        }
    if (open > 1 || (open == 1 && mode_taken(e, task, last)))
        return true;
    cs_learn_why_begin(e->learn);
    for (int x = 0; x < task->candidates; x++)
        if (open == 0 || x != last)
            cs_learn_why(e->learn, 2 * (task->mode + x) + 1, 0);
    if (open == 0)
        return cs_learn_conflict(e->learn, cs_learn_why_end(e->learn));
    return exact_raise(e, 2 * (task->mode + last), 1, cs_learn_why_end(e->learn));
}

static bool mode_wake(struct exact *e, int variable, int side)
{
    const struct task *task = &e->task[e->of[variable]];

    if (side % 2 == 0) {
        for (int x = 0; x < task->candidates; x++)
            if (task->mode + x != variable &&
                !exact_raise(e, 2 * (task->mode + x) + 1, 0,
                             (struct cs_reason){CS_REASON_SHIFT, side, -1, 0}))
                return false;
        return true;
    }
    for (int f = task->function; f < task->function + task->functions; f++)
        if (!function_narrow(e, f))
            return false;
    return mode_last(e, task);
}

/* Modes whose value is outside of the bounds are closed. */
static bool function_wake(struct exact *e, int f, int side)
{
    const struct function *function = &e->function[f];
    const struct task *task = &e->task[function->task];

    for (int x = 0; x < task->candidates; x++) {
        const int value = side % 2 ? -function->value[x] : function->value[x];

        if (value < e->low[side] &&
            !exact_raise(e, 2 * (task->mode + x) + 1, 0,
                         (struct cs_reason){CS_REASON_SHIFT, side, -(value + 1), 0}))
            return false;
    }
    if (function->resource >= 0)
        e->table_due[function->resource] = true;
    if (function->sum >= 0)
        e->sum_due[function->sum] = true;
    return true;
}

static bool exact_wake(void *self, int side)
{
    struct exact *e = self;
    const int variable = side / 2;

    switch (e->what[variable]) {
    case IS_MODE:
        return mode_wake(e, variable, side);
    case IS_FUNCTION:
        return function_wake(e, e->of[variable], side);
    case IS_DATE:
        for (int r = 0; r < e->bag->data.resources; r++)
            e->table_due[r] |= e->task[e->of[variable]].tables >> (r < 63 ? r : 63) & 1;
        return true;
    case IS_OTHER:
        for (int k = 0; k < e->sums; k++)
            e->sum_due[k] |= e->sum[k].kind != SUM_BUDGET;
        return true;
    }
    return true;
}

/* ---- Sums. */

/* The room of a resource before a makespan, or the limit of a budget. */
static int64_t sum_room(const struct exact *e, const struct sum *sum, int makespan)
{
    const struct table *table;
    int64_t room;

    if (sum->kind == SUM_BUDGET)
        return sum->limit;
    if (sum->kind == SUM_RELAXED)
        return (int64_t)floor(sum->slope * makespan + sum->offset) + 1;
    table = &e->table[sum->resource];
    room = (int64_t)table->capacity * makespan;
    for (int k = 0; k < table->fixeds; k++) {
        const struct fixed *fixed = &table->fixed[k];
        const int end = fixed->end < makespan ? fixed->end : makespan;

        if (end > fixed->begin)
            room -= (int64_t)fixed->amount * (end - fixed->begin);
    }
    return room >> sum->shift;
}

/* Literals of a sum that is at least total - extra without function `skip`. */
static void sum_explain(struct exact *e, const struct sum *sum, int skip, int64_t extra)
{
    for (int k = 0; k < sum->functions; k++) {
        const int side = 2 * e->function[sum->function[k]].variable;
        const int64_t above = (int64_t)e->low[side] - e->root[side];

        if (k == skip || above == 0)
            continue;
        if (above <= extra) {
            extra -= above;
            continue;
        }
        cs_learn_why(e->learn, side, (int)(e->low[side] - extra));
        extra = 0;
    }
}

/* The makespan has room for the sum. */
static bool sum_makespan(struct exact *e, const struct sum *sum, int64_t total)
{
    int low = e->low[2 * e->makespan], high = -e->low[2 * e->makespan + 1];

    if (sum->kind == SUM_BUDGET || sum_room(e, sum, low) >= total)
        return true;
    if (sum_room(e, sum, high) < total)
        high++;
    else
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;

            if (sum_room(e, sum, middle) >= total)
                high = middle;
            else
                low = middle;
        }
    cs_learn_why_begin(e->learn);
    sum_explain(e, sum, -1, total - sum_room(e, sum, high - 1) - 1);
    return exact_raise(e, 2 * e->makespan, high, cs_learn_why_end(e->learn));
}

static bool sum_function(struct exact *e, const struct sum *sum, int k, int64_t slack)
{
    const int variable = e->function[sum->function[k]].variable;
    const int low = e->low[2 * variable], high = -e->low[2 * variable + 1];

    if (high - (int64_t)low <= slack)
        return true;
    cs_learn_why_begin(e->learn);
    sum_explain(e, sum, k, 0);
    if (sum->kind != SUM_BUDGET)
        cs_learn_why(e->learn, 2 * e->makespan + 1, e->low[2 * e->makespan + 1]);
    return exact_raise(e, 2 * variable + 1, -(int)(low + slack), cs_learn_why_end(e->learn));
}

static bool sum_propagate(struct exact *e, const struct sum *sum)
{
    int64_t total = sum->constant, slack;

    for (int k = 0; k < sum->functions; k++)
        total += e->low[2 * e->function[sum->function[k]].variable];
    if (!sum_makespan(e, sum, total))
        return false;
    slack = sum_room(e, sum, -e->low[2 * e->makespan + 1]) - total;
    if (slack < 0) {
        cs_learn_why_begin(e->learn);
        sum_explain(e, sum, -1, -slack - 1);
        return cs_learn_conflict(e->learn, cs_learn_why_end(e->learn));
    }
    for (int k = 0; k < sum->functions; k++)
        if (!sum_function(e, sum, k, slack))
            return false;
    return true;
}

static bool exact_settle(void *self)
{
    struct exact *e = self;

    e->changed = false;
    for (int k = 0; k < e->sums; k++)
        if (e->sum_due[k]) {
            e->sum_due[k] = false;
            if (!sum_propagate(e, &e->sum[k]))
                return false;
            if (e->changed)
                return true;
        }
    for (int r = 0; r < e->bag->data.resources; r++)
        if (e->table_due[r]) {
            e->table_due[r] = false;
            if (!cs_bag_table_propagate(e, &e->table[r]))
                return false;
            if (e->changed)
                return true;
        }
    return true;
}

/* ---- The search. */

/* Without arcs, dates and windows a plan may be read backwards: it is enough to search for plans in
 * which the middle of one task, the longest on its first mode, is in the first half. */
static int mirrored_find(const struct exact *e)
{
    const struct cs_modes *data = &e->bag->data;
    int longest = -1;

    if (data->before_first[data->tasks] > 0 || data->release || data->deadline || data->windows > 0)
        return -1;
    for (int i = 0; i < data->tasks; i++)
        if (e->task[i].end != e->task[i].start &&
            (longest < 0 || cs_bag_seconds(e->bag, i, 0) > cs_bag_seconds(e->bag, longest, 0)))
            longest = i;
    return longest;
}

static bool task_open(const struct exact *e, const struct task *task)
{
    if (start_low(e, task) < start_high(e, task))
        return true;
    for (int x = 0; x < task->candidates; x++)
        if (mode_taken(e, task, x))
            return false;
    return true;
}

/* The mode that the best plan has, else the shortest that is open. */
static struct cs_literal decide_mode(const struct exact *e, int i)
{
    const struct task *task = &e->task[i];
    int x = task->candidates - 1;

    if (!isinf(e->best->makespan) && mode_open(e, task, e->best->choice[i]))
        x = e->best->choice[i];
    while (!mode_open(e, task, x))
        x--;
    return (struct cs_literal){2 * (task->mode + x), 1};
}

static struct cs_literal exact_decide(void *self)
{
    const struct exact *e = self;
    int best = -1;

    for (int i = 0; i < e->bag->data.tasks; i++) {
        const struct task *task = &e->task[i], *other = &e->task[best < 0 ? i : best];

        if (!task_open(e, task))
            continue;
        if (best < 0 || start_low(e, task) < start_low(e, other) ||
            (start_low(e, task) == start_low(e, other) &&
             start_high(e, task) < start_high(e, other)))
            best = i;
    }
    if (best < 0)
        return (struct cs_literal){-1, 0};
    for (int x = 0; x < e->task[best].candidates; x++)
        if (mode_taken(e, &e->task[best], x))
            return (struct cs_literal){2 * e->task[best].start + 1, -start_low(e, &e->task[best])};
    return decide_mode(e, best);
}

static bool exact_expired(void *self)
{
    const struct exact *e = self;

    return e->proof->expired && e->proof->expired(e->proof->who);
}

/* Does the plan have to be read backwards? */
static bool plan_backwards(const struct exact *e, const struct cs_bag_plan *plan)
{
    const int i = e->mirrored;

    return i >= 0 &&
           2 * plan->start[i] + cs_bag_seconds(e->bag, i, plan->choice[i]) > plan->makespan;
}

static void prefer_plan(struct exact *e, const struct cs_bag_plan *plan)
{
    const bool backwards = plan_backwards(e, plan);

    for (int i = 0; i < e->bag->data.tasks; i++) {
        const struct task *task = &e->task[i];
        const int choice = plan->choice[i];
        const int length = units_of(e, cs_bag_seconds(e->bag, i, choice));
        const int begin = units_of(e, plan->start[i]);
        const int start = backwards ? units_of(e, plan->makespan) - begin - length : begin;

        cs_learn_prefer(e->learn, task->start, start);
        if (task->end != task->start)
            cs_learn_prefer(e->learn, task->end, start + length);
        for (int x = 0; x < task->candidates && task->mode >= 0; x++)
            cs_learn_prefer(e->learn, task->mode + x, x == choice);
        for (int f = task->function; f < task->function + task->functions; f++)
            cs_learn_prefer(e->learn, e->function[f].variable, e->function[f].value[choice]);
    }
}

/* The plan of the bounds, decoded in doubles and justified. */
static void plan_take(struct exact *e, struct cs_bag_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(e->arena);
    struct cs_bag_decoder *decoder = cs_bag_decoder_create(e->bag, e->arena);
    int *order = CS_NEW_ARRAY(e->arena, int, e->bag->data.tasks);
    struct cs_bag_plan found, justified;

    cs_bag_plan_init(&found, e->bag, e->arena);
    cs_bag_plan_init(&justified, e->bag, e->arena);
    for (int i = 0; i < e->bag->data.tasks; i++) {
        found.start[i] = start_low(e, &e->task[i]);
        while (!mode_taken(e, &e->task[i], found.choice[i]))
            found.choice[i]++;
    }
    cs_bag_order(e->bag, found.start, order, e->arena);
    cs_bag_earliest(decoder, order, &found);
    if (!isinf(found.makespan)) {
        cs_bag_justify(decoder, &found, &justified);
        if (cs_bag_plan_better(&justified, &found))
            cs_bag_plan_copy(&found, &justified, e->bag->data.tasks);
        prefer_plan(e, &found);
        if (cs_bag_plan_better(&found, plan))
            cs_bag_plan_copy(plan, &found, e->bag->data.tasks);
    }
    cs_arena_rewind(e->arena, mark);
}

static bool plan_keeps(const struct cs_bag_plan *plan)
{
    return !isinf(plan->makespan) && plan->over == 0 && plan->late == 0;
}

/* The largest makespan in units that would be shorter than the plan. */
static int units_below(const struct exact *e, const struct cs_bag_plan *plan)
{
    const double units = plan->makespan / e->unit;

    return (int)(e->rounded ? ceil(units) : round(units)) - 1;
}

static void domains_set(struct exact *e, double horizon)
{
    const struct cs_modes *data = &e->bag->data;
    const int last = units_of(e, horizon) + 1;

    cs_learn_domain(e->learn, e->makespan, 0, last);
    for (int i = 0; i < data->tasks; i++) {
        const struct task *task = &e->task[i];
        const double due = data->deadline ? data->deadline[i] : INFINITY;
        int latest = units_of(e, due);

        latest = latest < last ? latest : last;
        cs_learn_domain(e->learn, task->start, units_of(e, cs_bag_release(e->bag, i)),
                        task->end == task->start ? latest - task->lag : last);
        if (task->end != task->start)
            cs_learn_domain(e->learn, task->end, 0, latest);
        for (int x = 0; x < task->candidates && task->mode >= 0; x++)
            cs_learn_domain(e->learn, task->mode + x, 0, 1);
    }
    for (int f = 0; f < e->functions; f++) {
        const struct function *function = &e->function[f];
        int low = function->value[0], high = low;

        for (int x = 1; x < e->task[function->task].candidates; x++) {
            low = function->value[x] < low ? function->value[x] : low;
            high = function->value[x] > high ? function->value[x] : high;
        }
        cs_learn_domain(e->learn, function->variable, low, high);
    }
}

/* E = S + D, arcs, E <= C, and S + E <= C of the mirrored task. */
static void rules_set(struct exact *e)
{
    const struct cs_modes *data = &e->bag->data;

    if (e->mirrored >= 0)
        cs_learn_add_sum(e->learn, 2 * e->makespan, 2 * e->task[e->mirrored].start,
                         2 * e->task[e->mirrored].end);

    for (int i = 0; i < data->tasks; i++) {
        const struct task *task = &e->task[i];

        if (task->end != task->start)
            cs_learn_add_sum(e->learn, 2 * task->end, 2 * task->start,
                             2 * e->function[task->function].variable);
        cs_learn_add_shift(e->learn, 2 * task->end, 2 * e->makespan, task->lag);
        for (int a = data->before_first[i]; a < data->before_first[i + 1]; a++) {
            const struct task *before = &e->task[data->before[a]];

            cs_learn_add_shift(e->learn, 2 * before->end, 2 * task->start, before->lag);
        }
    }
}

/* Every bound counts once, so that rules see the first bounds. */
static bool bounds_start(struct exact *e)
{
    for (int r = 0; r < e->bag->data.resources; r++)
        e->table_due[r] = true;
    for (int k = 0; k < e->sums; k++)
        e->sum_due[k] = true;
    return cs_learn_start(e->learn);
}

static void exact_build(struct exact *e, double horizon)
{
    const struct cs_modes *data = &e->bag->data;
    const int modes = data->first[data->tasks],
              most = 1 + modes + data->tasks * (4 + 2 * data->resources + data->budgets);
    const struct cs_learn_owner owner = {
        e, exact_wake, exact_settle, exact_explain, exact_decide, exact_expired};

    e->what = CS_NEW_ARRAY(e->arena, enum what, most);
    e->of = CS_NEW_ARRAY(e->arena, int, most);
    e->function = CS_NEW_ARRAY(e->arena, struct function, most);
    e->task = CS_NEW_ARRAY(e->arena, struct task, data->tasks);
    e->at = CS_NEW_ARRAY(e->arena, int, 2 * (data->tasks + e->bag->steps) + 2);
    e->height = CS_NEW_ARRAY(e->arena, int, 2 * (data->tasks + e->bag->steps) + 2);
    e->held = CS_NEW_ARRAY(e->arena, int, data->tasks);
    e->makespan = variable_add(e, IS_OTHER, 0);
    constraints_make(e);
    e->mirrored = mirrored_find(e);
    e->table_due = CS_NEW_ARRAY(e->arena, bool, data->resources);
    e->sum_due = CS_NEW_ARRAY(e->arena, bool, e->sums);
    e->learn = cs_learn_create(e->variables, &owner);
    e->low = cs_learn_low(e->learn);
    e->root = cs_learn_root(e->learn);
    domains_set(e, horizon);
    rules_set(e);
}

/* Search for makespans up to this one only; false: no plan has one. */
static bool ceiling_set(struct exact *e, int units)
{
    if (units < e->ceiling)
        e->ceiling = units;
    return cs_learn_fact(e->learn, 2 * e->makespan + 1, -e->ceiling);
}

/* The least makespan in units that is not below the bound.  With times rounded down a plan of this
 * makespan may have the next smaller one. */
static int units_least(const struct exact *e)
{
    const double units = e->proof->bound / e->unit * (1 - 1e-9);

    return (int)(e->rounded ? floor(units) : ceil(units - 1e-6));
}

static bool search_start(struct exact *e, const struct cs_bag_plan *plan)
{
    e->ceiling = INT_MAX;
    if (!bounds_start(e) || !cs_learn_fact(e->learn, 2 * e->makespan, units_least(e)))
        return false;
    if (!plan_keeps(plan))
        return true;
    prefer_plan(e, plan);
    return ceiling_set(e, units_below(e, plan));
}

/* A plan was found: search for shorter ones. */
static bool search_shorter(struct exact *e, struct cs_bag_plan *plan)
{
    const int makespan = e->low[2 * e->makespan];

    plan_take(e, plan);
    return ceiling_set(e, makespan - 1) &&
           (!plan_keeps(plan) || ceiling_set(e, units_below(e, plan)));
}

/* False: all makespans up to the ceiling are refuted. */
static bool exact_search(struct exact *e, struct cs_bag_plan *plan)
{
    bool fine = search_start(e, plan), first = true;

    while (fine) {
        const long long left = e->proof->conflicts - cs_learn_conflicts(e->learn);
        const enum cs_learn_end end =
            cs_learn_search(e->learn, first && left > 100 ? 100 : left, !first);

        if (end == CS_LEARN_FOUND)
            fine = search_shorter(e, plan);
        else if (end == CS_LEARN_NEVER)
            fine = false;
        else if (!first || exact_expired(e))
            break;
        else
            first = false;
    }
    return fine;
}

void cs_bag_exact(const struct cs_bag *bag, struct cs_bag_proof *proof, struct cs_bag_plan *plan,
                  struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct exact e = {.bag = bag, .proof = proof, .best = plan, .arena = scratch};
    double horizon = horizon_of(bag);

    if (plan_keeps(plan))
        horizon = fmin(horizon, plan->makespan);
    unit_choose(&e, horizon);
    exact_build(&e, horizon);
    proof->closed = !exact_search(&e, plan);
    if (!proof->closed)
        proof->bound = fmax(proof->bound, e.root[2 * e.makespan] * e.unit);
    else
        proof->bound =
            e.ceiling == INT_MAX ? INFINITY : fmax(proof->bound, (e.ceiling + 1.0) * e.unit);
    proof->spent = cs_learn_conflicts(e.learn);
    cs_learn_destroy(e.learn);
    cs_arena_rewind(scratch, mark);
}
