/* watch.h - who watches what this thread does: whether it is to stop.
 *
 * A public function that was given a watch enters it and leaves it; what is long in between asks.
 */
#ifndef CS_BASE_WATCH_H
#define CS_BASE_WATCH_H

#include <stdbool.h>

struct cs_error;
struct cs_watch;

/* Enter (NULL: nobody watches); returns whom to go back to with the same call. */
const struct cs_watch *cs_watch_enter(const struct cs_watch *watch);

/* Who watches this thread, or NULL. */
const struct cs_watch *cs_watch_here(void);

/* Programs say which watch they know; there is one so far (NULL: nobody watches).  -1 with err. */
int cs_watch_check(const struct cs_watch *watch, struct cs_error *err);

/* Each line of the text, on which a caller should look, to that function. */
void cs_watch_each_line(const char *text, void (*warn)(void *who, const char *line), void *who);

/* Is what it watches to stop?  From any thread; no for NULL. */
bool cs_watch_stops(const struct cs_watch *watch);

/* Is this thread to stop?  Whoever watches it is asked 50 times a second at most, and no more once
 * the answer was yes: what is long asks this as often as it likes, and ends however it can. */
bool cs_watch_calls(void);

/* This thread was told to stop, or another that worked for it. */
void cs_watch_hear(void);

/* What came of work in which this thread asked: -1 with "stopped" when it was to stop, whatever
 * half a result there is; else the status. */
int cs_watch_settle(int status, struct cs_error *err);

#endif
