/* log_window.h - lines of a log that may be out of order.
 *
 * Rows leave by arrival, then line.  Those that come in order stand in a ring, the others in a
 * heap, so that a sorted log costs next to nothing.
 */
#ifndef CS_IO_LOG_WINDOW_H
#define CS_IO_LOG_WINDOW_H

#include "io/log_row.h"

struct cs_log_window;

struct cs_log_window *cs_log_window_create(long most);
void cs_log_window_destroy(struct cs_log_window *window); /* with its labels; NULL is fine */

bool cs_log_window_full(const struct cs_log_window *window);

/* A copy of the row, whose label is the window's from now on.  Not when it is full. */
void cs_log_window_put(struct cs_log_window *window, const struct cs_log_row *row);

/* The row that leaves next, or NULL; and take it out. */
const struct cs_log_row *cs_log_window_next(const struct cs_log_window *window);
void cs_log_window_take(struct cs_log_window *window, struct cs_log_row *row);

#endif
