/* document.h - what pictures and pages are made of: schedules, replays, stores. */
#ifndef CS_API_DOCUMENT_H
#define CS_API_DOCUMENT_H

#include "base/json.h"

#include <cosched/chart.h>

bool cs_document_is_store(const struct cs_chart_source *source);

/* What is done with a document; -1 with err. */
struct cs_document_faces {
    int (*schedule)(const struct cs_json_at *top, void *who, struct cs_error *err);
    int (*replay)(const struct cs_json_at *top, void *who, struct cs_error *err);
};

/* Open what is no store, and do that. */
int cs_document_read(const struct cs_chart_source *source, const struct cs_document_faces *faces,
                     void *who, struct cs_error *err);

/* The text as the caller's, *length of it (may be NULL); NULL, and released, where it failed. */
char *cs_document_take(struct cs_strbuf *text, int failed, size_t *length);

#endif
