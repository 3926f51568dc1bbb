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
    else if ((word == 3 ? cs_seconds_parse(number.text, &value[word])
                        : (int)cs_number_double(number.text, &value[word])) ||
             !isfinite(value[word]))
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

struct sweep {
    const struct cs_energy_options *options;
    double *free;                      /* of each processor: the end of its last busy bar */
    double *node_free;                 /* of each node, or NULL when no node is off */
    struct cs_neumaier busy, off_time; /* processor seconds; seconds */
    double wakes;
};

/* A node has no busy processor from `from` to `to`. */
static void sweep_gap(struct sweep *s, double from, double to, bool wakes)
{
    const double gap = to - from, after = s->options->watts.off_after;

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

static int sweep_bar(struct sweep *s, const struct cs_bar *bar, struct cs_error *err)
{
    if (bar->kind == CS_BAR_DOWNTIME || !(bar->end > bar->start))
        return 0;
    if (bar->count && (s->node_free || s->options->per_node > 1))
        return cs_error_set(err, "energy: this schedule does not state which processors run a job; "
                                 "--watts needs them with off-after or more than one processor a "
                                 "node");
    if (bar->count)
        cs_neumaier_add(&s->busy, bar->count * (bar->end - bar->start));
    for (int i = 0; i < bar->intervals; i++)
        for (int p = bar->procs[i].first; p <= bar->procs[i].last; p++)
            sweep_proc(s, p, bar);
    return 0;
}

static int sweep_bars(struct sweep *s, const struct cs_schedule *schedule, struct cs_arena *arena,
                      struct cs_error *err)
{
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &count);
    double *start = CS_NEW_ARRAY(arena, double, count + 1);
    int *order = CS_NEW_ARRAY(arena, int, count + 1);

    for (size_t b = 0; b < count; b++)
        start[b] = bar[b].start;
    cs_order_ascending(start, (int)count, order, arena);
    for (size_t b = 0; b < count; b++)
        if (sweep_bar(s, &bar[order[b]], err))
            return -1;
    return 0;
}

static void sweep_add_up(struct sweep *s, int nodes, struct cs_energy *energy)
{
    const struct cs_watts *w = &s->options->watts;
    const double off = cs_neumaier(&s->off_time);
    struct cs_neumaier total = {0};

    energy->busy = (w->busy - w->idle) / s->options->per_node * cs_neumaier(&s->busy);
    energy->idle = w->idle * (nodes * energy->until - off);
    energy->off = w->off * off;
    energy->wake = w->wake * s->wakes;
    cs_neumaier_add(&total, energy->busy);
    cs_neumaier_add(&total, energy->idle);
    cs_neumaier_add(&total, energy->off);
    cs_neumaier_add(&total, energy->wake);
    energy->total = cs_neumaier(&total);
}

int cs_energy_of(const struct cs_schedule *schedule, const struct cs_energy_options *options,
                 struct cs_energy *energy, struct cs_error *err)
{
    const int procs = cs_schedule_procs(schedule);
    const int nodes = (procs + options->per_node - 1) / options->per_node;
    const double makespan = cs_schedule_makespan(schedule);
    struct sweep s = {.options = options};
    struct cs_arena *arena;
    int status;

    *energy = (struct cs_energy){.until = isnan(options->until) ? makespan : options->until};
    if (energy->until < makespan)
        return cs_error_set(err, "--energy-until: %g s is before the makespan, %g s", energy->until,
                            makespan);
    arena = cs_arena_create();
    s.free = CS_NEW_ARRAY(arena, double, procs);
    if (!isnan(options->watts.off_after))
        s.node_free = CS_NEW_ARRAY(arena, double, nodes);
    status = sweep_bars(&s, schedule, arena, err);
    for (int n = 0; n < nodes && s.node_free; n++)
        sweep_gap(&s, s.node_free[n], energy->until, false);
    sweep_add_up(&s, nodes, energy);
    cs_arena_destroy(arena);
    return status;
}

static char *energy_text(const struct cs_energy *e, const struct cs_energy_options *o)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_double(&w, "joules", e->total);
    cs_jsonw_put_double(&w, "busy", e->busy);
    cs_jsonw_put_double(&w, "idle", e->idle);
    cs_jsonw_put_double(&w, "off", e->off);
    cs_jsonw_put_double(&w, "wake", e->wake);
    cs_jsonw_key(&w, "watts");
    cs_jsonw_open_flat(&w, '{');
    cs_jsonw_put_double(&w, "busy", o->watts.busy);
    cs_jsonw_put_double(&w, "idle", o->watts.idle);
    cs_jsonw_put_double(&w, "off", o->watts.off);
    cs_jsonw_put_double(&w, "off_after", o->watts.off_after);
    cs_jsonw_put_double(&w, "wake", o->watts.wake);
    cs_jsonw_close(&w);
    cs_jsonw_put_int(&w, "procs_per_node", o->per_node);
    cs_jsonw_put_double(&w, "until", e->until);
    cs_jsonw_close(&w);
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
