/* growing_text.c - numbers into text: the shortest that reads back, against printf. */
#include "base/strbuf.h"
#include "bench.h"

#define NUMBERS 1000

static double number(int i)
{
    return 1e3 / (i + 1);
}

static void shortest(void *data)
{
    struct cs_strbuf *text = data;

    cs_strbuf_clear(text);
    for (int i = 0; i < NUMBERS; i++)
        cs_strbuf_put_double(text, number(i));
    cs_bench_keep(text->text);
}

static void seventeen(void *data)
{
    struct cs_strbuf *text = data;

    cs_strbuf_clear(text);
    for (int i = 0; i < NUMBERS; i++)
        cs_strbuf_printf(text, "%.17g", number(i));
    cs_bench_keep(text->text);
}

int main(void)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const struct cs_bench_case variants[] = {
        {.name = "printf %.17g", .run = seventeen, .data = &text},
        {.name = "cs_strbuf_put_double", .run = shortest, .data = &text},
    };

    cs_bench_compare("1000 numbers into text", variants, 2);
    cs_strbuf_release(&text);
    return 0;
}
