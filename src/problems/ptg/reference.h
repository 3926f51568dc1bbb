/* reference.h - the reference cluster of HCPA, on which allocations are decided.
 *
 * One virtual cluster of as much power as the platform: its speed is that of the slowest processor
 * (or the fastest), and it has floor(power / speed + 1e-9) of them.
 */
#ifndef CS_PTG_REFERENCE_H
#define CS_PTG_REFERENCE_H

#include "problems/ptg/ptg.h"

struct cs_ptg_reference {
    const struct cs_platform *platform;
    double power, speed;
    int procs;
};

struct cs_ptg_reference cs_ptg_reference_of(const struct cs_platform *platform,
                                            enum cs_ptg_reference_speed which);

/* The same in whole processors that the cluster has (section 2, N). */
int cs_ptg_reference_translate(const struct cs_ptg_reference *reference, double alpha, int procs,
                               int cluster);

/* May an allocation grow to so many processors: does some cluster have as many as that takes? */
bool cs_ptg_reference_fits(const struct cs_ptg_reference *reference, double alpha, int procs);

/* The most reference processors that a task may have by the options' cap and efficiency floor. */
int cs_ptg_reference_most(const struct cs_ptg_reference *reference, double alpha,
                          const struct cs_ptg_options *options);

#endif
