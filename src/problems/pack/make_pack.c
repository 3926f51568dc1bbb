/* make_pack.c - Algorithm 2, MAKE-PACK: first fit decreasing in O(n log n).
 *
 * Source: Aupy et al., Algorithm 2; docs/spec/pack.md 5, MAKE-PACK.
 *
 * A tree over the packs holds in each node the most processors that are free in one of its
 * packs, 0 once a pack has all the tasks it may hold: the first pack with enough room is one
 * walk down.
 *
 * Invariants: the packs that are still empty follow all others and have all processors free, so the
 * walk opens a new pack exactly when no open one has room; the first task of a pack is its longest,
 * so the cost of the pack is that time; processors are those given, Algorithm 1 is not applied.
 * Complexity: O(n log n); the tree doubles when it is full.
 */
#include "base/order.h"
#include "problems/pack/policy.h"

struct rooms {
    int *most; /* a heap-shaped tree with `leaves` leaves, node 1 the root */
    int leaves;
};

static struct rooms rooms_create(int leaves, int procs, struct cs_arena *scratch)
{
    struct rooms rooms = {CS_NEW_ARRAY(scratch, int, 2 * (size_t)leaves), leaves};

    for (int node = 1; node < 2 * leaves; node++)
        rooms.most[node] = procs;
    return rooms;
}

static void rooms_set(struct rooms *rooms, int pack, int free)
{
    int node = pack + rooms->leaves;

    rooms->most[node] = free;
    for (node /= 2; node >= 1; node /= 2) {
        int left = rooms->most[2 * node], right = rooms->most[2 * node + 1];
        int most = left > right ? left : right;

        if (rooms->most[node] == most)
            break;
        rooms->most[node] = most;
    }
}

/* Twice as many packs, the new ones empty. */
static void rooms_grow(struct rooms *rooms, int procs, struct cs_arena *scratch)
{
    struct rooms more = rooms_create(2 * rooms->leaves, procs, scratch);

    for (int b = 0; b < rooms->leaves; b++)
        rooms_set(&more, b, rooms->most[b + rooms->leaves]);
    *rooms = more;
}

/* The first pack with so many free processors; an empty one comes after all others. */
static int rooms_first(struct rooms *rooms, int needed, int procs, struct cs_arena *scratch)
{
    int node = 1;

    if (rooms->most[1] < needed)
        rooms_grow(rooms, procs, scratch);
    while (node < rooms->leaves)
        node = 2 * node + (rooms->most[2 * node] < needed);
    return node - rooms->leaves;
}

static const int *decreasing_order(const struct cs_pack_instance *in, const int *procs,
                                   struct cs_arena *scratch)
{
    int n = in->tasks->count;
    double *time = CS_NEW_ARRAY(scratch, double, n);
    int *order = CS_NEW_ARRAY(scratch, int, n);

    for (int i = 0; i < n; i++)
        time[i] = cs_pack_time(in, i, procs[i]);
    cs_order_descending(time, n, order, scratch);
    return order;
}

/* Gather the tasks of each pack, in the order in which they were put there. */
static void fill_plan(const struct cs_pack_instance *in, const int *procs, const int *order,
                      const int *pack_of, int *size, int packs, struct cs_pack_plan *plan)
{
    int n = in->tasks->count, at = 0;

    plan->packs = packs;
    for (int b = 0; b < packs; b++) {
        plan->first[b] = at;
        at += size[b];
        size[b] = plan->first[b];
    }
    plan->first[packs] = plan->tasks = n;
    for (int a = 0; a < n; a++) {
        int i = order[a], place = size[pack_of[i]]++;

        plan->task[place] = i;
        plan->procs[place] = procs[i];
    }
    for (int b = 0; b < packs; b++) {
        plan->cost[b] = cs_pack_time(in, plan->task[plan->first[b]], plan->procs[plan->first[b]]);
        plan->total += plan->cost[b];
    }
}

void cs_pack_make(const struct cs_pack_instance *in, const int *procs, const int *order,
                  struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int n = in->tasks->count, packs = 0;
    int p = in->tasks->procs;
    struct rooms rooms = rooms_create(16, p, scratch);
    int *pack_of = CS_NEW_ARRAY(scratch, int, n), *size = CS_NEW_ARRAY(scratch, int, n);

    cs_pack_plan_clear(plan);
    if (!order)
        order = decreasing_order(in, procs, scratch);
    for (int a = 0; a < n; a++) {
        int i = order[a], b = rooms_first(&rooms, procs[i], p, scratch);
        int free = rooms.most[b + rooms.leaves] - procs[i];

        pack_of[i] = b;
        rooms_set(&rooms, b, ++size[b] < in->pack_size ? free : 0);
        packs = b < packs ? packs : b + 1;
    }
    fill_plan(in, procs, order, pack_of, size, packs, plan);
    cs_arena_rewind(scratch, mark);
}
