/* csv: every row has the fields of the header, and quoting them gives the same row back. */
#include "base/csv.h"
#include "fuzz/fuzz.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void insist(int condition)
{
    if (!condition)
        abort();
}

static void put_header(const struct cs_csv *csv, struct cs_strbuf *out)
{
    for (int c = 0; c < cs_csv_columns(csv); c++)
        cs_strbuf_printf(out, "%sc%d", c ? "," : "", c);
    cs_strbuf_putc(out, '\n');
}

static void check_numbers(const struct cs_csv *csv, int column)
{
    struct cs_error err = {0};
    double real;
    int whole;

    if (cs_csv_double(csv, column, CS_NUMBER_POSITIVE, &real, &err))
        insist(err.text[0]);
    else
        insist(real > 0);
    if (!cs_csv_int(csv, column, 1, INT_MAX, &whole, &err))
        insist(whole >= 1);
}

/* Reads `text` again, which must hold just this row. */
static void check_same(const struct cs_csv *row, const struct cs_strbuf *text)
{
    struct cs_error err = {0};
    struct cs_csv *again = cs_csv_open_memory("again", text->text, text->length, &err);

    insist(again && cs_csv_next(again, &err) == 1);
    for (int c = 0; c < cs_csv_columns(row); c++)
        insist(!strcmp(cs_csv_text(row, c), cs_csv_text(again, c)));
    insist(cs_csv_next(again, &err) == 0);
    cs_csv_close(again);
}

static void check_row(const struct cs_csv *csv)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    put_header(csv, &text);
    for (int c = 0; c < cs_csv_columns(csv); c++) {
        check_numbers(csv, c);
        if (c)
            cs_strbuf_putc(&text, ',');
        cs_csv_quote(&text, cs_csv_text(csv, c));
    }
    if (cs_csv_columns(csv) > 1)
        check_same(csv, &text);
    cs_strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error err = {0};
    struct cs_csv *csv = cs_csv_open_memory("f", data, size, &err);
    int more, rows = 0;

    insist((csv == NULL) == (err.text[0] != '\0'));
    if (!csv)
        return 0;
    while ((more = cs_csv_next(csv, &err)) == 1 && rows++ < 1000)
        check_row(csv);
    insist((more < 0) == (err.text[0] != '\0'));
    cs_csv_close(csv);
    return 0;
}
