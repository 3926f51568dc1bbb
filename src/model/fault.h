/* fault.h - a failure of a processor. */
#ifndef CS_MODEL_FAULT_H
#define CS_MODEL_FAULT_H

struct cs_fault {
    double time;   /* seconds from the start */
    int processor; /* numbered from 0 */
};

#endif
