/* campaign_table.h - the table at the end of a campaign: a row for each combination. */
#ifndef CS_CLI_CAMPAIGN_TABLE_H
#define CS_CLI_CAMPAIGN_TABLE_H

#include "campaign/results.h"
#include "report/table.h"

/* Append the mean of each metric and half the width of its 95 % confidence interval over the
 * replicates, of each combination that has run.  For people the table ends after some hundred rows.
 */
void cs_campaign_table(const struct cs_results *results, enum cs_table_format format,
                       struct cs_strbuf *out);

#endif
