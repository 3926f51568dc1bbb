/* show_rows.c - every run of a study as a row. */
#include "api/view.h"

#include <math.h>

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
