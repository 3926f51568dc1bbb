/* faults.c - failures as a list, and what all readers of failures share. */
#include "io/faults_build.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/source.h"
#include "base/vector.h"

#include <limits.h>
#include <string.h>

void cs_faults_destroy(struct cs_faults *faults)
{
    if (!faults)
        return;
    cs_block_free(faults->fault);
    cs_block_free(faults);
}

static struct cs_faults *faults_create(const char *kind)
{
    struct cs_faults *faults = cs_block_zero(1, sizeof *faults);

    faults->kind = kind;
    return faults;
}

void cs_faults_add(struct cs_faults *faults, const struct cs_fault *fault)
{
    CS_BLOCK_ROOM(faults->fault, faults->count, faults->room, 256);
    faults->fault[faults->count++] = *fault;
    if (fault->processor >= faults->processors)
        faults->processors = fault->processor + 1;
}

static char *faults_trim(char *text)
{
    size_t length;

    text += strspn(text, " \t");
    for (length = strlen(text); length && strchr(" \t", text[length - 1]); length--)
        text[length - 1] = '\0';
    return text;
}

/* The text before the comma and behind it; -1 when there is not one comma. */
static int faults_split(char *line, char **time, char **processor)
{
    char *comma = strchr(line, ',');

    if (!comma || strchr(comma + 1, ','))
        return -1;
    *comma = '\0';
    *time = faults_trim(line);
    *processor = faults_trim(comma + 1);
    return 0;
}

static int read_fault(struct cs_faults *faults, struct cs_lines *lines, char *line,
                      struct cs_error *err)
{
    struct cs_fault fault;
    char *time, *processor;

    if (faults_split(line, &time, &processor))
        return cs_lines_error(lines, err,
                              "found \"%.60s\", expected a time in seconds, a comma, "
                              "and the number of a processor",
                              faults_trim(line));
    if (!faults->lines && !faults->count && !strcmp(time, "time") &&
        !strcmp(processor, "processor"))
        return 0;
    if (cs_number_double(time, &fault.time) != CS_NUMBER_FINE || !(fault.time >= 0) ||
        fault.time > CS_FAULTS_LATEST)
        return cs_lines_error(lines, err, "time: found \"%.60s\", expected seconds from 0 to %g",
                              time, CS_FAULTS_LATEST);
    if (cs_number_int(processor, &fault.processor) != CS_NUMBER_FINE || fault.processor < 0 ||
        fault.processor == INT_MAX)
        return cs_lines_error(
            lines, err, "processor: found \"%.60s\", expected a whole number from 0 on", processor);
    faults->lines++;
    cs_faults_add(faults, &fault);
    return 0;
}

static int faults_read_list(struct cs_faults *faults, struct cs_lines *lines, struct cs_error *err)
{
    char *line;
    size_t length;
    int more;

    while ((more = cs_lines_next(lines, &line, &length, err)) > 0) {
        line += strspn(line, " \t");
        if (*line && *line != '#' && read_fault(faults, lines, line, err))
            return -1;
    }
    return more;
}

static int read_as_list(struct cs_faults *faults, const char *name, const void *bytes, size_t size,
                        struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open_memory(name, bytes, size);
    int status = faults_read_list(faults, lines, err);

    cs_lines_close(lines);
    return status;
}

/* Bottom-up: runs of `width` are merged, ties keep their order. */
static void faults_merge(const struct cs_fault *from, struct cs_fault *to, size_t count,
                         size_t width)
{
    for (size_t start = 0; start < count; start += 2 * width) {
        size_t a = start, middle = start + width < count ? start + width : count, b = middle;
        size_t end = middle + width < count ? middle + width : count;

        for (size_t i = start; i < end; i++)
            to[i] =
                b == end || (a < middle && from[a].time <= from[b].time) ? from[a++] : from[b++];
    }
}

static void faults_sort(struct cs_faults *faults)
{
    size_t count = faults->count;
    struct cs_fault *from = faults->fault, *to = cs_block_zero(count + 1, sizeof *to), *swap;

    for (size_t width = 1; width < count; width *= 2) {
        faults_merge(from, to, count, width);
        swap = from;
        from = to;
        to = swap;
    }
    if (from != faults->fault) {
        memcpy(faults->fault, from, count * sizeof *from);
        to = from;
    }
    cs_block_free(to);
}

static int read_kind(struct cs_faults *faults, const char *name, char *bytes, size_t size,
                     int system, struct cs_error *err)
{
    if (cs_faults_is_lanl(bytes, size)) {
        faults->kind = "failure log";
        return cs_faults_read_lanl(faults, name, bytes, size, system, err);
    }
    if (system)
        return cs_error_set(err,
                            "%s: this is a list of failures, not the log of many systems: leave "
                            "the number of a system out",
                            name);
    return read_as_list(faults, name, bytes, size, err);
}

struct cs_faults *cs_faults_read_memory(const char *name, const void *bytes, size_t size,
                                        int system, struct cs_error *err)
{
    struct cs_faults *faults = faults_create("list of failures");
    char *copy = cs_block_zero(size + 1, 1);

    if (size)
        memcpy(copy, bytes, size);
    if (read_kind(faults, name, copy, size, system, err)) {
        cs_faults_destroy(faults);
        faults = NULL;
    } else
        faults_sort(faults);
    cs_block_free(copy);
    return faults;
}

struct cs_faults *cs_faults_read(const char *path, int system, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_faults *faults = NULL;

    if (cs_file_read(path, CS_FILE_LARGEST, &text, err) == 0)
        faults = cs_faults_read_memory(cs_source_name(path), text.text, text.length, system, err);
    cs_strbuf_release(&text);
    return faults;
}
