/* golden_malleable.c - the golden cases of the malleable problem: formulas, inputs to refuse, and
 * simulations event by event. */
#include "base/arena.h"
#include "golden/golden.h"
#include "problems/malleable/bound.h"

#include <math.h>
#include <string.h>

/* "inf" is a text. */
static double number(const json_t *value)
{
    return json_is_string(value) ? INFINITY : json_number_value(value);
}

static double field(const json_t *json, const char *key)
{
    return number(json_object_get(json, key));
}

static struct cs_malleable_task read_task(const json_t *json)
{
    return (struct cs_malleable_task){
        .seconds = field(json, "t1"),
        .sequential_fraction = field(json, "f"),
        .overhead = field(json, "overhead"),
        .checkpoint = field(json, "C"),
        .data = field(json, "m"),
    };
}

static struct cs_malleable_instance *read_instance(const json_t *tasks,
                                                   const struct cs_malleable_platform *platform,
                                                   struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const size_t n = json_array_size(tasks);
    struct cs_malleable_task *task = CS_NEW_ARRAY(arena, struct cs_malleable_task, n);
    struct cs_malleable_instance *in;

    for (size_t i = 0; i < n; i++)
        task[i] = read_task(json_array_get(tasks, i));
    in = cs_malleable_instance_create((int)n, task, platform, err);
    cs_arena_destroy(arena);
    return in;
}

static struct cs_malleable_platform read_platform(const json_t *json)
{
    return (struct cs_malleable_platform){
        .procs = (int)json_integer_value(json_object_get(json, "p")),
        .mtbf = field(json, "mtbf"),
        .downtime = field(json, "D"),
        .fault_free = json_is_true(json_object_get(json, "fault_free")),
    };
}

/* ---- formulas ---- */

/* To a relative 1e-12. */
static int same(double got, const json_t *value, const char *what, struct cs_error *err)
{
    const double want = number(value);

    if (got == want || fabs(got - want) <= 1e-12 * fabs(want))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got, want);
}

/* A task of a formula alone on a platform that is large enough. */
static struct cs_malleable_instance *alone(const json_t *args, struct cs_malleable_task task,
                                           struct cs_error *err)
{
    const struct cs_malleable_platform platform = {
        .procs = 1 << 20,
        .mtbf = json_object_get(args, "mtbf") ? field(args, "mtbf") : 1,
        .downtime = field(args, "D"),
    };

    if (json_object_get(args, "task"))
        task = read_task(json_object_get(args, "task"));
    return cs_malleable_instance_create(1, &task, &platform, err);
}

static int check_layout(const json_t *want, const struct cs_malleable_instance *in, int j,
                        double alpha, struct cs_error *err)
{
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    const struct cs_malleable_pieces p = cs_malleable_pieces_of(in, &rules, 0, j, alpha);

    return same(p.pieces, json_array_get(want, 0), "N", err) ||
                   same(p.work, json_array_get(want, 1), "w", err) ||
                   same(p.last, json_array_get(want, 2), "last", err)
               ? -1
               : 0;
}

static int check_task_formula(const char *fn, const json_t *args, const json_t *want,
                              const struct cs_malleable_instance *in, struct cs_error *err)
{
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    const int j = (int)json_integer_value(json_object_get(args, "j"));
    const double alpha = field(args, "alpha");

    if (!strcmp(fn, "tau"))
        return same(cs_malleable_pieces_of(in, &rules, 0, j, 1).work +
                        cs_malleable_checkpoint_time(in, 0, j),
                    want, fn, err);
    if (!strcmp(fn, "RC"))
        return same(
            cs_malleable_move_time(in, 0, j, (int)json_integer_value(json_object_get(args, "k"))),
            want, fn, err);
    if (!strcmp(fn, "layout"))
        return check_layout(want, in, j, alpha, err);
    if (!strcmp(fn, "tR"))
        return same(cs_malleable_expected_time(in, &rules, 0, j, alpha), want, fn, err);
    if (!strcmp(fn, "tR_min"))
        return same(cs_malleable_expected_least(in, &rules, 0, j, alpha), want, fn, err);
    return cs_error_set(err, "this program does not know the formula %s", fn);
}

/* Equation (10); processors may be odd there, so the formula is asked twice. */
static int check_speedup(const json_t *args, const json_t *want, struct cs_error *err)
{
    const double m = field(args, "m"), q = field(args, "q");
    const struct cs_malleable_task task = {
        .seconds = 2 * m * log2(m),
        .sequential_fraction = field(args, "f"),
        .overhead = m * log2(m),
    };
    const struct cs_malleable_platform platform = {.procs = 1 << 20, .fault_free = true, .mtbf = 1};
    struct cs_malleable_instance *in = cs_malleable_instance_create(1, &task, &platform, err);
    double two, four;

    if (!in)
        return -1;
    two = cs_malleable_time(in, 0, 2);
    four = cs_malleable_time(in, 0, 4);
    cs_malleable_instance_destroy(in);
    return same((2 * four - two) + 4 * (two - four) / q, want, "speedup", err);
}

static int check_shares(const json_t *args, const json_t *want, struct cs_error *err)
{
    const struct cs_malleable_platform platform = read_platform(args);
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_instance *in =
        read_instance(json_object_get(args, "tasks"), &platform, err);
    int procs[64] = {0}, status = 0;

    if (!in)
        return -1;
    cs_malleable_initial(in, &rules, procs, NULL);
    for (size_t i = 0; i < json_array_size(want) && !status; i++)
        status = same(procs[i], json_array_get(want, i), "an allocation", err);
    cs_malleable_instance_destroy(in);
    return status;
}

static int check_bound(const json_t *args, const json_t *want, struct cs_error *err)
{
    struct cs_malleable_platform platform = {
        .procs = (int)json_integer_value(json_object_get(args, "p")), .mtbf = INFINITY};
    struct cs_malleable_instance *in =
        read_instance(json_object_get(args, "tasks"), &platform, err);
    int status;

    if (!in)
        return -1;
    status = same(cs_malleable_fluid_bound(in), want, "the lower bound", err);
    cs_malleable_instance_destroy(in);
    return status;
}

static int check_formula(const json_t *check, struct cs_error *err)
{
    const char *fn = json_string_value(json_object_get(check, "fn"));
    const json_t *args = json_object_get(check, "args");
    const json_t *want = json_object_get(check, "expected");
    struct cs_malleable_task task = {.seconds = 1, .checkpoint = 1};
    struct cs_malleable_instance *in;
    int status;

    if (!strcmp(fn, "speedup"))
        return check_speedup(args, want, err);
    if (!strcmp(fn, "schedule"))
        return check_shares(args, want, err);
    if (!strcmp(fn, "water_fill"))
        return check_bound(args, want, err);
    if (json_object_get(args, "C"))
        task.checkpoint = field(args, "C");
    task.data = field(args, "m");
    in = alone(args, task, err);
    if (!in)
        return -1;
    status = check_task_formula(fn, args, want, in, err);
    cs_malleable_instance_destroy(in);
    return status;
}

static int check_formulas(const json_t *json, struct cs_error *err)
{
    size_t c;
    json_t *check;

    json_array_foreach(json_object_get(json, "checks"), c, check)
    {
        if (check_formula(check, err))
            return cs_error_prefix(err, "check %zu", c);
    }
    return 0;
}

static int check_refusals(const json_t *json, struct cs_error *err)
{
    size_t c;
    json_t *item;

    json_array_foreach(json_object_get(json, "cases"), c, item)
    {
        const struct cs_malleable_platform platform = read_platform(item);
        struct cs_error found = {0};
        struct cs_malleable_instance *in =
            read_instance(json_object_get(item, "tasks"), &platform, &found);

        cs_malleable_instance_destroy(in);
        if (in || !found.text[0])
            return cs_error_set(err, "not refused: %s",
                                json_string_value(json_object_get(item, "why")));
    }
    return 0;
}

/* ---- simulations ---- */

struct replay {
    const json_t *want; /* the events */
    size_t next;
    int tasks;
    struct cs_error err;
    double bars; /* processor seconds */
};

static int check_states(const json_t *want, const struct cs_malleable_event *event, int tasks,
                        struct cs_error *err)
{
    for (int i = 0; i < tasks; i++) {
        const struct cs_malleable_state *s = &event->state[i];
        const size_t at = (size_t)i;

        if (s->procs != json_integer_value(json_array_get(json_object_get(want, "sigma"), at)))
            return cs_error_set(err, "sigma of task %d is %d", i, s->procs);
        if (golden_number(json_array_get(json_object_get(want, "alpha"), at), s->alpha, "alpha",
                          err) ||
            golden_number(json_array_get(json_object_get(want, "start"), at), s->start, "start",
                          err) ||
            golden_number(json_array_get(json_object_get(want, "expected_finish"), at),
                          s->expected_finish, "expected_finish", err) ||
            golden_number(json_array_get(json_object_get(want, "planned_end"), at), s->planned_end,
                          "planned_end", err))
            return cs_error_prefix(err, "task %d", i);
    }
    return 0;
}

static int check_who(const json_t *want, const struct cs_malleable_event *event,
                     struct cs_error *err)
{
    const json_t *tasks = json_object_get(want, "tasks"), *task = json_object_get(want, "task");

    if (event->kind == CS_MALLEABLE_FAILURE &&
        event->processor != json_integer_value(json_object_get(want, "proc")))
        return cs_error_set(err, "processor %d", event->processor);
    if (json_is_integer(task) && event->task != json_integer_value(task))
        return cs_error_set(err, "task %d", event->task);
    if (json_array_size(tasks) != (size_t)event->ended)
        return cs_error_set(err, "%d tasks end", event->ended);
    for (int a = 0; a < event->ended; a++)
        if (event->ended_task[a] != json_integer_value(json_array_get(tasks, (size_t)a)))
            return cs_error_set(err, "task %d ends", event->ended_task[a]);
    return 0;
}

static int check_event(const json_t *want, const struct cs_malleable_event *event, int tasks,
                       struct cs_error *err)
{
    const char *kind = json_string_value(json_object_get(want, "kind"));
    const char *effect = json_string_value(json_object_get(want, "effect"));

    if (!want)
        return cs_error_set(err, "an event more than expected");
    if (golden_number(json_object_get(want, "t"), event->time, "the time", err))
        return -1;
    if (strcmp(kind, cs_malleable_event_kind_name(event->kind)))
        return cs_error_set(err, "%s instead of %s", cs_malleable_event_kind_name(event->kind),
                            kind);
    if (strcmp(effect, cs_malleable_effect_name(event->effect)))
        return cs_error_set(err, "%s instead of %s", cs_malleable_effect_name(event->effect),
                            effect);
    return check_who(want, event, err) || check_states(want, event, tasks, err) ? -1 : 0;
}

static void see_event(void *who, const struct cs_malleable_event *event)
{
    struct replay *replay = who;

    if (!replay->err.text[0] &&
        check_event(json_array_get(replay->want, replay->next), event, replay->tasks, &replay->err))
        cs_error_prefix(&replay->err, "event %zu at %g", replay->next, event->time);
    replay->next++;
}

static void see_bar(void *who, const struct cs_malleable_bar *bar)
{
    ((struct replay *)who)->bars += 2 * bar->pairs * (bar->end - bar->start);
}

static int index_of(const char *name, const struct cs_policy *const *list, int count,
                    struct cs_error *err)
{
    struct cs_policy_call call;

    return cs_policy_parse(name, list, count, &call, err) ? -1 : call.policy;
}

static int read_rules(const json_t *json, struct cs_malleable_rules *rules, struct cs_error *err)
{
    int ends, failures;
    const struct cs_policy *const *end = cs_malleable_end_policies(&ends);
    const struct cs_policy *const *failure = cs_malleable_failure_policies(&failures);

    *rules = cs_malleable_rules_paper();
    rules->wake = json_is_true(json_object_get(json, "wake"));
    rules->on_end = index_of(json_string_value(json_object_get(json, "on_end")), end, ends, err);
    rules->on_failure =
        index_of(json_string_value(json_object_get(json, "on_fault")), failure, failures, err);
    return rules->on_end < 0 || rules->on_failure < 0 ? -1 : 0;
}

static struct cs_malleable_trace *read_faults(const json_t *json, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const size_t n = json_array_size(json);
    struct cs_fault *fault = CS_NEW_ARRAY(arena, struct cs_fault, n);
    struct cs_malleable_trace *trace;

    for (size_t f = 0; f < n; f++) {
        const json_t *item = json_array_get(json, f);

        fault[f] = (struct cs_fault){field(item, "t"),
                                     (int)json_integer_value(json_object_get(item, "proc"))};
    }
    trace = cs_malleable_trace_list(n, fault, err);
    cs_arena_destroy(arena);
    return trace;
}

static int check_counts(const json_t *want, const struct cs_malleable_outcome *got,
                        struct cs_error *err)
{
    const struct {
        const char *key;
        int64_t value;
    } count[] = {
        {"struck", got->failures_hit},
        {"ignored", got->ignored},
        {"idle", got->idle},
        {"initial_checkpoint", got->initial_checkpoint},
        {"fatal_in_reality", got->fatal_in_reality},
    };

    for (size_t c = 0; c < sizeof count / sizeof *count; c++)
        if (count[c].value != json_integer_value(json_object_get(want, count[c].key)))
            return cs_error_set(err, "%s is %d", count[c].key, (int)count[c].value);
    return 0;
}

/* Areas to a share of the whole. */
static int check_areas(const json_t *want, const struct cs_malleable_areas *got, double whole,
                       struct cs_error *err)
{
    const struct {
        const char *key;
        double value;
    } area[] = {
        {"work", got->work}, {"checkpoint", got->checkpoint},
        {"lost", got->lost}, {"down", got->down},
        {"move", got->move}, {"idle", got->idle},
    };
    double sum = 0;

    for (size_t a = 0; a < sizeof area / sizeof *area; a++) {
        sum += area[a].value;
        if (!(fabs(area[a].value - field(want, area[a].key)) <= 1e-9 * whole))
            return cs_error_set(err, "area %s is %.17g, expected %.17g", area[a].key, area[a].value,
                                field(want, area[a].key));
    }
    if (!(fabs(sum - whole) <= 1e-9 * whole))
        return cs_error_set(err, "the areas add up to %.17g, not %.17g", sum, whole);
    return 0;
}

static int check_outcome(const json_t *want, const struct cs_malleable_outcome *got, int procs,
                         struct cs_error *err)
{
    const json_t *ends = json_object_get(want, "ends");

    if (golden_number(json_object_get(want, "makespan"), got->makespan, "makespan", err))
        return -1;
    for (size_t i = 0; i < json_array_size(ends); i++)
        if (golden_number(json_array_get(ends, i), got->end[i], "an end", err))
            return cs_error_prefix(err, "task %zu", i);
    if (!(got->makespan >= got->lower_bound * (1 - 1e-12)))
        return cs_error_set(err, "the makespan is below its bound %g", got->lower_bound);
    return check_counts(want, got, err) || check_areas(json_object_get(want, "area"), &got->area,
                                                       procs * got->makespan, err)
               ? -1
               : 0;
}

/* Twice: what is seen, and with a simulation that was used before the outcome again. */
static int run_twice(const json_t *want, struct cs_malleable_simulation *simulation,
                     struct cs_malleable_trace *trace, int procs, struct cs_error *err)
{
    struct replay replay = {.want = json_object_get(want, "events"),
                            .tasks = (int)json_array_size(json_object_get(want, "ends"))};
    const struct cs_malleable_observer observer = {see_event, see_bar, &replay};
    struct cs_malleable_outcome outcome;
    double busy;

    cs_malleable_simulation_run(simulation, trace, &observer, &outcome);
    if (replay.err.text[0])
        return cs_error_set(err, "%s", replay.err.text);
    if (replay.next != json_array_size(replay.want))
        return cs_error_set(err, "%zu events", replay.next);
    busy = procs * outcome.makespan - outcome.area.idle;
    if (!(fabs(busy - replay.bars) <= 1e-9 * busy))
        return cs_error_set(err, "bars add up to %.17g, not %.17g", replay.bars, busy);
    if (check_outcome(want, &outcome, procs, err))
        return -1;
    cs_malleable_trace_begin(trace, 0);
    cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
    return check_outcome(want, &outcome, procs, err);
}

static int check_simulation(const json_t *json, struct cs_error *err)
{
    struct cs_malleable_platform platform = read_platform(json_object_get(json, "platform"));
    struct cs_malleable_trace *trace = read_faults(json_object_get(json, "faults"), err);
    struct cs_malleable_simulation *simulation = NULL;
    struct cs_malleable_instance *in;
    struct cs_malleable_rules rules;
    int status = -1;

    platform.fault_free =
        json_is_true(json_object_get(json_object_get(json, "options"), "fault_free"));
    in = read_instance(json_object_get(json, "tasks"), &platform, err);
    if (in && trace && !read_rules(json_object_get(json, "options"), &rules, err))
        simulation = cs_malleable_simulation_create(in, &rules, err);
    if (simulation)
        status =
            run_twice(json_object_get(json, "expected"), simulation, trace, platform.procs, err);
    cs_malleable_simulation_destroy(simulation);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
    return status;
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));

    (void)path;
    if (kind && !strcmp(kind, "formula"))
        return check_formulas(json, err);
    if (kind && !strcmp(kind, "errors"))
        return check_refusals(json, err);
    if (kind && !strcmp(kind, "simulation"))
        return check_simulation(json, err);
    return cs_error_set(err, "not a kind of file that this program knows");
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, NULL, run_case);
}
