/* chain.c - backwards from what ends last. */
#include "ptg/chain.h"

#include "model/procset.h"
#include "ptg/network.h"

#include <math.h>

void cs_ptg_chain_init(struct cs_ptg_chain *chain, const struct cs_ptg_instance *in, bool fan,
                       const struct cs_ptg_place *place, struct cs_arena *arena)
{
    *chain = (struct cs_ptg_chain){.in = in,
                                   .fan = fan,
                                   .place = place,
                                   .task = CS_NEW_ARRAY(arena, int, in->tasks),
                                   .on = CS_NEW_ARRAY(arena, bool, in->tasks)};
}

static int last_of(const struct cs_ptg_chain *c, int graph)
{
    int last = c->in->first[graph];

    for (int v = last + 1; v < c->in->first[graph + 1]; v++)
        if (c->place[v].finish > c->place[last].finish)
            last = v;
    return last;
}

/* When the data of an arc are there. */
static double data_there(const struct cs_ptg_chain *c, const struct cs_graph *graph, int first,
                         const struct cs_graph_arc *arc)
{
    const struct cs_ptg_place *from = &c->place[first + arc->from],
                              *to = &c->place[first + arc->to];
    const struct cs_ptg_transfer t = {
        .platform = c->in->platform,
        .bytes = arc->bytes,
        .fan_out = c->fan ? graph->first_out[arc->from + 1] - graph->first_out[arc->from] : 1,
        .fan_in = c->fan ? graph->first_in[arc->to + 1] - graph->first_in[arc->to] : 1,
        .from = from->cluster,
        .to = to->cluster,
        .senders = from->procs,
        .receivers = to->procs,
    };

    return from->finish +
           cs_ptg_transfer_time(&t, from->set, from->intervals, to->set, to->intervals);
}

/* The predecessor whose data came last, if the task started with them; -1: none. */
static int supplier(const struct cs_ptg_chain *c, int number, double earliest)
{
    int g = c->in->graph_of[number], first = c->in->first[g], v = number - first, last = -1;
    const struct cs_graph *graph = c->in->graph[g];
    double latest = -1;

    for (int a = graph->first_in[v]; a < graph->first_in[v + 1]; a++) {
        const struct cs_graph_arc *arc = &graph->arc[graph->in[a]];
        double there = data_there(c, graph, first, arc);

        if (there > latest) {
            latest = there;
            last = first + arc->from;
        }
    }
    return latest >= earliest ? last : -1;
}

/* The first task that left one of its processors just then; -1: none. */
static int blocker(const struct cs_ptg_chain *c, int number, double eps)
{
    const struct cs_ptg_place *place = &c->place[number];

    for (int v = 0; v < c->in->tasks; v++) {
        const struct cs_ptg_place *other = &c->place[v];

        if (!c->on[v] && other->cluster == place->cluster && other->finish > other->start &&
            fabs(other->finish - place->start) <= eps &&
            cs_procset_common(place->set, place->intervals, other->set, other->intervals) >= 0)
            return v;
    }
    return -1;
}

int cs_ptg_chain_find(struct cs_ptg_chain *chain, int graph)
{
    struct cs_ptg_chain *c = chain;
    int length = 0;

    for (int v = last_of(c, graph); v >= 0;) {
        double start = c->place[v].start, eps = 1e-9 * fmax(1, start);
        int next;

        c->task[length++] = v;
        c->on[v] = true;
        if (start <= c->in->release[c->in->graph_of[v]] + eps)
            break;
        next = supplier(c, v, start - eps);
        v = next >= 0 ? next : blocker(c, v, eps);
    }
    for (int i = 0; i < length; i++)
        c->on[c->task[i]] = false;
    return length;
}
