/* output_csv.c - every value, one a row. */
#include "campaign/output.h"

#include "report/table.h"

#include <math.h>

static void mark_select(const struct cs_select *select, bool *used)
{
    if (select)
        used[select->metric] = true;
}

/* The metrics of the runner that are drawn or that a claim is about. */
static void mark_used(const struct cs_paper *paper, bool *used)
{
    for (int m = 0; m < paper->nmetrics; m++)
        used[paper->metric[m].index] = true;
    for (int c = 0; c < paper->nclaims; c++)
        for (int k = 0; k < paper->claim[c].count; k++) {
            mark_select(&paper->claim[c].check[k].value, used);
            mark_select(paper->claim[c].check[k].other, used);
        }
}

static void put_row(const struct cs_results *results, int c, int m, struct cs_strbuf *out)
{
    const struct cs_paper *paper = results->paper;
    const struct cs_cell *cell = &results->cell[c];
    double value = results->value[(size_t)c * (size_t)results->metrics + (size_t)m];

    if (isnan(value))
        return;
    cs_table_put_csv(out, paper->panel[cell->panel].name);
    cs_strbuf_putc(out, ',');
    cs_table_put_csv(out, paper->series[cell->series].name);
    cs_strbuf_putc(out, ',');
    cs_table_put_csv(out, paper->panel[cell->panel].x[cell->x].label);
    cs_strbuf_printf(out, ",%d,%s,%.17g\n", cell->replicate, paper->runner->metrics[m].name, value);
}

void cs_output_csv(const struct cs_results *results, struct cs_strbuf *out)
{
    bool used[CS_RUNNER_METRICS] = {false};

    mark_used(results->paper, used);
    cs_strbuf_puts(out, "panel,series,x,replicate,metric,value\n");
    for (int c = 0; c < results->count; c++)
        for (int m = 0; m < results->metrics; m++)
            if (used[m])
                put_row(results, c, m, out);
}
