/* program.c - a program that knows the installed headers only. */
#include <cosched/case.h>
#include <cosched/version.h>
#include <cosched/workload.h>
#include <stdio.h>
#include <string.h>

/* Two tasks with formulas on four processors, in packs. */
static int write_tasks(const char *path, struct cs_error *err)
{
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 100, .seq_fraction = 0.2},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 60, .seq_fraction = 0},
    };
    struct cs_workload *workload = cs_workload_create(2, NULL, profile, err);
    int status = workload ? cs_workload_write(workload, NULL, path, err) : -1;

    cs_workload_destroy(workload);
    return status;
}

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    int status = file && fputs(text, file) >= 0 ? 0 : -1;

    return file && fclose(file) ? -1 : status;
}

/* Run a case with one variant and one run; print two of its metrics. */
static int solve(const char *problem, const char *action, const char *options, const char *first,
                 const char *second, struct cs_error *err)
{
    struct cs_case *c = cs_case_open(problem, action, options, NULL, err);
    double a, b;
    int status = c && !cs_case_run(c, NULL, err) && !cs_case_column(c, 0, first, &a, 1, err) &&
                         !cs_case_column(c, 0, second, &b, 1, err)
                     ? 0
                     : -1;

    if (!status)
        printf("%s: %s %g, %s %g\n", problem, first, a, second, b);
    cs_case_close(c);
    return status;
}

int main(void)
{
    struct cs_error err = {0};
    int status = COSCHED_API_VERSION == 2 && !strcmp(cs_version(), COSCHED_VERSION) ? 0 : -1;

    if (!status)
        status = write_tasks("program-tasks.json", &err);
    if (!status)
        status = write_text("program-jobs.csv", "name,procs,seconds\na,2,6\nb,2,4\nc,4,4\n");
    if (!status)
        status = write_text("program-failures.csv", "0,0,1\n");
    if (!status)
        status = solve("pack", "plan", "{\"input\": \"program-tasks.json\", \"procs\": 4}", "cost",
                       "packs", &err);
    if (!status)
        status = solve("rigid", "simulate",
                       "{\"input\": \"program-jobs.csv\", \"procs\": 4, \"policy\": \"easy\","
                       " \"priority\": \"lpt\", \"failures\": \"program-failures.csv\"}",
                       "makespan", "lower_bound", &err);
    if (status)
        fprintf(stderr, "program: %s\n", err.text);
    remove("program-tasks.json");
    remove("program-jobs.csv");
    remove("program-failures.csv");
    return status ? 1 : 0;
}
