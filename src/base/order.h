/* order.h - indices sorted by their keys, in a total order.
 *
 * Ties go to the lower index, so no library and no machine changes an answer.
 */
#ifndef CS_BASE_ORDER_H
#define CS_BASE_ORDER_H

#include "base/arena.h"

/* order[0 .. count - 1] becomes 0 .. count - 1 sorted by key[] ascending or descending.  A key that
 * is not a number is a bug.  O(count) for many, scratch is left as it was. */
void cs_order_ascending(const double *key, int count, int *order, struct cs_arena *scratch);
void cs_order_descending(const double *key, int count, int *order, struct cs_arena *scratch);

#endif
