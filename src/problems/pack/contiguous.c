/* contiguous.c - the policy contiguous: best contiguous partition over several orders (C4).
 *
 * Source: docs/spec/pack.md, Part II 2.1; not in the paper.
 *
 * For one order, f(b) = min over a of f(a) + cost of the pack order[a .. b - 1], at most
 * pack_size tasks.  With the prefix sums of the needs at every level, the load of any stretch is
 * one subtraction, and for a fixed a the level only rises with b: gallop, then bisect.
 *
 * Invariants: best[b] is the cost of a complete partition of the first b tasks whenever it is
 * finite; the ring holds the rows a .. a + pack_size, no older row is read; the first order always
 * ends with a partition (packs of one task once patience has ended).
 * Complexity: O(n pack_size log levels + n levels) for an order.  A ring holds the last
 * pack_size + 1 rows.
 *
 * constant    value  unit    found by             half, double
 * orders          4  orders  spec, Part II 2.1    all p orders: at most 0.2 % better at n = 65,
 *                                                 2.3 % on Workload-III-A with pack size 16
 * ASK_EVERY      64  tasks   a poll costs little  not measured; changes the reaction time only
 */
#include "problems/pack/contiguous.h"

#include "base/order.h"

#include <math.h>

#define ASK_EVERY 64 /* tasks between two questions about patience */

struct ring {
    uint32_t *row;
    int rows;
    size_t stride;
};

static void sort_by_time(const struct cs_pack_instance *in, int procs, double *time, int *order,
                         struct cs_arena *scratch)
{
    for (int i = 0; i < in->tasks->count; i++) {
        int least = in->tasks->min_procs[i];

        time[i] = cs_pack_time(in, i, procs > least ? procs : least);
    }
    cs_order_descending(time, in->tasks->count, order, scratch);
}

static uint32_t *ring_row(const struct ring *ring, int index)
{
    return ring->row + (size_t)(index % ring->rows) * ring->stride;
}

static void add_row(const struct cs_pack_levels *levels, const struct ring *ring, int index,
                    int task)
{
    const uint32_t *restrict before = ring_row(ring, index - 1);
    const uint16_t *restrict need = cs_pack_levels_need(levels, task);
    uint32_t *restrict row = ring_row(ring, index);

    for (int v = 0; v < levels->count; v++)
        row[v] = before[v] + need[v];
}

/* The first level >= from where the tasks between two rows fit, or the number of levels. */
static int first_fit(const struct cs_pack_levels *levels, const uint32_t *before,
                     const uint32_t *after, int from)
{
    uint32_t capacity = (uint32_t)levels->capacity;
    int step = 1, high = from;

    while (high < levels->count && after[high] - before[high] > capacity) {
        from = high + 1;
        high += step;
        step *= 2;
    }
    if (high > levels->count)
        high = levels->count;
    while (from < high) {
        int middle = from + (high - from) / 2;

        if (after[middle] - before[middle] > capacity)
            from = middle + 1;
        else
            high = middle;
    }
    return from;
}

/* One order, and what is known about its partitions. */
struct partition {
    const struct cs_pack_levels *levels;
    const struct cs_policy_context *context;
    int tasks, pack_size, rows; /* rows of the ring that are filled */
    struct ring ring;
    int *order;
    double *best; /* best[b]: of the first b tasks */
    int *cut;     /* cut[b]: where the last pack of that partition begins */
};

/* Let packs begin at task a, of at most `size` tasks. */
static void contiguous_extend(struct partition *part, int a, int size)
{
    const struct cs_pack_levels *levels = part->levels;
    int last = part->tasks - a < size ? part->tasks : a + size, level = 0;

    for (; part->rows < last; part->rows++)
        add_row(levels, &part->ring, part->rows + 1, part->order[part->rows]);
    for (int b = a + 1; b <= last; b++) {
        level = first_fit(levels, ring_row(&part->ring, a), ring_row(&part->ring, b), level);
        if (level == levels->count)
            break;
        if (part->best[a] + levels->cost[level] < part->best[b]) {
            part->best[b] = part->best[a] + levels->cost[level];
            part->cut[b] = a;
        }
    }
}

/* The least cost of the whole order, or +inf when patience ends and it must not. */
static double partition_order(struct partition *part, bool must)
{
    bool late = false;

    part->rows = 0;
    part->best[0] = 0;
    for (int b = 1; b <= part->tasks; b++)
        part->best[b] = INFINITY;
    for (int a = 0; a < part->tasks; a++) {
        late = late || (a % ASK_EVERY == 0 && cs_pack_expired(part->context));
        if (late && !must)
            return INFINITY;
        contiguous_extend(part, a, late ? 1 : part->pack_size);
    }
    return part->best[part->tasks];
}

/* cut[] leads from the end to the start; turn it round and write the packs. */
static void write_plan(const struct partition *part, struct cs_pack_plan *plan,
                       struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *start = CS_NEW_ARRAY(scratch, int, part->tasks), packs = 0;

    for (int b = part->tasks; b > 0; b = part->cut[b])
        start[packs++] = part->cut[b];
    cs_pack_plan_clear(plan);
    for (int k = packs - 1; k >= 0; k--) {
        int end = k > 0 ? start[k - 1] : part->tasks;

        for (int i = start[k]; i < end; i++)
            cs_pack_plan_add(plan, part->order[i], 1);
        cs_pack_plan_close(plan, 0);
    }
    cs_arena_rewind(scratch, mark);
}

static int procs_of_order(int index, int orders, int procs)
{
    if (orders == 1)
        return procs;
    return 1 + (int)((int64_t)index * (procs - 1) / (orders - 1));
}

static struct partition *partition_create(const struct cs_pack_instance *in,
                                          const struct cs_policy_context *context,
                                          const struct cs_pack_levels *levels)
{
    struct partition *part = CS_NEW(context->scratch, struct partition);
    int n = in->tasks->count;

    part->levels = levels;
    part->context = context;
    part->tasks = n;
    part->pack_size = in->pack_size < n ? in->pack_size : n;
    part->ring.rows = part->pack_size + 1;
    part->ring.stride = levels->stride;
    part->ring.row =
        CS_NEW_ARRAY(context->scratch, uint32_t, (size_t)part->ring.rows * part->ring.stride);
    part->order = CS_NEW_ARRAY(context->scratch, int, n);
    part->best = CS_NEW_ARRAY(context->scratch, double, n + 1);
    part->cut = CS_NEW_ARRAY(context->scratch, int, n + 1);
    return part;
}

void cs_pack_contiguous_best(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context,
                             const struct cs_pack_levels *levels, int orders,
                             struct cs_pack_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(context->scratch);
    struct partition *part = partition_create(in, context, levels);
    double *time = CS_NEW_ARRAY(context->scratch, double, part->tasks), least = INFINITY;
    int procs = in->tasks->procs, wanted = orders == 0 || orders > procs ? procs : orders;

    for (int o = 0; o < wanted && !(o > 0 && cs_pack_expired(context)); o++) {
        sort_by_time(in, procs_of_order(o, wanted, procs), time, part->order, context->scratch);

        double total = partition_order(part, o == 0);

        if (total < least) {
            least = total;
            write_plan(part, plan, context->scratch);
        }
    }
    cs_pack_plan_share(in, plan, context->scratch);
    cs_arena_rewind(context->scratch, mark);
}

int cs_pack_contiguous_levels(const struct cs_pack_instance *in)
{
    size_t n = (size_t)in->tasks->count, size = (size_t)in->pack_size;

    return cs_pack_levels_affordable(n + 2 * ((size < n ? size : n) + 1), CS_PACK_LEVELS_MAX);
}

static int plan_contiguous(const struct cs_pack_instance *in,
                           const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    int limit = cs_pack_contiguous_levels(in);
    const struct cs_pack_levels *levels;

    if (limit == 0)
        return cs_error_set(context->err,
                            "contiguous: %d tasks in packs of up to %d are too many to plan in "
                            "memory; pack-by-pack and pack-approx can",
                            in->tasks->count, in->pack_size);
    levels = cs_pack_levels_create(in, limit, INFINITY, context->scratch);
    cs_pack_contiguous_best(in, context, levels, (int)context->param[0], plan);
    if (!levels->exact)
        cs_pack_plan_note(plan, "levels", NULL, levels->count);
    return 0;
}

static const struct cs_policy_param params[] = {
    {
        .name = "orders",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "4",
        .low = 0,
        .high = 1e6,
        .summary = "how many sort orders to try, by the time on 1 to p processors; 0: on every "
                   "number of processors",
    },
    {0},
};

const struct cs_pack_policy cs_pack_policy_contiguous = {
    .info =
        {
            .name = "contiguous",
            .problem = "pack",
            .summary = "the best cut of the tasks, sorted by time, into packs of neighbours",
            .source = "dynamic programming over sorted tasks (C4)",
            .params = params,
        },
    .plan = plan_contiguous,
};
