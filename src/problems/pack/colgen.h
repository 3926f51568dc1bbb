/* colgen.h - a linear program over all packs, by column generation.
 *
 * Its value is a lower bound on every plan.  Cardinality rows lift it: at least r + 1 packs
 * cost as much as the (r K + 1)-th largest time on all processors, K tasks a pack.  At any
 * moment Farley's bound holds: prices under which no pack is worth more than `theta` times
 * its cost prove (value of the prices) / theta.  Prices are smoothed: each round prices at a
 * point between the best prices so far and those of the master (in-out separation).
 *
 * With many tasks prices are sought first among few (hats.h), then among more and more: each
 * stage starts from the columns and the best prices of the one before.
 */
#ifndef CS_PACK_COLGEN_H
#define CS_PACK_COLGEN_H

#include "model/policy.h"
#include "problems/pack/master.h"

struct cs_pack_approach;

struct cs_pack_colgen {
    const struct cs_pack_candidates *c;
    struct cs_pack_master *master;
    struct cs_pack_hats *hats; /* the master's */
    double scale;
    struct cs_pack_price price;
    struct cs_arena *arena, *scratch;
    double *center; /* the prices with the best bound; room for center_room rows */
    int center_rows, center_room;
    double value;                      /* of the master, when last solved */
    double bound;                      /* proven, for the limits as they are */
    bool added;                        /* columns, since the master was solved */
    struct cs_pack_approach *approach; /* to all tasks together, where it is possible */
    bool shared;                       /* all that shared prices can prove is proven */
    int knots;                         /* of the next stage of shared prices */
    double before;                     /* the bound when its last stage began */
    long rounds;
    double tolerance; /* relative, of the bound; 0 is as exact as can be */
    long most_rounds; /* end when so many have been made; 0 for no limit */
};

enum cs_pack_colgen_end {
    CS_PACK_COLGEN_DONE = 1, /* the master's value is the bound */
    CS_PACK_COLGEN_ROUGH,    /* most_rounds were made */
    CS_PACK_COLGEN_REACHED,  /* the bound has reached the target */
    CS_PACK_COLGEN_EXPIRED,
};

/* Beyond these sizes the linear program is out of reach. */
#define CS_PACK_COLGEN_TASKS 20000
#define CS_PACK_COLGEN_TIMES ((size_t)1 << 22)

bool cs_pack_colgen_possible(const struct cs_pack_instance *in);

/* No pack of a cheaper plan costs more, nor does any of this one. */
double cs_pack_colgen_most(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                           struct cs_arena *scratch);

/* `most` is the cost of a known plan, which sets the scale. */
void cs_pack_colgen_init(struct cs_pack_colgen *g, const struct cs_pack_candidates *c, double most);
void cs_pack_colgen_release(struct cs_pack_colgen *g);

void cs_pack_colgen_seed_plan(struct cs_pack_colgen *g, const struct cs_pack_plan *plan);

/* The first part of it: prices that leave no more than this share of the bound in doubt
 * (approach.h), or all that shared prices prove.  Called again, it continues. */
enum cs_pack_colgen_end cs_pack_colgen_near(struct cs_pack_colgen *g, double near, double target,
                                            const struct cs_policy_context *context);

/* The whole problem: from shared prices, where there are many tasks, to a separate price for
 * each (not when near costs share a candidate).  Like cs_pack_colgen_run(). */
enum cs_pack_colgen_end cs_pack_colgen_root(struct cs_pack_colgen *g, double target,
                                            const struct cs_policy_context *context);

/* Has every task a row?  Limits and covers are for then. */
bool cs_pack_colgen_is_full(const struct cs_pack_colgen *g);

/* Generate columns until the bound is as good as the value, or at least `target`. */
enum cs_pack_colgen_end cs_pack_colgen_run(struct cs_pack_colgen *g, double target,
                                           const struct cs_policy_context *context);

/* A new problem for other limits: the bound starts again, the prices serve as centre. */
void cs_pack_colgen_restart(struct cs_pack_colgen *g, const double *center, int rows);

#endif
