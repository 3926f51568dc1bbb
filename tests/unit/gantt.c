/* gantt: the structure of the picture; what it looks like is for eyes. */
#include "report/gantt.h"
#include "report/text_metrics.h"
#include "unit/bars.h"
#include "unit/xml.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"alpha", "beta <&\"> long name that will not fit",
                                    "caf\xc3\xa9 \xe6\xbc\xa2", "\xff\x01", "e"};

static uint64_t state_of_chance = 88172645463325252u;

static int chance(int below)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 7;
    state_of_chance ^= state_of_chance << 17;
    return (int)(state_of_chance % (uint64_t)below);
}

static void add(struct cs_schedule *s, enum cs_bar_kind kind, int task, int group, double start,
                double end, int first, int last)
{
    bars_add(s, kind, task, 1, group, start, end, first, last);
}

/* Two packs on eight processors. */
static struct cs_schedule *two_packs(void)
{
    struct cs_schedule *s = cs_schedule_create("pack", 8, 5, names);

    add(s, CS_BAR_WORK, 0, 0, 0, 3600, 0, 3);
    add(s, CS_BAR_WORK, 1, 0, 0, 3000, 4, 7);
    add(s, CS_BAR_WORK, 2, 1, 3600, 5400, 0, 5);
    add(s, CS_BAR_WORK, 3, 1, 3600, 4000, 6, 7);
    return s;
}

/* The picture, checked; the schedule is destroyed. */
static char *draw(struct cs_schedule *s, const struct cs_gantt_options *options)
{
    struct cs_strbuf one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    struct cs_error err = {0};
    const char *wrong;

    assert_int_equal(cs_gantt_svg(s, options, &one, &err), 0);
    assert_int_equal(cs_gantt_svg(s, options, &two, &err), 0);
    assert_string_equal(one.text, two.text);
    wrong = xml_check(one.text);
    if (wrong)
        fail_msg("not well-formed: %s", wrong);
    cs_strbuf_release(&two);
    cs_schedule_destroy(s);
    return cs_strbuf_take(&one);
}

static void the_judge_of_xml_knows_what_is_wrong(void **state)
{
    (void)state;
    assert_null(xml_check("<a b=\"1\"><c/>x &amp; y</a>\n"));
    assert_non_null(xml_check("<a><b></a></b>"));
    assert_non_null(xml_check("<a>x & y</a>"));
    assert_non_null(xml_check("<a b=\"nan\"/>"));
    assert_non_null(xml_check("<a b=\"1\" b=\"2\"/>"));
    assert_non_null(xml_check("<a>"));
    assert_non_null(xml_check("<a/>x"));
    assert_non_null(xml_check("<a>\x01</a>"));
}

static void draws_a_bar_with_a_tooltip_for_each_task(void **state)
{
    char *svg =
        draw(two_packs(), &(struct cs_gantt_options){.title = "A & B", .processor = "node"});

    (void)state;
    assert_int_equal(xml_count(svg, "<g class=\"work\">"), 4);
    assert_non_null(strstr(svg, "<title>alpha\nwork, attempt 1\n4 nodes: 0-3\n"
                                "from 0 s to 3,600 s\n1 h</title>"));
    assert_non_null(strstr(svg, "beta &lt;&amp;&quot;&gt;"));
    assert_non_null(strstr(svg, ">A &amp; B</text>"));
    assert_non_null(strstr(svg, ">pack 1 \xc2\xb7 1 h</text>"));
    assert_non_null(strstr(svg, ">pack 2 \xc2\xb7 30 min</text>"));
    assert_non_null(strstr(svg, ">4 nodes \xc2\xb7 1 h</text>"));
    assert_non_null(strstr(svg, ">time (min)</text>"));
    assert_non_null(strstr(svg, ">nodes</text>"));
    assert_int_equal(xml_count(svg, "class=\"boundary\""), 1);
    assert_non_null(strstr(svg, ">idle: 12.0 %</text>"));
    free(svg);
}

/* A number behind an attribute, or 0. */
static double value(const char *element, const char *attribute)
{
    const char *end = strchr(element, '>'), *at = strstr(element, attribute);

    return at && at < end ? strtod(at + strlen(attribute), NULL) : 0;
}

/* No label sticks out of the bars of its group; returns how many labels there are. */
static int labels_inside(const char *svg)
{
    int labels = 0;

    for (const char *at = svg; (at = strstr(at, "class=\"label\"")); at++) {
        const char *text = at, *box, *words;
        char content[256] = "";
        double width, x, y;
        bool turned, inside = false;

        while (strncmp(text, "<text", 5))
            text--;
        words = strchr(text, '>') + 1;
        snprintf(content, sizeof content, "%.*s", (int)strcspn(words, "<"), words);
        width = cs_text_width(content, value(text, "font-size=\""),
                              strstr(text, "bold") && strstr(text, "bold") < words);
        turned = strstr(text, "rotate(-90") && strstr(text, "rotate(-90") < words;
        x = value(text, " x=\"");
        y = value(text, " y=\"");
        for (box = text; strncmp(box, "<g ", 3); box--) {
            double left = value(box, " x=\""), top = value(box, " y=\"");
            double right = left + value(box, " width=\""), low = top + value(box, " height=\"");

            if (strncmp(box, "<rect", 5))
                continue;
            inside |= turned
                          ? x > left && x < right && y - width / 2 >= top && y + width / 2 <= low
                          : y > top && y < low && x - width / 2 >= left && x + width / 2 <= right;
        }
        if (!strchr(content, '&'))
            assert_true(inside);
        labels++;
    }
    return labels;
}

static void labels_stay_inside_their_bars(void **state)
{
    (void)state;
    for (int width = 240; width < 1200; width += 97) {
        char *svg = draw(two_packs(), &(struct cs_gantt_options){.width = width});

        assert_true(labels_inside(svg) >= (width > 500 ? 4 : 1));
        free(svg);
    }
}

static void every_kind_has_a_texture_and_a_legend_entry(void **state)
{
    static const char *const texture[] = {"checkpoint", "recovery", "downtime", "verify",
                                          "move",       "lost",     "program"};
    struct cs_schedule *s = cs_schedule_create("malleable", 4, 5, names);
    char *svg, part[64];

    (void)state;
    for (int kind = CS_BAR_WORK; kind <= CS_BAR_KIND_LAST; kind++)
        add(s, (enum cs_bar_kind)kind, 0, -1, kind, kind + 1, 0, 3);
    svg = draw(s, NULL);
    for (int i = 0; i < 7; i++) {
        snprintf(part, sizeof part, "url(#cs-%s-", texture[i]);
        assert_int_equal(xml_count(svg, part), 2);
        snprintf(part, sizeof part, "<g class=\"%s\">", texture[i]);
        assert_int_equal(xml_count(svg, part), 1);
    }
    assert_non_null(strstr(svg, ">lost work</text>"));
    assert_non_null(strstr(svg, ">data movement</text>"));
    free(svg);
}

static void scattered_processors_are_several_rectangles(void **state)
{
    const struct cs_interval procs[] = {{0, 1}, {4, 4}, {6, 7}};
    struct cs_schedule *s = cs_schedule_create("malleable", 8, 5, names);
    char *svg;

    (void)state;
    cs_schedule_add(s,
                    &(struct cs_bar){.kind = CS_BAR_WORK,
                                     .attempt = 2,
                                     .group = -1,
                                     .end = 10,
                                     .intervals = 3,
                                     .procs = procs},
                    NULL);
    svg = draw(s, &(struct cs_gantt_options){.legend = -1});
    assert_int_equal(xml_count(svg, "fill=\"#5b8ce6\""), 3);
    assert_int_equal(xml_count(svg, "class=\"label\""), 2);
    assert_non_null(strstr(svg, "attempt 2\n5 processors: 0-1 4 6-7\n"));
    free(svg);
}

static void groups_of_processors_are_labelled_at_the_side(void **state)
{
    struct cs_schedule *s = cs_schedule_create("ptg", 8, 5, names);
    char *svg;

    (void)state;
    add(s, CS_BAR_WORK, 0, 0, 0, 10, 0, 3);
    add(s, CS_BAR_WORK, 1, 1, 5, 15, 4, 7);
    svg =
        draw(s, &(struct cs_gantt_options){.group = "site", .height = 400, .style = CS_STYLE_DARK});
    assert_non_null(strstr(svg, ">site 1</text>"));
    assert_non_null(strstr(svg, "rotate(-90"));
    assert_non_null(strstr(svg, "height=\"400\""));
    free(svg);
}

static void idle_is_what_the_run_left_whatever_was_planned(void **state)
{
    struct cs_schedule *ran = cs_schedule_create("rigid", 4, 5, names);
    struct cs_schedule *planned = cs_schedule_create("rigid", 4, 5, names);
    char *svg;

    (void)state;
    add(ran, CS_BAR_WORK, 0, -1, 0, 10, 0, 3);
    add(ran, CS_BAR_WORK, 1, -1, 10, 20, 0, 1);
    add(planned, CS_BAR_WORK, 0, -1, 0, 10, 0, 3);
    add(planned, CS_BAR_WORK, 1, -1, 10, 80, 0, 1);
    svg = draw(ran, &(struct cs_gantt_options){.planned = planned});
    assert_non_null(strstr(svg, ">idle: 25.0 %</text>"));
    assert_non_null(strstr(svg, ">80</text>"));
    free(svg);
    cs_schedule_destroy(planned);
}

static void clusters_are_those_of_the_machine(void **state)
{
    const struct cs_cluster cluster[] = {{.name = "left", .procs = 6},
                                         {.name = "right", .procs = 2}};
    struct cs_platform *two = cs_platform_create("node", 2, cluster, NULL);
    struct cs_platform *one = cs_platform_create("node", 1, cluster, NULL);
    struct cs_schedule *s = cs_schedule_create("ptg", 8, 5, names);
    char *svg;

    (void)state;
    add(s, CS_BAR_WORK, 0, 0, 0, 10, 1, 2);
    assert_int_equal(cs_schedule_set_platform(s, two, NULL), 0);
    svg = draw(s, &(struct cs_gantt_options){.group = "cluster", .height = 400});
    assert_non_null(strstr(svg, ">left</text>"));
    assert_non_null(strstr(svg, ">right</text>"));
    assert_int_equal(xml_count(svg, "class=\"boundary\""), 1);
    assert_null(strstr(svg, "cluster 1"));
    free(svg);
    s = cs_schedule_create("ptg", 6, 5, names);
    add(s, CS_BAR_WORK, 0, 0, 0, 10, 1, 2);
    assert_int_equal(cs_schedule_set_platform(s, one, NULL), 0);
    svg = draw(s, NULL);
    assert_null(strstr(svg, "class=\"groups\""));
    free(svg);
    cs_platform_destroy(two);
    cs_platform_destroy(one);
}

static void the_largest_number_of_a_group_is_followed_by_one_more(void **state)
{
    struct cs_schedule *s = cs_schedule_create("pack", 8, 5, names);
    char *svg;

    (void)state;
    add(s, CS_BAR_WORK, 0, 0, 0, 10, 0, 7);
    add(s, CS_BAR_WORK, 1, INT_MAX, 10, 200, 0, 7);
    svg = draw(s, NULL);
    assert_non_null(strstr(svg, ">pack 2147483648 \xc2\xb7 3 min 10 s</text>"));
    free(svg);
}

static void nothing_says_that_nothing_ran(void **state)
{
    char *svg = draw(cs_schedule_create("pack", 0, 0, NULL), NULL);

    (void)state;
    assert_non_null(strstr(svg, ">nothing ran</text>"));
    free(svg);
    svg = draw(cs_schedule_create("pack", 64, 5, names), NULL);
    assert_non_null(strstr(svg, ">nothing ran</text>"));
    free(svg);
}

static void bars_without_length_or_processors_do_no_harm(void **state)
{
    struct cs_schedule *s = cs_schedule_create("pack", 2, 5, names);
    char *svg;

    (void)state;
    add(s, CS_BAR_WORK, 0, 0, 0, 0, 0, 1);
    cs_schedule_add(s, &(struct cs_bar){.kind = CS_BAR_WORK, .task = 1, .end = 0, .procs = NULL},
                    NULL);
    svg = draw(s, NULL);
    assert_int_equal(xml_count(svg, "class=\"pixels\""), 1);
    free(svg);
}

static void crowds_are_gathered_into_pixels(void **state)
{
    static char text[20000][12];
    static const char *many[20000];
    struct cs_schedule *s;
    char *svg;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        snprintf(text[i], sizeof text[i], "t%d", i);
        many[i] = text[i];
    }
    s = cs_schedule_create("rigid", 100000, 20000, many);
    for (int i = 0; i < 20000; i++) {
        int first = chance(99000), start = chance(100000);

        add(s, i % 9 ? CS_BAR_WORK : CS_BAR_LOST, i, -1, start, start + 1 + chance(5000), first,
            first + chance(i % 100 ? 30 : 1000));
    }
    svg = draw(s, NULL);
    assert_true(strlen(svg) < 4000000);
    assert_int_equal(xml_count(svg, "class=\"pixels\""), 1);
    assert_non_null(strstr(svg, " tasks without a label</text>"));
    assert_in_range(xml_count(svg, "<g class=\"work\">") + xml_count(svg, "<g class=\"lost\">"), 50,
                    5000);
    labels_inside(svg);
    free(svg);
}

/* The area of the rectangles of a path: M x y h w v height h -w z, ... */
static double area_of(const char *path, const char *end)
{
    double area = 0;

    for (const char *at = path; (at = strchr(at, 'h')) && at < end; at = strchr(at, 'z')) {
        char *v;
        double w = strtod(at + 1, &v);

        area += w * strtod(v + 1, NULL);
    }
    return area;
}

/* The area of the cells of a crowded chart times their strength, as a share of its frame. */
static double density_of(const char *svg)
{
    const char *frame = strstr(strstr(svg, "class=\"axes\""), "class=\"frame\""),
               *at = strstr(svg, "class=\"density\"");
    const char *last = strstr(at, "</g>");
    double sum = 0;

    while (strncmp(frame, "<rect", 5))
        frame--;
    while ((at = strstr(at, "<path ")) && at < last) {
        const char *end = strchr(at, '>'), *commands = strstr(at, " d=\"") + 4;
        double strength = value(at, " opacity=\"");

        sum += area_of(commands, strchr(commands, '"')) * (strength > 0 ? strength : 1);
        at = end;
    }
    return sum / ((value(frame, " width=\"") - 1) * (value(frame, " height=\"") - 1));
}

/* Many short bars on many processors; *share: of the time until the last of them. */
static struct cs_schedule *crowd(int bars, int procs, double length, double *share)
{
    struct cs_schedule *s = cs_schedule_create("rigid", procs, bars, NULL);
    double *free_at = calloc((size_t)procs, sizeof *free_at), last = 0, busy = 0;

    for (int i = 0; i < bars; i++) {
        int p = chance(procs);
        double start = free_at[p] + length * chance(30), end = start + length * (1 + chance(40));

        add(s, i % 50 ? CS_BAR_WORK : CS_BAR_LOST, i, -1, start, end, p, p);
        free_at[p] = end;
        last = end > last ? end : last;
        busy += end - start;
    }
    *share = busy / (procs * last);
    free(free_at);
    return s;
}

static void the_density_of_a_crowd_is_its_utilisation(void **state)
{
    static const int bars[] = {CS_GANTT_CROWDED + 1, 60000, 200000}, procs[] = {40, 300, 5000};

    (void)state;
    for (int i = 0; i < 3; i++) {
        double share;
        struct cs_schedule *s = crowd(bars[i], procs[i], 7, &share);
        char *svg = draw(s, &(struct cs_gantt_options){.width = 643});

        assert_float_equal(density_of(svg), share, 0.012);
        assert_true(strlen(svg) < 1500000);
        assert_null(strstr(svg, "<g class=\"work\">"));
        assert_non_null(strstr(svg, ">100 % busy</text>"));
        free(svg);
    }
}

/* The mean height of the n-th strip of 32 pixels, as a share of it. */
static double strip_mean(const char *svg, int n)
{
    const char *at = strstr(svg, "<g class=\"strips\">");
    double sum = 0, x, y, bottom, first;
    char *next;

    for (int i = 0; i <= n; i++)
        at = strstr(at + 1, "<path ");
    first = x = strtod(strstr(at, " d=\"M") + 5, &next);
    bottom = y = strtod(next, &next);
    while (*next == 'H' || *next == 'V') {
        const bool level = *next == 'H';
        double now = strtod(next + 1, &next);

        sum += level ? (bottom - y) * (now - x) : 0;
        x = level ? now : x;
        y = level ? y : now;
    }
    assert_int_equal(*next, 'z');
    return sum / (x - first) / 32;
}

static void strips_show_utilisation_and_waiting_jobs(void **state)
{
    struct cs_schedule *s = cs_schedule_create("rigid", 8, 16, NULL);
    double submit[16], busy = 0, waits = 0;
    char *svg;

    (void)state;
    for (int i = 0; i < 16; i++) {
        int first = i % 4 * 2, start = 100 * (i / 4), end = start + 30 + i * 4;

        submit[i] = start * 0.7;
        add(s, i == 2 ? CS_BAR_LOST : CS_BAR_WORK, i, -1, start, end, first, first + 1);
        busy += 2 * (end - start);
        waits += start - submit[i];
    }
    svg = draw(s, &(struct cs_gantt_options){.submit = submit});
    assert_float_equal(strip_mean(svg, 0), busy / (8 * 390), 0.005);
    assert_float_equal(strip_mean(svg, 1) * 4, waits / 390, 0.02);
    assert_non_null(strstr(svg, ">waiting jobs</text>"));
    free(svg);
    svg = draw(two_packs(), NULL);
    assert_null(strstr(svg, "strips"));
    free(svg);
    svg = draw(two_packs(), &(struct cs_gantt_options){.strips = CS_STRIPS_ON});
    assert_float_equal(strip_mean(svg, 0), 0.88, 0.005);
    assert_float_equal(strip_mean(svg, 1) * 2, 2 * 3600.0 / 5400, 0.02);
    free(svg);
}

struct text_box {
    double left, right, top, bottom;
    char text[40];
};

/* The box of an element of text; classes "label" are those of bars. */
static bool box_of_text(const char *at, struct text_box *box)
{
    const char *words = strchr(at, '>') + 1, *anchor = strstr(at, "text-anchor=\"");
    const double size = value(at, "font-size=\""), x = value(at, " x=\""), y = value(at, " y=\"");
    const bool turned = strstr(at, "rotate(") && strstr(at, "rotate(") < words;
    char content[256];
    double width, before;

    snprintf(content, sizeof content, "%.*s", (int)strcspn(words, "<"), words);
    width = cs_text_width(content, size, false);
    before = !anchor || anchor > words ? 0 : anchor[13] == 'm' ? width / 2 : width;
    *box = (struct text_box){.left = turned ? x - 0.7 * size : x - before,
                             .right = turned ? x : x - before + width,
                             .top = turned ? y - width + before : y - 0.7 * size,
                             .bottom = turned ? y + before : y};
    snprintf(box->text, sizeof box->text, "%.39s", content);
    return !strstr(at, "class=\"label\"") || strstr(at, "class=\"label\"") > words;
}

/* No text around the bars covers another or leaves the picture. */
static void texts_are_apart(const char *svg)
{
    struct text_box box[200];
    const double width = value(svg, " width=\""), height = value(svg, " height=\"");
    int count = 0;

    for (const char *at = svg; (at = strstr(at, "<text")) && count < 200; at++)
        count += box_of_text(at, &box[count]);
    for (int i = 0; i < count; i++) {
        if (box[i].left < 0 || box[i].right > width || box[i].bottom > height)
            fail_msg("\"%s\" leaves the picture", box[i].text);
        for (int j = 0; j < i; j++)
            if (box[i].left < box[j].right && box[j].left < box[i].right &&
                box[i].top < box[j].bottom && box[j].top < box[i].bottom)
                fail_msg("\"%s\" covers \"%s\"", box[i].text, box[j].text);
    }
}

static void texts_around_the_bars_are_apart_at_every_width(void **state)
{
    static const int width[] = {240, 321, 454, 643, 960};

    (void)state;
    for (int w = 0; w < 5; w++)
        for (int tasks = 5; tasks < 200; tasks += 45)
            for (int by = CS_COLOR_TASK; by <= CS_COLOR_PROBLEM; by++) {
                struct cs_schedule *s = cs_schedule_create("rigid", 16, tasks, NULL);
                const char *user[200];
                char *svg;

                for (int i = 0; i < tasks; i++) {
                    user[i] = i % 3 ? "anna" : "a user with a name that is rather long";
                    add(s, (enum cs_bar_kind)(1 + chance(8)), i, -1, 10 * i, 10 * i + chance(40), 0,
                        15);
                }
                svg = draw(s, &(struct cs_gantt_options){.width = width[w],
                                                         .color_by = (enum cs_color_by)by,
                                                         .user = user,
                                                         .strips = CS_STRIPS_ON,
                                                         .least_type = 9.33});
                texts_are_apart(svg);
                free(svg);
            }
}

static void the_legend_lists_what_has_no_label(void **state)
{
    static const char *const list[] = {"wide", "large", "thin"};
    struct cs_schedule *s = cs_schedule_create("pack", 4, 3, list);
    char *svg;

    (void)state;
    add(s, CS_BAR_WORK, 0, -1, 0, 500, 0, 3);
    add(s, CS_BAR_WORK, 1, -1, 500, 996, 0, 3);
    add(s, CS_BAR_WORK, 2, -1, 996, 1000, 0, 3);
    svg = draw(s, NULL);
    assert_int_equal(xml_count(svg, ">wide</text>"), 1);
    assert_int_equal(xml_count(svg, ">large</text>"), 1);
    assert_int_equal(xml_count(svg, "class=\"label\""), 4);
    assert_int_equal(xml_count(svg, "class=\"legend-label\""), 1);
    assert_int_equal(xml_count(svg, ">thin</text>"), 1);
    free(svg);
}

static void classes_have_colours_and_all_are_listed(void **state)
{
    struct cs_schedule *s = cs_schedule_create("rigid", 100, 14, NULL);
    static const char *const user[14] = {"u0", "u1", "u2", "u3", "u4",  "u5",  "u6",
                                         "u7", "u8", "u9", NULL, "u11", "u12", "u13"};
    struct cs_gantt_options options = {.user = user, .color_by = CS_COLOR_USER};
    char *svg;

    (void)state;
    for (int i = 0; i < 14; i++)
        add(s, i == 3 ? CS_BAR_LOST : CS_BAR_WORK, i, -1, 0, 1000 - 10 * i, 7 * i, 7 * i + 6);
    svg = draw(s, &options);
    assert_non_null(strstr(svg, ">u0</text>"));
    assert_non_null(strstr(svg, ">unknown user</text>"));
    assert_non_null(strstr(svg, ">3 other users</text>"));
    assert_null(strstr(svg, ">u11</text>"));
    free(svg);
    s = cs_schedule_create("rigid", 100, 2, NULL);
    add(s, CS_BAR_WORK, 0, -1, 0, 10, 0, 9);
    add(s, CS_BAR_LOST, 1, -1, 0, 10, 10, 99);
    options.color_by = CS_COLOR_KIND;
    svg = draw(s, &options);
    assert_int_equal(xml_count(svg, ">lost work</text>"), 1);
    assert_int_equal(xml_count(svg, ">work</text>"), 1);
    free(svg);
}

static void random_schedules_of_every_shape_can_be_drawn(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        int procs = 1 + chance(round % 2 ? 40 : 3000);
        struct cs_schedule *s = cs_schedule_create("any", procs, 5, names);
        double scale = pow(10, chance(18) - 9);

        for (int b = chance(40); b >= 0; b--) {
            int first = chance(procs);
            double start = scale * (chance(1000) - (round % 5 ? 0 : 300));

            add(s, (enum cs_bar_kind)(1 + chance(7)), chance(5), chance(4) - 1, start,
                start + scale * chance(400), first, first + chance(procs - first));
        }
        free(draw(s, &(struct cs_gantt_options){.width = 240 + chance(1500),
                                                .height = round % 3 ? 0 : 160 + chance(500),
                                                .title = names[chance(5)],
                                                .style = cs_style(round % 4 == 0)}));
    }
}

static void refused(struct cs_schedule *s, const struct cs_gantt_options *options, const char *want)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};

    assert_int_equal(cs_gantt_svg(s, options, &out, &err), -1);
    assert_string_equal(err.text, want);
    assert_int_equal(out.length, 0);
    cs_schedule_destroy(s);
}

static struct cs_schedule *one_bar(double start, double end, int first, int last)
{
    struct cs_schedule *s = cs_schedule_create("pack", 4, 5, names);

    add(s, CS_BAR_WORK, 0, 0, start, end, first, last);
    return s;
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    refused(one_bar(0, NAN, 0, 1), NULL,
            "bar 0 (alpha): it runs from 0 to nan, but times must be finite");
    refused(one_bar(0, INFINITY, 0, 1), NULL,
            "bar 0 (alpha): it runs from 0 to inf, but times must be finite");
    refused(one_bar(2, 1, 0, 1), NULL, "bar 0 (alpha): it ends at 1, before its start at 2");
    refused(one_bar(0, 1, 2, 4), NULL,
            "bar 0 (alpha): it has processors 2-4, but the schedule only 0-3");
    refused(one_bar(0, 1, 2, 1), NULL, "bar 0 (alpha): its processors are not in order");
    refused(one_bar(0, 1, 0, 1), &(struct cs_gantt_options){.width = 10},
            "a Gantt chart of width 10: 240 to 16000 pixels are possible");
    refused(one_bar(0, 1, 0, 1), &(struct cs_gantt_options){.height = 20000},
            "a Gantt chart of height 20000: 160 to 16000 pixels are possible");
    refused(one_bar(0, 1, 0, 1), &(struct cs_gantt_options){.color_by = CS_COLOR_USER},
            "the tasks of this schedule have no users");
}

static void a_long_name_is_whole_in_the_legend_where_there_is_room(void **state)
{
    static const char *const list[] = {"computational fluid dynamics of a whole engine", "md"};
    struct cs_schedule *s = cs_schedule_create("pack", 2, 2, list);
    char *svg;

    (void)state;
    add(s, CS_BAR_WORK, 0, -1, 0, 10, 0, 0);
    add(s, CS_BAR_WORK, 1, -1, 0, 1000, 1, 1);
    svg = draw(s, NULL);
    assert_non_null(strstr(svg, ">computational fluid dynamics of a whole engine</text>"));
    free(svg);
}

/* Short names leave room for a second column, also where some are left out. */
static void a_column_of_a_page_has_two_of_its_legend(void **state)
{
    const struct cs_gantt_options options = {.width = 290};
    struct cs_schedule *s = cs_schedule_create("rigid", 40, 40, NULL);
    int height = 0;
    char *svg;

    (void)state;
    for (int task = 0; task < 40; task++)
        add(s, CS_BAR_WORK, task, -1, 0, 10, task, task);
    svg = draw(s, &options);
    assert_non_null(strstr(svg, " more</text>"));
    assert_int_equal(sscanf(strstr(svg, " height=\""), " height=\"%d", &height), 1);
    assert_in_range(height, 400, 600);
    free(svg);
}

static void ninety_applications_have_colours_of_their_own(void **state)
{
    static char name[90][8];
    const char *list[90];
    struct cs_schedule *s;
    char *svg;
    int colours = 0;

    (void)state;
    for (int i = 0; i < 90; i++) {
        snprintf(name[i], sizeof name[i], "t%d", i);
        list[i] = name[i];
    }
    s = cs_schedule_create("pack", 90, 90, list);
    for (int i = 0; i < 90; i++)
        add(s, CS_BAR_WORK, i, -1, 0, 10, i, i);
    svg = draw(s, &(struct cs_gantt_options){.legend = -1});
    for (const char *at = svg; (at = strstr(at, "<g class=\"work\">")); at++) {
        const char *fill = strstr(at, "fill=\"#");
        char same[32];

        snprintf(same, sizeof same, "%.14s", fill);
        colours += strstr(fill + 1, same) == NULL;
    }
    assert_int_equal(colours, 90);
    free(svg);
}

static void failures_are_bolts_on_their_processors(void **state)
{
    const struct cs_bolt_fault fault[] = {{100, 2, true}, {200, 3, false}, {300, 99, false}};
    char *svg = draw(two_packs(), &(struct cs_gantt_options){.faults = 3, .fault = fault});

    (void)state;
    assert_int_equal(xml_count(svg, "<g class=\"failure\">"), 1);
    assert_int_equal(xml_count(svg, "<g class=\"harmless\">"), 1);
    assert_non_null(strstr(svg, "<title>failure at 100 s\nprocessor 2</title>"));
    free(svg);
    svg = draw(two_packs(), NULL);
    assert_null(strstr(svg, "failures"));
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_judge_of_xml_knows_what_is_wrong),
        cmocka_unit_test(draws_a_bar_with_a_tooltip_for_each_task),
        cmocka_unit_test(labels_stay_inside_their_bars),
        cmocka_unit_test(every_kind_has_a_texture_and_a_legend_entry),
        cmocka_unit_test(scattered_processors_are_several_rectangles),
        cmocka_unit_test(groups_of_processors_are_labelled_at_the_side),
        cmocka_unit_test(idle_is_what_the_run_left_whatever_was_planned),
        cmocka_unit_test(clusters_are_those_of_the_machine),
        cmocka_unit_test(the_largest_number_of_a_group_is_followed_by_one_more),
        cmocka_unit_test(nothing_says_that_nothing_ran),
        cmocka_unit_test(bars_without_length_or_processors_do_no_harm),
        cmocka_unit_test(crowds_are_gathered_into_pixels),
        cmocka_unit_test(the_density_of_a_crowd_is_its_utilisation),
        cmocka_unit_test(strips_show_utilisation_and_waiting_jobs),
        cmocka_unit_test(texts_around_the_bars_are_apart_at_every_width),
        cmocka_unit_test(the_legend_lists_what_has_no_label),
        cmocka_unit_test(classes_have_colours_and_all_are_listed),
        cmocka_unit_test(random_schedules_of_every_shape_can_be_drawn),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(a_long_name_is_whole_in_the_legend_where_there_is_room),
        cmocka_unit_test(a_column_of_a_page_has_two_of_its_legend),
        cmocka_unit_test(ninety_applications_have_colours_of_their_own),
        cmocka_unit_test(failures_are_bolts_on_their_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
