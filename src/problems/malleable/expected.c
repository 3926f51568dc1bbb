/* expected.c - the model of an instance under rules, and Equation (4).
 *
 * Source: the paper, Equation (4); spec/malleable.md 3; the tail layout: part II, section 1.
 *
 * Idea: compute once per task all that does not depend on the number of processors (see
 * expected.h), so that an expected time costs one expm1 with Young's layout, two with the tail.
 *
 * Invariants: an expected time is at least the fault-free time of the layout; overflow gives
 * +infinity and never NaN; a floor (struct cs_malleable_floor) is at most the expected time on
 * every number of processors, up to rounding, which the users of floors allow for (MORE and LESS
 * in plan.c and rows.c); slope and deficit are finite.
 *
 * Complexity: a model O(n); one expected time, one floor, one refusal O(1).  There is no tuned
 * constant here: period factor and kappa come from the rules (registry.c); FORMS, the pattern
 * layouts that are kept (1.4 MB), changes no result.
 */
#include "problems/malleable/expected.h"

#include "base/bug.h"

#define FORMS 8192

/* See cs_malleable_floor; u = S / mtbf for j w = S. */
static void set_floor(struct cs_malleable_rate *rate, double mtbf, double u)
{
    const double chord = rate->period / u, at = fmin(fmax(log(chord), 0), u);
    const double slope = rate->again * chord;
    const double deficit = rate->again * mtbf * (chord * at - expm1(at));

    if (isfinite(slope) && isfinite(deficit)) {
        rate->slope = slope;
        rate->deficit = fmax(0, deficit);
    }
}

/* A recovery reads the checkpoint in the time that writing it takes: R = C. */
static void set_saving(struct cs_malleable_rate *rate, double checkpoint, double data)
{
    rate->data = data;
    rate->checkpoint = checkpoint;
    rate->recovery = checkpoint;
}

static void set_costs(struct cs_malleable_rate *rate, double checkpoint, double data, double mtbf,
                      const struct cs_malleable_rules *rules)
{
    const double work = rules->period_factor * sqrt(2 * mtbf * checkpoint);

    set_saving(rate, checkpoint, data);
    rate->again = exp(rate->recovery / mtbf);
    rate->period = expm1((work + checkpoint) / mtbf);
    if (rules->layout == CS_MALLEABLE_PATTERN)
        rate->again = 1;
    rate->slope = rate->again;
    rate->deficit = 0;
    if (rules->layout == CS_MALLEABLE_YOUNG)
        set_floor(rate, mtbf, work / mtbf);
}

static struct cs_malleable_rate rate_of(const struct cs_malleable_instance *in, int i,
                                        const struct cs_malleable_rules *rules)
{
    const struct cs_malleable_task *t = &in->task[i];
    struct cs_malleable_rate rate = {
        .measured = in->measured[i],
        .least = cs_malleable_instance_least(in, i),
        .data = t->data,
        .again = 1,
        .slope = 1,
    };

    if (!rate.measured) {
        rate.fixed = t->sequential_fraction * t->seconds;
        rate.shared = (1 - t->sequential_fraction) * t->seconds;
        rate.overhead = t->overhead;
    }
    if (in->failing)
        set_costs(&rate, t->checkpoint, t->data, in->platform.mtbf, rules);
    if (in->failing && rules->layout == CS_MALLEABLE_PATTERN)
        rate.checkpoint += t->disk; /* a move ends with both checkpoints */
    return rate;
}

struct cs_malleable_model *cs_malleable_model_create(const struct cs_malleable_instance *in,
                                                     const struct cs_malleable_rules *rules,
                                                     struct cs_arena *arena)
{
    struct cs_malleable_model *model = CS_NEW(arena, struct cs_malleable_model);
    struct cs_malleable_rate *rate = CS_NEW_ARRAY(arena, struct cs_malleable_rate, in->tasks);

    for (int i = 0; i < in->tasks; i++)
        rate[i] = rate_of(in, i, rules);
    *model = (struct cs_malleable_model){
        .in = in,
        .tasks = in->tasks,
        .usable = in->usable,
        .failing = in->failing,
        .tail = rules->layout == CS_MALLEABLE_TAIL,
        .lambda = in->failing ? 1 / in->platform.mtbf : 0,
        .downtime = in->failing ? in->platform.downtime : 0,
        .mtbf = in->platform.mtbf,
        .factor = rules->period_factor,
        .kappa = rules->kappa,
        .rate = rate,
    };
    if (in->failing && rules->layout == CS_MALLEABLE_PATTERN)
        model->form = CS_NEW_ARRAY(arena, struct cs_malleable_form, FORMS);
    return model;
}

void cs_malleable_model_cost(struct cs_malleable_model *model,
                             const struct cs_malleable_rules *rules, int task, double checkpoint,
                             double data)
{
    struct cs_malleable_rate *rate = &model->rate[task];

    if (model->failing) {
        set_costs(rate, checkpoint, data, model->mtbf, rules);
        return;
    }
    set_saving(rate, checkpoint, data);
}

/* The patterns of task on j processors, without work. */
static const struct cs_pattern_layout *model_form(const struct cs_malleable_model *model, int task,
                                                  int j)
{
    const int64_t key = (int64_t)(j / 2) * model->tasks + task;
    struct cs_malleable_form *form = &model->form[key % FORMS];

    if (form->procs != j || form->task != task) {
        const struct cs_malleable_task *t = &model->in->task[task];

        form->task = task;
        form->procs = j;
        form->layout = cs_pattern_form(
            &(struct cs_pattern_task){t->verification, t->checkpoint, t->disk, model->downtime,
                                      model->mtbf, model->in->platform.silent_mtbf},
            j);
    }
    return &form->layout;
}

struct cs_pattern_layout cs_malleable_model_patterns(const struct cs_malleable_model *model,
                                                     int task, int j, double alpha)
{
    struct cs_pattern_layout layout = *model_form(model, task, j);

    cs_pattern_fill(&layout, alpha > 0 ? alpha * cs_malleable_rate_time(&model->rate[task], j) : 0);
    return layout;
}

/* The length of K pieces with the losses of one: convex in K, least at
 * sqrt(kappa (W - C) / C). */
static double tail_cost(double seconds, double checkpoint, double kappa, double k)
{
    return (k - 1) * checkpoint + kappa * (seconds + (k - 1) * checkpoint) / k;
}

double cs_malleable_tail_pieces(double seconds, double checkpoint, double kappa)
{
    double below;

    if (!(seconds > checkpoint) || !isfinite(seconds))
        return 1;
    below = fmax(1, floor(sqrt(kappa * (seconds - checkpoint) / checkpoint)));
    return tail_cost(seconds, checkpoint, kappa, below + 1) <
                   tail_cost(seconds, checkpoint, kappa, below)
               ? below + 1
               : below;
}

double cs_malleable_model_expected(const struct cs_malleable_model *model, int task, int j,
                                   double alpha)
{
    struct cs_malleable_pieces p;

    if (!(alpha > 0))
        return 0;
    if (!model->failing)
        return alpha * cs_malleable_rate_time(&model->rate[task], j);
    if (model->form) {
        const struct cs_pattern_layout layout = cs_malleable_model_patterns(model, task, j, alpha);

        return cs_pattern_layout_expected(&layout);
    }
    p = cs_malleable_model_pieces(model, task, j, alpha);
    return cs_malleable_model_product(model, task, j, cs_malleable_model_sum(model, task, j, &p));
}

struct cs_malleable_refusal cs_malleable_refuse_fewer(const struct cs_malleable_rate *rate, int j,
                                                      double alpha, double start)
{
    const struct cs_malleable_floor floor = cs_malleable_floor_of(rate, alpha);
    const double work = alpha * (rate->shared + rate->overhead);
    const bool steep = floor.shared > rate->again * work;
    const double slope = steep ? rate->slope : rate->again;
    const double deficit = steep ? rate->deficit : 0;
    const double most = j - 2, seconds = cs_malleable_rate_time(rate, j);
    const double time = rate->fixed + (rate->shared + rate->overhead) / most;
    const double least = steep ? deficit / (slope * (rate->shared + rate->overhead)) : 0;
    const double speed = slope * time / seconds;

    if (rate->measured || j - 2 < rate->least || !isfinite(start))
        return (struct cs_malleable_refusal){-INFINITY, 0, -INFINITY};
    return (struct cs_malleable_refusal){
        .fixed = slope * alpha * time + speed * start + (rate->checkpoint - deficit) / most +
                 rate->data / j,
        .rise = 1 - speed,
        .until = start + (alpha - least) * seconds,
    };
}
