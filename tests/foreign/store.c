/* store.c - calls on files: stores of campaigns and runs, none of which is there, so that even what
 * is right is refused, and a job log, which is. */
#define _GNU_SOURCE
#include "calls.h"
#include "check/check.h"

#include <cosched/campaign.h>
#include <cosched/case.h>
#include <cosched/convert.h>
#include <cosched/replay.h>
#include <cosched/run.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void refused(struct caller *c, bool failed)
{
    if (!c->tame)
        reported(c, failed);
}

#define PAPERS EXAMPLES "/../tests/foreign/papers"

/* A log of a hundred jobs, or none. */
static const char *log_of(struct caller *c)
{
    return is_wild(c) ? word(c, "nosuch.swf") : EXAMPLES "/monday.swf";
}

static void status(struct caller *c)
{
    const char *path[2] = {word(c, "nosuch.db"), word(c, "/dev/null")};
    char *text = cs_campaign_status(is_wild(c) ? NULL : path, count(c, 2), err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void verify(struct caller *c)
{
    char *text =
        cs_campaign_verify(word(c, "nosuch.db"), whole(c, 0, 9), whole(c, 0, 2), NULL, err_of(c));

    reported(c, !text);
    cs_free(text);
}

/* A sweep of two runs in memory; or a file that is not there. */
static void campaign_run(struct caller *c)
{
    static const char sweep[] =
        "{\"problem\": \"rigid\", \"set\": {\"jobs\": 3, \"procs\": 9000, \"scenarios\": 1},"
        " \"vary\": {\"policy\": [\"easy\", \"greedy\"]}, \"metrics\": [\"makespan\"]}";
    const char *condition[2] = {word(c, "policy=easy"), word(c, "replicate=0")};
    const int shards = is_wild(c) ? whole(c, 0, 3) : 0;
    const struct cs_campaign_run_options options = {
        .size = is_wild(c) ? 3 : sizeof options,
        .text = is_wild(c) ? word(c, "{\"problem\": 1}") : sweep,
        .where = is_wild(c) ? NULL : condition,
        .conditions = count(c, 2),
        .shards = shards,
        .shard = shards ? whole(c, 1, 3) : 0,
        .threads = whole(c, 1, 2),
        .foreign = draw(c) & 1,
        .command = is_wild(c) ? word(c, "x") : NULL,
    };
    const struct cs_watch watch = {.size = is_wild(c) ? 0 : sizeof watch};
    struct cs_campaign_ran ran;
    char *text =
        cs_campaign_run(word(c, "nosuch.json"), is_wild(c) ? "/nosuch/x.db" : ":memory:", &options,
                        is_wild(c) ? NULL : &watch, is_wild(c) ? NULL : &ran, err_of(c));

    reported(c, !text);
    cs_free(text);
}

/* A sweep as jobs, of a file that is not there. */
static void campaign_slurm(struct caller *c)
{
    const char *words[2] = {word(c, "--requeue"), word(c, "--partition=long")};
    const struct cs_campaign_slurm_options options = {
        .size = is_wild(c) ? 3 : sizeof options,
        .tool = is_wild(c) ? word(c, "cosched") : NULL,
        .folder = is_wild(c) ? word(c, "nosuch") : NULL,
        .store = is_wild(c) ? word(c, "nosuch.db") : NULL,
        .sbatch = is_wild(c) ? NULL : words,
        .words = count(c, 2),
        .tasks = whole(c, 0, 4),
    };
    char *text = cs_campaign_slurm(word(c, "nosuch.json"), is_wild(c) ? NULL : &options, err_of(c));

    refused(c, !text);
    cs_free(text);
}

/* A folder without papers. */
static void paper_list(struct caller *c)
{
    char *text = cs_paper_list(word(c, "/proc/self/fdinfo"), draw(c) & 1, err_of(c));

    reported(c, !text);
    cs_free(text);
}

/* Where nothing can be made: other names would stay behind as files of the folder that it runs in.
 */
static const char *nowhere(struct caller *c, const char *path)
{
    return is_wild(c) ? "" : path;
}

/* A figure of two policies; or papers that are not there. */
static void paper_run(struct caller *c)
{
    const char *name[2] = {word(c, "one"), word(c, "all")};
    const char *give[2] = {word(c, "jobs=3"), word(c, "procs=9000")};
    const struct cs_paper_run_options options = {
        .size = is_wild(c) ? 3 : sizeof options,
        .folder = is_wild(c) ? word(c, "/proc/self/fdinfo") : PAPERS,
        .usual = draw(c) & 1,
        .quick = draw(c) & 1,
        .input = is_wild(c) ? word(c, "nosuch.swf") : NULL,
        .give = is_wild(c) ? NULL : give,
        .supplied = count(c, 2),
        .seeded = draw(c) & 1,
        .seed = draw(c),
        .threads = whole(c, 1, 2),
        .output = is_wild(c) ? nowhere(c, "/dev/null/out") : NULL,
        .store = is_wild(c) ? nowhere(c, "/nosuch/x.db") : NULL,
        .foreign = draw(c) & 1,
        .command = is_wild(c) ? word(c, "x") : NULL,
    };
    const struct cs_watch watch = {.size = is_wild(c) ? 0 : sizeof watch};
    struct cs_paper_ran ran;
    char *text = cs_paper_run(is_wild(c) ? NULL : name, c->tame ? 1 : count(c, 2),
                              is_wild(c) ? NULL : &options, is_wild(c) ? NULL : &watch,
                              is_wild(c) ? NULL : &ran, err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void merge(struct caller *c)
{
    const char *path[2] = {word(c, "nosuch.db"), word(c, "/dev/null")};
    const struct cs_campaign_merge_options options = {.size = is_wild(c) ? 3 : sizeof options,
                                                      .partial = draw(c) & 1};
    const struct cs_watch watch = {.size = is_wild(c) ? 0 : sizeof watch};
    struct cs_campaign_merged merged;

    refused(c, cs_campaign_merge(is_wild(c) ? NULL : path, count(c, 2), target(c),
                                 is_wild(c) ? NULL : &options, is_wild(c) ? NULL : &watch,
                                 is_wild(c) ? NULL : &merged, err_of(c)) != 0);
}

static void export(struct caller *c)
{
    const struct cs_campaign_export_options options = {.size = is_wild(c) ? 3 : sizeof options,
                                                       .document = is_wild(c) ? word(c, "x") : NULL,
                                                       .metrics =
                                                           is_wild(c) ? word(c, "ratio,") : NULL,
                                                       .json = draw(c) & 1};
    size_t length;
    char *text = cs_campaign_export(word(c, "nosuch.db"), is_wild(c) ? NULL : &options, NULL,
                                    is_wild(c) ? NULL : &length, err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void run(struct caller *c)
{
    char *text = cs_run_status(word(c, "nosuch"), err_of(c));

    refused(c, !text);
    cs_free(text);
    if (cs_run_seems(word(c, "nosuch")))
        abort();
    refused(c, cs_run_stop(word(c, "nosuch"), draw(c) & 1, err_of(c)) != 0);
}

/* Jobs in a file that nobody has to remove. */
static const char *jobs_of(struct caller *c)
{
    static const char text[] = "name,procs,seconds\na,2,10\nb,1,20\nc,4,5\n";
    static char path[40];

    if (!*path) {
        const int fd = memfd_create("jobs", 0);

        if (fd < 0 || write(fd, text, sizeof text - 1) != (ssize_t)sizeof text - 1)
            abort();
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    return is_wild(c) ? word(c, "nosuch.csv") : path;
}

/* Nothing is ever started: there is no such folder. */
static void run_start(struct caller *c)
{
    const char *const command[] = {word(c, "/bin/true"), word(c, "{name}")};
    const char *const set[] = {word(c, "retries=0"), word(c, "timeout=\"3x\"")};
    const char *input = jobs_of(c);
    struct cs_run_options how;
    struct cs_run_watch watch = {.size = is_wild(c) ? 1 : sizeof watch, .foresee = draw(c) & 1};
    struct cs_run_ended ended;
    char *text;

    cs_run_defaults(is_wild(c) ? NULL : &how);
    cs_run_defaults(&how);
    how.size = is_wild(c) ? 1 : sizeof how;
    how.command = is_wild(c) ? NULL : command;
    how.words = count(c, 2);
    how.set = is_wild(c) ? NULL : set;
    how.settings = count(c, 2);
    how.engine = is_wild(c) ? word(c, "slurm") : NULL;
    how.policy = is_wild(c) ? word(c, "none") : NULL;
    how.slots = whole(c, 100, 9000);
    how.margin = real(c, 0, 9);
    how.poll = real(c, 1, 9);
    text = cs_run_dry(is_wild(c) ? NULL : input, is_wild(c) ? NULL : &how, NULL, err_of(c));
    reported(c, !text);
    cs_free(text);
    how.engine = NULL;
    refused(c,
            cs_run_start(input, is_wild(c) ? NULL : "/nosuch/run", is_wild(c) ? NULL : &how,
                         is_wild(c) ? NULL : &watch, is_wild(c) ? NULL : &ended, err_of(c)) != 0);
    refused(c,
            cs_run_resume(is_wild(c) ? NULL : "/nosuch/run", is_wild(c) ? NULL : &how,
                          is_wild(c) ? NULL : &watch, is_wild(c) ? NULL : &ended, err_of(c)) != 0);
    cs_run_view_state(NULL, NULL);
    cs_run_view_running(NULL, whole(c, 0, 1), NULL);
}

static void history(struct caller *c)
{
    struct cs_run_history *s = cs_run_history_read(word(c, "nosuch"), err_of(c));
    size_t length;

    refused(c, !s);
    refused(c, !cs_run_history_planned(s, err_of(c)));
    refused(c, !cs_run_history_text(s, is_wild(c) ? NULL : &length, err_of(c)));
    refused(c, !cs_run_history_reported(s, err_of(c)));
    cs_schedule_destroy(cs_run_history_schedule(s));
    cs_run_history_destroy(s);
}

static void convert(struct caller *c)
{
    static const char *const forms[] = {"swf",  "batsim", "csv",          "trace",
                                        "paje", "bars",   "flux-jobspec", "odt"};
    const char *path[2] = {log_of(c), word(c, "/dev/null")};
    const struct cs_convert_options how = {
        .size = is_wild(c) ? 1 : sizeof how,
        .to = is_wild(c) ? NULL : forms[draw(c) % (c->tame ? 3 : 8)],
        .unit = is_wild(c) ? word(c, "x") : NULL,
        .zone = is_wild(c) ? word(c, "Mars") : NULL,
        .procs = whole(c, 0, 9),
        .speed = real(c, 0, 1),
        .lookahead = whole(c, 0, 9),
        .tracks = is_wild(c) ? word(c, "lanes") : NULL,
        .margin = real(c, 1, 2),
    };
    size_t length;
    char *text = cs_convert(is_wild(c) ? NULL : path, count(c, c->tame ? 1 : 2),
                            is_wild(c) ? NULL : &how, NULL, is_wild(c) ? NULL : &length, err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void what(struct caller *c)
{
    size_t length;
    char *text = cs_what(is_wild(c) ? NULL : log_of(c), is_wild(c) ? NULL : &length, err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void judge(struct caller *c)
{
    static const char *const rules[] = {"valid", "easy",   "conservative",
                                        "fcfs",  "limits", "conservative-exact"};
    const char *log[2] = {word(c, "nosuch.swf"), word(c, "/dev/null")};
    const struct cs_check_options how = {
        .size = is_wild(c) ? 1 : sizeof how,
        .violations = whole(c, 0, 9),
        .rule = is_wild(c) ? word(c, "x") : rules[draw(c) % 6],
        .procs = whole(c, 0, 9),
        .estimates = is_wild(c) ? word(c, "last2") : NULL,
        .overrun = is_wild(c) ? word(c, "kill") : NULL,
        .grace = real(c, 0, 9),
        .verification = real(c, 0, 9),
        .tolerance = real(c, 0, 1),
        .nodes = is_wild(c) ? whole(c, 0, 9) : 0,
        .zone = is_wild(c) ? word(c, "Mars") : NULL,
        .user_jobs = whole(c, 0, 9),
    };
    char *text = cs_check_jobs(word(c, "nosuch.csv"), is_wild(c) ? NULL : log, count(c, 2),
                               is_wild(c) ? NULL : &how, NULL, err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void sbatch(struct caller *c)
{
    size_t length;
    char *text = cs_schedule_sbatch(pick(c, SCHEDULE), word(c, "node"), word(c, "a plan"),
                                    is_wild(c) ? NULL : &length, err_of(c));

    refused(c, !text);
    cs_free(text);
}

static void replay(struct caller *c)
{
    const char *path[2] = {log_of(c), word(c, "/dev/null")};
    const char *zone = is_wild(c) ? "Mars" : "UTC", *policy = is_wild(c) ? "no,easy" : "easy";
    char options[200], *text = cs_case_words(word(c, "replay"), whole(c, 0, 40), err_of(c));
    struct cs_replay *made;

    cs_free(text);
    snprintf(options, sizeof options,
             "{\"procs\": %d, \"zone\": \"%s\", \"policy\": \"%s\", \"estimates\": \"exact\","
             " \"threads\": %d%s}",
             (int)whole(c, 1, 9), zone, policy, (int)whole(c, 0, 2),
             draw(c) & 1 ? ", \"full\": true" : "");
    made = cs_replay_run_json(is_wild(c) ? NULL : path, count(c, c->tame ? 1 : 2),
                              is_wild(c) ? NULL : options, NULL, err_of(c));
    refused(c, !made);
    cs_free(cs_replay_text(made, word(c, "table"), NULL, NULL, err_of(c)));
    cs_replay_destroy(made);
}

static void replay_json(struct caller *c)
{
    static const char *const said[] = {
        "{}",
        "{\"policy\": [\"easy\", \"fcfs\"], \"warmup\": \"1min\"}",
        "{\"nodes\": 4, \"full\": true}",
        "{\"procs\": -1}",
        "{\"nods\": 1}",
        "[]",
        "{",
    };
    const char *path[2] = {log_of(c), word(c, "/dev/null")};
    struct cs_replay *made =
        cs_replay_run_json(is_wild(c) ? NULL : path, count(c, c->tame ? 1 : 2),
                           is_wild(c) ? NULL : said[draw(c) % (c->tame ? 2 : 7)], NULL, err_of(c));

    refused(c, !made);
    cs_free(cs_replay_text(made, "csv", NULL, NULL, err_of(c)));
    cs_replay_write(made, word(c, "csv"), NULL, "/dev/null", err_of(c));
    cs_free(cs_replay_describe(err_of(c)));
    cs_replay_destroy(made);
}

const struct call store_calls[] = {
    {"campaign_status", status},
    {"campaign_verify", verify},
    {"campaign_run", campaign_run},
    {"campaign_slurm", campaign_slurm},
    {"paper_list", paper_list},
    {"paper_run", paper_run},
    {"campaign_merge", merge},
    {"campaign_export", export},
    {"run", run},
    {"run_start", run_start},
    {"run_story", history},
    {"convert", convert},
    {"what", what},
    {"sbatch", sbatch},
    {"judge", judge},
    {"replay", replay},
    {"replay_json", replay_json},
    {NULL, NULL},
};
