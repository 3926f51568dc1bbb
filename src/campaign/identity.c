/* identity.c - numbers of instances in a fixed order.  Each digest begins with the name of the
 * problem and the version of that order: whoever changes one changes the other. */
#include "campaign/identity.h"

#include "study/identity.h"

#include <stdbool.h>

static void put_graph(struct cs_digest *digest, const struct cs_graph *graph)
{
    cs_digest_put_integer(digest, graph->tasks);
    for (int v = 0; v < graph->tasks; v++) {
        cs_digest_put_double(digest, graph->task[v].flops);
        cs_digest_put_double(digest, graph->task[v].alpha);
        if (graph->task[v].memory > 0 || graph->task[v].cores > 0) {
            cs_digest_put_double(digest, graph->task[v].memory);
            cs_digest_put_integer(digest, graph->task[v].cores);
        }
    }
    cs_digest_put_integer(digest, graph->arcs);
    for (int a = 0; a < graph->arcs; a++) {
        cs_digest_put_integer(digest, graph->arc[a].from);
        cs_digest_put_integer(digest, graph->arc[a].to);
        cs_digest_put_double(digest, graph->arc[a].bytes);
    }
}

static void put_platform(struct cs_digest *digest, const struct cs_platform *platform)
{
    cs_digest_put_integer(digest, platform->clusters);
    for (int c = 0; c < platform->clusters; c++) {
        cs_digest_put_integer(digest, platform->cluster[c].procs);
        cs_digest_put_double(digest, platform->cluster[c].speed);
        cs_digest_put_double(digest, platform->cluster[c].bandwidth);
        cs_digest_put_double(digest, platform->cluster[c].latency);
        if (platform->cluster[c].memory > 0)
            cs_digest_put_double(digest, platform->cluster[c].memory);
    }
    cs_digest_put_integer(digest, platform->backbone.shared_switch);
    cs_digest_put_double(digest, platform->backbone.bandwidth);
    cs_digest_put_double(digest, platform->backbone.latency);
}

void cs_identity_ptg(const struct cs_ptg_instance *const *instance, int platforms,
                     char text[CS_DIGEST_TEXT])
{
    int graphs = cs_ptg_instance_graphs(instance[0]);
    struct cs_digest own, *digest = &own;

    cs_digest_init(digest);
    cs_digest_put_text(digest, "ptg 1");
    cs_digest_put_integer(digest, platforms);
    for (int p = 0; p < platforms; p++)
        put_platform(digest, cs_ptg_instance_platform(instance[p]));
    cs_digest_put_integer(digest, graphs);
    for (int g = 0; g < graphs; g++) {
        put_graph(digest, cs_ptg_instance_graph(instance[0], g));
        cs_digest_put_double(digest, cs_ptg_instance_release(instance[0], g));
    }
    cs_digest_finish(digest, text);
}
