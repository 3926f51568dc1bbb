/* stop.h - Ctrl-C and SIGTERM, to stop between two pieces of work. */
#ifndef CS_CLI_STOP_H
#define CS_CLI_STOP_H

#include <signal.h>

/* From now on SIGINT and SIGTERM do not end the program but set a number, that of the signal, which
 * is returned: 0 at first.  The first one says on standard error that the work in hand is finished;
 * the second one ends the program at once. */
const volatile sig_atomic_t *cs_stop_catch(void);

#endif
