/* network.h - how long it takes to bring data from the processors of one task to those of the next.
 *
 * Data are spread in blocks: of p senders in ascending order, number i has the part
 * [i / p, (i + 1) / p) and receiver j of q wants [j / q, (j + 1) / q).  What a processor has and
 * wants does not travel.  A transfer takes the latencies on its way and as long as its busiest link
 * needs, with all links to itself (spec/ptg.md 6).
 */
#ifndef CS_PTG_NETWORK_H
#define CS_PTG_NETWORK_H

#include "problems/ptg/ptg.h"

/* One arc, and the senders and receivers. */
struct cs_ptg_transfer {
    const struct cs_platform *platform;
    double bytes;
    int fan_out,
        fan_in;   /* how many arcs share the senders' and the receivers' links: 1 by default */
    int from, to; /* clusters */
    int senders, receivers;
};

/* An upper bound that needs no more than the counts: all data travel. */
double cs_ptg_transfer_bound(const struct cs_ptg_transfer *transfer);

/* The data that stay on their processors: in parts of bytes / (senders * receivers), exactly.  How
 * much of them the sender and the receiver that keep least have, 0 when one has none, and their
 * sum. */
struct cs_ptg_kept {
    int64_t sender, receiver, sum;
};

/* Compare the sets of senders and receivers; O(intervals + processors in both). */
struct cs_ptg_kept cs_ptg_transfer_kept(const struct cs_ptg_transfer *transfer,
                                        const struct cs_interval *from, int from_intervals,
                                        const struct cs_interval *to, int to_intervals);

/* The time for these sets; at most the bound, and exactly that when no data stay. */
double cs_ptg_transfer_time(const struct cs_ptg_transfer *transfer, const struct cs_interval *from,
                            int from_intervals, const struct cs_interval *to, int to_intervals);

#endif
