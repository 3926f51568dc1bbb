/* paper_document.h - a paper as a store keeps it. */
#ifndef CS_CAMPAIGN_PAPER_DOCUMENT_H
#define CS_CAMPAIGN_PAPER_DOCUMENT_H

#include "campaign/paper.h"
#include "campaign/store.h"

/* For cs_store_add_document: the paper that is run with this seed.  `text` and `given` are filled
 * with what it points to; they and the paper must live as long. */
struct cs_document cs_paper_document(const struct cs_paper *paper, uint64_t seed,
                                     struct cs_strbuf *text, struct cs_strbuf *given);

#endif
