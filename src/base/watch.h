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

/* Is what it watches to stop?  From any thread; no for NULL. */
bool cs_watch_stops(const struct cs_watch *watch);

#endif
