/* fit.c - four formulas fitted to measured times, and which of them is to be believed. */
#include <cosched/fit.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "model/fit_interval.h"
#include "model/profile.h"
#include "model/workload.h"

#include <math.h>
#include <string.h>

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

    cs_fit_rows_make(p, kind, exponent, skip, scratch, &rows);
    found = cs_fit_rows_solve(&rows);
    found.exponent = exponent;
    return found;
}

/* The best exponent between two: golden section. */
static struct cs_fit_weights narrow(const struct cs_fit_points *p, double low, double high,
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
    closer = narrow(p, fmax(CS_FIT_EXPONENT_LOW, best.exponent - step),
                    fmin(CS_FIT_EXPONENT_HIGH, best.exponent + step), skip, scratch);
    return closer.error < best.error ? closer : best;
}

static struct cs_fit_weights solve(const struct cs_fit_points *p, enum cs_fit_kind kind, int skip,
                                   double *scratch)
{
    return kind == CS_FIT_POWER ? solve_power(p, skip, scratch)
                                : solve_at(p, kind, 0, skip, scratch);
}

static double relative_error(const struct cs_fit_points *p, enum cs_fit_kind kind,
                             const struct cs_fit_weights *w, int point)
{
    double model = w->term[0] + w->term[1] / p->procs[point];

    if (w->term[2] > 0)
        model += w->term[2] * cs_fit_growth(kind, w->exponent, p->procs[point]);
    return (model - p->seconds[point]) / p->seconds[point];
}

static double left_out_error(const struct cs_fit_points *p, enum cs_fit_kind kind, double *scratch)
{
    const int step = (p->count + LEFT_OUT_MOST - 1) / LEFT_OUT_MOST;
    double sum = 0;
    int tried = 0;

    for (int i = 0; i < p->count; i += step) {
        struct cs_fit_weights w = solve(p, kind, i, scratch);
        const double error = relative_error(p, kind, &w, i);

        sum += isinf(w.error) ? INFINITY : error * error;
        tried++;
    }
    return sqrt(sum / tried);
}

static double criterion(const struct cs_fit_points *p, enum cs_fit_kind kind, double error)
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
    const struct cs_fit_weights w = solve(p, kind, -1, scratch);

    if (isinf(w.error))
        return cs_error_set(err, "the measured times differ too much to be fitted");
    model->known = true;
    model->profile = make_profile(p, kind, &w);
    model->aicc = criterion(p, kind, w.error);
    measure_errors(p, kind, &w, model);
    cs_fit_intervals(p, kind, &w, scratch, model->interval);
    if (p->count > kinds[kind].parameters)
        model->left_out = left_out_error(p, kind, scratch);
    return 0;
}

/* Before the others if it is a better choice; ties go to the simpler one. */
static void offer(struct cs_fit *fit, enum cs_fit_kind kind)
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

/* What has no error needs no statistics: the simplest formula that goes through all counts,
 * when there are more of them than it has parameters. */
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

static void explain(struct cs_fit *fit)
{
    const double best = fit->model[fit->best].aicc;
    const double more = fit->next < CS_FIT_KINDS ? fit->model[fit->next].aicc - best : INFINITY;

    if (fit->points == 1)
        cs_plain_print(fit->why, sizeof fit->why, "one count: only a fixed time can be told");
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
                       more < NEAR ? ": undetermined, the data hardly tell the two apart" : "");
}

static void choose(const struct cs_fit_points *p, struct cs_fit *fit)
{
    fit->best = CS_FIT_AMDAHL;
    fit->next = CS_FIT_KINDS;
    for (int kind = 1; kind < CS_FIT_KINDS; kind++)
        offer(fit, kind);
    if (!choose_exact(p, fit))
        explain(fit);
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
    choose(p, fit);
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
        status = cs_fit_points_read(profile, &p, arena, err);
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
