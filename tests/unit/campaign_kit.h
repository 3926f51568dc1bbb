/* campaign_kit.h - a runner with simple arithmetic in place of a problem, and papers as text. */
#ifndef CS_TESTS_UNIT_CAMPAIGN_KIT_H
#define CS_TESTS_UNIT_CAMPAIGN_KIT_H

#include "base/file.h"
#include "campaign/results.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int kit_calls;
static char kit_file[512]; /* the last one that was named */

static const struct cs_parameter kit_parameters[] = {
    {.name = "a",
     .kind = CS_PARAMETER_INTEGER,
     .required = true,
     .low = 0,
     .high = 99,
     .summary = "tens"},
    {.name = "b", .kind = CS_PARAMETER_REAL, .low = 0, .high = 9, .summary = "ones"},
    {.name = "word", .kind = CS_PARAMETER_TEXT, .summary = "one of small, large"},
    {.name = "fail",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = 99,
     .summary = "fail when a is that"},
    {.name = "file", .kind = CS_PARAMETER_FILE, .summary = "not looked at"},
    {0},
};

static const struct cs_metric kit_metrics[] = {
    {.name = "number", .summary = "10 a + b, times 100 when large"},
    {.name = "dice", .summary = "0 .. 999, from the seed"},
    {.name = "nothing", .summary = "always NaN"},
    {0},
};

static int kit_run(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
                   char *identity, struct cs_error *err)
{
    int a = cs_parameter_integer(given, "a", 0);
    double scale = strcmp(cs_parameter_text(given, "word", "small"), "large") ? 1 : 100;

    (void)keep;
    memset(identity, '0', CS_DIGEST_TEXT - 1);
    identity[CS_DIGEST_TEXT - 1] = 0;
    kit_calls++;
    if (cs_parameter_text(given, "file", NULL))
        snprintf(kit_file, sizeof kit_file, "%s", cs_parameter_text(given, "file", NULL));
    if (a == cs_parameter_integer(given, "fail", -1))
        return cs_error_set(err, "a is %d", a);
    value[0] = scale * (10 * a + cs_parameter_real(given, "b", 0));
    value[1] = (double)(seed % 1000);
    value[2] = NAN;
    return 0;
}

static const struct cs_runner kit_runner = {
    .name = "kit",
    .summary = "arithmetic",
    .parameters = kit_parameters,
    .metrics = kit_metrics,
    .run = kit_run,
};

/* Write a file into a folder of its own, which is returned and stays until kit_remove. */
static inline const char *kit_folder(void)
{
    static char folder[64];

    if (!*folder) {
        strcpy(folder, "/tmp/cosched-test-XXXXXX");
        if (!mkdtemp(folder))
            abort();
    }
    return folder;
}

static inline void kit_write(const char *name, const char *text)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", kit_folder(), name);
    if (cs_file_write(path, text, strlen(text), NULL))
        abort();
}

static inline void kit_remove(const char *name)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", kit_folder(), name);
    remove(path);
}

/* JSON is written with ' for " here. */
static inline void kit_write_json(const char *name, const char *text)
{
    char *copy = strdup(text);

    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    kit_write(name, copy);
    free(copy);
}

#endif
