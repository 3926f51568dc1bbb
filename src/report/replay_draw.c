/* replay_draw.c - curves of all rows of a replay, over calendar time and over waits. */
#include "base/plain.h"
#include "base/zone.h"
#include "report/plot.h"
#include "report/replay_page.h"

#include <math.h>
#include <string.h>

#define PANELS 6
#define DAY 86400.0

struct drawing {
    const struct cs_replay_view *view;
    struct cs_arena *arena;
    int count;         /* rows that are drawn */
    double from, last; /* the first bin; the last arrival */
    int group;         /* bins that make a point */
    struct cs_ticks ticks;
    double *shade;
    int shades;
};

/* ---- time ---- */

/* The time at which a local day begins, on the log's clock. */
static double day_begins(const struct drawing *d, int64_t day)
{
    return (double)cs_zone_universal(d->view->zone, day * 86400) - d->view->epoch;
}

static int64_t day_of(const struct drawing *d, double time)
{
    const double seconds = d->view->epoch + time;

    return (int64_t)floor(
        (seconds + (double)cs_zone_offset(d->view->zone, (int64_t)floor(seconds))) / DAY);
}

struct date {
    int year, month, day;
};

static struct date date_of(int64_t day)
{
    struct date date = {(int)(1970 + floor((double)day / 365.2425)), 12, 1};

    while (cs_calendar_days(date.year + 1, 1, 1) <= day)
        date.year++;
    while (cs_calendar_days(date.year, 1, 1) > day)
        date.year--;
    while (cs_calendar_days(date.year, date.month, 1) > day)
        date.month--;
    date.day = (int)(day - cs_calendar_days(date.year, date.month, 1)) + 1;
    return date;
}

static void add_tick(struct drawing *d, double at, struct date date, bool days)
{
    static const char *const month[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct cs_ticks *t = &d->ticks;

    if (t->count == CS_TICKS_MAX)
        return;
    t->at[t->count] = at;
    if (days)
        cs_plain_print(t->label[t->count], sizeof t->label[0], "%d %s", date.day,
                       month[date.month - 1]);
    else if (date.month == 1 || t->count == 0)
        cs_plain_print(t->label[t->count], sizeof t->label[0], "%s %d", month[date.month - 1],
                       date.year);
    else
        cs_plain_print(t->label[t->count], sizeof t->label[0], "%s", month[date.month - 1]);
    t->count++;
}

/* The beginnings of days, months or years, about ten of them. */
static void make_ticks(struct drawing *d, double from, double to)
{
    const int64_t first = day_of(d, from), last = day_of(d, to);
    const double days = (double)(last - first) + 1;
    const int step = days <= 12 ? 1 : days <= 24 ? 2 : days <= 84 ? 7 : 0;
    const int months = days <= 400 ? 1 : days <= 1200 ? 3 : days <= 2500 ? 6 : 12;

    d->ticks.count = 0;
    for (int64_t day = first; day <= last; day++) {
        const struct date date = date_of(day);
        const bool wanted = step == 7 ? (day + 3) % 7 == 0
                            : step    ? (day - first) % step == 0
                                      : date.day == 1 && (date.month - 1) % months == 0;

        if (wanted && day_begins(d, day) >= from)
            add_tick(d, day_begins(d, day), date, step > 0);
    }
}

static void add_shade(struct drawing *d, double from, double to)
{
    d->shade[2 * d->shades] = from;
    d->shade[2 * d->shades++ + 1] = to;
}

/* Weekends, if wide enough to be visible, and outages. */
static void make_shades(struct drawing *d, double from, double to)
{
    const struct cs_replay_view *view = d->view;
    const int64_t first = day_of(d, from), last = day_of(d, to);
    const bool weekends = last - first <= 120 && view->dated;

    d->shade =
        CS_NEW_ARRAY(d->arena, double,
                     2 * ((size_t)view->outages + (weekends ? (size_t)(last - first) + 8 : 0)));
    for (int64_t day = first - 1; weekends && day <= last; day++)
        if (((day + 3) % 7 + 7) % 7 == 5)
            add_shade(d, day_begins(d, day), day_begins(d, day + 2));
    for (int i = 0; i < view->outages; i++)
        add_shade(d, view->outage[2 * i], view->outage[2 * i + 1]);
}

/* ---- curves ---- */

/* Sums over some bins. */
struct sums {
    double busy, queue, work, jobs, wait;
};

typedef double value_f(const struct drawing *d, const struct sums *sums, double seconds);

static double replay_draw_utilisation(const struct drawing *d, const struct sums *sums,
                                      double seconds)
{
    return 100 * sums->busy / ((double)d->view->procs * seconds);
}

static double replay_draw_queue(const struct drawing *d, const struct sums *sums, double seconds)
{
    (void)d;
    return sums->queue / seconds;
}

/* Hours of the whole machine. */
static double replay_draw_work(const struct drawing *d, const struct sums *sums, double seconds)
{
    return sums->work / seconds / 3600 / (double)d->view->procs;
}

static double replay_draw_wait(const struct drawing *d, const struct sums *sums, double seconds)
{
    (void)d;
    (void)seconds;
    return sums->jobs > 0 ? sums->wait / sums->jobs / 3600 : NAN;
}

static void add_bin(struct sums *to, const struct cs_replay_curves *from, int bin)
{
    to->busy += from->busy[bin];
    to->queue += from->queue[bin];
    to->work += from->work[bin];
    to->jobs += from->jobs[bin];
    to->wait += from->wait[bin];
}

/* Bins after the last arrival do not depend on the policy. */
static int bins_until(const struct cs_replay_curves *c, double last)
{
    return c->count ? (int)fmax(0, fmin(c->count, ceil((last - c->origin) / c->length))) : 0;
}

static struct cs_plot_series replay_draw_curve(const struct drawing *d, int row, int group,
                                               value_f *value)
{
    const struct cs_replay_curves *c = &d->view->row[row].curves;
    const int bins = bins_until(c, d->last);
    double *x = CS_NEW_ARRAY(d->arena, double, bins), *y = CS_NEW_ARRAY(d->arena, double, bins);
    int points = 0;

    for (int b = 0; b < bins; b += group) {
        struct sums sums = {0};
        int end = b + group < bins ? b + group : bins;

        for (int i = b; i < end; i++)
            add_bin(&sums, c, i);
        x[points] = c->origin + c->length * (b + end) / 2;
        y[points++] = value(d, &sums, c->length * (end - b));
    }
    return (struct cs_plot_series){.name = d->view->row[row].name, .count = points, .x = x, .y = y};
}

static struct cs_plot_panel over_time(const struct drawing *d, const char *title, const char *unit,
                                      int group, value_f *value)
{
    struct cs_plot_series *series = CS_NEW_ARRAY(d->arena, struct cs_plot_series, d->count);

    for (int r = 0; r < d->count; r++)
        series[r] = replay_draw_curve(d, r, group, value);
    return (struct cs_plot_panel){
        .title = title,
        .x = {.ticks = &d->ticks, .fixed = true, .low = d->from, .high = d->last},
        .y = {.title = unit, .zero = true},
        .series_count = d->count,
        .series = series,
        .shade_count = d->shades,
        .shade = d->shade,
    };
}

static const struct cs_ticks wait_ticks = {
    9,
    {1, 10, 60, 600, 3600, 21600, 86400, 604800, 2592000},
    {"1 s", "10 s", "1 min", "10 min", "1 h", "6 h", "1 d", "7 d", "30 d"}};
static const struct cs_ticks slowdown_ticks = {
    5, {1, 10, 100, 1000, 10000}, {"1", "10", "100", "1,000", "10,000"}};

static struct cs_plot_panel replay_draw_shares(const struct drawing *d, const char *title,
                                               const char *axis, bool slowdowns,
                                               const struct cs_ticks *ticks)
{
    struct cs_plot_series *series = CS_NEW_ARRAY(d->arena, struct cs_plot_series, d->count);
    const struct cs_replay_shares *first =
        slowdowns ? &d->view->row[0].slowdowns : &d->view->row[0].waits;

    for (int r = 0; r < d->count; r++) {
        const struct cs_replay_row *row = &d->view->row[r];
        const struct cs_replay_shares *s = slowdowns ? &row->slowdowns : &row->waits;
        double *y = CS_NEW_ARRAY(d->arena, double, s->count);

        for (int i = 0; i < s->count; i++)
            y[i] = 100 * s->share[i];
        series[r] =
            (struct cs_plot_series){.name = row->name, .count = s->count, .x = s->at, .y = y};
    }
    return (struct cs_plot_panel){
        .title = title,
        .x = {.title = axis,
              .log = true,
              .fixed = true,
              .low = first->at[0],
              .high = first->at[first->count - 1],
              .ticks = ticks},
        .y = {.title = "% of jobs", .zero = true, .fixed = true, .low = 0, .high = 100},
        .series_count = d->count,
        .series = series,
    };
}

/* ---- the figure ---- */

/* Dates are shown for times within the calendar. */
#define FARTHEST 1e11
#define LONGEST 1e10

static void replay_draw_begin(struct drawing *d)
{
    const struct cs_replay_view *view = d->view;
    const struct cs_replay_curves *first = &view->row[0].curves;

    d->count = view->rows < CS_REPLAY_DRAWN ? view->rows : CS_REPLAY_DRAWN;
    d->from = first->origin;
    d->last = view->last > d->from ? view->last : d->from + 1;
    d->group = 1 + first->count / CS_REPLAY_POINTS;
    if (first->count && fabs(view->epoch) + fabs(d->from) < FARTHEST &&
        d->last - d->from < LONGEST) {
        make_ticks(d, d->from, d->last);
        make_shades(d, d->from, d->last);
    }
}

/* Bins that make so many days, or a point of the other curves. */
static int bins_of(const struct drawing *d, double days)
{
    const struct cs_replay_curves *first = &d->view->row[0].curves;

    return (int)fmax(d->group, first->count ? round(days * DAY / first->length) : 1);
}

static int panels_of(const struct drawing *d, enum cs_replay_chart which,
                     struct cs_plot_panel *panel)
{
    const double days = (d->last - d->from) / DAY;
    const int wide = bins_of(d, days > 120 ? 7 : days > 10 ? 1 : 0.25);
    int count = 0;

    if (which != CS_REPLAY_SHARES) {
        panel[count++] = over_time(d, days > 120 ? "Utilisation, weeks" : "Utilisation", "%", wide,
                                   replay_draw_utilisation);
        panel[count++] = over_time(d, "Jobs that wait", "jobs", d->group, replay_draw_queue);
        panel[count++] = over_time(d, "Work that waits (requests)", "hours of the machine",
                                   d->group, replay_draw_work);
        panel[count++] = over_time(d,
                                   days > 120 ? "Mean wait of jobs that arrive, weeks"
                                              : "Mean wait of jobs that arrive",
                                   "hours", wide, replay_draw_wait);
    }
    if (which != CS_REPLAY_OVER_TIME) {
        panel[count++] =
            replay_draw_shares(d, "Jobs that waited no longer", "wait", false, &wait_ticks);
        panel[count++] = replay_draw_shares(d, "Jobs with no larger slowdown", "bounded slowdown",
                                            true, &slowdown_ticks);
    }
    return count;
}

/* Panels side by side are higher. */
static int height_of(const struct cs_plot_figure *figure)
{
    return figure->columns > 1 ? 380 : 60 + (figure->title ? 40 : 0) + 210 * figure->panel_count;
}

#define WIDE 800 /* two panels have space for the text below their axes */

int cs_replay_chart(const struct cs_replay_view *view, enum cs_replay_chart which,
                    const struct cs_chart_style *appearance, struct cs_strbuf *svg,
                    struct cs_error *err)
{
    struct drawing d = {.view = view, .arena = cs_arena_create()};
    struct cs_plot_panel panel[PANELS];
    struct cs_plot_figure figure = {.title = appearance->title,
                                    .style = appearance->style,
                                    .panel = panel,
                                    .width = appearance->width ? appearance->width : 960};
    int status;

    replay_draw_begin(&d);
    figure.panel_count = panels_of(&d, which, panel);
    figure.columns = which == CS_REPLAY_SHARES && figure.width >= WIDE ? 2 : 1;
    figure.height = appearance->height ? appearance->height : height_of(&figure);
    status = cs_plot_svg(&figure, svg, err);
    cs_arena_destroy(d.arena);
    return status;
}
