/* fluid.h - the links of a platform shared among transfers that are under way.
 *
 * Every transfer has one rate x, the part of it that is done in a second, and takes w x of every
 * link that it crosses, w being its bytes there.  Links are shared in rounds: each offers what is
 * left of it in equal parts to its transfers that are not yet frozen, each of those gains the least
 * of offer / w over its links, and a link that is used up freezes its transfers (the fair
 * bottleneck of SimGrid's ptask_L07).
 *
 * Links: processor p sends on link p and receives on link procs + p; 2 procs is the backbone.
 */
#ifndef CS_PTG_FLUID_H
#define CS_PTG_FLUID_H

#include "base/arena.h"
#include "ptg/network.h"

struct cs_ptg_flow {
    int id;       /* the caller's */
    double left;  /* part that is not yet done, at `since` */
    double rate;  /* per second */
    double since; /* when left and rate were set */
    double end;   /* when it will be done at this rate */
    int links;    /* length of the arrays */
    int *link;
    double *weight; /* bytes on it */
};

struct cs_ptg_fluid {
    const struct cs_platform *platform;
    struct cs_ptg_flow **flow; /* those under way */
    int flows, room;
    double *left; /* by link: capacity not yet given out */
    int *users;   /* by link: flows that are not frozen */
    int *rank;    /* by processor: scratch, -1 between calls */
    struct cs_arena *arena;
};

void cs_ptg_fluid_init(struct cs_ptg_fluid *fluid, const struct cs_platform *platform,
                       struct cs_arena *arena);

/* The flow of a transfer between these sets, not yet under way; NULL when nothing travels. */
struct cs_ptg_flow *cs_ptg_fluid_flow(struct cs_ptg_fluid *fluid, int id, double bytes,
                                      const struct cs_ptg_place *from,
                                      const struct cs_ptg_place *to);

void cs_ptg_fluid_start(struct cs_ptg_fluid *fluid, struct cs_ptg_flow *flow, double now);

/* Take out those that are done at `now` (their end is not later); their ids go to done[], which has
 * room for all.  Returns how many. */
int cs_ptg_fluid_finish(struct cs_ptg_fluid *fluid, double now, int *done);

/* Share the links anew from `now` on: after flows have started or finished. */
void cs_ptg_fluid_share(struct cs_ptg_fluid *fluid, double now);

/* The earliest end of a flow; +inf when there is none. */
double cs_ptg_fluid_next(const struct cs_ptg_fluid *fluid);

#endif
