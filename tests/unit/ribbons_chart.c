/* stream: the structure of the picture of ribbons; what it looks like is for eyes. */
#include "report/ribbons_chart.h"
#include "base/plain.h"
#include "report/gantt.h"
#include "unit/bars.h"
#include "unit/xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"alpha", "b <&\">", "gamma"};

static void add(struct cs_schedule *s, enum cs_bar_kind kind, int task, int attempt, double start,
                double end, int first, int last)
{
    bars_add(s, kind, task, attempt, -1, start, end, first, last);
}

/* Three applications on ten processors: alpha is hit at 400 s; at 600 s gamma ends, and b
 * widens from 2 to 6.  Idle: 2 * 1000 + 4 * 200 + 400 * ... */
static struct cs_schedule *scene(void)
{
    struct cs_schedule *s = cs_schedule_create("malleable", 10, 3, names);

    add(s, CS_BAR_WORK, 0, 1, 0, 300, 0, 1);
    add(s, CS_BAR_CHECKPOINT, 0, 1, 300, 350, 0, 1);
    add(s, CS_BAR_LOST, 0, 1, 350, 400, 0, 1);
    add(s, CS_BAR_DOWNTIME, 0, 2, 400, 420, 0, 1);
    add(s, CS_BAR_RECOVERY, 0, 2, 420, 450, 0, 1);
    add(s, CS_BAR_WORK, 0, 2, 450, 800, 0, 1);
    add(s, CS_BAR_WORK, 1, 1, 0, 600, 2, 3);
    add(s, CS_BAR_MOVE, 1, 2, 600, 650, 2, 7);
    add(s, CS_BAR_CHECKPOINT, 1, 2, 650, 700, 2, 7);
    add(s, CS_BAR_WORK, 1, 2, 700, 1000, 2, 7);
    add(s, CS_BAR_WORK, 2, 1, 0, 600, 4, 7);
    return s;
}

static const struct cs_bolt_fault faults[] = {{400, 1, true}, {430, 0, false}, {900, 9, false}};

/* The picture, checked; the schedule is destroyed. */
static char *draw(struct cs_schedule *s, const struct cs_ribbons_chart_options *options)
{
    struct cs_strbuf one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    struct cs_error err = {0};
    const char *wrong;

    assert_int_equal(cs_ribbons_chart_svg(s, options, &one, &err), 0);
    assert_int_equal(cs_ribbons_chart_svg(s, options, &two, &err), 0);
    assert_string_equal(one.text, two.text);
    wrong = xml_check(one.text);
    if (wrong)
        fail_msg("not well-formed: %s", wrong);
    cs_strbuf_release(&two);
    cs_schedule_destroy(s);
    return cs_strbuf_take(&one);
}

static char *draw_scene(bool dark)
{
    return draw(scene(), &(struct cs_ribbons_chart_options){.title = "A & B",
                                                            .processor = "core",
                                                            .lower_bound = 800,
                                                            .faults = 3,
                                                            .fault = faults,
                                                            .style = cs_style(dark)});
}

/* The longest way across of a curve. */
static double longest_bend(const char *svg)
{
    double most = 0;

    for (const char *at = svg; (at = strstr(at, "c")); at++) {
        double value[6];
        int count = 0;
        char *next = (char *)(uintptr_t)(at + 1);

        while (count < 6 && (*next == ' ' || *next == '-' || (*next >= '0' && *next <= '9')))
            value[count++] = strtod(next, &next);
        if (count == 6 && value[4] > most)
            most = value[4];
    }
    return most;
}

/* b widens from 600 s to 650 s, in the scene; without the move there are steps. */
static void edges_bend_no_longer_than_processors_move(void **state)
{
    static const int width[] = {240, 643, 1120, 8000};
    struct cs_schedule *s = cs_schedule_create("malleable", 4, 2, names);
    char *svg;

    (void)state;
    for (int i = 0; i < 4; i++) {
        double most;

        svg = draw(scene(), &(struct cs_ribbons_chart_options){.width = width[i]});
        most = longest_bend(svg);
        assert_true(most > 0.5 && most <= 9.01 && most <= 0.05 * width[i]);
        free(svg);
    }
    add(s, CS_BAR_WORK, 0, 1, 0, 500, 0, 1);
    add(s, CS_BAR_WORK, 1, 1, 0, 500, 2, 3);
    add(s, CS_BAR_WORK, 1, 2, 500, 1000, 0, 3);
    svg = draw(s, NULL);
    assert_true(longest_bend(svg) == 0);
    free(svg);
}

static void every_application_is_one_ribbon(void **state)
{
    char *svg = draw_scene(false);

    (void)state;
    assert_int_equal(xml_count(svg, "<clipPath "), 3);
    assert_int_equal(xml_count(svg, "<g class=\"application\""), 3);
    assert_non_null(strstr(svg, ">alpha</text>"));
    assert_non_null(strstr(svg, ">b &lt;&amp;&quot;&gt;</text>"));
    assert_non_null(strstr(svg, ">gamma</text>"));
    free(svg);
}

static void the_heading_reports_makespan_gap_and_failures(void **state)
{
    char *svg = draw_scene(false);

    (void)state;
    assert_non_null(strstr(svg, ">A &amp; B</text>"));
    assert_non_null(strstr(svg,
                           ">makespan 16 min 40 s, 25.0 % above the lower bound of 13 min 20 s "
                           "\xc2\xb7 3 failures, 2 of them harmless</text>"));
    assert_non_null(strstr(svg, ">lower bound</text>"));
    free(svg);
    svg = draw(scene(),
               &(struct cs_ribbons_chart_options){.lower_bound = NAN, .subtitle = "by hand"});
    assert_null(strstr(svg, "lower bound"));
    assert_null(strstr(svg, "makespan"));
    assert_non_null(strstr(svg, ">by hand</text>"));
    free(svg);
    svg = draw(scene(), &(struct cs_ribbons_chart_options){.policy = "on end local"});
    assert_non_null(strstr(svg, ">on end local \xc2\xb7 makespan 16 min 40 s</text>"));
    free(svg);
}

/* Of 10,000 core-seconds: 1300 + 1200 + 1800 + 2400 work, 100 checkpoint, 100 lost, 100 down,
 * 600 move and 2400 idle. */
static void the_legend_splits_processor_time(void **state)
{
    char *svg = draw_scene(false);

    (void)state;
    assert_non_null(strstr(svg, ">work 67 %</text>"));
    assert_non_null(strstr(svg, ">checkpoints 1.0 %</text>"));
    assert_non_null(strstr(svg, ">lost work 1.0 %</text>"));
    assert_non_null(strstr(svg, ">downtime, recovery 1.0 %</text>"));
    assert_non_null(strstr(svg, ">moves 6.0 %</text>"));
    assert_non_null(strstr(svg, ">idle 24 %</text>"));
    assert_non_null(strstr(svg, ">failure</text>"));
    free(svg);
}

static void what_happens_has_a_tooltip(void **state)
{
    char *svg = draw_scene(false);

    (void)state;
    assert_non_null(strstr(svg, "<g class=\"lost\"><title>alpha, lost work\n2 cores: 0-1\n"
                                "from 350 s to 400 s: 50 s</title>"));
    assert_non_null(strstr(svg, "<title>b &lt;&amp;&quot;&gt;, checkpoint after a move\n6 cores"));
    assert_non_null(strstr(svg, "<title>alpha, checkpoint\n"));
    assert_non_null(strstr(svg, "<g class=\"segment\"><title>b &lt;&amp;&quot;&gt;, segment 2\n"
                                "6 cores: 2-7\nfrom 600 s to 1,000 s: 6 min 40 s</title>"));
    assert_int_equal(xml_count(svg, "<g class=\"segment\">"), 5);
    assert_int_equal(xml_count(svg, "<g class=\"downtime\">"), 1);
    assert_int_equal(xml_count(svg, "<g class=\"recovery\">"), 1);
    assert_int_equal(xml_count(svg, "<g class=\"move\">"), 1);
    free(svg);
}

static void failures_are_marked_where_somebody_runs(void **state)
{
    char *svg = draw_scene(false);

    (void)state;
    assert_int_equal(xml_count(svg, "<g class=\"failure\">"), 1);
    assert_int_equal(xml_count(svg, "<g class=\"harmless\">"), 1);
    assert_non_null(strstr(svg, "<title>failure at 400 s\ncore 1 of alpha</title>"));
    assert_non_null(strstr(svg, "core 0 of alpha\nno loss: no computation was active</title>"));
    free(svg);
}

/* What a ribbon's shape begins with: "M left top". */
static void shape_start(const char *svg, const char *name, double *top)
{
    const char *at = svg;

    for (; (at = strstr(at, "<clipPath ")); at++) {
        const char *title = strstr(at, "<title>");

        if (title && !strncmp(title + 7, name, strlen(name))) {
            char *end;

            cs_plain_double(strstr(at, "d=\"M") + 4, &end);
            *top = cs_plain_double(end, &end);
            return;
        }
    }
    fail_msg("no ribbon of %s", name);
}

static void who_ends_last_lies_lowest(void **state)
{
    char *svg = draw(scene(), &(struct cs_ribbons_chart_options){.height = 400});
    double alpha, b, gamma;

    (void)state;
    shape_start(svg, "alpha", &alpha);
    shape_start(svg, "b ", &b);
    shape_start(svg, "gamma", &gamma);
    assert_true(b > alpha && alpha > gamma);
    assert_true(fabs((alpha - gamma) / (b - alpha) - 2) < 0.02);
    free(svg);
}

static void the_dark_picture_differs_and_ids_too(void **state)
{
    char *light = draw_scene(false), *dark = draw_scene(true);
    char id[64];

    (void)state;
    assert_non_null(strstr(dark, "class=\"cs-stream dark\""));
    snprintf(id, sizeof id, "%.25s", strstr(light, "<clipPath id=\""));
    assert_null(strstr(dark, id));
    free(light);
    free(dark);
}

static void nothing_at_all_can_be_drawn(void **state)
{
    char *svg = draw(cs_schedule_create("malleable", 4, 0, NULL), NULL);

    (void)state;
    assert_non_null(strstr(svg, ">nothing ran</text>"));
    free(svg);
    svg = draw(cs_schedule_create("malleable", 1, 3, names),
               &(struct cs_ribbons_chart_options){.width = 240, .height = 160});
    free(svg);
}

static void refuses_what_cannot_be_drawn(void **state)
{
    struct cs_schedule *s = scene();
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(
        cs_ribbons_chart_svg(s, &(struct cs_ribbons_chart_options){.width = 20}, &out, &err), -1);
    assert_string_equal(err.text, "a Gantt chart of width 20: 240 to 16000 pixels are possible");
    add(s, CS_BAR_WORK, 0, 3, 1000, INFINITY, 0, 1);
    assert_int_equal(cs_ribbons_chart_svg(s, NULL, &out, &err), -1);
    assert_int_equal(out.length, 0);
    cs_schedule_destroy(s);
}

/* Fifty thousand bars of 200 applications whose widths change all the time. */
static void a_crowd_stays_within_a_few_megabytes(void **state)
{
    char name[200][8];
    const char *list[200];
    struct cs_schedule *s;
    char *svg;

    (void)state;
    for (int i = 0; i < 200; i++) {
        snprintf(name[i], sizeof name[i], "t%d", i);
        list[i] = name[i];
    }
    s = cs_schedule_create("malleable", 1000, 200, list);
    for (int step = 0; step < 125; step++)
        for (int i = 0; i < 200; i++) {
            int width = 2 + 2 * ((i + step) % 2);
            double at = step * 10 + i * 0.04;

            add(s, CS_BAR_WORK, i, step + 1, at, at + 9, 5 * i, 5 * i + width - 1);
            add(s, CS_BAR_CHECKPOINT, i, step + 1, at + 9, at + 10, 5 * i, 5 * i + width - 1);
        }
    svg = draw(s, NULL);
    if (strlen(svg) > 6000000)
        fail_msg("%zu bytes", strlen(svg));
    free(svg);
}

static void any_schedule_can_be_drawn(void **state)
{
    uint64_t chance = 99;

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct cs_schedule *s = cs_schedule_create("rigid", 7, 3, names);

        for (int i = 0; i < round; i++) {
            chance = chance * 6364136223846793005u + 1442695040888963407u;
            add(s, (enum cs_bar_kind)(1 + (chance >> 33) % CS_BAR_LOST), (int)((chance >> 40) % 3),
                (int)((chance >> 20) % 4), (double)((chance >> 45) % 50),
                50 + (double)((chance >> 50) % 9), (int)((chance >> 55) % 3),
                3 + (int)((chance >> 58) % 4));
        }
        free(draw(s, &(struct cs_ribbons_chart_options){.width = 240 + round,
                                                        .height = round % 2 ? 160 : 0,
                                                        .faults = 3,
                                                        .fault = faults}));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_application_is_one_ribbon),
        cmocka_unit_test(edges_bend_no_longer_than_processors_move),
        cmocka_unit_test(the_heading_reports_makespan_gap_and_failures),
        cmocka_unit_test(the_legend_splits_processor_time),
        cmocka_unit_test(what_happens_has_a_tooltip),
        cmocka_unit_test(failures_are_marked_where_somebody_runs),
        cmocka_unit_test(who_ends_last_lies_lowest),
        cmocka_unit_test(the_dark_picture_differs_and_ids_too),
        cmocka_unit_test(nothing_at_all_can_be_drawn),
        cmocka_unit_test(refuses_what_cannot_be_drawn),
        cmocka_unit_test(a_crowd_stays_within_a_few_megabytes),
        cmocka_unit_test(any_schedule_can_be_drawn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
