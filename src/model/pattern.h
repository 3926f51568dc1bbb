/* pattern.h - patterns of verifications, memory and disk checkpoints against two kinds of errors.
 *
 * Source: docs/spec/science.md 11; Benoit, Cavelan, Robert, Sun 2016 (two papers). A pattern has
 * `segments` of `chunks` of `work` seconds. A verification follows each chunk, a memory checkpoint
 * each segment, a disk checkpoint the last one. Silent errors strike work and are found by the next
 * verification; fail-stop errors strike work, verifications and checkpoints; a share of them
 * destroys the memory checkpoint too. Nothing strikes during downtime and recoveries.
 */
#ifndef CS_MODEL_PATTERN_H
#define CS_MODEL_PATTERN_H

#include "base/stats.h"

#include <cosched/error.h>
#include <stdint.h>

/* Seconds, and errors a second on all processors in use. */
struct cs_pattern_costs {
    double verification, memory, disk;
    double downtime, memory_recovery, disk_recovery;
    double silent, fail_stop;
    double fatal; /* share of the fail-stop errors after which only the disk checkpoint is left */
};

struct cs_pattern {
    int segments, chunks;
    double work; /* of a chunk, seconds */
};

#define CS_PATTERN_MOST 1000 /* segments and chunks */

/* -1 with err, which begins with --NAME of the option at fault. */
int cs_pattern_costs_check(const struct cs_pattern_costs *costs, struct cs_error *err);

/* The pattern of least overhead to the first order; *overhead, or NULL, is that. */
struct cs_pattern cs_pattern_first_order(const struct cs_pattern_costs *costs, double *overhead);

/* The same with these segments and chunks: only `work` is set. */
double cs_pattern_first_order_work(const struct cs_pattern_costs *costs, int segments, int chunks,
                                   double *overhead);

/* The expected time of one pattern; +inf if it is too long to be a number. */
double cs_pattern_expected(const struct cs_pattern_costs *costs, const struct cs_pattern *pattern);

/* Time lost per second of work: expected / work - 1. */
double cs_pattern_overhead(const struct cs_pattern_costs *costs, const struct cs_pattern *pattern);

/* The pattern with these segments and chunks whose overhead is least. */
struct cs_pattern cs_pattern_best(const struct cs_pattern_costs *costs, int segments, int chunks);

/* The times of `runs` patterns with random errors. */
struct cs_stats cs_pattern_simulate(const struct cs_pattern_costs *costs,
                                    const struct cs_pattern *pattern, uint64_t seed, int64_t runs);

/* ---- of a task on some processors ---- */

/* Costs on one processor (j-ths on j), mean times between the errors of one processor. */
struct cs_pattern_task {
    double verification, checkpoint, disk, downtime, mtbf, silent_mtbf;
};

/* The patterns of so many seconds of work: `whole` of them and one more, `rest`, which has no
 * segments if no work is left for it.  Segments are numbered through all patterns, from 0. */
struct cs_pattern_layout {
    struct cs_pattern_costs costs;
    struct cs_pattern pattern, rest;
    double whole;
    double fault_free; /* seconds without errors */
    double each;       /* expected time of a whole pattern */
};

struct cs_pattern_layout cs_pattern_lay_out(const struct cs_pattern_task *task, int procs,
                                            double seconds);

/* The same in two steps: what does not depend on the work, and the patterns of so much work. */
struct cs_pattern_layout cs_pattern_form(const struct cs_pattern_task *task, int procs);
void cs_pattern_fill(struct cs_pattern_layout *layout, double seconds);

/* The expected time of all patterns, and of the segments from one on. */
double cs_pattern_layout_expected(const struct cs_pattern_layout *layout);
double cs_pattern_expected_from(const struct cs_pattern_layout *layout, double segment);

/* How many segments there are, and the pattern of one. */
double cs_pattern_segments(const struct cs_pattern_layout *layout);
const struct cs_pattern *cs_pattern_of(const struct cs_pattern_layout *layout, double segment);

/* The first segment of the pattern of this one: there a disk checkpoint is read. */
double cs_pattern_disk(const struct cs_pattern_layout *layout, double segment);

/* Seconds of work, and seconds without errors, before a segment begins. */
double cs_pattern_work_before(const struct cs_pattern_layout *layout, double segment);
double cs_pattern_time_before(const struct cs_pattern_layout *layout, double segment);

/* Where a layout is after so many seconds without errors, from segment `from` on: the segment, the
 * chunks of it that are verified, and the seconds since then. */
struct cs_pattern_place {
    double segment;
    int chunks;
    double rest;
};
struct cs_pattern_place cs_pattern_find(const struct cs_pattern_layout *layout, double from,
                                        double seconds);

/* The chunk that is computed after so many seconds of work from segment `from` on: `rest` is 0;
 * segment -1: none, the work is done before. */
struct cs_pattern_place cs_pattern_find_work(const struct cs_pattern_layout *layout, double from,
                                             double work);

#endif
