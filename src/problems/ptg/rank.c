/* rank.c - upward ranks.
 *
 * Source: spec/ptg.md III.3, "Rank".
 *
 * Idea: the rank of a task is the longest path from it to the end of its graph, with times on a
 * mean processor and transfers over a mean link, each task on as many processors as its efficiency
 * allows.
 *
 * Invariants
 *   - the rank of a task is not below those of its successors; cs_ptg_rank_order breaks ties by
 *     the topological order, so the order of all tasks is topological.
 *
 * Complexity: O(V + A) for ranks, O(V) for the order.
 *
 * Constants
 *   name              value  unit        found by           half, double
 *   least efficiency  0.5    efficiency  spec/ptg.md III.3  not measured
 * With one processor for each task instead, random graphs end at 1.078 times the bound instead of
 * 1.047; other families do not differ (spec/ptg.md III.3).
 */
#include "problems/ptg/rank.h"

#include "base/order.h"
#include "problems/ptg/width.h"

#include <math.h>

/* Means over all processors, and the largest cluster. */
struct mean {
    double speed, latency, bandwidth;
    int largest;
};

static struct mean mean_of(const struct cs_ptg_instance *in)
{
    const struct cs_platform *p = in->platform;
    struct mean mean = {.speed = in->power / p->procs};

    for (int k = 0; k < p->clusters; k++) {
        const struct cs_cluster *c = &p->cluster[k];

        mean.latency += c->procs * c->latency;
        mean.bandwidth += c->procs * c->bandwidth;
        mean.largest = c->procs > mean.largest ? c->procs : mean.largest;
    }
    mean.latency /= p->procs;
    mean.bandwidth /= p->procs;
    return mean;
}

static void rank_graph(const struct cs_graph *graph, const struct mean *mean, double efficiency,
                       double *rank, int *width)
{
    for (int i = graph->tasks - 1; i >= 0; i--) {
        int v = graph->order[i];
        const struct cs_graph_task *task = &graph->task[v];
        double after = 0;

        width[v] =
            efficiency > 1 ? 1 : cs_ptg_width_efficient(task->alpha, efficiency, mean->largest);
        for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++) {
            const struct cs_graph_arc *arc = &graph->arc[a];
            int links = width[v] < width[arc->to] ? width[v] : width[arc->to];
            double variant =
                arc->bytes > 0 ? 2 * mean->latency + arc->bytes / (mean->bandwidth * links) : 0;

            after = fmax(after, rank[arc->to] + variant);
        }
        rank[v] = cs_graph_task_time(task, width[v], mean->speed) + after;
    }
}

void cs_ptg_rank(const struct cs_ptg_instance *in, double efficiency, double *rank,
                 struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *width = CS_NEW_ARRAY(scratch, int, in->tasks);
    struct mean mean = mean_of(in);

    for (int g = 0; g < in->graphs; g++)
        rank_graph(in->graph[g], &mean, fmax(efficiency, 0.5), rank + in->first[g],
                   width + in->first[g]);
    cs_arena_rewind(scratch, mark);
}

double cs_ptg_rank_largest(const struct cs_ptg_instance *in, const double *rank, int graph)
{
    double largest = 0;

    for (int v = in->first[graph]; v < in->first[graph + 1]; v++)
        largest = fmax(largest, rank[v]);
    return largest;
}

void cs_ptg_rank_order(const struct cs_ptg_instance *in, const double *key, int *order,
                       struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *sorted = CS_NEW_ARRAY(scratch, double, in->tasks);

    for (int i = 0; i < in->tasks; i++)
        sorted[i] = key[in->sequence[i]];
    cs_order_descending(sorted, in->tasks, order, scratch);
    for (int i = 0; i < in->tasks; i++)
        order[i] = in->sequence[order[i]];
    cs_arena_rewind(scratch, mark);
}
