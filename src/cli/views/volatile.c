/* volatile.c - hosts that come and go: the commands of the problem that are views of its
 * description. */
#include "cli/verbs.h"
#include "volatile/problem.h"

static const struct cs_view cs_view_volatile = {.problem = &cs_problem_volatile};

static const struct cs_example generate_examples[] = {
    {"A scenario of the paper, and its policies in ten trials:",
     "cosched generate volatile --wmin 2 | cosched simulate volatile - --policy ie,y-ie,p-ie "
     "--trials 10"},
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
        "desktop grids\": each host keeps each of its states with a probability drawn from 0.90 to "
        "0.99 and leaves it for the two others alike; a task takes it W to 10 W slots.\n\n"
        "With --law weibull or lognormal the times in a state have the same means but another law: "
        "what policies believe, the chain, is then wrong.",
    .examples = generate_examples,
    .view = &cs_view_volatile,
    .verb = CS_GENERATE,
};
