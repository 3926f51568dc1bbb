/* stop.h - Ctrl-C and SIGTERM, to stop between two pieces of work. */
#ifndef CS_CLI_STOP_H
#define CS_CLI_STOP_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM do not end the program but are remembered.  The first one says on
 * standard error that the work in hand is finished; the second one ends the program at once. */
void cs_stop_catch(void);

/* The signal that was caught; 0: none, or nothing is to be caught. */
int cs_stop_signal(void);

/* Was one?  For a struct cs_watch, of whoever it is. */
bool cs_stop_asked(void *who);

#endif
