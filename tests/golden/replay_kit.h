/* replay_kit.h - the kinds of golden cases of replays. */
#ifndef CS_TESTS_GOLDEN_REPLAY_KIT_H
#define CS_TESTS_GOLDEN_REPLAY_KIT_H

#include "problems/queue/measures.h"

#include <cosched/error.h>
#include <jansson.h>

/* Reading a log: its jobs, what was left out, which lines were malformed. */
int golden_replay_log(const json_t *json, struct cs_error *err);

/* Reading a slurm.conf. */
int golden_replay_conf(const json_t *json, struct cs_error *err);

/* The row `recorded`; batch means and quantiles. */
int golden_replay_recorded(const json_t *json, struct cs_error *err);
int golden_replay_batches(const json_t *json, struct cs_error *err);

/* Those measures that the case has, to 1e-12; one value, relatively. */
int golden_replay_metrics(const json_t *want, const struct cs_queue_measured *got,
                          struct cs_error *err);
int golden_replay_close(const json_t *object, const char *key, double got, double within,
                        struct cs_error *err);

/* Time stamps and durations. */
int golden_replay_times(const json_t *json, struct cs_error *err);

/* Jobs on a machine under policies: what ran. */
int golden_replay_runs(const json_t *json, struct cs_error *err);

#endif
