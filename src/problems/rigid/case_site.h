/* case_site.h - the part of the problem rigid that replays a log on the machine of a site, with the
 * options of `cosched replay` (replay_request.h): experiments with arrivals that use more options
 * than `simulate rigid` has, such as a machine file, overruns, outages or limits of users. */
#ifndef CS_RIGID_CASE_SITE_H
#define CS_RIGID_CASE_SITE_H

#include "base/digest.h"
#include "problems/rigid/problem.h"

/* Is one of these options set? */
bool cs_rigid_site_asked(const struct cs_rigid_options *options);

/* Do they go together?  -1 with err. */
int cs_rigid_site_check(const struct cs_rigid_options *options, struct cs_error *err);

/* Read the machine and the beginning of the log, find the variants.  -1 with err. */
int cs_rigid_site_open(struct cs_rigid_case *c, const struct cs_study_context *context,
                       struct cs_error *err);
void cs_rigid_site_close(struct cs_rigid_case *c);

/* Fill the outcomes of all variants. */
int cs_rigid_site_run(const struct cs_rigid_case *c, struct cs_error *err);

/* Jobs, machine and outages. */
void cs_rigid_site_identify(const struct cs_rigid_case *c, struct cs_digest *digest);

#endif
