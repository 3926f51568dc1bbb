/* arrow.c - calls that hand out columns, read by a consumer that believes nothing. */
#include "calls.h"
#include "consumer.h"

#include <cosched/case.h>
#include <cosched/replay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_it(struct caller *c, bool failed, struct ArrowArrayStream *stream)
{
    const char *broken = failed ? NULL : consume(stream, draw(c));

    if (!broken)
        return;
    fprintf(stderr, "Arrow: broken: %s\n", broken);
    abort();
}

static void schedule(struct caller *c)
{
    struct ArrowArrayStream stream;
    bool failed = cs_schedule_arrow(pick(c, SCHEDULE), is_wild(c) ? NULL : &stream, err_of(c)) != 0;

    reported(c, failed);
    read_it(c, failed, &stream);
}

static void schedule_text(struct caller *c)
{
    static const char text[] =
        "{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": "
        "4, "
        "\"makespan\": 3, \"tasks\": [\"a\", \"\u00e9\"], \"bars\": ["
        "{\"task\": 0, \"start\": 0, \"end\": 2, \"procs\": \"0-1 3\"},"
        "{\"task\": 1, \"start\": 2, \"end\": 3, \"procs\": \"2\", \"kind\": \"move\"}]}";
    struct ArrowArrayStream stream;
    const char *supplied = word(c, text);
    bool failed = cs_schedule_text_arrow(supplied, supplied ? strlen(supplied) : 0,
                                         is_wild(c) ? NULL : &stream, err_of(c)) != 0;

    reported(c, failed);
    read_it(c, failed, &stream);
}

static void study(struct caller *c)
{
    struct ArrowArrayStream stream;
    bool failed = cs_case_arrow(pick(c, CASE), is_wild(c) ? NULL : &stream, err_of(c)) != 0;

    if (!c->tame || c->starved)
        reported(c, failed);
    read_it(c, failed, &stream);
}

static void joblog(struct caller *c)
{
    const char *path[2] = {word(c, "nosuch.swf"), word(c, "/dev/null")};
    const struct cs_convert_options how = {.size = is_wild(c) ? 1 : sizeof how,
                                           .zone = is_wild(c) ? word(c, "Mars") : NULL,
                                           .unit = is_wild(c) ? word(c, "x") : NULL,
                                           .procs = whole(c, 0, 9)};
    struct ArrowArrayStream stream;
    bool failed = cs_joblog_arrow(is_wild(c) ? NULL : path, count(c, 2), is_wild(c) ? NULL : &how,
                                  NULL, is_wild(c) ? NULL : &stream, err_of(c)) != 0;

    if (!c->tame)
        reported(c, failed);
    read_it(c, failed, &stream);
}

static void replay(struct caller *c)
{
    const char *const path[] = {is_wild(c) ? word(c, "nosuch.swf") : EXAMPLES "/monday.swf"};
    char options[160];
    struct ArrowArrayStream stream;
    struct cs_replay *made;
    bool failed;

    snprintf(options, sizeof options,
             "{\"procs\": 9, \"policy\": \"easy,fcfs\", \"mean_failure_probability\": 0.1,"
             " \"scenarios\": %d, \"threads\": %d%s}",
             1 + (int)(draw(c) & 1), (int)whole(c, 0, 2),
             is_wild(c) ? "" : ", \"keep_jobs\": true");
    made = cs_replay_run_json(path, 1, options, NULL, err_of(c));
    if (!c->tame)
        reported(c, !made);
    failed = cs_replay_arrow(made, is_wild(c) ? NULL : &stream, err_of(c)) != 0;
    if (!c->tame || c->starved)
        reported(c, failed);
    read_it(c, failed, &stream);
    cs_replay_destroy(made);
}

static void campaign(struct caller *c)
{
    const struct cs_campaign_export_options options = {
        .size = is_wild(c) ? 3 : sizeof options, .document = is_wild(c) ? word(c, "x") : NULL};
    struct ArrowArrayStream stream;
    bool failed = cs_campaign_arrow(word(c, "nosuch.db"), is_wild(c) ? NULL : &options, NULL,
                                    is_wild(c) ? NULL : &stream, err_of(c)) != 0;

    if (!c->tame)
        reported(c, failed);
    read_it(c, failed, &stream);
}

const struct call arrow_calls[] = {
    {"schedule_arrow", schedule},
    {"schedule_text_arrow", schedule_text},
    {"case_arrow", study},
    {"joblog_arrow", joblog},
    {"replay_arrow", replay},
    {"campaign_arrow", campaign},
    {NULL, NULL},
};
