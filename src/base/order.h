/* order.h - indices sorted by their keys, in a total order.
 *
 * Ties go to the lower index, so no library and no machine changes an answer.  0.0 and -0.0 are
 * equal, infinities sort where they belong, a key that is not a number is a bug.  Takes O(count)
 * for many; scratch is left as it was.
 */
#ifndef CS_BASE_ORDER_H
#define CS_BASE_ORDER_H

#include "base/arena.h"

#include <stdint.h>

/* order[0 .. count - 1] becomes 0 .. count - 1 sorted by key[] ascending or descending. */
void cs_order_ascending(const double *key, int count, int *order, struct cs_arena *scratch);
void cs_order_descending(const double *key, int count, int *order, struct cs_arena *scratch);

/* The same with keys that are whole numbers, ascending. */
void cs_order_integers(const uint64_t *key, int count, int *order, struct cs_arena *scratch);

/* Some indices sorted in place by key[index]; ties go to the lower index, for any initial order. */
void cs_order_sort_ascending(const double *key, int *index, int count, struct cs_arena *scratch);
void cs_order_sort_descending(const double *key, int *index, int count, struct cs_arena *scratch);

/* Numbers sorted in place, smallest first. */
void cs_order_sort_doubles(double *value, int count, struct cs_arena *scratch);

#endif
