/* sites.c - the four Grid'5000 sites of table 1 of N'takpe and Suter, INRIA RR-6774 (2008).
 *
 * Lille and Rennes have one switch for all clusters; in Nancy and Sophia each cluster has its own.
 */

#include "base/guard.h"
#include "model/platform.h"

#include <string.h>

#define CLUSTERS_MOST 3

static const struct site {
    const char *name;
    bool shared_switch;
    int clusters;
    struct {
        const char *name;
        int procs;
        double speed;
    } cluster[CLUSTERS_MOST];
} sites[] = {
    {"grid5000-lille",
     true,
     3,
     {{"chuque", 53, 3.647e9}, {"chti", 20, 4.311e9}, {"chicon", 26, 4.384e9}}},
    {"grid5000-nancy", false, 2, {{"grillon", 47, 3.379e9}, {"grelon", 120, 3.185e9}}},
    {"grid5000-rennes",
     true,
     3,
     {{"parasol", 64, 3.573e9}, {"paravent", 99, 3.364e9}, {"paraquad", 66, 4.603e9}}},
    {"grid5000-sophia",
     false,
     3,
     {{"azur", 74, 3.258e9}, {"helios", 56, 3.675e9}, {"sol", 50, 4.389e9}}},
};

#define SITES ((int)(sizeof sites / sizeof *sites))

const char *cs_platform_site_name(int index)
{
    return index >= 0 && index < SITES ? sites[index].name : NULL;
}

static struct cs_platform *sites_make(const struct site *site, struct cs_error *err)
{
    const struct cs_backbone backbone = {
        .shared_switch = site->shared_switch,
        .bandwidth = CS_BACKBONE_BANDWIDTH,
        .latency = CS_BACKBONE_LATENCY,
    };
    struct cs_cluster cluster[CLUSTERS_MOST];

    for (int i = 0; i < site->clusters; i++)
        cluster[i] = (struct cs_cluster){
            .name = site->cluster[i].name,
            .procs = site->cluster[i].procs,
            .speed = site->cluster[i].speed,
            .bandwidth = CS_LINK_BANDWIDTH,
            .latency = CS_LINK_LATENCY,
        };
    return cs_platform_create_grid(site->name, "processor", site->clusters, cluster, &backbone,
                                   err);
}

struct cs_platform *cs_platform_site(const char *name, struct cs_error *err)
{
    CS_ASK(name, err, NULL);
    CS_GUARD(err, NULL);
    for (int i = 0; i < SITES; i++)
        if (!strcmp(sites[i].name, name))
            return sites_make(&sites[i], err);
    cs_error_set(err, "there is no site %.60s: there are %s, %s, %s and %s", name, sites[0].name,
                 sites[1].name, sites[2].name, sites[3].name);
    return NULL;
}
