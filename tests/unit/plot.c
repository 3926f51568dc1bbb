/* plot: the structure of figures; what they look like is for eyes. */
#include "report/plot.h"
#include "unit/kit.h"
#include "unit/xml.h"

#include <math.h>
#include <stdlib.h>

static const double x[] = {16, 32, 64, 128}, y[] = {1, 2, NAN, 4}, z[] = {0.01, 0.1, 0, -3};
static const double low[] = {0.9, 1.9, NAN, 3.9}, high[] = {1.1, 2.1, NAN, 4.1};
static const char *const words[] = {"one", "two & more", "three", "a category of a very long name"};

static char *draw(const struct cs_plot_figure *figure)
{
    struct cs_strbuf one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    struct cs_error err = {0};
    const char *wrong;

    if (cs_plot_svg(figure, &one, &err))
        fail_msg("%s", err.text);
    assert_int_equal(cs_plot_svg(figure, &two, &err), 0);
    assert_string_equal(one.text, two.text);
    wrong = xml_check(one.text);
    if (wrong)
        fail_msg("not well-formed: %s", wrong);
    cs_strbuf_release(&two);
    return cs_strbuf_take(&one);
}

static char *draw_one(const struct cs_plot_panel *panel)
{
    return draw(&(struct cs_plot_figure){.panel_count = 1, .panel = panel});
}

static void has(const char *svg, const char *part, int times)
{
    int count = xml_count(svg, part);

    if (count != times)
        fail_msg("%s is there %d times, not %d", part, count, times);
}

static void lines_have_markers_gaps_and_bands(void **state)
{
    const struct cs_plot_series series[] = {
        {.name = "a<b", .count = 4, .x = x, .y = y, .low = low, .high = high},
        {.name = "other", .count = 4, .x = x, .y = x},
    };
    const struct cs_plot_mark mark = {50, "bound"};
    const struct cs_plot_panel panel = {.title = "Panel",
                                        .x = {.title = "processors", .log = true},
                                        .y = {.title = "time", .unit = "s", .zero = true},
                                        .series_count = 2,
                                        .series = series,
                                        .mark_count = 1,
                                        .mark = &mark};
    char *svg = draw_one(&panel);

    (void)state;
    has(svg, "<title>a&lt;b\n", 3);
    has(svg, "<title>other\n64: 64</title>", 1);
    has(svg, ">a&lt;b</text>", 1);
    has(svg, "class=\"band\"", 1);
    has(svg, "class=\"mark\"", 1);
    has(svg, ">bound</text>", 1);
    has(svg, ">time (s)</text>", 1);
    has(svg, ">processors</text>", 1);
    has(svg, ">16</text>", 1);
    has(svg, ">128</text>", 1);
    has(svg, ">0</text>", 1);
    free(svg);
}

static void a_name_has_one_look_and_one_legend_entry(void **state)
{
    const struct cs_plot_series left[] = {{.name = "a", .count = 4, .x = x, .y = y},
                                          {.name = "b", .count = 4, .x = x, .y = z}};
    const struct cs_plot_series right[] = {{.name = "b", .count = 4, .x = x, .y = y},
                                           {.name = "c", .count = 4, .x = x, .y = z}};
    const struct cs_plot_panel panel[] = {
        {.title = "left", .series_count = 2, .series = left},
        {.title = "right", .series_count = 2, .series = right},
        {.title = "third", .series_count = 1, .series = right},
    };
    char *svg = draw(&(struct cs_plot_figure){.title = "Figure",
                                              .subtitle = "of three",
                                              .panel_count = 3,
                                              .panel = panel,
                                              .style = CS_STYLE_DARK});

    (void)state;
    has(svg, "class=\"panel\"", 3);
    has(svg, ">a</text>", 1);
    has(svg, ">b</text>", 1);
    has(svg, ">c</text>", 1);
    free(svg);
}

static void logarithmic_axes_skip_what_they_cannot_show(void **state)
{
    const struct cs_plot_series series = {.name = "s", .count = 4, .x = x, .y = z};
    const struct cs_plot_panel panel = {.y = {.log = true}, .series_count = 1, .series = &series};
    char *svg = draw_one(&panel);

    (void)state;
    has(svg, "<title>s\n", 2);
    has(svg, ">0.01</text>", 1);
    has(svg, ">0.1</text>", 1);
    free(svg);
}

static void zeros_have_an_axis_to_1(void **state)
{
    static const double zero[4] = {0};
    const struct cs_plot_series series = {.name = "s", .count = 4, .x = x, .y = zero};
    const struct cs_plot_panel panel = {.series_count = 1, .series = &series};
    char *svg = draw_one(&panel);

    (void)state;
    has(svg, ">1.0</text>", 1);
    has(svg, ">-", 0);
    free(svg);
}

static void bars_stand_in_groups_with_whiskers(void **state)
{
    const struct cs_plot_series series[] = {
        {.name = "first", .count = 4, .y = y, .low = low, .high = high},
        {.name = "second", .count = 4, .y = x}};
    const struct cs_plot_panel panel = {.kind = CS_PLOT_BARS,
                                        .x = {.categories = 4, .category = words},
                                        .series_count = 2,
                                        .series = series};
    char *svg = draw_one(&panel);

    (void)state;
    has(svg, "class=\"bar\"", 7);
    has(svg, "class=\"whisker\"", 9);
    has(svg, ">two &amp; more</text>", 1);
    has(svg, "rotate(-35", 4);
    has(svg, ">0</text>", 1);
    free(svg);
}

/* Row 2, "three", has the value 1; 4 and all numbers of the paper are beyond the axis. */
static void forests_have_rows_whiskers_and_rings(void **state)
{
    static const double row[] = {2, 0, 1, 3};
    const struct cs_plot_series series[] = {
        {.name = "ours", .count = 4, .x = y, .y = row, .low = low, .high = high},
        {.name = "paper", .count = 4, .x = x, .y = row, .hollow = true}};
    const struct cs_plot_panel panel = {.kind = CS_PLOT_FOREST,
                                        .x = {.fixed = true, .clip = true, .high = 3},
                                        .y = {.categories = 4, .category = words},
                                        .series_count = 2,
                                        .series = series};
    char *svg = draw_one(&panel);

    (void)state;
    has(svg, "class=\"whisker\"", 6);
    has(svg, "<title>ours\nthree: 1<", 1);
    has(svg, ">two &amp; more</text>", 1);
    has(svg, "class=\"clipped\"", 5);
    has(svg, ">128</text>", 1);
    has(svg, "<circle", 3);
    has(svg, "fill=\"none\"", 5);
    free(svg);
}

static void fixed_axes_cut_what_is_extpol(void **state)
{
    const struct cs_plot_series series = {.name = "", .count = 4, .x = x, .y = x};
    const struct cs_plot_panel panel = {.x = {.fixed = true, .low = 20, .high = 100},
                                        .y = {.fixed = true, .low = 40, .high = 60},
                                        .series_count = 1,
                                        .series = &series};
    char *svg = draw_one(&panel);

    (void)state;
    has(svg, "<circle", 0);
    has(svg, "fill=\"none\"", 1);
    has(svg, "class=\"legend\"", 0);
    has(svg, ">60</text>", 2);
    free(svg);
}

static void panels_without_numbers_say_so(void **state)
{
    const double nothing[] = {NAN, INFINITY};
    const struct cs_plot_series series = {.name = "s", .count = 2, .y = nothing};
    const struct cs_plot_panel panel[] = {{.series_count = 1, .series = &series}, {.title = "x"}};
    char *svg = draw(&(struct cs_plot_figure){.panel_count = 2, .panel = panel});

    (void)state;
    has(svg, ">no data</text>", 2);
    free(svg);
}

static void numbers_of_every_size_can_be_drawn(void **state)
{
    (void)state;
    for (int exponent = -300; exponent <= 300; exponent += 7)
        for (int kind = 0; kind < 4; kind++) {
            double size = pow(10, exponent);
            const double many[] = {size, 1.5 * size, kind & 1 ? size : -size, 0};
            const struct cs_plot_series series = {
                .name = "s", .count = kind == 3 ? 1 : 4, .y = many, .low = many, .high = many};
            const struct cs_plot_panel panel = {.x = {.log = kind == 1},
                                                .y = {.log = kind == 2, .zero = kind == 0},
                                                .series_count = 1,
                                                .series = &series};

            free(draw(&(struct cs_plot_figure){
                .width = 200, .height = 160, .panel_count = 1, .panel = &panel}));
        }
}

/* Dates that have room on a page and not in a column. */
static void given_ticks_do_not_run_into_each_other(void **state)
{
    static const struct cs_ticks days = {
        5, {16, 32, 64, 96, 128}, {"15 January", "16 January", "17 January", "18 January", "last"}};
    const struct cs_plot_series series = {.name = "a", .count = 4, .x = x, .y = y};
    const struct cs_plot_panel panel = {
        .x = {.fixed = true, .low = 16, .high = 128, .ticks = &days},
        .series_count = 1,
        .series = &series};
    char *wide = draw(&(struct cs_plot_figure){.panel_count = 1, .panel = &panel, .width = 640});
    char *narrow = draw(&(struct cs_plot_figure){.panel_count = 1, .panel = &panel, .width = 240});

    (void)state;
    has(wide, " January</text>", 4);
    has(narrow, ">15 January</text>", 1);
    has(narrow, ">16 January</text>", 0);
    has(narrow, ">17 January</text>", 1);
    has(narrow, ">last</text>", 1);
    free(wide);
    free(narrow);
}

/* In a column of a paper. */
static void narrow_panels_have_ticks_and_whole_titles(void **state)
{
    static const double q[] = {0.1, 0.2, 0.3, 0.4};
    const struct cs_plot_series series = {.name = "a", .count = 4, .x = q, .y = y};
    const struct cs_plot_panel panel = {
        .title = "jobs of 1, 1/2, ..., 1/P seconds, of which the j-th fails j - 1 times",
        .series_count = 1,
        .series = &series};
    char *narrow = draw(&(struct cs_plot_figure){.panel_count = 1, .panel = &panel, .width = 321});

    (void)state;
    has(narrow, ">0.1</text>", 1);
    has(narrow, ">0.4</text>", 1);
    has(narrow, ">jobs of 1, 1/2, ..., 1/P seconds, of</text>", 1);
    has(narrow, ">which the j-th fails j - 1 times</text>", 1);
    free(narrow);
}

/* Beside a panel that is less high than the title is long. */
static void a_long_title_of_y_has_two_lines(void **state)
{
    const struct cs_plot_series series = {.name = "a", .count = 4, .x = x, .y = y};
    const struct cs_plot_panel panel = {
        .y = {.title = "makespan / makespan of IE (geometric in a scenario)", .unit = "1"},
        .series_count = 1,
        .series = &series};
    const struct cs_plot_figure figure = {.panel_count = 1, .panel = &panel, .width = 640};
    char *tall = draw(&figure), *small;
    struct cs_plot_figure flat = figure;

    (void)state;
    has(tall, ">makespan / makespan of IE (geometric in a scenario) (1)</text>", 1);
    flat.height = 260;
    small = draw(&flat);
    has(small, "class=\"axis-title\"", 2);
    has(small, ">makespan / makespan of IE</text>", 1);
    has(small, ">(geometric in a scenario) (1)</text>", 1);
    free(tall);
    free(small);
}

static void refused(struct cs_plot_panel panel, int width, const char *want)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};
    const struct cs_plot_figure figure = {.width = width, .panel_count = 1, .panel = &panel};

    assert_int_equal(cs_plot_svg(&figure, &out, &err), -1);
    assert_string_equal(err.text, want);
    assert_int_equal(out.length, 0);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    const struct cs_plot_series series = {.name = "s", .count = 4, .y = y};
    const struct cs_plot_series nameless = {.count = 4, .y = y};
    struct cs_error err = {0};
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    refused((struct cs_plot_panel){.x = {.fixed = true, .low = 1, .high = 1}}, 0,
            "panel 1: the x axis from 1 to 1 is empty");
    refused((struct cs_plot_panel){.y = {.fixed = true, .log = true, .high = 1}}, 0,
            "panel 1: a logarithmic y axis cannot begin at 0");
    refused((struct cs_plot_panel){.kind = CS_PLOT_BARS}, 0,
            "panel 1: bars need categories and a linear y axis");
    refused((struct cs_plot_panel){.x = {.categories = 3, .category = words},
                                   .series_count = 1,
                                   .series = &series},
            0, "panel 1, s: category 3, but there are only 0 to 2");
    refused((struct cs_plot_panel){.y = {.categories = 3, .category = words}}, 0,
            "panel 1: categories of y go with a forest");
    refused((struct cs_plot_panel){.series_count = 1, .series = &nameless}, 0,
            "panel 1: series 1 has no name");
    refused((struct cs_plot_panel){.title = ""}, 17,
            "a figure of width 17: 160 to 16000 pixels are possible");
    assert_int_equal(cs_plot_svg(&(struct cs_plot_figure){0}, &out, &err), -1);
    assert_string_equal(err.text,
                        "a figure of 0 panels in 0 columns: 1 to 400 panels are possible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_markers_gaps_and_bands),
        cmocka_unit_test(a_name_has_one_look_and_one_legend_entry),
        cmocka_unit_test(logarithmic_axes_skip_what_they_cannot_show),
        cmocka_unit_test(zeros_have_an_axis_to_1),
        cmocka_unit_test(bars_stand_in_groups_with_whiskers),
        cmocka_unit_test(forests_have_rows_whiskers_and_rings),
        cmocka_unit_test(fixed_axes_cut_what_is_extpol),
        cmocka_unit_test(panels_without_numbers_say_so),
        cmocka_unit_test(numbers_of_every_size_can_be_drawn),
        cmocka_unit_test(given_ticks_do_not_run_into_each_other),
        cmocka_unit_test(narrow_panels_have_ticks_and_whole_titles),
        cmocka_unit_test(a_long_title_of_y_has_two_lines),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
