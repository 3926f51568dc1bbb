/* supply.c - when the data of a task are there. */
#include "ptg/supply.h"

static struct cs_ptg_supply supply_of(const struct cs_ptg_instance *in, bool fan, bool late,
                                      const struct cs_ptg_place *from, const struct cs_graph *graph,
                                      const struct cs_graph_arc *arc, double now)
{
    return (struct cs_ptg_supply){
        .from = from,
        .leaves = late ? now : from->finish,
        .transfer =
            {
                .platform = in->platform,
                .bytes = arc->bytes,
                .fan_out = fan ? graph->first_out[arc->from + 1] - graph->first_out[arc->from] : 1,
                .fan_in = fan ? graph->first_in[arc->to + 1] - graph->first_in[arc->to] : 1,
                .from = from->cluster,
                .senders = from->procs,
            },
    };
}

struct cs_ptg_subject cs_ptg_subject_of(const struct cs_ptg_instance *in, bool fan, bool late,
                                        const struct cs_ptg_place *place, int number, double now,
                                        struct cs_arena *scratch)
{
    int first = in->first[in->graph_of[number]], v = number - first;
    const struct cs_graph *graph = in->graph[in->graph_of[number]];
    int count = graph->first_in[v + 1] - graph->first_in[v];
    struct cs_ptg_supply *supply = CS_NEW_ARRAY(scratch, struct cs_ptg_supply, count);

    for (int i = 0; i < count; i++) {
        const struct cs_graph_arc *arc = &graph->arc[graph->in[graph->first_in[v] + i]];

        supply[i] = supply_of(in, fan, late, &place[first + arc->from], graph, arc, now);
    }
    return (struct cs_ptg_subject){&graph->task[v], supply, count, now};
}

/* When the data of one predecessor are there at the latest. */
static double bound_of(const struct cs_ptg_supply *supply, int cluster, int procs)
{
    struct cs_ptg_transfer t = supply->transfer;

    t.to = cluster;
    t.receivers = procs;
    return supply->leaves + cs_ptg_transfer_bound(&t);
}

double cs_ptg_data_bound(const struct cs_ptg_subject *subject, int cluster, int procs)
{
    double date = subject->now;

    for (int i = 0; i < subject->supplies; i++) {
        double there = bound_of(&subject->supply[i], cluster, procs);

        date = there > date ? there : date;
    }
    return date;
}

double cs_ptg_data_away(const struct cs_ptg_subject *subject, int cluster, int procs)
{
    double date = subject->now;

    for (int i = 0; i < subject->supplies; i++)
        if (subject->supply[i].transfer.from != cluster) {
            double there = bound_of(&subject->supply[i], cluster, procs);

            date = there > date ? there : date;
        }
    return date;
}

double cs_ptg_data_date(const struct cs_ptg_subject *subject, int cluster, int procs, double away,
                        const struct cs_interval *set, int intervals)
{
    double date = away;

    for (int i = 0; i < subject->supplies; i++) {
        const struct cs_ptg_supply *supply = &subject->supply[i];
        struct cs_ptg_transfer t = supply->transfer;
        double there;

        if (t.from != cluster || !(bound_of(supply, cluster, procs) > date))
            continue;
        t.to = cluster;
        t.receivers = procs;
        there = supply->leaves + cs_ptg_transfer_time(&t, supply->from->set,
                                                      supply->from->intervals, set, intervals);
        date = there > date ? there : date;
    }
    return date;
}
