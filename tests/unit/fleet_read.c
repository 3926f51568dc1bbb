/* fleet_read: what files say of hosts, by hand; texts are those a file could hold. */
#include "base/strbuf.h"
#include "io/availability.h"
#include "unit/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char header[] = "# event_id component_id node_id platform_id node_name event_type "
                             "event_start_time event_stop_time event_end_reason\n";

static struct cs_fleet *read_with(const char *text, const char *components, double slot,
                                  struct cs_error *err)
{
    const struct cs_fleet_bytes file = {"text", text, strlen(text), components,
                                        components ? strlen(components) : 0};
    const struct cs_fleet_options options = {.slot = slot};

    return cs_fleet_read_memory(&file, &options, err);
}

static struct cs_fleet *read_text(const char *text, const char *components, double slot)
{
    struct cs_error err = {0};
    struct cs_fleet *fleet = read_with(text, components, slot, &err);

    if (!fleet)
        fail_msg("%s", err.text);
    return fleet;
}

static void put_runs(struct cs_strbuf *out, const struct cs_fleet_host *host)
{
    cs_strbuf_printf(out, "%s:", host->name);
    for (int64_t r = 0; r < host->runs; r++)
        cs_strbuf_printf(out, " %c%" PRId64, cs_fleet_letter(host->run[r].state),
                         host->run[r].end - cs_fleet_run_begin(host, r));
}

static void expect_hosts(const struct cs_fleet *fleet, const char *want)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int q = 0; q < fleet->hosts; q++) {
        cs_strbuf_puts(&text, q ? ", " : "");
        put_runs(&text, &fleet->host[q]);
    }
    assert_string_equal(text.text, want);
    cs_strbuf_release(&text);
}

static void expect_file(const char *text, const char *components, double slot, const char *want)
{
    struct cs_fleet *fleet = read_text(text, components, slot);

    expect_hosts(fleet, want);
    cs_fleet_destroy(fleet);
}

static void expect_error(const char *text, const char *components, const char *want)
{
    struct cs_error err = {0};

    assert_null(read_with(text, components, 0, &err));
    assert_string_equal(err.text, want);
}

static char table[4096];

static const char *events(const char *rows)
{
    snprintf(table, sizeof table, "%s%s", header, rows);
    return table;
}

static void a_list_of_failures_is_up_between_them(void **state)
{
    (void)state;
    expect_file(events("0\t0\tn\t0\tn\t0\t100\t110\tNULL\n1\t0\tn\t0\tn\t0\t140\t145\tNULL\n"
                       "2\t0\tm\t0\tm\t0\t120\t130\tNULL\n"),
                NULL, 10, "n: d1 u3 d1, m: ?2 d1 ?2");
}

static void what_events_of_availability_leave_out_is_unknown(void **state)
{
    (void)state;
    expect_file(events("0\t0\tn\t0\tn\t1\t0\t25\tNULL\n1\t0\tn\t0\tn\t1\t40\t60\tNULL\n"), NULL, 10,
                "n: u2 ?2 u2");
}

static void down_is_worse_than_unknown_and_that_worse_than_reclaimed(void **state)
{
    (void)state;
    expect_file(events("0\t0\tn\t0\tn\t1\t0\t12\tNULL\n1\t0\tn\t0\tn\t0\t18\t19\tNULL\n"
                       "2\t0\tn\t0\tn\t2\t19\t24\tNULL\n3\t0\tn\t0\tn\t2\t26\t35\tNULL\n"
                       "4\t0\tn\t0\tn\t1\t35\t40\tNULL\n"),
                NULL, 10, "n: u1 d1 ?1 r1");
}

static void a_failure_that_took_no_time_is_one_slot(void **state)
{
    (void)state;
    expect_file(events("0\t0\tn\t0\tn\t1\t0\t40\tNULL\n1\t0\tn\t0\tn\t0\t20\t20\tNULL\n"), NULL, 10,
                "n: u2 d1 u1");
}

static void the_last_slot_counts_when_the_file_ends_in_it(void **state)
{
    (void)state;
    expect_file(events("0\t0\tn\t0\tn\t1\t0\t25\tNULL\n"), NULL, 10, "n: u2 ?1");
}

static const char windows[] = "# component_id node_id platform_id node_name component_type "
                              "trace_start trace_end resolution\n";

static void a_node_is_known_where_all_its_components_are(void **state)
{
    char text[1024];

    (void)state;
    snprintf(text, sizeof text, "%s%s", windows,
             "1\tn\t0\tn\tcpu\t100\tNULL\t1\n2\tn\t0\tn\tdisk\tNULL\t170\t1\n"
             "3\tm\t0\tm\tcpu\t120\t200\t1\n");
    expect_file(events("0\t0\tn\t0\tn\t0\t130\t140\tNULL\n"), text, 10, "n: u3 d1 u3 ?3, m: ?2 u8");
}

static void events_extpol_the_window_do_not_count(void **state)
{
    char text[1024];

    (void)state;
    snprintf(text, sizeof text, "%s%s", windows, "1\tn\t0\tn\tcpu\t120\t150\t1\n");
    expect_file(events("0\t0\tn\t0\tn\t0\t100\t130\tNULL\n1\t0\tn\t0\tn\t0\t160\t170\tNULL\n"),
                text, 10, "n: ?2 d1 u2 ?2");
}

static void hosts_of_which_nothing_is_known_are_dropped(void **state)
{
    char text[1024];
    struct cs_fleet *fleet;

    (void)state;
    snprintf(text, sizeof text, "%s%s", windows,
             "1\tn\t0\tn\tcpu\t100\t120\t1\n2\tn\t0\tn\tdisk\t130\t150\t1\n"
             "3\tm\t0\tm\tcpu\t100\t150\t1\n");
    fleet = read_text(events("0\t0\tm\t0\tm\t0\t110\t120\tNULL\n"), text, 10);
    expect_hosts(fleet, "m: u1 d1 u3");
    assert_int_equal(fleet->dropped, 1);
    cs_fleet_destroy(fleet);
}

static void windows_that_are_none_are_refused(void **state)
{
    char text[1024];

    (void)state;
    snprintf(text, sizeof text, "%s%s", windows, "1\tn\t0\tn\tcpu\t200\t100\t1\n");
    expect_error(events("0\t0\tn\t0\tn\t0\t130\t140\tNULL\n"), text,
                 "component.tab:2: trace_end is 100, before trace_start, which is 200");
    snprintf(text, sizeof text, "%s%s", windows,
             "1\tm\t0\tm\tcpu\tNULL\tNULL\t1\n3\tn\t0\tn\tcpu\tNULL\tNULL\t1\n");
    expect_error(events("0\t0\tn\t0\tn\t0\t130\t140\tNULL\n"), text,
                 "component.tab: node m has no event, and neither trace_start nor trace_end");
    expect_error(events("0\t0\tn\t0\tn\t0\t130\t140\tNULL\n"), "1\tm\n",
                 "component.tab:1: the header of the component table has no column \"node_id\"");
}

/* The count of 11:00:25 holds for no whole slot, but is the least of one. */
static void a_slot_has_the_least_count_that_held_in_it(void **state)
{
    struct cs_fleet *fleet = read_text("2021-12-11, 11:00:00, 2\n2021-12-11, 11:00:25, 1\n"
                                       "2021-12-11, 11:00:27, 3\n2021-12-11, 11:00:50, 0\n"
                                       "2021-12-11, 11:01:05, 3\n",
                                       NULL, 10);

    (void)state;
    expect_hosts(fleet, "0: u5 d2, 1: u2 d1 u2 d2, 2: d3 u2 d2");
    assert_true(fleet->zone[0].nested);
    cs_fleet_destroy(fleet);
}

static void a_seat_is_down_where_an_instance_gives_variant_to_another(void **state)
{
    struct cs_fleet *fleet = read_text("0,add,a\n15000,add,b\n15000,remove,a\n20000,add,c\n"
                                       "55000,remove,b\n60000,remove,c\n",
                                       NULL, 10);

    (void)state;
    expect_hosts(fleet, "0: u1 d1 u3 d1, 1: d2 u4");
    assert_int_equal(fleet->zone[0].lifetimes, 3);
    assert_true(fleet->zone[0].life[1].length == 40 && fleet->zone[0].life[1].ended);
    cs_fleet_destroy(fleet);
}

static void prices_go_with_counts(void **state)
{
    struct cs_fleet *fleet = read_text(
        "{\"metadata\": {\"gap_seconds\": 300}, \"data\": [1, 0], \"prices\": [1, 2.5]}", NULL, 0);

    (void)state;
    expect_hosts(fleet, "0: u1 d1");
    assert_true(fleet->slot == 300 && fleet->zone[0].prices == 2 && fleet->zone[0].price[1] == 2.5);
    cs_fleet_destroy(fleet);
    expect_error("{\"metadata\": {\"gap_seconds\": 300}, \"data\": [1, 0], \"prices\": [1]}", NULL,
                 "text: prices: there are 1 prices, expected 2, one for each count");
    expect_error("{\"metadata\": {\"gap_seconds\": 300}, \"data\": [1], \"prices\": [-1]}", NULL,
                 "text: prices[0]: found -1, expected a number that is not negative");
    expect_error("{\"metadata\": {\"gap_seconds\": 300}, \"data\": [1], \"cost\": [1]}", NULL,
                 "text: unknown key \"cost\", expected one of: metadata, data, prices");
}

/* Ten years by the second: no slot is kept. */
static void slots_may_be_short(void **state)
{
    struct cs_fleet *fleet = read_text(
        events("0\t0\tn\t0\tn\t0\t0\t1\tNULL\n1\t0\tn\t0\tn\t0\t315360000\t315360001\tNULL\n"),
        NULL, 1);

    (void)state;
    expect_hosts(fleet, "n: d1 u315359999 d1");
    assert_int_equal(cs_fleet_run_at(&fleet->host[0], 0), 0);
    assert_int_equal(cs_fleet_run_at(&fleet->host[0], 1), 1);
    assert_int_equal(cs_fleet_run_at(&fleet->host[0], 315360000), 2);
    cs_fleet_destroy(fleet);
}

static void texts_are_checked(void **state)
{
    static const char *const bad[] = {"u", "x3", "u0", "u3d4", "u3 3", "", "u99999999999999999"};
    const char *uneven[] = {"u3", "u4"};
    struct cs_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(cs_fleet_create_text(1, &bad[i], 1, NULL));
    assert_null(cs_fleet_create_text(2, uneven, 1, &err));
    assert_string_equal(err.text, "host 1 has 4 slots, host 0 has 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_of_failures_is_up_between_them),
        cmocka_unit_test(what_events_of_availability_leave_out_is_unknown),
        cmocka_unit_test(down_is_worse_than_unknown_and_that_worse_than_reclaimed),
        cmocka_unit_test(a_failure_that_took_no_time_is_one_slot),
        cmocka_unit_test(the_last_slot_counts_when_the_file_ends_in_it),
        cmocka_unit_test(a_node_is_known_where_all_its_components_are),
        cmocka_unit_test(events_extpol_the_window_do_not_count),
        cmocka_unit_test(hosts_of_which_nothing_is_known_are_dropped),
        cmocka_unit_test(windows_that_are_none_are_refused),
        cmocka_unit_test(a_slot_has_the_least_count_that_held_in_it),
        cmocka_unit_test(a_seat_is_down_where_an_instance_gives_variant_to_another),
        cmocka_unit_test(prices_go_with_counts),
        cmocka_unit_test(slots_may_be_short),
        cmocka_unit_test(texts_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
