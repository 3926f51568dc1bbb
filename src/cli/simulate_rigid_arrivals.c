/* simulate_rigid_arrivals.c - --arrivals: a log replayed with its submit times. */
#include "cli/output.h"
#include "cli/simulate_rigid.h"
#include "io/jobs_csv.h"
#include "report/human.h"
#include "report/table.h"
#include "rigid/replay.h"
#include "rigid/replay_log.h"

#include <string.h>

/* What a replay needs and what it came to. */
struct run {
    struct cs_policy_call call;
    struct cs_rigid_replay replay;
    struct cs_rigid_arrivals *arrivals;
    struct cs_rigid_replay_result result;
    double bound; /* on the time that the machine needs for the work, seconds */
    const char *policy, *priority;
};

static int choose(const struct cs_simulate_rigid *job, struct run *run, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    int count;
    const struct cs_policy *const *infos = cs_rigid_policy_infos(&count);

    run->policy = cs_arguments_text(args, "policy");
    run->priority =
        cs_arguments_given(args, "priority") ? cs_arguments_text(args, "priority") : "fcfs";
    if (cs_policy_parse(run->policy, infos, count, &run->call, err) ||
        cs_rigid_replay_set_policy(&run->replay, cs_rigid_policies(&count)[run->call.policy],
                                   run->call.param, err))
        return -1;
    return cs_rigid_replay_priority_find(run->priority, &run->replay.priority, err);
}

/* The failures of one scenario; jobs of the only set are in the order of their arrival. */
static int set_failures(const struct cs_simulate_rigid *job, struct run *run, struct cs_error *err)
{
    int64_t *failures = CS_NEW_ARRAY(job->arena, int64_t, run->arrivals->count);
    int scenario = (int)cs_arguments_integer(job->args, "scenario");
    const struct cs_rigid_scenarios *drawn = job->drawn[0];

    if (scenario >= job->scenarios)
        return cs_error_set(err, "there is no scenario %d: they are 0 to %d", scenario,
                            job->scenarios - 1);
    if (cs_rigid_scenarios_get(drawn, scenario, failures, err))
        return -1;
    for (int j = 0; j < run->arrivals->count; j++)
        run->arrivals->job[j].failures = failures[j];
    run->replay.draw =
        (struct cs_rigid_draw){drawn->seed, drawn->set, (uint64_t)scenario, drawn->law.rate};
    run->bound = cs_rigid_lower_bound(drawn->jobs, failures, 0);
    return 0;
}

static int replay(const struct cs_simulate_rigid *job, struct run *run, struct cs_error *err)
{
    const char *path = cs_arguments_text(job->args, "jobs"), *slash = strrchr(job->path, '/');
    struct cs_jobs_csv table = {CS_STRBUF_INIT, slash ? slash + 1 : job->path};
    struct cs_rigid_arrivals_at at = {run->arrivals->job, run->arrivals->count, 0};
    int status;

    run->replay.machine = job->input->machine;
    run->replay.verification = job->input->set[0].jobs.verification;
    if (path) {
        run->replay.sets = true;
        run->replay.watch = cs_jobs_csv_add;
        run->replay.who = &table;
    }
    status = cs_rigid_replay_run(&run->replay, cs_rigid_arrivals_next, &at, &run->result, err);
    if (!status && path)
        status = cs_jobs_csv_write(&table, path, err);
    cs_jobs_csv_release(&table);
    return status;
}

static const struct cs_column columns[] = {
    {.key = "policy", .kind = CS_COLUMN_WORD},
    {.key = "priority", .kind = CS_COLUMN_WORD},
    {.key = "jobs", .kind = CS_COLUMN_COUNT},
    {.key = "failures", .kind = CS_COLUMN_COUNT},
    {.key = "makespan", .unit = "s", .kind = CS_COLUMN_NUMBER},
    {.key = "ratio", .kind = CS_COLUMN_NUMBER},
    {.key = "utilisation", .kind = CS_COLUMN_NUMBER},
    {.key = "waste", .kind = CS_COLUMN_NUMBER},
    {.key = "mean_wait", .kind = CS_COLUMN_NUMBER},
    {.key = "max_wait", .kind = CS_COLUMN_NUMBER},
    {.key = "mean_bounded_slowdown", .kind = CS_COLUMN_NUMBER},
    {.key = "max_bounded_slowdown", .kind = CS_COLUMN_NUMBER},
    {.key = "jobs_per_hour", .kind = CS_COLUMN_NUMBER},
    {.key = "largest_queue", .kind = CS_COLUMN_COUNT},
};

static double ratio_of(const struct run *run)
{
    return run->bound > 0 ? run->result.makespan / run->bound : 1;
}

static void show_table(const struct run *run, enum cs_table_format format, struct cs_strbuf *out)
{
    const struct cs_rigid_replay_result *r = &run->result;
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    cs_table_text(table, run->policy);
    cs_table_text(table, run->priority);
    cs_table_count(table, r->jobs);
    cs_table_count(table, r->failures);
    cs_table_number(table, r->makespan);
    cs_table_number(table, ratio_of(run));
    cs_table_number(table, r->utilisation);
    cs_table_number(table, r->waste);
    cs_table_number(table, r->mean_wait);
    cs_table_number(table, r->max_wait);
    cs_table_number(table, r->mean_slowdown);
    cs_table_number(table, r->max_slowdown);
    cs_table_number(table, r->throughput);
    cs_table_count(table, r->largest_queue);
    cs_table_write(table, format, 0, out);
    cs_table_destroy(table);
}

static void put_time(struct cs_strbuf *out, const char *name, double seconds)
{
    cs_strbuf_printf(out, "%-24s", name);
    cs_human_digits(out, seconds, 7);
    cs_strbuf_puts(out, " s (");
    cs_human_duration(out, seconds);
    cs_strbuf_puts(out, ")\n");
}

static void put_number(struct cs_strbuf *out, const char *name, double value)
{
    cs_strbuf_printf(out, "%-24s", name);
    cs_human_digits(out, value, 6);
    cs_strbuf_putc(out, '\n');
}

static void show_text(const struct cs_simulate_rigid *job, const struct run *run,
                      struct cs_strbuf *out)
{
    const struct cs_rigid_replay_result *r = &run->result;

    cs_human_units(out, r->jobs, "job");
    cs_strbuf_puts(out, " as they were submitted, on ");
    cs_human_units(out, job->input->machine, cs_arguments_text(job->args, "unit"));
    cs_strbuf_printf(out, " (%s), ", job->path);
    cs_simulate_rigid_put_law(job, out);
    cs_strbuf_putc(out, '\n');
    cs_simulate_rigid_put_skipped(job, out);
    cs_strbuf_printf(out, "estimates: %d requested, %d exceeded, %d unknown\n",
                     run->arrivals->requested, run->arrivals->exceeded, run->arrivals->unknown);
    cs_strbuf_printf(out, "policy %s, priority %s\n\n", run->policy, run->priority);
    put_time(out, "makespan", r->makespan);
    put_number(out, "makespan / bound", ratio_of(run));
    put_number(out, "utilisation", r->utilisation);
    put_number(out, "failures", (double)r->failures);
    put_number(out, "wasted processor hours", r->waste / 3600);
    put_time(out, "mean wait", r->mean_wait);
    put_time(out, "longest wait", r->max_wait);
    put_number(out, "mean bounded slowdown", r->mean_slowdown);
    put_number(out, "worst bounded slowdown", r->max_slowdown);
    put_number(out, "jobs an hour", r->throughput);
    put_number(out, "longest queue", (double)r->largest_queue);
}

int cs_simulate_rigid_arrivals(struct cs_simulate_rigid *job, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(job->args, "format");
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct run run = {0};

    if (!job->input->log || job->input->sets != 1)
        return cs_error_set(err, "--arrivals is for a job log in one piece: %s is %s", job->path,
                            job->input->log ? "cut into sets" : "a list of jobs");
    run.arrivals = cs_rigid_arrivals_of_log(
        job->input->log, cs_arguments_choice(job->args, "estimates") == 1, job->arena);
    if (choose(job, &run, err) || set_failures(job, &run, err) || replay(job, &run, err))
        return -1;
    if (format == CS_FORMAT_TABLE)
        show_text(job, &run, &text);
    else
        show_table(&run, format == CS_FORMAT_JSON ? CS_TABLE_JSON : CS_TABLE_CSV, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}
