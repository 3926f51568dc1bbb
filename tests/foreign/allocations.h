/* allocations.h - the allocations of a program and its libraries, counted; one of them fails.
 *
 * A program's own malloc comes before that of the C library, for the shared library too.
 */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/* The n-th from now on fails, and no other; from 1. */
void allocations_fail_at(long n);

/* None fails any more; returns how many there have been since, the failed one included. */
long allocations_end(void);

/* Blocks that are in use. */
long allocations_live(void);

#endif
