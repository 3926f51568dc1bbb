/* replay_kit.h - the kinds of golden cases of replays. */
#ifndef CS_TESTS_GOLDEN_REPLAY_KIT_H
#define CS_TESTS_GOLDEN_REPLAY_KIT_H

#include <cosched/error.h>
#include <jansson.h>

/* Reading a log: its jobs, what was left out, which lines were malformed. */
int golden_replay_log(const json_t *json, struct cs_error *err);

/* Reading a slurm.conf. */
int golden_replay_conf(const json_t *json, struct cs_error *err);

/* Time stamps and durations. */
int golden_replay_times(const json_t *json, struct cs_error *err);

#endif
