/* board.h - one task at a time into the calendars of all clusters: holes are used, cluster and
 * width are chosen together.
 *
 * spec/ptg.md III.2.  `choose` tries a ladder of widths on every cluster, and the
 * processors of each predecessor; the least finish wins, then the least power (processors times
 * speed), then the first met.
 */
#ifndef CS_PTG_BOARD_H
#define CS_PTG_BOARD_H

#include "base/arena.h"
#include "problems/ptg/calendar.h"
#include "problems/ptg/instance.h"
#include "problems/ptg/network.h"

/* The data that come to the task along an arc. */
struct cs_ptg_supply {
    const struct cs_ptg_place *from;
    struct cs_ptg_transfer transfer;
    double leaves;
};

/* The task that is being placed. */
struct cs_ptg_subject {
    const struct cs_graph_task *task;
    const struct cs_ptg_supply *supply; /* by rising predecessor */
    int supplies;
    double now;
};

/* The task of this number, whose predecessors have been placed, not to start before `now`; data
 * leave when a predecessor ends, or with `late` now. */
struct cs_ptg_subject cs_ptg_subject_of(const struct cs_ptg_instance *in, bool fan, bool late,
                                        const struct cs_ptg_place *place, int number, double now,
                                        struct cs_arena *scratch);

/* D on so many processors of a cluster. */
double cs_ptg_data_bound(const struct cs_ptg_subject *subject, int cluster, int procs);

/* The same for what comes from other clusters only; `now` when nothing does. */
double cs_ptg_data_away(const struct cs_ptg_subject *subject, int cluster, int procs);

/* D' on these processors, where `away` is the date above. */
double cs_ptg_data_date(const struct cs_ptg_subject *subject, int cluster, int procs, double away,
                        const struct cs_interval *set, int intervals);

struct cs_ptg_board {
    const struct cs_ptg_instance *in;
    bool fan;
    struct cs_ptg_place *place; /* by number; procs 0 until it is placed */
    struct cs_ptg_calendar *calendar;
    struct cs_interval *room; /* scratch: the set that was examined last */
    uint64_t *set, *like;     /* scratch */
    struct cs_arena *arena;   /* keeps the sets of places */
    struct cs_arena *scratch; /* as before after every call */
};

/* Where a task could run. */
struct cs_ptg_spot {
    int cluster, procs;
    const struct cs_ptg_place *like; /* exactly there; NULL: those that were busy last before
                                        `date`, of those that are idle */
    double date, start, finish;
};

void cs_ptg_board_init(struct cs_ptg_board *board, const struct cs_ptg_instance *in, bool fan,
                       struct cs_ptg_place *place, struct cs_arena *arena,
                       struct cs_arena *scratch);

/* place: so many processors of a cluster as soon as they can be had; finish is +inf when that ends
 * after `limit`, for sure. */
struct cs_ptg_spot cs_ptg_board_place(struct cs_ptg_board *board,
                                      const struct cs_ptg_subject *subject, int cluster, int procs,
                                      double limit);

/* on: exactly the processors of that place. */
struct cs_ptg_spot cs_ptg_board_on(struct cs_ptg_board *board, const struct cs_ptg_subject *subject,
                                   const struct cs_ptg_place *like, double limit);

/* The limits of a choice. */
struct cs_ptg_terms {
    double efficiency; /* no width below this */
    double cap;        /* flop/s that the task may use; +inf: any */
};

/* The greatest width of the task of this number on a cluster, or less than its least width: none.
 */
int cs_ptg_board_top(const struct cs_ptg_instance *in, int number, int cluster,
                     const struct cs_ptg_terms *terms);

/* Place the task of this number, whose predecessors have been placed, where it ends first. */
void cs_ptg_board_choose(struct cs_ptg_board *board, int number, double now,
                         const struct cs_ptg_terms *terms);

/* Write the task into its place. */
void cs_ptg_board_commit(struct cs_ptg_board *board, int number, const struct cs_ptg_spot *spot,
                         double seconds);

#endif
