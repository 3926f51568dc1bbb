/* outages.h - when parts of a machine are away: CSV.
 *
 *     start,end,count,kind[,group][,announced]
 *
 * Times are seconds on the log's clock, or stamps such as 2025-01-31T08:00:00; the kind is
 * maintenance, drain or down.
 */
#ifndef CS_IO_OUTAGES_H
#define CS_IO_OUTAGES_H

#include "base/zone.h"
#include "model/site.h"

/* `shift` is added to stamps (Unix time) to have the log's clock.  Lives in the arena.  -1 with
 * err. */
int cs_outages_read(const char *path, const struct cs_site *site, const struct cs_zone *zone,
                    double shift, struct cs_arena *arena, const struct cs_site_outage **out,
                    int *count, struct cs_error *err);

#endif
