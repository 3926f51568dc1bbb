/* page_claims.c - claims, tables and notes of a paper as JSON. */
#include "campaign/output.h"
#include "campaign/page_experiment.h"

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
        cs_jsonw_put_double(w, "ours", cs_results_average(results, metric, &panel[p], s));
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

void cs_page_claims_put(const struct cs_results *results, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "claims");
    cs_output_put_claims(results, w);
    put_tables(results, w);
    put_notes(results, w);
}
