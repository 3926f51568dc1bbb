/* fault.h - a failure of a processor. */
#ifndef COSCHED_FAULT_H
#define COSCHED_FAULT_H

struct cs_fault {
    double time;   /* seconds from the start */
    int processor; /* numbered from 0 */
};

#endif
