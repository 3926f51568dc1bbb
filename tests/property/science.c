/* science: instances with known optima, energy, hindsight optima and patterns (docs/spec/science.md
 * 3 to 5, 10 and 11), against brute force, simulation and numbers computed by hand. */
#include "base/rng.h"
#include "model/energy.h"
#include "model/pattern.h"
#include "model/trap.h"
#include "problems/malleable/bound.h"
#include "problems/malleable/simulate.h"
#include "problems/pack/pack.h"
#include "problems/rigid/simulate.h"
#include "property/malleable_kit.h"
#include "sched/priority.h"
#include "unit/kit.h"

#include <string.h>

static void assert_number(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.17g is not %.17g", got, want);
}

/* ---- 3-PARTITION ---- */

static void a_yes_has_its_triples(void **state)
{
    (void)state;
    for (int m = 1; m <= 40; m++) {
        struct cs_arena *arena = cs_arena_create();
        const struct cs_partition *p =
            cs_partition_draw_yes(m, 9 + 7 * m, 1, (uint64_t)m, arena, NULL);
        int sum[40] = {0}, size[40] = {0};

        for (int i = 0; i < 3 * m; i++) {
            sum[p->triple[i]] += p->number[i];
            size[p->triple[i]]++;
            assert_true(4 * p->number[i] > p->bound && 2 * p->number[i] < p->bound);
        }
        for (int t = 0; t < m; t++)
            assert_true(sum[t] == p->bound && size[t] == 3);
        if (m <= CS_PARTITION_SEARCHED)
            assert_true(cs_partition_given(p->number, 3 * m, arena, NULL)->answer == CS_ANSWER_YES);
        cs_arena_destroy(arena);
    }
}

/* No triple at all has the sum, by trying them all. */
static void a_certified_no_is_a_no(void **state)
{
    (void)state;
    for (int set = 0; set < 300; set++) {
        struct cs_arena *arena = cs_arena_create();
        const int m = 2 + set % 3;
        const struct cs_partition *p =
            cs_partition_draw_no(m, 1 + set % 7, 2, (uint64_t)set, arena, NULL);
        int64_t sum = 0;

        for (int i = 0; i < 3 * m; i++) {
            sum += p->number[i];
            assert_int_equal(p->number[i] % p->modulus, p->residue);
            assert_true(4 * p->number[i] > p->bound && 2 * p->number[i] < p->bound);
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++)
                    assert_int_not_equal(p->number[i] + p->number[j] + p->number[k], p->bound);
        }
        assert_int_equal(sum, (int64_t)m * p->bound);
        assert_true(cs_partition_given(p->number, 3 * m, arena, NULL)->answer == CS_ANSWER_NO);
        cs_arena_destroy(arena);
    }
}

static double exact_cost(const struct cs_trap_table *table, int pack_size)
{
    struct cs_workload *workload = cs_workload_create(table->tasks, NULL, table->profile, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(workload, table->procs, pack_size, NULL);
    struct cs_pack_plan *plan = cs_pack_plan_create(table->tasks);
    struct cs_pack_request request = {0};
    double cost;
    int count;

    assert_int_equal(cs_policy_parse("exact", cs_pack_policies(&count), count, &request.call, NULL),
                     0);
    assert_int_equal(cs_pack_plan_make(in, &request, plan, NULL), 0);
    cost = plan->total;
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(workload);
    return cost;
}

static void packs_of_a_yes_reach_the_optimum_and_those_of_a_no_do_not(void **state)
{
    (void)state;
    for (int set = 0; set < 12; set++) {
        struct cs_arena *arena = cs_arena_create();
        const int m = 2 + set % 3, size = 3 + set % 2;
        const struct cs_partition *yes =
            cs_partition_draw_yes(m, 40, 1, (uint64_t)set, arena, NULL);
        const struct cs_partition *no = cs_partition_draw_no(m, 4, 1, (uint64_t)set, arena, NULL);
        const double least = m + (size == 3 ? 1.0 / no->largest : 1.0 / no->bound);

        assert_number(exact_cost(cs_partition_pack(yes, size, arena, NULL), size), m);
        assert_true(exact_cost(cs_partition_pack(no, size, arena, NULL), size) >=
                    least * (1 - 1e-9));
        cs_arena_destroy(arena);
    }
}

/* ---- jobs ---- */

static double makespan_of(const struct cs_trap_jobs *jobs, const char *priority, const char *policy,
                          struct cs_arena *arena)
{
    const struct cs_sched_jobs set = {jobs->count, jobs->procs, 0, jobs->seconds, jobs->width};
    struct cs_policy_call call;
    const struct cs_sched_policy *with = cs_sched_policy_parse(policy, &call, NULL);
    const struct cs_sched_instance *in = cs_sched_priority_instance(
        cs_sched_priority_find(priority, NULL), &set, &(struct cs_sched_draw){0}, arena);

    return cs_rigid_simulation_run(cs_rigid_simulation_create(in, with, call.param, arena, NULL),
                                   jobs->failures, NULL, NULL);
}

/* Findings of docs/findings.md: the numbers there. */
static void propositions_1_and_2_are_tight(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_trap_jobs *jobs = cs_trap_ljf(8, 32, arena, NULL);

    (void)state;
    assert_int_equal(jobs->procs, 60);
    assert_number(makespan_of(jobs, "ljf-given", "list:reservations=all", arena), 2946);
    assert_number(jobs->optimum, 1026);
    assert_number(makespan_of(jobs, "ljf-given", "easy", arena), 1793);
    jobs = cs_trap_ljf(64, 64, arena, NULL);
    assert_int_equal(jobs->procs, 508);
    assert_number(makespan_of(jobs, "ljf-given", "list:reservations=all", arena), 48898);
    assert_true(48898 / jobs->optimum < jobs->proven && 48898 / jobs->optimum > 2.984);
    for (int p = 1; p < 40; p += 7)
        assert_number(
            makespan_of(cs_trap_greedy(p, arena, NULL), "spt", "list:reservations=0", arena),
            2 * p - 1);
    cs_arena_destroy(arena);
}

/* No random instance is above what is proven. */
static void lists_keep_their_proven_ratios(void **state)
{
    (void)state;
    for (int set = 0; set < 10000; set++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_rng rng;
        const int procs = 2 + set % 9, count = 1 + set % 7;
        double seconds[8], area = 0, longest = 0;
        int width[8];
        int64_t failures[8];
        const struct cs_trap_jobs jobs = {.count = count,
                                          .procs = procs,
                                          .seconds = seconds,
                                          .width = width,
                                          .failures = failures};

        cs_rng_init(&rng, 5, 1, (uint64_t)set);
        for (int j = 0; j < count; j++) {
            width[j] = 1 + (int)cs_rng_below(&rng, (uint64_t)procs);
            seconds[j] = 1 + (double)cs_rng_below(&rng, 9);
            failures[j] = (int64_t)cs_rng_below(&rng, 3);
            area += width[j] * seconds[j] * (double)(failures[j] + 1);
            longest = fmax(longest, seconds[j] * (double)(failures[j] + 1));
        }
        area = fmax(area / procs, longest); /* no schedule is shorter */
        if (procs > 2) {
            double side = 0; /* nor than the jobs of more than half of the machine in a row */

            for (int j = 0; j < count; j++)
                side += 2 * width[j] > procs ? seconds[j] * (double)(failures[j] + 1) : 0;
            area = fmax(area, side);
        }
        assert_true(makespan_of(&jobs, "ljf-given", "list:reservations=all", arena) <=
                    (3 - 4.0 / (procs + 1)) * area * (1 + 1e-9));
        assert_true(makespan_of(&jobs, "lpt", "list:reservations=0", arena) <=
                    (2 - 1.0 / procs) * area * (1 + 1e-9));
        cs_arena_destroy(arena);
    }
}

/* The exact expectations, and the means of simulated scenarios. */
static void shelves_need_what_the_formula_expects(void **state)
{
    const double unit = 1000, rate = 1e-3;
    struct cs_stats shelf = {0}, optimum = {0};
    double seconds[10];

    (void)state;
    assert_number(cs_trap_shelf_expected(10, unit, 1e-7) / cs_trap_shelf_optimum(10, unit, 1e-7),
                  1.000054962711468);
    assert_number(cs_trap_shelf_expected(10, unit, rate) / cs_trap_shelf_optimum(10, unit, rate),
                  1.0660596288012691);
    for (int j = 0; j < 10; j++)
        seconds[j] = unit / (j + 1);
    for (int run = 0; run < 20000; run++) {
        int64_t failures[10];
        struct cs_rng rng;
        double longest = 0, sum = 0;

        cs_rng_init(&rng, 9, 3, (uint64_t)run);
        for (int j = 0; j < 10; j++) {
            failures[j] = 0;
            while (cs_rng_uniform(&rng) < -expm1(-rate * seconds[j]))
                failures[j]++;
            longest = fmax(longest, (double)(failures[j] + 1) * seconds[j]);
        }
        for (int r = 0, more = 1; more; r++) {
            double most = 0;

            for (int j = 0; j < 10; j++)
                most = fmax(most, failures[j] >= r ? seconds[j] : 0);
            more = most > 0;
            sum += most;
        }
        cs_stats_add(&shelf, sum);
        cs_stats_add(&optimum, longest);
    }
    assert_true(fabs(cs_stats_mean(&shelf) - cs_trap_shelf_expected(10, unit, rate)) <
                2 * cs_stats_confidence(&shelf));
    assert_true(fabs(cs_stats_mean(&optimum) - cs_trap_shelf_optimum(10, unit, rate)) <
                2 * cs_stats_confidence(&optimum));
}

/* ---- hindsight optimum ---- */

static double policy_makespan(const struct scene *s, int on_end, int on_failure)
{
    struct cs_malleable_rules rules = s->rules;
    struct cs_malleable_simulation *simulation;
    struct cs_malleable_outcome outcome;

    rules.on_end = on_end;
    rules.on_failure = on_failure;
    simulation = cs_malleable_simulation_create(s->in, &rules, NULL);
    cs_malleable_trace_begin(s->trace, 0);
    cs_malleable_simulation_run(simulation, s->trace, NULL, &outcome);
    cs_malleable_simulation_destroy(simulation);
    return outcome.makespan;
}

/* The simulation of the decisions ends when the search did, to the last bit. */
static void assert_follows(const struct scene *s, const struct cs_malleable_optimum *best)
{
    struct cs_error err = {0};
    struct cs_malleable_record *record;

    cs_malleable_trace_begin(s->trace, 0);
    record = cs_malleable_record_optimum(s->in, &s->rules, best, s->trace, &err);
    if (!record)
        fail_msg("%s", err.text);
    assert_true(cs_schedule_makespan(record->schedule) == best->makespan);
    cs_malleable_record_destroy(record);
}

static void no_policy_ends_before_the_optimum(void **state)
{
    int tried = 0;

    (void)state;
    for (uint64_t seed = 0; tried < 500; seed++) {
        struct scene s = scene_create(seed, true);
        struct cs_malleable_optimum best;

        if (cs_malleable_instance_tasks(s.in) > 3 || s.platform.procs > 16 ||
            s.platform.mtbf < 32768) {
            scene_destroy(&s);
            continue;
        }
        tried++;
        s.rules.wake = false;
        assert_int_equal(
            cs_malleable_optimum_find(s.in, &s.rules, s.trace, 0, false, s.arena, &best, NULL), 0);
        assert_true(best.makespan >= best.bound * (1 - 1e-9));
        assert_true(best.proven);
        assert_true(best.choices > 0 && best.choice[0].time == 0);
        assert_follows(&s, &best);
        for (int on_end = 0; on_end < 3; on_end++)
            for (int on_failure = 0; on_failure < 4; on_failure++)
                if (policy_makespan(&s, on_end, on_failure) < best.makespan * (1 - 1e-9))
                    fail_msg("seed %d: %d, %d ends at %.17g, the optimum at %.17g", (int)seed,
                             on_end, on_failure, policy_makespan(&s, on_end, on_failure),
                             best.makespan);
        scene_destroy(&s);
    }
}

/* Finding of docs/findings.md: no triple has the sum 17, and a schedule of length 9 exists. */
static void the_proof_of_theorem_2_has_a_gap(void **state)
{
    static const int number[] = {5, 5, 5, 5, 6, 8};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_partition *p = cs_partition_given(number, 6, arena, NULL);
    const struct cs_trap_table *table = cs_partition_malleable(p, arena);
    const struct cs_malleable_platform platform = {
        .procs = table->procs, .mtbf = INFINITY, .fault_free = true};
    struct cs_malleable_task task[8];
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_instance *in;
    struct cs_malleable_optimum best;

    (void)state;
    for (int i = 0; i < 8; i++)
        task[i] = (struct cs_malleable_task){.seconds = 1, .profile = &table->profile[i]};
    in = cs_malleable_instance_create(8, task, &platform, NULL);
    assert_true(p->answer == CS_ANSWER_NO && table->deadline == 9);
    assert_int_equal(cs_malleable_optimum_find(in, &rules, NULL, 0, true, arena, &best, NULL), 0);
    assert_true(best.proven);
    assert_number(best.makespan, 9);
    assert_number(best.bound, 9);
    cs_malleable_instance_destroy(in);
    cs_arena_destroy(arena);
}

/* On even counts a mixture of counts is never faster than on real ones. */
static void the_hull_bound_is_above_the_fluid_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct scene s = scene_create(seed, true);

        assert_true(cs_malleable_lower_bound(s.in) >= cs_malleable_fluid_bound(s.in) * (1 - 1e-12));
        scene_destroy(&s);
    }
}

/* ---- energy ---- */

static struct cs_schedule *draw_bars(struct cs_rng *rng, int procs, int from, int to)
{
    struct cs_schedule *schedule = cs_schedule_create("pack", procs, 1, NULL);

    for (int b = 0; b < 12; b++) {
        const int first = (int)cs_rng_below(rng, (uint64_t)procs), wide = procs - first;
        struct cs_interval set = {first, first + (int)cs_rng_below(rng, (uint64_t)wide)};
        const double start = (double)cs_rng_below(rng, 100);
        const double seconds = 1 + (double)cs_rng_below(rng, 30);
        const int kind = 1 + (int)cs_rng_below(rng, CS_BAR_KIND_LAST);
        struct cs_bar bar = {
            .kind = kind,
            .attempt = 1,
            .group = -1,
            .start = start,
            .end = start + seconds,
            .intervals = 1,
            .procs = &set,
        };

        set.first = set.first < from ? from : set.first;
        set.last = set.last > to ? to : set.last;
        if (set.first <= set.last)
            cs_schedule_add(schedule, &bar, NULL);
    }
    return schedule;
}

/* Joules by looking at every second. */
static struct cs_energy slow_energy(const struct cs_schedule *schedule,
                                    const struct cs_energy_options *o, int from, int to)
{
    struct cs_energy e = {0};
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &count);

    for (int first = from; first <= to; first += o->per_node) {
        double idle_for = 0;
        bool was_off = false;

        for (int second = 0; second < (int)o->until; second++) {
            int busy = 0;

            for (int p = first; p < first + o->per_node && p <= to; p++)
                for (size_t b = 0; b < count; b++)
                    if (bar[b].kind != CS_BAR_DOWNTIME && bar[b].procs[0].first <= p &&
                        p <= bar[b].procs[0].last && bar[b].start <= second &&
                        second < bar[b].end) {
                        busy++;
                        break;
                    }
            if (busy && was_off)
                e.wake += o->watts.wake;
            idle_for = busy ? 0 : idle_for + 1;
            was_off = idle_for > o->watts.off_after;
            e.busy += (o->watts.busy - o->watts.idle) * busy / o->per_node;
            *(was_off ? &e.off : &e.idle) += was_off ? o->watts.off : o->watts.idle;
        }
    }
    e.total = e.busy + e.idle + e.off + e.wake;
    return e;
}

static void energy_is_that_of_every_second(void **state)
{
    (void)state;
    for (int run = 0; run < 300; run++) {
        struct cs_rng rng;
        const int procs = 1 + run % 9;
        const struct cs_energy_options options = {
            {300, 100, 10, run % 4 ? run % 40 : NAN, run % 4 ? 500 : 0}, 1 + run % 3, 150};
        struct cs_schedule *schedule;
        struct cs_energy got, want;

        cs_rng_init(&rng, 3, 3, (uint64_t)run);
        schedule = draw_bars(&rng, procs, 0, procs - 1);
        assert_int_equal(cs_energy_of(schedule, &options, &got, NULL), 0);
        want = slow_energy(schedule, &options, 0, procs - 1);
        assert_true(fabs(got.busy - want.busy) < 1e-6 && fabs(got.idle - want.idle) < 1e-6);
        assert_true(fabs(got.off - want.off) < 1e-6 && fabs(got.wake - want.wake) < 1e-6);
        assert_number(got.total, got.busy + got.idle + got.off + got.wake);
        cs_schedule_destroy(schedule);
    }
}

/* The processors from .. to alone, numbered from 0. */
static struct cs_schedule *part_of(const struct cs_schedule *schedule, int from, int to)
{
    struct cs_schedule *part = cs_schedule_create("pack", to - from + 1, 1, NULL);
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &count);

    for (size_t b = 0; b < count; b++) {
        struct cs_bar one = bar[b];
        struct cs_interval set = {(one.procs[0].first > from ? one.procs[0].first : from) - from,
                                  (one.procs[0].last < to ? one.procs[0].last : to) - from};

        one.procs = &set;
        if (set.first <= set.last)
            cs_schedule_add(part, &one, NULL);
    }
    return part;
}

static void energy_of_disjoint_nodes_adds_up(void **state)
{
    (void)state;
    for (int run = 0; run < 300; run++) {
        const int per_node = 1 + run % 3, cut = per_node * (1 + run % 4), procs = cut + 1 + run % 7;
        const struct cs_energy_options options = {
            {300, 100, 10, run % 4 ? run % 40 : NAN, run % 4 ? 500 : 0}, per_node, 150};
        struct cs_schedule *whole, *part[2];
        struct cs_energy all, one[2];
        struct cs_rng rng;

        cs_rng_init(&rng, 3, 4, (uint64_t)run);
        whole = draw_bars(&rng, procs, 0, procs - 1);
        assert_int_equal(cs_energy_of(whole, &options, &all, NULL), 0);
        for (int p = 0; p < 2; p++) {
            part[p] = part_of(whole, p ? cut : 0, p ? procs - 1 : cut - 1);
            assert_int_equal(cs_energy_of(part[p], &options, &one[p], NULL), 0);
        }
        assert_number(all.busy, one[0].busy + one[1].busy);
        assert_number(all.idle, one[0].idle + one[1].idle);
        assert_number(all.off, one[0].off + one[1].off);
        assert_number(all.wake, one[0].wake + one[1].wake);
        assert_number(all.total, one[0].total + one[1].total);
        for (int p = 0; p < 2; p++)
            cs_schedule_destroy(part[p]);
        cs_schedule_destroy(whole);
    }
}

static void wrong_watts_are_refused(void **state)
{
    static const struct {
        const char *text, *sentence;
    } wrong[] = {
        {"busy=100,idle=120", "--watts: idle 120 is more than busy 100"},
        {"busy=100,idle=20,off-after=-1", "--watts: off-after -1 s is negative"},
        {"busy=100,idle=20,off_after=-2h", "--watts: off-after -7200 s is negative"},
        {"busy=100,idle=20,wake=5", "--watts: wake needs off-after"},
        {"busy=100,idle=20,off=30", "--watts: off 30 is more than idle 20"},
        {"busy=100,idel=20", "--watts: there is no \"idel\": busy, idle, off, off-after or wake"},
        {"busy=inf,idle=20", "--watts: busy is \"inf\"; it must be a number"},
        {"idle=20", "--watts: busy is missing: busy=W,idle=W and perhaps "
                    "off=W,off-after=TIME,wake=JOULES"},
        {"busy=1,busy=2", "--watts: busy is given twice"},
        {"busy=", "--watts: busy needs a value, such as busy=100"},
    };

    (void)state;
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        struct cs_error err = {0};
        struct cs_watts watts;

        assert_int_equal(cs_watts_read(wrong[w].text, &watts, &err), -1);
        assert_string_equal(err.text, wrong[w].sentence);
    }
}

/* ---- patterns ---- */

static void expectations_are_those_of_simulations(void **state)
{
    (void)state;
    for (int setting = 0; setting < 20; setting++) {
        struct cs_rng rng;
        struct cs_pattern_costs c;
        struct cs_pattern p;
        struct cs_stats runs;
        double u[7];

        cs_rng_init(&rng, 7, 7, (uint64_t)setting);
        for (int i = 0; i < 7; i++)
            u[i] = cs_rng_open(&rng);
        c = (struct cs_pattern_costs){
            .verification = 10 * u[0],
            .memory = 1 + 30 * u[1],
            .disk = setting % 3 ? 200 * u[2] : 0,
            .downtime = setting % 2 ? 60 : 0,
            .memory_recovery = 20 * u[1],
            .disk_recovery = 100 * u[2],
            .silent = setting % 4 ? 1e-4 * u[3] : 0,
            .fail_stop = setting % 5 ? 1e-4 * u[4] : 0,
            .fatal = setting % 3 ? u[5] : 0,
        };
        c.silent += c.silent + c.fail_stop > 0 ? 0 : 1e-4;
        p = (struct cs_pattern){1 + setting % 6, 1 + setting % 4, 500 * u[6]};
        runs = cs_pattern_simulate(&c, &p, (uint64_t)setting, 20000);
        assert_true(fabs(cs_stats_mean(&runs) - cs_pattern_expected(&c, &p)) <=
                    3 * cs_stats_confidence(&runs) / 1.96 + 1e-9);
        assert_true(cs_pattern_overhead(&c, &p) >=
                    cs_pattern_overhead(
                        &c, &(struct cs_pattern){p.segments, p.chunks,
                                                 cs_pattern_best(&c, p.segments, p.chunks).work}) -
                        1e-9);
    }
}

/* One chunk, one segment, fail-stop errors only: Young's period, and the known expectation. */
static void the_simplest_pattern_is_young_s(void **state)
{
    const struct cs_pattern_costs c = {
        .memory = 60, .downtime = 30, .memory_recovery = 45, .fail_stop = 1e-4};
    const struct cs_pattern p = cs_pattern_first_order(&c, NULL);
    const struct cs_pattern one = {1, 1, 1000};

    (void)state;
    assert_true(p.segments == 1 && p.chunks == 1);
    assert_number(p.work, sqrt(2 * 60 / 1e-4));
    assert_number(cs_pattern_expected(&c, &one), (1 / 1e-4 + 30 + 45) * expm1(1e-4 * 1060));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_yes_has_its_triples),
        cmocka_unit_test(a_certified_no_is_a_no),
        cmocka_unit_test(packs_of_a_yes_reach_the_optimum_and_those_of_a_no_do_not),
        cmocka_unit_test(propositions_1_and_2_are_tight),
        cmocka_unit_test(lists_keep_their_proven_ratios),
        cmocka_unit_test(shelves_need_what_the_formula_expects),
        cmocka_unit_test(no_policy_ends_before_the_optimum),
        cmocka_unit_test(the_proof_of_theorem_2_has_a_gap),
        cmocka_unit_test(the_hull_bound_is_above_the_fluid_one),
        cmocka_unit_test(energy_is_that_of_every_second),
        cmocka_unit_test(energy_of_disjoint_nodes_adds_up),
        cmocka_unit_test(wrong_watts_are_refused),
        cmocka_unit_test(expectations_are_those_of_simulations),
        cmocka_unit_test(the_simplest_pattern_is_young_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
