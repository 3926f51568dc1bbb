/* map.h - one task at a time onto processors of one cluster.
 *
 * A struct cs_ptg_map knows where every task that was placed runs, and from when on every
 * processor is free; processors are used from then on only (no backfilling).  spec/ptg.md 4:
 * on every cluster the allocation is translated, placed at the latest free
 * processors that do for its data, and shrunk when it would wait for processors (packing); the
 * cluster with the earliest finish wins.
 */
#ifndef CS_PTG_MAP_H
#define CS_PTG_MAP_H

#include "base/arena.h"
#include "ptg/avail.h"
#include "ptg/instance.h"
#include "ptg/reference.h"

/* Widening (spec/ptg.md III.3): a task may also have more processors of a cluster
 * than its allocation comes to there, where its precedence level leaves some of its graph's share
 * and the efficiency allows. */
struct cs_ptg_widen {
    double efficiency;  /* no width below it */
    const double *beta; /* by graph: its share */
    double **used;      /* by graph and level: flop/s of its tasks, as allocated or as placed */
};

struct cs_ptg_map {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_options *options;
    const struct cs_ptg_reference *reference;
    struct cs_ptg_place *place;       /* by number; procs 0 until it is placed */
    const int *allocation;            /* by number */
    struct cs_ptg_avail *avail;       /* by cluster */
    const struct cs_ptg_widen *widen; /* NULL: none */
    struct cs_arena *arena;           /* keeps sets */
    struct cs_arena *scratch;         /* as before after every call */
};

/* All that is pointed to is the caller's. */
void cs_ptg_map_init(struct cs_ptg_map *map, const struct cs_ptg_instance *in,
                     const struct cs_ptg_options *options, const struct cs_ptg_reference *reference,
                     struct cs_ptg_place *place, const int *allocation, struct cs_arena *arena,
                     struct cs_arena *scratch);

/* From now on; allocations are known.  used[][] is made, the rest is the caller's. */
void cs_ptg_map_widen(struct cs_ptg_map *map, struct cs_ptg_widen *widen);

/* Place the task of this number, whose predecessors have been placed, not to start before `now`. */
void cs_ptg_map_place(struct cs_ptg_map *map, int number, double now);

/* Take back all placements that start after `now`; tasks taken back have procs 0.  Returns how many
 * there were. */
int cs_ptg_map_revoke(struct cs_ptg_map *map, double now);

#endif
