// lemon.cc - MaxWeightedMatching on 64-bit integers: exact, and it ends.
#include "problems/pack/lemon.h"

// In place of LEMON's lock, which stays locked when memory runs out behind it: its destructors
// would wait for ever.  A graph here belongs to one thread.
#define LEMON_BITS_LOCK_H
namespace lemon
{
namespace bits
{
class Lock
{
  public:
    void lock()
    {
    }
    void unlock()
    {
    }
};
} // namespace bits
} // namespace lemon

// gcc from 14 on finds members of LEMON's vectors without a value, which LEMON sets before it reads
// them.
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <lemon/matching.h>
#include <lemon/smart_graph.h>
#include <new>

typedef lemon::SmartGraph Graph;
typedef Graph::EdgeMap<int64_t> Weights;
typedef lemon::MaxWeightedMatching<Graph, Weights> Matching;

const int cs_pack_lemon_scale = Matching::dualScale;

static void match(int nodes, int edges, const int *a, const int *b, const int64_t *weight,
                  int *mate, int64_t *dual)
{
    Graph graph;
    Weights weights(graph);

    graph.reserveNode(nodes);
    graph.reserveEdge(edges);
    for (int i = 0; i < nodes; i++)
        graph.addNode();
    for (int e = 0; e < edges; e++)
        weights[graph.addEdge(graph.nodeFromId(a[e]), graph.nodeFromId(b[e]))] = weight[e];
    Matching matching(graph, weights);
    matching.run();
    for (int i = 0; i < nodes; i++) {
        Graph::Node partner = matching.mate(graph.nodeFromId(i));

        mate[i] = partner == lemon::INVALID ? -1 : graph.id(partner);
        dual[i] = matching.nodeValue(graph.nodeFromId(i));
    }
}

int cs_pack_lemon_match(int nodes, int edges, const int *a, const int *b, const int64_t *weight,
                        int *mate, int64_t *dual)
{
    try {
        match(nodes, edges, a, b, weight, mate, dual);
    } catch (const std::bad_alloc &) {
        return -1;
    }
    return 0;
}
