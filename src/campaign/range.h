/* range.h - many values of a parameter in a few words.
 *
 *   {"from": 0, "to": 0.9, "step": 0.1}           0, 0.1, .. 0.9
 *   {"from": 1000, "to": 8000, "times": 2}        1000, 2000, 4000, 8000
 *   {"from": 1, "to": 16, "count": 4}             1, 6, 11, 16
 *   {"from": 1, "to": 1000, "count": 4, "scale": "log"}
 *
 * Both ends are met exactly, and steps are added as decimals: 0.3 is the number that "0.3" reads
 * as, not 0.1 + 0.1 + 0.1.  A range that would miss its end is refused.  They may go down.
 */
#ifndef CS_CAMPAIGN_RANGE_H
#define CS_CAMPAIGN_RANGE_H

#include "base/json.h"

#define CS_RANGE_VALUES 10000000

/* The values as an array of numbers, a new reference; NULL with err ("FILE: path: ...").  With
 * `whole` they are whole numbers: those of a count are rounded, and each is there once. */
json_t *cs_range_read(const struct cs_json_at *at, bool whole, struct cs_error *err);

#endif
