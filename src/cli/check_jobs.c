/* check_jobs.c - cosched check --log: tables of jobs against the logs that they came from. */
#include "cli/check_jobs.h"

#include "cli/base/output.h"
#include "cli/base/rows.h"

#include <cosched/judge.h>
#include <math.h>

static int64_t whole(const struct cs_arguments *args, const char *name)
{
    return cs_arguments_given(args, name) ? cs_arguments_integer(args, name) : 0;
}

static double real(const struct cs_arguments *args, const char *name, double otherwise)
{
    return cs_arguments_given(args, name) ? cs_arguments_real(args, name) : otherwise;
}

/* Not what it is when nothing was said. */
static const char *text(const struct cs_arguments *args, const char *name)
{
    return cs_arguments_given(args, name) ? cs_arguments_text(args, name) : NULL;
}

static struct cs_judge_options options_of(const struct cs_arguments *args)
{
    return (struct cs_judge_options){
        .size = sizeof(struct cs_judge_options),
        .violations = CS_CHECK_SHOWN,
        .rule = text(args, "rule"),
        .procs = whole(args, "procs"),
        .estimates = text(args, "estimates"),
        .overrun = text(args, "overrun"),
        .grace = real(args, "grace", NAN),
        .verification = real(args, "verification", 0),
        .tolerance = real(args, "tolerance", 0),
        .nodes = whole(args, "nodes"),
        .machine = text(args, "machine"),
        .alloc = text(args, "alloc"),
        .assume_up = cs_arguments_given(args, "assume-up"),
        .unit = text(args, "unit"),
        .outages = text(args, "outages"),
        .default_request = real(args, "default-request", 0),
        .user_jobs = whole(args, "user-jobs"),
        .user_procs = whole(args, "user-procs"),
        .arrive = text(args, "arrive"),
        .zone = text(args, "zone"),
        .from = text(args, "from"),
        .to = text(args, "to"),
        .partition_field = text(args, "partition-field"),
    };
}

/* "jobs.csv (easy, fcfs)" where there are several. */
static void put_name(const char *path, const json_t *verdict, bool alone, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, path);
    if (!alone)
        cs_strbuf_printf(out, " (%s, %s)", json_string_value(json_object_get(verdict, "policy")),
                         json_string_value(json_object_get(verdict, "priority")));
}

static int check_table(const struct cs_arguments *args, const char *path,
                       struct cs_check_show *show, struct cs_error *err)
{
    const struct cs_judge_options how = options_of(args);
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    int logs, status = CS_EXIT_DONE;
    const char *const *log = cs_arguments_texts(args, "log", &logs);
    json_t *verdicts = cs_rows_parse(cs_judge_jobs(path, log, logs, &how, &watch, err)), *verdict;
    struct cs_strbuf name = CS_STRBUF_INIT;
    size_t i;

    if (!verdicts)
        return -1;
    json_array_foreach(verdicts, i, verdict)
    {
        cs_strbuf_clear(&name);
        put_name(path, verdict, json_array_size(verdicts) == 1, &name);
        status = cs_check_worse(status, cs_check_show_verdict(show, name.text, verdict));
    }
    json_decref(verdicts);
    cs_strbuf_release(&name);
    return status;
}

int cs_check_jobs_run(const struct cs_arguments *args, struct cs_check_show *show,
                      struct cs_error *err)
{
    int status = CS_EXIT_DONE;

    for (int i = 0; i < args->operands && status >= 0; i++)
        status =
            cs_check_worse(status, check_table(args, cs_arguments_operand(args, i), show, err));
    return status;
}
