/* document.h - a document of a store, made into its cells again. */
#ifndef CS_CAMPAIGN_DOCUMENT_H
#define CS_CAMPAIGN_DOCUMENT_H

#include "campaign/experiment.h"
#include "campaign/results.h"
#include "campaign/store.h"

struct cs_compiled {
    const struct cs_runner *runner;
    int count;
    const struct cs_cell *cell;  /* in the order of the document */
    struct cs_experiment *sweep; /* one of these two; */
    struct cs_results *results;  /* values are NaN until somebody loads them */
    struct cs_paper *paper;
};

/* The cells of the document; no file but the document is looked at.  NULL with err. */
struct cs_compiled *cs_document_compile(const struct cs_document *document, struct cs_error *err);
void cs_compiled_destroy(struct cs_compiled *compiled); /* NULL is fine */

/* A sweep as a document, for cs_store_add_document: the text is in `text`, which must live as long.
 */
struct cs_document cs_experiment_document(const struct cs_experiment *sweep,
                                          struct cs_strbuf *text);

#endif
