/* replay - jobs a second when real job logs are replayed, with arrivals and processor sets.
 *
 * usage: replay [DIRECTORY | LOG.swf[.gz|.xz]...]
 *
 * Without arguments it reads *.swf, *.swf.gz and *.swf.xz in $COSCHED_SWF, and prints a message if
 * no file is found: we may not distribute the logs of the Parallel Workloads Archive.  Reading a
 * log is not timed; the median of three replays is.  The last columns are the longest wait, the
 * most jobs that waited at the same time, the most that were queued or running, and the memory of
 * the replay: it follows those, not the length of the log.
 */
#include "problems/queue/replay.h"
#include "bench/bench.h"
#include "io/joblog.h"
#include "io/jobs_csv.h"
#include "problems/queue/replay_log.h"

#include <dirent.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define LOGS 64
#define PROCS_UNKNOWN 1024

static const struct {
    const char *name, *priority, *policy;
    bool run_times, table;
} variants[] = {
    {"greedy", "fcfs", "greedy", false, false},
    {"R-LIST-1", "fcfs", "r-list-1", false, false},
    {"EASY", "fcfs", "easy", false, false},
    {"EASY, its table", "fcfs", "easy", false, true},
    {"EASY, run times", "fcfs", "easy", true, false},
    {"EASY", "spt", "easy", false, false},
    {"R-LIST-Q", "fcfs", "r-list-q", false, false},
    {"conservative", "fcfs", "conservative", false, false},
    {"conservative, run times", "fcfs", "conservative", true, false},
    {"4 reservations", "fcfs", "list:reservations=4", false, false},
    {"greedy", "lpt", "greedy", false, false},
};

static long peak_kilobytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void count_interval(void *who, const struct cs_job_row *row)
{
    *(int64_t *)who += row->intervals;
}

/* With a table, the text of it is made too, and dropped. */
static double time_once(const struct cs_queue_replay *asked, bool table,
                        const struct cs_queue_arrivals *jobs, struct cs_queue_replay_result *result)
{
    struct cs_jobs_csv csv = {CS_STRBUF_INIT, "bench"};
    struct cs_queue_replay replay = *asked;
    struct cs_queue_arrivals_at at = {.job = jobs->job, .count = jobs->count};
    struct cs_error err = {0};
    double start = cs_bench_now();

    if (table) {
        replay.watch = cs_jobs_csv_add;
        replay.who = &csv;
    }
    if (cs_queue_replay_run(&replay, cs_queue_arrivals_next, &at, result, &err)) {
        fprintf(stderr, "replay: %s\n", err.text);
        exit(1);
    }
    start = cs_bench_now() - start;
    cs_jobs_csv_release(&csv);
    return start;
}

static void run_variant(size_t w, const struct cs_joblog *log, const struct cs_queue_arrivals *jobs)
{
    int64_t intervals = 0;
    struct cs_queue_replay_result result;
    struct cs_policy_call call;
    struct cs_queue_replay replay = {
        .machine = log->machine,
        .policy = cs_sched_policy_parse(variants[w].policy, &call, NULL),
        .param = call.param,
        .sets = true,
        .watch = count_interval,
        .who = &intervals,
    };
    double sample[3];

    if (cs_queue_replay_priority_find(variants[w].priority, &replay, NULL))
        return;
    for (int i = 0; i < 3; i++)
        sample[i] = time_once(&replay, variants[w].table, jobs, &result);
    printf("  %-24s %-5s %10.0f jobs/s  wait %9.0f s  slowdown %8.2f  longest %5.1f d  used %5.1f "
           "%%  queue "
           "%7lld  unfinished %7lld  %6zu KB\n",
           variants[w].name, variants[w].priority, jobs->count / cs_bench_median(sample, 3),
           result.mean_wait, result.mean_slowdown, result.max_wait / 86400,
           100 * result.utilisation, (long long)result.largest_queue,
           (long long)result.most_unfinished, result.memory / 1024);
    fflush(stdout);
}

static void run_log(const char *path)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    double start = cs_bench_now();
    struct cs_joblog *log = cs_joblog_read(path, &(struct cs_joblog_options){0}, &err);
    const struct cs_queue_arrivals *asked, *known;

    if (log && log->machine <= 0) {
        cs_joblog_destroy(log);
        log = cs_joblog_read(path, &(struct cs_joblog_options){.machine = PROCS_UNKNOWN}, &err);
    }
    if (!log) {
        printf("%s: %s\n", path, err.text);
        cs_arena_destroy(arena);
        return;
    }
    printf("%s: %d jobs, %d processors, read in %.2f s, peak %ld MB\n", strrchr(path, '/') + 1,
           log->count, log->machine, cs_bench_now() - start, peak_kilobytes() / 1024);
    asked = cs_queue_arrivals_of_log(log, false, arena);
    known = cs_queue_arrivals_of_log(log, true, arena);
    for (size_t w = 0; w < sizeof variants / sizeof *variants; w++)
        run_variant(w, log, variants[w].run_times ? known : asked);
    cs_joblog_destroy(log);
    cs_arena_destroy(arena);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int run_folder(const char *folder)
{
    static char name[LOGS][1024];
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int count = 0;

    while (dir && (entry = readdir(dir)) && count < LOGS)
        if (strstr(entry->d_name, ".swf"))
            snprintf(name[count++], sizeof name[0], "%s/%s", folder, entry->d_name);
    if (dir)
        closedir(dir);
    qsort(name, (size_t)count, sizeof name[0], compare_names);
    for (int i = 0; i < count; i++)
        run_log(name[i]);
    return count;
}

static int is_folder(const char *path)
{
    struct stat what;

    return !stat(path, &what) && S_ISDIR(what.st_mode);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("COSCHED_SWF");

    for (int i = 1; i < argc; i++)
        if (is_folder(argv[i]))
            run_folder(argv[i]);
        else
            run_log(argv[i]);
    if (argc < 2 && (!folder || run_folder(folder) == 0))
        printf("replay: skipped, no job logs: give some, or a folder of *.swf.gz in COSCHED_SWF\n");
    return 0;
}
