/* trace.h - failures, drawn for a purpose. */
#ifndef CS_MALLEABLE_TRACE_H
#define CS_MALLEABLE_TRACE_H

#include "problems/malleable/malleable.h"

/* Purposes of the random streams: the failures of scenarios, and those played to choose rules. */
#define CS_MALLEABLE_PURPOSE_FAILURES 1201
#define CS_MALLEABLE_PURPOSE_TUNING 1202

struct cs_malleable_trace *cs_malleable_trace_draw_for(const struct cs_malleable_failures *failures,
                                                       uint32_t purpose, struct cs_error *err);

#endif
