/* shelves.h - the construction of Mounie, Rapine and Trystram. */
#ifndef CS_MOLDABLE_SHELVES_H
#define CS_MOLDABLE_SHELVES_H

#include "moldable/bag.h"

/* A plan of at most 1.5 d on the repaired bag, whose dual test accepts d: widths, starts.  Returns
 * its makespan; NaN when the shelves do not fit, which needs tasks that cannot run on one
 * processor: width[] is that of the knapsack then. */
double cs_moldable_build_shelves(const struct cs_moldable_bag *bag, double d, int *width,
                                 double *start, struct cs_arena *scratch);

#endif
