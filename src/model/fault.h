/* fault.h - failures of processors, as a list says them. */
#ifndef CS_MODEL_FAULT_H
#define CS_MODEL_FAULT_H

struct cs_fault {
    double time;   /* seconds from the start */
    int processor; /* numbered from 0 */
};

#endif
