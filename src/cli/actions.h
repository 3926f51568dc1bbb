/* actions.h - plan, simulate and generate, the same for every problem: from a command line to a
 * case (cosched/case.h), to what is printed and written. */
#ifndef CS_CLI_ACTIONS_H
#define CS_CLI_ACTIONS_H

#include "cli/base/command.h"

#include <cosched/case.h>

/* The subject of a command of a problem. */
struct cs_view {
    const char *problem;
    const char
        *one; /* how a way is called in messages: "for one policy on end and one on failure" */
};

/* The value of an option; NULL if the command does not have it or it was not given. */
const char *cs_action_text(const struct cs_arguments *args, const char *name);

/* The given options as JSON for the library; the caller releases it. Without the options in `shown`
 * (names, then NULL), which control output only. */
json_t *cs_action_options(const struct cs_arguments *args, const char *const *shown);

/* The files of a study (files.c): check that they are writable and distinct; check that their
 * content exists, once the variants are known; write them. -1, or one of enum cs_exit, with err. */
int cs_study_files_check(const struct cs_arguments *args, struct cs_error *err);
int cs_study_files_fit(const struct cs_command *command, const struct cs_arguments *args,
                       const struct cs_case *c, struct cs_error *err);
int cs_study_files_write(const struct cs_arguments *args, const struct cs_case *c,
                         const char *command, struct cs_error *err);

#endif
