/* cholesky.c - blocks of columns, turned so that what is done to a row is done to many at once.
 *
 * Every element has its products added up in the order of columns, whatever the width of the
 * machine's vectors: a build for wider ones gives the same bytes.
 */
#include "base/cholesky.h"

#include "base/guard.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define BLOCK 48
#define TILE 4
#define WIDE 8
#define NOTHING 1e-300
#define ENDLESS 1e150

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define WIDER __attribute__((target("avx2")))
#define HAS_WIDER() __builtin_cpu_supports("avx2")
#else
#define WIDER
#define HAS_WIDER() 0
#endif

#define ALWAYS static inline __attribute__((always_inline))

/* Columns from .. to - 1 of the rows from `from` on, turned: turned[(j - from) n + i]. */
ALWAYS void turn(const double *a, size_t n, size_t from, size_t to, double *turned)
{
    for (size_t i = from; i < n; i++) {
        for (size_t j = from; j < to; j++)
            turned[(j - from) * n + i] = j <= i ? a[i * n + j] : 0;
    }
}

ALWAYS void turn_back(double *a, size_t n, size_t from, size_t to, const double *turned)
{
    for (size_t i = from; i < n; i++) {
        for (size_t j = from; j < to && j <= i; j++)
            a[i * n + j] = turned[(j - from) * n + i];
    }
}

/* sum[i] += x[i] * by, from row `low` on. */
ALWAYS void add_product(double *restrict sum, const double *restrict x, double by, size_t low,
                        size_t n)
{
    for (size_t i = low; i < n; i++)
        sum[i] += x[i] * by;
}

/* The columns of a block, which hold what is left of them. */
ALWAYS void factor_block(double *turned, size_t n, size_t from, size_t to, double *sum)
{
    for (size_t j = from; j < to; j++) {
        double *column = turned + (j - from) * n, root;

        memset(sum + j, 0, (n - j) * sizeof *sum);
        for (size_t p = from; p < j; p++)
            add_product(sum, turned + (p - from) * n, turned[(p - from) * n + j], j, n);
        for (size_t i = j; i < n; i++)
            column[i] -= sum[i];
        root = column[j] > NOTHING ? sqrt(column[j]) : ENDLESS;
        for (size_t i = j + 1; i < n; i++)
            column[i] /= root;
        column[j] = root;
    }
}

/* A tile of `rows` rows i .. and columns j ..: less the products of columns from .. to - 1. */
ALWAYS void update_tile(double *a, size_t n, size_t i, size_t j, size_t from, size_t to,
                        const double *turned, size_t rows)
{
    double sum[TILE][WIDE] = {{0}};

    for (size_t p = from; p < to; p++) {
        const double *y = turned + (p - from) * n;

        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < WIDE; c++)
                sum[r][c] += y[i + r] * y[j + c];
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < WIDE && j + c <= i + r; c++)
            a[(i + r) * n + j + c] -= sum[r][c];
    }
}

ALWAYS void update_rest(double *a, size_t n, size_t from, size_t to, const double *turned)
{
    size_t i = to;

    for (; i + TILE <= n; i += TILE) {
        for (size_t j = to; j < i + TILE; j += WIDE)
            update_tile(a, n, i, j, from, to, turned, TILE);
    }
    for (; i < n; i++) {
        for (size_t j = to; j <= i; j += WIDE)
            update_tile(a, n, i, j, from, to, turned, 1);
    }
}

/* `room`: BLOCK + 1 rows of n, and WIDE. */
ALWAYS void factor(double *a, size_t n, double *room)
{
    double *turned = room, *sum = room + BLOCK * n + WIDE;

    for (size_t from = 0; from < n; from += BLOCK) {
        size_t to = from + BLOCK < n ? from + BLOCK : n;

        turn(a, n, from, to, turned);
        factor_block(turned, n, from, to, sum);
        turn_back(a, n, from, to, turned);
        update_rest(a, n, from, to, turned);
    }
}

static void factor_plainly(double *a, size_t n, double *room)
{
    factor(a, n, room);
}

WIDER static void factor_wider(double *a, size_t n, double *room)
{
    factor(a, n, room);
}

void cs_cholesky_factor(double *a, int rows)
{
    const size_t n = (size_t)rows;
    double *room = cs_block_zero((BLOCK + 1) * n + WIDE, sizeof *room);

    if (HAS_WIDER())
        factor_wider(a, n, room);
    else
        factor_plainly(a, n, room);
    cs_block_free(room);
}

static double dot(const double *x, const double *y, int count)
{
    double sum = 0;

    for (int p = 0; p < count; p++)
        sum += x[p] * y[p];
    return sum;
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
