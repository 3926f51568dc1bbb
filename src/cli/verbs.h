/* verbs.h - plan, simulate and generate, the same for every problem. */
#ifndef CS_CLI_VERBS_H
#define CS_CLI_VERBS_H

#include "cli/base/command.h"
#include "cli/views/view.h"

/* What a study came to, as options->format says (show.c). */
void cs_study_show(const struct cs_view *view, const struct cs_study *study, struct cs_strbuf *out);

/* The files of a study (files.c): can they be written and are they apart; is what they hold there,
 * once the ways are known; write them.  -1, or one of enum cs_exit, with err. */
int cs_study_files_check(const struct cs_command *command, const struct cs_study_options *options,
                         struct cs_error *err);
int cs_study_files_fit(const struct cs_command *command, const struct cs_study *study,
                       struct cs_error *err);
int cs_study_files_write(const struct cs_view *view, const struct cs_study *study,
                         struct cs_error *err);

#endif
