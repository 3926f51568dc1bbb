/* timings_chart.c - measured times as charts.
 *
 * Source: spec/bag.md 7.8.
 * Idea: the best formula of model/fit.c is a sum of terms, linear in their factors; those that are
 * positive, and at most all but one of the counts, give the covariance of the factors, and with it
 * an interval of 95 % for the time on each count. An exponent counts as known.
 * Invariants: speedup is against the smallest measured count.
 */
#include "api/timings_chart.h"

#include "base/arena.h"
#include "base/stats.h"
#include "report/plot.h"
#include "report/table.h"

#include <cosched/fit.h>
#include <math.h>
#include <string.h>

#define TERMS 3
#define CURVE 41       /* points of a fitted line */
#define PANELS_MOST 60 /* of one figure */

/* ---- the fit of one application ---- */

struct curve {
    struct cs_profile formula;
    bool known;      /* there is a fit */
    int terms;       /* with a factor above 0 */
    int term[TERMS]; /* 0: alone, 1: parallel, 2: overhead */
    enum cs_fit_kind kind;
    double inverse[TERMS][TERMS]; /* of the normal matrix, weights of relative errors */
    double margin;                /* times the root of x' inverse x; NaN: no degree of freedom */
};

static double term_at(const struct curve *c, int term, double procs)
{
    if (term == 0)
        return 1;
    if (term == 1)
        return 1 / procs;
    return c->kind == CS_FIT_OVERHEAD    ? log2(procs)
           : c->kind == CS_FIT_UNIVERSAL ? procs - 1
                                         : pow(procs, c->formula.exponent);
}

static double curve_at(const struct curve *c, double procs)
{
    const struct cs_profile *p = &c->formula;
    const double factor[] = {p->seq_fraction, 1 - p->seq_fraction, p->overhead};
    double sum = 0;

    for (int k = 0; k < TERMS; k++)
        sum += factor[k] > 0 ? factor[k] * term_at(c, k, procs) : 0;
    return p->seq_time * sum;
}

/* Gauss and Jordan; false: singular. */
static bool matrix_invert(double a[TERMS][TERMS], double inverse[TERMS][TERMS], int n)
{
    for (int r = 0; r < n; r++)
        for (int k = 0; k < n; k++)
            inverse[r][k] = r == k;
    for (int k = 0; k < n; k++) {
        const double pivot = a[k][k];

        if (!(fabs(pivot) > 0))
            return false;
        for (int j = 0; j < n; j++) {
            a[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
        for (int r = 0; r < n; r++) {
            const double by = a[r][k];

            for (int j = 0; r != k && j < n; j++) {
                a[r][j] -= by * a[k][j];
                inverse[r][j] -= by * inverse[k][j];
            }
        }
    }
    return true;
}

static void curve_find_terms(struct curve *c)
{
    const struct cs_profile *p = &c->formula;
    const double factor[] = {p->seq_fraction, 1 - p->seq_fraction, p->overhead};

    for (int k = 0; k < TERMS; k++)
        if (factor[k] > 0)
            c->term[c->terms++] = k;
}

static void curve_find_margin(const struct cs_profile *measured, struct curve *c)
{
    double normal[TERMS][TERMS] = {{0}}, squares = 0;
    const int free = measured->count - c->terms - (c->kind == CS_FIT_POWER);

    c->margin = NAN;
    for (int i = 0; i < measured->count; i++) {
        const double t = measured->seconds[i], procs = measured->procs[i];
        const double error = (curve_at(c, procs) - t) / t;

        squares += error * error;
        for (int a = 0; a < c->terms; a++)
            for (int b = 0; b < c->terms; b++)
                normal[a][b] +=
                    term_at(c, c->term[a], procs) * term_at(c, c->term[b], procs) / (t * t);
    }
    if (free > 0 && matrix_invert(normal, c->inverse, c->terms))
        c->margin = cs_stats_student(0.975, (uint64_t)free) * sqrt(squares / free);
}

static struct curve curve_fit(const struct cs_profile *measured)
{
    struct curve c = {.known = false};
    struct cs_error ignored = {0};
    struct cs_fit fit;

    if (measured->count < 2 || cs_fit_profile(measured, &fit, &ignored) ||
        !fit.model[fit.best].known)
        return c;
    c.known = true;
    c.kind = fit.best;
    c.formula = fit.model[fit.best].profile;
    curve_find_terms(&c);
    curve_find_margin(measured, &c);
    return c;
}

/* Half the width of the interval. */
static double curve_margin(const struct curve *c, double procs)
{
    double sum = 0;

    for (int a = 0; a < c->terms; a++)
        for (int b = 0; b < c->terms; b++)
            sum += term_at(c, c->term[a], procs) * c->inverse[a][b] * term_at(c, c->term[b], procs);
    return c->margin * sqrt(fmax(sum, 0));
}

/* ---- rows ---- */

bool cs_timings_chart_is(const struct cs_workload *workload)
{
    for (int i = 0; i < workload->count; i++)
        if (workload->profile[i].kind == CS_PROFILE_POINTS)
            return true;
    return false;
}

static const struct cs_column columns[] = {
    {.key = "app", .kind = CS_COLUMN_WORD},          {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "seconds", .kind = CS_COLUMN_NUMBER},    {.key = "speedup", .kind = CS_COLUMN_NUMBER},
    {.key = "efficiency", .kind = CS_COLUMN_NUMBER}, {.key = "fitted", .kind = CS_COLUMN_NUMBER},
    {.key = "low", .kind = CS_COLUMN_NUMBER},        {.key = "high", .kind = CS_COLUMN_NUMBER},
};

static void rows_put_app(const char *name, const struct cs_profile *p, struct cs_table *table)
{
    const struct curve c = curve_fit(p);

    for (int i = 0; i < p->count; i++) {
        const double speedup = p->seconds[0] / p->seconds[i];
        const double at = c.known ? curve_at(&c, p->procs[i]) : NAN;
        const double margin = c.known ? curve_margin(&c, p->procs[i]) : NAN;

        cs_table_text(table, name);
        cs_table_count(table, p->procs[i]);
        cs_table_number(table, p->seconds[i]);
        cs_table_number(table, speedup);
        cs_table_number(table, speedup * p->procs[0] / p->procs[i]);
        cs_table_number(table, at);
        cs_table_number(table, isnan(margin) ? NAN : fmax(at - margin, 0));
        cs_table_number(table, isnan(margin) ? NAN : at + margin);
    }
}

static void rows_put(const struct cs_workload *workload, struct cs_strbuf *out)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < workload->count; i++)
        if (workload->profile[i].kind == CS_PROFILE_POINTS)
            rows_put_app(workload->name[i], &workload->profile[i], table);
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

/* ---- panels ---- */

enum figure { TIME, SPEEDUP, EFFICIENCY };

/* The number that a figure shows for a time. */
static double figure_value(enum figure figure, const struct cs_profile *p, double procs, double t)
{
    return figure == TIME      ? t
           : figure == SPEEDUP ? p->seconds[0] / t
                               : p->seconds[0] * p->procs[0] / (procs * t);
}

static double *panel_numbers(struct cs_arena *arena, int count)
{
    return CS_NEW_ARRAY(arena, double, count);
}

static void panel_put_measured(enum figure figure, const struct cs_profile *p,
                               struct cs_plot_series *series, struct cs_arena *arena)
{
    double *x = panel_numbers(arena, p->count), *y = panel_numbers(arena, p->count);

    for (int i = 0; i < p->count; i++) {
        x[i] = p->procs[i];
        y[i] = figure_value(figure, p, p->procs[i], p->seconds[i]);
    }
    *series = (struct cs_plot_series){
        .name = "measured", .count = p->count, .x = x, .y = y, .dots = true};
}

static void panel_put_fit(enum figure figure, const struct cs_profile *p,
                          struct cs_plot_series *series, struct cs_arena *arena)
{
    const struct curve c = curve_fit(p);
    const double first = p->procs[0], last = p->procs[p->count - 1];
    double *x = panel_numbers(arena, CURVE), *y = panel_numbers(arena, CURVE);
    double *low = panel_numbers(arena, CURVE), *high = panel_numbers(arena, CURVE);

    for (int k = 0; c.known && k < CURVE; k++) {
        const double procs = first * pow(last / first, (double)k / (CURVE - 1));
        const double at = curve_at(&c, procs), margin = curve_margin(&c, procs);
        const double a = figure_value(figure, p, procs, fmax(at - margin, at / 100)),
                     b = figure_value(figure, p, procs, at + margin);

        x[k] = procs;
        y[k] = figure_value(figure, p, procs, at);
        low[k] = fmin(a, b);
        high[k] = fmax(a, b);
    }
    *series = (struct cs_plot_series){.name = "fit (band: 95 %)",
                                      .count = c.known ? CURVE : 0,
                                      .x = x,
                                      .y = y,
                                      .low = isnan(c.margin) || !c.known ? NULL : low,
                                      .high = isnan(c.margin) || !c.known ? NULL : high,
                                      .plain = true};
}

static void panel_put_ideal(enum figure figure, const struct cs_profile *p,
                            struct cs_plot_series *series, struct cs_arena *arena)
{
    double *x = panel_numbers(arena, 2), *y = panel_numbers(arena, 2);

    for (int k = 0; k < 2; k++) {
        x[k] = p->procs[k ? p->count - 1 : 0];
        y[k] = figure_value(figure, p, x[k], p->seconds[0] * p->procs[0] / x[k]);
    }
    *series = (struct cs_plot_series){.name = "ideal", .count = 2, .x = x, .y = y, .plain = true};
}

/* The range of measured and ideal values with some space: bands of few counts are wide. */
static void panel_set_range(enum figure figure, const struct cs_plot_series *series,
                            struct cs_plot_axis *y)
{
    double low = INFINITY, high = 0;

    for (int s = 1; s < 3; s++)
        for (int i = 0; i < series[s].count; i++) {
            low = fmin(low, series[s].y[i]);
            high = fmax(high, series[s].y[i]);
        }
    y->fixed = true;
    y->low = figure == EFFICIENCY ? 0 : low / 1.4;
    y->high = figure == EFFICIENCY ? 1.2 * high : 1.4 * high;
}

static struct cs_plot_panel panel_of(const char *name, const struct cs_profile *p,
                                     enum figure figure, struct cs_arena *arena)
{
    static const char *const title[] = {"time", "speedup", "efficiency"};
    struct cs_plot_series *series = CS_NEW_ARRAY(arena, struct cs_plot_series, 3);
    struct cs_ticks *ticks = CS_NEW(arena, struct cs_ticks);
    double *at = panel_numbers(arena, p->count);
    struct cs_plot_panel panel;

    for (int i = 0; i < p->count; i++)
        at[i] = p->procs[i];
    panel_put_fit(figure, p, &series[0], arena);
    panel_put_ideal(figure, p, &series[1], arena);
    panel_put_measured(figure, p, &series[2], arena);
    panel = (struct cs_plot_panel){
        .title = name,
        .kind = CS_PLOT_LINES,
        .x = {.title = "processors",
              .log = true,
              .ticks = p->count <= 8 && cs_ticks_at(at, p->count, ticks) ? ticks : NULL},
        .y = {.title = title[figure],
              .unit = figure == TIME ? "s" : NULL,
              .log = figure != EFFICIENCY},
        .series_count = 3,
        .series = series};
    panel_set_range(figure, series, &panel.y);
    return panel;
}

static int timings_draw(const struct cs_workload *workload, enum figure which,
                        const struct cs_chart_style *style, struct cs_strbuf *out,
                        struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_plot_panel *panel = CS_NEW_ARRAY(arena, struct cs_plot_panel, workload->count);
    struct cs_plot_figure figure = {.title = style->title,
                                    .width = style->width,
                                    .height = style->height,
                                    .style = style->style,
                                    .panel = panel};
    int status;

    for (int i = 0; i < workload->count; i++)
        if (workload->profile[i].kind == CS_PROFILE_POINTS)
            panel[figure.panel_count++] =
                panel_of(workload->name[i], &workload->profile[i], which, arena);
    figure.columns = figure.panel_count < 3 ? figure.panel_count : 3;
    status = figure.panel_count > PANELS_MOST
                 ? cs_error_set(err, "found %d applications, expected at most %d in one figure",
                                figure.panel_count, PANELS_MOST)
                 : cs_plot_svg(&figure, out, err);
    cs_arena_destroy(arena);
    return status;
}

int cs_timings_chart_put(const struct cs_workload *workload, const char *figure,
                         const struct cs_chart_style *style, struct cs_strbuf *out,
                         struct cs_error *err)
{
    static const char *const words[] = {"time", "speedup", "efficiency"};
    int which = 0;

    if (figure && !strcmp(figure, "csv")) {
        rows_put(workload, out);
        return 0;
    }
    while (figure && which < 3 && strcmp(figure, words[which]) != 0)
        which++;
    return which == 3 ? cs_error_set(err,
                                     "the figure of timings cannot be \"%.60s\"; it must be time, "
                                     "speedup or efficiency",
                                     figure)
                      : timings_draw(workload, (enum figure)which, style, out, err);
}
