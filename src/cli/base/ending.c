/* ending.c - the endings that are known, and the options that write. */
#include "cli/base/ending.h"

#include "base/plain.h"
#include "cli/base/output.h"

#include <string.h>

static const char *const outputs[] = {"output",  "schedule", "per-scenario", "table",
                                      "jobs",    "series",   "report",       "sbatch",
                                      "timings", "store",    "write-lp"};

static const char *const endings[] = {
    ".json", ".csv", ".html", ".htm", ".svg",  ".pdf",  ".png", ".gif", ".jpg",     ".jpeg", ".db",
    ".xlsx", ".tex", ".md",   ".sh",  ".yaml", ".gz",   ".xz",  ".zst", ".zip",     ".swf",  ".lp",
    ".dot",  ".xml", ".py",   ".bz2", ".tar",  ".docx", ".eps", ".ps",  ".parquet",
};

/* One of those above, or NULL. */
static const char *ending_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');

    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!cs_plain_compare(dot, endings[i]))
            return endings[i];
    return NULL;
}

/* Is it one of "FILE.json|FILE.csv"? */
static bool is_right(const char *ending, const char *argument)
{
    const size_t length = strlen(ending);

    for (const char *at = strstr(argument, ending); at; at = strstr(at + 1, ending))
        if (!at[length] || at[length] == '|')
            return true;
    return !strcmp(ending, ".htm") && strstr(argument, ".html");
}

int cs_ending_check(const char *as, const char *path, const char *argument, struct cs_error *err)
{
    const char *dot = strchr(argument, '.'), *ending = ending_of(path);

    if (ending && !strcmp(argument, "DIR"))
        return cs_error_set(err, "%s is a folder, and %s has the ending of a file", as, path);
    if (!dot || !ending || strstr(argument, ".svg") || is_right(ending, argument))
        return 0;
    return cs_error_set(err, "%s writes %s, and %s has the ending of something else", as, argument,
                        path);
}

static bool is_output(const struct cs_field *field)
{
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (field->kind == CS_FIELD_PATH && !strcmp(field->name, outputs[i]))
            return true;
    return false;
}

/* Then the message has more than the wrong extension. */
static bool is_operand(const struct cs_arguments *args, const char *path)
{
    struct cs_error none = {0};

    for (int i = 0; i < args->operands; i++)
        if (cs_output_apart(path, args->operand[i], "an input", &none))
            return true;
    return false;
}

/* Neither a folder nor a store. */
static bool is_file(const struct cs_field *field)
{
    return field->argument && strcmp(field->argument, "DIR") && !strstr(field->argument, ".db");
}

/* Standard output is for one file, and then for nothing else; `first` is the option that took it.
 */
static int ending_take(const char **first, const struct cs_field *field, struct cs_error *err)
{
    if (*first)
        return cs_error_set(err, "--%s and --%s cannot both go to standard output", *first,
                            field->name);
    *first = field->name;
    cs_output_leave();
    return 0;
}

int cs_endings_check(const struct cs_arguments *args, struct cs_error *err)
{
    const char *first = NULL;

    for (int i = 0; args->options && args->options[i].name; i++) {
        const struct cs_field *field = &args->options[i];
        const char *path = is_output(field) ? cs_arguments_text(args, field->name) : NULL;
        char as[64];

        cs_plain_print(as, sizeof as, "--%s", field->name);
        if (path && field->argument && !is_operand(args, path) &&
            cs_ending_check(as, path, field->argument, err))
            return -1;
        if (path && !strcmp(path, "-") && is_file(field) && ending_take(&first, field, err))
            return -1;
    }
    return 0;
}
