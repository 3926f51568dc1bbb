/* campaign_kit.h - a problem with simple arithmetic in place of a problem, and papers as text. */
#ifndef CS_TESTS_UNIT_CAMPAIGN_KIT_H
#define CS_TESTS_UNIT_CAMPAIGN_KIT_H

#include "base/file.h"
#include "base/watch.h"
#include "campaign/results.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int kit_calls;
static atomic_bool kit_watched; /* did a cell see who watches the grid? */
static int kit_order[64];       /* the first ones: their a, on one thread */
static char kit_file[512];      /* the last one that was named */

struct kit_options {
    struct cs_study_options study;
    int64_t a, fail;
    double b;
    const char *word, *file;
};

static const struct cs_param kit_params[] = {
    {.name = "a",
     .kind = CS_PARAM_INTEGER,
     .required = CS_EXPERIMENT,
     .low = 0,
     .high = 99,
     .summary = "tens",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct kit_options, a)},
    {.name = "b",
     .kind = CS_PARAM_REAL,
     .default_text = "0",
     .low = 0,
     .high = 9,
     .summary = "ones",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct kit_options, b)},
    {.name = "word",
     .kind = CS_PARAM_TEXT,
     .argument = "WORD",
     .summary = "one of small, large",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct kit_options, word)},
    {.name = "fail",
     .kind = CS_PARAM_INTEGER,
     .low = 0,
     .high = 99,
     .summary = "fail when a is that",
     .actions = CS_EXPERIMENT,
     .old = "break",
     .at = offsetof(struct kit_options, fail)},
    {.name = "file",
     .kind = CS_PARAM_PATH,
     .summary = "not looked at",
     .actions = CS_EXPERIMENT,
     .at = offsetof(struct kit_options, file)},
    {0},
};

static double kit_number(const struct cs_study *study, const void *outcome)
{
    (void)study;
    return *(const double *)outcome;
}

static double kit_dice(const struct cs_study *study, const void *outcome)
{
    (void)outcome;
    return (double)((uint64_t)study->options->seed % 1000);
}

static double kit_nothing(const struct cs_study *study, const void *outcome)
{
    (void)study;
    (void)outcome;
    return NAN;
}

static const struct cs_value kit_values[] = {
    {.name = "number",
     .summary = "10 a + b, times 100 when large",
     .in = CS_IN_EXPERIMENTS,
     .of = kit_number},
    {.name = "dice", .summary = "0 .. 999, from the seed", .in = CS_IN_EXPERIMENTS, .of = kit_dice},
    {.name = "nothing", .summary = "always NaN", .in = CS_IN_EXPERIMENTS, .of = kit_nothing},
    {0},
};

static struct cs_study *kit_open(const void *options, const struct cs_study_context *context,
                                 struct cs_error *err);

static void kit_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    (void)study;
    memset(text, '0', CS_DIGEST_TEXT - 1);
    text[CS_DIGEST_TEXT - 1] = 0;
}

static int kit_run(struct cs_study *study, const struct cs_study_progress *progress,
                   struct cs_error *err)
{
    const struct kit_options *o = (const struct kit_options *)(const void *)study->options;
    double scale = o->word && !strcmp(o->word, "large") ? 100 : 1;
    int call = kit_calls++;

    (void)progress;
    kit_watched = kit_watched || cs_watch_here();
    if (call < (int)(sizeof kit_order / sizeof *kit_order))
        kit_order[call] = (int)o->a;
    if (o->file)
        snprintf(kit_file, sizeof kit_file, "%s", o->file);
    if (o->a == o->fail)
        return cs_error_set(err, "a is %d", (int)o->a);
    *(double *)study->outcome = scale * (10 * (double)o->a + o->b);
    return 0;
}

static const struct cs_problem kit_problem = {
    .name = "kit",
    .summary = "arithmetic",
    .param = kit_params,
    .value = kit_values,
    .options = sizeof(struct kit_options),
    .outcome = sizeof(double),
    .open = kit_open,
    .run = kit_run,
    .identify = kit_identify,
};

static struct cs_study *kit_open(const void *options, const struct cs_study_context *context,
                                 struct cs_error *err)
{
    struct cs_study *study = cs_study_create(&kit_problem, options, sizeof *study);

    (void)context;
    (void)err;
    study->variants = 1;
    study->runs = 1;
    return study;
}

static inline const char *kit_text(const json_t *parameters, const char *key)
{
    return json_string_value(json_object_get(parameters, key));
}

static inline int kit_integer(const json_t *parameters, const char *key)
{
    return (int)json_integer_value(json_object_get(parameters, key));
}

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
