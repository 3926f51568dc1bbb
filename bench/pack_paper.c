/* pack_paper - Table 1 of Aupy et al.: the running times of the seven heuristics.
 *
 * Our times are for the same work on the stand-in workloads: one plan for each pack size of the
 * paper's figures, the mean over them; the paper's machine of 2012 is in the paper's column.
 */
#include "bench/bench.h"
#include "problems/pack/policy.h"

#include <string.h>

struct sweep {
    struct cs_pack_instance *instance[8];
    struct cs_pack_plan *plan;
    struct cs_pack_request request;
    int sizes, next;
};

static const struct {
    const char *workload;
    int procs, pack_size[8];
    double paper_us[7];
} workloads[] = {
    {"i", 16, {2, 4, 6, 8, 10}, {500, 30, 300, 70, 670, 50, 470}},
    {"ii-a", 16, {2, 4, 6, 8, 10, 12, 14, 16}, {300, 120, 1170, 340, 2710, 260, 2260}},
    {"ii-b", 16, {2, 4, 6, 8, 10, 12, 14, 16}, {300, 120, 1170, 340, 2710, 260, 2260}},
    {"iii-a", 32, {2, 4, 8, 16, 32}, {5120, 530, 5070, 9300, 87250, 4490, 39540}},
    {"iii-b", 32, {2, 4, 8, 16, 32}, {5120, 530, 5070, 9300, 87250, 4490, 39540}},
};

static const char *const policies[] = {
    "pack-approx", "pack-by-pack:epsilon=0.5", "pack-by-pack", "random-pack:runs=1",
    "random-pack", "random-proc:runs=1",       "random-proc",
};

#define POLICIES ((int)(sizeof policies / sizeof *policies))

static void stop(const struct cs_error *err)
{
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

/* One plan; the pack sizes take turns, so a long repetition measures their mean. */
static void plan_next(void *data)
{
    struct sweep *sweep = data;
    struct cs_error err = {0};

    if (cs_pack_plan_make(sweep->instance[sweep->next], &sweep->request, sweep->plan, &err))
        stop(&err);
    cs_bench_keep(sweep->plan->task);
    sweep->next = (sweep->next + 1) % sweep->sizes;
}

static void run_workload(size_t w)
{
    struct cs_error err = {0};
    struct cs_workload *workload = cs_pack_generate(workloads[w].workload, NULL, &err);
    struct cs_bench_case variant[POLICIES];
    struct sweep sweep[POLICIES];
    char title[64];
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (!workload)
        stop(&err);
    for (int i = 0; i < POLICIES; i++) {
        sweep[i] = (struct sweep){.plan = cs_pack_plan_create(workload->count)};
        if (cs_policy_parse(policies[i], list, count, &sweep[i].request.call, &err))
            stop(&err);
        while (sweep[i].sizes < 8 && workloads[w].pack_size[sweep[i].sizes]) {
            int size = workloads[w].pack_size[sweep[i].sizes];

            sweep[i].instance[sweep[i].sizes++] =
                cs_pack_instance_create(workload, workloads[w].procs, size, &err);
        }
        variant[i] =
            (struct cs_bench_case){policies[i], plan_next, &sweep[i], workloads[w].paper_us[i]};
    }
    snprintf(title, sizeof title, "Workload %s: %d tasks, %d processors", workloads[w].workload,
             workload->count, workloads[w].procs);
    cs_bench_compare(title, variant, POLICIES);
    for (int i = 0; i < POLICIES; i++) {
        for (int k = 0; k < sweep[i].sizes; k++)
            cs_pack_instance_destroy(sweep[i].instance[k]);
        cs_pack_plan_destroy(sweep[i].plan);
    }
    cs_workload_destroy(workload);
}

int main(void)
{
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        run_workload(w);
    return 0;
}
