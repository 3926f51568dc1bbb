/* golden_volatile.c - the golden cases of hosts that come and go: formulas, slots, offline optima.
 */
#include "base/arena.h"
#include "golden/golden.h"
#include "golden/volatile_kit.h"
#include "problems/volatile/estimate.h"
#include "problems/volatile/offline.h"
#include "problems/volatile/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOSTS 64

static void read_chain(const json_t *rows, struct cs_volatile_host *host)
{
    for (size_t i = 0; i < CS_VOLATILE_STATES; i++)
        for (size_t j = 0; j < CS_VOLATILE_STATES; j++)
            host->chain[i][j] = json_number_value(json_array_get(json_array_get(rows, i), j));
}

static int int_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

/* A formula to a relative 1e-12; null is what is undefined or infinite. */
static int check(const json_t *want, double got, const char *what, struct cs_error *err)
{
    double expected = json_number_value(want);

    if (!want)
        return 0;
    if (json_is_null(want) ? !isfinite(got) : fabs(got - expected) <= 1e-12 * fabs(expected))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got,
                        json_is_null(want) ? NAN : expected);
}

static int check_key(const json_t *expect, const char *key, double got, struct cs_error *err)
{
    return check(json_object_get(expect, key), got, key, err);
}

struct formula {
    struct cs_volatile_estimator *estimator;
    const json_t *expect;
    int set, hosts, host[HOSTS];
};

static int check_set(const struct formula *f, struct cs_error *err)
{
    struct cs_volatile_summer *summer = cs_volatile_sets_summer(f->estimator->sets);
    const struct cs_volatile_set *set = cs_volatile_sets_get(f->estimator->sets, f->set);
    struct cs_volatile_sums sums = cs_volatile_summer_of(summer, f->host, f->hosts);

    if (check_key(f->expect, "Eu", sums.eu, err) ||
        (isfinite(sums.eu) && check_key(f->expect, "A", sums.a, err)) ||
        check_key(f->expect, "P_plus", exp(-set->loss), err) ||
        check_key(f->expect, "Ec_partial", set->partial, err) ||
        check_key(f->expect, "gap_conditional", set->gap, err))
        return -1;
    if (!isfinite(sums.eu))
        return 0;
    sums = cs_volatile_summer_nodes(summer, f->host, f->hosts);
    if (check_key(f->expect, "Eu", sums.eu, err) || check_key(f->expect, "A", sums.a, err))
        return cs_error_prefix(err, "by nodes");
    sums = cs_volatile_summer_expand(summer, f->host, f->hosts);
    if (check_key(f->expect, "Eu", sums.eu, err) || check_key(f->expect, "A", sums.a, err))
        return cs_error_prefix(err, "by expansion");
    return 0;
}

static int check_workloads(const struct formula *f, struct cs_error *err)
{
    const struct cs_volatile_set *set = cs_volatile_sets_get(f->estimator->sets, f->set);
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(f->expect, "workload"), i, row)
    {
        int w = int_of(row, "W");

        if (check_key(row, "P", exp(cs_volatile_work_log_p(set, w)), err) ||
            check_key(row, "E_conditional", cs_volatile_work_time(set, CS_VOLATILE_CONDITIONAL, w),
                      err) ||
            check_key(row, "E_printed", cs_volatile_work_time(set, CS_VOLATILE_PRINTED, w), err))
            return cs_error_prefix(err, "W = %d", w);
    }
    return 0;
}

static int check_alive(const struct formula *f, struct cs_error *err)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(f->expect, "P_ND"), i, row)
    {
        double t = json_number_value(json_object_get(row, "t"));
        const struct cs_volatile_chain *chain =
            cs_volatile_sets_chain(f->estimator->sets, int_of(row, "worker"));

        if (check_key(row, "value", cs_volatile_chain_alive(chain, t), err))
            return cs_error_prefix(err, "P_ND of host %d at %g", int_of(row, "worker"), t);
    }
    return 0;
}

/* A workload of one slot beside the transfers has P = 1 and E = 1.  A null has nothing to say where
 * one slot is all there is to do. */
static int check_transfers(const struct formula *f, struct cs_error *err)
{
    static const char *const time_key[] = {"E_printed", "E_cond"};
    static const char *const chance_key[] = {"P_printed", "P_cond"};
    const json_t *comm = json_object_get(f->expect, "comm");
    int need[HOSTS];

    for (int q = 0; q < f->hosts; q++)
        need[q] = (int)json_integer_value(json_array_get(json_object_get(comm, "n"), (size_t)q));
    for (int e = 0; e < 2; e++) {
        const struct cs_volatile_load load = {f->set, f->hosts, f->host, need, 1};
        struct cs_volatile_value value =
            cs_volatile_evaluate(f->estimator, (enum cs_volatile_estimate)e, &load);

        if (json_is_number(json_object_get(comm, time_key[e])) &&
            (check_key(comm, time_key[e], value.time - 1, err) ||
             check_key(comm, chance_key[e], exp(value.log_p), err)))
            return cs_error_prefix(err, "comm");
    }
    return 0;
}

static int run_formula(const json_t *json, struct cs_error *err)
{
    const json_t *rows = json_object_get(json, "matrices_rows_u_r_d");
    struct formula f = {.expect = json_object_get(json, "expect"),
                        .hosts = (int)json_array_size(rows)};
    int ncom = int_of(json_object_get(f.expect, "comm"), "ncom"), status;
    struct cs_volatile_host host[HOSTS] = {{0}};
    struct cs_volatile_application app = {f.hosts, 1, 0, 100, ncom ? ncom : 1, 1000, 0, 0, 0};
    struct cs_volatile_instance *in;

    for (int q = 0; q < f.hosts; q++) {
        host[q] = (struct cs_volatile_host){.slots = 1, .capacity = CS_VOLATILE_UNLIMITED};
        read_chain(json_array_get(rows, (size_t)q), &host[q]);
        f.host[q] = q;
    }
    in = cs_volatile_instance_create(f.hosts, host, &app, err);
    if (!in)
        return -1;
    f.estimator = cs_volatile_estimator_create(in);
    for (int q = f.hosts - 1; q >= 0; q--)
        f.set = cs_volatile_sets_add(f.estimator->sets, f.set, q);
    status = check_set(&f, err) || check_workloads(&f, err) || check_alive(&f, err) ||
             check_transfers(&f, err) ||
             check_key(f.expect, "expected_slots_before_first_DOWN",
                       cs_volatile_sets_lifetime(f.estimator->sets, f.set), err);
    cs_volatile_estimator_destroy(f.estimator);
    cs_volatile_instance_destroy(in);
    return status ? -1 : 0;
}

struct replay {
    const json_t *slots;
    int hosts;
    size_t seen;
    struct cs_error *err;
};

static int compare_slot(const struct replay *r, int64_t t, const struct cs_volatile_span *span)
{
    const json_t *want = json_array_get(r->slots, (size_t)t);
    const char *act = json_string_value(json_object_get(want, "act"));

    if (!want)
        return cs_error_set(r->err, "slot %d is one more than expected", (int)t);
    for (int q = 0; q < r->hosts; q++) {
        long long x = json_integer_value(json_array_get(json_object_get(want, "x"), (size_t)q));

        if (span->tasks[q] != x)
            return cs_error_set(r->err, "slot %d: host %d has %d tasks, expected %lld", (int)t, q,
                                span->tasks[q], x);
    }
    if (strncmp(span->act, act, (size_t)r->hosts))
        return cs_error_set(r->err, "slot %d: %.*s, expected %s", (int)t, r->hosts, span->act, act);
    return 0;
}

static void watch(void *who, const struct cs_volatile_span *span)
{
    struct replay *r = who;

    for (int64_t t = span->from; t < span->to; t++, r->seen++)
        if (r->slots && !r->err->text[0])
            compare_slot(r, t, span);
}

static int compare_outcome(const json_t *expect, const struct cs_volatile_outcome *out,
                           const struct replay *r, struct cs_error *err)
{
    const json_t *makespan = json_object_get(expect, "makespan");
    int64_t want = json_is_null(makespan) ? -1 : json_integer_value(makespan);

    if (err->text[0])
        return -1;
    if (r->slots && r->seen != json_array_size(r->slots))
        return cs_error_set(err, "%zu slots, expected %zu", r->seen, json_array_size(r->slots));
    if (out->makespan != want)
        return cs_error_set(err, "makespan %d, expected %d", (int)out->makespan, (int)want);
    if (out->iterations != int_of(expect, "iterations_done") ||
        out->installed != int_of(expect, "configurations_installed") ||
        out->aborts != int_of(expect, "aborts_by_down"))
        return cs_error_set(err, "%d iterations, %d configurations, %d aborts", out->iterations,
                            (int)out->installed, (int)out->aborts);
    return 0;
}

struct scene {
    const json_t *json;
    const struct cs_volatile_instance *in;
    struct cs_volatile_estimator *estimator;
    struct cs_volatile_source *source;
    struct cs_arena *arena;
};

/* The policies are written in capitals there, and FIXED is not a policy. */
static struct cs_volatile_decider *decider_of(const struct scene *s, const char *name, int estimate,
                                              struct cs_error *err)
{
    struct cs_volatile_options options = {.estimate = (enum cs_volatile_estimate)estimate};
    struct cs_policy_call call;
    char text[16] = {0};
    int count, tasks[HOSTS];

    if (!strcmp(name, "FIXED")) {
        for (int q = 0; q < s->in->hosts; q++)
            tasks[q] = (int)json_integer_value(
                json_array_get(json_object_get(s->json, "fixed_config"), (size_t)q));
        return cs_volatile_decider_create_fixed(s->in, tasks, s->arena);
    }
    for (size_t i = 0; i + 1 < sizeof text && name[i]; i++)
        text[i] = (char)(name[i] == '-' ? '-' : name[i] - 'A' + 'a');
    cs_volatile_policies(&count);
    if (cs_policy_parse(text, cs_volatile_policies(&count), count, &call, err))
        return NULL;
    return cs_volatile_decider_create(s->estimator, cs_volatile_policy_list(&count)[call.policy],
                                      options, s->arena);
}

static int run_once(const struct scene *s, const json_t *run, enum cs_volatile_pace pace,
                    struct cs_error *err)
{
    const char *name = json_string_value(json_object_get(run, "heuristic"));
    bool conditional = !strcmp(json_string_value(json_object_get(run, "formula")), "conditional");
    const json_t *expect = json_object_get(run, "expect");
    struct replay r = {json_object_get(expect, "slots"), s->in->hosts, 0, err};
    struct cs_volatile_decider *decider =
        decider_of(s, name, conditional ? CS_VOLATILE_CONDITIONAL : CS_VOLATILE_PRINTED, err);
    struct cs_volatile_simulation *simulation;
    struct cs_volatile_outcome out;

    if (!decider)
        return -1;
    simulation = cs_volatile_simulation_create(s->in, decider, CS_VOLATILE_PREFETCH_NONE, s->arena);
    cs_volatile_simulation_run(simulation, s->source, 7, pace, watch, &r, &out);
    if (compare_outcome(expect, &out, &r, err))
        return cs_error_prefix(err, "%s, %s, %s", name, conditional ? "conditional" : "printed",
                               pace == CS_VOLATILE_SLOTS ? "slot by slot" : "skipping");
    return 0;
}

static int run_all(const struct scene *s, struct cs_error *err)
{
    const json_t *run;
    size_t i;

    json_array_foreach(json_object_get(s->json, "runs"), i, run)
    {
        if (run_once(s, run, CS_VOLATILE_SLOTS, err) || run_once(s, run, CS_VOLATILE_SKIPPING, err))
            return -1;
    }
    return 0;
}

static int run_trace(const json_t *json, struct cs_error *err)
{
    const json_t *workers = json_object_get(json, "workers"),
                 *traces = json_object_get(json, "trace");
    int hosts = (int)json_array_size(workers), status = -1;
    struct cs_volatile_application app = {int_of(json, "m"),
                                          int_of(json, "iterations"),
                                          int_of(json, "Tprog"),
                                          int_of(json, "Tdata"),
                                          int_of(json, "ncom"),
                                          1000000,
                                          0,
                                          0,
                                          0};
    struct cs_volatile_host host[HOSTS] = {{0}};
    const char *trace[HOSTS];
    struct cs_volatile_instance *in;
    struct scene s = {.json = json};

    for (int q = 0; q < hosts; q++) {
        const json_t *worker = json_array_get(workers, (size_t)q);

        read_chain(json_object_get(worker, "P"), &host[q]);
        host[q].slots = int_of(worker, "w");
        host[q].capacity = int_of(worker, "mu");
        trace[q] = json_string_value(json_array_get(traces, (size_t)q));
    }
    in = cs_volatile_instance_create(hosts, host, &app, err);
    s.in = in;
    s.source = in ? cs_volatile_source_traces(in, trace, err) : NULL;
    if (s.source) {
        s.arena = cs_arena_create();
        s.estimator = cs_volatile_estimator_create(in);
        status = run_all(&s, err);
        cs_volatile_estimator_destroy(s.estimator);
        cs_arena_destroy(s.arena);
    }
    cs_volatile_source_destroy(s.source);
    cs_volatile_instance_destroy(in);
    return status;
}

static int check_earliest(const json_t *want, int64_t got, const char *what, struct cs_error *err)
{
    int64_t expected = json_is_null(want) ? CS_VOLATILE_OFFLINE_NEVER : json_integer_value(want);

    if (got == expected)
        return 0;
    return cs_error_set(err, "%s is %d, expected %d", what, (int)got, (int)expected);
}

static int run_offline(const json_t *json, struct cs_error *err)
{
    const json_t *traces = json_object_get(json, "trace"),
                 *expect = json_object_get(json, "expect");
    const char *trace[HOSTS];
    struct cs_volatile_offline problem = {
        .hosts = (int)json_array_size(traces),
        .trace = trace,
        .tasks = int_of(json, "m"),
        .slots = int_of(json, "w"),
    };

    for (int q = 0; q < problem.hosts; q++)
        trace[q] = json_string_value(json_array_get(traces, (size_t)q));
    if (check_earliest(json_object_get(expect, "mu1_earliest"), cs_volatile_offline_one(&problem),
                       "mu1_earliest", err))
        return -1;
    return check_earliest(json_object_get(expect, "muinf_earliest"),
                          cs_volatile_offline_any(&problem), "muinf_earliest", err);
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));

    (void)path;
    if (kind && !strcmp(kind, "formula"))
        return run_formula(json, err);
    if (kind && !strcmp(kind, "trace"))
        return run_trace(json, err);
    if (kind && !strcmp(kind, "offline"))
        return run_offline(json, err);
    if (kind && !strcmp(kind, "fleet-read"))
        return golden_fleet_read(json, err);
    if (kind && !strcmp(kind, "laws"))
        return golden_fleet_laws(json, err);
    if (kind && !strcmp(kind, "fleet"))
        return golden_fleet_run(json, err);
    if (kind && !strcmp(kind, "deadline"))
        return golden_fleet_deadline(json, err);
    return cs_error_set(err, "this program does not know the kind %s", kind ? kind : "(none)");
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, NULL, run_case);
}
