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
#include "base/file.h"
#include "base/stats.h"
#include "io/workload.h"
#include "report/plot.h"
#include "report/table.h"
#include "run/history.h"

#include <cosched/fit.h>
#include <math.h>
#include <string.h>

#define TERMS 3
#define CURVE 41       /* points of a fitted line */
#define PANELS_MOST 60 /* of one figure */
#define PAGE_WIDTH 960

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

static bool workload_is_measured(const struct cs_workload *workload)
{
    for (int i = 0; i < workload->count; i++)
        if (workload->profile[i].kind == CS_PROFILE_POINTS)
            return true;
    return false;
}

/* Is it a directory but no run, a text that is no JSON, or JSON of another tool? */
static bool path_may_be_timings(const char *path)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error ignored = {0};
    const bool folder = cs_file_is_folder(path);
    bool may = folder && !cs_run_seems(path);

    if (!folder && strcmp(path, "-") != 0 &&
        !cs_file_read(path, CS_FILE_LARGEST, &text, &ignored)) {
        const char *at = text.text ? text.text + strspn(text.text, " \t\r\n") : "";

        may = (*at != '{' && *at != '[') || cs_workload_kind(path, text.text, text.length);
    }
    cs_strbuf_release(&text);
    return may;
}

struct cs_workload *cs_timings_chart_read(const struct cs_chart_source *source,
                                          struct cs_error *err)
{
    struct cs_workload *workload = NULL;

    *err->text = '\0';
    if (!source->bytes && path_may_be_timings(source->name))
        workload = cs_workload_read(source->name, NULL, err);
    if (!workload || workload_is_measured(workload))
        return workload;
    cs_error_set(err, "%s: has formulas and no measured times", source->name);
    cs_workload_destroy(workload);
    return NULL;
}

static const struct cs_column columns[] = {
    {.key = "app", .kind = CS_COLUMN_WORD},          {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "seconds", .kind = CS_COLUMN_NUMBER},    {.key = "speedup", .kind = CS_COLUMN_NUMBER},
    {.key = "efficiency", .kind = CS_COLUMN_NUMBER}, {.key = "fitted", .kind = CS_COLUMN_NUMBER},
    {.key = "low", .kind = CS_COLUMN_NUMBER},        {.key = "high", .kind = CS_COLUMN_NUMBER},
};

/* A count of an application. */
struct row {
    int procs;
    double seconds, speedup, efficiency, fitted, low, high; /* the last three NaN: unknown */
};

static struct row row_of(const struct cs_profile *p, const struct curve *c, int i)
{
    const double speedup = p->seconds[0] / p->seconds[i];
    const double at = c->known ? curve_at(c, p->procs[i]) : NAN;
    const double margin = c->known ? curve_margin(c, p->procs[i]) : NAN;

    return (struct row){.procs = p->procs[i],
                        .seconds = p->seconds[i],
                        .speedup = speedup,
                        .efficiency = speedup * p->procs[0] / p->procs[i],
                        .fitted = at,
                        .low = isnan(margin) ? NAN : fmax(at - margin, 0),
                        .high = isnan(margin) ? NAN : at + margin};
}

static void rows_put_app(const char *name, const struct cs_profile *p, struct cs_table *table)
{
    const struct curve c = curve_fit(p);

    for (int i = 0; i < p->count; i++) {
        const struct row row = row_of(p, &c, i);

        cs_table_text(table, name);
        cs_table_count(table, row.procs);
        cs_table_number(table, row.seconds);
        cs_table_number(table, row.speedup);
        cs_table_number(table, row.efficiency);
        cs_table_number(table, row.fitted);
        cs_table_number(table, row.low);
        cs_table_number(table, row.high);
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

/* ---- pages ---- */

static void page_put_number(struct cs_jsonw *w, const char *key, double value)
{
    cs_jsonw_key(w, key);
    if (isfinite(value))
        cs_jsonw_double(w, value);
    else
        cs_jsonw_null(w);
}

static void rows_put_json(const char *name, const struct cs_profile *p, struct cs_jsonw *w)
{
    const struct curve c = curve_fit(p);

    for (int i = 0; i < p->count; i++) {
        const struct row row = row_of(p, &c, i);

        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "app", name);
        cs_jsonw_put_int(w, "procs", row.procs);
        page_put_number(w, "seconds", row.seconds);
        page_put_number(w, "speedup", row.speedup);
        page_put_number(w, "efficiency", row.efficiency);
        page_put_number(w, "fitted", row.fitted);
        page_put_number(w, "low", row.low);
        page_put_number(w, "high", row.high);
        cs_jsonw_close(w);
    }
}

static void page_put_fit(const struct cs_profile *measured, struct cs_jsonw *w)
{
    struct cs_error ignored = {0};
    struct cs_fit fit;
    const bool known = !cs_fit_profile(measured, &fit, &ignored) && fit.model[fit.best].known;
    const struct cs_fit_model *model = known ? &fit.model[fit.best] : NULL;

    cs_jsonw_put_string(w, "model", model ? cs_fit_kind_name(fit.best) : NULL);
    page_put_number(w, "seq_time", model ? model->profile.seq_time : NAN);
    page_put_number(w, "seq_fraction", model ? model->profile.seq_fraction : NAN);
    page_put_number(w, "fraction_low", model ? model->interval[CS_FIT_SEQ_FRACTION].low : NAN);
    page_put_number(w, "fraction_high", model ? model->interval[CS_FIT_SEQ_FRACTION].high : NAN);
    page_put_number(w, "rms", model ? model->rms : NAN);
}

static void page_put_app(const char *name, const struct cs_profile *p, struct cs_jsonw *w)
{
    const int last = p->count - 1;
    int runs = 0;

    for (int i = 0; i < p->count; i++)
        runs += p->runs ? p->runs[i] : 1;
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "app", name);
    cs_jsonw_put_int(w, "counts", p->count);
    cs_jsonw_put_int(w, "runs", runs);
    cs_jsonw_put_int(w, "least", p->procs[0]);
    cs_jsonw_put_int(w, "most", p->procs[last]);
    page_put_number(w, "speedup", p->seconds[0] / p->seconds[last]);
    page_put_number(w, "efficiency",
                    p->seconds[0] * p->procs[0] / (p->seconds[last] * p->procs[last]));
    page_put_fit(p, w);
    cs_jsonw_close(w);
}

/* {"apps": [...], "rows": [as --format csv], "warnings": [...]} */
static void page_put_tables(const struct cs_workload *workload, struct cs_jsonw *w)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    cs_jsonw_open(w, '{');
    cs_jsonw_key(w, "apps");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < workload->count; i++)
        if (workload->profile[i].kind == CS_PROFILE_POINTS)
            page_put_app(workload->name[i], &workload->profile[i], w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "rows");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < workload->count; i++)
        if (workload->profile[i].kind == CS_PROFILE_POINTS)
            rows_put_json(workload->name[i], &workload->profile[i], w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "warnings");
    cs_jsonw_open(w, '[');
    for (const char *at = workload->remark; *at; at += strspn(at, "\n")) {
        cs_strbuf_clear(&line);
        cs_strbuf_append(&line, at, strcspn(at, "\n"));
        cs_jsonw_string(w, line.text);
        at += line.length;
    }
    cs_strbuf_release(&line);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void page_name_section(const char *name, const char *heading, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s%s%s", name ? name : "", name ? ": " : "", heading);
}

/* The same picture for light and dark pages. */
static int page_add_picture(const struct cs_workload *workload, enum figure figure,
                            const char *heading, struct cs_page *page, struct cs_error *err)
{
    const struct cs_chart_style by_day = {.style = CS_STYLE_COLOR, .width = PAGE_WIDTH};
    const struct cs_chart_style by_night = {.style = CS_STYLE_DARK, .width = PAGE_WIDTH};
    struct cs_strbuf light = CS_STRBUF_INIT, dark = CS_STRBUF_INIT;
    int status = timings_draw(workload, figure, &by_day, &light, err) ||
                 timings_draw(workload, figure, &by_night, &dark, err);

    if (!status) {
        const struct cs_page_section section = {
            .kind = "replaypicture", .heading = heading, .still = light.text};
        struct cs_jsonw *w = cs_page_open_section(page, &section);

        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "light", light.text);
        cs_jsonw_put_string(w, "dark", dark.text);
        cs_jsonw_close(w);
        cs_page_close_section(page);
    }
    cs_strbuf_release(&light);
    cs_strbuf_release(&dark);
    return status ? -1 : 0;
}

int cs_timings_chart_page(const struct cs_workload *workload, const char *name,
                          struct cs_page *page, struct cs_error *err)
{
    static const char *const title[] = {"Time", "Speedup", "Efficiency"};
    struct cs_strbuf heading = CS_STRBUF_INIT;
    int panels = 0, status = 0;

    for (int i = 0; i < workload->count; i++)
        panels += workload->profile[i].kind == CS_PROFILE_POINTS;
    page_name_section(name, "Measured times", &heading);
    page_put_tables(workload,
                    cs_page_open_section(page, &(struct cs_page_section){.kind = "timings",
                                                                         .heading = heading.text}));
    cs_page_close_section(page);
    for (int f = TIME; f <= EFFICIENCY && panels <= PANELS_MOST && !status; f++) {
        cs_strbuf_clear(&heading);
        page_name_section(name, title[f], &heading);
        status = page_add_picture(workload, (enum figure)f, heading.text, page, err);
    }
    cs_strbuf_release(&heading);
    return status;
}
