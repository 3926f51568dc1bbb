/* campaign_table.h - the table at the end of a campaign: a row for each combination. */
#ifndef CS_CLI_CAMPAIGN_TABLE_H
#define CS_CLI_CAMPAIGN_TABLE_H

#include "report/table.h"

#include <jansson.h>

/* Append the columns and rows of what cs_campaign_run says.  For people the table ends after some
 * hundred rows. */
void cs_campaign_table(const json_t *found, enum cs_table_format format, struct cs_strbuf *out);

#endif
