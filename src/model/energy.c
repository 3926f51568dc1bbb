/* energy.c - busy, idle, switched off: one pass over the bars by their start.
 *
 * Source: docs/spec/science.md 5.2 to 5.4.
 *
 * Idea: bars in the order of their starts; of every processor and node only the end of its last
 * busy stretch is kept. A gap of a node is idle, or off after `off_after` seconds.
 *
 * Invariants: a processor that several bars have at the same time is busy once; busy + idle + off +
 * wake is the total; sums are compensated.
 *
 * Complexity: O(b log b) for b bars, and O(1) for each processor of each bar.
 */
#include "model/energy.h"

#include "base/guard.h"
#include "base/jsonw.h"
#include "base/number.h"
#include "base/order.h"
#include "base/sketch.h"
#include "base/strbuf.h"

#include <math.h>
#include <string.h>

/* ---- the words of --watts ---- */

static const char *const watts_word[] = {"busy", "idle", "off", "off-after", "wake"};

#define WORDS ((int)(sizeof watts_word / sizeof *watts_word))

static int find_word(const char *text, size_t length, struct cs_error *err)
{
    for (int w = 0; w < WORDS; w++) {
        bool same = strlen(watts_word[w]) == length;

        for (size_t i = 0; same && i < length; i++)
            same = watts_word[w][i] == text[i] || (watts_word[w][i] == '-' && text[i] == '_');
        if (same)
            return w;
    }
    return cs_error_set(err, "--watts: there is no \"%.*s\": busy, idle, off, off-after or wake",
                        (int)(length < 60 ? length : 60), text);
}

/* A time may be negative here, for the message. -1: the text is no number. */
static int read_number(const char *text, bool time, double *value)
{
    const bool negative = time && *text == '-';

    if (!time)
        return cs_number_double(text, value) ? -1 : 0;
    if (cs_seconds_parse(text + negative, value))
        return -1;
    *value = negative ? -*value : *value;
    return 0;
}

static int read_word(const char *text, size_t length, double *value, bool *present,
                     struct cs_error *err)
{
    const char *equals = memchr(text, '=', length);
    const int word = find_word(text, equals ? (size_t)(equals - text) : length, err);
    struct cs_strbuf number = CS_STRBUF_INIT;
    int status = -1;

    if (word < 0)
        return -1;
    if (equals)
        cs_strbuf_append(&number, equals + 1, length - (size_t)(equals + 1 - text));
    if (present[word])
        cs_error_set(err, "--watts: %s is given twice", watts_word[word]);
    else if (!number.text || !*number.text)
        cs_error_set(err, "--watts: %s needs a value, such as %s=100", watts_word[word],
                     watts_word[word]);
    else if (read_number(number.text, word == 3, &value[word]) || !isfinite(value[word]))
        cs_error_set(err, "--watts: %s is \"%.60s\"; it must be a number", watts_word[word],
                     number.text);
    else
        status = 0;
    present[word] = true;
    cs_strbuf_release(&number);
    return status;
}

int cs_watts_check(const struct cs_watts *w, struct cs_error *err)
{
    const double value[] = {w->busy, w->idle, w->off, w->wake};
    static const char *const name[] = {"busy", "idle", "off", "wake"};

    for (int i = 0; i < (int)(sizeof value / sizeof *value); i++)
        if (!(value[i] >= 0) || !isfinite(value[i]))
            return cs_error_set(err, "--watts: %s %g is not a number from 0 on", name[i], value[i]);
    if (w->idle > w->busy)
        return cs_error_set(err, "--watts: idle %g is more than busy %g", w->idle, w->busy);
    if (w->off > w->idle)
        return cs_error_set(err, "--watts: off %g is more than idle %g", w->off, w->idle);
    if (w->off_after < 0)
        return cs_error_set(err, "--watts: off-after %g s is negative", w->off_after);
    if (isinf(w->off_after))
        return cs_error_set(err, "--watts: off-after %g is not a number of seconds", w->off_after);
    if (w->wake > 0 && isnan(w->off_after))
        return cs_error_set(err, "--watts: wake needs off-after");
    return 0;
}

int cs_watts_read(const char *text, struct cs_watts *watts, struct cs_error *err)
{
    double value[WORDS] = {0};
    bool present[WORDS] = {false};

    value[3] = NAN;
    for (;;) {
        const size_t length = strcspn(text, ",");

        if (read_word(text, length, value, present, err))
            return -1;
        if (!text[length])
            break;
        text += length + 1;
    }
    for (int w = 0; w < 2; w++)
        if (!present[w])
            return cs_error_set(err,
                                "--watts: %s is missing: busy=W,idle=W and perhaps "
                                "off=W,off-after=TIME,wake=JOULES",
                                watts_word[w]);
    *watts = (struct cs_watts){value[0], value[1], value[2], value[3], value[4]};
    return cs_watts_check(watts, err);
}

/* ---- the sums ---- */

/* The processors of one cluster, or all. */
struct sweep {
    const struct cs_energy_options *options;
    struct cs_watts watts;
    int first, procs, nodes;
    double *free;                      /* of each processor: the end of its last busy bar */
    double *node_free;                 /* of each node, or NULL when no node is off */
    struct cs_neumaier busy, off_time; /* processor seconds; seconds */
    double wakes;
};

/* A node has no busy processor from `from` to `to`. */
static void sweep_gap(struct sweep *s, double from, double to, bool wakes)
{
    const double gap = to - from, after = s->watts.off_after;

    if (!(gap > after))
        return;
    cs_neumaier_add(&s->off_time, gap - after);
    s->wakes += wakes;
}

static void sweep_proc(struct sweep *s, int proc, const struct cs_bar *bar)
{
    const double from = fmax(bar->start, s->free[proc]);
    const int node = proc / s->options->per_node;

    if (bar->end > from) {
        cs_neumaier_add(&s->busy, bar->end - from);
        s->free[proc] = bar->end;
    }
    if (!s->node_free)
        return;
    if (bar->start > s->node_free[node])
        sweep_gap(s, s->node_free[node], bar->start, true);
    s->node_free[node] = fmax(s->node_free[node], bar->end);
}

static int sweep_bar(struct sweep *s, const struct cs_bar *bar, bool parts, struct cs_error *err)
{
    if (bar->kind == CS_BAR_DOWNTIME || !(bar->end > bar->start))
        return 0;
    if (bar->count && (s->node_free || s->options->per_node > 1 || parts))
        return cs_error_set(err, "energy: this schedule does not state which processors run a job; "
                                 "--watts needs them with off-after, with more than one processor "
                                 "a node or with more than one cluster");
    if (bar->count)
        cs_neumaier_add(&s->busy, bar->count * (bar->end - bar->start));
    for (int i = 0; i < bar->intervals; i++) {
        const int from = bar->procs[i].first - s->first, to = bar->procs[i].last - s->first;

        for (int p = from < 0 ? 0 : from; p <= to && p < s->procs; p++)
            sweep_proc(s, p, bar);
    }
    return 0;
}

static void sweep_add_up(struct sweep *s, double until, struct cs_neumaier sum[4])
{
    const struct cs_watts *w = &s->watts;

    for (int n = 0; n < s->nodes && s->node_free; n++)
        sweep_gap(s, s->node_free[n], until, false);
    cs_neumaier_add(&sum[0], (w->busy - w->idle) / s->options->per_node * cs_neumaier(&s->busy));
    cs_neumaier_add(&sum[1], w->idle * (s->nodes * until - cs_neumaier(&s->off_time)));
    cs_neumaier_add(&sum[2], w->off * cs_neumaier(&s->off_time));
    cs_neumaier_add(&sum[3], w->wake * s->wakes);
}

/* Prepare the sweep of the processors from `first` on, with the watts of their cluster (or NULL).
 */
static void sweep_begin(struct sweep *s, const struct cs_energy_options *o, int first, int procs,
                        const struct cs_cluster *cluster, struct cs_arena *arena)
{
    *s = (struct sweep){.options = o,
                        .watts = o->watts,
                        .first = first,
                        .procs = procs,
                        .nodes = (procs + o->per_node - 1) / o->per_node};
    if (cluster && cluster->watts.busy > 0) {
        s->watts.busy = cluster->watts.busy;
        s->watts.idle = cluster->watts.idle;
        s->watts.off = cluster->watts.off;
    }
    s->free = CS_NEW_ARRAY(arena, double, procs);
    if (!isnan(o->watts.off_after))
        s->node_free = CS_NEW_ARRAY(arena, double, s->nodes);
}

static const struct cs_bar **energy_bars(const struct cs_schedule *schedule, size_t *count,
                                         struct cs_arena *arena)
{
    const struct cs_bar *bar = cs_schedule_bars(schedule, count), **sorted;
    double *start = CS_NEW_ARRAY(arena, double, *count + 1);
    int *order = CS_NEW_ARRAY(arena, int, *count + 1);

    sorted = CS_NEW_ARRAY(arena, const struct cs_bar *, *count + 1);
    for (size_t b = 0; b < *count; b++)
        start[b] = bar[b].start;
    cs_order_ascending(start, (int)*count, order, arena);
    for (size_t b = 0; b < *count; b++)
        sorted[b] = &bar[order[b]];
    return sorted;
}

static int energy_sum(const struct cs_schedule *schedule, const struct cs_energy_options *options,
                      struct cs_energy *e, struct cs_error *err)
{
    const struct cs_platform *platform = cs_schedule_platform(schedule);
    const int clusters = platform ? platform->clusters : 1;
    struct cs_arena *arena = cs_arena_create();
    struct cs_neumaier sum[4] = {{0}}, total = {0};
    size_t count;
    const struct cs_bar **bar = energy_bars(schedule, &count, arena);
    struct sweep s;
    int status = 0;

    for (int k = 0; k < clusters && !status; k++) {
        const struct cs_cluster *cluster = platform ? &platform->cluster[k] : NULL;

        sweep_begin(&s, options, cluster ? cluster->first : 0,
                    cluster ? cluster->procs : cs_schedule_procs(schedule), cluster, arena);
        for (size_t b = 0; b < count && !status; b++)
            status = sweep_bar(&s, bar[b], clusters > 1, err);
        sweep_add_up(&s, e->until, sum);
    }
    e->busy = cs_neumaier(&sum[0]);
    e->idle = cs_neumaier(&sum[1]);
    e->off = cs_neumaier(&sum[2]);
    e->wake = cs_neumaier(&sum[3]);
    for (int p = 0; p < 4; p++)
        cs_neumaier_add(&total, cs_neumaier(&sum[p]));
    e->total = cs_neumaier(&total);
    cs_arena_destroy(arena);
    return status;
}

int cs_energy_of(const struct cs_schedule *schedule, const struct cs_energy_options *options,
                 struct cs_energy *energy, struct cs_error *err)
{
    const double makespan = cs_schedule_makespan(schedule);
    const char *problem = cs_schedule_problem(schedule);

    *energy = (struct cs_energy){.until = isnan(options->until) ? makespan : options->until};
    if (!strcmp(problem, "volatile") || !strcmp(problem, "spot"))
        return cs_error_set(err,
                            "--watts: a schedule of the problem %s has no seconds in which "
                            "nodes of a machine draw power",
                            problem);
    if (energy->until < makespan)
        return cs_error_set(err, "--energy-until: %.15g s is before the makespan, %.15g s",
                            energy->until, makespan);
    return energy_sum(schedule, options, energy, err);
}

static void energy_put(const struct cs_energy *e, const struct cs_energy_options *o,
                       struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "joules", e->total);
    cs_jsonw_put_double(w, "busy", e->busy);
    cs_jsonw_put_double(w, "idle", e->idle);
    cs_jsonw_put_double(w, "off", e->off);
    cs_jsonw_put_double(w, "wake", e->wake);
    cs_jsonw_key(w, "watts");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, "busy", o->watts.busy);
    cs_jsonw_put_double(w, "idle", o->watts.idle);
    cs_jsonw_put_double(w, "off", o->watts.off);
    cs_jsonw_put_double(w, "off_after", o->watts.off_after);
    cs_jsonw_put_double(w, "wake", o->watts.wake);
    cs_jsonw_close(w);
    cs_jsonw_put_int(w, "procs_per_node", o->per_node);
    cs_jsonw_put_double(w, "until", e->until);
    cs_jsonw_close(w);
}

void cs_energy_put(const struct cs_energy *e, const struct cs_energy_options *o, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "energy");
    if (isnan(e->total))
        cs_jsonw_null(w);
    else
        energy_put(e, o, w);
}

static int energy_read_watts(const struct cs_json_at *at, struct cs_watts *w, struct cs_error *err)
{
    struct cs_json_at watts;
    struct cs_error why = {0};

    w->off_after = NAN;
    if (cs_json_member(at, "watts", &watts, err) ||
        cs_json_keys(&watts, "busy|idle|off|off_after|wake", err) ||
        cs_json_get_double(&watts, "busy", CS_NUMBER_NOT_NEGATIVE, &w->busy, err) ||
        cs_json_get_double(&watts, "idle", CS_NUMBER_NOT_NEGATIVE, &w->idle, err) ||
        cs_json_get_double(&watts, "off", CS_NUMBER_NOT_NEGATIVE, &w->off, err) ||
        cs_json_get_double(&watts, "wake", CS_NUMBER_NOT_NEGATIVE, &w->wake, err) ||
        (cs_json_has(&watts, "off_after") &&
         cs_json_get_double(&watts, "off_after", CS_NUMBER_NOT_NEGATIVE, &w->off_after, err)))
        return -1;
    return cs_watts_check(w, &why) ? cs_json_error(&watts, err, "%s", why.text) : 0;
}

int cs_watts_read_json(const struct cs_json_at *at, struct cs_watts *w, struct cs_error *err)
{
    struct cs_error why = {0};

    *w = (struct cs_watts){.off_after = NAN};
    if (cs_json_keys(at, "busy|idle|off", err) ||
        cs_json_get_double(at, "busy", CS_NUMBER_POSITIVE, &w->busy, err) ||
        cs_json_get_double(at, "idle", CS_NUMBER_NOT_NEGATIVE, &w->idle, err) ||
        (cs_json_has(at, "off") &&
         cs_json_get_double(at, "off", CS_NUMBER_NOT_NEGATIVE, &w->off, err)))
        return -1;
    return cs_watts_check(w, &why) ? cs_json_error(at, err, "%s", why.text) : 0;
}

static int energy_read(const struct cs_json_at *at, struct cs_energy_declared *d,
                       struct cs_error *err)
{
    *d = (struct cs_energy_declared){0};
    return cs_json_keys(at, "joules|busy|idle|off|wake|watts|procs_per_node|until", err) ||
                   cs_json_get_double(at, "joules", CS_NUMBER_FINITE, &d->energy.total, err) ||
                   cs_json_get_double(at, "busy", CS_NUMBER_FINITE, &d->energy.busy, err) ||
                   cs_json_get_double(at, "idle", CS_NUMBER_FINITE, &d->energy.idle, err) ||
                   cs_json_get_double(at, "off", CS_NUMBER_FINITE, &d->energy.off, err) ||
                   cs_json_get_double(at, "wake", CS_NUMBER_FINITE, &d->energy.wake, err) ||
                   cs_json_get_int(at, "procs_per_node", 1, 1000000000, &d->options.per_node,
                                   err) ||
                   cs_json_get_double(at, "until", CS_NUMBER_NOT_NEGATIVE, &d->energy.until, err) ||
                   energy_read_watts(at, &d->options.watts, err)
               ? -1
               : 0;
}

int cs_energy_get(const struct cs_json_at *root, const struct cs_energy_declared **declared,
                  struct cs_arena *arena, struct cs_error *err)
{
    struct cs_energy_declared *read;
    struct cs_json_at at;

    if (!cs_json_has(root, "energy"))
        return 0;
    *declared = read = CS_NEW(arena, struct cs_energy_declared);
    return cs_json_member(root, "energy", &at, err) || energy_read(&at, read, err) ? -1 : 0;
}

static char *energy_text(const struct cs_energy *e, const struct cs_energy_options *o)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    energy_put(e, o, &w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}

char *cs_schedule_energy(const struct cs_schedule *schedule, const char *watts, int procs_per_node,
                         double until, struct cs_error *err)
{
    CS_ASK(schedule && watts, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_energy_options options = {.per_node = procs_per_node, .until = until};
    struct cs_energy energy;

    if (procs_per_node < 1) {
        cs_error_set(err, "--procs-per-node: %d is not a whole number from 1 on", procs_per_node);
        return NULL;
    }
    return cs_watts_read(watts, &options.watts, err) ||
                   cs_energy_of(schedule, &options, &energy, err)
               ? NULL
               : energy_text(&energy, &options);
}
