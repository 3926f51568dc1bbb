/* stamp.h - points and lengths of time as the logs of batch systems write them. */
#ifndef CS_IO_STAMP_H
#define CS_IO_STAMP_H

#include "base/zone.h"

#include <stdint.h>

enum cs_stamp {
    CS_STAMP_WRONG = -1, /* this is no time */
    CS_STAMP_NONE,       /* Unknown, None, N/A or nothing at all */
    CS_STAMP_LOCAL,      /* a time, read in the zone given */
    CS_STAMP_FIXED,      /* a time that needs no zone */
};

/* Unix seconds of YYYY-MM-DD, then T or a blank and HH:MM:SS, a fraction, which is cut off, and Z
 * or +HH:MM; or of digits only, which are Unix seconds.  `zone` NULL: UTC. */
enum cs_stamp cs_stamp_read(const char *text, const struct cs_zone *zone, int64_t *seconds);

/* Seconds of [D-]HH:MM:SS, MM:SS or SS, the fraction cut off; -1 for another form. */
int64_t cs_stamp_duration(const char *text);

/* The same as Slurm's configuration has it: M, M:SS, H:MM:SS, D-H, D-H:MM, D-H:MM:SS. */
int64_t cs_stamp_minutes(const char *text);

#endif
