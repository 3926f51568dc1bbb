/* columns.h - columns of equal length, which become a stream of Arrow's C data interface. */
#ifndef CS_API_COLUMNS_H
#define CS_API_COLUMNS_H

#include <cosched/arrow.h>

struct cs_columns;

/* Create columns with `rows` rows; names and texts are copied. The caller destroys them unless it
 * hands them over; NULL is fine. */
struct cs_columns *cs_columns_create(int64_t rows);
void cs_columns_destroy(struct cs_columns *columns);

/* Add a column of zeros and return it, to be filled; it lives as long as the columns. */
int32_t *cs_columns_int32(struct cs_columns *columns, const char *name);
int64_t *cs_columns_int64(struct cs_columns *columns, const char *name);
double *cs_columns_double(struct cs_columns *columns, const char *name);

/* Add a column with a dictionary of `words` words and return its indices, to be filled; -1 is null.
 * NULL with err if the words exceed Arrow's utf8 (2 GB together). */
int32_t *cs_columns_words(struct cs_columns *columns, const char *name, const char *const *word,
                          int words, struct cs_error *err);

/* Add a column of texts, one per row; NULL is null. -1 with err if they are too long, as above. */
int cs_columns_texts(struct cs_columns *columns, const char *name, const char *const *text,
                     struct cs_error *err);

/* Pass the filled columns to a stream, which owns them from now on. */
void cs_columns_hand_over(struct cs_columns *columns, struct ArrowArrayStream *out);

#endif
