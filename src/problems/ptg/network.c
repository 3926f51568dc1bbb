/* network.c - times of block redistributions.
 *
 * Source: spec/ptg.md 6, R and its bound by sizes only; the fan rule of Part II, 3.
 *
 * Idea: the time is the latencies plus the busiest of three: a sending link, a receiving link, the
 * backbone between clusters with separate switches.  Data that stay are not sent.
 *
 * Invariants
 *   - whole numbers count the data that stay, in parts of bytes / (p q), so that sets without a
 *     common processor need no look at their parts: the busiest sender then has bytes / p, to the
 *     same bit as in the bound.
 *   - the time is at most the bound, since fewer bytes go through each link.
 *   - between clusters nothing stays, and the sets do not matter.
 *
 * Complexity: the bound O(1), the time O(intervals of both sets + common processors).  No
 * constants.
 */
#include "problems/ptg/network.h"

#include <math.h>

/* With the parts of the busiest sender and receiver, and of all: bytes each. */
static double time_of(const struct cs_ptg_transfer *t, double sender, double receiver, double all)
{
    const struct cs_platform *p = t->platform;
    const struct cs_cluster *from = &p->cluster[t->from], *to = &p->cluster[t->to];
    double latency = from->latency + to->latency;
    double busy = fmax(t->fan_out * sender / from->bandwidth, t->fan_in * receiver / to->bandwidth);

    if (t->from != t->to && !p->backbone.shared_switch) {
        latency += p->backbone.latency;
        busy = fmax(busy, all / p->backbone.bandwidth);
    }
    return latency + busy;
}

double cs_ptg_transfer_bound(const struct cs_ptg_transfer *transfer)
{
    const struct cs_ptg_transfer *t = transfer;

    if (!(t->bytes > 0))
        return 0;
    return time_of(t, t->bytes / t->senders, t->bytes / t->receivers, t->bytes);
}

static int64_t network_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t network_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Sums and minima over the common processors so far. */
struct counters {
    int64_t p, q, sum, sender, receiver;
    int64_t keepers; /* processors that keep something */
};

/* `count` common processors, the first of which is sender i and receiver j. */
static void count_common(struct counters *t, int64_t i, int64_t j, int64_t count)
{
    for (int64_t k = 0; k < count; k++, i++, j++) {
        int64_t kept =
            network_least((i + 1) * t->q, (j + 1) * t->p) - network_most(i * t->q, j * t->p);

        if (kept <= 0)
            continue;
        t->sum += kept;
        t->sender = network_least(t->sender, kept);
        t->receiver = network_least(t->receiver, kept);
        t->keepers++;
    }
}

struct cs_ptg_kept cs_ptg_transfer_kept(const struct cs_ptg_transfer *transfer,
                                        const struct cs_interval *from, int from_intervals,
                                        const struct cs_interval *to, int to_intervals)
{
    struct counters t = {transfer->senders, transfer->receivers, 0, INT64_MAX, INT64_MAX, 0};
    int64_t rank_from = 0, rank_to = 0;
    int a = 0, b = 0;

    while (a < from_intervals && b < to_intervals) {
        int first = from[a].first > to[b].first ? from[a].first : to[b].first;
        int last = from[a].last < to[b].last ? from[a].last : to[b].last;

        if (first <= last)
            count_common(&t, rank_from + first - from[a].first, rank_to + first - to[b].first,
                         (int64_t)last - first + 1);
        if (from[a].last <= to[b].last) {
            rank_from += (int64_t)from[a].last - from[a].first + 1;
            a++;
        } else {
            rank_to += (int64_t)to[b].last - to[b].first + 1;
            b++;
        }
    }
    return (struct cs_ptg_kept){
        .sender = t.keepers < t.p ? 0 : t.sender,
        .receiver = t.keepers < t.q ? 0 : t.receiver,
        .sum = t.sum,
    };
}

double cs_ptg_transfer_time(const struct cs_ptg_transfer *transfer, const struct cs_interval *from,
                            int from_intervals, const struct cs_interval *to, int to_intervals)
{
    const struct cs_ptg_transfer *t = transfer;
    double p = t->senders, q = t->receivers;
    struct cs_ptg_kept kept = {0};

    if (!(t->bytes > 0))
        return 0;
    if (t->from == t->to)
        kept = cs_ptg_transfer_kept(t, from, from_intervals, to, to_intervals);
    if ((double)kept.sum == p * q)
        return 0;
    return time_of(t, t->bytes / p * ((q - (double)kept.sender) / q),
                   t->bytes / q * ((p - (double)kept.receiver) / p),
                   t->bytes * ((p * q - (double)kept.sum) / (p * q)));
}
