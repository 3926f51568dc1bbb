/* schedule_json.h - schedules and pack plans as JSON, format cosched-schedule-1.
 *
 * A document is written in three parts, between which a command may add keys:
 *
 *     cs_jsonw_open(&w, '{');
 *     cs_schedule_json_put_head(&w, schedule, "pack-by-pack:epsilon=0.5");
 *     cs_keys_put(&w, cs_keys_pack, schedule, &declared);       for the pack problem
 * (schedule_keys.h) cs_schedule_json_put_tail(&w, schedule, workload); cs_jsonw_close(&w);
 *
 * docs/formats.md describes every key.  Numbers that are not defined are written as null.
 */
#ifndef CS_IO_SCHEDULE_JSON_H
#define CS_IO_SCHEDULE_JSON_H

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "model/bars.h"
#include "model/schedule.h"

#define CS_SCHEDULE_FORMAT "cosched-schedule-1"

/* Keys format, problem, policy, procs, platform, makespan.  No policy when it is NULL, no platform
 * when the schedule has none. */
void cs_schedule_json_put_head(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const char *policy);

/* Key inputs: the input files; absent without inputs. */
void cs_schedule_json_put_inputs(struct cs_jsonw *w, int count,
                                 const struct cs_schedule_input *input);

/* The graphs of a file, which are not in its arena (NULL is fine). */
void cs_schedule_json_drop_ptg(const struct cs_ptg_declared *declared);

/* Keys tasks, instance, bars.  No instance when the workload is NULL.  With `counts` bars have no
 * numbers of processors, and leave out attempt 1, work and blanks. */
void cs_schedule_json_put_tail(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const struct cs_workload *workload, bool counts);

/* A document that may be a schedule, whose bars were read without keeping their text. */
struct cs_schedule_document {
    struct cs_json_at top; /* the document without its bars */
    struct cs_json_pieces pieces;
    struct cs_arena *scratch;
    struct cs_bar_list bars;
    struct cs_bar broken;  /* the bar after them, if it cannot be read: its first members */
    struct cs_error error; /* why it cannot; no text: there is no such bar */
    bool found;            /* there was a list of bars */
    bool counts;           /* the caller sets it: bars keep their counts */
};

/* Open it, as cs_json_open and cs_json_open_memory.  The struct must not move before it is closed.
 * -1 with err, and nothing to close. */
int cs_schedule_document_open(const char *path, struct cs_schedule_document *document,
                              struct cs_error *err);
int cs_schedule_document_open_memory(const char *name, const void *bytes, size_t size,
                                     struct cs_schedule_document *document, struct cs_error *err);
void cs_schedule_document_close(struct cs_schedule_document *document);

/* cs_schedule_file_read from an open document, once; `top` has no value then. */
struct cs_schedule_file *cs_schedule_document_read(struct cs_schedule_document *document,
                                                   struct cs_error *err);

#endif
