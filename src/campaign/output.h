/* output.h - the results of an experiment as files. */
#ifndef CS_CAMPAIGN_OUTPUT_H
#define CS_CAMPAIGN_OUTPUT_H

#include "base/jsonw.h"
#include "campaign/results.h"
#include "report/schedule_chart.h"

/* Tidy CSV: the names of the axes (panel,series,x) and replicate,metric,value, one value a row,
 * with 17 digits; the metrics are those that are drawn and those that claims are about. */
void cs_output_csv(const struct cs_results *results, struct cs_strbuf *out);

/* How a figure is drawn for a place of a given width. */
struct cs_figure_style {
    struct cs_chart_style picture;
    const char *metric; /* only this one; NULL: all that the experiment shows */
};

/* The figure as SVG: one plot for each panel and metric.  Without a look it is as wide as it wants
 * and has the experiment's title.  -1 with err. */
int cs_output_svg(const struct cs_results *results, const struct cs_figure_style *appearance,
                  struct cs_strbuf *out, struct cs_error *err);

/* The figure of a document in a store; `name` may be NULL if there is only one. -1 with err, which
 * lists the documents. */
int cs_output_svg_of_store(const char *store, const char *name,
                           const struct cs_figure_style *appearance, struct cs_strbuf *out,
                           struct cs_error *err);

/* Markdown: the command, the figure's numbers as tables, and the claims of the paper next to the
 * results. `command` reproduces it, `image` the file of the figure. */
void cs_output_markdown(const struct cs_results *results, const char *command, const char *image,
                        struct cs_strbuf *out);

/* The claims as an array of JSON, with the keys of cs_paper_run (campaign.h); the report page has
 * the same. */
void cs_output_put_claims(const struct cs_results *results, struct cs_jsonw *w);

/* "Figure 2: relative cost", or the title alone. */
void cs_output_heading(const struct cs_experiment *experiment, struct cs_strbuf *out);

/* "7 claims: 5 agree, 2 not checked". */
void cs_output_summary(const struct cs_results *results, struct cs_strbuf *out);

/* "pack-fig2" of "pack/fig2": the beginning of the file names. */
void cs_output_stem(const struct cs_experiment *experiment, struct cs_strbuf *out);

/* Write STEM.csv, STEM.svg, STEM.png (when the build can) and STEM.md into the folder, which is
 * made when it is missing.  -1 with err. */
int cs_output_write(const struct cs_results *results, const char *folder, const char *command,
                    struct cs_error *err);

#endif
