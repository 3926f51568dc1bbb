/* fit.c - Amdahl's law, with and without overhead, by non-negative least squares.
 *
 * The unknowns are the weights of three terms: 1, 1/p and log2 p.  At the best non-negative
 * weights the positive ones solve the unconstrained problem of their terms, so the least
 * error among all sets of terms whose own solution is not negative is the answer.  Each
 * is solved by orthogonalising the terms and the right side together (modified
 * Gram-Schmidt, backward stable), twice.  Log2 p alone is left out:
 * a task has a sequential time.
 */
#include <cosched/fit.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "model/workload.h"

#include <math.h>
#include <string.h>

#define TERMS 3
#define LEFT_OUT_MOST 200
#define TIE 1e-9

struct points {
    int count;
    int *procs;
    double *seconds; /* in units of `unit` */
    double unit;     /* the largest time */
};

struct weights {
    double term[TERMS];
    double error; /* sum of squares of relative errors; +inf: no solution */
};

/* Sets of terms as bits: 1 for 1, 2 for 1/p, 4 for log2 p; smaller sets first. */
static const unsigned amdahl_sets[] = {1, 2, 3, 0};
static const unsigned overhead_sets[] = {1, 2, 3, 5, 6, 7, 0};

static double term(int which, int procs)
{
    return which == 0 ? 1 : which == 1 ? 1.0 / procs : log2(procs);
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

/* Columns of `terms` terms and the right side, each divided by the measured time.  Point
 * `skip` is left out (-1: none).  Returns the number of rows. */
static int make_columns(const struct points *p, unsigned set, int skip, double **column)
{
    int rows = 0, columns = 0;

    for (int k = 0; k < TERMS; k++) {
        if (!(set >> k & 1))
            continue;
        rows = 0;
        for (int i = 0; i < p->count; i++)
            if (i != skip)
                column[columns][rows++] = term(k, p->procs[i]) / p->seconds[i];
        columns++;
    }
    for (int i = 0; i < rows; i++)
        column[columns][i] = 1;
    return rows;
}

/* Make column j orthogonal to those before it and normal: r gets the factors.  False when
 * nothing is left of it. */
static bool orthogonalise(double **column, int j, int rows, double r[TERMS + 1][TERMS + 1])
{
    double before = sqrt(dot(column[j], column[j], rows));

    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < j; k++) {
            double factor = dot(column[k], column[j], rows);

            subtract(column[j], factor, column[k], rows);
            r[k][j] += factor;
        }
    r[j][j] = sqrt(dot(column[j], column[j], rows));
    if (!(r[j][j] > 1e-12 * before) || !isfinite(before))
        return false;
    for (int i = 0; i < rows; i++)
        column[j][i] /= r[j][j];
    return true;
}

/* The unconstrained solution of one set of terms. */
static struct weights solve_set(const struct points *p, unsigned set, int skip, double **column)
{
    double r[TERMS + 1][TERMS + 1] = {{0}}, x[TERMS];
    struct weights none = {.error = INFINITY}, found = {{0}, 0};
    int rows = make_columns(p, set, skip, column), columns = 0;

    for (int k = 0; k < TERMS; k++)
        columns += set >> k & 1;
    if (rows < columns)
        return none;
    for (int j = 0; j < columns; j++)
        if (!orthogonalise(column, j, rows, r))
            return none;
    orthogonalise(column, columns, rows, r);
    for (int j = columns - 1; j >= 0; j--) {
        x[j] = r[j][columns];
        for (int k = j + 1; k < columns; k++)
            x[j] -= r[j][k] * x[k];
        x[j] /= r[j][j];
    }
    for (int k = 0, j = 0; k < TERMS; k++)
        if (set >> k & 1)
            found.term[k] = x[j++];
    found.error = r[columns][columns] * r[columns][columns];
    return found;
}

static bool usable(const struct weights *w)
{
    for (int k = 0; k < TERMS; k++)
        if (!(w->term[k] >= 0) || !isfinite(w->term[k]))
            return false;
    return isfinite(w->error) && w->term[0] + w->term[1] > 0;
}

static struct weights solve(const struct points *p, const unsigned *sets, int skip, double **column)
{
    struct weights best = {.error = INFINITY};

    for (int i = 0; sets[i]; i++) {
        struct weights now = solve_set(p, sets[i], skip, column);

        if (usable(&now) && now.error < best.error)
            best = now;
    }
    return best;
}

static double relative_error(const struct points *p, const struct weights *w, int point)
{
    double model = 0;

    for (int k = 0; k < TERMS; k++)
        if (w->term[k] > 0)
            model += w->term[k] * term(k, p->procs[point]);
    return (model - p->seconds[point]) / p->seconds[point];
}

static double left_out_error(const struct points *p, const unsigned *sets, double **column)
{
    int step = (p->count + LEFT_OUT_MOST - 1) / LEFT_OUT_MOST, tried = 0;
    double sum = 0;

    for (int i = 0; i < p->count; i += step) {
        struct weights w = solve(p, sets, i, column);
        double error = relative_error(p, &w, i);

        sum += isinf(w.error) ? INFINITY : error * error;
        tried++;
    }
    return sqrt(sum / tried);
}

static struct cs_profile make_profile(const struct points *p, const struct weights *w,
                                      enum cs_profile_kind kind)
{
    double seq_time = w->term[0] + w->term[1];

    return (struct cs_profile){
        .kind = kind,
        .seq_time = seq_time * p->unit,
        .seq_fraction = w->term[0] / seq_time,
        .overhead = w->term[2] / seq_time,
    };
}

static int fit_model(const struct points *p, const unsigned *sets, enum cs_profile_kind kind,
                     double **column, struct cs_fit_model *model, struct cs_error *err)
{
    struct weights w = solve(p, sets, -1, column);
    double sum = 0;

    if (isinf(w.error))
        return cs_error_set(err, "the measured times differ too much to be fitted");
    *model = (struct cs_fit_model){.known = true, .profile = make_profile(p, &w, kind)};
    for (int i = 0; i < p->count; i++) {
        double error = fabs(relative_error(p, &w, i));

        sum += error * error;
        if (i == 0 || error > model->worst) {
            model->worst = error;
            model->worst_procs = p->procs[i];
        }
    }
    model->rms = sqrt(sum / p->count);
    model->left_out = NAN;
    return 0;
}

static int read_points(const struct cs_profile *profile, struct points *p, struct cs_arena *arena,
                       struct cs_error *err)
{
    bool table = profile->kind == CS_PROFILE_TABLE;

    if (!table && profile->kind != CS_PROFILE_POINTS)
        return cs_error_set(err, "the profile is a formula already: measured times are needed");
    p->procs = CS_NEW_ARRAY(arena, int, profile->count);
    p->seconds = CS_NEW_ARRAY(arena, double, profile->count);
    for (int i = 0; i < profile->count; i++)
        if (isfinite(profile->seconds[i])) {
            p->procs[p->count] = table ? i + 1 : profile->procs[i];
            p->seconds[p->count++] = profile->seconds[i];
            p->unit = fmax(p->unit, profile->seconds[i]);
        }
    if (p->count == 0)
        return cs_error_set(err, "the profile has no finite time");
    for (int i = 0; i < p->count; i++)
        p->seconds[i] /= p->unit;
    return 0;
}

static void choose(struct cs_fit *fit)
{
    double a = fit->amdahl.left_out, b = fit->overhead.left_out;

    fit->better = CS_PROFILE_AMDAHL;
    if (fit->points == 1)
        cs_plain_print(fit->why, sizeof fit->why, "one point: only a fixed time can be told");
    else if (fit->points == 2)
        cs_plain_print(fit->why, sizeof fit->why, "two points: overhead needs at least three");
    else if (fit->points == 3)
        cs_plain_print(
            fit->why, sizeof fit->why,
            "three points always fit with overhead: the simpler model, until there are four");
    else if (!(fit->overhead.profile.overhead > 0))
        cs_plain_print(fit->why, sizeof fit->why, "the best overhead is 0");
    else if (b < a - TIE) {
        fit->better = CS_PROFILE_OVERHEAD;
        cs_plain_print(
            fit->why, sizeof fit->why,
            "with overhead, points left out are predicted within %.3g %%, without within "
            "%.3g %%",
            100 * b, 100 * a);
    } else
        cs_plain_print(
            fit->why, sizeof fit->why,
            "without overhead, points left out are predicted within %.3g %%, with it within "
            "%.3g %%",
            100 * a, 100 * b);
}

static int fit_points(const struct points *p, struct cs_arena *arena, struct cs_fit *fit,
                      struct cs_error *err)
{
    double *column[TERMS + 1];

    for (int k = 0; k <= TERMS; k++)
        column[k] = CS_NEW_ARRAY(arena, double, p->count);
    fit->points = p->count;
    fit->overhead.left_out = NAN;
    if (fit_model(p, amdahl_sets, CS_PROFILE_AMDAHL, column, &fit->amdahl, err))
        return -1;
    if (p->count >= 3) {
        if (fit_model(p, overhead_sets, CS_PROFILE_OVERHEAD, column, &fit->overhead, err))
            return -1;
        fit->amdahl.left_out = left_out_error(p, amdahl_sets, column);
    }
    if (p->count >= 4)
        fit->overhead.left_out = left_out_error(p, overhead_sets, column);
    choose(fit);
    return 0;
}

int cs_fit_profile(const struct cs_profile *profile, struct cs_fit *fit, struct cs_error *err)
{
    CS_GUARD(err, -1);
    struct cs_arena *arena = cs_arena_create();
    struct points p = {0};
    struct cs_fit found;
    int status;

    memset(&found, 0, sizeof found);
    status = read_points(profile, &p, arena, err);
    if (status == 0)
        status = fit_points(&p, arena, &found, err);
    if (status == 0)
        *fit = found;
    cs_arena_destroy(arena);
    return status;
}

static const struct cs_profile *chosen(const struct cs_fit *fit, enum cs_fit_use use)
{
    bool overhead =
        use == CS_FIT_OVERHEAD || (use == CS_FIT_BETTER && fit->better == CS_PROFILE_OVERHEAD);

    return overhead && fit->overhead.known ? &fit->overhead.profile : &fit->amdahl.profile;
}

static int fit_all(const struct cs_workload *measured, enum cs_fit_use use, struct cs_fit *fit,
                   struct cs_profile *profile, struct cs_error *err)
{
    for (int i = 0; i < measured->count; i++) {
        if (cs_fit_profile(&measured->profile[i], &fit[i], err))
            return cs_error_prefix(err, "task %d (%.60s)", i, measured->name[i]);
        profile[i] = *chosen(&fit[i], use);
    }
    return 0;
}

struct cs_workload *cs_fit_workload(const struct cs_workload *measured, enum cs_fit_use use,
                                    struct cs_fit *fit, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, measured->count);
    struct cs_fit *found = CS_NEW_ARRAY(arena, struct cs_fit, measured->count);
    struct cs_workload *workload = NULL;

    if (fit_all(measured, use, found, profile, err) == 0) {
        workload = cs_workload_create(measured->count, measured->name, profile);
        workload->procs = measured->procs;
        workload->pack_size = measured->pack_size;
        cs_workload_set_state(workload, measured->checkpoint, measured->data);
        if (measured->count)
            memcpy(fit, found, (size_t)measured->count * sizeof *fit);
    }
    cs_arena_destroy(arena);
    return workload;
}
