/* fit.c - four formulas fitted to measured times, and model selection. */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/stats.h"
#include "model/profile.h"
#include "model/workload.h"

#include <cosched/error.h>
#include <cosched/fit.h>
#include <cosched/workload.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* profile likelihood: walk away from the best value until the residual is too large, and bisect.
 *
 * The weights that leave no more than the limit are a convex set, and the sequential time, the
 * sequential fraction and the overhead are continuous on it: with the exponent known, each has an
 * interval without holes. The exponent's own interval is walked first; every exponent outside of it
 * has a too large residual for any other parameters, so their intervals are searched on a grid in
 * it. */

struct cs_fit_points {
    int count, runs; /* counts measured, measurements */
    int *procs;
    double *seconds; /* means of runs, in units of `unit` */
    double *weight;  /* of the square of the relative error at the mean: about the runs */
    double unit;     /* the largest mean */
    double within;   /* weighted squares of relative errors of runs from their means */
    double spread;   /* relative standard deviation of runs of one count; NaN: none was repeated */
};

#define CS_FIT_TERMS 3

struct cs_fit_rows {
    double term[CS_FIT_TERMS][4]; /* by term, then row */
    double right[4];
    int terms; /* 2 without one that grows */
};

struct cs_fit_weights {
    double term[CS_FIT_TERMS]; /* seq_time f, seq_time (1 - f), seq_time overhead */
    double exponent;
    double error; /* weighted squares of relative errors; +inf: no solution */
};

#define CS_FIT_EXPONENT_LOW -0.9
#define CS_FIT_EXPONENT_HIGH 3.0

/* non-negative least squares by trying every set of terms.
 *
 * At the best non-negative weights the positive ones solve the unconstrained problem of their
 * terms, so the least error among all sets of terms whose own solution is not negative is the
 * answer.  Each is solved by orthogonalising the terms and the right side together (modified
 * Gram-Schmidt, twice), in which a term is judged against its own length: no scale matters.
 *
 * A parameter that has a value joins terms: f makes one of the first two, the overhead adds the
 * third to both, the sequential time takes the first from the right side. */

/* means of runs, and what each of them weighs.
 *
 * The variance of a count is estimated from few runs, often two.  Weights of such estimates
 * would be noise; so each is joined with PRIOR degrees of freedom of the pooled variance. */

#define PRIOR 8.0

static double fit_mean(const double *value, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += value[i] / count;
    return sum;
}

static double squares_around(const double *value, int count, double middle)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += (value[i] / middle - 1) * (value[i] / middle - 1);
    return sum;
}

static void fit_weigh(struct cs_fit_points *p, const int *runs, const double *squares)
{
    double pooled = 0, all = 0;
    int degrees = p->runs - p->count;

    for (int i = 0; i < p->count; i++)
        all += squares[i];
    if (degrees > 0)
        pooled = all / degrees;
    p->spread = degrees > 0 ? sqrt(pooled) : NAN;
    for (int i = 0; i < p->count; i++) {
        double own = (PRIOR * pooled + squares[i]) / (PRIOR + runs[i] - 1);
        double trust = own > 0 ? pooled / own : 1;

        p->weight[i] = runs[i] * trust;
        p->within += trust * squares[i];
    }
}

static void read_runs(const struct cs_profile *profile, struct cs_fit_points *p,
                      struct cs_arena *arena)
{
    const bool table = profile->kind == CS_PROFILE_TABLE;
    int *runs = CS_NEW_ARRAY(arena, int, profile->count);
    double *squares = CS_NEW_ARRAY(arena, double, profile->count);
    const double *run = table ? NULL : profile->run;

    for (int i = 0; i < profile->count; i++) {
        const double *first = run ? run : profile->seconds + i;
        const int many = run && profile->runs ? profile->runs[i] : 1;

        if (!isfinite(*first))
            continue;
        p->procs[p->count] = table ? i + 1 : profile->procs[i];
        p->seconds[p->count] = fit_mean(first, many);
        squares[p->count] = squares_around(first, many, p->seconds[p->count]);
        runs[p->count++] = many;
        p->runs += many;
        if (run)
            run += many;
    }
    fit_weigh(p, runs, squares);
}

/* -1 with err for a formula and for a profile without a finite time. */
static int fit_points_read(const struct cs_profile *profile, struct cs_fit_points *p,
                           struct cs_arena *arena, struct cs_error *err)
{
    if (profile->kind != CS_PROFILE_TABLE && profile->kind != CS_PROFILE_POINTS)
        return cs_error_set(err, "the profile is a formula already: measured times are needed");
    *p = (struct cs_fit_points){.procs = CS_NEW_ARRAY(arena, int, profile->count),
                                .seconds = CS_NEW_ARRAY(arena, double, profile->count),
                                .weight = CS_NEW_ARRAY(arena, double, profile->count)};
    read_runs(profile, p, arena);
    if (p->count == 0)
        return cs_error_set(err, "the profile has no finite time");
    for (int i = 0; i < p->count; i++)
        p->unit = fmax(p->unit, p->seconds[i]);
    for (int i = 0; i < p->count; i++)
        p->seconds[i] /= p->unit;
    return 0;
}

#define ROWS 4

/* Terms as columns, and the right-hand side. */
struct problem {
    double column[CS_FIT_TERMS][ROWS], right[ROWS];
    int columns;
    double most; /* of the first weight */
};

struct solution {
    double x[CS_FIT_TERMS];
    double error;
};

/* The term that grows with the count: 1 at one processor or 0, by the kind of model. */
static double fit_growth(enum cs_fit_kind kind, double exponent, int procs)
{
    if (kind == CS_FIT_OVERHEAD)
        return log2(procs);
    return kind == CS_FIT_UNIVERSAL ? procs - 1.0 : pow(procs, exponent);
}

static double fit_dot(const double *a, const double *b, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fit_subtract(double *a, double factor, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        a[i] -= factor * b[i];
}

/* Reflect columns from `j` on so that column j is 0 below row j. */
static void fit_reflect(double *const *column, int columns, int j, int rows)
{
    double *pivot = column[j] + j;
    const int left = rows - j;
    const double length = sqrt(fit_dot(pivot, pivot, left));
    const double end = pivot[0] > 0 ? -length : length;
    double square;

    if (!(length > 0))
        return;
    pivot[0] -= end;
    square = fit_dot(pivot, pivot, left);
    for (int k = j + 1; k < columns; k++)
        fit_subtract(column[k] + j, 2 * fit_dot(pivot, column[k] + j, left) / square, pivot, left);
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
            column[2][rows] = per * fit_growth(kind, exponent, p->procs[i]);
        column[kind == CS_FIT_AMDAHL ? 2 : 3][rows] = root;
        rows++;
    }
    return rows;
}

/* Point `skip` is left out (-1: none).  `scratch` holds 4 * count numbers. */
static void fit_rows_make(const struct cs_fit_points *points, enum cs_fit_kind kind,
                          double exponent, int skip, double *scratch, struct cs_fit_rows *made)
{
    double *column[CS_FIT_TERMS + 1];
    const int terms = kind == CS_FIT_AMDAHL ? 2 : 3;
    int rows;

    for (int k = 0; k <= CS_FIT_TERMS; k++)
        column[k] = scratch + (size_t)k * (size_t)points->count;
    rows = fill_columns(points, kind, exponent, skip, column);
    for (int j = 0; j <= terms && j < rows; j++)
        fit_reflect(column, terms + 1, j, rows);
    memset(made, 0, sizeof *made);
    made->terms = terms;
    for (int k = 0; k <= terms; k++)
        for (int i = 0; i < ROWS && i < rows; i++)
            *(k < terms ? &made->term[k][i] : &made->right[i]) = column[k][i];
}

/* Column j minus its parts along the ones before it, which have length 1; r takes the parts. False
 * if the remainder is zero. */
static bool fit_orthogonalise(double column[][ROWS], int j, double r[][CS_FIT_TERMS + 1])
{
    const double before = sqrt(fit_dot(column[j], column[j], ROWS));

    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < j; k++) {
            const double part = fit_dot(column[k], column[j], ROWS);

            r[k][j] += part;
            fit_subtract(column[j], part, column[k], ROWS);
        }
    r[j][j] = sqrt(fit_dot(column[j], column[j], ROWS));
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
        if (!fit_orthogonalise(column, j, r))
            return none;
    fit_orthogonalise(column, columns, r);
    for (int j = columns - 1; j >= 0; j--) {
        double x = r[j][columns];

        for (int k = j + 1; k < columns; k++)
            x -= r[j][k] * found.x[at[k]];
        found.x[at[j]] = x / r[j][j];
    }
    found.error = r[columns][columns] * r[columns][columns];
    return found;
}

static bool fit_usable(const struct problem *p, const struct solution *s)
{
    for (int k = 0; k < p->columns; k++)
        if (!(s->x[k] >= 0 && isfinite(s->x[k])))
            return false;
    return isfinite(s->error) && s->x[0] <= p->most;
}

/* The best of the sets from `first` on, smaller sets first. */
static struct solution fit_interval_solve(const struct problem *p, unsigned must)
{
    struct solution best = {.error = INFINITY};

    for (unsigned set = 0; set < 1U << p->columns; set++) {
        struct solution now;

        if (must && !(set & must))
            continue;
        now = solve_set(p, set);
        if (fit_usable(p, &now) && now.error < best.error)
            best = now;
    }
    return best;
}

/* The best weights of which some sequential time is left; the exponent is not set. */
static struct cs_fit_weights fit_rows_solve(const struct cs_fit_rows *rows)
{
    struct problem p = {.columns = rows->terms, .most = INFINITY};
    struct cs_fit_weights found = {.error = INFINITY};
    struct solution best;

    memcpy(p.column, rows->term, sizeof p.column);
    memcpy(p.right, rows->right, sizeof p.right);
    best = fit_interval_solve(&p, 3);
    if (isfinite(best.error) && best.x[0] + best.x[1] > 0) {
        memcpy(found.term, best.x, sizeof found.term);
        found.error = best.error;
    }
    return found;
}

static void fit_combine(double *out, double a, const double *x, double b, const double *y)
{
    for (int i = 0; i < ROWS; i++)
        out[i] = a * x[i] + b * y[i];
}

static double with_fraction(const struct cs_fit_rows *rows, double fraction)
{
    struct problem p = {.columns = rows->terms - 1, .most = INFINITY};

    fit_combine(p.column[0], fraction, rows->term[0], 1 - fraction, rows->term[1]);
    memcpy(p.column[1], rows->term[2], sizeof *p.column);
    memcpy(p.right, rows->right, sizeof p.right);
    return fit_interval_solve(&p, 0).error;
}

static double with_growth(const struct cs_fit_rows *rows, double overhead)
{
    struct problem p = {.columns = 2, .most = INFINITY};

    fit_combine(p.column[0], 1, rows->term[0], overhead, rows->term[2]);
    fit_combine(p.column[1], 1, rows->term[1], overhead, rows->term[2]);
    memcpy(p.right, rows->right, sizeof p.right);
    return fit_interval_solve(&p, 0).error;
}

/* Of the sequential time, some may be shared: 0 .. all of it. */
static double with_seq_time(const struct cs_fit_rows *rows, double seq_time)
{
    struct problem p = {.columns = rows->terms - 1, .most = seq_time};
    struct problem shared = {.columns = rows->terms - 2, .most = INFINITY};

    fit_combine(p.column[0], 1, rows->term[1], -1, rows->term[0]);
    memcpy(p.column[1], rows->term[2], sizeof *p.column);
    fit_combine(p.right, 1, rows->right, -seq_time, rows->term[0]);
    memcpy(shared.column[0], rows->term[2], sizeof *p.column);
    fit_combine(shared.right, 1, rows->right, -seq_time, rows->term[1]);
    return fmin(fit_interval_solve(&p, 0).error, fit_interval_solve(&shared, 0).error);
}

/* The least error when one parameter (not the exponent) has a value: a lower limit of it when
 * no sequential time is left. */
static double fit_rows_constrained(const struct cs_fit_rows *rows,
                                   enum cs_fit_parameter_name parameter, double value)
{
    if (parameter == CS_FIT_SEQ_TIME)
        return with_seq_time(rows, value);
    return parameter == CS_FIT_SEQ_FRACTION ? with_fraction(rows, value) : with_growth(rows, value);
}

#define GRID 26
#define STEPS 60
#define FINE 1e-6
#define FAR 1e9

struct walk {
    const struct cs_fit_points *points;
    enum cs_fit_kind kind;
    enum cs_fit_parameter_name parameter;
    double limit;
    double *scratch;
    struct cs_fit_rows grid[GRID];
    int rows, last; /* where it was inside */
};

/* Means are no further from the model than runs from their means allow. */
static bool runs_explain(const struct cs_fit_points *p, double error, int degrees)
{
    const int within = p->runs - p->count;
    double ratio;

    if (within <= 0 || degrees <= 0)
        return within > 0;
    ratio = error / degrees / (p->within / within);
    return cs_stats_fisher_above(ratio, (unsigned)degrees, (unsigned)within) > 0.05;
}

static double find_limit(const struct cs_fit_points *p, int parameters, double error)
{
    double rest = error, t;
    int degrees = p->count - parameters;

    if (runs_explain(p, error, degrees)) {
        rest += p->within;
        degrees += p->runs - p->count;
    }
    if (degrees <= 0)
        return NAN;
    t = cs_stats_student(0.95, (unsigned)degrees);
    return error + t * t * rest / degrees;
}

static bool fit_inside(struct walk *w, double value)
{
    if (w->parameter == CS_FIT_EXPONENT) {
        struct cs_fit_rows rows;

        fit_rows_make(w->points, w->kind, value, -1, w->scratch, &rows);
        return fit_rows_solve(&rows).error <= w->limit;
    }
    for (int i = 0; i < w->rows; i++) {
        const int at = (w->last + i) % w->rows;

        if (fit_rows_constrained(&w->grid[at], w->parameter, value) <= w->limit) {
            w->last = at;
            return true;
        }
    }
    return false;
}

/* Between a value that is inside and one that is not. */
static double find_end(struct walk *w, double in, double out)
{
    if (fit_inside(w, out))
        return out;
    for (int i = 0; i < STEPS; i++) {
        const double middle = in + (out - in) / 2;

        if (fabs(out - in) <= FINE * fabs(middle))
            break;
        *(fit_inside(w, middle) ? &in : &out) = middle;
    }
    return in;
}

/* Outwards by doubling; +inf when it is inside for ever. */
static double find_high(struct walk *w, double value, double unit)
{
    double in = value, step = fmax(value, unit * 1e-9);

    for (double out = value + step; out < FAR * fmax(value, unit); out += step *= 2) {
        if (!fit_inside(w, out))
            return find_end(w, in, out);
        in = out;
    }
    return INFINITY;
}

static void find_exponent(struct walk *w, double exponent, struct cs_fit_interval *found)
{
    w->parameter = CS_FIT_EXPONENT;
    found->low = find_end(w, exponent, CS_FIT_EXPONENT_LOW);
    found->high = find_end(w, exponent, CS_FIT_EXPONENT_HIGH);
}

static void make_grid(struct walk *w, double exponent, const struct cs_fit_interval *range)
{
    w->rows = w->kind == CS_FIT_POWER ? GRID : 1;
    for (int i = 0; i < w->rows; i++) {
        const double at =
            i == 0 ? exponent : range->low + (range->high - range->low) * (i - 1) / (GRID - 2);

        fit_rows_make(w->points, w->kind, at, -1, w->scratch, &w->grid[i]);
    }
}

static void find_others(struct walk *w, const struct cs_fit_weights *best,
                        struct cs_fit_interval *found)
{
    const double seq_time = best->term[0] + best->term[1];
    const double fraction = best->term[0] / seq_time, growth = best->term[2] / seq_time;

    w->parameter = CS_FIT_SEQ_TIME;
    found[CS_FIT_SEQ_TIME].low = find_end(w, seq_time, 0);
    found[CS_FIT_SEQ_TIME].high = find_high(w, seq_time, seq_time);
    w->parameter = CS_FIT_SEQ_FRACTION;
    found[CS_FIT_SEQ_FRACTION].low = find_end(w, fraction, 0);
    found[CS_FIT_SEQ_FRACTION].high = find_end(w, fraction, 1);
    if (w->kind == CS_FIT_AMDAHL)
        return;
    w->parameter = CS_FIT_GROWTH;
    found[CS_FIT_GROWTH].low = find_end(w, growth, 0);
    found[CS_FIT_GROWTH].high = find_high(w, growth, 1);
}

static void fit_judge(const struct walk *w, struct cs_fit_interval *found)
{
    const struct cs_fit_points *p = w->points;
    struct cs_fit_interval *time = &found[CS_FIT_SEQ_TIME], *f = &found[CS_FIT_SEQ_FRACTION];
    struct cs_fit_interval *growth = &found[CS_FIT_GROWTH], *exponent = &found[CS_FIT_EXPONENT];
    const double wide =
        growth->high * fit_growth(w->kind, fmax(exponent->high, 0), p->procs[p->count - 1]);

    time->determined = time->high <= 10 * time->low;
    f->determined = f->high - f->low <= 0.9;
    growth->determined = isfinite(growth->high) && (growth->low > 0 || wide <= 1);
    exponent->determined = growth->low > 0 && (exponent->low > CS_FIT_EXPONENT_LOW ||
                                               exponent->high < CS_FIT_EXPONENT_HIGH);
}

/* Intervals of all parameters of a model with these best weights; `error` may be what is left
 * of the counts (weights->error).  NaN without degrees of freedom. */
static void fit_intervals(const struct cs_fit_points *points, enum cs_fit_kind kind,
                          const struct cs_fit_weights *best, double *scratch,
                          struct cs_fit_interval *interval)
{
    const int parameters = kind == CS_FIT_AMDAHL ? 2 : kind == CS_FIT_POWER ? 4 : 3;
    struct walk w = {.points = points,
                     .kind = kind,
                     .limit = find_limit(points, parameters, best->error),
                     .scratch = scratch};

    for (int k = 0; k < CS_FIT_PARAMETERS; k++)
        interval[k] = (struct cs_fit_interval){NAN, NAN, false};
    if (isnan(w.limit))
        return;
    if (kind == CS_FIT_POWER)
        find_exponent(&w, best->exponent, &interval[CS_FIT_EXPONENT]);
    make_grid(&w, best->exponent, &interval[CS_FIT_EXPONENT]);
    find_others(&w, best, interval);
    fit_judge(&w, interval);
    interval[CS_FIT_SEQ_TIME].low *= points->unit;
    interval[CS_FIT_SEQ_TIME].high *= points->unit;
}

#define LEFT_OUT_MOST 50
#define EXACT 1e-9
#define NEAR 2.0

static const struct {
    const char *name, *title;
    enum cs_profile_kind kind;
    int parameters;
} kinds[CS_FIT_KINDS] = {
    {"amdahl", "Amdahl's law", CS_PROFILE_AMDAHL, 2},
    {"overhead", "the one with overhead", CS_PROFILE_OVERHEAD, 3},
    {"universal", "the universal scalability law", CS_PROFILE_UNIVERSAL, 3},
    {"power", "the power of the count", CS_PROFILE_POWER, 4},
};

const char *cs_fit_kind_name(enum cs_fit_kind kind)
{
    CS_ASK((int)kind >= 0 && kind < CS_FIT_KINDS, NULL, NULL);
    return kinds[kind].name;
}

static struct cs_fit_weights solve_at(const struct cs_fit_points *p, enum cs_fit_kind kind,
                                      double exponent, int skip, double *scratch)
{
    struct cs_fit_rows rows;
    struct cs_fit_weights found;

    fit_rows_make(p, kind, exponent, skip, scratch, &rows);
    found = fit_rows_solve(&rows);
    found.exponent = exponent;
    return found;
}

/* The best exponent between two: golden section. */
static struct cs_fit_weights fit_narrow(const struct cs_fit_points *p, double low, double high,
                                        int skip, double *scratch)
{
    const double golden = (sqrt(5) - 1) / 2, fine = skip < 0 ? 1e-9 : 1e-4;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    struct cs_fit_weights left = solve_at(p, CS_FIT_POWER, a, skip, scratch);
    struct cs_fit_weights right = solve_at(p, CS_FIT_POWER, b, skip, scratch);

    while (b - a > fine) {
        if (left.error <= right.error) {
            high = b;
            b = a;
            right = left;
            a = high - golden * (high - low);
            left = solve_at(p, CS_FIT_POWER, a, skip, scratch);
        } else {
            low = a;
            a = b;
            left = right;
            b = low + golden * (high - low);
            right = solve_at(p, CS_FIT_POWER, b, skip, scratch);
        }
    }
    return left.error <= right.error ? left : right;
}

/* The exponents of a grid, then those around the best of them. */
static struct cs_fit_weights solve_power(const struct cs_fit_points *p, int skip, double *scratch)
{
    const double step = 0.1;
    struct cs_fit_weights best = {.error = INFINITY}, closer;
    const int last = (int)round((CS_FIT_EXPONENT_HIGH - CS_FIT_EXPONENT_LOW) / step);

    for (int i = 0; i <= last; i++) {
        struct cs_fit_weights now =
            solve_at(p, CS_FIT_POWER, CS_FIT_EXPONENT_LOW + step * i, skip, scratch);

        if (now.error < best.error)
            best = now;
    }
    if (isinf(best.error))
        return best;
    closer = fit_narrow(p, fmax(CS_FIT_EXPONENT_LOW, best.exponent - step),
                        fmin(CS_FIT_EXPONENT_HIGH, best.exponent + step), skip, scratch);
    return closer.error < best.error ? closer : best;
}

static struct cs_fit_weights fit_solve(const struct cs_fit_points *p, enum cs_fit_kind kind,
                                       int skip, double *scratch)
{
    return kind == CS_FIT_POWER ? solve_power(p, skip, scratch)
                                : solve_at(p, kind, 0, skip, scratch);
}

static double relative_error(const struct cs_fit_points *p, enum cs_fit_kind kind,
                             const struct cs_fit_weights *w, int point)
{
    double model = w->term[0] + w->term[1] / p->procs[point];

    if (w->term[2] > 0)
        model += w->term[2] * fit_growth(kind, w->exponent, p->procs[point]);
    return (model - p->seconds[point]) / p->seconds[point];
}

static double left_out_error(const struct cs_fit_points *p, enum cs_fit_kind kind, double *scratch)
{
    const int step = (p->count + LEFT_OUT_MOST - 1) / LEFT_OUT_MOST;
    double sum = 0;
    int tried = 0;

    for (int i = 0; i < p->count; i += step) {
        struct cs_fit_weights w = fit_solve(p, kind, i, scratch);
        const double error = relative_error(p, kind, &w, i);

        sum += isinf(w.error) ? INFINITY : error * error;
        tried++;
    }
    return sqrt(sum / tried);
}

static double fit_criterion(const struct cs_fit_points *p, enum cs_fit_kind kind, double error)
{
    const double n = p->runs, k = kinds[kind].parameters + 1;
    const double rest = fmax((error + p->within) / n, EXACT * EXACT);

    if (n <= k + 1 || p->count <= kinds[kind].parameters)
        return INFINITY;
    return n * log(rest) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

static struct cs_profile make_profile(const struct cs_fit_points *p, enum cs_fit_kind kind,
                                      const struct cs_fit_weights *w)
{
    const double seq_time = w->term[0] + w->term[1];

    return (struct cs_profile){
        .kind = kinds[kind].kind,
        .seq_time = seq_time * p->unit,
        .seq_fraction = w->term[0] / seq_time,
        .overhead = w->term[2] / seq_time,
        .exponent = kind == CS_FIT_POWER ? w->exponent : 0,
    };
}

static void measure_errors(const struct cs_fit_points *p, enum cs_fit_kind kind,
                           const struct cs_fit_weights *w, struct cs_fit_model *model)
{
    double sum = 0;

    for (int i = 0; i < p->count; i++) {
        const double error = fabs(relative_error(p, kind, w, i));

        sum += error * error;
        if (i == 0 || error > model->worst) {
            model->worst = error;
            model->worst_procs = p->procs[i];
        }
    }
    model->rms = sqrt(sum / p->count);
}

static int fit_model(const struct cs_fit_points *p, enum cs_fit_kind kind, double *scratch,
                     struct cs_fit_model *model, struct cs_error *err)
{
    const struct cs_fit_weights w = fit_solve(p, kind, -1, scratch);

    if (isinf(w.error))
        return cs_error_set(err, "the measured times differ too much to be fitted");
    model->known = true;
    model->profile = make_profile(p, kind, &w);
    model->aicc = fit_criterion(p, kind, w.error);
    measure_errors(p, kind, &w, model);
    fit_intervals(p, kind, &w, scratch, model->interval);
    if (p->count > kinds[kind].parameters)
        model->left_out = left_out_error(p, kind, scratch);
    return 0;
}

/* Before the others if it is a better choice; ties go to the simpler one. */
static void fit_offer(struct cs_fit *fit, enum cs_fit_kind kind)
{
    const double aicc = fit->model[kind].aicc;

    if (!fit->model[kind].known || isinf(aicc))
        return;
    if (isinf(fit->model[fit->best].aicc) || aicc < fit->model[fit->best].aicc) {
        fit->next = isinf(fit->model[fit->best].aicc) ? CS_FIT_KINDS : fit->best;
        fit->best = kind;
    } else if (fit->next == CS_FIT_KINDS || aicc < fit->model[fit->next].aicc) {
        fit->next = kind;
    }
}

/* Exact data need no statistics: the simplest formula through all counts, if there are more counts
 * than parameters. */
static bool choose_exact(const struct cs_fit_points *p, struct cs_fit *fit)
{
    for (int kind = 0; kind < CS_FIT_KINDS; kind++)
        if (fit->model[kind].known && p->count > kinds[kind].parameters &&
            fit->model[kind].worst < EXACT && !(p->within > 0)) {
            fit->best = kind;
            cs_plain_print(fit->why, sizeof fit->why, "%s goes through all %d counts",
                           kinds[kind].title, fit->points);
            return true;
        }
    return false;
}

static void fit_explain(struct cs_fit *fit)
{
    const double best = fit->model[fit->best].aicc;
    const double more = fit->next < CS_FIT_KINDS ? fit->model[fit->next].aicc - best : INFINITY;

    if (fit->points == 1)
        cs_plain_print(fit->why, sizeof fit->why, "one count: only a fixed time can be fitted");
    else if (isinf(best))
        cs_plain_print(fit->why, sizeof fit->why,
                       "undetermined: %d runs on %d counts are too few to choose, five are needed "
                       "for %s and six for a third parameter",
                       fit->runs, fit->points, kinds[CS_FIT_AMDAHL].title);
    else if (fit->next == CS_FIT_KINDS)
        cs_plain_print(fit->why, sizeof fit->why,
                       "%d runs on %d counts are too few for all other models", fit->runs,
                       fit->points);
    else
        cs_plain_print(fit->why, sizeof fit->why, "AICc %.1f, that of %s %.1f more%s", best,
                       kinds[fit->next].title, more,
                       more < NEAR ? ": undetermined, the data hardly separate the two" : "");
}

static void fit_choose(const struct cs_fit_points *p, struct cs_fit *fit)
{
    fit->best = CS_FIT_AMDAHL;
    fit->next = CS_FIT_KINDS;
    for (int kind = 1; kind < CS_FIT_KINDS; kind++)
        fit_offer(fit, kind);
    if (!choose_exact(p, fit))
        fit_explain(fit);
}

static int fit_points(const struct cs_fit_points *p, struct cs_arena *arena, struct cs_fit *fit,
                      struct cs_error *err)
{
    double *scratch = CS_NEW_ARRAY(arena, double, 4 * (size_t)p->count);

    fit->points = p->count;
    fit->runs = p->runs;
    fit->spread = p->spread;
    for (int kind = 0; kind < CS_FIT_KINDS; kind++) {
        struct cs_fit_model *model = &fit->model[kind];

        model->left_out = NAN;
        model->aicc = INFINITY;
        if ((kind == CS_FIT_AMDAHL || p->count >= kinds[kind].parameters) &&
            fit_model(p, kind, scratch, model, err))
            return -1;
    }
    fit_choose(p, fit);
    return 0;
}

int cs_fit_profile(const struct cs_profile *profile, struct cs_fit *fit, struct cs_error *err)
{
    CS_ASK(profile && fit, err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *arena = cs_arena_create();
    struct cs_fit_points p;
    struct cs_fit found;
    int status;

    memset(&found, 0, sizeof found);
    status = cs_profile_check(profile, err);
    if (status == 0)
        status = fit_points_read(profile, &p, arena, err);
    if (status == 0)
        status = fit_points(&p, arena, &found, err);
    if (status == 0)
        *fit = found;
    cs_arena_destroy(arena);
    return status;
}

static int fit_all(const struct cs_workload *measured, enum cs_fit_kind use, struct cs_fit *fit,
                   enum cs_fit_kind *used, struct cs_profile *profile, struct cs_error *err)
{
    for (int i = 0; i < measured->count; i++) {
        if (cs_fit_profile(&measured->profile[i], &fit[i], err))
            return cs_error_prefix(err, "task %d (%.60s)", i, measured->name[i]);
        used[i] = use == CS_FIT_BEST ? fit[i].best : fit[i].model[use].known ? use : CS_FIT_AMDAHL;
        profile[i] = fit[i].model[used[i]].profile;
    }
    return 0;
}

struct cs_workload *cs_fit_workload(const struct cs_workload *measured, enum cs_fit_kind use,
                                    struct cs_fit *fit, enum cs_fit_kind *used,
                                    struct cs_error *err)
{
    CS_ASK(measured && (fit || !measured->count) && (int)use >= 0 && use <= CS_FIT_BEST, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, measured->count);
    struct cs_fit *found = CS_NEW_ARRAY(arena, struct cs_fit, measured->count);
    enum cs_fit_kind *kind = CS_NEW_ARRAY(arena, enum cs_fit_kind, measured->count);
    struct cs_workload *workload = NULL;

    if (fit_all(measured, use, found, kind, profile, err) == 0)
        workload = cs_workload_create(measured->count, measured->name, profile, err);
    if (workload) {
        workload->procs = measured->procs;
        workload->pack_size = measured->pack_size;
        cs_workload_set_state(workload, measured->checkpoint, measured->data);
        if (measured->limit)
            cs_workload_set_limits(workload, measured->limit);
        if (measured->count)
            memcpy(fit, found, (size_t)measured->count * sizeof *fit);
        if (measured->count && used)
            memcpy(used, kind, (size_t)measured->count * sizeof *used);
    }
    cs_arena_destroy(arena);
    return workload;
}
