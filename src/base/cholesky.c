/* cholesky.c - column blocks; the rest is updated in tiles that stay in registers. */
#include "base/cholesky.h"

#include <math.h>
#include <stddef.h>

#define BLOCK 48
#define TILE 4
#define NOTHING 1e-300
#define ENDLESS 1e150

static double dot(const double *x, const double *y, int count)
{
    double sum = 0;

    for (int p = 0; p < count; p++)
        sum += x[p] * y[p];
    return sum;
}

/* Columns from .. to - 1 of all rows from `from` on, which hold what is left of them. */
static void factor_block(double *a, size_t n, size_t from, size_t to)
{
    for (size_t i = from; i < n; i++) {
        double *row = a + i * n;

        for (size_t j = from; j < to && j <= i; j++) {
            const double *other = a + j * n;
            double rest = row[j] - dot(row + from, other + from, (int)(j - from));

            if (i > j)
                row[j] = rest / other[j];
            else
                row[j] = rest > NOTHING ? sqrt(rest) : ENDLESS;
        }
    }
}

/* A tile of rows i .. and columns j ..: less the products of columns from .. to - 1. */
static void update_tile(double *a, size_t n, size_t i, size_t j, size_t from, size_t to)
{
    double sum[TILE][TILE] = {{0}};
    const double *x = a + i * n, *y = a + j * n;

    for (size_t p = from; p < to; p++) {
        for (size_t r = 0; r < TILE; r++) {
            for (size_t c = 0; c < TILE; c++)
                sum[r][c] += x[r * n + p] * y[c * n + p];
        }
    }
    for (size_t r = 0; r < TILE; r++) {
        for (size_t c = 0; c < TILE; c++)
            if (j + c <= i + r)
                a[(i + r) * n + j + c] -= sum[r][c];
    }
}

static void update_rest(double *a, size_t n, size_t from, size_t to)
{
    size_t i = to;

    for (; i + TILE <= n; i += TILE) {
        for (size_t j = to; j <= i; j += TILE)
            update_tile(a, n, i, j, from, to);
    }
    for (; i < n; i++) {
        for (size_t j = to; j <= i; j++)
            a[i * n + j] -= dot(a + i * n + from, a + j * n + from, (int)(to - from));
    }
}

void cs_cholesky_factor(double *a, int rows)
{
    const size_t n = (size_t)rows;

    for (size_t from = 0; from < n; from += BLOCK) {
        size_t to = from + BLOCK < n ? from + BLOCK : n;

        factor_block(a, n, from, to);
        update_rest(a, n, from, to);
    }
}

void cs_cholesky_solve(const double *a, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        const double *row = a + (size_t)i * (size_t)n;

        x[i] = (x[i] - dot(row, x, i)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = a + (size_t)i * (size_t)n;

        x[i] /= row[i];
        for (int p = 0; p < i; p++)
            x[p] -= row[p] * x[i];
    }
}
