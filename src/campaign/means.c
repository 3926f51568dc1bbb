/* means.c - combinations and their means, as JSON. */
#include "campaign/means.h"

static const enum cs_figure figures[] = {CS_FIGURE_MEAN, CS_FIGURE_CONFIDENCE};

/* ---- columns ---- */

static void put_column(struct cs_jsonw *w, const char *name, const char *kind)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", name);
    cs_jsonw_put_string(w, "kind", kind);
}

static void put_axes(const struct cs_experiment *experiment, struct cs_jsonw *w)
{
    for (int a = 0; a < experiment->axes; a++) {
        put_column(w, experiment->axis[a].name, "axis");
        cs_jsonw_put_bool(w, "numbers", experiment->axis[a].numbers);
        cs_jsonw_close(w);
    }
}

static void put_metric(const char *metric, enum cs_figure figure, struct cs_jsonw *w)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "%s_%s", metric, cs_figure_name(figure));
    put_column(w, name.text, cs_figure_name(figure));
    cs_jsonw_put_string(w, "metric", metric);
    cs_jsonw_close(w);
    cs_strbuf_release(&name);
}

static void put_columns(const struct cs_experiment *experiment, struct cs_jsonw *w)
{
    const struct cs_metric *metric = cs_cell_metrics(experiment->problem);

    put_axes(experiment, w);
    put_column(w, "runs", "runs");
    cs_jsonw_close(w);
    for (int m = 0; m < experiment->metrics; m++)
        for (int f = 0; f < 2; f++)
            put_metric(metric[experiment->metric[m].index].name, figures[f], w);
}

/* ---- rows ---- */

static struct cs_sample sample_of(const struct cs_results *results, int combination, int metric)
{
    const struct cs_experiment *experiment = results->experiment;
    int over = cs_results_over(results, combination, experiment->metric[metric].over);

    return cs_results_number(results, experiment->metric[metric].index, over, combination).sample;
}

static void put_place(const struct cs_experiment *experiment, int combination, struct cs_jsonw *w)
{
    for (int a = 0; a < experiment->axes; a++) {
        const struct cs_experiment_axis *axis = &experiment->axis[a];
        int v = experiment->combination[combination].at[a];

        if (v < 0)
            cs_jsonw_null(w);
        else if (axis->numbers)
            cs_jsonw_double(w, axis->value[v].number);
        else
            cs_jsonw_string(w, axis->value[v].name);
    }
}

static void put_row(const struct cs_results *results, int combination, struct cs_jsonw *w)
{
    const struct cs_experiment *experiment = results->experiment;

    cs_jsonw_open_flat(w, '[');
    put_place(experiment, combination, w);
    cs_jsonw_int(w, cs_results_done(results, combination));
    for (int m = 0; m < experiment->metrics; m++) {
        const struct cs_sample sample = sample_of(results, combination, m);

        for (int f = 0; f < 2; f++)
            cs_jsonw_double(w, sample.figure[figures[f]]);
    }
    cs_jsonw_close(w);
}

/* ---- warnings ---- */

struct warner {
    const char *name;
    struct cs_jsonw *w;
};

static void put_warning(const char *text, void *who)
{
    const struct warner *warner = who;
    struct cs_strbuf sentence = CS_STRBUF_INIT;

    cs_strbuf_printf(&sentence, "%s: %s", warner->name, text);
    cs_jsonw_string(warner->w, sentence.text);
    cs_strbuf_release(&sentence);
}

void cs_means_put(const struct cs_results *results, struct cs_jsonw *w)
{
    const struct cs_experiment *experiment = results->experiment;
    struct warner warner = {experiment->name, w};

    cs_jsonw_key(w, "columns");
    cs_jsonw_open(w, '[');
    put_columns(experiment, w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "rows");
    cs_jsonw_open(w, '[');
    for (int c = 0; c < experiment->combinations; c++)
        if (cs_results_done(results, c))
            put_row(results, c, w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "warnings");
    cs_jsonw_open(w, '[');
    cs_results_warnings(results, put_warning, &warner);
    cs_jsonw_close(w);
}
