/* output_csv.c - every value, one a row. */
#include "campaign/output.h"

#include "report/table.h"

#include <math.h>

/* The metrics of the problem that are drawn or that a claim is about. */
static void mark_used(const struct cs_experiment *experiment, bool *used)
{
    for (int m = 0; m < experiment->metrics; m++)
        used[experiment->metric[m].index] = true;
    for (int c = 0; c < experiment->claims; c++)
        for (int k = 0; k < experiment->claim[c].count; k++) {
            const struct cs_check *check = &experiment->claim[c].check[k];

            used[check->value.metric] = true;
            if (check->other)
                used[check->other->metric] = true;
        }
}

static void output_csv_put_row(const struct cs_results *results, int c, int m,
                               struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_cell *cell = &experiment->cell[c];
    const int *at = experiment->combination[cell->combination].at;
    double value = results->value[(size_t)c * (size_t)results->metrics + (size_t)m];

    if (isnan(value))
        return;
    for (int a = 0; a < experiment->axes; a++) {
        if (at[a] >= 0)
            cs_table_put_csv(out, experiment->axis[a].value[at[a]].name);
        cs_strbuf_putc(out, ',');
    }
    cs_strbuf_printf(out, "%d,%s,%.17g\n", cell->replicate,
                     cs_cell_metrics(experiment->problem)[m].name, value);
}

void cs_output_csv(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    bool used[CS_CELL_METRICS] = {false};

    mark_used(experiment, used);
    for (int a = 0; a < experiment->axes; a++) {
        cs_table_put_csv(out, experiment->axis[a].name);
        cs_strbuf_putc(out, ',');
    }
    cs_strbuf_puts(out, "replicate,metric,value\n");
    for (int c = 0; c < experiment->count; c++)
        for (int m = 0; m < results->metrics; m++)
            if (used[m])
                output_csv_put_row(results, c, m, out);
}
