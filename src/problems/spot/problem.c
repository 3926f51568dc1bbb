/* problem.c - the problem spot, described once (problem/problem.h): parameters and metrics.
 *
 * Metrics: spec/volatile.md III.6.  Where a deadline cannot be met, costs relative to the
 * clairvoyant one are absent.
 */
#include "problems/spot/problem.h"

#include "problem/rows.h"
#include "problems/spot/case.h"

#include <math.h>

#define AT(member) offsetof(struct cs_spot_options, member)

enum { RUN = CS_SIMULATE | CS_EXPERIMENT };

static void put_policies(struct cs_strbuf *names)
{
    cs_study_policy_words(&cs_problem_spot.choice[0], names);
}

static const struct cs_field fields[] = {
    {.name = "input",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .repeats = true,
     .summary = "traces of spot instances; several files are separate markets",
     .verbs = CS_EXPERIMENT,
     .required = CS_EXPERIMENT,
     .of = CS_OF_INSTANCE,
     .at = CS_STUDY_AT(input),
     .old = "trace",
     .old_stored = true,
     .old_stays = true},
    {.name = "deadline",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e10,
     .group = "The job",
     .required = RUN,
     .summary = "time until which the job must be done; no scenario is late when work and a "
                "change-over fit before it",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(deadline)},
    {.name = "work",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e10,
     .required = RUN,
     .summary = "computing time of the job",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(work)},
    {.name = "change-over",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e10,
     .summary = "time without progress, which is paid, at each start on other instances; default: "
                "0",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(change_over)},
    {.name = "instances",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "1",
     .low = 1,
     .high = 100000,
     .summary = "instances that the job needs at the same time: spot is available while this many "
                "are",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(instances)},
    {.name = "demand-price",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .fallback = "1",
     .low = 0,
     .high = 1e9,
     .group = "The market",
     .summary = "price of an instance-hour on demand",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(demand_price)},
    {.name = "spot-price",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .fallback = "0.3",
     .low = 0,
     .high = 1e9,
     .summary = "price of an instance-hour on spot, which policies use; if the trace has prices, "
                "those are paid",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(spot_price)},
    {.name = "components",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .summary = "component table of an event table of the Failure Trace Archive, with the times in "
                "which nodes were observed; default: component.tab in the directory of the trace, "
                "if present",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(components)},
    {.name = "slot",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .summary = "length of a tick; default: the longest that a trace specifies, else 60 s",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(slot)},
    {.name = "history",
     .kind = CS_FIELD_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 10000000,
     .summary = "ticks of each trace that policies learn from; jobs start after them; 0 or not "
                "given: half of the trace",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(history)},
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[,NAME...]",
     .fallback = "all",
     .group = "The policies",
     .values = put_policies,
     .policies = &cs_problem_spot.choice[0],
     .list = true,
     .summary = "see 'cosched list spot'; several, or all, are compared scenario by scenario with "
                "uniform, or else with the first",
     .verbs = RUN,
     .of = CS_OF_VARIANT,
     .at = AT(policy),
     .old = "buyer",
     .old_stored = true,
     .old_stays = true},
    {.name = "young",
     .kind = CS_FIELD_INTEGER,
     .argument = "TICKS",
     .fallback = "8",
     .low = 1,
     .high = 1000000,
     .summary = "policy table: spot that has been available, or away, for at most this many ticks "
                "is young; it ends with another probability than what has lasted longer",
     .verbs = RUN,
     .of = CS_OF_VARIANT,
     .at = AT(young)},
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "100",
     .low = 1,
     .high = 1000000,
     .group = "The scenarios",
     .summary =
         "number of jobs, each with a random start after the history; the traces take turns, "
         "and all policies have the same starts",
     .verbs = RUN,
     .of = CS_OF_DRAW,
     .at = AT(scenarios),
     .old = "trials",
     .old_stays = true},
    CS_ROW_SEED("of the starts", CS_SIMULATE),
    CS_ROW_THREADS(CS_SIMULATE),
    CS_ROW_FORMAT("Output", CS_SIMULATE),
    {.name = "per-scenario",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "a row for each policy and scenario",
     .verbs = CS_SIMULATE,
     .at = CS_STUDY_AT(per_scenario),
     .old = "per-trial",
     .old_stays = true},
    CS_ROW_SCHEDULE("one scenario as a schedule (cosched-schedule-1), which 'cosched check' checks",
                    CS_SIMULATE),
    CS_ROW_GANTT("draw one scenario: the instances over time", CS_SIMULATE),
    CS_ROW_SCENARIO("the scenario that --output and --gantt show, from 0"),
    CS_ROW_TITLE(CS_SIMULATE),
    CS_ROW_DARK(CS_SIMULATE),
    {0},
};

/* ---- metrics ---- */

/* A cost of runs in time: NaN if no run is sure to be in time. */
static double in_time(const struct cs_study *study, double cost)
{
    return cs_spot_case_hopeless((const struct cs_spot_case *)(const void *)study) ? NAN : cost;
}

#define EACH(id, expression)                                                                       \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_spot_outcome *o = one;                                                     \
                                                                                                   \
        (void)study;                                                                               \
        return expression;                                                                         \
    }

EACH(cost, o->cost)
EACH(clairvoyant_cost, in_time(study, o->clairvoyant_cost))
EACH(over_clairvoyant, o->cost / in_time(study, o->clairvoyant_cost))
EACH(expected, in_time(study, o->expected))
EACH(elapsed, (double)o->end *((const struct cs_spot_case *)(const void *)study)->fleet->slot)
EACH(late, o->late > 0)
EACH(on_spot, (double)o->on_spot / (double)(o->on_spot + o->on_demand))
EACH(starts, (double)o->starts)

static const struct cs_value values[] = {
    {"cost", "cost", "cost of the job, in units of its prices", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "mean cost", .digits = 2, .of = cost},
    {"clairvoyant_cost", "clairvoyant cost",
     "the least cost of a run in time if the trace is known", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .old = "least", .of = clairvoyant_cost},
    {"over_clairvoyant", "cost / clairvoyant cost", "cost / clairvoyant_cost",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "over clairvoyant", .digits = 4,
     .interval = true, .old = "over_least", .of = over_clairvoyant},
    {"expected", "cost that was expected", "the cost that the table expects at the start",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = expected},
    {"elapsed", "time until the end", "seconds from the start to the end of the job",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "elapsed", .old = "took", .of = elapsed},
    {"late", "late", "share of jobs that ended after the deadline", .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .column = "late", .digits = 0, .of = late},
    {"on_spot", "paid time on spot", "share of the paid time that was on spot",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "on spot", .digits = 1, .of = on_spot},
    {"starts", "starts", "number of starts on instances", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "starts", .digits = 1, .of = starts},
    {0},
};

const struct cs_problem cs_problem_spot = {
    .name = "spot",
    .summary = "when a job with a deadline buys spot or on-demand instances",
    .field = fields,
    .value = values,
    .choice = {{"policy", "policies", cs_spot_policies}},
    .variant = {"policy"},
    .former = "volatile",
    .former_key = "deadline",
    .options = sizeof(struct cs_spot_options),
    .outcome = sizeof(struct cs_spot_outcome),
    .check = cs_spot_case_check,
    .open = cs_spot_case_open,
    .close = cs_spot_case_close,
    .run = cs_spot_case_run,
    .identify = cs_spot_case_identify,
    .record = cs_spot_case_record,
    .put = cs_spot_case_put,
    .discard = cs_spot_case_discard,
    .supplied = cs_spot_case_supplied,
};
