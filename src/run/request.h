/* request.h - what a caller asks of a run, over the file that he names. */
#ifndef CS_RUN_REQUEST_H
#define CS_RUN_REQUEST_H

#include "run/document.h"

#include <cosched/run.h>

/* Can these be meant, whatever they are used for?  -1 with err. */
int cs_run_request_check(const struct cs_run_options *options, struct cs_error *err);

/* Open a run file, or an input that is none, and put what the options say over it.  In the arena,
 * and released in any case; NULL with err. */
struct cs_run_document *cs_run_request_open(const char *input, const struct cs_run_options *options,
                                            bool dry, struct cs_arena *arena, struct cs_error *err);

/* The word of the document for an engine; "" when it has none. */
const char *cs_run_request_engine(const struct cs_run_document *document);

#endif
