/* cholesky.h - a symmetric positive definite system of linear equations. */
#ifndef CS_BASE_CHOLESKY_H
#define CS_BASE_CHOLESKY_H

/* The lower half of a[n * n], row by row, becomes L with L L^T = a; what is above the diagonal is
 * neither read nor written.  Rows that add nothing to those before them (to rounding) are given a
 * diagonal so large that their part of a solution is 0.  n^3 / 3 multiplications; the sums are
 * made in one order on every machine. */
void cs_cholesky_factor(double *a, int n);

/* x, the right side, becomes the solution; `a` is from cs_cholesky_factor(). */
void cs_cholesky_solve(const double *a, int n, double *x);

#endif
