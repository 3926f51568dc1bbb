/* operate: replays of logs on their machine, jobs a second and waits.
 *
 *     bench_operate LOG PROCS [POLICY...]
 *     bench_operate load=1.3 JOBS [POLICY...]
 *
 * The log is read before the clock starts.  load=X makes jobs for 1000 processors that want X times
 * what these can do.
 */
#include "base/splitmix.h"
#include "io/log.h"
#include "problems/queue/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct jobs {
    struct cs_arena *arena;
    struct cs_log_job *job;
    int64_t count, room, next;
};

static void fail(const struct cs_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static void keep(struct jobs *jobs, const struct cs_log_job *job)
{
    if (jobs->count == jobs->room) {
        size_t old = (size_t)jobs->room;

        jobs->room = 2 * jobs->room + 1024;
        jobs->job =
            cs_arena_grow(jobs->arena, jobs->job, old, (size_t)jobs->room, sizeof *jobs->job);
    }
    jobs->job[jobs->count++] = *job;
}

static void read_log(struct jobs *jobs, const char *path, const struct cs_site *site)
{
    struct cs_log_options options = {.site = site, .lenient = true};
    struct cs_error err = {0};
    struct cs_log *log = cs_log_open(&path, 1, &options, &err);
    struct cs_log_job job;
    int status = 0;

    if (!log)
        fail(&err);
    while ((status = cs_log_next(log, &job, &err)) > 0)
        keep(jobs, &job);
    if (status < 0)
        fail(&err);
    cs_log_close(log);
}

static double uniform(struct cs_splitmix *random)
{
    return ((double)cs_splitmix_below(random, 1u << 30) + 0.5) / (1u << 30);
}

/* Widths of powers of two, run times over four decades, requests up to ten times as long. */
static void make_load(struct jobs *jobs, double load, int64_t count)
{
    struct cs_splitmix random = {7};
    double now = 0, area = 0;

    for (int64_t j = 0; j < count; j++) {
        double seconds = ceil(pow(10, 1 + 4 * uniform(&random)));
        int procs = 1 << cs_splitmix_below(&random, 9);
        double factor = uniform(&random);
        double request = ceil(seconds * (1 + 9 * factor * factor));

        area += seconds * procs;
        now = floor(area / (1000 * load));
        keep(jobs, &(struct cs_log_job){.id = j + 1,
                                        .submit = now,
                                        .seconds = seconds,
                                        .request = request,
                                        .recorded = NAN,
                                        .units = procs,
                                        .demand = {1},
                                        .procs = procs,
                                        .user = (int)(j % 50),
                                        .account = -1,
                                        .qos = -1});
    }
}

static int next(void *source, struct cs_log_job *out, struct cs_error *err)
{
    struct jobs *jobs = source;

    (void)err;
    if (jobs->next == jobs->count)
        return 0;
    *out = jobs->job[jobs->next++];
    return 1;
}

/* Of this process: other processes do not count. */
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void replay(struct jobs *jobs, const struct cs_site *site, const char *policy,
                   const char *priority)
{
    struct cs_queue_measures *measures =
        cs_queue_measures_create((double)site->procs, &(struct cs_queue_window){0});
    const struct cs_queue_observer observer = cs_queue_measures_observer(measures);
    struct cs_error err = {0};
    struct cs_policy_call call;
    struct cs_queue_operation op = {.site = site};
    struct cs_queue_simulated result;
    struct cs_queue_measured measured;
    double plain, whole;

    op.policy = cs_sched_policy_parse(policy, &call, &err);
    op.priority = cs_sched_urgency_find(priority, &err);
    op.param = call.param;
    if (!op.policy || !op.priority)
        fail(&err);
    jobs->next = 0;
    whole = seconds();
    if (cs_queue_simulate(&op, next, jobs, &result, &err))
        fail(&err);
    plain = seconds() - whole;
    jobs->next = 0;
    op.observers = 1;
    op.observer = &observer;
    whole = seconds();
    if (cs_queue_simulate(&op, next, jobs, &result, &err))
        fail(&err);
    whole = seconds() - whole;
    cs_queue_measures_finish(measures, &measured);
    printf("%-28s %9.1f %9.1f  %8.0f %9.0f %9.0f %7.1f  %6.2f %6lld %7.1f\n", policy,
           (double)jobs->count / plain / 1000, (double)jobs->count / whole / 1000,
           measured.mean_wait, measured.longest_wait, measured.area_weighted_wait,
           measured.mean_slowdown, (double)result.moves / (double)jobs->count,
           (long long)result.most_unfinished, (double)result.memory / 1024);
    fflush(stdout);
    cs_queue_measures_destroy(measures);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {
        "fcfs",        "greedy", "easy", "conservative:compress=now", "conservative:compress=20",
        "conservative"};
    struct jobs jobs = {.arena = cs_arena_create()};
    const char *what = argc > 1 ? argv[1] : "load=1.3", *size = argc > 2 ? argv[2] : "30000";
    double load;
    const struct cs_site *site;

    if (sscanf(what, "load=%lf", &load) == 1) {
        site = cs_site_of_processors(1000, jobs.arena);
        make_load(&jobs, load, atoll(size));
    } else {
        site = cs_site_of_processors(atoi(size), jobs.arena);
        read_log(&jobs, what, site);
    }
    printf("%s, %lld jobs\n%-28s %9s %9s  %8s %9s %9s %7s  %6s %6s %7s\n", what,
           (long long)jobs.count, "policy", "kjobs/s", "measured", "wait", "longest", "by area",
           "slowd.", "moves", "most", "KiB");
    if (argc > 3)
        for (int p = 3; p < argc; p++)
            replay(&jobs, site, argv[p], "fcfs");
    else
        for (size_t p = 0; p < sizeof usual / sizeof *usual; p++)
            replay(&jobs, site, usual[p], "fcfs");
    cs_arena_destroy(jobs.arena);
    return 0;
}
