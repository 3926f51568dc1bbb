/* page_document.h - a document of a store as JSON for the report page (kind "document").
 *
 *   { "title", "subtitle", "citation", "problem", "seed" (text), "quick", "cells", "done",
 * "command", "set": [[name, value], ...],                   what all cells have in common "axes":
 * [{ "name", "title", "plain": labels speak for themselves, "values": [{ "label", "number": or not
 * there, "where": or not there, "none": true }] }], "metrics": [{ "name", "title", "summary",
 * "log", "low", "high" }], "figure": { "x", "series", "panel": axes or -1, "metric", "columns",
 * "log": or not there }, "figures": ["n", "none", "mean", ...],         what a list of figures
 * holds "groups": [{ "at": a value on each axis, "count", "done", "v": [figures of each metric] }],
 *     "relative": [for each axis, or null: [for each metric, or null: [for each group: [for each
 *                  value of the axis: figures of the ratios to it, or null]]]] }
 *
 * and of papers "claims", "tables" and "notes" (page_paper.c).  Figures that there are none of are
 * null.  A command with " --where " and the "where" of each value gives the numbers of a group.
 */
#ifndef CS_CAMPAIGN_PAGE_DOCUMENT_H
#define CS_CAMPAIGN_PAGE_DOCUMENT_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "campaign/summary.h"

struct cs_page_value {
    const char *label;
    double number;     /* NaN: none */
    const char *where; /* NULL: none */
};

struct cs_page_axis {
    const char *name, *title;
    bool plain;
    int count;
    const struct cs_page_value *value;
};

struct cs_page_metric {
    const char *name, *title, *summary;
    bool log;
    double low, high; /* of the axis; NaN: as the values want */
    bool ratio;       /* already relative to something */
};

struct cs_page_document {
    const char *title, *problem, *command;
    const char *subtitle, *citation; /* or NULL */
    uint64_t seed;
    bool quick;
    json_t *set; /* or NULL */

    int axes, metrics;
    const struct cs_page_axis *axis;
    const struct cs_page_metric *metric;
    int x, series, panel, columns;
    bool log, log_known; /* the x axis */

    const struct cs_summary *summary;
    const int *at; /* at[group * axes + axis]; -1: the group has no value on it */

    /* Metric m of a group, over that of another group (-1: itself). */
    struct cs_summary_number (*number)(const struct cs_page_document *document, int group, int m,
                                       int over);
    const void *who;
};

/* The members above, into the open object. */
void cs_page_document_put(const struct cs_page_document *document, struct cs_jsonw *w);

/* How many of the cells are done. */
int cs_page_document_done(const struct cs_summary *summary);

#endif
