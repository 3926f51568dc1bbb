/* output_markdown.c - what the paper states beside what we find, for people. */
#include "campaign/output.h"

#include "config.h"
#include "report/human.h"

#include <inttypes.h>
#include <math.h>

static void put_number(struct cs_strbuf *out, double value, int digits)
{
    if (isnan(value))
        cs_strbuf_puts(out, "–");
    else
        cs_human_digits(out, value, digits);
}

/* A cell of a table keeps to its cell. */
static void put_text(struct cs_strbuf *out, const char *text)
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

static void put_relation(struct cs_strbuf *out, const struct cs_check *check, double other)
{
    static const char *const sign[] = {[CS_BELOW] = "<",
                                       [CS_AT_MOST] = "≤",
                                       [CS_ABOVE] = ">",
                                       [CS_AT_LEAST] = "≥",
                                       [CS_BETWEEN] = "from"};

    cs_strbuf_printf(out, "%s ", sign[check->relation]);
    put_number(out, other, 4);
    if (check->relation == CS_BETWEEN) {
        cs_strbuf_puts(out, " to ");
        put_number(out, check->high, 4);
    }
}

static void put_check(const struct cs_results *results, const struct cs_check *check,
                      struct cs_strbuf *out)
{
    double value, other;
    enum cs_verdict verdict = cs_check_verdict(results, check, &value, &other);

    cs_strbuf_puts(out, "| ");
    put_text(out, check->label ? check->label : "");
    cs_strbuf_puts(out, " | ");
    put_number(out, value, 4);
    cs_strbuf_puts(out, " | ");
    put_relation(out, check, other);
    cs_strbuf_printf(out, " | %s |\n", isnan(value) ? "not in this run" : cs_verdict_word(verdict));
}

static void put_claim(const struct cs_results *results, int c, struct cs_strbuf *out)
{
    const struct cs_claim *claim = &results->paper->claim[c];

    cs_strbuf_printf(out, "\n**%d. %s** “%s”\n", c + 1,
                     cs_verdict_word(cs_claim_verdict(results, claim)), claim->text);
    if (claim->reading)
        cs_strbuf_printf(out, "\nRead as: %s\n", claim->reading);
    if (claim->unchecked)
        cs_strbuf_printf(out, "\nNot checked: %s\n", claim->unchecked);
    if (!claim->count)
        return;
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
                                       [CS_UNCHECKED] = "not checked"};
    int count[CS_UNCHECKED + 1] = {0};
    const char *between = ": ";

    for (int c = 0; c < results->paper->nclaims; c++)
        count[cs_claim_verdict(results, &results->paper->claim[c])]++;
    cs_human_units(out, results->paper->nclaims, "claim");
    for (int v = CS_AGREES; v <= CS_UNCHECKED; v++)
        if (count[v]) {
            cs_strbuf_printf(out, "%s%d %s", between, count[v], word[v]);
            between = ", ";
        }
}

/* Series by values of the axis. */
static void put_panel(const struct cs_results *results, const struct cs_paper_metric *metric, int p,
                      struct cs_strbuf *out)
{
    const struct cs_paper *paper = results->paper;
    const struct cs_paper_panel *panel = &paper->panel[p];

    cs_strbuf_printf(out, "\n### %s: %s\n\n| %s |", panel->title, metric->title, paper->x_title);
    for (int x = 0; x < panel->count; x++)
        cs_strbuf_printf(out, " %s |", panel->x[x].label);
    cs_strbuf_putc(out, '\n');
    put_rule(out, panel->count);
    for (int s = 0; s < paper->nseries; s++) {
        if (!paper->series[s].in[p])
            continue;
        cs_strbuf_puts(out, "| ");
        put_text(out, paper->series[s].label);
        cs_strbuf_puts(out, " |");
        for (int x = 0; x < panel->count; x++) {
            cs_strbuf_putc(out, ' ');
            put_number(out, cs_results_mean(results, metric->index, metric->over, p, s, x).mean,
                       metric->digits);
            cs_strbuf_puts(out, " |");
        }
        cs_strbuf_putc(out, '\n');
    }
}

/* Ours, the paper's, and how many times less ours is. */
static void put_table_cell(double ours, double theirs, int digits, struct cs_strbuf *out)
{
    cs_strbuf_putc(out, ' ');
    put_number(out, ours, digits);
    cs_strbuf_puts(out, " | ");
    put_number(out, theirs, digits);
    cs_strbuf_puts(out, " | ");
    put_number(out, theirs / ours, digits);
    cs_strbuf_puts(out, " |");
}

static void put_table(const struct cs_results *results, const struct cs_paper_metric *metric,
                      struct cs_strbuf *out)
{
    const struct cs_paper *paper = results->paper;

    cs_strbuf_printf(out, "\n### %s\n\n| |", metric->title);
    for (int p = 0; p < paper->npanels; p++)
        cs_strbuf_printf(out, " %s: ours | paper | paper / ours |", paper->panel[p].title);
    cs_strbuf_putc(out, '\n');
    put_rule(out, 3 * paper->npanels);
    for (int s = 0; s < paper->nseries; s++) {
        cs_strbuf_puts(out, "| ");
        put_text(out, paper->series[s].label);
        cs_strbuf_puts(out, " |");
        for (int p = 0; p < paper->npanels; p++)
            put_table_cell(cs_results_average(results, metric, p, s),
                           metric->reference ? metric->reference[s * paper->npanels + p] : NAN,
                           metric->digits, out);
        cs_strbuf_putc(out, '\n');
    }
}

static void put_numbers(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_paper *paper = results->paper;

    cs_strbuf_puts(out, "\n## Numbers\n");
    for (int m = 0; m < paper->nmetrics; m++) {
        if (paper->table)
            put_table(results, &paper->metric[m], out);
        for (int p = 0; !paper->table && p < paper->npanels; p++)
            put_panel(results, &paper->metric[m], p, out);
    }
}

static void put_warning(const char *text, void *out)
{
    cs_strbuf_printf(out, "* Beware: %s.\n", text);
}

static void put_notes(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_paper *paper = results->paper;
    struct cs_strbuf notes = CS_STRBUF_INIT;

    cs_results_warnings(results, put_warning, &notes);
    for (int n = 0; n < paper->nnotes; n++)
        cs_strbuf_printf(&notes, "* %s\n", paper->note[n]);
    if (notes.length)
        cs_strbuf_printf(out, "\n## Notes\n\n%s", notes.text);
    cs_strbuf_release(&notes);
}

void cs_output_markdown(const struct cs_results *results, const char *command, const char *image,
                        struct cs_strbuf *out)
{
    const struct cs_paper *paper = results->paper;

    cs_strbuf_printf(out, "# %s: %s\n\nOf: %s\n", paper->place, paper->title, paper->citation);
    cs_strbuf_printf(out, "\n    %s\n\ncosched %s, seed %" PRIu64 ", ", command, CS_VERSION,
                     results->seed);
    cs_human_units(out, results->count, "run");
    cs_strbuf_printf(out, "%s\n\n![%s](%s)\n\n",
                     paper->quick ? " (a quick run: fewer values or replicates)" : "", paper->place,
                     image);
    cs_strbuf_puts(out, "## What the paper states\n\n");
    cs_output_summary(results, out);
    cs_strbuf_puts(out, ".\n");
    for (int c = 0; c < paper->nclaims; c++) {
        put_claim(results, c, out);
        put_remark(&paper->claim[c], out);
    }
    put_numbers(results, out);
    put_notes(results, out);
}
