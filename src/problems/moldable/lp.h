/* lp.h - a small linear program to which columns and rows are added as it is solved.
 *
 * Least cost . x with A x = b, x >= 0, b >= 0, by the revised simplex method with an explicit
 * inverse.  Each row comes with a column that has a one in that row only, which is basic at first.
 */
#ifndef CS_MOLDABLE_LP_H
#define CS_MOLDABLE_LP_H

#include "base/arena.h"

#include <stdbool.h>

struct cs_lp_entry {
    int row;
    double value;
};

struct cs_lp_column {
    double cost;
    int entries;
    const struct cs_lp_entry *entry;
};

struct cs_lp {
    int rows, rows_most, columns, columns_most;
    struct cs_lp_column *column;
    int *basis;      /* by row: the column */
    double *value;   /* by row: of that column */
    double *inverse; /* by column of it, rows_most apart */
    double *price;   /* by row: the dual values, as of the last step */
    double *change;  /* of the basic ones by the one that enters */
    double work;     /* numbers examined so far */
    struct cs_arena *arena;
};

void cs_lp_init(struct cs_lp *lp, int rows_most, int columns_most, struct cs_arena *arena);

/* A row and its column, which is returned; the columns that are there have no entry in it.  There
 * has to be room for both. */
int cs_lp_add_row(struct cs_lp *lp, double cost, double right);

/* Entries are copied. */
int cs_lp_add_column(struct cs_lp *lp, double cost, const struct cs_lp_entry *entry, int entries);

/* Prices, then one step of the simplex method: false when none lowers the cost. */
bool cs_lp_step(struct cs_lp *lp);

double cs_lp_cost(const struct cs_lp *lp);

/* The value of each column. */
void cs_lp_values(const struct cs_lp *lp, double *value);

#endif
