/* malleable_core: random runs are valid for the checker, keep their invariants, and are the same
 * twice; Eq. (4) is what happens on average. */
#include "base/rng.h"
#include "base/stats.h"
#include "check/check.h"
#include "problems/malleable/problem.h"
#include "problems/malleable/simulate.h"
#include "property/malleable_kit.h"
#include "unit/kit.h"

#include <string.h>

#define RUNS 3000

static void assert_close(double got, double want, double whole)
{
    if (!(fabs(got - want) <= 1e-9 * whole))
        fail_msg("%.17g is not %.17g", got, want);
}

static void assert_valid(const struct scene *s, const struct cs_malleable_record *record,
                         uint64_t seed)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_check_report *report = cs_check_report_create(3);

    cs_check_malleable(record->schedule, s->workload,
                       cs_malleable_declare(s->in, &s->rules, record, arena), report);
    if (report->total)
        fail_msg("seed %d: %d violations, the first: %s", (int)seed, (int)report->total,
                 report->item[0].text);
    cs_check_report_destroy(report);
    cs_arena_destroy(arena);
}

/* Areas from bars: a checkpoint before any work of its attempt belongs to the move. */
static struct cs_malleable_areas areas_of(const struct cs_schedule *schedule)
{
    struct cs_malleable_areas area = {0};
    int begun[MOST_TASKS] = {0};
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &count);

    for (size_t b = 0; b < count; b++) {
        double *to[] = {
            [CS_BAR_WORK] = &area.work,     [CS_BAR_LOST] = &area.lost,
            [CS_BAR_DOWNTIME] = &area.down, [CS_BAR_RECOVERY] = &area.down,
            [CS_BAR_MOVE] = &area.move,     [CS_BAR_CHECKPOINT] = &area.checkpoint,
        };
        double *at = to[bar[b].kind];
        int procs = 0;

        for (int i = 0; i < bar[b].intervals; i++)
            procs += bar[b].procs[i].last - bar[b].procs[i].first + 1;
        if (bar[b].kind == CS_BAR_WORK || bar[b].kind == CS_BAR_LOST)
            begun[bar[b].task] = bar[b].attempt;
        if (bar[b].kind == CS_BAR_CHECKPOINT && begun[bar[b].task] != bar[b].attempt)
            at = &area.move;
        *at += procs * (bar[b].end - bar[b].start);
    }
    return area;
}

static void assert_areas(const struct scene *s, const struct cs_malleable_record *record)
{
    const struct cs_malleable_outcome *o = &record->outcome;
    const struct cs_malleable_areas a = o->area, b = areas_of(record->schedule);
    const double whole = s->platform.procs * o->makespan;

    assert_close(a.work + a.checkpoint + a.lost + a.down + a.move + a.idle, whole, whole);
    assert_close(a.work, b.work, whole);
    assert_close(a.checkpoint, b.checkpoint, whole);
    assert_close(a.lost, b.lost, whole);
    assert_close(a.down, b.down, whole);
    assert_close(a.move, b.move, whole);
    assert_true(a.work > 0 && a.checkpoint >= 0 && a.lost >= 0 && a.idle >= 0);
}

static void every_run_is_valid_and_its_areas_add_up(void **state)
{
    int64_t failures_hit = 0, moved = 0, again = 0, ignored = 0;

    (void)state;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct scene s = scene_create(seed, true);
        struct cs_malleable_record *record =
            cs_malleable_record_create(s.in, &s.rules, NULL, s.trace, NULL);
        const struct cs_malleable_outcome *o = &record->outcome;

        assert_valid(&s, record, seed);
        assert_areas(&s, record);
        assert_true(o->makespan >= o->lower_bound * (1 - 1e-12));
        assert_int_equal(o->failures,
                         o->failures_hit + o->ignored + o->idle + o->initial_checkpoint);
        assert_true(cs_schedule_makespan(record->schedule) == o->makespan);
        failures_hit += o->failures_hit;
        moved += o->moved;
        again += o->initial_checkpoint;
        ignored += o->ignored;
        cs_malleable_record_destroy(record);
        scene_destroy(&s);
    }
    assert_true(failures_hit > 1000 && moved > 1000 && again > 10 && ignored > 100);
}

struct seen {
    const struct scene *scene;
    double time;
    double number[20000];
    int count;
};

/* Tasks hold pairs, at most as many as there are; what is expected is never before what is planned,
 * and the same when nothing fails. */
static void see(void *who, const struct cs_malleable_event *event)
{
    struct seen *seen = who;
    const int n = cs_malleable_instance_tasks(seen->scene->in);
    const struct cs_malleable_platform *p = &seen->scene->platform;
    int procs = 0;

    assert_true(event->time >= seen->time);
    seen->time = event->time;
    for (int i = 0; i < n; i++) {
        const struct cs_malleable_state *s = &event->state[i];

        assert_int_equal(s->procs % 2, 0);
        procs += s->procs;
        assert_true(s->expected_finish >= s->planned_end * (1 - 1e-12));
        if (p->fault_free)
            assert_true(s->expected_finish <= s->planned_end * (1 + 1e-12));
        assert_true(s->alpha >= 0 && s->alpha <= 1);
        if (seen->count < 20000)
            seen->number[seen->count++] = s->expected_finish;
    }
    assert_true(procs <= p->procs);
}

static void a_simulation_used_again_and_a_new_one_see_the_same(void **state)
{
    static struct seen first, second;

    (void)state;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct scene s = scene_create(seed, true);
        struct cs_malleable_simulation *simulation =
            cs_malleable_simulation_create(s.in, &s.rules, NULL);
        struct cs_malleable_simulation *other =
            cs_malleable_simulation_create(s.in, &s.rules, NULL);
        struct cs_malleable_outcome a, b;

        first = second = (struct seen){.scene = &s};
        cs_malleable_simulation_run(simulation, NULL, NULL, &a);
        cs_malleable_trace_begin(s.trace, 1);
        cs_malleable_simulation_run(
            simulation, s.trace, &(struct cs_malleable_observer){.event = see, .who = &first}, &a);
        cs_malleable_trace_begin(s.trace, 2);
        cs_malleable_simulation_run(
            other, s.trace, &(struct cs_malleable_observer){.event = see, .who = &second}, &b);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.number, second.number,
                            (size_t)first.count * sizeof *first.number);
        assert_memory_equal(&a.area, &b.area, sizeof a.area);
        assert_true(a.makespan == b.makespan && a.moved == b.moved && a.failures == b.failures);
        cs_malleable_simulation_destroy(simulation);
        cs_malleable_simulation_destroy(other);
        scene_destroy(&s);
    }
}

/* Everything that is a time, four times as long: the same run, four times as long, to the bit. */
static double run_scaled(struct scene *s, double scale)
{
    const int n = cs_malleable_instance_tasks(s->in);
    struct cs_malleable_platform platform = s->platform;
    struct cs_malleable_task task[MOST_TASKS];
    struct cs_fault fault[200];
    struct cs_malleable_simulation *simulation;
    struct cs_malleable_instance *in;
    struct cs_malleable_trace *trace;
    struct cs_malleable_outcome outcome;
    size_t count = 0;

    for (int i = 0; i < n; i++) {
        task[i] = *cs_malleable_instance_task(s->in, i);
        task[i].seconds *= scale;
        task[i].overhead *= scale;
        task[i].checkpoint *= scale;
        task[i].data *= scale;
    }
    platform.mtbf *= scale;
    platform.downtime *= scale;
    cs_malleable_trace_begin(s->trace, 0);
    for (; cs_malleable_trace_next(s->trace, &fault[count]); count++)
        fault[count].time *= scale;
    in = cs_malleable_instance_create(n, task, &platform, NULL);
    trace = cs_malleable_trace_list(count, fault, NULL);
    simulation = cs_malleable_simulation_create(in, &s->rules, NULL);
    cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
    cs_malleable_simulation_destroy(simulation);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
    return outcome.makespan;
}

static void a_run_in_another_unit_of_time_is_the_same_run(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < RUNS / 2; seed++) {
        struct scene s = scene_create(seed, false);
        const double one = run_scaled(&s, 1);

        assert_true(run_scaled(&s, 4) == 4 * one);
        assert_true(run_scaled(&s, 1.0 / 64) == one / 64);
        scene_destroy(&s);
    }
}

/* One task alone that nobody helps, so that every scenario is an independent sample. */
struct alone {
    struct cs_malleable_instance *in;
    struct cs_malleable_rules rules;
    int procs;
    double mtbf, checkpoint, downtime;
};

static struct alone alone_create(double factor)
{
    const struct cs_malleable_task task = {
        .name = "alone", .seconds = 4000, .sequential_fraction = 0.1, .checkpoint = 20, .data = 1};
    const struct cs_malleable_platform platform = {.procs = 8, .mtbf = 3000, .downtime = 15};
    struct alone a = {cs_malleable_instance_create(1, &task, &platform, NULL),
                      cs_malleable_rules_paper(),
                      8,
                      3000,
                      20,
                      15};

    a.rules.period_factor = factor;
    return a;
}

#define SAMPLES 20000

static void assert_mean(const struct cs_stats *stats, double want)
{
    const double error = cs_stats_deviation(stats) / sqrt((double)stats->count);

    if (!(fabs(stats->mean - want) < 4 * error))
        fail_msg("the mean is %g, %g +- %g expected", stats->mean, want, error);
    assert_true(error < 0.005 * want);
}

/* With recovery protected the exact mean is (1 / (lambda j) + D + R) (...): spec/malleable.md 3. */
static void the_mean_of_simulations_is_the_expected_time_with_protected_recovery(void **state)
{
    (void)state;
    for (double factor = 1; factor >= 0.25; factor /= 2) {
        struct alone a = alone_create(factor);
        const struct cs_malleable_failures law = {.procs = a.procs, .mtbf = a.mtbf, .seed = 11};
        struct cs_malleable_trace *trace = cs_malleable_trace_draw(&law, NULL);
        struct cs_malleable_simulation *simulation =
            cs_malleable_simulation_create(a.in, &a.rules, NULL);
        const double x = a.procs / a.mtbf, r = a.checkpoint / a.procs;
        const double eq4 = cs_malleable_expected_time(a.in, &a.rules, 0, a.procs, 1);
        struct cs_malleable_outcome outcome;
        struct cs_stats stats = {0};

        for (uint64_t s = 0; s < SAMPLES; s++) {
            cs_malleable_trace_begin(trace, s);
            cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
            cs_stats_add(&stats, outcome.makespan);
        }
        assert_mean(&stats, eq4 / (exp(x * r) * (1 / x + a.downtime)) * (1 / x + a.downtime + r));
        cs_malleable_simulation_destroy(simulation);
        cs_malleable_trace_destroy(trace);
        cs_malleable_instance_destroy(a.in);
    }
}

/* Seconds of `length` until they pass without a failure; failures strike during recovery too. */
static double try_piece(struct cs_rng *rng, double length, double x, double down, double recovery)
{
    double time = 0, next = cs_rng_exponential(rng, 1 / x);

    while (next < length) {
        time += next + down;
        while ((next = cs_rng_exponential(rng, 1 / x)) < recovery)
            time += next + down;
        time += recovery;
        next = cs_rng_exponential(rng, 1 / x);
    }
    return time + length;
}

static void equation_4_is_the_mean_when_failures_strike_during_recovery(void **state)
{
    struct alone a = alone_create(1);
    const double x = a.procs / a.mtbf, r = a.checkpoint / a.procs;
    const struct cs_malleable_pieces p = cs_malleable_pieces_of(a.in, &a.rules, 0, a.procs, 1);
    struct cs_stats stats = {0};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 5, 1, 0);
    assert_true(p.pieces >= 2 && p.last > 0);
    for (int s = 0; s < SAMPLES; s++) {
        double time = 0;

        for (int k = 0; k < p.pieces; k++)
            time += try_piece(&rng, p.work + r, x, a.downtime, r);
        cs_stats_add(&stats, time + try_piece(&rng, p.last, x, a.downtime, r));
    }
    assert_mean(&stats, cs_malleable_expected_time(a.in, &a.rules, 0, a.procs, 1));
    cs_malleable_instance_destroy(a.in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_valid_and_its_areas_add_up),
        cmocka_unit_test(a_simulation_used_again_and_a_new_one_see_the_same),
        cmocka_unit_test(a_run_in_another_unit_of_time_is_the_same_run),
        cmocka_unit_test(the_mean_of_simulations_is_the_expected_time_with_protected_recovery),
        cmocka_unit_test(equation_4_is_the_mean_when_failures_strike_during_recovery),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
