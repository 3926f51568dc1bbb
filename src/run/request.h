/* request.h - what a caller asks of a run, over the file that he names. */
#ifndef CS_RUN_REQUEST_H
#define CS_RUN_REQUEST_H

#include "base/arena.h"
#include "base/json.h"

#include <cosched/run.h>

struct cs_run_document {
    struct cs_hold held;    /* of what follows */
    json_t *json;           /* a run file */
    const char *file;       /* its name in messages */
    const char *folder;     /* what its paths are relative to, absolute */
    const char *input;      /* path of the input */
    struct cs_strbuf bytes; /* of the input */
};

void cs_run_document_release(struct cs_run_document *document); /* NULL is fine */

/* Check the options independently of their use. -1 with err. */
int cs_run_request_check(const struct cs_run_options *options, struct cs_error *err);

/* Open a run file or another input, and override it by the options. In the arena, and released in
 * any case; NULL with err. */
struct cs_run_document *cs_run_request_open(const char *input, const struct cs_run_options *options,
                                            bool dry, struct cs_arena *arena, struct cs_error *err);

/* The word of the document for an engine; "" when it has none. */
const char *cs_run_request_engine(const struct cs_run_document *document);

#endif
