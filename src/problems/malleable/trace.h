/* trace.h - failures, drawn for a purpose. */
#ifndef CS_MALLEABLE_TRACE_H
#define CS_MALLEABLE_TRACE_H

#include "problems/malleable/malleable.h"

/* Purposes of the random streams: the failures of scenarios, and those played to choose rules. */
#define CS_MALLEABLE_PURPOSE_FAILURES 1201
#define CS_MALLEABLE_PURPOSE_TUNING 1202

/* Silent errors, and failures that only the disk outlives. */
#define CS_MALLEABLE_PURPOSE_PATTERN 1422

struct cs_rng;

/* The stream of errors of the present scenario that are not failures. */
struct cs_rng *cs_malleable_trace_errors(struct cs_malleable_trace *trace);

/* Of a trace from a list: the seed and the scenario of that stream; 0 and 0 unless set. */
void cs_malleable_trace_seed(struct cs_malleable_trace *trace, uint64_t seed, uint64_t scenario);

struct cs_malleable_trace *cs_malleable_trace_draw_for(const struct cs_malleable_failures *failures,
                                                       uint32_t purpose, struct cs_error *err);

#endif
