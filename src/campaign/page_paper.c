/* page_paper.c - panels, series and the axis of a paper as axes of the page; claims and tables. */
#include "campaign/page_paper.h"

#include "campaign/output.h"
#include "campaign/page_document.h"

#include <math.h>

enum { PANEL, SERIES, VALUE, AXES };

struct page {
    const struct cs_results *results;
    struct cs_summary *summary;
    struct cs_page_axis axis[AXES];
    struct cs_page_metric *metric;
    const struct cs_paper_x **value; /* of the axis, all panels together */
    int values;
    int *at;    /* at[group * AXES + axis] */
    int *group; /* the first group of [panel * nseries + series]; -1: not run */
    struct cs_arena *arena;
};

static int find_value(const struct page *page, const struct cs_paper_x *x)
{
    for (int v = 0; v < page->values; v++)
        if (json_equal(page->value[v]->value, x->value))
            return v;
    return -1;
}

/* Numbers ascend; words stand in the order of the panels. */
static void insert_value(struct page *page, const struct cs_paper_x *x)
{
    int v = page->values++;

    for (; v > 0 && page->value[v - 1]->number > x->number; v--)
        page->value[v] = page->value[v - 1];
    page->value[v] = x;
}

static void find_values(struct page *page)
{
    const struct cs_paper *paper = page->results->paper;
    int most = 0;

    for (int p = 0; p < paper->npanels; p++)
        most += paper->panel[p].count;
    page->value = CS_NEW_ARRAY(page->arena, const struct cs_paper_x *, most);
    for (int p = 0; p < paper->npanels; p++)
        for (int x = 0; x < paper->panel[p].count; x++)
            if (find_value(page, &paper->panel[p].x[x]) < 0)
                insert_value(page, &paper->panel[p].x[x]);
}

static void make_axes(struct page *page)
{
    const struct cs_paper *paper = page->results->paper;
    struct cs_page_value *panel = CS_NEW_ARRAY(page->arena, struct cs_page_value, paper->npanels);
    struct cs_page_value *series = CS_NEW_ARRAY(page->arena, struct cs_page_value, paper->nseries);
    struct cs_page_value *value = CS_NEW_ARRAY(page->arena, struct cs_page_value, page->values);

    for (int p = 0; p < paper->npanels; p++)
        panel[p] = (struct cs_page_value){.label = paper->panel[p].title, .number = NAN};
    for (int s = 0; s < paper->nseries; s++)
        series[s] = (struct cs_page_value){.label = paper->series[s].label, .number = NAN};
    for (int v = 0; v < page->values; v++)
        value[v] = (struct cs_page_value){.label = page->value[v]->label,
                                          .number = page->value[v]->number};
    page->axis[PANEL] = (struct cs_page_axis){"panel", "panel", true, paper->npanels, panel};
    page->axis[SERIES] = (struct cs_page_axis){"series", "series", true, paper->nseries, series};
    page->axis[VALUE] =
        (struct cs_page_axis){paper->x_parameter, paper->x_title, false, page->values, value};
}

static void make_metrics(struct page *page)
{
    const struct cs_paper *paper = page->results->paper;

    page->metric = CS_NEW_ARRAY(page->arena, struct cs_page_metric, paper->nmetrics);
    for (int m = 0; m < paper->nmetrics; m++) {
        const struct cs_paper_metric *metric = &paper->metric[m];
        const struct cs_metric *of = &paper->runner->metrics[metric->index];

        page->metric[m] = (struct cs_page_metric){.name = of->name,
                                                  .title = metric->title,
                                                  .summary = of->summary,
                                                  .log = metric->log,
                                                  .low = metric->from,
                                                  .high = metric->to,
                                                  .ratio = metric->over >= 0};
    }
}

/* Groups follow each other as cells do: by panel, series and value. */
static void place_groups(struct page *page)
{
    const struct cs_paper *paper = page->results->paper;

    page->at = CS_NEW_ARRAY(page->arena, int, (size_t)page->summary->groups *AXES);
    page->group = CS_NEW_ARRAY(page->arena, int, paper->npanels * paper->nseries);
    for (int i = 0; i < paper->npanels * paper->nseries; i++)
        page->group[i] = -1;
    for (int g = 0; g < page->summary->groups; g++) {
        const struct cs_cell *cell = &page->results->cell[page->summary->group[g].first];
        int *at = &page->at[g * AXES],
            *first = &page->group[cell->panel * paper->nseries + cell->series];

        at[PANEL] = cell->panel;
        at[SERIES] = cell->series;
        at[VALUE] = find_value(page, &paper->panel[cell->panel].x[cell->x]);
        if (*first < 0)
            *first = g;
    }
}

static const struct cs_cell *cell_of(const struct page *page, int group)
{
    return &page->results->cell[page->summary->group[group].first];
}

/* The group of the series by which the paper divides the metric. */
static int find_over(const struct page *page, int group, int over)
{
    const struct cs_cell *cell = cell_of(page, group);
    int first = page->group[cell->panel * page->results->paper->nseries + over];

    return first < 0 ? -1 : first + cell->x;
}

/* Where the paper divides means, mean and interval are those of the ratio of the means. */
static void divide_means(const struct page *page, int index, int group, int over,
                         struct cs_summary_number *number)
{
    const struct cs_cell *cell = cell_of(page, group);
    struct cs_mean mean = cs_results_mean(page->results, index, cell_of(page, over)->series,
                                          cell->panel, cell->series, cell->x);

    if (!isfinite(mean.mean))
        return;
    number->sample.figure[CS_FIGURE_MEAN] = mean.mean;
    number->sample.figure[CS_FIGURE_CONFIDENCE] = mean.count > 1 ? mean.half_width : NAN;
}

static struct cs_summary_number number_of(const struct cs_page_document *document, int group, int m,
                                          int over)
{
    const struct page *page = document->who;
    const struct cs_paper *paper = page->results->paper;
    const struct cs_paper_metric *metric = &paper->metric[m];
    struct cs_summary_number number;

    if (over < 0 && metric->over >= 0) {
        over = find_over(page, group, metric->over);
        if (over < 0) {
            number = (struct cs_summary_number){.none = page->summary->group[group].done};
            for (int f = 0; f < CS_FIGURES; f++)
                number.sample.figure[f] = NAN;
            return number;
        }
    }
    if (over < 0)
        return *cs_summary_at(page->summary, group, metric->index);
    number = cs_summary_paired(page->summary, group, over, metric->index);
    if (paper->means)
        divide_means(page, metric->index, group, over, &number);
    return number;
}

static void put_check(const struct cs_results *results, const struct cs_check *check,
                      struct cs_jsonw *w)
{
    static const char *const sign[] = {[CS_BELOW] = "<",
                                       [CS_AT_MOST] = "≤",
                                       [CS_ABOVE] = ">",
                                       [CS_AT_LEAST] = "≥",
                                       [CS_BETWEEN] = "between"};
    double ours, other;
    enum cs_verdict verdict = cs_check_verdict(results, check, &ours, &other);

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "label", check->label);
    cs_jsonw_put_double(w, "ours", ours);
    cs_jsonw_put_string(w, "relation", sign[check->relation]);
    cs_jsonw_put_double(w, "wanted", other);
    cs_jsonw_put_double(w, "high", check->relation == CS_BETWEEN ? check->high : NAN);
    cs_jsonw_put_string(w, "verdict", cs_verdict_word(verdict));
    cs_jsonw_close(w);
}

static void put_claims(const struct cs_results *results, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "claims");
    cs_jsonw_open(w, '[');
    for (int c = 0; c < results->paper->nclaims; c++) {
        const struct cs_claim *claim = &results->paper->claim[c];

        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "text", claim->text);
        cs_jsonw_put_string(w, "reading", claim->reading);
        cs_jsonw_put_string(w, "unchecked", claim->unchecked);
        cs_jsonw_put_string(w, "remark", claim->remark);
        cs_jsonw_put_string(w, "verdict", cs_verdict_word(cs_claim_verdict(results, claim)));
        cs_jsonw_key(w, "checks");
        cs_jsonw_open(w, '[');
        for (int k = 0; k < claim->count; k++)
            put_check(results, &claim->check[k], w);
        cs_jsonw_close(w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_row(const struct cs_results *results, const struct cs_paper_metric *metric, int s,
                    struct cs_jsonw *w)
{
    const struct cs_paper *paper = results->paper;

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "label", paper->series[s].label);
    cs_jsonw_key(w, "cells");
    cs_jsonw_open(w, '[');
    for (int p = 0; p < paper->npanels; p++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_double(w, "ours", cs_results_average(results, metric, p, s));
        cs_jsonw_put_double(w, "paper",
                            metric->reference ? metric->reference[s * paper->npanels + p] : NAN);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void put_table(const struct cs_results *results, const struct cs_paper_metric *metric,
                      struct cs_jsonw *w)
{
    const struct cs_paper *paper = results->paper;

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "title", metric->title);
    cs_jsonw_put_int(w, "digits", metric->digits);
    cs_jsonw_put_bool(w, "printed", metric->reference);
    cs_jsonw_key(w, "columns");
    cs_jsonw_open_flat(w, '[');
    for (int p = 0; p < paper->npanels; p++)
        cs_jsonw_string(w, paper->panel[p].title);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "rows");
    cs_jsonw_open(w, '[');
    for (int s = 0; s < paper->nseries; s++)
        put_row(results, metric, s, w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

/* Tables, and figures that the paper prints numbers of. */
static void put_tables(const struct cs_results *results, struct cs_jsonw *w)
{
    const struct cs_paper *paper = results->paper;

    cs_jsonw_key(w, "tables");
    cs_jsonw_open(w, '[');
    for (int m = 0; m < paper->nmetrics; m++)
        if (paper->table || paper->metric[m].reference)
            put_table(results, &paper->metric[m], w);
    cs_jsonw_close(w);
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
    for (int n = 0; n < results->paper->nnotes; n++)
        cs_jsonw_string(w, results->paper->note[n]);
    cs_jsonw_close(w);
}

static struct cs_page_document document_of(const struct page *page, const char *command)
{
    const struct cs_paper *paper = page->results->paper;

    return (struct cs_page_document){.title = paper->title,
                                     .subtitle = paper->subtitle,
                                     .citation = paper->citation,
                                     .problem = paper->runner->name,
                                     .command = command,
                                     .seed = page->results->seed,
                                     .quick = paper->quick,
                                     .set = paper->set,
                                     .axes = AXES,
                                     .axis = page->axis,
                                     .metrics = paper->nmetrics,
                                     .metric = page->metric,
                                     .x = page->values > 1 ? VALUE : SERIES,
                                     .series = page->values > 1 ? SERIES : PANEL,
                                     .panel = page->values > 1 ? PANEL : VALUE,
                                     .columns = paper->columns ? paper->columns : 0,
                                     .log = paper->x_log,
                                     .log_known = true,
                                     .summary = page->summary,
                                     .at = page->at,
                                     .number = number_of,
                                     .who = page};
}

void cs_page_paper_put(const struct cs_results *results, const char *command, struct cs_strbuf *out)
{
    struct page page = {.results = results, .arena = cs_arena_create()};
    struct cs_page_document document;
    struct cs_jsonw w = cs_jsonw_begin(out);

    page.summary = cs_summary_create(results->cell, results->count, results->done, results->value,
                                     results->metrics);
    find_values(&page);
    make_axes(&page);
    make_metrics(&page);
    place_groups(&page);
    document = document_of(&page, command);
    cs_jsonw_open(&w, '{');
    cs_page_document_put(&document, &w);
    put_claims(results, &w);
    put_tables(results, &w);
    put_notes(results, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_summary_destroy(page.summary);
    cs_arena_destroy(page.arena);
}
