/* platform_read: sites by name, platforms with networks from JSON and from SimGrid's XML. */
#include "base/jsonw.h"
#include "io/platform_json.h"
#include "io/platform_xml.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static struct cs_platform *read_text(const char *text)
{
    struct cs_error err = {0};
    struct cs_platform *p = cs_platform_read_memory("p", text, strlen(text), &err);

    if (!p && text[0] == '<' && strstr(err.text, "without libexpat"))
        return NULL;
    if (!p)
        fail_msg("%s", err.text);
    return p;
}

static void refused(const char *text, const char *why)
{
    struct cs_error err = {0};

    assert_null(cs_platform_read_memory("p", text, strlen(text), &err));
    if (text[0] != '<' || !strstr(err.text, "without libexpat"))
        assert_string_equal(err.text, why);
}

static void the_four_sites_are_those_of_table_1(void **state)
{
    static const struct {
        const char *name;
        int procs, clusters;
        bool shared;
        double heterogeneity;
    } site[] = {{"grid5000-lille", 99, 3, true, 0.202},
                {"grid5000-nancy", 167, 2, false, 0.061},
                {"grid5000-rennes", 229, 3, true, 0.368},
                {"grid5000-sophia", 180, 3, false, 0.347}};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct cs_platform *p = cs_platform_site(site[i].name, NULL);
        double slow = INFINITY, fast = 0;

        assert_string_equal(cs_platform_site_name(i), site[i].name);
        assert_int_equal(p->procs, site[i].procs);
        assert_int_equal(p->clusters, site[i].clusters);
        assert_int_equal(p->backbone.shared_switch, site[i].shared);
        assert_true(p->backbone.bandwidth == (site[i].shared ? 0 : 1.25e9));
        for (int k = 0; k < p->clusters; k++) {
            slow = fmin(slow, p->cluster[k].speed);
            fast = fmax(fast, p->cluster[k].speed);
            assert_true(p->cluster[k].bandwidth == 125e6 && p->cluster[k].latency == 50e-6);
        }
        assert_true(fabs(fast / slow - 1 - site[i].heterogeneity) < 0.0006);
        cs_platform_destroy(p);
    }
    assert_null(cs_platform_site_name(4));
    assert_null(cs_platform_site_name(-1));
}

static void an_unknown_site_is_refused(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_platform_site("lyon", &err));
    assert_string_equal(err.text,
                        "there is no site lyon: there are grid5000-lille, grid5000-nancy, "
                        "grid5000-rennes and grid5000-sophia");
}

static void json_links_that_are_left_out_are_ethernet(void **state)
{
    struct cs_platform *p =
        read_text("{\"clusters\": [{\"name\": \"a\", \"procs\": 3, \"speed\": 1e9}]}");

    (void)state;
    assert_true(p->backbone.shared_switch);
    assert_true(p->cluster[0].bandwidth == 125e6 && p->cluster[0].latency == 50e-6);
    assert_string_equal(p->unit, "processor");
    assert_string_equal(p->name, "");
    cs_platform_destroy(p);
    p = read_text(
        "{\"name\": \"n\", \"backbone\": {\"bandwidth\": 5, \"latency\": 2}, \"clusters\": "
        "[{\"name\": \"a\", \"procs\": 3, \"speed\": 1e9, \"latency\": 0}, {\"name\": \"b\", "
        "\"procs\": 3, \"speed\": 1e9, \"bandwidth\": 7}]}");
    assert_string_equal(p->name, "n");
    assert_false(p->backbone.shared_switch);
    assert_true(p->backbone.bandwidth == 5 && p->backbone.latency == 2);
    assert_true(p->cluster[0].bandwidth == 125e6 && p->cluster[0].latency == 0);
    assert_true(p->cluster[1].bandwidth == 7 && p->cluster[1].latency == 50e-6);
    cs_platform_destroy(p);
}

static void a_network_survives_json(void **state)
{
    struct cs_platform *p = cs_platform_site("grid5000-nancy", NULL), *again;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    (void)state;
    cs_platform_json_put(&w, p);
    cs_jsonw_end(&w);
    again = read_text(text.text);
    assert_string_equal(again->name, p->name);
    assert_int_equal(again->procs, p->procs);
    assert_true(again->backbone.bandwidth == p->backbone.bandwidth);
    assert_true(again->cluster[1].speed == p->cluster[1].speed);
    assert_true(again->cluster[1].latency == p->cluster[1].latency);
    cs_platform_destroy(p);
    cs_platform_destroy(again);
    cs_strbuf_release(&text);
}

static void bad_json_is_refused(void **state)
{
    (void)state;
    refused(" ", "p: the file is empty");
    refused("{\"clusters\": []}", "p: clusters: there is no cluster, at least one is needed");
    refused("{\"clusters\": [{\"name\": \"a\", \"procs\": 1, \"speed\": 1}, {\"name\": \"b\", "
            "\"procs\": 1, "
            "\"speed\": 1}]}",
            "p: clusters: 2 clusters need a shared switch or a backbone");
    refused("{\"clusters\": [{\"name\": \"a\", \"procs\": 1, \"speed\": 1, \"bandwidth\": 0}]}",
            "p: clusters[0].bandwidth: found 0, expected a positive number");
    refused("{\"clusters\": [{\"name\": \"a\", \"procs\": 1, \"speed\": 1, \"latency\": -1}]}",
            "p: clusters[0].latency: found -1, expected a number that is not negative");
    refused("{\"backbone\": {\"bandwidth\": -1}, \"clusters\": [{\"name\": \"a\", \"procs\": 1}]}",
            "p: backbone.bandwidth: found -1, expected a positive number");
}

static void links_are_checked_without_a_file_too(void **state)
{
    struct cs_cluster cluster[] = {
        {.name = "a", .procs = 1, .speed = 1, .bandwidth = 1, .latency = 0},
        {.name = "b", .procs = 1, .speed = 1, .bandwidth = 1, .latency = 0}};
    struct cs_backbone backbone = {.bandwidth = NAN};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_platform_create_grid("p", "core", 2, cluster, &backbone, &err));
    assert_string_equal(err.text,
                        "the backbone: the bandwidth is nan bytes/s, it must be a positive number");
    err = (struct cs_error){0};
    cluster[1].latency = -1;
    assert_null(cs_platform_create_grid("p", "core", 2, cluster, &backbone, &err));
    assert_string_equal(err.text, "cluster b: the latency is -1 s, it must be a number from 0 on");
}

#define XML(text) "<platform version=\"4.1\"><zone id=\"z\">" text "</zone></platform>"
#define CLUSTER(id)                                                                                \
    "<cluster id=\"" id "\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>"

static void simgrid_clusters_are_read(void **state)
{
    struct cs_platform *p = read_text(XML(
        "<cluster id=\"a\" radical=\"1-29,58,59\" speed=\"286.087kf\" bw=\"125MBps\" lat=\"24us\" "
        "core=\"2\"/><cluster id=\"b\" radical=\"7\" power=\"1.6E10\" bw=\"1Gbps\" "
        "lat=\"1.0E-4s\"/>"
        "<cluster id=\"c\" radical=\"0-9\" speed=\"2Gflops\"/>"
        "<link id=\"l\" bandwidth=\"10Gbps\" latency=\"1ms\"/><link id=\"m\" bandwidth=\"2E9\" "
        "latency=\"2ms\"/><link id=\"unused\" bandwidth=\"1\"/>"
        "<zoneRoute src=\"a\" dst=\"b\"><link_ctn id=\"l\"/><link_ctn id=\"m\"/></zoneRoute>"
        "<route src=\"x\" dst=\"y\"><link_ctn id=\"unused\"/></route>"));

    (void)state;
    if (!p)
        skip();
    assert_string_equal(p->name, "z");
    assert_string_equal(p->unit, "node");
    assert_int_equal(p->cluster[0].procs, 31);
    assert_true(fabs(p->cluster[0].speed - 572174) < 1e-6);
    assert_true(p->cluster[0].bandwidth == 125e6 && p->cluster[0].latency == 24 * 1e-6);
    assert_int_equal(p->cluster[1].procs, 1);
    assert_true(p->cluster[1].speed == 1.6e10 && p->cluster[1].bandwidth == 125e6);
    assert_true(p->cluster[2].speed == 2e9 && p->cluster[2].bandwidth == CS_LINK_BANDWIDTH);
    assert_false(p->backbone.shared_switch);
    assert_true(p->backbone.bandwidth == 1.25e9 && p->backbone.latency == 2 * 1e-3);
    cs_platform_destroy(p);
}

static void fat_links_are_one_switch(void **state)
{
    struct cs_platform *p = read_text(
        XML(CLUSTER("a") CLUSTER("b") "<link id=\"l\" bandwidth=\"1\" sharing_policy=\"FATPIPE\"/>"
                                      "<ASroute><link_ctn id=\"l\"/></ASroute>"));

    (void)state;
    if (!p)
        skip();
    assert_true(p->backbone.shared_switch);
    cs_platform_destroy(p);
    p = read_text(XML(CLUSTER("a") CLUSTER("b")));
    assert_false(p->backbone.shared_switch);
    assert_true(p->backbone.bandwidth == CS_BACKBONE_BANDWIDTH);
    cs_platform_destroy(p);
}

static void bad_xml_is_refused(void **state)
{
    (void)state;
    refused("<adag/>", "p:1: found <adag>, expected <platform>: this is no platform of SimGrid");
    refused(XML(""), "p: there is no cluster, at least one is needed");
    refused(XML(CLUSTER("a") CLUSTER("a")), "p: cluster 1: the name a is that of cluster 0 too");
    refused(XML("<cluster radical=\"1\"/>"), "p:1: <cluster> has no id");
    refused(XML("<cluster id=\"a\"/>"), "p:1: <cluster> has no radical");
    refused(XML("<cluster id=\"a\" radical=\"1\"/>"), "p:1: cluster a has no speed");
    refused(XML("<cluster id=\"a\" radical=\"5-1\" speed=\"1\"/>"),
            "p:1: cluster a: radical: found \"5-1\", expected intervals such as 1-29,58");
    refused(XML("<cluster id=\"a\" radical=\"1\" speed=\"1GBps\"/>"),
            "p:1: speed: found \"1GBps\", expected a speed such as 3.258Gf");
    refused(XML("<cluster id=\"a\" radical=\"1\" speed=\"1\" bw=\"-1\"/>"),
            "p:1: bw: found \"-1\", expected a bandwidth such as 1.25GBps");
    refused(XML("<cluster id=\"a\" radical=\"1\" speed=\"1\" lat=\"1 us\"/>"),
            "p:1: lat: found \"1 us\", expected a time such as 50us");
    refused(XML("<cluster id=\"a\" radical=\"1\" speed=\"1\" core=\"0\"/>"),
            "p:1: core: found \"0\", expected a whole number from 1 on");
    refused(XML("<link id=\"l\"/>"), "p:1: link l has no bandwidth");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_sites_are_those_of_table_1),
        cmocka_unit_test(an_unknown_site_is_refused),
        cmocka_unit_test(json_links_that_are_left_out_are_ethernet),
        cmocka_unit_test(a_network_survives_json),
        cmocka_unit_test(bad_json_is_refused),
        cmocka_unit_test(links_are_checked_without_a_file_too),
        cmocka_unit_test(simgrid_clusters_are_read),
        cmocka_unit_test(fat_links_are_one_switch),
        cmocka_unit_test(bad_xml_is_refused),
    };

    return cmocka_run_group_tests_name("platform_read", tests, NULL, NULL);
}
