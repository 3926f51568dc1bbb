/* formulas.c - the formulas of the public interface, for callers without a model.
 *
 * Source: spec/malleable.md 3: t(i, j), C(i, j), Equation (9), the layout, Equation (4), its
 * monotone form (Equation 6) and Algorithm 1.
 *
 * Invariants: arguments are checked (even j >= 2, 0 <= alpha <= 1, rules in their limits); an
 * error gives NaN.  The numbers are those that the simulator uses, from the same functions.
 *
 * Complexity: a function that needs rules creates a model first, O(n); Equation (6) then costs
 * O(j).  They are for tests and plots; the simulator calls expected.h directly.
 */
#include "base/guard.h"
#include "problems/malleable/expected.h"
#include "problems/malleable/initial.h"

#include <math.h>

static bool formulas_has(const struct cs_malleable_instance *in, int task, int j)
{
    return in && task >= 0 && task < in->tasks && j >= 2 && j % 2 == 0 &&
           (!in->measured[task] || j <= in->usable);
}

static bool can_run(const struct cs_malleable_instance *in, const struct cs_malleable_rules *rules,
                    int task, int j, double alpha)
{
    return formulas_has(in, task, j) && rules && !cs_malleable_rules_check(rules, NULL) &&
           alpha >= 0 && alpha <= 1;
}

static struct cs_malleable_rate plain_rate(const struct cs_malleable_instance *in, int task)
{
    const struct cs_malleable_task *t = &in->task[task];

    return (struct cs_malleable_rate){
        .fixed = t->sequential_fraction * t->seconds,
        .shared = (1 - t->sequential_fraction) * t->seconds,
        .overhead = t->overhead,
        .measured = in->measured[task],
        .checkpoint = in->failing ? t->checkpoint : 0,
        .data = t->data,
    };
}

double cs_malleable_time(const struct cs_malleable_instance *in, int task, int j)
{
    CS_ASK(formulas_has(in, task, j), NULL, NAN);
    const struct cs_malleable_rate rate = plain_rate(in, task);

    return cs_malleable_rate_time(&rate, j);
}

double cs_malleable_checkpoint_time(const struct cs_malleable_instance *in, int task, int j)
{
    CS_ASK(formulas_has(in, task, j), NULL, NAN);
    return in->failing ? in->task[task].checkpoint / j : 0;
}

double cs_malleable_move_time(const struct cs_malleable_instance *in, int task, int j, int k)
{
    CS_ASK(formulas_has(in, task, j) && formulas_has(in, task, k), NULL, NAN);
    const struct cs_malleable_rate rate = plain_rate(in, task);

    return cs_malleable_rate_move(&rate, j, k);
}

struct cs_malleable_pieces cs_malleable_pieces_of(const struct cs_malleable_instance *in,
                                                  const struct cs_malleable_rules *rules, int task,
                                                  int j, double alpha)
{
    CS_ASK(can_run(in, rules, task, j, alpha), NULL, ((struct cs_malleable_pieces){NAN, NAN, NAN}));
    CS_GUARD(NULL, ((struct cs_malleable_pieces){NAN, NAN, NAN}));
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_model *model = cs_malleable_model_create(in, rules, arena);
    struct cs_malleable_pieces pieces;

    pieces = cs_malleable_model_pieces(model, task, j, alpha);
    if (model->form) {
        const struct cs_pattern_layout l = cs_malleable_model_patterns(model, task, j, alpha);
        const struct cs_pattern *first = cs_pattern_of(&l, 0);

        pieces =
            (struct cs_malleable_pieces){cs_pattern_segments(&l), first->chunks * first->work, 0};
    }
    cs_arena_destroy(arena);
    return pieces;
}

double cs_malleable_expected_time(const struct cs_malleable_instance *in,
                                  const struct cs_malleable_rules *rules, int task, int j,
                                  double alpha)
{
    CS_ASK(can_run(in, rules, task, j, alpha), NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *arena = cs_arena_create();
    double seconds;

    seconds =
        cs_malleable_model_expected(cs_malleable_model_create(in, rules, arena), task, j, alpha);
    cs_arena_destroy(arena);
    return seconds;
}

double cs_malleable_expected_least(const struct cs_malleable_instance *in,
                                   const struct cs_malleable_rules *rules, int task, int j,
                                   double alpha)
{
    CS_ASK(can_run(in, rules, task, j, alpha), NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_model *model = cs_malleable_model_create(in, rules, arena);
    double least = INFINITY;

    for (int k = 2; k <= j; k += 2)
        least = fmin(least, cs_malleable_model_expected(model, task, k, alpha));
    cs_arena_destroy(arena);
    return least;
}

int cs_malleable_initial(const struct cs_malleable_instance *in,
                         const struct cs_malleable_rules *rules, int *procs, double *expected)
{
    CS_ASK(in && rules && !cs_malleable_rules_check(rules, NULL) && procs, NULL, -1);
    CS_GUARD(NULL, -1);
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_model *model = cs_malleable_model_create(in, rules, arena);
    double *seconds = CS_NEW_ARRAY(arena, double, in->tasks);
    const int idle = cs_malleable_initial_share(model, procs, seconds, arena);

    for (int i = 0; i < in->tasks && expected; i++)
        expected[i] = seconds[i];
    cs_arena_destroy(arena);
    return idle;
}
