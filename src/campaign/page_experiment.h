/* page_experiment.h - the results of an experiment as JSON for the report page (kind "document").
 *
 *   { "title", "subtitle", "citation", "problem", "seed" (text), "quick", "cells", "done",
 *     "command", "set": [[name, value], ...], the common parameters of all cells
 *     "axes": [{ "name", "title", "plain": labels speak for themselves,
 *                "values": [{ "label", "number": or not there, "where": or not there,
 *                             "none": true }] }],
 *     "metrics": [{ "name", "title", "summary", "log", "low", "high" }],
 *     "figure": { "x", "series", "panel": axes or -1, "metric", "columns", "log": or not there },
 *     "figures": ["n", "none", "mean", ...], the content of a list of figures
 *     "groups": [{ "at": a value on each axis, "count", "done", "v": [figures of each metric] }],
 *     "relative": [for each axis, or null: [for each metric, or null: [for each group: [for each
 *                  value of the axis: figures of the ratios to it, or null]]]] }
 *
 * and of papers
 *
 *   { "claims": as of cs_paper_run (cosched/campaign.h),
 *     "tables": [{ "title", "digits", "printed": does the paper print numbers,
 *                  "columns": [panel], "rows": [{ "label", "cells": [{ "ours", "paper" }] }] }],
 *     "notes": [text] }
 *
 * Missing figures are null. A command with " --where " and the "where" of each value gives the
 * numbers of a group.
 */
#ifndef CS_CAMPAIGN_PAGE_EXPERIMENT_H
#define CS_CAMPAIGN_PAGE_EXPERIMENT_H

#include "base/jsonw.h"
#include "campaign/results.h"

/* Append the JSON.  Runs that are not done are left out of all numbers. */
void cs_page_experiment_put(const struct cs_results *results, const char *command,
                            struct cs_strbuf *out);

#endif
