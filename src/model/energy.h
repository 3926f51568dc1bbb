/* energy.h - the energy of any schedule, from the power of its nodes.
 *
 * Source: docs/spec/science.md 5. Nodes are groups of consecutive processors; the last may be
 * smaller and draws the same. A node with b of C processors busy draws idle + (busy - idle) b / C.
 */
#ifndef CS_MODEL_ENERGY_H
#define CS_MODEL_ENERGY_H

#include <cosched/schedule.h>

/* Of a node, watts. */
struct cs_watts {
    double busy, idle, off;
    double off_after; /* seconds without a busy processor, after which it is off; NaN: never */
    double wake;      /* joules */
};

struct cs_energy_options {
    struct cs_watts watts;
    int per_node; /* processors */
    double until; /* seconds; NaN: the makespan */
};

/* Joules; the last four add up to the first. */
struct cs_energy {
    double total, busy, idle, off, wake;
    double until;
};

/* Read "busy=350,idle=120,off=15,off-after=20s,wake=5000". -1 with err, which begins with --watts.
 */
int cs_watts_read(const char *text, struct cs_watts *watts, struct cs_error *err);

/* -1 with err, as above. */
int cs_watts_check(const struct cs_watts *watts, struct cs_error *err);

/* -1 with err if the dates do not fit, or if bars without numbers of processors do not suffice. */
int cs_energy_of(const struct cs_schedule *schedule, const struct cs_energy_options *options,
                 struct cs_energy *energy, struct cs_error *err);

#endif
