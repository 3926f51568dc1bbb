/* readers.c - calls of the readers with real files: the seeds of the fuzz targets, the examples and
 * a store of two runs.  They leave nothing behind, wherever memory runs out (starved.c). */
#define _GNU_SOURCE
#include "calls.h"
#include "check/check.h"
#include "model/fleet.h"
#include "model/graph.h"
#include "model/platform.h"
#include "model/schedule.h"

#include <cosched/arrow.h>
#include <cosched/campaign.h>
#include <cosched/case.h>
#include <cosched/chart.h>
#include <cosched/convert.h>
#include <cosched/replay.h>
#include <cosched/run.h>
#include <cosched/workload.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SEEDS EXAMPLES "/../tests/fuzz/corpus/"
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* The next file of the list. */
static const char *file_of(struct caller *c, const char *const *list, int count)
{
    return list[draw(c) % (unsigned)count];
}

static void read_workload(struct caller *c)
{
    static const char *const files[] = {
        EXAMPLES "/applications.csv", EXAMPLES "/formulas.json",       EXAMPLES "/archer.csv",
        EXAMPLES "/quickstart.csv",   EXAMPLES "/molecules/melts.csv", EXAMPLES "/extrap.txt",
    };
    struct cs_workload *w = cs_workload_read(file_of(c, files, COUNT(files)), NULL, err_of(c));

    reported(c, !w);
    cs_workload_destroy(w);
}

static void read_schedule(struct caller *c)
{
    static const char *const files[] = {
        SEEDS "schedule_json/malleable", SEEDS "schedule_json/malleable_moves",
        SEEDS "schedule_json/pack",      SEEDS "schedule_json/points",
        SEEDS "schedule_json/ptg.json",
    };
    struct cs_schedule_file *f = cs_schedule_file_read(file_of(c, files, COUNT(files)), err_of(c));

    reported(c, !f);
    cs_schedule_file_destroy(f);
}

static void read_graph(struct caller *c)
{
    static const char *const files[] = {
        EXAMPLES "/workflow.json", SEEDS "graph/hand.dot", SEEDS "graph/native.txt",
        SEEDS "graph/ours.json",   SEEDS "graph/dax.xml",  SEEDS "graph/wfcommons.json",
    };
    struct cs_graph_reading how = CS_GRAPH_READING;
    struct cs_graph *g = cs_graph_read(file_of(c, files, COUNT(files)), &how, err_of(c));

    if (c->err.kind != CS_ERROR_MISSING) /* a build without expat */
        reported(c, !g);
    cs_graph_destroy(g);
}

static void read_platform(struct caller *c)
{
    static const char *const files[] = {EXAMPLES "/clusters.json", SEEDS "platform/ours.json",
                                        SEEDS "platform/simgrid.xml"};
    struct cs_platform *p = cs_platform_read(file_of(c, files, COUNT(files)), err_of(c));

    if (c->err.kind != CS_ERROR_MISSING)
        reported(c, !p);
    cs_platform_destroy(p);
}

static void read_fleet(struct caller *c)
{
    static const char *const files[] = {
        EXAMPLES "/spot.csv",      EXAMPLES "/hosts-free.json", SEEDS "fleet/components.tab",
        SEEDS "fleet/events.csv",  SEEDS "fleet/counts.json",   SEEDS "fleet/event_trace.tab",
        SEEDS "fleet/traces.json", SEEDS "fleet/lives.csv",     SEEDS "fleet/counts.txt",
    };
    const char *path = file_of(c, files, COUNT(files));

    cs_fleet_destroy(cs_fleet_read(&path, 1, NULL, err_of(c)));
}

/* Every kind of file there is. */
static void read_what(struct caller *c)
{
    static const char *const files[] = {
        EXAMPLES "/monday.swf",       EXAMPLES "/sacct.txt",      EXAMPLES "/slurm.conf",
        EXAMPLES "/graphs.json",      EXAMPLES "/hosts.json",     EXAMPLES "/faults.csv",
        EXAMPLES "/sweeps/pack.json", SEEDS "log/batsim.json",    SEEDS "log/pbs.txt",
        SEEDS "log/alcf.csv",         SEEDS "schedule_json/pack", SEEDS "faults/lanl",
        SEEDS "faults/list",          SEEDS "lines/gzip",         SEEDS "lines/xz",
        SEEDS "joblist/small.csv",    SEEDS "platform/ours.json", SEEDS "fleet/events.csv",
    };

    cs_free(cs_what(file_of(c, files, COUNT(files)), NULL, err_of(c)));
}

static const char *log_path(struct caller *c)
{
    static const char *const files[] = {
        EXAMPLES "/monday.swf", EXAMPLES "/sacct.txt", SEEDS "log/batsim.json",
        SEEDS "log/pbs.txt",    SEEDS "log/alcf.csv",  SEEDS "log/jobs.csv",
    };

    return file_of(c, files, COUNT(files));
}

static void read_log(struct caller *c)
{
    const struct cs_convert_options how = {.size = sizeof how, .to = "csv", .margin = 1};
    const char *path = log_path(c);
    struct ArrowArrayStream stream;

    cs_free(cs_convert(&path, 1, &how, NULL, NULL, err_of(c)));
    cs_convert_write(&path, 1, &how, "/dev/null", NULL, err_of(c));
    if (!cs_joblog_arrow(&path, 1, NULL, NULL, &stream, err_of(c)))
        stream.release(&stream);
}

static void read_replay(struct caller *c)
{
    const char *path = EXAMPLES "/monday.swf";
    struct cs_replay *made =
        cs_replay_run_json(&path, 1, "{\"policy\": [\"easy\"], \"procs\": 100}", NULL, err_of(c));

    reported(c, !made);
    cs_replay_destroy(made);
}

static void read_case(struct caller *c)
{
    static const char *const cases[][3] = {
        {"pack", "plan", "{\"input\": \"" EXAMPLES "/applications.csv\", \"procs\": 16}"},
        {"moldable", "plan", "{\"input\": \"" EXAMPLES "/formulas.json\", \"procs\": 16}"},
        {"ptg", "plan",
         "{\"input\": \"" EXAMPLES "/graphs.json\", \"platform\": \"" EXAMPLES "/clusters.json\"}"},
        {"volatile", "simulate", "{\"input\": \"" EXAMPLES "/hosts.json\", \"scenarios\": 1}"},
        {"malleable", "simulate",
         "{\"input\": \"" EXAMPLES "/applications.csv\", \"procs\": 64, \"scenarios\": 1}"},
        {"rigid", "simulate",
         "{\"input\": \"" EXAMPLES "/monday.swf\", \"arrivals\": true, \"procs\": 100, "
         "\"policy\": \"easy\"}"},
    };
    const int at = (int)(draw(c) % (unsigned)COUNT(cases));
    struct cs_case *k = cs_case_open(cases[at][0], cases[at][1], cases[at][2], NULL, err_of(c));

    if (k)
        cs_case_run(k, NULL, &c->err);
    cs_case_close(k);
}

static void read_sweep(struct caller *c)
{
    const struct cs_campaign_run_options how = {.size = sizeof how, .threads = 2};

    cs_free(cs_campaign_run(EXAMPLES "/../tests/foreign/sweep.json", ":memory:", &how, NULL, NULL,
                            err_of(c)));
}

static char store[] = "/tmp/cosched-foreign-XXXXXX";

static void store_remove(void)
{
    unlink(store);
}

/* A store with two runs, made the first time. */
static const char *store_path(struct caller *c)
{
    static bool made;
    const struct cs_campaign_run_options how = {.size = sizeof how, .threads = 2};
    int fd;

    if (made || c->starved)
        return store;
    fd = mkstemp(store);
    if (fd < 0 || close(fd) || unlink(store))
        abort();
    cs_free(cs_campaign_run(EXAMPLES "/../tests/foreign/sweep.json", store, &how, NULL, NULL,
                            err_of(c)));
    if (*c->err.text)
        abort();
    made = true;
    atexit(store_remove);
    return store;
}

static void read_store(struct caller *c)
{
    const struct cs_campaign_export_options table = {.size = sizeof table};
    const struct cs_campaign_export_options json = {.size = sizeof json, .json = true};
    const char *path = store_path(c);

    cs_free(cs_campaign_status(&path, 1, err_of(c)));
    cs_free(cs_campaign_export(path, &table, NULL, NULL, err_of(c)));
    cs_free(cs_campaign_export(path, &json, NULL, NULL, err_of(c)));
}

static void read_picture(struct caller *c)
{
    const struct cs_chart_source source = {.name = SEEDS "schedule_json/pack"};

    cs_free(cs_chart_svg(&source, NULL, NULL, NULL, err_of(c)));
    cs_free(cs_report_html(&source, 1, NULL, NULL, err_of(c)));
    cs_report_write(&source, 1, NULL, "/dev/null", err_of(c));
}

static void read_jobs(struct caller *c)
{
    const struct cs_check_options how = {.size = sizeof how, .rule = "valid", .violations = 3};
    const char *log = EXAMPLES "/monday.swf";

    cs_free(cs_check_jobs(SEEDS "jobs_csv/easy.csv", &log, 1, &how, NULL, err_of(c)));
}

static void read_run(struct caller *c)
{
    static const char *const command[] = {"/bin/true"};
    struct cs_run_options how;

    cs_run_defaults(&how);
    how.command = command;
    how.words = 1;
    how.slots = 4;
    cs_free(cs_run_dry(EXAMPLES "/../tests/foreign/jobs.csv", &how, NULL, err_of(c)));
}

const struct call reader_calls[] = {
    {"read_workload", read_workload},
    {"read_schedule", read_schedule},
    {"read_graph", read_graph},
    {"read_platform", read_platform},
    {"read_fleet", read_fleet},
    {"read_what", read_what},
    {"read_log", read_log},
    {"read_replay", read_replay},
    {"read_case", read_case},
    {"read_sweep", read_sweep},
    {"read_store", read_store},
    {"read_picture", read_picture},
    {"read_jobs", read_jobs},
    {"read_run", read_run},
    {NULL, NULL},
};

int reader_files(const struct call *call)
{
    static const int files[] = {5, 5, 6, 3, 9, 18, 6, 1, 6, 1, 1, 1, 1, 1};

    for (int r = 0; r < COUNT(files); r++)
        if (call == &reader_calls[r])
            return files[r];
    return 0;
}
