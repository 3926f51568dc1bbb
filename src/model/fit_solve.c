/* fit_solve.c - non-negative least squares by trying every set of terms.
 *
 * At the best non-negative weights the positive ones solve the unconstrained problem of their
 * terms, so the least error among all sets of terms whose own solution is not negative is the
 * answer.  Each is solved by orthogonalising the terms and the right side together (modified
 * Gram-Schmidt, twice), in which a term is judged against its own length: no scale matters.
 *
 * A parameter that has a value joins terms: f makes one of the first two, the overhead adds the
 * third to both, the sequential time takes the first from the right side. */
#include "model/fit_solve.h"

#include <math.h>
#include <string.h>

#define ROWS 4

/* Terms as columns, and what they are to give. */
struct problem {
    double column[CS_FIT_TERMS][ROWS], right[ROWS];
    int columns;
    double most; /* of the first weight */
};

struct solution {
    double x[CS_FIT_TERMS];
    double error;
};

double cs_fit_growth(enum cs_fit_kind kind, double exponent, int procs)
{
    if (kind == CS_FIT_OVERHEAD)
        return log2(procs);
    return kind == CS_FIT_UNIVERSAL ? procs - 1.0 : pow(procs, exponent);
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void subtract(double *a, double factor, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        a[i] -= factor * b[i];
}

/* Reflect columns from `j` on so that column j is 0 below row j. */
static void reflect(double *const *column, int columns, int j, int rows)
{
    double *pivot = column[j] + j;
    const int left = rows - j;
    const double length = sqrt(dot(pivot, pivot, left));
    const double end = pivot[0] > 0 ? -length : length;
    double square;

    if (!(length > 0))
        return;
    pivot[0] -= end;
    square = dot(pivot, pivot, left);
    for (int k = j + 1; k < columns; k++)
        subtract(column[k] + j, 2 * dot(pivot, column[k] + j, left) / square, pivot, left);
    pivot[0] = end;
    memset(pivot + 1, 0, (size_t)(left - 1) * sizeof *pivot);
}

static int fill_columns(const struct cs_fit_points *p, enum cs_fit_kind kind, double exponent,
                        int skip, double *const *column)
{
    int rows = 0;

    for (int i = 0; i < p->count; i++) {
        const double root = sqrt(p->weight[i]), per = root / p->seconds[i];

        if (i == skip)
            continue;
        column[0][rows] = per;
        column[1][rows] = per / p->procs[i];
        if (kind != CS_FIT_AMDAHL)
            column[2][rows] = per * cs_fit_growth(kind, exponent, p->procs[i]);
        column[kind == CS_FIT_AMDAHL ? 2 : 3][rows] = root;
        rows++;
    }
    return rows;
}

void cs_fit_rows_make(const struct cs_fit_points *points, enum cs_fit_kind kind, double exponent,
                      int skip, double *scratch, struct cs_fit_rows *made)
{
    double *column[CS_FIT_TERMS + 1];
    const int terms = kind == CS_FIT_AMDAHL ? 2 : 3;
    int rows;

    for (int k = 0; k <= CS_FIT_TERMS; k++)
        column[k] = scratch + (size_t)k * (size_t)points->count;
    rows = fill_columns(points, kind, exponent, skip, column);
    for (int j = 0; j <= terms && j < rows; j++)
        reflect(column, terms + 1, j, rows);
    memset(made, 0, sizeof *made);
    made->terms = terms;
    for (int k = 0; k <= terms; k++)
        for (int i = 0; i < ROWS && i < rows; i++)
            *(k < terms ? &made->term[k][i] : &made->right[i]) = column[k][i];
}

/* Column j minus its parts along the ones before it, which have length 1; r takes the parts.
 * False when nothing is left of it. */
static bool orthogonalise(double column[][ROWS], int j, double r[][CS_FIT_TERMS + 1])
{
    const double before = sqrt(dot(column[j], column[j], ROWS));

    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < j; k++) {
            const double part = dot(column[k], column[j], ROWS);

            r[k][j] += part;
            subtract(column[j], part, column[k], ROWS);
        }
    r[j][j] = sqrt(dot(column[j], column[j], ROWS));
    if (!(r[j][j] > 1e-12 * before) || !isfinite(before))
        return false;
    for (int i = 0; i < ROWS; i++)
        column[j][i] /= r[j][j];
    return true;
}

/* The unconstrained solution of one set of columns. */
static struct solution solve_set(const struct problem *p, unsigned set)
{
    double column[CS_FIT_TERMS + 1][ROWS], r[CS_FIT_TERMS + 1][CS_FIT_TERMS + 1] = {{0}};
    const struct solution none = {.error = INFINITY};
    struct solution found = {{0}, 0};
    int at[CS_FIT_TERMS], columns = 0;

    for (int k = 0; k < p->columns; k++)
        if (set >> k & 1) {
            memcpy(column[columns], p->column[k], sizeof *column);
            at[columns++] = k;
        }
    memcpy(column[columns], p->right, sizeof *column);
    for (int j = 0; j < columns; j++)
        if (!orthogonalise(column, j, r))
            return none;
    orthogonalise(column, columns, r);
    for (int j = columns - 1; j >= 0; j--) {
        double x = r[j][columns];

        for (int k = j + 1; k < columns; k++)
            x -= r[j][k] * found.x[at[k]];
        found.x[at[j]] = x / r[j][j];
    }
    found.error = r[columns][columns] * r[columns][columns];
    return found;
}

static bool usable(const struct problem *p, const struct solution *s)
{
    for (int k = 0; k < p->columns; k++)
        if (!(s->x[k] >= 0 && isfinite(s->x[k])))
            return false;
    return isfinite(s->error) && s->x[0] <= p->most;
}

/* The best of the sets from `first` on, smaller sets first. */
static struct solution solve(const struct problem *p, unsigned must)
{
    struct solution best = {.error = INFINITY};

    for (unsigned set = 0; set < 1U << p->columns; set++) {
        struct solution now;

        if (must && !(set & must))
            continue;
        now = solve_set(p, set);
        if (usable(p, &now) && now.error < best.error)
            best = now;
    }
    return best;
}

struct cs_fit_weights cs_fit_rows_solve(const struct cs_fit_rows *rows)
{
    struct problem p = {.columns = rows->terms, .most = INFINITY};
    struct cs_fit_weights found = {.error = INFINITY};
    struct solution best;

    memcpy(p.column, rows->term, sizeof p.column);
    memcpy(p.right, rows->right, sizeof p.right);
    best = solve(&p, 3);
    if (isfinite(best.error) && best.x[0] + best.x[1] > 0) {
        memcpy(found.term, best.x, sizeof found.term);
        found.error = best.error;
    }
    return found;
}

static void combine(double *out, double a, const double *x, double b, const double *y)
{
    for (int i = 0; i < ROWS; i++)
        out[i] = a * x[i] + b * y[i];
}

static double with_fraction(const struct cs_fit_rows *rows, double fraction)
{
    struct problem p = {.columns = rows->terms - 1, .most = INFINITY};

    combine(p.column[0], fraction, rows->term[0], 1 - fraction, rows->term[1]);
    memcpy(p.column[1], rows->term[2], sizeof *p.column);
    memcpy(p.right, rows->right, sizeof p.right);
    return solve(&p, 0).error;
}

static double with_growth(const struct cs_fit_rows *rows, double overhead)
{
    struct problem p = {.columns = 2, .most = INFINITY};

    combine(p.column[0], 1, rows->term[0], overhead, rows->term[2]);
    combine(p.column[1], 1, rows->term[1], overhead, rows->term[2]);
    memcpy(p.right, rows->right, sizeof p.right);
    return solve(&p, 0).error;
}

/* Of the sequential time, some may be shared: 0 .. all of it. */
static double with_seq_time(const struct cs_fit_rows *rows, double seq_time)
{
    struct problem p = {.columns = rows->terms - 1, .most = seq_time};
    struct problem shared = {.columns = rows->terms - 2, .most = INFINITY};

    combine(p.column[0], 1, rows->term[1], -1, rows->term[0]);
    memcpy(p.column[1], rows->term[2], sizeof *p.column);
    combine(p.right, 1, rows->right, -seq_time, rows->term[0]);
    memcpy(shared.column[0], rows->term[2], sizeof *p.column);
    combine(shared.right, 1, rows->right, -seq_time, rows->term[1]);
    return fmin(solve(&p, 0).error, solve(&shared, 0).error);
}

double cs_fit_rows_constrained(const struct cs_fit_rows *rows, enum cs_fit_parameter_name parameter,
                               double value)
{
    if (parameter == CS_FIT_SEQ_TIME)
        return with_seq_time(rows, value);
    return parameter == CS_FIT_SEQ_FRACTION ? with_fraction(rows, value) : with_growth(rows, value);
}
