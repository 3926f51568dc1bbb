/* queue.c - jobs that arrive at a cluster: the commands. */
#include "cli/actions.h"

static const struct cs_view view = {"queue", "for one policy and one priority"};

static const struct cs_operand operands[] = {
    {.name = "LOG",
     .repeats = true,
     .optional = true,
     .kind = CS_PARAM_PATH,
     .summary = "what 'sacct -P' prints, Standard Workload Format, accounting logs of PBS, CSV of "
                "ALCF or Batsim, workloads (JSON) of Batsim; several are merged by time; .gz, .xz "
                "and .zst are fine; - reads standard input; instead, --workload draws jobs"},
    {0},
};

static const struct cs_example simulate_examples[] = {
    {"Jobs of the rigid paper that arrive every 20 minutes, under three policies:",
     "cosched generate queue --jobs 500 | cosched simulate queue - --policy "
     "fcfs,easy,conservative"},
    {"Compare two orders of the queue with the recorded schedule:",
     "cosched simulate queue log.txt --nodes 512 --policy easy --priority fcfs,wfp3"},
    {"The same with silent errors, every scenario as a row:",
     "cosched simulate queue log.txt --nodes 512 --mtbe 1000d --scenarios 30 --per-scenario "
     "out.csv"},
    {"Each day of a log with an empty machine, how far from the lower bound?",
     "cosched simulate queue log.swf.gz --by-day --bound strong --per-scenario days.csv"},
    {"Jobs of Lublin and Feitelson on 256 processors, with the estimates of users:",
     "cosched simulate queue --workload lublin --procs 256 --requests tsafrir --policy "
     "fcfs,easy,conservative"},
    {"One policy as a schedule that is judged:",
     "cosched simulate queue log.txt --nodes 16 --policy easy -o s.json && cosched check s.json"},
    {0},
};

const struct cs_command cs_command_simulate_queue = {
    .words = "simulate queue",
    .summary = "simulate jobs that arrive at a cluster, and compare with the recorded schedule",
    .description =
        "Every job arrives when it was submitted (or could run), with the size and the run time "
        "of its log; the policy decides when it starts. The first variant, recorded, is the "
        "schedule of the log; it is omitted if fewer than half of the jobs have a start. "
        "Variants are compared by the mean wait. With silent errors (--mean-failure-probability, "
        "--mtbe, --failures) all variants run on the same scenarios.\n\n"
        "With --by-day, --by-count or --bound all jobs are in memory, and each set of jobs finds "
        "the machine empty. Check the longest wait: with greedy, and with any priority but fcfs, "
        "a job may wait as long as others that come before it keep arriving. A shelf is made at "
        "the end of the one before it or, if no job waited then, at the next arrival.\n\n"
        "Rules and measures are those of 'cosched replay', and so are the tables of --by and the "
        "page of --report; 'cosched replay' also writes series over time.",
    .operands = operands,
    .examples = simulate_examples,
    .view = &view,
    .action = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"Five hundred jobs on 10,000 processors, one every 15 minutes on average:",
     "cosched generate queue --jobs 500 --arrivals 15min -o jobs.swf"},
    {"Ten thousand jobs of the model of Lublin and Feitelson, with the estimates of users:",
     "cosched generate jobs --workload lublin --jobs 10000 --procs 256 --requests tsafrir -o "
     "lublin.swf"},
    {"The same jobs as moldable ones, for the problem moldable:",
     "cosched generate jobs --workload lublin --jobs 20 --procs 64 --speedup downey -o bag.json"},
    {0},
};

const struct cs_command cs_command_generate_queue = {
    .words = "generate queue",
    .also = "generate jobs",
    .summary = "write a log of jobs that arrive over time",
    .description =
        "Write jobs in the Standard Workload Format: 50 to 2000 processors and 100 to 20000 "
        "seconds, both uniform, as in Section 5.1 of Benoit et al., \"Resilient Scheduling "
        "Heuristics for Rigid Parallel Jobs\"; the gaps between arrivals are exponential. Times "
        "are whole seconds, requests are the run times.\n\n"
        "With --workload lublin or lublin-batch, arrivals, widths and times are drawn from the "
        "model of Lublin and Feitelson, \"The workload on parallel supercomputers\" (2003), of "
        "all jobs or of batch jobs. With --requests tsafrir, requested times are drawn from the "
        "model of Tsafrir, Etsion and Feitelson, \"Modeling user runtime estimates\" (2005): a "
        "few round values, none below the run time. With --speedup downey the jobs are moldable, "
        "with the speedups of Downey, \"A parallel workload model\" (1997), and are written as "
        "a workload (JSON). The same seed and set draw the same jobs.",
    .examples = generate_examples,
    .view = &view,
    .action = CS_GENERATE,
};
