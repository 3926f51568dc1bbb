/* golden.c - files in, one line each out. */
#include "golden/golden.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int run_file(const char *path, const char *format, golden_case_f *run, struct cs_error *err)
{
    json_error_t problem;
    json_t *json = json_load_file(path, JSON_ALLOW_NUL, &problem);
    const char *found = json_string_value(json_object_get(json, "format"));
    int status;

    if (!json)
        return cs_error_set(err, "line %d: %s", problem.line, problem.text);
    if (format && (!found || strcmp(found, format)))
        status = cs_error_set(err, "format is %s, expected %s", found ? found : "missing", format);
    else
        status = run(json, path, err);
    json_decref(json);
    return status;
}

int golden_main(int argc, char **argv, const char *format, golden_case_f *run)
{
    int failed = 0, skipped = 0, files = argc - 1;

    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        const char *name = slash ? slash + 1 : argv[i];
        struct cs_error err = {0};
        int status = run_file(argv[i], format, run, &err);

        if (status == 0)
            printf("ok %s\n", name);
        else
            printf("%s %s: %s\n", status == GOLDEN_SKIP ? "skipped" : "FAIL", name, err.text);
        skipped += status == GOLDEN_SKIP;
        failed += status != 0 && status != GOLDEN_SKIP;
    }
    printf("%d passed, %d failed\n", files - failed - skipped, failed);
    if (failed || files == 0)
        return 1;
    return skipped == files ? GOLDEN_SKIP : 0;
}

int golden_number(const json_t *want, double got, const char *what, struct cs_error *err)
{
    const char *word = json_string_value(want);
    const bool infinite = word && !strcmp(word, "inf");
    double expected = infinite ? INFINITY : json_is_null(want) ? NAN : json_number_value(want);

    if (!json_is_number(want) && !json_is_null(want) && !infinite)
        return cs_error_set(err, "%s is not a number in the file", what);
    if (isnan(expected) ? isnan(got)
                        : got == expected || fabs(got - expected) <= 1e-9 * fabs(expected))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got, expected);
}
