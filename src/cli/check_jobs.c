/* check_jobs.c - cosched check --log: a table of jobs against the log that it came from. */
#include "cli/check_jobs.h"

#include "check/jobs.h"
#include "cli/output.h"
#include "io/jobs_csv.h"
#include "report/human.h"
#include "rigid/input.h"
#include "rigid/replay_log.h"

#define SHOWN 100

static void put_verdict(const char *path, const struct cs_check_jobs *what,
                        const struct cs_check_report *report, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s: %s: ", path, report->total ? "not valid" : "valid");
    if (report->total) {
        cs_human_units(out, (long long)report->total, "violation");
    } else {
        cs_human_units(out, what->jobs, "job");
        cs_strbuf_puts(out, ", ");
        cs_human_units(out, what->rows, "attempt");
        if (what->rule == CS_CHECK_JOBS_EASY)
            cs_strbuf_puts(out, ", the reservations of EASY were kept");
    }
    cs_strbuf_putc(out, '\n');
    for (size_t i = 0; i < report->count; i++)
        cs_strbuf_printf(out, "  %s\n", report->item[i].text);
    if (report->total > report->count)
        cs_strbuf_printf(out, "  ... and %zu more\n", report->total - report->count);
}

/* Failures of jobs are not in a log: any number will do. */
static int judge(const struct cs_arguments *args, const char *path,
                 const struct cs_rigid_input *input, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_rigid_arrivals *arrivals =
        cs_rigid_arrivals_of_log(input->log, cs_arguments_choice(args, "estimates") == 1, arena);
    struct cs_job_table *table = cs_jobs_csv_read(path, arena, err);
    struct cs_check_report *report;
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_check_jobs what;
    int status;

    if (!table)
        return -1;
    for (int j = 0; j < arrivals->count; j++)
        arrivals->job[j].failures = -1;
    what = (struct cs_check_jobs){
        .machine = input->machine,
        .verification = cs_arguments_real(args, "verification"),
        .rule = cs_arguments_choice(args, "rule") ? CS_CHECK_JOBS_EASY : CS_CHECK_JOBS_VALID,
        .tolerance = cs_arguments_real(args, "tolerance"),
        .jobs = arrivals->count,
        .rows = table->count,
        .job = arrivals->job,
        .row = table->row,
    };
    report = cs_check_report_create(SHOWN);
    cs_check_jobs(&what, report);
    put_verdict(path, &what, report, &out);
    cs_output_put(&out);
    status = report->total > 0;
    cs_check_report_destroy(report);
    cs_strbuf_release(&out);
    return status;
}

int cs_check_jobs_run(const struct cs_arguments *args, const char *log, struct cs_error *err)
{
    const struct cs_rigid_input_options options = {
        .procs = cs_arguments_given(args, "procs") ? (int)cs_arguments_integer(args, "procs") : 0,
        .verification = 0,
    };
    struct cs_rigid_input *input = cs_rigid_input_read(log, &options, err);
    struct cs_arena *arena = cs_arena_create();
    int status = input ? CS_EXIT_DONE : -1;

    if (input && !input->log)
        status = cs_error_set(err, "%s is a list of jobs: --log wants a job log", log);
    for (int i = 0; i < args->operands && status >= 0; i++) {
        int one = judge(args, cs_arguments_operand(args, i), input, arena, err);

        status = one ? one : status;
    }
    cs_rigid_input_destroy(input);
    cs_arena_destroy(arena);
    return status;
}
