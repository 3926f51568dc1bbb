/* consumer.h - who reads Arrow's C data interface, and believes nothing.
 *
 * Reads every byte that the C data interface lets a consumer read (so that sanitizers see what is
 * not there), and returns the first rule that is broken, NULL when all are kept.  The stream is
 * released.  `how` chooses what else a consumer may do: bit 0 releases the stream before it reads
 * the batch, bit 1 moves a child out and uses it when its parent is gone, bit 2 releases the stream
 * without reading, bit 3 asks for the schema twice.
 */
#ifndef CS_TESTS_FOREIGN_CONSUMER_H
#define CS_TESTS_FOREIGN_CONSUMER_H

#include <cosched/arrow.h>

const char *consume(struct ArrowArrayStream *stream, unsigned how);

/* Of consume() above: rows and columns of the last batch, and a sum of its bytes. */
extern int64_t consumed_rows, consumed_columns;
extern unsigned consumed_sum;

#endif
