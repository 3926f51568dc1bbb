/* schedule_json.h - schedules and pack plans as JSON, format cosched-schedule-1.
 *
 * A document is written in three parts, between which a command may add keys of its own:
 *
 *     cs_jsonw_open(&w, '{');
 *     cs_schedule_json_put_head(&w, schedule, "pack-by-pack:epsilon=0.5");
 *     cs_schedule_json_put_pack(&w, schedule, &declared);       for the pack problem
 *     cs_schedule_json_put_tail(&w, schedule, workload);
 *     cs_jsonw_close(&w);
 *
 * docs/formats.md describes every key.  Numbers that are not defined are written as null.
 */
#ifndef CS_IO_SCHEDULE_JSON_H
#define CS_IO_SCHEDULE_JSON_H

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"

#include <cosched/schedule_file.h>

#define CS_SCHEDULE_FORMAT "cosched-schedule-1"

/* Keys format, problem, policy, procs, platform, makespan.  No policy when it is NULL, no platform
 * when the schedule has none. */
void cs_schedule_json_put_head(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const char *policy);

/* Key inputs: the files that it was made from; none when there are none. */
void cs_schedule_json_put_inputs(struct cs_jsonw *w, int count,
                                 const struct cs_schedule_input *input);

/* Keys pack_size, cost, one_pack_cost, relative_cost, packing_ratio, relative_response_time,
 * lower_bound, gap, certificate (when there is one), packs. */
void cs_schedule_json_put_pack(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const struct cs_pack_declared *declared);

/* Keys seed and notes of a plan of packs are what they should be, where they are there.  -1 with
 * err. */
int cs_schedule_json_check_search(const struct cs_json_at *root, struct cs_error *err);

/* Key certificate of a plan of packs, for so many tasks; lives in the arena. */
void cs_schedule_json_put_prices(struct cs_jsonw *w, int tasks,
                                 const struct cs_pack_certificate *by);
int cs_schedule_json_get_prices(const struct cs_json_at *root, int tasks, struct cs_arena *arena,
                                struct cs_pack_certificate *by, struct cs_error *err);

/* Keys observed and planned of what was watched: the tasks that did not end well, and the
 * processors that were asked for.  NULL with err; lives in the arena. */
const struct cs_schedule_observed *cs_schedule_json_get_observed(const struct cs_json_at *root,
                                                                 const struct cs_schedule *schedule,
                                                                 int tasks, struct cs_arena *arena,
                                                                 struct cs_error *err);

/* Keys mtbf, downtime, fault_free, wake, on_end, on_failure, layout, period_factor, kappa, faults,
 * fatal, areas (these two if declared), lower_bound. */
void cs_schedule_json_put_malleable(struct cs_jsonw *w,
                                    const struct cs_malleable_declared *declared);

/* Those keys.  NULL with err; lives in the arena. */
const struct cs_malleable_declared *cs_schedule_json_get_malleable(const struct cs_json_at *root,
                                                                   struct cs_arena *arena,
                                                                   struct cs_error *err);

/* Keys lower_bound, bounds, gap, seed, moves, counts, origin, failures, factors, stopped; the last
 * seven if declared. */
void cs_schedule_json_put_moldable(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                   const struct cs_moldable_declared *declared);

/* Those keys, for so many tasks.  NULL with err; lives in the arena. */
const struct cs_moldable_declared *cs_schedule_json_get_moldable(const struct cs_json_at *root,
                                                                 int tasks, struct cs_arena *arena,
                                                                 struct cs_error *err);

/* Keys application, prefetch, slots, completed, lower_bound, hosts, configurations. */
void cs_schedule_json_put_volatile(struct cs_jsonw *w, const struct cs_volatile_declared *declared);

/* Those keys.  NULL with err; lives in the arena. */
const struct cs_volatile_declared *cs_schedule_json_get_volatile(const struct cs_json_at *root,
                                                                 struct cs_arena *arena,
                                                                 struct cs_error *err);

/* Keys network, lower_bound, release (none when all are released at 0), graphs. */
void cs_schedule_json_put_ptg(struct cs_jsonw *w, const struct cs_ptg_declared *declared);

/* Those keys.  NULL with err; lives in the arena, but for the graphs, which drop destroys (NULL is
 * fine). */
const struct cs_ptg_declared *cs_schedule_json_get_ptg(const struct cs_json_at *root,
                                                       struct cs_arena *arena,
                                                       struct cs_error *err);
void cs_schedule_json_drop_ptg(const struct cs_ptg_declared *declared);

/* Keys tasks, instance, bars.  No instance when the workload is NULL. */
void cs_schedule_json_put_tail(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const struct cs_workload *workload);

/* cs_schedule_file_read from a document that was read. */
struct cs_schedule_file *cs_schedule_file_read_at(const struct cs_json_at *root,
                                                  struct cs_error *err);

#endif
