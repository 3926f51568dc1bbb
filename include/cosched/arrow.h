/* arrow.h - schedules, studies, job logs and campaigns as columns, for any program that reads
 * Apache Arrow's C data interface: pyarrow, polars, DuckDB, R, Julia, ...
 *
 *     struct ArrowArrayStream stream;
 *
 *     if (!cs_joblog_arrow(log, 1, NULL, NULL, &stream, &err)) {
 *         ... hand the stream over, or read it as arrow.apache.org defines
 *         if (stream.release)
 *             stream.release(&stream);
 *     }
 *
 * No library of Arrow is needed. A stream has one batch, a struct array with one child per column,
 * and then its end. A batch owns its memory: it may outlive the stream, its source object and any
 * call of this library. Children and dictionaries may be moved out of it; each is released by its
 * owner, on any thread. One stream is used by one thread at a time.
 *
 * Times are seconds (float64), NaN if missing. Texts are utf8, with U+FFFD for invalid bytes;
 * columns with few distinct values (policies, names of tasks, users) are dictionaries with indices
 * of int32, null if missing. The caller releases the stream; after -1 it is unchanged.
 */
#ifndef COSCHED_ARROW_H
#define COSCHED_ARROW_H

#include <cosched/campaign.h>
#include <cosched/convert.h>
#include <cosched/error.h>
#include <cosched/watch.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

/* As the definition of the C data interface prints them
 * (arrow.apache.org/docs/format/CDataInterface.html). */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

struct cs_schedule;
struct cs_case;

/* A row a bar: task (int32), name (dictionary), attempt, group (int32, -1 for none), kind
 * (dictionary), start, end, procs (utf8, "0-3 7"), first (int32, the lowest of procs, -1 for
 * none), count (int32, of procs).  -1 with err. */
CS_API int cs_schedule_arrow(const struct cs_schedule *schedule, struct ArrowArrayStream *out,
                             struct cs_error *err);

/* The same of the text of a schedule file.  -1 with err when it cannot be read. */
CS_API int cs_schedule_text_arrow(const char *text, size_t size, struct ArrowArrayStream *out,
                                  struct cs_error *err);

/* A row a run, way after way: the words of the way by their keys (dictionaries), scenario (int64),
 * every value (cs_case_metric).  -1 with err when the case has not run. */
CS_API int cs_case_arrow(const struct cs_case *c, struct ArrowArrayStream *out,
                         struct cs_error *err);

/* A row a job, by submit time, of job logs that are merged by time, from so many paths ("-":
 * standard input): id (int64), name (utf8, distinct), submit, seconds, requested, start, procs
 * (int64), user, account, partition, qos (dictionaries).  Of `how` (NULL: nothing) it looks at
 * unit, procs, by_submit, zone, speed, lookahead and strict.  The watch is warned of lines that are
 * left out.  -1 with err. */
CS_API int cs_joblog_arrow(const char *const *paths, int count,
                           const struct cs_convert_options *how, const struct cs_watch *watch,
                           struct ArrowArrayStream *out, struct cs_error *err);

/* The table of cs_campaign_export: parameters as they are (int64, float64 or utf8), replicate
 * (int64), seed and instance (utf8), metrics (float64). Options may be NULL; `json` is ignored. -1
 * with err, also when runs are missing and `partial` is not set. */
CS_API int cs_campaign_arrow(const char *store, const struct cs_campaign_export_options *options,
                             const struct cs_watch *watch, struct ArrowArrayStream *out,
                             struct cs_error *err);

CS_END_DECLS

#endif
