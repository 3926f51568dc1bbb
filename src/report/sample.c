/* sample.c - many runs summed up: ten figures for each measure. */
#include "report/sample.h"

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
