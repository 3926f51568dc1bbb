/* aside.h - work of libraries that end the process when memory runs out, done in a copy of it. */
#ifndef CS_BASE_ASIDE_H
#define CS_BASE_ASIDE_H

#include "base/strbuf.h"

#include <cosched/error.h>

/* Something that appends bytes, or fails with err; its memory and what it changes are lost. */
typedef int cs_aside_work(void *who, struct cs_strbuf *out, struct cs_error *err);

/* Append to `out` what the work does in a child of this process, whose standard error is nowhere.
 * -1 with err when the work fails, when no child can be made, or when the child ends before that:
 * then the error is "WHAT: what it was done by gave up; is there no memory?". */
int cs_aside_run(cs_aside_work *work, void *who, const char *what, struct cs_strbuf *out,
                 struct cs_error *err);

#endif
