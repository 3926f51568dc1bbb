/* campaign.h - what commands on stores share. */
#ifndef CS_CLI_CAMPAIGN_H
#define CS_CLI_CAMPAIGN_H

#include "campaign/store.h"
#include "cli/base/option.h"

#define CS_FIELD_DOCUMENT_ROW                                                                      \
    {                                                                                              \
        .name = "document", .kind = CS_FIELD_TEXT, .argument = "NAME",                             \
        .summary = "which sweep or paper of the store, when it has several: its name, or the "     \
                   "beginning of its SHA-256 (campaign status --format csv)",                      \
    }

/* The document that is asked for (NULL: the only one), in the arena.  NULL with err, which lists
 * those that there are. */
const struct cs_document *cs_campaign_document(struct cs_store *store, const char *name,
                                               struct cs_arena *arena, struct cs_error *err);

#endif
