/* problem.c - the problem pack, described once (problem/problem.h). */
#include "problems/pack/problem.h"

#include "problem/rows.h"
#include "problems/pack/case.h"
#include "problems/pack/coin.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(struct cs_pack_options, member)

enum { ANY = CS_PLAN | CS_EXPERIMENT };

static void policy_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_pack.choice[0], words);
}

static const struct cs_field fields[] = {
    CS_ROW_INPUT("the applications, instead of workload"),
    {.name = "workload",
     .letter = 'w',
     .kind = CS_FIELD_CHOICE,
     .choices = "i|ii-a|ii-b|iii-a|iii-b|random|formula",
     .summary = "i, ii-a ... iii-b: stand-ins for the paper's three workloads; random: sampled; "
                "formula: Amdahl's law with overhead, for very many tasks",
     .verbs = CS_GENERATOR,
     .required = CS_GENERATE,
     .of = CS_OF_GENERATOR,
     .at = AT(workload)},
    CS_ROW_COUNT("tasks", "0", 0, 100000000, "of random and formula; 0: 65", AT(tasks)),
    {.name = "workload-seed",
     .kind = CS_FIELD_INTEGER,
     .argument = "S",
     .low = 0,
     .high = 9007199254740992.0,
     .summary = "of random workloads; default: the replicate's own",
     .verbs = CS_EXPERIMENT,
     .of = CS_OF_GENERATOR,
     .at = AT(workload_seed)},
    {.name = "procs",
     .letter = 'p',
     .kind = CS_FIELD_INTEGER,
     .argument = "P",
     .fallback = "0",
     .low = 0,
     .high = 100000000,
     .summary = "processors that the times are made for; 0: those of the paper",
     .verbs = CS_GENERATE,
     .of = CS_OF_GENERATOR,
     .at = AT(made_for)},
    CS_ROW_SEED("of random and formula", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    CS_ROW_PROCS("Applications and machine", 1, ANY, AT(procs)),
    {.name = "pack-size",
     .letter = 'k',
     .kind = CS_FIELD_INTEGER,
     .argument = "K",
     .low = 1,
     .high = 100000000,
     .summary = "most tasks in a pack; default: as many as processors",
     .verbs = ANY,
     .of = CS_OF_INSTANCE,
     .at = AT(pack_size)},
    CS_ROWS_LAUNCH("The tasks", ANY, AT(launch)),
    {.name = "assign",
     .old = "hand-out",
     .old_stored = true,
     .kind = CS_FIELD_CHOICE,
     .choices = "used|all",
     .group = "How it is planned",
     .summary = "processors that tasks hold: the fewest that keep the costs, or all that there are "
                "(Algorithm 1); default: used, in an experiment all",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(hand_out)},
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .values = policy_words,
     .policies = &cs_problem_pack.choice[0],
     .list = true,
     .summary =
         "the policy, see 'cosched list pack'; several with commas between them, or all, are "
         "compared in a table",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(policy)},
    CS_ROWS_PROGRAM("packs", ANY, AT(policy_program), AT(patience)),
    {.name = "effort",
     .kind = CS_FIELD_CHOICE,
     .choices = "fast|default|high|exact",
     .summary = "instead of a policy: how hard to try; default: default",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(effort)},
    {.name = "time-limit",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e9,
     .summary = "searches end after this time with the best plan so far and its proven gap; "
                "default: 60 s, 10 s for each of several policies, none in an experiment",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(time_limit)},
    {.name = "bound",
     .kind = CS_FIELD_CHOICE,
     .choices = "cheap|strong",
     .summary = "the lower bound that the gap is measured against; strong is column generation, "
                "within the time limit; default: strong for a plan by effort of up to 256 tasks "
                "and 300,000 tasks times processors, where the build can",
     .verbs = ANY,
     .at = AT(bound)},
    {.name = "repeat",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000,
     .summary = "how often the planning is timed, the median counts; default: once, 9 times for "
                "quick policies side by side, never in an experiment",
     .verbs = ANY,
     .at = AT(repeat)},
    CS_ROW_SEED("for the policies that draw at random", CS_PLAN),
    CS_ROW_THREADS(CS_PLAN),
    CS_ROW_FORMAT("Output", CS_PLAN),
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "write the plan as JSON (cosched-schedule-1), which 'cosched check' judges",
     .verbs = CS_PLAN,
     .at = CS_STUDY_AT(schedule),
     .old = "schedule",
     .old_stays = true},
    CS_ROW_GANTT("draw the plan", CS_PLAN),
    CS_ROW_SBATCH("; with --unit node each task on its own nodes"),
    {.name = "order",
     .kind = CS_FIELD_CHOICE,
     .choices = "creation|cost|smith",
     .fallback = "creation",
     .summary = "how the packs follow one another: as made, shortest first, or by least cost for "
                "each task, which is best for the mean response time",
     .verbs = CS_PLAN,
     .at = AT(order)},
    {.name = "write-lp",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.lp",
     .summary = "write the integer program of the paper (Theorem 4) in LP format, for any solver",
     .verbs = CS_PLAN,
     .at = AT(write_lp)},
    CS_ROW_UNIT(CS_PLAN),
    CS_ROW_TITLE(CS_PLAN),
    CS_ROW_DARK(CS_PLAN),
    {0},
};

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_pack_seen *o = one;                                                        \
                                                                                                   \
        (void)study;                                                                               \
        return o->made ? expression : NAN;                                                         \
    }

VALUE(cost, o->metrics.cost)
VALUE(gap, o->metrics.cost / o->bound - 1)
VALUE(packs, o->packs)
VALUE(relative_cost, o->metrics.relative_cost)
VALUE(packing_ratio, o->metrics.packing_ratio)
VALUE(packing_ratio_used, o->metrics.packing_ratio_used)
VALUE(relative_response_time, o->metrics.relative_response_time)
VALUE(milliseconds, o->milliseconds)
VALUE(one_pack_cost, o->metrics.one_pack_cost)
VALUE(packing_ratio_minimal, o->metrics.packing_ratio_minimal)
VALUE(smith_response_time, o->metrics.smith_response_time)
VALUE(bound, o->bound)
VALUE(optimal, o->optimal)

static const struct cs_value values[] = {
    {"cost", "cost", "sum of the pack costs, seconds", .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL,
     .column = "cost", .digits = 7, .of = cost},
    {"gap", "gap", "cost / lower bound - 1", .kind = CS_VALUE_SHARE, .in = CS_IN_ALL,
     .column = "gap", .digits = 2, .of = gap},
    {"packs", "packs", "number of packs", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "packs", .of = packs},
    {"relative_cost", "relative cost", "cost / one_pack_cost", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "relative cost", .digits = 4, .of = relative_cost},
    {"packing_ratio", "packing ratio", "held share of the processors' time",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "packing", .unit = "ratio", .digits = 4,
     .of = packing_ratio},
    {"relative_response_time", "relative response time",
     "mean response / that of shortest task first", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "response", .unit = "relative", .digits = 4, .of = relative_response_time},
    {"milliseconds", "planned in (ms)", "time to plan, median of `repeat` times",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "planned in", .unit = "ms", .digits = 4,
     .measured = true, .of = milliseconds},
    {"one_pack_cost", "cost of one pack per task", "cost of one pack per task, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = one_pack_cost},
    {"packing_ratio_used", "packing ratio, used",
     "packing_ratio with the counts that tasks are launched on", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = packing_ratio_used},
    {"packing_ratio_minimal", "packing ratio, minimal",
     "packing_ratio with no processor given in vain", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = packing_ratio_minimal},
    {"smith_response_time", "response time, best order",
     "relative_response_time, packs in the best order", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = smith_response_time},
    {"lower_bound", "lower bound", "a lower bound on the cost, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .old = "bound", .of = bound},
    {"optimal", "optimal", "1 when proven, else 0", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = optimal},
    {0},
};

/* The policy exact plans small workloads without linear programs. */
static int policy_ready(const struct cs_policy *policy, struct cs_error *err)
{
    return strcmp(policy->name, "ilp") == 0 ? cs_pack_coin_check(err) : 0;
}

const struct cs_problem cs_problem_pack = {
    .name = "pack",
    .summary = "which applications run together, on how many processors each, so that the packs "
               "run one after the other finish soonest",
    .field = fields,
    .value = values,
    .choice = {{"policy", "policies", cs_pack_policies}},
    .variant = {"policy"},
    .options = sizeof(struct cs_pack_options),
    .outcome = sizeof(struct cs_pack_seen),
    .check = cs_pack_case_check,
    .ready = policy_ready,
    .open = cs_pack_case_open,
    .close = cs_pack_case_close,
    .run = cs_pack_case_run,
    .identify = cs_pack_case_identify,
    .record = cs_pack_case_record,
    .put = cs_pack_case_put,
    .discard = cs_pack_case_discard,
    .supplied = cs_pack_case_supplied,
    .generate = cs_pack_case_generate,
};
