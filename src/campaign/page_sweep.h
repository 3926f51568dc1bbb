/* page_sweep.h - what was found for a sweep as JSON for the report page (page_document.h). */
#ifndef CS_CAMPAIGN_PAGE_SWEEP_H
#define CS_CAMPAIGN_PAGE_SWEEP_H

#include "base/strbuf.h"
#include "campaign/experiment.h"
#include "campaign/summary.h"

/* Append the JSON; `summary` is that of the sweep's cells. */
void cs_page_sweep_put(const struct cs_experiment *sweep, const struct cs_summary *summary,
                       const char *command, struct cs_strbuf *out);

#endif
