/* plan_pack.h - the parts of "plan pack": what is planned, and how it is shown. */
#ifndef CS_CLI_PLAN_PACK_H
#define CS_CLI_PLAN_PACK_H

#include "base/clock.h"
#include "cli/base/command.h"
#include "cli/base/format.h"

#include <cosched/pack.h>
#include <cosched/schedule_file.h>

/* One call of the command. */
struct cs_plan_pack {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    const char *input;
    struct cs_workload *workload;
    struct cs_pack_instance *instance;
    struct cs_deadline deadline; /* set when planning begins */
    struct cs_pack_request request;
    double bound;     /* the lower bound that was asked for, seconds */
    const char *unit; /* what a processor is called */
};

/* The plan of one policy, with everything that is said about it. */
struct cs_plan_pack_result {
    const char *policy; /* as the user wrote it, or the one that the effort chose */
    struct cs_pack_plan *plan;
    struct cs_pack_metrics metrics;
    const struct cs_pack_declared *declared;
    struct cs_schedule *schedule;
    double seconds; /* that planning took */
};

/* The request for a policy or parameter text; the deadline begins now. */
int cs_plan_pack_request(struct cs_plan_pack *job, const char *policy, struct cs_error *err);

/* Every policy in one table, to standard output. */
int cs_plan_pack_compare(struct cs_plan_pack *job, struct cs_error *err);

/* The result as text, CSV (a row for each task) or JSON (the plan file). */
void cs_plan_pack_show(const struct cs_plan_pack *job, const struct cs_plan_pack_result *result,
                       enum cs_format format, struct cs_strbuf *out);

/* "9 tasks on 32 nodes, at most 4 in a pack" */
void cs_plan_pack_put_size(const struct cs_plan_pack *job, struct cs_strbuf *out);

#endif
