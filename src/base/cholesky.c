/* cholesky.c - blocks of columns, in tiles of eight rows that are packed side by side.
 *
 * The products of every element are added in the order of columns, a block at a time, for any
 * vector width of the machine: a build for wider ones gives the same bytes.
 */
#include "base/cholesky.h"

#include "base/guard.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define TILE 8
#define BLOCK 96 /* columns: a multiple of TILE */
#define NOTHING 1e-300
#define ENDLESS 1e150

#if defined __x86_64__ && defined __GNUC__
#define WIDER __attribute__((target("avx2")))
#define HAS_WIDER() __builtin_cpu_supports("avx2")
#define WIDEST __attribute__((target("avx512f")))
#define HAS_WIDEST() __builtin_cpu_supports("avx512f")
#else
#define WIDER
#define HAS_WIDER() 0
#define WIDEST
#define HAS_WIDEST() 0
#endif

#define ALWAYS static inline __attribute__((always_inline))

/* The rows from `from` on of the columns from .. from + width - 1, packed: the element in row from
 * + TILE t + r of column from + p is at tile[(t width + p) TILE + r]. */
struct panel {
    double *a, *tile;
    size_t n, from, width, tiles;
};

ALWAYS double *column_of(const struct panel *b, size_t t, size_t p)
{
    return b->tile + (t * b->width + p) * TILE;
}

ALWAYS void pack(const struct panel *b)
{
    for (size_t t = 0; t < b->tiles; t++) {
        for (size_t r = 0; r < TILE; r++) {
            const size_t i = b->from + t * TILE + r;

            for (size_t p = 0; p < b->width; p++)
                column_of(b, t, p)[r] =
                    i < b->n && b->from + p <= i ? b->a[i * b->n + b->from + p] : 0;
        }
    }
}

ALWAYS void unpack(const struct panel *b)
{
    for (size_t i = b->from; i < b->n; i++) {
        const size_t t = (i - b->from) / TILE, r = (i - b->from) % TILE;

        for (size_t p = 0; p < b->width && b->from + p <= i; p++)
            b->a[i * b->n + b->from + p] = column_of(b, t, p)[r];
    }
}

/* sum[r][c]: of the products of row r of x and row c of y over so many columns, for so many rows as
 * there are registers for. */
#define MULTIPLY(name, type, lanes)                                                                \
    typedef double type __attribute__((vector_size(lanes * 8), aligned(8), may_alias));            \
                                                                                                   \
    ALWAYS void name(double sum[][TILE], const double *x, const double *y, size_t columns)         \
    {                                                                                              \
        type s[lanes][TILE / lanes] = {0};                                                         \
                                                                                                   \
        for (size_t p = 0; p < columns; p++, x += TILE, y += TILE) {                               \
            for (int r = 0; r < lanes; r++)                                                        \
                for (int c = 0; c < TILE / lanes; c++)                                             \
                    s[r][c] += ((const type *)y)[c] * x[r];                                        \
        }                                                                                          \
        memcpy(sum, s, sizeof s);                                                                  \
    }

MULTIPLY(multiply_two, two, 2)
MULTIPLY(multiply_four, four, 4)
MULTIPLY(multiply_eight, eight, 8)

/* For all rows of a tile; a vector has so many lanes. */
ALWAYS void multiply(double sum[][TILE], const double *x, const double *y, size_t columns,
                     int lanes)
{
    for (int r = 0; r < TILE; r += lanes) {
        if (lanes == 8)
            multiply_eight(sum + r, x + r, y, columns);
        else if (lanes == 4)
            multiply_four(sum + r, x + r, y, columns);
        else
            multiply_two(sum + r, x + r, y, columns);
    }
}

/* Column p of tile t, less the products of the columns first .. p - 1. */
ALWAYS void reduce(const struct panel *b, size_t t, size_t first, size_t p)
{
    double sum[TILE] = {0}, *column = column_of(b, t, p);
    const double *row = column_of(b, p / TILE, 0) + p % TILE;

    for (size_t q = first; q < p; q++) {
        for (size_t r = 0; r < TILE; r++)
            sum[r] += column_of(b, t, q)[r] * row[q * TILE];
    }
    for (size_t r = 0; r < TILE; r++)
        column[r] -= sum[r];
}

/* Columns of the panel, `count` of them from `first`, a multiple of TILE, on: less the products of
 * all before them. */
ALWAYS void catch_up(const struct panel *b, size_t first, size_t count, int lanes)
{
    const double *x = column_of(b, first / TILE, 0);

    for (size_t t = first / TILE; t < b->tiles; t++) {
        double sum[TILE][TILE];

        multiply(sum, x, column_of(b, t, 0), first, lanes);
        for (size_t p = 0; p < count; p++) {
            for (size_t r = 0; r < TILE; r++)
                column_of(b, t, first + p)[r] -= sum[p][r];
        }
    }
}

/* TILE columns of the panel or, at its end, fewer. */
ALWAYS void factor_columns(const struct panel *b, size_t first, size_t count)
{
    for (size_t t = first / TILE; t < b->tiles; t++) {
        for (size_t p = first; p < first + count; p++) {
            double *diagonal = column_of(b, first / TILE, p) + p % TILE, root;

            reduce(b, t, first, p);
            if (t == first / TILE)
                *diagonal = *diagonal > NOTHING ? sqrt(*diagonal) : ENDLESS;
            root = *diagonal;
            for (size_t r = 0; r < TILE; r++) {
                if (t > first / TILE || r > p % TILE)
                    column_of(b, t, p)[r] /= root;
            }
        }
    }
}

/* The remaining rows and columns after the panel: tile t of rows, tile u of columns. */
ALWAYS void update_tile(const struct panel *b, size_t t, size_t u, int lanes)
{
    const size_t i = b->from + t * TILE, j = b->from + u * TILE;
    double sum[TILE][TILE];

    multiply(sum, column_of(b, t, 0), column_of(b, u, 0), b->width, lanes);
    for (size_t r = 0; r < TILE && i + r < b->n; r++) {
        double *row = b->a + (i + r) * b->n + j;
        const size_t count = j + TILE <= i + r ? TILE : i + r + 1 - j;

        if (count == TILE) {
            for (size_t c = 0; c < TILE; c++)
                row[c] -= sum[r][c];
        } else {
            for (size_t c = 0; c < count; c++)
                row[c] -= sum[r][c];
        }
    }
}

ALWAYS void update(const struct panel *b, int lanes)
{
    for (size_t t = b->width / TILE; t < b->tiles; t++) {
        for (size_t u = b->width / TILE; u <= t; u++)
            update_tile(b, t, u, lanes);
    }
}

ALWAYS void factor(double *a, size_t n, double *room, int lanes)
{
    for (size_t from = 0; from < n; from += BLOCK) {
        const size_t width = from + BLOCK < n ? BLOCK : n - from;
        const struct panel b = {a, room, n, from, width, (n - from + TILE - 1) / TILE};

        pack(&b);
        for (size_t p = 0; p < width; p += TILE) {
            const size_t count = p + TILE < width ? TILE : width - p;

            catch_up(&b, p, count, lanes);
            factor_columns(&b, p, count);
        }
        unpack(&b);
        if (from + width < n)
            update(&b, lanes);
    }
}

static void factor_plainly(double *a, size_t n, double *room)
{
    factor(a, n, room, 2);
}

WIDER static void factor_wider(double *a, size_t n, double *room)
{
    factor(a, n, room, 4);
}

WIDEST static void factor_widest(double *a, size_t n, double *room)
{
    factor(a, n, room, 8);
}

void cs_cholesky_factor(double *a, int rows)
{
    const size_t n = (size_t)rows;
    double *room = cs_block_zero(BLOCK * (n + TILE), sizeof *room);

    if (HAS_WIDEST())
        factor_widest(a, n, room);
    else if (HAS_WIDER())
        factor_wider(a, n, room);
    else
        factor_plainly(a, n, room);
    cs_block_free(room);
}

static double cholesky_dot(const double *x, const double *y, int count)
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

        x[i] = (x[i] - cholesky_dot(row, x, i)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = a + (size_t)i * (size_t)n;

        x[i] /= row[i];
        for (int p = 0; p < i; p++)
            x[p] -= row[p] * x[i];
    }
}
