/* program.c - a program of somebody else's, who has cosched installed. */
#include <cosched/pack.h>
#include <cosched/rigid.h>
#include <stdio.h>

static int plan(const struct cs_workload *workload, struct cs_error *err)
{
    const struct cs_pack_request request = {.call = {.policy = 0}};
    struct cs_pack_instance *instance =
        cs_pack_instance_create(workload, 4, CS_PACK_UNLIMITED, err);
    int status = -1;

    if (!instance)
        return -1;
    struct cs_pack_plan *plan = cs_pack_plan_create(workload->count);
    if (cs_pack_plan_make(instance, &request, plan, err) == 0) {
        printf("%d packs, %g seconds\n", plan->packs, plan->total);
        status = 0;
    }
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(instance);
    return status;
}

static int simulate(struct cs_error *err)
{
    const double seconds[] = {6, 4, 4};
    const int procs[] = {2, 2, 4};
    const struct cs_rigid_jobs jobs = {3, 4, 0, seconds, procs};
    const int64_t failures[] = {0, 0, 1};
    struct cs_policy_call call;
    struct cs_rigid_outcome outcome;
    struct cs_rigid_scenarios *scenarios = cs_rigid_scenarios_measured(&jobs, 1, failures, err);
    const struct cs_rigid_study study = {
        .jobs = &jobs,
        .policy = cs_rigid_policy_parse("easy", &call, err),
        .param = call.param,
        .priority = cs_rigid_priority_find("lpt", err),
        .scenarios = scenarios,
    };
    int status = -1;

    if (scenarios && study.policy && study.priority)
        status = cs_rigid_study_run(&study, &outcome, err);
    if (status == 0)
        printf("%g seconds, at least %g\n", outcome.makespan, outcome.bound);
    cs_rigid_scenarios_destroy(scenarios);
    return status;
}

int main(void)
{
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 100, .seq_fraction = 0.2},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 60, .seq_fraction = 0},
    };
    struct cs_workload *workload = cs_workload_create(2, NULL, profile, NULL);
    struct cs_error err = {0};
    int status = plan(workload, &err);

    if (status == 0)
        status = simulate(&err);
    if (status != 0)
        fprintf(stderr, "program: %s\n", err.text);
    cs_workload_destroy(workload);
    return status == 0 ? 0 : 1;
}
