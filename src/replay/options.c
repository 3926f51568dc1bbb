/* options.c - the options of a replay by their names. */
#include "replay/options.h"
#include "base/guard.h"
#include "problem/describe.h"
#include "problem/given.h"
#include "problems/queue/site_rows.h"
#include "problems/rigid/problem.h"
#include "replay/request.h"

static void put_policy_words(struct cs_strbuf *out)
{
    cs_study_policy_words(&cs_problem_rigid.choice[0], out);
}

static void put_priority_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_sched_urgency *list = cs_sched_urgencies(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s%s", i ? " " : "", list[i].name);
}

static void put_by_words(struct cs_strbuf *out)
{
    for (int by = 0; by < CS_QUEUE_BYS; by++)
        cs_strbuf_printf(out, "%s%s", by ? " " : "", cs_queue_by_word((enum cs_queue_by)by));
}

#define AT(member) offsetof(struct cs_replay_options, member)

static const struct cs_field fields[] = {
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
     .values = put_policy_words,
     .list = true,
     .summary = "the policies, a row each, see 'cosched list rigid'",
     .at = AT(policy)},
    CS_ROWS_PROGRAM("jobs to start", 0, AT(program), AT(patience)),
    {.name = "priority",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME,...",
     .values = put_priority_words,
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
     .values = put_by_words,
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
    {.name = "full",
     .kind = CS_FIELD_FLAG,
     .group = "What is kept",
     .summary = "what all texts but \"table\", \"csv\" and of a schedule want",
     .at = AT(full)},
    {.name = "keep",
     .kind = CS_FIELD_TEXT,
     .argument = "WISH",
     .summary = "what the schedule of the only row wants: what messages call the wish, such as "
                "output",
     .at = AT(keep)},
    {.name = "keep-jobs",
     .kind = CS_FIELD_FLAG,
     .summary = "every job of every row, for the columns of cs_replay_arrow",
     .at = AT(keep_jobs)},
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

const struct cs_field *cs_replay_fields(void)
{
    return fields;
}

static bool is_set(const struct cs_field *field, const json_t *supplied)
{
    const char *name;
    json_t *json;

    json_object_foreach((json_t *)(uintptr_t)supplied, name, json)
    {
        if (cs_field_is(field, name))
            return true;
    }
    return false;
}

static int check_needs(const json_t *supplied, struct cs_error *err)
{
    for (const struct cs_field *f = fields; f->name; f++) {
        bool old;

        if (f->needs && is_set(f, supplied) &&
            !is_set(cs_fields_find(fields, 0, f->needs, &old, err), supplied))
            return cs_error_set(err, "%s is for %s, which is not given", f->name, f->needs);
    }
    return 0;
}

static int options_take_all(json_t *supplied, struct cs_arena *arena,
                            struct cs_replay_options *options, struct cs_error *err)
{
    const char *name;
    json_t *json;

    json_object_foreach(supplied, name, json)
    {
        bool old;
        const struct cs_field *field = cs_fields_find(fields, 0, name, &old, err);

        if (!field || cs_supplied_store(field, name, json, 0, arena, options, err))
            return -1;
    }
    return check_needs(supplied, err);
}

int cs_replay_take(const char *json, struct cs_arena *arena, struct cs_replay_options *options,
                   struct cs_error *err)
{
    struct cs_supplied *supplied = cs_supplied_load(json, arena, err);
    int status;

    cs_replay_defaults(options);
    status = supplied ? options_take_all(supplied->json, arena, options, err) : -1;
    cs_supplied_release(supplied);
    return status;
}

void cs_replay_own(struct cs_replay_options *options, struct cs_arena *arena)
{
    for (const struct cs_field *f = fields; f->name; f++) {
        const char **text = (const char **)(void *)((char *)options + f->at);

        if ((f->kind == CS_FIELD_TEXT || f->kind == CS_FIELD_PATH) && *text)
            *text = cs_arena_strdup(arena, *text);
    }
}

char *cs_replay_describe(struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_jsonw_key(&w, "parameters");
    cs_jsonw_open(&w, '[');
    cs_describe_put_rows("replay", fields, &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}
