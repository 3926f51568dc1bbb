/* trap.h - hard and tight instances: their numbers, before a problem makes an instance of them.
 *
 * Source: docs/spec/science.md 3. The optimum of such an instance, or a bound on it, is known from
 * a proof.
 */
#ifndef CS_MODEL_TRAP_H
#define CS_MODEL_TRAP_H

#include "base/arena.h"
#include "model/profile.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- 3-PARTITION: can 3 M numbers be split into M triples with the sum B? ---- */

enum cs_answer { CS_ANSWER_OPEN, CS_ANSWER_YES, CS_ANSWER_NO };

/* "yes", "no"; NULL for an open one. */
const char *cs_answer_name(enum cs_answer answer);

struct cs_partition {
    int triples; /* M */
    int *number; /* 3 M, each above bound / 4 and below bound / 2 */
    int bound;   /* B */
    int largest;
    enum cs_answer answer;
    int *triple;          /* yes: the triple of each number, from 0; else NULL */
    int modulus, residue; /* a no of cs_partition_draw_no: all numbers are `residue` modulo
                             `modulus`, and bound is not 3 residue; else 0 */
};

#define CS_PARTITION_TRIPLES 100000 /* at most */
#define CS_PARTITION_SEARCHED 12    /* triples up to which given numbers are decided */

/* The instance in the arena; NULL with err, which begins with --NAME of the option at fault. */
struct cs_partition *cs_partition_draw_yes(int64_t triples, int64_t bound, uint64_t seed,
                                           uint64_t set, struct cs_arena *arena,
                                           struct cs_error *err);
struct cs_partition *cs_partition_draw_no(int64_t triples, int64_t spread, uint64_t seed,
                                          uint64_t set, struct cs_arena *arena,
                                          struct cs_error *err);
struct cs_partition *cs_partition_given(const int *number, int count, struct cs_arena *arena,
                                        struct cs_error *err);

/* Tasks and a machine, in the arena. */
struct cs_trap_table {
    int tasks, procs;
    struct cs_profile *profile;
    double deadline; /* the optimum of a yes */
};

/* The tasks of Theorem 2 of Aupy et al. for packs of that size; NULL with err below 3. */
struct cs_trap_table *cs_partition_pack(const struct cs_partition *partition, int64_t pack_size,
                                        struct cs_arena *arena, struct cs_error *err);

/* The tasks of Theorem 2 of Benoit, Pottier, Robert on 4 M pairs of processors. */
struct cs_trap_table *cs_partition_malleable(const struct cs_partition *partition,
                                             struct cs_arena *arena);

/* Between two even counts of a row: the least time with which work does not fall, and never less
 * than on the larger one. */
void cs_trap_fill_odd(double *row, int procs);

/* Perfectly parallel tasks of one second, more than processors, for PACK-APPROX; NULL with err. */
struct cs_trap_table *cs_trap_parallel(int64_t tasks, int64_t procs, struct cs_arena *arena,
                                       struct cs_error *err);

/* ---- bi-cliques ---- */

struct cs_biclique {
    int hosts, slots, planted_hosts, planted_slots; /* V, W, A, B */
    double density;                                 /* share of slots in which others are up */
    bool free;                                      /* part (ii): see cs_biclique_draw */
    int *host, *slot;                               /* the planted ones, ascending */
    int columns; /* slots, and the ones after them in part (ii) */
    bool *up;    /* hosts rows of `columns` */
    int tasks, slots_a_task, capacity;
    int at_most; /* slots in which one iteration can be done */
};

/* Fill the members from `host` on; those above are given. -1 with err, as above. */
int cs_biclique_draw(struct cs_biclique *biclique, uint64_t seed, uint64_t set,
                     struct cs_arena *arena, struct cs_error *err);

/* ---- jobs that may have to run again ---- */

struct cs_trap_jobs {
    int count, procs;
    double *seconds;
    int *width;
    int64_t *failures;
    double optimum;
    double proven;     /* the ratio that a theorem guarantees; NaN: none */
    const char *known; /* the text of the key `known`; NULL while it is not made */
};

/* Proposition 2 of Benoit et al. 2021 reached on so many processors; NULL with err. */
struct cs_trap_jobs *cs_trap_greedy(int64_t procs, struct cs_arena *arena, struct cs_error *err);

/* Proposition 1 reached in the limit: Q groups, S slots. */
struct cs_trap_jobs *cs_trap_ljf(int64_t groups, int64_t slots, struct cs_arena *arena,
                                 struct cs_error *err);

/* The expected makespans on the jobs of Proposition 3, t_j = unit / j, when an attempt of t seconds
 * fails with probability 1 - exp(- rate t): of shelves, and of the optimum. */
double cs_trap_shelf_expected(int procs, double unit, double rate);
double cs_trap_shelf_optimum(int procs, double unit, double rate);

#endif
