/* instance.h - a job with a deadline, the market it buys in, and the model of spot (rules:
 * spec/volatile.md III.6).  Times are in ticks, which are the slots of a trace.
 */
#ifndef CS_SPOT_INSTANCE_H
#define CS_SPOT_INSTANCE_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

struct cs_spot_job {
    int64_t work;        /* ticks, at least 1 */
    int64_t deadline;    /* ticks, at least 1 */
    int64_t change;      /* ticks without progress when the job starts on other instances */
    double spot, demand; /* prices of a tick */
};

enum cs_spot_mode { CS_SPOT_IDLE, CS_SPOT_SPOT, CS_SPOT_DEMAND };

#define CS_SPOT_MODES 3

/* Ticks of spot: its availability and its price. */
struct cs_spot_market {
    int64_t ticks;
    const unsigned char *there; /* 0 or 1 */
    const double *price;        /* NULL: that of the job */
};

/* The model of spot: available or away, for at most `young` ticks or for longer.  Per tick this
 * changes with probability end[available][old]; else young becomes old with probability `grow`. */
struct cs_spot_phases {
    int64_t young;
    double grow;
    double end[2][2];
};

#define CS_SPOT_PHASES 4

/* Is spot available?  Not after the end of the trace. */
bool cs_spot_market_there(const struct cs_spot_market *market, int64_t tick);

/* From the ticks from .. to - 1; young at least 1. */
struct cs_spot_phases cs_spot_phases_fit(const struct cs_spot_market *market, int64_t from,
                                         int64_t to, int64_t young);

/* Are the numbers of the job valid, and does the market last until its deadline when the job
 * starts at tick `from`?  -1 with err. */
int cs_spot_job_check(const struct cs_spot_job *job, const struct cs_spot_market *market,
                      int64_t from, struct cs_error *err);

#endif
