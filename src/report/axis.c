/* axis.c - round numbers along an axis. */
#include "report/axis.h"

#include "base/plain.h"
#include "base/strbuf.h"
#include "report/human.h"

#include <math.h>
#include <string.h>

/* mantissa * 10 ^ exponent, kept apart so that multiples of 0.1 are exact decimals. */
struct step {
    double mantissa;
    int exponent;
};

static double axis_multiple(struct step step, double count)
{
    if (step.exponent < 0)
        return count * step.mantissa / pow(10, -step.exponent);
    return count * step.mantissa * pow(10, step.exponent);
}

static struct step round_step(double least)
{
    static const double mantissa[] = {1, 2, 5, 10};
    struct step step = {.mantissa = 1, .exponent = (int)floor(log10(least))};

    for (int i = 0; i < 4; i++) {
        step.mantissa = mantissa[i];
        if (axis_multiple(step, 1) >= least * (1 - 1e-9))
            break;
    }
    if (step.mantissa == 10)
        step = (struct step){.mantissa = 1, .exponent = step.exponent + 1};
    return step;
}

static void put_label(char *label, size_t size, double value, int places)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    double magnitude = fabs(value);

    if (magnitude > 0 && (magnitude < 1e-4 || magnitude >= 1e7))
        cs_human_power(&text, value, 4);
    else
        cs_human_fixed(&text, value, places > 4 && value == 0 ? 0 : places);
    cs_plain_print(label, size, "%.*s", (int)size - 1, text.text);
    cs_strbuf_release(&text);
}

/* Fractional steps such as 0.25 come with a mantissa of two digits. */
static int places_of(struct step step)
{
    int places = step.exponent < 0 ? -step.exponent : 0;

    return step.mantissa == floor(step.mantissa)           ? places
           : 2 * step.mantissa == floor(2 * step.mantissa) ? places + 1
                                                           : places + 2;
}

static void axis_fill(double low, double high, struct step step, double scale,
                      struct cs_ticks *ticks)
{
    double size = axis_multiple(step, 1), slack = 1e-9 * (high - low);
    double first = ceil((low - slack) / size), last = floor((high + slack) / size);

    ticks->count = 0;
    for (double i = first; i <= last && ticks->count < CS_TICKS_MAX; i++) {
        double value = i == 0 ? 0 : axis_multiple(step, i);

        ticks->at[ticks->count] = value * scale;
        put_label(ticks->label[ticks->count++], sizeof ticks->label[0], value, places_of(step));
    }
}

static double least_step(double low, double high, int wanted)
{
    return (high - low) / (wanted < 1 ? 1 : wanted > CS_TICKS_MAX - 1 ? CS_TICKS_MAX - 1 : wanted);
}

int cs_ticks_wanted(double room, double each)
{
    return (int)fmax(fmax(2, floor(room / each)), fmin(5, floor(2.5 * room / each)));
}

void cs_ticks_linear(double low, double high, int wanted, struct cs_ticks *ticks)
{
    axis_fill(low, high, round_step(least_step(low, high, wanted)), 1, ticks);
}

void cs_ticks_whole(double low, double high, int wanted, struct cs_ticks *ticks)
{
    axis_fill(low, high, round_step(fmax(1, least_step(low, high, wanted))), 1, ticks);
}

void cs_ticks_widen(double *low, double *high, int wanted)
{
    struct step step = round_step(least_step(*low, *high, wanted));
    double size = axis_multiple(step, 1);

    *low = axis_multiple(step, floor(*low / size + 1e-9));
    *high = axis_multiple(step, ceil(*high / size - 1e-9));
}

static void add_log(struct cs_ticks *ticks, double low, double high, double mantissa, int exponent)
{
    double at = axis_multiple((struct step){mantissa, exponent}, 1);

    if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9) || ticks->count == CS_TICKS_MAX)
        return;
    ticks->at[ticks->count] = at;
    put_label(ticks->label[ticks->count++], sizeof ticks->label[0], at,
              exponent < 0 ? -exponent : 0);
}

void cs_ticks_log(double low, double high, int wanted, struct cs_ticks *ticks)
{
    int first = (int)floor(log10(low)), last = (int)floor(log10(high)) + 1;
    int most = wanted < 1 ? 1 : wanted, skip = (last - first + most - 1) / most;
    bool few = log10(high / low) * 2 <= wanted;
    int exponent = first;

    ticks->count = 0;
    for (; exponent <= last; exponent++) {
        if (((exponent % skip) + skip) % skip == 0)
            add_log(ticks, low, high, 1, exponent);
        if (few) {
            add_log(ticks, low, high, 2, exponent);
            add_log(ticks, low, high, 5, exponent);
        }
    }
    if (ticks->count < 3)
        cs_ticks_linear(low, high, wanted, ticks);
}

bool cs_ticks_at(const double *value, int count, struct cs_ticks *ticks)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (count > CS_TICKS_MAX)
        return false;
    ticks->count = count;
    for (int i = 0; i < count; i++) {
        ticks->at[i] = value[i];
        cs_strbuf_clear(&text);
        cs_human_digits(&text, value[i], 6);
        cs_plain_print(ticks->label[i], sizeof ticks->label[0], "%.*s",
                       (int)sizeof ticks->label[0] - 1, text.text);
    }
    cs_strbuf_release(&text);
    return true;
}

struct cs_time_unit cs_time_unit(double span)
{
    static const struct {
        double longest;
        struct cs_time_unit unit;
    } row[] = {
        {2e-6, {"ns", 1e-9}}, {2e-3, {"\xc2\xb5s", 1e-6}}, {2, {"ms", 1e-3}},
        {120, {"s", 1}},      {7200, {"min", 60}},         {48 * 3600.0, {"h", 3600}},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (span < row[i].longest)
            return row[i].unit;
    return (struct cs_time_unit){"d", 86400};
}

static struct step time_step(double least, struct cs_time_unit unit)
{
    static const double sixtieths[] = {0.25, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 0};
    static const double hours[] = {0.25, 0.5, 1, 2, 3, 4, 6, 12, 24, 0};
    static const double days[] = {0.25, 0.5, 1, 2, 5, 7, 10, 14, 20, 30, 50, 0};
    const double *row = !strcmp(unit.name, "min") ? sixtieths
                        : !strcmp(unit.name, "h") ? hours
                        : !strcmp(unit.name, "d") ? days
                                                  : NULL;

    for (; row && *row > 0; row++)
        if (*row >= least * (1 - 1e-9))
            return (struct step){.mantissa = *row, .exponent = 0};
    return round_step(least);
}

void cs_ticks_time(double low, double high, int wanted, struct cs_time_unit unit,
                   struct cs_ticks *ticks)
{
    double from = low / unit.seconds, to = high / unit.seconds;

    axis_fill(from, to, time_step(least_step(from, to, wanted), unit), unit.seconds, ticks);
}

/* A step of 1, 3, 2, 6, 4, 12, ... processors that divides the machine evenly, or 0. */
static int even_step(int procs, int wanted)
{
    for (int parts = wanted; parts > 2; parts--) {
        int step = procs % parts ? 0 : procs / parts, odd = step;

        while (odd && odd % 2 == 0)
            odd /= 2;
        if (odd == 1 || odd == 3)
            return step;
    }
    return 0;
}

void cs_ticks_procs(int procs, int wanted, struct cs_ticks *ticks)
{
    struct cs_strbuf label = CS_STRBUF_INIT;
    int step;

    wanted = wanted < 2 ? 2 : wanted;
    cs_ticks_whole(0, procs, wanted, ticks);
    step = even_step(procs, wanted);
    if (!step || (int)ticks->at[ticks->count - 1] == procs)
        return;
    ticks->count = 0;
    for (int i = 0, at = 0; i <= procs / step; i++, at = i * step) {
        cs_strbuf_clear(&label);
        cs_human_count(&label, at);
        ticks->at[ticks->count] = at;
        cs_plain_print(ticks->label[ticks->count++], sizeof ticks->label[0], "%s", label.text);
    }
    cs_strbuf_release(&label);
}
