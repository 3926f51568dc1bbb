/* campaign_table.h - the table at the end of a campaign: a row for each combination. */
#ifndef CS_CLI_CAMPAIGN_TABLE_H
#define CS_CLI_CAMPAIGN_TABLE_H

#include "campaign/experiment.h"
#include "report/table.h"

/* Append the mean of each metric and half the width of its 95 % confidence interval over the
 * replicates, value[c * metrics + m], metrics being those of the runner, of `count` cells of the
 * sweep in their order.  For people the table ends after some hundred rows. */
void cs_campaign_table(const struct cs_experiment *sweep, const struct cs_cell *cell, int count,
                       const double *value, enum cs_table_format format, struct cs_strbuf *out);

#endif
