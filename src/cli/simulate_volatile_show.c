/* simulate_volatile_show.c - what the trials came to: one policy in detail, several side by side.
 *
 * Trials that failed have no makespan; they are counted, and what is said of makespans is said of
 * the others.
 */
#include "base/stats.h"
#include "cli/simulate_volatile.h"
#include "report/human.h"
#include "report/sample_rows.h"

#include <math.h>
#include <string.h>

enum {
    MAKESPAN,
    RATIO,
    INSTALLED,
    ABORTS,
    SWITCHES,
    COMPUTED,
    LOST,
    SUSPENDED,
    TRANSFER,
    IDLE,
    SENT,
    PREFETCHED,
    MEASURES,
};

static const struct cs_measure measures[MEASURES] = {
    [MAKESPAN] = {"makespan", "makespan (slots)", 1},
    [RATIO] = {"ratio", "makespan / clairvoyant bound", 1},
    [INSTALLED] = {"installed", "configurations", 1},
    [ABORTS] = {"aborts", "restarts: a host was down", 1},
    [SWITCHES] = {"switches", "restarts: switched for a better one", 1},
    [COMPUTED] = {"computed", "computing that counted (% of slots)", 0.01},
    [LOST] = {"lost", "computing thrown away (%)", 0.01},
    [SUSPENDED] = {"suspended", "suspended: somebody reclaimed (%)", 0.01},
    [TRANSFER] = {"transfer", "program and data on their way (%)", 0.01},
    [IDLE] = {"idle", "no configuration possible (%)", 0.01},
    [SENT] = {"sent", "slots of transfers, over hosts", 1},
    [PREFETCHED] = {"prefetched", "of them to hosts outside", 1},
};

struct row {
    int way, failed, pairs;
    struct cs_sample sample[MEASURES];
    /* Geometric mean of the makespan over that of the first way in the same trial, where both
     * ended, its 95 % confidence interval, and how often it is at most 1. */
    double over, low, high, wins;
};

static double value_of(const struct cs_volatile_outcome *o, int64_t bound, int measure)
{
    double slots = (double)o->slots;
    const double value[MEASURES] = {
        [MAKESPAN] = o->finished ? (double)o->makespan : NAN,
        [RATIO] = o->finished && bound > 0 ? (double)o->makespan / (double)bound : NAN,
        [INSTALLED] = (double)o->installed,
        [ABORTS] = (double)o->aborts,
        [SWITCHES] = (double)o->switches,
        [COMPUTED] = (double)o->computed / slots,
        [LOST] = (double)o->lost / slots,
        [SUSPENDED] = (double)o->suspended / slots,
        [TRANSFER] = (slots - (double)(o->computed + o->lost + o->suspended + o->idle)) / slots,
        [IDLE] = (double)o->idle / slots,
        [SENT] = (double)o->sent,
        [PREFETCHED] = (double)o->prefetched,
    };

    return value[measure];
}

static struct cs_sample no_sample(void)
{
    struct cs_sample none;

    for (int f = 0; f < CS_FIGURES; f++)
        none.figure[f] = NAN;
    return none;
}

static void sum_up(const struct cs_simulate_volatile *run, struct row *row, double *value)
{
    for (int m = 0; m < MEASURES; m++) {
        int count = 0;

        for (int t = 0; t < run->trials; t++) {
            value[count] =
                value_of(cs_simulate_volatile_outcome(run, row->way, t), run->limit[t].slots, m);
            count += !isnan(value[count]);
        }
        row->sample[m] = count ? cs_sample_make(value, count) : no_sample();
    }
}

/* The way that others are compared with: ie, as in the paper, or else the first. */
static int reference_of(const struct cs_simulate_volatile *run)
{
    for (int w = 0; w < run->ways; w++)
        if (!strcmp(run->name[w], "ie"))
            return w;
    return 0;
}

static void compare(const struct cs_simulate_volatile *run, int reference, struct row *row)
{
    struct cs_stats logs = {0};
    int wins = 0;
    double width;

    for (int t = 0; t < run->trials; t++) {
        const struct cs_volatile_outcome *a = cs_simulate_volatile_outcome(run, row->way, t);
        const struct cs_volatile_outcome *b = cs_simulate_volatile_outcome(run, reference, t);

        row->failed += !a->finished;
        if (!a->finished || !b->finished)
            continue;
        cs_stats_add(&logs, log((double)a->makespan / (double)b->makespan));
        wins += a->makespan <= b->makespan;
    }
    row->pairs = (int)logs.count;
    width = cs_stats_confidence(&logs);
    row->over = row->pairs ? exp(logs.mean) : NAN;
    row->low = exp(logs.mean - width);
    row->high = exp(logs.mean + width);
    row->wins = row->pairs ? (double)wins / row->pairs : NAN;
}

static struct row *fill_rows(const struct cs_simulate_volatile *run)
{
    struct row *row = CS_NEW_ARRAY(run->arena, struct row, run->ways);
    double *value = CS_NEW_ARRAY(run->arena, double, run->trials);

    for (int w = 0; w < run->ways; w++) {
        row[w].way = w;
        compare(run, reference_of(run), &row[w]);
        sum_up(run, &row[w], value);
    }
    return row;
}

static void put_world(const struct cs_simulate_volatile *run, struct cs_strbuf *out)
{
    const struct cs_hosts *s = run->scenario;

    cs_human_units(out, run->trials, "trial");
    if (s->slots) {
        cs_strbuf_puts(out, " on traces of ");
        cs_human_units(out, s->slots - run->history, "slot");
        if (run->kind)
            cs_strbuf_printf(out, " (%s)", run->kind);
    } else if (s->law == CS_HOSTS_MARKOV) {
        cs_strbuf_puts(out, " of the Markov chains");
    } else {
        cs_strbuf_printf(out, " of %s times with the means of the chains, %s ",
                         cs_hosts_law_name(s->law), s->law == CS_HOSTS_WEIBULL ? "shape" : "sigma");
        cs_human_digits(out, s->shape, 4);
    }
    if (run->history) {
        cs_strbuf_puts(out, "; policies believe chains fitted to ");
        cs_human_units(out, run->history, "slot");
        cs_strbuf_puts(out, " before");
    }
    cs_strbuf_puts(out, "\n");
}

static void put_head(const struct cs_simulate_volatile *run, struct cs_strbuf *out)
{
    const struct cs_hosts *s = run->scenario;

    cs_human_units(out, s->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", run->path);
    cs_human_units(out, s->iterations, "iteration");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, s->tasks, "task");
    cs_strbuf_printf(out, ", program %d slots, data %d, ", s->program, s->data);
    cs_human_units(out, s->transfers < s->hosts ? s->transfers : s->hosts, "transfer");
    cs_strbuf_puts(out, " at once\n");
    put_world(run, out);
    cs_simulate_volatile_put_limits(run, out);
}

static void put_failed(const struct cs_simulate_volatile *run, const struct row *row,
                       struct cs_strbuf *out)
{
    if (!row->failed)
        return;
    cs_human_units(out, row->failed, "trial");
    cs_strbuf_puts(out, run->scenario->slots
                            ? " failed: the cap or the end of the traces came first; no makespan\n"
                            : " failed: the cap came first; no makespan\n");
}

/* The ratio is named after what it is one to. */
static void name_measures(const struct cs_simulate_volatile *run, struct cs_measure *named)
{
    int optima = cs_simulate_volatile_count_limits(run).optima;

    memcpy(named, measures, sizeof measures);
    if (optima == run->trials)
        named[RATIO].name = "makespan / optimum";
    else if (optima > 0)
        named[RATIO].name = "makespan / optimum or bound";
}

static void put_detail(const struct cs_simulate_volatile *run, const struct row *row,
                       struct cs_strbuf *out)
{
    struct cs_measure named[MEASURES];

    name_measures(run, named);
    cs_strbuf_printf(out, "policy %s\n", run->name[row->way]);
    put_failed(run, row, out);
    cs_strbuf_putc(out, '\n');
    cs_sample_put(named, MEASURES, row->sample, out);
}

static double mean_of(const struct row *row, int measure)
{
    return row->sample[measure].figure[CS_FIGURE_MEAN];
}

static void put_comparison(const struct cs_simulate_volatile *run, const struct row *row,
                           struct cs_strbuf *out)
{
    struct cs_strbuf over = CS_STRBUF_INIT;
    struct cs_column columns[] = {
        {.key = "policy", .kind = CS_COLUMN_WORD},
        {.key = "failed", .kind = CS_COLUMN_COUNT},
        {.key = "makespan",
         .heading = "mean makespan",
         .unit = "slots",
         .kind = CS_COLUMN_DIGITS,
         .digits = 5},
        {.key = "ratio", .heading = "over bound", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "over", .kind = CS_COLUMN_NUMBER, .unit = "geometric", .digits = 3},
        {.key = "low", .heading = "from", .unit = "95 %", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "high", .heading = "to", .kind = CS_COLUMN_NUMBER, .digits = 3},
        {.key = "wins", .kind = CS_COLUMN_FRACTION, .digits = 0},
        {.key = "aborts",
         .heading = "restarts",
         .unit = "down",
         .kind = CS_COLUMN_NUMBER,
         .digits = 1},
        {.key = "switches",
         .heading = "restarts",
         .unit = "switched",
         .kind = CS_COLUMN_NUMBER,
         .digits = 1},
        {.key = "lost", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "suspended", .kind = CS_COLUMN_FRACTION, .digits = 1},
        {.key = "remark", .heading = "", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table;
    double best = INFINITY;

    cs_strbuf_printf(&over, "over %s", run->name[reference_of(run)]);
    columns[4].heading = over.text;
    if (cs_simulate_volatile_count_limits(run).optima == run->trials)
        columns[3].heading = "over optimum";
    table = cs_table_create(columns, sizeof columns / sizeof *columns);
    for (int w = 0; w < run->ways; w++)
        best = fmin(best, row[w].failed ? INFINITY : row[w].over);
    for (int w = 0; w < run->ways; w++) {
        cs_table_text(table, run->name[w]);
        cs_table_count(table, row[w].failed);
        cs_table_number(table, mean_of(&row[w], MAKESPAN));
        cs_table_number(table, mean_of(&row[w], RATIO));
        cs_table_number(table, row[w].over);
        cs_table_number(table, row[w].low);
        cs_table_number(table, row[w].high);
        cs_table_number(table, row[w].wins);
        cs_table_number(table, mean_of(&row[w], ABORTS));
        cs_table_number(table, mean_of(&row[w], SWITCHES));
        cs_table_number(table, mean_of(&row[w], LOST));
        cs_table_number(table, mean_of(&row[w], SUSPENDED));
        cs_table_text(table, !row[w].failed && row[w].over <= best ? "best" : "");
    }
    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
    cs_strbuf_release(&over);
}

static struct cs_sample_rows lead(const struct cs_simulate_volatile *run, const struct row *row)
{
    static const struct cs_sample_lead leads[] = {
        {"policy", CS_COLUMN_WORD, false},
        {"trials", CS_COLUMN_COUNT, true},
        {"failed", CS_COLUMN_COUNT, false},
        {"optima", CS_COLUMN_COUNT, true},
        {"pairs", CS_COLUMN_COUNT, false},
        {"over_reference", CS_COLUMN_NUMBER, false},
        {"over_reference_low95", CS_COLUMN_NUMBER, false},
        {"over_reference_high95", CS_COLUMN_NUMBER, false},
        {"wins", CS_COLUMN_NUMBER, false},
    };
    int optima = cs_simulate_volatile_count_limits(run).optima;
    struct cs_sample_row *made = CS_NEW_ARRAY(run->arena, struct cs_sample_row, run->ways);

    for (int w = 0; w < run->ways; w++)
        made[w] = (struct cs_sample_row){
            .lead = {{.word = run->name[w]},
                     {.number = run->trials},
                     {.number = row[w].failed},
                     {.number = optima},
                     {.number = row[w].pairs},
                     {.number = row[w].over},
                     {.number = row[w].low},
                     {.number = row[w].high},
                     {.number = row[w].wins}},
            .sample = row[w].sample,
        };
    return (struct cs_sample_rows){leads, measures, made, 9, MEASURES, run->ways};
}

static void show_json(const struct cs_simulate_volatile *run, const struct cs_sample_rows *rows,
                      struct cs_strbuf *out)
{
    struct cs_simulate_volatile_limits limits = cs_simulate_volatile_count_limits(run);
    const struct cs_hosts *s = run->scenario;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "input", run->path);
    cs_jsonw_put_int(&w, "hosts", s->hosts);
    cs_jsonw_put_int(&w, "tasks", s->tasks);
    cs_jsonw_put_int(&w, "iterations", s->iterations);
    cs_jsonw_put_int(&w, "cap", s->cap);
    cs_jsonw_put_string(&w, "states", s->slots ? "traces" : cs_hosts_law_name(s->law));
    cs_jsonw_put_double(&w, "shape", s->slots ? NAN : s->shape);
    cs_jsonw_put_string(&w, "model", run->history ? "fitted" : "given");
    cs_jsonw_put_int(&w, "history", run->history);
    cs_jsonw_put_int(&w, "trials", run->trials);
    if (run->offline)
        cs_jsonw_put_string(&w, "offline", run->offline);
    cs_jsonw_put_int(&w, "optima", limits.optima);
    cs_jsonw_put_int(&w, "hopeless", limits.hopeless);
    cs_jsonw_put_string(&w, "reference", run->name[reference_of(run)]);
    cs_sample_rows_json(rows, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

void cs_simulate_volatile_show(const struct cs_simulate_volatile *run, enum cs_format format,
                               struct cs_strbuf *out)
{
    const struct row *row = fill_rows(run);
    struct cs_sample_rows rows = lead(run, row);

    if (format == CS_FORMAT_CSV) {
        cs_sample_rows_csv(&rows, out);
    } else if (format == CS_FORMAT_JSON) {
        show_json(run, &rows, out);
    } else {
        put_head(run, out);
        if (run->ways == 1)
            put_detail(run, row, out);
        else
            put_comparison(run, row, out);
    }
}
