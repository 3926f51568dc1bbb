/* golden_replay: replays of job logs ("cosched-replay-golden-1"): readers, and what ran. */
#include "golden.h"
#include "replay_kit.h"

#include <string.h>

static int run(const json_t *json, const char *path, struct cs_error *err)
{
    const char *reader = json_string_value(json_object_get(json, "reader"));

    (void)path;
    if (reader)
        return strcmp(reader, "slurm.conf") ? golden_replay_log(json, err)
                                            : golden_replay_conf(json, err);
    if (json_object_get(json, "recorded"))
        return golden_replay_recorded(json, err);
    if (json_object_get(json, "values"))
        return golden_replay_batches(json, err);
    if (json_object_get(json, "stamps"))
        return golden_replay_times(json, err);
    if (json_object_get(json, "jobs") && json_object_get(json, "expected"))
        return golden_replay_runs(json, err);
    cs_error_set(err, "what runs is not compared yet");
    return GOLDEN_SKIP;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, "cosched-replay-golden-1", run);
}
