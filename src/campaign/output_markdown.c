/* output_markdown.c - claims of the paper next to the results, as Markdown. */
#include "campaign/output.h"

#include "config.h"
#include "report/human.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void output_markdown_put_number(struct cs_strbuf *out, double value, int digits)
{
    if (isnan(value))
        cs_strbuf_puts(out, "–");
    else
        cs_human_digits(out, value, digits);
}

/* A cell of a table keeps to its cell. */
static void output_markdown_put_text(struct cs_strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            cs_strbuf_putc(out, '\\');
        cs_strbuf_putc(out, *text == '\n' ? ' ' : *text);
    }
}

static void put_rule(struct cs_strbuf *out, int columns)
{
    cs_strbuf_puts(out, "| --- |");
    for (int c = 0; c < columns; c++)
        cs_strbuf_puts(out, " ---: |");
    cs_strbuf_putc(out, '\n');
}

/* Four digits, or as many as it takes to show that the numbers differ. */
static int distinct_digits(double value, double other)
{
    struct cs_strbuf one = CS_STRBUF_INIT, two = CS_STRBUF_INIT;
    int digits = 3;

    do {
        digits++;
        cs_strbuf_clear(&one);
        cs_strbuf_clear(&two);
        cs_human_digits(&one, value, digits);
        cs_human_digits(&two, other, digits);
    } while (value != other && digits < 9 && !strcmp(one.text, two.text));
    cs_strbuf_release(&one);
    cs_strbuf_release(&two);
    return digits;
}

static void put_relation(struct cs_strbuf *out, const struct cs_results *results,
                         const struct cs_check *check, double other, int digits)
{
    static const char *const sign[] = {[CS_BELOW] = "<",
                                       [CS_AT_MOST] = "≤",
                                       [CS_ABOVE] = ">",
                                       [CS_AT_LEAST] = "≥",
                                       [CS_BETWEEN] = "from",
                                       [CS_BETTER] = "better than",
                                       [CS_SAME] = "no difference from"};

    cs_strbuf_printf(out, "%s ", sign[check->relation]);
    output_markdown_put_number(out, other, digits);
    if (check->relation == CS_BETWEEN) {
        cs_strbuf_puts(out, " to ");
        output_markdown_put_number(out, check->high, digits);
    }
    if (check->relation >= CS_BETTER) {
        cs_strbuf_puts(out, ", p ");
        output_markdown_put_number(out, cs_check_p(results, check), 2);
    }
}

static void put_check(const struct cs_results *results, const struct cs_check *check,
                      struct cs_strbuf *out)
{
    double value, other;
    enum cs_finding finding = cs_check_finding(results, check, &value, &other);
    double error = cs_check_error(results, check);
    int digits = distinct_digits(value, other);

    if (check->relation == CS_BETWEEN && distinct_digits(value, check->high) > digits)
        digits = distinct_digits(value, check->high);
    cs_strbuf_puts(out, "| ");
    output_markdown_put_text(out, check->label ? check->label : "");
    cs_strbuf_puts(out, " | ");
    output_markdown_put_number(out, value, digits);
    if (error > 0 && isfinite(error)) {
        cs_strbuf_puts(out, " ± ");
        output_markdown_put_number(out, error, 2);
    }
    if (cs_experiment_has_second(results->experiment)) {
        cs_strbuf_puts(out, " | ");
        output_markdown_put_number(out, cs_check_second(results, check), 4);
    }
    cs_strbuf_puts(out, " | ");
    put_relation(out, results, check, other, digits);
    cs_strbuf_printf(out, " | %s%s |\n",
                     isnan(value) ? "not in this run" : cs_finding_word(finding),
                     check->extra ? ", not counted" : "");
}

static void put_claim(const struct cs_results *results, int c, struct cs_strbuf *out)
{
    const struct cs_claim *claim = &results->experiment->claim[c];

    cs_strbuf_printf(out, "\n**%d. ", c + 1);
    cs_claim_put_words(results, claim, out);
    if (results->experiment->seeds > 1)
        cs_strbuf_printf(out, "; %d of %d seeds alone", cs_claim_seeds(results, claim),
                         results->experiment->seeds);
    cs_strbuf_printf(out, "** “%s”\n", claim->text);
    if (claim->reading)
        cs_strbuf_printf(out, "\nRead as: %s\n", claim->reading);
    if (claim->unchecked)
        cs_strbuf_printf(out, "\nNot checked: %s\n", claim->unchecked);
    if (!claim->count)
        return;
    if (cs_experiment_has_second(results->experiment))
        cs_strbuf_printf(out,
                         "\n| what | ours | %s | wanted | verdict |\n"
                         "| --- | ---: | ---: | --- | --- |\n",
                         results->experiment->second->title);
    else
        cs_strbuf_puts(out, "\n| what | ours | wanted | verdict |\n| --- | ---: | --- | --- |\n");
    for (int k = 0; k < claim->count; k++)
        put_check(results, &claim->check[k], out);
}

static void put_remark(const struct cs_claim *claim, struct cs_strbuf *out)
{
    if (claim->remark)
        cs_strbuf_printf(out, "\nRemark: %s\n", claim->remark);
}

void cs_output_summary(const struct cs_results *results, struct cs_strbuf *out)
{
    static const char *const word[] = {[CS_AGREES] = "agree",
                                       [CS_PARTLY] = "agree in part",
                                       [CS_DISAGREES] = "do not agree",
                                       [CS_OPEN] = "undecided",
                                       [CS_UNCHECKED] = "not checked"};
    int count[CS_UNCHECKED + 1] = {0}, stand_ins = 0, questions[2] = {0};
    const char *between = ": ";
    struct cs_tally all = {0};

    for (int c = 0; c < results->experiment->claims; c++) {
        const struct cs_claim *claim = &results->experiment->claim[c];
        const struct cs_tally tally = cs_claim_tally(results, claim);

        all.checks += cs_claim_counts(claim) ? tally.checks : 0;
        all.agree += cs_claim_counts(claim) ? tally.agree : 0;
        stand_ins += claim->stand_in;
        if (claim->answer)
            questions[cs_claim_finding(results, claim) == CS_AGREES]++;
        count[cs_claim_finding(results, claim)] += cs_claim_counts(claim);
    }
    cs_human_units(out, results->experiment->claims, "claim");
    for (int v = CS_AGREES; v <= CS_UNCHECKED; v++)
        if (count[v]) {
            cs_strbuf_printf(out, "%s%d %s", between, count[v], word[v]);
            between = ", ";
        }
    for (int a = 1; a >= 0; a--)
        if (questions[a]) {
            cs_strbuf_printf(out, "%s%d %s", between, questions[a], a ? "answered" : "unanswered");
            between = ", ";
        }
    if (stand_ins)
        cs_strbuf_printf(out, "%s%d stand-in", between, stand_ins);
    if (all.checks)
        cs_strbuf_printf(out, "; checks: %d of %d agree", all.agree, all.checks);
}

static bool is_run(const struct cs_panel *panel, int series)
{
    for (int i = 0; i < panel->count; i++)
        if (panel->combination[series * panel->count + i] >= 0)
            return true;
    return false;
}

static void put_series(const struct cs_results *results, int series, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;

    cs_strbuf_puts(out, "| ");
    output_markdown_put_text(out, experiment->series < 0
                                      ? experiment->title
                                      : experiment->axis[experiment->series].value[series].label);
    cs_strbuf_puts(out, " |");
}

static void put_mean(const struct cs_results *results, const struct cs_experiment_metric *metric,
                     int combination, struct cs_strbuf *out)
{
    int over = combination < 0 ? -1 : cs_results_over(results, combination, metric->over);

    cs_strbuf_putc(out, ' ');
    output_markdown_put_number(
        out,
        combination < 0
            ? NAN
            : cs_results_mean(results, metric->index, over, combination).mean / metric->unit,
        metric->digits);
    cs_strbuf_puts(out, " |");
}

/* Series by values of the axis. */
static void put_panel(const struct cs_results *results, const struct cs_experiment_metric *metric,
                      const struct cs_panel *panel, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_experiment_axis *x =
        experiment->x < 0 ? NULL : &experiment->axis[experiment->x];

    cs_strbuf_printf(out, "\n### %s: %s\n\n| %s |", panel->title, metric->title, x ? x->title : "");
    for (int i = 0; i < panel->count; i++)
        cs_strbuf_printf(out, " %s |", x ? x->value[panel->x[i]].label : "");
    cs_strbuf_putc(out, '\n');
    put_rule(out, panel->count);
    for (int s = 0; s < cs_results_series(results); s++) {
        if (!is_run(panel, s))
            continue;
        put_series(results, s, out);
        for (int i = 0; i < panel->count; i++)
            put_mean(results, metric, panel->combination[s * panel->count + i], out);
        cs_strbuf_putc(out, '\n');
    }
}

/* Ours; where the paper prints numbers also those, and their ratio, which is undefined for 0. */
static void put_table_cell(const struct cs_experiment_metric *metric, double ours, double theirs,
                           struct cs_strbuf *out)
{
    const double cell[] = {ours, theirs, ours == 0 ? NAN : theirs / ours};

    for (int c = 0; c < (metric->reference ? 3 : 1); c++) {
        cs_strbuf_putc(out, ' ');
        output_markdown_put_number(out, cell[c], metric->digits);
        cs_strbuf_puts(out, " |");
    }
}

static void output_markdown_put_table(const struct cs_results *results,
                                      const struct cs_experiment_metric *metric,
                                      const struct cs_panel *panel, int panels,
                                      struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "\n### %s\n\n| |", metric->title);
    for (int p = 0; p < panels; p++)
        cs_strbuf_printf(out, metric->reference ? " %s: ours | paper | paper / ours |" : " %s |",
                         panel[p].title);
    cs_strbuf_putc(out, '\n');
    put_rule(out, (metric->reference ? 3 : 1) * panels);
    for (int s = 0; s < cs_results_series(results); s++) {
        put_series(results, s, out);
        for (int p = 0; p < panels; p++)
            put_table_cell(metric, cs_results_average(results, metric, &panel[p], s) / metric->unit,
                           cs_results_reference(results, metric, &panel[p], s), out);
        cs_strbuf_putc(out, '\n');
    }
}

static void put_numbers(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_arena *arena = cs_arena_create();
    int panels;
    const struct cs_panel *panel = cs_results_panels(results, arena, &panels);

    cs_strbuf_puts(out, "\n## Numbers");
    if (experiment->quick) {
        cs_strbuf_puts(out, "; ");
        cs_experiment_put_quick(experiment, out);
    }
    cs_strbuf_putc(out, '\n');
    for (int m = 0; m < experiment->metrics; m++) {
        if (experiment->table)
            output_markdown_put_table(results, &experiment->metric[m], panel, panels, out);
        for (int p = 0; !experiment->table && p < panels; p++)
            put_panel(results, &experiment->metric[m], &panel[p], out);
    }
    cs_arena_destroy(arena);
}

static void put_warning(const char *text, void *out)
{
    cs_strbuf_printf(out, "* Beware: %s.\n", text);
}

/* Values that an axis with the scale log cannot show. */
static void put_not_drawn(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;

    for (int m = 0; m < experiment->metrics; m++) {
        const struct cs_experiment_metric *metric = &experiment->metric[m];
        int count = 0;

        for (int c = 0; c < experiment->combinations && metric->log; c++)
            count += cs_results_mean(results, metric->index,
                                     cs_results_over(results, c, metric->over), c)
                         .mean <= 0;
        if (!count)
            continue;
        cs_strbuf_puts(out, "* ");
        cs_human_units(out, count, "value");
        cs_strbuf_printf(out, " of %s %s not above 0 and %s not drawn (scale log).\n",
                         metric->title, count == 1 ? "is" : "are", count == 1 ? "is" : "are");
    }
}

static void put_notes(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_strbuf notes = CS_STRBUF_INIT;

    cs_results_warnings(results, put_warning, &notes);
    put_not_drawn(results, &notes);
    for (int n = 0; n < experiment->notes; n++)
        cs_strbuf_printf(&notes, "* %s\n", experiment->note[n]);
    if (notes.length)
        cs_strbuf_printf(out, "\n## Notes\n\n%s", notes.text);
    cs_strbuf_release(&notes);
}

void cs_output_heading(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    if (experiment->place)
        cs_strbuf_printf(out, "%s: ", experiment->place);
    cs_strbuf_puts(out, experiment->title);
}

void cs_output_markdown(const struct cs_results *results, const char *command, const char *image,
                        struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_second_column *second = experiment->second;

    if (second && second->words && !cs_experiment_has_second(experiment))
        cs_strbuf_printf(out, "%s\n\n", second->words);
    if (experiment->quick) {
        cs_experiment_put_quick(experiment, out);
        cs_strbuf_puts(out, "\n\n");
    }
    cs_strbuf_puts(out, "# ");
    cs_output_heading(experiment, out);
    if (experiment->citation)
        cs_strbuf_printf(out, "\n\nOf: %s", experiment->citation);
    cs_strbuf_printf(out, "\n\n    %s\n\ncosched %s, seed %" PRIu64, command, CS_VERSION,
                     experiment->seed);
    if (experiment->seeds > 1)
        cs_strbuf_printf(out, " to %" PRIu64, experiment->seed + (uint64_t)experiment->seeds - 1);
    cs_strbuf_puts(out, ", ");
    cs_human_units(out, experiment->count, "run");
    cs_strbuf_printf(out, "%s\n\n![%s](%s)\n",
                     experiment->quick ? " (a quick run: fewer values or replicates)" : "",
                     experiment->place ? experiment->place : experiment->title, image);
    if (experiment->claims) {
        cs_strbuf_puts(out, "\n## What the paper states\n\n");
        cs_output_summary(results, out);
        cs_strbuf_puts(out, ".\n");
    }
    for (int c = 0; c < experiment->claims; c++) {
        put_claim(results, c, out);
        put_remark(&experiment->claim[c], out);
    }
    put_numbers(results, out);
    put_notes(results, out);
}
