/* program.h - where programs are, and which files may be trusted. */
#ifndef CS_RUN_PROGRAM_H
#define CS_RUN_PROGRAM_H

#include "run/setup.h"

/* Replace the first word of a command by the path of the program, in the arena: below the folder
 * when it has a slash, else looked for in PATH.  -1 with err when it cannot be executed. */
int cs_run_program_resolve(char **program, const char *folder, struct cs_arena *arena,
                           struct cs_error *err);

/* The same for a text in an arena, remembered as it is when it has words. */
int cs_run_program_find(const char *program, const char *folder, struct cs_strbuf *path,
                        struct cs_error *err);

/* The keeper of this program: in the same directory, or as installed. NULL with err. */
const char *cs_run_program_keeper(struct cs_arena *arena, struct cs_error *err);

/* Seconds after which an attempt of the task is ended; 0: never. */
double cs_run_timeout(const struct cs_run_setup *setup, int task);

#endif
