/* means.h - a row for each combination of a sweep that has run: where it is, how many runs, and of
 * each metric the mean over the replicates and half the width of its 95 % confidence interval. */
#ifndef CS_CAMPAIGN_MEANS_H
#define CS_CAMPAIGN_MEANS_H

#include "base/jsonw.h"
#include "campaign/results.h"

/* "columns", "rows" and "warnings" into the object that is open, as cosched/campaign.h says. */
void cs_means_put(const struct cs_results *results, struct cs_jsonw *w);

#endif
