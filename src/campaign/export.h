/* export.h - the cells of a document as one tidy table: a row a run, in the document's order.
 *
 * Columns: the axes that are no parameters (panel, series and x of a paper), by the names of their
 * values. Then each parameter that varies (empty where a run does not set it), replicate, seed,
 * instance (the SHA-256 of its input), and the metrics. If two would have the same name the later
 * one gets the suffix "_label" or "_metric".
 *
 * CSV has numbers with the fewest digits that read back as the same double, NaN, Inf and -Inf (R,
 * pandas and gnuplot read these); JSON is an array of objects, one to a line, with null for all
 * three and the seed as text (it has 64 bits). The bytes depend on the document and the values
 * only, not on the execution of the cells.
 */
#ifndef CS_CAMPAIGN_EXPORT_H
#define CS_CAMPAIGN_EXPORT_H

#include "campaign/experiment.h"
#include "campaign/store.h"

enum cs_export_format { CS_EXPORT_CSV = 1, CS_EXPORT_JSON };

struct cs_export_options {
    enum cs_export_format format;
    /* Names with commas between; NULL: those that the experiment lists, or all that are no measured
     * times. */
    const char *metrics;
    bool partial; /* leave out runs that are missing, instead of refusing */
    void (*warn)(void *who, const char *text); /* receives warnings; or NULL */
    void *who;
};

/* Append the table to `out`, which must be empty and is empty again when it fails: an unknown
 * metric, a missing run, a store that cannot be read. *missing (may be NULL) is the number of runs
 * that were left out. */
int cs_export_write(struct cs_store *store, const struct cs_document *document,
                    const struct cs_export_options *options, struct cs_strbuf *out, int *missing,
                    struct cs_error *err);

#endif
