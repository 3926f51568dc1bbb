/* exact - how far branch and price gets on the stand-ins for the paper's workloads.
 *
 * One line a case: the plan of local search, the best plan, the proven bound, the gap, the nodes
 * of the tree and the seconds.  The paper calls optimal plans of Workload-II infeasible.
 * Arguments: the seconds allowed for one case (default 20), and the first letters of the
 * workloads to look at (default "ii-": "iii" is slow).
 */
#include "bench/bench.h"
#include "problems/pack/pack.h"

#include <string.h>

struct limit {
    double end;
};

static bool is_over(const void *who)
{
    return cs_bench_now() > ((const struct limit *)who)->end;
}

static double plan_once(const struct cs_pack_instance *in, const char *policy, double seconds,
                        struct cs_pack_plan *plan)
{
    double start = cs_bench_now();
    struct limit limit = {start + seconds};
    struct cs_pack_request request = {.threads = 1, .expired = is_over, .who = &limit};
    struct cs_error err = {0};
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, &err) ||
        cs_pack_plan_make(in, &request, plan, &err)) {
        fprintf(stderr, "bench: %s\n", err.text);
        exit(1);
    }
    return cs_bench_now() - start;
}

static double nodes_of(const struct cs_pack_plan *plan)
{
    for (int a = 0; a < CS_PACK_NOTES && plan->note[a].name; a++) {
        if (!strcmp(plan->note[a].name, "nodes"))
            return plan->note[a].number;
    }
    return 0;
}

static void solve(const char *name, const struct cs_workload *workload, int procs, int size,
                  double seconds)
{
    struct cs_pack_instance *in = cs_pack_instance_create(workload, procs, size, NULL);
    struct cs_pack_plan *plan = cs_pack_plan_create(workload->count);
    double search, took;

    plan_once(in, "local-search", seconds, plan);
    search = plan->total;
    took = plan_once(in, "exact:method=branch", seconds, plan);
    printf("%-6s %3d %14.4f %14.4f %14.4f %8.4f%s %6.0f %8.3f\n", name, size, search, plan->total,
           plan->bound, 100 * (plan->total / plan->bound - 1), plan->optimal ? " *" : "  ",
           nodes_of(plan), took);
    fflush(stdout);
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int procs, sizes, size[8];
    } set[] = {
        {"ii-a", 16, 8, {2, 4, 6, 8, 10, 12, 14, 16}},
        {"ii-b", 16, 8, {2, 4, 6, 8, 10, 12, 14, 16}},
        {"iii-a", 32, 5, {2, 4, 8, 16, 32}},
        {"iii-b", 32, 5, {2, 4, 8, 16, 32}},
    };
    double seconds = argc > 1 ? atof(argv[1]) : 20;
    const char *wanted = argc > 2 ? argv[2] : "ii-";

    printf("%-6s %3s %14s %14s %14s %8s   %6s %8s\n", "", "k", "local search", "exact", "bound",
           "gap %", "nodes", "seconds");
    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        struct cs_workload *workload;

        if (strncmp(set[s].name, wanted, strlen(wanted)))
            continue;
        workload = cs_pack_generate(set[s].name, NULL, NULL);
        for (int k = 0; k < set[s].sizes; k++)
            solve(set[s].name, workload, set[s].procs, set[s].size[k], seconds);
        cs_workload_destroy(workload);
    }
    return 0;
}
