/* lines: whatever the bytes, lines are text, numbered, and end; packed bytes too. */
#include "base/lines.h"
#include "base/source.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#define ENOUGH (1L << 20)

static void insist(int condition)
{
    if (!condition)
        abort();
}

/* How many bytes there are, read in such steps; -1 for bad data.  How many come before an error
 * depends on the steps. */
static long unpack(const uint8_t *data, size_t size, size_t step)
{
    struct cs_source *source = cs_source_open_memory(data, size);
    struct cs_error err = {0};
    char to[4096];
    size_t got = 0;
    long total = 0;
    int status;

    while (!(status = cs_source_read(source, to, step, &got, &err)) && got && total < ENOUGH)
        total += (long)got;
    cs_source_close(source);
    insist(!status == !err.text[0]);
    return status ? -1 : total;
}

/* libzstd holds a frame whose last block is empty to the length that it declares only when it sees
 * the frame as a whole. */
static int is_zstd(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0;
}

static void steps_do_not_matter(const uint8_t *data, size_t size)
{
    long whole = unpack(data, size, 4096), pieces;

    if (whole >= ENOUGH)
        return;
    pieces = unpack(data, size, 7);
    insist(whole == pieces || (is_zstd(data, size) && (whole < 0 || pieces < 0)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_lines *lines = cs_lines_open_memory("f", data, size);
    struct cs_error err = {0};
    size_t length;
    char *line;
    long count = 0;
    int more;

    while ((more = cs_lines_next(lines, &line, &length, &err)) == 1 && count < 1 << 20) {
        count++;
        insist(strlen(line) == length && !strchr(line, '\n'));
        insist(cs_lines_number(lines) == count);
        line[0] = '\0';
    }
    insist((more < 0) == (err.text[0] != '\0'));
    cs_lines_close(lines);
    steps_do_not_matter(data, size);
    return 0;
}
