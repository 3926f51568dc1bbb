/* market.h - studies of a job with a deadline on spot instances: from options to markets, to runs.
 *
 * Each file of --trace is a market: spot is there while its host number --instances is up.  What
 * is known of it is the history; jobs begin at ticks after it that are drawn, one market after the
 * other, and every buyer meets the same beginnings.
 */
#ifndef CS_VOLATILE_MARKET_H
#define CS_VOLATILE_MARKET_H

#include "problems/volatile/problem.h"

/* The topic of such studies and of their values. */
#define CS_VOLATILE_TOPIC_DEADLINE 1

struct cs_volatile_markets;

/* Is it such a study? */
bool cs_volatile_market_asked(const struct cs_volatile_settings *settings);

/* All that c has of it; -1 with err. */
int cs_volatile_market_open(struct cs_volatile_case *c, struct cs_error *err);
int cs_volatile_market_run(struct cs_volatile_case *c, const struct cs_study_progress *progress,
                           struct cs_error *err);

/* The job, in ticks; how many markets; hopeless: no run of any buyer is sure to be in time. */
struct cs_volatile_job_facts {
    struct cs_volatile_job job;
    int markets;
    double tick;     /* seconds */
    int64_t history; /* ticks */
    bool prices, late;
};

struct cs_volatile_job_facts cs_volatile_market_facts(const struct cs_volatile_case *c);

void cs_volatile_market_identify(const struct cs_volatile_case *c, char text[CS_DIGEST_TEXT]);

#endif
