/* energy.h - the energy of any schedule, from the power of its nodes.
 *
 * Source: docs/spec/science.md 5. Nodes are groups of consecutive processors of a cluster; the last
 * may be smaller and draws the same. A node with b of C processors busy draws
 * idle + (busy - idle) b / C. A cluster of the platform may have its own watts.
 */
#ifndef CS_MODEL_ENERGY_H
#define CS_MODEL_ENERGY_H

#include "base/json.h"
#include "base/jsonw.h"
#include "model/schedule.h"

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

/* Write the key `energy`; null without a total. */
void cs_energy_put(const struct cs_energy *energy, const struct cs_energy_options *options,
                   struct cs_jsonw *w);

/* As a schedule file declares it. */
struct cs_energy_declared {
    struct cs_energy_options options;
    struct cs_energy energy;
};

/* Read the key `energy` of a file; *declared stays as it is without one.  -1 with err. */
int cs_energy_get(const struct cs_json_at *root, const struct cs_energy_declared **declared,
                  struct cs_arena *arena, struct cs_error *err);

/* Read the busy, idle and off watts of a cluster. -1 with err. */
int cs_watts_read_json(const struct cs_json_at *at, struct cs_watts *watts, struct cs_error *err);

#endif
