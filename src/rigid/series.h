/* series.h - a replay over calendar time: bins of equal length (spec/replay.md 11.3).
 *
 * Bins are an hour long and begin at the midnight before the first arrival; whenever there would be
 * more than 2000 they are joined in pairs.  Another observer of a replay.
 */
#ifndef CS_RIGID_SERIES_H
#define CS_RIGID_SERIES_H

#include "base/zone.h"
#include "rigid/operate.h"

#define CS_RIGID_BINS 2000

struct cs_rigid_bin {
    double used;                        /* processor seconds */
    double queue;                       /* integral of the number of jobs that wait */
    double work;                        /* integral of requests x processors of these */
    int64_t arrivals, starts, measured; /* the last: jobs that arrived here and are done */
    double wait;                        /* of these, together */
};

struct cs_rigid_series {
    double origin, length; /* on the log's clock; seconds */
    int count;
    struct cs_rigid_bin bin[CS_RIGID_BINS];
    /* private */
    int64_t epoch;
    const struct cs_zone *zone;
    double now, used, work;
    int64_t queue;
};

/* `epoch`: the Unix time of 0 on the log's clock. */
struct cs_rigid_series *cs_rigid_series_create(int64_t epoch, const struct cs_zone *zone);
void cs_rigid_series_destroy(struct cs_rigid_series *series); /* NULL is fine */

struct cs_rigid_observer cs_rigid_series_observer(struct cs_rigid_series *series);

/* Join bins until they are as long as `length` (a power of two hours), so that several series have
 * the same. */
void cs_rigid_series_widen(struct cs_rigid_series *series, double length);

#endif
