/* pipe.h - another program that answers lines with lines.
 *
 * The program runs as long as the pipe exists. It reads requests from its standard input and
 * answers on its standard output; its standard error is inherited. It must flush its output: an
 * answer in a buffer is not received.
 */
#ifndef CS_BASE_PIPE_H
#define CS_BASE_PIPE_H

#include "base/strbuf.h"

#include <cosched/error.h>

struct cs_pipe;

/* Run the command as a shell would, or with "fd:N" talk over a socket that is open already, and
 * stays so for others.  NULL with err. */
struct cs_pipe *cs_pipe_open(const char *command, struct cs_error *err);

/* Send the text, which is then empty, and wait for a line, at most `seconds`. The line is valid
 * until the next call. NULL with err, which states the end of the program, also when the thread
 * must stop (watch.h); all later calls fail too. */
char *cs_pipe_ask(struct cs_pipe *pipe, struct cs_strbuf *text, double seconds,
                  struct cs_error *err);

/* The program reads the end of its input; if it does not exit within two seconds it is killed. NULL
 * is allowed. */
void cs_pipe_close(struct cs_pipe *pipe);

#endif
