/* malleable.c - calls of the problem malleable. */
#include "calls.h"
#include "problems/malleable/simulate.h"

#include <math.h>

static void end_instance(void *in)
{
    cs_malleable_instance_destroy(in);
}

static void end_trace(void *t)
{
    cs_malleable_trace_destroy(t);
}

static void end_simulation(void *s)
{
    cs_malleable_simulation_destroy(s);
}

static void end_record(void *r)
{
    cs_malleable_record_destroy(r);
}

static void end_workload(void *w)
{
    cs_workload_destroy(w);
}

static struct cs_malleable_rules rules_of(struct caller *c)
{
    struct cs_malleable_rules r =
        draw(c) & 1 ? cs_malleable_rules_paper() : cs_malleable_rules_recommended();

    r.on_end = whole(c, 0, 2);
    r.on_failure = whole(c, 0, 3);
    r.layout = (enum cs_malleable_layout)whole(c, 0, 1);
    r.period_factor = 0.5 + 0.5 * is_wild(c);
    r.hysteresis = real(c, 0, 0.5);
    return r;
}

static void instance_create(struct caller *c)
{
    const struct cs_malleable_platform platform = {few(c, 32), 1e4 + draw(c), real(c, 0, 60),
                                                   draw(c) & 1, 0};
    struct cs_malleable_task task[3];
    struct cs_malleable_instance *in;

    for (int i = 0; i < 3; i++)
        task[i] = (struct cs_malleable_task){
            "a",  real(c, 1, 1e4), real(c, 0, 1), real(c, 0, 10), real(c, 1, 100), real(c, 1, 100),
            NULL, real(c, 0, 10),  real(c, 0, 10)};
    in = cs_malleable_instance_create(count(c, 3), is_wild(c) ? NULL : task,
                                      is_wild(c) ? NULL : &platform, err_of(c));
    reported(c, !in);
    keep(c, MALLEABLE, in, end_instance);
    in = cs_malleable_instance_from_workload(pick(c, WORKLOAD), real(c, 1, 100), real(c, 1, 100),
                                             is_wild(c) ? NULL : &platform, err_of(c));
    reported(c, !in);
    keep(c, MALLEABLE, in, end_instance);
}

static void instance_ask(struct caller *c)
{
    const struct cs_malleable_instance *in = pick(c, MALLEABLE);
    int policies;

    cs_malleable_instance_tasks(in);
    cs_malleable_instance_platform(in);
    cs_malleable_instance_task(in, whole(c, 0, 3));
    cs_malleable_instance_warning(in);
    cs_malleable_end_policies(is_wild(c) ? NULL : &policies);
    cs_malleable_failure_policies(is_wild(c) ? NULL : &policies);
    cs_malleable_law_name(whole(c, 0, 2));
    cs_malleable_event_kind_name(whole(c, 1, 4));
    cs_malleable_effect_name(whole(c, 0, 8));
}

static void generate(struct caller *c)
{
    struct cs_malleable_generator generator = cs_malleable_generator_paper();
    struct cs_workload *w;

    generator.tasks = count(c, 4);
    generator.size_low = real(c, 1e6, 1.2e6);
    w = cs_malleable_generate(is_wild(c) ? NULL : &generator, err_of(c));
    reported(c, !w);
    keep(c, WORKLOAD, w, end_workload);
}

static void formulas(struct caller *c)
{
    const struct cs_malleable_instance *in = pick(c, MALLEABLE);
    const struct cs_malleable_rules rules = rules_of(c), *r = is_wild(c) ? NULL : &rules;
    int task = whole(c, 0, 2), half = whole(c, 1, 4), j = half / 1000 ? half : 2 * half, procs[16];
    double alpha = real(c, 0, 1), expected[16];

    reported(c, cs_malleable_rules_check(r, err_of(c)) != 0);
    cs_malleable_time(in, task, j);
    cs_malleable_checkpoint_time(in, task, j);
    cs_malleable_move_time(in, task, j, whole(c, 1, 8));
    cs_malleable_pieces_of(in, r, task, j, alpha);
    cs_malleable_expected_time(in, r, task, j, alpha);
    cs_malleable_expected_least(in, r, task, j < 1000 ? j : 8, alpha);
    cs_malleable_initial(in, r, is_wild(c) ? NULL : procs, is_wild(c) ? NULL : expected);
    cs_malleable_lower_bound(in);
}

static struct cs_malleable_failures failures_of(struct caller *c)
{
    return (struct cs_malleable_failures){count(c, 32), 1e5, (enum cs_malleable_law)whole(c, 0, 2),
                                          0.7, draw(c)};
}

static void trace_create(struct caller *c)
{
    const struct cs_malleable_failures failures = failures_of(c);
    const struct cs_fault fault[] = {{real(c, 0, 1e4), whole(c, 0, 7)}, {real(c, 0, 1e4), 1}};
    struct cs_malleable_trace *t =
        cs_malleable_trace_draw(is_wild(c) ? NULL : &failures, err_of(c));
    struct cs_fault next;

    reported(c, !t);
    keep(c, TRACE, t, end_trace);
    t = cs_malleable_trace_list((size_t)whole(c, 0, 0) % 3, is_wild(c) ? NULL : fault, err_of(c));
    reported(c, !t);
    keep(c, TRACE, t, end_trace);
    t = pick(c, TRACE);
    cs_malleable_trace_begin(t, draw(c));
    cs_malleable_trace_next(t, is_wild(c) ? NULL : &next);
}

/* One that comes to an end soon, however often it fails. */
static const struct cs_malleable_instance *pick_quick(struct caller *c)
{
    const struct cs_malleable_instance *in = pick(c, MALLEABLE);

    for (int i = 0; i < cs_malleable_instance_tasks(in); i++) {
        const struct cs_malleable_task *t = cs_malleable_instance_task(in, i);

        if (!(t->seconds <= 1e5 && t->overhead <= 1e5 && t->checkpoint <= 1e3 && t->data <= 1e5) ||
            cs_malleable_instance_platform(in)->downtime > 1e3)
            return NULL;
    }
    return in;
}

static void simulate(struct caller *c)
{
    const struct cs_malleable_rules rules = rules_of(c);
    struct cs_malleable_outcome outcome;
    struct cs_malleable_simulation *s =
        cs_malleable_simulation_create(pick_quick(c), is_wild(c) ? NULL : &rules, err_of(c));

    reported(c, !s);
    keep(c, SIMULATION, s, end_simulation);
    cs_malleable_simulation_run(pick(c, SIMULATION), pick(c, TRACE), NULL,
                                is_wild(c) ? NULL : &outcome);
}

static void record(struct caller *c)
{
    const struct cs_malleable_rules rules = rules_of(c);
    struct cs_malleable_record *r = cs_malleable_record_create(
        pick_quick(c), is_wild(c) ? NULL : &rules, NULL, pick(c, TRACE), err_of(c));

    reported(c, !r);
    keep(c, RECORD, r, end_record);
}

static void tune(struct caller *c)
{
    const struct cs_malleable_rules rules = rules_of(c);
    const struct cs_malleable_failures failures = failures_of(c);
    struct cs_malleable_candidate candidate[CS_MALLEABLE_CANDIDATES];

    reported(c, cs_malleable_tune(pick_quick(c), is_wild(c) ? NULL : &rules,
                                  is_wild(c) ? NULL : &failures, whole(c, 1, 2),
                                  whole(c, 0, 1) > 1 ? 2 : 1, candidate, err_of(c)) < 0);
}

const struct call malleable_calls[] = {
    {"malleable_instance", instance_create},
    {"malleable_ask", instance_ask},
    {"malleable_generate", generate},
    {"malleable_formulas", formulas},
    {"malleable_trace", trace_create},
    {"malleable_simulate", simulate},
    {"malleable_record", record},
    {"malleable_tune", tune},
    {NULL, NULL},
};
