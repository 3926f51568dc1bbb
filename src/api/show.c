/* show.c - the results of a study: one variant in detail, several in a table, or for programs. */
#include "api/view.h"
#include "problem/problem.h"
#include "report/human.h"
#include "report/sample_rows.h"

#include <math.h>
#include <string.h>

/* Every run of a study as a row. */

/* The values of rows that some run has; ends with NULL. */
static const struct cs_value **row_values(const struct cs_study *study)
{
    const struct cs_value **list;
    int count = 0;

    for (const struct cs_value *v = study->problem->value; v->name; v++)
        count++;
    list = CS_NEW_ARRAY(study->arena, const struct cs_value *, count + 1);
    count = 0;
    for (const struct cs_value *v = study->problem->value; v->name; v++)
        if (v->in & CS_IN_ROWS && cs_study_has(study, v))
            list[count++] = v;
    return list;
}

static void show_rows_put_row(const struct cs_study *study, const struct cs_value *const *value,
                              int variant, long run, struct cs_strbuf *out)
{
    long runs = cs_study_group_runs(study);

    for (int k = 0; study->variants > 1 && study->problem->variant[k]; k++) {
        cs_table_put_csv(out, study->variant[variant].word[k]);
        cs_strbuf_putc(out, ',');
    }
    if (study->groups > 1) {
        cs_table_put_csv(out, study->group[run / runs].name);
        cs_strbuf_putc(out, ',');
    }
    cs_strbuf_printf(out, "%ld", run % runs);
    for (int v = 0; value[v]; v++) {
        double number = value[v]->of(study, cs_study_outcome(study, variant, run));

        cs_strbuf_printf(out, isnan(number) ? "," : ",%.17g", number);
    }
    cs_strbuf_putc(out, '\n');
}

void cs_show_rows(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_value **value = row_values(study);

    for (int k = 0; study->variants > 1 && study->problem->variant[k]; k++)
        cs_strbuf_printf(out, "%s,", study->problem->variant[k]);
    if (study->groups > 1)
        cs_strbuf_printf(out, "%s,", study->problem->group);
    cs_strbuf_puts(out, "scenario");
    for (int v = 0; value[v]; v++)
        cs_strbuf_printf(out, ",%s", value[v]->name);
    cs_strbuf_putc(out, '\n');
    for (int w = 0; w < study->variants; w++)
        for (long r = 0; r < study->runs; r++)
            show_rows_put_row(study, value, w, r, out);
}

#define HOUR 3600.0
#define DAY 86400.0

/* A variant over one group of runs, or over all runs. */
struct row {
    int variant, group;       /* -1: all */
    struct cs_sample *sample; /* of each value shown */
    struct cs_pairing pairing;
};

struct summary {
    const struct cs_view *view;
    const struct cs_study *study;
    int values;
    const struct cs_value **value; /* those that some run has */
    struct cs_measure *measure;
    int paired; /* the value after which the comparison with the reference is shown; -1: none */
    int rows;
    struct row *row;
};

/* The title of a value for people, with the unit of the study in place of "processor". */
static const char *show_name_of(const struct cs_study *study, const char *text)
{
    static const char word[] = "processor";
    const char *unit = study->options->unit, *at = strstr(text, word);
    struct cs_strbuf name = CS_STRBUF_INIT;
    const char *made;

    if (!at || !unit)
        return text;
    cs_strbuf_append(&name, text, (size_t)(at - text));
    cs_strbuf_puts(&name, unit);
    cs_strbuf_puts(&name, at + sizeof word - 1);
    made = cs_arena_strdup(study->arena, name.text);
    cs_strbuf_release(&name);
    return made;
}

/* The unit and title of a value for people: seconds, hours or days. */
static struct cs_measure measure_of(const struct cs_study *study, const struct cs_value *value)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    struct cs_measure made = {.key = value->name, .unit = value->per > 0 ? value->per : 1};

    cs_strbuf_puts(&name, show_name_of(study, value->heading));
    if (value->kind == CS_VALUE_SHARE) {
        made.unit = 0.01;
        cs_strbuf_puts(&name, " (%)");
    } else if (value->kind == CS_VALUE_SECONDS) {
        made.unit = study->scale >= 2 * DAY ? DAY : study->scale >= 2 * HOUR ? HOUR : 1;
        cs_strbuf_puts(&name, made.unit == DAY    ? " (days)"
                              : made.unit == HOUR ? " (hours)"
                                                  : " (s)");
    }
    made.name = cs_arena_strdup(study->arena, name.text);
    cs_strbuf_release(&name);
    return made;
}

static void find_values(struct summary *s)
{
    struct cs_arena *arena = s->study->arena;
    int most = 0;

    for (const struct cs_value *v = s->study->problem->value; v->name; v++)
        most++;
    s->value = CS_NEW_ARRAY(arena, const struct cs_value *, most);
    s->measure = CS_NEW_ARRAY(arena, struct cs_measure, most);
    for (const struct cs_value *v = s->study->problem->value; v->name; v++)
        if (v->in & CS_IN_SUMMARY && cs_study_has(s->study, v)) {
            s->measure[s->values] = measure_of(s->study, v);
            s->value[s->values++] = v;
        }
}

/* The last compared value with an interval, else the first compared value; -1 without a reference.
 */
static int find_paired(const struct summary *s)
{
    int paired = -1;

    for (int v = 0; v < s->values && s->study->reference >= 0; v++)
        if (s->value[v]->column && (paired < 0 || s->value[v]->interval))
            paired = v;
    return paired;
}

static void fill_row(struct summary *s, int variant, int group, double *room)
{
    struct row *row = &s->row[s->rows++];

    *row = (struct row){variant, group, CS_NEW_ARRAY(s->study->arena, struct cs_sample, s->values),
                        .pairing = {0}};
    for (int v = 0; v < s->values; v++)
        row->sample[v] = cs_sample_make(
            room, cs_study_group_values(s->study, variant, group, s->value[v], room));
    if (s->study->reference >= 0)
        row->pairing = cs_study_compare(s->study, variant, s->study->reference);
}

/* For each variant a row per group, if there are several, and then a row for all groups together.
 */
static struct summary sum_up(const struct cs_view *view, const struct cs_study *study)
{
    struct summary s = {.view = view, .study = study};
    double *room = CS_NEW_ARRAY(study->arena, double, study->runs);

    find_values(&s);
    s.paired = find_paired(&s);
    s.row = CS_NEW_ARRAY(study->arena, struct row, study->variants * (study->groups + 1));
    for (int w = 0; w < study->variants; w++) {
        for (int g = 0; study->groups > 1 && g < study->groups; g++)
            fill_row(&s, w, g, room);
        fill_row(&s, w, -1, room);
    }
    return s;
}

static const char *group_name(const struct cs_study *study, const struct row *row)
{
    return row->group < 0 ? "" : study->group[row->group].name;
}

static long group_size(const struct cs_study *study, const struct row *row)
{
    long size = 0;

    for (int g = 0; g < study->groups; g++)
        if (row->group < 0 || row->group == g)
            size += study->group[g].size;
    return size;
}

static long runs_of(const struct cs_study *study, const struct row *row)
{
    return row->group < 0 ? study->runs : cs_study_group_runs(study);
}

/* ---- for programs ---- */

static const char *remark_of(const struct cs_study *study, int variant, double value, double best)
{
    if (study->remark)
        return study->remark[variant];
    return value <= best ? "best" : "";
}

static double mean_of(const struct row *row, int value)
{
    return row->sample[value].figure[CS_FIGURE_MEAN];
}

static double best_of(const struct summary *s)
{
    double best = INFINITY;

    for (int r = 0; r < s->rows; r++)
        if (s->row[r].group < 0)
            best = fmin(best, mean_of(&s->row[r], 0));
    return best;
}

static const struct cs_sample_lead pairing_lead[] = {
    {"pairs", CS_COLUMN_COUNT, false},     {"over", CS_COLUMN_NUMBER, false},
    {"over_low", CS_COLUMN_NUMBER, false}, {"over_high", CS_COLUMN_NUMBER, false},
    {"wins", CS_COLUMN_NUMBER, false},
};
#define PAIRING (int)(sizeof pairing_lead / sizeof *pairing_lead)

static int put_leads(const struct summary *s, struct cs_sample_lead *lead)
{
    int leads = 0;

    for (int k = 0; s->study->problem->variant[k]; k++)
        lead[leads++] =
            (struct cs_sample_lead){s->study->problem->variant[k], CS_COLUMN_WORD, false};
    if (s->study->group) {
        lead[leads++] = (struct cs_sample_lead){s->study->problem->group, CS_COLUMN_WORD, false};
        lead[leads++] = (struct cs_sample_lead){s->study->problem->size, CS_COLUMN_COUNT, false};
    }
    lead[leads++] = (struct cs_sample_lead){"scenarios", CS_COLUMN_COUNT, s->study->group == NULL};
    for (int p = 0; s->study->reference >= 0 && p < PAIRING; p++)
        lead[leads++] = pairing_lead[p];
    return leads;
}

static struct cs_sample_row row_of(const struct summary *s, const struct row *of)
{
    const struct cs_pairing *p = &of->pairing;
    const double pairing[PAIRING] = {(double)p->pairs, p->over, p->low, p->high, p->wins};
    struct cs_sample_row row = {.sample = of->sample};
    int at = 0;

    for (int k = 0; s->study->problem->variant[k]; k++)
        row.lead[at++].word = s->study->variant[of->variant].word[k];
    if (s->study->group) {
        row.lead[at++].word = group_name(s->study, of);
        row.lead[at++].number = (double)group_size(s->study, of);
    }
    row.lead[at++].number = (double)runs_of(s->study, of);
    for (int i = 0; s->study->reference >= 0 && i < PAIRING; i++)
        row.lead[at++].number = pairing[i];
    return row;
}

static void put_reference(const struct cs_study *study, struct cs_jsonw *w)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    if (study->reference < 0)
        return;
    cs_study_put_variant(study, study->reference, ", ", &name);
    cs_jsonw_put_string(w, "reference", name.text);
    cs_strbuf_release(&name);
}

static void show_json(const struct summary *s, const struct cs_sample_rows *rows,
                      struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    s->view->json(s->study, &w);
    cs_jsonw_put_int(&w, "scenarios", cs_study_group_runs(s->study));
    put_reference(s->study, &w);
    cs_sample_rows_json(rows, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show_rows(const struct summary *s, bool json, struct cs_strbuf *out)
{
    struct cs_sample_lead lead[CS_SAMPLE_LEADS];
    struct cs_sample_row *row = CS_NEW_ARRAY(s->study->arena, struct cs_sample_row, s->rows);
    struct cs_sample_rows rows = {.lead = lead,
                                  .measure = s->measure,
                                  .row = row,
                                  .leads = put_leads(s, lead),
                                  .measures = s->values,
                                  .rows = s->rows};

    for (int i = 0; i < s->rows; i++)
        row[i] = row_of(s, &s->row[i]);
    if (json)
        show_json(s, &rows, out);
    else
        cs_sample_rows_csv(&rows, out);
}

/* ---- the same without random inputs: values without figures ---- */

static void plain_csv(const struct summary *s, struct cs_strbuf *out)
{
    const struct cs_problem *problem = s->study->problem;
    double best = best_of(s);

    for (int k = 0; problem->variant[k]; k++)
        cs_strbuf_printf(out, "%s,", problem->variant[k]);
    for (int v = 0; v < s->values; v++)
        cs_strbuf_printf(out, "%s,", s->value[v]->name);
    cs_strbuf_puts(out, "remark\n");
    for (int w = 0; w < s->study->variants; w++) {
        for (int k = 0; problem->variant[k]; k++) {
            cs_table_put_csv(out, s->study->variant[w].word[k]);
            cs_strbuf_putc(out, ',');
        }
        for (int v = 0; v < s->values; v++) {
            double value = mean_of(&s->row[w], v);

            if (!isnan(value))
                cs_strbuf_put_double(out, value);
            cs_strbuf_putc(out, ',');
        }
        cs_table_put_csv(out, remark_of(s->study, w, mean_of(&s->row[w], 0), best));
        cs_strbuf_putc(out, '\n');
    }
}

/* A value that the key `energy` of a result has. */
static bool show_is_joules(const char *name)
{
    return !strncmp(name, "energy", 6) && strcmp(name, "energy_bound") != 0;
}

static void plain_json(const struct summary *s, struct cs_strbuf *out)
{
    const struct cs_study *study = s->study;
    struct cs_jsonw w = cs_jsonw_begin(out);
    double best = best_of(s);

    cs_jsonw_open(&w, '{');
    s->view->json(study, &w);
    cs_jsonw_key(&w, "results");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < study->variants; i++) {
        if (s->view->more)
            cs_jsonw_open(&w, '{');
        else
            cs_jsonw_open_flat(&w, '{');
        for (int k = 0; study->problem->variant[k]; k++)
            cs_jsonw_put_string(&w, study->problem->variant[k], study->variant[i].word[k]);
        for (int v = 0; v < s->values; v++)
            if (!study->energy || !show_is_joules(s->value[v]->name))
                cs_jsonw_put_double(&w, s->value[v]->name, mean_of(&s->row[i], v));
        if (study->energy)
            cs_study_put_energy(study, i, 0, &w);
        cs_jsonw_put_string(&w, "remark", remark_of(study, i, mean_of(&s->row[i], 0), best));
        if (s->view->more)
            s->view->more(study, i, &w);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show_plain(const struct summary *s, bool json, struct cs_strbuf *out)
{
    if (json)
        plain_json(s, out);
    else
        plain_csv(s, out);
}

/* ---- for people ---- */

static void put_detail(const struct summary *s, const struct cs_show *how, struct cs_strbuf *out)
{
    struct cs_table *table = cs_sample_table(s->measure, s->values, s->row[0].sample);

    s->view->variant(s->study, out);
    cs_strbuf_puts(out, "\n\n");
    cs_view_put_table(table, how, out);
    cs_table_destroy(table);
}

static enum cs_column_kind column_kind(const struct cs_value *value)
{
    if (value->kind == CS_VALUE_SECONDS)
        return value->digits ? CS_COLUMN_DIGITS : CS_COLUMN_SECONDS;
    return value->kind == CS_VALUE_SHARE ? CS_COLUMN_FRACTION : CS_COLUMN_NUMBER;
}

static const char *column_unit(const struct cs_value *value)
{
    return value->kind == CS_VALUE_SECONDS && value->digits ? "s" : value->unit;
}

#define COLUMNS_MOST 64

/* on_end is "on end". */
static const char *show_spaced(const char *key, struct cs_arena *arena)
{
    char *text = cs_arena_strdup(arena, key);

    for (char *c = text; *c; c++)
        *c = (char)(*c == '_' ? ' ' : *c);
    return text;
}

static int over_columns(const struct summary *s, struct cs_column *column)
{
    struct cs_strbuf heading = CS_STRBUF_INIT;

    cs_strbuf_printf(&heading, "over %s", s->study->variant[s->study->reference].word[0]);
    column[0] = (struct cs_column){.key = "over",
                                   .heading = cs_arena_strdup(s->study->arena, heading.text),
                                   .kind = CS_COLUMN_NUMBER,
                                   .digits = 4};
    column[1] = (struct cs_column){.key = "over_confidence",
                                   .heading = "\xc2\xb1",
                                   .unit = "95 %",
                                   .kind = CS_COLUMN_NUMBER,
                                   .digits = 4};
    cs_strbuf_release(&heading);
    return 2;
}

/* "95 %" of q95, "max". */
static const char *figure_word(enum cs_figure figure)
{
    return figure == CS_FIGURE_Q95 ? "95 %" : cs_figure_name(figure);
}

static int group_columns(const struct cs_study *study, struct cs_column *column)
{
    if (study->groups < 2)
        return 0;
    column[0] = (struct cs_column){.key = study->problem->group, .kind = CS_COLUMN_WORD};
    column[1] = (struct cs_column){.key = study->problem->size, .kind = CS_COLUMN_COUNT};
    return 2;
}

static int extra_columns(const struct cs_value *value, struct cs_column *column)
{
    int count = 0;

    for (int f = 0; f < CS_FIGURES; f++)
        if (value->extra & 1U << f)
            column[count++] = (struct cs_column){.key = cs_figure_name((enum cs_figure)f),
                                                 .heading = value->column,
                                                 .unit = figure_word((enum cs_figure)f),
                                                 .kind = column_kind(value),
                                                 .digits = value->digits};
    return count;
}

static int make_columns(const struct summary *s, struct cs_column *column)
{
    int count = 0;

    for (int k = 0; s->study->problem->variant[k]; k++)
        column[count++] =
            (struct cs_column){.key = show_spaced(s->study->problem->variant[k], s->study->arena),
                               .kind = CS_COLUMN_WORD};
    count += group_columns(s->study, column + count);
    for (int v = 0; v < s->values; v++) {
        const struct cs_value *value = s->value[v];

        if (!value->column)
            continue;
        column[count++] = (struct cs_column){.key = value->name,
                                             .heading = show_name_of(s->study, value->column),
                                             .unit = column_unit(value),
                                             .kind = column_kind(value),
                                             .digits = value->digits};
        if (value->interval)
            column[count++] = (struct cs_column){
                .key = "confidence",
                .heading = "\xc2\xb1",
                .unit = "95 %",
                .kind = value->kind == CS_VALUE_SECONDS ? column_kind(value) : CS_COLUMN_NUMBER,
                .digits = value->digits};
        count += extra_columns(value, column + count);
        if (v == s->paired)
            count += over_columns(s, column + count);
    }
    column[count++] = (struct cs_column){.key = "remark", .heading = "", .kind = CS_COLUMN_WORD};
    return count;
}

static void show_put_value(const struct summary *s, const struct row *row, int at,
                           struct cs_table *table)
{
    const struct cs_value *value = s->value[at];
    double per = value->per > 0 ? value->per : 1;

    cs_table_number(table, mean_of(row, at) / per);
    if (value->interval)
        cs_table_number(table, row->sample[at].figure[CS_FIGURE_CONFIDENCE] / per);
    for (int f = 0; f < CS_FIGURES; f++)
        if (value->extra & 1U << f)
            cs_table_number(table, row->sample[at].figure[f] / per);
    if (at == s->paired) {
        cs_table_number(table, row->pairing.over);
        cs_table_number(table, (row->pairing.high - row->pairing.low) / 2);
    }
}

static void show_put_row(const struct summary *s, const struct row *row, double best,
                         struct cs_table *table)
{
    const struct cs_study *study = s->study;
    bool judged = row->group < 0 && (study->variants > 1 || study->remark);

    for (int k = 0; study->problem->variant[k]; k++)
        cs_table_text(table, study->variant[row->variant].word[k]);
    if (study->groups > 1) {
        cs_table_text(table, row->group < 0 ? "all" : group_name(study, row));
        cs_table_count(table, group_size(study, row));
    }
    for (int v = 0; v < s->values; v++)
        if (s->value[v]->column)
            show_put_value(s, row, v, table);
    cs_table_text(table, judged ? remark_of(study, row->variant, mean_of(row, 0), best) : "");
}

static void put_comparison(const struct summary *s, const struct cs_show *how,
                           struct cs_strbuf *out)
{
    struct cs_column column[COLUMNS_MOST];
    struct cs_table *table = cs_table_create(column, make_columns(s, column));
    double best = best_of(s);

    for (int r = 0; r < s->rows; r++)
        show_put_row(s, &s->row[r], best, table);
    cs_strbuf_putc(out, '\n');
    cs_view_put_table(table, how, out);
    cs_table_destroy(table);
    if (s->view->foot)
        s->view->foot(s->study, out);
}

static void show_summary(const struct cs_view *view, const struct cs_study *study,
                         const struct cs_show *how, struct cs_strbuf *out)
{
    struct summary s = sum_up(view, study);

    if (how->format != CS_SHOW_TABLE) {
        (study->certain ? show_plain : show_rows)(&s, how->format == CS_SHOW_JSON, out);
        return;
    }
    s.view->head(study, out);
    if (s.rows == 1)
        put_detail(&s, how, out);
    else
        put_comparison(&s, how, out);
}

static void show_put_advice(const struct cs_study *study, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "advice");
    cs_view_of(study->problem)->advice(study, w);
}

static void show_put_joules(const struct cs_study *study, struct cs_jsonw *w)
{
    cs_study_put_energy(study, 0, 0, w);
}

/* One more key of the document before, which ends with a line of its bracket. */
static void put_more(const struct cs_study *study,
                     void (*put)(const struct cs_study *study, struct cs_jsonw *w),
                     struct cs_strbuf *out)
{
    const size_t length = strlen("\n}\n");
    struct cs_strbuf more = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&more);

    cs_jsonw_open(&w, '{');
    put(study, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    out->length -= length;
    cs_strbuf_printf(out, ",%s", more.text + 1);
    cs_strbuf_release(&more);
}

/* Append the energy to a plan: a line for people, a key for programs. */
static void put_energy(const struct cs_study *study, const struct cs_show *how,
                       struct cs_strbuf *out)
{
    static const char *const part[] = {"busy", "idle", "off", "wake"};
    const void *outcome = cs_study_outcome(study, 0, 0);

    if (how->format == CS_SHOW_JSON)
        put_more(study, show_put_joules, out);
    if (how->format != CS_SHOW_TABLE)
        return;
    cs_strbuf_puts(out, "\nenergy ");
    cs_human_fixed(out, cs_study_energy(study, outcome, CS_ENERGY_TOTAL) / 3.6e6, 3);
    cs_strbuf_puts(out, " kWh (");
    for (int p = 0; p < 4; p++) {
        cs_strbuf_printf(out, "%s%s ", p ? ", " : "", part[p]);
        cs_human_fixed(
            out, cs_study_energy(study, outcome, (enum cs_energy_part)(CS_ENERGY_BUSY + p)) / 3.6e6,
            3);
    }
    cs_strbuf_puts(out, ")\n");
}

static int put_schedule(const struct cs_study *study, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_view *view = cs_view_of(study->problem);
    struct cs_kept *record = study->problem->record(study, 0, 0, err);
    const int status = record ? cs_study_put_file(study, 0, record, out, err) : -1;

    if (record)
        study->problem->discard(record);
    if (!status && view->advice)
        put_more(study, show_put_advice, out);
    return status;
}

int cs_show_study(const struct cs_study *study, bool plan, const struct cs_show *how,
                  struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_view *view = cs_view_of(study->problem);
    bool generic =
        study->certain && (study->variants > 1 || (view->more && how->format == CS_SHOW_JSON));

    if (!plan || !view->plan || generic)
        show_summary(view, study, how, out);
    else if (view->plan_is_schedule && how->format == CS_SHOW_JSON &&
             !(view->sizes && view->sizes(study)))
        return put_schedule(study, out, err);
    else {
        view->plan(study, how, out);
        if (study->energy)
            put_energy(study, how, out);
    }
    return 0;
}
