/* page_claims.c - claims, tables and notes of a paper as JSON. */
#include "campaign/page_experiment.h"

#include <math.h>

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
    for (int c = 0; c < results->experiment->claims; c++) {
        const struct cs_claim *claim = &results->experiment->claim[c];

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

static void put_row(const struct cs_results *results, const struct cs_experiment_metric *metric,
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

static void put_table(const struct cs_results *results, const struct cs_experiment_metric *metric,
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
        put_row(results, metric, panel, panels, s, w);
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
            put_table(results, &experiment->metric[m], panel, panels, w);
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
    put_claims(results, w);
    put_tables(results, w);
    put_notes(results, w);
}
