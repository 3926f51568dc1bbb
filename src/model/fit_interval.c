/* fit_interval.c - profile likelihood: walk away from the best value until what is left is too
 * much, and bisect.
 *
 * The weights that leave no more than the limit are a convex set, and the sequential time, the
 * sequential fraction and the overhead are continuous on it: with the exponent known, each has an
 * interval without holes.  The exponent's own interval is walked first; every exponent outside of
 * it leaves too much whatever the others are, so theirs are sought on a grid in it. */
#include "model/fit_interval.h"

#include "base/stats.h"

#include <math.h>

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

static bool inside(struct walk *w, double value)
{
    if (w->parameter == CS_FIT_EXPONENT) {
        struct cs_fit_rows rows;

        cs_fit_rows_make(w->points, w->kind, value, -1, w->scratch, &rows);
        return cs_fit_rows_solve(&rows).error <= w->limit;
    }
    for (int i = 0; i < w->rows; i++) {
        const int at = (w->last + i) % w->rows;

        if (cs_fit_rows_constrained(&w->grid[at], w->parameter, value) <= w->limit) {
            w->last = at;
            return true;
        }
    }
    return false;
}

/* Between a value that is inside and one that is not. */
static double find_end(struct walk *w, double in, double out)
{
    if (inside(w, out))
        return out;
    for (int i = 0; i < STEPS; i++) {
        const double middle = in + (out - in) / 2;

        if (fabs(out - in) <= FINE * fabs(middle))
            break;
        *(inside(w, middle) ? &in : &out) = middle;
    }
    return in;
}

/* Outwards by doubling; +inf when it is inside for ever. */
static double find_high(struct walk *w, double value, double unit)
{
    double in = value, step = fmax(value, unit * 1e-9);

    for (double out = value + step; out < FAR * fmax(value, unit); out += step *= 2) {
        if (!inside(w, out))
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

        cs_fit_rows_make(w->points, w->kind, at, -1, w->scratch, &w->grid[i]);
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

static void judge(const struct walk *w, struct cs_fit_interval *found)
{
    const struct cs_fit_points *p = w->points;
    struct cs_fit_interval *time = &found[CS_FIT_SEQ_TIME], *f = &found[CS_FIT_SEQ_FRACTION];
    struct cs_fit_interval *growth = &found[CS_FIT_GROWTH], *exponent = &found[CS_FIT_EXPONENT];
    const double wide =
        growth->high * cs_fit_growth(w->kind, fmax(exponent->high, 0), p->procs[p->count - 1]);

    time->determined = time->high <= 10 * time->low;
    f->determined = f->high - f->low <= 0.9;
    growth->determined = isfinite(growth->high) && (growth->low > 0 || wide <= 1);
    exponent->determined = growth->low > 0 && (exponent->low > CS_FIT_EXPONENT_LOW ||
                                               exponent->high < CS_FIT_EXPONENT_HIGH);
}

void cs_fit_intervals(const struct cs_fit_points *points, enum cs_fit_kind kind,
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
    judge(&w, interval);
    interval[CS_FIT_SEQ_TIME].low *= points->unit;
    interval[CS_FIT_SEQ_TIME].high *= points->unit;
}
