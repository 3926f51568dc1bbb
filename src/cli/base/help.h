/* help.h - help and completion from the tables of the commands. */
#ifndef CS_CLI_HELP_H
#define CS_CLI_HELP_H

#include "base/strbuf.h"
#include "cli/base/command.h"

/* The text of "cosched help", of "cosched ACTION" and of "cosched help COMMAND". */
void cs_help_overview(struct cs_strbuf *out);
void cs_help_action(struct cs_strbuf *out, const char *action);
bool cs_help_action_exists(const char *action);
void cs_help_command(struct cs_strbuf *out, const struct cs_command *command);

/* What --version prints: the version, and what this build has. */
void cs_help_version(struct cs_strbuf *out);

/* The same as JSON: a list of commands ("cosched help", "cosched help ACTION", NULL being all), or
 * a command with all its operands and options. */
void cs_help_json_list(struct cs_strbuf *out, const char *action);
void cs_help_json_command(struct cs_strbuf *out, const struct cs_command *command);

/* The name of the value of an option: its argument, or its choices. */
const char *cs_option_argument(const struct cs_param *option);

/* "there is no command ...", with the nearest one, for words that name none. */
int cs_help_unknown(int count, char *const *words, struct cs_error *err);

#define CS_HELP_ABOUT                                                                              \
    "cosched plans, simulates and runs co-schedules of parallel applications: which of them run "  \
    "side by side, on how many processors each, and when."

#endif
