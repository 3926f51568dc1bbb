/* generate.h - the task sets of the resilient moldable papers (section 8.5). */
#ifndef CS_MOLDABLE_GENERATE_H
#define CS_MOLDABLE_GENERATE_H

#include <cosched/workload.h>
#include <stdint.h>

enum cs_moldable_model {
    CS_MOLDABLE_ROOFLINE, /* max(w / p, w / l) */
    CS_MOLDABLE_LINEAR,   /* w / p + (p - 1) o: "communication" in the papers */
    CS_MOLDABLE_AMDAHL,   /* w (f + (1 - f) / p) */
    CS_MOLDABLE_MIX,      /* max(w / p, w / l) + s + (p - 1) o */
};

struct cs_moldable_recipe {
    enum cs_moldable_model model;
    int tasks, procs;
    uint64_t seed, set;
};

/* Tables of `procs` times; Amdahl's law as a formula.  The caller destroys it. */
struct cs_workload *cs_moldable_generate(const struct cs_moldable_recipe *recipe);

#endif
