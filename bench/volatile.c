/* volatile - nanoseconds for a simulated slot and microseconds for a decision, by policy; sums over
 * sets of hosts; and how long Tables I and II of the paper take.
 *
 * Seconds are those of the processor, so that other programs on the machine do not count.  The last
 * table runs a sample of the paper's 6,000 instances under its 17 policies and multiplies: wmin 1
 * to 10, one scenario and two trials each, or the number of scenarios in the argument.  Scenarios
 * of a wmin differ by a factor of a hundred, so that only many of them make a good estimate.
 */
#include "bench/bench.h"
#include "problems/volatile/simulate.h"
#include "problems/volatile/study.h"

#include <math.h>
#include <string.h>

#define TRIALS 20
#define INSTANCES 3000 /* of a table */
#define HARDEST 10     /* wmin */
#define SAMPLE 2       /* trials of a scenario */

static double cpu(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct cs_volatile_instance *scenario(int tasks, int transfers, int wmin, int number)
{
    const struct cs_volatile_generator generator = {20, tasks,   transfers, wmin,
                                                    10, 1000000, 2013,      (uint64_t)number};
    struct cs_error err = {0};

    return cs_volatile_generate(&generator, &err);
}

struct cost {
    double seconds, slots, decisions, log_makespan;
};

static struct cost run(const struct cs_volatile_instance *in, const char *text, int trials,
                       enum cs_volatile_pace pace)
{
    int count;
    const struct cs_policy *const *infos = cs_volatile_policies(&count);
    struct cs_policy_call call;
    struct cs_error err = {0};
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_estimator *estimator = cs_volatile_estimator_create(in);
    struct cs_volatile_simulation *simulation;
    struct cs_volatile_options options;
    struct cost cost = {0};

    if (cs_policy_parse(text, infos, count, &call, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    options = cs_volatile_options_of(cs_volatile_policy_list(&count)[call.policy], call.param);
    simulation = cs_volatile_simulation_create(
        in,
        cs_volatile_decider_create(estimator, cs_volatile_policy_list(&count)[call.policy], options,
                                   arena),
        options.prefetch, arena);
    for (int t = 0; t < trials; t++) {
        struct cs_volatile_source *source = cs_volatile_source_markov(in, 1, (uint64_t)t);
        struct cs_volatile_outcome out;
        double start = cpu();

        cs_volatile_simulation_run(simulation, source, 1, pace, NULL, NULL, &out);
        cost.seconds += cpu() - start;
        cost.slots += (double)out.slots;
        cost.decisions += (double)out.decisions;
        cost.log_makespan += log((double)out.slots);
        cs_volatile_source_destroy(source);
    }
    cs_volatile_estimator_destroy(estimator);
    cs_arena_destroy(arena);
    return cost;
}

static void compare_policies(int tasks, int wmin)
{
    static const char *const policy[] = {
        "ip",
        "ie",
        "iy",
        "iay",
        "random",
        "p-ip",
        "p-ie",
        "e-ie",
        "e-iay",
        "y-ie",
        "y-iy",
        "y-ie:aware=yes",
        "y-ie:prefetch=data,singles=yes,aware=yes",
        "t",
    };
    struct cs_volatile_instance *in = scenario(tasks, 10, wmin, 0);

    printf("\n%-42s %10s %12s %12s %12s\n", "20 hosts", "slots", "ns/slot", "us/decision",
           "slot by slot");
    printf("m = %d, wmin = %d\n", tasks, wmin);
    for (size_t i = 0; i < sizeof policy / sizeof *policy; i++) {
        struct cost fast = run(in, policy[i], TRIALS, CS_VOLATILE_SKIPPING);
        struct cost slow = run(in, policy[i], TRIALS, CS_VOLATILE_SLOTS);

        printf("%-42s %10.0f %12.1f %12.3f %12.1f\n", policy[i], exp(fast.log_makespan / TRIALS),
               1e9 * fast.seconds / fast.slots, 1e6 * fast.seconds / fast.decisions,
               slow.seconds / fast.seconds);
    }
    cs_volatile_instance_destroy(in);
}

struct sums {
    struct cs_volatile_summer *summer;
    struct cs_volatile_sets *sets;
    int count, turn;
};

/* Another first host each time, so that no result of the call before can be reused. */
static const int *hosts(struct sums *s)
{
    static int host[32];

    s->turn = (s->turn + 1) % (20 - s->count);
    for (int i = 0; i < s->count; i++)
        host[i] = s->turn + i;
    return host;
}

static void by_expansion(void *data)
{
    struct sums *s = data;
    struct cs_volatile_sums sums = cs_volatile_summer_expand(s->summer, hosts(s), s->count);

    cs_bench_keep(&sums);
}

static void by_nodes(void *data)
{
    struct sums *s = data;
    struct cs_volatile_sums sums = cs_volatile_summer_nodes(s->summer, hosts(s), s->count);

    cs_bench_keep(&sums);
}

static void by_table(void *data)
{
    struct sums *s = data;
    const int *host = hosts(s);
    int set = 0;

    for (int i = 0; i < s->count; i++)
        set = cs_volatile_sets_add(s->sets, set, host[i]);
    cs_bench_keep(cs_volatile_sets_get(s->sets, set));
}

static void compare_sums(void)
{
    struct cs_volatile_instance *in = scenario(10, 10, 1, 0);
    struct cs_volatile_sets *sets = cs_volatile_sets_create(in);

    for (int count = 2; count <= 10; count += 2) {
        struct sums s = {cs_volatile_sets_summer(sets), sets, count, 0};
        const struct cs_bench_case variant[] = {
            {"expansion", by_expansion, &s, 0},
            {"nodes", by_nodes, &s, 0},
            {"look-ups in the table, host by host", by_table, &s, 0},
        };
        char title[64];

        snprintf(title, sizeof title, "statistics of %d hosts", count);
        cs_bench_compare(title, variant, 3);
    }
    cs_volatile_sets_destroy(sets);
    cs_volatile_instance_destroy(in);
}

/* All policies of the paper: every one but those of the criteria that came later. */
static double seconds_of(const struct cs_volatile_instance *in)
{
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);
    double seconds = 0;

    for (int p = 0; p < count; p++)
        if (!list[p]->extpol && strcmp(list[p]->name, "it") && strcmp(list[p]->name, "t-it") &&
            strcmp(list[p]->name, "rate") && strcmp(list[p]->name, "proactive-rate"))
            seconds += run(in, list[p]->name, SAMPLE, CS_VOLATILE_SKIPPING).seconds;
    return seconds / SAMPLE;
}

static void extrapolate(int scenarios)
{
    double all = 0;

    printf("\n%-30s %14s\n", "an instance, 17 policies", "seconds");
    for (int tasks = 5; tasks <= 10; tasks += 5) {
        double table = 0;

        for (int wmin = 1; wmin <= HARDEST; wmin++) {
            double seconds = 0;

            for (int s = 0; s < scenarios; s++) {
                struct cs_volatile_instance *in = scenario(tasks, 10, wmin, 10 * s + wmin);

                seconds += seconds_of(in);
                cs_volatile_instance_destroy(in);
            }
            printf("m = %2d, wmin = %2d %27.3f\n", tasks, wmin, seconds / scenarios);
            fflush(stdout);
            table += seconds / scenarios / HARDEST;
        }
        printf("Table %s: %.1f processor minutes for %d instances\n", tasks == 5 ? "I" : "II",
               INSTANCES * table / 60, INSTANCES);
        all += INSTANCES * table / 60;
    }
    printf("both: %.1f processor minutes, %.1f minutes on two cores\n", all, all / 2);
}

int main(int argc, char **argv)
{
    compare_policies(5, 3);
    compare_policies(10, 3);
    compare_sums();
    extrapolate(argc > 1 ? atoi(argv[1]) : 1);
    return 0;
}
