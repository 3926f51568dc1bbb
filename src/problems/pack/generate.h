/* generate.h - the task times of one stand-in task; see cs_pack_generate in problems/pack/pack.h.
 */
#ifndef CS_PACK_GENERATE_H
#define CS_PACK_GENERATE_H

/* Section 6 of the paper: t(m, q) = f t1(m) + (1 - f) t1(m) / q + kappa(m, q) on q = 8 j cores,
 * where t1 = 1000 seconds at m = 1000 and kappa is scaled so that its larger value of those at
 * 8 and at 128 cores is `peak` * 1000 seconds at m = 1000. */
#define CS_PACK_FORMS 4     /* t1: m, m log m, m^2, m^3 */
#define CS_PACK_OVERHEADS 6 /* log q, (log q)^2, q log q, m q log q, sqrt(m / q), m log q */
#define CS_PACK_CORES 8     /* cores of a processor: a multicore node */

struct cs_pack_task {
    int form, overhead;
    double size;     /* m > 1 */
    double fraction; /* f, 0 .. 1 */
    double peak;     /* 0 .. */
};

#endif
