/* rigid.c - jobs of fixed width under silent errors: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"rigid", "for one policy and one priority"};

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_PARAM_PATH,
     .summary =
         "the jobs: a log (a format that cosched replay reads: SWF, sacct, PBS, ALCF, Batsim), "
         "CSV with the columns name,procs,seconds, or a sample of Benoit et al.; - reads "
         "standard input; also .gz, .xz and .zst"},
    {0},
};

static const struct cs_example simulate_examples[] = {
    {"A synthetic set of the paper, EASY, a third of the mean attempts failing:",
     "cosched generate rigid | cosched simulate rigid - --procs 10000 -q 0.3"},
    {"Every policy under every priority:",
     "cosched simulate rigid jobs.csv --procs 10000 -q 0.3 --policy all --priority all"},
    {"A job log day by day, with the outcome of every scenario:",
     "cosched simulate rigid log.swf.gz --by-day --mtbe 1000d --per-scenario out.csv"},
    {"Look at one scenario and have it judged:",
     "cosched simulate rigid jobs.csv --procs 64 -q 0.2 --scenario 7 --gantt s.svg -o "
     "s.json && cosched check s.json"},
    {0},
};

const struct cs_command cs_command_simulate_rigid = {
    .words = "simulate rigid",
    .summary = "simulate jobs of fixed width that may have to run again",
    .description =
        "Jobs with a fixed number of processors and a fixed time run on one machine. A silent "
        "error is detected at the end of an attempt: the job must run again from the beginning, "
        "and joins the queue with its priority. Each scenario sets the number of failures of "
        "each job; the policy does not know it.\n\n"
        "For the makespan, its ratio to a lower bound, the number of failures, the wasted "
        "processor time and the utilisation, the mean over the scenarios is shown with its 95 % "
        "confidence interval, standard deviation, quantiles and extremes. No schedule of a "
        "scenario is shorter than its bound.\n\n"
        "Jobs that arrive over time are the problem queue ('cosched simulate queue'). In this "
        "release --arrivals runs it and prints its results in the form of cosched 0.2, with a "
        "warning.\n\n"
        "Lines of a log that are left out (pieces of jobs, jobs that did not run, jobs wider "
        "than the machine) are counted for each rule.",
    .operands = operands,
    .examples = simulate_examples,
    .view = &view,
    .action = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"A set of the paper on its machine:",
     "cosched generate rigid --set 3 | cosched simulate rigid - --procs 10000 -q 0.3 --set 3"},
    {0},
};

const struct cs_command cs_command_generate_rigid = {
    .words = "generate rigid",
    .summary = "write a synthetic set of jobs of fixed width",
    .description =
        "Write jobs as CSV with the columns name,procs,seconds: 50 to 2000 processors and 100 to "
        "20000 seconds, both uniform, as in Section 5.1 of Benoit et al., \"Resilient Scheduling "
        "Heuristics for Rigid Parallel Jobs\".",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
