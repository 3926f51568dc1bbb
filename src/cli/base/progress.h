/* progress.h - a bar on standard error for long runs; no output without a terminal.
 *
 *   struct cs_progress bar = cs_progress_begin(total);
 *   cs_progress_show(&bar, done);     as often as one likes
 *   cs_progress_end(&bar);            wipes it
 */
#ifndef CS_CLI_PROGRESS_H
#define CS_CLI_PROGRESS_H

#include <stdbool.h>

/* Ctrl-C and SIGTERM, to stop between two pieces of work. */
/* From now on SIGINT and SIGTERM do not end the program but are remembered. The first one prints on
 * standard error that the current work is finished; the second one ends the program immediately. */
void cs_stop_catch(void);

/* The signal that was caught; 0: none, or signals are not caught. */
int cs_stop_signal(void);

/* Was a signal caught? For any struct cs_watch. */
bool cs_stop_asked(void *who);

struct cs_progress {
    double total;        /* work, in any unit */
    double began, shown; /* when (base/clock.h) */
    bool terminal;
    const char *unit; /* what is counted, such as "runs", to show how many a second; or NULL */
};

struct cs_progress cs_progress_begin(double total);

/* So much of the work is done; draws at most five times a second. */
void cs_progress_show(struct cs_progress *bar, double done);

void cs_progress_end(struct cs_progress *bar);

#endif
