/* queue.h - results of replayed logs: `cosched replay` and `cosched simulate queue`. */
#ifndef CS_API_VIEWS_QUEUE_H
#define CS_API_VIEWS_QUEUE_H

#include "base/file.h"
#include "base/jsonw.h"
#include "problems/queue/problem.h"

#include <cosched/replay.h>

/* The rows of a replay and its request. */
const struct cs_queue_log_rows *cs_replay_rows(const struct cs_replay *replay,
                                               const struct cs_replay_request **request);

/* The first row to show: 0 (the recorded schedule) if at least half of the jobs have a start, else
 * 1. */
int cs_replay_first_row(const struct cs_queue_log_rows *rows);

/* The unit of the machine: "node" or "processor". */
const char *cs_replay_unit(const struct cs_replay_request *request);

/* The name of a row: "recorded", "easy", "easy, wfp3" where there are several priorities. */
void cs_replay_put_row(const struct cs_replay_request *request, int row, struct cs_strbuf *out);

/* The input: lines of jobs, and those that were left out. */
void cs_replay_put_head(const struct cs_replay_request *request, const struct cs_log_counts *c,
                        struct cs_strbuf *out);

/* Events of the rows, such as estimates that were raised: a line, or one for each row. */
void cs_replay_put_events(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, struct cs_strbuf *out);

/* The tables by width, user, ... that are wanted, for `width` columns of a terminal; 0: unlimited.
 */
void cs_replay_put_tables(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, int width, struct cs_strbuf *out);

/* Pass on, after the run, why the rows may not resemble the site. */
void cs_queue_warn(struct cs_queue_case *c, void (*warn)(const char *text, void *who), void *who);

/* The warnings that follow from the rows (queue_table.c). */
void cs_replay_caveat(struct cs_replay_request *request, const struct cs_queue_log_rows *rows);

/* Append the results: for people, in `width` columns of a terminal (0: unlimited; queue_table.c);
 * for programs, with the command that made them. */
void cs_replay_show(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                    int width, struct cs_strbuf *out);
void cs_replay_json(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                    const char *command, struct cs_strbuf *out);
void cs_replay_csv(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                   struct cs_strbuf *out);
void cs_replay_series_csv(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, struct cs_strbuf *out);

/* The schedule of the only row, as a file and as a picture.  -1 with err. */
int cs_replay_schedule_json(const struct cs_queue_case *c, const char *command, struct cs_spill *to,
                            struct cs_error *err);
int cs_replay_gantt(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                    struct cs_strbuf *svg, struct cs_error *err);

/* The names of the cells of a table; or NULL. */
const struct cs_log_names *cs_replay_names(const struct cs_log *log, enum cs_queue_by by);

#endif
