/* loads.h - packs as load vectors, for searches that try many small changes.
 *
 * load[b][v] is the sum of need(i, v) over the tasks of pack b.  The cost of a pack without
 * a task, with another, or both, is one binary search over single entries of these vectors, and
 * no processor is assigned before the search ends.
 *
 * Packs are slots 0 .. slots - 1; a slot may be empty (level -1, cost 0).
 */
#ifndef CS_PACK_LOADS_H
#define CS_PACK_LOADS_H

#include "problems/pack/levels.h"
#include "problems/pack/policy.h"

struct cs_pack_slot {
    int size, room;  /* tasks in it; length of member */
    int level;       /* of its cost; -1 when it is empty */
    int64_t changed; /* when tasks last came or went */
    int64_t tried;   /* when all divisions with other slots were last tried */
    int *member;     /* in no particular order */
    uint32_t *load;  /* one sum for every level */
};

struct cs_pack_loads {
    const struct cs_pack_levels *levels;
    struct cs_arena *arena;
    int tasks, pack_size, slots;
    struct cs_pack_slot *slot; /* room for tasks + 1 */
    int *slot_of;              /* for every task */
    int *place;                /* for every task: where in member */
    int *without;              /* for every task: the level of its pack without it */
    int64_t *done;             /* for every task: when all changes around it were last tried */
    int *limit;                /* scratch of descent: for every slot */
    int64_t clock;             /* counts the changes, for `changed`, `tried` and `done` */
    double total;              /* the sum of the costs */
};

/* The packs of the plan as load vectors, in the arena, with one empty slot.  NULL if a pack fits
 * at no level, which happens only where units are coarse. */
struct cs_pack_loads *cs_pack_loads_create(const struct cs_pack_levels *levels,
                                           const struct cs_pack_instance *in,
                                           const struct cs_pack_plan *plan, struct cs_arena *arena);

/* Make them a plan, slot by slot, tasks by index, processors by Algorithm 1. */
void cs_pack_loads_write(const struct cs_pack_loads *loads, const struct cs_pack_instance *in,
                         struct cs_pack_plan *plan);

/* The first level from `from` on where load - minus + plus fits, or the number of levels.  The
 * rows of needs may be levels->zero. */
int cs_pack_loads_fit(const struct cs_pack_levels *levels, const uint32_t *load,
                      const uint16_t *minus, const uint16_t *plus, int from);

/* Take the task out of its slot and put it into another.  Call settle on every slot that
 * changed before asking for costs again. */
void cs_pack_loads_move(struct cs_pack_loads *loads, int task, int to);
void cs_pack_loads_settle(struct cs_pack_loads *loads, int slot);

/* An empty slot: the one there is, or a new one at the end. */
int cs_pack_loads_empty_slot(struct cs_pack_loads *loads);

static inline double cs_pack_loads_cost(const struct cs_pack_loads *loads, int slot)
{
    return cs_pack_levels_cost(loads->levels, loads->slot[slot].level);
}

#endif
