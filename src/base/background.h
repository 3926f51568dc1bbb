/* background.h - work of libraries that may end the process, done in a copy of it. */
#ifndef CS_BASE_BACKGROUND_H
#define CS_BASE_BACKGROUND_H

#include "base/strbuf.h"

#include <cosched/error.h>

/* A task that appends bytes, or fails with err; its memory and its side effects are lost. */
typedef int cs_background_work(void *who, struct cs_strbuf *out, struct cs_error *err);

/* Append to `out` what the work does in a child of this process, whose standard error is nowhere.
 * -1 with err when the work fails, or with the sentence `gone` when the child ends before that or
 * cannot be made. */
int cs_background_run(cs_background_work *work, void *who, const char *gone, struct cs_strbuf *out,
                      struct cs_error *err);

#endif
