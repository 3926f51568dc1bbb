/* problem.h - options and studies of the problem pack, for its views. */
#ifndef CS_PACK_PROBLEM_H
#define CS_PACK_PROBLEM_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problem/launch.h"
#include "problem/problem.h"
#include "problem/traps.h"
#include "problems/pack/pack.h"

/* The functions of the problem pack's description (problem/problem.h). */
/* The metadata of a plan of packs in a file. */
/* The packs, costs and metrics of the plan, with the better of `lower_bound` (0 or NaN: none)
 * and the bound that its policy proved, without a certificate.  Lives in the arena and does not
 * need the plan.  A bound above the cost by rounding becomes the cost, so that a gap is never
 * negative. */
struct cs_pack_declared *cs_pack_declare(const struct cs_pack_instance *instance,
                                         const struct cs_pack_plan *plan, double lower_bound,
                                         struct cs_arena *arena);

/* Processors, pack size, and the profiles of the workload before any repair; measured points at
 * 1, 2, ..., n are the table of them. */
void cs_pack_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);

enum cs_pack_hand_out { CS_PACK_USED, CS_PACK_ALL };

struct cs_pack_options {
    struct cs_study_options study;
    int64_t procs, pack_size;
    struct cs_launch_options launch;
    int hand_out; /* enum cs_pack_hand_out; -1: not given */
    const char *policy, *policy_program;
    double patience; /* with the program */
    int effort;      /* -1: not given */
    double time_limit;
    int bound; /* 0 is cheap; -1: not given */
    int order; /* enum cs_pack_order */
    int64_t repeat;
    int workload; /* an index of cs_pack_workload_at, or -1 */
    int64_t tasks, made_for, workload_seed;
    const char *write_lp; /* a file, or NULL */
    struct cs_trap_options trap;
    int64_t set; /* of the trap */
};

/* The outcome of planning. */
struct cs_pack_seen {
    bool made; /* false: there is no plan, and nothing below counts */
    struct cs_pack_metrics metrics;
    int packs;
    bool optimal;
    double bound;        /* on the cost, seconds */
    double milliseconds; /* that planning took; NaN: not timed */
    double iterations;   /* that the plan notes; or NaN */
};

struct cs_pack_case {
    struct cs_study study;
    const struct cs_pack_options *options;
    unsigned action;
    struct cs_workload *workload;
    const char *runs; /* how far repeated measurements lie apart, or "" */
    struct cs_pack_instance *instance;
    struct cs_extpol *extpol;          /* the external policy of `program`, or NULL */
    const struct cs_policy_call *call; /* of each variant; NULL: only one, by an effort */
    struct cs_pack_plan **plan;        /* of each variant */
    struct cs_error *why;              /* of each variant: why it has no plan */
    double bound;                      /* what no plan costs less than; once it has run */
    double cheap, priced;              /* what of it needs no proof, and what the prices show */
    struct cs_pack_certificate prices; /* all 0: none */
    bool no_prices;                    /* what finds them is not installed */
};

/* One plan, kept. */
struct cs_pack_kept {
    struct cs_kept record;
    const struct cs_pack_plan *plan;
    const struct cs_pack_declared *declared;
};

extern const struct cs_problem cs_problem_pack;

#endif
