/* workload.h - the parts of reading and writing workloads. */
#ifndef CS_IO_WORKLOAD_H
#define CS_IO_WORKLOAD_H

#include "base/csv.h"
#include "base/json.h"
#include "base/jsonw.h"

#include <cosched/workload.h>
#include <stdbool.h>

/* The most processors that a file may speak of: one more still fits an int. */
#define CS_IO_PROCS_MOST (INT_MAX - 1)

#define CS_WORKLOAD_FORMAT "cosched-workload-1"

/* The name of the tool whose timings a text holds, such as "hyperfine"; NULL: a table, a document
 * of cosched, or none of timings. */
const char *cs_workload_kind(const char *name, const char *text, size_t size);

/* cs_workload_read for bytes; `name` is for messages. */
struct cs_workload *cs_workload_read_memory(const char *name, const void *bytes, size_t size,
                                            const struct cs_workload_options *options,
                                            struct cs_error *err);

/* From an open table, or from an object of cosched-workload-1. */
struct cs_workload *cs_workload_csv_read(struct cs_csv *csv,
                                         const struct cs_workload_options *options,
                                         struct cs_error *err);
struct cs_workload *cs_workload_json_read(const struct cs_json_at *at,
                                          const struct cs_workload_options *options,
                                          struct cs_error *err);

/* Write the object of cosched-workload-1; `note` (or NULL) is its description. */
void cs_workload_json_put(struct cs_jsonw *w, const struct cs_workload *workload, const char *note);

#endif
