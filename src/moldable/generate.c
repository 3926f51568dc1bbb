/* generate.c - bags drawn as Benoit, Le Fevre, Perotin, Raghavan, Robert, Sun draw them. */
#include "moldable/generate.h"

#include "base/arena.h"
#include "base/mix.h"
#include "base/plain.h"
#include "model/workload.h"

#include <math.h>

#define WORK 1 /* the streams: of the work, and of the first parameter */
#define PARAMETER 7

struct task {
    double work, limit, sequential, overhead;
};

static double draw(const struct cs_moldable_recipe *recipe, int stream, int task)
{
    return cs_mix_uniform(cs_mix(recipe->seed, (uint64_t)stream, recipe->set, 0, (uint64_t)task));
}

static struct task draw_task(const struct cs_moldable_recipe *recipe, int i)
{
    struct task task = {.work = 5000 + draw(recipe, WORK, i) * 3995000, .limit = INFINITY};
    int stream = PARAMETER;

    if (recipe->model == CS_MOLDABLE_ROOFLINE || recipe->model == CS_MOLDABLE_MIX)
        task.limit = 100 + floor(draw(recipe, stream++, i) * 3901);
    if (recipe->model == CS_MOLDABLE_AMDAHL || recipe->model == CS_MOLDABLE_MIX) {
        double u = -7 + 5 * draw(recipe, stream, i), v = 10 * draw(recipe, stream + 1, i);

        task.sequential = v * pow(10, u);
        stream += 2;
    }
    if (recipe->model == CS_MOLDABLE_LINEAR || recipe->model == CS_MOLDABLE_MIX)
        task.overhead = pow(2, 3 * draw(recipe, stream, i)) * (1 + draw(recipe, stream + 1, i));
    return task;
}

static double seconds_on(const struct task *task, int procs)
{
    double parallel = task->work * (1 - task->sequential), alone = task->work * task->sequential;

    return fmax(parallel / procs, parallel / task->limit) + alone + (procs - 1) * task->overhead;
}

static struct cs_profile profile_of(const struct cs_moldable_recipe *recipe,
                                    const struct task *task, struct cs_arena *arena)
{
    double *seconds;

    if (recipe->model == CS_MOLDABLE_AMDAHL)
        return (struct cs_profile){
            .kind = CS_PROFILE_AMDAHL, .seq_time = task->work, .seq_fraction = task->sequential};
    seconds = CS_NEW_ARRAY(arena, double, recipe->procs);
    for (int j = 1; j <= recipe->procs; j++)
        seconds[j - 1] = seconds_on(task, j);
    return (struct cs_profile){
        .kind = CS_PROFILE_TABLE, .count = recipe->procs, .seconds = seconds};
}

struct cs_workload *cs_moldable_generate(const struct cs_moldable_recipe *recipe)
{
    static const char *const names[] = {"roofline", "linear", "amdahl", "mix"};
    struct cs_arena *arena = cs_arena_create();
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, recipe->tasks);
    struct cs_workload *workload;
    char source[120];

    for (int i = 0; i < recipe->tasks; i++) {
        struct task task = draw_task(recipe, i);

        profile[i] = profile_of(recipe, &task, arena);
    }
    workload = cs_workload_create(recipe->tasks, NULL, profile, NULL);
    workload->procs = recipe->procs;
    cs_plain_print(source, sizeof source, "%d tasks of the model %s (seed %llu, set %llu)",
                   recipe->tasks, names[recipe->model], (unsigned long long)recipe->seed,
                   (unsigned long long)recipe->set);
    cs_workload_set_source(workload, source);
    cs_arena_destroy(arena);
    return workload;
}
