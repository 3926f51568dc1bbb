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
        status = run(json, err);
    json_decref(json);
    return status;
}

int golden_main(int argc, char **argv, const char *format, golden_case_f *run)
{
    int failed = 0;

    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        const char *name = slash ? slash + 1 : argv[i];
        struct cs_error err = {0};

        if (run_file(argv[i], format, run, &err)) {
            printf("FAIL %s: %s\n", name, err.text);
            failed++;
        } else {
            printf("ok %s\n", name);
        }
    }
    printf("%d passed, %d failed\n", argc - 1 - failed, failed);
    return failed || argc < 2;
}

int golden_number(const json_t *want, double got, const char *what, struct cs_error *err)
{
    double expected = json_is_null(want) ? NAN : json_number_value(want);

    if (!json_is_number(want) && !json_is_null(want))
        return cs_error_set(err, "%s is not a number in the file", what);
    if (isnan(expected) ? isnan(got) : fabs(got - expected) <= 1e-9 * fabs(expected))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got, expected);
}
