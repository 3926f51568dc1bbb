/* ptg_simgrid: the replay of a plan with transfers that contend (replay_fluid.c) ends when
 * SimGrid's network (model ptask_L07) lets it end.
 *
 * Source: spec/ptg.md 6.1 and 11.
 *
 * A process holds one engine of SimGrid, so that the replay runs in a child process and sends the
 * dates through a pipe.  The child loads the library: a program that is linked to SimGrid takes a
 * tenth of a second to start.  One actor starts the activities that are ready and waits for the
 * first that ends; a task is a parallel execution of flops, a transfer one of bytes.
 *
 * Invariants
 *   - processors and the order on each are those of the plan (replay_order.c); only dates change.
 *   - waits[v] counts data, tasks before it on its processors, and the release of its graph.
 *   - tasks of length 0 and transfers in which no byte travels are not passed to SimGrid.
 *
 * Complexity: that of SimGrid; a transfer has a matrix of bytes over the union of its hosts (240
 * hosts: 460 kB).  15 to 90 ms for 10 graphs of 260 tasks together (spec/ptg.md 11).  No
 * constants.
 */
#include "base/background.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"
#include "unit/kit.h"

#include "config.h"

#include <dlfcn.h>
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GONE "SimGrid could not replay this plan"

/* The functions of SimGrid that are used. */
#define CS_SIMGRID_FUNCTIONS                                                                       \
    CS_SIMGRID(simgrid_init)                                                                       \
    CS_SIMGRID(simgrid_load_platform)                                                              \
    CS_SIMGRID(simgrid_run)                                                                        \
    CS_SIMGRID(simgrid_get_clock)                                                                  \
    CS_SIMGRID(sg_host_by_name)                                                                    \
    CS_SIMGRID(sg_actor_create_)                                                                   \
    CS_SIMGRID(sg_actor_parallel_exec_init)                                                        \
    CS_SIMGRID(sg_actor_sleep_until)                                                               \
    CS_SIMGRID(sg_exec_start)                                                                      \
    CS_SIMGRID(sg_exec_wait_any)                                                                   \
    CS_SIMGRID(sg_exec_wait_any_for)

static struct {
#define CS_SIMGRID(name) __typeof__(&name) name;
    CS_SIMGRID_FUNCTIONS
#undef CS_SIMGRID
} sg;

static int replay_simgrid_load(void)
{
    void *library = dlopen(CS_SIMGRID_LIBRARY, RTLD_NOW), *function;

    if (!library)
        return -1;
#define CS_SIMGRID(name)                                                                           \
    function = dlsym(library, #name);                                                              \
    if (!function)                                                                                 \
        return -1;                                                                                 \
    memcpy(&sg.name, &function, sizeof function);
    CS_SIMGRID_FUNCTIONS
#undef CS_SIMGRID
    return 0;
}

struct date {
    double start, finish;
};

/* Something under way: a task, or a transfer to a task. */
struct deed {
    int task;
    bool transfer;
};

struct play {
    const char *platform; /* a file */
    const struct cs_ptg_instance *in;
    const struct cs_ptg_plan *plan;
    struct cs_ptg_next **then;
    struct date *date; /* by task */
    int *waits;
    sg_exec_t *exec; /* of the deeds */
    struct deed *deed;
    int deeds, room;
    bool *released; /* by graph */
    struct cs_arena *arena;
};

static struct play *stage; /* of the child; actors have no other way to it */

static void replay_simgrid_processors(const struct cs_ptg_place *place, int *out)
{
    int count = 0;

    for (int i = 0; i < place->intervals; i++)
        for (int p = place->set[i].first; p <= place->set[i].last; p++)
            out[count++] = p;
}

static sg_host_t replay_simgrid_host(int processor)
{
    char name[32];

    cs_plain_print(name, sizeof name, "p%d", processor);
    return sg.sg_host_by_name(name);
}

static void replay_simgrid_begin(sg_exec_t exec, int task, bool transfer)
{
    if (stage->deeds == stage->room) {
        stage->room = stage->room ? 2 * stage->room : 64;
        stage->exec = realloc(stage->exec, (size_t)stage->room * sizeof(sg_exec_t));
        stage->deed = realloc(stage->deed, (size_t)stage->room * sizeof *stage->deed);
        if (!stage->exec || !stage->deed)
            _exit(1);
    }
    sg.sg_exec_start(exec);
    stage->exec[stage->deeds] = exec;
    stage->deed[stage->deeds++] = (struct deed){task, transfer};
}

static void end_task(int task);

/* One condition of the task is met; it starts with the last one. */
static void release_one(int task)
{
    const struct cs_ptg_place *place = &stage->plan->place[task];
    double speed = stage->in->platform->cluster[place->cluster].speed, seconds;
    int *procs;
    sg_host_t *hosts;
    double *flops;

    if (--stage->waits[task] > 0)
        return;
    stage->date[task].start = sg.simgrid_get_clock();
    seconds = cs_graph_task_time(cs_ptg_task(stage->in, task), place->procs, speed);
    if (!(seconds > 0)) {
        end_task(task);
        return;
    }
    procs = CS_NEW_ARRAY(stage->arena, int, place->procs);
    hosts = CS_NEW_ARRAY(stage->arena, sg_host_t, place->procs);
    flops = CS_NEW_ARRAY(stage->arena, double, place->procs);
    replay_simgrid_processors(place, procs);
    for (int i = 0; i < place->procs; i++) {
        hosts[i] = replay_simgrid_host(procs[i]);
        flops[i] = seconds * speed;
    }
    replay_simgrid_begin(sg.sg_actor_parallel_exec_init(place->procs, hosts, flops, NULL), task,
                         false);
}

/* The union of both sets, and the bytes from each to each; false when nothing travels. */
static bool fill_bytes(const struct cs_ptg_place *from, const struct cs_ptg_place *to, double bytes,
                       const int *p, const int *q, int *index, double *matrix, int hosts)
{
    int64_t np = from->procs, nq = to->procs;
    bool any = false;

    for (int64_t i = 0, j = 0; i < np && j < nq;) {
        int64_t low = i * nq > j * np ? i * nq : j * np;
        int64_t high = (i + 1) * nq < (j + 1) * np ? (i + 1) * nq : (j + 1) * np;

        if (high > low && p[i] != q[j]) {
            matrix[(size_t)index[p[i]] * (size_t)hosts + (size_t)index[q[j]]] =
                bytes * (double)(high - low) / ((double)np * (double)nq);
            any = true;
        }
        if ((i + 1) * nq <= (j + 1) * np)
            i++;
        else
            j++;
    }
    return any;
}

static void replay_simgrid_send(int from, int to, double bytes)
{
    const struct cs_ptg_place *a = &stage->plan->place[from], *b = &stage->plan->place[to];
    int *p = CS_NEW_ARRAY(stage->arena, int, a->procs);
    int *q = CS_NEW_ARRAY(stage->arena, int, b->procs);
    int *index = CS_NEW_ARRAY(stage->arena, int, stage->in->platform->procs), hosts = 0;
    sg_host_t *list = CS_NEW_ARRAY(stage->arena, sg_host_t, a->procs + b->procs);
    double *matrix;

    replay_simgrid_processors(a, p);
    replay_simgrid_processors(b, q);
    for (int i = 0; i < stage->in->platform->procs; i++)
        index[i] = -1;
    for (int i = 0; i < a->procs + b->procs; i++) {
        int at = i < a->procs ? p[i] : q[i - a->procs];

        if (index[at] < 0) {
            list[hosts] = replay_simgrid_host(at);
            index[at] = hosts++;
        }
    }
    matrix = CS_NEW_ARRAY(stage->arena, double, (size_t)hosts *(size_t)hosts);
    if (bytes > 0 && fill_bytes(a, b, bytes, p, q, index, matrix, hosts))
        replay_simgrid_begin(sg.sg_actor_parallel_exec_init(hosts, list, NULL, matrix), to, true);
    else
        release_one(to);
}

static void end_task(int task)
{
    int g = stage->in->graph_of[task], v = task - stage->in->first[g];
    const struct cs_graph *graph = stage->in->graph[g];

    stage->date[task].finish = sg.simgrid_get_clock();
    for (const struct cs_ptg_next *next = stage->then[task]; next; next = next->after)
        release_one(next->task);
    for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++)
        replay_simgrid_send(task, stage->in->first[g] + graph->arc[a].to, graph->arc[a].bytes);
}

/* Release what is due; when the next release is, +inf for never. */
static double release_graphs(void)
{
    double next = INFINITY;

    for (int g = 0; g < stage->in->graphs; g++) {
        if (stage->released[g])
            continue;
        if (stage->in->release[g] > sg.simgrid_get_clock()) {
            next = fmin(next, stage->in->release[g]);
            continue;
        }
        stage->released[g] = true;
        for (int v = stage->in->first[g]; v < stage->in->first[g + 1]; v++)
            release_one(v);
    }
    return next;
}

static void replay_simgrid_actor(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (;;) {
        double next = release_graphs();
        ssize_t done;
        struct deed deed;

        if (!stage->deeds && isinf(next))
            return;
        if (!stage->deeds) {
            sg.sg_actor_sleep_until(next);
            continue;
        }
        done = isinf(next) ? sg.sg_exec_wait_any(stage->exec, (size_t)stage->deeds)
                           : sg.sg_exec_wait_any_for(stage->exec, (size_t)stage->deeds,
                                                     next - sg.simgrid_get_clock());
        if (done < 0)
            continue;
        deed = stage->deed[done];
        stage->deeds--;
        for (int i = (int)done; i < stage->deeds; i++) {
            stage->exec[i] = stage->exec[i + 1];
            stage->deed[i] = stage->deed[i + 1];
        }
        if (deed.transfer)
            release_one(deed.task);
        else
            end_task(deed.task);
    }
}

/* Clusters of hosts p0, p1, ... with separate links, joined by a backbone or by a switch that
 * never blocks. */
static void put_platform(const struct cs_platform *p, struct cs_strbuf *out)
{
    bool shared = p->backbone.shared_switch || p->clusters < 2;

    cs_strbuf_printf(out, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                          "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                          "<zone id=\"all\" routing=\"Full\">\n");
    for (int c = 0; c < p->clusters; c++) {
        const struct cs_cluster *k = &p->cluster[c];

        cs_strbuf_printf(
            out,
            "<cluster id=\"c%d\" prefix=\"p\" suffix=\"\" radical=\"%d-%d\" speed=\"%.17gf\" "
            "bw=\"%.17gBps\" lat=\"%.17gs\" router_id=\"r%d\"/>\n",
            c, k->first, k->first + k->procs - 1, k->speed, k->bandwidth, k->latency, c);
    }
    cs_strbuf_printf(out,
                     "<link id=\"backbone\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
                     "sharing_policy=\"%s\"/>\n",
                     shared ? 1e18 : p->backbone.bandwidth, shared ? 0 : p->backbone.latency,
                     shared ? "FATPIPE" : "SHARED");
    for (int a = 0; a < p->clusters; a++)
        for (int b = a + 1; b < p->clusters; b++)
            cs_strbuf_printf(
                out,
                "<zoneRoute src=\"c%d\" dst=\"c%d\" gw_src=\"r%d\" gw_dst=\"r%d\"><link_ctn "
                "id=\"backbone\"/></zoneRoute>\n",
                a, b, a, b);
    cs_strbuf_printf(out, "</zone>\n</platform>\n");
}

/* Runs in a child process; its output are the dates. */
static int replay_simgrid_play(void *who, struct cs_strbuf *out, struct cs_error *err)
{
    static char words[][40] = {"cosched", "--cfg=host/model:ptask_L07",
                               "--log=root.thres:critical"};
    char *argv[] = {words[0], words[1], words[2], NULL};
    int argc = 3;

    if (replay_simgrid_load())
        return cs_error_set_as(err, CS_ERROR_MISSING, GONE);
    stage = who;
    cs_plain_enter();
    sg.simgrid_init(&argc, argv);
    sg.simgrid_load_platform(stage->platform);
    sg.sg_actor_create_("cosched", replay_simgrid_host(0), replay_simgrid_actor, 0, NULL);
    sg.simgrid_run();
    cs_strbuf_append(out, (const char *)stage->date,
                     (size_t)stage->in->tasks * sizeof *stage->date);
    return 0;
}

static int replay_simgrid_replay(struct play *p, struct cs_error *err)
{
    const size_t size = (size_t)p->in->tasks * sizeof *p->date;
    struct cs_strbuf dates = CS_STRBUF_INIT;
    int status = cs_background_run(replay_simgrid_play, p, GONE, &dates, err);

    if (!status && dates.length != size)
        status = cs_error_set(err, GONE);
    if (!status && size)
        memcpy(p->date, dates.text, size);
    cs_strbuf_release(&dates);
    return status;
}

static int write_platform(const struct cs_platform *platform, const char *path,
                          struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    put_platform(platform, &text);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

static void replay_simgrid_prepare(struct play *p)
{
    const struct cs_ptg_instance *in = p->in;

    p->date = CS_NEW_ARRAY(p->arena, struct date, in->tasks);
    p->waits = CS_NEW_ARRAY(p->arena, int, in->tasks);
    p->released = CS_NEW_ARRAY(p->arena, bool, in->graphs);
    p->then = cs_ptg_replay_order(in, p->plan, p->arena);
    for (int g = 0; g < in->graphs; g++)
        for (int v = 0; v < in->graph[g]->tasks; v++)
            p->waits[in->first[g] + v] +=
                1 + in->graph[g]->first_in[v + 1] - in->graph[g]->first_in[v];
    for (int v = 0; v < in->tasks; v++)
        for (const struct cs_ptg_next *next = p->then[v]; next; next = next->after)
            p->waits[next->task]++;
}

static struct cs_ptg_plan *replay_simgrid(const struct cs_ptg_instance *instance,
                                          const struct cs_ptg_plan *plan, struct cs_error *err)
{
    char folder[] = "/tmp/cosched-XXXXXX", path[sizeof folder + 16];
    struct play p = {.platform = path, .in = instance, .plan = plan, .arena = cs_arena_create()};
    struct cs_ptg_plan *replayed = NULL;

    if (!mkdtemp(folder)) {
        cs_arena_destroy(p.arena);
        cs_error_set(err, "%s: this folder cannot be made", folder);
        return NULL;
    }
    cs_plain_print(path, sizeof path, "%s/platform.xml", folder);
    replay_simgrid_prepare(&p);
    if (!write_platform(instance->platform, path, err) && !replay_simgrid_replay(&p, err)) {
        replayed = cs_ptg_replay_copy(instance, plan);
        for (int v = 0; v < instance->tasks; v++) {
            replayed->place[v].start = p.date[v].start;
            replayed->place[v].finish = p.date[v].finish;
        }
        cs_ptg_plan_finish(replayed);
    }
    remove(path);
    rmdir(folder);
    cs_arena_destroy(p.arena);
    return replayed;
}

/* The paper's graphs of a family, on each of its sites. */
static void compare_replays(uint64_t seed, enum cs_ptg_family family, const char *site)
{
    struct cs_error err = {0};
    struct cs_platform *platform = cs_platform_site(site, &err);
    struct cs_graph *graph[3];
    struct cs_ptg_instance *in;
    struct cs_ptg_plan *plan, *ours, *theirs;
    struct cs_ptg_request request = {0};

    assert_non_null(platform);
    assert_int_equal(cs_ptg_generate_run(seed, family, 3, 0, graph, &err), 0);
    in = cs_ptg_instance_create(platform, 3, (const struct cs_graph *const *)graph, NULL, &err);
    assert_non_null(in);
    plan = cs_ptg_plan_make(in, &request, &err);
    assert_non_null(plan);
    ours = cs_ptg_replay_fluid(in, plan);
    theirs = replay_simgrid(in, plan, &err);
    if (!theirs)
        fail_msg("%s, seed %d: %s", site, (int)seed, err.text);
    if (fabs(ours->makespan - theirs->makespan) > 0.05 * theirs->makespan)
        fail_msg("%s, seed %d: ours ends at %g, SimGrid's at %g", site, (int)seed, ours->makespan,
                 theirs->makespan);
    cs_ptg_plan_destroy(plan);
    cs_ptg_plan_destroy(ours);
    cs_ptg_plan_destroy(theirs);
    cs_ptg_instance_destroy(in);
    for (int g = 0; g < 3; g++)
        cs_graph_destroy(graph[g]);
    cs_platform_destroy(platform);
}

static void both_replays_end_at_the_same_time(void **state)
{
    (void)state;
    for (int at = 0; cs_platform_site_name(at); at++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            for (int family = 0; cs_ptg_family_name(family); family++)
                compare_replays(seed, (enum cs_ptg_family)family, cs_platform_site_name(at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_replays_end_at_the_same_time),
    };

    return cmocka_run_group_tests_name("ptg_simgrid", tests, NULL, NULL);
}
