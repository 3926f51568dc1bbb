/* number: strtod and strtoll agree on what is a number, and a double written reads back. */
#include "base/number.h"
#include "base/strbuf.h"
#include "fuzz/fuzz.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

/* strtod with a point, whatever the locale of the process. */
static double with_point(const char *text, char **end)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    const double value = strtod(text, end);

    uselocale(before);
    freelocale(plain);
    return value;
}

static void check_double(const char *text)
{
    struct cs_strbuf written = CS_STRBUF_INIT;
    double value = 0, back = 0;
    char *end;

    if (cs_number_double(text, &value) != CS_NUMBER_FINE)
        return;
    insist(isfinite(value) && with_point(text, &end) == value && !*end);
    cs_strbuf_put_double(&written, value);
    insist(cs_number_double(written.text, &back) == CS_NUMBER_FINE);
    insist(!memcmp(&value, &back, sizeof value));
    cs_strbuf_release(&written);
}

static void check_whole(const char *text)
{
    const bool plain = strspn(text, "+-0123456789") == strlen(text);
    const long long want = (errno = 0, strtoll(text, NULL, 10));
    int64_t value = 0;
    const enum cs_number what = cs_number_int64(text, &value);

    if (what == CS_NUMBER_FINE)
        insist(plain && !errno && value == want);
    else
        insist(what != CS_NUMBER_RANGE || !plain || errno == ERANGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    insist(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    check_double(text);
    check_whole(text);
    free(text);
    return 0;
}
