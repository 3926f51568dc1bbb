/* thread.h - OpenMP where there is OpenMP.
 *
 * Without it a parallel region runs once, on the one thread that is there.
 */
#ifndef CS_BASE_THREAD_H
#define CS_BASE_THREAD_H

#ifdef _OPENMP
#include <omp.h>
#endif

#define CS_THREADS 1024 /* more cannot be asked for */

/* The number of the calling thread in its parallel region, from 0. */
static inline int cs_thread_index(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* How many threads the machine offers. */
static inline int cs_thread_limit(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

#endif
