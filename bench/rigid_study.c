/* rigid_study - many scenarios over threads, and a job log of a million lines.
 *
 * The same study with one thread and with two: the ratio, and whether the results are the same
 * bytes.  Then a log in the Standard Workload Format is written to a temporary file and read.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/arena.h"
#include "bench/bench.h"
#include "io/joblog.h"
#include "problems/rigid/study.h"
#include "sched/random_jobs.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define JOBS 100
#define SCENARIOS 20000
#define LINES 1000000

static double run_study(struct cs_rigid_study *study, int threads, struct cs_rigid_outcome *out)
{
    struct cs_error err = {0};
    double start = cs_bench_now();

    study->threads = threads;
    if (cs_rigid_study_run(study, out, &err))
        fprintf(stderr, "rigid_study: %s\n", err.text);
    return cs_bench_now() - start;
}

static void compare_threads(const char *title, double reservations)
{
    struct cs_arena *arena = cs_arena_create();
    double *seconds = CS_NEW_ARRAY(arena, double, JOBS), one, two;
    int *procs = CS_NEW_ARRAY(arena, int, JOBS);
    const struct cs_sched_jobs jobs = {JOBS, 10000, 0, seconds, procs};
    struct cs_rigid_outcome *a = CS_NEW_ARRAY(arena, struct cs_rigid_outcome, SCENARIOS);
    struct cs_rigid_outcome *b = CS_NEW_ARRAY(arena, struct cs_rigid_outcome, SCENARIOS);
    const struct cs_sched_law law = {.mean = 0.3};
    struct cs_sched_scenarios *scenarios;
    struct cs_rigid_study study = {
        .jobs = &jobs,
        .policy = cs_sched_policy_at(0),
        .param = &reservations,
        .priority = cs_sched_priority_find("lpt", NULL),
    };

    cs_sched_draw_jobs(2021, 0, JOBS, seconds, procs);
    scenarios = cs_sched_scenarios_create(&jobs, law, 2021, 0, SCENARIOS, NULL);
    study.scenarios = scenarios;
    run_study(&study, 2, a);
    one = run_study(&study, 1, a);
    two = run_study(&study, 2, b);
    printf("%-16s %8.3f s %8.3f s %8.2f   %s\n", title, one, two, one / two,
           memcmp(a, b, SCENARIOS * sizeof *a) ? "DIFFERENT" : "same bytes");
    fflush(stdout);
    cs_sched_scenarios_destroy(scenarios);
    cs_arena_destroy(arena);
}

/* Jobs in the order of their submission, some of which no rule keeps. */
static void write_log(FILE *file)
{
    fprintf(file, "; MaxProcs: 10000\n; UnixStartTime: 1500000000\n");
    for (int j = 0; j < LINES; j++) {
        uint64_t h = cs_sched_mix(2021, 1, 0, 0, (uint64_t)j);
        int procs = 1 + (int)(h % 2000), seconds = (int)(h >> 20 & 0x3fff);

        fprintf(file, "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n", j + 1, 30 * j,
                (int)(h >> 40 & 0xfff), seconds, procs, procs, 2 * seconds, (int)(h >> 52));
    }
}

static void read_million(void)
{
    char path[] = "/tmp/cosched-bench-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    struct cs_error err = {0};
    struct cs_joblog *log;
    double start, size;

    if (!file) {
        printf("no temporary file\n");
        return;
    }
    write_log(file);
    size = (double)ftell(file);
    fclose(file);
    start = cs_bench_now();
    log = cs_joblog_read(path, &(struct cs_joblog_options){0}, &err);
    printf("\na log of %d lines, %.0f MB: %.2f s, %d jobs %s\n", LINES, size / 1e6,
           cs_bench_now() - start, log ? log->count : 0, err.text);
    cs_joblog_destroy(log);
    unlink(path);
}

int main(void)
{
    printf("%-16s %10s %10s %8s\n", "20000 scenarios", "1 thread", "2 threads", "ratio");
    compare_threads("greedy", 0);
    compare_threads("EASY", 1);
    compare_threads("conservative", NAN);
    read_million();
    return 0;
}
