/* volatile.c - hosts that come and go: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"volatile", "for one policy"};

static const struct cs_operand plan_operands[] = {
    {.name = "SCENARIO.json",
     .kind = CS_PARAM_PATH,
     .summary = "hosts and an application without program and data (cosched-volatile-1); - is "
                "standard input"},
    {0},
};

static const struct cs_example plan_examples[] = {
    {"The best that anybody could have done on some states, as a picture:",
     "cosched plan volatile examples/hosts-free.json --gantt best.svg"},
    {0},
};

const struct cs_command cs_command_plan_volatile = {
    .words = "plan volatile",
    .summary = "compute the shortest schedule on hosts with known availability",
    .description =
        "The off-line problem of Casanova, Dufosse, Robert, Vivien, \"Scheduling tightly-coupled "
        "applications on heterogeneous desktop grids\": all states are known, without transfers. "
        "It is NP-hard; the search is exact and has no time limit, but is fast for tens of "
        "hosts. offline-1 is the paper's problem with one task at a host and equal speeds, "
        "offline-inf that with any number, offline one with other speeds and capacities. Unlike "
        "in the paper there may be several iterations, and a host that goes down loses its "
        "computation, as in 'simulate volatile'.",
    .operands = plan_operands,
    .examples = plan_examples,
    .view = &view,
    .action = CS_PLAN,
};

static const struct cs_operand operands[] = {
    {.name = "SCENARIO.json",
     .optional = true,
     .kind = CS_PARAM_PATH,
     .summary =
         "hosts and an application (cosched-volatile-1), such as 'cosched generate volatile' "
         "writes; - is standard input"},
    {0},
};

static const struct cs_example simulate_examples[] = {
    {"A scenario of the paper, every policy, ten scenarios:",
     "cosched generate volatile | cosched simulate volatile - --policy all --scenarios 10"},
    {"Does the formula that the paper prints help, or the true one?",
     "cosched generate volatile --wmin 3 | cosched simulate volatile - --policy "
     "y-ie,y-ie:estimate=conditional"},
    {"Simulate policies with a wrong model (chain instead of Weibull):",
     "cosched generate volatile | cosched simulate volatile - --law weibull --shape 0.5 --model "
     "fitted --policy ie,y-ie,ip"},
    {"Hosts that were there when spot instances were:",
     "cosched generate volatile --hosts 12 | cosched simulate volatile - --trace "
     "examples/spot.csv --model fitted --policy ie,y-ie,random"},
    {"One scenario as a schedule, judged, and as a picture:",
     "cosched simulate volatile examples/hosts.json -n 1 -o life.json --gantt life.svg "
     "&& "
     "cosched check life.json"},
    {0},
};

static const struct cs_former former = {
    .option = "--deadline", .words = "simulate spot", .operand = "--trace"};

const struct cs_command cs_command_simulate_volatile = {
    .words = "simulate volatile",
    .former = &former,
    .summary = "run a tightly coupled application on hosts that come and go",
    .description =
        "Each iteration of the application has tasks that compute together: a slot counts only "
        "when all hosts that have tasks are up. A host that is reclaimed by its owner suspends "
        "all hosts; one that goes down loses the program and its data, and the iteration starts "
        "again. The master sends the program and the data to a bounded number of hosts at the "
        "same time. Policies choose the hosts, and when to change them.\n\n"
        "The problem, and the policies, are those of Casanova, Dufosse, Robert, Vivien, "
        "\"Scheduling tightly-coupled applications on heterogeneous desktop grids\". The output "
        "is the makespan, its ratio to a clairvoyant bound, and the use of slots. Without "
        "program and data this is the paper's off-line problem, which is solved: the bound is "
        "then the optimum, which the output states (offline-1: a task at a host; offline-inf: "
        "any number; offline: other speeds and capacities). A scenario in which the cap, or the "
        "end of the traces, comes first has failed: it has no makespan and is counted apart.",
    .operands = operands,
    .examples = simulate_examples,
    .view = &view,
    .action = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"A scenario of the paper, and its policies in ten scenarios:",
     "cosched generate volatile --wmin 2 | cosched simulate volatile - --policy ie,y-ie,p-ie "
     "--scenarios 10"},
    {"Hosts with bursts of failures, which no Markov chain has:",
     "cosched generate volatile --law weibull --shape 0.5 -o bursts.json"},
    {0},
};

const struct cs_command cs_command_generate_volatile = {
    .words = "generate volatile",
    .summary = "write random hosts and an application for the volatile problem",
    .description =
        "Write a scenario as JSON (cosched-volatile-1), drawn as in Section VII of Casanova, "
        "Dufosse, Robert, Vivien, \"Scheduling tightly-coupled applications on heterogeneous "
        "desktop grids\": each host keeps each of its states with a probability drawn from 0.90 "
        "to 0.99 and leaves it for the two others alike; a task takes it W to 10 W slots.\n\n"
        "With --law weibull or lognormal the times in a state have the same means but another "
        "law: the chain that policies assume is then wrong.",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
