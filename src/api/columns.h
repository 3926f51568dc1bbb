/* columns.h - columns of so many rows, which become a stream of Arrow's C data interface. */
#ifndef CS_API_COLUMNS_H
#define CS_API_COLUMNS_H

#include <cosched/arrow.h>

struct cs_columns;

/* Names and texts are copied.  Destroyed by who does not hand them over; NULL is fine. */
struct cs_columns *cs_columns_create(int64_t rows);
void cs_columns_destroy(struct cs_columns *columns);

/* A further column, zeros, to be filled. */
int32_t *cs_columns_int32(struct cs_columns *columns, const char *name);
int64_t *cs_columns_int64(struct cs_columns *columns, const char *name);
double *cs_columns_double(struct cs_columns *columns, const char *name);

/* A column of so many words, as indices to be filled; -1 is null.  NULL with err when the words are
 * longer than Arrow's utf8 can be (2 GB together). */
int32_t *cs_columns_words(struct cs_columns *columns, const char *name, const char *const *word,
                          int words, struct cs_error *err);

/* A column of texts, NULL is null.  -1 with err when they are too long, as above. */
int cs_columns_texts(struct cs_columns *columns, const char *name, const char *const *text,
                     struct cs_error *err);

/* Everything is in place: the stream owns the columns now. */
void cs_columns_hand_over(struct cs_columns *columns, struct ArrowArrayStream *out);

#endif
