/* nodes.h - long sums over whole t >= 1 as short ones: Gauss rules of discrete uniform measures.
 *
 * The sum of f(t) over t = 1, 2, ... is the sum of weight[j] f(t[j]) for an f that is a sum of
 * decaying exponentials: the first t are taken one by one, then ten nodes stand for all t of a
 * panel [a, 1.75 a).  spec/volatile.md 3.3 (b).
 */
#ifndef CS_VOLATILE_NODES_H
#define CS_VOLATILE_NODES_H

#include "base/arena.h"

struct cs_volatile_nodes {
    int count;
    const double *t, *weight;
};

/* Nodes 1 .. exact one by one, then panels until `last`.  Lives in the arena. */
struct cs_volatile_nodes cs_volatile_nodes_create(int exact, double last, struct cs_arena *arena);

#endif
