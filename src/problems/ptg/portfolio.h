/* portfolio.h - many plans of one instance, and the best of them for an objective.
 *
 * spec/ptg.md III.5: the shares of the paper as they are and widened, and joint
 * choices of several efficiencies; 11 members for one graph, 28 for several.  They are judged by
 * their own dates or by those of the fluid replay, where transfers contend.  Above 20,000 tasks
 * only the shares, widened too, and joint-level 0.05 are tried, and planned dates judge.
 */
#ifndef CS_PTG_PORTFOLIO_H
#define CS_PTG_PORTFOLIO_H

#include "base/arena.h"
#include "problems/ptg/instance.h"

enum cs_ptg_objective {
    CS_PTG_MAKESPAN, /* the end of all */
    CS_PTG_STRETCH,  /* the largest time of a graph over its time alone */
    CS_PTG_TRADE,    /* end over the least end, plus mean stretch over the least mean stretch */
};

struct cs_ptg_member {
    char name[32];
    struct cs_ptg_plan *plan;
    struct cs_ptg_plan *replayed; /* NULL unless the replay judges */
};

struct cs_ptg_contest {
    const struct cs_ptg_instance *in;
    int members;
    struct cs_ptg_member *member;
    double *alone;                /* by graph: as judged, of the member that is planned shortest */
    const char **alone_by;        /* its name */
    double least_end, least_mean; /* of the members, as judged */
    struct cs_arena *arena;
};

/* All members; with `fluid` their replays judge.  Members run on as many threads; results do not
 * depend on it. */
struct cs_ptg_contest *cs_ptg_contest_create(const struct cs_ptg_instance *in,
                                             const struct cs_ptg_options *options, bool fluid,
                                             int threads);
void cs_ptg_contest_destroy(struct cs_ptg_contest *contest);

/* The value of a plan; less is better.  `judged` is the plan itself, or its replay. */
double cs_ptg_contest_value(const struct cs_ptg_contest *contest, const struct cs_ptg_plan *judged,
                            enum cs_ptg_objective objective);

/* The member of least value, the first of equals. */
int cs_ptg_contest_best(const struct cs_ptg_contest *contest, enum cs_ptg_objective objective);

struct cs_ptg_portfolio {
    enum cs_ptg_objective objective;
    bool fluid;    /* replays judge */
    int moves;     /* of a search on the winner, kept if it is judged better */
    uint64_t seed; /* of that */
    int threads;
};

/* The best member's plan; the caller destroys it. */
struct cs_ptg_plan *cs_ptg_portfolio_plan(const struct cs_ptg_instance *in,
                                          const struct cs_ptg_options *options,
                                          const struct cs_ptg_portfolio *how);

#endif
