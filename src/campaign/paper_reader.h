/* paper_reader.h - what the parts of the reader of papers share. */
#ifndef CS_CAMPAIGN_PAPER_READER_H
#define CS_CAMPAIGN_PAPER_READER_H

#include "campaign/field.h"
#include "campaign/paper.h"

struct cs_paper_reader {
    struct cs_paper *paper;
    json_t *full; /* the document without the changes for a quick run */
    struct cs_error *err;
};

/* The index of a name among the panels or series; -1 when it is gone in the quick run only, -2
 * with err when there is no such thing. */
int cs_paper_find_panel(struct cs_paper_reader *reader, const struct cs_json_at *place);
int cs_paper_find_series(struct cs_paper_reader *reader, const struct cs_json_at *place);

/* The claims, once everything else has been read. */
int cs_paper_read_claims(struct cs_paper_reader *reader, const struct cs_json_at *document);

#endif
