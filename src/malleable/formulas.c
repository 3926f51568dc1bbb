/* formulas.c - the formulas for those who have no model at hand. */
#include "base/bug.h"
#include "malleable/expected.h"
#include "malleable/initial.h"

static void require(const struct cs_malleable_instance *in, int task, int j)
{
    CS_REQUIRE(task >= 0 && task < in->tasks);
    CS_REQUIRE(j >= 2 && j % 2 == 0 && (!in->measured[task] || j <= in->usable));
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
    const struct cs_malleable_rate rate = plain_rate(in, task);

    require(in, task, j);
    return cs_malleable_rate_time(&rate, j);
}

double cs_malleable_checkpoint_time(const struct cs_malleable_instance *in, int task, int j)
{
    require(in, task, j);
    return in->failing ? in->task[task].checkpoint / j : 0;
}

double cs_malleable_move_time(const struct cs_malleable_instance *in, int task, int j, int k)
{
    const struct cs_malleable_rate rate = plain_rate(in, task);

    require(in, task, j);
    require(in, task, k);
    return cs_malleable_rate_move(&rate, j, k);
}

struct cs_malleable_pieces cs_malleable_pieces_of(const struct cs_malleable_instance *in,
                                                  const struct cs_malleable_rules *rules, int task,
                                                  int j, double alpha)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_pieces pieces;

    require(in, task, j);
    pieces = cs_malleable_model_pieces(cs_malleable_model_create(in, rules, arena), task, j, alpha);
    cs_arena_destroy(arena);
    return pieces;
}

double cs_malleable_expected_time(const struct cs_malleable_instance *in,
                                  const struct cs_malleable_rules *rules, int task, int j,
                                  double alpha)
{
    struct cs_arena *arena = cs_arena_create();
    double seconds;

    require(in, task, j);
    seconds =
        cs_malleable_model_expected(cs_malleable_model_create(in, rules, arena), task, j, alpha);
    cs_arena_destroy(arena);
    return seconds;
}

double cs_malleable_expected_least(const struct cs_malleable_instance *in,
                                   const struct cs_malleable_rules *rules, int task, int j,
                                   double alpha)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_model *model = cs_malleable_model_create(in, rules, arena);
    double least = INFINITY;

    require(in, task, j);
    for (int k = 2; k <= j; k += 2)
        least = fmin(least, cs_malleable_model_expected(model, task, k, alpha));
    cs_arena_destroy(arena);
    return least;
}

int cs_malleable_initial(const struct cs_malleable_instance *in,
                         const struct cs_malleable_rules *rules, int *procs, double *expected)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_model *model = cs_malleable_model_create(in, rules, arena);
    double *seconds = CS_NEW_ARRAY(arena, double, in->tasks);
    const int idle = cs_malleable_initial_share(model, procs, seconds, arena);

    for (int i = 0; i < in->tasks && expected; i++)
        expected[i] = seconds[i];
    cs_arena_destroy(arena);
    return idle;
}
