/* traps.h - instances with known optima as options of problems: rows that they share, and the
 * instances of 3-PARTITION.
 */
#ifndef CS_PROBLEM_TRAPS_H
#define CS_PROBLEM_TRAPS_H

#include "base/strbuf.h"
#include "model/graph.h"
#include "model/platform.h"
#include "model/trap.h"
#include "problem/param.h"

#include <cosched/workload.h>

/* Unset: NULL, CS_PARAM_NONE, -1. */
struct cs_trap_options {
    const char *name;
    int answer; /* 0 yes, 1 no */
    int64_t triples, bound, spread;
    const char *numbers;
};

#define CS_TRAP_AT(at_, member) (at_) + offsetof(struct cs_trap_options, member)

#define CS_ROW_TRAP(names_, what_, actions_, at_)                                                  \
    {                                                                                              \
        .name = "trap", .kind = CS_PARAM_TEXT, .argument = names_,                                 \
        .group = "Instances with known optima", .summary = what_, .words = names_,                 \
        .actions = actions_, .scope = CS_SCOPE_GENERATOR, .at = at_                                \
    }

/* A whole number of a trap, up to 10^9. */
#define CS_ROW_TRAP_WHOLE(word, argument_, low_, what_, actions_, at_)                             \
    {                                                                                              \
        .name = word, .needs = "trap", .kind = CS_PARAM_INTEGER, .argument = argument_,            \
        .low = low_, .high = 1000000000, .summary = what_, .actions = actions_,                    \
        .scope = CS_SCOPE_GENERATOR, .at = at_                                                     \
    }

/* Of the trap three-partition. Experiments have other parameters `bound`. */
#define CS_ROWS_TRAP_PARTITION(actions_, at_)                                                      \
    {.name = "answer",                                                                             \
     .needs = "trap",                                                                              \
     .kind = CS_PARAM_CHOICE,                                                                      \
     .choices = "yes|no",                                                                          \
     .summary =                                                                                    \
         "three-partition: numbers that can be split into triples, or, with a certificate, "       \
         "that cannot (default: yes)",                                                             \
     .actions = actions_,                                                                          \
     .scope = CS_SCOPE_GENERATOR,                                                                  \
     .at = CS_TRAP_AT(at_, answer)},                                                               \
        CS_ROW_TRAP_WHOLE("triples", "M", 0, "three-partition: how many (default: 4)", actions_,   \
                          CS_TRAP_AT(at_, triples)),                                               \
        CS_ROW_TRAP_WHOLE("bound", "B", 0,                                                         \
                          "three-partition with the answer yes: sum of each triple (default: 40)", \
                          CS_GENERATE, CS_TRAP_AT(at_, bound)),                                    \
        CS_ROW_TRAP_WHOLE("triple-sum", "B", 9,                                                    \
                          "three-partition with the answer yes: sum of each triple (default: 40)", \
                          CS_EXPERIMENT, CS_TRAP_AT(at_, bound)),                                  \
        CS_ROW_TRAP_WHOLE("spread", "K", 0,                                                        \
                          "three-partition with the answer no: how far numbers lie apart, in "     \
                          "triples (default: 4)",                                                  \
                          actions_, CS_TRAP_AT(at_, spread)),                                      \
    {                                                                                              \
        .name = "numbers", .needs = "trap", .kind = CS_PARAM_TEXT, .argument = "A,B,...",          \
        .summary = "three-partition: these numbers; a search decides up to 12 triples",            \
        .actions = actions_, .scope = CS_SCOPE_GENERATOR, .at = CS_TRAP_AT(at_, numbers)           \
    }

/* Is the name one of `names` ("a|b")?  -1 with err. */
int cs_trap_check(const char *problem, const char *names, const char *name, struct cs_error *err);

/* The numbers that the options describe; NULL with err. */
struct cs_partition *cs_trap_partition(const struct cs_trap_options *options, uint64_t seed,
                                       uint64_t set, struct cs_arena *arena, struct cs_error *err);

/* The instance of a trap. */
struct cs_trap_instance {
    const char *problem;
    int procs, pack_size; /* pack_size 0: none */
};

/* Append {"optimum", "at_least", "at_most", "procs", "trap", "why"} of an instance whose optimum is
 * `yes` if there are triples, and at least `no` otherwise. */
void cs_trap_put_partition(const struct cs_partition *partition, double yes, double no,
                           const struct cs_trap_instance *instance, struct cs_strbuf *out);

/* The workload of the trap three-partition for pack, malleable or moldable, or of the trap parallel
 * for pack. NULL with err.  The caller destroys it. */
struct cs_workload *cs_trap_workload_pack(const struct cs_trap_options *options, int64_t pack_size,
                                          int64_t tasks, int64_t procs, uint64_t seed, uint64_t set,
                                          struct cs_error *err);
struct cs_workload *cs_trap_workload_malleable(const struct cs_trap_options *options, uint64_t seed,
                                               uint64_t set, struct cs_error *err);
struct cs_workload *cs_trap_workload_moldable(const struct cs_trap_options *options, uint64_t seed,
                                              uint64_t set, struct cs_error *err);

/* The graph of the trap three-partition, and, unless platform is NULL, its machine. NULL with err;
 * the caller destroys both. */
struct cs_graph *cs_trap_graph(const struct cs_trap_options *options, uint64_t seed, uint64_t set,
                               struct cs_platform **platform, struct cs_error *err);

#endif
