/* document.h - the sources of charts and pages: schedules, replays, stores. */
#ifndef CS_API_DOCUMENT_H
#define CS_API_DOCUMENT_H

#include "io/schedule_json.h"

#include <cosched/chart.h>

bool cs_document_is_store(const struct cs_chart_source *source);

/* The handlers of the kinds of documents; -1 with err. */
struct cs_document_faces {
    int (*schedule)(struct cs_schedule_document *document, void *who, struct cs_error *err);
    int (*replay)(const struct cs_json_at *top, void *who, struct cs_error *err);
};

/* Open a document that is not a store and call its handler. -1 with err. */
int cs_document_read(const struct cs_chart_source *source, const struct cs_document_faces *faces,
                     void *who, struct cs_error *err);

/* Write a file as cs_file_fill() does; `fill` returns -1 with `why`, or with errno of the file. */
int cs_document_fill(const char *path, int (*fill)(void *who, int fd), void *who,
                     const struct cs_error *why, struct cs_error *err);

/* Pass the text to the caller, who frees it; its length is in *length (may be NULL). If `failed`,
 * release the text and return NULL. */
char *cs_document_take(struct cs_strbuf *text, int failed, size_t *length);

#endif
