/* events.c - releases and ends, date by date.
 *
 * Source: spec/ptg.md 4, the events of the loop.
 *
 * Invariants
 *   - all events of one date are taken together, ends (by task number) before releases (by
 *     graph).
 *   - waits[v] is the number of predecessors that have not ended; a task becomes ready when it is
 *     0 and its graph is released.
 *   - left[g] is -1 before the release, then the number of tasks that have not ended.
 *   - ready[] and ended[] are those of the last date only; callers sort ready[] by their
 *     priority.
 *
 * Complexity: O(log n) for an event, n tasks and graphs, and the outgoing arcs of each end.  Tasks
 * of length 0 end at the same date, which is then taken again.
 */
#include "problems/ptg/events.h"

#include <string.h>

void cs_ptg_events_init(struct cs_ptg_events *events, const struct cs_ptg_instance *in,
                        struct cs_arena *arena)
{
    *events = (struct cs_ptg_events){
        .in = in,
        .waits = CS_NEW_ARRAY(arena, int, in->tasks),
        .left = CS_NEW_ARRAY(arena, int, in->graphs),
        .fresh = CS_NEW_ARRAY(arena, bool, in->graphs),
        .ready = CS_NEW_ARRAY(arena, int, in->tasks),
        .ended = CS_NEW_ARRAY(arena, int, in->tasks),
    };
    cs_heap_init(&events->heap, in->tasks + in->graphs, arena);
    for (int g = 0; g < in->graphs; g++) {
        const struct cs_graph *graph = in->graph[g];

        events->left[g] = -1;
        cs_heap_push(&events->heap, in->tasks + g, in->release[g]);
        for (int v = 0; v < graph->tasks; v++)
            events->waits[in->first[g] + v] = graph->first_in[v + 1] - graph->first_in[v];
    }
}

static void events_release(struct cs_ptg_events *e, int g)
{
    int first = e->in->first[g];

    e->left[g] = e->in->graph[g]->tasks;
    e->fresh[g] = true;
    for (int v = first; v < e->in->first[g + 1]; v++)
        if (e->waits[v] == 0)
            e->ready[e->readies++] = v;
}

/* Successors whose last predecessor this was are ready now. */
static void end_task(struct cs_ptg_events *e, int number)
{
    int g = e->in->graph_of[number], first = e->in->first[g], v = number - first;
    const struct cs_graph *graph = e->in->graph[g];

    e->left[g]--;
    e->ended[e->endings++] = number;
    for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++) {
        int to = first + graph->arc[a].to;

        if (--e->waits[to] == 0)
            e->ready[e->readies++] = to;
    }
}

struct cs_ptg_happened cs_ptg_events_take(struct cs_ptg_events *events, double now)
{
    const struct cs_ptg_instance *in = events->in;
    struct cs_ptg_happened what = {0};

    events->readies = events->endings = 0;
    memset(events->fresh, 0, (size_t)in->graphs * sizeof *events->fresh);
    while (events->heap.count > 0 && cs_heap_top_key(&events->heap) == now) {
        int id = cs_heap_pop(&events->heap);

        if (id >= in->tasks) {
            events_release(events, id - in->tasks);
            what.arrival = true;
        } else {
            end_task(events, id);
            what.completion |= events->left[in->graph_of[id]] == 0;
        }
    }
    return what;
}
