/* formats.c - the readers and writers of files, for formats.py.
 *
 * usage: formats write DIRECTORY          write one file of each kind
 *        formats workload|schedule|graph|experiment FILE   read it; a message and status 1 when it
 * is refused formats check FILE               read and check it; status 1 when it is not valid
 */
#include "base/file.h"
#include "campaign/experiment.h"
#include "io/hosts.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "io/workload.h"
#include "model/workload.h"
#include "unit/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int put_draft(const char *path, const struct draft *draft, struct cs_error *err)
{
    struct cs_schedule *schedule = draft_schedule(draft);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, "by-hand");
    cs_keys_put(&w, cs_keys_pack, schedule, &draft->declared);
    cs_schedule_json_put_tail(&w, schedule, draft->workload, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_schedule_destroy(schedule);
    return status;
}

static int write_plan(const char *path, struct cs_error *err)
{
    static struct draft draft;
    int status;

    draft_make(&draft, 3);
    draft.declared.pack = draft.pack;
    status = put_draft(path, &draft, err);
    draft_release(&draft);
    return status;
}

static int write_empty_plan(const char *path, struct cs_error *err)
{
    static struct draft draft = {.procs = 4,
                                 .declared = {.pack_size = 4,
                                              .relative_cost = NAN,
                                              .packing_ratio = NAN,
                                              .relative_response_time = NAN,
                                              .lower_bound = NAN,
                                              .gap = NAN}};
    int status;

    draft.workload = cs_workload_create(0, NULL, NULL, NULL);
    status = put_draft(path, &draft, err);
    cs_workload_destroy(draft.workload);
    return status;
}

static int write_schedule(const char *path, struct cs_error *err)
{
    const struct cs_interval set[] = {{0, 3}, {7, 7}};
    const char *const names[] = {"cfd", "md \"large\""};
    struct cs_schedule *schedule = cs_schedule_create("", 8, 2, names);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    for (int k = CS_BAR_WORK; k <= CS_BAR_KIND_LAST; k++)
        cs_schedule_add(schedule,
                        &(struct cs_bar){(enum cs_bar_kind)k, k % 2, k, -1, 2 * k, 2 * k + 1.5,
                                         1 + k % 2, set, 0},
                        NULL);
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, NULL);
    cs_schedule_json_put_tail(&w, schedule, NULL, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_schedule_destroy(schedule);
    return status;
}

/* A task that fails once, on a machine that fails again when nobody is there. */
static int write_malleable(const char *path, struct cs_error *err)
{
    static const double checkpoint[] = {8}, data[] = {1e6};
    static const struct cs_interval set = {0, 1};
    static const struct cs_profile profile = {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 500};
    static const struct cs_malleable_declared_fault fault[] = {{50, 1, "rollback", false},
                                                               {60.5, 2, "idle", false}};
    static const struct cs_bar bar[] = {{CS_BAR_LOST, 0, 1, -1, 0, 50, 1, &set, 0},
                                        {CS_BAR_DOWNTIME, 0, 2, -1, 50, 60, 1, &set, 0},
                                        {CS_BAR_RECOVERY, 0, 2, -1, 60, 64, 1, &set, 0},
                                        {CS_BAR_WORK, 0, 2, -1, 64, 264, 1, &set, 0},
                                        {CS_BAR_CHECKPOINT, 0, 2, -1, 264, 268, 1, &set, 0},
                                        {CS_BAR_WORK, 0, 2, -1, 268, 318, 1, &set, 0}};
    const struct cs_malleable_declared declared = {.mtbf = 10000,
                                                   .silent_mtbf = 20000,
                                                   .downtime = 10,
                                                   .on_end = "none",
                                                   .on_failure = "none",
                                                   .rules = {.period_factor = 1, .kappa = 1},
                                                   .faults = 2,
                                                   .fault = fault,
                                                   .has_areas = true,
                                                   .areas = {500, 8, 100, 28, 0, 318},
                                                   .lower_bound = NAN};
    const char *const name = "one";
    struct cs_workload *workload = cs_workload_create(1, &name, &profile, NULL);
    struct cs_schedule *schedule = cs_schedule_create("malleable", 3, 1, &name);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    workload->checkpoint = checkpoint;
    workload->data = data;
    for (size_t i = 0; i < sizeof bar / sizeof *bar; i++)
        cs_schedule_add(schedule, &bar[i], NULL);
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, "none, none");
    cs_keys_put(&w, cs_keys_malleable, schedule, &declared);
    cs_schedule_json_put_tail(&w, schedule, workload, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_schedule_destroy(schedule);
    cs_workload_destroy(workload);
    return status;
}

static int write_workload(const char *path, struct cs_error *err)
{
    static const int procs[] = {1, 4};
    static const double seconds[] = {INFINITY, 3.5, 1e-9};
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_TABLE, .count = 3, .seconds = seconds},
        {.kind = CS_PROFILE_POINTS, .count = 2, .procs = procs, .seconds = seconds + 1},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 1e300},
        {.kind = CS_PROFILE_OVERHEAD, .seq_time = 1, .seq_fraction = 1},
        {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 1, .overhead = 1},
        {.kind = CS_PROFILE_UNIVERSAL, .seq_time = 1, .overhead = 1e-300},
        {.kind = CS_PROFILE_POWER, .seq_time = 1, .overhead = 1, .exponent = -0.5},
        {.kind = CS_PROFILE_DOWNEY, .seq_time = 1, .parallelism = 37.5, .sigma = 1.3},
    };
    static const double checkpoint[] = {NAN, 0, 1, 1e300, NAN, 1, 1, 1},
                        data[] = {NAN, NAN, 0, 2.5, 3, 1, 1, 1};
    struct cs_workload *workload = cs_workload_create(8, NULL, profile, NULL);
    int status;

    workload->procs = 4;
    workload->pack_size = 2;
    cs_workload_set_state(workload, checkpoint, data);
    status = cs_workload_write(workload, "a note", path, err);
    cs_workload_destroy(workload);
    return status;
}

static const struct {
    const char *name;
    int (*write)(const char *path, struct cs_error *err);
} files[] = {
    {"workload.json", write_workload},          {"schedule.json", write_schedule},
    {"malleable.json", write_malleable},        {"pack-plan.json", write_plan},
    {"empty.pack-plan.json", write_empty_plan},
};

static int write_all(const char *folder, struct cs_error *err)
{
    char path[4096];

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        if (files[i].write(path, err))
            return -1;
    }
    return 0;
}

static int read_workload(const char *path, struct cs_error *err)
{
    struct cs_workload *workload = cs_workload_read(path, NULL, err);

    cs_workload_destroy(workload);
    return workload ? 0 : -1;
}

static int read_experiment(const char *path, struct cs_error *err)
{
    struct cs_experiment *experiment = cs_experiment_read(path, NULL, err);

    cs_experiment_destroy(experiment);
    return experiment ? 0 : -1;
}

static int read_graph(const char *path, struct cs_error *err)
{
    struct cs_graph *graph = cs_graph_read(path, NULL, err);

    cs_graph_destroy(graph);
    return graph ? 0 : -1;
}

static int read_scenario(const char *path, struct cs_error *err)
{
    struct cs_hosts *scenario = cs_hosts_read(path, err);

    cs_hosts_destroy(scenario);
    return scenario ? 0 : -1;
}

static int read_schedule(const char *path, struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read(path, err);

    cs_schedule_file_destroy(file);
    return file ? 0 : -1;
}

static int check_schedule(const char *path, struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read(path, err);
    struct cs_check_report *report = cs_check_report_create(1);
    int status = file ? 0 : -1;

    if (file)
        cs_check_file(file, report);
    if (report->total)
        status = cs_error_set(err, "%s", report->item[0].text);
    cs_check_report_destroy(report);
    cs_schedule_file_destroy(file);
    return status;
}

static const struct {
    const char *name;
    int (*run)(const char *path, struct cs_error *err);
} commands[] = {
    {"write", write_all},
    {"workload", read_workload},
    {"scenario", read_scenario},
    {"schedule", read_schedule},
    {"graph", read_graph},
    {"check", check_schedule},
    {"experiment", read_experiment},
};

int main(int argc, char **argv)
{
    struct cs_error err = {0};

    for (size_t i = 0; argc == 3 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            int status = commands[i].run(argv[2], &err);

            if (status)
                fprintf(stderr, "%s\n", err.text);
            return status ? 1 : 0;
        }
    fprintf(stderr,
            "usage: formats write|workload|scenario|schedule|graph|experiment|check PATH\n");
    return 2;
}
