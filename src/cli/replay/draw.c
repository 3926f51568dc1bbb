/* draw.c - curves of all rows of a replay, over calendar time and over waits. */
#include "base/calendar.h"
#include "base/plain.h"
#include "cli/replay/page.h"
#include "report/plot.h"

#include <math.h>
#include <string.h>

#define PANELS 6
#define DAY 86400.0

struct drawing {
    const struct cs_replay_request *request;
    const struct cs_rigid_log_rows *rows;
    struct cs_arena *arena;
    int first, count; /* rows that are drawn */
    const char *name[CS_REPLAY_DRAWN + 1];
    double from, last; /* the first bin; the last arrival */
    int group;         /* bins that make a point */
    struct cs_ticks ticks;
    double *shade;
    int shades;
};

/* ---- time ---- */

static int64_t offset_of(const struct cs_replay_request *request, double time)
{
    return cs_zone_offset(request->study.log.zone, request->epoch + (int64_t)floor(time));
}

/* The time at which a local day begins, on the log's clock. */
static double day_begins(const struct drawing *d, int64_t day)
{
    return (double)(cs_zone_universal(d->request->study.log.zone, day * 86400) - d->request->epoch);
}

static int64_t day_of(const struct drawing *d, double time)
{
    return (int64_t)floor(((double)d->request->epoch + time + (double)offset_of(d->request, time)) /
                          DAY);
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

/* Weekends, where they can be told apart, and outages. */
static void make_shades(struct drawing *d, double from, double to)
{
    const struct cs_rigid_operation *op = &d->request->study.op;
    const int64_t first = day_of(d, from), last = day_of(d, to);
    const bool weekends = last - first <= 120 && d->request->dated;

    d->shade = CS_NEW_ARRAY(
        d->arena, double, 2 * ((size_t)op->outages + (weekends ? (size_t)(last - first) + 8 : 0)));
    for (int64_t day = first - 1; weekends && day <= last; day++) {
        if (((day + 3) % 7 + 7) % 7 != 5)
            continue;
        d->shade[2 * d->shades] = day_begins(d, day);
        d->shade[2 * d->shades++ + 1] = day_begins(d, day + 2);
    }
    for (int i = 0; i < op->outages; i++) {
        d->shade[2 * d->shades] = op->outage[i].start;
        d->shade[2 * d->shades++ + 1] = op->outage[i].end;
    }
}

/* ---- curves ---- */

typedef double value_f(const struct drawing *d, const struct cs_rigid_bin *bin, double seconds);

static double utilisation(const struct drawing *d, const struct cs_rigid_bin *bin, double seconds)
{
    return 100 * bin->used / ((double)d->request->study.log.site->procs * seconds);
}

static double queue(const struct drawing *d, const struct cs_rigid_bin *bin, double seconds)
{
    (void)d;
    return bin->queue / seconds;
}

/* Hours of the whole machine. */
static double work(const struct drawing *d, const struct cs_rigid_bin *bin, double seconds)
{
    return bin->work / seconds / 3600 / (double)d->request->study.log.site->procs;
}

static double wait(const struct drawing *d, const struct cs_rigid_bin *bin, double seconds)
{
    (void)d;
    (void)seconds;
    return bin->measured ? bin->wait / (double)bin->measured / 3600 : NAN;
}

static void add_bin(struct cs_rigid_bin *to, const struct cs_rigid_bin *from)
{
    to->used += from->used;
    to->queue += from->queue;
    to->work += from->work;
    to->measured += from->measured;
    to->wait += from->wait;
}

/* Bins after the last arrival say nothing about the policy. */
static struct cs_plot_series curve(const struct drawing *d, int row, int group, value_f *value)
{
    const struct cs_rigid_series *s = d->rows->row[d->first + row].series;
    const int bins = (int)fmin(s->count, ceil((d->last - s->origin) / s->length));
    double *x = CS_NEW_ARRAY(d->arena, double, bins), *y = CS_NEW_ARRAY(d->arena, double, bins);
    int points = 0;

    for (int b = 0; b < bins; b += group) {
        struct cs_rigid_bin sum = {0};
        int end = b + group < bins ? b + group : bins;

        for (int i = b; i < end; i++)
            add_bin(&sum, &s->bin[i]);
        x[points] = s->origin + s->length * (b + end) / 2;
        y[points++] = value(d, &sum, s->length * (end - b));
    }
    return (struct cs_plot_series){.name = d->name[row], .count = points, .x = x, .y = y};
}

static struct cs_plot_panel over_time(const struct drawing *d, const char *title, const char *unit,
                                      int group, value_f *value)
{
    struct cs_plot_series *series = CS_NEW_ARRAY(d->arena, struct cs_plot_series, d->count);

    for (int r = 0; r < d->count; r++)
        series[r] = curve(d, r, group, value);
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

static struct cs_plot_panel shares(const struct drawing *d, const char *title, const char *axis,
                                   double (*at)(int), bool slowdowns, const struct cs_ticks *ticks)
{
    struct cs_plot_series *series = CS_NEW_ARRAY(d->arena, struct cs_plot_series, d->count);
    double *x = CS_NEW_ARRAY(d->arena, double, CS_RIGID_SHARES);

    for (int i = 0; i < CS_RIGID_SHARES; i++)
        x[i] = at(i);
    for (int r = 0; r < d->count; r++) {
        const struct cs_rigid_log_row *row = &d->rows->row[d->first + r];
        double *y = CS_NEW_ARRAY(d->arena, double, CS_RIGID_SHARES);

        for (int i = 0; i < CS_RIGID_SHARES; i++)
            y[i] = 100 * (slowdowns ? row->slowdown_share[i] : row->wait_share[i]);
        series[r] =
            (struct cs_plot_series){.name = d->name[r], .count = CS_RIGID_SHARES, .x = x, .y = y};
    }
    return (struct cs_plot_panel){
        .title = title,
        .x = {.title = axis,
              .log = true,
              .fixed = true,
              .low = x[0],
              .high = x[CS_RIGID_SHARES - 1],
              .ticks = ticks},
        .y = {.title = "% of jobs", .zero = true, .fixed = true, .low = 0, .high = 100},
        .series_count = d->count,
        .series = series,
    };
}

/* ---- the figure ---- */

static void begin(struct drawing *d)
{
    const struct cs_rigid_log_row *row;

    d->first = cs_replay_has_recorded(cs_log_counts(d->rows->log), d->rows) ? 0 : 1;
    d->count = d->rows->count - d->first;
    d->count = d->count < CS_REPLAY_DRAWN ? d->count : CS_REPLAY_DRAWN;
    for (int r = 0; r < d->count; r++) {
        struct cs_strbuf name = CS_STRBUF_INIT;

        cs_replay_put_row(d->request, d->first + r, &name);
        d->name[r] = cs_arena_strdup(d->arena, name.text);
        cs_strbuf_release(&name);
    }
    row = &d->rows->row[d->first];
    d->from = row->series->origin;
    d->last = row->measured.last > d->from ? row->measured.last : d->from + 1;
    d->group = 1 + row->series->count / CS_REPLAY_POINTS;
    if (row->series->length > 0) {
        make_ticks(d, d->from, d->last);
        make_shades(d, d->from, d->last);
    }
}

/* Bins that make so many days, or a point of the other curves. */
static int bins_of(const struct drawing *d, double days)
{
    const double length = d->rows->row[d->first].series->length;

    return (int)fmax(d->group, length > 0 ? round(days * DAY / length) : 1);
}

static int panels_of(const struct drawing *d, enum cs_replay_picture which,
                     struct cs_plot_panel *panel)
{
    const double days = (d->last - d->from) / DAY;
    const int wide = bins_of(d, days > 120 ? 7 : days > 10 ? 1 : 0.25);
    int count = 0;

    if (which != CS_REPLAY_SHARES) {
        panel[count++] =
            over_time(d, days > 120 ? "Utilisation, weeks" : "Utilisation", "%", wide, utilisation);
        panel[count++] = over_time(d, "Jobs that wait", "jobs", d->group, queue);
        panel[count++] =
            over_time(d, "Work that waits (requests)", "hours of the machine", d->group, work);
        panel[count++] = over_time(d,
                                   days > 120 ? "Mean wait of jobs that arrive, weeks"
                                              : "Mean wait of jobs that arrive",
                                   "hours", wide, wait);
    }
    if (which != CS_REPLAY_OVER_TIME) {
        panel[count++] = shares(d, "Jobs that waited no longer", "wait", cs_rigid_share_wait, false,
                                &wait_ticks);
        panel[count++] = shares(d, "Jobs with no larger bounded slowdown", "bounded slowdown",
                                cs_rigid_share_slowdown, true, &slowdown_ticks);
    }
    return count;
}

int cs_replay_picture(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                      enum cs_replay_picture which, enum cs_style style, struct cs_strbuf *svg,
                      struct cs_error *err)
{
    struct drawing d = {.request = request, .rows = rows, .arena = cs_arena_create()};
    struct cs_plot_panel panel[PANELS];
    struct cs_strbuf title = CS_STRBUF_INIT;
    struct cs_plot_figure figure = {.style = style, .panel = panel, .width = 960};
    int status;

    begin(&d);
    cs_replay_put_title(request, &title);
    figure.title = which == CS_REPLAY_ALL ? title.text : NULL;
    figure.panel_count = panels_of(&d, which, panel);
    figure.columns = which == CS_REPLAY_SHARES ? 2 : 1;
    figure.height =
        which == CS_REPLAY_SHARES ? 380 : 60 + (figure.title ? 40 : 0) + 210 * figure.panel_count;
    status = cs_plot_svg(&figure, svg, err);
    cs_strbuf_release(&title);
    cs_arena_destroy(d.arena);
    return status;
}
