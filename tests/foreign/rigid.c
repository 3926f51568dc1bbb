/* rigid.c - calls of the problem rigid. */
#include "calls.h"
#include "problems/rigid/study.h"

#include <math.h>

static void end_scenarios(void *s)
{
    cs_sched_scenarios_destroy(s);
}

static void end_schedule(void *s)
{
    cs_schedule_destroy(s);
}

static const double seconds[] = {10, 20, 30, 5};
static const int procs[] = {1, 4, 2, 8};
static const struct cs_sched_jobs four = {4, 8, 1, seconds, procs};

static void jobs(struct caller *c)
{
    const double time[] = {real(c, 1, 10), 2}, nothing[] = {0, 0};
    const int width[] = {whole(c, 1, 8), 2};
    const struct cs_sched_jobs set = {count(c, 2), whole(c, 8, 16), real(c, 0, 1),
                                      is_wild(c) ? nothing : time, is_wild(c) ? NULL : width};
    const int64_t failures[] = {whole(c, 0, 3), 1};
    double drawn[3];
    int wide[3];

    reported(c, cs_sched_jobs_check(is_wild(c) ? NULL : &set, err_of(c)) != 0);
    cs_sched_mean_area(is_wild(c) ? NULL : set.procs ? &set : &four);
    cs_sched_lower_bound(&set, is_wild(c) ? NULL : failures, draw(c) & 1);
    cs_sched_draw_jobs(draw(c), draw(c), count(c, 3), is_wild(c) ? NULL : drawn, wide);
}

static void policies(struct caller *c)
{
    struct cs_policy_call call;
    int known;

    cs_sched_policies(is_wild(c) ? NULL : &known);
    cs_sched_policy_at(whole(c, 0, 9));
    reported(c, !cs_sched_policy_parse(word(c, "easy"), is_wild(c) ? NULL : &call, err_of(c)));
    reported(c, !cs_sched_priority_find(word(c, "LPT"), err_of(c)));
}

static void scenarios(struct caller *c)
{
    const int64_t failures[] = {0, 1, 2, whole(c, 0, 3), 0, 0, 0, 0};
    const struct cs_sched_law law = {real(c, 0, 0.5), real(c, 1e-6, 1e-5)};
    struct cs_sched_scenarios *s = cs_sched_scenarios_create(
        is_wild(c) ? NULL : &four, law, draw(c), draw(c), count(c, 3), err_of(c));
    int64_t out[4];

    reported(c, !s);
    keep(c, SCENARIOS, s, end_scenarios);
    s = cs_sched_scenarios_measured(is_wild(c) ? NULL : &four, count(c, 2),
                                    is_wild(c) ? NULL : failures, err_of(c));
    reported(c, !s);
    keep(c, SCENARIOS, s, end_scenarios);
    s = cs_sched_scenarios_read(is_wild(c) ? NULL : &four, word(c, "/dev/null"), err_of(c));
    keep(c, SCENARIOS, s, end_scenarios);
    s = pick(c, SCENARIOS);
    reported(c, cs_sched_scenarios_get(s, whole(c, 0, 0), is_wild(c) ? NULL : out, err_of(c)) != 0);
}

static void study(struct caller *c)
{
    struct cs_policy_call call = {0};
    struct cs_sched_scenarios *set = pick(c, SCENARIOS);
    const struct cs_rigid_study study = {
        .jobs = is_wild(c) ? NULL : &four,
        .policy = cs_sched_policy_parse(word(c, "easy"), &call, NULL),
        .param = is_wild(c) ? NULL : call.param,
        .priority = is_wild(c) ? NULL : &cs_sched_priorities(&(int){0})[whole(c, 0, 3) & 3],
        .scenarios = set,
        .threads = whole(c, 0, 1) > 1 ? 2 : 0,
    };
    const char *const name[] = {"a", "b", "c", "d"};
    struct cs_rigid_outcome outcome[4];
    struct cs_schedule *s;
    double bound[4];

    reported(c, cs_rigid_study_run(is_wild(c) ? NULL : &study, outcome, err_of(c)) != 0);
    reported(c, cs_rigid_study_bounds(set, 0, is_wild(c) ? NULL : bound, err_of(c)) != 0);
    s = cs_rigid_study_schedule(is_wild(c) ? NULL : &study, whole(c, 0, 0),
                                is_wild(c) ? NULL : name, err_of(c));
    reported(c, !s);
    keep(c, SCHEDULE, s, end_schedule);
}

const struct call rigid_calls[] = {
    {"rigid_jobs", jobs},
    {"rigid_policies", policies},
    {"rigid_scenarios", scenarios},
    {"rigid_study", study},
    {NULL, NULL},
};
