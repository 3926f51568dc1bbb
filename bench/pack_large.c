/* pack_large - a million tasks on 100,000 processors, without a table of n * p times.
 *
 * Prints what each policy needs and the most memory that the process ever held; a table would be
 * 800 GB.  Arguments: the tasks and the processors.
 */
#include "bench/bench.h"
#include "problems/pack/policy.h"

#include <sys/resource.h>

static void stop(const struct cs_error *err)
{
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

static double megabytes_held(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void plan_once(const struct cs_pack_instance *in, const char *policy, int threads,
                      struct cs_pack_plan *plan)
{
    struct cs_pack_request request = {.threads = threads};
    struct cs_pack_bounds bounds;
    struct cs_error err = {0};
    double start;
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, &err))
        stop(&err);
    start = cs_bench_now();
    if (cs_pack_plan_make(in, &request, plan, &err))
        stop(&err);
    start = cs_bench_now() - start;
    cs_pack_bounds_compute(in, &bounds);
    printf("%-28s %8d %10.2f %10d %12.4f %10.0f\n", policy, threads, start, plan->packs,
           100 * (plan->total / bounds.best - 1), megabytes_held());
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct cs_pack_generator generator = {.tasks = argc > 1 ? atoi(argv[1]) : 1000000,
                                          .procs = argc > 2 ? atoi(argv[2]) : 100000};
    struct cs_error err = {0};
    struct cs_workload *workload = cs_pack_generate("formula", &generator, &err);
    struct cs_pack_instance *in;
    struct cs_pack_plan *plan;

    if (!workload)
        stop(&err);
    in = cs_pack_instance_create(workload, generator.procs, generator.procs, &err);
    if (!in)
        stop(&err);
    plan = cs_pack_plan_create(workload->count);
    printf("%d tasks on %d processors\n", workload->count, generator.procs);
    printf("%-28s %8s %10s %10s %12s %10s\n", "policy", "threads", "seconds", "packs", "gap (%)",
           "MB held");
    plan_once(in, "pack-approx:states=two", 1, plan);
    plan_once(in, "pack-by-pack:epsilon=0.5", 1, plan);
    plan_once(in, "pack-by-pack", 1, plan);
    plan_once(in, "pack-by-pack", 2, plan);
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(workload);
    return 0;
}
