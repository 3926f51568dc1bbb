/* instance.c - a workload and a machine become an instance of the pack problem.
 *
 * Source: docs/spec/pack.md 1 and 2.1.
 *
 * Invariants: the pack size is in 1 .. p (a larger one means p); sums of times, works and response
 * times of every plan are finite doubles.
 */
#include "problems/pack/instance.h"

#include "base/guard.h"

#include <math.h>

/* No sum of times, of work or of response times may be beyond what a double holds: each is at most
 * the sum of the longest times, times tasks or processors. */
static int check_sums(const struct cs_moldable *tasks, struct cs_error *err)
{
    double most = tasks->count > tasks->procs ? tasks->count : tasks->procs, sum = 0;

    for (int i = 0; i < tasks->count; i++)
        sum += cs_moldable_time(tasks, i, tasks->min_procs[i]);
    if (isfinite(most * sum))
        return 0;
    return cs_error_set(err,
                        "the times of %d tasks on %d processors add up to more than a number can "
                        "hold (1.8e308): are they in seconds?",
                        tasks->count, tasks->procs);
}

static int check_request(int procs, int pack_size, struct cs_error *err)
{
    if (procs < 1)
        return cs_error_set(err, "the number of processors is %d, it must be at least 1", procs);
    if (pack_size < 1)
        return cs_error_set(err, "the pack size is %d, it must be at least 1", pack_size);
    return 0;
}

static struct cs_pack_instance *instance_build(const struct cs_workload *workload,
                                               struct cs_moldable *tasks, int pack_size,
                                               struct cs_error *err)
{
    struct cs_pack_instance *in;

    if (!tasks)
        return NULL;
    if (check_sums(tasks, err)) {
        cs_moldable_destroy(tasks);
        return NULL;
    }
    in = cs_block_resize(NULL, sizeof *in);
    *in = (struct cs_pack_instance){
        .workload = workload,
        .tasks = tasks,
        .pack_size = pack_size < tasks->procs ? pack_size : tasks->procs,
    };
    return in;
}

struct cs_pack_instance *cs_pack_instance_create(const struct cs_workload *workload, int procs,
                                                 int pack_size, struct cs_error *err)
{
    CS_ASK(workload, err, NULL);
    CS_GUARD(err, NULL);
    if (check_request(procs, pack_size, err))
        return NULL;
    return instance_build(workload, cs_moldable_create(workload, procs, err), pack_size, err);
}

struct cs_pack_instance *cs_pack_instance_create_measured(const struct cs_workload *workload,
                                                          int procs, int pack_size, double margin,
                                                          struct cs_error *err)
{
    CS_ASK(workload, err, NULL);
    CS_GUARD(err, NULL);
    if (check_request(procs, pack_size, err))
        return NULL;
    return instance_build(workload, cs_moldable_create_measured(workload, procs, margin, err),
                          pack_size, err);
}

void cs_pack_instance_destroy(struct cs_pack_instance *in)
{
    if (!in)
        return;
    cs_moldable_destroy(in->tasks);
    cs_block_free(in);
}

int cs_pack_instance_procs(const struct cs_pack_instance *in)
{
    CS_ASK(in, NULL, 0);
    return in->tasks->procs;
}

int cs_pack_instance_pack_size(const struct cs_pack_instance *in)
{
    CS_ASK(in, NULL, 0);
    return in->pack_size;
}

double cs_pack_instance_time(const struct cs_pack_instance *in, int task, int procs)
{
    CS_ASK(in && task >= 0 && task < in->tasks->count && procs >= 1 && procs <= in->tasks->procs,
           NULL, NAN);
    return cs_pack_time(in, task, procs);
}

int cs_pack_instance_launched(const struct cs_pack_instance *in, int task, int procs)
{
    CS_ASK(in && task >= 0 && task < in->tasks->count && procs >= in->tasks->min_procs[task] &&
               procs <= in->tasks->procs,
           NULL, -1);
    return cs_moldable_launched(in->tasks, task, procs);
}
