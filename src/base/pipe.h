/* pipe.h - another program that answers lines with lines.
 *
 * The program runs for as long as the talk does.  It reads what is said from its standard input and
 * answers on its standard output; its standard error is ours.  What it prints has to leave its
 * buffers: a program that keeps an answer is one that is silent.
 */
#ifndef CS_BASE_PIPE_H
#define CS_BASE_PIPE_H

#include "base/strbuf.h"

#include <cosched/error.h>

struct cs_pipe;

/* Run the command as a shell would, or with "fd:N" talk over a socket that is open already, and
 * stays so for others.  NULL with err. */
struct cs_pipe *cs_pipe_open(const char *command, struct cs_error *err);

/* Say what is in the text, which is empty then, and wait for a line, for so many seconds at most.
 * It lasts until the next call.  NULL with err, which says what became of the program, also when
 * the thread is to stop (watch.h); all later calls fail too. */
char *cs_pipe_ask(struct cs_pipe *pipe, struct cs_strbuf *text, double seconds,
                  struct cs_error *err);

/* The program reads the end of its input; when it goes on for two seconds it is killed.  NULL is
 * fine. */
void cs_pipe_close(struct cs_pipe *pipe);

#endif
