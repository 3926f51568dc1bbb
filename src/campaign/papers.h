/* papers.h - which papers are run, with what is given to them. */
#ifndef CS_CAMPAIGN_PAPERS_H
#define CS_CAMPAIGN_PAPERS_H

#include "campaign/experiment.h"

#include <cosched/campaign.h>

struct cs_papers {
    int count;
    struct cs_experiment **paper;
};

/* Read what the names say, each once: papers, folders of papers ("rigid"), or all.  What is given
 * must suit a paper that is named; of a folder or of all, the papers that it suits take it, and
 * papers that still need something are skipped, of which the watch (or NULL) is warned.  -1 with
 * err. */
int cs_papers_choose(const char *const *names, int count,
                     const struct cs_paper_run_options *options, const struct cs_watch *watch,
                     struct cs_arena *arena, struct cs_papers *papers, struct cs_error *err);

void cs_papers_release(struct cs_papers *papers);

#endif
