/* replay.c - cosched replay: what another policy would have done with a job log. */
#include "base/json.h"
#include "cli/actions.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <cosched/replay.h>
#include <string.h>

/* Where it goes. */
struct asked {
    const char *output, *gantt, *series, *report, *draw;
    int format;
};

enum { TABLE, JSON, CSV };

static int check_outputs(const struct cs_arguments *args, const struct asked *a,
                         struct cs_error *err)
{
    static const char *const option[] = {"jobs",   "output", "gantt", "series",
                                         "report", "draw",   NULL};

    for (int i = 0; i < args->operands; i++)
        if (cs_output_check_options(args, option, cs_arguments_operand(args, i), "an input", err))
            return -1;
    if (a->gantt && cs_chart_check(a->gantt, err))
        return -1;
    return a->draw ? cs_chart_check(a->draw, err) : 0;
}

/* ---- what came of it ---- */

static int replay_get(const struct cs_replay *replay, const char *form,
                      const struct cs_replay_style *appearance, struct cs_strbuf *out,
                      struct cs_error *err)
{
    size_t length;
    char *text = cs_replay_text(replay, form, appearance, &length, err);

    if (text)
        cs_strbuf_append(out, text, length);
    cs_free(text);
    return text ? 0 : -1;
}

static int write_text(const struct cs_replay *replay, const char *path, const char *form,
                      const struct cs_replay_style *appearance, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!path)
        return 0;
    return replay_get(replay, form, appearance, &text, err) ? -1 : cs_output_save(path, &text, err);
}

static int write_schedule(const struct cs_replay *replay, const char *path,
                          const struct cs_replay_style *appearance, struct cs_error *err)
{
    return path && strcmp(path, "-") != 0
               ? cs_replay_write(replay, "schedule", appearance, path, err)
               : write_text(replay, path, "schedule", appearance, err);
}

static int write_picture(const char *path, char *svg, struct cs_error *err)
{
    int status = svg ? cs_chart_write(path, svg, CS_CHART_DPI, err) : -1;

    cs_free(svg);
    return status;
}

static int write_page(const struct cs_chart_source *rows, const struct cs_report_options *how,
                      const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    size_t length;
    char *html = cs_report_html(rows, 1, how, &length, err);

    if (!html)
        return -1;
    cs_strbuf_append(&text, html, length);
    cs_free(html);
    return cs_output_save(path, &text, err);
}

/* "log.txt and 11 more, replayed". */
static void put_title(const struct cs_arguments *args, struct cs_strbuf *out)
{
    const char *log = args->operands ? cs_arguments_operand(args, 0) : "jobs that are drawn";
    const char *slash = strrchr(log, '/');

    cs_strbuf_puts(out, !strcmp(log, "-") ? "standard input" : slash ? slash + 1 : log);
    if (args->operands > 1)
        cs_strbuf_printf(out, " and %d more", args->operands - 1);
    cs_strbuf_puts(out, ", replayed");
}

/* Pages and pictures are those of the JSON. */
static int write_drawn(const struct cs_replay *replay, const struct asked *a, const char *title,
                       const struct cs_replay_style *appearance, struct cs_error *err)
{
    const struct cs_report_options page = {
        .size = sizeof page, .title = title, .command = appearance->command};
    const struct cs_chart_options picture = {.size = sizeof picture, .title = title};
    struct cs_strbuf json = CS_STRBUF_INIT;
    struct cs_chart_source rows = {.name = "the replay"};
    int status = replay_get(replay, "json", appearance, &json, err);

    rows.bytes = json.text;
    rows.length = json.length;
    if (!status && a->report)
        status = write_page(&rows, &page, a->report, err);
    if (!status && a->draw)
        status = write_picture(a->draw, cs_chart_svg(&rows, NULL, &picture, NULL, err), err);
    cs_strbuf_release(&json);
    return status;
}

static int write_files(const struct cs_replay *replay, const struct asked *a,
                       const struct cs_arguments *args, const struct cs_replay_style *appearance,
                       struct cs_error *err)
{
    struct cs_strbuf title = CS_STRBUF_INIT;
    int status = write_schedule(replay, a->output, appearance, err);

    if (!status && a->gantt)
        status =
            write_picture(a->gantt, cs_replay_text(replay, "gantt", appearance, NULL, err), err);
    if (!status)
        status = write_text(replay, a->series, "series", appearance, err);
    put_title(args, &title);
    if (!status && (a->report || a->draw))
        status = write_drawn(replay, a, title.text, appearance, err);
    cs_strbuf_release(&title);
    return status;
}

static int replay_print(const struct cs_replay *replay, int format,
                        struct cs_replay_style appearance, struct cs_error *err)
{
    static const char *const form[] = {[TABLE] = "table", [JSON] = "json", [CSV] = "csv"};
    struct cs_strbuf text = CS_STRBUF_INIT;

    appearance.width = cs_output_columns();
    if (replay_get(replay, form[format], &appearance, &text, err))
        return -1;
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}

static int replay_report(const struct cs_replay *replay, const struct asked *a,
                         const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_replay_style appearance = {.size = sizeof appearance};
    int status;

    cs_arguments_put_line(args, "replay", &command);
    appearance.command = command.text;
    status = write_files(replay, a, args, &appearance, err) ||
             replay_print(replay, a->format, appearance, err);
    cs_strbuf_release(&command);
    return status ? -1 : 0;
}

/* ---- running ---- */

static void replay_warn(void *who, const char *error_text)
{
    cs_progress_end(who);
    cs_output_warn(error_text);
}

static void show_progress(void *who, double share)
{
    cs_progress_show(who, share);
}

static struct asked asked_of(const struct cs_arguments *args)
{
    return (struct asked){
        .output = cs_arguments_text(args, "output"),
        .gantt = cs_arguments_text(args, "gantt"),
        .series = cs_arguments_text(args, "series"),
        .report = cs_arguments_text(args, "report"),
        .draw = cs_arguments_text(args, "draw"),
        .format = cs_arguments_choice(args, "format"),
    };
}

static struct cs_replay *replay_compute(const struct cs_arguments *args, const struct asked *a,
                                        struct cs_error *err)
{
    static const char *const shown[] = {"format", "output", "gantt", "series",
                                        "report", "draw",   NULL};
    struct cs_progress bar = cs_progress_begin(1);
    const struct cs_watch watch = {
        .size = sizeof watch, .progress = show_progress, .warn = replay_warn, .who = &bar};
    json_t *how = cs_action_options(args, shown);
    struct cs_strbuf options = CS_STRBUF_INIT;
    struct cs_replay *replay;

    if (a->series || a->report || a->draw || a->format == JSON)
        cs_json_set(how, "full", json_true());
    if (a->output || a->gantt)
        cs_json_set(how, "keep", json_string(a->output ? "output" : "gantt"));
    cs_json_put(&options, how, 0);
    json_decref(how);
    replay = cs_replay_run_json(args->operand, args->operands, options.text, &watch, err);
    cs_progress_end(&bar);
    cs_strbuf_release(&options);
    return replay;
}

static int replay_run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct asked a = asked_of(args);
    struct cs_replay *replay;
    int status;

    if (check_outputs(args, &a, err))
        return -1;
    replay = replay_compute(args, &a, err);
    if (!replay) /* a log or a model, not both and not none */
        return (args->operands > 0) == cs_arguments_has(args, "workload") ? CS_EXIT_USAGE : -1;
    status = replay_report(replay, &a, args, err);
    cs_replay_destroy(replay);
    return status;
}

/* ---- options ---- */

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

static const struct cs_param options[] = {
    {CS_OPTION_OF("procs")},
    {CS_OPTION_OF("nodes")},
    {CS_OPTION_OF("machine")},
    {CS_OPTION_OF("alloc")},
    {CS_OPTION_OF("assume-up")},
    {CS_OPTION_OF("unit")},
    {CS_OPTION_OF("outages")},
    {CS_OPTION_OF("policy")},
    {CS_OPTION_OF("policy-program")},
    {CS_OPTION_OF("policy-timeout")},
    {CS_OPTION_OF("priority")},
    {CS_OPTION_OF("estimates")},
    {CS_OPTION_OF("overrun")},
    {CS_OPTION_OF("grace")},
    {CS_OPTION_OF("default-request")},
    {CS_OPTION_OF("user-jobs")},
    {CS_OPTION_OF("user-procs")},
    {CS_OPTION_OF("mean-failure-probability")},
    {CS_OPTION_OF("mtbe")},
    {CS_OPTION_OF("failures")},
    {CS_OPTION_OF("verification")},
    {CS_OPTION_OF("seed")},
    {CS_OPTION_OF("set")},
    {CS_OPTION_OF("scenarios")},
    {CS_OPTION_OF("workload")},
    {CS_OPTION_OF("draw-jobs")},
    {CS_OPTION_OF("arrivals")},
    {CS_OPTION_OF("gap-factor")},
    {CS_OPTION_OF("start-hour")},
    {CS_OPTION_OF("requests")},
    {CS_OPTION_OF("largest-request")},
    {CS_OPTION_OF("arrive")},
    {CS_OPTION_OF("zone")},
    {CS_OPTION_OF("from")},
    {CS_OPTION_OF("to")},
    {CS_OPTION_OF("partition-field")},
    {CS_OPTION_OF("lookahead")},
    {CS_OPTION_OF("strict")},
    {CS_OPTION_OF("warmup")},
    {CS_OPTION_OF("cooldown")},
    {CS_OPTION_OF("by")},
    {CS_OPTION_OF("top")},
    {CS_OPTION_OF("fairness")},
    {CS_OPTION_OF("watts")},
    {CS_OPTION_OF("procs-per-node")},
    CS_PARAM_FORMAT("Output", 0, 0),
    {CS_OPTION_OF("jobs")},
    {CS_OPTION_OF("jobs-format")},
    {CS_OPTION_OF("csv-safe")},
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "write the schedule of one policy (cosched-schedule-1), which 'cosched check' "
                "judges and 'cosched report' draws; not where cores are shared"},
    {CS_OPTION_OF("processors")},
    {.name = "gantt",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.svg|FILE.pdf|FILE.png",
     .summary = "draw that schedule"},
    {.name = "series",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "write utilisation, queue and waits over calendar time"},
    {.name = "report",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.html",
     .summary = "make a page: utilisation, queue and waits of all rows on one set of axes, "
                "distributions, classes, users"},
    {.name = "draw",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.svg|.png|.pdf",
     .summary = "the pictures of the page as one"},
    {CS_OPTION_OF("threads")},
    {0},
};

static const struct cs_example examples[] = {
    {"A year of Slurm's accounting on 512 nodes:",
     "sacct -a -X -P -S 2025-01-01 -E 2026-01-01 -o JobID,User,Account,Partition,QOS,Submit,"
     "Eligible,Start,End,ElapsedRaw,Timelimit,NNodes,AllocCPUS,AllocTRES,State > log.txt; cosched "
     "replay log.txt --nodes 512"},
    {"Replay logs of the archive under three policies:",
     "cosched replay KTH-SP2.swf.gz --policy fcfs,easy,conservative"},
    {"The site's own configuration against two others, as a page:",
     "cosched replay log.txt --machine slurm.conf --policy slurm,easy,conservative:compress=20 "
     "--report year.html"},
    {"Who would gain, who would lose?",
     "cosched replay log.txt --nodes 512 --policy easy --priority fcfs,wfp3 --by "
     "user,width"},
    {"Check the fairness for users and job classes:",
     "cosched replay log.txt --nodes 512 --policy fcfs,easy,conservative,greedy --fairness 1000"},
    {"Without a log: jobs of Lublin and Feitelson on 256 processors, with the estimates of users:",
     "cosched replay --workload lublin --procs 256 --requests tsafrir --policy fcfs,easy"},
    {0},
};

const struct cs_command cs_command_replay = {
    .words = "replay",
    .summary = "replay a job log under other policies and compare with the recorded schedule",
    .description =
        "Every job of the log arrives when it was submitted (or could run), with the size and "
        "the run time of the log; the policy decides when it starts. The first row, recorded, is "
        "the schedule of the log. If the first policy's mean wait is far from that, a warning "
        "names the likely reasons, with numbers: a machine of another size, limits of users, "
        "missing load, missing requests, partitions.\n\n"
        "Lines of the log that are left out are counted for each rule; fields that are not "
        "needed are not checked. Memory does not grow with the log.\n\n"
        "Waits are given as the mean, with half the width of its 95 % confidence interval by "
        "batch means (in brackets if jobs are too correlated for a reliable interval), as "
        "quantiles over the jobs, and weighted by processor time. Bounded slowdown is the time "
        "in the system over the run time, at least 10 s, and at least 1. Lost is the share of "
        "the machine that was free while a job waited that would have fitted. Utilisation counts "
        "running jobs between the first and the last arrival. With --fairness a job is unfair if "
        "it starts later than without later arrivals.",
    .operands = operands,
    .options = options,
    .params_of = "replay",
    .examples = examples,
    .run = replay_run,
};
