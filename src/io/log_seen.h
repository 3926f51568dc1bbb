/* log_seen.h - for logs only: jobs of one instant, and numbers of jobs, that have been before. */
#ifndef CS_IO_LOG_SEEN_H
#define CS_IO_LOG_SEEN_H

#include "io/log_row.h"

struct cs_log_seen;

struct cs_log_seen *cs_log_seen_create(void);
void cs_log_seen_destroy(struct cs_log_seen *seen); /* NULL is fine */

/* Whether a row with the same id, submit time and start came before, among those that arrived at
 * the same instant.  Rows must come by arrival. */
bool cs_log_seen_row(struct cs_log_seen *seen, const struct cs_log_row *row);

/* Whether the number came before.  Memory is bounded: of numbers in very many separate stretches
 * the lowest are forgotten. */
bool cs_log_seen_id(struct cs_log_seen *seen, int64_t id);

#endif
