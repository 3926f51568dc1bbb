/* lp.c - the revised simplex method, for some hundred rows.
 *
 * Source: textbook method with an explicit inverse of the basis and Dantzig's rule; lp.h.
 * Idea: columns are sparse and are added while the program is solved; each step prices all
 * columns, lets the one that lowers the cost most for its unit enter, and updates the inverse.
 * Invariants: value[row] belongs to the column basis[row], both updated with the inverse; right
 * sides are not negative.  Ties: the lowest column enters; the row of the largest pivot leaves.
 * No rule against cycling: cases.c makes the right sides of candidates different.
 * Complexity: O(rows^2 + entries of all columns) a step; `work` counts the numbers that are read.
 *
 *   constant  value  unit        how found     half, double
 *   CLOSE     1e-9   cost        not recorded  not measured
 *   PIVOT     1e-8   of a pivot  not recorded  not measured
 */
#include "problems/moldable/lp.h"

#include <math.h>
#include <string.h>

#define CLOSE 1e-9
#define PIVOT 1e-8 /* the least */

void cs_lp_init(struct cs_lp *lp, int rows_most, int columns_most, struct cs_arena *arena)
{
    const size_t rows = (size_t)rows_most;

    *lp = (struct cs_lp){.rows_most = rows_most, .columns_most = columns_most, .arena = arena};
    lp->column = CS_NEW_ARRAY(arena, struct cs_lp_column, columns_most);
    lp->basis = CS_NEW_ARRAY(arena, int, rows);
    lp->value = CS_NEW_ARRAY(arena, double, rows);
    lp->inverse = CS_NEW_ARRAY(arena, double, rows *rows);
    lp->price = CS_NEW_ARRAY(arena, double, rows);
    lp->change = CS_NEW_ARRAY(arena, double, rows);
}

static double *inverse_of(const struct cs_lp *lp, int column)
{
    return lp->inverse + (size_t)column * (size_t)lp->rows_most;
}

int cs_lp_add_column(struct cs_lp *lp, double cost, const struct cs_lp_entry *entry, int entries)
{
    struct cs_lp_entry *mine = CS_NEW_ARRAY(lp->arena, struct cs_lp_entry, entries);

    memcpy(mine, entry, (size_t)entries * sizeof *mine);
    lp->column[lp->columns] = (struct cs_lp_column){cost, entries, mine};
    return lp->columns++;
}

int cs_lp_add_row(struct cs_lp *lp, double cost, double right)
{
    const int row = lp->rows++,
              column = cs_lp_add_column(lp, cost, &(struct cs_lp_entry){row, 1}, 1);

    lp->basis[row] = column;
    lp->value[row] = right;
    inverse_of(lp, row)[row] = 1;
    return column;
}

static void find_prices(struct cs_lp *lp)
{
    memset(lp->price, 0, (size_t)lp->rows * sizeof *lp->price);
    for (int row = 0; row < lp->rows; row++) {
        const double cost = lp->column[lp->basis[row]].cost;

        for (int c = 0; cost != 0 && c < lp->rows; c++)
            lp->price[c] += cost * inverse_of(lp, c)[row];
    }
}

/* The column that lowers the cost most for its unit; -1: none does. */
static int find_entering(struct cs_lp *lp)
{
    double least = -CLOSE;
    int entering = -1;

    for (int c = 0; c < lp->columns; c++) {
        const struct cs_lp_column *column = &lp->column[c];
        double cost = column->cost;

        for (int e = 0; e < column->entries; e++)
            cost -= lp->price[column->entry[e].row] * column->entry[e].value;
        lp->work += column->entries;
        if (cost < least) {
            least = cost;
            entering = c;
        }
    }
    return entering;
}

static void find_change(struct cs_lp *lp, const struct cs_lp_column *column)
{
    memset(lp->change, 0, (size_t)lp->rows * sizeof *lp->change);
    for (int e = 0; e < column->entries; e++) {
        const double *inverse = inverse_of(lp, column->entry[e].row);
        const double value = column->entry[e].value;

        for (int row = 0; row < lp->rows; row++)
            lp->change[row] += value * inverse[row];
    }
    lp->work += (double)lp->rows * column->entries;
}

/* The row that is the first to come to 0; of equal ones that of the largest pivot. */
static int find_leaving(const struct cs_lp *lp)
{
    double least = INFINITY;
    int leaving = -1;

    for (int row = 0; row < lp->rows; row++) {
        const double ratio = fmax(lp->value[row], 0) / lp->change[row];

        if (lp->change[row] > PIVOT &&
            (ratio < least || (ratio == least && lp->change[row] > lp->change[leaving]))) {
            least = ratio;
            leaving = row;
        }
    }
    return leaving;
}

static void lp_pivot(struct cs_lp *lp, int leaving, int entering)
{
    const double by = lp->change[leaving], much = fmax(lp->value[leaving], 0) / by;

    for (int c = 0; c < lp->rows; c++) {
        double *inverse = inverse_of(lp, c);
        const double share = inverse[leaving] / by;

        if (share == 0)
            continue;
        for (int row = 0; row < lp->rows; row++)
            inverse[row] -= lp->change[row] * share;
        inverse[leaving] = share;
        lp->work += lp->rows;
    }
    for (int row = 0; row < lp->rows; row++)
        lp->value[row] -= much * lp->change[row];
    lp->value[leaving] = much;
    lp->basis[leaving] = entering;
}

bool cs_lp_step(struct cs_lp *lp)
{
    int entering, leaving;

    find_prices(lp);
    entering = find_entering(lp);
    if (entering < 0)
        return false;
    find_change(lp, &lp->column[entering]);
    leaving = find_leaving(lp);
    if (leaving < 0)
        return false;
    lp_pivot(lp, leaving, entering);
    return true;
}

double cs_lp_cost(const struct cs_lp *lp)
{
    double cost = 0;

    for (int row = 0; row < lp->rows; row++)
        cost += lp->column[lp->basis[row]].cost * lp->value[row];
    return cost;
}

void cs_lp_values(const struct cs_lp *lp, double *value)
{
    memset(value, 0, (size_t)lp->columns * sizeof *value);
    for (int row = 0; row < lp->rows; row++)
        value[lp->basis[row]] = lp->value[row];
}
