/* campaign_table.c - combinations and their means. */
#include "cli/campaign/campaign_table.h"
#include "cli/base/output.h"

#include <math.h>

#define ROWS 200 /* for people */

static struct cs_sample sample_of(const struct cs_results *results, int combination, int metric)
{
    const struct cs_experiment *experiment = results->experiment;
    int over = cs_results_over(results, combination, experiment->metric[metric].over);

    return cs_results_number(results, experiment->metric[metric].index, over, combination).sample;
}

/* Has any combination a value? */
static bool is_there(const struct cs_results *results, int metric)
{
    for (int c = 0; c < results->experiment->combinations; c++)
        if (!isnan(sample_of(results, c, metric).figure[CS_FIGURE_MEAN]))
            return true;
    return false;
}

static struct cs_column *make_columns(const struct cs_results *results, struct cs_arena *arena,
                                      int *count)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_column *column =
        CS_NEW_ARRAY(arena, struct cs_column, experiment->axes + 1 + 2 * experiment->metrics);
    struct cs_strbuf key = CS_STRBUF_INIT;
    int n = 0;

    for (int a = 0; a < experiment->axes; a++)
        column[n++] = (struct cs_column){.key = experiment->axis[a].name,
                                         .kind = experiment->axis[a].numbers ? CS_COLUMN_DIGITS
                                                                             : CS_COLUMN_WORD,
                                         .digits = 9};
    column[n++] = (struct cs_column){.key = "runs", .kind = CS_COLUMN_COUNT};
    for (int m = 0; m < experiment->metrics; m++) {
        const char *name = cs_cell_metrics(experiment->problem)[experiment->metric[m].index].name;
        bool empty = !is_there(results, m);

        for (int part = 0; part < 2; part++) {
            cs_strbuf_clear(&key);
            cs_strbuf_printf(&key, "%s_%s", name,
                             cs_figure_name(part ? CS_FIGURE_CONFIDENCE : CS_FIGURE_MEAN));
            column[n++] =
                (struct cs_column){.key = cs_arena_strdup(arena, key.text),
                                   .heading = part ? "± 95 %" : name,
                                   .kind = CS_COLUMN_DIGITS,
                                   .digits = part ? 2 : 5,
                                   .hidden = empty || (part && experiment->replicates == 1)};
        }
    }
    cs_strbuf_release(&key);
    *count = n;
    return column;
}

static void put_place(const struct cs_experiment *experiment, int combination,
                      struct cs_table *table)
{
    for (int a = 0; a < experiment->axes; a++) {
        const struct cs_experiment_axis *axis = &experiment->axis[a];
        int v = experiment->combination[combination].at[a];

        if (v < 0)
            cs_table_unknown(table);
        else if (axis->numbers)
            cs_table_number(table, axis->value[v].number);
        else
            cs_table_text(table, axis->value[v].name);
    }
}

static void put_numbers(const struct cs_results *results, int combination, struct cs_table *table)
{
    const struct cs_experiment *experiment = results->experiment;

    cs_table_count(table, cs_results_done(results, combination));
    for (int m = 0; m < experiment->metrics; m++) {
        struct cs_sample sample = sample_of(results, combination, m);

        cs_table_number(table, sample.figure[CS_FIGURE_MEAN]);
        cs_table_number(table, sample.figure[CS_FIGURE_CONFIDENCE]);
    }
}

void cs_campaign_table(const struct cs_results *results, enum cs_table_format format,
                       struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_arena *arena = cs_arena_create();
    int columns, rows = 0;
    const struct cs_column *column = make_columns(results, arena, &columns);
    struct cs_table *table = cs_table_create(column, columns);

    for (int c = 0; c < experiment->combinations; c++) {
        if (!cs_results_done(results, c) || (rows++ >= ROWS && format == CS_TABLE_TEXT))
            continue;
        put_place(experiment, c, table);
        put_numbers(results, c, table);
    }
    cs_output_table(table, format, 0, out);
    if (rows > ROWS && format == CS_TABLE_TEXT)
        cs_strbuf_printf(out, "... and %d more; --format csv shows them all\n", rows - ROWS);
    cs_table_destroy(table);
    cs_arena_destroy(arena);
}
