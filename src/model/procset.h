/* procset.h - sets of processors as intervals, written "0-3 7".
 *
 * The text is the form that Batsim writes and evalys reads: intervals in rising
 * order with one space between them, a single processor as one number, no
 * processor as "".  A set is well formed when its intervals are ascending,
 * disjoint and not touching, so that equal sets look the same.
 */
#ifndef CS_MODEL_PROCSET_H
#define CS_MODEL_PROCSET_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/schedule.h"

#include <stdbool.h>

/* Read a set; intervals may come in any order and touch, and are put in order.
 * Returns how many intervals *set has in the arena, or -1 with err: not such a
 * text, or a processor named twice.  Processors are 0 .. INT_MAX - 1. */
int cs_procset_parse(const char *text, struct cs_arena *arena, const struct cs_interval **set,
                     struct cs_error *err);

/* The text of a well-formed set. */
void cs_procset_print(struct cs_strbuf *buf, const struct cs_interval *set, int count);

/* How many processors a well-formed set has. */
long long cs_procset_size(const struct cs_interval *set, int count);

/* Make any list of intervals (first <= last) well formed, in place; returns the new
 * length.  Overlapping and touching intervals become one. */
int cs_procset_normalise(struct cs_interval *set, int count);

bool cs_procset_well_formed(const struct cs_interval *set, int count);

/* The lowest processor that two well-formed sets share, or -1. */
int cs_procset_common(const struct cs_interval *a, int a_count, const struct cs_interval *b,
                      int b_count);

#endif
