/* campaign_table.c - combinations and their means. */
#include "cli/campaign/campaign_table.h"

#include "campaign/summary.h"

#include <math.h>

#define ROWS 200 /* for people */

static struct cs_column *make_columns(const struct cs_experiment *sweep, struct cs_arena *arena,
                                      int *count)
{
    struct cs_column *column =
        CS_NEW_ARRAY(arena, struct cs_column, sweep->axes + 1 + 2 * sweep->metrics);
    struct cs_strbuf key = CS_STRBUF_INIT;
    int n = 0;

    for (int a = 0; a < sweep->axes; a++)
        column[n++] =
            (struct cs_column){.key = sweep->axis[a].name,
                               .kind = sweep->axis[a].numbers ? CS_COLUMN_DIGITS : CS_COLUMN_WORD,
                               .digits = 9};
    column[n++] = (struct cs_column){.key = "runs", .kind = CS_COLUMN_COUNT};
    for (int m = 0; m < sweep->metrics; m++) {
        const char *name = sweep->runner->metrics[sweep->metric[m]].name;

        for (int part = 0; part < 2; part++) {
            cs_strbuf_clear(&key);
            cs_strbuf_printf(&key, "%s_%s", name,
                             cs_figure_name(part ? CS_FIGURE_CONFIDENCE : CS_FIGURE_MEAN));
            column[n++] = (struct cs_column){.key = cs_arena_strdup(arena, key.text),
                                             .heading = part ? "± 95 %" : name,
                                             .kind = CS_COLUMN_DIGITS,
                                             .digits = part ? 2 : 5,
                                             .hidden = part && sweep->replicates == 1};
        }
    }
    cs_strbuf_release(&key);
    *count = n;
    return column;
}

static void put_place(const struct cs_experiment *sweep, int combination, struct cs_table *table)
{
    for (int a = 0; a < sweep->axes; a++) {
        const struct cs_experiment_axis *axis = &sweep->axis[a];
        int v = sweep->place[(size_t)combination * (size_t)sweep->axes + (size_t)a];

        if (v < 0)
            cs_table_unknown(table);
        else if (axis->numbers)
            cs_table_number(table, axis->value[v].number);
        else
            cs_table_text(table, axis->value[v].label);
    }
}

static void put_numbers(const struct cs_experiment *sweep, const struct cs_summary *summary,
                        int group, struct cs_table *table)
{
    cs_table_count(table, summary->group[group].done);
    for (int m = 0; m < sweep->metrics; m++) {
        const struct cs_summary_number *number = cs_summary_at(summary, group, sweep->metric[m]);

        cs_table_number(table, number->sample.figure[CS_FIGURE_MEAN]);
        cs_table_number(table, number->sample.figure[CS_FIGURE_CONFIDENCE]);
    }
}

void cs_campaign_table(const struct cs_experiment *sweep, const struct cs_cell *cell, int count,
                       const double *value, enum cs_table_format format, struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_summary *summary =
        cs_summary_create(cell, count, NULL, value, cs_runner_metrics(sweep->runner));
    int columns, rows = summary->groups;
    const struct cs_column *column = make_columns(sweep, arena, &columns);
    struct cs_table *table = cs_table_create(column, columns);

    if (format == CS_TABLE_TEXT && rows > ROWS)
        rows = ROWS;
    for (int g = 0; g < rows; g++) {
        put_place(sweep, cell[summary->group[g].first].x, table);
        put_numbers(sweep, summary, g, table);
    }
    cs_table_write(table, format, 0, out);
    if (rows < summary->groups)
        cs_strbuf_printf(out, "... and %d more; --format csv shows them all\n",
                         summary->groups - rows);
    cs_table_destroy(table);
    cs_summary_destroy(summary);
    cs_arena_destroy(arena);
}
