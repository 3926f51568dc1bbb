/* replay.c - cosched replay: what another policy would have done with a job log. */
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"
#include "cli/replay/request.h"
#include "rigid/problem.h"
#include "rigid/site_rows.h"

#include <cosched/case.h>
#include <cosched/picture.h>
#include <stdio.h>

#define AT(member) offsetof(struct cs_replay_options, member)

enum { TABLE, JSON, CSV };

void cs_replay_say(const char *text, void *who)
{
    (void)who;
    cs_output_warn("%s", text);
}

static void show_progress(void *who, long done)
{
    cs_progress_show(who, (double)done);
}

static int check_outputs(const struct cs_arguments *args, const struct cs_replay_options *o,
                         struct cs_error *err)
{
    static const char *const option[] = {"jobs",   "output", "gantt", "series",
                                         "report", "draw",   NULL};

    for (int i = 0; i < args->operands; i++)
        if (cs_output_check_options(args, option, cs_arguments_operand(args, i), "an input", err))
            return -1;
    if (o->gantt && cs_picture_check(o->gantt, err))
        return -1;
    return o->draw ? cs_picture_check(o->draw, err) : 0;
}

/* "log.txt and 11 more, replayed". */
static void put_title(const struct cs_replay_request *request, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, cs_replay_log_name(request));
    if (request->files > 1)
        cs_strbuf_printf(out, " and %d more", request->files - 1);
    cs_strbuf_puts(out, ", replayed");
}

static int write_page(const struct cs_picture_source *replay, const char *title,
                      const struct cs_arguments *args, const char *path, struct cs_error *err)
{
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_report_options how = {.size = sizeof how, .title = title};
    size_t length;
    char *html;
    int status;

    cs_arguments_put_line(args, "replay", &command);
    how.command = command.text;
    html = cs_report_html(replay, 1, &how, &length, err);
    status = html ? cs_file_write(path, html, length, err) : -1;
    cs_free(html);
    cs_strbuf_release(&command);
    return status;
}

static int write_picture(const struct cs_picture_source *replay, const char *title,
                         const char *path, struct cs_error *err)
{
    const struct cs_picture_options how = {.size = sizeof how, .title = title};
    char *svg = cs_picture_svg(replay, NULL, &how, NULL, err);
    int status = svg ? cs_picture_write(path, svg, CS_PICTURE_DPI, err) : -1;

    cs_free(svg);
    return status;
}

/* Pages and pictures are those of the JSON. */
static int draw_json(const struct cs_strbuf *json, const struct cs_replay_request *request,
                     const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_picture_source replay = {"the replay", json->text, json->length};
    const struct cs_replay_options *o = request->options;
    struct cs_strbuf title = CS_STRBUF_INIT;
    int status = 0;

    put_title(request, &title);
    if (o->report)
        status = write_page(&replay, title.text, args, o->report, err);
    if (!status && o->draw)
        status = write_picture(&replay, title.text, o->draw, err);
    cs_strbuf_release(&title);
    return status;
}

static int write_files(const struct cs_replay_request *request,
                       const struct cs_rigid_log_rows *rows, const struct cs_arguments *args,
                       struct cs_error *err)
{
    const struct cs_replay_options *o = request->options;
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = 0;

    if ((o->output || o->gantt) && cs_replay_write_schedule(request, rows, args, err))
        return -1;
    if (o->series) {
        cs_replay_series_csv(request, rows, &text);
        status = cs_output_save(o->series, &text, err);
    }
    if (!status && (o->report || o->draw)) {
        cs_replay_json(request, rows, args, &text);
        status = draw_json(&text, request, args, err);
        cs_strbuf_release(&text);
    }
    return status;
}

static void print(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                  const struct cs_arguments *args)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (request->options->format == JSON)
        cs_replay_json(request, rows, args, &text);
    else if (request->options->format == CSV)
        cs_replay_csv(request, rows, &text);
    else
        cs_replay_show(request, rows, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
}

static int replay(struct cs_replay_request *request, const struct cs_arguments *args,
                  struct cs_error *err)
{
    struct cs_progress bar = cs_progress_begin((double)request->study.ways + 1);
    struct cs_rigid_log_rows rows;
    int status;

    request->study.progress = show_progress;
    request->study.who = &bar;
    status = cs_rigid_log_study_run(&request->study, &rows, err);
    cs_progress_end(&bar);
    if (status)
        return -1;
    if (cs_outside_check(request->outside, err)) {
        cs_rigid_log_rows_release(&rows);
        return -1;
    }
    cs_replay_doubt(request, &rows);
    status = write_files(request, &rows, args, err);
    if (!status)
        print(request, &rows, args);
    cs_rigid_log_rows_release(&rows);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_replay_options options;
    struct cs_replay_request request = {.arena = args->arena, .warn = cs_replay_say};
    const char **path = CS_NEW_ARRAY(args->arena, const char *, args->operands);
    int status;

    for (int i = 0; i < args->operands; i++)
        path[i] = cs_arguments_operand(args, i);
    cs_fields_reset(args->options, &options);
    cs_arguments_store(args, &options);
    status = check_outputs(args, &options, err) ||
             cs_replay_prepare(path, args->operands, &options, &request, err);
    if (!status)
        status = replay(&request, args, err);
    cs_replay_release(&request);
    return status ? -1 : 0;
}

static void policy_words(struct cs_strbuf *out)
{
    cs_study_policy_words(&cs_problem_rigid.choice[0], out);
}

static void priority_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_rigid_urgency *list = cs_rigid_urgencies(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s%s", i ? " " : "", list[i].name);
}

static void by_words(struct cs_strbuf *out)
{
    for (int by = 0; by < CS_RIGID_BYS; by++)
        cs_strbuf_printf(out, "%s%s", by ? " " : "", cs_replay_by_word(by));
}

static const struct cs_operand operands[] = {
    {.name = "LOG",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "what 'sacct -P' prints, Standard Workload Format, accounting logs of PBS, CSV of "
                "ALCF or Batsim, workloads (JSON) of Batsim; several are merged by time; .gz, .xz "
                "and .zst are fine; - reads "
                "standard input"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "procs",
     .letter = 'p',
     .kind = CS_FIELD_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 2147483647,
     .group = "The machine",
     .summary = "one pool of so many processors; default: MaxProcs of the log",
     .at = AT(procs)},
    CS_SITE_ROWS_MACHINE(NULL, NULL, 0, AT),
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[:PARAM=VALUE,...],...",
     .group = "How jobs are started",
     .fallback = "easy",
     .values = policy_words,
     .list = true,
     .summary = "the policies, a row each, see 'cosched list rigid'",
     .at = AT(policy)},
    CS_ROWS_PROGRAM("jobs to start", 0, AT(program), AT(patience)),
    {.name = "priority",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME,...",
     .values = priority_words,
     .list = true,
     .summary = "the order of the queue; several are combined with each policy; default: fcfs, and "
                "for slurm with a slurm.conf that has the multifactor priority, slurm",
     .at = AT(priority)},
    {.name = "estimates",
     .kind = CS_FIELD_CHOICE,
     .choices = "requested|exact|last2",
     .fallback = "requested",
     .summary = "what the policy is told: the request, the true time, or the mean of the last two "
                "jobs of the user",
     .at = AT(estimates)},
    CS_SITE_ROWS_OVERRUN(NULL, 0, AT),
    CS_SITE_ROWS_LIMITS(NULL, 0, AT),
    CS_SITE_ROWS_FAILURES(
        "silent errors: an attempt of a job of mean area (processors times seconds) fails with "
        "this probability, 0 <= Q < 1, and the job waits again; default: none does",
        "that is replayed, in the order in which they arrive", 0, AT),
    {.name = "verification",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .fallback = "0",
     .low = 0,
     .high = 1e12,
     .summary = "added to each attempt, which finds the error at its end",
     .at = AT(verification)},
    {.name = "seed",
     .kind = CS_FIELD_INTEGER,
     .argument = "S",
     .fallback = "1",
     .low = 0,
     .high = 9007199254740992,
     .summary = "of failures and of the priority random: the same as in 'simulate rigid'",
     .at = AT(seed)},
    CS_ROW_SCENARIOS(10000, "so many draws of failures, a row each; default: 1, or all of FILE", 0,
                     AT(scenarios)),
    CS_SITE_ROWS_LOG("What is read", NULL, 0, AT),
    {.name = "lookahead",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "200000",
     .low = 1,
     .high = 1000000000,
     .summary = "lines of a file that may be out of order",
     .at = AT(lookahead)},
    {.name = "strict",
     .kind = CS_FIELD_FLAG,
     .summary = "any malformed line is an error; otherwise more than 1 % are",
     .at = AT(strict)},
    CS_SITE_ROWS_WINDOW("What is measured", NULL, 0, AT),
    {.name = "by",
     .kind = CS_FIELD_TEXT,
     .argument = "WORD,...",
     .values = by_words,
     .list = true,
     .summary = "tables by width, time, class (both), user, account, partition, qos, week or day; "
                "JSON has all but day",
     .at = AT(by)},
    {.name = "top",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "20",
     .low = 1,
     .high = 100000,
     .summary = "users and accounts shown, by processor time",
     .at = AT(top)},
    CS_SITE_ROW_FAIRNESS(NULL, 0, AT),
    CS_FIELD_FORMAT("What comes out", 0, AT(format)),
    {.name = "jobs",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "write a line for each job of each policy",
     .at = AT(jobs)},
    {.name = "jobs-format",
     .needs = "jobs",
     .kind = CS_FIELD_CHOICE,
     .choices = "full|batsim",
     .fallback = "full",
     .summary = "all columns, or those that Batsim and evalys have, for one policy",
     .at = AT(jobs_format)},
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "write the schedule of one policy (cosched-schedule-1), which 'cosched check' "
                "judges and 'cosched report' draws; not where cores are shared",
     .at = AT(output)},
    {.name = "gantt",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.svg|FILE.pdf|FILE.png",
     .summary = "draw that schedule",
     .at = AT(gantt)},
    {.name = "series",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "write utilisation, queue and waits over calendar time",
     .at = AT(series)},
    {.name = "report",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.html",
     .summary = "make a page: utilisation, queue and waits of all rows on one set of axes, "
                "distributions, classes, users",
     .at = AT(report)},
    {.name = "draw",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.svg|.png|.pdf",
     .summary = "the pictures of the page as one",
     .at = AT(draw)},
    {.name = "threads",
     .kind = CS_FIELD_INTEGER,
     .argument = "T",
     .fallback = "0",
     .low = 0,
     .high = 1024,
     .summary = "policies at the same time, 0: as many as there are processors; results do not "
                "depend on it",
     .at = AT(threads)},
    {0},
};

static const struct cs_example examples[] = {
    {"A year of Slurm's accounting on 512 nodes:",
     "sacct -a -X -P -S 2025-01-01 -E 2026-01-01 -o JobID,User,Account,Partition,QOS,Submit,"
     "Eligible,Start,End,ElapsedRaw,Timelimit,NNodes,AllocCPUS,AllocTRES,State > log.txt; cosched "
     "replay log.txt --nodes 512"},
    {"What the archive's logs would have seen under three policies:",
     "cosched replay KTH-SP2.swf.gz --policy fcfs,easy,conservative"},
    {"The site's own configuration against two others, as a page:",
     "cosched replay log.txt --machine slurm.conf --policy slurm,easy,conservative:compress=20 "
     "--report year.html"},
    {"Who would gain, who would lose?",
     "cosched replay log.txt --nodes 512 --policy easy --priority fcfs,wfp3 --by "
     "user,width"},
    {"Does somebody pay for what others gain?",
     "cosched replay log.txt --nodes 512 --policy fcfs,easy,conservative,greedy --fairness 1000"},
    {0},
};

const struct cs_command cs_command_replay = {
    .words = "replay",
    .summary = "replay a job log under other policies, and compare with what it recorded",
    .description =
        "Every job of the log arrives when it was submitted (or could run), with the size and the "
        "run "
        "time that the log has; the policy decides when it starts. The first row, recorded, is "
        "what "
        "the log says happened. When the first policy's mean wait is far from that, a warning "
        "names "
        "the likely reasons, with numbers: a machine of another size, limits of users, missing "
        "load, "
        "missing requests, partitions.\n\n"
        "Lines of the log that are no job of the replay are counted, rule by rule; a field that is "
        "not needed may hold anything. Memory does not grow with the log.\n\n"
        "Waits are given as the mean, with half the width of its 95 % confidence interval by batch "
        "means (in brackets when jobs depend on each other too much to believe it), as quantiles "
        "over "
        "the jobs, and weighted by processor time. Bounded slowdown is the time in the system over "
        "the "
        "run time, at least 10 s, and at least 1. Lost is the share of the machine that was free "
        "while "
        "a job waited that would have fitted. Utilisation counts what runs between the first and "
        "the "
        "last arrival. With --fairness a job is unfair when it starts later than it would if "
        "nobody "
        "had come after it.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
