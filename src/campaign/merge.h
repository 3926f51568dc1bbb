/* merge.h - stores of shards, or of several machines, made into one.
 *
 * All of them must be of the same documents and have been run by this build of the tool, and where
 * two have the same cell their values and its instance must be the same, except measured times: the
 * first one stays. Records of runs and inputs are copied.
 */
#ifndef CS_CAMPAIGN_MERGE_H
#define CS_CAMPAIGN_MERGE_H

#include "campaign/store.h"

struct cs_merge_options {
    bool partial;     /* stores and cells may be missing */
    bool other_build; /* also runs of other builds of cosched than this one */
    bool foreign;     /* the target may hold another campaign, to which this one is added */
    /* Called for each store that is missing and each document that is not complete, with a message;
     * or NULL. */
    void (*report)(void *who, const char *error_text);
    void *who;
};

/* The result. */
struct cs_merged {
    int64_t cells; /* that the stores have, those that several have counted once */
    int64_t added; /* of them, not in the target before */
};

/* Add all content of these stores to the target, which is created if missing. The following are
 * rejected: contradictions (above), targets that hold only other documents unless `foreign`, and,
 * unless `partial`, stores that are missing and documents of which the target would not have every
 * cell. On rejection or failure the target is unchanged. */
int cs_merge_stores(const char *const *path, int count, const char *target,
                    const struct cs_merge_options *options, struct cs_merged *merged,
                    struct cs_error *err);

#endif
