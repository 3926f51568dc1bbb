/* human: numbers as people read them. */
#include "report/human.h"
#include "unit/kit.h"

#include <limits.h>
#include <math.h>

static struct cs_strbuf out = CS_STRBUF_INIT;

static void is(const char *want)
{
    assert_string_equal(out.text, want);
    cs_strbuf_clear(&out);
}

static void durations_have_about_three_digits(void **state)
{
    static const struct {
        double seconds;
        const char *want;
    } row[] = {
        {0, "0 s"},           {2e-9, "2 ns"},       {12.5e-6, "12.5 \xc2\xb5s"},
        {0.34, "340 ms"},     {0.9996, "1 s"},      {35.2, "35.2 s"},
        {35.249, "35.2 s"},   {59.94, "59.9 s"},    {59.96, "1 min"},
        {60, "1 min"},        {245, "4 min 05 s"},  {3599.4, "59 min 59 s"},
        {3599.6, "1 h"},      {4320, "1 h 12 min"}, {86369, "23 h 59 min"},
        {86371, "1 d"},       {273600, "3 d 4 h"},  {1e9, "11,574 d"},
        {-90, "-1 min 30 s"}, {INFINITY, "never"},  {-INFINITY, "?"},
        {NAN, "?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cs_human_duration(&out, row[i].seconds);
        is(row[i].want);
    }
}

static void counts_have_commas(void **state)
{
    (void)state;
    cs_human_count(&out, 0);
    is("0");
    cs_human_count(&out, 999);
    is("999");
    cs_human_count(&out, -1000);
    is("-1,000");
    cs_human_count(&out, LLONG_MIN);
    is("-9,223,372,036,854,775,808");
    cs_human_units(&out, 1, "node");
    is("1 node");
    cs_human_units(&out, 2000, "node");
    is("2,000 nodes");
}

static void fixed_and_significant_digits(void **state)
{
    (void)state;
    cs_human_fixed(&out, 12345.6, 2);
    is("12,345.60");
    cs_human_fixed(&out, -0.001, 2);
    is("0.00");
    cs_human_fixed(&out, 1e300, 3);
    is("1.000e+300");
    cs_human_fixed(&out, -INFINITY, 3);
    is("-inf");
    cs_human_digits(&out, 0, 3);
    is("0");
    cs_human_digits(&out, 1234.4, 3);
    is("1,234");
    cs_human_digits(&out, 0.012345, 3);
    is("0.0123");
    cs_human_digits(&out, -2.50, 3);
    is("-2.5");
    cs_human_digits(&out, 1.5e-7, 3);
    is("1.5e-7");
    cs_human_digits(&out, 9.999, 3);
    is("10");
    cs_human_digits(&out, NAN, 3);
    is("nan");
    cs_human_percent(&out, 0.2345, 1);
    is("23.4 %");
    cs_human_percent(&out, NAN, 1);
    is("?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_have_about_three_digits),
        cmocka_unit_test(counts_have_commas),
        cmocka_unit_test(fixed_and_significant_digits),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    cs_strbuf_release(&out);
    return failed;
}
