/* page_experiment.c - axes, metrics and numbers of an experiment as JSON. */
#include "campaign/page_experiment.h"
#include "campaign/output.h"
#include "campaign/parameters.h"

#include <inttypes.h>
#include <math.h>

/* Claims, tables and notes of a paper as JSON. */

static void page_claims_put_row(const struct cs_results *results,
                                const struct cs_experiment_metric *metric,
                                const struct cs_panel *panel, int panels, int s, struct cs_jsonw *w)
{
    const struct cs_experiment *experiment = results->experiment;

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "label", experiment->axis[experiment->series].value[s].label);
    cs_jsonw_key(w, "cells");
    cs_jsonw_open(w, '[');
    for (int p = 0; p < panels; p++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_double(w, "ours",
                            cs_results_average(results, metric, &panel[p], s) / metric->unit);
        cs_jsonw_put_double(w, "paper", cs_results_reference(results, metric, &panel[p], s));
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void page_claims_put_table(const struct cs_results *results,
                                  const struct cs_experiment_metric *metric,
                                  const struct cs_panel *panel, int panels, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "title", metric->title);
    cs_jsonw_put_int(w, "digits", metric->digits);
    cs_jsonw_put_bool(w, "printed", metric->reference);
    cs_jsonw_key(w, "columns");
    cs_jsonw_open_flat(w, '[');
    for (int p = 0; p < panels; p++)
        cs_jsonw_string(w, panel[p].title);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "rows");
    cs_jsonw_open(w, '[');
    for (int s = 0; s < cs_results_series(results); s++)
        page_claims_put_row(results, metric, panel, panels, s, w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

/* Tables, and figures that the paper prints numbers of. */
static void put_tables(const struct cs_results *results, struct cs_jsonw *w)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_arena *arena = cs_arena_create();
    int panels;
    const struct cs_panel *panel = cs_results_panels(results, arena, &panels);

    cs_jsonw_key(w, "tables");
    cs_jsonw_open(w, '[');
    for (int m = 0; m < experiment->metrics; m++)
        if (experiment->table || experiment->metric[m].reference)
            page_claims_put_table(results, &experiment->metric[m], panel, panels, w);
    cs_jsonw_close(w);
    cs_arena_destroy(arena);
}

static void put_warning(const char *text, void *who)
{
    struct cs_strbuf note = CS_STRBUF_INIT;

    cs_strbuf_printf(&note, "Beware: %s.", text);
    cs_jsonw_string(who, note.text);
    cs_strbuf_release(&note);
}

static void put_notes(const struct cs_results *results, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "notes");
    cs_jsonw_open(w, '[');
    cs_results_warnings(results, put_warning, w);
    for (int n = 0; n < results->experiment->notes; n++)
        cs_jsonw_string(w, results->experiment->note[n]);
    cs_jsonw_close(w);
}

/* The members of papers, into the open object. */
static void page_claims_put(const struct cs_results *results, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "claims");
    cs_output_put_claims(results, w);
    put_tables(results, w);
    put_notes(results, w);
}

#define RELATIVES 12000 /* so many lists of ratios at most: they must not make the page heavy */

struct page {
    const struct cs_results *results;
    const struct cs_experiment *experiment;
    struct cs_jsonw *w;
};

static void put_set(json_t *set, struct cs_jsonw *w)
{
    const char *name;
    json_t *value;

    cs_jsonw_key(w, "set");
    cs_jsonw_open_flat(w, '[');
    json_object_foreach(set, name, value)
    {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_parameters_put_word(value, &text);
        cs_jsonw_open(w, '[');
        cs_jsonw_string(w, name);
        cs_jsonw_string(w, text.text);
        cs_jsonw_close(w);
        cs_strbuf_release(&text);
    }
    cs_jsonw_close(w);
}

/* Some combination has no value on the axis: the page shows an additional value "none". */
static bool has_none(const struct cs_experiment *experiment, int axis)
{
    for (int c = 0; c < experiment->combinations; c++)
        if (experiment->combination[c].at[axis] < 0)
            return true;
    return false;
}

/* "policy=easy", as a shell takes it. */
static void put_where(const char *name, const char *value, struct cs_jsonw *w)
{
    struct cs_strbuf plain = CS_STRBUF_INIT, quoted = CS_STRBUF_INIT;

    cs_strbuf_printf(&plain, "%s=%s", name, value);
    cs_strbuf_put_shell(&quoted, plain.text);
    cs_jsonw_put_string(w, "where", quoted.text);
    cs_strbuf_release(&plain);
    cs_strbuf_release(&quoted);
}

static void page_experiment_put_value(const struct page *page,
                                      const struct cs_experiment_axis *axis, int v)
{
    const struct cs_experiment_value *value = &axis->value[v];

    cs_jsonw_open_flat(page->w, '{');
    cs_jsonw_put_string(page->w, "label", value->label);
    if (axis->numbers)
        cs_jsonw_put_double(page->w, "number", value->number);
    if (!page->experiment->paper)
        put_where(axis->name, value->name, page->w);
    cs_jsonw_close(page->w);
}

static void put_no_value(const struct page *page, const char *label, bool none)
{
    cs_jsonw_open_flat(page->w, '{');
    cs_jsonw_put_string(page->w, "label", label);
    if (none)
        cs_jsonw_put_bool(page->w, "none", true);
    cs_jsonw_close(page->w);
}

static void open_axis(const struct page *page, const char *name, const char *title, bool plain)
{
    cs_jsonw_open(page->w, '{');
    cs_jsonw_put_string(page->w, "name", name);
    cs_jsonw_put_string(page->w, "title", title);
    cs_jsonw_put_bool(page->w, "plain", plain);
    cs_jsonw_key(page->w, "values");
    cs_jsonw_open(page->w, '[');
}

static void close_axis(const struct page *page)
{
    cs_jsonw_close(page->w);
    cs_jsonw_close(page->w);
}

static void put_axis(const struct page *page, int a)
{
    const struct cs_experiment_axis *axis = &page->experiment->axis[a];

    open_axis(page, axis->parameter ? axis->parameter : axis->name, axis->title, axis->plain);
    for (int v = 0; v < axis->count; v++)
        page_experiment_put_value(page, axis, v);
    if (has_none(page->experiment, a))
        put_no_value(page, "–", true);
    close_axis(page);
}

/* Where nothing varies there is one value on one axis: all. */
static void put_axes(const struct page *page)
{
    cs_jsonw_key(page->w, "axes");
    cs_jsonw_open(page->w, '[');
    for (int a = 0; a < page->experiment->axes; a++)
        put_axis(page, a);
    if (!page->experiment->axes) {
        open_axis(page, "combination", "combination", true);
        put_no_value(page, "all", false);
        close_axis(page);
    }
    cs_jsonw_close(page->w);
}

static void put_metric(const struct page *page, const struct cs_experiment_metric *metric)
{
    const struct cs_metric *of = &cs_cell_metrics(page->experiment->problem)[metric->index];

    cs_jsonw_open_flat(page->w, '{');
    cs_jsonw_put_string(page->w, "name", of->name);
    cs_jsonw_put_string(page->w, "title", metric->title);
    cs_jsonw_put_string(page->w, "summary", of->summary);
    cs_jsonw_put_bool(page->w, "log", metric->log);
    cs_jsonw_put_double(page->w, "low", metric->from);
    cs_jsonw_put_double(page->w, "high", metric->to);
    cs_jsonw_close(page->w);
}

static void put_metrics(const struct page *page)
{
    cs_jsonw_key(page->w, "metrics");
    cs_jsonw_open(page->w, '[');
    for (int m = 0; m < page->experiment->metrics; m++)
        put_metric(page, &page->experiment->metric[m]);
    cs_jsonw_close(page->w);
}

/* A paper with one value on its axis, such as a table, shows its series there. */
static int series_of(const struct cs_experiment *experiment)
{
    bool flat = experiment->paper && experiment->axis[experiment->x].count == 1;

    return flat ? experiment->panel : experiment->series;
}

static void put_figure(const struct page *page)
{
    const struct cs_experiment *experiment = page->experiment;
    bool flat = series_of(experiment) != experiment->series;

    cs_jsonw_key(page->w, "figure");
    cs_jsonw_open_flat(page->w, '{');
    cs_jsonw_put_int(page->w, "x",
                     flat                ? experiment->series
                     : experiment->x < 0 ? 0
                                         : experiment->x);
    cs_jsonw_put_int(page->w, "series", series_of(experiment));
    cs_jsonw_put_int(page->w, "panel", flat ? experiment->x : experiment->panel);
    cs_jsonw_put_int(page->w, "metric", 0);
    cs_jsonw_put_int(page->w, "columns", experiment->columns);
    if (experiment->paper)
        cs_jsonw_put_bool(page->w, "log", experiment->log);
    cs_jsonw_close(page->w);
}

static void page_experiment_put_names(struct cs_jsonw *w)
{
    cs_jsonw_key(w, "figures");
    cs_jsonw_open_flat(w, '[');
    cs_jsonw_string(w, "n");
    cs_jsonw_string(w, "none");
    for (int f = 0; f < CS_FIGURES; f++)
        cs_jsonw_string(w, cs_figure_name(f));
    cs_jsonw_close(w);
}

static void page_experiment_put_number(const struct page *page, int metric, int over, int c)
{
    struct cs_figures number = cs_results_number(page->results, metric, over, c);

    cs_jsonw_open_flat(page->w, '[');
    cs_jsonw_int(page->w, number.n);
    cs_jsonw_int(page->w, number.none);
    for (int f = 0; f < CS_FIGURES; f++)
        cs_jsonw_double(page->w, number.sample.figure[f]);
    cs_jsonw_close(page->w);
}

static void put_places(const struct page *page, int c)
{
    const struct cs_experiment *experiment = page->experiment;

    cs_jsonw_key(page->w, "at");
    cs_jsonw_open(page->w, '[');
    for (int a = 0; a < experiment->axes; a++) {
        int value = experiment->combination[c].at[a];

        cs_jsonw_int(page->w, value < 0 ? experiment->axis[a].count : value);
    }
    if (!experiment->axes)
        cs_jsonw_int(page->w, 0);
    cs_jsonw_close(page->w);
}

static void put_group(const struct page *page, int c)
{
    const struct cs_experiment *experiment = page->experiment;

    cs_jsonw_open_flat(page->w, '{');
    put_places(page, c);
    cs_jsonw_put_int(page->w, "count", experiment->combination[c].count);
    cs_jsonw_put_int(page->w, "done", cs_results_done(page->results, c));
    cs_jsonw_key(page->w, "v");
    cs_jsonw_open(page->w, '[');
    for (int m = 0; m < experiment->metrics; m++)
        page_experiment_put_number(page, experiment->metric[m].index,
                                   cs_results_over(page->results, c, experiment->metric[m].over),
                                   c);
    cs_jsonw_close(page->w);
    cs_jsonw_close(page->w);
}

static void put_groups(const struct page *page)
{
    cs_jsonw_key(page->w, "groups");
    cs_jsonw_open(page->w, '[');
    for (int c = 0; c < page->experiment->combinations; c++)
        put_group(page, c);
    cs_jsonw_close(page->w);
}

static void put_ratios(const struct page *page, int c, int metric, int axis)
{
    cs_jsonw_open_flat(page->w, '[');
    for (int v = 0; v < page->experiment->axis[axis].count; v++) {
        int over = cs_results_besides(page->results, c, axis, v);

        if (over < 0)
            cs_jsonw_null(page->w);
        else
            page_experiment_put_number(page, metric, over, c);
    }
    cs_jsonw_close(page->w);
}

static void put_relative_axis(const struct page *page, int axis)
{
    const struct cs_experiment *experiment = page->experiment;
    int64_t each = (int64_t)experiment->combinations * experiment->axis[axis].count;
    int64_t left = RELATIVES;

    cs_jsonw_open(page->w, '[');
    for (int m = 0; m < experiment->metrics; m++) {
        if (experiment->metric[m].over != -1 || each > left) {
            cs_jsonw_null(page->w);
            continue;
        }
        left -= each;
        cs_jsonw_open(page->w, '[');
        for (int c = 0; c < experiment->combinations; c++)
            put_ratios(page, c, experiment->metric[m].index, axis);
        cs_jsonw_close(page->w);
    }
    cs_jsonw_close(page->w);
}

/* Series only: these are compared most. */
static void put_relative(const struct page *page)
{
    const struct cs_experiment *experiment = page->experiment;

    cs_jsonw_key(page->w, "relative");
    cs_jsonw_open(page->w, '[');
    for (int a = 0; a < experiment->axes; a++) {
        if (a != series_of(experiment) || experiment->axis[a].count < 2)
            cs_jsonw_null(page->w);
        else
            put_relative_axis(page, a);
    }
    if (!experiment->axes)
        cs_jsonw_null(page->w);
    cs_jsonw_close(page->w);
}

static void page_experiment_put_head(const struct page *page, const char *command)
{
    const struct cs_experiment *experiment = page->experiment;
    struct cs_strbuf seed = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT;

    cs_experiment_put_subtitle(experiment, &subtitle);
    cs_strbuf_printf(&seed, "%" PRIu64, experiment->seed);
    cs_jsonw_put_string(page->w, "title", experiment->title);
    cs_jsonw_put_string(page->w, "subtitle", subtitle.length ? subtitle.text : NULL);
    cs_jsonw_put_string(page->w, "citation", experiment->citation);
    cs_jsonw_put_string(page->w, "problem", experiment->problem->name);
    cs_jsonw_put_string(page->w, "seed", seed.text);
    cs_jsonw_put_bool(page->w, "quick", experiment->quick);
    cs_jsonw_put_int(page->w, "cells", experiment->count);
    cs_jsonw_put_int(page->w, "done", cs_results_done(page->results, -1));
    cs_jsonw_put_string(page->w, "command", command);
    put_set(experiment->set, page->w);
    cs_strbuf_release(&seed);
    cs_strbuf_release(&subtitle);
}

void cs_page_experiment_put(const struct cs_results *results, const char *command,
                            struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    struct page page = {.results = results, .experiment = results->experiment, .w = &w};

    cs_jsonw_open(&w, '{');
    page_experiment_put_head(&page, command);
    put_axes(&page);
    put_metrics(&page);
    put_figure(&page);
    page_experiment_put_names(&w);
    put_groups(&page);
    put_relative(&page);
    if (results->experiment->paper)
        page_claims_put(results, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}
