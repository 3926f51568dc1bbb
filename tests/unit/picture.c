/* picture: SVG text, its colours, and the files it becomes. */
#include "base/file.h"
#include "config.h"
#include "report/chart_export.h"
#include "report/palette.h"
#include "report/svg.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void number(double value, const char *want)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_svg_number(&out, value);
    assert_string_equal(out.text, want);
    cs_strbuf_release(&out);
}

static void numbers_have_two_digits_at_most(void **state)
{
    (void)state;
    number(0, "0");
    number(-0.001, "0");
    number(1.5, "1.5");
    number(1.05, "1.05");
    number(-12.345, "-12.35");
    number(99.999, "100");
    number(1e6, "1000000");
}

static void text_is_escaped(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_svg_escape(&out, "a<b>&\"c\" \x01\xc3\xa9\xff");
    assert_string_equal(out.text, "a&lt;b&gt;&amp;&quot;c&quot; \xc3\xa9\xef\xbf\xbd");
    cs_strbuf_release(&out);
}

static void small_picture(struct cs_strbuf *out)
{
    cs_svg_begin(out, 30, 20, "cs-test", "a < b");
    cs_svg_rect(out, 0, 0, 30, 20, 0, &(struct cs_svg_paint){.fill = "#ff0000"});
    cs_svg_text(out, 2, 10, &(struct cs_svg_font){.size = 9, .anchor = CS_SVG_MIDDLE, .turn = -90},
                "x");
    cs_svg_end(out);
}

static void elements_are_written_as_svg(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    small_picture(&out);
    assert_string_equal(out.text,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\" "
                        "viewBox=\"0 0 30 20\" class=\"cs-test\" "
                        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" role=\"img\">\n"
                        "<title>a &lt; b</title>\n"
                        "<rect x=\"0\" y=\"0\" width=\"30\" height=\"20\" fill=\"#ff0000\"/>\n"
                        "<text x=\"2\" y=\"10\" font-size=\"9\" text-anchor=\"middle\" "
                        "transform=\"rotate(-90 2 10)\">x</text>\n"
                        "</svg>\n");
    cs_strbuf_release(&out);
}

static double distance(struct cs_color a, struct cs_color b)
{
    return hypot(hypot(a.red - b.red, a.green - b.green), a.blue - b.blue);
}

static void colours_differ_and_labels_can_be_read_on_them(void **state)
{
    (void)state;
    for (int is_dark = 0; is_dark < 2; is_dark++) {
        const struct cs_theme *theme = cs_theme(cs_style(is_dark));

        for (int i = 0; i < CS_PALETTE_BARS; i++) {
            struct cs_color a = cs_palette_bar(i, theme);

            assert_true(cs_color_contrast(a, cs_color_parse(cs_color_ink(a))) >= 4.5);
            for (int j = 0; j < i; j++)
                assert_true(distance(a, cs_palette_bar(j, theme)) > (i < 12 ? 30 : 10));
        }
        for (int i = 0; i < CS_PALETTE_LINES; i++)
            assert_true(cs_color_contrast(cs_palette_line(i, theme),
                                          cs_color_parse(theme->background)) > 2.5);
        assert_true(cs_color_contrast(cs_color_parse(theme->muted),
                                      cs_color_parse(theme->background)) > 4.5);
    }
    assert_string_equal(cs_color_text(cs_color_parse("#0a1bff")).text, "#0a1bff");
    assert_float_equal(cs_color_contrast(cs_color_parse("#000000"), cs_color_parse("#ffffff")), 21,
                       1e-9);
}

/* Machado, Oliveira and Fernandes 2009, severity 1: normal, protan, deutan, tritan. */
static const double vision[4][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
};

static double linear(int channel)
{
    double c = channel / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double bent(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116.0;
}

/* CIELAB as an eye of that vision sees the colour. */
static void see(struct cs_color color, const double *eye, double *lab)
{
    const double in[] = {linear(color.red), linear(color.green), linear(color.blue)};
    double rgb[3], x, y, z;

    for (int i = 0; i < 3; i++) {
        rgb[i] = eye[3 * i] * in[0] + eye[3 * i + 1] * in[1] + eye[3 * i + 2] * in[2];
        rgb[i] = fmin(1, fmax(0, rgb[i]));
    }
    x = bent((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
    y = bent(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    z = bent((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

static double closest(struct cs_color (*palette)(int, const struct cs_theme *), int count,
                      const struct cs_theme *theme)
{
    double least = INFINITY, a[3], b[3];

    for (int eye = 0; eye < 4; eye++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < i; j++) {
                see(palette(i, theme), vision[eye], a);
                see(palette(j, theme), vision[eye], b);
                least = fmin(least, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
            }
    return least;
}

static void colours_stay_apart_for_every_kind_of_eye(void **state)
{
    (void)state;
    assert_true(closest(cs_palette_bar, 12, cs_theme(CS_STYLE_COLOR)) > 19);
    assert_true(closest(cs_palette_bar, 12, cs_theme(CS_STYLE_DARK)) > 17);
    assert_true(closest(cs_palette_line, CS_PALETTE_LINES, cs_theme(CS_STYLE_COLOR)) > 22);
    assert_true(closest(cs_palette_line, CS_PALETTE_LINES, cs_theme(CS_STYLE_DARK)) > 17);
}

static void names_decide_what_is_written(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_chart_check("a.svg", &err), 0);
    assert_int_equal(cs_chart_check("a.pdf", NULL), CS_HAVE_PNG ? 0 : -1);
    assert_int_equal(cs_chart_check("a.gif", &err), -1);
    assert_string_equal(err.text, "a.gif: a picture is written as .svg, .pdf or .png");
    err.text[0] = '\0';
    assert_int_equal(cs_chart_check(".svg", &err), -1);
}

static void svg_files_hold_the_text(void **state)
{
    char folder[] = "/tmp/cs_picture_XXXXXX", name[64];
    struct cs_strbuf svg = CS_STRBUF_INIT, back = CS_STRBUF_INIT;
    struct cs_error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/a.svg", folder);
    small_picture(&svg);
    assert_int_equal(cs_chart_write(name, svg.text, CS_CHART_DPI, &err), 0);
    assert_int_equal(cs_file_read(name, 1000, &back, &err), 0);
    assert_string_equal(back.text, svg.text);
    unlink(name);
    rmdir(folder);
    assert_int_equal(cs_chart_write(name, svg.text, CS_CHART_DPI, &err), -1);
    assert_non_null(strstr(err.text, name));
    cs_strbuf_release(&svg);
    cs_strbuf_release(&back);
}

static void png_has_the_size_asked_for_or_says_what_is_missing(void **state)
{
    static const unsigned char want[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13,
                                         'I',  'H', 'D', 'R', 0,  0,  0,  60, 0, 0, 0, 40};
    struct cs_strbuf svg = CS_STRBUF_INIT, png = CS_STRBUF_INIT;
    struct cs_error err = {0};

    (void)state;
    small_picture(&svg);
#if CS_HAVE_PNG
    assert_int_equal(cs_chart_png(svg.text, CS_CHART_DPI, &png, &err), 0);
    assert_true(png.length > sizeof want);
    assert_memory_equal(png.text, want, sizeof want);
    assert_int_equal(cs_chart_png("no picture", CS_CHART_DPI, &png, &err), -1);
    assert_non_null(strstr(err.text, "cannot draw the picture: "));
    err.text[0] = '\0';
    assert_int_equal(cs_chart_png(svg.text, 5000 * 96, &png, &err), -1);
    assert_string_equal(err.text, "cannot draw a picture of 150000 x 100000 pixels: 1 to 30000 are "
                                  "possible");
#else
    (void)want;
    assert_int_equal(cs_chart_png(svg.text, CS_CHART_DPI, &png, &err), -1);
    assert_string_equal(err.text, "this build makes no PNG and no PDF: install librsvg2-dev and "
                                  "libcairo2-dev and build again, or ask for .svg");
#endif
    cs_strbuf_release(&svg);
    cs_strbuf_release(&png);
}

#if CS_HAVE_PNG
/* Append what a stream of zlib holds, as far as it is one. */
static void stream_unpack(const char *bytes, size_t length, struct cs_strbuf *out)
{
    char piece[4096];
    z_stream zip = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (unsigned)length};
    int status = inflateInit(&zip);

    while (status == Z_OK) {
        zip.next_out = (unsigned char *)piece;
        zip.avail_out = sizeof piece;
        status = inflate(&zip, Z_NO_FLUSH);
        cs_strbuf_append(out, piece, sizeof piece - zip.avail_out);
    }
    inflateEnd(&zip);
}

/* The objects of a PDF as text; from 1.18 on cairo packs them, page descriptions too. */
static void pdf_unpack(const struct cs_strbuf *pdf, struct cs_strbuf *out)
{
    static const char word[] = "stream\n";
    const size_t length = sizeof word - 1;

    cs_strbuf_append(out, pdf->text, pdf->length);
    for (size_t i = 0; i + length < pdf->length; i++)
        if (!memcmp(pdf->text + i, word, length))
            stream_unpack(pdf->text + i + length, pdf->length - i - length, out);
    for (size_t i = 0; i < out->length; i++)
        if (!out->text[i])
            out->text[i] = ' ';
}

/* The corners of the pages; returns how many pages there are. */
static int pdf_pages(const char *text, double box[4])
{
    static const char key[] = "/MediaBox";
    int pages = 0;

    for (; (text = strstr(text, key)); pages++) {
        text += strlen(key);
        assert_int_equal(sscanf(text, " [ %lf %lf %lf %lf ]", box, box + 1, box + 2, box + 3), 4);
    }
    return pages;
}
#endif

static void pdf_is_one_page_of_that_size_and_the_same_twice(void **state)
{
    struct cs_strbuf svg = CS_STRBUF_INIT, pdf = CS_STRBUF_INIT, again = CS_STRBUF_INIT;
    struct cs_error err = {0};

    (void)state;
    small_picture(&svg);
#if CS_HAVE_PNG
    struct cs_strbuf text = CS_STRBUF_INIT;
    double box[4];

    assert_int_equal(cs_chart_pdf(svg.text, &pdf, &err), 0);
    assert_memory_equal(pdf.text, "%PDF-", 5);
    pdf_unpack(&pdf, &text);
    assert_int_equal(pdf_pages(text.text, box), 1);
    assert_true(box[0] == 0 && box[1] == 0 && box[2] == 22.5 && box[3] == 15);
    cs_strbuf_release(&text);
    assert_int_equal(cs_chart_pdf(svg.text, &again, &err), 0);
    assert_int_equal(pdf.length, again.length);
    assert_memory_equal(pdf.text, again.text, pdf.length);
    cs_strbuf_clear(&pdf);
#endif
    assert_int_equal(cs_chart_pdf("no picture", &pdf, &err), -1);
    cs_strbuf_release(&svg);
    cs_strbuf_release(&pdf);
    cs_strbuf_release(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_two_digits_at_most),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(elements_are_written_as_svg),
        cmocka_unit_test(colours_differ_and_labels_can_be_read_on_them),
        cmocka_unit_test(colours_stay_apart_for_every_kind_of_eye),
        cmocka_unit_test(names_decide_what_is_written),
        cmocka_unit_test(svg_files_hold_the_text),
        cmocka_unit_test(png_has_the_size_asked_for_or_says_what_is_missing),
        cmocka_unit_test(pdf_is_one_page_of_that_size_and_the_same_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
