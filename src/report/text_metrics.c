/* text_metrics.c - advance widths of DejaVu Sans 2.37, in thousandths of the font size.
 *
 * The tables hold U+0020 .. U+017F, what western names are made of.  Other scripts get the
 * 90 % quantile of their block: a label may then be elided early, never late.
 */
#include "report/text_metrics.h"

#include <string.h>

enum { TABLE_FIRST = 0x20, TABLE_LAST = 0x17f };

static const unsigned short regular[] = {
    318,  401,  460, 838, 636, 950, 780, 275, 390, 390, 500, 838,  318, 361, 318,  337, 636,  636,
    636,  636,  636, 636, 636, 636, 636, 636, 337, 337, 838, 838,  838, 531, 1000, 684, 686,  698,
    770,  632,  575, 775, 752, 295, 295, 656, 557, 863, 748, 787,  603, 787, 695,  635, 611,  732,
    684,  989,  685, 611, 685, 390, 337, 390, 838, 500, 500, 613,  635, 550, 635,  615, 352,  635,
    634,  278,  278, 579, 278, 974, 634, 612, 635, 635, 411, 521,  392, 634, 592,  818, 592,  592,
    525,  636,  337, 636, 838, 0,   0,   0,   0,   0,   0,   0,    0,   0,   0,    0,   0,    0,
    0,    0,    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,    0,   0,   0,    0,   0,    0,
    0,    0,    318, 401, 636, 636, 636, 636, 337, 500, 500, 1000, 471, 612, 838,  361, 1000, 500,
    500,  838,  401, 401, 500, 636, 636, 318, 500, 401, 471, 612,  969, 969, 969,  531, 684,  684,
    684,  684,  684, 684, 974, 698, 632, 632, 632, 632, 295, 295,  295, 295, 775,  748, 787,  787,
    787,  787,  787, 838, 787, 732, 732, 732, 732, 611, 605, 630,  613, 613, 613,  613, 613,  613,
    982,  550,  615, 615, 615, 615, 278, 278, 278, 278, 612, 634,  612, 612, 612,  612, 612,  838,
    612,  634,  634, 634, 634, 592, 635, 592, 684, 613, 684, 613,  684, 613, 698,  550, 698,  550,
    698,  550,  698, 550, 770, 635, 775, 635, 632, 615, 632, 615,  632, 615, 632,  615, 632,  615,
    775,  635,  775, 635, 775, 635, 775, 635, 752, 634, 916, 695,  295, 278, 295,  278, 295,  278,
    295,  278,  295, 278, 590, 556, 295, 278, 656, 579, 579, 557,  278, 557, 278,  557, 375,  557,
    342,  562,  284, 748, 634, 748, 634, 748, 634, 813, 748, 634,  787, 612, 787,  612, 787,  612,
    1070, 1023, 695, 411, 695, 411, 695, 411, 635, 521, 635, 521,  635, 521, 635,  521, 611,  392,
    611,  392,  611, 392, 732, 634, 732, 634, 732, 634, 732, 634,  732, 634, 732,  634, 989,  818,
    611,  592,  611, 685, 525, 685, 525, 685, 525, 352,
};

static const unsigned short heavy[] = {
    348,  456,  521, 838,  696,  1002, 872,  306, 457, 457,  523, 838,  380, 415,  380, 365,  696,
    696,  696,  696, 696,  696,  696,  696,  696, 696, 400,  400, 838,  838, 838,  580, 1000, 774,
    762,  734,  830, 683,  683,  821,  837,  372, 372, 775,  637, 995,  837, 850,  733, 850,  770,
    720,  682,  812, 774,  1103, 771,  724,  725, 457, 365,  457, 838,  500, 500,  675, 716,  593,
    716,  678,  435, 716,  712,  343,  343,  665, 343, 1042, 712, 687,  716, 716,  493, 595,  478,
    712,  652,  924, 645,  652,  582,  712,  365, 712, 838,  0,   0,    0,   0,    0,   0,    0,
    0,    0,    0,   0,    0,    0,    0,    0,   0,   0,    0,   0,    0,   0,    0,   0,    0,
    0,    0,    0,   0,    0,    0,    0,    0,   0,   348,  456, 696,  696, 636,  696, 365,  500,
    500,  1000, 564, 646,  838,  415,  1000, 500, 500, 838,  438, 438,  500, 736,  636, 380,  500,
    438,  564,  646, 1035, 1035, 1035, 580,  774, 774, 774,  774, 774,  774, 1085, 734, 683,  683,
    683,  683,  372, 372,  372,  372,  838,  837, 850, 850,  850, 850,  850, 838,  850, 812,  812,
    812,  812,  724, 738,  719,  675,  675,  675, 675, 675,  675, 1048, 593, 678,  678, 678,  678,
    343,  343,  343, 343,  687,  712,  687,  687, 687, 687,  687, 838,  687, 712,  712, 712,  712,
    652,  716,  652, 774,  675,  774,  675,  774, 675, 734,  593, 734,  593, 734,  593, 734,  593,
    830,  716,  838, 716,  683,  678,  683,  678, 683, 678,  683, 678,  683, 678,  821, 716,  821,
    716,  821,  716, 821,  716,  837,  712,  974, 790, 372,  343, 372,  343, 372,  343, 372,  343,
    372,  343,  744, 686,  372,  343,  775,  665, 665, 637,  343, 637,  343, 637,  479, 637,  557,
    642,  371,  837, 712,  837,  712,  837,  712, 983, 837,  712, 850,  687, 850,  687, 850,  687,
    1167, 1094, 770, 493,  770,  493,  770,  493, 720, 595,  720, 595,  720, 595,  720, 595,  682,
    478,  682,  478, 682,  478,  812,  712,  812, 712, 812,  712, 812,  712, 812,  712, 812,  712,
    1103, 924,  724, 652,  724,  725,  582,  725, 582, 725,  582, 435,
};

struct range {
    unsigned first, last;
};

static const struct range marks[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

static bool text_metrics_within(unsigned code, const struct range *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= list[i].first && code <= list[i].last)
            return true;
    return false;
}

static bool is_mark(unsigned code)
{
    return code >= 0x300 && text_metrics_within(code, marks, sizeof marks / sizeof *marks);
}

static bool is_wide(unsigned code)
{
    return code >= 0x1100 && text_metrics_within(code, wide, sizeof wide / sizeof *wide);
}

/* The length of a sequence by its first byte, 0 when none begins so. */
static int text_metrics_sequence(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

static bool is_code(unsigned code, int length)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};

    return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

unsigned cs_text_next(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    int length = text_metrics_sequence(*at);
    unsigned code = *at & (length > 1 ? 0x7fu >> length : 0x7fu);

    if (!*at)
        return 0;
    ++*text;
    if (!length)
        return 0xfffd;
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0xfffd;
        code = code << 6 | (at[i] & 0x3fu);
    }
    if (!is_code(code, length))
        return 0xfffd;
    *text += length - 1;
    return code;
}

void cs_text_put(struct cs_strbuf *out, unsigned code)
{
    if (code < 0x80) {
        cs_strbuf_putc(out, (char)code);
        return;
    }
    if (code < 0x800) {
        cs_strbuf_putc(out, (char)(0xc0 | code >> 6));
    } else {
        if (code < 0x10000) {
            cs_strbuf_putc(out, (char)(0xe0 | code >> 12));
        } else {
            cs_strbuf_putc(out, (char)(0xf0 | code >> 18));
            cs_strbuf_putc(out, (char)(0x80 | (code >> 12 & 0x3f)));
        }
        cs_strbuf_putc(out, (char)(0x80 | (code >> 6 & 0x3f)));
    }
    cs_strbuf_putc(out, (char)(0x80 | (code & 0x3f)));
}

static int other_advance(unsigned code, bool bold)
{
    if (is_mark(code))
        return 0;
    if (is_wide(code))
        return 1000;
    if (code < 0x590)
        return bold ? 1000 : 930;
    if (code >= 0x2010 && code <= 0x2013)
        return 500;
    if (code >= 0x2018 && code <= 0x201f)
        return bold ? 660 : 520;
    if (code >= 0x2000 && code <= 0x206f)
        return 1000;
    return bold ? 1100 : 1000;
}

static int text_metrics_advance(unsigned code, bool bold)
{
    if (code >= TABLE_FIRST && code <= TABLE_LAST)
        return bold ? heavy[code - TABLE_FIRST] : regular[code - TABLE_FIRST];
    return code < TABLE_FIRST ? 0 : other_advance(code, bold);
}

double cs_text_width(const char *text, double size, bool bold)
{
    long thousandths = 0;

    for (unsigned code; (code = cs_text_next(&text));)
        thousandths += text_metrics_advance(code, bold);
    return (double)thousandths * size / 1000;
}

static void put_cut(struct cs_strbuf *out, const char *text, const char *end)
{
    while (end > text && end[-1] == ' ')
        end--;
    cs_strbuf_append(out, text, (size_t)(end - text));
    cs_strbuf_puts(out, "\xe2\x80\xa6");
}

bool cs_text_elide(struct cs_strbuf *out, const char *text, double size, bool bold, double room,
                   int least)
{
    const char *at = text, *end = text;
    double width = size;
    int letters = 0;

    if (cs_text_width(text, size, bold) <= room) {
        cs_strbuf_puts(out, text);
        return *text != '\0';
    }
    for (unsigned code; (code = cs_text_next(&at));) {
        width += text_metrics_advance(code, bold) * size / 1000;
        if (width > room)
            break;
        end = at;
        letters += !is_mark(code);
    }
    if (letters < (least > 1 ? least : 1))
        return false;
    put_cut(out, text, end);
    return true;
}

static int columns_of(unsigned code)
{
    return is_mark(code) ? 0 : is_wide(code) ? 2 : 1;
}

int cs_text_columns(const char *text)
{
    int columns = 0;

    for (unsigned code; (code = cs_text_next(&text));)
        columns += columns_of(code);
    return columns;
}

void cs_text_elide_columns(struct cs_strbuf *out, const char *text, int room)
{
    const char *at = text, *end = text;
    int width = 1;

    if (cs_text_columns(text) <= room) {
        cs_strbuf_puts(out, text);
        return;
    }
    for (unsigned code; (code = cs_text_next(&at));) {
        width += columns_of(code);
        if (width > room)
            break;
        end = at;
    }
    put_cut(out, text, end);
}
