/* case_jobs.h - twenty random jobs in a file, for a case of `rigid` with two policies. */
#ifndef CS_TESTS_UNIT_CASE_JOBS_H
#define CS_TESTS_UNIT_CASE_JOBS_H

#include "unit/kit.h"

#include <cosched/case.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char form[] =
    "{\"input\": \"%s\", \"procs\": 5000, \"mean-failure-probability\": 0.3, \"scenarios\": 30, "
    "\"policy\": [\"easy\", \"greedy\"], \"priority\": \"lpt\"}";

static char jobs[] = "/tmp/cs_case_XXXXXX", rigid[400];

static int make_jobs(void **state)
{
    (void)state;
    assert_true(close(mkstemp(jobs)) == 0);
    snprintf(rigid, sizeof rigid, form, jobs);
    return cs_case_generate("rigid", "{\"jobs\": 20, \"seed\": 3}", jobs, NULL, NULL);
}

static int remove_jobs(void **state)
{
    (void)state;
    return unlink(jobs);
}

#endif
