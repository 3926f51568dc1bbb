/* verbs.h - plan, simulate and generate, the same for every problem: from a command line to a case
 * (cosched/case.h), to what is printed and written. */
#ifndef CS_CLI_VERBS_H
#define CS_CLI_VERBS_H

#include "cli/base/command.h"

#include <cosched/case.h>

/* What a command of a problem is about. */
struct cs_view {
    const char *problem;
    const char
        *one; /* how a way is called in messages: "for one policy on end and one on failure" */
};

/* What an option says; NULL where the command does not have it or it was not given. */
const char *cs_verb_text(const struct cs_arguments *args, const char *name);

/* What was given, as the library takes it; the caller gives it back.  Not the options that are
 * `shown`: names, then NULL, of what says how results are printed and where they are written. */
json_t *cs_verb_options(const struct cs_arguments *args, const char *const *shown);

/* The files of a study (files.c): can they be written and are they apart; is what they hold there,
 * once the ways are known; write them.  -1, or one of enum cs_exit, with err. */
int cs_study_files_check(const struct cs_arguments *args, struct cs_error *err);
int cs_study_files_fit(const struct cs_command *command, const struct cs_arguments *args,
                       const struct cs_case *c, struct cs_error *err);
int cs_study_files_write(const struct cs_arguments *args, const struct cs_case *c,
                         const char *command, struct cs_error *err);

#endif
