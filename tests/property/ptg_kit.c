/* ptg_kit.c - random task graphs on random platforms. */
#include "property/ptg_kit.h"

#include "base/jsonw.h"
#include "check/check.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int ptg_kit_below(struct ptg_kit *kit, int n)
{
    return (int)cs_splitmix_below(&kit->random, (uint64_t)n);
}

static struct cs_graph *random_graph(struct ptg_kit *kit, int most)
{
    struct cs_graph_task task[256];
    struct cs_graph_arc arc[4096];
    int tasks = 1 + ptg_kit_below(kit, most), arcs = 0, dense = 1 + ptg_kit_below(kit, 6);
    int kinds = 1 + ptg_kit_below(kit, 8), far = 1 + ptg_kit_below(kit, tasks);
    struct cs_error err = {0};
    struct cs_graph *graph;
    int order[256];

    for (int v = 0; v < tasks; v++) {
        int other = ptg_kit_below(kit, v + 1);

        task[v].name = NULL;
        task[v].memory = task[v].cores = 0;
        task[v].flops = ptg_kit_below(kit, 12) ? 1e9 * (1 + 7 * ptg_kit_below(kit, kinds)) : 0;
        task[v].alpha =
            ptg_kit_below(kit, 5) ? 0.05 * ptg_kit_below(kit, 7) : ptg_kit_below(kit, 2);
        order[v] = order[other];
        order[other] = v;
    }
    for (int v = 1; v < tasks; v++)
        for (int i = ptg_kit_below(kit, dense + 1); i > 0 && arcs < 4096; i--) {
            int reach = far < v ? far : v, from = order[v - 1 - ptg_kit_below(kit, reach)];
            double bytes = ptg_kit_below(kit, 4) ? 4e7 * ptg_kit_below(kit, kinds + 1) : 0;

            arc[arcs++] = (struct cs_graph_arc){from, order[v], bytes};
        }
    graph = cs_graph_create("g", tasks, task, arcs, arc, &err);
    if (!graph)
        fail_msg("%s", err.text);
    return graph;
}

static struct cs_platform *random_platform(struct ptg_kit *kit)
{
    struct cs_cluster cluster[4];
    int clusters = 1 + ptg_kit_below(kit, 4);
    char name[4][8];
    const bool shared = ptg_kit_below(kit, 2);
    const struct cs_backbone backbone = {shared, 125e6 * (1 + ptg_kit_below(kit, 9)), 1e-4};
    struct cs_error err = {0};
    struct cs_platform *platform;

    for (int k = 0; k < clusters; k++) {
        snprintf(name[k], sizeof name[k], "c%d", k);
        cluster[k] = (struct cs_cluster){.name = name[k]};
        cluster[k].procs = 1 + ptg_kit_below(kit, 20);
        cluster[k].speed = 1e9 * (1 + 0.5 * ptg_kit_below(kit, 5));
        cluster[k].bandwidth = 125e6 * (1 + ptg_kit_below(kit, 2));
        cluster[k].latency = ptg_kit_below(kit, 2) * 5e-5;
    }
    platform = cs_platform_create_grid("p", "processor", clusters, cluster, &backbone, &err);
    if (!platform)
        fail_msg("%s", err.text);
    return platform;
}

void ptg_kit_init(struct ptg_kit *kit, uint64_t seed, int graphs, int tasks, bool late)
{
    struct cs_error err = {0};

    *kit = (struct ptg_kit){.random = {seed}};
    kit->platform = random_platform(kit);
    kit->graphs = 1 + ptg_kit_below(kit, graphs);
    for (int g = 0; g < kit->graphs; g++) {
        kit->graph[g] = random_graph(kit, tasks);
        kit->release[g] = late ? ptg_kit_below(kit, 4) * 3.0 : 0;
    }
    kit->in = cs_ptg_instance_create(
        kit->platform, kit->graphs, (const struct cs_graph *const *)kit->graph, kit->release, &err);
    if (!kit->in)
        fail_msg("%s", err.text);
}

void ptg_kit_release(struct ptg_kit *kit)
{
    cs_ptg_instance_destroy(kit->in);
    for (int g = 0; g < kit->graphs; g++)
        cs_graph_destroy(kit->graph[g]);
    cs_platform_destroy(kit->platform);
}

/* The same through a file and back. */
static void check_file(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    struct cs_check_report *report = cs_check_report_create(3);
    struct cs_error err = {0};
    struct cs_schedule_file *file;

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, "es");
    cs_keys_put(&w, cs_keys_ptg, schedule, declared);
    cs_schedule_json_put_tail(&w, schedule, NULL, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    file = cs_schedule_file_read_memory("p", text.text, text.length, &err);
    if (!file)
        fail_msg("%s", err.text);
    assert_int_equal(file->ptg->graphs, declared->graphs);
    assert_true(file->ptg->lower_bound == declared->lower_bound);
    cs_check_file(file, report);
    if (report->total > 0)
        fail_msg("%s", report->item[0].text);
    cs_schedule_file_destroy(file);
    cs_check_report_destroy(report);
    cs_strbuf_release(&text);
}

void ptg_kit_check(const struct ptg_kit *kit, const struct cs_ptg_plan *plan, bool fan)
{
    struct cs_schedule *schedule = cs_ptg_schedule(kit->in, plan);
    struct cs_check_report *report = cs_check_report_create(3);
    struct cs_ptg_bounds bounds;
    struct cs_ptg_declared declared = {
        .graphs = kit->graphs,
        .graph = (const struct cs_graph *const *)kit->graph,
        .release = kit->release,
        .fan = fan,
    };

    cs_ptg_bounds_compute(kit->in, &bounds);
    declared.lower_bound = bounds.window;
    assert_true(bounds.window >= bounds.area && bounds.window >= bounds.path);
    cs_check_ptg(schedule, &declared, report);
    if (report->total > 0)
        fail_msg("%s", report->item[0].text);
    assert_true(plan->makespan == cs_schedule_makespan(schedule));
    check_file(schedule, &declared);
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
}

bool ptg_kit_same(const struct cs_ptg_plan *a, const struct cs_ptg_plan *b)
{
    for (int v = 0; v < a->tasks; v++) {
        const struct cs_ptg_place *x = &a->place[v], *y = &b->place[v];

        if (x->cluster != y->cluster || x->procs != y->procs || x->intervals != y->intervals ||
            x->start != y->start || x->finish != y->finish || x->packed != y->packed ||
            memcmp(x->set, y->set, (size_t)x->intervals * sizeof *x->set) ||
            a->allocation[v] != b->allocation[v] || a->bottom[v] != b->bottom[v])
            return false;
    }
    return !memcmp(a->beta, b->beta, (size_t)a->graphs * sizeof *a->beta);
}
