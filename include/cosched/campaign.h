/* campaign.h - stores of campaigns and papers: how far they are, whether they are whole, and
 * several made into one.
 *
 *     const char *stores[] = {"half-1.db", "half-2.db"};
 *     char *rows = cs_campaign_status(stores, 2, &err);
 *
 * A store is what `cosched campaign run --store` and `paper run --store` write.  All of these may
 * be called while somebody works on a store, and by several threads at the same time.  Texts are
 * JSON (UTF-8), with the keys of `campaign status --format json` and `campaign verify --format
 * json`; the caller frees them with cs_free (case.h).
 */
#ifndef COSCHED_CAMPAIGN_H
#define COSCHED_CAMPAIGN_H

#include <cosched/error.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

/* How far each sweep and paper in so many stores has come: a list of objects, one for each of them
 * in each store, and after these one ("store": "all") where several stores have it.  "share" is
 * done / runs; times are seconds, "since" is universal time; null: not known.  NULL with err when
 * a store cannot be read. */
CS_API char *cs_campaign_status(const char *const *stores, int count, struct cs_error *err);

/* Read all of a store, and run so many cells of each campaign once more (0: none), evenly chosen,
 * on so many threads (0: all that there are): an object.  "verdict" is "whole", "damaged", or "not
 * run" when it is whole as far as it was read but `again` could not run; "why" is the sentence of
 * the two latter, else null.  NULL with err for a call that makes no sense. */
CS_API char *cs_campaign_verify(const char *store, int again, int threads, struct cs_error *err);

struct cs_campaign_merge_options {
    size_t size;      /* sizeof(struct cs_campaign_merge_options) */
    bool partial;     /* stores and runs may be missing */
    bool other_build; /* also runs of other versions, commits and compilers than this library's */
    bool foreign;     /* the target may hold another campaign, to which this one is added */
};

struct cs_campaign_merged {
    int64_t runs;  /* that the stores have, those that several have counted once */
    int64_t added; /* of them, not in the target before */
};

/* Add everything in so many stores to the target, which is made when it is missing.  Refused are
 * runs that two stores have with different values, targets that hold only other campaigns, and
 * missing stores and runs, unless the options (NULL: none) say otherwise.  The watch is warned of
 * what is missing; it cannot stop a merge, which is short.  `merged` may be NULL.  -1 with err:
 * nothing has changed. */
CS_API int cs_campaign_merge(const char *const *stores, int count, const char *target,
                             const struct cs_campaign_merge_options *options,
                             const struct cs_watch *watch, struct cs_campaign_merged *merged,
                             struct cs_error *err);

struct cs_campaign_export_options {
    size_t size;          /* sizeof(struct cs_campaign_export_options) */
    const char *document; /* a sweep or paper by its name, or by the beginning of its SHA-256; NULL:
                             the only one */
    const char *metrics;  /* names with commas between; NULL: those of the sweep, or of a paper all
                             that are no measured times */
    bool json;            /* an array of objects; else CSV with a header */
    bool partial;         /* leave out runs that are missing, of which the watch is warned */
};

/* The runs of a campaign as a tidy table, a row a run, at one moment of the store: parameters that
 * vary, replicate, seed, SHA-256 of the instance, metrics.  A finished campaign gives the same
 * bytes whatever happened to it on the way.  Options may be NULL.  The caller frees the text with
 * cs_free; *length is without the 0 at its end and may be NULL.  NULL with err, also when runs are
 * missing and `partial` does not say otherwise. */
CS_API char *cs_campaign_export(const char *store, const struct cs_campaign_export_options *options,
                                const struct cs_watch *watch, size_t *length, struct cs_error *err);

CS_END_DECLS

#endif
