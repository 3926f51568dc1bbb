/* science_parts.c - known optima, energy, packing by dynamic program, hindsight optima, patterns
 * (docs/spec/science.md 3 to 6, 10 and 11), and inputs that are refused.
 */
#include "golden/golden.h"
#include "golden/science_kit.h"

#include "model/energy.h"
#include "model/pattern.h"
#include "model/trap.h"
#include "problems/malleable/bound.h"
#include "problems/malleable/optimum.h"
#include "problems/pack/policy.h"
#include "problems/rigid/simulate.h"
#include "problems/volatile/offline.h"
#include "sched/priority.h"

#include <cosched/case.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *at(const json_t *json, const char *key)
{
    return json_object_get(json, key);
}

static double real(const json_t *json, const char *key)
{
    const json_t *value = at(json, key);

    return json_is_string(value) ? INFINITY : json_number_value(value);
}

static int64_t whole(const json_t *json, const char *key, int64_t fallback)
{
    const json_t *value = at(json, key);

    return value ? json_integer_value(value) : fallback;
}

static bool is_word(const json_t *json, const char *key, const char *word)
{
    const char *text = json_string_value(at(json, key));

    return text && !strcmp(text, word);
}

static uint64_t seed_of(const json_t *in)
{
    return (uint64_t)whole(in, "seed", 1);
}

/* `key` of the expectation is there and another number. */
static int check_number(const json_t *want, const char *key, double got, struct cs_error *err)
{
    return at(want, key) ? golden_number(at(want, key), got, key, err) : 0;
}

static int check_integers(const json_t *want, const char *key, const int *got, int count,
                          struct cs_error *err)
{
    const json_t *list = at(want, key);

    if (list && json_array_size(list) != (size_t)count)
        return cs_error_set(err, "%s: %d numbers, expected %zu", key, count, json_array_size(list));
    for (int i = 0; list && i < count; i++)
        if (json_integer_value(json_array_get(list, (size_t)i)) != got[i])
            return cs_error_set(err, "%s[%d] is %d", key, i, got[i]);
    return 0;
}

/* ---- 3-PARTITION ---- */

static struct cs_partition *partition_of(const json_t *in, struct cs_arena *arena,
                                         struct cs_error *err)
{
    const json_t *numbers = at(in, "numbers");
    const int count = (int)json_array_size(numbers);
    const uint64_t seed = seed_of(in), set = (uint64_t)whole(in, "set", 0);
    const int64_t triples = whole(in, "triples", 4);
    int *number = CS_NEW_ARRAY(arena, int, count);

    for (int i = 0; i < count; i++)
        number[i] = (int)json_integer_value(json_array_get(numbers, (size_t)i));
    if (numbers)
        return cs_partition_given(number, count, arena, err);
    if (is_word(in, "answer", "no"))
        return cs_partition_draw_no(triples, whole(in, "spread", 4), seed, set, arena, err);
    return cs_partition_draw_yes(triples, whole(in, "bound", 40), seed, set, arena, err);
}

/* A row of times on every `step`-th count; the golden one may be shorter. */
static int check_row(const json_t *want, const char *key, const struct cs_profile *profile,
                     int step, struct cs_error *err)
{
    const json_t *row = at(want, key), *value;
    size_t j;

    json_array_foreach(row, j, value)
    {
        if (golden_number(value, profile->seconds[(j + 1) * (size_t)step - 1], key, err))
            return cs_error_prefix(err, "count %zu", j + 1);
    }
    return 0;
}

static int check_table(const json_t *want, const struct cs_trap_table *table, int step,
                       struct cs_error *err)
{
    return check_number(want, "procs", table->procs, err) ||
                   check_number(want, "tasks", table->tasks, err) ||
                   check_number(want, "deadline", table->deadline, err) ||
                   check_row(want, "row_0", &table->profile[0], step, err) ||
                   check_row(want, "last_row", &table->profile[table->tasks - 1], step, err)
               ? -1
               : 0;
}

/* The cost of the plan of a policy, which stays in *plan if that is not NULL. */
static double pack_cost(const struct cs_workload *workload, int procs, int size, const char *policy,
                        uint64_t seed, struct cs_pack_plan **plan, struct cs_error *err)
{
    struct cs_pack_instance *in = cs_pack_instance_create(workload, procs, size, err);
    struct cs_pack_plan *made = cs_pack_plan_create(workload->count);
    struct cs_pack_request request = {.seed = seed};
    double cost = NAN;
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (in && !cs_policy_parse(policy, list, count, &request.call, err) &&
        !cs_pack_plan_make(in, &request, made, err))
        cost = made->total;
    if (plan)
        *plan = made;
    else
        cs_pack_plan_destroy(made);
    cs_pack_instance_destroy(in);
    return cost;
}

static int check_pack_table(const json_t *want, const struct cs_partition *p, int64_t size,
                            struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_trap_table *table = cs_partition_pack(p, size, arena, err);
    struct cs_workload *workload;
    double cost;

    if (!table || check_table(want, table, 1, err))
        return -1;
    if (!at(want, "optimum"))
        return 0;
    workload = cs_workload_create(table->tasks, NULL, table->profile, err);
    cost = pack_cost(workload, table->procs, (int)size, "exact", 0, NULL, err);
    cs_workload_destroy(workload);
    return check_number(want, "optimum", cost, err);
}

/* ---- malleable ---- */

static int check_policies(const json_t *want, const struct cs_malleable_instance *in,
                          struct cs_malleable_trace *trace, struct cs_error *err)
{
    static const char *const name[] = {"none", "local", "greedy"};

    for (int p = 0; p < 3; p++) {
        struct cs_malleable_rules rules = cs_malleable_rules_paper();
        struct cs_malleable_simulation *simulation;
        struct cs_malleable_outcome outcome;

        rules.on_end = CS_MALLEABLE_END_NONE + p;
        simulation = cs_malleable_simulation_create(in, &rules, err);
        if (!simulation)
            return -1;
        if (trace)
            cs_malleable_trace_begin(trace, 0);
        cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
        cs_malleable_simulation_destroy(simulation);
        if (check_number(want, name[p], outcome.makespan, err))
            return -1;
    }
    return 0;
}

static int check_optimum(const json_t *want, const struct cs_malleable_instance *in,
                         struct cs_malleable_trace *trace, struct cs_arena *arena,
                         struct cs_error *err)
{
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_optimum optimum;

    if (check_policies(want, in, trace, err))
        return -1;
    if (!at(want, "optimum") && !at(want, "bound"))
        return 0;
    if (cs_malleable_optimum_find(in, &rules, trace, 0, true, arena, &optimum, err) ||
        check_number(want, "optimum", optimum.makespan, err))
        return -1;
    if (!optimum.proven)
        return cs_error_set(err, "the optimum is not proven");
    return check_number(want, "bound", optimum.bound, err);
}

static struct cs_malleable_instance *instance_of_table(const struct cs_trap_table *table,
                                                       struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_malleable_platform platform = {
        .procs = table->procs, .mtbf = INFINITY, .fault_free = true};
    struct cs_malleable_task *task = CS_NEW_ARRAY(arena, struct cs_malleable_task, table->tasks);

    for (int i = 0; i < table->tasks; i++)
        task[i] = (struct cs_malleable_task){.seconds = 1, .profile = &table->profile[i]};
    return cs_malleable_instance_create(table->tasks, task, &platform, err);
}

static int check_partition_malleable(const json_t *want, const struct cs_partition *p,
                                     struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_trap_table *table = cs_partition_malleable(p, arena);
    struct cs_malleable_instance *in;
    int status;

    if (check_table(want, table, 2, err))
        return -1;
    in = instance_of_table(table, arena, err);
    status = in ? check_optimum(want, in, NULL, arena, err) : -1;
    cs_malleable_instance_destroy(in);
    return status;
}

static int check_partition(const json_t *in, const json_t *want, struct cs_arena *arena,
                           struct cs_error *err)
{
    const struct cs_partition *p = partition_of(in, arena, err);
    const char *answer = p ? cs_answer_name(p->answer) : NULL;
    const json_t *part;

    if (!p || check_integers(want, "numbers", p->number, 3 * p->triples, err) ||
        check_number(want, "bound", p->bound, err))
        return -1;
    if (at(want, "answer") &&
        (answer ? !is_word(want, "answer", answer) : !json_is_null(at(want, "answer"))))
        return cs_error_set(err, "answer is %s", answer ? answer : "open");
    if ((part = at(want, "pack")) &&
        check_pack_table(part, p, whole(in, "pack_size", 3), arena, err))
        return cs_error_prefix(err, "pack");
    if ((part = at(want, "malleable")) && check_partition_malleable(part, p, arena, err))
        return cs_error_prefix(err, "malleable");
    if (check_number(at(want, "rigid"), "procs", p->bound, err) ||
        check_number(at(want, "rigid"), "deadline", p->triples, err) ||
        check_number(at(want, "moldable"), "procs", p->bound, err) ||
        check_number(at(want, "moldable"), "deadline", p->triples, err) ||
        check_number(at(want, "ptg"), "procs", p->triples, err))
        return -1;
    return check_number(at(want, "ptg"), "deadline", p->bound, err);
}

/* Rows of times on pairs of processors. */
static struct cs_trap_table *table_of_pairs(const json_t *rows, int procs, struct cs_arena *arena)
{
    struct cs_trap_table *table = CS_NEW(arena, struct cs_trap_table);

    table->tasks = (int)json_array_size(rows);
    table->procs = procs;
    table->profile = CS_NEW_ARRAY(arena, struct cs_profile, table->tasks);
    for (int i = 0; i < table->tasks; i++) {
        const json_t *row = json_array_get(rows, (size_t)i);
        double *seconds = CS_NEW_ARRAY(arena, double, procs);

        for (int q = 1; q <= procs / 2; q++)
            seconds[2 * q - 1] = json_number_value(json_array_get(row, (size_t)q - 1));
        cs_trap_fill_odd(seconds, procs);
        table->profile[i] =
            (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = procs, .seconds = seconds};
    }
    return table;
}

static struct cs_malleable_instance *malleable_of(const json_t *in, struct cs_arena *arena,
                                                  struct cs_error *err)
{
    const json_t *tasks = at(in, "tasks");
    const int count = (int)json_array_size(tasks), procs = (int)whole(in, "procs", 0);
    const struct cs_malleable_platform platform = {
        .procs = procs,
        .mtbf = real(in, "mtbf"),
        .downtime = real(in, "downtime"),
        .fault_free = json_is_true(at(in, "fault_free")),
    };
    struct cs_malleable_task *task = CS_NEW_ARRAY(arena, struct cs_malleable_task, count);

    if (at(in, "pair_rows"))
        return instance_of_table(table_of_pairs(at(in, "pair_rows"), procs, arena), arena, err);
    for (int i = 0; i < count; i++) {
        const json_t *one = json_array_get(tasks, (size_t)i);

        task[i] = (struct cs_malleable_task){
            .seconds = real(one, "seq_time"),
            .sequential_fraction = real(one, "seq_fraction"),
            .overhead = real(one, "overhead"),
            .checkpoint = real(one, "checkpoint"),
            .data = real(one, "data"),
        };
    }
    return cs_malleable_instance_create(count, task, &platform, err);
}

static int check_malleable(const json_t *in, const json_t *want, struct cs_arena *arena,
                           struct cs_error *err)
{
    const json_t *faults = at(in, "faults");
    const size_t count = json_array_size(faults);
    struct cs_fault *fault = CS_NEW_ARRAY(arena, struct cs_fault, count + 1);
    struct cs_malleable_instance *instance = malleable_of(in, arena, err);
    struct cs_malleable_trace *trace;
    int status;

    if (!instance)
        return -1;
    for (size_t f = 0; f < count; f++) {
        const json_t *one = json_array_get(faults, f);

        fault[f] = (struct cs_fault){json_number_value(json_array_get(one, 0)),
                                     (int)json_integer_value(json_array_get(one, 1))};
    }
    trace = cs_malleable_trace_list(count, fault, err);
    status = trace ? check_optimum(want, instance, trace, arena, err) : -1;
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(instance);
    return status;
}

/* ---- bi-cliques, jobs, packs ---- */

static int check_planted(const json_t *want, const struct cs_biclique *b, struct cs_error *err)
{
    const json_t *list = at(want, "planted");
    const json_t *pair =
        json_pack("{s:O, s:O}", "hosts", json_array_get(list, 0), "slots", json_array_get(list, 1));
    const int status = check_integers(pair, "hosts", b->host, b->planted_hosts, err) ||
                               check_integers(pair, "slots", b->slot, b->planted_slots, err)
                           ? -1
                           : 0;

    json_decref((json_t *)(size_t)pair);
    return status;
}

static int check_biclique(const json_t *in, const json_t *want, struct cs_arena *arena,
                          struct cs_error *err)
{
    struct cs_biclique b = {
        .hosts = (int)whole(in, "hosts", 20),
        .slots = (int)whole(in, "slots", 40),
        .planted_hosts = (int)whole(in, "planted_hosts", 6),
        .planted_slots = (int)whole(in, "planted_slots", 12),
        .density = real(in, "density"),
        .free = is_word(in, "trap", "biclique-free"),
    };
    struct cs_volatile_offline offline;
    const char **trace;

    if (cs_biclique_draw(&b, seed_of(in), (uint64_t)whole(in, "set", 0), arena, err))
        return -1;
    trace = CS_NEW_ARRAY(arena, const char *, b.hosts);
    for (int h = 0; h < b.hosts; h++) {
        char *text = CS_NEW_ARRAY(arena, char, b.columns + 1);
        const char *state = json_string_value(json_array_get(at(want, "states"), (size_t)h));

        for (int s = 0; s < b.columns; s++)
            text[s] = b.up[h * b.columns + s] ? 'u' : 'r';
        trace[h] = text;
        if (!state || strcmp(state, text))
            return cs_error_set(err, "host %d: %s", h, text);
    }
    offline = (struct cs_volatile_offline){b.hosts, trace, b.tasks, b.slots_a_task, 0};
    return check_planted(want, &b, err) || check_number(want, "tasks", b.tasks, err) ||
                   check_number(want, "slots_a_task", b.slots_a_task, err) ||
                   check_number(want, "capacity", b.capacity, err) ||
                   check_number(want, "slots",
                                (double)(b.free ? cs_volatile_offline_any(&offline)
                                                : cs_volatile_offline_one(&offline)),
                                err)
               ? -1
               : 0;
}

static int check_jobs(const json_t *want, const struct cs_trap_jobs *jobs, struct cs_error *err)
{
    const json_t *list = at(want, "jobs"), *one;
    size_t j;

    if (json_is_integer(list))
        return check_number(want, "jobs", jobs->count, err);
    if (json_array_size(list) != (size_t)jobs->count)
        return cs_error_set(err, "%d jobs", jobs->count);
    json_array_foreach(list, j, one)
    {
        if (json_integer_value(json_array_get(one, 0)) != jobs->width[j] ||
            json_number_value(json_array_get(one, 1)) != jobs->seconds[j] ||
            json_integer_value(json_array_get(one, 2)) != jobs->failures[j])
            return cs_error_set(err, "job %zu: %d, %g, %lld", j, jobs->width[j], jobs->seconds[j],
                                (long long)jobs->failures[j]);
    }
    return 0;
}

static int check_tight(const json_t *in, const json_t *want, struct cs_arena *arena,
                       struct cs_error *err)
{
    const bool greedy = is_word(in, "trap", "greedy");
    const struct cs_trap_jobs *jobs =
        greedy ? cs_trap_greedy(whole(in, "procs", 0), arena, err)
               : cs_trap_ljf(whole(in, "groups", 8), whole(in, "slots", 32), arena, err);
    const struct cs_sched_priority *priority =
        cs_sched_priority_find(greedy ? "spt" : "ljf-given", err);
    struct cs_rigid_simulation *simulation;
    const struct cs_sched_policy *policy;
    struct cs_policy_call call;
    struct cs_sched_jobs set;
    double makespan;

    if (!jobs || !priority || check_jobs(want, jobs, err))
        return -1;
    set = (struct cs_sched_jobs){jobs->count, jobs->procs, 0, jobs->seconds, jobs->width};
    policy =
        cs_sched_policy_parse(greedy ? "list:reservations=0" : "list:reservations=all", &call, err);
    simulation =
        policy ? cs_rigid_simulation_create(
                     cs_sched_priority_instance(priority, &set, &(struct cs_sched_draw){0}, arena),
                     policy, call.param, arena, err)
               : NULL;
    if (!simulation)
        return -1;
    makespan = cs_rigid_simulation_run(simulation, jobs->failures, NULL, NULL);
    return check_number(want, "procs", jobs->procs, err) ||
                   check_number(want, "makespan", makespan, err) ||
                   check_number(want, "optimum", jobs->optimum, err) ||
                   check_number(want, "ratio", makespan / jobs->optimum, err) ||
                   check_number(want, "proven_ratio", jobs->proven, err)
               ? -1
               : 0;
}

static int check_ratio(const json_t *in, const json_t *want, struct cs_arena *arena,
                       struct cs_error *err)
{
    const struct cs_trap_table *table =
        cs_trap_parallel(whole(in, "tasks", 24), whole(in, "procs", 16), arena, err);
    struct cs_workload *workload;
    double cost;

    if (!table)
        return -1;
    workload = cs_workload_create(table->tasks, NULL, table->profile, err);
    cost = pack_cost(workload, table->procs, (int)whole(in, "pack_size", 1),
                     "pack-approx:mode=printed", 0, NULL, err);
    cs_workload_destroy(workload);
    return check_number(want, "cost_printed", cost, err) ||
                   check_number(want, "optimum", table->deadline, err) ||
                   check_number(want, "ratio", cost / table->deadline, err)
               ? -1
               : 0;
}

static int check_shelf(const json_t *in, const json_t *want, struct cs_error *err)
{
    const int procs = (int)whole(in, "procs", 10);
    const double unit = real(in, "time_unit"), rate = real(in, "rate");
    const double shelf = cs_trap_shelf_expected(procs, unit, rate);
    const double optimum = cs_trap_shelf_optimum(procs, unit, rate);

    return check_number(want, "shelf", shelf, err) || check_number(want, "optimum", optimum, err) ||
                   check_number(want, "ratio", shelf / optimum, err)
               ? -1
               : 0;
}

static struct cs_workload *workload_of(const json_t *rows, struct cs_arena *arena,
                                       struct cs_error *err)
{
    const size_t count = json_array_size(rows);
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, count);

    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        const size_t counts = json_array_size(row);
        double *seconds = CS_NEW_ARRAY(arena, double, counts);

        for (size_t j = 0; j < counts; j++)
            seconds[j] = json_number_value(json_array_get(row, j));
        profile[i] =
            (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = (int)counts, .seconds = seconds};
    }
    return cs_workload_create((int)count, NULL, profile, err);
}

/* A member of a pack is a task, or [task, processors]. */
static int check_members(const json_t *pack, const struct cs_pack_plan *plan, int b,
                         struct cs_error *err)
{
    const json_t *one;
    size_t a;

    if (json_array_size(pack) != (size_t)(plan->first[b + 1] - plan->first[b]))
        return cs_error_set(err, "%d tasks", plan->first[b + 1] - plan->first[b]);
    json_array_foreach(pack, a, one)
    {
        const int place = plan->first[b] + (int)a;
        const json_t *task = json_is_array(one) ? json_array_get(one, 0) : one;

        if (json_integer_value(task) != plan->task[place] ||
            (json_is_array(one) &&
             json_integer_value(json_array_get(one, 1)) != plan->procs[place]))
            return cs_error_set(err, "task %d on %d", plan->task[place], plan->procs[place]);
    }
    return 0;
}

static int check_plan(const json_t *want, const struct cs_pack_plan *plan, double cost,
                      struct cs_error *err)
{
    const json_t *packs = at(want, "packs");

    if (isnan(cost) || check_number(want, "cost", cost, err))
        return -1;
    if (at(want, "eps") && check_number(want, "eps", plan->note[0].number, err))
        return -1;
    if (json_array_size(packs) != (size_t)plan->packs)
        return cs_error_set(err, "%d packs", plan->packs);
    for (int b = 0; b < plan->packs; b++)
        if (check_members(json_array_get(packs, (size_t)b), plan, b, err))
            return cs_error_prefix(err, "pack %d", b);
    return 0;
}

static int check_pack_dp(const json_t *in, const json_t *want, struct cs_arena *arena,
                         struct cs_error *err)
{
    static const struct {
        const char *key, *policy;
    } way[] = {{"greedy", "pack-by-pack"},
               {"dynamic", "pack-by-pack:fill=dp"},
               {"naive", "random-naive:runs=1"}};
    struct cs_workload *workload = workload_of(at(in, "rows"), arena, err);
    int status = workload ? 0 : -1;

    for (int w = 0; w < 3 && !status; w++) {
        struct cs_pack_plan *plan;
        const double cost =
            pack_cost(workload, (int)whole(in, "procs", 1), (int)whole(in, "pack_size", 1),
                      way[w].policy, seed_of(in), &plan, err);

        if (at(want, way[w].key) && check_plan(at(want, way[w].key), plan, cost, err))
            status = cs_error_prefix(err, "%s", way[w].key);
        cs_pack_plan_destroy(plan);
    }
    cs_workload_destroy(workload);
    return status;
}

/* ---- energy ---- */

static enum cs_bar_kind kind_of(const char *word)
{
    for (int kind = 1; kind <= CS_BAR_KIND_LAST; kind++)
        if (!strcmp(word, cs_bar_kind_name(kind)))
            return (enum cs_bar_kind)kind;
    return CS_BAR_MOVE; /* "transfer" */
}

static int add_bar(struct cs_schedule *schedule, const json_t *bar, struct cs_error *err)
{
    const json_t *procs = json_array_get(bar, 2), *proc;
    size_t p;

    json_array_foreach(procs, p, proc)
    {
        const int number = (int)json_integer_value(proc);
        const struct cs_interval one = {number, number};
        const struct cs_bar made = {
            .kind = kind_of(json_string_value(json_array_get(bar, 3))),
            .attempt = 1,
            .group = -1,
            .start = json_number_value(json_array_get(bar, 0)),
            .end = json_number_value(json_array_get(bar, 1)),
            .intervals = 1,
            .procs = &one,
        };

        if (cs_schedule_add(schedule, &made, err))
            return -1;
    }
    return 0;
}

static struct cs_watts watts_of(const json_t *in, const char *wake)
{
    return (struct cs_watts){real(in, "busy"), real(in, "idle"), real(in, "off"),
                             at(in, "off_after") ? real(in, "off_after") : NAN, real(in, wake)};
}

static int check_energy(const json_t *in, const json_t *want, struct cs_error *err)
{
    const struct cs_energy_options options = {watts_of(in, "wake_joules"),
                                              (int)whole(in, "per_node", 1),
                                              at(in, "horizon") ? real(in, "horizon") : NAN};
    struct cs_schedule *schedule = cs_schedule_create("pack", (int)whole(in, "procs", 1), 1, NULL);
    struct cs_energy energy;
    int status = cs_watts_check(&options.watts, err);
    const json_t *bar;
    size_t b;

    json_array_foreach(at(in, "bars"), b, bar)
    {
        if (!status)
            status = add_bar(schedule, bar, err);
    }
    if (!status)
        status = cs_energy_of(schedule, &options, &energy, err);
    cs_schedule_destroy(schedule);
    if (status)
        return status;
    return check_number(want, "busy", energy.busy, err) ||
                   check_number(want, "idle", energy.idle, err) ||
                   check_number(want, "off", energy.off, err) ||
                   check_number(want, "wake", energy.wake, err) ||
                   check_number(want, "energy", energy.total, err)
               ? -1
               : 0;
}

/* ---- patterns ---- */

static struct cs_pattern_costs costs_of(const json_t *in)
{
    return (struct cs_pattern_costs){
        real(in, "verification"), real(in, "memory_checkpoint"), real(in, "disk_checkpoint"),
        real(in, "downtime"),     real(in, "memory_recovery"),   real(in, "disk_recovery"),
        real(in, "silent_rate"),  real(in, "fail_stop_rate"),    real(in, "fatal_share")};
}

static int check_close(const json_t *want, const char *key, double got, double tolerance,
                       struct cs_error *err)
{
    const double number = real(want, key);

    return !at(want, key) || fabs(got - number) <= tolerance * fabs(number)
               ? 0
               : cs_error_set(err, "%s is %.17g, expected %.17g", key, got, number);
}

/* A quotient less 1: 1e-12 of the quotient, since the difference has no more digits. */
static int check_overhead(const json_t *want, double got, struct cs_error *err)
{
    const double number = real(want, "best_overhead");

    return !at(want, "best_overhead") || fabs(got - number) <= 1e-12 * (1 + number)
               ? 0
               : cs_error_set(err, "best_overhead is %.17g, expected %.17g", got, number);
}

static int check_first_order(const json_t *want, const struct cs_pattern_costs *costs,
                             struct cs_error *err)
{
    double overhead;
    const struct cs_pattern p = cs_pattern_first_order(costs, &overhead);

    return check_number(want, "K", p.segments, err) || check_number(want, "m", p.chunks, err) ||
                   check_number(want, "work", p.segments * p.chunks * p.work, err) ||
                   check_number(want, "overhead", overhead, err)
               ? -1
               : 0;
}

static int check_pattern(const json_t *in, const json_t *want, struct cs_error *err)
{
    const struct cs_pattern_costs costs = costs_of(in);
    struct cs_pattern p = {(int)whole(in, "segments", 1), (int)whole(in, "chunks", 1), 0};
    const struct cs_pattern best = cs_pattern_best(&costs, p.segments, p.chunks);
    const json_t *runs = at(in, "simulate"), *work;
    struct cs_stats stats;
    size_t w;

    if (cs_pattern_costs_check(&costs, err) ||
        check_first_order(at(want, "first_order"), &costs, err))
        return -1;
    json_array_foreach(at(in, "work"), w, work)
    {
        p.work = json_number_value(work);
        if (golden_number(json_array_get(at(want, "expected"), w), cs_pattern_expected(&costs, &p),
                          "expected", err))
            return -1;
    }
    if (check_close(want, "best_chunk", best.work, 1e-6, err) ||
        check_overhead(want, cs_pattern_overhead(&costs, &best), err))
        return -1;
    p.work = real(runs, "chunk");
    stats = cs_pattern_simulate(&costs, &p, seed_of(runs), whole(runs, "runs", 0));
    return check_number(want, "simulated_mean", cs_stats_mean(&stats), err);
}

static int check_layout(const json_t *in, const json_t *want, struct cs_error *err)
{
    const struct cs_pattern_task task = {real(in, "verification"), real(in, "checkpoint"),
                                         real(in, "disk"),         real(in, "downtime"),
                                         real(in, "mtbf"),         real(in, "silent_mtbf")};
    const struct cs_pattern_layout l =
        cs_pattern_lay_out(&task, (int)whole(in, "procs", 1), real(in, "seconds"));

    return check_number(want, "segments", l.pattern.segments, err) ||
                   check_number(want, "chunks", l.pattern.chunks, err) ||
                   check_number(want, "chunk", l.pattern.work, err) ||
                   check_number(want, "whole", l.whole, err) ||
                   check_number(want, "rest_segments", l.rest.segments, err) ||
                   check_number(want, "rest_chunk", l.rest.work, err) ||
                   check_number(want, "fault_free", l.fault_free, err) ||
                   check_number(want, "expected", cs_pattern_layout_expected(&l), err)
               ? -1
               : 0;
}

/* ---- what is refused ---- */

static bool refuses_trap(const json_t *in, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_biclique b = {(int)whole(in, "hosts", 20), (int)whole(in, "slots", 40),
                            (int)whole(in, "planted_hosts", 6), (int)whole(in, "planted_slots", 12),
                            .density = 0.5};

    if (is_word(in, "trap", "ljf"))
        return !cs_trap_ljf(whole(in, "groups", 8), whole(in, "slots", 32), arena, err);
    if (is_word(in, "trap", "parallel"))
        return !cs_trap_parallel(whole(in, "tasks", 24), whole(in, "procs", 16), arena, err);
    if (is_word(in, "trap", "biclique") || is_word(in, "trap", "biclique-free"))
        return cs_biclique_draw(&b, 1, 0, arena, err) < 0;
    if (is_word(in, "trap", "greedy"))
        return !cs_trap_greedy(whole(in, "procs", 0), arena, err);
    {
        const struct cs_partition *p = partition_of(in, arena, err);

        return !p || !cs_partition_pack(p, whole(in, "pack_size", 3), arena, err);
    }
}

static int refuses(const json_t *in, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_watts watts;
    struct cs_pattern_costs costs;

    if (at(in, "trap"))
        return refuses_trap(in, arena, err);
    if (at(in, "watts")) {
        watts = watts_of(at(in, "watts"), "wake");
        return cs_watts_check(&watts, err) < 0;
    }
    if (at(in, "pattern")) {
        costs = costs_of(at(in, "pattern"));
        return cs_pattern_costs_check(&costs, err) < 0;
    }
    if (at(in, "largest_request")) {
        char options[120];
        struct cs_case *made;

        snprintf(options, sizeof options,
                 "{\"workload\": \"lublin\", \"procs\": 256, \"requests\": \"tsafrir\", "
                 "\"largest_request\": %g}",
                 real(in, "largest_request"));
        made = cs_case_open("queue", "simulate", options, NULL, err);
        cs_case_close(made);
        return !made;
    }
    return GOLDEN_SKIP;
}

/* Does the sentence name the option? */
static bool names_field(const char *sentence, const char *field)
{
    char word[64] = "";
    const char *found;

    for (size_t i = 0; field[i] && i + 1 < sizeof word; i++)
        word[i] = field[i];
    for (char *c = word; *c; c++)
        *c = *c == '_' ? '-' : *c;
    found = strstr(sentence, word);
    return found && (found[strlen(word)] == ':' || found[strlen(word)] == ' ');
}

static int check_errors(const json_t *in, const json_t *want, struct cs_arena *arena,
                        struct cs_error *err)
{
    const json_t *one;
    size_t c;

    json_array_foreach(at(in, "cases"), c, one)
    {
        const char *field = json_string_value(json_array_get(at(want, "fields"), c));
        struct cs_error found = {0};
        const int refused = refuses(one, arena, &found);

        if (refused == GOLDEN_SKIP) {
            cs_error_set(err, "this version has nothing of %s", field);
            return GOLDEN_SKIP;
        }
        if (!refused || !names_field(found.text, field))
            return cs_error_set(err, "case %zu, %s: %s", c, field, found.text);
    }
    return 0;
}

int golden_science_part(const char *kind, const json_t *in, const json_t *want,
                        struct cs_arena *arena, struct cs_error *err)
{
    if (!strcmp(kind, "three-partition"))
        return check_partition(in, want, arena, err);
    if (!strcmp(kind, "malleable-optimum"))
        return check_malleable(in, want, arena, err);
    if (!strcmp(kind, "biclique"))
        return check_biclique(in, want, arena, err);
    if (!strcmp(kind, "rigid-tight"))
        return check_tight(in, want, arena, err);
    if (!strcmp(kind, "pack-ratio"))
        return check_ratio(in, want, arena, err);
    if (!strcmp(kind, "shelf-expected"))
        return check_shelf(in, want, err);
    if (!strcmp(kind, "energy"))
        return check_energy(in, want, err);
    if (!strcmp(kind, "pack-dp"))
        return check_pack_dp(in, want, arena, err);
    if (!strcmp(kind, "pattern"))
        return check_pattern(in, want, err);
    if (!strcmp(kind, "pattern-layout"))
        return check_layout(in, want, err);
    if (!strcmp(kind, "errors"))
        return check_errors(in, want, arena, err);
    cs_error_set(err, "this version has nothing of the kind %s", kind);
    return GOLDEN_SKIP;
}
