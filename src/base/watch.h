/* watch.h - who watches what this thread does: whether it is to stop.
 *
 * A public function that was given a watch enters it and leaves it; what is long in between asks.
 */
#ifndef CS_BASE_WATCH_H
#define CS_BASE_WATCH_H

#include <stdbool.h>

struct cs_error;
struct cs_watch;

/* Set the watch of this thread (NULL: none); return the previous one, to be restored by the same
 * call. */
const struct cs_watch *cs_watch_enter(const struct cs_watch *watch);

/* The watch of this thread, or NULL. */
const struct cs_watch *cs_watch_here(void);

/* Check the version of a watch; there is one so far (NULL: no watch). -1 with err. */
int cs_watch_check(const struct cs_watch *watch, struct cs_error *err);

/* Each line of the text, on which a caller should look, to that function. */
void cs_watch_each_line(const char *text, void (*warn)(void *who, const char *line), void *who);

/* Does the watch request a stop? From any thread; false for NULL. */
bool cs_watch_stops(const struct cs_watch *watch);

/* Must this thread stop? The watch is called at most 50 times a second, and not again after a yes:
 * long computations may call this at any rate, and then end early. */
bool cs_watch_calls(void);

/* Record a stop of this thread, or of another that worked for it. */
void cs_watch_hear(void);

/* The status after work that checked for stops: -1 with "stopped" after a stop, even with a partial
 * result; else `status`. */
int cs_watch_settle(int status, struct cs_error *err);

#endif
