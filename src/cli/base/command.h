/* command.h - a command of the tool, as data.
 *
 * To add a command: one file in src/cli/, named after its words ("fit availability" is
 * fit_availability.c), which defines a `const struct cs_command cs_command_fit_availability`, and
 * one line in commands.def.  The build compiles the file, makes and installs its manual page and
 * its completion; the tests under tests/cli compare them.
 */
#ifndef CS_CLI_COMMAND_H
#define CS_CLI_COMMAND_H

#include "problem/arguments.h"

#include <cosched/error.h>

/* How the tool ends. */
enum cs_exit {
    CS_EXIT_DONE = 0,
    CS_EXIT_WRONG = 1,      /* the input or the request is wrong */
    CS_EXIT_USAGE = 2,      /* the command line is wrong */
    CS_EXIT_FAILED = 3,     /* a run has ended, and some tasks failed for good */
    CS_EXIT_STOPPED = 4,    /* a run was stopped and can be resumed */
    CS_EXIT_INCOMPLETE = 5, /* a schedule has no violation, and not all of it was checked */
    CS_EXIT_SIGNAL = 128,   /* this and the number of the signal that stopped it: 130, 143 */
};

struct cs_example {
    const char *what; /* one line */
    const char *line; /* what to type */
};

struct cs_view;

/* Lines of this command that have the option are those of another one by now, which takes the
 * values of the option `operand` as operands. */
struct cs_former {
    const char *option, *words, *operand;
};

/* An option that is a parameter of the command; other members of the row override it. */
#define CS_OPTION_OF(word) .name = word

struct cs_command {
    const char *words;                 /* such as "plan pack" */
    const char *also;                  /* other words for it, which stay; or NULL */
    const char *summary;               /* one line: starts with a verb, no full stop */
    const char *description;           /* paragraphs with an empty line between; a paragraph that is
                                        * indented by two spaces keeps its lines */
    const struct cs_operand *operands; /* ends with a NULL name; or NULL */
    const struct cs_param *options; /* ends with a NULL name; or NULL; all commands have --help */
    const char *params_of;          /* rows of CS_OPTION_OF are parameters of this (param.h) */
    const struct cs_view *view;     /* commands of problems: the options are the parameters of the
                                     * problem that the action takes, and `run` is NULL */
    enum cs_case_action action;
    const struct cs_former *former;    /* accepted for one release; or NULL */
    const struct cs_example *examples; /* ends with a NULL line; or NULL */

    /* Returns one of enum cs_exit, or -1 for CS_EXIT_WRONG; with err unless it is DONE or has
     * printed the error on standard output. */
    int (*run)(const struct cs_arguments *args, struct cs_error *err);
};

/* Its options, or the parameters of its problem (actions.c); ends with a NULL name; or NULL. */
const struct cs_param *cs_command_options(const struct cs_command *command);

/* Run a command of a problem; as cs_command.run (actions.c). */
int cs_action_run(const struct cs_command *command, const struct cs_arguments *args,
                  struct cs_error *err);

/* All commands, in the order of commands.def. */
const struct cs_command *const *cs_commands(int *count);

/* The command whose words begin words[0 .. count - 1]; *used is their number. */
const struct cs_command *cs_command_find(int count, char *const *words, int *used);

/* The command that a line of a former release is by now; *argv becomes its line, in the arena.  The
 * command itself for other lines. */
const struct cs_command *cs_command_update(const struct cs_command *command, int *argc,
                                           char *const **argv, struct cs_arena *arena);

/* The word of a command at a place, 0 being its action, and its length; NULL when it has fewer. */
const char *cs_command_word(const struct cs_command *command, int place, size_t *length);

/* Has a command before this one (an index in the list) the same words up to this place? */
bool cs_command_repeats(int index, int place);

/* Is it the command "ACTION" or one of the commands "ACTION ..."? */
bool cs_command_has_action(const struct cs_command *command, const char *action);

#endif
