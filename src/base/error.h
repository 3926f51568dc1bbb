/* error.h - an error at a place in a file. */
#ifndef CS_BASE_ERROR_H
#define CS_BASE_ERROR_H

#include <cosched/error.h>

/* cs_error_set_as with a place, which begins the message: "WHERE:LINE: ", or "WHERE: " for a line
 * of 0. */
int cs_error_set_at(struct cs_error *err, enum cs_error_kind kind, const char *where, long line,
                    const char *format, ...) CS_PRINTF(5, 6);
#endif
