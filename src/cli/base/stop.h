/* stop.h - Ctrl-C and SIGTERM, to stop between two pieces of work. */
#ifndef CS_CLI_STOP_H
#define CS_CLI_STOP_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM do not end the program but are remembered. The first one prints on
 * standard error that the current work is finished; the second one ends the program immediately. */
void cs_stop_catch(void);

/* The signal that was caught; 0: none, or signals are not caught. */
int cs_stop_signal(void);

/* Was a signal caught? For any struct cs_watch. */
bool cs_stop_asked(void *who);

#endif
