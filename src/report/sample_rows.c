/* sample_rows.c - summaries of many runs, a row for each variant, for programs. */
#include "report/sample_rows.h"
#include "base/arena.h"
#include "base/jsonw.h"
#include "problem/sample.h"
#include "report/table.h"

/* Many runs summed up: ten figures for each measure. */

struct cs_table *cs_sample_table(const struct cs_measure *measure, int measures,
                                 const struct cs_sample *sample)
{
    static const struct cs_column columns[] = {
        {.key = "measure", .heading = "", .kind = CS_COLUMN_WORD},
        {.key = "mean", .kind = CS_COLUMN_DIGITS, .digits = 6},
        {.key = "± 95 %", .kind = CS_COLUMN_DIGITS, .digits = 2},
        {.key = "deviation", .kind = CS_COLUMN_DIGITS, .digits = 3},
        {.key = "min", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "5 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "25 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "median", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "75 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "95 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "max", .kind = CS_COLUMN_DIGITS, .digits = 5},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int m = 0; m < measures; m++) {
        cs_table_text(table, measure[m].name);
        for (int f = 0; f < CS_FIGURES; f++)
            cs_table_number(table, sample[m].figure[f] / measure[m].unit);
    }
    return table;
}

static struct cs_table *make_table(const struct cs_sample_rows *rows, struct cs_arena *arena)
{
    int count = rows->leads + rows->measures * CS_FIGURES;
    struct cs_column *column = CS_NEW_ARRAY(arena, struct cs_column, count);

    for (int l = 0; l < rows->leads; l++)
        column[l] = (struct cs_column){.key = rows->lead[l].key, .kind = rows->lead[l].kind};
    for (int c = 0; c < rows->measures * CS_FIGURES; c++) {
        struct cs_strbuf key = CS_STRBUF_INIT;

        cs_strbuf_printf(&key, "%s_%s", rows->measure[c / CS_FIGURES].key,
                         cs_figure_name((enum cs_figure)(c % CS_FIGURES)));
        column[rows->leads + c] =
            (struct cs_column){.key = cs_arena_strdup(arena, key.text), .kind = CS_COLUMN_NUMBER};
        cs_strbuf_release(&key);
    }
    return cs_table_create(column, count);
}

static void put_cells(const struct cs_sample_rows *rows, const struct cs_sample_row *row,
                      struct cs_table *table)
{
    for (int l = 0; l < rows->leads; l++)
        if (rows->lead[l].kind == CS_COLUMN_WORD)
            cs_table_text(table, row->lead[l].word);
        else if (rows->lead[l].kind == CS_COLUMN_COUNT)
            cs_table_count(table, (long long)row->lead[l].number);
        else
            cs_table_number(table, row->lead[l].number);
    for (int m = 0; m < rows->measures; m++)
        for (int f = 0; f < CS_FIGURES; f++)
            cs_table_number(table, row->sample[m].figure[f]);
}

void cs_sample_rows_csv(const struct cs_sample_rows *rows, struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_table *table = make_table(rows, arena);

    for (int r = 0; r < rows->rows; r++)
        put_cells(rows, &rows->row[r], table);
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
    cs_arena_destroy(arena);
}

static void put_lead(const struct cs_sample_lead *lead, const struct cs_sample_cell *cell,
                     struct cs_jsonw *w)
{
    if (lead->csv_only)
        return;
    if (lead->kind == CS_COLUMN_WORD)
        cs_jsonw_put_string(w, lead->key, *cell->word ? cell->word : NULL);
    else if (lead->kind == CS_COLUMN_COUNT)
        cs_jsonw_put_int(w, lead->key, (int64_t)cell->number);
    else
        cs_jsonw_put_double(w, lead->key, cell->number);
}

static void put_sample(const char *key, const struct cs_sample *sample, struct cs_jsonw *w)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '{');
    for (int f = 0; f < CS_FIGURES; f++)
        cs_jsonw_put_double(w, cs_figure_name((enum cs_figure)f), sample->figure[f]);
    cs_jsonw_close(w);
}

void cs_sample_rows_json(const struct cs_sample_rows *rows, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "results");
    cs_jsonw_open(w, '[');
    for (int r = 0; r < rows->rows; r++) {
        cs_jsonw_open(w, '{');
        for (int l = 0; l < rows->leads; l++)
            put_lead(&rows->lead[l], &rows->row[r].lead[l], w);
        for (int m = 0; m < rows->measures; m++)
            put_sample(rows->measure[m].key, &rows->row[r].sample[m], w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}
