/* fluid.c - rates of transfers that share links. */
#include "ptg/fluid.h"

#include <math.h>
#include <string.h>

#define USED_UP 1e-9 /* of its capacity: a link with no more than this left has nothing left */
#define ROUNDS_MOST 10000

void cs_ptg_fluid_init(struct cs_ptg_fluid *fluid, const struct cs_platform *platform,
                       struct cs_arena *arena)
{
    int links = 2 * platform->procs + 1;

    *fluid = (struct cs_ptg_fluid){
        .platform = platform,
        .left = CS_NEW_ARRAY(arena, double, links),
        .users = CS_NEW_ARRAY(arena, int, links),
        .rank = CS_NEW_ARRAY(arena, int, platform->procs),
        .arena = arena,
    };
    for (int p = 0; p < platform->procs; p++)
        fluid->rank[p] = -1;
}

static void set_ranks(struct cs_ptg_fluid *fluid, const struct cs_ptg_place *place, bool on)
{
    int rank = 0;

    for (int i = 0; i < place->intervals; i++)
        for (int p = place->set[i].first; p <= place->set[i].last; p++)
            fluid->rank[p] = on ? rank++ : -1;
}

/* What processor `i` of p senders has that receiver `j` of q wants, in parts of 1 / (p q). */
static double overlap(int64_t i, int64_t p, int64_t j, int64_t q)
{
    int64_t low = i * q > j * p ? i * q : j * p;
    int64_t high = (i + 1) * q < (j + 1) * p ? (i + 1) * q : (j + 1) * p;

    return high > low ? (double)(high - low) : 0;
}

/* The links of one side: those of `mine`, where `other` has its ranks set.  Returns the part of all
 * bytes that travels. */
static double add_links(struct cs_ptg_fluid *fluid, struct cs_ptg_flow *flow, double bytes,
                        const struct cs_ptg_place *mine, const struct cs_ptg_place *other,
                        int offset)
{
    double p = mine->procs, q = other->procs, sum = 0;
    int rank = 0;

    for (int i = 0; i < mine->intervals; i++)
        for (int at = mine->set[i].first; at <= mine->set[i].last; at++, rank++) {
            double kept = 0, part;

            if (fluid->rank[at] >= 0)
                kept = overlap(rank, mine->procs, fluid->rank[at], other->procs);
            part = bytes / p * ((q - kept) / q);
            if (!(part > 0))
                continue;
            flow->link[flow->links] = offset + at;
            flow->weight[flow->links++] = part;
            sum += part;
        }
    return sum;
}

struct cs_ptg_flow *cs_ptg_fluid_flow(struct cs_ptg_fluid *fluid, int id, double bytes,
                                      const struct cs_ptg_place *from,
                                      const struct cs_ptg_place *to)
{
    struct cs_ptg_flow *flow = CS_NEW(fluid->arena, struct cs_ptg_flow);
    int most = from->procs + to->procs + 1;
    double sum;

    flow->id = id;
    flow->link = CS_NEW_ARRAY(fluid->arena, int, most);
    flow->weight = CS_NEW_ARRAY(fluid->arena, double, most);
    set_ranks(fluid, to, true);
    sum = add_links(fluid, flow, bytes, from, to, 0);
    set_ranks(fluid, to, false);
    set_ranks(fluid, from, true);
    add_links(fluid, flow, bytes, to, from, fluid->platform->procs);
    set_ranks(fluid, from, false);
    if (flow->links > 0 && from->cluster != to->cluster &&
        !fluid->platform->backbone.shared_switch) {
        flow->link[flow->links] = 2 * fluid->platform->procs;
        flow->weight[flow->links++] = sum;
    }
    return flow->links > 0 ? flow : NULL;
}

void cs_ptg_fluid_start(struct cs_ptg_fluid *fluid, struct cs_ptg_flow *flow, double now)
{
    if (fluid->flows == fluid->room) {
        int room = fluid->room ? 2 * fluid->room : 64;
        struct cs_ptg_flow **more = CS_NEW_ARRAY(fluid->arena, struct cs_ptg_flow *, room);

        if (fluid->flows > 0)
            memcpy(more, fluid->flow, (size_t)fluid->flows * sizeof *more);
        fluid->flow = more;
        fluid->room = room;
    }
    flow->left = 1;
    flow->rate = 0;
    flow->since = now;
    flow->end = INFINITY;
    fluid->flow[fluid->flows++] = flow;
}

int cs_ptg_fluid_finish(struct cs_ptg_fluid *fluid, double now, int *done)
{
    int kept = 0, count = 0;

    for (int f = 0; f < fluid->flows; f++) {
        if (fluid->flow[f]->end <= now)
            done[count++] = fluid->flow[f]->id;
        else
            fluid->flow[kept++] = fluid->flow[f];
    }
    fluid->flows = kept;
    return count;
}

static double capacity(const struct cs_ptg_fluid *fluid, int link)
{
    const struct cs_platform *p = fluid->platform;

    if (link == 2 * p->procs)
        return p->backbone.bandwidth;
    return p->cluster[cs_platform_cluster_of(p, link % p->procs)].bandwidth;
}

/* Flows before `open` are not frozen: give each what its links offer. */
static void give(struct cs_ptg_fluid *fluid, int open, double *gain)
{
    for (int f = 0; f < open; f++) {
        const struct cs_ptg_flow *flow = fluid->flow[f];

        gain[f] = INFINITY;
        for (int l = 0; l < flow->links; l++)
            gain[f] = fmin(gain[f], fluid->left[flow->link[l]] / fluid->users[flow->link[l]] /
                                        flow->weight[l]);
    }
    for (int f = 0; f < open; f++) {
        struct cs_ptg_flow *flow = fluid->flow[f];

        flow->rate += gain[f];
        for (int l = 0; l < flow->links; l++)
            fluid->left[flow->link[l]] -= gain[f] * flow->weight[l];
    }
}

/* Is one of its links used up? */
static bool blocked(const struct cs_ptg_fluid *fluid, const struct cs_ptg_flow *flow)
{
    for (int l = 0; l < flow->links; l++)
        if (fluid->left[flow->link[l]] <= USED_UP * capacity(fluid, flow->link[l]))
            return true;
    return false;
}

/* Frozen flows go behind those that are not; returns how many are not. */
static int freeze(struct cs_ptg_fluid *fluid, int open)
{
    int kept = 0;

    for (int f = 0; f < open; f++) {
        struct cs_ptg_flow *flow = fluid->flow[f];

        if (blocked(fluid, flow)) {
            for (int l = 0; l < flow->links; l++)
                fluid->users[flow->link[l]]--;
        } else {
            fluid->flow[f] = fluid->flow[kept];
            fluid->flow[kept++] = flow;
        }
    }
    return kept;
}

void cs_ptg_fluid_share(struct cs_ptg_fluid *fluid, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(fluid->arena);
    double *gain = CS_NEW_ARRAY(fluid->arena, double, fluid->flows);
    int open = fluid->flows;

    for (int f = 0; f < fluid->flows; f++) {
        struct cs_ptg_flow *flow = fluid->flow[f];

        flow->left = fmax(0, flow->left - flow->rate * (now - flow->since));
        flow->since = now;
        flow->rate = 0;
        for (int l = 0; l < flow->links; l++)
            fluid->users[flow->link[l]] = 0;
    }
    for (int f = 0; f < fluid->flows; f++)
        for (int l = 0; l < fluid->flow[f]->links; l++) {
            int link = fluid->flow[f]->link[l];

            if (fluid->users[link]++ == 0)
                fluid->left[link] = capacity(fluid, link);
        }
    for (int round = 0; open > 0 && round < ROUNDS_MOST; round++) {
        give(fluid, open, gain);
        open = freeze(fluid, open);
    }
    for (int f = 0; f < fluid->flows; f++)
        fluid->flow[f]->end = now + fluid->flow[f]->left / fluid->flow[f]->rate;
    cs_arena_rewind(fluid->arena, mark);
}

double cs_ptg_fluid_next(const struct cs_ptg_fluid *fluid)
{
    double next = INFINITY;

    for (int f = 0; f < fluid->flows; f++)
        next = fmin(next, fluid->flow[f]->end);
    return next;
}
